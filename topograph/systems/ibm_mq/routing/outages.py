"""What the steps of queue managers ask about what may be out of order, and which messages wait in
the same words while it is (``tracing.states.Asking``).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from contextlib import suppress
from functools import partial

from topograph.systems.coverage import NotShownHere
from topograph.systems.ibm_mq.objects.queue_managers import Part, parts
from topograph.systems.ibm_mq.routing.lookup import Lookup
from topograph.systems.ibm_mq.routing.onward import onward
from topograph.systems.ibm_mq.routing.positions import PUT, XMIT, position
from topograph.systems.ibm_mq.routing.transport import is_cluster_queue
from topograph.systems.ibm_mq.routing.ways import PutRefused
from topograph.tracing.states import Asking, State


def asking(estate: Lookup) -> Asking:
    """What steps ask about, of one network."""
    return Asking(partial(_asked, estate), parts, partial(_waiting_alike, estate))


def _asked(estate: Lookup, state: State) -> Collection[Part] | None:
    """See ``onward.is_untouched``."""
    at = position(state)
    if at.phase == PUT:
        return None
    with suppress(PutRefused, NotShownHere):
        onward(estate, at)
    return estate.asked.get(at, ())


def _waiting_alike(estate: Lookup, state: State) -> Hashable:
    """The transmission queue that messages wait on, whatever their headers name: where each channel
    that reads it has one other end, which is shown (``Channels.leads``)."""
    at = position(state)
    if at.phase != XMIT or at.member or estate.network.partly_shown:
        return None
    key = at.server, at.queue
    if key not in estate.read_alike:
        with suppress(NotShownHere):
            queue = estate.network.queue(at.server, at.queue)
            readers = estate.channels.readers(at.server, at.queue)
            alone = all(len(estate.channels.partners(one)) == 1 for one in readers)
            of_channels = bool(readers) and not is_cluster_queue(queue, at.queue)
            estate.read_alike[key] = of_channels and alone
    return key if estate.read_alike.get(key) else None
