"""Dumps of which a part cannot be read: what was lost may have been a connection to anywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import topograph
from topograph import Network

LONG = "org.apache.qpid.dispatch."
CONNECTOR = {
    "type": f"{LONG}connector",
    "identity": "c",
    "name": "c",
    "role": "inter-router",
    "host": "b.example",
    "port": "55672",
}
LISTENER = {
    "type": f"{LONG}listener",
    "identity": "l",
    "name": "l",
    "role": "inter-router",
    "host": "b.example",
    "port": "55672",
}


def dump(id_: str, *entities: dict[str, str]) -> str:
    router = {"type": f"{LONG}router", "identity": "1", "id": id_, "mode": "interior"}
    return json.dumps([router, *entities], indent=1)


def read(folder: Path, a: str) -> Network:
    (folder / "a.json").write_text(a, encoding="utf-8")
    (folder / "b.json").write_text(dump("B", LISTENER), encoding="utf-8")
    return topograph.read(folder)


@pytest.mark.parametrize(
    "hurt",
    [lambda text: text[:-30], lambda text: text.replace('"c",', '"c,', 1)],
    ids=["cut", "broken"],
)
def test_no_router_is_certainly_not_reached_where_a_dump_lost_an_entity(
    tmp_path: Path, hurt
) -> None:
    whole = dump(
        "A",
        CONNECTOR,
        {"type": f"{LONG}listener", "identity": "x", "name": "x", "host": "h", "port": "5672"},
    )
    assert [entry.server for entry in read(tmp_path, whole).reach("A").servers] == ["B"]
    without = dump(
        "A", {"type": f"{LONG}listener", "identity": "x", "name": "x", "host": "h", "port": "5672"}
    )
    assert read(tmp_path, without).reach("A").unreachable == ("B",)

    network = read(tmp_path, hurt(dump("A", LISTENER | {"port": "1"}, CONNECTOR)))
    for start, end in (("A", "B"), ("B", "A")):
        answer = network.reach(start)
        assert (answer.servers, answer.unreachable) == ((), ())
        (open_,) = answer.undetermined
        assert open_.server == end
        assert open_.because.startswith(
            "A may have connections that the loaded files do not show (not all of its "
            "dump could be read (a.json:"
        )
    assert network.hops("A", "B").reachable == "unknown"
    assert "invalid-json" in {
        row["kind"] for row in network.check().findings if row["severity"] == "error"
    }
