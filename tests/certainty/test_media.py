"""Each claim has the judgement of the JSON in every medium, and what is not shown is counted.

Estates of all systems are drawn and asked all their questions. Of each answer its first line
is read back into claims (``headlines``), its picture into signs (``viz.test_judged_signs``), its
SVG into the words of its legend; a verdict on a change is compared in its text, Markdown, SARIF
and JUnit, a report's matrix with the hop matrix, ``--expect`` with the answer, and what a page
says of an answer with what the command says.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import DRAWN, drawn, numbered
from draws import draws, share
from viz.test_judged_signs import compare, counts, links_are_as_certain_as_stops
from viz.test_said_by_the_page import compare as same_in_the_page

import topograph
from certainty.headlines import wrong
from topograph.audit.reports import junit, markdown, sarif
from topograph.cli.main import exit_code
from topograph.errors import TopographError
from topograph.judgement import Told
from topograph.network import Network
from topograph.questions.answers import Answer, AuditAnswer, HopsMatrixAnswer
from topograph.questions.text import text
from topograph.reporting.matrix import matrix_of
from topograph.viz.scene.judged import MARK_WORDS
from topograph.viz.scene.records import Mark, Scene
from topograph.viz.svg.document import svg

EACH = draws(6)
"""Estates of each system and way: 100 in all; 300 make 3,000."""

ESTATES = numbered(5_000, EACH)

MOST = 6
"""Answers of each question of an estate that are looked at."""

PICTURED = ("reach", "propagate", "trace")


def network_of(system: str, way: str, number: int, folder: Path) -> tuple[Network, Any]:
    estate = drawn(system, way, number)
    for name, content in estate.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return topograph.read(folder).within(None), estate


def answers(network: Network, estate: Any) -> Iterator[Answer]:
    """Some answers to each question about an estate."""
    names = network.server_names()
    first, last = names[0], names[-1]
    pairs = ((first, last), (last, first))
    asked = [
        *estate.questions(),
        *((method, pair, {}) for method in ("reach", "hops", "paths") for pair in pairs),
        *(("audit", (script,), {"at": at}) for at, script in estate.commands()[:1]),
    ]
    many: dict[str, int] = {}
    for method, words, options in asked:
        if many.get(method, 0) == MOST or method in ("show", "message_guards", "hop_rows"):
            continue
        try:
            answer = getattr(network, method)(*words, **options)
        except TopographError:
            continue
        if isinstance(answer, Answer):
            many[method] = many.get(method, 0) + 1
            yield answer


def first_line(answer: Answer) -> str:
    return text(answer).partition("\n")[0]


@pytest.mark.slow
@pytest.mark.parametrize(("system", "way", "number"), share(ESTATES, 2))
def test_every_medium_tells_the_judgement_of_the_json(
    system: str, way: str, number: int, tmp_path: Path
) -> None:
    network, estate = network_of(system, way, number, tmp_path)
    told: list[str] = []
    asked = set()
    for answer in answers(network, estate):
        as_json = json.loads(json.dumps(answer.to_dict()))
        asked.add(answer.question)
        told += wrong(as_json, first_line(answer))
        if isinstance(answer, AuditAnswer):
            told += reported(answer)
        elif isinstance(answer, HopsMatrixAnswer):
            told += in_the_report(network, answer)
        else:
            in_pictures(network, answer, as_json)
    assert told == []
    assert asked >= {"reach", "hops", "paths", "check", "impact"}


def in_pictures(network: Network, answer: Answer, as_json: dict[str, Any]) -> None:
    """The canvas scene and the SVG of an answer, whole and in part."""
    try:
        scene = network.scene(answer, whole=True)
    except TopographError:
        return
    assert scene.verdict == first_line(answer)
    several = any(one.name.startswith(f"{one.system}:") for one in scene.servers)
    if answer.question in PICTURED and not several:
        compare(as_json, scene)
        links_are_as_certain_as_stops(as_json, scene)
    if answer.question == "paths":
        path_signs(as_json, scene)
    if answer.question == "hops":
        marks = {one.mark for one in scene.servers if one.name == as_json["to"]}
        assert (Mark.LATER in marks) == as_json["later"]
    shown = {mark for server in scene.servers for mark in (server.mark, *server.marks)}
    legend = svg(scene, whole=True)
    for mark in (Mark.REACHED, Mark.DELIVERED, Mark.STORED, Mark.ONE_OF, Mark.WOULD_DELIVER):
        in_legend = f"server: {MARK_WORDS[mark]}" in legend
        assert not in_legend or mark in shown, mark
    part = network.scene(answer, around=scene.servers[0].name, depth=1)
    assert counts(part) == counts(scene)


def path_signs(as_json: dict[str, Any], scene: Scene) -> None:
    """Where a path leads to is marked as reached only where one is certain; each path says which
    links it takes."""
    mark = next((one.mark for one in scene.servers if one.name == as_json["to"]), Mark.NONE)
    if mark is Mark.TARGET:
        assert any(one["certain"] for one in as_json["paths"])
    for drawn_path, path in zip(scene.paths, as_json["paths"], strict=True):
        unsure = not (path["certain"] or path["later"])
        assert ("not certain" in drawn_path.title) == unsure
        assert (", later" in drawn_path.title) == path["later"]
        links = [step["link"] for step in path["steps"] if step["link"]]
        assert not links or f" over {links[0]}" in drawn_path.title


def reported(answer: AuditAnswer) -> Iterator[str]:
    """What the reports of an audit tell other than its verdict."""
    verdict = answer.verdict
    written = markdown(answer)
    if not re.match(rf"### topograph audit: (\*\*)?{verdict}\b", written):
        yield f"Markdown begins with {written[:60]}, not {verdict}"
    (run_,) = json.loads(sarif(answer, "0"))["runs"]
    errors = [one for one in run_.get("results", ()) if one["level"] == "error"]
    if bool(errors) != (verdict == "reject"):
        yield f"SARIF has {len(errors)} errors, and the verdict is {verdict}"
    suite = ET.fromstring(junit(answer)).find("testsuite")
    assert suite is not None
    failures, open_ = int(suite.attrib["failures"]), int(suite.attrib["errors"])
    if bool(failures) != (verdict == "reject"):
        yield f"JUnit has {failures} failures, and the verdict is {verdict}"
    if verdict == "accept" and open_:
        yield f"JUnit has {open_} errors, and the verdict is {verdict}"
    if verdict == "undetermined" and not open_:
        yield "JUnit has no error, and the verdict is undetermined"


def in_the_report(network: Network, answer: HopsMatrixAnswer) -> Iterator[str]:
    """The pairs of the matrix of a report, counted by what the hop matrix says of them."""
    matrix = matrix_of(network._model, ())
    if matrix is None or matrix.total > len(matrix.groups):
        return
    at = {name: place for place, name in enumerate(answer.servers)}
    if len(at) < len(answer.servers):
        return  # several systems have a server of a name
    unsure = set(answer.undetermined) - set(answer.cut_off)
    for first, line in zip(matrix.groups, matrix.cells, strict=True):
        for second, cell in zip(matrix.groups, line, strict=True):
            if cell is None or first not in at or second not in at:
                continue
            hops = answer.hops[at[first]][at[second]]
            open_ = hops == "unknown" or (hops is None and bool(unsure & {first, second}))
            is_ = "open" if open_ else "no" if hops is None else "yes"
            told = "open" if cell.open else "yes" if cell.reached else "no"
            if cell.later != (second in answer.later.get(first, ())):
                yield f"{first} to {second}: {cell.later} later in the report, and JSON differs"
            if (told, is_) == ("yes", "no") or (told, is_) == ("no", "yes"):
                yield f"{first} to {second}: {told} in the report, and JSON has {is_}"


@pytest.mark.parametrize("system", DRAWN)
def test_expected_answers_are_those_that_json_has_for_certain(system: str, tmp_path: Path) -> None:
    for number in range(max(1, EACH // 5)):
        folder = tmp_path / str(number)
        network, _ = network_of(system, "one", 6_000 + number, folder)
        start, *others = network.server_names()
        for end in others[-2:]:
            answer = network.reach(start, end)
            certain = bool(answer.servers) and all(one.certain for one in answer.servers)
            # Named without its system, which ``to_system`` has.
            no = bool(answer.unreachable) and answer.exact
            for expected, is_ in (("reachable", certain), ("unreachable", no)):
                words = ["reach", start, end, "-s", str(folder), "--expect", expected]
                if exit_code([*words, "--format", "json"]) == 0:
                    assumed = [one.decided_if for one in answer.undetermined]
                    assert is_ or (assumed and all(assumed)), (words, answer)


@pytest.mark.parametrize("system", DRAWN)
def test_the_page_says_of_its_answers_what_the_command_says(system: str, tmp_path: Path) -> None:
    """Verdict, marks, notes, paths and blocks, of answers that a page gives itself."""
    for number in range(max(1, EACH // 10)):
        network, estate = network_of(system, "one", 7_000 + number, tmp_path / str(number))
        assert same_in_the_page(network, [*answers(network, estate)])


def test_every_judgement_is_told_somewhere_in_the_drawn_estates(tmp_path: Path) -> None:
    """Else the tests above would hold of estates in which nothing is uncertain."""
    found = set()
    for number, (system, ways) in enumerate(DRAWN.items()):
        for way in ways:
            folder = tmp_path / f"{number}{way}"
            network, estate = network_of(system, way, 5_000, folder)
            for answer in answers(network, estate):
                if answer.question in ("propagate", "trace"):
                    entries = answer.to_dict()
                    for name in ("deliveries", "ends", "branches"):
                        found |= {one["judgement"] for one in entries.get(name, ())}
    assert found >= {Told.YES, Told.IF, Told.ONE_OF, Told.UNKNOWN}
