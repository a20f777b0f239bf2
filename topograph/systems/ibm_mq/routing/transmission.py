"""Which transmission queue takes a message to a remote queue manager (M-03, M-04, M-26)."""

from __future__ import annotations

from dataclasses import replace

from topograph.assumptions import Assumption
from topograph.digits import digits
from topograph.facts.ibm_mq import Queue
from topograph.facts.ibm_mq_names import CLUSTER_TRANSMIT_QUEUE
from topograph.findings import Source
from topograph.outcomes import Confidence
from topograph.records import record
from topograph.systems.ibm_mq.ambiguities import C2
from topograph.systems.ibm_mq.objects.attributes import NOUNS, keyword, number, place
from topograph.systems.ibm_mq.objects.cluster_instances import Instance
from topograph.systems.ibm_mq.objects.clusters import Clusters
from topograph.systems.ibm_mq.objects.names import matches
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork
from topograph.systems.ibm_mq.routing.ways import H, M, PutRefused
from topograph.words.articles import with_article


@record(slots=False)
class Transmission:
    """The transmission queue chosen, why, and the cluster queue managers that it leads to (none:
    whatever its channel leads to).
    """

    queue: str
    text: str
    rule: str
    source: Source
    confidence: Confidence = H
    instances: tuple[Instance, ...] = ()
    assumptions: tuple[Assumption, ...] = ()


def is_transmission_queue(queue: Queue) -> bool:
    """Whether a queue is local with USAGE(XMITQ)."""
    return queue.noun == "QLOCAL" and keyword(queue, "USAGE") == "XMITQ"


def checked(
    network: MqNetwork,
    server: str,
    name: str,
    rule: str,
    source: Source,
    codes: tuple[int, int, int],
) -> Queue:
    """A queue that has to be a transmission queue that takes messages, looked at once where it
    does. Raises Refused with the code for one that is missing, of another type, or of normal
    usage."""
    if (known := network.transmitting.get((server, name))) is not None:
        return known
    queue = network.queue(server, name)
    if queue is None:
        raise PutRefused(
            codes[0],
            f"{server} has no queue {name}, which was to be the transmission queue",
            rule,
            source,
            assumptions=(
                *network.not_defined(server, name),
                *network.absent(server, NOUNS, name, f"queue {name}"),
            ),
        )
    try:
        if queue.noun != "QLOCAL":
            why = f"{name} is {with_article(queue.noun)}, and a transmission queue is a local queue"
            raise PutRefused(codes[1], why, rule, queue.source, confidence=M)
        if not is_transmission_queue(queue):
            raise PutRefused(
                codes[2],
                f"{name} is a local queue of USAGE(NORMAL)",
                rule,
                queue.source,
                confidence=M,
            )
        refuse_inhibited(queue)
        refuse_full(network, queue)
    except PutRefused as refused:
        refused.assumptions = (*network.doubts(queue), *refused.assumptions)
        raise
    network.transmitting[server, name] = queue
    return queue


def refuse_inhibited(queue: Queue) -> None:
    """M-06: nothing is put on a queue with PUT(DISABLED)."""
    if keyword(queue, "PUT") == "DISABLED":
        raise PutRefused(
            2051, f"{queue.name} has PUT(DISABLED)", "M-06", queue.source, confidence=M
        )


def refuse_full(network: MqNetwork, queue: Queue) -> None:
    """M-06: nothing is put on a queue that holds MAXDEPTH messages: as CURDEPTH was observed,
    and always with MAXDEPTH(0).
    """
    shown = next(
        (
            one
            for one in network.queue_status.of(queue.server)
            if one.name == queue.name and one.states("CURDEPTH")
        ),
        queue,
    )
    held = digits(shown.get("CURDEPTH"), 0)
    if not held and not queue.states("MAXDEPTH"):
        return
    most = number(queue, "MAXDEPTH")
    if held < most:
        return
    why, unsure = f"{queue.name} has MAXDEPTH({most})", []
    if most:
        why = f"{queue.name} is full: CURDEPTH({held}), MAXDEPTH({most})"
        text = (
            f"{queue.name} of {queue.server} holds as many messages as were observed "
            f"({shown.source})"
        )
        unsure = [Assumption("M-06", "M", text, "some were taken since, and it takes the message")]
    raise PutRefused(
        2053, why, "M-06", place(shown, "CURDEPTH", "MAXDEPTH"), confidence=M, assumptions=unsure
    )


def transmission_queue(
    network: MqNetwork,
    clusters: Clusters,
    server: str,
    queue_manager: str,
    explicit: str,
    source: Source,
    *,
    own_name: bool = False,
) -> Transmission:
    """The transmission queue for a remote queue manager: the ``explicit`` one, else the queue of
    its name, else that of the cluster, else DEFXMITQ. ``own_name``: the queue of its name is the
    definition that names it, which a cluster queue manager goes before (M-04). Raises Refused."""
    if explicit:
        queue = checked(network, server, explicit, "M-03", source, (2196, 2091, 2092))
        return Transmission(
            explicit,
            f"XMITQ names {explicit}",
            "M-03",
            source,
            assumptions=tuple(network.doubts(queue)),
        )
    instances = clusters.queue_managers(server, queue_manager) if own_name else []
    if not instances and network.queue(server, queue_manager):
        text = (
            f"a queue of the name {queue_manager} that is not a transmission queue is an error, "
            "and not looked through"
        )
        position = network.readings.said(
            C2, {"error": text, "resolved_again": "the name is resolved once more"}
        )
        try:
            queue = checked(network, server, queue_manager, "M-04", source, (2196, 2091, 2092))
        except PutRefused as refused:
            if refused.code not in (2051, 2053):
                refused.assumptions = (*refused.assumptions, position)
            raise
        text = f"the transmission queue has the name of the queue manager {queue_manager}"
        return Transmission(
            queue_manager, text, "M-04", queue.source, assumptions=tuple(network.doubts(queue))
        )
    absent = tuple(network.not_defined(server, queue_manager))
    instances = instances or clusters.queue_managers(server, queue_manager)
    if instances:
        text = f"{queue_manager} is known in the cluster"
        if own_name:
            text = f"{text}, which counts before the definition of that name"
        return Transmission(
            "",
            text,
            "M-04",
            instances[0].source,
            M,
            tuple(instances),
            (*absent, *clusters.assumptions(server, instances)),
        )
    try:
        found = default_transmission_queue(network, clusters, server, queue_manager, source)
    except PutRefused as refused:
        refused.assumptions = (*absent, *refused.assumptions)
        raise
    return replace(found, assumptions=(*absent, *found.assumptions)) if absent else found


def default_transmission_queue(
    network: MqNetwork, clusters: Clusters, server: str, queue_manager: str, source: Source
) -> Transmission:
    """DEFXMITQ (M-04, NR13, M-16). Raises Refused."""
    manager = network.managers[server]
    name = manager.get("DEFXMITQ")
    if not name:
        unknown = (
            *manager.blank(
                "DEFXMITQ",
                f"nothing takes messages to {queue_manager}",
                "such messages leave through it",
            ),
            *clusters.missing(server, queue_manager),
            *clusters.closed(server),
        )
        why = f"{server} has no transmission queue for {queue_manager}, and no DEFXMITQ"
        raise PutRefused(
            2087, why, "M-04", source, assumptions=unknown, not_known=manager.not_known("DEFXMITQ")
        )
    where = manager.place("DEFXMITQ")
    unsure = tuple(manager.unsure("DEFXMITQ"))
    if name == CLUSTER_TRANSMIT_QUEUE:
        why = f"DEFXMITQ names {CLUSTER_TRANSMIT_QUEUE}"
        raise PutRefused(2199, why, "M-04", where, assumptions=unsure)
    try:
        queue = checked(network, server, name, "M-04", where, (2197, 2198, 2199))
    except PutRefused as refused:
        refused.assumptions = (
            *unsure,
            *clusters.missing(server, queue_manager),
            *refused.assumptions,
        )
        raise
    text = f"nothing else is known of {queue_manager}: DEFXMITQ names {name}"
    unknown = (
        *unsure,
        *network.doubts(queue),
        *clusters.missing(server, queue_manager),
    )
    return Transmission(name, text, "M-04, M-16", where, assumptions=unknown)


def cluster_transmission_queue(
    network: MqNetwork, server: str, channel: str
) -> tuple[str, str, Source]:
    """M-26: the transmission queue that a cluster-sender channel reads: (queue, why, where that
    is said). CLCHNAME of a local transmission queue that matches the channel goes before
    DEFCLXQ; of several the most exact one."""
    manager = network.managers[server]
    matching = [
        (len(pattern.rstrip("*")), "*" not in pattern, queue.name, queue)
        for pattern, queue in network.claiming(server)
        if matches(pattern, channel)
    ]
    if matching:
        queue = max(matching, key=lambda one: one[:3])[3]
        return queue.name, f"CLCHNAME of {queue.name} takes channel {channel}", queue.source
    if manager.get("DEFCLXQ", "SCTQ").upper() == "CHANNEL":
        name = f"SYSTEM.CLUSTER.TRANSMIT.{channel}"
        return name, "DEFCLXQ(CHANNEL) makes a queue for each channel", manager.place("DEFCLXQ")
    return CLUSTER_TRANSMIT_QUEUE, "the transmission queue of all cluster channels", manager.source
