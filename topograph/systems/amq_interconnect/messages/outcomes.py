"""What can become of messages sent to an address: every course that events can take (M-1, M-2, L-3,
W-4).

``send`` and ``deliver_stored`` run ``course.Course`` over every choice that configuration leaves
open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from topograph.facts.amqp_addresses import plain_address
from topograph.forwarding.budget import Budget
from topograph.records import record
from topograph.systems.amq_interconnect.messages.attachment import AttachTarget, attach
from topograph.systems.amq_interconnect.messages.destinations import AddressState, AttachRefusal
from topograph.systems.amq_interconnect.messages.model import FALLBACK, MessageNetwork
from topograph.systems.amq_interconnect.messages.records import (
    MessageSent,
    Path,
    RouterDecision,
    RouterSending,
    SentCourse,
)
from topograph.systems.amq_interconnect.messages.simulation import Course, without_routed
from topograph.tracing.choices import every_course


@record
class SendResult:
    """What can become of messages sent to an address: ``courses`` without those that differ only in
    order of equal results.

    ``complete`` is False if there are more courses than were run, a course was ``cut``, or
    depends on timing. ``targets`` are the containers of a link-routed sender (L-3)."""

    refusal: AttachRefusal | None
    credit: bool
    courses: tuple[SentCourse, ...]
    link_routed: bool = False
    targets: tuple[AttachTarget, ...] = ()
    path: Path = ()
    complete: bool = True
    cut: tuple[RouterDecision, ...] = ()


def send(
    network: MessageNetwork, sending: RouterSending, budget: Budget | None = None
) -> SendResult:
    """What can become of the messages. Each course takes O(messages * routers passed). Raises
    BudgetSpent if the budget lets none begin.
    """
    if not sending.anonymous:
        attached = attach(network, sending.router, "sender", sending.address)
        if attached.refusal is not None:
            return _not_sent(sending, attached.refusal)
        if any(target.there for target in attached.targets):
            # what leads into other routers is followed there, where it is decided (W-16)
            return replace(_not_sent(sending, None), complete=False)
        if attached.link_routed:
            routed, complete = every_course(
                lambda choices: Course(network, choices, sending).linked(attached), budget
            )
            cut = _cut(routed)
            whole = complete and not cut
            return SendResult(
                None, True, _distinct(routed), True, attached.targets, attached.path, whole, cut
            )
        state = AddressState.of(without_routed(network, sending.address), sending.address)
        if not has_credit(state, sending.router):
            return _not_sent(sending, None)
    results, complete = every_course(
        lambda choices: Course(network, choices, sending).run(), budget
    )
    there = network.by_address.get(plain_address(sending.address), ())
    timing = sending.burst and any(receiver.settle != "hold" for _, receiver in there)
    cut = _cut(results)
    return SendResult(
        None, True, _distinct(results), complete=complete and not timing and not cut, cut=cut
    )


def deliver_stored(network: MessageNetwork, budget: Budget | None = None) -> SendResult:
    """What the messages do that wait in containers (W-4, F-4): those of every in autolink that
    gets credit.
    """
    nothing = RouterSending("", "", 0)
    results, complete = every_course(
        lambda choices: Course(network, choices, nothing).drained(), budget
    )
    cut = _cut(results)
    return SendResult(None, True, _distinct(results), complete=complete and not cut, cut=cut)


def has_credit(state: AddressState, router: str) -> bool:
    """Whether a sender at a router gets credit (M-1, F-1, F-2)."""
    entry = state.entry(router)
    phase = str(entry.ingress_phase) if entry else "0"
    return state.has_destination(router, phase) or bool(
        entry and entry.fallback and state.has_destination(router, FALLBACK)
    )


def _not_sent(sending: RouterSending, refusal: AttachRefusal | None) -> SendResult:
    course = SentCourse((MessageSent("not_sent", ()),) * sending.count)
    return SendResult(refusal, False, (course,))


def _cut(courses: Iterable[SentCourse]) -> tuple[RouterDecision, ...]:
    """Where any course was cut, each once."""
    return tuple(dict.fromkeys(decision for course in courses for decision in course.cut))


def _distinct(courses: Sequence[SentCourse]) -> tuple[SentCourse, ...]:
    """One course for each different result: outcomes, counts by path, deposits."""
    found: dict[object, SentCourse] = {}
    for course in courses:
        received = tuple(
            sorted((one, tuple(sorted(paths.items()))) for one, paths in course.received.items())
        )
        deposited = tuple(
            sorted((one, tuple(sorted(there.items()))) for one, there in course.deposited.items())
        )
        found.setdefault(
            (received, deposited, tuple(sorted(course.outcomes.items())), course.stored), course
        )
    return tuple(found.values())
