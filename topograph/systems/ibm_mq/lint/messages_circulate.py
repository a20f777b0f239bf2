"""ML-10: messages circulate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.coverage import NotShownHere
from topograph.systems.ibm_mq.checked import queues_of
from topograph.systems.ibm_mq.objects.attributes import as_shown
from topograph.systems.ibm_mq.routing import arrival, transport
from topograph.systems.ibm_mq.routing.lookup import needs_blank
from topograph.systems.ibm_mq.routing.onward import onward
from topograph.systems.ibm_mq.routing.passing import passing_from
from topograph.systems.ibm_mq.routing.positions import (
    ANY_MEMBER,
    ANY_OTHER,
    ANY_QUEUE,
    ARRIVE,
    OPEN,
    XMIT,
    MqPosition,
    position,
)
from topograph.systems.ibm_mq.routing.ways import PutRefused
from topograph.tracing.states import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from topograph.systems.ibm_mq.routing.lookup import Lookup

MESSAGES_CIRCULATE = FindingKind(
    "messages-circulate",
    Severity.ERROR,
    Remedy(
        "Correct the definition that leads back.",
        "Messages go round for ever and never reach a receiver.",
    ),
    about="destination",
    bearing=Bearing("walked"),
)
ML_10 = Rule(
    "ML-10",
    "Messages circulate",
    "Remote definitions or default transmission queues send messages back and forth for ever.",
    (MESSAGES_CIRCULATE,),
    check=True,
)


@lint(ML_10)
def messages_circulate(estate: Lookup) -> Iterator[Finding]:
    """ML-10 (M-15, C-7): one finding a cycle of names, at the object that a message meets first.
    Linear in the states.
    """
    starts = [
        (
            one.source,
            MqPosition(
                one.server,
                OPEN,
                one.name,
                one.server,
                blank=needs_blank(estate, one.server, one.name),
            ),
        )
        for one in queues_of(estate, "QREMOTE")
        if as_shown(one, "RNAME")
    ]
    starts += [
        (manager.place("DEFXMITQ"), MqPosition(manager.name, OPEN, ANY_QUEUE, ANY_OTHER))
        for manager in estate.network.managers.values()
        if manager.stated("DEFXMITQ")
    ]
    if not _any_comes_back(estate, [start for _, start in starts]):
        return
    done: set[object] = set()
    told: set[frozenset[str]] = set()
    for source, start in starts:
        for cycle in _cycles(estate, start, done):
            if frozenset(cycle) not in told:
                told.add(frozenset(cycle))
                message = f"Messages circulate for ever: {' -> '.join((*cycle, cycle[0]))}."
                yield ML_10.at(source, message, server=start.server)


def _any_comes_back(estate: Lookup, starts: Sequence[MqPosition]) -> bool:
    """Whether a message from one of some positions gets to one where it was before: queue managers
    that it only passes are one step each. Linear in the steps."""
    done: set[object] = set()
    on_path: set[object] = set()
    waiting: list[tuple[object, Iterator[MqPosition]]] = [(None, iter(starts))]
    while waiting:
        key, onward = waiting[-1]
        following = next(onward, None)
        if following is None:
            waiting.pop()
            on_path.discard(key)
            continue
        came = following.key
        if came in on_path:
            return True
        if came not in done:
            done.add(came)
            on_path.add(came)
            waiting.append((came, iter(_leads_to(estate, following))))
    return False


def _leads_to(estate: Lookup, at: MqPosition) -> Sequence[MqPosition]:
    """The positions after one, those of a message that passes its queue manager left out."""
    passage = passing_from(estate, at)
    if passage is None:
        return _next(estate, at)
    return () if passage.out is None else (passage.position(),)


def _cycles(estate: Lookup, start: MqPosition, done: set[object]) -> Iterator[list[str]]:
    """The cycles that a walk in depth from a position closes: names as QUEUE@QUEUE-MANAGER. What
    is ``done`` is not looked at again.
    """
    path: list[MqPosition] = []
    on_path: set[object] = set()
    waiting: list[tuple[MqPosition, Iterator[MqPosition]]] = []

    def enter(at: MqPosition) -> None:
        done.add(at.key)
        path.append(at)
        on_path.add(at.key)
        waiting.append((at, iter(_next(estate, at))))

    if start.key in done:
        return
    enter(start)
    while waiting:
        at, onward = waiting[-1]
        following = next(onward, None)
        if following is None:
            waiting.pop()
            path.pop()
            on_path.discard(at.key)
        elif following.key in on_path:
            first = next(number for number, one in enumerate(path) if one.key == following.key)
            yield [_told(one) for one in path[first:] if one.phase == OPEN]
        elif following.key not in done:
            enter(following)


def _told(at: MqPosition) -> str:
    return (
        f"{at.name}@{at.server}"
        if at.queue_manager != ANY_OTHER
        else f"unknown queue managers at {at.server}"
    )


def _next(estate: Lookup, at: MqPosition) -> list[MqPosition]:
    """The positions after one, the names of members of clusters left out: they never come back."""
    try:
        if at.phase == OPEN or (at.phase == ARRIVE and at.arrival is not None):
            transition = onward(estate, at)
        elif at.arrival is not None:
            transition = arrival.arrived(estate, at)
        elif at.queue:
            transition = onward(estate, at) if at.phase == XMIT else transport.sent(estate, at)
        else:
            return []
    except (PutRefused, NotShownHere):
        return []
    found = [position(way.to) for way in transition.ways if isinstance(way.to, State)]
    return [
        one
        for one in found
        if one.server in estate.network.managers and one.queue_manager != ANY_MEMBER
    ]
