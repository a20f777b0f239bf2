"""What all rules share: the buses, the paths, and how ways are put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.graph import UNDECIDED, Guard
from topograph.outcomes import Outcome
from topograph.side_inputs import MediationEntry, SideInputs
from topograph.systems.contract.ambiguities import Ambiguity, Readings
from topograph.systems.sibus.buses.carried import NONE, Carried, SibusPhase
from topograph.systems.sibus.buses.configuration import Bus, BusDestination, ForeignRoute
from topograph.systems.sibus.buses.paths import PathTable
from topograph.systems.sibus.buses.terms import LIBERTY
from topograph.tracing.states import State, Transition, Way
from topograph.tracing.trace import NOWHERE, Ending

SELECTOR = "selector"
"""Kind of the guards that are the selector of a mediation."""

UNSURE = "unsure"
"""Kind of the guards that the loaded files do not decide."""


@dataclass
class BusEstate:
    """The buses of a network, by server, with what topograph.yaml says of their mediations."""

    buses: Mapping[str, Bus]
    side_inputs: SideInputs
    paths: PathTable = field(default_factory=PathTable)
    _leaving: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def readings(self) -> Readings:
        """Which readings hold where sibus.md leaves something open."""
        return Readings.of(self.side_inputs, "sibus")

    def reading(self, of: Ambiguity, server: str) -> str:
        """The name of the reading that holds on a bus."""
        seen = LIBERTY.get(of.position, "") if self.buses[server].liberty else ""
        return seen or self.readings.chosen(of)

    @cached_property
    def described(self) -> Mapping[tuple[str, str], MediationEntry]:
        """The mediations that topograph.yaml describes, by bus and destination or name
        (``mediation:NAME``).
        """
        found: dict[tuple[str, str], MediationEntry] = {}
        for one in self.side_inputs.mediations:
            if one.destination:
                found.setdefault((one.bus, one.destination), one)
            if one.mediation and not one.destination:
                found.setdefault((one.bus, f"mediation:{one.mediation}"), one)
        return found

    @cached_property
    def mq_links(self) -> Sequence[tuple[Bus, ForeignRoute]]:
        """The links to networks of WebSphere MQ, each with its bus."""
        return [
            (bus, one)
            for bus in self.buses.values()
            for one in bus.routes.values()
            if one.kind == "mq"
        ]

    @cached_property
    def _server_of(self) -> Mapping[str, str]:
        named: dict[str, list[str]] = {}
        for server, bus in self.buses.items():
            named.setdefault(bus.name, []).append(server)
        return {name: servers[0] for name, servers in named.items() if len(servers) == 1}

    def server_of(self, bus: str) -> str:
        """The server that stands for a bus; its name where no loaded file describes it."""
        return bus if bus in self.buses else self._server_of.get(bus, bus)

    def leaving(self, server: str) -> tuple[str, ...]:
        """The destinations of a bus from which a message may get to another bus, by name: by a
        path, an alias, an exception destination or a mediation, whatever else they do, and those of
        which the loaded files do not show where they lead (S-07). Linear in the configuration of
        the bus, once."""
        if server not in self._leaving:
            self._leaving[server] = tuple(sorted(_leaving(self.buses[server])))
        return self._leaving[server]

    def description(self, bus: Bus, destination: BusDestination) -> MediationEntry | None:
        """What topograph.yaml says of the mediation of a destination; None where it says
        nothing.
        """
        for name in (bus.server, bus.name, ""):
            for key in (destination.name, f"mediation:{destination.mediation}"):
                found = self.described.get((name, key))
                if found is not None and found.mediation in ("", destination.mediation):
                    return found
        return None


def _leaving(bus: Bus) -> set[str]:
    """See ``BusEstate.leaving``: backwards from whatever names another bus or may do so."""
    named_by: dict[str, list[str]] = {}
    waiting: list[str] = []
    for name, one in bus.destinations.items():
        targets = [*one.path, *([one.target] if one.target else [])]
        if one.mediation or one.doubt or any(not bus.is_own(target.bus) for target in targets):
            waiting.append(name)
        for other in (*(target.destination for target in targets), one.exception):
            named_by.setdefault(other, []).append(name)
    if "destinations" in bus.unsure:
        waiting.append(NONE)
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(named_by.get(name, ()))
    return found


@dataclass
class Here:
    """A message at a destination of a bus, and the ways out of it as they are found."""

    estate: BusEstate
    bus: Bus
    state: State
    carried: Carried
    ways: list[Way] = field(default_factory=list)
    assumed: dict[Assumption, None] = field(default_factory=dict)

    @classmethod
    def at(cls, estate: BusEstate, state: State) -> Here:
        """The message in a state."""
        bus = estate.buses[state.server]
        here = cls(estate, bus, state, Carried.of(state, estate.paths))
        if bus.not_made is not None:
            text = f"{bus.name} is there: no loaded file makes it, and {bus.not_made} changes it"
            otherwise = "there is no such bus, and every command about it was refused"
            here.assume(Assumption("A4.2", "M", text, otherwise))
        if not bus.engines and "engines" not in bus.unsure:
            text = f"{bus.name} has a member, although no loaded file adds one ({bus.source})"
            otherwise = "it has no messaging engine, and takes no message"
            here.assume(Assumption("A1.1", "M", text, otherwise))
        return here

    @property
    def address(self) -> str:
        """``DEST@BUS``, where the message is."""
        return f"{self.state.object}@{self.bus.name}"

    @property
    def in_graph(self) -> bool:
        """Whether this stands for all messages that begin at a destination, so that nothing is
        known of any of them.
        """
        return self.carried.mode == "graph"

    def assume(self, *positions: Assumption) -> None:
        """Note what the step rests on."""
        self.assumed.update(dict.fromkeys(positions))

    def takes(self, of: Ambiguity, choice: str) -> bool:
        """Whether this reading holds of what the rules leave open."""
        assert choice in of.choices
        return self.estate.reading(of, self.bus.server) == choice

    def is_seen(self, of: Ambiguity) -> bool:
        """Whether the engine of this bus was seen to decide what the rules leave open."""
        return self.bus.liberty and of.position in LIBERTY

    def is_settled(self, of: Ambiguity) -> bool:
        """Whether only one reading counts: topograph.yaml states it, or it was seen."""
        return self.is_seen(of) or self.estate.readings.is_stated(of)

    def rests_on(
        self, of: Ambiguity, texts: Mapping[str, str] | None = None, taken: str = ""
    ) -> Assumption:
        """Note the reading that the step rests on, which is given back; what was seen is no
        assumption."""
        position = self.estate.readings.said(of, texts, taken)
        if not self.is_seen(of):
            self.assume(position)
        return position

    def way(
        self, to: State | Ending, text: str, rule: str, source: Source = NOWHERE, **more: Any
    ) -> None:
        """Add a way."""
        self.ways.append(Way(to, text, rule, source=source, **more))

    def go(
        self,
        text: str,
        rule: str,
        source: Source = NOWHERE,
        *,
        to: str | None = None,
        how: Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> None:
        """Add a way to a state of this bus: ``changes`` to what the message carries, ``to``
        another destination, ``how`` the fields of the way.
        """
        state = replace(self.carried, **changes).at(
            self.bus.server, self.state.object if to is None else to, self.estate.paths
        )
        self.ways.append(Way(state, text, rule, source=source, **(how or {})))

    def end(
        self,
        outcome: Outcome,
        text: str,
        rule: str,
        source: Source = NOWHERE,
        how: Mapping[str, Any] | None = None,
        **arguments: str | int,
    ) -> None:
        """Add a way that ends."""
        self.ways.append(Way(Ending(outcome, arguments), text, rule, source=source, **(how or {})))

    def reject(
        self,
        code: int,
        text: str,
        rule: str,
        source: Source = NOWHERE,
        how: Mapping[str, Any] | None = None,
    ) -> None:
        """The sender gets an error."""
        reason: str | int = code or "lookup"
        self.end(
            Outcome.REJECTED, f"the sender gets an error: {text}", rule, source, how, reason=reason
        )

    def unsure(self, why: str, source: Source, rule: str = "S-21") -> None:
        """The loaded files do not show what happens: the message may be sent anywhere that the
        bus leads to.
        """
        guard = Guard(f"{UNSURE}/{self.address}/{why}", UNDECIDED, why, source=source)
        self.go(why, rule, source, to="", how={"guard": guard}, phase=SibusPhase.ANYWHERE)

    def done(self) -> Transition:
        """All ways."""
        return Transition(tuple(self.ways), tuple(self.assumed))
