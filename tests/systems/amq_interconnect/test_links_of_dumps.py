"""The links and neighbours that dumps of running routers say."""

from __future__ import annotations

import json

from systems.amq_interconnect.dumped import LONG, Dump, findings, kinds, links


def test_a_connector_leads_to_the_router_that_its_connection_names_whatever_its_host(estate):
    a = Dump("A").listener(cost=5).neighbours("B", B=5)
    b = Dump("B").connector("up", "A", host="lb.example", port="443", cost=2).neighbours("A", A=5)
    network = estate(a, b)
    assert links(network) == [("A", "B", 5)]
    assert kinds(network) == ["cost-mismatch"]


def test_the_message_of_a_connector_names_its_peer_where_the_connection_is_not_shown(estate):
    a = Dump("A").listener().neighbours("B")
    b = (
        Dump("B")
        .connector("up", "", message="[C1] Connection Opened: dir=out host=x:1 container_id=A")
        .neighbours("A")
    )
    assert links(estate(a, b)) == [("A", "B", 1)]


def test_a_file_whose_host_says_nothing_is_helped_by_the_dump(estate):
    file = """\
        router {
            mode: interior
            id: B
        }
        connector {
            name: up
            host: lb.example
            port: 443
            role: inter-router
        }
        """
    other = (
        file.replace("id: B", "id: A")
        .replace("connector", "listener")
        .replace("lb.example", "0.0.0.0")
        .replace("443", "55672")
    )
    b = Dump("B").connector("up", "A", host="lb.example", port="443").neighbours("A")
    assert links(estate(files={"A.conf": other.replace("name: up", ""), "B.conf": file})) == []
    network = estate(b, files={})
    assert links(network) == [("A", "B", 1)]
    assert "unmatched-connector" not in kinds(network)


def test_a_link_counts_only_if_both_routers_list_each_other(estate):
    a = Dump("A").listener().neighbours()
    b = Dump("B").connector("up", "A").neighbours("A")
    network = estate(a, b)
    assert links(network) == []
    ((_, place, message),) = findings(network, "neighbours-disagree")
    assert place.startswith("B.json:")
    assert message == "B lists A as its neighbour, A does not list B: the link is not counted"


def test_a_connector_that_is_not_connected_gives_no_link_and_says_why(estate):
    a = Dump("A").listener().neighbours()
    b = (
        Dump("B")
        .connector("up", "", status="FAILED", message="Connection to h:55672 failed: refused")
        .neighbours()
    )
    network = estate(a, b)
    assert links(network) == []
    ((_, place, message),) = findings(network, "connector-not-connected")
    assert place.startswith("B.json:")
    assert (
        message
        == "The connector up is not connected (FAILED): Connection to h:55672 failed: refused"
    )


def test_a_role_mismatch_of_running_routers_is_named(estate):
    a = Dump("A").listener(port="5673", role="normal").neighbours()
    b = Dump("B").connector("up", "A", port="5673").neighbours()
    assert "role-mismatch" in kinds(estate(a, b))


def test_a_neighbour_of_which_nothing_is_loaded_may_lead_anywhere(estate):
    network = estate(Dump("A").listener().neighbours("B"))
    answer = network.reach("A")
    assert [one.server for one in answer.undetermined] == ["B"]
    ((_, _, message),) = findings(network, "router-not-loaded")
    assert "The router B is in the network (known to A)" in message


def test_the_active_uplink_of_an_edge_router_is_the_one_its_dump_says(estate):
    edge = (
        Dump("E", mode="edge")
        .connector("one", "A", host="a", port="1", role="edge")
        .connector("two", "B", host="b", port="1", role="edge")
    )
    edge.rows[-3]["active"], edge.rows[-1]["active"] = False, True
    a, b = Dump("A").listener("1", "edge"), Dump("B").listener("1", "edge")
    network = estate(a.neighbours(), b.neighbours(), edge)
    assert links(network) == [("B", "E", 0)]
    assert [(row["from"], row["to"]) for row in network.show("routes").rows if row["standby"]] == [
        ("A", "E")
    ]
    assert "several-uplinks" not in kinds(network)


def test_a_router_that_only_a_table_still_knows_may_be_gone(estate):
    a = Dump("A").neighbours().add("router.node", id="X", nextHop="Y", cost=7, linkState=["Y"])
    assert [
        kind for kind, _, _ in findings(estate(a), "router-perhaps-gone", "router-not-loaded")
    ] == ["router-perhaps-gone"]


def test_single_queries_of_one_router_are_put_together_by_the_name_of_the_file(estate, tmp_path):
    b = Dump("B").connector("up", "A").neighbours("A")
    for type_ in ("connector", "connection", "router.node"):
        rows = [row for row in b.rows if row["type"] == LONG + type_]
        (tmp_path / f"B.{type_}.json").write_text(json.dumps(rows))
    b.rows = b.rows[:2]
    network = estate(Dump("A").listener().neighbours("B"), b)
    assert links(network) == [("A", "B", 1)]


def test_a_query_that_says_of_no_router_is_not_guessed(estate, tmp_path):
    (tmp_path / "listeners.json").write_text(json.dumps([{"type": LONG + "listener", "port": "1"}]))
    network = estate(Dump("A"), Dump("B"))
    ((_, place, message),) = findings(network, "unclaimed-file")
    assert place == "listeners.json:0"
    assert "put the server's name into the file name" in message


def test_of_two_queries_of_one_router_the_later_by_path_counts_and_that_is_said(estate, tmp_path):
    (tmp_path / "B-old.json").write_text(json.dumps(Dump("B").neighbours("A").rows))
    network = estate(Dump("A").neighbours("B"), Dump("B").neighbours())
    assert "several-dumps" in kinds(network)
