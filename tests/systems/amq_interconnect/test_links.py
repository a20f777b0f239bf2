"""Link discovery (rules T-1 to T-3, T-10, T-11, T-13) and edge uplinks (E-1, E-2, E-5)."""

from __future__ import annotations

import json

import pytest
from systems.amq_interconnect.configured import router

from topograph.findings import Severity


def hub(*endpoints):
    return router("HUB", "listener hub:6000 inter-router", *endpoints)


def test_a_connector_and_a_listener_on_one_host_and_port_make_a_link_both_ways(network):
    net = network({"h": hub(), "a": router("A", "connector hub:6000 inter-router")})
    assert net.links() == [("A", "HUB", 1)]
    assert (net.path("A", "HUB"), net.path("HUB", "A")) == (("A", "HUB"), ("HUB", "A"))
    (step,) = [forward for forward in net.graph.forwards() if forward.key == "A=>HUB>HUB=>HUB"]
    assert (step.rule, step.confidence, str(step.source), step.cost) == ("T-1", "A", "a:5:1", 1)
    assert (net.findings, net.undetermined("A")) == ((), {})


@pytest.mark.parametrize(
    ("service", "number"), [("amqp", "5672"), ("amqps", "5671"), ("amqp", "05672")]
)
def test_service_names_are_port_numbers(network, service, number):
    a, b = f"connector b:{number} inter-router", f"listener b:{service} inter-router"
    assert network({"a": router("A", a), "b": router("B", b)}).links() == [("A", "B", 1)]


def test_host_names_differ_in_no_case(network):
    net = network(
        {
            "a": router("A", "connector B.Example:1 inter-router"),
            "b": router("B", "listener b.example:1 inter-router"),
        }
    )
    assert net.links() == [("A", "B", 1)]


def test_the_larger_cost_of_the_two_ends_counts(network):
    a, b = "connector b:1 inter-router 3", "listener b:1 inter-router 7"
    net = network({"a": router("A", a), "b": router("B", b)})
    assert net.links() == [("A", "B", 7)]
    assert [
        (finding.kind, finding.rule, finding.severity, str(finding.source))
        for finding in net.findings
    ] == [("cost-mismatch", "T-3", Severity.INFO, "a:5:1")]


def test_a_cost_at_one_end_only_is_no_mismatch(network):
    net = network(
        {
            "a": router("A", "connector b:1 inter-router 3"),
            "b": router("B", "listener b:1 inter-router"),
        }
    )
    assert (net.links(), net.findings) == ([("A", "B", 3)], ())


def test_a_link_whose_cost_is_below_one_at_both_ends_does_not_count(network):
    net = network(
        {
            "a": router("A", "connector b:1 inter-router 0"),
            "b": router("B", "listener b:1 inter-router -2"),
        }
    )
    assert (net.links(), net.kinds) == ([], ["link-cost-below-one"])


def test_a_loopback_connector_leads_to_a_router_that_topograph_yaml_places_on_its_machine(network):
    routers = {
        "a": router("A", "connector 127.0.0.1:5001 inter-router"),
        "b": router("B", "listener 0.0.0.0:5001 inter-router"),
        "c": router("C", "listener 0.0.0.0:5001 inter-router"),
    }
    assert network(routers).links() == []
    net = network(routers, machines={"rack": ("A", "C")})
    assert net.links() == [("A", "C", 1)]
    (guard,) = net.graph.guards
    assert guard.text == "A and C run on rack, as topograph.yaml:1 says"
    assert net.graph.links[0].confidence == "A"
    elsewhere = network(routers, machines={"rack": ("A",), "other": ("C",)})
    assert elsewhere.links() == [("A", "B", 1)]
    assert network(routers, machines={"one": ("A",), "other": ("B", "C")}).links() == []


@pytest.mark.parametrize("local", ["127.0.0.1", "localhost", "127.0.0.2"])
def test_on_one_machine_the_port_decides(network, local):
    net = network(
        {
            "a": router(
                "A", f"connector {local}:5001 inter-router", f"connector {local}:5002 inter-router"
            ),
            "b": router("B", "listener 127.0.0.1:5001 inter-router"),
            "c": router("C", "listener 127.0.0.1:5002 inter-router"),
        }
    )
    assert net.links() == [("A", "B", 1), ("A", "C", 1)]


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_a_connector_to_an_unspecified_address_stays_on_its_machine(network, host):
    net = network(
        {
            "a": router("A", f"connector {host}:5001 inter-router"),
            "b": router("B", f"listener {host}:5001 inter-router"),
        }
    )
    assert net.links() == [("A", "B", 1)]
    # B listens on all addresses of a machine, which need not be that of A
    assert [(finding.kind, finding.rule) for finding in net.findings] == [("host-assumed", "T-13")]
    (guard,) = net.graph.guards
    assert "the port on one machine" in guard.text


def test_an_unspecified_address_does_not_choose_between_two_machines(network):
    listener = "listener 0.0.0.0:5001 inter-router"
    net = network(
        {
            "a": router("A", "connector 0.0.0.0:5001 inter-router"),
            "b": router("B", listener),
            "c": router("C", listener),
        }
    )
    assert (net.links(), net.kinds) == ([], ["unmatched-connector"])


def test_a_loopback_listener_is_not_reached_from_elsewhere(network):
    net = network(
        {
            "a": router("A", "connector b:1 inter-router"),
            "b": router("B", "listener 127.0.0.1:1 inter-router"),
        }
    )
    assert (net.links(), net.kinds) == ([], ["unmatched-connector"])


def test_the_only_router_that_listens_for_all_hosts_on_that_port_is_assumed(network):
    net = network(
        {
            "a": router("A", "connector routerb:15672 inter-router"),
            "b": router("B", "listener 0.0.0.0:15672 inter-router"),
        }
    )
    assert net.links() == [("A", "B", 1)]
    (finding,) = net.findings
    assert (finding.kind, finding.rule) == ("host-assumed", "T-13")
    assert '"routerb:15672": B' in finding.message
    (guard,) = net.graph.guards
    assert guard.kind == "position"
    assert json.loads(guard.payload)["rule"] == "T-13"
    assert net.graph.forward(*net.reached_from("A").paths[1]).guards == (0,)


def test_a_host_that_could_be_several_routers_is_not_guessed(network):
    net = network(
        {
            "a": router("A", "connector west:1 inter-router"),
            "w": router("WEST", "listener 0.0.0.0:1 inter-router"),
            "e": router("EAST", "listener 0.0.0.0:1 inter-router"),
        }
    )
    assert net.links() == []
    (finding,) = net.findings
    assert (finding.kind, finding.severity, str(finding.source)) == (
        "unmatched-connector",
        Severity.WARNING,
        "a:5:1",
    )
    assert finding.message.endswith(
        'By its name it could be WEST; if so, add to topograph.yaml under hosts: "west:1": WEST'
    )
    assert net.names == ["A", "EAST", "WEST", "west:1"]
    assert [(server.loaded, server.open_ended) for server in net.graph.servers] == [
        (True, False)
    ] * 3 + [(False, True)]
    assert net.undetermined("A").keys() == {"EAST", "WEST", "west:1"}
    # A router at that address may have links to both.
    assert net.undetermined("EAST").keys() == {"A", "WEST", "west:1"}


def test_two_hosts_are_not_taken_for_one_router(network):
    net = network(
        {
            "a": router("A", "connector north:1 inter-router"),
            "b": router("B", "connector south:1 inter-router"),
            "c": router("C", "listener 0.0.0.0:1 inter-router"),
        }
    )
    assert (net.links(), net.kinds) == ([], ["unmatched-connector", "unmatched-connector"])


def test_a_hosts_entry_decides_before_everything_else(network):
    texts = {
        "a": router("A", "connector b:1 inter-router"),
        "b": router("B", "listener b:1 inter-router"),
        "c": router("C", "listener 0.0.0.0:1 inter-router"),
    }
    assert network(texts).links() == [("A", "B", 1)]
    assert network(texts, hosts={"b": "C"}).links() == [("A", "C", 1)]
    net = network(texts, hosts={"b": "C", "b:1": "B"})
    assert net.links() == [("A", "B", 1)]
    assert [guard.text for guard in net.graph.guards] == ["b:1 is B, as topograph.yaml:1 says"]


def test_a_hosts_entry_with_port_may_name_a_router_behind_another_port(network):
    texts = {
        "a": router("A", "connector service:80 inter-router"),
        "b": router("B", "listener 0.0.0.0:1 inter-router"),
    }
    net = network(texts, hosts={"service:80": "B"})
    assert (net.links(), net.kinds) == ([("A", "B", 1)], ["host-assumed"])
    assert network(texts, hosts={"service": "B"}).kinds == ["unmatched-connector"]


def test_a_hosts_entry_may_name_a_router_of_which_no_file_is_loaded(network):
    net = network({"a": router("A", "connector far:1 inter-router")}, hosts={"far": "FAR"})
    assert net.names == ["A", "FAR"]
    assert net.undetermined("A") == {
        "FAR": "A connects to FAR, and topograph.yaml names FAR, of which no file is loaded"
    }


def test_whether_two_routers_of_which_no_file_is_loaded_reach_each_other_is_not_known(network):
    net = network(
        {"a": router("A", "connector gone:1 inter-router", "connector far:2 inter-router")}
    )
    assert net.undetermined("gone:1").keys() == {"A", "far:2"}


def test_a_connector_to_nowhere_leads_outside(network):
    net = network({"a": router("A", "connector gone:9999 inter-router"), "b": router("B")})
    assert net.names == ["A", "B", "gone:9999"]
    assert net.kinds == ["unmatched-connector"]
    assert (net.reached("A"), net.undetermined("A").keys()) == (set(), {"B", "gone:9999"})
    assert net.undetermined("gone:9999") == {
        "A": "no file of gone:9999 is loaded",
        "B": "no file of gone:9999 is loaded",
    }


@pytest.mark.parametrize(
    ("at_a", "at_b", "mode"),
    [
        ("inter-router", "normal", "interior"),
        ("normal", "inter-router", "interior"),
        ("edge", "inter-router", "edge"),
        ("inter-router", "edge", "interior"),
        ("inter-router", "route-container", "interior"),
    ],
)
def test_different_roles_at_the_two_ends_make_no_neighbours(network, at_a, at_b, mode):
    net = network(
        {
            "a": router("A", f"connector b:1 {at_a}", mode=mode),
            "b": router("B", f"listener b:1 {at_b}"),
        }
    )
    assert (net.links(), net.reached("A"), net.reached("B")) == ([], set(), set())
    (finding,) = net.findings
    assert (finding.kind, finding.rule, finding.severity) == (
        "role-mismatch",
        "T-2",
        Severity.ERROR,
    )
    assert "b:5:1" in finding.message


@pytest.mark.parametrize(
    ("at_a", "at_b"),
    [("normal", "normal"), ("route-container", "normal"), ("route-container", "route-container")],
)
def test_connections_of_clients_and_containers_are_no_links_and_no_matter(network, at_a, at_b):
    net = network(
        {"a": router("A", f"connector b:1 {at_a}"), "b": router("B", f"listener b:1 {at_b}")}
    )
    assert (net.links(), net.findings) == ([], ())


@pytest.mark.parametrize("host", ["127.0.0.1", "a"])
def test_a_connector_to_itself_is_no_link(network, host):
    net = network(
        {"a": router("A", f"listener {host}:1 inter-router", f"connector {host}:1 inter-router")}
    )
    assert (net.links(), net.kinds) == ([], ["self-connection"])


def test_parallel_links_are_an_error_and_every_path_over_them_rests_on_a_position(network):
    net = network(
        {
            "a": router("A", "connector b:1 inter-router 2", "connector b:2 inter-router 6"),
            "b": router("B", "listener b:1 inter-router", "listener b:2 inter-router"),
            "c": router("C", "connector b:1 inter-router"),
        }
    )
    assert net.links() == [("A", "B", 2), ("A", "B", 6), ("B", "C", 1)]
    (finding,) = [finding for finding in net.findings if finding.kind == "parallel-links"]
    assert (finding.rule, finding.severity, str(finding.source)) == (
        "T-11",
        Severity.ERROR,
        "a:11:1",
    )
    assert "cost 2 to 6" in finding.message
    first, second = net.reached_from("A").paths[2][:2]
    step = net.graph.forward(first, second)
    assert (step.rule, step.confidence) == ("T-11", "I")
    assert [net.graph.guards[guard].text for guard in step.guards] == [
        "2 parallel links between A and B with cost 2 to 6: which one counts changes"
    ]


def test_a_link_configured_at_both_routers_is_parallel_too(network):
    net = network(
        {
            "a": router("A", "connector b:1 inter-router", "listener a:1 inter-router"),
            "b": router("B", "connector a:1 inter-router", "listener b:1 inter-router"),
        }
    )
    assert net.kinds == ["parallel-links"]


def test_two_files_with_one_router_id_are_told_apart_and_reported(network):
    net = network(
        {
            "x.conf": router("R", "listener r:1 inter-router"),
            "y.conf": router("R"),
            "a.conf": router("A", "connector r:1 inter-router"),
        }
    )
    assert net.names == ["A", "R (x.conf)", "R (y.conf)"]
    assert [(finding.kind, finding.rule, str(finding.source)) for finding in net.findings] == [
        ("duplicate-router-id", "T-10", "x.conf:1:1"),
    ]
    assert "is in 2 files (x.conf, y.conf)" in net.findings[0].message
    assert [bool(server.incomplete) for server in net.graph.servers] == [False, True, True]
    assert net.links() == [("A", "R (x.conf)", 1)]


def test_two_routers_with_one_id_do_not_become_neighbours(network):
    net = network(
        {
            "x.conf": router("R", "listener r:1 inter-router"),
            "y.conf": router("R", "connector r:1 inter-router"),
        }
    )
    assert (net.links(), net.reached("R (y.conf)"), net.undetermined("R (y.conf)")) == (
        [],
        set(),
        {},
    )
    assert net.kinds == ["duplicate-router-id", "neighbour-of-same-id"]
    finding = net.findings[-1]
    assert (finding.rule, finding.severity, str(finding.source)) == (
        "T-10",
        Severity.ERROR,
        "y.conf:5:1",
    )


def two_of_one_id(**more):
    """A and B at C, D beyond the R of x.conf, which has the id of that of y.conf; what else
    there is.
    """
    return {
        "x.conf": router("R", "connector c:1 inter-router", "listener r:1 inter-router"),
        "y.conf": router("R", "connector c:1 inter-router"),
        "c": router("C", "listener c:1 inter-router"),
        "a": router("A", "connector c:1 inter-router"),
        "d": router("D", "connector r:1 inter-router"),
        **more,
    }


def test_whether_two_routers_of_one_id_are_reached_is_not_known_nor_what_is_behind_them(network):
    net = network(two_of_one_id())
    assert net.links() == [("A", "C", 1)]
    because = (
        "R (x.conf) and R (y.conf) have one router id, R: the other routers see one router "
        "that keeps changing between them"
    )
    assert (net.reached("A"), net.undetermined("A")) == (
        {"C"},
        {"R (x.conf)": because, "R (y.conf)": because, "D": because},
    )
    assert net.undetermined("R (x.conf)").keys() == {"A", "C", "D", "R (y.conf)"}
    assert net.undetermined("D").keys() == {"A", "C", "R (x.conf)", "R (y.conf)"}


def test_beyond_two_routers_of_one_id_a_way_that_passes_neither_is_certain(network):
    net = network(
        two_of_one_id(d=router("D", "connector r:1 inter-router", "connector c:1 inter-router 9"))
    )
    assert net.reached("A") == {"C", "D"}
    assert net.cost("A", "D") == 10


def test_one_id_in_two_networks_that_nothing_joins_leaves_both_certain(network):
    net = network(
        {
            "x.conf": router("R", "connector a:1 inter-router"),
            "a": router("A", "listener a:1 inter-router"),
            "y.conf": router("R", "connector b:2 inter-router"),
            "b": router("B", "listener b:2 inter-router"),
        }
    )
    assert net.links() == [("A", "R (x.conf)", 1), ("B", "R (y.conf)", 1)]
    assert (net.reached("A"), net.undetermined("A")) == ({"R (x.conf)"}, {})


def test_ids_that_are_filled_in_at_start_are_no_duplicates(network):
    net = network({"x": router("${HOSTNAME}"), "y": router("${HOSTNAME}")})
    assert net.names == ["${HOSTNAME} (x)", "${HOSTNAME} (y)"]
    assert {finding.severity for finding in net.findings} == {Severity.INFO}


def test_a_router_that_does_not_start_has_no_links(network):
    broken = router("B", "listener b:1 inter-router") + "}\n"
    net = network({"a": router("A", "connector b:1 inter-router"), "b": broken})
    assert (net.links(), net.kinds) == ([], ["link-to-stopped-router"])
    assert "does not start" in net.graph.servers[1].incomplete
    assert (net.undetermined("A"), net.undetermined("B")) == ({}, {})


OLD = (
    "router {\n  mode: interior\n  routerId: B\n}\nlistener {\n  addr: b\n  port: 1\n  role: "
    "inter-router\n}\n"
)


@pytest.mark.parametrize(
    ("version", "linked"),
    [({}, True), ({"B": "0.7"}, True), ({"B": "1.17.1"}, False), ({"*": "1.19"}, False)],
)
def test_a_file_in_old_syntax_counts_unless_the_version_is_known_to_refuse_it(
    network, version, linked
):
    net = network({"a": router("A", "connector b:1 inter-router"), "b": OLD}, versions=version)
    assert net.links() == ([("A", "B", 1)] if linked else [])
    assert "1.x refuses this file" in net.graph.servers[1].incomplete


def test_a_file_of_a_router_before_1_0_is_none_of_skupper_router_and_keeps_its_link_routes(network):
    routed = OLD + "linkRoute {\n  prefix: q\n  dir: in\n  containerId: k\n}\n"
    net = network({"a": router("A", "connector b:1 inter-router"), "b": routed})
    assert net.links() == [("A", "B", 1)]


SKUPPER = (
    router("B", "listener b:1 inter-router")
    + "proxyProfile {\n  name: p\n  host: proxy\n  port: 3128\n}\n"
)


@pytest.mark.parametrize(
    ("version", "linked"),
    [({}, True), ({"B": "3.4.0"}, True), ({"B": "1.19.0"}, False), ({"*": "1.12"}, False)],
)
def test_a_file_that_only_skupper_router_reads_counts_unless_the_version_is_known_to_refuse_it(
    network, version, linked
):
    net = network({"a": router("A", "connector b:1 inter-router"), "b": SKUPPER}, versions=version)
    assert net.links() == ([("A", "B", 1)] if linked else [])
    assert bool(net.graph.servers[1].incomplete) is not linked


@pytest.mark.parametrize(
    ("version", "linked"), [({}, True), ({"B": "1.19.0"}, True), ({"B": "2.7.1"}, False)]
)
def test_skupper_router_does_not_start_with_what_it_no_longer_has(network, version, linked):
    routed = (
        router("B", "listener b:1 inter-router")
        + "linkRoute {\n  prefix: q\n  direction: in\n  containerId: k\n}\n"
    )
    net = network({"a": router("A", "connector b:1 inter-router"), "b": routed}, versions=version)
    assert net.links() == ([("A", "B", 1)] if linked else [])
    assert (
        "which has no linkRoute like that at b:10:1 (S-2)" in net.graph.servers[1].incomplete
    ) is not linked


@pytest.mark.parametrize(
    "stated", ["waypoint: no", "ingressPhase: 0\n  egressPhase: 1", "enableFallback: yes"]
)
@pytest.mark.parametrize(
    ("base", "version", "linked"),
    [
        (router("B", "listener b:1 inter-router"), {}, True),
        (router("B", "listener b:1 inter-router"), {"*": "3.4"}, False),
        (SKUPPER, {}, False),
    ],
)
def test_skupper_router_does_not_start_with_addresses_of_attributes_that_it_no_longer_has(
    network, stated, base, version, linked
):
    entry = f"address {{\n  prefix: q\n  {stated}\n}}\n"
    net = network(
        {"a": router("A", "connector b:1 inter-router"), "b": base + entry}, versions=version
    )
    assert net.links() == ([("A", "B", 1)] if linked else [])
    line = base.count("\n") + 3
    said = (
        f"it is a Skupper Router, which has no address with {stated.partition(':')[0]} like "
        f"that at b:{line}:"
    )
    assert (said in net.graph.servers[1].incomplete) is not linked


def test_what_edges_of_a_mesh_pass_on_to_each_other_is_not_known(network):
    net = network(
        {
            "e": router("E", "connector f:1 inter-edge", "connector a:2 edge", mode="edge"),
            "f": router("F", "listener f:1 inter-edge", mode="edge"),
            "a": router("A", "listener a:2 edge"),
        }
    )
    assert "role-not-followed" in net.kinds
    assert (net.reached("E"), net.undetermined("E").keys()) == ({"A"}, {"F"})
    assert net.undetermined("F").keys() == {"A", "E"}
    assert "(edges of a mesh)" in net.undetermined("F")["E"]


def test_a_connection_to_another_network_leads_outside(network):
    net = network(
        {
            "a": router("A", "connector far:1 inter-network", "listener a:1 inter-router"),
            "b": router("B", "connector a:1 inter-router"),
        }
    )
    assert (net.reached("B"), net.undetermined("B").keys()) == ({"A"}, {"far:1"})


def test_a_standalone_router_has_no_place_in_the_network(network):
    net = network(
        {"a": router("A", mode="standalone"), "b": router("B", "connector gone:1 inter-router")}
    )
    assert [(point.key, point.kind) for point in net.graph.points[:2]] == [
        ("A=>A", "apart"),
        ("B=>B", "toward"),
    ]
    assert (net.undetermined("A"), net.undetermined("B").keys()) == ({}, {"gone:1"})


EDGES = {
    "h": hub("listener hub:7000 edge"),
    "i": router("I", "connector hub:6000 inter-router 5", "listener i:7000 edge"),
    "e": router("E", "connector hub:7000 edge", mode="edge"),
    "f": router("F", "connector i:7000 edge", mode="edge"),
}


def test_an_edge_is_reached_by_its_interior_router_at_no_cost(network):
    net = network(EDGES)
    assert net.path("E", "F") == ("E", "HUB", "I", "F")
    assert (net.cost("E", "F"), net.cost("E", "HUB"), net.cost("I", "F")) == (5, 0, 0)
    rules = [
        (forward.key, forward.rule, forward.confidence)
        for forward in net.graph.forwards()
        if forward.key.startswith(("E=>F", "I=>F"))
    ]
    assert sorted(rules) == [("E=>F>HUB=>F", "E-1", "B"), ("I=>F>F=>F", "E-2", "B")]
    assert net.links() == [("HUB", "I", 5)]


@pytest.mark.parametrize(
    ("mode", "other"),
    [("edge", "connector hub:7000 edge"), ("interior", "connector hub:6000 inter-router")],
)
def test_what_an_edge_rests_on_whose_id_another_router_has(network, mode, other):
    net = network({**EDGES, "g": router("E", other, mode=mode)})
    assert net.path("F", "E (e)") == ("F", "I", "HUB", "E (e)")
    text = "E (e) and E (g) have one router id, E: E (e) is taken for a separate router"
    (link,) = [link for link in net.graph.links if net.names[link.a] == "E (e)"]
    assert [net.graph.guards[number].text for number in link.guards] == [text]
    assert link.confidence == "I"


def test_two_edges_of_one_interior_router_reach_each_other(network):
    net = network({**EDGES, "g": router("G", "connector hub:7000 edge", mode="edge")})
    assert net.path("E", "G") == ("E", "HUB", "G")


def test_of_several_uplinks_the_first_is_taken_and_that_is_said(network):
    two = router("E", "connector i:7000 edge", "connector hub:7000 edge", mode="edge")
    net = network({**EDGES, "e": two})
    assert net.path("E", "HUB") == ("E", "I", "HUB")
    assert [finding.rule for finding in net.findings if finding.kind == "several-uplinks"] == [
        "E-1"
    ]
    (step,) = [forward for forward in net.graph.forwards() if forward.key == "E=>I>I=>I"]
    assert step.confidence == "I"
    assert net.graph.guards[step.guards[0]].text == (
        "E has several uplinks, to HUB, I: the one that opens first is active, taken here: I"
    )


def test_an_edge_whose_uplink_leads_outside_is_undetermined(network):
    net = network({**EDGES, "e": router("E", "connector gone:7000 edge", mode="edge")})
    assert net.reached("E") == set()
    assert net.undetermined("E").keys() == {"HUB", "I", "F", "gone:7000"}
    assert net.undetermined("HUB").keys() == {"E", "gone:7000"}
