"""Names of servers in topograph.yaml that no loaded file knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import topograph

ROUTER = """router {{
  mode: interior
  id: {0}
}}
listener {{
  host: 0.0.0.0
  port: {1}
  role: inter-router
}}
"""
CONNECTOR = "connector {\n  host: us.example\n  port: 5672\n  role: inter-router\n}\n"


def said(folder: Path, side_inputs: str) -> list[tuple[str, int, str]]:
    for name, port, more in (("EU", 5671, CONNECTOR), ("US", 5672, "")):
        (folder / f"{name}.conf").write_text(ROUTER.format(name, port) + more)
    (folder / "topograph.yaml").write_text(side_inputs)
    rows: Any = topograph.read(folder).show("findings").rows
    return [
        (row["severity"], row["source"]["line"], row["message"])
        for row in rows
        if row["kind"] == "side-inputs-unknown-server"
    ]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("machines:\n  rack-7: [EU, UZ]\n", "machines"),
        ("versions:\n  UZ: 1.19\n", "versions"),
        ("clients:\n- {server: UZ, destination: 'address:a'}\n", "clients"),
        ("mediations:\n- {bus: UZ, destination: D}\n", "mediations"),
    ],
)
def test_a_name_that_no_loaded_file_knows_is_a_warning_with_its_line(
    tmp_path: Path, text: str, key: str
) -> None:
    message = (
        f"{key}: no loaded file knows a server 'UZ', so that this has no effect. Did you "
        "mean US or EU?"
    )
    assert said(tmp_path, text) == [("warning", 2, message)]


def test_names_that_are_known_are_no_finding(tmp_path: Path) -> None:
    text = """machines: {rack-7: [EU, US]}
versions: {"*": 1.19, EU: 1.18}
clients: [{server: US, destination: "address:a"}]
hosts: {us.example: US}
"""
    assert said(tmp_path, text) == []


def test_a_host_of_a_server_that_is_not_loaded_is_no_more_than_a_note(tmp_path: Path) -> None:
    assert [
        (severity, line)
        for severity, line, _ in said(tmp_path, "hosts:\n  elsewhere.example: ASIA\n")
    ] == [("info", 2)]
    # Where a connector leads to that host, the server is one of the network.
    assert said(tmp_path, "hosts:\n  us.example: ASIA\n") == []
