"""What happens to one message sent to an address.

The possible courses come from ``outcomes``; here they get their evidence, the readings that depend
on a version nobody stated, what a receiver at each router would get where none is known, and where
the recorded behaviour of routers is not what the manual says (section 5.1). ``branches`` makes a
trace of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

from topograph.facts.amqp_addresses import plain_address
from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.judgement import Polarity
from topograph.outcomes import Confidence, Outcome
from topograph.records import record
from topograph.side_inputs import Client
from topograph.systems.amq_interconnect.messages.addresses import Distribution
from topograph.systems.amq_interconnect.messages.backlog import deciding, preference
from topograph.systems.amq_interconnect.messages.bridged import LedOn
from topograph.systems.amq_interconnect.messages.configuration import (
    ON_ONE_MACHINE,
    local_containers,
)
from topograph.systems.amq_interconnect.messages.destinations import (
    AddressState,
    AttachRefusal,
    DestinationKind,
)
from topograph.systems.amq_interconnect.messages.model import FALLBACK, MessageNetwork, Receiver
from topograph.systems.amq_interconnect.messages.outcomes import SendResult, send
from topograph.systems.amq_interconnect.messages.reasons import Reasons, together
from topograph.systems.amq_interconnect.messages.records import (
    Path,
    Remark,
    RouterDecision,
    RouterDelivery,
    RouterSending,
    SentCourse,
)
from topograph.systems.amq_interconnect.messages.simulation import without_routed

RECEIVING = frozenset({"subscriber", "receiver", "consumer"})
"""Roles of clients in topograph.yaml that receive."""

ASSUMED = "assumed"
OLD, NEW = "1.12.0", "1.19.0"
"""Versions on either side of the change in multicast (M-4)."""


@record
class End:
    """Where a copy ends: with a receiver (DELIVERED) or in a container (DEPOSITED). ``server``
    is the router it leaves the network from, ``name`` the receiver's or container's, ``address``
    the one there. ``copies`` came over ``path``; ``known`` says how the receiver is known, and
    ``source`` where it is said."""

    outcome: Outcome
    server: str
    name: str
    address: str
    copies: int
    path: Path
    decisions: tuple[RouterDecision, ...]
    known: str
    source: Source
    waited: bool


@record
class MessageCourse:
    """One course of events: the sender's outcome (accepted, released, ...) and every end, by
    router and name. ``if_`` says under which condition it is taken where that is known, "" where
    nothing that is configured decides."""

    outcome: str
    ends: tuple[End, ...]
    if_: str = ""


@record
class Followed:
    """What becomes of one message. ``ways`` are all possible courses; with ``assumed`` each is
    about a receiver attached at one router alone.

    ``refusal`` is that of the sender's attach; an anonymous sender is attached to no address,
    and the same refusal rejects its message (``rejected``, M-2). ``nobody`` says why a message
    that is sent ends nowhere. ``left_out`` are routers of which the budget left open whether an
    assumed receiver there would get it.
    ``state`` is the address as it was when the message was sent."""

    refusal: AttachRefusal | None
    credit: bool
    ways: tuple[MessageCourse, ...]
    assumed: tuple[MessageCourse, ...]
    complete: bool
    positions: tuple[Remark, ...]
    notes: tuple[Remark, ...]
    link_routed: bool
    rejected: AttachRefusal | None = None
    nobody: Remark | None = None
    left_out: tuple[str, ...] = ()
    state: AddressState | None = field(default=None, compare=False, repr=False)

    def treated_otherwise(self, servers: Collection[str]) -> list[str]:
        """The routers that decided and may treat the address otherwise if it had destinations at
        one of these routers too (A-10), by name."""
        state = self.state
        if state is None or not servers:
            return []
        deciders = {one.at for way in self.ways for end in way.ends for one in end.decisions}
        return [
            name
            for name in sorted(deciders)
            if any(
                state.would_change(name, phase, other)
                for phase in state.phases()
                for other in servers
            )
        ]

    def may_come_back(self, servers: Collection[str]) -> bool:
        """Whether a copy that multicast sends to one of these routers too may come back from a
        router that hands it to one receiver alone (A-11)."""
        rules = {one.rule for way in self.ways for end in way.ends for one in end.decisions}
        return bool(
            servers
            and "M-4" in rules
            and self.state is not None
            and not self.state.multicast_everywhere(servers)
        )


@record(slots=False)
class MessageQuestion:
    """A message, or ``count`` of them: sender's router, address, and what is known about
    receivers. ``subject`` is None where it is not stated.
    """

    router: str
    address: str
    receivers: tuple[Receiver, ...] = ()
    subject: str | None = None
    anonymous: bool = False
    assume: bool = True
    count: int = 1
    barred: Mapping[str, Remark] = field(default_factory=dict)
    """Per router whose policy lets no receiver of the address attach, why."""

    @property
    def sending(self) -> RouterSending:
        """One such message."""
        subjects = () if self.subject is None else (self.subject,)
        return RouterSending(
            self.router, self.address, 1, anonymous=self.anonymous, subjects=subjects
        )

    @property
    def series(self) -> RouterSending:
        """All of them, each sent when the outcome of the one before is known."""
        return replace(self.sending, count=self.count)


def receivers_of(clients: Iterable[Client]) -> tuple[Receiver, ...]:
    """The receivers among clients of topograph.yaml or the command line (``address:NAME``), told
    apart by client id, or by number.
    """
    found: list[Receiver] = []
    taken: dict[str, int] = {}
    for client in clients:
        kind, _, address = client.destination.partition(":")
        if kind != "address" or client.role not in RECEIVING:
            continue
        name = client.client_id or f"receiver at {client.server}"
        taken[name] = taken.get(name, 0) + 1
        unique = name if taken[name] == 1 else f"{name} ({taken[name]})"
        found.append(Receiver(unique, client.server, address, source=client.source))
    return tuple(found)


def follow(network: MessageNetwork, question: MessageQuestion, budget: Budget) -> Followed:
    """Follow one message, or several. One simulation a course, as many for one message alone
    where there are several, and one more a router where no receiver is known and ``assume``
    holds. Raises BudgetSpent if the budget ends before anything is known."""
    return _Following(network.with_receivers(question.receivers), question, budget).followed()


def led_by(led: LedOn, found: Followed) -> Followed:
    """What becomes of a message that link routes led into another router first (W-16)."""
    if not led.decisions:
        return found

    def after(ways: Iterable[MessageCourse]) -> tuple[MessageCourse, ...]:
        return tuple(
            replace(
                way,
                ends=tuple(
                    replace(end, decisions=(*led.decisions, *end.decisions)) for end in way.ends
                ),
            )
            for way in ways
        )

    return replace(
        found,
        ways=after(found.ways),
        assumed=after(found.assumed),
        positions=(*led.positions(), *found.positions),
    )


class _Following:
    def __init__(self, network: MessageNetwork, question: MessageQuestion, budget: Budget) -> None:
        self.network, self.question, self.budget = network, question, budget
        self.left_out: list[str] = []

    def followed(self) -> Followed:
        result = send(self.network, self.question.sending, self.budget)
        assumed, nowhere = self._assumed() if self._nobody_known(result) else ((), ())
        reasons = Reasons(self.network, self.question.sending, result)
        known = (
            one for _, one in self.network.by_address.get(plain_address(self.question.address), ())
        )
        single = tuple(self._way(course, self.network) for course in result.courses)
        series, ways = result, single
        if self.question.count > 1:
            series = send(self.network, self.question.series, self.budget)
            ways = tuple(self._way(course, self.network) for course in series.courses)
        # In a course that the budget left out somebody may get the message.
        whole = result.complete or not self.budget.spent
        other = self._other_version(result)
        return Followed(
            refusal=result.refusal,
            credit=result.credit,
            ways=ways if result.credit or not assumed else (),
            assumed=assumed,
            complete=result.complete and series.complete and not self.budget.spent,
            positions=(
                *self._positions(result, assumed),
                *self._of_late(result),
                *self._of_autolinks(ways + assumed),
                *other,
                *_of_connectors(ways),
            ),
            notes=(
                *self._notes(result, ways + assumed, single),
                *(reasons.of(known) if whole else ()),
                *self._of_refused_autolinks(),
                *nowhere,
            ),
            link_routed=result.link_routed,
            rejected=self._rejected() if self.question.anonymous else None,
            nobody=reasons.nobody() if whole else None,
            left_out=tuple(self.left_out),
            state=self.state,
        )

    def _rejected(self) -> AttachRefusal | None:
        """Why a message of an anonymous sender is rejected (M-2); no link route takes it."""
        refusal = self.state.refusal(self.question.router)
        return refusal and replace(
            refusal, lifted_by=tuple(rule for rule in refusal.lifted_by if rule != "L-2")
        )

    @cached_property
    def state(self) -> AddressState:
        return AddressState.of(
            without_routed(self.network, self.question.address), self.question.address
        )

    def _nobody_known(self, result: SendResult) -> bool:
        """Whether no client is known to receive, so that the answer is what each router would do
        for one (section 5, position 10). A container counts that the messages of this sender come
        to: in their own phase (W-1), and as the fallback where the entry of the sender's router
        has one (F-2).
        """
        if (
            not self.question.assume
            or result.link_routed
            or (result.refusal and result.refusal.rule != "M-6")
        ):
            return False
        if self.network.by_address.get(plain_address(self.question.address)):
            return False
        entry = self.state.entry(self.question.router)
        phases = {self._phase, FALLBACK if entry and entry.fallback else self._phase}
        ends_at_container = any(
            one.kind not in (DestinationKind.RECEIVER, DestinationKind.ROUTER)
            for (_, phase), own in self.state.own.items()
            for one in own
            if phase in phases
        )
        return not ends_at_container or bool(entry and entry.waypoint)

    def _assumed(self) -> tuple[tuple[MessageCourse, ...], tuple[Remark, ...]]:
        """The course of a receiver at each router alone, and why one at some routers would get
        nothing.
        """
        ways: list[MessageCourse] = []
        nowhere: list[tuple[str, Remark]] = []
        for name in sorted(self.network.routers):
            receiver = Receiver(f"a receiver at {name}", name, self.question.address, known=ASSUMED)
            if name in self.question.barred:
                nowhere.append((receiver.id, self.question.barred[name]))
                continue
            network = self.network.with_receivers([receiver])
            try:
                found = send(network, self.question.series, self.budget)
            except BudgetSpent:
                self.left_out.append(name)
                continue
            reached = [course for course in found.courses if receiver.id in course.received]
            if not reached and not found.complete and self.budget.spent:
                self.left_out.append(name)
            elif reached:
                way = self._way(reached[0], network)
                ways.append(
                    replace(
                        way, if_=f"if a receiver attached at {name}", ends=_of(way, receiver.id)
                    )
                )
            else:
                nowhere.append(
                    (receiver.id, Reasons(network, self.question.sending, found).why(receiver))
                )
        return tuple(ways), tuple(together(nowhere, "would get"))

    def _way(self, course: SentCourse, network: MessageNetwork) -> MessageCourse:
        # copies that came by other decisions are other copies: out of another container, say
        copies: dict[
            tuple[str, str, str, Path, tuple[RouterDecision, ...]], list[RouterDelivery]
        ] = {}
        for message in course.messages:
            for one in message.deliveries:
                copies.setdefault(
                    (one.receiver, one.broker, one.address, one.path, one.decisions), []
                ).append(one)
        receivers = {receiver.id: receiver for receiver in network.receivers}
        ends = []
        for (receiver, broker, address, path, _), each in copies.items():
            first, taking = each[0], receivers.get(receiver)
            ends.append(
                End(
                    outcome=Outcome.DELIVERED if receiver else Outcome.DEPOSITED,
                    server=path[-1] if path else taking.router if taking else "",
                    name=receiver or broker,
                    address=address,
                    copies=len(each),
                    path=path,
                    decisions=first.decisions,
                    known=taking.known if taking else "configured",
                    source=first.source,
                    waited=first.waited,
                )
            )
        ends.sort(key=lambda end: (end.waited, end.server, end.name, len(end.path), end.path))
        return MessageCourse(_told(course.outcomes), tuple(ends))

    def _positions(self, result: SendResult, assumed: Sequence[MessageCourse]) -> Iterator[Remark]:
        if assumed:
            yield Remark(
                "M-9",
                Confidence.I,
                (
                    f"no receiver of {self.question.address} is known: each router is asked "
                    "about alone, as if one receiver attached there"
                ),
                "with receivers at several routers the distribution decides among them",
            )
        plain = plain_address(self.question.address)
        users = {
            (name, one.container)
            for name, one in self.network.auto_links_by_address.get(plain, ())
            if one.container and not one.connection
        }
        routed = ((target.router, target.link_route) for target in result.targets)
        users |= {
            (name, one.container) for name, one in routed if one.container and not one.connection
        }
        for name, container in sorted(users):
            unknown = [
                one.broker
                for one in self.network.open_connections(name, "", container)
                if not self.network.brokers[one.broker].container
            ]
            if unknown and self._uses(result, set(unknown)):
                yield Remark(
                    "W-7",
                    Confidence.I,
                    (
                        f"{name}: container id {container} is taken for "
                        f"{', '.join(sorted(set(unknown)))}, whose ids are in no file"
                    ),
                    "a container with another id is not attached to",
                )
        for address in sorted({one.local for one in self.network.brokers.values() if one.local}):
            same = {
                one.broker: one.router
                for one in self.network.connections
                if self._local(one.broker) == address
            }
            if self._uses(result, set(same)):
                yield Remark(
                    "T-13", Confidence.I, local_containers(address, same.values()), ON_ONE_MACHINE
                )

    def _of_late(self, result: SendResult) -> Iterator[Remark]:
        """M-6: what the receivers rest on whose routers know the address from others alone."""
        if result.refusal or not self.state.late:
            return
        names = ", ".join(f"{one.id} at {one.router}" for one in self.state.late)
        text = f"{names}: attached after another router had announced {self.question.address}"
        yield Remark("M-6", Confidence.I, text, "the attach is refused", self.state.late[0].source)

    def _of_autolinks(self, ways: Sequence[MessageCourse]) -> Iterator[Remark]:
        """W-16: what autolinks rest on that attach at other loaded routers: that the connection
        opens (T-14), and that the policies there let them."""
        passed = {
            decision.source
            for way in ways
            for end in way.ends
            for decision in end.decisions
            if decision.rule == "W-16"
        }
        for name, router in self.network.routers.items() if passed else ():
            for one in router.auto_links:
                for bridge in self.network.bridges_of(name, one) if one.source in passed else ():
                    said = self.network.policies.get((bridge.there, one))
                    if said is not None and said.allowed is Polarity.UNKNOWN:
                        yield Remark("12", Confidence.I, said.text, "the attach is refused")
                    if bridge.doubt:
                        text = f"the connection of {name} to {bridge.there} opens: {bridge.doubt}"
                        yield Remark("T-14", Confidence.I, text, "the autolink does not attach")

    def _of_refused_autolinks(self) -> Iterator[Remark]:
        """The autolinks of the address that policies of other loaded routers refuse."""
        for name, router in self.network.routers.items() if self.network.policies else ():
            for one in router.auto_links:
                here = plain_address(one.address), plain_address(one.at_container)
                for bridge in self.network.bridges if self.state.address in here else ():
                    said = self.network.policies.get((bridge.there, one))
                    if bridge.here == name and said and said.allowed is Polarity.NO:
                        text = f"autolink {one.name} of {name} is left out: {said.text}"
                        yield Remark("12", Confidence.B, text, source=said.source)

    def _local(self, broker: str) -> str:
        return self.network.brokers[broker].local

    @staticmethod
    def _uses(result: SendResult, brokers: set[str]) -> bool:
        return any(
            delivery.broker in brokers
            for course in result.courses
            for message in course.messages
            for delivery in message.deliveries
        )

    def _other_version(self, result: SendResult) -> Iterator[Remark]:
        """The other reading where a multicast depends on a version that is not known (M-4)."""
        unknown = {name for name, router in self.network.routers.items() if not router.version}
        if not unknown or not result.credit or result.link_routed:
            return
        routers = {
            name: replace(router, version=OLD) if name in unknown else router
            for name, router in self.network.routers.items()
        }
        try:
            other = send(replace(self.network, routers=routers), self.question.sending, self.budget)
        except BudgetSpent:
            return  # the answer is not exact: ``complete`` says so
        if not other.courses:
            return  # the budget ended in the first of them
        before, after = _copies(result.courses[0]), _copies(other.courses[0])
        if before != after:
            fewer = ", ".join(
                f"{name} {after.get(name, 0)} instead of {number}"
                for name, number in sorted(before.items())
                if after.get(name, 0) != number
            )
            yield Remark(
                "M-4",
                Confidence.A,
                (
                    "no file says which versions the routers have: taken as 1.13 to 1.19, "
                    "which send a copy over every redundant path"
                ),
                f"up to 1.12 each receiver gets one copy: {fewer}",
            )

    def _notes(
        self, result: SendResult, ways: Sequence[MessageCourse], single: Sequence[MessageCourse]
    ) -> Iterator[Remark]:
        """Where the message goes round; and where routers were seen to do other than the manual
        says, each once, if this message meets it (section 5.1)."""
        for one in result.cut:
            where = f"{one.at}: " if one.at else ""
            text = f"{where}{one.text}: there may be more copies than are listed here"
            yield Remark(one.rule, Confidence.I, text, source=one.source)
        if result.link_routed:
            if len({target.broker for target in result.targets}) > 1:
                text = (
                    "rotation picks one of these containers for each attach, whatever the "
                    "cost; the manual says the shortest path"
                )
                yield Remark("L-3", Confidence.A, text, source=result.targets[0].link_route.source)
            return
        rules = {decision.rule for way in ways for end in way.ends for decision in end.decisions}
        router, phase = self.question.router, self._phase
        several = any(_copies_from_there(way, end) > 1 for way in single for end in way.ends)
        several |= any(
            _copies_from_there(way, end) > self.question.count for way in ways for end in way.ends
        )
        if "M-4" in rules and several:
            yield Remark(
                "M-4",
                Confidence.A,
                (
                    "receivers get one copy over every redundant path (1.13 to 1.19, as "
                    "recorded); the manual says one copy"
                ),
                source=self._entry_source(router),
            )
        deciders = {
            d.at for way in ways for end in way.ends for d in end.decisions if d.rule == "M-5"
        }
        if (at := deciding(self.state, router)) in deciders:
            yield from self._balanced_note(at, phase)
        if (
            self.network.routers[router].mode == "edge"
            and rules & {"M-3", "M-5"}
            and len(self.state.local(router, phase)) > 1
        ):
            text = (
                f"on the edge router {router} own receivers and the uplink take turns (as "
                "recorded); the manual says the closest"
            )
            yield Remark("E-3", Confidence.A, text, source=self._entry_source(router))
        default = self.network.routers[router].default
        if (
            self.state.entry(router) is None
            and default is Distribution.UNAVAILABLE
            and result.credit
        ):
            text = (
                f"{router} has defaultDistribution unavailable, and the address works there "
                "all the same: another router announced it"
            )
            yield Remark("M-6", Confidence.A, text, source=self.network.routers[router].source)
        yield from self._mismatch(phase)

    @property
    def _phase(self) -> str:
        entry = self.state.entry(self.question.router)
        return str(entry.ingress_phase) if entry and not self.question.anonymous else "0"

    def _entry_source(self, router: str) -> Source:
        entry = self.state.entry(router)
        return entry.source if entry else self.network.routers[router].source

    def _balanced_note(self, at: str, phase: str) -> Iterator[Remark]:
        """Section 5, position 2: which destinations promptly settled traffic uses, and when it
        spills to others.
        """
        preferred = preference(self.state, at, phase, self.question.router)
        if preferred.others:
            first = f"the receivers at {at}" if preferred.own else _one_of(preferred.first)
            rest = "; then ".join(
                f"{' or '.join(hosts)} when the backlog there exceeds {more}"
                for more, hosts in preferred.others.items()
            )
            why = "the cost" if preferred.own else "the difference of the costs"
            text = (
                f"balanced: while messages are settled promptly only {first}; under "
                f"backlog also {rest} ({why}; as recorded). "
                "The manual says that they are spread whatever the path"
            )
            yield Remark("M-5", Confidence.A, text, source=self._entry_source(at))

    def _mismatch(self, phase: str) -> Iterator[Remark]:
        """A-9 to A-11: the routers that treat the address, and differ."""
        by_treatment: dict[str, list[str]] = {}
        for name in sorted(self.network.routers):
            if self.state.has_destination(name, phase):
                names = " or ".join(one.value for one in self.state.treatments(name, phase))
                by_treatment.setdefault(names, []).append(name)
        if len(by_treatment) > 1:
            each = "; ".join(
                f"{treatment} at {', '.join(names)}"
                for treatment, names in sorted(by_treatment.items())
            )
            text = (
                f"routers treat {self.question.address} differently, and each applies its "
                f"own treatment: {each}"
            )
            yield Remark(
                "A-11", Confidence.A, text, source=self._entry_source(self.question.router)
            )


def _one_of(names: Sequence[str]) -> str:
    """Routers of equal cost: the same one of them as long as messages are settled promptly
    (M-5).
    """
    every = ", ".join(names)
    return every if len(names) == 1 else f"one of {every} (always the same)"


def _of_connectors(ways: Iterable[MessageCourse]) -> Iterator[Remark]:
    """S-3: a connector of TCP or HTTP is a destination whether or not somebody answers where it
    connects to."""
    names = {
        end.name: end.source
        for way in ways
        for end in way.ends
        if end.outcome is Outcome.DELIVERED and end.known == "configured"
    }
    if names:
        yield Remark(
            "S-3",
            Confidence.I,
            f"somebody answers where {' and '.join(sorted(names))} connects to",
            "the connection is closed, and no other connector is tried",
            next(iter(names.values())),
        )


def _told(outcomes: Mapping[str, int]) -> str:
    """What the sender is told: one word, or how many messages have each outcome."""
    if len(outcomes) == 1:
        return next(iter(outcomes))
    return ", ".join(f"{number} {outcome}" for outcome, number in outcomes.items())


def _of(way: MessageCourse, receiver: str) -> tuple[End, ...]:
    """The ends of one receiver, and the containers the message waits in on its way there."""
    return tuple(
        end for end in way.ends if end.name == receiver or end.outcome is Outcome.DEPOSITED
    )


def _copies_from_there(way: MessageCourse, end: End) -> int:
    """How many copies got there from one place: from the sender, or out of one container."""
    return sum(other.copies for other in way.ends if _from(other) == _from(end))


def _from(end: End) -> tuple[Outcome, str, tuple[RouterDecision, ...]]:
    """Who got a copy, and the decision that brought it in where it waited in a container."""
    return end.outcome, end.name, end.decisions[:1] if end.waited else ()


def _copies(course: SentCourse) -> dict[str, int]:
    return {receiver: sum(paths.values()) for receiver, paths in course.received.items()}
