"""Networks of routers from texts and folders."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

import topograph
from topograph.engines.memory import MemoryEngine
from topograph.findings import Finding, Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.reached import Reached
from topograph.importers.amq_interconnect import parse_text
from topograph.side_inputs import HostEntry, MachineEntry, SideInputs
from topograph.systems import assemble
from topograph.systems.amq_interconnect.estate import RouterEstate
from topograph.systems.amq_interconnect.network.facts import RouterFacts
from topograph.systems.amq_interconnect.routes.reach import all_paths, reach_from
from topograph.systems.amq_interconnect.routes.tables import links_of
from topograph.systems.fact_sources import FactList

SHAPE = frozenset({"partition", "single-point-of-failure", "edge-with-one-uplink"})
"""Findings about the shape of a whole network, which most networks of these tests would have."""


class Network:
    """A compiled network that is asked by router names."""

    def __init__(
        self,
        texts: Mapping[str, str],
        hosts: Mapping[str, str],
        versions: Mapping[str, str],
        machines: Mapping[str, tuple[str, ...]],
    ) -> None:
        side_inputs = SideInputs(
            hosts=tuple(
                HostEntry(host, server, Source("topograph.yaml", 1))
                for host, server in hosts.items()
            ),
            versions=tuple(versions.items()),
            machines=tuple(
                MachineEntry(name, servers, Source("topograph.yaml", 1))
                for name, servers in machines.items()
            ),
        )
        facts = [
            entity
            for file, text in texts.items()
            for entity in parse_text(
                "json" if file.endswith(".json") else "conf", text, file
            ).entities
        ]
        compiled = RouterEstate(RouterFacts(FactList(facts)), side_inputs).compile()
        self.tables, findings = compiled.tables, compiled.all_findings()
        self.findings: tuple[Finding, ...] = tuple(one for one in findings if one.kind not in SHAPE)
        self.graph: ForwardingGraph = assemble(self.tables)

    @property
    def names(self) -> list[str]:
        return [server.name for server in self.graph.servers]

    @property
    def kinds(self) -> list[str]:
        return [finding.kind for finding in self.findings]

    def reached_from(self, name: str) -> Reached:
        return reach_from(
            self.graph, MemoryEngine(self.graph), self.graph.server_number[name], Budget()
        )

    def path(self, from_: str, to: str) -> tuple[str, ...]:
        """The routers from one to the other, empty if there is no path."""
        number = self.graph.server_number
        found = all_paths(
            self.graph, MemoryEngine(self.graph), number[from_], number[to], 10, Budget()
        )
        return tuple(
            self.names[self.graph.points[point].server] for path in found.paths for point in path
        )

    def cost(self, from_: str, to: str) -> int:
        path = self.reached_from(from_).paths[self.graph.server_number[to]]
        return sum(self.graph.forward(a, b).cost for a, b in itertools.pairwise(path))

    def reached(self, name: str) -> set[str]:
        return {self.names[number] for number in self.reached_from(name).paths}

    def undetermined(self, name: str) -> dict[str, str]:
        return {
            self.names[number]: because
            for number, (because, _) in self.reached_from(name).undetermined.items()
        }

    def links(self) -> list[tuple[str, str, int]]:
        return [
            (self.names[link.a], self.names[link.b], link.cost) for link in links_of(self.graph)
        ]


@pytest.fixture
def network():
    """``network({file: text}, hosts={host: server})``."""

    def made(texts, hosts=None, versions=None, machines=None):
        return Network(texts, hosts or {}, versions or {}, machines or {})

    return made


@pytest.fixture
def network_of(network):
    """A network of all files of a folder."""

    def made(folder: Path, **side_inputs):
        return network(
            {file.name: file.read_text() for file in sorted(folder.iterdir())}, **side_inputs
        )

    return made


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
