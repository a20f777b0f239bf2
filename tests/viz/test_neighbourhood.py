"""Which servers of a large network are drawn."""

from __future__ import annotations

import pytest
from drawn.networks import company, estates, example

from topograph.errors import UsageError
from topograph.viz.scene.neighbourhood import DRAWABLE, neighbourhood


def network(links):
    neighbours, zones_of = {}, {}
    for (a, b), zone in links:
        for here, there in ((a, b), (b, a)):
            neighbours.setdefault(here, set()).add(there)
            zones_of.setdefault(here, set()).add(zone)
    return neighbours, zones_of


CHAIN = network([((f"N{n}", f"N{n + 1}"), "Z") for n in range(9)])


def test_a_network_that_can_be_read_is_drawn_whole():
    found = neighbourhood(*CHAIN, ["N0"], readable=10)
    assert (len(found.servers), found.around, found.left_out) == (10, (), "")


def test_a_larger_one_is_drawn_as_far_as_whole_levels_around_the_servers_named_go():
    found = neighbourhood(*CHAIN, ["N4"], readable=6)
    assert found.servers == {"N2", "N3", "N4", "N5", "N6"}
    assert (found.around, found.left_out) == (("N4",), "the servers within 2 links of N4")


def test_servers_where_messages_end_belong_to_a_part_as_far_as_there_is_room():
    found = neighbourhood(*CHAIN, ["N0"], readable=8, stopped=["N7", "N8", "N9", "N7"])
    assert found.servers == {"N0", "N1", "N2", "N3", "N4", "N7", "N8", "N9"}
    assert found.left_out == "the servers within 4 links of N0, and those where messages end"
    few = neighbourhood(*CHAIN, ["N0"], readable=4, stopped=["N9", "N8", "N7", "N6"])
    assert few.servers == {"N0", "N9", "N8", "N7"}


def test_in_a_picture_of_a_part_the_causes_of_blocks_are_drawn(monkeypatch):
    monkeypatch.setattr("topograph.viz.scene.estates.OVERVIEW", 12)
    network = example("estate")
    scene = network.scene(network.propagate("HQ", "topic:orders", {"country": "Spain"}))
    shown = {server.name for server in scene.servers}
    assert len(shown) < len(network.server_names())
    causes = [block for block in scene.blocks if block.repeats < 0]
    drawn = [
        block
        for block in causes
        if {block.at, block.to, *(step.from_ for step in block.way)} <= shown
    ]
    assert drawn == causes[:6]  # the seventh, TOKYO, is beyond the room
    assert all(step.link for block in drawn for step in block.way)


def test_an_answer_of_very_many_steps_is_drawn_on_a_part_of_a_large_network(monkeypatch):
    network = example("estate")
    answer = network.reach("HQ")
    names = set(network.server_names())
    assert {server.name for server in network.scene(answer).servers} == names
    monkeypatch.setattr("topograph.viz.scene.picture.WHOLE", 6)
    assert {server.name for server in network.scene(answer).servers} == names
    monkeypatch.setattr("topograph.viz.scene.picture.STEPS", 3)
    scene = network.scene(answer)
    assert (len(scene.servers), scene.hidden) == (6, 7)
    assert any("Not drawn: 7 servers, with " in text for _, text in scene.facts)


def test_without_a_server_named_it_is_drawn_by_the_servers_that_join_zones():
    _, links = company(30)
    found = neighbourhood(*network(links), [], readable=100)
    assert found.servers == {f"HUB{n:04d}" for n in range(30)}
    assert found.left_out == "the servers in more than one zone"


def test_a_hub_with_too_many_neighbours_is_drawn_with_as_many_as_can_be_read():
    star = estates().star(50)
    found = neighbourhood(
        *network([((link.a, link.b), link.zone) for link in star.links]), [], readable=20
    )
    assert "HUB" in found.servers
    assert len(found.servers) == 20


def test_all_servers_are_drawn_where_no_number_is_the_limit():
    _, links = company(30)
    assert len(neighbourhood(*network(links), [], readable=None).servers) == 300


def test_named_servers_have_their_neighbours_around_them_unless_told_otherwise():
    assert neighbourhood(*CHAIN, [], ["N0", "N9"]).servers == {"N0", "N1", "N8", "N9"}
    assert neighbourhood(*CHAIN, [], ["N0"], 0).servers == {"N0"}
    assert neighbourhood(*CHAIN, ["N9"], ["N0"], 2).servers == {"N0", "N1", "N2"}


def test_a_depth_that_takes_in_everything_leaves_nothing_out():
    assert neighbourhood(*CHAIN, [], ["N0"], 99).left_out == ""


def test_a_depth_needs_a_centre():
    with pytest.raises(
        UsageError, match="--depth counts links from a server: name one with --around"
    ):
        neighbourhood(*CHAIN, [], depth=2)


def test_a_neighbourhood_that_no_page_shows_is_refused():
    star = estates().star(DRAWABLE)
    made = network([((link.a, link.b), link.zone) for link in star.links])
    with pytest.raises(
        UsageError, match=r"3,001 servers are within 1 link of HUB; a page shows at most 3,000"
    ):
        neighbourhood(*made, [], ["HUB"])
    assert len(neighbourhood(*made, [], ["HUB"], readable=None).servers) == DRAWABLE + 1
