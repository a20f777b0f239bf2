"""What the runner of AMQ Interconnect vectors makes of fields and forms that the vectors of this
project do not use.
"""

from __future__ import annotations

import pytest
from conformance import amq_interconnect_cases

WAYPOINT = {"prefix": "q", "waypoint": True}
LINE = [["A", "B", 1], ["B", "C", 1]]
CONTAINER = {
    "name": "K",
    "container": "K",
    "up": True,
    "connections": [{"router": "A", "name": "k", "role": "route-container"}],
}


def auto(direction, **more):
    return {"address": "q", "direction": direction, "connection": "k", **more}


def run(routers, ask, expect=None, **given):
    routers = [{"mode": "interior", **one} for one in routers]
    vector = {
        "given": {"version": "1.19.0", "routers": routers, **given},
        "ask": ask,
        "expect": expect or {},
    }
    return amq_interconnect_cases.run(vector)


def routers(names="AB", **more):
    """Routers of these ids; the first has what is given."""
    return [{"id": name, **(more if place == 0 else {})} for place, name in enumerate(names)]


@pytest.mark.parametrize(
    ("name", "about", "given"),
    [
        ("partition", "ABC", {"routers": routers("ABC"), "links": [["A", "B", 1]]}),
        ("single points of failure", "B", {"routers": routers("ABC"), "links": LINE}),
        ("duplicate router id", "A", {"routers": routers("AA", address=[{"prefix": "q"}])}),
        ("waypoint entry without in/out autolink", "A", {"routers": routers(address=[WAYPOINT])}),
        ("prefix with wildcard", "A", {"routers": routers(address=[{"prefix": "q.*"}])}),
        (
            "enableFallback without fallback autolink",
            "A",
            {"routers": routers(address=[{"prefix": "q", "enableFallback": True}])},
        ),
        (
            "fallback autolink without enableFallback at the ingress",
            "A",
            {"routers": routers(autoLink=[auto("out", fallback=True)]), "brokers": [CONTAINER]},
        ),
        (
            "out without in and in without out",
            "A",
            {
                "routers": routers(autoLink=[auto("out")], address=[WAYPOINT]),
                "brokers": [CONTAINER],
            },
        ),
        (
            "inactive connection references",
            "A",
            {"routers": routers(autoLink=[auto("out"), auto("in")], address=[WAYPOINT])},
        ),
        (
            "link route covering a message-routed address",
            "A",
            {
                "routers": routers(
                    "A",
                    address=[{"prefix": "q"}],
                    linkRoute=[{"prefix": "q", "direction": "in", "connection": "k"}],
                )
            },
        ),
        (
            "role mismatch",
            "AB",
            {
                "routers": routers(),
                "connections": [
                    {
                        "connector": "A",
                        "listener": "B",
                        "connectorRole": "inter-router",
                        "listenerRole": "normal",
                    }
                ],
            },
        ),
        (
            "cost mismatch at the two ends",
            "AB",
            {
                "routers": routers(),
                "connections": [
                    {"connector": "A", "listener": "B", "connectorCost": 2, "listenerCost": 5}
                ],
            },
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) > 3 else "",
)
def test_findings_have_the_names_of_the_rules_and_the_routers_they_are_about(name, about, given):
    wanted = {"findings": [{"finding": name, "routers": list(about)}]}
    assert run(ask={"op": "lint"}, expect=wanted, **given)["findings"] == [
        {"finding": name, "routers": sorted(set(about))}
    ]


def test_routers_without_a_path_have_none():
    assert run(routers(), {"op": "path", "from": "A", "to": "B"})["path"] is None


def test_ids_with_hyphens_and_parallel_links_are_told_apart():
    found = run(
        routers(["r-1", "r-2"]),
        {"op": "routes", "at": "r-1"},
        links=[["r-1", "r-2", 4], ["r-1", "r-2", 2]],
    )
    assert (found["table"]["r-2"]["cost"], found["linkCost"]) == (2, {"r-1-r-2": 2})


def test_status_counts_entries_as_the_file_does_and_an_in_autolink_is_no_destination():
    both = {"address": "x", "direction": "out", "connection": "k", "containerId": "K"}
    given = {"routers": routers(autoLink=[both, auto("in"), auto("out")]), "brokers": [CONTAINER]}

    def status(index):
        return run(ask={"op": "status", "entity": "autoLink", "index": index}, **given)

    assert [status(index)["operStatus"] for index in range(3)] == [None, "active", "active"]
    assert [status(index)["destination"] for index in range(3)] == [False, False, True]


def test_messages_stored_in_two_containers_have_two_places_of_ingress():
    second = {
        **CONTAINER,
        "name": "L",
        "container": "L",
        "connections": [{"router": "B", "name": "k", "role": "route-container"}],
    }
    found = run(
        [{"id": name, "address": [WAYPOINT], "autoLink": [auto("in")]} for name in "AB"],
        {"op": "deliverStored"},
        links=[["A", "B", 1]],
        brokers=[{**CONTAINER, "stored": {"q": 2}}, {**second, "stored": {"q": 1}}],
        receivers=[{"id": "r", "router": "B", "address": "q"}],
    )
    assert found["received"] == {"r": {"count": 3, "paths": {"A>B": 2, "B": 1}}}
    assert found["ingress"] == ["A", "B"]


def test_an_address_that_waits_under_an_external_name_is_listed_under_its_own():
    found = run(
        [{"id": "A", "address": [WAYPOINT], "autoLink": [auto("in", externalAddress="EXT")]}],
        {"op": "deliverStored"},
        brokers=[{**CONTAINER, "stored": {"EXT": 1}}],
        receivers=[{"id": "r", "router": "A", "address": "q"}],
    )
    assert (found["received"]["r"]["count"], found["destinations"]) == (1, {"M1q": {"A": ["r"]}})


def test_treatments_that_depend_on_an_order_are_open_where_the_vector_says_so():
    ask = {"op": "send", "router": "A", "address": "q", "count": 1}
    each = [
        {"id": "B", "defaultDistribution": "closest"},
        {"id": "C", "defaultDistribution": "multicast"},
    ]
    given = {
        "links": [["A", "B", 1], ["A", "C", 2]],
        "receivers": [
            {"id": "b", "router": "B", "address": "q"},
            {"id": "c", "router": "C", "address": "q"},
        ],
    }
    in_order = run([{"id": "A"}, *each], ask, {"received": {"b": {"count": 1}}}, **given)
    assert in_order["received"] == {"b": {"count": 1}}
    open_ = run(
        [{"id": "A"}, *each],
        ask,
        {"oneOf": [{"b": {"count": 1}}, {"b": {"count": 1}, "c": {"count": 1}}]},
        **given,
    )
    assert sorted(map(len, open_["oneOf"])) == [1, 2]


def test_the_routers_of_a_skupper_network_forget_at_once():
    found = run(
        routers("ABC"),
        {"op": "send", "router": "A", "address": "q", "count": 1},
        links=LINE,
        receivers=[{"id": "c", "router": "C", "address": "q"}],
        down=["B"],
        version="2.7.0",
    )
    assert found["transient"] == {"maxSeconds": 1, "outcome": "released"}
