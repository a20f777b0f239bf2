"""Why a message does not get to a receiver, or to nobody at all, each with the rule and the line
that decide it (L-1, M-2 to M-6, W-1, T-1, E-7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from topograph.facts.amqp_addresses import plain_address
from topograph.findings import Source
from topograph.outcomes import Confidence
from topograph.records import record
from topograph.systems.amq_interconnect.messages.addresses import Distribution
from topograph.systems.amq_interconnect.messages.attachment import LinkRouting, attach
from topograph.systems.amq_interconnect.messages.destinations import AddressState, DestinationKind
from topograph.systems.amq_interconnect.messages.model import MessageNetwork, Receiver
from topograph.systems.amq_interconnect.messages.outcomes import SendResult
from topograph.systems.amq_interconnect.messages.records import Remark, RouterSending
from topograph.systems.amq_interconnect.messages.simulation import without_routed

_CHOOSING = {Distribution.CLOSEST: "M-3", Distribution.BALANCED: "M-5"}
"""The distributions that give a message to one destination, and their rules."""


@record(slots=False)
class Reasons:
    """What became of ``sending`` in a network, to be asked about those who get nothing."""

    network: MessageNetwork
    sending: RouterSending
    result: SendResult

    def of(self, receivers: Iterable[Receiver]) -> Iterator[Remark]:
        """Why these receivers of the address get nothing in any course. Linear in the receivers,
        times the routers on the way to each.
        """
        got = {name for course in self.result.courses for name in course.received}
        return together((one.id, self.why(one)) for one in receivers if one.id not in got)

    def nobody(self) -> Remark | None:
        """Why a message that a sender may send ends nowhere (M-2); None where it may get
        somewhere, or is not sent.
        """
        if not self.result.credit or any(
            message.deliveries for course in self.result.courses for message in course.messages
        ):
            return None
        here, address = self.sending.router, self.sending.address
        refusal = self._state.refusal(here) if self.sending.anonymous else None
        if refusal is not None:
            return _certain("M-2", f"{address} is unavailable at {here}", refusal.source)
        exchange = next(iter(self._exchanges()), None)
        if exchange is not None:
            text = (
                f"no binding of the exchange {exchange[0]} and no alternate address leads to "
                "anybody"
            )
            return _certain("X-1", text, exchange[1])
        routed = attach(self.network, here, "sender", address) if self.sending.anonymous else None
        if routed is not None and routed.link_routed:
            link_route = routed.targets[0].link_route
            text = (
                f"link routes ({link_route.text}) take no messages of anonymous senders, and "
                f"nobody else receives {address}"
            )
            return _certain("M-2", text, link_route.source)
        return _certain(
            "M-2", f"nobody is known to receive {address} where {here} reaches", self._source(here)
        )

    def why(self, receiver: Receiver) -> Remark:
        """Why a receiver that gets nothing gets nothing."""
        there = receiver.router
        routed = LinkRouting(self.network, "out").attach(there, self.sending.address)
        if routed is not None and routed.link_routed:
            target = routed.targets[0]
            text = (
                f"a link route leads its link to {target.broker}, so that it gets what is "
                "stored there"
            )
            return _certain("L-1", text, target.link_route.source)
        refusal = routed.refusal if routed is not None else self._state.refused.get(receiver.id)
        if refusal is not None:
            until = (
                " until another router announces the address" if "M-6" in refusal.lifted_by else ""
            )
            return _certain(
                refusal.rule, f"its attach is refused ({refusal.condition}){until}", refusal.source
            )
        return (
            self._sent_elsewhere()
            or self._other_phase(there)
            or self._no_way(there)
            or self._not_chosen(there)
        )

    def _sent_elsewhere(self) -> Remark | None:
        """The sender never sends to the address itself."""
        if self.result.refusal is not None:
            refusal = self.result.refusal
            return _certain(
                refusal.rule, f"the sender is refused ({refusal.condition})", refusal.source
            )
        if self.result.link_routed:
            target = self.result.targets[0]
            text = (
                f"a link route leads the sender's link to {target.broker}: its messages are "
                "not routed by their address"
            )
            return _certain("L-1", text, target.link_route.source)
        if self.sending.anonymous and self._state.refusal(self.sending.router) is not None:
            here = self.sending.router
            return _certain(
                "M-6", f"{self.sending.address} is unavailable at {here}", self._source(here)
            )
        return None

    def _other_phase(self, there: str) -> Remark | None:
        """W-1: it receives what comes out of a container."""
        entry = self._state.entry(there)
        phase = str(entry.egress_phase) if entry else "0"
        if phase == self._phase:
            return None
        bringing = [
            name
            for name, one in self.network.auto_links_by_address.get(
                plain_address(self.sending.address), ()
            )
            if one.direction == "in" and one.phase == phase
        ]
        text = f"it receives phase {phase}, the message is sent in phase {self._phase}, and " + (
            f"what the autolinks at {_listed(bringing)} bring in phase {phase} does not get there"
            if bringing
            else f"no autolink brings phase {phase} in"
        )
        return _certain("W-1", text, self._source(there))

    def _no_way(self, there: str) -> Remark | None:
        """No route leads to its router."""
        start, end = (self.network.interior(name) for name in (self.sending.router, there))
        for name, interior in ((self.sending.router, start), (there, end)):
            if not interior and there != self.sending.router:
                return _certain(
                    "E-7",
                    f"the edge router {name} has no uplink",
                    self.network.routers[name].source,
                )
        if start == end or self.network.routes.reaches(start, end):
            return None
        text = f"no route that the loaded files make certain leads there from {self.sending.router}"
        return _certain("T-1", text, self.network.routers[self.sending.router].source)

    def _not_chosen(self, there: str) -> Remark:
        """A router on the way gives the message to another destination."""
        start, end = self.network.interior(self.sending.router), self.network.interior(there)
        way = self.network.routes.path(start, end) if start != end else (start,)
        way = tuple(dict.fromkeys((self.sending.router, *way, there)))
        if not any(course.received for course in self.result.courses):
            for router in way:
                if self._state.treatments(router, self._phase)[0] is Distribution.UNAVAILABLE:
                    text = (
                        f"{self.sending.address} is unavailable at {router}, which does not pass "
                        "it on"
                    )
                    return _certain("M-6", text, self._source(router))
        for router in way:
            treatments = self._state.treatments(router, self._phase)
            rule = _CHOOSING.get(treatments[0])
            if rule:
                text = (
                    f"{router} gives each message to one destination ({treatments[0]}), and "
                    "chooses another"
                )
                if not self.result.complete:
                    return Remark(
                        rule,
                        Confidence.I,
                        f"{text} in each course that was looked at",
                        source=self._source(router),
                    )
                return _certain(rule, text, self._source(router))
            if treatments[0] is Distribution.UNAVAILABLE:
                return _certain(
                    "M-6",
                    f"{self.sending.address} is unavailable at {router}",
                    self._source(router),
                )
        return _certain(
            "M-4", "every copy on its way there is discarded", self._source(self.sending.router)
        )

    @cached_property
    def _state(self) -> AddressState:
        return AddressState.of(
            without_routed(self.network, self.sending.address), self.sending.address
        )

    @cached_property
    def _phase(self) -> str:
        entry = self._state.entry(self.sending.router)
        return str(entry.ingress_phase) if entry and not self.sending.anonymous else "0"

    def _exchanges(self) -> Iterator[tuple[str, Source]]:
        for own in self._state.own.values():
            for one in own:
                if one.kind is DestinationKind.EXCHANGE:
                    yield one.id, one.source

    def _source(self, router: str) -> Source:
        """The entry that applies to the address at a router, or its section."""
        entry = self._state.entry(router)
        return entry.source if entry else self.network.routers[router].source


def together(found: Iterable[tuple[str, Remark]], verb: str = "") -> Iterator[Remark]:
    """One remark for all who get nothing for one reason. ``verb`` is ``would get`` for receivers
    that are only assumed.
    """
    names: dict[tuple[str, str], list[str]] = {}
    first: dict[tuple[str, str], Remark] = {}
    for name, why in found:
        names.setdefault((why.rule, why.text), []).append(name)
        first.setdefault((why.rule, why.text), why)
    for key, who in names.items():
        why = first[key]
        text = f"{_listed(who)} {verb or ('gets' if len(who) == 1 else 'get')} nothing: {why.text}"
        yield Remark(
            why.rule, why.confidence, text, source=why.source, about=tuple(who), why=why.text
        )


def _certain(rule: str, text: str, source: Source) -> Remark:
    return Remark(rule, Confidence.A, text, source=source)


def _listed(names: Iterable[str]) -> str:
    """The first few names, and how many more there are."""
    names = list(dict.fromkeys(names))
    shown, more = names[:5], len(names) - 5
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)
