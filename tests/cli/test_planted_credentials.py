"""Credentials in every form, in estates of every system: no command writes one, whatever it writes
and wherever to.

What commands write is made of records (facts, findings, reports of files), which
``importers/test_planted_secrets.py`` searches one by one, and of what they read directly:
scripts of changes, policies, ``topograph.yaml``, lines that messages quote, evidence of a survey. A
database holds those records alone: ``db``, ``cypher`` and ``snapshots`` show nothing else.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from draws import some
from pyarrow import parquet
from redaction.planting.forms import FORMS, PLANTED, FormsEstate, estates, planted_form
from store.git_repositories import commit, repository

from topograph.cli.error_report import write_report
from topograph.cli.group import COMMANDS
from topograph.cli.main import exit_code
from topograph.process.internal_errors import InternalError
from topograph.questions.records.configuration import SHOW
from topograph.store.entries import unpack

ESTATES = estates()
SHOWN = [what for parameter in SHOW.parameters for what, _ in parameter.choices]
FORMATS = ("text", "json", "jsonl", "csv", "sarif")

SEARCHED_ELSEWHERE = {
    "db": "starts and stops a server",
    "import": "has a test of its own, in which all estates share a Spark session",
    "cypher": "shows the records that a snapshot was published from",
    "snapshots": "lists names of snapshots, and publishes records",
    "mcp": "gives the answers that the commands give, as JSON",
}
"""Commands that are not tried here, and why they show nothing of their own."""

ALWAYS = {"survey", "init", "reach", "paths", "propagate", "trace", "check", "show", "view"}
"""Commands that answer of every system."""


def lines_of(estate: FormsEstate, folder: str, change: str) -> dict[str, list[str]]:
    """The command lines that are tried, by command."""
    one, two = estate.servers
    changed = f"{one}={change}"
    to = ["--destination", estate.destination]
    audit = ["audit", "--change", changed, "--budget", "0.2"]
    clients = str(Path(change).with_name("clients.csv"))
    policies = str(Path(change).with_name("policies.yaml"))
    of = ["-s", folder]
    judged = [*audit, *of, "--policy", policies]
    lines = {
        "survey": [["survey", folder, "--all", "--format", form] for form in ("text", "json")],
        "init": [["init", folder, "--stdout"]],
        "reach": [["reach", one, two, *of], ["reach", one, *of, "--format", "json"]],
        "hops": [["hops", one, two, *of]],
        "paths": [["paths", one, two, *of, "--format", "json"]],
        "cycles": [["cycles", *of, "--format", "json"]],
        "interests": [["interests", *of, "--format", "json"]],
        "propagate": [
            ["propagate", one, *to, *of],
            ["propagate", one, *to, *of, "--clients", clients],
            ["propagate", one, *to, *of, "--format", "json"],
        ],
        "trace": [["trace", one, *to, *of], ["trace", one, *to, *of, "--format", "json"]],
        "services": [["services", *of, "--format", "json"]],
        "impact": [["impact", "--fail", f"server:{two}", *of, "--format", "json"]],
        "audit": [
            [*judged, "--sarif", "A.sarif", "--junit", "A.xml", "--markdown", "A.md"],
            *([*judged, "--format", form] for form in ("json", "jsonl", "csv")),
            [*audit, *of, "--save", "SAVED"],
            ["audit", "--replay", "SAVED", *of],
            ["audit", "--before", folder, "--after", folder],
            ["audit", "--change", change, *of],
            [*audit, *of, "--policy", change],
        ],
        "check": [["check", *of, "--format", form] for form in FORMATS]
        + [["check", *of, "--server", server] for server in estate.servers],
        "summary": [["summary", folder, "--format", form] for form in ("text", "json")],
        "show": [
            *(["show", what, *of] for what in SHOWN),
            *(["show", what, *of, "--format", "json"] for what in SHOWN),
            ["show", "findings", *of, "--format", "csv"],
        ],
        "view": [
            *(["view", "-o", f"VIEW.{form}", *of] for form in ("html", "svg", "dot", "graphml")),
            ["view", "-o", "-", "--format", "mermaid", *of],
            ["view", "-o", "AUDIT.html", *of, *audit],
            ["view", "-o", "TRACE.html", *of, "trace", one, *to],
        ],
        "report": [["report", "-o", "REPORT.html", *of, "--change", changed, "--policy", policies]],
        "history": [
            ["history", folder, "--all", "--budget", "1"],
            ["history", folder, "--format", "json", "-o", "HISTORY.html", "--budget", "1"],
        ],
        "bisect": [
            [
                "bisect",
                folder,
                "--good",
                "HEAD~1",
                "--budget",
                "1",
                "--expect",
                f"{one} {rule} {two}",
            ]
            for rule in ("reaches", "does not reach")
        ],
        "schema": [["schema", "policy"], ["schema", "answer", "audit"]],
    }
    assert {command.name for command in COMMANDS} == lines.keys() | SEARCHED_ELSEWHERE.keys()
    return lines


def kept(data: bytes) -> Iterator[str]:
    """What an entry of the cache of readings holds, unpacked."""
    packed = memoryview(data)[32:]
    about, tables = unpack(packed)
    yield repr(about)
    size = int.from_bytes(packed[:8])
    yield zlib.decompress(packed[8 : 8 + size]).decode()
    for table in tables.values():
        for column in table._columns.values():
            yield zlib.decompress(column.data).decode("utf-8", "replace")


def leaks(where: str, text: str) -> Iterator[str]:
    for found in PLANTED.finditer(text):
        around = text[max(0, found.start() - 70) : found.end()]
        yield f"{where}: {FORMS[int(found[1])]}: {around!r}"


def in_a_repository(folder: Path) -> None:
    """A commit of the estate whose files lack their last lines, and one of it as it is."""
    repository(folder)
    whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    whole = {path: data for path, data in whole.items() if ".git" not in path.parts}
    for path, data in whole.items():
        path.write_bytes(data.rstrip().rpartition(b"\n")[0] + b"\n")
    commit(folder, "a first one")
    for path, data in whole.items():
        path.write_bytes(data)
    commit(folder, "as it is")


@pytest.fixture
def environment_of_spark() -> Iterator[None]:
    """What a Spark session leaves in the environment is taken out of it."""
    before = dict(os.environ)
    yield
    for name in os.environ.keys() - before.keys():
        del os.environ[name]
    os.environ.update(before)


@pytest.mark.spark
@pytest.mark.usefixtures("environment_of_spark")
def test_no_snapshot_holds_a_credential_in_any_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folders = [str(estate.write(tmp_path / "from", system)) for system, estate in ESTATES.items()]
    line = ["import", *folders, "-o", "snapshot", "--neo4j", "none", "--format", "json"]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "topograph", *line],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = {*leaks("stdout", done.stdout), *leaks("stderr", done.stderr)}
    tables = list(Path("snapshot").rglob("*.parquet"))
    assert tables
    for table in tables:
        found |= set(leaks(table.name, repr(parquet.read_table(table).to_pylist())))
    for path in Path("snapshot").rglob("*.json"):
        found |= set(leaks(path.name, path.read_text()))
    assert sorted(found) == []


@pytest.mark.slow
@pytest.mark.parametrize("system", ESTATES)
def test_no_output_holds_a_credential_in_any_form(
    system: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    estate = ESTATES[system]
    folder = estate.write(tmp_path)
    in_a_repository(folder)
    written, home = tmp_path / "written", tmp_path / "home"
    written.mkdir()
    monkeypatch.chdir(written)
    monkeypatch.setenv("TOPOGRAPH_HOME", str(home))
    monkeypatch.setenv("TOPOGRAPH_CACHE_MB", "512")
    found: set[str] = set()
    answered = set()
    for command, lines in lines_of(estate, str(folder), str(tmp_path / "change")).items():
        chosen = lines if command == "audit" else some(lines, (len(lines) + 2) // 3)
        others = [line for line in lines if line not in chosen] if command in ALWAYS else []
        for at, line in enumerate((*chosen, *others)):
            if at >= len(chosen) and command in answered:
                break
            code = exit_code(line)
            out, err = capfd.readouterr()
            assert code in (0, 1, 2, 3), (line, err)
            answered |= {command} if code in (0, 1) else set()
            found |= {*leaks(" ".join(line), out), *leaks(f"{' '.join(line)} (stderr)", err)}
    assert answered >= ALWAYS
    readings = list(home.rglob("*.reading"))
    assert readings
    for reading in readings:
        for text in kept(reading.read_bytes()):
            found |= set(leaks("cache of readings", text))
    for base, _, names in os.walk(tmp_path):
        for path in (Path(base, name) for name in names):
            if path.is_relative_to(written) or path.is_relative_to(home):
                found |= set(leaks(path.name, path.read_bytes().decode("utf-8", "replace")))
    assert sorted(found) == []


def test_no_report_of_an_internal_error_holds_a_credential_in_any_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path))
    found: set[str] = set()
    for number in range(len(FORMS)):
        error = ValueError(planted_form(number))
        report = write_report(error, ["trace", "A", "--set", f"x={planted_form(number)}"])
        assert isinstance(report, Path)
        found |= set(leaks("report", report.read_text()))
        found |= set(leaks("lost", repr(InternalError.of(error, "reading", "A part is missing."))))
    assert sorted(found) == []
