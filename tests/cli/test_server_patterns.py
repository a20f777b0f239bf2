"""Patterns, hosts and lists in place of the name of a server."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph.cli.main import exit_code
from topograph.errors import UnknownServer

EXAMPLES = Path(__file__).parents[2] / "examples"

Run = Callable[..., tuple[int, str, str]]

QUESTIONS = (
    ("estate", "reach {}"),
    ("estate", "reach HQ {}"),
    ("estate", "hops {} HQ"),
    ("estate", "paths HQ {}"),
    ("estate", "interests {}"),
    ("estate", "propagate {} --destination topic:orders --set country=Spain"),
    ("estate", "trace {} --destination topic:orders --set country=Spain"),
    ("estate", "check --server {}"),
    ("estate", "show routes --server {}"),
    ("services", "services --server {}"),
    ("routers", "reach {} LON"),
    ("mixed", "reach {}"),
    ("queue_managers", "reach {}"),
    ("sibus_orders", "reach {}"),
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def asked(estate: str, *words: str) -> tuple[int, str, str]:
        code = exit_code([*words, "-s", str(EXAMPLES / estate)])
        out, err = capsys.readouterr()
        return code, out, err

    return asked


def patterns_of(names: list[str]) -> list[str]:
    """For each number of servers a pattern: all, those that begin as the first does, one."""
    return ["*", f"{names[0][0]}*", f"{names[-1][:-1]}?", ",".join(names[:2])]


def meant(names: list[str], pattern: str) -> list[str]:
    if "," in pattern:
        return pattern.split(",")
    return [name for name in names if fnmatchcase(name, pattern)]


@pytest.mark.parametrize(("estate", "question"), QUESTIONS)
def test_the_answers_are_those_of_each_name(run: Run, estate: str, question: str) -> None:
    names = list(topograph.read(EXAMPLES / estate).server_names())
    for pattern in patterns_of(names):
        words = [word.format(pattern) for word in question.split()]
        code, out, _ = run(estate, *words, "--format", "json")
        singles = [
            run(estate, *(word.format(name) for word in question.split()), "--format", "json")
            for name in meant(names, pattern)
        ]
        assert code == max(code for code, _, _ in singles)
        answer = json.loads(out)
        if len(singles) == 1:
            assert out == singles[0][1]
        else:
            assert answer["answers"] == [json.loads(each) for _, each, _ in singles]
            assert [list(one.values()) for one in answer["about"]] == [
                [name] for name in meant(names, pattern)
            ]
            assert answer["exact"] == all(one["exact"] for one in answer["answers"])


def test_the_text_holds_the_text_of_each(run: Run) -> None:
    _, out, _ = run("estate", "reach", "M*", "HQ")
    for name in ("MADRID", "MEXICO", "MIRROR"):
        assert run("estate", "reach", name, "HQ")[1] in out


def test_one_table_holds_the_rows_of_each_with_its_name(run: Run) -> None:
    _, out, _ = run("estate", "check", "--server", "M*", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    for name in ("MADRID", "MEXICO", "MIRROR"):
        _, own, _ = run("estate", "check", "--server", name, "--format", "csv")
        assert [row for row in rows if row["server"] == name] == list(
            csv.DictReader(io.StringIO(own))
        )


def test_two_patterns_are_every_pair(run: Run) -> None:
    _, out, _ = run("estate", "hops", "M*", "HQ,CANADA", "--format", "json")
    pairs = [(one["from"], one["to"]) for one in json.loads(out)["answers"]]
    assert pairs == [
        (first, second) for first in ("MADRID", "MEXICO", "MIRROR") for second in ("HQ", "CANADA")
    ]


@pytest.mark.parametrize(
    ("pattern", "hint"), [("HX*", "HQ"), ("canada*", "CANADA"), ("HQ,CANADDA", "CANADA")]
)
def test_a_pattern_that_fits_nothing_is_unknown(run: Run, pattern: str, hint: str) -> None:
    code, out, err = run("estate", "reach", pattern)
    assert (code, out) == (2, "")
    assert f"Did you mean {hint}" in err
    with pytest.raises(UnknownServer):
        topograph.read(EXAMPLES / "estate").servers_called(pattern)


@pytest.mark.parametrize("host", ["fra.mesh.example.net", "FRA.mesh.example.net", "fra.mesh*"])
def test_a_host_of_topograph_yaml_is_its_server(run: Run, host: str) -> None:
    assert run("routers", "reach", host) == run("routers", "reach", "FRA")


def test_expectations_hold_only_if_they_hold_of_each(run: Run) -> None:
    def code(pattern: str) -> int:
        return run("estate", "reach", pattern, "HQ", "--expect", "reachable")[0]

    assert code("CANADA,MEXICO") == 0
    assert code("CANADA,MIRROR") == max(code("CANADA"), code("MIRROR")) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("view", "reach", "M*", "-o", "x.html"),
        ("check", "--server", "M*", "--format", "sarif"),
        ("check", "--server", "M*", "--sarif", "x.sarif"),
    ],
)
def test_what_is_about_one_answer_refuses_several(
    run: Run, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run("estate", *words)
    assert (code, out) == (2, "")
    assert "'M*'" in err
    assert not list(tmp_path.iterdir())


def test_a_name_with_a_wildcard_in_it_is_a_name(tmp_path: Path) -> None:
    for name, host in (("A*", "a"), ("AB", "b")):
        (tmp_path / host).mkdir()
        (tmp_path / host / "tibemsd.conf").write_text(
            f"server = {name}\nlisten = tcp://{host}:7222\nrouting = enabled\n"
        )
    network: Any = topograph.read(tmp_path)
    assert network.servers_called("A*") == ("A*",)
    assert network.servers_called("A?") == ("A*", "AB")
    assert set(network.servers_called("*")) == set(network.server_names())
