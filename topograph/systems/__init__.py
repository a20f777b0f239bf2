"""What each system's servers do with a message: the only place, with importers/, that knows a vendor's meaning.

One module or folder a system; each offers ``compile`` (facts to graph tables and findings) and ``assemble`` (tables to a forwarding
graph). May import the vocabulary, selectors and forwarding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from topograph.facts import Fact
from topograph.findings import Finding
from topograph.forwarding.graph import ForwardingGraph, GraphTables
from topograph.side_inputs import SideInputs

SYSTEMS = ("amq_interconnect", "ems")
"""The systems topograph answers for, by name; each is a module of this package, imported on first use."""


@dataclass(frozen=True)
class Compiled:
    """The compiled networks of one import root, one entry a system present, and what was noticed while compiling."""

    tables: tuple[GraphTables, ...]
    findings: tuple[Finding, ...]


def compile_network(facts: Sequence[Fact], side_inputs: SideInputs) -> Compiled:
    """Compile all systems present among the facts of one network. Pure; linear in facts and in guards, points."""
    tables: list[GraphTables] = []
    findings: list[Finding] = []
    for system in SYSTEMS:
        own = [fact for fact in facts if fact.system == system]
        if own:
            made, noticed = import_module(f"topograph.systems.{system}").compile(own, side_inputs)
            tables.append(made)
            findings.extend(noticed)
    return Compiled(tuple(tables), tuple(findings))


def assemble(tables: GraphTables) -> ForwardingGraph:
    """The forwarding graph of compiled tables: adds the forwards that the system's rules permit between the points."""
    graph: ForwardingGraph = import_module(f"topograph.systems.{tables.system}").assemble(tables)
    return graph


def answering(system: str) -> Any:
    """The module with which a system answers questions: ``reach_from``, ``all_paths``, ``hop_rows``, ``turned`` and its own.

    Imported on first use, so that a question loads only the systems it is about."""
    return import_module(f"topograph.systems.{system}.answering")
