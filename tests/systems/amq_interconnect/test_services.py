"""Which listener reaches which connector (S-3): the question ``services``, held against costs that
are worked out here, and against ``propagate``, ``impact``, ``check`` and ``audit``.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from systems.amq_interconnect.bearings import section
from systems.amq_interconnect.configured import router

import topograph
from topograph.cli.main import exit_code
from topograph.errors import UnknownDestination
from topograph.network import Network
from topograph.questions.answers import Service, ServiceListener

FAR = 1 << 20


def read(folder: Path, texts: Mapping[str, str], side: str = "") -> Network:
    for name, text in texts.items():
        (folder / f"{name}.conf").write_text(text)
    (folder / "topograph.yaml").write_text(side)
    return topograph.read(folder).within(None)


def tcp(kind: str, address: str, name: str = "", port: int = 1) -> str:
    return section(kind, name=name or f"{kind}-{address}", host="h", port=port, address=address)


class Drawn:
    """Routers in a ring or a tree, some joined by further links, with listeners and connectors of
    two addresses; costs at the connectors."""

    def __init__(self, number: int) -> None:
        draw = random.Random(number)
        self.names = [f"R{one}" for one in range(draw.randint(2, 6))]
        self.cost: dict[frozenset[str], int] = {}
        texts = {one: router(one, f"listener {one.lower()}:1 inter-router") for one in self.names}
        for place, name in enumerate(self.names[1:], start=1):
            whom = draw.sample(self.names[:place], min(place, draw.choice((0, 1, 1, 1, 2))))
            for other in whom:
                cost = draw.randint(1, 9)
                self.cost[frozenset((name, other))] = cost
                texts[name] += router(name, f"connector {other.lower()}:1 inter-router {cost}")[
                    len(router(name)) :
                ]
        self.listeners = {(one, a) for one in self.names for a in "xy" if draw.random() < 0.5}
        self.connectors = {(one, a) for one in self.names for a in "xy" if draw.random() < 0.4}
        for name, address in sorted(self.listeners):
            texts[name] += tcp("tcpListener", address)
        for name, address in sorted(self.connectors):
            texts[name] += tcp("tcpConnector", address)
        self.texts = texts

    def distances(self, gone: str = "") -> dict[tuple[str, str], int]:
        """The least cost between each two routers, without a router or link (``A-B``) that is
        gone: by trying each router as the one between (Floyd)."""
        found = {(a, b): 0 if a == b else FAR for a in self.names for b in self.names}
        for ends, cost in self.cost.items():
            a, b = sorted(ends)
            if f"{a}-{b}" != gone and gone not in ends:
                found[a, b] = found[b, a] = cost
        for via, a, b in itertools.product(self.names, repeat=3):
            found[a, b] = min(found[a, b], found[a, via] + found[via, b])
        return found

    def single_failures(self) -> Iterator[tuple[str, str]]:
        for name in self.names:
            yield f"server:{name}", name
        for ends in self.cost:
            a, b = sorted(ends)
            yield f"route:{a}-{b}", f"{a}-{b}"


def listeners(found: tuple[Service, ...]) -> Iterator[tuple[str, ServiceListener]]:
    for service in found:
        for one in service.listeners:
            yield service.destination.removeprefix("address:"), one


@pytest.mark.parametrize("number", range(40))
def test_a_listener_reaches_the_cheapest_connector_and_others_while_more_are_open(
    number: int, tmp_path: Path
) -> None:
    drawn = Drawn(number)
    network = read(tmp_path, drawn.texts)
    far = drawn.distances()
    answer = network.services()
    assert {(one.server, address) for address, one in listeners(answer.services)} == (
        drawn.listeners
    )
    for address, one in listeners(answer.services):
        costs = {
            name: far[one.server, name]
            for name, other in drawn.connectors
            if other == address and far[one.server, name] < FAR
        }
        least = [name for name, cost in costs.items() if cost == min(costs.values())]
        assert one.judgement == ("yes" if costs else "no")
        for each in one.connectors:
            assert each.cost == (costs.get(each.server))
            if each.server not in costs:
                assert each.judgement == "no"
                assert each.path == ()
            elif least == [each.server]:
                assert each.judgement == "yes"
            else:
                assert each.judgement == "one_of"
                assert sum(drawn.cost[frozenset(p)] for p in itertools.pairwise(each.path)) == (
                    each.cost
                )
                if each.server not in least:
                    more = costs[each.server] - (0 if one.server in costs else min(costs.values()))
                    assert f"more than {more} connections" in each.because


@pytest.mark.parametrize("number", range(40))
def test_what_a_listener_needs_is_what_leaves_it_unserved_and_what_impact_says(
    number: int, tmp_path: Path
) -> None:
    drawn = Drawn(number)
    network = read(tmp_path, drawn.texts)
    found = {(one.server, address): one for address, one in listeners(network.services().services)}
    wanted: dict[tuple[str, str], set[str]] = {place: set() for place in found}
    for failure, gone in drawn.single_failures():
        far = drawn.distances(gone)
        changed = {(one.server, one.destination) for one in network.impact([failure]).changed}
        for (server, address), one in found.items():
            left = any(
                far[server, name] < FAR
                for name, other in drawn.connectors
                if other == address and name != gone
            )
            lost = one.judgement == "yes" and not left and server != gone
            if lost:
                wanted[server, address].add(failure)
            assert lost == ((server, f"address:{address}") in changed)
    assert {place: set(one.needs or ()) for place, one in found.items()} == wanted
    assert all((one.needs is None) == (one.judgement == "no") for one in found.values())


@pytest.mark.parametrize("number", range(40))
def test_a_sweep_counts_the_services_that_each_failure_takes_away(
    number: int, tmp_path: Path
) -> None:
    drawn = Drawn(number)
    network = read(tmp_path, drawn.texts)
    served = [one for _, one in listeners(network.services().services) if one.judgement == "yes"]
    rows = network.impact(sweep=True).failures
    for row in rows:
        lost = [one for one in served if row.failed in (one.needs or ())]
        assert row.services == row.changed == len(lost)
        assert row.services == sum(one.service for one in network.impact([row.failed]).changed)
        assert row.own_services == sum(f"server:{one.server}" == row.failed for one in served)
    weights = [one.lost + one.own + one.services + one.own_services for one in rows]
    assert weights == sorted(weights, reverse=True)
    place = {one.failed: number for number, one in enumerate(rows)}
    for ends in drawn.cost:
        route = f"route:{'-'.join(sorted(ends))}"
        assert all(place[f"server:{one}"] < place[route] for one in ends)


@pytest.mark.parametrize("number", range(20))
def test_check_names_the_halves_that_services_has_alone(number: int, tmp_path: Path) -> None:
    drawn = Drawn(number)
    network = read(tmp_path, drawn.texts)
    alone = {
        (one.destination.removeprefix("address:"), "listener" if one.listeners else "connector")
        for one in network.services().services
        if not (one.listeners and one.connectors)
    }
    named = set()
    for finding in network.check().findings:
        for address, half in itertools.product("xy", ("listener", "connector")):
            if f"tcp{half.title()} " in str(finding["message"]) and (
                f"has the address {address}, and no loaded" in str(finding["message"])
            ):
                named.add((address, half))
    assert named == alone


@pytest.mark.parametrize("kind", ["tcp", "http"])
def test_http_bridges_are_services_too(kind: str, tmp_path: Path) -> None:
    texts = {
        "a": router("A", "listener a:1 inter-router") + tcp(f"{kind}Listener", "x"),
        "b": router("B", "connector a:1 inter-router") + tcp(f"{kind}Connector", "x"),
    }
    (service,) = read(tmp_path, texts).services().services
    ((_, listener),) = listeners((service,))
    assert [(one.server, one.judgement) for one in listener.connectors] == [("B", "yes")]
    assert service.connectors[0].listeners == ("A",)


@pytest.mark.parametrize(
    ("kind", "means"),
    [
        ("tcpListener", "its port is closed, clients are refused"),
        ("httpListener", "nobody serves its clients"),
        ("tcpConnector", "no client gets there by TCP"),
        ("httpConnector", "no client gets there by HTTP"),
    ],
)
def test_check_names_each_kind_of_half(kind: str, means: str, tmp_path: Path) -> None:
    found = read(tmp_path, {"a": router("A") + tcp(kind, "x", "one")}).check(rule="S-3").findings
    assert [str(one["message"]) for one in found if f"{kind} one has" in str(one["message"])] == [
        f"{kind} one has the address x, and no loaded router has a "
        f"{'connector' if kind.endswith('Listener') else 'listener'} of it: {means}."
    ]


def test_closest_serves_by_cost_alone(tmp_path: Path) -> None:
    """M-3: a connector that is farther away gets nothing, however many connections are open."""
    closest = section("address", prefix="x", distribution="closest")
    texts = {
        "a": router("A", "listener a:1 inter-router") + tcp("tcpListener", "x") + closest,
        "b": router("B", "connector a:1 inter-router 2") + tcp("tcpConnector", "x") + closest,
        "c": router("C", "connector a:1 inter-router 5") + tcp("tcpConnector", "x") + closest,
    }
    ((_, listener),) = listeners(read(tmp_path, texts).services().services)
    assert [(one.server, one.judgement) for one in listener.connectors] == [
        ("B", "yes"),
        ("C", "no"),
    ]
    assert listener.connectors[1].rule == "M-3"
    assert listener.connectors[1].path == ("A", "C")


def test_an_edge_router_leaves_the_choice_to_its_interior_router(tmp_path: Path) -> None:
    """M-5, E-3, as recorded: 10 connections one after the other from SHOP go to the cheaper
    connector; of 20 that are kept open 8 go to the other."""
    texts = {
        "hub": router("HUB", "listener hub:1 inter-router", "listener hub:2 edge"),
        "near": router("NEAR", "connector hub:1 inter-router 2") + tcp("tcpConnector", "x"),
        "far": router("FAR", "connector hub:1 inter-router 5") + tcp("tcpConnector", "x"),
        "shop": router("SHOP", "connector hub:2 edge", mode="edge") + tcp("tcpListener", "x"),
    }
    network = read(tmp_path, texts)
    ((_, listener),) = listeners(network.services().services)
    assert [(one.server, one.judgement, one.because) for one in listener.connectors] == [
        ("NEAR", "yes", ""),
        ("FAR", "one_of", "when more than 3 connections to the preferred ones are open"),
    ]
    assert listener.needs == ("server:HUB", "route:HUB-SHOP")
    said = [one.message for one in network.propagate("SHOP", "address:x").warnings]
    assert any("under backlog also FAR when the backlog there exceeds 3" in one for one in said)


def test_connectors_behind_an_edge_router_are_those_of_its_interior_router(tmp_path: Path) -> None:
    texts = {
        "hub": router("HUB", "listener hub:1 inter-router", "listener hub:2 edge"),
        "near": router("NEAR", "connector hub:1 inter-router 4") + tcp("tcpConnector", "x"),
        "shop": router("SHOP", "connector hub:2 edge", mode="edge") + tcp("tcpConnector", "x"),
        "till": router("TILL", "connector hub:2 edge", mode="edge") + tcp("tcpListener", "x"),
    }
    ((_, listener),) = listeners(read(tmp_path, texts).services().services)
    assert [(one.server, one.judgement) for one in listener.connectors] == [
        ("SHOP", "yes"),
        ("NEAR", "one_of"),
    ]
    assert "more than 4 connections" in listener.connectors[1].because


def test_policies_for_clients_do_not_concern_listeners(tmp_path: Path) -> None:
    """A policy judges who attaches by AMQP; the router itself sends for clients of a listener."""
    policy = section("policy", enableVhostPolicy="yes") + (
        "vhost {\n  hostname: $default\n  allowUnknownUser: true\n  groups: {\n"
        '    "$default": {\n      "remoteHosts": "*",\n      "targets": "other"\n    }\n  }\n}\n'
    )
    texts = {
        "a": router("A", "listener a:1 inter-router") + tcp("tcpListener", "x") + policy,
        "b": router("B", "connector a:1 inter-router") + tcp("tcpConnector", "x"),
    }
    network = read(tmp_path, texts)
    assert network.propagate("A", "address:x").deliveries == ()
    ((_, listener),) = listeners(network.services().services)
    assert listener.judgement == "yes"


def test_what_a_router_that_is_not_loaded_serves_is_not_known(tmp_path: Path) -> None:
    texts = {
        "a": router("A", "connector gone:1 inter-router") + tcp("tcpListener", "x"),
        "b": router("B", "connector gone:1 inter-router") + tcp("tcpConnector", "x"),
    }
    answer = read(tmp_path, texts).services("x")
    ((_, listener),) = listeners(answer.services)
    assert [(one.server, one.judgement) for one in listener.connectors] == [("B", "unknown")]
    assert (listener.judgement, listener.needs) == ("unknown", None)
    assert {one.server for one in answer.undecided()} == {"A", "B", ""}
    assert answer.services[0].connectors[0].listeners == ()


def test_a_receiver_that_is_not_a_connector_takes_connections_too(tmp_path: Path) -> None:
    texts = {"a": router("A", "listener a:5672 normal") + tcp("tcpListener", "x")}
    side = "clients:\n  - {server: A, destination: 'address:x', role: receiver, client_id: r}\n"
    ((_, listener),) = listeners(read(tmp_path, texts, side).services().services)
    assert [(one.kind, one.name, one.judgement) for one in listener.connectors] == [
        ("receiver", "r", "yes")
    ]


def test_output_that_shows_one_link_does_not_say_which_of_two_connectors_has_it(
    tmp_path: Path,
) -> None:
    texts = {
        "a": router("A", "listener a:1 inter-router")
        + tcp("tcpListener", "x")
        + tcp("tcpConnector", "x", "one", 1)
        + tcp("tcpConnector", "x", "two", 2)
    }
    link = {"linkDir": "out", "linkType": "endpoint", "owningAddr": "M0x", "connectionId": "7"}
    connection = {"role": "normal", "container": "tcp", "identity": "7", "opened": True}
    rows = [
        {"type": "org.apache.qpid.dispatch.router", "id": "A", "mode": "interior"},
        {"type": "org.apache.qpid.dispatch.connection", **connection},
        {"type": "org.apache.qpid.dispatch.router.link", **link},
    ]
    (tmp_path / "a.json").write_text(json.dumps(rows))
    ((_, listener),) = listeners(read(tmp_path, texts).services().services)
    assert [(one.name, one.judgement) for one in listener.connectors] == [
        ("one", "unknown"),
        ("two", "unknown"),
    ]


def test_an_address_that_nobody_has_is_named_with_the_nearest(tmp_path: Path) -> None:
    texts = {"a": router("A") + tcp("tcpListener", "orders")}
    with pytest.raises(UnknownDestination, match=r"'order'\. Did you mean orders\?"):
        read(tmp_path, texts).services("order")


@pytest.mark.parametrize(
    ("connector", "expect", "code"),
    [
        (True, "served", 0),
        (True, "unserved", 1),
        (False, "served", 1),
        (False, "unserved", 0),
    ],
)
def test_a_listener_is_held_against_what_is_expected(
    tmp_path: Path, connector: bool, expect: str, code: int
) -> None:
    text = router("A") + tcp("tcpListener", "x") + (tcp("tcpConnector", "x") if connector else "")
    read(tmp_path, {"a": text})
    assert exit_code(["services", "x", "--expect", expect, "-s", str(tmp_path)]) == code


def test_what_is_not_known_satisfies_nothing(tmp_path: Path) -> None:
    read(tmp_path, {"a": router("A", "connector gone:1 inter-router") + tcp("tcpListener", "x")})
    for expect in ("served", "unserved"):
        assert exit_code(["services", "--expect", expect, "-s", str(tmp_path)]) == 1


def test_that_somebody_answers_at_a_connector_is_an_assumption(tmp_path: Path) -> None:
    texts = {"a": router("A") + tcp("tcpListener", "x") + tcp("tcpConnector", "x")}
    network = read(tmp_path, texts)
    for answer in (network.propagate("A", "address:x"), network.services()):
        (assumed,) = answer.assumptions
        assert assumed.rule == "S-3"
        assert assumed.text == "somebody answers where tcpConnector to h:1 at A connects to"


def dump(folder: Path, server: str, *rows: dict[str, object]) -> None:
    every = [{"type": "router", "id": server, "mode": "interior"}, *rows]
    named = [{**row, "type": f"org.apache.qpid.dispatch.{row['type']}"} for row in every]
    (folder / f"{server.lower()}-seen.json").write_text(json.dumps(named))


@pytest.mark.parametrize("state", ["up", "down", ""])
@pytest.mark.parametrize("name", ["", "front"])
def test_a_listener_that_output_shows_down_serves_nobody(
    tmp_path: Path, state: str, name: str
) -> None:
    """D-6, S-5: its port is closed, whatever there is to serve its clients."""
    own = {"name": name} if name else {}
    texts = {
        "a": router("A", "listener a:1 inter-router")
        + section("tcpListener", host="0.0.0.0", port=1024, address="x", **own),
        "b": router("B", "connector a:1 inter-router") + tcp("tcpConnector", "x"),
    }
    where = {"host": "0.0.0.0", "port": "1024", "address": "x", "operStatus": state}
    dump(tmp_path, "A", {"type": "tcpListener", "name": name or "tcpListener/x", **where})
    network = read(tmp_path, texts)
    ((_, listener),) = listeners(network.services().services)
    ((reached,),) = [one.connectors for _, one in listeners(network.services().services)]
    named = [one["message"] for one in network.check(rule="D-6").findings]
    if state == "down":
        assert (listener.judgement, listener.rule) == ("no", "D-6")
        assert "shows that it is down: its port is closed" in listener.because
        assert (reached.judgement, listener.needs) == ("no", None)
        assert len(named) == 1
        assert network.impact(["server:B"]).changed == ()
    else:
        assert (listener.judgement, reached.judgement, named) == ("yes", "yes", [])
        assert len(network.impact(["server:B"]).changed) == 1


@pytest.mark.parametrize("others", range(4))
def test_several_receivers_at_one_router_are_not_taken_for_its_connector(
    tmp_path: Path, others: int
) -> None:
    rows: list[dict[str, object]] = []
    for number in range(others):
        connection = {"role": "normal", "container": f"c{number}", "identity": f"{number}"}
        link = {"linkDir": "out", "linkType": "endpoint", "owningAddr": "M0x"}
        rows.append({"type": "connection", "opened": True, **connection})
        rows.append({"type": "router.link", "connectionId": f"{number}", **link})
    dump(tmp_path, "A", *rows)
    texts = {"a": router("A") + tcp("tcpListener", "x") + tcp("tcpConnector", "x", "one", 1)}
    ((_, listener),) = listeners(read(tmp_path, texts).services().services)
    told = [(one.kind, one.judgement) for one in listener.connectors]
    if others < 2:
        assert [kind for kind, _ in told] == ["tcpConnector"]
    else:
        assert ("tcpConnector", "unknown") in told
        assert [kind for kind, _ in told].count("receiver") == others


def several(strategy: str, **values: int) -> str:
    """A listener of several addresses, with the value of each (S-7)."""
    text = section("tcpListener", name="front", host="0.0.0.0", port=8080)
    text = text.replace("}", f"  multiAddressStrategy: {strategy}\n}}")
    for address, value in values.items():
        own = {"name": f"front/{address}", "address": address, "value": value}
        text += section("listenerAddress", listener="front", **own)
    return text


def of_several(folder: Path, strategy: str, served: str, **values: int) -> Network:
    """A listener at A; each of the addresses ``served`` has a connector at a router of its own."""
    texts = {"a": router("A", "listener a:1 inter-router") + several(strategy, **values)}
    for address in served:
        name = f"S{address.upper()}"
        texts[name] = router(name, "connector a:1 inter-router") + tcp("tcpConnector", address)
    return read(folder, texts)


@pytest.mark.parametrize("number", range(40))
def test_the_address_of_the_greatest_value_that_is_served_gets_the_connections(
    tmp_path: Path, number: int
) -> None:
    draw = random.Random(number)
    values = {address: draw.randint(0, 3) for address in "xyz"}
    served = [address for address in "xyz" if draw.random() < 0.6]
    network = of_several(tmp_path, "priority", "".join(served), **values)
    found = dict(listeners(network.services().services))
    best = max((values[address] for address in served), default=0)
    tied = [address for address in served if values[address] == best]
    needs = [f"route:A-S{one.upper()}" for one in served]
    needs += [f"server:S{one.upper()}" for one in served]
    for address, one in found.items():
        assert (one.listener, one.chosen) == ("front", f"priority {values[address]}")
        wanted = "no" if address not in served else "later" if values[address] < best else "yes"
        if len(tied) > 1 and address in tied:
            wanted = "one_of"
        assert one.judgement == wanted, address
        assert [each.judgement for each in one.connectors] == [wanted] * (address in served)
        if address in served:
            assert sorted(one.needs or ()) == (sorted(needs) if len(served) == 1 else [])
    for address in served:
        gone = network.impact([f"server:S{address.upper()}"]).changed
        assert len(gone) == (len(served) == 1)
    for expect, holds in (("served", bool(served)), ("unserved", not served)):
        code = exit_code(["services", "--expect", expect, "-s", str(tmp_path)])
        assert code == (0 if holds else 1)


def test_addresses_share_connections_by_their_weights(tmp_path: Path) -> None:
    network = of_several(tmp_path, "weighted", "xy", x=1, y=3, z=5)
    found = {
        address: (one.judgement, one.because)
        for address, one in listeners(network.services().services)
    }
    assert found["x"] == ("one_of", "1 of 4 connections by its weight")
    assert found["y"] == ("one_of", "3 of 4 connections by its weight")
    assert found["z"][0] == "no"
    alone = [one["message"] for one in network.check(rule="S-3").findings]
    assert any("no client of front gets a connection by it" in str(one) for one in alone)


def test_one_address_alone_gets_all_connections(tmp_path: Path) -> None:
    network = of_several(tmp_path, "weighted", "x", x=1, y=3)
    found = dict(listeners(network.services().services))
    assert (found["x"].judgement, found["x"].because) == ("yes", "")


def test_one_listener_is_asked_for_by_name(tmp_path: Path) -> None:
    texts = {
        "a": router("A", "listener a:1 inter-router")
        + several("priority", x=1, y=2)
        + tcp("tcpListener", "x", "other"),
        "b": router("B", "connector a:1 inter-router") + tcp("tcpConnector", "x"),
    }
    network = read(tmp_path, texts)
    every = dict.fromkeys([*network.services().listeners])
    for name, expected in {
        "other": [("other", "yes")],
        "front": [("front/x", "yes"), ("front/y", "no")],
        "front/y": [("front/y", "no")],
    }.items():
        found = network.services(listener=name).listeners
        assert [(one.name, one.judgement) for one in found] == expected
        assert all(one in every for one in found)
    with pytest.raises(UnknownDestination, match=r"listener of the name 'fronts'\. Did you mean"):
        network.services(listener="fronts")
    for name, code in (("front", 0), ("front/y", 1)):
        asked = ["services", "--listener", name, "--expect", "served", "-s", str(tmp_path)]
        assert exit_code(asked) == code
