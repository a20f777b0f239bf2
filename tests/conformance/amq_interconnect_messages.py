"""Runs the vectors of AMQ Interconnect that are about addresses and messages, on networks made of configuration text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from conformance.comparing import Vector

from topograph.address_patterns import PatternTree, address_tokens, stored_tokens
from topograph.facts import Entity
from topograph.importers.amq_interconnect import parse_text
from topograph.systems.amq_interconnect.addresses import AddressTable, address_entry
from topograph.systems.amq_interconnect.attaching import attach as attached
from topograph.systems.amq_interconnect.destinations import AddressState, Refusal
from topograph.systems.amq_interconnect.estate import router_configured
from topograph.systems.amq_interconnect.messaging import Broker, Connection, MessageNetwork, Receiver
from topograph.systems.amq_interconnect.sending import SendResult
from topograph.systems.amq_interconnect.sending import deliver_stored as delivered
from topograph.systems.amq_interconnect.sending import send as sent
from topograph.systems.amq_interconnect.sent import Path, Sending
from topograph.systems.amq_interconnect.status import attached_links, operational_status

LISTS = ("address", "linkRoute", "autoLink", "exchange", "binding")


# --- address entries ---


def _tokens(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return stored_tokens(entry.get("prefix") or entry.get("pattern"), is_prefix="prefix" in entry)


def match(vector: Vector) -> dict[str, Any]:
    entry = next(one for one in vector["given"]["entries"] if one["id"] == vector["ask"]["entry"])
    tree: PatternTree[bool] = PatternTree()
    tree.add(_tokens(entry), True)
    return {"matches": {text: any(tree.matches(address_tokens(text))) for text in vector["ask"]["addresses"]}}


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
        ["address", {"name": entry["id"], **{name: entry[name] for name in ("prefix", "pattern") if name in entry}}]
        for entry in entries
    ]
    read = parse_text("json", json.dumps(sections))
    return AddressTable(address_entry(entity) for entity in read.entities if entity.type == "address")


def rank(vector: Vector) -> dict[str, Any]:
    found = [entry.name for entry in _table(vector["given"]["entries"]).rank(vector["ask"]["address"])]
    return {"order": found, "entry": found[0] if found else None}


def entry(vector: Vector) -> dict[str, Any]:
    table = _table(vector["given"]["entries"])
    found = {address: table.entry(address) for address in vector["ask"]["addresses"]}
    return {"entry": {address: one.name if one else None for address, one in found.items()}}


def distributions(entities: Sequence[Entity], addresses: Sequence[str]) -> dict[str, str]:
    """The treatment of each address by its entry, else by the router's default (A-8)."""
    router = router_configured("R", entities)
    found = {address: router.table.entry(address) for address in addresses}
    return {address: str(one.distribution if one else router.default) for address, one in found.items()}


# --- networks ---


def network_of(given: Mapping[str, Any]) -> MessageNetwork:
    """The network of a vector. Routers are read from configuration text; links, uplinks, containers and receivers are as given."""
    down = set(given.get("down", []))
    routers = {}
    for router in given["routers"]:
        if router["id"] in down:
            continue
        section = {name: router[name] for name in ("id", "mode", "defaultDistribution") if name in router}
        sections = [["router", section], *([kind, one] for kind in LISTS for one in router.get(kind, []))]
        read = parse_text("json", json.dumps(sections))
        assert read.starts, (router, [finding.message for finding in read.findings])
        routers[router["id"]] = router_configured(router["id"], read.entities, given["version"])
    links = [(a, b, cost) for a, b, cost in given.get("links", []) if a in routers and b in routers]
    connections, brokers = [], {}
    for one in given.get("brokers", []):
        brokers[one["name"]] = Broker(
            one["name"], one["container"], one["up"], frozenset(one.get("refuse", ())), one.get("stored", {})
        )
        connections += [
            Connection(there["router"], one["name"], there["name"] or "", there["role"])
            for there in one.get("connections", [])
        ]
    return MessageNetwork(
        routers,
        tuple(links),
        {one["edge"]: one["interior"] for one in given.get("edges", []) if one["interior"] in routers},
        connections=tuple(connections),
        brokers=brokers,
        receivers=tuple(
            Receiver(one["id"], one["router"], one["address"], one.get("settle", "accept"))
            for one in given.get("receivers", [])
            if one["router"] in routers
        ),
        ordered=True,
    )


def attach(vector: Vector) -> dict[str, Any]:
    ask = vector["ask"]
    found = attached(network_of(vector["given"]), ask["router"], ask["role"], ask["address"])
    answer = _refusal(found.refusal)
    answer["linkRouted"] = found.link_routed
    brokers = sorted({target.broker for target in found.targets})
    if len(brokers) == 1:
        answer |= {"broker": brokers[0], "path": [*found.path, brokers[0]]}
    elif brokers:
        answer["brokerOneOf"] = brokers
    answer["costIgnored"] = found.cost_ignored
    return answer


def _refusal(refusal: Refusal | None) -> dict[str, Any]:
    if refusal is None:
        return {"attach": "ok"}
    return {"attach": "refused", "condition": refusal.condition, "description": refusal.description}


def send(vector: Vector) -> dict[str, Any]:
    given, ask = vector["given"], vector["ask"]
    network = network_of(given)
    sending = Sending(
        ask["router"],
        ask["address"],
        ask["count"],
        anonymous=ask.get("anonymous", False),
        presettled=ask.get("presettled", False),
        burst=ask.get("mode") == "burst",
        subject=ask.get("subject"),
    )
    result = sent(network, sending)
    first = result.courses[0]
    answer = {**_refusal(result.refusal), "credit": result.credit, "linkRouted": result.link_routed}
    answer["outcomes"] = first.outcomes
    everything = [_received(course.received, vector) for course in result.courses]
    if len(everything) == 1:
        answer["received"] = everything[0]
        answer["sequence"] = [one.receiver for message in first.messages for one in message.deliveries if one.receiver]
    answer["oneOf"] = everything
    answer["deposited"] = first.deposited
    deliveries = [one for message in first.messages for one in message.deliveries]
    answer["leg1"] = next((list(one.path) for one in deliveries if one.broker), None)
    answer["leg2"] = next((list(one.path) for one in deliveries if one.receiver and one.waited), None)
    answer["alternates"] = _alternate(result)
    answer["cost"] = next((_cost(network, one.path) for one in deliveries if one.receiver), None)
    answer["decidedAt"] = _decided_at(result)
    if network.connections:
        home = network.connections[0].router
        statuses = [operational_status(network, home, one) for one in network.routers[home].auto_links]
        answer["autoLinkStatus"] = statuses
    if "transient" in vector["expect"]:
        answer["transient"] = _transient(given, sending, credit=result.credit)
    return answer


def _received(received: Mapping[str, Mapping[Path, int]], vector: Vector) -> dict[str, Any]:
    """Counts and paths; without paths where the vector has none (section "send" of the format)."""
    wanted = vector["expect"].get("received", {})
    found = {}
    for receiver, paths in received.items():
        entry: dict[str, Any] = {"count": sum(paths.values())}
        if receiver not in wanted or "paths" in wanted[receiver]:
            entry["paths"] = {">".join(path): count for path, count in paths.items()}
        found[receiver] = entry
    return found


def _alternate(result: SendResult) -> bool:
    """Whether every course gives each receiver the same number of messages."""
    counts = [[sum(paths.values()) for paths in course.received.values()] for course in result.courses]
    return all(len(set(each)) == 1 and len(each) > 1 for each in counts)


def _decided_at(result: SendResult) -> str | None:
    """The last router that all deliveries have in common: there the ways part."""
    paths = [one.path for message in result.courses[0].messages for one in message.deliveries if one.receiver]
    common = [steps[0] for steps in zip(*paths, strict=False) if len(set(steps)) == 1]
    return common[-1] if common else None


def _cost(network: MessageNetwork, path: Path) -> int:
    """The sum of the link costs; a step to or from an edge costs nothing (E-2)."""
    interior = [router for router in path if network.routers[router].mode != "edge"]
    return sum(network.routes.cost(here, there) for here, there in pairwise(interior))


def _transient(given: Mapping[str, Any], sending: Sending, *, credit: bool) -> dict[str, Any] | None:
    """What holds before dead routers are forgotten (T-9): their addresses still give credit, and messages are released."""
    before = sent(network_of({**given, "down": []}), sending)
    if before.credit and not credit:
        return {"maxSeconds": 60, "outcome": "released"}
    return None


def deliver_stored(vector: Vector) -> dict[str, Any]:
    network = network_of(vector["given"])
    (course,) = delivered(network).courses
    deliveries = [one for message in course.messages for one in message.deliveries]
    addresses = {address for broker in network.brokers.values() for address in broker.stored}
    tables: dict[str, Any] = {}
    for address in addresses:
        for key, routers in AddressState.of(network, address).table().items():
            tables[key] = {router: list(ids) for router, ids in routers.items()}
    return {
        "received": _received(course.received, vector),
        "ingress": deliveries[0].path[0] if deliveries else None,
        "destinations": tables,
    }


def status(vector: Vector) -> dict[str, Any]:
    network, ask = network_of(vector["given"]), vector["ask"]
    (router,) = network.routers.values()
    entries = router.auto_links if ask["entity"] == "autoLink" else router.link_routes
    one = entries[ask["index"]]
    links = attached_links(network, router.name, one)
    return {
        "operStatus": operational_status(network, router.name, one),
        "destination": bool(links),
        "attachedLinks": links,
    }
