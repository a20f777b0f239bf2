"""Runs the vectors of AMQ Interconnect that are about addresses and messages, on networks made
of configuration text.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from conformance.comparison import Vector

from topograph.facts.amq_interconnect import Entity
from topograph.facts.amqp_addresses import PatternTree, address_tokens, stored_tokens
from topograph.importers.amq_interconnect import parse_text
from topograph.systems.amq_interconnect.messages.addresses import AddressTable, address_entry
from topograph.systems.amq_interconnect.messages.attachment import attach as attached
from topograph.systems.amq_interconnect.messages.configuration import router_configured
from topograph.systems.amq_interconnect.messages.destinations import AddressState, AttachRefusal
from topograph.systems.amq_interconnect.messages.model import (
    AutoLink,
    Broker,
    Connection,
    MessageNetwork,
    Receiver,
)
from topograph.systems.amq_interconnect.messages.outcomes import SendResult
from topograph.systems.amq_interconnect.messages.outcomes import deliver_stored as delivered
from topograph.systems.amq_interconnect.messages.outcomes import send as sent
from topograph.systems.amq_interconnect.messages.records import Path, RouterSending, SentCourse
from topograph.systems.amq_interconnect.messages.status import attached_links, operational_status
from topograph.systems.amq_interconnect.network.versions import remembered_seconds

LISTS = ("address", "linkRoute", "autoLink", "exchange", "binding")


def _tokens(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return stored_tokens(entry.get("prefix") or entry.get("pattern"), is_prefix="prefix" in entry)


def match(vector: Vector) -> dict[str, Any]:
    entry = next(one for one in vector["given"]["entries"] if one["id"] == vector["ask"]["entry"])
    tree: PatternTree[bool] = PatternTree()
    tree.add(_tokens(entry), True)
    return {
        "matches": {
            text: any(tree.matches(address_tokens(text))) for text in vector["ask"]["addresses"]
        }
    }


def normalise(vector: Vector) -> dict[str, Any]:
    entries = vector["given"]["entries"]
    if vector["ask"]["entry"] == "all":
        return {"tokens": {entry["id"]: list(_tokens(entry)) for entry in entries}}
    tokens = _tokens(next(one for one in entries if one["id"] == vector["ask"]["entry"]))
    return {"tokens": list(tokens)} if tokens else {"invalid": True}


def _table(entries: Sequence[Mapping[str, Any]]) -> AddressTable:
    """The table that a router makes of a configuration with these entries, each named by its id."""
    sections: list[Any] = [["router", {"id": "R", "mode": "standalone"}]]
    sections += [
        [
            "address",
            {
                "name": entry["id"],
                **{name: entry[name] for name in ("prefix", "pattern") if name in entry},
            },
        ]
        for entry in entries
    ]
    read = parse_text("json", json.dumps(sections))
    return AddressTable(
        address_entry(entity) for entity in read.entities if entity.type == "address"
    )


def rank(vector: Vector) -> dict[str, Any]:
    found = [
        entry.name for entry in _table(vector["given"]["entries"]).rank(vector["ask"]["address"])
    ]
    return {"order": found, "entry": found[0] if found else None}


def entry(vector: Vector) -> dict[str, Any]:
    table = _table(vector["given"]["entries"])
    found = {address: table.entry(address) for address in vector["ask"]["addresses"]}
    return {"entry": {address: one.name if one else None for address, one in found.items()}}


def distributions(entities: Sequence[Entity], addresses: Sequence[str]) -> dict[str, str]:
    """The treatment of each address by its entry, else by the router's default (A-8)."""
    router = router_configured("R", entities)
    found = {address: router.table.entry(address) for address in addresses}
    return {
        address: str(one.distribution if one else router.default) for address, one in found.items()
    }


def network_of(given: Mapping[str, Any]) -> MessageNetwork:
    """The network of a vector. Routers are read from configuration text; links, uplinks,
    containers and receivers are as given. Nothing has been sent in it, and receivers attached in
    the order of their list."""
    down = set(given.get("down", []))
    routers = {}
    for router in given["routers"]:
        if router["id"] in down:
            continue
        section = {
            name: router[name] for name in ("id", "mode", "defaultDistribution") if name in router
        }
        sections = [
            ["router", section],
            *([kind, one] for kind in LISTS for one in router.get(kind, [])),
        ]
        read = parse_text("json", json.dumps(sections))
        if read.starts:
            routers[router["id"]] = router_configured(
                router["id"], read.entities, given.get("version", "")
            )
    connections, brokers = [], {}
    for one in given.get("brokers", []):
        brokers[one["name"]] = Broker(
            one["name"],
            one.get("container", one["name"]),
            one.get("up", True),
            frozenset(one.get("refuse", ())),
            one.get("stored", {}),
        )
        connections += [
            Connection(
                there["router"],
                one["name"],
                there.get("name") or "",
                there.get("role", "route-container"),
            )
            for there in one.get("connections", [])
            if there["router"] in routers
        ]
    return MessageNetwork(
        routers,
        _links(given, routers),
        *_uplinks(given, routers),
        connections=tuple(connections),
        brokers=brokers,
        receivers=tuple(
            Receiver(one["id"], one["router"], one["address"], one.get("settle", "accept"))
            for one in given.get("receivers", [])
            if one["router"] in routers
        ),
        ordered=True,
        fresh=True,
    )


def _links(given: Mapping[str, Any], routers: Collection[str]) -> tuple[tuple[str, str, int], ...]:
    links = [tuple(link) for link in given.get("links", [])]
    links += [
        (
            one["connector"],
            one["listener"],
            max(one.get("connectorCost", 1), one.get("listenerCost", 1)),
        )
        for one in given.get("connections", [])
        if one.get("role", "inter-router") == "inter-router"
    ]
    return tuple((a, b, cost) for a, b, cost in links if a in routers and b in routers)


def _uplinks(
    given: Mapping[str, Any], routers: Collection[str]
) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """The active uplinks, and those that stand by: an edge that is named again has a further one
    (E-1).
    """
    homes: dict[str, list[str]] = {}
    for one in given.get("edges", []):
        if one["edge"] in routers and one["interior"] in routers:
            homes.setdefault(one["edge"], []).append(one["interior"])
    return {edge: to[0] for edge, to in homes.items()}, {
        edge: tuple(to[1:]) for edge, to in homes.items()
    }


def attach(vector: Vector) -> dict[str, Any]:
    ask = vector["ask"]
    found = attached(network_of(vector["given"]), ask["router"], ask["role"], ask["address"])
    answer = _refusal(found.refusal)
    answer["linkRouted"] = found.link_routed
    brokers = sorted({target.broker for target in found.targets})
    answer["broker"] = brokers[0] if len(brokers) == 1 else None
    answer["brokerOneOf"] = brokers
    answer["path"] = [*found.path, *brokers] if found.path and len(brokers) == 1 else None
    answer["address"] = found.targets[0].address if found.targets else None
    answer["costIgnored"] = found.cost_ignored
    return answer


def _refusal(refusal: AttachRefusal | None) -> dict[str, Any]:
    if refusal is None:
        return {"attach": "ok"}
    return {"attach": "refused", "condition": refusal.condition, "description": refusal.description}


def send(vector: Vector) -> dict[str, Any]:
    given, ask = vector["given"], vector["ask"]
    network = network_of(given)
    if "oneOf" in vector["expect"]:
        # what a vector leaves open is not decided by the order of its lists
        network = replace(network, ordered=False, fresh=False)
    sending = RouterSending(
        ask["router"],
        ask["address"],
        ask["count"],
        anonymous=ask.get("anonymous", False),
        presettled=ask.get("presettled", False),
        burst=ask.get("mode") == "burst",
        subjects=(ask.get("subject", ""),),
    )
    result = sent(network, sending)
    first = result.courses[0]
    answer = {**_refusal(result.refusal), "credit": result.credit, "linkRouted": result.link_routed}
    answer["outcomes"] = first.outcomes
    everything = _distinct([_received(course, vector) for course in result.courses])
    answer["oneOf"] = everything
    if len(everything) == 1:
        answer["received"] = everything[0]
        answer["sequence"] = [
            one.receiver for message in first.messages for one in message.deliveries if one.receiver
        ]
    answer["deposited"] = first.deposited
    deposits = _distinct([course.deposited for course in result.courses])
    answer["depositedOneOf"] = deposits
    deliveries = [one for message in first.messages for one in message.deliveries]
    answer["leg1"] = next((list(one.path) for one in deliveries if one.broker), None)
    answer["leg2"] = next(
        (list(one.path) for one in deliveries if one.receiver and one.waited), None
    )
    answer["path"] = next((list(one.path) for one in deliveries if one.receiver), answer["leg1"])
    answer["alternates"] = _take_turns(result)
    answer["cost"] = next((_cost(network, one.path) for one in deliveries if one.path), None)
    answer["decidedAt"] = _decided_at(result)
    answer["autoLinkStatus"] = _auto_link_status(network)
    answer["brokerOneOf"] = sorted({target.broker for target in result.targets})
    answer["broker"] = answer["brokerOneOf"][0] if len(answer["brokerOneOf"]) == 1 else None
    answer["transient"] = _transient(given, sending, credit=result.credit)
    return answer


def _distinct(answers: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for answer in answers:
        if answer not in found:
            found.append(answer)
    return found


def _received(course: SentCourse, vector: Vector) -> dict[str, Any]:
    """Counts and paths; without paths where the vector has none (section "send" of the format)."""
    listed = [vector["expect"].get("received", {}), *vector["expect"].get("oneOf", ())]
    with_paths = {
        receiver for each in listed for receiver, entry in each.items() if "paths" in entry
    }
    named = {receiver for each in listed for receiver in each}
    found = {}
    for receiver, paths in course.received.items():
        entry: dict[str, Any] = {"count": sum(paths.values())}
        if receiver not in named or receiver in with_paths:
            entry["paths"] = {">".join(path): count for path, count in paths.items()}
        found[receiver] = entry
    return found


def _take_turns(result: SendResult) -> bool:
    """Whether in every course several receivers take turns: no two get numbers that differ by
    more than one, and none gets two in a row.
    """
    for course in result.courses:
        each = [
            [one.receiver for one in message.deliveries if one.receiver]
            for message in course.messages
        ]
        got = [receivers[0] for receivers in each if len(receivers) == 1]
        counts = Counter(got)
        if (
            len(got) < len(each)
            or len(counts) < 2
            or max(counts.values()) - min(counts.values()) > 1
        ):
            return False
        if any(one == other for one, other in pairwise(got)):
            return False
    return True


def _decided_at(result: SendResult) -> str | None:
    """The last router that all deliveries of all courses have in common: there the ways part."""
    messages = [message for course in result.courses for message in course.messages]
    paths = [
        one.path
        for message in messages
        for one in message.deliveries
        if one.path and not one.waited
    ]
    common = [steps[0] for steps in zip(*paths, strict=False) if len(set(steps)) == 1]
    return common[-1] if common else None


def _cost(network: MessageNetwork, path: Path) -> int:
    """The sum of the link costs; a step to or from an edge costs nothing (E-2)."""
    interior = [router for router in path if network.routers[router].mode != "edge"]
    return sum(network.routes.cost(here, there) for here, there in pairwise(interior))


def _auto_link_status(network: MessageNetwork) -> list[str]:
    """Of each autolink of the routers that have connections to containers, in order."""
    homes = dict.fromkeys(connection.router for connection in network.connections)
    return [
        operational_status(network, home, one)
        for home in homes
        for one in network.routers[home].auto_links
    ]


def _transient(
    given: Mapping[str, Any], sending: RouterSending, *, credit: bool
) -> dict[str, Any] | None:
    """What holds before dead routers are forgotten (T-9): their addresses still give credit, and
    messages are released.
    """
    if credit or not given.get("down") or sending.router in given["down"]:
        return None
    if not sent(network_of({**given, "down": []}), sending).credit:
        return None
    return {"maxSeconds": remembered_seconds(given.get("version", "")), "outcome": "released"}


def deliver_stored(vector: Vector) -> dict[str, Any]:
    network = network_of(vector["given"])
    if "oneOf" in vector["expect"]:
        network = replace(network, ordered=False, fresh=False)
    courses = delivered(network).courses
    everything = _distinct([_received(course, vector) for course in courses])
    paths = [one.path for message in courses[0].messages for one in message.deliveries if one.path]
    ingress = list(dict.fromkeys(path[0] for path in paths))
    tables: dict[str, Any] = {}
    for address in _brought_in(network):
        for key, routers in AddressState.of(network, address).table().items():
            tables[key] = {router: list(ids) for router, ids in routers.items()}
    return {
        "received": everything[0] if len(everything) == 1 else None,
        "oneOf": everything,
        "ingress": ingress[0] if len(ingress) == 1 else ingress or None,
        "destinations": tables,
        "deposited": courses[0].deposited,
        "stored": {broker: {address: number} for broker, address, number in courses[0].stored},
    }


def _brought_in(network: MessageNetwork) -> set[str]:
    """The addresses under which in autolinks bring in what is stored (W-6); without one the
    address at the container.
    """
    stored = {address for broker in network.brokers.values() for address in broker.stored}
    found = set()
    for address in stored:
        users = [
            one.address
            for router in network.routers.values()
            for one in router.auto_links
            if one.direction == "in" and one.at_container == address
        ]
        found |= set(users or [address])
    return found


def status(vector: Vector) -> dict[str, Any]:
    """The state of an entity of the router that the vector names, else of the first that has it.
    One that was dropped has none.
    """
    network, ask = network_of(vector["given"]), vector["ask"]
    kind, index = ask["entity"], ask["index"]
    given = next(
        one
        for one in vector["given"]["routers"]
        if one["id"] == ask.get("router", one["id"]) and len(one.get(kind, ())) > index
    )
    name = given[kind][index].get("name", f"{kind}/{index}")
    router = network.routers.get(given["id"])
    entries = (router.auto_links if kind == "autoLink" else router.link_routes) if router else ()
    one = next((one for one in entries if one.name == name), None)
    if router is None or one is None:
        return {"operStatus": None, "destination": False, "attachedLinks": 0}
    links = attached_links(network, router.name, one)
    return {
        "operStatus": operational_status(network, router.name, one),
        # an autolink in is a source, no destination (W-2)
        "destination": bool(links) and not (isinstance(one, AutoLink) and one.direction == "in"),
        "attachedLinks": links,
    }
