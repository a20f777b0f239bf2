"""The systems of a network whose messages go step by step, as one estate
(``contract.system.Estate``): written once for all of them.

Such a system gives a ``tracing.states.Stepping``; its graph is made by ``tracing.closure``, its
messages are followed by ``tracing.exploration``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from operator import is_

from topograph.errors import NotApplicable
from topograph.findings import Finding
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import STEPPING, Closed, ForwardingGraph
from topograph.forwarding.walker import Walker
from topograph.outcomes import Outcome
from topograph.records import record
from topograph.side_inputs import Client, SideInputs
from topograph.systems.contract.portable import Portable
from topograph.systems.contract.system import (
    Capabilities,
    Change,
    Check,
    Compiled,
    FactSource,
    Failure,
    Failures,
    Row,
    Sending,
    System,
)
from topograph.systems.fact_sources import ChangedFacts
from topograph.systems.registry import system, title
from topograph.systems.stepping.asked import outage_of
from topograph.systems.stepping.destinations import destinations
from topograph.systems.stepping.keeping import Keeping, KeptSource
from topograph.tracing.circling import Circling
from topograph.tracing.exploration import explore
from topograph.tracing.states import Handover, Outage, Seam, State, Stepping, Transition, Way, never
from topograph.tracing.trace import Ending, Kind, Note, Trace, TracedStep


def together(names: Iterable[str]) -> System:
    """What is offered of a graph that several systems share."""
    records = [system(name) for name in names]
    *others, last = [record.title for record in records] or [STEPPING]
    return System(
        name=" and ".join(record.name for record in records) or STEPPING,
        title=f"{', '.join(others)} and {last}" if others else last,
        destinations={
            kind: how
            for record in records
            for kind, how in record.destinations.items()
            if how == STEPPING
        },
        message_options=frozenset(
            option for record in records for option in record.message_options
        ),
        further_options=tuple(
            dict.fromkeys(option for record in records for option in record.further_options)
        ),
        capabilities=Capabilities(
            has_costs=any(record.capabilities.has_costs for record in records),
            judges_failures=True,
            judges_circles=any(record.capabilities.judges_circles for record in records),
            portable=_portable,
        ),
    )


def _portable() -> Portable:
    from topograph.systems.stepping import portable as stepping_portable

    return stepping_portable


@record(slots=False)
class SteppingEstate:
    """The servers that the facts of one network configure, of all systems that go step by step;
    ``failed`` are out of order.
    """

    sources: Mapping[str, FactSource]
    side_inputs: SideInputs
    failed: Failure = Failure()
    intact: Mapping[str, Stepping] | None = field(default=None, compare=False, repr=False)
    """Each system while nothing is out of order, if it is loaded."""

    @classmethod
    def load(
        cls, names: Iterable[str], facts_of: Callable[[str], FactSource], side_inputs: SideInputs
    ) -> SteppingEstate:
        """The estate of some systems, each of which has its facts from ``facts_of``."""
        return cls({name: facts_of(name) for name in sorted(names)}, side_inputs)

    @cached_property
    def systems(self) -> Mapping[str, Stepping]:
        """What each system says of its servers, loaded once."""
        found: dict[str, Stepping] = {}
        for name, own in self._loaded.items():
            outage = outage_of(name, self.failed)
            found[name] = own.without(outage) if outage and own.without is not None else own
        found = {name: with_takers(name, own, found) for name, own in found.items()}
        outages = {name: outage for name in found if (outage := outage_of(name, self.failed))}
        if outages:
            found = {name: _without(name, own, outages) for name, own in found.items()}
        return found

    @cached_property
    def _loaded(self) -> Mapping[str, Stepping]:
        """Each system by itself, while nothing is out of order."""
        if self.intact is not None:
            return self.intact
        found: dict[str, Stepping] = {}
        for name, source in self.sources.items():
            load = system(name).stepping
            assert load is not None  # only such systems are loaded here
            found[name] = load(source, self.side_inputs)
        return found

    @cached_property
    def seams(self) -> tuple[Seam, ...]:
        """How states of one system are states of another."""
        return tuple(seam for name in self.sources for seam in system(name).seams)

    def compile(self) -> Compiled:
        """See ``tracing.closure.close``."""
        from topograph.tracing.closure import close

        closure = close(self.systems, self.seams)
        own = (finding for stepping in self.systems.values() for finding in stepping.findings)
        return Compiled(closure.tables, (*own, *closure.findings), self.checks())

    def checks(self) -> tuple[Check, ...]:
        """What looks for what is wrong or risky."""
        return tuple(
            partial(_unexplained, check, self.systems)
            for stepping in self.systems.values()
            for check in stepping.checks
        )

    def findings(self) -> Iterator[Finding]:
        """What is wrong or risky in the configuration, without a graph of it."""
        for own in self.systems.values():
            yield from own.findings
            for check in own.checks:
                yield from _unexplained(check, self.systems)

    def follow(self, graph: ForwardingGraph, walker: Walker, sending: Sending) -> Trace:  # noqa: ARG002
        """See ``tracing.exploration.explore``. Raises UsageError for a name that no message goes
        to.
        """
        name = sending.system or next(
            one.system for one in graph.servers if one.name == sending.start
        )
        systems = {name: _with_servers(own, name, graph) for name, own in self.systems.items()}
        own = systems[name]
        server = next(one for one in own.servers if one.name == sending.start)
        state = own.enter(sending.start, sending.message) if server.loaded else State(sending.start)
        trace = explore(
            systems, name, state, sending.message, seams=self.seams, budget=sending.budget
        )
        text = (
            f"a client of {sending.message.destination} is left out: destinations take "
            "messages here, whoever reads them"
        )
        ignored = tuple(
            Note("client-not-counted", f"{text} ({one.server})", one.source)
            for one in sending.clients
        )
        return replace(trace, notes=(*trace.notes, *ignored))

    def reply(
        self,
        graph: ForwardingGraph,
        walker: Walker,  # noqa: ARG002
        taken: TracedStep,
        sending: Sending,
    ) -> Trace | None:
        """See ``contract.system.Replying``."""
        systems = {name: _with_servers(own, name, graph) for name, own in self.systems.items()}
        begins = systems[taken.system].reply
        if begins is None:
            raise NotApplicable(f"Replies of {title(taken.system)} are not followed.")
        state = begins(State(taken.at, taken.object, taken.state), sending.message)
        if state is None:
            return None
        return explore(
            systems, taken.system, state, sending.message, seams=self.seams, budget=sending.budget
        )

    def without(self, failure: Failure, graph: ForwardingGraph) -> Closed | SteppingEstate:  # noqa: ARG002
        """The network while something is out of order: what its servers do then is for each
        system to say.
        """
        return self.failed_by(failure)

    def failed_by(self, failure: Failure) -> SteppingEstate:
        """See ``without``."""
        before = self.failed
        return replace(
            self,
            failed=Failure(
                before.servers | failure.servers,
                before.links | failure.links,
                before.containers | failure.containers,
                before.components | failure.components,
                failure.system,
            ),
            intact=self._loaded,
        )

    def apply(self, change: Change) -> SteppingEstate:
        """The network with other configuration."""
        changed = {
            name: ChangedFacts(
                source,
                Change(
                    tuple(fact for fact in change.removed if fact.system == name),
                    tuple(fact for fact in change.added if fact.system == name),
                ),
            )
            for name, source in self.sources.items()
        }
        return replace(self, sources=changed, intact=None)

    def changes_since(self, before: SteppingEstate) -> Mapping[str, Change] | None:
        """By system the change that makes this network of another; None where it is not made so."""
        if (self.side_inputs, self.failed) != (before.side_inputs, before.failed):
            return None
        found: dict[str, Change] = {}
        for name, source in self.sources.items():
            was = before.sources.get(name)
            if not isinstance(source, ChangedFacts) or source.before is not was:
                return None
            found[name] = source.change
        return found if found.keys() == before.sources.keys() else None

    def failures(
        self,
        graph: ForwardingGraph,
        walker: Walker,
        clients: Sequence[Client] = (),  # noqa: ARG002
    ) -> Failures:
        """See ``systems.stepping.failures``."""
        from topograph.systems.stepping.failures import SteppingFailures

        return SteppingFailures(self, graph, walker, self._keeping)

    @property
    def _keeping(self) -> Keeping | None:
        """Where what is worked out of the network is kept while nothing is out of order."""
        sources = list(self.sources.values())
        if self.failed != Failure() or not all(isinstance(one, KeptSource) for one in sources):
            return None
        first = sources[0]
        return first.keeping if isinstance(first, KeptSource) else None

    def circling(self, budget: Budget) -> Iterator[tuple[str, Circling]]:
        """See ``contract.cycles.Circulating``."""
        for name, own in self.systems.items():
            if own.circling is not None:
                yield name, own.circling(budget)

    def show(self, what: str) -> Iterator[Row] | None:
        """The rows of all systems that have some."""
        found = [
            rows
            for name, own in self.systems.items()
            if (rows := destinations(name, own) if what == "destinations" else own.show(what))
            is not None
        ]
        return (row for rows in found for row in rows) if found else None


def _with_servers(own: Stepping, name: str, graph: ForwardingGraph) -> Stepping:
    """A system with all its servers of the graph, also those that ``Stepping.named`` found."""
    known = {one.name for one in own.servers}
    more = [one for one in graph.servers if one.system == name and one.name not in known]
    return replace(own, servers=(*own.servers, *more)) if more else own


def _unexplained(
    check: Callable[[], Iterable[Finding]], systems: Mapping[str, Stepping]
) -> Iterator[Finding]:
    """The findings of a check that hold with all systems of the network."""
    return (one for one in check() if not any(own.explains(one) for own in systems.values()))


def with_takers(name: str, own: Stepping, systems: Mapping[str, Stepping]) -> Stepping:
    """A system some of whose messages other systems take over: where it would hold them, or sees
    them leave.
    """
    others = {other: one for other, one in systems.items() if other != name}
    loaded = frozenset(one.name for one in own.servers if one.loaded)

    def step(state: State) -> Transition:
        found = own.step(state)
        ways = [way for one in found.ways for way in _taken(name, state, one, others, loaded)]
        return (
            found
            if len(ways) == len(found.ways) and all(map(is_, ways, found.ways))
            else replace(found, ways=tuple(ways))
        )

    # What another system takes over may depend on what is out of order there.
    if not others:
        return own
    return replace(own, step=step, as_before=never, alike=never, asking=None)


def _taken(
    name: str, state: State, way: Way, others: Mapping[str, Stepping], loaded: Collection[str]
) -> Sequence[Way]:
    """The ways in place of one that ends where the message is held, or leads out of the system."""
    if isinstance(way.to, Ending):
        if way.to.outcome is not Outcome.HELD:
            return (way,)
        return _instead(
            way, [more for one in others.values() for more in one.takes(name, state, way.to)]
        )
    if isinstance(way.to, Handover):
        asked = [others[way.to.system]] if way.to.system in others else []
        to = way.to.state
        leaves = Ending(Outcome.EXTERNAL, {"server": to.server, "handed_over_to": way.to.system})
    else:
        asked = [] if way.to.server in loaded else list(others.values())
        to = way.to
        leaves = Ending(Outcome.EXTERNAL, {"server": to.server})
    found = [more for one in asked for more in one.takes(name, to, leaves)]
    return _instead(way, [_after(way, more) for more in found])


def _instead(way: Way, taken: Sequence[Way]) -> Sequence[Way]:
    """Ways in place of one, under its conditions."""
    if not taken:
        return (way,)
    if way.kind is Kind.COPY:
        return [replace(more, guard=way.guard or more.guard) for more in taken]
    return [
        replace(
            more,
            kind=way.kind,
            guard=way.guard or more.guard,
            choice=way.choice,
            choice_of=way.choice_of,
            condition=way.condition,
        )
        for more in taken
    ]


def _after(way: Way, more: Way) -> Way:
    """A way out of one system and the way into another as one."""
    rule = way.rule if more.rule in way.rule else f"{way.rule}, {more.rule}"
    return replace(
        more,
        text=f"{way.text}; {more.text}",
        rule=rule,
        source=way.source,
        eliminated=way.eliminated,
        link=way.link,
        role=way.role,
        position=more.position or way.position,
    )


def _without(name: str, own: Stepping, outages: Mapping[str, Outage]) -> Stepping:
    """A system while servers and links are down, its own and those of the others: what would go
    there is held.
    """

    def step(state: State) -> Transition:
        found = own.step(state)
        address = own.address(state)
        ways = [_held(name, state, address, way, outages) for way in found.ways]
        return found if all(map(is_, ways, found.ways)) else replace(found, ways=tuple(ways))

    def as_before(state: State) -> bool:
        return own.as_before(state) and step(state) is own.step(state)

    return replace(own, step=step, as_before=as_before, passing=None, beginning=None, alike=never)


def _held(name: str, state: State, address: str, way: Way, outages: Mapping[str, Outage]) -> Way:
    if isinstance(way.to, Ending) or way.kind is Kind.LATER:
        return way
    system, to = (
        (way.to.system, way.to.state.server)
        if isinstance(way.to, Handover)
        else (name, way.to.server)
    )
    out = outages.get(system, Outage())
    down = to in out.servers and (system, to) != (name, state.server)
    if down or (to != state.server and frozenset((state.server, to)) in out.links):
        if isinstance(way.to, Handover) and way.to.otherwise is not None:
            return replace(way, to=way.to.otherwise, text=f"{way.text}: {to} is out of reach")
        ending = Ending(Outcome.HELD, {"queue": address, "server": state.server})
        return replace(way, to=ending, text=f"{way.text}: waits, for {to} is out of reach")
    return way
