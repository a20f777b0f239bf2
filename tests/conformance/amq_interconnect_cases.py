"""Runs the vectors of AMQ Interconnect that are about files and routes."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from conformance import amq_interconnect_messages as messages
from conformance.comparing import Run, UnknownOp, Vector

import topograph
from topograph.findings import Severity
from topograph.importers.amq_interconnect import parse_dump, parse_text
from topograph.network import Network, read_snapshot
from topograph.systems import assemble
from topograph.systems.amq_interconnect.answering import links_of
from topograph.systems.amq_interconnect.routes import compute_routes

LISTS = ("address", "connector", "autoLink", "linkRoute")


def _text(given: Mapping[str, Any]) -> str:
    text: str = given["text"] if "text" in given else json.dumps(given["file"])
    return text


def start(vector: Vector) -> dict[str, Any]:
    given = vector["given"]
    return {"started": parse_text(given["form"], _text(given)).starts}


def parse(vector: Vector) -> dict[str, Any]:
    given, expect = vector["given"], vector["expect"]
    found: dict[str, Any] = {}
    if given["form"] == "dump":
        entities, _ = parse_dump(json.dumps(given["entities"]))
    else:
        read = parse_text(given["form"], _text(given))
        entities, found["deprecated"] = read.entities, [list(pair) for pair in read.loaded.deprecated]
    for kind in expect.keys() - {"deprecated"}:
        own = [entity for entity in entities if entity.type == kind]
        found[kind] = [_row(entity, row) for entity, row in zip(own, expect[kind], strict=False)]
        found[kind] += [{"unexpected": entity.name} for entity in own[len(expect[kind]) :]]
    return found


def _row(entity: Any, wanted: Mapping[str, Any]) -> dict[str, Any]:
    return {name: entity.name if name == "name" else _typed(entity.get(name), like) for name, like in wanted.items()}


def _typed(value: str, like: Any) -> Any:
    """The text of an attribute in the type the vector writes it in; unset is None."""
    if isinstance(like, bool):
        return {"true": True, "false": False}.get(value, value)
    if isinstance(like, int):
        return int(value) if value.lstrip("-").isdigit() else value
    return value or None


def load(vector: Vector) -> dict[str, Any]:
    given = vector["given"]
    sections = [["router", given["router"]]] if isinstance(given.get("router"), Mapping) else []
    sections += [["router", entity] for entity in given.get("router", []) if isinstance(given.get("router"), list)]
    sections += [[kind, entity] for kind in LISTS for entity in given.get(kind, [])]
    read = parse_text("json", json.dumps(sections))
    entries = [e for e in read.loaded.entries if e.type == vector["ask"]["entity"]]
    return {
        "distribution": messages.distributions(read.entities, vector["ask"].get("probe", ())),
        "kept": [entry.index for entry in entries if not entry.dropped],
        "dropped": [entry.index for entry in entries if entry.dropped],
        "logged": [entry.index for entry in entries if entry.logged],
        "inactiveForEver": [entry.index for entry in entries if entry.never_active],
    }


class Given:
    """A network vector, written as one configuration file a router and read."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        sections: dict[str, list[Any]] = {
            router["id"]: [["router", {"id": router["id"], "mode": router["mode"]}]] for router in given["routers"]
        }
        port = 20_000
        for left, right, cost in given.get("links", []):
            port += 1
            _connect(sections, left, right, port, "inter-router", (cost, cost))
        for entry in given.get("connections", []):
            port += 1
            costs = (entry.get("connectorCost", 1), entry.get("listenerCost", 1))
            _connect(sections, entry["connector"], entry["listener"], port, entry["role"], costs)
        with tempfile.TemporaryDirectory() as folder:
            for router, entities in sections.items():
                (Path(folder) / f"{router}.json").write_text(json.dumps(entities), encoding="utf-8")
            snapshot = read_snapshot(folder)
            self.network: Network = topograph.read(folder)
        (tables,) = snapshot.graph_tables(snapshot.networks[0])
        self.findings = snapshot.findings(snapshot.networks[0])
        self.graph = assemble(tables)

    @property
    def link_costs(self) -> dict[str, int]:
        names = [server.name for server in self.graph.servers]
        return {"-".join(sorted((names[p.server], names[p.target]))): p.cost for p in links_of(self.graph)}

    def links(self) -> list[Any]:
        return [(*sorted(ends.split("-")), cost) for ends, cost in self.link_costs.items()]


def _connect(
    sections: dict[str, list[Any]], connector: str, listener: str, port: int, role: str, costs: tuple[int, int]
) -> None:
    cost = {"cost": costs[0]} if role == "inter-router" else {}
    sections[connector].append(["connector", {"host": "127.0.0.1", "port": port, "role": role, **cost}])
    cost = {"cost": costs[1]} if role == "inter-router" else {}
    sections[listener].append(["listener", {"host": "127.0.0.1", "port": port, "role": role, **cost}])


def routes(vector: Vector) -> dict[str, Any]:
    given = Given(vector["given"])
    table = compute_routes(given.links(), vector["ask"]["at"])
    return {
        "table": {
            end: {"cost": route.cost, "nextHop": route.next_hop, "validOrigins": list(route.valid_origins)}
            for end, route in table.routes.items()
        },
        "radius": table.radius,
        "linkCost": given.link_costs,
    }


def path(vector: Vector) -> dict[str, Any]:
    given, ask = Given(vector["given"]), vector["ask"]
    (found,) = given.network.paths(ask["from"], ask["to"]).paths
    again = Given(vector["given"]).network.paths(ask["from"], ask["to"]).paths[0]
    assert sum(step.cost or 0 for step in found.steps) == found.cost
    assert [(s.from_, s.to) for s in found.steps] == list(pairwise(found.servers))
    return {
        "cost": found.cost,
        "path": list(found.servers),
        "nextHop": found.servers[1],
        "deterministic": found.servers == again.servers,
    }


def valid_origins(vector: Vector) -> dict[str, Any]:
    ask = vector["ask"]
    table = compute_routes(Given(vector["given"]).links(), ask["at"])
    return {"validOrigins": list(table.routes[ask["destination"]].valid_origins)}


def lint(vector: Vector) -> dict[str, Any]:
    """The findings that are more than information, by their names in section 5.2."""
    given = Given(vector["given"])
    found = []
    for finding in given.findings:
        if finding.kind in NAMES and finding.severity is not Severity.INFO:
            pair = PARALLEL.search(finding.message)
            found.append(
                {"finding": NAMES[finding.kind], "routers": sorted(pair.groups() if pair else [finding.server])}
            )
    return {"findings": found, "unstable": any(finding["finding"] == NAMES["parallel-links"] for finding in found)}


NAMES = {
    "parallel-links": "parallel inter-router links",
    "role-mismatch": "role mismatch",
    "duplicate-router-id": "duplicate router id",
    "treatment-mismatch": "treatment mismatch across routers",
    "waypoint-without-autolink": "waypoint entry without in/out autolink",
    "autolink-without-waypoint": "autolink without waypoint entry or with wrong phase",
    "autolink-wrong-phase": "autolink without waypoint entry or with wrong phase",
    "autolink-one-direction": "out without in and in without out",
    "fallback-not-enabled": "fallback autolink without enableFallback at the ingress",
    "link-route-not-everywhere": "link route not on all routers",
    "link-route-over-address": "link route covering a message-routed address",
    "link-route-over-autolink": "same queue as link route and waypoint",
    "multicast-copies": "multicast over redundant paths",
    "partition": "partition",
}
"""The names of section 5.2 for kinds of findings."""

PARALLEL = re.compile(r"parallel links between (\S+) and (\S+) with")

OPS: Mapping[str, Run] = {
    "start": start,
    "parse": parse,
    "load": load,
    "routes": routes,
    "path": path,
    "validOrigins": valid_origins,
    "match": messages.match,
    "normalise": messages.normalise,
    "rank": messages.rank,
    "entry": messages.entry,
    "attach": messages.attach,
    "send": messages.send,
    "deliverStored": messages.deliver_stored,
    "status": messages.status,
    "lint": lint,
}


def not_built_yet(vector: Vector) -> bool:
    """Every op is built."""
    return False


def run(vector: Vector) -> dict[str, Any]:
    """What topograph says to a vector. Raises UnknownOp."""
    try:
        ask = OPS[vector["ask"]["op"]]
    except KeyError:
        raise UnknownOp(f"no AMQ Interconnect vector op {vector['ask']['op']!r}") from None
    return ask(vector)
