"""What each system's servers do with a message: the only place, with importers/ and facts/, that knows a vendor's meaning.

One folder a system. ``protocol`` is the contract: a ``System`` record of typed capabilities, and the ``Estate`` that is asked with a network's facts.
``registry`` finds a system by name. May import the vocabulary, selectors, forwarding and tracing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topograph.forwarding.graph import ForwardingGraph, GraphTables
from topograph.systems.registry import system

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.findings import Finding
    from topograph.side_inputs import SideInputs

__all__ = ["CompiledNetwork", "assemble", "compile_network", "system"]


@dataclass(frozen=True)
class CompiledNetwork:
    """The compiled networks of one import root, one entry a system present, and the findings of compiling."""

    tables: tuple[GraphTables, ...]
    findings: tuple[Finding, ...]


def compile_network(facts: Sequence[Fact], side_inputs: SideInputs) -> CompiledNetwork:
    """Compile all systems present among the facts of one network, by name. Pure; linear in facts and in guards, points.

    Raises UnknownSystem for facts of a system that no package answers for.
    """
    from topograph.systems.fact_sources import FactList
    from topograph.systems.shared_names import shared_names

    tables: list[GraphTables] = []
    findings: list[Finding] = []
    for name in sorted({fact.system for fact in facts}):
        own = [fact for fact in facts if fact.system == name]
        compiled = system(name).load(FactList(own), side_inputs).compile()
        tables.append(compiled.tables)
        findings.extend(compiled.findings)
    findings.extend(shared_names(tables))
    return CompiledNetwork(tuple(tables), tuple(findings))


def assemble(tables: GraphTables) -> ForwardingGraph:
    """The forwarding graph of compiled tables: adds the forwards that the system's rules permit between the points.

    Raises UnknownSystem for a system that no package answers for."""
    return system(tables.system).assemble(tables)
