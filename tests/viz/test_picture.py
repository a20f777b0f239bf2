"""What a picture says is what the answer says: marks, notes, steps and blocks, each with its
place.
"""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from drawn.networks import estate_of, example, route

from topograph.assumptions import Assumption
from topograph.errors import NotApplicable, UnknownServer
from topograph.findings import Source
from topograph.forwarding.reached import LinkShown
from topograph.questions.answers import Caution, Stopped, Undetermined
from topograph.questions.text import text
from topograph.viz.scene.marking import Marking
from topograph.viz.scene.picture import draw
from topograph.viz.scene.records import LinkStyle, Mark
from topograph.viz.svg.document import svg

TO_MADRID = (
    "for any topic that is global at both ends; for orders only if country IN ('UK', "
    "'France', 'Germany', 'Spain')"
)


def marks(scene):
    found = {}
    for server in scene.servers:
        found.setdefault(server.mark, []).append(server.name)
    return found


def link_marks(scene):
    found = {}
    for link in scene.links:
        found.setdefault(link.mark, []).append(link.id)
    return found


def test_an_estate_is_its_servers_links_and_zones():
    scene = example("estate").scene()
    assert scene.question == "estate"
    assert scene.verdict == "13 servers (1 of them only named by others), 15 links and 4 zones."
    assert [(zone.name, zone.type, len(zone.servers), zone.tree) for zone in scene.zones] == [
        ("BACKUP", "1hop", 3, True),
        ("EUROPE", "1hop", 4, False),
        ("REGIONS", "mhop", 7, True),
        ("STORES", "mhop", 2, True),
    ]
    assert {
        (server.loaded, server.incomplete) for server in scene.servers if server.name == "TOKYO"
    } == {(False, "its configuration is not loaded")}
    assert scene.facts == (("note", "TOKYO is only named by others: no files of it are loaded."),)
    assert marks(scene).keys() == {Mark.NONE}


def test_a_link_says_who_configures_it():
    links = {link.id: link for link in example("estate").scene().links}
    assert (links["HQ-USA"].style, links["HQ-USA"].configured_by) == (LinkStyle.ACTIVE_ACTIVE, "")
    assert (links["CANADA-HQ"].style, links["CANADA-HQ"].configured_by) == (
        LinkStyle.ACTIVE_PASSIVE,
        "HQ",
    )
    assert str(links["CANADA-HQ"].source) == "hq-1/routes.conf:3:1"


def test_routers_have_links_with_costs_and_uplinks_without():
    links = {link.id: link for link in example("routers").scene().links}
    assert (links["FRA-LON"].style, links["FRA-LON"].cost) == (LinkStyle.PLAIN, 25)
    assert (links["PAR-SHOP"].style, links["PAR-SHOP"].cost, links["PAR-SHOP"].configured_by) == (
        LinkStyle.UPLINK,
        None,
        "SHOP",
    )


def test_the_verdict_is_the_first_line_of_the_text():
    network = example("estate")
    for answer in (
        network.reach("CANADA"),
        network.reach("CANADA", "MADRID"),
        network.reach("CANADA", "TOKYO"),
        network.hops("CANADA", "MADRID"),
        network.paths("CANADA", "MADRID"),
        network.cycles(),
        network.propagate("HQ", "topic:orders", {"country": "Spain"}),
    ):
        scene = network.scene(answer)
        assert text(answer).splitlines()[0] == scene.verdict
        assert scene.title.endswith("?")
        assert (scene.question, scene.snapshot, scene.engine) == (
            answer.question,
            network.snapshot_id,
            "memory",
        )


def test_a_reach_of_one_server_is_a_path_with_numbered_steps():
    network = example("estate")
    answer = network.reach("CANADA", "MADRID")
    scene = network.scene(answer)
    (path,) = scene.paths
    assert (path.title, path.servers, path.shown) == (
        f"to MADRID, 3 hops (REGIONS 2, EUROPE 1), {TO_MADRID}",
        ("CANADA", "HQ", "LONDON", "MADRID"),
        True,
    )
    steps = answer.servers[0].steps
    assert [
        (s.number, s.from_, s.to, s.link, s.zone, s.rule, s.guards, s.source) for s in path.steps
    ] == [
        (number, step.from_, step.to, link, step.zone, step.rule, step.guards, step.source)
        for number, (step, link) in enumerate(
            zip(steps, ("CANADA-HQ", "HQ-LONDON", "LONDON-MADRID"), strict=True), 1
        )
    ]
    assert marks(scene)[Mark.ASKED] == ["CANADA"]
    assert marks(scene)[Mark.TARGET] == ["MADRID"]
    assert link_marks(scene)[Mark.PATH] == ["CANADA-HQ", "HQ-LONDON", "LONDON-MADRID"]


def test_a_reach_of_everything_marks_the_tree_and_has_a_path_for_each_server():
    network = example("estate")
    scene = network.scene(network.reach("HQ"))
    assert marks(scene) == {
        Mark.ASKED: ["HQ"],
        Mark.REACHED: [
            "CANADA",
            "FRANKFURT",
            "LONDON",
            "MADRID",
            "MEXICO",
            "PARIS",
            "SINGAPORE",
            "USA",
            "USA-EAST",
            "VAULT",
        ],
        Mark.UNDETERMINED: ["MIRROR", "TOKYO"],
    }
    assert len(scene.paths) == 10
    assert not any(path.shown for path in scene.paths)
    assert len(link_marks(scene)[Mark.PATH]) == 10
    notes = {server.name: server.note for server in scene.servers}
    assert notes["MADRID"] == "reached in 2 hops (REGIONS 1, EUROPE 1)"
    assert notes["TOKYO"].startswith("reached, as far as the loaded files show: ")
    assert notes["TOKYO"].endswith("(singapore/routes.conf:3:1)")


def test_equal_steps_of_several_paths_are_one_object():
    network = example("estate")
    scene = network.scene(network.reach("HQ"))
    steps = [step for path in scene.paths for step in path.steps]
    assert len({id(step) for step in steps}) == len(set(steps)) < len(steps)


def test_a_server_that_is_not_reached_is_told_with_the_links_where_messages_end():
    network = example("two-1hop-zones/legal")
    answer = network.reach("A", "C")
    scene = network.scene(answer)
    assert marks(scene)[Mark.UNREACHABLE] == ["C"]
    assert [(block.at, block.to, block.link) for block in scene.blocks] == [
        (stop.at, stop.to, "-".join(sorted((stop.at, stop.to)))) for stop in answer.stopped
    ]
    assert ("B", "C") in {(block.at, block.to) for block in scene.blocks}
    assert {block.reason for block in scene.blocks} == {"the zone rules do not let it pass"}
    assert "B-C" in link_marks(scene)[Mark.BLOCKED]


def test_an_undetermined_target_is_not_called_unreachable():
    network = example("estate")
    scene = network.scene(network.reach("CANADA", "TOKYO"))
    assert marks(scene)[Mark.UNDETERMINED] == ["TOKYO"]
    assert Mark.UNREACHABLE not in marks(scene)


def test_a_reply_runs_from_the_replier():
    network = example("estate")
    (path,) = network.scene(network.reach("CANADA", "MADRID", reply=True)).paths
    assert path.servers == ("MADRID", "LONDON", "HQ", "CANADA")


def test_a_message_is_drawn_to_where_it_is_delivered_and_to_where_it_is_blocked():
    network = example("estate")
    answer = network.propagate("HQ", "topic:orders", {"country": "Spain"})
    scene = network.scene(answer)
    assert (
        scene.title == "Who gets a message to topic:orders with country = 'Spain' published at HQ?"
    )
    assert marks(scene)[Mark.DELIVERED] == ["MADRID"]
    assert marks(scene)[Mark.TRANSIT] == ["LONDON", "PARIS"]
    assert marks(scene)[Mark.UNDETERMINED] == ["TOKYO"]
    assert [path.servers for path in scene.paths] == [("HQ", "LONDON", "MADRID")]
    blocks = {(block.at, block.to): block for block in scene.blocks}
    assert len(blocks) == len(answer.stopped) + 1  # TOKYO, whose files are not loaded
    canada = blocks["HQ", "CANADA"]
    assert (canada.reason, canada.guard, canada.value, str(canada.source)) == (
        "the route selector does not let it pass",
        "country = 'Canada'",
        "FALSE",
        "hq-1/routes.conf:8:3",
    )
    assert blocks["HQ", "SINGAPORE"].reason == "not certain: no subscriber in that direction"
    assert (blocks["PARIS", "PARIS"].link, blocks["PARIS", "PARIS"].reason) == (
        "",
        "the subscriber's own selector refuses it",
    )
    repeated = {
        ends: scene.blocks[block.repeats] for ends, block in blocks.items() if block.repeats >= 0
    }
    assert {ends: (cause.at, cause.to) for ends, cause in repeated.items()} == {
        ("HQ", "SINGAPORE"): ("TOKYO", "TOKYO"),
        ("MADRID", "FRANKFURT"): ("LONDON", "FRANKFURT"),
        ("PARIS", "FRANKFURT"): ("LONDON", "FRANKFURT"),
    }
    ways = {
        ends: [(step.number, step.from_, step.to) for step in block.way]
        for ends, block in blocks.items()
    }
    assert ways["PARIS", "PARIS"] == [(1, "HQ", "LONDON"), (2, "LONDON", "PARIS")]
    assert ways["TOKYO", "TOKYO"] == [(1, "HQ", "SINGAPORE"), (2, "SINGAPORE", "TOKYO")]
    assert ways["HQ", "CANADA"] == []
    assert link_marks(scene)[Mark.UNDETERMINED] == ["HQ-SINGAPORE", "SINGAPORE-TOKYO"]
    assert link_marks(scene)[Mark.TRANSIT] == ["LONDON-PARIS"]
    notes = {server.name: server.note for server in scene.servers}
    assert (
        notes["PARIS"]
        == "received, not delivered: the subscriber's own selector: country = 'France'"
    )


def test_a_selector_that_is_unknown_of_a_message_certainly_stops_it():
    network = example("orders")
    answer = network.propagate("HUB", "topic:orders")
    scene = network.scene(answer)
    assert scene.verdict.endswith(
        "is delivered nowhere; 3 selectors ask for country, which the message lacks (use --set)."
    )
    assert {(block.value, block.certain, block.reason) for block in scene.blocks} == {
        ("UNKNOWN", True, "the route selector does not let it pass")
    }
    page = network.view(answer).generate_html().partition('id="data"')[0]
    assert "uncertain" not in page.partition("</style>")[2]
    assert page.count("<i>is UNKNOWN</i>") == 3


def test_truth_values_stand_behind_selectors_only():
    network = example("estate")
    answer = network.propagate("HQ", "topic:orders", {"country": "Spain"})
    page = network.view(answer).generate_html().partition('id="data"')[0]
    selectors = [stop for stop in answer.stopped if stop.reason == "selector"]
    assert 0 < len(selectors) < len(answer.stopped)
    assert page.count("<i>is FALSE</i>") == len(selectors)
    assert "<i>is UNKNOWN</i>" not in page
    assert (
        page.count('class="uncertain"') == 1
    )  # TOKYO, which is not loaded; SINGAPORE before it only repeats that


def test_where_nobody_is_known_a_delivery_is_one_that_would_be():
    network = example("two-1hop-zones/legal")
    answer = network.propagate("B", "topic:news.today")
    scene = network.scene(answer)
    assert {delivery.subscriber for delivery in answer.deliveries} == {"assumed"}
    reached = sorted({delivery.server for delivery in answer.deliveries} - {"B"})
    assert marks(scene)[Mark.WOULD_DELIVER] == reached
    assert Mark.DELIVERED not in marks(scene)
    notes = {server.name: server.note for server in scene.servers}
    assert notes["B"] == (
        "published here; would be delivered here, if anybody subscribes; nobody is known here"
    )
    assert [server.here for server in scene.servers if server.here] == [Mark.WOULD_DELIVER]
    assert notes["A"] == "would be delivered in 1 hop, if anybody subscribes; nobody is known here"
    known = dataclasses.replace(
        answer.deliveries[-1], subscriber="configured", judgement="yes", conditions=()
    )
    both = dataclasses.replace(answer, deliveries=(*answer.deliveries, known))
    assert marks(network.scene(both))[Mark.DELIVERED] == [known.server]


def test_the_path_of_the_farthest_delivery_comes_first_and_a_delivery_at_the_publisher_is_no_path():
    network = example("estate")
    scene = network.scene(network.propagate("CANADA", "topic:orders", {"country": "Spain"}))
    assert [path.servers for path in scene.paths] == [
        ("CANADA", "HQ", "LONDON", "MADRID"),
        ("CANADA", "HQ"),
    ]
    (asked,) = (server for server in scene.servers if server.mark is Mark.ASKED)
    assert (asked.name, asked.note) == (
        "CANADA",
        "published here; delivered here: configured subscriber",
    )
    assert asked.here is Mark.DELIVERED


def test_a_link_that_is_used_one_way_and_blocked_the_other_stays_a_path():
    network = example("estate")
    answer = network.propagate("HQ", "topic:orders", {"country": "Spain"})
    turned = Stopped("MADRID", "LONDON", "zone", "", "FALSE", Source("london/routes.conf", 15))
    scene = network.scene(dataclasses.replace(answer, stopped=(turned,), undetermined=()))
    assert "LONDON-MADRID" in link_marks(scene)[Mark.PATH]
    assert [(block.at, block.to, block.link) for block in scene.blocks] == [
        ("MADRID", "LONDON", "LONDON-MADRID")
    ]


def test_a_multi_path_cycle_is_marked_with_its_paths():
    network = example("two-1hop-zones/with-g-a")
    answer = network.cycles()
    scene = network.scene(answer)
    assert marks(scene)[Mark.DUPLICATE] == ["A", "F"]
    assert link_marks(scene)[Mark.DUPLICATE] == sorted(
        {route for entry in answer.duplicates for route in entry.routes}
    )
    (ring,) = answer.rings
    (group,) = scene.groups
    assert (group.title, group.unit) == ("Ring of 4 servers", "4 routes")
    assert [(row.servers, row.source) for row in group.rows] == [
        ((route.from_, route.to), route.source) for route in ring.routes
    ]
    # Of the names that arrive twice one stands for the ring, with both its paths.
    assert [path.servers for path in scene.paths] == list(answer.duplicates[0].paths)
    assert [path.shown for path in scene.paths] == [True, True]
    assert [path.together for path in scene.paths] == ["$TMP$.F.> at A (of 2 names)"] * 2
    assert all(step.link and step.source.line for path in scene.paths for step in path.steps)
    notes = {server.name: server.note for server in scene.servers}
    assert notes["A"] == "would hold $TMP$.F.> via D and G"


def test_redundant_paths_of_routers_are_marked_as_wanted():
    network = example("routers")
    scene = network.scene(network.cycles())
    assert marks(scene)[Mark.REDUNDANT] == ["FRA", "LON", "MAD", "PAR", "ROM"]
    assert Mark.DUPLICATE not in marks(scene)
    assert "PAR-SHOP" in link_marks(scene)[Mark.NONE]


def test_every_path_of_a_paths_answer_is_drawn():
    network = example("mhop-star/with-b-d")
    scene = network.scene(network.paths("A", "D"))
    assert [(path.title, path.servers) for path in scene.paths] == [
        ("path 1: 1 hop (CAMPUS 1), for any topic that is global at both ends", ("A", "D")),
        ("path 2: 2 hops (CAMPUS 2), for any topic that is global at both ends", ("A", "B", "D")),
    ]


def test_hops_marks_both_ends():
    network = example("estate")
    scene = network.scene(network.hops("CANADA", "MADRID"))
    notes = {server.mark: (server.name, server.note) for server in scene.servers}
    assert notes[Mark.ASKED] == ("CANADA", "asked from")
    assert notes[Mark.TARGET] == ("MADRID", "reached in 3 hops (REGIONS 2, EUROPE 1)")


def test_what_an_answer_rests_on_stands_in_the_scene():
    network = example("estate")
    answer = network.propagate("HQ", "topic:orders", {"country": "Spain"})
    assumed = Assumption("A9", "L", "one zone is taken", "another zone would count")
    caution = Caution("A12", "the bridge is not followed", Source("hq-1/bridges.conf", 4, 3))
    scene = network.scene(
        dataclasses.replace(answer, exact=False, assumptions=(assumed,), warnings=(caution,))
    )
    kinds = [kind for kind, _ in scene.facts]
    assert kinds == ["inexact", "assumption", "warning", "note"]
    assert (
        scene.facts[1][1]
        == "A9 one zone is taken (low confidence); otherwise: another zone would count"
    )
    assert scene.facts[2][1] == "A12 the bridge is not followed (hq-1/bridges.conf:4:3)"
    assert not scene.exact


def test_an_answer_without_a_picture_says_which_have_one():
    network = example("estate")
    with pytest.raises(
        NotApplicable,
        match=(
            r"no picture of this answer of check; pictures are of audit, cycles, hops, "
            r"impact, paths"
        ),
    ):
        network.scene(network.check())


def test_parallel_links_stay_apart_by_cost_and_place():
    links = [
        LinkShown(("A", "B"), "", "", "A", cost, Source("A.conf", line))
        for cost, line in ((5, 9), (1, 30), (1, 20))
    ]
    scene = draw(estate_of(["A", "B"], links))
    assert [
        (link.id, link.parallel, link.parallels, link.cost, link.source.line)
        for link in scene.links
    ] == [
        ("A-B", 0, 3, 1, 20),
        ("A-B (2)", 1, 3, 1, 30),
        ("A-B (3)", 2, 3, 5, 9),
    ]


def test_links_of_names_that_read_alike_have_ids_of_their_own():
    scene = draw(estate_of(["A", "A-B", "B-C", "C"], [route("A", "B-C"), route("A-B", "C")]))
    assert [(link.id, link.ends) for link in scene.links] == [
        ("A-B-C", ("A", "B-C")),
        ("A-B-C (2)", ("A-B", "C")),
    ]


def test_a_one_way_link_keeps_its_direction():
    link = dataclasses.replace(route("B", "A"), one_way=True)
    (drawn,) = draw(estate_of(["A", "B"], [link])).links
    assert (drawn.ends, drawn.style, drawn.configured_by) == (("B", "A"), LinkStyle.ONE_WAY, "B")


def test_parts_of_a_zone_that_never_meet_are_zones_of_their_own():
    scene = draw(estate_of("ABCD", [route("A", "B"), route("C", "D")]))
    assert [(zone.name, zone.servers, zone.links) for zone in scene.zones] == [
        ("WAN", ("A", "B"), ("A-B",)),
        ("WAN", ("C", "D"), ("C-D",)),
    ]


def test_equal_estates_give_equal_scenes_whatever_the_order():
    links = [route(a, b, "M", "1hop") for a, b in itertools.combinations("ABCD", 2)]
    assert draw(estate_of("ABCD", links)) == draw(estate_of("DCBA", links[::-1]))


def test_the_centre_of_a_neighbourhood_must_be_known():
    with pytest.raises(UnknownServer, match="Did you mean LONDON"):
        example("estate").scene(around="LONDN")


def test_a_neighbourhood_says_what_it_leaves_out():
    scene = example("estate").scene(around="LONDON", depth=1)
    assert [server.name for server in scene.servers] == [
        "FRANKFURT",
        "HQ",
        "LONDON",
        "MADRID",
        "PARIS",
    ]
    assert (scene.around, scene.hidden) == (("LONDON",), 8)
    assert {server.name: server.hidden for server in scene.servers if server.hidden} == {"HQ": 5}
    assert scene.facts[0] == (
        "note",
        "The picture shows 5 of 13 servers: the servers within 1 link of LONDON. "
        "Not drawn: 8 servers, with 8 links.",
    )


def test_steps_outside_of_a_neighbourhood_keep_their_evidence():
    network = example("estate")
    scene = network.scene(network.reach("CANADA", "MADRID"), around=["MADRID"], depth=1)
    (path,) = scene.paths
    assert [(step.number, step.link, step.rule) for step in path.steps] == [
        (1, "", "R13"),
        (2, "", "R13"),
        (3, "LONDON-MADRID", "R13"),
    ]


def test_a_depth_alone_is_counted_from_what_the_question_names():
    network = example("estate")
    scene = network.scene(network.reach("CANADA", "MADRID"), depth=0)
    assert [server.name for server in scene.servers] == ["CANADA", "HQ", "LONDON", "MADRID"]


def routers_scene(router: str, address: str, *subscribers: str):
    network = example("routers")
    return network.scene(network.propagate(router, f"address:{address}", subscribers=subscribers))


def noted(scene) -> dict[str, str]:
    return {server.name: server.note for server in scene.servers if server.note}


def test_what_a_container_keeps_on_the_way_is_stored_and_not_delivered():
    scene = routers_scene("LON", "orders")
    assert noted(scene)["FRA"] == "stored in 2 hops by the container store.mesh.example.net:5672"
    out = (
        "delivered in 1 hop from FRA on, where a container lets it out, to billing: declared "
        "subscriber"
    )
    assert noted(scene)["ROM"] == out
    assert (marks(scene)[Mark.STORED], marks(scene)[Mark.DELIVERED]) == (["FRA"], ["ROM"])


def test_receivers_of_which_routers_choose_one_are_not_drawn_as_if_each_got_it():
    scene = routers_scene("PAR", "jobs", "PAR:jobs", "PAR:jobs")
    assert noted(scene)["PAR"].startswith("published here")
    scene = routers_scene("LON", "jobs", "PAR:jobs", "PAR:jobs")
    assert noted(scene)["PAR"].count("if that is chosen at run time") == 2


def test_a_sender_that_is_refused_or_gets_no_credit_is_a_block_at_its_router():
    (refused,) = routers_scene("LON", "retired").blocks
    assert (refused.at, refused.to, refused.reason) == ("LON", "LON", "the sender is refused")
    assert str(refused.source) == "london.conf:53:1"
    scene = routers_scene("LON", "jobs")
    assert [block.reason for block in scene.blocks] == ["the sender gets no credit"]
    assert (
        noted(scene)["FRA"]
        == "would be delivered in 2 hops to a receiver at FRA, if there were one"
    )


def test_what_a_container_lets_out_again_is_drawn_from_the_sender_on():
    network = example("routers")
    for answer in (
        network.propagate("LON", "address:orders"),
        network.trace("LON", "address:orders"),
    ):
        paths = {path.servers: path for path in network.scene(answer).paths}
        assert set(paths) == {("LON", "PAR", "FRA"), ("LON", "PAR", "FRA", "ROM")}
        hops = [
            (step.number, step.from_, step.to) for step in paths["LON", "PAR", "FRA", "ROM"].steps
        ]
        assert hops[:3] == [(1, "LON", "PAR"), (2, "PAR", "FRA"), (3, "FRA", "ROM")]
    stored = network.propagate("LON", "address:orders")
    scene = network.scene(stored)
    assert "to billing at ROM, 3 hops, stored at FRA in between" in [
        path.title for path in scene.paths
    ]
    elsewhere = tuple(one for one in stored.deliveries if one.outcome != "DEPOSITED")
    (path,) = network.scene(dataclasses.replace(stored, deliveries=elsewhere)).paths
    assert path.title == "to billing at ROM, 1 hop, from FRA on, where a container lets it out"


def test_hops_draws_its_path_or_how_far_a_message_gets():
    network = example("estate")
    scene = network.scene(network.hops("CANADA", "MADRID"))
    (path,) = scene.paths
    assert (path.title, path.servers) == (
        f"to MADRID, 3 hops (REGIONS 2, EUROPE 1), {TO_MADRID}",
        ("CANADA", "HQ", "LONDON", "MADRID"),
    )
    assert [step.rule for step in path.steps] == ["R13"] * 3
    scene = network.scene(network.hops("CANADA", "MIRROR"))
    blocks = [
        (block.at, block.to, block.certain, [step.to for step in block.way])
        for block in scene.blocks
    ]
    assert blocks == [
        ("VAULT", "MIRROR", True, ["HQ", "VAULT"]),
        ("TOKYO", "TOKYO", False, ["HQ", "SINGAPORE", "TOKYO"]),
    ]
    assert marks(scene)[Mark.UNDETERMINED] == ["MIRROR", "TOKYO"]
    assert link_marks(scene)[Mark.UNDETERMINED] == ["SINGAPORE-TOKYO"]


def test_nothing_is_called_delivered_nowhere_while_files_leave_it_open():
    network = example("estate")
    answer = network.propagate("HQ", "topic:orders", {"country": "Spain"})
    nobody = dataclasses.replace(answer, deliveries=(), received=())
    for one in (nobody, dataclasses.replace(nobody, undetermined=())):
        verdict = network.scene(one).verdict
        assert verdict == (
            "Whether a message to topic:orders published at HQ is delivered anywhere "
            "cannot be decided."
        )
    certain = tuple(stop for stop in answer.stopped if stop.value == "FALSE")
    closed = dataclasses.replace(nobody, undetermined=(), stopped=certain)
    assert (
        network.scene(closed).verdict
        == "A message to topic:orders published at HQ is delivered nowhere."
    )


def test_a_path_that_carries_only_some_messages_is_headed_with_the_condition():
    network = example("estate")
    for answer in (
        network.reach("LONDON", "MEXICO"),
        network.hops("LONDON", "MEXICO"),
        network.paths("LONDON", "MEXICO"),
    ):
        (path,) = network.scene(answer).paths
        assert path.title.endswith(
            ", for any topic that is global at both ends; for orders only if country = 'Mexico'"
        )


def test_what_cannot_be_decided_names_every_server():
    marking = Marking(["A", "B", "C", "D"], [])
    marking.blocks(
        [],
        [
            Undetermined(name, "no files", Source("a.conf", 1), path=("A", "B"))
            for name in ("C", "D")
        ],
    )
    assert [block.reason for block in marking.said.blocks] == ["C and D: cannot be decided"]


def test_what_is_left_open_names_the_server_where_it_is_not_the_one_the_path_ends_at():
    network = example("estate")
    blocks = network.scene(network.reach("HQ")).blocks
    assert [(block.at, block.reason) for block in blocks] == [
        ("VAULT", "the zone rules do not let it pass"),
        ("TOKYO", "MIRROR: not reached, as far as the loaded files show"),
        ("TOKYO", "reached, as far as the loaded files show"),
    ]


def test_a_server_in_the_middle_of_a_path_that_is_not_certain_is_part_of_the_answer() -> None:
    network = example("estate")
    scene = network.scene(
        network.propagate("USA-EAST", "topic:orders", {"country": "Canada"}), whole=True
    )
    marks = {server.name: server.mark for server in scene.servers}
    assert marks["SINGAPORE"] is Mark.MAYBE_TRANSIT
    assert marks["TOKYO"] is Mark.UNDETERMINED
    assert marks["PARIS"] is Mark.NONE
    assert "may be passed: the way there is not certain" in svg(scene)
