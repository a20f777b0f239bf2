"""The ways out of a position, as the rules of each phase give them: worked out once for the graph,
messages and lint rules.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from topograph.systems.coverage import NotShownHere
from topograph.systems.ibm_mq.objects.queue_managers import Part
from topograph.systems.ibm_mq.routing import (
    arrival,
    entries,
    plain_queues,
    publication,
    resolution,
    transport,
)
from topograph.systems.ibm_mq.routing.lookup import Lookup
from topograph.systems.ibm_mq.routing.positions import MqPosition
from topograph.systems.ibm_mq.routing.ways import PutRefused
from topograph.tracing.states import Transition

MOST_KEPT = 1 << 18
"""Positions whose ways are kept; of more, they are worked out again."""


def onward(estate: Lookup, at: MqPosition) -> Transition:
    """The ways out of a position in any phase but ``PUT``. Raises PutRefused, and NotShownHere
    where the loaded files do not show what decides."""
    if (at_once := plain_queues.taken(estate, at)) is not None:
        return at_once
    known = estate.onward.get(at)
    if known is None:
        before, asked = estate.network.asked, set[Part]()
        estate.network.asked = asked
        try:
            known = by_rules(estate, at)
        except (PutRefused, NotShownHere) as stopped:
            known = stopped
        before |= asked
        estate.network.asked = before
        if len(estate.onward) >= MOST_KEPT:
            estate.onward.clear()
            estate.asked.clear()
        estate.onward[at] = known
        if asked:
            estate.asked[at] = frozenset(asked)
    if isinstance(known, Transition):
        return known
    raise known.with_traceback(None)


def is_untouched(estate: Lookup, at: MqPosition, outage: Collection[Part]) -> bool:
    """Whether the ways out of a position, in any phase but ``PUT``, are the same while something is
    out of order: nothing was asked about it when they were worked out."""
    with suppress(PutRefused, NotShownHere):
        onward(estate, at)
    asked = estate.asked.get(at)
    return asked is None or asked.isdisjoint(outage)


def by_rules(estate: Lookup, at: MqPosition) -> Transition:
    """The same, worked out anew."""
    if entries.is_symbolic(at):
        return entries.symbolic(estate, at)
    match at.phase:
        case "open":
            return resolution.opened(estate, at)
        case "arrive":
            return arrival.arrived(estate, at)
        case "publish":
            return publication.published(estate, at)
        case "taken":
            return publication.managed(estate, at)
        case _:
            return transport.sent(estate, at)
