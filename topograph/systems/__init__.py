"""What each system's servers do with a message: the only place, with importers/ and facts/, that
knows a vendor's meaning.

One folder a system. ``contract.system`` is the contract: a ``System`` record of typed capabilities,
and the ``Estate`` that is asked with a network's facts. ``registry`` finds a system by name;
``stepping`` makes one graph of all systems whose messages go step by step. May import the
vocabulary, selectors, forwarding and tracing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING

from topograph.forwarding.graph import STEPPING, ForwardingGraph, GraphTables
from topograph.forwarding.servers import systems_of
from topograph.records import record
from topograph.systems.registry import closed_form, system

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.findings import Finding
    from topograph.process.internal_errors import InternalError
    from topograph.side_inputs import Contradiction, SideInputs
    from topograph.systems.contract.system import (
        Check,
        ClosedForm,
        Compiled,
        Estate,
        FactSource,
        Paths,
        System,
    )

__all__ = [
    "CheckedApart",
    "CompiledNetwork",
    "assemble",
    "checked",
    "compile_network",
    "estate_of",
    "has_checks_apart",
    "paths_of",
    "system",
    "system_of",
    "systems_in",
]


@record(slots=False)
class CompiledNetwork:
    """The compiled networks of one import root, one entry a graph, by its name, and the findings
    of compiling.
    """

    tables: tuple[GraphTables, ...]
    findings: tuple[Finding, ...]
    errors: tuple[InternalError, ...] = ()
    """Faults that cost a system, or some findings; ``findings`` has them too."""
    graphs: Mapping[str, Callable[[], ForwardingGraph]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """Graphs of ``tables`` that the checks have assembled, by the name of the graph."""
    contradictions: tuple[Contradiction, ...] = ()
    """Why the files are not of one estate."""

    def graph(self, tables: GraphTables) -> ForwardingGraph:
        """The forwarding graph of one of ``tables``; raises as ``assemble``."""
        made = self.graphs.get(tables.system)
        return made() if made is not None else assemble(tables)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems present, by name."""
        return tuple(sorted({name for tables in self.tables for name in systems_in(tables)}))


Beside = Callable[[str, "Sequence[Check]"], None]
"""Takes checks of a system that may run from now on, in another process."""


def compile_network(
    facts: Sequence[Fact], side_inputs: SideInputs, *, beside: Beside | None = None
) -> CompiledNetwork:
    """Compile all systems present among the facts of one network: a graph for each that has a
    closed form, by name, and one for all that go step by step. Pure; linear in facts and in guards,
    points. Checks that need no tables are given to ``beside``, before the tables are made, and
    their findings are left out: ``checked`` makes them.

    A system that fails is left out, and a check that fails is; both are ``errors``. Raises
    UnknownSystem for facts of a system that no package answers for.
    """
    from topograph.systems.contract.system import Compiled
    from topograph.systems.guarded import Guarded, nothing_of, systems_of
    from topograph.systems.named_servers import unknown_servers
    from topograph.systems.several_estates import contradictions, told
    from topograph.systems.shared_names import shared_names

    present = _by_system(facts)
    guarded = Guarded()
    made: list[Compiled] = []
    for name, own in sorted(present.items()):
        form = system(name).closed
        if form is not None:
            made.append(
                guarded.made([name], partial(_compiled, form, own, side_inputs, beside, name))
                or Compiled(nothing_of(name))
            )
    steps = sorted(name for name in present if system(name).stepping is not None)
    if steps:
        from topograph.systems.stepping.estate import SteppingEstate

        def together(names: Sequence[str]) -> Compiled:
            return SteppingEstate.load(names, present.__getitem__, side_inputs).compile()

        made += guarded.made_together(steps, together)
    made.sort(key=lambda compiled: compiled.tables.system)
    tables = tuple(compiled.tables for compiled in made)
    lost = bool(guarded.errors)
    findings: list[Finding] = []
    for compiled in made:
        findings += compiled.findings
        checks = compiled.checks if beside else (*compiled.checks, *compiled.apart)
        findings += guarded.found(systems_of(compiled.tables), checks)
    findings += shared_names(tables)
    contradicting = tuple(contradictions(facts))
    findings += told(contradicting)
    if not lost:  # what failed may have had more servers
        findings += unknown_servers(tables, side_inputs)
    graphs = {each.tables.system: each.graph for each in made if each.graph is not None}
    return CompiledNetwork(
        tables, (*findings, *guarded.told()), tuple(guarded.errors), graphs, contradicting
    )


@record(slots=False)
class CheckedApart:
    """What the checks of a system found that need no tables, and the faults that cost some."""

    system: str
    findings: tuple[Finding, ...]
    errors: tuple[InternalError, ...]


def has_checks_apart(name: str) -> bool:
    """Whether ``compile_network`` gives checks of a system to another process."""
    form = system(name).closed
    return form is not None and form.apart is not None


def checked(name: str, checks: Sequence[Check]) -> CheckedApart:
    """The findings of checks of a system that ``compile_network`` has given away. Of a system that
    then cannot be compiled they do not count."""
    from topograph.systems.guarded import Guarded

    guarded = Guarded()
    findings = (*guarded.found([name], checks), *guarded.told())
    return CheckedApart(name, findings, tuple(guarded.errors))


def _by_system(facts: Sequence[Fact]) -> dict[str, FactSource]:
    from topograph.systems.fact_sources import FactList

    return {
        name: FactList([fact for fact in facts if fact.system == name])
        for name in {fact.system for fact in facts}
    }


def _compiled(
    form: ClosedForm, facts: FactSource, side_inputs: SideInputs, beside: Beside | None, name: str
) -> Compiled:
    estate = form.load(facts, side_inputs)
    # Asked for in any case: what fails then fails in the same place, with the same report.
    checks = form.apart(estate) if form.apart is not None else ()
    if beside is not None and checks:
        beside(name, checks)
    return estate.compile()


def assemble(tables: GraphTables) -> ForwardingGraph:
    """The forwarding graph of compiled tables: adds the forwards that the system's rules permit
    between the points.

    Raises UnknownSystem for a system that no package answers for."""
    if tables.system == STEPPING or (system(tables.system) and not tables.servers):
        from topograph.tracing.assembly import assemble as assemble_steps

        graph = assemble_steps(tables)
        graph.system = tables.system
        return graph
    return closed_form(tables.system).assemble(tables)


def systems_in(graph: ForwardingGraph | GraphTables) -> tuple[str, ...]:
    """The systems of the servers of a graph, by name. Linear in the servers of a graph of
    several systems.
    """
    return tuple(sorted(systems_of(graph.servers))) if graph.system == STEPPING else (graph.system,)


def system_of(graph: ForwardingGraph) -> System:
    """What is offered of a graph: the record of its system, or one for all systems in it."""
    if graph.system == STEPPING:
        from topograph.systems.stepping.estate import together

        return together(systems_in(graph))
    return system(graph.system)


def paths_of(graph: ForwardingGraph) -> Paths:
    """What reach, hops and paths ask of a graph."""
    if graph.system == STEPPING:
        from topograph.systems.stepping import paths as stepping_paths

        return stepping_paths
    return closed_form(graph.system).paths()


def estate_of(
    graph: ForwardingGraph, facts_of: Callable[[str], FactSource], side_inputs: SideInputs
) -> Estate:
    """The estate of a graph, out of the facts of each of its systems."""
    if graph.system == STEPPING:
        from topograph.systems.stepping.estate import SteppingEstate

        return SteppingEstate.load(systems_in(graph), facts_of, side_inputs)
    return closed_form(graph.system).load(facts_of(graph.system), side_inputs)
