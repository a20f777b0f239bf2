"""What failures do: routes anew by cost (T-4), uplinks that take over (E-1), and a sweep that
counts without computing each anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import topograph
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.questions.text import text
from topograph.systems.amq_interconnect.failures import (
    MEANWHILE,
    MOVING,
    Topology,
    compare,
    impact,
    sweep,
)
from topograph.systems.contract.failures import FailureEffect, PathMoved
from topograph.systems.contract.system import Failure

RING = (("R1", "R2", 1), ("R2", "R3", 1), ("R3", "R4", 1), ("R1", "R4", 5))


def pairs(effect: FailureEffect) -> list[tuple[str, str]]:
    """The pairs that a failure separates."""
    return [(one.start, one.end) for one in effect.lost]


def topology(links, uplinks=None, containers=None):
    names = {name for link in links for name in link[:2]} | set(uplinks or {})
    return Topology(
        {name: Source(name) for name in sorted(names)},
        tuple(links),
        uplinks or {},
        {},
        containers or {},
    )


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
    assert (pairs(found), found.moved) == ([("A", "C"), ("C", "A")], ())


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
    assert (pairs(one), one.moved, one.taken_over) == ([("B", "E"), ("E", "B")], (), ())


def test_a_sweep_names_the_worst_failure_first():
    rows = sweep(topology([("A", "B", 1), ("B", "C", 1), ("C", "D", 1)]), Budget()).counted
    assert [(row.failed, row.lost, row.own, row.rerouted) for row in rows] == [
        ("server:B", 4, 6, 0),
        ("server:C", 4, 6, 0),
        ("route:B-C", 8, 0, 0),
        ("server:A", 0, 6, 0),
        ("server:D", 0, 6, 0),
        ("route:A-B", 6, 0, 0),
        ("route:C-D", 6, 0, 0),
    ]


def test_a_broker_that_fails_is_out_of_reach_of_all_and_one_behind_a_dead_router_of_the_others():
    before = topology([("A", "B", 1), ("B", "C", 1)], containers={"k": ("B",), "l": ("A", "C")})
    assert impact(before, Failure(containers=frozenset(["k"]))).containers == (
        ("k", ("A", "B", "C")),
    )
    assert impact(before, Failure(containers=frozenset(["k"]))).lost == ()
    assert impact(before, Failure(servers=frozenset(["B"]))).containers == (("k", ("A", "C")),)
    assert impact(before, Failure(links=frozenset([frozenset("AB")]))).containers == (
        ("k", ("A",)),
    )
    assert impact(before, Failure(servers=frozenset(["C"]))).containers == ()


def test_a_sweep_counts_brokers_out_of_reach():
    rows = sweep(topology([("A", "B", 1)], containers={"k": ("B",)}), Budget()).counted
    assert [
        (row.failed, row.lost, row.own, row.containers, row.own_containers) for row in rows
    ] == [
        ("server:B", 0, 2, 1, 1),
        ("server:A", 0, 2, 0, 1),
        ("route:A-B", 2, 0, 1, 0),
        ("broker:k", 0, 0, 2, 0),
    ]


@st.composite
def topologies(draw):
    names = [f"R{number}" for number in range(draw(st.integers(1, 7)))]
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    edges = [f"E{number}" for number in range(draw(st.integers(0, 3)))]
    uplinks = {
        edge: tuple(draw(st.lists(st.sampled_from(names), unique=True, max_size=2)))
        for edge in edges
    }
    links = tuple((a, b, draw(st.integers(1, 4))) for a, b in chosen)
    every = [*names, *edges]
    containers = {
        name: tuple(draw(st.lists(st.sampled_from(every), unique=True, min_size=1, max_size=3)))
        for name in ("k", "l", "m")[: draw(st.integers(0, 3))]
    }
    return Topology({name: Source(name) for name in every}, links, uplinks, {}, containers)


def test_a_sweep_that_its_budget_ends_names_the_failures_it_did_not_count():
    whole = sweep(topology(RING), Budget()).counted
    for looks in range(12):
        looked = iter(range(100))
        cut = sweep(
            topology(RING), Budget(seconds=looks, clock=lambda looked=looked: float(next(looked)))
        )
        assert all(row in whole for row in cut.counted)
        assert sorted([*(row.failed for row in cut.counted), *cut.not_counted]) == sorted(
            row.failed for row in whole
        )
        assert len(cut.counted) == min(looks, len(whole))


def test_a_comparison_that_its_budget_ends_names_the_routers_it_did_not_compare():
    before = topology([("A", "B", 1), ("B", "C", 1)])
    failure = Failure(servers=frozenset(["B"]))
    looked = iter(range(100))
    cut = compare(
        before, before.after(failure), Budget(seconds=1, clock=lambda: float(next(looked)))
    )
    assert (pairs(cut), cut.not_compared) == ([("A", "C")], ("C",))


@given(topologies())
def test_a_sweep_counts_what_each_failure_alone_shows(before):
    for row in sweep(before, Budget()).counted:
        kind, _, name = row.failed.partition(":")
        failure = {
            "server": Failure(servers=frozenset([name])),
            "route": Failure(links=frozenset([frozenset(name.split("-"))])),
            "broker": Failure(containers=frozenset([name])),
        }[kind]
        found = impact(before, failure)
        out_of_reach = sum(len(routers) for _, routers in found.containers)
        assert (row.lost, row.rerouted, row.containers) == (
            len(found.lost),
            len(found.moved),
            out_of_reach,
        ), row.failed


def made(folder: Path, **files: str) -> topograph.Network:
    for name, sections in files.items():
        (folder / f"{name}.conf").write_text(sections)
    return topograph.read(folder)


def section(kind: str, **attributes: object) -> str:
    return (
        f"{kind} {{\n"
        + "".join(f"  {name}: {value}\n" for name, value in attributes.items())
        + "}\n"
    )


def router(id_: str, mode: str = "interior", **attributes: object) -> str:
    return section("router", id=id_, mode=mode, **attributes)


def line(**routers: object) -> dict[str, str]:
    """A, B and C in a line; C stores q in a broker."""
    a = router("A", **routers) + section("listener", host="a", port=1, role="inter-router")
    b = router("B", **routers) + section("connector", host="a", port=1, role="inter-router")
    b += section("listener", host="b", port=1, role="inter-router")
    c = router("C", **routers) + section("connector", host="b", port=1, role="inter-router")
    c += section("connector", name="k", host="k", port=5672, role="route-container")
    c += section("autoLink", address="q", direction="out", connection="k")
    return {"a": a, "b": b, "c": c}


BEYOND = section("connector", host="elsewhere", port=9, role="inter-router")


def test_a_broker_may_fail_by_name(tmp_path):
    network = made(tmp_path, **line())
    answer = network.impact(["broker:k:5672"])
    (lost,) = answer.containers
    assert (lost.container, lost.servers, lost.addresses, str(lost.source)) == (
        "k:5672",
        ("A", "B", "C"),
        ("q",),
        "c.conf:10:1",
    )
    assert (answer.lost, answer.transient, answer.exact) == ((), None, True)
    assert text(answer).startswith(
        "If broker:k:5672 fails, k:5672 is out of reach of 3 routers, and no pair of routers is "
        "lost.\n"
    )
    assert network.impact(["container:k:5672"]).containers == answer.containers
    with pytest.raises(topograph.errors.UsageError, match=r"stores in a broker 'k'\. .*k:5672"):
        network.impact(["broker:k"])


def test_a_standalone_router_loses_its_broker_too(tmp_path):
    files = line()
    alone = made(
        tmp_path,
        s=files["c"].replace("interior", "standalone").split("connector", 1)[0]
        + files["c"][files["c"].index("connector {\n  name") :],
    )
    (lost,) = alone.impact(["broker:k:5672"]).containers
    assert lost.servers == ("C",)
    assert [
        (row.failed, row.containers, row.own_containers)
        for row in alone.impact(sweep=True).failures
    ] == [
        ("server:C", 0, 1),
        ("broker:k:5672", 1, 0),
    ]


def test_a_router_that_fails_takes_its_broker_with_it(tmp_path):
    answer = made(tmp_path, **line()).impact(["server:C"])
    assert [(one.container, one.servers) for one in answer.containers] == [("k:5672", ("A", "B"))]
    assert answer.lost == ()
    assert answer.transient == {"max_seconds": 60, "outcome": MEANWHILE}


def test_a_sweep_names_brokers_with_their_places(tmp_path):
    rows = {row.failed: row for row in made(tmp_path, **line()).impact(sweep=True).failures}
    assert (rows["broker:k:5672"].containers, str(rows["broker:k:5672"].source)) == (
        3,
        "c.conf:10:1",
    )
    assert (rows["route:A-B"].lost, rows["route:A-B"].containers) == (4, 1)


def test_messages_are_released_only_while_something_is_out_of_reach(tmp_path):
    files = line()
    files["c"] += section("connector", host="a", port=1, role="inter-router", cost=5)
    network = made(tmp_path, **files)
    assert network.impact(["route:A-B"]).transient == {"max_seconds": 4, "outcome": MOVING}
    assert network.impact(["route:A-C"]).transient is None
    assert network.impact(["server:B"]).transient == {"max_seconds": 60, "outcome": MEANWHILE}


@pytest.mark.parametrize(
    ("attributes", "version", "seconds"),
    [
        ({}, "", 60),
        ({"remoteLsMaxAgeSeconds": 20}, "", 20),
        ({}, "3.3.0", 1),
        ({"unreachableHoldoffSeconds": 7}, "", 7),
        ({"remoteLsMaxAgeSeconds": 20, "unreachableHoldoffSeconds": 7}, "3.4.0", 7),
    ],
)
def test_how_long_addresses_out_of_reach_are_kept_is_what_the_routers_say(
    tmp_path, attributes, version, seconds
):
    if version:
        (tmp_path / "topograph.yaml").write_text(f'versions:\n  "*": {version}\n')
    answer = made(tmp_path, **line(**attributes)).impact(["server:B"])
    assert answer.transient == {"max_seconds": seconds, "outcome": MEANWHILE}


def test_what_fails_in_a_network_that_is_not_all_loaded_is_not_exact(tmp_path):
    files = line()
    files["a"] += BEYOND
    network = made(tmp_path, **files)
    for answer in (network.impact(["server:B"]), network.impact(sweep=True), network.cycles()):
        assert not answer.exact
        assert [(one.rule, str(one.source)) for one in answer.warnings] == [
            ("not-loaded", "a.conf:10:1")
        ]


@pytest.mark.parametrize(
    ("sections", "rules"),
    [(router("S", nonsense=1), ["not-running"]), (router("S", "standalone"), [])],
)
def test_the_failure_of_a_router_that_does_not_run_changes_nothing_and_says_so(
    tmp_path, sections, rules
):
    answer = made(tmp_path, s=sections, **line()).impact(["server:S"])
    assert (answer.lost, answer.rerouted, answer.transient) == ((), (), None)
    assert [one.rule for one in answer.warnings] == rules


def test_where_nothing_runs_nothing_can_fail(tmp_path):
    answer = made(tmp_path, s=router("S", nonsense=1)).impact(sweep=True)
    assert text(answer).startswith("Nothing runs here that could fail.\n")
