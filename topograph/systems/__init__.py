"""What each system's servers do with a message: the only place, with importers/, that knows a vendor's meaning.

One folder a system; ``protocol`` says what each offers: ``compile`` (facts to graph tables and findings), ``assemble`` (tables to a forwarding
graph) and ``answering`` (what questions ask). May import the vocabulary, selectors and forwarding. Systems from outside this package come
by ``topograph.extensions``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from topograph import extensions
from topograph.forwarding.graph import ForwardingGraph, GraphTables

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.findings import Finding
    from topograph.side_inputs import SideInputs

TITLES = {"ems": "TIBCO EMS", "amq_interconnect": "AMQ Interconnect"}
"""What people call them; a system from outside goes by its name."""


@dataclass(frozen=True)
class Compiled:
    """The compiled networks of one import root, one entry a system present, and what was noticed while compiling."""

    tables: tuple[GraphTables, ...]
    findings: tuple[Finding, ...]


def compile_network(facts: Sequence[Fact], side_inputs: SideInputs) -> Compiled:
    """Compile all systems present among the facts of one network, by name. Pure; linear in facts and in guards, points.

    Raises UnknownSystem for facts of a system that no package answers for.
    """
    tables: list[GraphTables] = []
    findings: list[Finding] = []
    for system in sorted({fact.system for fact in facts}):
        own = [fact for fact in facts if fact.system == system]
        made, noticed = rules(system).compile(own, side_inputs)
        tables.append(made)
        findings.extend(noticed)
    return Compiled(tuple(tables), tuple(findings))


def assemble(tables: GraphTables) -> ForwardingGraph:
    """The forwarding graph of compiled tables: adds the forwards that the system's rules permit between the points.

    Raises UnknownSystem for a system that no package answers for."""
    graph: ForwardingGraph = rules(tables.system).assemble(tables)
    return graph


def rules(system: str) -> Any:
    """The module with which a system makes its graph (``protocol.Rules``), imported on first use. Raises UnknownSystem."""
    return extensions.module(system, "rules")


def answering(system: str) -> Any:
    """The module with which a system answers questions (``protocol.Answering``), imported on first use, so that a question loads only the
    systems it is about. Raises UnknownSystem."""
    return extensions.module(system, "answering")
