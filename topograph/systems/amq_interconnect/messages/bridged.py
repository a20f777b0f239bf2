"""Link routes over a connection to another loaded router: what they take attaches there, as a
client of that router does (W-16).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from topograph.facts.amqp_addresses import plain_address
from topograph.findings import Source
from topograph.outcomes import Confidence
from topograph.records import record
from topograph.systems.amq_interconnect.messages.attachment import AttachTarget, LinkRouting
from topograph.systems.amq_interconnect.messages.model import MessageNetwork, Receiver
from topograph.systems.amq_interconnect.messages.records import Remark, RouterDecision

RULE = "W-16"


@record
class LedOn:
    """Where an attach ends that link routes lead into other loaded routers: the last of these, the
    address there, and a decision for each. ``undecided`` are the routers that it may be led into
    instead, each with why and where that stands: what becomes of it is then not followed."""

    router: str
    address: str
    decisions: tuple[RouterDecision, ...] = ()
    undecided: tuple[tuple[str, str, Source], ...] = ()

    def positions(self) -> tuple[Remark, ...]:
        """That an attach at the other router is one of a client is nowhere written."""
        return tuple(
            Remark(
                RULE,
                Confidence.I,
                f"{one.at}: {one.text}, where it attaches as a client of that router does",
                "it may be refused there, or have another address",
                one.source,
            )
            for one in self.decisions
        )


def led_on(
    network: MessageNetwork, router: str, role: str, address: str, closed: Collection[str] = ()
) -> LedOn:
    """Where the attach of a client ends; at its own router where no link route leads it on. What
    leads it to one of several routers, to one of those that are ``closed``, or round in a circle,
    is undecided. Linear in the link routes, times the routers that it passes."""
    routing = LinkRouting(network, "in" if role == "sender" else "out")
    found = LedOn(router, address)
    seen = set()
    while True:
        routed = routing.attach(found.router, found.address)
        targets = [one for one in routed.targets if one.there] if routed is not None else []
        if not targets or routed is None:
            return found
        seen.add((found.router, plain_address(found.address)))
        first = targets[0]
        circle = (first.there, first.address) in seen
        if len(routed.targets) > 1 or circle or any(one.there in closed for one in targets):
            open_ = tuple((one.there, _why(one), one.link_route.source) for one in targets)
            return replace(found, undecided=open_)
        text = f"the link route {first.link_route.text} leads it into {first.there}"
        text += "" if first.address == found.address else f", as {first.address}"
        decision = RouterDecision(
            first.router, text, RULE, first.link_route.source, "link route", first.link_route.text
        )
        found = LedOn(first.there, first.address, (*found.decisions, decision))


def _why(target: AttachTarget) -> str:
    return (
        f"the link route {target.link_route.text} of {target.router} leads into {target.there}, "
        "and what becomes of an attach there is not followed (L-1)"
    )


def with_led_on(
    network: MessageNetwork, closed: Collection[str] = ()
) -> tuple[MessageNetwork, tuple[LedOn, ...]]:
    """The network with the receivers that link routes lead into other routers attached there; and
    those of which it is not decided where. The same network where there are none."""
    if not network.bridges or not network.has_link_routes:
        return network, ()
    moved: list[Receiver] = []
    undecided = []
    for one in network.receivers:
        end = led_on(network, one.router, "receiver", one.address, closed)
        if end.undecided:
            undecided.append(replace(end, address=one.address))
        moved.append(replace(one, router=end.router, address=end.address) if end.decisions else one)
    return replace(network, receivers=tuple(moved)), tuple(undecided)


def undecided_at(ends: Iterable[LedOn], address: str) -> dict[str, tuple[str, Source]]:
    """By router what is not decided of attaches to an address."""
    return {
        name: (because, source)
        for end in ends
        if plain_address(end.address) == plain_address(address)
        for name, because, source in end.undecided
    }
