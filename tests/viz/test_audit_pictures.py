"""What a picture of ``audit`` says: links that come, go, are altered or refused, who loses what,
and what is apart after each command.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from pathlib import Path

import pytest
from drawn.networks import ROOT, example
from hypothesis import given
from hypothesis import strategies as st

import topograph
from topograph.findings import Source
from topograph.network import Network
from topograph.questions.answers import (
    AuditAnswer,
    DeliveriesChanged,
    DeliveryMoved,
    Duplicate,
    Rejection,
)
from topograph.questions.text import text
from topograph.viz.formats import FORMATS
from topograph.viz.scene.pairs import PairsDrawn, apart_from, standing_out
from topograph.viz.scene.records import Mark, Scene
from topograph.viz.scene.standing import Standing
from topograph.viz.svg.document import svg
from topograph.viz.view import View

CHANGES = ROOT / "examples" / "changes"
NEW_SERVER = "create route Peru url=tcp://peru:7222 zone_name=SALES zone_type=mhop\n"


def judged(name: str, script: str | Path, at: str) -> tuple[Network, AuditAnswer, Scene]:
    network = example(name)
    answer = network.audit(script, at=at)
    return network, answer, network.scene(answer)


def marks(scene: Scene) -> dict[str, Mark]:
    return {server.name: server.mark for server in scene.servers if server.mark}


def link_marks(scene: Scene) -> dict[str, Mark]:
    return {link.id: link.mark for link in scene.links if link.mark}


def places(scene: Scene) -> dict[str, tuple[float, float]]:
    return {server.name: (server.x, server.y) for server in scene.servers}


def test_the_verdict_and_the_things_to_look_at_are_the_words_of_the_text():
    _, answer, scene = judged("orders", CHANGES / "canada-misspelt.txt", "HUB")
    lines = text(answer).splitlines()
    assert (
        scene.verdict
        == lines[0]
        == "Accept: the servers would take 1 command, but subscribers at Canada lose messages."
    )
    assert [f"  * {told}" for told in scene.told[:3]] == [
        line for line in lines if line.startswith("  * ")
    ]
    assert scene.title.endswith("canada-misspelt.txt do?")


def test_a_change_without_consequences_says_that_nobody_gets_anything_else():
    _, _, scene = judged("orders", "create topic orders.archive\n", "HUB")
    assert scene.told == (
        (
            "Nobody reaches more, fewer or other servers, and no message that was tried goes "
            "elsewhere."
        ),
    )
    assert (marks(scene), link_marks(scene), scene.groups) == ({}, {}, ())


def test_a_deleted_route_goes_and_cuts_a_server_off():
    _, answer, scene = judged("orders", "delete route Canada\n", "HUB")
    assert link_marks(scene) == {"Canada-HUB": Mark.GOES}
    losers = {row.server for row in answer.deliveries.lost}
    assert marks(scene) == {
        "Canada": Mark.CUT_OFF,
        **{name: Mark.LOSES if name in losers else Mark.APART for name in ("HUB", "Mexico", "USA")},
    }
    notes = {server.name: server.note for server in scene.servers}
    assert notes["Mexico"].startswith("no longer reaches, and is no longer reached by, Canada")
    assert (
        "subscribers lose messages, such as one to topic:orders with country = 'Canada' from HUB"
        in notes["Canada"]
    )
    assert [(group.title, group.unit) for group in scene.groups] == [
        ("Parts that lose each other: A | B", "2 parts"),
        ("No longer reach each other", "6 ordered pairs"),
        ("Subscribers lose messages", f"{len(answer.deliveries.lost)} deliveries"),
        ("Links that go", "1 link"),
    ]
    assert [row.text for row in scene.groups[0].rows] == ["A: HUB, Mexico and USA", "B: Canada"]
    first = scene.groups[1].rows[0]
    assert (first.servers, first.text) == (("Canada",), "to HUB, Mexico and USA")
    assert scene.groups[2].rows[0].source == answer.deliveries.lost[0].source


def test_a_selector_that_lets_other_messages_pass_alters_its_link():
    _, _, scene = judged("orders", CHANGES / "canada-misspelt.txt", "HUB")
    assert link_marks(scene) == {"Canada-HUB": Mark.ALTERED}
    assert marks(scene) == {"Canada": Mark.LOSES}  # what it gains is said, what it loses is shown
    (server,) = (server for server in scene.servers if server.mark)
    assert (
        "subscribers get more messages, such as one to topic:orders with country = 'Kanada'"
        in server.note
    )
    (group,) = (group for group in scene.groups if group.mark is Mark.ALTERED)
    assert group.rows[0].details == (
        "before: HUB to Canada: orders: country = 'Canada'",
        "after: HUB to Canada: orders: country = 'Kanada'",
    )


@pytest.mark.parametrize(
    ("name", "script", "at", "link", "first", "second"),
    [
        ("mhop-star/legal", "route-b-d.txt", "B", ("B", "D"), ("A", "B"), ("A", "D", "B")),
        (
            "two-1hop-zones/legal",
            "route-g-a.txt",
            "G",
            ("A", "G"),
            ("F", "D", "A"),
            ("F", "G", "A"),
        ),
    ],
)
def test_a_refused_route_is_a_link_that_will_not_be_with_the_two_paths_that_collide(
    name, script, at, link, first, second
):
    _, answer, scene = judged(name, CHANGES / script, at)
    (drawn,) = (one for one in scene.links if one.mark is Mark.REFUSED)
    assert (drawn.ends, drawn.source.line) == (link, 2)
    assert not any(drawn.id in zone.links for zone in scene.zones)
    shown = [path for path in scene.paths if path.shown]
    assert [path.servers for path in shown] == [first, second]
    assert len({path.together for path in shown}) == 1
    assert drawn.id in {step.link for path in shown for step in path.steps}
    assert all(step.link and step.source.line for path in shown for step in path.steps)
    (block,) = scene.blocks
    assert (block.at, {block.at, block.to}, block.link) == (at, set(link), drawn.id)
    assert block.reason == f"refused with {answer.rejections[0].message}"
    assert {name for name, mark in marks(scene).items() if mark is Mark.DUPLICATE} == set(
        answer.rejections[0].at
    )


def test_every_name_held_twice_can_be_looked_at_as_two_paths():
    _, answer, scene = judged("mhop-star/legal", CHANGES / "route-b-d.txt", "B")
    together: dict[str, list[tuple[str, ...]]] = {}
    for path in scene.paths:
        together.setdefault(path.together, []).append(path.servers)
    assert sorted(together.values()) == sorted(
        list(one.paths) for one in answer.rejections[0].duplicates
    )


def test_the_servers_stand_where_they_stand_in_the_picture_of_the_network_before():
    network, _, deleted = judged("estate", "delete route LONDON\n", "HQ")
    _, _, altered = judged("estate", CHANGES / "canada.txt", "HQ")
    _, _, grown = judged("estate", NEW_SERVER.replace("SALES", "REGIONS"), "HQ")
    before = places(network.scene())
    assert places(deleted) == places(altered) == before
    assert {name: spot for name, spot in places(grown).items() if name != "Peru"} == before


def test_a_server_that_comes_stands_beside_its_neighbour_and_on_nobody():
    _, _, scene = judged("orders", NEW_SERVER, "HUB")
    spots = places(scene)
    assert (marks(scene)["Peru"], link_marks(scene)["HUB-Peru"]) == (Mark.COMES, Mark.UNDETERMINED)
    apart = [math.dist(spots["Peru"], spot) for name, spot in spots.items() if name != "Peru"]
    assert min(apart) >= 90
    assert math.dist(spots["Peru"], spots["HUB"]) <= 300
    (block,) = scene.blocks
    assert (block.to, block.link, block.value, block.predicate) == (
        "Peru",
        "HUB-Peru",
        "UNKNOWN",
        False,
    )


def test_many_servers_that_come_stand_apart():
    script = "".join(NEW_SERVER.replace("Peru", f"S{number}") for number in range(30))
    _, _, scene = judged("orders", script, "HUB")
    spots = list(places(scene).values())
    assert len(spots) == 34
    assert min(math.dist(one, other) for one, other in itertools.combinations(spots, 2)) >= 90


def test_each_command_says_what_is_apart_after_it():
    script = (
        "delete route LONDON\ncreate route LONDON url=tcp://london.example.net:7222 "
        "zone_name=REGIONS zone_type=mhop\n"
    )
    _, answer, scene = judged("estate", script, "HQ")
    assert [(one.number, one.result, one.apart_count) for one in scene.commands] == [
        (1, "accepted", 56),
        (2, "undetermined", 0),
    ]
    concerned = {server: (mark, number) for server, mark, number in scene.commands[0].marks}
    for server, (_, number) in concerned.items():
        assert number == sum(server in pair for pair in answer.steps[0].reach_lost_so_far)
    cut = {server for server, (mark, _) in concerned.items() if mark is Mark.CUT_OFF}
    assert cut == {"LONDON", "PARIS", "MADRID", "FRANKFURT"}
    assert all(cut & set(pair) for pair in answer.steps[0].reach_lost_so_far)
    assert scene.commands[1].marks == ()


def test_two_states_are_drawn_on_the_first():
    before = example("two-1hop-zones/legal")
    answer = topograph.compare(before, example("two-1hop-zones/with-g-a"))
    scene = before.scene(answer)
    assert places(scene) == places(before.scene())
    assert link_marks(scene) == {"A-G": Mark.COMES}
    assert scene.title == "What is different after the change?"
    assert (scene.commands, scene.blocks) == ((), ())
    assert [path.servers for path in scene.paths if path.shown] == [
        ("F", "D", "A"),
        ("F", "G", "A"),
    ]


def assumed(answer: AuditAnswer, server: str) -> AuditAnswer:
    row = DeliveryMoved(server, "topic:t", {"n": 1}, Source("x", 1), "HUB", 1, "assumed")
    return dataclasses.replace(answer, would_lose=(row,), deliveries=DeliveriesChanged())


def test_who_would_lose_has_a_mark_of_its_own():
    network = example("orders")
    answer = assumed(network.audit("create topic orders.archive\n", at="HUB"), "Mexico")
    scene = network.scene(answer)
    assert marks(scene) == {"Mexico": Mark.WOULD_LOSE}
    (group,) = scene.groups
    assert (group.title, group.mark) == (
        "Subscribers would lose messages, if there are any",
        Mark.WOULD_LOSE,
    )
    assert "nobody is known there" in group.rows[0].details
    known = dataclasses.replace(answer.would_lose[0], subscriber="configured")
    both = dataclasses.replace(
        answer, deliveries=dataclasses.replace(answer.deliveries, lost=(known,))
    )
    assert marks(network.scene(both)) == {"Mexico": Mark.LOSES}


def test_long_lists_are_cut_and_counted():
    network = example("orders")
    (row,) = assumed(network.audit("create topic orders.archive\n", at="HUB"), "Mexico").would_lose
    answer = network.audit("create topic orders.archive\n", at="HUB")
    scene = network.scene(dataclasses.replace(answer, would_lose=(row,) * 3_000))
    (group,) = scene.groups
    assert (len(group.rows), group.total, group.unit, group.cut) == (
        200,
        3_000,
        "3,000 deliveries",
        True,
    )
    page = View(scene).generate_html()
    assert "3,000 deliveries" in page
    assert "Not all are listed here" in page


def test_names_in_a_picture_of_names_held_twice_are_cut_and_counted():
    network = example("two-1hop-zones/legal")
    answer = network.audit(CHANGES / "route-g-a.txt", at="G")
    one = Duplicate("A", "$TMP$.F.>", ("D", "G"), (("F", "D", "A"), ("F", "G", "A")), ())
    many = dataclasses.replace(answer.rejections[0], duplicates=(one,) * 250)
    scene = network.scene(dataclasses.replace(answer, rejections=(many,)))
    assert len(scene.paths) == 200
    assert (
        "note",
        "Paths are listed for the first 100 of 250 names that would be held twice.",
    ) in scene.facts


def test_a_refusal_without_a_link_stands_at_its_server():
    network = example("orders")
    answer = network.audit("delete route Nowhere\n", at="HUB")
    (block,) = network.scene(answer).blocks
    assert (block.at, block.to, block.link) == ("HUB", "HUB", "")
    assert block.reason.startswith("refused: HUB configures no route Nowhere")


def test_what_is_accepted_now_and_refused_later_is_drawn_as_a_link_that_comes():
    network = example("mhop-star/legal")
    answer = network.audit(CHANGES / "route-b-d.txt", at="B", down=["route:A-D"])
    assert [step.result for step in answer.steps] == ["conflict"]
    scene = network.scene(answer)
    (link,) = (link for link in scene.links if link.mark is Mark.COMES)
    assert link.note.startswith("accepted now, but refused when A-D comes up with")
    (block,) = scene.blocks
    assert (block.link, block.reason.partition(" with")[0]) == (
        link.id,
        "refused when A-D comes up",
    )


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_every_format_writes_every_mark_of_a_change(form):
    network = example("orders")
    answer = assumed(network.audit(f"delete route Canada\n{NEW_SERVER}", at="HUB"), "Mexico")
    written = FORMATS[form](network.scene(answer))
    assert "Peru" in written
    words = {"mermaid": "would_lose", "svg": "subscribers would lose messages"}
    assert words.get(form, "would-lose") in written
    refused = example("mhop-star/legal")
    assert "already exists" in FORMATS[form](
        refused.scene(refused.audit(CHANGES / "route-b-d.txt", at="B"))
    )


def test_commands_and_witnesses_stand_in_the_markup_for_readers_without_scripts():
    _, answer, scene = judged("estate", "delete route LONDON\n", "HQ")
    page = View(scene).generate_html().partition('id="data"')[0]
    assert "delete route LONDON" in page
    assert "56 ordered pairs apart after it" in page
    assert "No longer reach each other" in page
    assert all(f"<li>{told.replace(chr(39), '&#39;')}</li>" in page for told in scene.told)
    assert page.count("such as one to") >= len(answer.deliveries.lost)


def test_an_explanation_has_no_truth_value():
    network = example("orders")
    for script in (NEW_SERVER, "delete route Nowhere\n"):
        page = (
            network.view(network.audit(script, at="HUB")).generate_html().partition('id="data"')[0]
        )
        assert 'class="blocks"' in page
        assert "is UNKNOWN" not in page
        assert "is FALSE" not in page


def test_a_rejection_that_names_servers_outside_the_picture_marks_none_of_them():
    network = example("orders")
    answer = network.audit("create topic orders.archive\n", at="HUB")
    strange = Rejection("x", Source("x", 1), "HUB", "R24", "m", ("NOBODY",), (), (), "now")
    assert marks(network.scene(dataclasses.replace(answer, rejections=(strange,)))) == {}


pairs = st.lists(
    st.tuples(st.sampled_from("ABCDEFG"), st.sampled_from("ABCDEFG")).filter(
        lambda pair: pair[0] != pair[1]
    ),
    max_size=25,
)


@given(pairs)
def test_every_pair_has_a_server_that_stands_out_and_each_of_these_is_in_a_pair(found):
    chosen = standing_out(found)
    assert all(chosen & set(pair) for pair in found)
    assert chosen <= set(itertools.chain(*found))


def test_the_smaller_part_stands_out():
    part = [(one, other) for one in "AB" for other in "CDEFG"]
    assert standing_out([*part, *((b, a) for a, b in part)]) == {"A", "B"}
    assert standing_out([("A", "B"), ("C", "D"), ("C", "E")]) == {"A", "B", "C"}
    assert standing_out([]) == frozenset()


def test_pairs_are_told_by_direction():
    pairs = PairsDrawn.of([("A", "B"), ("B", "A"), ("C", "A")])
    assert apart_from(pairs, "no longer reaches", "no longer reached by") == {
        "A": "no longer reaches B; no longer reached by B and C",
        "B": "no longer reaches, and is no longer reached by, A",
        "C": "no longer reaches A",
    }


def test_a_change_that_only_makes_messages_end_better_has_its_own_sign_and_no_warning() -> None:
    _, answer, scene = judged("queue_managers", CHANGES / "store2-orders.mqsc", "STORE2")
    assert answer.outcomes
    assert {name for name, mark in marks(scene).items() if mark is Mark.BETTER} == {
        "HUB",
        "STORE1",
        "STORE2",
    }
    assert (scene.verdict, scene.standing) == (
        "Accept: the servers would take 1 command.",
        Standing.GOOD,
    )
    assert scene.told[0].startswith("messages to 6 destinations end better, such as ORDERS")
    assert [group.title for group in scene.groups] == ["Messages end better"]
    assert "messages put here end better" in svg(scene)


def test_the_reverse_of_that_change_and_an_end_that_is_not_known_warn() -> None:
    network, answer, _ = judged("queue_managers", CHANGES / "store2-orders.mqsc", "STORE2")
    back = [dataclasses.replace(one, before=one.after, after=one.before) for one in answer.outcomes]
    open_ = [dataclasses.replace(one, after=("UNDETERMINED at EAST",)) for one in answer.outcomes]
    partly = [
        dataclasses.replace(one, after=(*one.after, "DISCARDED at WEST")) for one in answer.outcomes
    ]
    for outcomes in (back, open_, partly):
        scene = network.scene(dataclasses.replace(answer, outcomes=tuple(outcomes)))
        assert scene.standing == Standing.WARNING
        assert Mark.ELSEWHERE in marks(scene).values()


def test_servers_on_the_two_paths_of_a_refusal_are_part_of_the_answer() -> None:
    _, _, scene = judged("two-1hop-zones/legal", CHANGES / "route-g-a.txt", "G")
    assert marks(scene) == {
        "A": Mark.DUPLICATE,
        **dict.fromkeys(("D", "F", "G"), Mark.TRANSIT),
    }


def test_servers_on_the_paths_before_and_after_a_failure_are_part_of_the_answer() -> None:
    network = example("routers")
    scene = network.scene(network.impact(["server:FRA"]))
    assert marks(scene) == {
        "FRA": Mark.DOWN,
        **dict.fromkeys(("LON", "MAD", "PAR", "ROM", "SHOP"), Mark.TRANSIT),
    }
