"""Why servers are not reached: what becomes of a message that is addressed to one by name, as
``trace`` tells it, in the text of ``reach A B`` and in the picture of ``reach A``.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from drawn.all_systems import drawn
from drawn.networks import read_files
from hostile import HEBREW, LONG, MARKUP, TURNED

import topograph
from topograph.errors import TopographError
from topograph.findings import Source
from topograph.network import Network
from topograph.questions.answers import NotReached, ReachAnswer
from topograph.questions.text import text
from topograph.questions.why_not import NAME
from topograph.viz import formats
from topograph.viz.page.embedding import embedded
from topograph.viz.scene.elements import edges_of, nodes_of
from topograph.viz.scene.records import Scene
from topograph.viz.scene.why_not import LISTED, TITLE

EXAMPLES = Path(__file__).parents[2] / "examples"

STEPPING = ("ibm_mq", "mqe", "sibus")


def rows(scene: Scene) -> dict[str, tuple[str, Source]]:
    return {
        row.servers[0]: (row.text, row.source)
        for group in scene.groups
        if group.title == TITLE
        for row in group.rows
    }


def hold(network: Network, answer: ReachAnswer) -> int:
    """Each reason is an end that ``trace`` tells of a message to that server, with its rule and
    place, and stands in the picture; nothing is said of servers that are reached, or that the
    loaded files leave open. Returns how many reasons there are."""
    assert answer.why_not is not None
    held = 0
    found = rows(network.scene(answer))
    decided = set(answer.not_reached())
    assert found.keys() <= decided
    for server in decided:
        own = answer.why_not(server)
        assert (own is None) == (server not in found)
        if own is None:
            continue
        if not own.outcome:
            # No message is addressed to it, or one gets there: no link is all that is known.
            assert "lead" in own.because
            assert found[server] == (own.because, own.source)
            continue
        held += 1
        told = network.trace(answer.from_, f"{NAME}@{server}")
        ends = {
            (step.at, step.text, step.rule, branch.ending)
            for branch in told.branches
            if branch.ending
            for step in [told.steps[branch.last]]
        }
        assert (own.at, own.because, own.rule, own.outcome) in ends
        assert own.source in {step.source for step in told.steps}
        assert not any(step.at == server for step in told.steps)
        assert own.source.file
        assert own.told.startswith(f"addressed by name: {own.outcome} at {own.at}")
        assert found[server] == (own.told, own.source)
        assert own.told.endswith(own.because)
    return held


@pytest.mark.parametrize("system", STEPPING)
def test_reasons_of_drawn_estates_are_what_trace_tells(system: str, tmp_path: Path) -> None:
    held = 0
    for number in range(8):
        network = read_files(tmp_path / str(number), drawn(system, "one", number).files)
        for server in "ABCD":
            try:
                answer = network.reach(server)
            except TopographError:
                continue
            if answer.why_not is not None:
                held += hold(network, answer)
    assert held > 3


CASES = (
    ("queue_managers", "STORE2", "EAST", "REJECTED(2087)", "NR13, M-04, M-14", "STORE2.mqsc:2:1"),
    ("queue_managers", "HUB", "ARCHIVE", "HELD(ARCHIVE, HUB, no channel)", "M-11", "HUB.mqsc:26:1"),
    ("mqe_devices", "depot", "crane7", "REJECTED(no_connection)", "E-07", "depot.yaml:2:15"),
    (
        "mqe_devices",
        "harbour",
        "crane8",
        "HELD(TO.CRANES, harbour, no collector)",
        "E-14",
        "harbour.yaml",
    ),
)


@pytest.mark.parametrize(("name", "start", "to", "outcome", "rule", "source"), CASES)
def test_text_and_picture_say_what_a_message_to_the_server_stops_at(
    name: str, start: str, to: str, outcome: str, rule: str, source: str
) -> None:
    network = topograph.read(EXAMPLES / name)
    written_ = text(network.reach(start, to))
    section = written_.partition(f"A message addressed to {to}\n")[2]
    (line, *assumed) = section.split("\n\n")[0].splitlines()
    assert re.split(r"\s{2,}", line.strip())[:3] == [f"at {start}", outcome, rule]
    assert source in line
    answer = network.reach(start)
    scene = network.scene(answer)
    told, place = rows(scene)[to]
    assert told.startswith(f"addressed by name: {outcome} at {start}: ")
    assert str(place).startswith(source.rpartition(":")[0] or source)
    own = answer.why_not and answer.why_not(to)
    assert own
    assert [one.strip() for one in assumed] == [f"if {one}" for one in own.assumed]
    drawing = "".join(ET.fromstring(formats.svg(scene)).itertext())
    assert TITLE in drawing
    assert f"{outcome} at {start}" in drawing
    assert TITLE in network.page(scene)


def test_a_server_that_is_reached_has_no_reason() -> None:
    network = topograph.read(EXAMPLES / "queue_managers")
    answer = network.reach("STORE2", "HUB")
    assert "A message addressed" not in text(answer)
    assert "HUB" not in rows(network.scene(network.reach("STORE2")))


def test_where_messages_are_not_addressed_to_servers_links_are_the_reason(tmp_path: Path) -> None:
    """Two routers that are joined, and one that is alone."""
    listener = (
        "listener {{\n    host: {0}.example.net\n    port: 5672\n    role: inter-router\n}}\n"
    )
    files = {
        f"{name}.conf": f"router {{\n    mode: interior\n    id: {name}\n}}\n"
        + listener.format(name.lower())
        for name in ("ONE", "TWO", "ALONE")
    }
    files["TWO.conf"] += (
        "connector {\n    name: to-one\n    host: one.example.net\n    port: 5672\n"
        "    role: inter-router\n}\n"
    )
    network = read_files(tmp_path, files)
    answer = network.reach("ONE")
    assert answer.unreachable or answer.not_reached()
    scene = network.scene(answer)
    told, _ = rows(scene)["ALONE"]
    assert "leads on to ALONE from ONE" in told
    assert "TWO" not in rows(scene)


def test_where_links_stop_messages_they_are_the_reason() -> None:
    network = topograph.read(EXAMPLES / "estate")
    answer = network.reach("LONDON")
    assert answer.stopped
    assert answer.why_not is None
    assert not rows(network.scene(answer))


def test_many_servers_are_cut_in_words(tmp_path: Path) -> None:
    names = [f"Q{number:02}" for number in range(LISTED + 5)]
    network = read_files(tmp_path, {f"{one}.mqsc": "DEFINE QLOCAL(IN)\n" for one in names})
    scene = network.scene(network.reach("Q00"))
    assert len(rows(scene)) == LISTED
    assert any(f"the first {LISTED} of {LISTED + 4}" in fact for _, fact in scene.facts)


@pytest.mark.parametrize(
    "name", [MARKUP, TURNED, HEBREW, *LONG, "]]>&amp;<![CDATA[", "\x1b[31m\x00 \ufffe", "\udcff"]
)
def test_no_reason_becomes_markup(name: str) -> None:
    network = topograph.read(EXAMPLES / "queue_managers")
    answer = network.reach("STORE2")

    def hostile(server: str) -> NotReached:
        return NotReached(server, name, name, name, name, Source(name, 1), name, 1, (name,))

    scene = network.scene(replace(answer, why_not=hostile))
    root = ET.fromstring(formats.svg(scene))
    assert not {one.tag.rpartition("}")[2] for one in root.iter()} & {"script", "img", "a"}
    page = network.page(scene)
    assert MARKUP not in page
    assert embedded(nodes_of(scene), edges_of(scene), scene)


def test_reasons_are_in_no_written_form() -> None:
    answer = topograph.read(EXAMPLES / "queue_managers").reach("STORE2")
    assert answer.why_not is not None
    assert "why_not" not in answer.to_dict()
