"""Runs the vectors of AMQ Interconnect that are about files and routes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from conformance import amq_interconnect_messages as messages
from conformance.amq_interconnect_files import Files
from conformance.amq_interconnect_files import lint as linted
from conformance.comparison import Run, UnknownOp, Vector

from topograph.importers.amq_interconnect import parse_dump, parse_text
from topograph.systems.amq_interconnect.routes.trees import compute_routes


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
        entities, found["deprecated"] = (
            read.entities,
            [list(pair) for pair in read.loaded.deprecated],
        )
    for kind in expect.keys() - {"deprecated"}:
        own = [entity for entity in entities if entity.type == kind]
        found[kind] = [_row(entity, row) for entity, row in zip(own, expect[kind], strict=False)]
        found[kind] += [{"unexpected": entity.name} for entity in own[len(expect[kind]) :]]
    return found


def _row(entity: Any, wanted: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: entity.name if name == "name" else _typed(entity.get(name), like)
        for name, like in wanted.items()
    }


def _typed(value: str, like: Any) -> Any:
    """The text of an attribute in the type the vector writes it in; unset is None."""
    if isinstance(like, bool):
        return {"true": True, "false": False}.get(value, value)
    if isinstance(like, int):
        return int(value) if value.lstrip("-").isdigit() else value
    return value or None


def load(vector: Vector) -> dict[str, Any]:
    given = vector["given"]
    sections = [
        [kind, entity]
        for kind, entities in given.items()
        if isinstance(entities, (Mapping, list))
        for entity in ([entities] if isinstance(entities, Mapping) else entities)
    ]
    read = parse_text("json", json.dumps(sections))
    entries = [e for e in read.loaded.entries if e.type == vector["ask"]["entity"]]
    return {
        "distribution": messages.distributions(read.entities, vector["ask"].get("probe", ())),
        "kept": [entry.index for entry in entries if not entry.dropped],
        "dropped": [entry.index for entry in entries if entry.dropped],
        "logged": [entry.index for entry in entries if entry.logged],
        "inactiveForEver": [entry.index for entry in entries if entry.never_active],
    }


def routes(vector: Vector) -> dict[str, Any]:
    files = Files(vector["given"])
    table = compute_routes(files.links, vector["ask"]["at"])
    costs: dict[str, int] = {}
    for a, b, cost in files.links:
        costs["-".join(sorted((a, b)))] = min(cost, costs.get("-".join(sorted((a, b))), cost))
    return {
        "table": {
            end: {
                "cost": route.cost,
                "nextHop": route.next_hop,
                "validOrigins": list(route.valid_origins),
            }
            for end, route in table.routes.items()
        },
        "radius": table.radius,
        "linkCost": costs,
    }


def path(vector: Vector) -> dict[str, Any]:
    files, ask = Files(vector["given"]), vector["ask"]
    found = files.network.paths(ask["from"], ask["to"]).paths
    if not found:
        return {"cost": None, "path": None, "nextHop": None, "deterministic": True}
    first = found[0]
    assert sum(step.cost or 0 for step in first.steps) == first.cost
    assert [(s.from_, s.to) for s in first.steps] == list(pairwise(first.servers))
    again = Files(vector["given"]).network.paths(ask["from"], ask["to"]).paths[0]
    return {
        "cost": first.cost,
        "path": list(first.servers),
        "nextHop": first.servers[1] if len(first.servers) > 1 else None,
        "deterministic": len(found) == 1 and first.servers == again.servers,
    }


def valid_origins(vector: Vector) -> dict[str, Any]:
    ask = vector["ask"]
    route = compute_routes(Files(vector["given"]).links, ask["at"]).routes.get(ask["destination"])
    return {"validOrigins": list(route.valid_origins) if route else []}


def lint(vector: Vector) -> dict[str, Any]:
    return linted(vector["given"], vector["expect"].get("findings", ()))


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
