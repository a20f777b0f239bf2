"""Name resolution: what becomes of (ObjectQMgrName, ObjectName) at a queue manager: the rows NR1 to
NR14, and M-01 to M-09.

A queue manager resolves names when an application opens a queue, and when the receiving end of a
channel does (M-12). Each function gives the ways of one position, or raises ``PutRefused`` with the
reason code.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace

from topograph.assumptions import Assumption
from topograph.facts.ibm_mq import Queue
from topograph.findings import Source
from topograph.outcomes import Outcome
from topograph.systems.ibm_mq.ambiguities import C13, M18
from topograph.systems.ibm_mq.objects.attributes import definition, keyword, place, value
from topograph.systems.ibm_mq.objects.clusters import is_known_alias
from topograph.systems.ibm_mq.objects.queue_managers import refusals
from topograph.systems.ibm_mq.routing.instances import by_workload, chosen, keeps_to
from topograph.systems.ibm_mq.routing.lookup import (
    Lookup,
    absence,
    asked_by_another_reading,
    asks_cluster,
    c1,
    needs_blank,
    not_asked,
    of_row,
    over_cluster,
)
from topograph.systems.ibm_mq.routing.positions import (
    ANY_QUEUE,
    OPEN,
    PUBLISH,
    MqPosition,
    position,
)
from topograph.systems.ibm_mq.routing.remote_names import remote, resolved_again, to_remote
from topograph.systems.ibm_mq.routing.transmission import (
    is_transmission_queue,
    refuse_full,
    refuse_inhibited,
    transmission_queue,
)
from topograph.systems.ibm_mq.routing.ways import H, M, PutRefused, one_way, undecided
from topograph.tracing.states import OpenEnd, State, Transition, Way
from topograph.tracing.trace import Ending, Kind
from topograph.words.articles import with_article


def opened(estate: Lookup, at: MqPosition, *, with_stream: bool = True) -> Transition:
    """The ways of a message whose queue is being opened; without ``with_stream`` whether a
    streaming queue takes its copy is not looked at.
    """
    network = estate.network
    here = at.queue_manager == at.server
    name = at.name if here else at.queue_manager
    found = network.queue(at.server, name)
    if found is not None and found.template:
        return _template(found)
    absent = () if found is not None else tuple(network.not_defined(at.server, name))
    try:
        transition = _local(estate, at, found, with_stream) if here else remote(estate, at, found)
    except PutRefused as refused:
        refused.assumptions = (*absent, *network.doubts(found), *refused.assumptions)
        raise
    more = (*absent, *network.doubts(found), *transition.assumptions)
    return Transition(transition.ways, more)


def _template(queue: Queue) -> Transition:
    """An object that is text of a template: where it leads is not known (C4)."""
    because = (
        f"{queue.label} of {queue.server} holds text of a template: fill it in, or say in "
        "topograph.yaml what it is"
    )
    guard = undecided(f"{queue.server}/{queue.name}", because, queue.source)
    said: dict[str, str | int] = {"queue": queue.name, "server": queue.server}
    ending = Ending(Outcome.REJECTED, said)
    anywhere = OpenEnd(f"{queue.label} of {queue.server} holds text of a template", queue.source)
    way = Way(ending, because, "C4", M, queue.source, guard=guard)
    return Transition((way,), open_end=anywhere)


# Local names: ObjectQMgrName is blank or the local queue manager


def _any_queue(estate: Lookup, at: MqPosition) -> Transition:
    """A message for whatever queue of the local queue manager: also for those that lead on
    (M-12).
    """
    ending = Ending(Outcome.DELIVERED, {"destination": f"any queue of {at.server}"})
    source = estate.network.managers[at.server].source
    ways = [Way(ending, f"it is for {at.server}", "M-12", H, source)]
    for name in queues_leading_on(estate, at):
        blank = at.blank and needs_blank(estate, at.server, name)
        to = MqPosition(
            at.server, OPEN, name, at.server, blank, reply=at.reply, arrival=at.arrival
        ).state()
        ways.append(Way(to, f"it is for {name} of {at.server}", "M-12", H, source))
    return Transition(tuple(ways))


def queues_leading_on(estate: Lookup, at: MqPosition) -> list[str]:
    """The queues of a queue manager from which a message goes on to another one: remote queues
    and aliases, of those that are defined alike one, and the queues that clusters offer, where
    these are looked for (NR8). What came over a channel of a cluster was put by a member, which has
    the cluster's queues itself."""
    if at.server not in estate.leading_on:
        found: dict[Hashable, str] = {}
        for queue in estate.network.queues.of(at.server):
            if queue.noun == "QALIAS" or (queue.noun == "QREMOTE" and not is_known_alias(queue)):
                found.setdefault(definition(queue), queue.name)
        estate.leading_on[at.server] = list(found.values())
    names = list(estate.leading_on[at.server])
    if asks_cluster(estate, at):
        for cluster, channels in estate.clusters.receivers(at.server).items():
            if at.arrival is None or all(one.name != at.arrival.channel for one in channels):
                names += _offered(estate, at, cluster)
    return list(dict.fromkeys(names))


def _offered(estate: Lookup, at: MqPosition, cluster: str) -> list[str]:
    """The queues of a cluster that may lead on: those that are not here and, where the message
    names no queue manager, those that are."""
    offered = estate.clusters.offered_alike(cluster)
    return [one for one in offered if at.blank or estate.network.queue(at.server, one) is None]


def _local(estate: Lookup, at: MqPosition, queue: Queue | None, with_stream: bool) -> Transition:
    if at.name == ANY_QUEUE:
        return _any_queue(estate, at)
    if queue is None:
        return _no_object(estate, at)
    chosen_elsewhere = (
        at.blank
        and not at.member
        and bool(estate.clusters.advertised_in(queue))
        and not keeps_to(estate, at, queue)
    )
    if not chosen_elsewhere:
        refuse_inhibited(queue)
    match queue.noun:
        case "QALIAS":
            return (
                by_workload(estate, at, queue, "NR5, M-05")
                if chosen_elsewhere
                else _alias(estate, at, queue)
            )
        case "QREMOTE":
            return _remote_queue(estate, at, queue, chosen_elsewhere)
        case "QMODEL":
            return _model(at, queue)
        case _:
            return (
                by_workload(estate, at, queue, "NR2")
                if chosen_elsewhere
                else _stored(estate, at, queue, with_stream)
            )


def _no_object(estate: Lookup, at: MqPosition) -> Transition:
    """NR8, NR9: no object of the name here."""
    instances = estate.clusters.queues(at.server, at.name) if asks_cluster(estate, at) else ()
    if instances:
        choice = estate.clusters.reduce(at.server, None, instances)
        unsure = (
            *asked_by_another_reading(estate, at),
            *estate.clusters.assumptions(at.server, instances),
        )
        return chosen(estate, at, None, choice, "NR8", unsure)
    raise _unknown(estate, at)


def _unknown(estate: Lookup, at: MqPosition) -> PutRefused:
    manager = estate.network.managers[at.server]
    why, rule = f"{at.server} has no queue {at.name}", "NR9"
    unsure = [
        *not_asked(estate, at, at.name),
        *estate.clusters.missing(at.server, at.name),
        *absence(estate, at.server, f"queue {at.name}", at.name),
    ]
    elsewhere = estate.clusters.hidden_from(at.server, at.name)
    if others := estate.clusters.known_queues(at.server, at.name):
        where = ", ".join(dict.fromkeys(one.server for one in others))
        why += f"; the cluster has one at {where}, and the message names {at.server}"
        rule = "NR9, NR8"
    elif elsewhere is not None:
        clusters = ", ".join(estate.clusters.advertised_in(elsewhere))
        why += (
            f"; {elsewhere.server} advertises one in {clusters}, of which {at.server} is not "
            "a member"
        )
        rule = "NR9, M-20"
        unsure += _unusable_senders(estate, at.server, estate.clusters.advertised_in(elsewhere))
    return PutRefused(2085, why, rule, manager.source, assumptions=unsure)


def _unusable_senders(estate: Lookup, server: str, clusters: Iterable[str]) -> Iterator[Assumption]:
    """C-8: a cluster-sender channel in a cluster of which the queue manager is not a member is
    not used.
    """
    for channel in estate.network.channels.of(server):
        if channel.channel_type == "CLUSSDR" and set(estate.network.clusters(channel)) & set(
            clusters
        ):
            text = (
                f"{channel.name} is not used: {server} has no cluster-receiver channel in "
                f"{', '.join(clusters)}"
            )
            yield Assumption(
                "C-8", "M", text, f"a cluster-receiver channel of {server} is in no loaded file"
            )


def _stays_local(estate: Lookup, at: MqPosition, queue: Queue) -> Iterator[Assumption]:
    """C-4: a program that names the local queue manager gets the local instance of a cluster
    queue, whatever the workload algorithm would choose.
    """
    if not at.blank and at.arrival is None and estate.clusters.advertised_in(queue):
        text = (
            f"{queue.name} is a cluster queue, and the sender names {at.server}: only the "
            "local instance is used"
        )
        yield Assumption(
            "C-4",
            "H",
            text,
            "with a blank queue manager name the workload algorithm may choose another instance",
        )


def _alias(estate: Lookup, at: MqPosition, queue: Queue) -> Transition:
    """NR5, M-05, M-32."""
    target, where = value(queue, "TARGET"), place(queue, "TARGET")
    if keyword(queue, "TARGTYPE") == "TOPIC":
        topics = [one for one in estate.network.topics.of(at.server) if one.name == target]
        if not topics:
            none = estate.network.absent(at.server, ("TOPIC",), target, f"topic object {target}")
            raise PutRefused(
                2082,
                f"alias {queue.name} names topic object {target}, which does not exist",
                "M-05",
                where,
                assumptions=(
                    *refusals(
                        one
                        for one in estate.network.topics.refused(at.server)
                        if one.name == target
                    ),
                    *none,
                ),
            )
        text = f"{queue.name} is an alias of topic object {target}: it is published"
        string = value(topics[0], "TOPICSTR")
        to = at.goes(phase=PUBLISH, name=string, queue=target, blank=False, member="")
        return one_way(to, text, "M-32", where, assumptions=estate.network.doubts(topics[0]))
    found = estate.network.queue(at.server, target) if target else None
    in_cluster = bool(target) and found is None and asks_cluster(estate, at)
    known = found is not None or (in_cluster and bool(estate.clusters.queues(at.server, target)))
    if not known:
        why = _nothing_behind(estate, at, queue, target)
        unsure = (
            *(not_asked(estate, at, target) if target else ()),
            *estate.clusters.missing(at.server, target),
            *estate.network.not_defined(at.server, target),
            *(absence(estate, at.server, f"queue {target}", target) if target else ()),
        )
        raise PutRefused(2082, why, "M-05", where, confidence=M, assumptions=unsure)
    if found is not None and found.noun in ("QALIAS", "QMODEL"):
        raise PutRefused(
            2001,
            f"alias {queue.name} names {target}, which is {with_article(found.noun)} of this queue "
            "manager",
            "M-05",
            where,
            assumptions=estate.network.doubts(found),
        )
    blank = at.blank and needs_blank(estate, at.server, target)
    bind = at.bind or keyword(queue, "DEFBIND")
    to = at.goes(name=target, blank=blank, bind=bind, member="")
    text = f"{queue.name} is an alias of {target}"
    unsure = (*c1("NR5"), *(_stays_local(estate, at, found) if found is not None else ()))
    return one_way(to, text, "NR5, M-05", where, assumptions=unsure)


def _nothing_behind(estate: Lookup, at: MqPosition, alias: Queue, target: str) -> str:
    """Why an alias leads nowhere."""
    if target and not at.blank and estate.clusters.known_queues(at.server, target):
        why = (
            f"alias {alias.name} names {target}, which {at.server} does not have: the message "
            f"names {at.server}, and the cluster's {target} is not looked for"
        )
        came = " (bound on open)" if over_cluster(estate, at) else ""
        return f"{why}{came}"
    if not target:
        return f"alias {alias.name} names no target"
    return f"alias {alias.name} names {target}, which does not exist"


def _model(at: MqPosition, queue: Queue) -> Transition:
    """NR4; the receiving end of a channel cannot open a model queue (M-12)."""
    if at.arrival is not None:
        raise PutRefused(
            2057,
            f"{queue.name} is a model queue, which a channel cannot put on",
            "M-12",
            queue.source,
            confidence=M,
        )
    destination = f"dynamic queue of {queue.name}@{at.server}"
    named: dict[str, str | int] = {
        "destination": destination,
        "queue": queue.name,
        "queue_manager": at.server,
    }
    ending = Ending(Outcome.DELIVERED, {**named, "dynamic": "yes"})
    return one_way(
        ending,
        f"{queue.name} is a model queue: a dynamic queue is made and takes it",
        "NR4",
        queue.source,
    )


def _remote_queue(
    estate: Lookup, at: MqPosition, queue: Queue, chosen_elsewhere: bool
) -> Transition:
    """NR6, NR7, M-02."""
    name, manager = value(queue, "RNAME"), value(queue, "RQMNAME")
    if not name:
        why = (
            f"{queue.name} has no RNAME: it is an alias of a queue manager, and cannot be "
            "opened as a queue"
        )
        raise PutRefused(2184, why, "M-02", queue.source, confidence=M)
    if not manager or manager == at.server:
        why = f"RQMNAME of {queue.name} is " + ("the local queue manager" if manager else "blank")
        raise PutRefused(2087, why, "M-02", place(queue, "RQMNAME"))
    if chosen_elsewhere:
        return by_workload(estate, at, queue, "NR7")
    explicit, where = value(queue, "XMITQ"), place(queue, "XMITQ", "RQMNAME")
    text = f"{queue.name} is {name} at {manager}"
    if not explicit and (again := resolved_again(estate, at, queue, name, text)):
        return again
    with of_row("NR6"):
        found = transmission_queue(
            estate.network,
            estate.clusters,
            at.server,
            manager,
            explicit,
            where,
            own_name=queue.name == manager,
        )
    return to_remote(estate, at, found, name, manager, "NR6", text, c1("NR6"))


def _stored(estate: Lookup, at: MqPosition, queue: Queue, with_stream: bool) -> Transition:
    """NR1, NR3: the local queue takes it; M-18: and its streaming queue a copy."""
    advertised = bool(estate.clusters.advertised_in(queue))
    refuse_full(estate.network, queue)
    rule = "NR3" if advertised else "NR1"
    assumptions: list[Assumption] = []
    if not at.bind and not at.copy:
        assumptions += _stays_local(estate, at, queue)
    text = f"local queue {queue.name} of {at.server} takes it"
    if not advertised and estate.clusters.known_queues(at.server, queue.name):
        rule, text = "NR1, M-25", f"{text}; it hides the cluster queue of that name"
    if is_transmission_queue(queue):
        read = _read_without_header(estate, at, queue)
        assumptions.append(_without_header(estate, queue, is_read=read is not None))
        if read is not None and estate.network.readings.takes(C13, "dead_letter"):
            return replace(read, assumptions=(*assumptions, *read.assumptions))
    named: dict[str, str | int] = {"queue": queue.name, "queue_manager": at.server}
    ending = Ending(Outcome.DELIVERED, {"destination": f"{queue.name}@{at.server}", **named})
    ways = [Way(ending, text, rule, H, queue.source)]
    stream = value(queue, "STREAMQ")
    if stream and (at.copy or stream == queue.name):
        assumptions.append(
            estate.network.readings.said(
                M18, _CHAIN if not estate.network.readings.is_stated(M18) else None
            )
        )
        if at.copy and estate.network.readings.takes(M18, "not_streamed_on"):
            stream = ""
    if stream:
        where = place(queue, "STREAMQ")
        copy = _streamed(estate, at, queue, stream)
        if with_stream and keyword(queue, "STRMQOS") == "MUSTDUP":
            _must_be_taken(estate, copy, queue.name, where)
        ways.append(Way(copy.state(), f"a copy goes to streaming queue {stream}", "M-18", M, where))
    return Transition(tuple(ways), tuple(assumptions))


_CHAIN = {
    **M18.choices,
    "not_streamed_on": (
        "the product supports no chain of streaming queues: it may refuse the definition, or "
        "not stream the copy on"
    ),
}


def _without_header(estate: Lookup, queue: Queue, *, is_read: bool) -> Assumption:
    """C-13: what becomes of a message that is put by name on a transmission queue; where no channel
    reads that, it stays there by either reading."""
    said = (
        f"{queue.name} is a transmission queue: a message put there by name has no "
        "transmission header"
    )
    moved = "the channel moves it to the dead-letter queue when it reads it"
    if not is_read:
        texts = {"delivered": f"{said}, and no channel reads it", "dead_letter": moved}
        return estate.network.readings.said(C13, texts, taken="delivered")
    dead = f"{said}, and {moved}"
    return estate.network.readings.said(C13, {"dead_letter": dead, "delivered": "it stays there"})


def _read_without_header(estate: Lookup, at: MqPosition, queue: Queue) -> Transition | None:
    """C-13: a channel that reads a message without a transmission header puts it on the dead-letter
    queue, or stops (q096230_). None where no channel reads the queue."""
    if keyword(queue, "GET") == "DISABLED" or not estate.channels.readers(at.server, queue.name):
        return None
    manager = estate.network.managers[at.server]
    dead = manager.get("DEADQ")
    found = estate.network.queue(at.server, dead) if dead else None
    text = (
        f"local queue {queue.name} of {at.server} takes it, and the channel that reads it "
        "finds no transmission header"
    )
    if found is not None and found.noun == "QLOCAL" and keyword(found, "PUT") != "DISABLED":
        said: dict[str, str | int] = {"queue": dead, "server": at.server, "reason": 271}
        to, where = Ending(Outcome.DLQ, said), manager.place("DEADQ")
        return one_way(
            to,
            f"{text} (271 MQFB_XMIT_Q_MSG_ERROR): it goes to dead-letter queue {dead}",
            "C-13",
            where,
            confidence=M,
        )
    held = {"queue": queue.name, "server": at.server, "reason": "channel stopped"}
    unsure = manager.blank(
        "DEADQ", "messages that cannot be sent are not kept", "they go to that queue"
    )
    stops = f"{text}; there is no dead-letter queue that takes it: the channel stops"
    return one_way(
        Ending(Outcome.HELD, held), stops, "C-13", queue.source, confidence=M, assumptions=unsure
    )


def _streamed(estate: Lookup, at: MqPosition, queue: Queue, stream: str) -> MqPosition:
    """The copy for the streaming queue of a queue."""
    text = f"streamed from {queue.name} ({keyword(queue, 'STRMQOS')})"
    return at_copy(at, stream, at.server, text, blank=needs_blank(estate, at.server, stream))


def at_copy(at: MqPosition, name: str, queue_manager: str, text: str, *, blank: bool) -> MqPosition:
    """The position of a copy that a queue manager puts itself."""
    return MqPosition(at.server, OPEN, name, queue_manager, blank=blank, reply=at.reply, copy=text)


def _must_be_taken(estate: Lookup, copy: MqPosition, original: str, where: Source) -> None:
    """M-18, MUSTDUP: where the copy is refused, so is the original. Raises Refused. A chain of
    streaming queues is followed once.
    """
    asked: list[Hashable] = []
    now: MqPosition | None = copy
    refused: PutRefused | None = None
    while now is not None:
        if now.key in estate.copies:
            refused, known = estate.copies[now.key]
            estate.network.asked |= known
            break
        estate.copies[now.key] = None, frozenset()
        asked.append(now.key)
        try:
            now = _asked_next(estate, now)
        except PutRefused as why:
            refused = why
            break
    said = refused, frozenset(estate.network.asked)
    estate.copies.update(dict.fromkeys(asked, said))
    if refused is not None:
        text = (
            f"streaming queue {copy.name} of {original} is MUSTDUP and cannot take a copy: "
            f"{refused.why}"
        )
        raise PutRefused(
            refused.code, text, "M-18", where, confidence=M, assumptions=refused.assumptions
        )


def _asked_next(estate: Lookup, copy: MqPosition) -> MqPosition | None:
    """The position that decides next whether a copy is taken: what an alias leads to, or the
    copy that the queue has to stream in its turn; None where it is taken. Raises Refused."""
    transition = opened(estate, copy, with_stream=False)
    first = transition.ways[0]
    if isinstance(first.to, State):
        following = position(first.to)
        stays = (
            first.kind is not Kind.ONE_OF
            and following.phase == OPEN
            and following.server == copy.server
        )
        return following if stays else None
    queue = estate.network.queue(copy.server, copy.name)
    if queue is None or queue.noun != "QLOCAL" or keyword(queue, "STRMQOS") != "MUSTDUP":
        return None
    if estate.network.readings.takes(M18, "not_streamed_on"):
        return None
    stream = value(queue, "STREAMQ")
    return _streamed(estate, copy, queue, stream) if stream else None
