"""``services``: which listener reaches which connector, over which servers, at what cost. Each
listener is asked as ``propagate`` asks of a message that is sent there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from topograph.errors import NotApplicable, UnknownDestination, UsageError
from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.reached import Reached
from topograph.judgement import Condition, Told
from topograph.message import Message, parse_destination
from topograph.outcomes import Outcome
from topograph.questions.answers import (
    Caution,
    Delivery,
    PropagateAnswer,
    ReachedServer,
    Service,
    ServiceConnector,
    ServiceListener,
    ServiceReached,
    ServicesAnswer,
)
from topograph.questions.following import follow
from topograph.questions.model import Model, Part, Place, within_budget
from topograph.questions.propagate import fold
from topograph.questions.records.services import SERVICES
from topograph.questions.steps import PathBook
from topograph.records import record
from topograph.systems.contract.services import ServiceEnd, Serving, Shared, Spill
from topograph.systems.contract.system import Sending
from topograph.tracing.trace import Trace
from topograph.words.did_you_mean import did_you_mean

OBSERVED = "observed"
"""How a receiver is known that output shows, and no file says who it is."""

NOT_TAKEN = (str(Told.NO), str(Told.UNKNOWN), str(Told.NOT_LOOKED_AT))
"""The judgements of a connector that no connection is known to get to."""


@within_budget
def services(
    model: Model, budget: Budget, address: str = "", *, server: str = "", listener: str = ""
) -> ServicesAnswer:
    """The services of all addresses, of one ``address`` (with or without its type), those that
    have a listener or a connector at ``server``, or of the listeners of one name alone.

    Raises UnknownDestination for an address or a listener that no file has, UnknownServer,
    NotApplicable where no system of the network has services. One message is followed for each
    server and address of a listener.
    """
    first = model.offered(SERVICES)
    wanted = model.locate(server) if server else None
    found: list[Service] = []
    asked: list[_Listening] = []
    for part in model.parts:
        estate = part.estate if part.system.capabilities.serves else None
        if not isinstance(estate, Serving):
            continue
        listening = _Listening(model, part, estate, budget)
        asked.append(listening)
        for destination, ends in _by_destination(_of(estate, listener)).items():
            named = address in ("", destination, destination.partition(":")[2])
            at = wanted is None or any(one.server == wanted.name for one in ends)
            if named and at:
                found.append(listening.service(destination, ends))
    if listener and not any(_of(each.estate, listener) for each in asked):
        raise UnknownDestination(_unknown_listener(asked, listener))
    if address and not found and wanted is None:
        raise UnknownDestination(_unknown(asked, address))
    answers = [one for listening in asked for one in listening.answers]
    return ServicesAnswer(
        **model.common(first),
        exact=all(one.exact for one in answers),
        inexact_because=tuple(dict.fromkeys(why for one in answers for why in one.inexact_because)),
        assumptions=tuple(dict.fromkeys(why for one in answers for why in one.assumptions)),
        warnings=tuple(
            dict.fromkeys((*model.warnings, *(one for each in asked for one in each.warnings)))
        ),
        services=tuple(sorted(found, key=lambda one: one.destination)),
        address=address,
        server=server,
        listener=listener,
    )


def _names(end: ServiceEnd) -> tuple[str, ...]:
    """What a listener may be called by."""
    return (end.name, end.shared.name) if end.shared else (end.name,)


def _of(estate: Serving, listener: str) -> list[ServiceEnd]:
    """The listeners of a name and the connectors of their addresses; all where none is named."""
    ends = estate.service_ends()
    own = [one for one in ends if one.listens and (not listener or listener in _names(one))]
    if not listener:
        return list(ends)
    addresses = {one.destination for one in own}
    return [*own, *(one for one in ends if not one.listens and one.destination in addresses)]


def _unknown_listener(asked: Iterable[_Listening], name: str) -> str:
    ends = [one for each in asked for one in each.estate.service_ends() if one.listens]
    known = sorted({named for one in ends for named in _names(one)})
    return f"No loaded file has a listener of the name {name!r}.{did_you_mean(name, known)}"


def _by_destination(ends: Iterable[ServiceEnd]) -> dict[str, list[ServiceEnd]]:
    found: dict[str, list[ServiceEnd]] = {}
    for one in ends:
        found.setdefault(one.destination, []).append(one)
    return found


def _unknown(asked: Iterable[_Listening], address: str) -> str:
    known = sorted({one.destination for each in asked for one in each.estate.service_ends()})
    names = [one.partition(":")[2] for one in known]
    hint = did_you_mean(address.removeprefix("address:"), names)
    return f"No loaded listener or connector has the address {address!r}.{hint}"


@dataclass
class _Listening:
    """Asks about the listeners of one part of a network. ``answers`` are those of the messages
    that were followed, ``warnings`` what has to be known of them."""

    model: Model
    part: Part
    estate: Serving
    budget: Budget
    answers: list[PropagateAnswer] = field(default_factory=list)
    warnings: list[Caution] = field(default_factory=list)
    _needed: Mapping[Source, Sequence[str]] | None = None
    _reached: dict[int, Reached] = field(default_factory=dict)
    _sent: dict[tuple[str, str], tuple[PropagateAnswer, Trace]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._book = PathBook(self.part)

    def service(self, destination: str, ends: Sequence[ServiceEnd]) -> Service:
        """One service."""
        connectors = [one for one in ends if not one.listens]
        listeners = [
            self._chosen(one, self._listener(one, connectors)) for one in ends if one.listens
        ]
        return Service(
            destination,
            tuple(listeners),
            tuple(_connector(one, listeners) for one in connectors),
        )

    def _listener(self, end: ServiceEnd, connectors: Sequence[ServiceEnd]) -> ServiceListener:
        if end.closed:
            none = tuple(_reached(one, str(Told.NO)) for one in connectors)
            told = _told(end, str(Told.NO), (), because=end.closed)
            return replace(told, connectors=none, rule=end.closed_by)
        number = self.part.graph.server_number[end.server]
        place = Place(self.part, number, self.part.graph.servers[number])
        try:
            answer, trace = self._followed(place, end.destination)
        except (UsageError, NotApplicable) as error:
            return _told(end, str(Told.UNKNOWN), (), because=str(error))
        reached = _Reaching(self, place, answer, trace, connectors).all()
        judgement, conditions = _served(answer)
        if judgement == Told.UNKNOWN and self.budget.spent:
            judgement = str(Told.NOT_LOOKED_AT)
        place_of = end.shared.source if end.shared else end.source
        needs = self.needed.get(place_of) if judgement not in NOT_TAKEN else None
        sender = answer.sender
        unserved = judgement in NOT_TAKEN and sender is not None
        return replace(
            _told(end, judgement, conditions),
            connectors=reached,
            needs=None if needs is None else tuple(needs),
            because=sender.description or sender.condition if unserved and sender else "",
            rule=sender.rule if unserved and sender else "",
        )

    def _chosen(self, end: ServiceEnd, told: ServiceListener) -> ServiceListener:
        """A listener as it is where clients get to one of several addresses: to the one of the
        greatest value that is served, or to each with a share."""
        shared = end.shared
        if shared is None:
            return told
        named = f"{shared.strategy} {shared.value}"
        told = replace(told, listener=shared.name, chosen=named)
        if told.judgement != Told.YES:
            return told
        others = [
            (one, one.shared.value, self._judged(one))
            for one in self.estate.service_ends()
            if one.shared and one.shared.source == shared.source and one.source != end.source
        ]
        judgement, because = _among(shared, others)
        if not because:
            return told
        conditions = () if judgement == Told.UNKNOWN else (judgement,)
        reached = tuple(
            one
            if one.judgement in NOT_TAKEN
            else replace(
                one, judgement=judgement, conditions=conditions, because=because, rule=shared.rule
            )
            for one in told.connectors
        )
        return replace(
            told,
            judgement=judgement,
            conditions=conditions,
            because=because,
            rule=shared.rule,
            connectors=reached,
        )

    def _judged(self, end: ServiceEnd) -> str:
        """Whether the clients of a listener are served by one of its addresses."""
        number = self.part.graph.server_number[end.server]
        place = Place(self.part, number, self.part.graph.servers[number])
        try:
            answer, _ = self._followed(place, end.destination)
        except (UsageError, NotApplicable):
            return str(Told.UNKNOWN)
        return _served(answer)[0]

    def _followed(self, place: Place, destination: str) -> tuple[PropagateAnswer, Trace]:
        """What becomes of what a client of a listener sends, asked once for all listeners of a
        server and address. Raises UsageError, NotApplicable."""
        known = self._sent.get((place.name, destination))
        if known is not None:
            return known
        message = Message(parse_destination(destination))
        sending = Sending(
            place.name,
            message,
            assume=False,
            system=place.system,
            inside=True,
            budget=self.budget,
        )
        trace = follow(place, sending)
        answer = fold(self.model, place, message, trace, self.budget)
        said = {(one.rule, one.text) for one in trace.notes}
        self.answers.append(answer)
        self.warnings += [one for one in answer.warnings if (one.rule, one.message) not in said]
        self._sent[place.name, destination] = answer, trace
        return answer, trace

    @property
    def needed(self) -> Mapping[Source, Sequence[str]]:
        """See ``Serving.needed``; nothing where the budget ended first."""
        if self._needed is None:
            try:
                self._needed = self.estate.needed(self.budget)
            except BudgetSpent:
                self._needed = {}
        return self._needed

    def way(self, place: Place, server: str) -> ReachedServer | None:
        """The path to a server, as ``reach`` has it; None where none is certain."""
        number = self.part.graph.server_number.get(server)
        if self.budget.spent:
            return None
        if place.number not in self._reached:
            try:
                self._reached[place.number] = self.part.paths.reach_from(
                    self.part.graph, self.part.engine, place.number, self.budget
                )
            except BudgetSpent:
                return None  # the caller looks at the budget
        path = None if number is None else self._reached[place.number].paths.get(number)
        return None if path is None else self._book.reached(path)


@record(slots=False)
class _Reaching:
    """Tells of each connector whether connections of a listener at ``place`` get there."""

    listening: _Listening
    place: Place
    answer: PropagateAnswer
    trace: Trace
    connectors: Sequence[ServiceEnd]

    def all(self) -> tuple[ServiceReached, ...]:
        """All connectors, then the other receivers that get anything."""
        spills = self._spills()
        found = [self._connector(one, spills) for one in self.connectors]
        taken = {
            id(one)
            for end in self.connectors
            if not self._more_than_connectors(end)
            for one in self._deliveries(end)
        }
        others = [_receiver(one) for one in self.answer.deliveries if id(one) not in taken]
        return tuple(sorted((*found, *others), key=_best_first))

    def _spills(self) -> Mapping[str, Spill]:
        paths = [one.path for one in self.answer.deliveries]
        servers = (server for path in paths for server in path)
        passed = tuple(dict.fromkeys((self.place.name, *servers)))
        listening, destination = self.listening, str(self.answer.message["destination"])
        return listening.estate.spills(
            listening.part.graph, listening.part.engine, passed, destination
        )

    def _deliveries(self, end: ServiceEnd) -> list[Delivery]:
        """The deliveries to a connector: those to its line, or those that output shows at its
        server."""
        own = [one for one in self.answer.deliveries if one.source == end.source]
        return own or [
            one
            for one in self.answer.deliveries
            if one.server == end.server and one.subscriber == OBSERVED
        ]

    def _alike(self, end: ServiceEnd) -> list[ServiceEnd]:
        """The connectors of the address at one server."""
        return [one for one in self.connectors if one.server == end.server]

    def _more_than_connectors(self, end: ServiceEnd) -> bool:
        """Whether output shows more receivers at a connector's server than connectors are there,
        so that some are not connectors."""
        own = self._deliveries(end)
        observed = bool(own) and own[0].subscriber == OBSERVED
        return observed and len(own) > len(self._alike(end))

    def _connector(self, end: ServiceEnd, spills: Mapping[str, Spill]) -> ServiceReached:
        own = self._deliveries(end)
        if own:
            return self._delivered(end, own)
        open_ = next((one for one in self.answer.undetermined if one.server == end.server), None)
        if open_ is not None:
            return _reached(end, str(Told.UNKNOWN), because=open_.because)
        way = self._along(end)
        if self.listening.budget.spent:
            because = self.listening.budget.ended
            return _reached(end, str(Told.NOT_LOOKED_AT), because=because)
        if end.server in spills:
            spill = spills[end.server]
            chosen = str(Condition.ONE_OF)
            return replace(
                way, judgement=chosen, conditions=(chosen,), because=spill.when, rule=spill.rule
            )
        note = next((one for one in self.trace.notes if end.receiver in one.about), None)
        if not self.answer.exact:
            why = next((one.message for one in self.answer.inexact_because), "")
            return replace(way, judgement=str(Told.UNKNOWN), because=why)
        if note is None:
            return replace(way, because="another is chosen" if way.path else "no path leads there")
        return replace(way, because=note.why, rule=note.rule)

    def _along(self, end: ServiceEnd) -> ServiceReached:
        """A connector that does not get the next connection, with the path there."""
        none = _reached(end, str(Told.NO))
        way = self.listening.way(self.place, end.server)
        if end.server == self.place.name:
            return replace(none, path=(end.server,), hops=0, cost=self._cost(()))
        if way is None:
            return none
        return replace(none, path=way.path, hops=way.hops, cost=way.cost, steps=way.steps)

    def _delivered(self, end: ServiceEnd, own: Sequence[Delivery]) -> ServiceReached:
        alike = self._alike(end)
        because = ""
        if self._more_than_connectors(end):
            because = (
                f"output shows {len(own)} receivers at {end.server}, and not which of them is the "
                "connector"
            )
        elif own[0].subscriber == OBSERVED and len(alike) > 1:
            because = (
                f"output shows who receives at {end.server}, and not which of {len(alike)} "
                "connectors that is"
            )
        if because:
            return replace(self._along(end), judgement=str(Told.UNKNOWN), because=because)
        one = own[0]
        return replace(
            _reached(end, one.judgement),
            conditions=one.conditions,
            path=one.path or (one.server,),
            hops=one.hops,
            cost=self._cost(tuple(step.cost for step in one.steps)),
            steps=one.steps,
        )

    def _cost(self, costs: Sequence[int | None]) -> int | None:
        has_costs = self.listening.part.system.capabilities.has_costs
        return sum(cost or 0 for cost in costs) if has_costs else None


def _served(answer: PropagateAnswer) -> tuple[str, tuple[str, ...]]:
    """Whether the clients of a listener are served: for certain if each course of events has
    somebody who takes what they send."""
    judged = {one.judgement: one.conditions for one in answer.deliveries}
    sender = answer.sender
    if not judged:
        open_ = not answer.exact or (sender is not None and sender.outcome == Outcome.UNDETERMINED)
        return str(Told.UNKNOWN if open_ else Told.NO), ()
    courses = answer.alternatives
    if str(Told.YES) in judged or (
        answer.exact and courses and all(one.received or one.deposited for one in courses)
    ):
        return str(Told.YES), ()
    order = [str(one) for one in Told]
    best = max(judged, key=order.index)
    return best, judged[best]


def _among(shared: Shared, others: Sequence[tuple[ServiceEnd, int, str]]) -> tuple[str, str]:
    """When connections get to one of the addresses of a listener that is served, and why; nothing
    where all of them do. ``others`` are those besides, each with its value and judgement."""
    served = [(one, value) for one, value, told in others if told == Told.YES]
    perhaps = [
        one.destination
        for one, value, told in others
        if told not in (Told.YES, Told.NO)
        and (shared.strategy != "priority" or value >= shared.value)
    ]
    if perhaps:
        because = (
            f"whether {', '.join(sorted(perhaps))} of the same listener is served is not known"
        )
        return str(Told.UNKNOWN), because
    if shared.strategy == "priority":
        before = sorted(one.destination for one, value in served if value > shared.value)
        alike = sorted(one.destination for one, value in served if value == shared.value)
        if before:
            return str(
                Told.LATER
            ), f"once {' and '.join(before)} of the same listener is not served"
        if alike:
            because = f"{', '.join(alike)} of the same listener has the same value: one is taken"
            return str(Told.ONE_OF), because
    elif served and shared.strategy == "weighted":
        all_ = shared.value + sum(value for _, value in served)
        return str(Told.ONE_OF), f"{shared.value} of {all_} connections by its weight"
    elif served:
        because = f"how {shared.strategy} chooses among the addresses of a listener is not known"
        return str(Told.UNKNOWN), because
    return "", ""


def _told(
    end: ServiceEnd, judgement: str, conditions: tuple[str, ...], because: str = ""
) -> ServiceListener:
    return ServiceListener(
        end.server,
        end.kind,
        end.name,
        end.outside,
        judgement,
        conditions,
        (),
        None,
        because,
        "",
        end.source,
    )


def _reached(end: ServiceEnd, judgement: str, because: str = "") -> ServiceReached:
    return ServiceReached(
        end.server, end.kind, end.name, end.outside, judgement, because=because, source=end.source
    )


def _receiver(one: Delivery) -> ServiceReached:
    """Somebody who gets what clients of a listener send, and is not a connector."""
    return ServiceReached(
        one.server,
        "receiver",
        one.receiver,
        "",
        one.judgement,
        one.conditions,
        one.path or (one.server,),
        one.hops,
        sum(step.cost or 0 for step in one.steps),
        one.steps,
        source=one.source,
    )


_ORDER = [str(one) for one in (Told.YES, Told.IF, Told.LATER, Told.ONE_OF)]


def _best_first(one: ServiceReached) -> tuple[object, ...]:
    judged = _ORDER.index(one.judgement) if one.judgement in _ORDER else len(_ORDER)
    waits = bool(one.because)
    cost = (one.cost or 0) if one.path else 1 << 30
    return judged, waits, cost, one.server, one.source.line, one.name


def _connector(end: ServiceEnd, listeners: Iterable[ServiceListener]) -> ServiceConnector:
    return ServiceConnector(
        end.server, end.kind, end.name, end.outside, tuple(_served_by(end, listeners)), end.source
    )


def _served_by(end: ServiceEnd, listeners: Iterable[ServiceListener]) -> Iterator[str]:
    servers = {
        one.server
        for one in listeners
        for reached in one.connectors
        if reached.source == end.source and reached.judgement not in NOT_TAKEN
    }
    yield from sorted(servers)
