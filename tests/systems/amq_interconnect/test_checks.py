"""Each lint rule (amq_interconnect.md 5.2): a smallest network in which it finds something, and
the nearest ones in which it does not.
"""

from __future__ import annotations

import pytest

from topograph.findings import Severity
from topograph.importers.amq_interconnect import parse_text
from topograph.side_inputs import SideInputs
from topograph.systems.amq_interconnect.estate import RouterEstate
from topograph.systems.amq_interconnect.network.facts import RouterFacts
from topograph.systems.fact_sources import FactList

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


def section(type_, **attributes):
    return (
        f"{type_} {{\n"
        + "".join(f"    {name}: {value}\n" for name, value in attributes.items())
        + "}\n"
    )


def address(text, distribution="balanced", key="prefix", **more):
    return section("address", **{key: text}, distribution=distribution, **more)


def auto(text, direction, connection="k", **more):
    return section("autoLink", address=text, direction=direction, connection=connection, **more)


def routed(text, direction, key="prefix", **more):
    return section("linkRoute", **{key: text}, direction=direction, **more)


def container(name="k", port=9001, role="route-container"):
    return section("connector", name=name, host="127.0.0.1", port=port, role=role)


def listens(port, role="inter-router"):
    return section("listener", host="127.0.0.1", port=port, role=role)


def connects(port, role="inter-router"):
    return section("connector", host="127.0.0.1", port=port, role=role)


def found(versions=(), **routers):
    """All findings of compiling these routers, each (id or "edge E", sections); A, B, C … in one
    line unless they say otherwise.
    """
    facts = []
    for name, sections in routers.items():
        mode = "edge" if name.startswith("EDGE") else "interior"
        text = section("router", mode=mode, id=name) + "".join(sections)
        facts += parse_text("conf", text, f"{name}.conf").entities
    estate = RouterEstate(RouterFacts(FactList(facts)), SideInputs(versions=tuple(versions)))
    return estate.compile().all_findings()


def of(kind, findings):
    return [
        (one.severity, one.rule, str(one.source).partition(":")[0])
        for one in findings
        if one.kind == kind
    ]


def line(*sections, more=()):
    """A and B, joined, with sections of A and of B."""
    return {"A": [listens(1), *sections], "B": [connects(1), *more]}


def ring(*sections, more=()):
    """A, B and C, each joined with both others, with sections of A and of B."""
    return {
        "A": [*sections, listens(1), connects(3)],
        "B": [*more, connects(1), listens(2)],
        "C": [connects(2), listens(3)],
    }


def served(text, *names, direction="in"):
    """A link route of a pattern for each of these connections."""
    return [routed(text, direction, connection=name) for name in names]


WAYPOINT = address("q", waypoint="yes")
TWO = [container(), container("j", 9002)]
PHASES = address("q", ingressPhase=1, egressPhase=2)
BOTH = [auto("q", "out"), auto("q", "in")]

CASES = {
    # kind: [(found, network), ...]
    "redundant-entry": [
        ([(INFO, "A-14", "A.conf")], {"A": [address("a"), address("a.b")]}),
        ([(INFO, "A-14", "A.conf")], {"A": [address("a"), address("a.b"), address("c")]}),
        ([], {"A": [address("a"), address("a.b", "closest")]}),
        ([], {"A": [address("a"), address("a.b", priority=3)]}),
        ([], {"A": [address("a"), address("a.b", enableFallback="yes")]}),
        ([], {"A": [address("a"), address("a.b", waypoint="yes")]}),
        ([], {"A": [address("a.b"), address("a.c")]}),
        ([], {"A": [address("*.b", key="pattern"), address("a.#", key="pattern")]}),
        ([(INFO, "A-14", "A.conf")] * 2, {"A": [address("a"), address("a.b"), address("a.c")]}),
        # between the two stands a third that treats them otherwise
        ([], {"A": [address("a"), address("a.b", "closest"), address("a.b.c")]}),
        ([(INFO, "A-14", "A.conf")], {"A": [address("#", key="pattern"), address("x")]}),
        ([(INFO, "A-14", "A.conf")],
            {"A": [address("*.b", key="pattern"), address("a.b", key="pattern")]}),
        ([], {"A": [address("${a}"), address("${a}.b")]}),
        ([], {"A": [address("#", key="pattern"), address("${a}")]}),
    ],
    "treatment-mismatch": [
        ([(WARNING, "A-11", "A.conf")], line(address("a"), more=[address("a", "closest")])),
        ([(WARNING, "A-11", "A.conf")], {"A": [address("a")], "B": [address("a", "closest")]}),
        ([(WARNING, "A-11", "A.conf")],
            line(address("a"), more=[address("a", enableFallback="yes")])),
        ([(WARNING, "A-11", "A.conf")], line(address("a"), more=[address("a", waypoint="yes")])),
        ([], line(address("a"), more=[address("a")])),
        ([], line(address("a"), more=[address("a", priority=3)])),
        ([], line(address("a"), more=[address("b", "closest")])),
        ([], line(address("${a}"), more=[address("${a}", "closest")])),
    ],
    "entry-not-everywhere": [
        ([(INFO, "A-9", "A.conf")], line(address("a"))),
        ([], line(address("a"), more=[address("a")])),
        ([], {"A": [address("a")], "B": []}),
        ([(INFO, "A-9", "A.conf")],
            {"A": [listens(2, "edge"), address("a")], "EDGE": [connects(2, "edge")]}),
        ([], {"A": [listens(2, "edge"), address("a")], "EDGE": []}),
        ([], line(address("${a}"))),
    ],
    "waypoint-without-autolink": [
        ([(WARNING, "W-3", "A.conf")], {"A": [WAYPOINT]}),
        ([(WARNING, "W-3", "A.conf")], {"A": [WAYPOINT, container(), auto("q", "out")]}),
        ([(WARNING, "W-3", "A.conf")], {"A": [WAYPOINT, container(), auto("q", "in")]}),
        ([(WARNING, "W-3", "A.conf")],
            {"A": [WAYPOINT, container(), auto("q", "out"), auto("q", "in", phase=2)]}),
        ([(WARNING, "W-3", "A.conf")],
            {"A": [WAYPOINT, container(), auto("q", "out", phase=1), auto("q", "in")]}),
        ([(WARNING, "W-3", "A.conf")],
            {"A": [WAYPOINT, container(), auto("q", "out", fallback="yes"), auto("q", "in")]}),
        ([(WARNING, "W-3", "A.conf")],
            {"A": [WAYPOINT, container(), auto("p", "out"), auto("p", "in")]}),
        ([], {"A": [WAYPOINT, container(), *BOTH]}),
        ([], line(WAYPOINT, more=[container(), *BOTH])),
        ([], {"A": [WAYPOINT, container(), auto("q.1", "out"), auto("q.2", "in")]}),
        ([(WARNING, "W-3", "A.conf")], line(WAYPOINT, more=[WAYPOINT])),
        ([], {"A": [WAYPOINT, container(), auto("${q}", "out"), auto("${q}", "in")]}),
        ([(WARNING, "W-3", "A.conf")], {"A": [WAYPOINT, container(), auto("${q}", "out")]}),
        ([], {"A": [address("${q}", waypoint="yes")]}),
    ],
    "autolink-one-direction": [
        ([(WARNING, "W-3", "A.conf")], {"A": [WAYPOINT, container(), auto("q", "out")]}),
        ([(WARNING, "W-3", "A.conf")], {"A": [WAYPOINT, container(), auto("q", "in")]}),
        ([], {"A": [WAYPOINT, container(), *BOTH]}),
        ([], {"A": [container(), auto("q", "out")]}),
        ([], {"A": [address("q"), container(), auto("q", "out")]}),
        ([], {"A": [WAYPOINT, container(), auto("q", "out"), auto("${q}", "in")]}),
        ([(WARNING, "W-3", "A.conf")],
            {"A": [WAYPOINT, container(), auto("q", "out"), auto("${q}", "out")]}),
        ([], {"A": [address("${q}", waypoint="yes"), container(), auto("${q}", "out")]}),
    ],
    "autolink-without-waypoint": [
        ([(WARNING, "W-9", "A.conf")] * 2, {"A": [container(), *BOTH]}),
        ([(WARNING, "W-9", "A.conf")], {"A": [container(), auto("q", "in")]}),
        ([(WARNING, "W-9", "A.conf")],
            {"A": [container(), auto("q", "out"), auto("q", "in", phase=0)]}),
        ([], {"A": [container(), auto("q", "in", phase=0)]}),
        ([], {"A": [container(), auto("q", "out")]}),
        ([], {"A": [WAYPOINT, container(), *BOTH]}),
        ([(WARNING, "W-9", "A.conf")] * 2, {"A": [address("q"), container(), *BOTH]}),
        ([], {"A": [container(), auto("q", "out", fallback="yes"),
            auto("q", "in", fallback="yes")]}),
        ([], {"A": [container(), auto("${q}", "out"), auto("${q}", "in")]}),
        ([], {"A": [address("${q}", waypoint="yes"), container(), *BOTH]}),
        ([(WARNING, "W-9", "A.conf")] * 2, {"A": [address("${q}"), container(), *BOTH]}),
    ],
    "autolink-wrong-phase": [
        ([(WARNING, "W-3", "A.conf")],
            {"A": [WAYPOINT, container(), *BOTH, auto("q", "out", phase=3)]}),
        ([], {"A": [WAYPOINT, container(), *BOTH]}),
        ([], {"A": [WAYPOINT, container(), *BOTH, auto("q", "in", phase=3),
            auto("q", "out", phase=3)]}),
        ([(WARNING, "W-3", "A.conf")],
            {"A": [WAYPOINT, container(), *BOTH, auto("q.1", "in", phase=3),
                auto("q", "out", phase=2), auto("q", "in", phase=2)]}),
        ([], {"A": [address("q", ingressPhase=0, egressPhase=3), container(), auto("q", "out"),
            auto("q", "in", phase=3)]}),
        # what a fallback autolink brings in is in no phase of the entry (F-4)
        ([], {"A": [PHASES, container(), auto("q", "in", fallback="yes")]}),
        ([(WARNING, "W-3", "A.conf")], {"A": [PHASES, container(), auto("q", "in", phase=0)]}),
        ([(WARNING, "W-3", "A.conf")],
            {"A": [PHASES, container(), auto("q", "in", phase=3),
                auto("q", "in", fallback="yes")]}),
        ([(WARNING, "W-3", "A.conf")],
            {"A": [PHASES, container(), auto("q", "in", fallback="yes"),
                auto("q", "in", phase=3)]}),
    ],
    "fallback-not-enabled": [
        ([(WARNING, "F-2", "A.conf")], {"A": [container(), auto("q", "out", fallback="yes")]}),
        ([(WARNING, "F-2", "A.conf")],
            {"A": [address("q"), container(), auto("q", "out", fallback="yes")]}),
        ([(WARNING, "F-2", "A.conf")],
            {"A": [address("p", enableFallback="yes"), container(),
                auto("q", "out", fallback="yes")]}),
        ([], {"A": [address("q", enableFallback="yes"), container(),
            auto("q", "out", fallback="yes")]}),
        ([], line(address("q", enableFallback="yes"),
            more=[container(), auto("q", "out", fallback="yes")])),
        ([], {"A": [container(), auto("q", "in", fallback="yes")]}),
        ([], {"A": [container(), auto("${q}", "out", fallback="yes")]}),
        ([], {"A": [address("${q}", enableFallback="yes"), container(),
            auto("q", "out", fallback="yes")]}),
    ],
    "fallback-without-autolink": [
        ([(WARNING, "F-6", "A.conf")], {"A": [address("q", enableFallback="yes")]}),
        ([(WARNING, "F-6", "A.conf")],
            {"A": [address("q", enableFallback="yes"), container(), auto("q", "out")]}),
        ([(WARNING, "F-6", "A.conf")],
            {"A": [address("q", enableFallback="yes"), container(),
                auto("p", "out", fallback="yes")]}),
        ([], {"A": [address("q", enableFallback="yes"), container(),
            auto("q.1", "out", fallback="yes")]}),
        ([], {"A": [address("q"), container()]}),
        ([], {"A": [address("${q}", enableFallback="yes")]}),
        ([], {"A": [address("q", enableFallback="yes"), container(),
            auto("${q}", "out", fallback="yes")]}),
    ],
    "linkroute-never-active": [
        ([(ERROR, "C-7", "A.conf")], {"A": [routed("q", "in")]}),
        ([], {"A": [container(), routed("q", "in", connection="k")]}),
        ([], {"A": [container(), routed("q", "in", containerId="K")]}),
        ([(INFO, "L-4", "A.conf")],
            line(routed("q", "in"), more=[container(), routed("q", "in", connection="k")])),
        ([(ERROR, "C-7", "A.conf")],
            line(routed("q", "in"), more=[container(), routed("q", "out", connection="k")])),
        ([(ERROR, "C-7", "A.conf")],
            line(routed("q", "in"), more=[container(), routed("p", "in", connection="k")])),
        ([(ERROR, "C-7", "B.conf"), (ERROR, "C-7", "A.conf")],
            line(routed("q", "in"),
                more=[container(role="normal"), routed("q", "in", connection="k")])),
        ([(ERROR, "C-7", "A.conf")],
            {"A": [routed("q", "in")], "B": [container(), routed("q", "in", connection="k")]}),
        ([(WARNING, "C-7", "A.conf")],
            {"A": [routed("q", "in"),
                section("connector", host="far", port=1, role="inter-router")]}),
        ([(INFO, "L-4", "A.conf")],
            {"A": [listens(2, "edge"), routed("q", "in")],
                "EDGE": [connects(2, "edge"), container(), *served("q", "k")]}),
        ([(ERROR, "C-7", "A.conf")] * 1 + [(ERROR, "C-7", "B.conf")],
            line(routed("q", "in"), more=[routed("q", "in")])),
    ],
    "link-route-not-everywhere": [
        ([(INFO, "L-4", "A.conf")], line(container(), routed("q", "in", connection="k"))),
        ([(WARNING, "L-4", "A.conf")], line(routed("q", "in"))),
        ([], line(container(), routed("q", "in", connection="k"), more=[routed("q", "in")])),
        ([], {"A": [container(), routed("q", "in", connection="k")], "B": []}),
        ([], {"A": [listens(2, "edge"), container(), routed("q", "in", connection="k")],
            "EDGE": [connects(2, "edge")]}),
        ([], line(container(), routed("${q}", "in", connection="k"))),
    ],
    "link-route-one-direction": [
        ([(INFO, "L-6", "A.conf")], {"A": [container(), routed("q", "in", connection="k")]}),
        ([(INFO, "L-6", "A.conf")], {"A": [container(), routed("q", "out", connection="k")]}),
        ([], {"A": [container(), routed("q", "in", connection="k"),
            routed("q", "out", connection="k")]}),
        ([], line(container(), routed("q", "in", connection="k"),
            more=[container("j", 9002), routed("q", "out", connection="j")])),
        ([], {"A": [container(), routed("$coordinator", "in", connection="k")]}),
        ([(INFO, "L-6", "A.conf")] * 2,
            {"A": [container(), routed("q", "in", connection="k"),
                routed("p", "out", connection="k")]}),
    ],
    "coordinator-several-containers": [
        ([(ERROR, "L-9", "A.conf")], {"A": [*TWO, *served("$coordinator", "k", "j")]}),
        ([], {"A": [*TWO, *served("$coordinator", "k")]}),
        ([], {"A": [*TWO, *served("$coordinator", "k"), *served("q", "j")]}),
        ([], {"A": [*TWO, *served("$coordinator", "k"),
            *served("$coordinator", "j", direction="out")]}),
        ([], {"A": [container(), container("j", 9002, "normal"),
            *served("$coordinator", "k", "j")]}),
        (
            [(ERROR, "L-9", "A.conf")],
            line(container(), *served("$coordinator", "k"),
                more=[container("j", 9002), *served("$coordinator", "j")]),
        ),
        ([], line(container(), *served("$coordinator", "k"),
            more=[container("j"), *served("$coordinator", "j")])),
    ],
    "link-route-over-address": [
        ([(WARNING, "L-1", "A.conf")],
            {"A": [address("q.1"), container(), routed("q", "in", connection="k")]}),
        ([(WARNING, "L-1", "A.conf")],
            {"A": [address("q"), container(), routed("q", "in", connection="k")]}),
        ([], {"A": [address("q"), container(), routed("q.1", "in", connection="k")]}),
        ([], {"A": [address("p"), container(), routed("q", "in", connection="k")]}),
        ([(WARNING, "L-1", "A.conf")],
            {"A": [address("*.1", key="pattern"), container(),
                routed("q.*", "in", key="pattern", connection="k")]}),
        ([(WARNING, "L-1", "A.conf")],
            line(container(), routed("q", "in", connection="k"), more=[address("q")])),
        ([], {"A": [container(), routed("q", "in", connection="k")], "B": [address("q")]}),
        ([], {"A": [address("${q}"), container(),
            routed("#", "in", key="pattern", connection="k")]}),
        ([], {"A": [address("q"), container(), routed("${q}", "in", connection="k")]}),
    ],
    "link-route-over-autolink": [
        ([(WARNING, "L-1", "A.conf")],
            {"A": [container(), auto("q", "out"), routed("q", "in", connection="k")]}),
        ([], {"A": [container(), auto("p", "out"), routed("q", "in", connection="k")]}),
        ([(WARNING, "L-1", "A.conf")],
            line(container(), routed("q", "in", connection="k"),
                more=[container("j", 9002), auto("q", "out", "j")])),
        ([], {"A": [container(), auto("${q}", "out"),
            routed("#", "in", key="pattern", connection="k")]}),
    ],
    "filled-in-at-start": [
        ([(INFO, "3.3", "A.conf")],
            {"A": [address("${q}"), address("${p}"), container(), auto("${q}", "out"),
                routed("${r}", "in", connection="k")]}),
        ([(INFO, "3.3", "A.conf")], {"A": [container(), auto("a${q}", "out")]}),
        ([(INFO, "3.3", "A.conf")], {"A": [container(), routed("${r}", "in", connection="k")]}),
        ([], {"A": [address("$q"), address("{q}")]}),
    ],
    "partition": [
        ([(WARNING, "T-1", "B.conf")], {"A": [], "B": []}),
        ([], line()),
        ([], {"A": []}),
        ([], {"A": [listens(2, "edge")], "EDGE": [connects(2, "edge")]}),
        ([], {"A": [section("connector", host="far", port=1, role="inter-router")], "B": []}),
        ([(WARNING, "T-1", "C.conf")], {**line(), "C": []}),
        ([(WARNING, "T-1", "A.conf")], {"A": [], "B": [listens(3)], "C": [connects(3)]}),
    ],
    "single-point-of-failure": [
        ([(INFO, "T-9", "B.conf")],
            {"A": [listens(1)], "B": [connects(1), listens(2)], "C": [connects(2)]}),
        ([], line()),
        ([], {"A": [listens(1), connects(3)], "B": [connects(1), listens(2)],
            "C": [connects(2), listens(3)]}),
    ],
    "edge-with-one-uplink": [
        ([(INFO, "E-7", "EDGE.conf")], {"A": [listens(2, "edge")], "EDGE": [connects(2, "edge")]}),
        ([], {"A": [listens(2, "edge")], "B": [listens(3, "edge")],
            "EDGE": [connects(2, "edge"), connects(3, "edge")]}),
        ([], {"A": [listens(2, "edge")], "EDGE": []}),
    ],
    "only-path-to-container": [
        ([(INFO, "W-14", "A.conf")], line(container(), auto("q", "out"))),
        ([(INFO, "W-14", "A.conf")],
            line(container(), container("j", 9002), auto("q", "out"), auto("q", "out", "j"))),
        ([(INFO, "W-14", "A.conf")],
            line(container(), section("autoLink", address="q", direction="out", containerId="K"))),
        ([(INFO, "W-14", "A.conf"), (INFO, "W-14", "B.conf")],
            line(container(), auto("q", "out"),
                more=[container("j", 9002), auto("q", "out", "j")])),
        ([], {"A": [container(), container("j", 9002), auto("q", "out"), auto("q", "out", "j")]}),
        ([], line(container(), auto("q", "out"), more=[container("j"), auto("q", "out", "j")])),
        ([], line(container(), container("j"), auto("q", "out"), auto("q", "out", "j"))),
        ([], line(container())),
        ([], line(container(), auto("q", "out", "other"))),
        ([], line(container(role="normal"), auto("q", "out"))),
    ],
    "multicast-copies": [
        ([(WARNING, "M-4", "A.conf")], ring(address("m", "multicast"))),
        ([], ring(address("m", "closest"))),
        ([], {"A": [address("m", "multicast"), listens(1)], "B": [connects(1), listens(2)],
            "C": [connects(2)]}),
        ([], line(address("m", "multicast"))),
        # a ring beside routers of their own
        ([(WARNING, "M-4", "A.conf")], {**ring(address("m", "multicast")), "D": [], "F": []}),
        ([(WARNING, "M-4", "A.conf")],
            ring(address("m", "multicast"), more=[address("m", "multicast")])),
    ],
    "policy-not-evaluated": [
        ([(WARNING, "12", "A.conf")], {"A": [section("policy", enableVhostPolicy="true")]}),
        ([], {"A": [section("policy", enableVhostPolicy="false")]}),
        ([], {"A": [section("policy", maxConnections=3)]}),
    ],
    "duplicate-router-id": [([], {"A": [], "B": []})],
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "expected", "routers"),
    [(kind, expected, routers) for kind, cases in CASES.items() for expected, routers in cases],
    ids=[f"{kind}-{number}" for kind, cases in CASES.items() for number in range(len(cases))],
)
def test_a_rule_finds_what_it_is_about_and_nothing_beside_it(kind, expected, routers):
    assert of(kind, found(**routers)) == expected


@pytest.mark.parametrize(
    ("version", "number"),
    [("1.12.0", 0), ("1.13.0", 1), ("1.19.0", 1), ("3.0.0", 1), ("3.1.0", 0), ("", 1)],
)
def test_multicast_copies_are_those_of_the_versions_that_send_them(version, number):
    assert (
        len(
            of(
                "multicast-copies",
                found(
                    versions=[("*", version)] if version else (), **ring(address("m", "multicast"))
                ),
            )
        )
        == number
    )


def test_a_default_of_multicast_has_copies_too():
    facts = []
    for name, text in ((name, "".join(sections)) for name, sections in ring().items()):
        head = section(
            "router",
            mode="interior",
            id=name,
            **({"defaultDistribution": "multicast"} if name == "B" else {}),
        )
        facts += parse_text("conf", head + text, f"{name}.conf").entities
    findings = RouterEstate(RouterFacts(FactList(facts)), SideInputs()).compile().all_findings()
    assert of("multicast-copies", findings) == [(WARNING, "M-4", "B.conf")]


@pytest.mark.parametrize("number", [1, 2, 3, 9])
@pytest.mark.parametrize(
    ("id_", "kind", "severity"),
    [("R", "duplicate-router-id", ERROR), ("${HOSTNAME}", "shared-id-template", INFO)],
)
def test_an_id_that_several_files_have_is_found_once(number, id_, kind, severity):
    facts = []
    for file in range(number):
        facts += parse_text(
            "conf", section("router", mode="interior", id=id_), f"{file}.conf"
        ).entities
    findings = RouterEstate(RouterFacts(FactList(facts)), SideInputs()).compile().all_findings()
    assert of(kind, findings) == [(severity, "T-10", "0.conf")] * (number > 1)
    texts = [one.message for one in findings if one.kind == kind]
    assert all(
        f"The router id {id_} is in {number} files (0.conf, 1.conf" in text for text in texts
    )
    assert [" and 3 more)" in text for text in texts] == [number == 9] * len(texts)


def test_containers_of_one_router_are_named_together():
    (text,) = (
        one.message
        for one in found(
            **line(container(), container("j", 9002), auto("q", "out"), auto("q", "out", "j"))
        )
        if one.kind == "only-path-to-container"
    )
    assert text == "127.0.0.1:9001, 127.0.0.1:9002 are each reached over one connection only, of A"


@pytest.mark.parametrize(
    ("number", "listed"),
    [(2, "A; B"), (4, "A; B; C; D"), (5, "A; B; C; D; and 1 more"), (6, "A; B; C; D; and 2 more")],
)
def test_separate_networks_are_listed_up_to_four(number, listed):
    findings = found(**{name: [] for name in "ABCDFG"[:number]})
    (text,) = (one.message for one in findings if one.kind == "partition")
    assert (
        text
        == f"The loaded files join the interior routers to {number} separate networks: {listed}"
    )


@pytest.mark.parametrize(
    ("direction", "said"),
    [
        ("out", "has autolinks out and none in: what the container stores never comes back"),
        ("in", "has autolinks in and none out: nothing is stored"),
    ],
)
def test_an_autolink_of_one_direction_says_what_is_missing(direction, said):
    findings = found(A=[WAYPOINT, container(), auto("q", direction)])
    assert [one.message for one in findings if one.kind == "autolink-one-direction"] == [
        f"The address q {said}"
    ]


@pytest.mark.parametrize(("direction", "who"), [("in", "receivers"), ("out", "senders")])
def test_a_link_route_of_one_direction_says_who_is_not_link_routed(direction, who):
    (text,) = (
        one.message
        for one in found(A=[container(), *served("q", "k", direction=direction)])
        if one.rule == "L-6"
    )
    assert (
        text == f"The link route q has direction {direction} only: {who} are not link-routed (L-6)"
    )


def test_listeners_of_one_router_at_one_host_and_port():
    normal, inter = listens(5672, "normal"), listens(5672)
    kind = "listeners-at-one-port"
    assert of(kind, found(A=[normal, inter])) == [(ERROR, "T-13", "A.conf")]
    (one,) = [one for one in found(A=[normal, inter]) if one.kind == kind]
    assert "127.0.0.1:5672" in one.message
    assert "A.conf:5:1" in one.message
    amqp = section("listener", host="127.0.0.1", port="amqp", role="normal")
    assert of(kind, found(A=[normal, amqp])) == [(ERROR, "T-13", "A.conf")]
    for nearest in (
        {"A": [normal, listens(5673)]},
        {"A": [normal], "B": [inter]},
        {"A": [normal, section("listener", host="127.0.0.2", port=5672, role="normal")]},
        {"A": [listens(0), listens(0)]},
    ):
        assert of(kind, found(**nearest)) == []
