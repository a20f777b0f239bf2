"""The routers of a vector, written as one configuration file each and read as files are."""

from __future__ import annotations

import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import topograph
from topograph.facts.amq_interconnect import Entity
from topograph.findings import Finding, Severity
from topograph.network import Network
from topograph.opening.folders import read_snapshot
from topograph.systems import assemble
from topograph.systems.amq_interconnect.checks.addresses import lint as linted
from topograph.systems.amq_interconnect.checks.findings import Noticed
from topograph.systems.amq_interconnect.messages.configuration import message_network
from topograph.systems.amq_interconnect.network.links import connect
from topograph.systems.amq_interconnect.network.routers import routers_of
from topograph.systems.amq_interconnect.routes.tables import links_of

ROUTER = ("id", "mode", "defaultDistribution")


class Files:
    """A network vector as files: routers with their entries, links, connections, uplinks and
    containers; without what is down.
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        down = set(given.get("down", ()))
        self.sections: list[tuple[str, list[Any]]] = []
        self.of: dict[str, list[Any]] = {}
        self.ports = iter(range(20_001, 60_000))
        for router in given["routers"]:
            if router["id"] in down:
                continue
            sections: list[Any] = [
                ["router", {name: router[name] for name in ROUTER if name in router}]
            ]
            sections += [
                [kind, one]
                for kind, list_ in router.items()
                if isinstance(list_, list)
                for one in list_
            ]
            self.sections.append((router["id"], sections))
            self.of.setdefault(router["id"], sections)
        for connector, listener, roles, costs in _connections(given):
            if {connector, listener} <= self.of.keys():
                self._connect((connector, listener), roles, costs)
        for broker in given.get("brokers", ()):
            self._broker(broker)
        with tempfile.TemporaryDirectory() as folder:
            for number, (router, sections) in enumerate(self.sections):
                (Path(folder) / f"{number:03}_{router}.json").write_text(
                    json.dumps(sections), encoding="utf-8"
                )
            self.snapshot = read_snapshot(folder)
            self.network: Network = topograph.read(folder)
        (self.name,) = self.snapshot.networks
        (tables,) = self.snapshot.graph_tables(self.name)
        self.graph = assemble(tables)

    def _connect(
        self, ends: tuple[str, str], roles: tuple[str, str], costs: tuple[int, int]
    ) -> None:
        port = next(self.ports)
        for router, type_, role, cost in zip(
            ends, ("connector", "listener"), roles, costs, strict=True
        ):
            stated = {"cost": cost} if role == "inter-router" else {}
            self.of[router].append(
                [type_, {"host": "127.0.0.1", "port": port, "role": role, **stated}]
            )

    def _broker(self, broker: Mapping[str, Any]) -> None:
        port = next(self.ports)
        for one in broker.get("connections", ()):
            if one["router"] in self.of:
                named = {"name": one["name"]} if one.get("name") else {}
                section = {"host": "127.0.0.1", "port": port, "role": one["role"], **named}
                self.of[one["router"]].append(["connector", section])

    @cached_property
    def links(self) -> list[tuple[str, str, int]]:
        """The working links between routers with their costs, of parallel ones each."""
        names = [server.name for server in self.graph.servers]
        return [(names[link.a], names[link.b], link.cost) for link in links_of(self.graph)]

    def findings(self) -> Iterator[tuple[Finding, tuple[str, ...]]]:
        """Every finding with the routers that it is about."""
        facts = [fact for fact in self.snapshot.facts(self.name) if isinstance(fact, Entity)]
        side_inputs = self.snapshot.side_inputs(self.name)
        routers, _ = routers_of(facts, side_inputs)
        network = message_network(self.graph, facts, side_inputs)
        noticed: list[Noticed] = linted(
            network, routers, len(connect(routers, side_inputs).outside)
        )
        about = {one.finding: one.routers for one in noticed}
        for finding in self.snapshot.findings(self.name):
            yield finding, about.get(finding) or self._named(finding)

    def _named(self, finding: Finding) -> tuple[str, ...]:
        """The router of a finding about a connection, and those that its message names."""
        words = [
            name
            for name in self.of
            if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", finding.message)
        ]
        return tuple(dict.fromkeys((*((finding.server,) if finding.server else ()), *words)))


def _connections(
    given: Mapping[str, Any],
) -> Iterator[tuple[str, str, tuple[str, str], tuple[int, int]]]:
    """Connector, listener, and what each of them says of role and cost."""
    for left, right, cost in given.get("links", ()):
        yield left, right, ("inter-router", "inter-router"), (cost, cost)
    for one in given.get("connections", ()):
        role = one.get("role", "inter-router")
        roles = (one.get("connectorRole", role), one.get("listenerRole", role))
        yield (
            one["connector"],
            one["listener"],
            roles,
            (one.get("connectorCost", 1), one.get("listenerCost", 1)),
        )
    for one in given.get("edges", ()):
        yield one["edge"], one["interior"], ("edge", "edge"), (1, 1)


NAMES: Mapping[str, tuple[str, ...]] = {
    "redundant-entry": ("shadowed entry", "shadowed entries", "overlapping entries"),
    "address-dropped": ("duplicate entries", "duplicate entry"),
    "treatment-mismatch": ("treatment mismatch across routers",),
    "waypoint-without-autolink": ("waypoint entry without in/out autolink",),
    "autolink-without-waypoint": (
        "autolink without waypoint entry or with wrong phase",
        "autolink without waypoint entry",
    ),
    "autolink-wrong-phase": (
        "autolink without waypoint entry or with wrong phase",
        "autolink with wrong phase",
    ),
    "autolink-one-direction": (
        "out without in and in without out",
        "out without in",
        "in without out",
    ),
    "fallback-not-enabled": ("fallback autolink without enableFallback at the ingress",),
    "fallback-without-autolink": ("enableFallback without fallback autolink",),
    "link-route-one-direction": ("link route in one direction only",),
    "link-route-not-everywhere": ("link route not on all routers",),
    "link-route-over-address": ("link route covering a message-routed address",),
    "link-route-over-autolink": ("same queue as link route and waypoint",),
    "coordinator-several-containers": ("$coordinator link-routed to more than one broker",),
    "autolink-never-active": ("inactive connection references", "inactive connection reference"),
    "linkroute-never-active": ("inactive connection references", "inactive connection reference"),
    "unmatched-connector": ("connector without listener",),
    "router-not-loaded": ("connector without listener",),
    "role-mismatch": ("role mismatch",),
    "duplicate-router-id": ("duplicate router id",),
    "neighbour-of-same-id": ("duplicate router id",),
    "parallel-links": ("parallel inter-router links",),
    "cost-mismatch": (
        "cost mismatch at the two ends",
        "cost mismatch at the two ends (effective = larger)",
        "cost mismatch",
    ),
    "cost-without-effect": (
        "cost without effect",
        "cost without effect (edge, route-container)",
        "cost has no effect here",
    ),
    "single-point-of-failure": ("single points of failure", "single point of failure"),
    "only-path-to-container": ("single points of failure", "only path to a broker"),
    "partition": ("partition",),
    "edge-with-one-uplink": ("edge with one uplink",),
    "multicast-copies": ("multicast over redundant paths",),
    "prefix-with-wildcard": ("prefix with wildcard",),
    "cut-by-comment": ("# cut by a comment", "`#` cut by a comment"),
}
"""The names of section 5.2 for kinds of findings; where a vector uses none of them, the first."""


def lint(given: Mapping[str, Any], wanted: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The findings in the words of a vector. One that lists findings is about those: a network
    has others too, and information is no answer unless it is asked about. One that lists none is
    about warnings and errors."""
    wanted = list(wanted)
    asked = {one["finding"] for one in wanted}
    fields = {name for one in wanted for name in one}
    found: dict[str, set[frozenset[str]]] = defaultdict(set)
    unstable = False
    for finding, routers in Files(given).findings():
        names = NAMES.get(finding.kind, (finding.kind,))
        name = next((name for name in names if name in asked), names[0])
        unstable |= finding.kind == "parallel-links"
        if name in asked or (not asked and finding.severity is not Severity.INFO):
            found[name].add(frozenset(routers))
    return {
        "findings": [
            {"finding": name, "routers": sorted(routers)}
            if "routers" in fields or not asked
            else {"finding": name}
            for name, each in found.items()
            for routers in each
        ],
        "unstable": unstable,
    }
