"""What goes to standard output, byte for byte."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from typing import Any

import pytest

from topograph.cli.output import json_document, json_lines
from topograph.findings import Source
from topograph.questions.answers import (
    Answer,
    InterestEntry,
    InterestsAnswer,
    ReachAnswer,
    ReachedServer,
    Step,
    Undetermined,
    ZoneHops,
)

STEP = Step("A", "Bé", "WAN", "R13", "H", ("global",), Source("A/routes.conf", 3, 1))
REACH = ReachAnswer(
    snapshot="s",
    network="n",
    engine="memory",
    from_="A",
    to=None,
    servers=(ReachedServer("Bé", 1, (ZoneHops("WAN", 1),), ("A", "Bé"), (STEP,)),),
    unreachable=("C", "D"),
    undetermined=(Undetermined("E", "its files are not loaded", Source("A/routes.conf", 9)),),
)
INTERESTS = InterestsAnswer(
    snapshot="s",
    network="n",
    engine="memory",
    servers={"A": (InterestEntry("$TMP$.B.>", "B", 1),), "B": ()},
)


@pytest.mark.parametrize("answer", [REACH, INTERESTS], ids=["reach", "interests"])
def test_the_json_document_is_the_answers_own_json(answer: Answer) -> None:
    document = "\n".join(json_document(answer))
    assert json.loads(document) == answer.to_dict()
    assert list(json.loads(document)) == list(answer.to_dict())
    assert document.isascii()


def test_json_lines_start_with_single_values_and_go_on_with_a_line_for_each_entry() -> None:
    lines = [json.loads(line) for line in json_lines(REACH)]
    whole = REACH.to_dict()
    assert lines[0] == {
        "question": "reach",
        "snapshot": "s",
        "network": "n",
        "engine": "memory",
        "exact": True,
        "redaction": "",
        "from": "A",
        "to": None,
        "reply": False,
        "system": "",
        "to_system": "",
        "lists": {
            "assumptions": 0,
            "warnings": 0,
            "inexact_because": 0,
            "servers": 1,
            "unreachable": 2,
            "undetermined": 1,
            "stopped": 0,
        },
    }
    assert lines[1:] == [
        {"servers": whole["servers"][0]},
        {"unreachable": "C"},
        {"unreachable": "D"},
        {"undetermined": whole["undetermined"][0]},
    ]


def test_json_lines_of_interests_have_a_line_for_each_server() -> None:
    assert [json.loads(line) for line in json_lines(INTERESTS)][1:] == [
        {"servers": {"A": [{"name": "$TMP$.B.>", "via": "B", "hops": 1}]}},
        {"servers": {"B": []}},
    ]


PROGRAM = """
import sys
from topograph.cli.output import write_answer
from topograph.findings import Source
from topograph.questions.answers import ReachAnswer, ReachedServer, ZoneHops
servers = tuple(ReachedServer(f"Sé{n}", 1, (ZoneHops("WAN", 1),), ("A", f"Sé{n}")) for n in range(int(sys.argv[2])))
answer = ReachAnswer(snapshot="s", network="n", engine="memory", from_="A", to=None, servers=servers, unreachable=(), undetermined=())
write_answer(answer, sys.argv[1])
sys.stdout.flush()
print("done", file=sys.stderr)
"""  # noqa: E501


def write(form: str, number: int, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, form, str(number)],
        capture_output=True,
        check=True,
        env={**ENVIRONMENT, **environment},
    )


ENVIRONMENT = {"PATH": "/usr/bin:/bin", "TOPOGRAPH_HOME": "/nonexistent"}


def test_text_is_utf_8_in_the_c_locale() -> None:
    assert "A → Sé0" in write("text", 1, LC_ALL="C").stdout.decode("utf-8")


def test_text_falls_back_to_ascii_where_the_output_has_nothing_else() -> None:
    assert (
        b"  S\\xe90  1 hop  A -> S\\xe90  WAN 1"
        in write("text", 1, PYTHONIOENCODING="ascii").stdout.splitlines()
    )


def test_json_has_the_same_bytes_in_every_locale() -> None:
    assert (
        write("json", 3, LC_ALL="C").stdout == write("json", 3, PYTHONIOENCODING="latin-1").stdout
    )


@pytest.mark.parametrize("form", ["text", "json", "jsonl"])
def test_a_reader_that_leaves_early_is_no_error(form: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, form, "20000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), said) == (0, b"done\n")


def test_a_full_disk_is_one_message() -> None:
    from pathlib import Path

    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    program = f"""
import sys
from topograph.cli.main import exit_code
import click
@click.command()
@click.argument("arguments", nargs=-1)
def write(arguments):
    exec({PROGRAM!r}, {{}})
sys.exit(exit_code(sys.argv[1:], write))
"""
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-c", program, "json", "5"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=ENVIRONMENT,
        )
    assert (ended.returncode, ended.stderr) == (
        4,
        b"Error: The answer cannot be written: No space left on device.\n",
    )


def test_an_answer_with_undecodable_names_is_still_written() -> None:
    odd: Any = dataclasses.replace(REACH, from_="A\udcff")
    assert json.loads("\n".join(json_document(odd)))["from"] == "A\udcff"
