"""No sign of a picture says more than the answer's JSON.

Drawn estates of every system are asked; of each answer what it claims of each server is read from
its JSON here, by rules of this file, and compared with what the picture shows. What has no sign of
its own is counted.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import drawn, numbered
from draws import draws, share
from portable.node import run

import topograph
from topograph.errors import TopographError
from topograph.judgement import Told
from topograph.network import Network
from topograph.questions.answers import Answer
from topograph.viz.scene.judged import FIRST, MARKS, Claim, mark_of
from topograph.viz.scene.records import Mark, Scene

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
EACH = draws(11)
"""Estates of each system and way: 110 in all; 300 make 3,000."""

ESTATES = numbered(1_000, EACH)

SHOWS: Mapping[Mark, str] = {
    Mark.TARGET: "yes",
    Mark.REACHED: "yes",
    Mark.DELIVERED: "yes",
    Mark.STORED: "yes",
    Mark.HELD: "yes",
    Mark.ASIDE: "yes",
    Mark.REJECTED: "yes",
    Mark.CIRCULATES: "yes",
    Mark.WOULD_DELIVER: "if",
    Mark.LATER: "later",
    Mark.ONE_OF: "one_of",
    Mark.MAY_END: "one_of",
    Mark.UNDETERMINED: "unknown",
    Mark.UNREACHABLE: "no",
    Mark.NOTHING: "no",
}
"""What each sign tells a reader, by the legend."""

GETS = ("DELIVERED", "DEPOSITED", "PUBLISHED")
WAITS = ("HELD", "XMIT", "BLOCKED", "STUCK")
ASIDE = ("DLQ", "EXCEPTIONED")
GETS_IT = {Mark.DELIVERED, Mark.STORED, Mark.WOULD_DELIVER}


def about(one: Mapping[str, Any]) -> str:
    """What an end is about, in the words of this file."""
    outcome = one["outcome"]
    for word, of in (("gets", GETS), ("waits", WAITS), ("aside", ASIDE)):
        if outcome in of:
            return word
    return "passes" if outcome in ("EXTERNAL",) else "ends"


def claims(answer: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What JSON claims of servers: each server, what, and how certain."""
    question = answer["question"]
    if question == "reach":
        for one in answer["servers"]:
            unsure = "later" if one["later"] else "one_of"
            yield one["server"], "reached", "yes" if one["certain"] else unsure
        for name in answer["unreachable"]:
            yield name, "reached", "no"
    elif question == "hops":
        if answer["reachable"] is True:
            yield answer["to"], "reached", "later" if answer["later"] else "yes"
    elif question == "propagate":
        for one in (*answer["deliveries"], *answer["ends"]):
            yield one["server"], about(one), one["judgement"]
        for name in gets_nothing(answer):
            yield name, "nothing", "no"
    elif question == "trace":
        left_out: set[int] = set()
        for one in answer["branches"]:
            if one["kind"] == "reading" or one["of"] in left_out:
                left_out.add(one["id"])
            elif one["judgement"]:
                yield one["server"], about(one), one["judgement"]
    if question in ("reach", "propagate", "trace"):
        for one in answer["undetermined"]:
            yield one["server"], "undetermined", "unknown"


def gets_nothing(answer: Mapping[str, Any]) -> set[str]:
    """The servers that the message is certainly not sent on to, and that it may not get to in
    any other way."""
    gets = {one["server"] for one in (*answer["deliveries"], *answer["ends"])}
    gets |= {one for delivery in answer["deliveries"] for one in delivery["path"]}
    may = {name for one in answer["undetermined"] for name in (one["server"], *one["path"])}
    certain, open_ = set(), set()
    for stop in answer["stopped"]:
        sure = stop["value"] != "UNKNOWN" or stop["reason"] == "selector"
        if stop["to"] not in ("", stop["at"]):
            (certain if sure else open_).add(stop["to"])
        # On the way to a block the message passes.
        gets |= {stop["at"], *(step["to"] for step in stop["steps"])}
    if not answer["exact"]:
        return set()
    return certain - gets - may - open_ - {answer["from"], *answer["received"]}


def signs(scene: Scene) -> dict[str, Mark]:
    """The sign of each server, of one that is asked from the one inside its ring."""
    return {
        server.name: server.here if server.mark is Mark.ASKED else server.mark
        for server in scene.servers
    }


def compare(answer: Mapping[str, Any], scene: Scene) -> None:
    """Fails where the picture tells another judgement than JSON, or leaves out an ending."""
    told: dict[str, list[tuple[str, str]]] = {}
    for server, what, certain in claims(answer):
        told.setdefault(server, []).append((what, certain))
    shown = signs(scene)
    notes = {server.name: server.note for server in scene.servers}
    for server, ending in endings(answer):
        assert server not in notes or ending in notes[server], (server, ending)
    for server, mark in shown.items():
        own = [one for one in told.get(server, ()) if one[0] != "passes"]
        if mark in (Mark.NONE, Mark.TRANSIT):
            assert not own, (server, own)
            continue
        if mark not in SHOWS:
            continue
        certain = SHOWS[mark]
        if not own and mark is Mark.UNDETERMINED:
            continue  # the server whose files leave others open, a stop that is left open
        if not own and mark in (Mark.REJECTED,):
            sender = answer["sender"] or {"outcome": ""}
            assert sender["outcome"] in ("REFUSED", "NO_CREDIT"), (server, mark)
            continue
        if mark is Mark.UNDETERMINED and {judgement for _, judgement in own} == {"if"}:
            assert not [what for what, _ in own if what == "gets"], own
            continue  # an end that rests on an assumption has no sign of its own
        assert certain in {judgement for _, judgement in own}, (server, mark, own)
        whats = {what for what, judgement in own if judgement == certain}
        if mark in GETS_IT:
            assert "gets" in whats, (server, mark, own)
        if mark is Mark.HELD:
            assert "waits" in whats, (server, mark, own)
        if mark is Mark.ASIDE:
            assert "aside" in whats, (server, mark, own)


def endings(answer: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What becomes of the message at each server: what has no sign stands in its note."""
    for end in answer.get("ends", ()):
        yield end["server"], end["ending"]
    left_out: set[int] = set()
    for one in answer.get("branches", ()):
        if one["kind"] == "reading" or one["of"] in left_out:
            left_out.add(one["id"])
        elif one["judgement"] and one["server"]:
            yield one["server"], one["ending"]


def counts(scene: Scene) -> Counter[Mark]:
    """How many servers have which sign, in the picture or not."""
    found = Counter(dict(scene.unseen))
    found.update(mark for server in scene.servers for mark in server.marks)
    return found


def links_are_as_certain_as_stops(answer: Mapping[str, Any], scene: Scene) -> None:
    """A link is marked as blocked only if JSON has a certain stop between its ends."""
    stops = {
        frozenset((one["at"], one["to"]))
        for one in answer.get("stopped", ())
        if one["value"] != "UNKNOWN" or one["reason"] == "selector"
    }
    for link in scene.links:
        if link.mark is Mark.BLOCKED and "stopped" in answer:
            assert frozenset(link.ends) in stops, link.id


def asked(
    system: str, way: str, number: int, folder: Path
) -> Iterator[tuple[Answer, Scene, Network]]:
    """The answers of an estate that have a picture, with it, and the network."""
    estate = drawn(system, way, number)
    for name, content in estate.files.items():
        path = folder / "estate" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    network = topograph.read(folder / "estate").within(None)
    many = 0
    for method, words, options in itertools.islice(estate.questions(), 60):
        if method not in ("reach", "propagate", "trace", "impact"):
            continue
        try:
            answer = getattr(network, method)(*words, **options)
            scene = network.scene(answer, whole=True)
        except TopographError:
            continue
        many += 1
        yield answer, scene, network
    assert many


PARTS = 12
"""Of how many answers of an estate a part is drawn."""


@pytest.mark.parametrize(("system", "way", "number"), share(ESTATES, 2))
def test_every_sign_has_the_judgement_of_the_answer_and_those_left_out_are_counted(
    system: str, way: str, number: int, tmp_path: Path
) -> None:
    for place, (answer, scene, network) in enumerate(asked(system, way, number, tmp_path)):
        judged(answer.to_dict(), scene)
        if place < PARTS:
            part = network.scene(answer, around=scene.servers[0].name, depth=1)
            assert counts(part) == counts(scene)
            said = any(text.startswith("Of the ") for kind, text in part.facts if kind == "note")
            assert said == bool(part.unseen)


def judged(answer: Mapping[str, Any], scene: Scene) -> None:
    """The signs of a picture are those of its answer."""
    if answer["question"] == "impact":
        lost = {end for pair in answer["lost"] for end in (pair["from"], pair["to"])}
        marked = {one.name for one in scene.servers if one.mark in (Mark.CUT_OFF, Mark.APART)}
        assert marked <= lost
        reached = {one["container"] for one in answer["containers"]}
        assert {one.name for one in scene.attached if one.mark is Mark.LOST} <= reached
        return
    # Names that several systems have are labels in pictures.
    if not any(one.name.startswith(f"{one.system}:") for one in scene.servers):
        compare(answer, scene)
    links_are_as_certain_as_stops(answer, scene)


def test_no_sign_of_a_claim_tells_more_than_its_judgement() -> None:
    for claim, told in itertools.product(Claim, Told):
        mark = mark_of(claim, told)
        if told in (Told.UNKNOWN, Told.NOT_LOOKED_AT):
            perhaps = claim is Claim.ON_WAY and told is Told.UNKNOWN
            assert mark is (Mark.MAYBE_TRANSIT if perhaps else Mark.UNDETERMINED), claim
        elif mark in SHOWS and SHOWS[mark] != "unknown":
            assert SHOWS[mark] == told, (claim, told)


def test_the_page_has_the_same_signs() -> None:
    (page,) = run(("judged",), "return given.map(() => ({MARKS, FIRST}));", [0], folder=SCRIPT)
    assert page["FIRST"] == list(FIRST)
    for claim, by_told in page["MARKS"].items():
        assert by_told == MARKS[Claim(claim)], claim


SCRIPT = ROOT / "viz" / "page" / "asking"


def test_what_is_reached_later_is_told_so_in_the_note_of_its_sign(tmp_path: Path) -> None:
    """A suspended route (R53): nothing there is chosen at run time."""
    for server, other in (("A", "B"), ("B", "A")):
        (tmp_path / server).mkdir()
        main = f"server = {server}\nrouting = enabled\nroutes = routes.conf\n"
        (tmp_path / server / "tibemsd.conf").write_text(main, encoding="utf-8")
        route = f"[{other}]\n  url = tcp://{other.lower()}:7222\n"
        (tmp_path / server / "routes.conf").write_text(route, encoding="utf-8")
    (tmp_path / "topograph.yaml").write_text(
        "suspended:\n  - {server: A, route: B}\n", encoding="utf-8"
    )
    network = topograph.read(tmp_path)
    scene = network.scene(network.reach("A"), whole=True)
    (drawn,) = [one for one in scene.servers if one.name == "B"]
    assert (drawn.mark, drawn.note) == (Mark.LATER, "reached in 1 hop (default_mhop_zone 1), later")
