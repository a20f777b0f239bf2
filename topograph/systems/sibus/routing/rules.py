"""The steps of messages on service integration buses, put together: where they begin, what
follows a state, what comes again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from topograph.assumptions import Assumption
from topograph.errors import InvalidSelector, UsageError
from topograph.facts.sibus_faults import RELIABILITIES, reliability_of
from topograph.forwarding.graph import Guard, Server
from topograph.message import Address, Message
from topograph.outcomes import Confidence, Outcome, Truth
from topograph.records import record
from topograph.selectors import parse
from topograph.systems.sibus import checks, listing
from topograph.systems.sibus.ambiguities import A1, S9
from topograph.systems.sibus.buses.carried import ANY, GRAPH, NONE, By, Carried, SibusPhase
from topograph.systems.sibus.buses.configuration import TOPIC_SPACE, Bus
from topograph.systems.sibus.buses.estate import SELECTOR, UNSURE, BusEstate, Here
from topograph.systems.sibus.buses.lookup import target_of
from topograph.systems.sibus.buses.paths import shown
from topograph.systems.sibus.routing import arrival, exceptions, handling, mediation, mq_links
from topograph.systems.sibus.routing.begins import begins
from topograph.systems.sibus.routing.stations import MEDIATING, station
from topograph.tracing.states import (
    STATIC,
    OnLoop,
    State,
    Stepping,
    Transition,
    Verdict,
    limit,
)
from topograph.tracing.trace import Note, TracedStep
from topograph.words.did_you_mean import did_you_mean

AMONG_EXCEPTIONS = OnLoop(rule="S-45", confidence=Confidence.M)
"""A message that is moved to an exception destination again, for the same reason."""

AMONG_BUSES = OnLoop(rule="S-62", confidence=Confidence.M)
"""Next hops that lead in a circle."""


@record(slots=False)
class BusRules:
    """The rules over the buses of one network."""

    estate: BusEstate

    def entries(self) -> Iterator[State]:
        """Every destination of every bus, with a message that has no path of its own; where files
        may not show all of them, one that they do not show, which may lead anywhere (S-07)."""
        for server, bus in self.estate.buses.items():
            carried = Carried(mode=GRAPH, path_bus=bus.name)
            hidden = [NONE] if "destinations" in bus.unsure else []
            for name in [*sorted(bus.destinations), *hidden]:
                yield carried.at(server, name, self.estate.paths)
            for other, name in sorted(bus.elsewhere):
                yield replace(carried, target_bus=other).at(server, name, self.estate.paths)
            for name in sorted(bus.routes):
                yield replace(carried, target_bus=name).at(server, ANY, self.estate.paths)

    def passes(self, step: TracedStep) -> Sequence[str]:
        """The destination that a message is at, and the mediation that takes it there."""
        bus = self.estate.buses.get(step.at)
        if bus is None or not step.object:
            return ()
        place = f"{step.object} at {step.at}"
        if step.rule.partition(",")[0] not in MEDIATING:
            return (place,)
        here = Here.at(self.estate, State(step.at, step.object, step.state))
        own, _ = arrival.own_destination(here)
        if not own.mediation or step.source == own.selector_source:
            return (place,)
        return place, f"mediation {own.mediation} of {place}"

    def enter(self, server: str, message: Message) -> State:
        """The state of a message sent on a bus. Raises UsageError for options that do not fit
        it.
        """
        bus = self.estate.buses[server]
        paths, named = self.estate.paths, message.destination
        reliability = reliability_of(message.reliability)
        if message.reliability and not reliability:
            meant = did_you_mean(message.reliability.upper(), RELIABILITIES)
            raise UsageError(
                f"Unknown reliability {message.reliability!r}. Use one of "
                f"{', '.join(RELIABILITIES)}.{meant}"
            )
        if message.via_engine and bus.engines and message.via_engine not in bus.engines:
            meant = did_you_mean(message.via_engine, bus.engines)
            raise UsageError(
                f"{bus.name} has no messaging engine {message.via_engine!r}. Known: "
                f"{', '.join(bus.engines)}.{meant}"
            )
        return Carried(
            forward=paths.of(message.forward_path or ()),
            reverse=paths.of(message.reverse_path),
            path_bus=bus.name,
            target_bus="" if bus.is_own(named.at) else named.at,
            reliability=reliability,
            mode=message.mode or self.estate.reading(A1, server),
            topic=message.topic,
            rollbacks=message.rollbacks or 0,
            engine=message.via_engine,
            asked=_asked_for(bus, message),
        ).at(server, named.name, paths)

    def address(self, state: State) -> str:
        """What a message was sent to, in words: ``DEST``, or ``DEST@BUS`` on another bus."""
        carried = Carried.of(state, self.estate.paths)
        bus = carried.target_bus
        if state.object == ANY:
            return f"any destination of {bus or self.estate.buses[state.server].name}"
        if state.object == NONE:
            own = bus or self.estate.buses[state.server].name
            return f"a destination that {own} does not have"
        return f"{state.object}@{bus}" if bus else state.object

    def handed_over(self, state: State, message: Message) -> State:
        """A message that comes over a link, with what its sender says to buses alone."""
        carried = Carried.of(state, self.estate.paths)
        return replace(
            carried,
            reliability=reliability_of(message.reliability) or carried.reliability,
            mode=message.mode or carried.mode,
            topic=message.topic,
            rollbacks=message.rollbacks or 0,
        ).at(state.server, state.object, self.estate.paths)

    def reply(self, state: State, message: Message) -> State | None:  # noqa: ARG002
        """S-50: the reply to a message that was taken in a state; None where none is asked for."""
        carried = Carried.of(state, self.estate.paths)
        if carried.reverse is None:
            return None
        bus = self.estate.buses[state.server]
        back = self.estate.paths.of(
            Address(one.bus or bus.name, one.destination) for one in carried.reverse
        )
        start = Carried(
            phase=SibusPhase.ASKED,
            forward=back,
            path_bus=bus.name,
            reliability=carried.reliability,
            mode=carried.mode,
            engine=carried.point or carried.engine,
        )
        return start.at(state.server, state.object, self.estate.paths)

    def step(self, state: State) -> Transition:
        """All ways out of a state. Linear in what the destination configures."""
        here = Here.at(self.estate, state)
        _STEPS[here.carried.phase](here)
        found = here.done()
        if here.bus.not_started is None:
            return found
        text = f"a file that is not loaded starts the messaging engine of {here.bus.server}"
        assumed = Assumption("A4.3", "L", text, "it does not start, and takes no messages")
        return replace(found, assumptions=(*found.assumptions, assumed))

    def loop_key(self, state: State) -> Hashable:
        """What decides where a message goes next: destination and path. Counts and the reverse
        path do not; in a graph the count does.
        """
        carried = Carried.of(state, self.estate.paths)
        counted = carried.redirects if carried.mode == GRAPH else 0
        return (
            state.server,
            state.object,
            carried.unstamped,
            replace(carried, reverse=None, redirects=counted),
        )

    def on_loop(self, state: State) -> OnLoop:
        """On a path the limit of redirects ends a loop; nothing ends one of exception
        destinations or of next hops.
        """
        carried = Carried.of(state, self.estate.paths)
        if carried.by is By.PATH or carried.on_path:
            return limit(2 * self.estate.readings.number(S9) + 2)
        return (
            AMONG_EXCEPTIONS
            if carried.by is By.EXCEPTION
            else AMONG_BUSES
            if carried.by is By.LINK
            else STATIC
        )

    def servers(self) -> list[Server]:
        """The buses, and those that are only named; a queue manager is a server of another
        system.
        """
        own = {}
        for server, bus in self.estate.buses.items():
            why, _ = bus.unsure.get("foreign_buses", ("", bus.source))
            own[server] = Server(server, "sibus", True, bus.source, why, open_ended=_is_open(bus))
        for bus in self.estate.buses.values():
            for route in bus.routes.values():
                name = self.estate.server_of(route.bus)
                if route.kind in ("direct", "indirect") and name not in own:
                    own[name] = Server(
                        name,
                        "sibus",
                        False,
                        route.source,
                        "its files are not loaded",
                        open_ended=True,
                    )
        return [own[name] for name in sorted(own)]


def _asked_for(bus: Bus, message: Message) -> str:
    """The kind of destination that a sender asks for, that of its JMS destination, where the
    destination is of the other kind (S-28). With a path the product does not compare them;
    ``queue:NAME`` with a topic may be a topic space too.
    """
    kind, named = message.destination.type, message.destination
    if not kind or message.forward_path or (kind == "queue" and message.topic):
        return ""
    target = target_of(bus, Address("" if bus.is_own(named.at) else named.at, named.name))
    handler = target.found.destination
    if handler is None or (handler.type == TOPIC_SPACE) == (kind == "topic"):
        return ""
    return kind


def _is_open(bus: Bus) -> bool:
    """Whether the bus may have links that no loaded file shows."""
    return "foreign_buses" in bus.unsure


def evaluate(guard: Guard, message: Message) -> Verdict:
    """Whether a selector takes a message; all else is what the loaded files leave open."""
    if guard.kind == SELECTOR:
        try:
            return Verdict(parse(guard.text).evaluate(message.properties))
        except InvalidSelector:
            return Verdict(
                Truth.UNKNOWN, known=False, note=f"the selector {guard.text} cannot be read"
            )
    assert guard.kind == UNSURE
    return Verdict(Truth.UNKNOWN, known=False, note=guard.text)


def _replied(here: Here) -> None:
    arrival.default(here, arrival.own_destination(here)[0])


def _defaulted(here: Here) -> None:
    mediation.mediate(here, arrival.own_destination(here)[0])


def _selected(here: Here) -> None:
    mediation.selected(here, arrival.own_destination(here)[0])


def _mediated(here: Here) -> None:
    handling.handle(here, arrival.own_destination(here)[0])


def _stored(here: Here) -> None:
    handling.stored(here, arrival.own_destination(here)[0])


def _asked(here: Here) -> None:
    """S-52: the reverse path says where the reply passes, and where it is awaited."""
    path = here.carried.forward
    assert path is not None
    *_, last = path
    text = (
        f"a reply goes by the reverse path {shown(path, here.bus.name)}, to where "
        f"{last.destination} awaits it"
    )
    here.go(text, "S-52", phase=SibusPhase.REPLY)


def _reply(here: Here) -> None:
    """S-50: to the first element of the reverse path, with the rest as its path."""
    path, bus = here.carried.forward, here.bus
    assert path is not None
    head = path.head
    text = f"the reply goes to {head.destination}; its path is {shown(path.rest, bus.name)}"
    other = "" if bus.is_own(head.bus) else head.bus
    here.go(
        text,
        "S-50",
        to=head.destination,
        phase=SibusPhase.ARRIVED,
        forward=path.rest,
        target_bus=other,
    )


_STEPS: Mapping[SibusPhase, Callable[[Here], None]] = {
    SibusPhase.ARRIVED: arrival.arrive,
    SibusPhase.REPLIED: _replied,
    SibusPhase.DEFAULTED: _defaulted,
    SibusPhase.SELECTED: _selected,
    SibusPhase.MEDIATED: _mediated,
    SibusPhase.UNRESOLVED: handling.unresolved,
    SibusPhase.EXCEPTION: exceptions.leave,
    SibusPhase.MOVED: exceptions.moved,
    SibusPhase.STORED: _stored,
    SibusPhase.ASKED: _asked,
    SibusPhase.REPLY: _reply,
    SibusPhase.ANYWHERE: mediation.anywhere,
}


def _notes(estate: BusEstate) -> tuple[Note, ...]:
    """What no answer takes into account: S-18, S-03 (25), S-48."""
    secure = any(bus.security is not False for bus in estate.buses.values())
    what = ("authority, " if secure else "") + "full queue points and deleted destinations"
    return (Note("not-followed", f"{what} are not evaluated"),)


def stepping(estate: BusEstate) -> Stepping:
    """The record of a network's buses."""
    rules = BusRules(estate)
    return Stepping(
        servers=rules.servers(),
        entries=rules.entries,
        begins=partial(begins, estate),
        passes=rules.passes,
        enter=rules.enter,
        step=rules.step,
        evaluate=evaluate,
        loop_key=rules.loop_key,
        on_loop=rules.on_loop,
        beyond=Outcome.EXTERNAL,
        notes=_notes(estate),
        checks=(lambda: checks.findings(estate),),
        show=lambda what: listing.rows(estate, what),
        reply=rules.reply,
        address=rules.address,
        handed_over=rules.handed_over,
        takes=partial(mq_links.entered, estate),
        station=partial(station, estate),
        known_as={route.queue_manager for _, route in estate.mq_links if route.queue_manager},
    )
