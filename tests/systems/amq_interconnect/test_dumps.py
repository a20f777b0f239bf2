"""Networks known from dumps, alone and beside files: links, routes, and what runs against what
is configured (D-1 to D-7).
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from textwrap import dedent

import pytest

import topograph
from topograph.importers.amq_interconnect import parse_dump
from topograph.side_inputs import SideInputs
from topograph.systems.amq_interconnect.network.observed import observed_of
from topograph.systems.amq_interconnect.network.routers import routers_of

GOLDEN = Path(__file__).parents[2] / "golden" / "amq_interconnect"
RECORDED = sorted(GOLDEN.glob("*/dump"))

LONG = "org.apache.qpid.dispatch."


class Dump:
    """The dump of one router, made entity by entity."""

    def __init__(self, id_, mode="interior"):
        self.id = id_
        self.rows = [
            {"type": LONG + "router", "identity": "1", "id": id_, "mode": mode, "version": "1.19.0"}
        ]
        self.add(
            "listener",
            identity="l",
            name="listener/0.0.0.0:5672",
            host="0.0.0.0",
            port="5672",
            role="normal",
        )

    def add(self, type_, **attributes):
        self.rows.append({"type": LONG + type_, **attributes})
        return self

    def neighbours(self, *ids, **costs):
        self.add("router.node", id=self.id, nextHop="(self)", linkState=list(ids))
        for number, id_ in enumerate(ids):
            self.add(
                "router.node",
                id=id_,
                routerLink=number,
                cost=costs.get(id_, 1),
                linkState=[self.id],
            )
        return self

    def connector(
        self,
        name,
        to,
        host="h",
        port="55672",
        role="inter-router",
        cost=1,
        status="SUCCESS",
        message="",
    ):
        self.add("connector", identity=name, name=name, host=host, port=port, role=role, cost=cost,
            connectionStatus=status,
                 connectionMsg=message)  # fmt: skip
        if to:
            self.add(
                "connection",
                identity=f"{len(self.rows)}",
                host=f"{host}:{port}",
                container=to,
                role=role,
                dir="out",
            )
        return self

    def listener(self, port="55672", role="inter-router", cost=1):
        return self.add(
            "listener",
            identity=f"l{port}",
            name=f"listener/0.0.0.0:{port}",
            host="0.0.0.0",
            port=port,
            role=role,
            cost=cost,
        )


@pytest.fixture
def estate(tmp_path):
    """``estate(Dump, ..., files={name: text})``: the network of a folder that holds them."""

    def made(*dumps, files=()):
        for dump in dumps:
            (tmp_path / f"{dump.id}.json").write_text(json.dumps(dump.rows, indent=1))
        for name, text in dict(files).items():
            (tmp_path / name).write_text(dedent(text))
        return topograph.read(tmp_path)

    return made


def links(network):
    return [
        (row["from"], row["to"], row["cost"])
        for row in network.show("routes").rows
        if not row["standby"]
    ]


RULES = {
    "refused-but-runs": ("C-2", "warning"),
    "not-running": ("D-2", "warning"),
    "not-configured": ("D-2", "warning"),
    "configuration-from-dump": ("D-2", "info"),
    "connector-not-connected": ("D-6", "warning"),
    "autolink-not-active": ("D-6", "warning"),
    "linkroute-not-active": ("D-6", "warning"),
    "router-not-loaded": ("D-3", "warning"),
    "router-perhaps-gone": ("T-9", "info"),
    "router-not-told": ("3.3", "info"),
    "router-not-running": ("D-3", "warning"),
    "link-not-up": ("D-3", "warning"),
    "link-not-configured": ("D-3", "warning"),
    "parallel-links": ("T-11", "error"),
    "route-differs": ("T-4", "warning"),
}
"""The rule and severity of what a dump says beside a file, by kind."""


def findings(network, *kinds):
    rows = [row for row in network.show("findings").rows if row["kind"] in kinds or not kinds]
    for row in rows:
        assert (row["rule"], row["severity"]) == RULES.get(
            row["kind"], (row["rule"], row["severity"])
        ), row
    return [
        (row["kind"], f"{row['source']['file']}:{row['source']['line']}", row["message"])
        for row in rows
    ]


def kinds(network):
    expected = {
        "configuration-from-dump",
        "partition",
        "single-point-of-failure",
        "edge-with-one-uplink",
    }
    return sorted({row["kind"] for row in network.show("findings").rows} - expected)


# --- recorded dumps
# -----------------------------------------------------------------------------------------------


def recorded_routes(case):
    for file in case.glob("*.json"):
        for row in json.loads(file.read_text()):
            if row["type"].endswith("router.node") and "cost" in row:
                yield file.stem, row["id"], row["cost"], row.get("nextHop") or row["id"]


@pytest.mark.parametrize("with_files", [False, True], ids=["dumps alone", "dumps and files"])
@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case.parent.name[:3])
def test_recorded_dumps_give_the_routes_that_the_routers_had(case, with_files, tmp_path):
    if case.parent.name.startswith("p16"):
        pytest.skip("its router tables contradict T-5 (README of the golden cases)")
    shutil.copytree(case, tmp_path / "dump")
    if with_files:
        shutil.copytree(case.parent / "configs", tmp_path / "configs")
    network = topograph.read(tmp_path)
    for here, there, cost, next_hop in recorded_routes(case):
        (path,) = network.paths(here, there).paths
        assert (path.cost, path.servers[1]) == (cost, next_hop)
    differences = {"differs", "not-running", "not-configured", "link-not-up", "link-not-configured",
        "route-differs", "router-not-running",
                   "router-not-loaded", "connector-not-connected", "neighbours-disagree",
                   "autolink-not-active"}  # fmt: skip
    assert not differences & set(kinds(network))


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case.parent.name[:3])
def test_tables_of_qdstat_alone_give_the_next_hops_and_say_where_a_cost_is_assumed(case, tmp_path):
    for file in case.glob("*.txt"):
        shutil.copy(file, tmp_path)
    network = topograph.read(tmp_path)
    if case.parent.name.startswith("p16"):
        assert findings(network, "parallel-links")
        return
    for here, there, _, next_hop in recorded_routes(case):
        answer = network.paths(here, there)
        assert answer.paths[0].servers[1] == next_hop
        assert any(
            "is in none of the dumps" in assumption.text for assumption in answer.assumptions
        )


def test_one_estate_of_files_dumps_and_tables_is_three_routers(tmp_path):
    case = GOLDEN / "p02_ring5_costs"
    for name in (
        "configs/R1.conf",
        "configs/R2.conf",
        "dump/R2.json",
        "dump/R3.json",
        "dump/R4.qdstat.txt",
        "dump/R5.json",
    ):
        shutil.copy(case / name, tmp_path)
    network = topograph.read(tmp_path)
    assert sorted(network.server_names()) == ["R1", "R2", "R3", "R4", "R5"]
    assert network.paths("R1", "R2").paths[0].servers == ("R1", "R5", "R4", "R3", "R2")
    assert "duplicate-router-id" not in kinds(network)


# --- links of dumps
# -----------------------------------------------------------------------------------------------


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


# --- against the files
# --------------------------------------------------------------------------------------------

FILE = """\
    router {
        mode: interior
        id: A
    }
    listener {
        host: 0.0.0.0
        port: amqp
    }
    connector {
        name: broker
        host: b
        port: 5672
        role: route-container
    }
    address {
        prefix: q/
        distribution: closest
    }
    autoLink {
        address: q.1
        direction: out
        connection: broker
    }
    linkRoute {
        prefix: lr
        direction: in
        connection: broker
    }
    """


def running():
    """The dump of a router that runs exactly FILE."""
    dump = Dump("A").neighbours()
    dump.connector("broker", "B", host="b", port="5672", role="route-container")
    dump.add("router.config.address", identity="1", name="address/0", prefix="q",
        distribution="closest", waypoint=False, ingressPhase=0,
             egressPhase=0, priority=-1, fallback=False)  # fmt: skip
    dump.add("router.config.autoLink", identity="2", name="autoLink/0", address="q.1",
        direction="out", connection="broker", phase=0,
             fallback=False, operStatus="active")  # fmt: skip
    return dump.add("router.config.linkRoute", identity="3", name="linkRoute/0", prefix="lr",
        direction="in", connection="broker",
                    distribution="linkBalanced", operStatus="active")  # fmt: skip


def row(dump, type_):
    return next(row for row in dump.rows if row["type"].endswith("." + type_))


def differing(estate, dump):
    network = estate(dump, files={"a.conf": FILE})
    return findings(network, "differs", "not-running", "not-configured", "connector-not-connected",
        "autolink-not-active", "linkroute-not-active",
                    "refused-but-runs", "router-not-running")  # fmt: skip


def test_a_router_that_runs_its_file_differs_in_nothing(estate):
    assert differing(estate, running()) == []


@pytest.mark.parametrize(
    ("type_", "change", "place", "message"),
    [
        (
            "address",
            {"distribution": None},
            "a.conf:15",
            "runs with distribution unavailable (A.json:",
        ),
        ("address", {"fallback": True}, "a.conf:15", "runs with enableFallback true (A.json:"),
        ("address", {"egressPhase": 1}, "a.conf:15", "is configured with 0 (by default)"),
        ("connector", {"role": "normal"}, "a.conf:9", "runs with role normal"),
        (
            "router",
            {"mode": "standalone"},
            "a.conf:1",
            "The router runs as standalone (A.json:2:2), and is configured as interior",
        ),
    ],
)
def test_an_attribute_that_runs_with_another_value_is_named_with_both_places(
    estate, type_, change, place, message
):
    dump = running()
    row(dump, type_).update(change)
    ((kind, found, text),) = differing(estate, dump)
    assert (kind, found) == ("differs", place)
    assert message in text


@pytest.mark.parametrize(
    ("type_", "name", "value", "severity"),
    [
        ("listener", "stripAnnotations", "in", "warning"),
        ("listener", "linkCapacity", 7, "warning"),
        ("listener", "multiTenant", True, "warning"),
        ("connector", "stripAnnotations", "out", "warning"),
        ("connector", "cost", 5, "warning"),
        ("connector", "idleTimeoutSeconds", 99, "info"),
        ("listener", "maxFrameSize", 4242, "info"),
    ],
)
def test_a_difference_is_a_warning_where_it_sends_messages_elsewhere(
    estate, type_, name, value, severity
):
    dump = running()
    row(dump, type_)[name] = value
    network = estate(dump, files={"a.conf": FILE})
    found = [each for each in network.check().findings if each["kind"] == "differs"]
    assert [(each["rule"], each["severity"]) for each in found] == [("D-2", severity)]
    assert f" with {name} " in found[0]["message"]


@pytest.mark.parametrize("name", ["addExternalPrefix", "delExternalPrefix"])
def test_a_link_route_that_runs_with_another_prefix_is_a_warning(estate, name):
    dump = running()
    row(dump, "linkRoute")[name] = "x."
    network = estate(
        dump, files={"a.conf": FILE.replace("prefix: lr", f"prefix: lr\n        {name}: y.")}
    )
    found = [each for each in network.check().findings if each["kind"] == "differs"]
    assert [(each["severity"], f"runs with {name} x." in each["message"]) for each in found] == [
        ("warning", True)
    ]


TWO_BROKERS = (
    FILE
    + """\
    connector {
        name: other
        host: c
        port: 5672
        role: route-container
    }
    linkRoute {
        prefix: lr
        direction: out
        connection: broker
    }
    linkRoute {
        prefix: lr
        direction: in
        connection: other
    }
    linkRoute {
        pattern: x/*
        direction: in
        connection: other
    }
    """
)


@pytest.mark.parametrize(
    ("link_route", "place"),
    [
        ({"prefix": "lr", "direction": "in", "connection": "broker"}, "a.conf:24:1"),
        ({"prefix": "lr", "direction": "out", "connection": "broker"}, "a.conf:35:1"),
        ({"prefix": "lr", "direction": "in", "connection": "other"}, "a.conf:40:1"),
        ({"pattern": "x/*", "direction": "in", "connection": "other"}, "a.conf:45:1"),
    ],
)
def test_of_several_link_routes_the_one_that_is_not_active_is_named(estate, link_route, place):
    dump = running()
    dump.rows.remove(row(dump, "linkRoute"))
    dump.add(
        "router.config.linkRoute",
        identity="9",
        name="n",
        distribution="linkBalanced",
        operStatus="inactive",
        **link_route,
    )
    network = estate(dump, files={"a.conf": TWO_BROKERS})
    ((_, _, message),) = findings(network, "linkroute-not-active")
    assert message.endswith(f"is inactive; configured in {place}")
    (found,) = [each for each in network.check().findings if each["kind"] == "linkroute-not-active"]
    assert (found["rule"], found["severity"]) == ("D-6", "warning")
    missing = {
        (source, text.partition(" is configured")[0])
        for _, source, text in findings(network, "not-running")
        if "linkRoute" in text
    }
    others = {
        ("a.conf:24", "The linkRoute in with prefix lr"),
        ("a.conf:35", "The linkRoute out with prefix lr"),
        ("a.conf:40", "The linkRoute in with prefix lr"),
        ("a.conf:45", "The linkRoute in with pattern x/*"),
    }
    assert missing == {other for other in others if f"{other[0]}:1" != place}


def test_bindings_are_told_apart_by_exchange_key_and_next_hop(estate):
    exchanges = "".join(
        f"exchange {{\n name: {name}\n address: {name}\n}}\n" for name in ("e", "f")
    )
    bound = "binding {\n name: b\n exchangeName: e\n bindingKey: k\n nextHopAddress: n\n}\n"
    for number, change in enumerate(
        ({}, {"exchangeName": "f"}, {"bindingKey": "l"}, {"nextHopAddress": "m"})
    ):
        dump = running()
        for name in ("e", "f"):
            dump.add("router.config.exchange", identity=f"x{name}", name=name, address=name)
        dump.add(
            "router.config.binding",
            identity="b",
            name="b",
            **{"exchangeName": "e", "bindingKey": "k", "nextHopAddress": "n", **change},
        )
        found = findings(
            estate(dump, files={"a.conf": dedent(FILE) + exchanges + bound}),
            "not-running",
            "not-configured",
        )
        assert {kind for kind, _, _ in found} == (
            set() if not number else {"not-running", "not-configured"}
        )


def test_of_many_dumps_five_are_named_and_the_rest_counted(estate):
    for count, text in ((5, "A, B, C, D, E only"), (6, "A, B, C, D, E and 1 more only")):
        network = estate(*(Dump(name).neighbours() for name in "ABCDEF"[:count]))
        ((_, _, message),) = findings(network, "configuration-from-dump")
        assert message.startswith(f"Of {text} dumps are loaded")


def test_what_a_running_router_adds_or_makes_up_is_no_difference(estate):
    dump = running()
    row(dump, "connector").update(connectionMsg="up", failoverUrls="amqp://b:5672, amqp://c:5672")
    row(dump, "autoLink").update(linkRef="9", lastError="")
    row(dump, "listener").update(name="another", identity="z")
    assert differing(estate, dump) == []


def test_a_whole_dump_without_entities_of_a_type_says_that_none_runs(estate):
    dump = running()
    dump.rows.remove(row(dump, "autoLink"))
    assert [(kind, place) for kind, place, _ in differing(estate, dump)] == [
        ("not-running", "a.conf:19")
    ]


def test_a_dump_of_a_router_and_its_listeners_alone_is_a_whole_one(estate):
    dump = running()
    dump.rows = [dump.rows[0], row(dump, "listener")]
    assert {(kind, place) for kind, place, _ in differing(estate, dump)} == {
        ("not-running", f"a.conf:{line}") for line in (9, 15, 19, 24)
    }


def test_the_names_of_ports_are_their_numbers(estate):
    dump = running()
    row(dump, "listener").update(port="5671", name="l2")
    file = FILE.replace("port: amqp", "port: amqps")
    network = estate(dump, files={"a.conf": file})
    assert findings(network, "differs", "not-running", "not-configured") == []


def test_what_runs_and_is_not_configured_and_the_reverse(estate):
    dump = running()
    row(dump, "autoLink")["address"] = "q.2"
    running_only, configured_only = differing(estate, dump)
    assert running_only[0] == "not-configured"
    assert running_only[1].startswith("A.json:")
    assert (
        running_only[2]
        == "The autoLink out for q.2 runs, and is not in the configuration (a.conf:1:1)"
    )
    assert configured_only == (
        "not-running",
        "a.conf:19",
        "The autoLink out for q.1 is configured, and the router runs without it (A.json:2:2)",
    )


def test_links_of_a_broker_that_are_not_active_say_why_and_where_they_are_configured(estate):
    dump = running()
    row(dump, "autoLink").update(operStatus="failed", lastError="Node not found")
    row(dump, "linkRoute").update(operStatus="inactive")
    row(dump, "connector").update(connectionStatus="CONNECTING")
    assert [(kind, message) for kind, _, message in differing(estate, dump)] == [
        (
            "connector-not-connected",
            "The connector broker is not connected (CONNECTING); configured in a.conf:9:1",
        ),
        (
            "autolink-not-active",
            (
                "The autoLink out for q.1 (broker) is failed; configured in a.conf:19:1: "
                "Node not found"
            ),
        ),
        (
            "linkroute-not-active",
            "The linkRoute in for lr (broker) is inactive; configured in a.conf:24:1",
        ),
    ]


def test_a_query_for_one_type_says_nothing_of_what_it_does_not_show(estate):
    dump = running()
    dump.rows = [dump.rows[0], row(dump, "address")]
    assert differing(estate, dump) == []


def test_a_router_that_runs_although_its_file_is_refused_runs_another_one(estate):
    network = estate(running(), files={"a.conf": FILE + "nonsense {\n}\n"})
    assert [(kind, place) for kind, place, _ in findings(network, "refused-but-runs")] == [
        ("refused-but-runs", "a.conf:1")
    ]


def linked(id_, cost=1, up=False):
    end = (
        "connector {\n name: to\n host: 127.0.0.1\n port: 55672"
        if up
        else "listener {\n host: 127.0.0.1\n port: 55672"
    )
    return (
        f"router {{\n mode: interior\n id: {id_}\n}}\n{end}\n role: inter-router\n cost: "
        f"{cost}\n}}\n"
    )


def test_a_configured_link_that_is_not_up_stays_and_is_named(estate):
    network = estate(
        Dump("A").neighbours(), files={"a.conf": linked("A"), "b.conf": linked("B", up=True)}
    )
    assert links(network) == [("A", "B", 1)]
    ((_, place, message),) = findings(network, "link-not-up")
    assert place == "b.conf:5"
    assert (
        "connector to, listener a.conf:5:1), and is not up: A lists no such neighbour (A.json:"
        in message
    )
    assert [place for _, place, _ in findings(network, "router-not-running")] == ["b.conf:1"]


def test_a_link_that_both_dumps_deny_is_named_once_with_the_row_of_each(estate):
    dumps = (Dump("A").neighbours("C"), Dump("B").neighbours())
    network = estate(*dumps, files={"a.conf": linked("A"), "b.conf": linked("B", up=True)})
    ((_, _, message),) = findings(network, "link-not-up")
    own = [f"{dump.id}.json:{place['line']}" for dump in dumps for place in [own_row(dump)]]
    assert f"A and B list no such neighbour ({own[0]}:2, {own[1]}:2)" in message


def own_row(dump):
    """Where the row of a dump's own router begins in its file."""
    lines = json.dumps(dump.rows, indent=1).splitlines()
    number = next(
        place for place, line in enumerate(lines) if line.endswith('"nextHop": "(self)",')
    )
    return {
        "line": max(place for place, line in enumerate(lines[:number], start=1) if line == " {")
    }


def test_a_resource_whose_routers_get_their_ids_at_start_is_not_said_not_to_run(estate):
    resource = """\
        apiVersion: interconnectedcloud.github.io/v1alpha1
        kind: Interconnect
        metadata:
          name: mesh
        spec:
          deploymentPlan:
            role: interior
            size: 2
        """
    network = estate(Dump("A").neighbours(), files={"mesh.yaml": resource})
    assert [place.partition(":")[0] for _, place, _ in findings(network, "router-not-told")] == [
        "mesh.yaml"
    ]
    assert not findings(network, "router-not-running")


def test_a_file_whose_id_is_made_at_start_is_not_said_not_to_run(estate):
    network = estate(Dump("A-0").neighbours(), files={"a.conf": linked("${HOSTNAME}")})
    assert [place for _, place, _ in findings(network, "router-not-told")] == ["a.conf:1"]
    assert not findings(network, "router-not-running")


def test_a_link_that_no_file_configures_is_named(estate):
    network = estate(
        Dump("A").neighbours("B"), files={"a.conf": linked("A"), "b.conf": linked("B")}
    )
    ((_, place, message),) = findings(network, "link-not-configured")
    assert (place.startswith("A.json:"), message) == (
        True,
        "A lists B as its neighbour, and no file configures a link between them",
    )


def test_routes_that_do_not_follow_from_the_files_are_named(estate):
    network = estate(
        Dump("A").neighbours("B", B=4),
        files={"a.conf": linked("A"), "b.conf": linked("B", up=True)},
    )
    ((_, _, message),) = findings(network, "route-differs")
    assert (
        message
        == "A reaches B with cost 4, while the links loaded give B as next hop and the cost 1"
    )


def test_a_dump_is_of_no_file_where_several_have_its_id(estate):
    network = estate(
        Dump("A").neighbours("B"), files={"a.conf": linked("A"), "b.conf": linked("A", up=True)}
    )
    assert kinds(network) == ["duplicate-router-id", "neighbour-of-same-id"]


# --- observed receivers
# -------------------------------------------------------------------------------------------


def observed(case, router):
    entities, _ = parse_dump((GOLDEN / case / "dump" / f"{router}.json").read_text(), "d")
    ((found,), _) = routers_of(entities, SideInputs())
    return observed_of(found)


def test_receivers_are_the_endpoint_links_with_their_connections():
    seen = observed("p04_edge_router", "A")
    roles = {(one.address, one.phase, one.role, one.container, one.count) for one in seen.receivers}
    assert ("closest/z", "0", "edge", "E", 1) in roles
    assert {one.role for one in seen.receivers} <= {"edge", "normal"}
    assert not any("$management" in one.address or "temp." in one.address for one in seen.receivers)


@pytest.mark.parametrize("linked", [False, True])
def test_a_tcp_connector_is_one_destination_whether_its_link_is_shown_or_not(estate, linked):
    dump = Dump("A").add(
        "tcpConnector", identity="t", name="t", host="10.0.0.7", port="8080", address="web"
    )
    if linked:
        dump.add("connection", identity="7", container="TcpAdaptor", role="normal", dir="in")
        dump.add(
            "router.link", linkType="endpoint", linkDir="out", owningAddr="Mweb", connectionId="7"
        )
    (delivery,) = estate(dump).propagate("A", "address:web").deliveries
    assert delivery.receiver == (
        "TcpAdaptor at A" if linked else "tcpConnector to 10.0.0.7:8080 at A"
    )


def test_the_uplink_of_an_edge_router_is_no_receiver():
    seen = observed("p04_edge_router", "E")
    assert {(one.address, one.role) for one in seen.receivers} == {
        ("svc.e", "normal"), ("multicast/z", "normal"), ("both", "normal"), ("closest/z", "normal"),
    }  # fmt: skip
    assert (seen.active_uplink, seen.version) == ("A", "1.19.0")


def test_autolinks_are_receivers_of_the_container_and_have_a_state():
    seen = observed("p05_waypoint_autolinks", "B")
    assert [(one.address, one.phase, one.role, one.container) for one in seen.receivers] == [
        ("queue.one", "0", "route-container", "broker-one")
    ]
    assert [
        (one.address, one.direction, one.phase, one.target, one.active) for one in seen.statuses
    ] == [
        ("queue.one", "out", "0", "my_broker", True),
        ("queue.one", "in", "1", "my_broker", True),
    ]
    assert seen.connected["my_broker"].container == "broker-one"


def test_hosting_routers_are_those_that_the_address_table_names():
    assert observed("p05_waypoint_autolinks", "A").hosting[("queue.one", "0")] == ("B",)


# --- parts of dumps
# -----------------------------------------------------------------------------------------------


def part_of_qdstat(case, router, command):
    """One table of a router's qdstat output, with the command line above it."""
    text = (case / "dump" / f"{router}.qdstat.txt").read_text()
    start = text.index(f"$ qdstat {command}")
    return text[start : text.find("$ ", start + 1)]


@pytest.mark.parametrize(
    "commands", [["-c"], ["-a"], ["-l"], ["-n"], ["-g"], ["-c", "-l"], ["-n", "-a"]], ids=" ".join
)
def test_a_file_and_any_tables_of_its_neighbour_are_read_without_a_fault(commands, tmp_path):
    case = GOLDEN / "p02_ring5_costs"
    shutil.copy(case / "configs" / "R1.conf", tmp_path)
    (tmp_path / "R2.qdstat.txt").write_text(
        "".join(part_of_qdstat(case, "R2", command) for command in commands)
    )
    network = topograph.read(tmp_path)
    assert not findings(network, "internal-error")
    assert {"R1", "R2"} <= set(network.server_names())


def test_a_connection_table_alone_makes_its_router_a_neighbour(tmp_path):
    case = GOLDEN / "p02_ring5_costs"
    shutil.copy(case / "configs" / "R1.conf", tmp_path)
    (tmp_path / "R2.qdstat.txt").write_text(part_of_qdstat(case, "R2", "-c"))
    network = topograph.read(tmp_path)
    assert [server.server for server in network.reach("R1").servers] == ["R2"]
    assert network.trace("R1", "address:orders").outcome


@pytest.mark.parametrize(
    ("dump", "mode"),
    [
        (Dump("B").listener(), "interior"),
        (Dump("B").listener(role="edge"), "interior"),
        (Dump("B").connector("up", "", role="edge"), "edge"),
        (Dump("B").connector("c", "", role="route-container"), "standalone"),
    ],
)
def test_listeners_and_connectors_say_the_mode_of_a_router_too(dump, mode):
    entities, _ = parse_dump(json.dumps(dump.rows), "d")
    ((found,), _) = routers_of(
        [entity for entity in entities if entity.type != "router"], SideInputs()
    )
    assert found.mode == mode


def test_a_neighbour_whose_file_gives_it_no_place_runs_with_another_configuration(estate):
    file = "router {\n  mode: standalone\n  id: B\n}\n"
    network = estate(Dump("A").neighbours("B"), files={"B.conf": file})
    assert not findings(network, "internal-error")
    (said,) = findings(network, "runs-otherwise")
    assert (
        "B, as it is loaded, has the mode standalone: it runs with another configuration" in said[2]
    )
    assert [one.server for one in network.reach("A").undetermined] == ["B"]
    assert links(network) == []


ROUTER_TABLES = """\
[root@gate ~]# qdstat -n -v{option}
Routers in the Network
  router-id  next-hop  link  cost  neighbors          valid-origins
  ==================================================================
"""


def test_tables_of_routers_one_after_the_other_make_a_network_whose_findings_have_places(tmp_path):
    rows = {
        "": (
            "WEST       (self)    -           ['MID']            []",
            "MID        -         0     1     ['WEST', 'EAST']   []",
        ),
        " -r MID": (
            "WEST       -         0     1     ['MID']            []",
            "MID        (self)    -           ['WEST', 'EAST']   []",
            "EAST       -         1     1     ['MID']            []",
        ),
        " -r EAST": (
            "MID        -         0     1     ['WEST', 'EAST']   []",
            "EAST       (self)    -           ['MID']            []",
        ),
    }
    tables = (
        ROUTER_TABLES.format(option=option) + "".join(f"  {line}\n" for line in lines)
        for option, lines in rows.items()
    )
    (tmp_path / "routers.txt").write_text("".join(tables))
    network = topograph.read(tmp_path)
    assert links(network) == [("EAST", "MID", 1), ("MID", "WEST", 1)]
    assert [(kind, place) for kind, place, _ in findings(network, "single-point-of-failure")] == [
        ("single-point-of-failure", "routers.txt:11")
    ]
    assert all(row["source"]["line"] for row in network.check().findings)
