"""Pictures of failures say what ``impact`` says: what fails, who is cut off, where messages are
missed or wait, and which paths are taken instead.
"""

from __future__ import annotations

import dataclasses

import pytest
from drawn.networks import example

from topograph.questions.answers import ImpactAnswer, Rerouted
from topograph.questions.text import text
from topograph.viz.scene.marks import mark
from topograph.viz.scene.records import Mark, Scene
from topograph.viz.svg.document import svg
from topograph.viz.svg.looks import SIGNS


def servers(scene: Scene) -> dict[Mark, list[str]]:
    found: dict[Mark, list[str]] = {}
    for server in scene.servers:
        found.setdefault(server.mark, []).append(server.name)
    return found


def links(scene: Scene, state: Mark) -> list[str]:
    return [link.id for link in scene.links if link.mark is state]


def test_a_failed_server_is_down_with_its_links_and_those_it_joined_are_cut_off() -> None:
    network = example("estate")
    answer = network.impact(["server:LONDON"])
    scene = network.scene(answer)
    assert (scene.question, scene.title) == ("impact", "What happens if server:LONDON fails?")
    assert scene.verdict == text(answer).splitlines()[0]
    marks = servers(scene)
    assert marks[Mark.DOWN] == ["LONDON"]
    assert marks[Mark.CUT_OFF] == ["FRANKFURT", "MADRID", "PARIS"]
    assert links(scene, Mark.DOWN) == [link.id for link in scene.links if "LONDON" in link.ends]
    notes = {server.name: server.note for server in scene.servers}
    assert "no longer reaches" in notes["USA"]


def test_every_pair_that_is_lost_has_an_end_that_is_marked_and_is_listed() -> None:
    network = example("estate")
    for failed in ("server:HQ", "route:HQ-LONDON", "server:USA", "route:SINGAPORE-TOKYO"):
        answer = network.impact([failed])
        scene = network.scene(answer)
        notes = {server.name: server.note for server in scene.servers}
        for lost in answer.lost:
            assert "no longer reach" in notes[lost.from_], (failed, lost)
        total = sum(
            group.total for group in scene.groups if group.title == "No longer reach each other"
        )
        assert total == len(answer.lost)
        assert links(scene, Mark.DOWN), failed


def test_where_messages_are_missed_the_subscribers_lose_and_where_they_wait_they_are_held() -> None:
    network = example("estate")
    answer = network.impact(["server:LONDON"])
    scene = network.scene(answer)
    marked = {server.name: server for server in scene.servers}
    known = {
        name for gap in answer.gaps if "subscribers" not in gap.assumed for name in gap.subscribers
    }
    assert known
    for name in known:
        assert "misses messages to " in marked[name].note
        assert marked[name].mark in (Mark.DOWN, Mark.CUT_OFF, Mark.LOSES)
    for kept in answer.retained:
        assert "stores messages to " in marked[kept.at].note or not kept.destination
    rows = {group.title: group.total for group in scene.groups}
    assert (rows["Missed meanwhile"], rows["Stored meanwhile"]) == (
        len(answer.gaps),
        len(answer.retained),
    )


def test_another_path_is_drawn_with_the_one_before() -> None:
    network = example("routers")
    answer = next(
        found
        for link in network.scene().links
        if (found := network.impact([f"route:{'-'.join(link.ends)}"])).rerouted
    )
    scene = network.scene(answer)
    paths = [(path.title.partition(":")[0], path.servers, path.together) for path in scene.paths]
    assert paths == [
        one
        for moved in answer.rerouted
        for together in (f"{moved.from_} to {moved.to}: after and before",)
        for one in (("after", moved.after, together), ("before", moved.before, together))
    ]
    assert [path.shown for path in scene.paths[:3]] == [
        True,
        True,
        *[False] * (len(scene.paths) > 2),
    ]
    assert all(step.link for path in scene.paths for step in path.steps)


def test_a_sweep_marks_what_takes_something_away_and_lists_all_worst_first() -> None:
    network = example("estate")
    answer = network.impact(sweep=True)
    scene = network.scene(answer)
    worse = {row.failed for row in answer.failures if row.lost or row.containers or row.gaps}
    drawn = {f"server:{name}" for name in servers(scene)[Mark.CRITICAL]}
    drawn |= {f"route:{'-'.join(link.ends)}" for link in scene.links if link.mark is Mark.CRITICAL}
    assert drawn == worse
    (group,) = scene.groups
    assert [row.text.partition(": ")[0] for row in group.rows] == [
        row.failed for row in answer.failures
    ]


def test_what_fails_and_is_no_server_or_link_is_said_at_its_server_or_beside_the_picture() -> None:
    network = example("queue_managers")
    failures = network.impact(sweep=True).failures
    kinds = {row.failed.partition(":")[0]: row.failed for row in failures}
    assert {"server", "channel"} <= kinds.keys()
    for failed in kinds.values():
        scene = network.scene(network.impact([failed]))
        beside = " ".join(words for kind, words in scene.facts if kind == "note")
        assert servers(scene).get(Mark.DOWN) or links(scene, Mark.DOWN) or failed in beside, failed


@pytest.mark.parametrize(
    "name", ["estate", "routers", "mixed", "queue_managers", "sibus_orders", "mqe_devices"]
)
def test_failures_of_every_system_have_a_picture_that_can_be_written(name: str) -> None:
    network = example(name)
    for answer in (
        network.impact(sweep=True),
        network.impact([f"server:{network.server_names()[0]}"]),
    ):
        scene = network.scene(answer)
        assert scene.verdict == text(answer).splitlines()[0]
        assert svg(scene).startswith("<svg")
        assert "impact" in network.view(answer).generate_html()


def test_names_of_a_failure_that_are_nowhere_are_no_mark() -> None:
    said = mark(
        ImpactAnswer(snapshot="", network="", engine="memory", failed=("server:X", "route:A-B")),
        ["A"],
        [],
    )
    assert (said.servers, said.links) == ({}, {})
    assert said.facts == [("note", "Not in the picture: server:X and route:A-B.")]


def test_very_many_other_paths_are_counted() -> None:
    network = example("routers")
    answer = network.impact(["server:LON"])
    moved = [Rerouted("FRA", "PAR", ("FRA", "PAR"), ("FRA", "LON", "PAR"), 4, 35)] * 130
    scene = network.scene(dataclasses.replace(answer, rerouted=tuple(moved)))
    assert len(scene.paths) == 200
    assert any("first 100 of 130" in words for _, words in scene.facts)


def test_what_fails_is_told_in_the_words_of_its_system() -> None:
    network = example("routers")
    scene = network.scene(network.impact(fail=["server:PAR"]))
    assert scene.verdict.startswith("If server:PAR fails, 8 ordered pairs of routers no longer")
    assert scene.verdict.endswith("are out of reach of 5 routers.")
    assert "pairs of routers" in network.scene(network.impact(sweep=True)).verdict


@pytest.mark.parametrize("name", ["estate", "routers", "queue_managers", "sibus_orders"])
def test_a_sweep_has_a_sign_for_every_server_and_broker_that_was_tried(name: str) -> None:
    network = example(name)
    answer = network.impact(sweep=True)
    scene = network.scene(answer)
    marked = {f"server:{one.name}": one.mark for one in scene.servers}
    marked |= {f"broker:{one.name}": one.mark for one in scene.attached}
    worst = (Mark.CRITICAL, Mark.AFFECTS, Mark.HARMLESS if answer.exact else Mark.UNDETERMINED)
    expected: dict[str, int] = {}
    for row in answer.failures:
        lost = row.lost + row.containers + row.gaps
        moved = row.changed + row.services + row.retained + row.queues
        kind, _, named = row.failed.partition(":")
        # A listener is drawn as its server.
        at = f"server:{named.partition(':')[0]}" if kind == "listener" else row.failed
        if at in marked:
            own = 0 if lost else 1 if moved else 2
            expected[at] = min(expected.get(at, 2), own)
    assert expected
    assert {at: marked[at] for at in expected} == {at: worst[own] for at, own in expected.items()}


def test_a_container_that_stores_the_message_has_that_sign_in_page_and_drawing() -> None:
    network = example("routers")
    answer = network.propagate("SHOP", "address:orders")
    (stored,) = [one for one in answer.deliveries if one.outcome == "DEPOSITED"]
    scene = network.scene(answer)
    marks = {one.name: one.mark for one in scene.attached}
    assert marks.pop(stored.receiver) is Mark.STORED
    assert set(marks.values()) == {Mark.NONE}
    assert svg(scene).count(f'class="sign" d="{SIGNS[Mark.STORED]}"') == 4  # each in the legend too


def test_who_certainly_gets_nothing_has_a_sign_and_who_may_get_it_has_not() -> None:
    network = example("estate")
    scene = network.scene(network.propagate("USA-EAST", "topic:orders", {"country": "Canada"}))
    nothing = set(servers(scene)[Mark.NOTHING])
    assert nothing == {"LONDON", "MEXICO", "VAULT"}
    assert all("gets nothing: HQ" in s.note for s in scene.servers if s.name in nothing)


def test_that_no_pair_is_lost_is_in_the_headline_where_something_else_is() -> None:
    network = example("routers")
    scene = network.scene(network.impact(["server:FRA"]))
    assert scene.verdict == (
        "If server:FRA fails, store.mesh.example.net:5672 is out of reach of 5 routers, and no "
        "pair of other routers is lost."
    )
    answer = network.impact(["server:PAR"])
    assert answer.lost
    assert "is lost" not in network.scene(answer).verdict
    unsure = dataclasses.replace(network.impact(["server:FRA"]), exact=False)
    assert text(unsure).splitlines()[0].endswith("is lost, as far as the loaded files show.")
    cut = dataclasses.replace(unsure, left_out=("A to B",))
    assert "no pair of routers was found that is lost" in text(cut).splitlines()[0]


def test_the_headline_names_few_lost_pairs_with_their_direction() -> None:
    network = example("queue_managers")
    answer = network.impact(["server:HUB"])
    assert (
        "5 ordered pairs of queue managers no longer reach each other (EAST and WEST to STORE1; "
        "STORE1 to EAST, STORE2 and WEST), as far as the loaded files show."
    ) in network.scene(answer).verdict
    both = example("retail").impact(["server:NORTH"])
    assert "(HARBOUR and LAKESIDE to HQ, MEADOW, ORCHARD and SOUTH, both ways)" in text(both)


def test_a_server_where_messages_wait_has_that_sign_and_not_that_they_end_elsewhere() -> None:
    network = example("mixed")
    scene = network.scene(network.impact(["server:GATE"]))
    marks = servers(scene)
    assert marks[Mark.HELD] == ["HQ", "SCANNER1"]
    assert marks[Mark.ELSEWHERE] == ["Shop"]  # what is put there waits at another server
    notes = {server.name: server.note for server in scene.servers}
    assert (
        "messages to any queue of SCANNER1 put at HQ, and those of 1 other put, wait here"
        in (notes["HQ"])
    )
    assert "end in another way" in notes["HQ"]
    hub = example("queue_managers")
    marks = servers(hub.scene(hub.impact(["server:HUB"])))
    assert marks[Mark.HELD] == ["EAST", "STORE1", "STORE2", "WEST"]


def test_a_wait_that_is_only_possible_is_not_told_as_one() -> None:
    network = example("mixed")
    answer = network.impact(["server:GATE"])
    perhaps = tuple(dataclasses.replace(one, waits_at=()) for one in answer.changed)
    marks = servers(network.scene(dataclasses.replace(answer, changed=perhaps)))
    assert Mark.HELD not in marks
    assert marks[Mark.ELSEWHERE] == ["HQ", "SCANNER1", "Shop"]
