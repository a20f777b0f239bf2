"""Runs the vectors of TIBCO EMS: writes ``given`` as configuration files, reads them, asks."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from conformance.comparison import Run, UnknownOp, Vector
from conformance.ems_failures import failure
from conformance.ems_files import check, clients, refuse_unknown, without_what_is_down, write

import topograph
from topograph.errors import InvalidSelector
from topograph.facts.ems import EmsDestination, EmsDurable, EmsRoute
from topograph.facts.ems_urls import parse_endpoint
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed
from topograph.forwarding.rows import RowWalks
from topograph.importers.ems import parse_text
from topograph.message import Message
from topograph.network import Network
from topograph.opening.folders import read_snapshot
from topograph.outcomes import Outcome
from topograph.questions.answers import PropagateAnswer
from topograph.selectors import parse as parse_selector
from topograph.side_inputs import Client, SideInputs
from topograph.systems import assemble
from topograph.systems.contract.system import Failure, Sending
from topograph.systems.ems.changes.new_route import (
    NewLink,
    doubled_names,
    illegal_pairs,
    judge_new_link,
    multi_zone_cycle,
)
from topograph.systems.ems.destinations.guard_index import judge
from topograph.systems.ems.destinations.guards import grants_needed, settings
from topograph.systems.ems.destinations.subscribers import subscribers
from topograph.systems.ems.destinations.topics import (
    contained,
    is_wildcard,
    matches,
    properties_in_effect,
)
from topograph.systems.ems.network.links import configuration_of
from topograph.systems.ems.network.names import known_names
from topograph.systems.ems.topics.publication import effective_selectors, publish
from topograph.systems.ems.topics.reach import all_paths
from topograph.systems.ems.topics.trace import follow
from topograph.systems.fact_sources import FactList
from topograph.tracing.outcomes import Folding

NOT_BUILT_YET: frozenset[str] = frozenset()
"""Ops of later steps; a vector that asks for one is counted, not run."""

ASKED: Mapping[str, frozenset[str]] = {
    "known": frozenset({"server"}),
    "add_link": frozenset({"link", "zone_type", "configured_on"}),
    "legal": frozenset(),
    "links": frozenset(),
    "max_paths": frozenset(),
    "reach": frozenset({"from"}),
    "publish": frozenset({"server", "topic", "properties"}),
    "queue": frozenset({"queue", "producer", "consumer"}),
    "reply": frozenset({"kind", "requester", "replier"}),
    "subscription": frozenset({"server", "topic"}),
    "effective_selector": frozenset({"from", "to", "topic"}),
    "grants_needed": frozenset({"from", "to", "topic"}),
    "failure": frozenset({"event", "topic", "forwarder", "receiver"}),
    "validate": frozenset({"server"}),
    "parse": frozenset({"file", "text", "mode"}),
    "properties": frozenset({"server", "topic"}),
    "match": frozenset({"pattern", "name"}),
    "contained": frozenset({"sub", "sup"}),
    "selector": frozenset({"selector", "properties"}),
    "selector_valid": frozenset({"selector"}),
}
"""The parameters of each op (ems_vectors.md)."""


class Given:
    """A vector's network, written, read and compiled."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "estate"
            root.mkdir()
            write(given, root)
            self.snapshot = read_snapshot(root)
            self.network: Network = topograph.read(root)
        (self.name,) = self.snapshot.networks
        (self.tables,) = self.snapshot.graph_tables(self.name)
        self.graph = assemble(self.tables)
        self.facts = self.snapshot.facts(self.name)
        self.clients = tuple(Client(**one) for one in clients(given))

    def number(self, server: str) -> int:
        return self.graph.server_number[server]


def _pair(*servers: str) -> str:
    return "-".join(sorted(servers))


def known(vector: Vector) -> dict[str, Any]:
    given = Given(without_what_is_down(vector["given"]))
    server = vector["ask"]["server"]
    found = known_names(given.graph, [given.number(server)])
    return {"known": {server: {name.split(".")[1]: via for _, name, via, _ in found}}}


def add_link(vector: Vector) -> dict[str, Any]:
    given, ask = Given(vector["given"]), vector["ask"]
    u, v, zone = ask["link"]
    existing = vector["given"].get("zones", {}).get(zone)
    zone_type = ask.get("zone_type") or existing or "mhop"
    verdict = judge_new_link(
        given.tables, NewLink(u, v, zone, zone_type, ask.get("configured_on", u))
    )
    actual: dict[str, Any] = {
        "verdict": verdict.verdict,
        "kind": verdict.kind,
        "message": re.sub(r"'[^']+'", "'<server>'", verdict.message),
    }
    if verdict.graph is None:
        return actual
    graph = verdict.graph
    doubled = doubled_names(graph, Budget())
    names = [server.name for server in graph.servers]
    actual["warnings"] = ["multi-zone-cycle"] if multi_zone_cycle(graph) else []
    actual["detected"] = verdict.detected
    held: dict[str, list[str]] = {}
    for entry in doubled:
        held.setdefault(names[entry.server], []).append(names[entry.owner])
    actual["duplicates"] = verdict.conflicts or held
    actual["pairs"], actual["paths"] = _pairs(graph, vector["expect"].get("paths", {}))
    learned: dict[str, list[str]] = {name: [] for name in names}
    for server, name, _, _ in known_names(graph, range(len(names))):
        learned[server].append(name.split(".")[1])
    expected = vector["expect"]
    actual["known"] = {server: learned[server] for server in expected.get("known", {})}
    actual["not_known"] = {
        server: [name for name in absent if name not in learned[server]]
        for server, absent in expected.get("not_known", {}).items()
    }
    return actual


def _pairs(graph: Any, wanted: Mapping[str, Any]) -> tuple[list[list[str]], dict[str, Any]]:
    """The pairs with more than one permitted path, and the paths of the wanted ones, each
    written from the first name of its key.
    """
    names = [server.name for server in graph.servers]
    pairs: list[list[str]] = []
    paths: dict[str, Any] = {}
    for start, end, _ in illegal_pairs(graph, Budget()):
        pairs.append([names[start], names[end]])
        for first, second in ((start, end), (end, start)):
            key = f"{names[first]}-{names[second]}"
            if key in wanted:
                found = all_paths(
                    graph, RowWalks(graph), first, second, 50, Budget(), Closed()
                ).paths
                paths[key] = [[names[graph.points[p].server] for p in path] for path in found]
    return pairs, paths


def legal(vector: Vector) -> dict[str, Any]:
    given = Given(vector["given"])
    answer = given.network.cycles()
    pairs, paths = _pairs(given.graph, vector["expect"].get("paths", {}))
    return {
        "legal": answer.legal,
        "pairs": pairs,
        "paths": paths,
        "warnings": [
            warning.rule for warning in answer.warnings if warning.rule == "multi-zone-cycle"
        ],
    }


def links(vector: Vector) -> dict[str, Any]:
    given = Given(vector["given"])
    found = configuration_of(given.facts, SideInputs()).links
    return {
        "links": [[*link.ends, link.zone] for link in found],
        "roles": {_pair(*link.ends): link.role for link in found},
        "legal": given.network.cycles().legal,
    }


def max_paths(vector: Vector) -> dict[str, Any]:
    network = Given(vector["given"]).network
    names = network.server_names()
    counts = [len(network.paths(a, b, maximum=50).paths) for a in names for b in names if a != b]
    return {"max_paths_per_pair": max(counts)}


def reach(vector: Vector) -> dict[str, Any]:
    answer = Given(without_what_is_down(vector["given"])).network.reach(vector["ask"]["from"])
    wanted = vector["expect"]
    return {
        "route_hops": {entry.server: entry.hops for entry in answer.servers},
        "unreachable": list(answer.unreachable),
        "paths": {
            e.server: list(e.path) for e in answer.servers if e.server in wanted.get("paths", {})
        },
        "zone_hops": {
            e.server: [[z.zone, z.hops] for z in e.zone_hops]
            for e in answer.servers
            if e.server in wanted.get("zone_hops", {})
        },
    }


def publish_(vector: Vector) -> dict[str, Any]:
    given, ask = Given(without_what_is_down(vector["given"])), vector["ask"]
    topic, properties = f"topic:{ask['topic']}", ask.get("properties", {})
    answer = given.network.propagate(ask["server"], topic, properties, assume=False)
    # A copy that waits in a queue has got to no client.
    taken = [
        one
        for one in answer.deliveries
        if (one.subscriber, one.destination[:6]) != ("configured", "queue:")
    ]
    sending = Sending(ask["server"], Message.to(topic, properties), given.clients, assume=False)
    trace = follow(FactList(given.facts), SideInputs(), given.graph, RowWalks(given.graph), sending)
    copies = [topic] if not _refused(answer) else []
    made = [match[1] for step in trace.steps if (match := _COPIED.match(step.text))]
    copies += [
        name if name in vector["expect"].get("copies", ()) else name.partition("@")[0]
        for name in made
    ]
    loaded = {server.name: server.loaded for server in given.graph.servers}
    wanting = subscribers(
        FactList(given.facts).facts, loaded, ask["topic"], given.clients, assume=False
    )
    found = publish(
        given.graph,
        RowWalks(given.graph),
        given.number(ask["server"]),
        judge(given.graph, ask["topic"], properties),
        {given.number(one.server) for one in wanting if one.reliable},
        Budget(),
    )
    names = [server.name for server in given.graph.servers]
    ends = sorted(
        (given.graph.points[point].previous, given.graph.points[point].server)
        for point in found.interest
    )
    return {
        "received": list(answer.received),
        "delivered": [delivery.server for delivery in taken],
        "paths": {
            one.server: list(one.path)
            for one in taken
            if one.server in vector["expect"].get("paths", {})
        },
        "copies": copies,
        "no_copy": [name for name in vector["expect"].get("no_copy", ()) if name not in copies],
        "internal_subscribers": [
            {"at": names[at], "for": names[to], "topic": ask["topic"]} for at, to in ends
        ],
    }


_COPIED = re.compile(r"the bridge to (\S+) copies it")
"""The step of a trace that says what a bridge puts where."""


def _refused(answer: PropagateAnswer) -> bool:
    """Whether the server takes no publication to the topic at all."""
    return any(
        stop.at == stop.to == answer.from_ and stop.rule in ("R45", "R49")
        for stop in answer.stopped
    )


def queue(vector: Vector) -> dict[str, Any]:
    """Where a message of the producer ends, or whether the consumer is served: then a message is
    put at the home of its queue.
    """
    given, ask = Given(vector["given"]), vector["ask"]
    down = vector["given"].get("down", {})
    failed = Failure(
        frozenset(down.get("servers", [])),
        frozenset(frozenset(link) for link in down.get("links", [])),
    )
    consumer, producer = ask.get("consumer"), ask.get("producer")
    clients = [Client(consumer, f"queue:{ask['queue']}")] if consumer else []
    home = next(
        (
            fact.owner or fact.server
            for server in (producer or consumer, *given.graph.server_number)
            for fact in given.facts
            if isinstance(fact, EmsDestination)
            and (fact.type, fact.name, fact.server) == ("queue", ask["queue"], server)
        ),
        producer or consumer,
    )
    if not producer and home not in given.graph.server_number:
        return {"status": "undetermined", "findings": _queue_findings(given, ask["queue"])}
    sending = Sending(producer or home, Message.to(f"queue:{ask['queue']}"), tuple(clients))
    trace = follow(
        FactList(given.facts), SideInputs(), given.graph, RowWalks(given.graph), sending, failed
    )
    folding = Folding(trace)
    now = [one for one in folding.arrivals() if one.branch.id not in folding.deferred]
    others = list(folding.others())
    taken = [one for one in now if one.ending.text("server") == consumer] if consumer else now
    if not producer:
        status = "served" if taken else "undetermined" if trace.open else "nothing"
        return {"status": status, "findings": _queue_findings(given, ask["queue"])}
    arrival = next(iter(taken or now), None)
    outcome = arrival.ending.outcome if taken and arrival else others[0].outcome if others else None
    if arrival and arrival.ending.text("subscriber") == "configured":
        # In the home queue: nobody who takes it is known, or not for certain.
        outcome = None if consumer and trace.open else Outcome.HELD
    kept = next((one for one in others if one.outcome in (Outcome.HELD, Outcome.STUCK)), None)
    stored = kept or (arrival and arrival.ending)
    path = [producer] if kept else list(arrival.path) if arrival else []
    return {
        "status": STATUS.get(outcome, "undetermined" if trace.open else "stored"),
        "path": path,
        "hops": max(len(path) - 1, 0),
        "stored_at": stored.text("server") if stored else "",
        "producer_error": any(ending.outcome is Outcome.REFUSED for ending in others),
        "taken_locally_first": bool(taken) and home not in path,
        "findings": _queue_findings(given, ask["queue"]),
    }


STATUS: Mapping[Outcome | None, str] = {
    Outcome.DELIVERED: "delivered",
    Outcome.STUCK: "stuck",
    Outcome.REFUSED: "refused",
    Outcome.HELD: "stored",
}
"""The word of the vectors for what becomes of a message to a queue."""

FINDINGS = {"routed-queue-no-route": "no-direct-route-to-owner"}
"""The words of the vectors for findings that topograph calls otherwise."""


def _queue_findings(given: Given, name: str) -> list[dict[str, Any]]:
    entries = {
        fact.source: f"{fact.name}@{fact.owner}" if fact.owner else fact.name
        for fact in given.facts
        if isinstance(fact, EmsDestination) and fact.type == "queue" and fact.name == name
    }
    return [
        {
            "severity": str(one.severity),
            "kind": FINDINGS.get(one.kind, one.kind),
            "server": one.server,
            "queue": entries[one.source],
        }
        for one in given.snapshot.findings(given.name)
        if one.source in entries
    ]


def reply(vector: Vector) -> dict[str, Any]:
    """A message to a temporary destination of the requester, sent where the replier is attached."""
    given, ask = Given(without_what_is_down(vector["given"])), vector["ask"]
    requester, replier = ask["requester"], ask["replier"]
    if requester not in given.graph.server_number:
        return {"routed": False, "path": [], "reason": "name-not-known"}
    answer = given.network.propagate(replier, f"{ask['kind']}:$TMP$.{requester}.1.1")
    path = list(answer.deliveries[0].path) if answer.deliveries else []
    # Queues ignore zones (R18): what keeps a reply to a queue from a server that is linked is the
    # second hop (R92).
    far = ask["kind"] == "queue" and requester in _linked(given, replier)
    return {
        "routed": bool(path),
        "path": path,
        "reason": "" if path else "more-than-one-hop" if far else "name-not-known",
    }


def _linked(given: Given, server: str) -> set[str]:
    """The servers that routes connect with one, over any number of hops and whatever the zones."""
    names = [one.name for one in given.graph.servers]
    found, waiting = {server}, [server]
    while waiting:
        here = waiting.pop()
        for link in given.graph.links:
            ends = {names[link.a], names[link.b]}
            new = ends - found if here in ends else set()
            found |= new
            waiting += new
    return found


def subscription(vector: Vector) -> dict[str, Any]:
    given, ask = Given(vector["given"]), vector["ask"]
    patterns = _global_patterns(given, ask["server"])
    topic = ask["topic"]
    inside = contained if is_wildcard(topic) else lambda sub, sup: matches(sup, sub)
    return {"supported": any(inside(topic, pattern) for pattern in patterns)}


def _global_patterns(given: Given, server: str) -> tuple[str, ...]:
    return settings(configuration_of(given.facts, SideInputs()).servers[server]).global_topics


def effective_selector(vector: Vector) -> dict[str, Any]:
    given, ask = Given(vector["given"]), vector["ask"]
    found = effective_selectors(
        given.graph, given.number(ask["from"]), given.number(ask["to"]), ask["topic"]
    )
    return {"all_of": [entry.selector for entry in found]}


def grants(vector: Vector) -> dict[str, Any]:
    given, ask = Given(vector["given"]), vector["ask"]
    servers = configuration_of(given.facts, SideInputs()).servers
    needed = grants_needed(
        ask["topic"], settings(servers[ask["from"]]), settings(servers[ask["to"]])
    )
    return {
        "grants": [
            {"at": at, "user": user, "permissions": list(permissions)}
            for at, user, permissions in needed
        ]
    }


def validate(vector: Vector) -> dict[str, Any]:
    given, server = Given(vector["given"]), vector["ask"]["server"]
    errors = [
        f
        for f in given.snapshot.findings(given.name)
        if f.severity == "error" and f.server == server and f.source.file != ""
    ]
    return {
        "valid": not errors,
        "kind": errors[0].kind if errors else "",
        "queues": [
            {"name": f.name, "owner": f.owner or server, "home": f.owner in ("", server)}
            for f in given.facts
            if isinstance(f, EmsDestination) and f.type == "queue" and f.server == server
        ],
    }


def parse(vector: Vector) -> dict[str, Any]:
    ask = vector["ask"]
    parsed = parse_text(ask["file"], ask["text"], ask["mode"] == "strict")
    error = parsed.first_error
    routes = [fact for fact in parsed.facts if isinstance(fact, EmsRoute)]
    return {
        "error": error is not None,
        "kind": error.kind if error else "",
        "line": error.source.line if error else 0,
        "warnings": list(parsed.warnings),
        "fatal_at_start_up": parsed.fatal_at_start_up,
        "values": {
            k: v for k, v in parsed.values.items() if k in vector["expect"].get("values", {})
        },
        "ignored": list(parsed.ignored),
        "routes": [
            {"name": r.name, "url": list(r.url), "zone_name": r.zone_name, "zone_type": r.zone_type}
            for r in routes
        ],
        "endpoint": _endpoint(routes),
        "outgoing_topic": [
            [s.topic, s.selector] for r in routes for s in r.selectors if s.direction == "outgoing"
        ],
        "incoming_topic": [
            [s.topic, s.selector] for r in routes for s in r.selectors if s.direction == "incoming"
        ],
        "durables": [
            {"topic": f.topic, "name": f.name, "route": f.route}
            for f in parsed.facts
            if isinstance(f, EmsDurable)
        ],
    }


def _endpoint(routes: list[EmsRoute]) -> dict[str, Any] | None:
    if not routes or not routes[0].url:
        return None
    endpoint = parse_endpoint(routes[0].url[0])
    if endpoint is None:
        return None
    return {"scheme": endpoint.scheme, "host": endpoint.host, "port": endpoint.port}


def properties(vector: Vector) -> dict[str, Any]:
    given, ask = Given(vector["given"]), vector["ask"]
    entries = [
        f
        for f in given.facts
        if isinstance(f, EmsDestination) and f.type == "topic" and f.server == ask["server"]
    ]
    return {"properties": properties_in_effect(entries, ask["topic"])}


def match(vector: Vector) -> dict[str, Any]:
    return {"match": matches(vector["ask"]["pattern"], vector["ask"]["name"])}


def containment(vector: Vector) -> dict[str, Any]:
    return {"contained": contained(vector["ask"]["sub"], vector["ask"]["sup"])}


def selector(vector: Vector) -> dict[str, Any]:
    ask = vector["ask"]
    try:
        result = parse_selector(ask["selector"]).evaluate(ask.get("properties", {}))
    except InvalidSelector:
        return {"valid": False, "result": None, "match": False}
    return {"valid": True, "result": str(result), "match": str(result) == "TRUE"}


OPS: Mapping[str, Run] = {
    "known": known,
    "add_link": add_link,
    "legal": legal,
    "links": links,
    "max_paths": max_paths,
    "reach": reach,
    "publish": publish_,
    "queue": queue,
    "reply": reply,
    "subscription": subscription,
    "effective_selector": effective_selector,
    "grants_needed": grants,
    "failure": failure,
    "validate": validate,
    "parse": parse,
    "properties": properties,
    "match": match,
    "contained": containment,
    "selector": selector,
    "selector_valid": selector,
}


def not_built_yet(vector: Vector) -> bool:
    """True for what later steps build: nothing."""
    return vector["ask"]["op"] in NOT_BUILT_YET


def run(vector: Vector) -> dict[str, Any]:
    """What topograph says to a vector. Raises UnknownOp, and UnknownKey for what the runner
    would leave aside.
    """
    try:
        ask = OPS[vector["ask"]["op"]]
    except KeyError:
        raise UnknownOp(f"no EMS vector op {vector['ask']['op']!r}") from None
    refuse_unknown("ask", vector["ask"], {"op", *ASKED[vector["ask"]["op"]]})
    check(vector["given"])
    return ask(vector)
