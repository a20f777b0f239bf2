"""Every question on a snapshot that the import made of the examples: its exit code and the
sentence that answers it.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from imported import import_examples

from topograph.cli.main import exit_code

pytestmark = pytest.mark.spark


TO_MADRID = (
    "for some messages: any topic that is global at both ends; orders only if country IN "
    "('UK', 'France', 'Germany', 'Spain')"
)
"""What the only path from CANADA to MADRID carries."""


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three networks: estate, with-g-a (illegal), routers."""
    return import_examples(
        ("estate", "two-1hop-zones/with-g-a", "routers"), tmp_path_factory.mktemp("questions")
    )


@pytest.fixture(autouse=True)
def _asked(snapshot: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TOPOGRAPH_SNAPSHOT", str(snapshot))
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path))
    monkeypatch.delenv("TOPOGRAPH_NEO4J_URI", raising=False)


ESTATE = ["--network", "estate"]
ILLEGAL = ["--network", "with-g-a"]
ROUTERS = ["--network", "routers"]

ANSWERED = [
    (
        ["reach", "HQ", *ESTATE],
        0,
        (
            "HQ reaches 10 of 12 other servers, and also TOKYO if assumption R6 holds, as far as "
            "the loaded files show; 1 is left open, and not reached if assumption R20 holds."
        ),
    ),
    (["reach", "CANADA", "MADRID", *ESTATE], 0, f"CANADA reaches MADRID in 3 hops, {TO_MADRID}."),
    (
        ["reach", "CANADA", "MADRID", "--reply", *ESTATE],
        0,
        "A reply of MADRID reaches CANADA in 3 hops.",
    ),
    (
        ["reach", "CANADA", "MADRID", "--expect", "reachable", *ESTATE],
        0,
        f"CANADA reaches MADRID in 3 hops, {TO_MADRID}.",
    ),
    (
        ["reach", "CANADA", "MADRID", "--expect", "unreachable", *ESTATE],
        1,
        f"CANADA reaches MADRID in 3 hops, {TO_MADRID}.",
    ),
    (
        ["reach", "HQ", "TOKYO", "--expect", "unreachable", *ESTATE],
        1,
        "As far as the loaded files show, HQ reaches TOKYO.",
    ),
    (
        ["reach", "HQ", "TOKYO", "--expect", "reachable", *ESTATE],
        1,
        "As far as the loaded files show, HQ reaches TOKYO.",
    ),
    (["reach", "A", "C", "--expect", "unreachable", *ILLEGAL], 0, "A does not reach C."),
    (["reach", "LON", *ROUTERS], 0, "LON reaches 5 of 5 other routers."),
    (["hops", "CANADA", "MADRID", *ESTATE], 0, f"From CANADA to MADRID: 3 hops, {TO_MADRID}."),
    (
        ["hops", "CANADA", "TOKYO", *ESTATE],
        0,
        "As far as the loaded files show, CANADA reaches TOKYO.",
    ),
    (["hops", "LON", "FRA", *ROUTERS], 0, "From LON to FRA: 2 hops, at a cost of 14."),
    (
        ["hops", "--matrix", *ESTATE],
        0,
        "Hops between 13 servers, as far as the loaded files show; TOKYO may have more routes.",
    ),
    (["paths", "CANADA", "MADRID", *ESTATE], 0, f"1 path from CANADA to MADRID, {TO_MADRID}."),
    (
        ["paths", "A", "F", "--max", "1", *ILLEGAL],
        0,
        (
            "The first path from A to F, for some messages: any topic that is global at both "
            "ends; there are or may be more (use --max)."
        ),
    ),
    (["cycles", *ESTATE], 0, "No server was found to hold a name over more than one route."),
    (
        ["cycles", *ILLEGAL],
        1,
        "Illegal: A and F would hold 2 temporary-topic names over more than one route.",
    ),
    (["interests", "MADRID", *ESTATE], 0, "MADRID holds 10 names; it may hold more."),
    (
        [
            "propagate",
            "HQ",
            "--destination",
            "topic:orders",
            "--set",
            "country=USA",
            "--set",
            "amount=250",
            *ESTATE,
        ],
        0,
        (
            "A message to topic:orders published at HQ is delivered at HQ and USA; whether it gets "
            "to TOKYO and whether it is forwarded from HQ to SINGAPORE cannot be decided."
        ),
    ),
    (["check", *ESTATE], 1, None),
    (["show", "servers", *ESTATE], 0, "Servers: 13."),
    (["show", "zones", *ESTATE], 0, "Zones: 4."),
    (["show", "files", *ROUTERS], 0, None),
]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    ANSWERED,
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_question_is_answered_in_a_sentence(
    arguments: list[str], code: int, sentence: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(arguments) == code
    lines = capsys.readouterr().out.splitlines()
    if sentence is not None:
        assert lines[0] == sentence
    assert lines[-1].startswith("snapshot ")
    assert lines[-1].endswith(f" · network {arguments[-1]} · engine memory")


@pytest.mark.parametrize(
    "arguments", [row[0] for row in ANSWERED], ids=[" ".join(row[0]) for row in ANSWERED]
)
def test_json_and_json_lines_say_the_same(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    exit_code([*arguments, "--format", "json"])
    whole = json.loads(capsys.readouterr().out)
    exit_code([*arguments, "--format", "jsonl"])
    head, *entries = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    if "--matrix" in arguments:  # the last line says whether all rows were worked out
        *entries, end = entries
        assert end == {"exact": whole["exact"], "warnings": []}
        head["exact"] = end["exact"]
    counted = {name: sum(name in entry for entry in entries) for name in head["lists"]}
    if "--matrix" in arguments:
        rows = {server: row for entry in entries for server, row in entry.get("hops", {}).items()}
        assert [rows[server] for server in whole["servers"]] == whole["hops"]
        counted["hops"] = 0  # the head is written before the rows are known
        later = [entry["later"] for entry in entries if "later" in entry]
        head["later"] = {server: names for one in later for server, names in one.items()}
    assert counted == head["lists"]
    rebuilt = {name: value for name, value in head.items() if name != "lists"}
    assert rebuilt == {name: value for name, value in whole.items() if name not in head["lists"]}


REFUSED = [
    (["reach", "HQ"], 2, "holds several networks (estate, with-g-a, routers)"),
    (["reach", "HQ", "--network", "none"], 2, "holds no network 'none'"),
    (
        ["reach", "CANDA", *ESTATE],
        2,
        "No server is called 'CANDA' in network estate. Did you mean CANADA?",
    ),
    (["interests", *ROUTERS], 2, "interests is a question about TIBCO EMS"),
    (["propagate", "HQ", "--destination", "orders", *ESTATE], 2, "'orders' is not a destination."),
    (["reach", "HQ", "-s", "none.snapshot"], 3, "There is no snapshot or folder at none.snapshot."),
    (["reach", "HQ", "-s", "."], 2, "It is not a snapshot either."),
    (["reach", "HQ", "--engine", "neo4j", *ESTATE], 4, "No Neo4j is configured"),
]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    REFUSED,
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_question_that_cannot_be_answered_is_one_message(
    arguments: list[str],
    code: int,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert exit_code(arguments) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Error: ")
    assert message in err


def test_a_database_that_does_not_answer_is_exit_code_4_or_a_warning(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("TOPOGRAPH_NEO4J_URI", f"bolt://127.0.0.1:{port}")
    monkeypatch.setenv("TOPOGRAPH_NEO4J_PASSWORD", "none")
    assert exit_code(["hops", "CANADA", "MADRID", "--engine", "neo4j", *ESTATE]) == 4
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert exit_code(["hops", "CANADA", "MADRID", "--format", "json", *ESTATE]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["route_hops"], answer["engine"]) == (3, "memory")
    assert [warning["rule"] for warning in answer["warnings"]] == ["database-unavailable"]


def test_observed_names_are_compared(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    observed = tmp_path / "observed.json"
    observed.write_text(
        json.dumps(
            {"USA-EAST": ["$TMP$.USA.>"], "VAULT": [{"name": "$TMP$.NOWHERE.>", "via": "HQ"}]}
        )
    )
    assert (
        exit_code(
            ["interests", "USA-EAST", "--observed", str(observed), "--format", "json", *ESTATE]
        )
        == 0
    )
    answer = json.loads(capsys.readouterr().out)
    held = [entry["name"] for entry in answer["servers"]["USA-EAST"]]
    assert answer["compared"] == ["USA-EAST"]
    assert [entry["name"] for entry in answer["missing"]] == [
        name for name in held if name != "$TMP$.USA.>"
    ]
    assert answer["unexpected"] == []


def test_a_message_file_and_options_make_one_message(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    message = tmp_path / "message.json"
    message.write_text(
        '{"destination": "topic:orders", "properties": {"country": "Spain", "amount": '
        '7}, "user": "bob"}'
    )
    words = [
        "propagate",
        "HQ",
        "--message",
        str(message),
        "--set",
        "amount='7'",
        "--set",
        "vip=true",
    ]
    assert exit_code([*words, "--format", "json", *ESTATE]) == 0
    assert json.loads(capsys.readouterr().out)["message"] == {
        "destination": "topic:orders",
        "properties": {
            "country": {"type": "string", "value": "Spain"},
            "amount": {"type": "string", "value": "7"},
            "vip": {"type": "boolean", "value": True},
        },
        "user": "bob",
    }


@pytest.mark.parametrize("form", ["text", "json"])
def test_reach_loads_only_what_it_uses(form: str) -> None:
    """Each of these takes from a twentieth to several times as long to load as the question
    takes to answer. Only what servers that are not loaded leave open needs some of it.
    """
    program = """
import sys
from topograph.cli.main import exit_code
libraries = "hashlib jinja2 jsonschema lark neo4j networkx numpy.ma pandas py4j pyarrow.compute pyspark pyvis rustworkx scipy yaml"
ours = "facts.rows facts.ems importers pipeline selectors store.database store.listing systems.contract.cycles systems.contract.failures systems.contract.names"
ours += " systems.ems.compilation systems.ems.checks.lint viz workspace questions.answers.impact questions.answers.trace"
heavy = {*libraries.split(), *(f"topograph.{name}" for name in ours.split())}
code = exit_code(sys.argv[1:])
print(code, sorted(heavy & set(sys.modules)), file=sys.stderr)
"""  # noqa: E501
    ended = subprocess.run(
        [
            sys.executable,
            "-c",
            program,
            "reach",
            "CANADA",
            "MADRID",
            *ESTATE,
            "--engine",
            "memory",
            "--format",
            form,
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stderr == "0 []\n"
