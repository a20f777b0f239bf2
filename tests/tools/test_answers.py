"""A call of a tool gives what the command line gives for the same input."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from draws import share
from tools.clients import Result, ask

from topograph.cli.group import topograph
from topograph.cli.main import exit_code
from topograph.network import read
from topograph.questions.records import QUESTIONS
from topograph.tools.definitions import called, parameters

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
FOLDERS = (
    *("estate", "orders", "mhop-star/legal", "mhop-star/with-b-d", "two-1hop-zones/with-g-a"),
    *("routers", "services", "queue_managers", "mqe_devices", "sibus_orders", "mixed"),
)


MOST = 19
"""Questions a folder. Every other one is called, as each call is a process: of folders that
follow each other not the same ones."""


def example_lines(folder: str) -> list[str]:
    """The examples of all questions about a folder that write nothing."""
    return [
        example.words.replace("--format jsonl", "").replace("--format json", "").strip()
        for question in QUESTIONS
        for example in question.examples
        if example.estate == folder
        and "--matrix" not in example.words
        and not example.words.startswith(("summary", "survey"))  # these name the folder
    ]


def drawn_lines(folder: str) -> Iterator[str]:
    """Questions about the servers and destinations of a folder."""
    network = read(EXAMPLES / folder)
    names = network.server_names()
    first, last = shlex.quote(names[0]), shlex.quote(names[-1])
    yield from (f"show {what}" for what in ("servers", "destinations", "findings"))
    yield from (f"reach {shlex.quote(name)}" for name in names[:3])
    yield from (f"hops {first} {last}", f"paths {first} {last} --max 2", f"reach {last} {first}")
    yield from (f"impact --fail server:{first}", "impact --sweep", "check --severity warning")
    yield from ("cycles --strict", "interests", "services", f"check --server {last}")
    for row in network.show("destinations").rows[:2]:
        kind = {"queue": "queue", "topic": "topic"}.get(str(row.get("type")), "address")
        destination = shlex.quote(f"{kind}:{row['name']}")
        yield f"propagate {first} --destination {destination} --set country=Spain"
        yield f"trace {first} --destination {destination}"


@cache
def arguments(line: str) -> dict[str, Any]:
    """The arguments of a call, by what click reads in a command line."""
    name, *words = shlex.split(line)
    command = topograph.get_command(None, name)
    assert command is not None
    given = command.make_context(name, words).params
    (question,) = [one for one in QUESTIONS if one.name == name]
    found = {}
    for one in parameters(question):
        value = given[one.name]
        if value not in (None, (), False, ""):
            found[called(one)] = list(value) if isinstance(value, tuple) else value
    return found


def same(line: str, result: Result, folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Hold a result to what the command line writes."""
    words = shlex.split(line)
    code = exit_code([*words, "-s", str(EXAMPLES / folder), "--engine", "memory", "--format=json"])
    written = capsys.readouterr()
    if not written.out:
        assert result.error, line
        assert " ".join(result.text.split()) == " ".join(written.err.split()), line
        return
    assert not result.error, (line, result.text)
    assert result.answer == json.loads(written.out), line
    assert result.exit_code == code, line
    assert result.texts[0], line


@pytest.mark.slow
@pytest.mark.parametrize("folder", share(FOLDERS, 2))
def test_answers_are_those_of_the_command_line(
    folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("TOPOGRAPH_SNAPSHOT", raising=False)
    lines = list(dict.fromkeys([*example_lines(folder), *drawn_lines(folder)]))[:MOST]
    lines = lines[FOLDERS.index(folder) % 2 :: 2]
    options = ["-s", str(EXAMPLES / folder), "--root", str(ROOT)]
    results = ask(options, [(line.split()[0], arguments(line)) for line in lines])
    for line, result in zip(lines, results, strict=True):
        same(line, result, folder, capsys)
    assert sum(not one.error for one in results) >= 5


def test_a_few_answers_are_those_of_the_command_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    lines = [
        "reach A D",
        "reach A E",
        "audit --change B=examples/changes/route-b-d.txt",
        "cycles",
    ]
    folder = "mhop-star/legal"
    options = ["-s", str(EXAMPLES / folder), "--root", str(ROOT)]
    results = ask(options, [(line.split()[0], arguments(line)) for line in lines])
    for line, result in zip(lines, results, strict=True):
        same(line, result, folder, capsys)
    reached, unknown, judged, _ = results
    assert reached.text.startswith("A reaches D in ")
    assert reached.answer is not None
    (to,) = reached.answer["servers"]
    assert to["steps"][0]["source"]["file"].endswith("routes.conf")
    assert to["steps"][0]["source"]["line"] > 0
    assert reached.answer["exact"] is True
    assert unknown.error
    assert judged.exit_code == 1


def test_a_pattern_in_place_of_a_server_is_answered_as_on_the_command_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = ["reach 'M*' HQ", "hops 'M*' HQ,CANADA", "paths MADRID 'H*'"]
    options = ["-s", str(EXAMPLES / "estate")]
    results = ask(options, [(line.split()[0], arguments(line)) for line in lines])
    for line, result in zip(lines, results, strict=True):
        same(line, result, "estate", capsys)
    assert results[0].answer is not None
    assert len(results[0].answer["answers"]) == 3
