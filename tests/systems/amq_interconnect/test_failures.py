"""What failures do: routes anew by cost (T-4), uplinks that take over (E-1), and a sweep that counts without computing each anew."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from topograph.findings import Source
from topograph.systems.amq_interconnect.routes.failures import Topology, impact, sweep
from topograph.systems.protocol import Failure, PathMoved

RING = (("R1", "R2", 1), ("R2", "R3", 1), ("R3", "R4", 1), ("R1", "R4", 5))


def topology(links, uplinks=None):
    names = {name for link in links for name in link[:2]} | set(uplinks or {})
    return Topology({name: Source(name) for name in sorted(names)}, tuple(links), uplinks or {}, {})


def test_a_dead_router_moves_paths_to_the_dearer_way():
    found = impact(topology(RING), Failure(servers=frozenset(["R2"])))
    assert found.lost == ()
    assert PathMoved("R1", "R3", ("R1", "R2", "R3"), ("R1", "R4", "R3"), 2, 6) in found.moved
    assert {(moved.from_, moved.to) for moved in found.moved} == {
        ("R1", "R3"),
        ("R3", "R1"),
        ("R1", "R4"),
        ("R4", "R1"),
    }


def test_what_falls_apart_loses_each_other_in_both_directions():
    found = impact(topology([("A", "B", 1), ("B", "C", 1)]), Failure(servers=frozenset(["B"])))
    assert (found.lost, found.moved) == ((("A", "C"), ("C", "A")), ())


def test_a_failed_link_is_gone_in_both_directions_and_the_routers_live():
    found = impact(topology(RING), Failure(links=frozenset([frozenset(["R1", "R2"])])))
    assert found.lost == ()
    assert PathMoved("R1", "R2", ("R1", "R2"), ("R1", "R4", "R3", "R2"), 1, 7) in found.moved


def test_an_edge_router_takes_its_next_uplink_or_loses_all_but_itself():
    links = [("A", "B", 1)]
    two = impact(topology(links, {"E": ("A", "B")}), Failure(servers=frozenset(["A"])))
    assert (two.lost, two.taken_over) == ((), (("E", "A", "B"),))
    assert [(moved.from_, moved.to, moved.after) for moved in two.moved] == [
        ("B", "E", ("B", "E")),
        ("E", "B", ("E", "B")),
    ]
    one = impact(topology(links, {"E": ("A",)}), Failure(servers=frozenset(["A"])))
    assert (one.lost, one.moved, one.taken_over) == ((("B", "E"), ("E", "B")), (), ())


def test_a_sweep_names_the_worst_failure_first():
    rows = sweep(topology([("A", "B", 1), ("B", "C", 1), ("C", "D", 1)]))
    assert [(row.failed, row.lost, row.moved) for row in rows] == [
        ("route:B-C", 8, 0),
        ("route:A-B", 6, 0),
        ("route:C-D", 6, 0),
        ("server:B", 4, 0),
        ("server:C", 4, 0),
        ("server:A", 0, 0),
        ("server:D", 0, 0),
    ]


@st.composite
def topologies(draw):
    names = [f"R{number}" for number in range(draw(st.integers(1, 7)))]
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    edges = [f"E{number}" for number in range(draw(st.integers(0, 3)))]
    uplinks = {edge: tuple(draw(st.lists(st.sampled_from(names), unique=True, max_size=2))) for edge in edges}
    links = tuple((a, b, draw(st.integers(1, 4))) for a, b in chosen)
    return Topology({name: Source(name) for name in [*names, *edges]}, links, uplinks, {})


@given(topologies())
def test_a_sweep_counts_what_each_failure_alone_shows(before):
    for row in sweep(before):
        kind, _, name = row.failed.partition(":")
        ends = Failure(links=frozenset([frozenset(name.split("-"))]))
        found = impact(before, Failure(servers=frozenset([name])) if kind == "server" else ends)
        assert (row.lost, row.moved) == (len(found.lost), len(found.moved)), row.failed
