"""What name resolution looks at, and what each of its rows rests on."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Any

from topograph.assumptions import Assumption
from topograph.facts.ibm_mq import Queue
from topograph.records import record
from topograph.systems.coverage import NotShownHere
from topograph.systems.ibm_mq.ambiguities import C16
from topograph.systems.ibm_mq.objects.attributes import NOUNS, value
from topograph.systems.ibm_mq.objects.channels import Channels
from topograph.systems.ibm_mq.objects.cluster_instances import Instance
from topograph.systems.ibm_mq.objects.clusters import Clusters
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork, Part
from topograph.systems.ibm_mq.routing.positions import ANY_QUEUE, MqPosition
from topograph.systems.ibm_mq.routing.ways import PutRefused
from topograph.tracing.states import Transition, Way


@record(slots=False)
class Lookup:
    """What the rules look at: objects, clusters and channels of a network. ``copies`` is why copies
    that were asked about are refused, None for those that are not, and what of the outage that
    depends on; ``onward`` are the ways out of positions that were asked about, or why they are not
    known, and ``asked`` what of the outage these depend on; ``plain`` are the queues that
    take whatever is put to them, by queue manager, ``taken`` the ways to them that were asked about
    (``plain_queues``), ``names`` the names of other
    queue managers that each knows, ``leading_on`` its queues from which messages go on to others,
    ``named`` the ways to each such name (``entries``), ``passing`` what becomes of those that
    only pass each queue manager (``passing``); ``sending`` are the channels that a transmission
    queue's own queue manager defines to its clusters, and ``over_cluster`` the ways over the
    channels that clusters make, by their other end (``cluster_passing``); ``members`` are the ways
    to members of clusters, and ``takes_puts`` says which transmission queues refuse nothing
    (``entries``); ``alone`` says which queue managers are in no cluster.
    ``read_alike`` says whether the channels that read a transmission queue lead to the same for all
    messages (``outages``)."""

    network: MqNetwork
    clusters: Clusters
    channels: Channels
    copies: dict[Hashable, tuple[PutRefused | None, frozenset[Part]]] = field(
        default_factory=dict, compare=False
    )
    onward: dict[MqPosition, Transition | PutRefused | NotShownHere] = field(
        default_factory=dict, compare=False
    )
    asked: dict[MqPosition, frozenset[Part]] = field(default_factory=dict, compare=False)
    plain: dict[str, Mapping[str, Queue]] = field(default_factory=dict, compare=False)
    taken: dict[tuple[str, str], Transition] = field(default_factory=dict, compare=False)
    names: dict[str, Sequence[str]] = field(default_factory=dict, compare=False)
    leading_on: dict[str, Sequence[str]] = field(default_factory=dict, compare=False)
    named: dict[MqPosition, Mapping[str, Way]] = field(default_factory=dict, compare=False)
    passing: dict[str, Any] = field(default_factory=dict, compare=False)
    sending: dict[tuple[str, str], frozenset[str] | None] = field(
        default_factory=dict, compare=False
    )
    over_cluster: dict[tuple[str, str], Way | None] = field(default_factory=dict, compare=False)
    members: dict[Hashable, tuple[Sequence[Way], Instance]] = field(
        default_factory=dict, compare=False
    )
    takes_puts: dict[tuple[str, str], bool] = field(default_factory=dict, compare=False)
    alone: dict[str, bool] = field(default_factory=dict, compare=False)
    read_alike: dict[tuple[str, str], bool] = field(default_factory=dict, compare=False)


STATED = frozenset({"NR2", "NR5", "NR6", "NR8", "NR10", "NR11", "NR12", "NR13"})
"""The rows of name resolution that lead on and that stand in the table of the topic "Name
resolution" of the documentation (q025990_)."""


def is_stated(row: str) -> bool:
    """Whether the documentation states a row of name resolution.

    >>> is_stated("NR5, M-05"), is_stated("NR8"), is_stated("NR7")
    (True, True, False)
    """
    return row.partition(",")[0] in STATED


def c1(row: str) -> tuple[Assumption, ...]:
    """C-1: what a row of name resolution that no document states rests on; nothing for one that
    is stated.
    """
    if is_stated(row):
        return ()
    number = row.partition(",")[0]
    text = f"row {number} of name resolution rests on general product knowledge"
    return (
        Assumption(
            "C-1",
            "M",
            text,
            "the queue manager resolves the name another way, as dspmqrte there would show",
        ),
    )


def needs_blank(estate: Lookup, server: str, name: str) -> bool:
    """Whether it makes a difference at a queue manager that ObjectQMgrName was blank: the queue,
    or the target of the alias, is advertised in a cluster (C-4), or only others have it (NR8).
    Where that is not shown, it may, and so it may for any queue of a member of a cluster."""
    if stands_alone(estate, server):
        return False
    if name == ANY_QUEUE:
        return bool(estate.clusters.receivers(server))
    try:
        queue = estate.network.queue(server, name)
        if queue and queue.noun == "QALIAS" and not estate.clusters.advertised_in(queue):
            name = value(queue, "TARGET")
            queue = estate.network.queue(server, name)
        if queue is None:
            return bool(estate.clusters.queues(server, name))
        return bool(estate.clusters.advertised_in(queue))
    except NotShownHere:
        return True


def stands_alone(estate: Lookup, server: str) -> bool:
    """Whether a queue manager is loaded, in no cluster, and shown whole: asked once for each."""
    if server not in estate.alone:
        estate.alone[server] = _stands_alone(estate, server)
    return estate.alone[server]


def _stands_alone(estate: Lookup, server: str) -> bool:
    network, clusters = estate.network, estate.clusters
    if server not in network.managers or server in network.partly_shown:
        return False
    if clusters.receivers(server) or clusters.membership(server) is not None:
        return False
    observed = (*network.cluster_queues.of(server), *network.cluster_managers.of(server))
    in_part = [one for one in network.queues.of(server) if one.partial]
    return len(observed) + len(in_part) == 0


def asks_cluster(estate: Lookup, at: MqPosition) -> bool:
    """Whether cluster queues are looked for: where ObjectQMgrName is blank (NR8), and by the other
    reading of C-16 where it is the local name, too."""
    return at.blank or (
        not over_cluster(estate, at) and estate.network.readings.takes(C16, "cluster")
    )


def asked_by_another_reading(estate: Lookup, at: MqPosition) -> tuple[Assumption, ...]:
    """C-16: that a cluster queue is looked for although the message names the local queue
    manager."""
    return () if at.blank else (estate.network.readings.said(C16),)


def not_asked(estate: Lookup, at: MqPosition, name: str) -> tuple[Assumption, ...]:
    """C-16: that a cluster queue is not looked for since the message names the local queue manager.
    What came over a channel of the cluster was fixed to it on purpose (M-24)."""
    if at.blank or over_cluster(estate, at) or not estate.clusters.known_queues(at.server, name):
        return ()
    only = f"the message names {at.server}: cluster queue {name} is not looked for"
    other = f"cluster queue {name} is found although the message names {at.server}"
    return (estate.network.readings.said(C16, {"local_only": only, "cluster": other}),)


def over_cluster(estate: Lookup, at: MqPosition) -> bool:
    """Whether a message came to its queue manager over a channel of a cluster."""
    if at.arrival is None:
        return False
    return estate.network.channel(at.server, at.arrival.channel, ("CLUSRCVR",)) is not None


@contextmanager
def of_row(row: str) -> Iterator[None]:
    """Names the row of name resolution in whatever is refused by one of its checks."""
    try:
        yield
    except PutRefused as refused:
        refused.rule = f"{row}, {refused.rule}"
        raise


def absence(estate: Lookup, server: str, what: str, name: str) -> tuple[Assumption, ...]:
    """What it rests on that a queue manager has no queue object of a name: that it does not stand
    in what could not be read, and what the coverage of its files says. Raises NotShownHere."""
    manager = estate.network.managers[server]
    unread = [
        Assumption(
            "C-11", "L", f"{server} has no {what}", f"it may be in what was not read: {text}"
        )
        for text in manager.unread
    ]
    template = estate.network.queue_of_any_name(server)
    if template is not None:
        other = f"{template.label} becomes it, whose name is text of a template"
        unread.append(Assumption("C-11", "L", f"{server} has no {what}", other))
    none = estate.network.absent(server, NOUNS, name, f"queue {name}")
    if none and not estate.network.queues.of(server):
        text = f"{server} has no {what}: the loaded files show no queue of it"
        none = (Assumption("C-11", "L", text, "they leave its queues out"),)
    return (*unread, *none)
