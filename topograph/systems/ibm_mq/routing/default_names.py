"""Messages to queue managers that a sender does not know: DEFXMITQ takes them, whatever the name,
from one queue manager to the next, up to the first that knows it (M-16).

So what a change does to them is what it does to any name on the way there, and to that name where
it is known. Both are among the messages that are followed anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork
from topograph.systems.ibm_mq.routing.lookup import Lookup
from topograph.systems.ibm_mq.routing.positions import (
    ANY_OTHER,
    ANY_QUEUE,
    ARRIVE,
    OPEN,
    position,
)
from topograph.tracing.states import Looked


def concerned(
    estate: Lookup,
    senders: Iterable[str],
    looked: Iterable[Looked],
    touched: Collection[str],
    is_apart: Callable[[str], bool],
) -> Collection[str] | None:
    """The queue managers to which messages of ``senders`` by DEFXMITQ may be concerned by a change
    of queues that no cluster offers, at the queue managers that it touches. None where it changes
    what becomes of any name on the way, and where more than queues of that name decides there: in
    clusters, by templates, or by what is not shown. At queue managers that are apart it concerns no
    message to a queue there. Linear in the states, and in senders times names."""
    network = estate.network
    if network.partly_shown or any(
        estate.clusters.receivers(one) or network.queue_of_any_name(one) for one in network.managers
    ):
        return None
    found, at_home = {*touched}, set[str]()
    onward: dict[str, set[str]] = {}
    nowhere = set[str]()
    for one in looked:
        at = position(one.state)
        plain = at.phase == OPEN and not at.queue_manager.startswith("*")
        if not (one.alike or plain):
            return None
        if one.apart and at.phase == OPEN and at.queue_manager == ANY_OTHER:
            nowhere.add(at.server)
        if at.phase == ARRIVE and at.queue_manager == ANY_OTHER and at.arrival is not None:
            to = _NOWHERE if one.apart else at.server
            onward.setdefault(at.arrival.sender, set()).add(to)
        if plain and at.name == ANY_QUEUE:
            if at.queue_manager == at.server:
                at_home.add(at.server)
            if one.concerned or not one.alike:
                found.add(at.queue_manager)
    every = {*network.managers}
    for server in touched:
        found |= _known(network, server)
    for sender in senders:
        known, last = _known_on_the_way(network, sender, onward, nowhere)
        if last not in nowhere and last != _NOWHERE:
            found |= every - known
    at_home |= {one for one in every if is_apart(one)}
    return (found | (every - at_home)) & every


_NOWHERE = ""
"""Stands for any queue manager from which no message gets to one that the change touches."""


def _known_on_the_way(
    network: MqNetwork,
    sender: str,
    onward: Mapping[str, Collection[str]],
    nowhere: Collection[str],
) -> tuple[set[str], str]:
    """The names that a queue manager knows to which messages from one get by DEFXMITQ, as far as
    there is one way, or up to one of ``nowhere``; and the last one on that way."""
    found: set[str] = set()
    seen: set[str] = set()
    here = sender
    while here not in seen and here in network.managers and here not in nowhere:
        seen.add(here)
        found |= _known(network, here)
        following = onward.get(here, ())
        if len(following) != 1:
            break
        (here,) = following
    return found, here


def _known(network: MqNetwork, server: str) -> set[str]:
    """The names that mean something at a queue manager."""
    return {server, *(one.name for one in network.queues.of(server))}
