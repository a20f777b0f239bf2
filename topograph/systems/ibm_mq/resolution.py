"""Name resolution: what becomes of (ObjectQMgrName, ObjectName) at a queue manager: the rows NR1 to
NR14, and M-01 to M-09.

A queue manager resolves names when an application opens a queue, and when the receiving end of a
channel does (M-12). Each function gives the ways of one position, or raises ``Refused`` with the
reason code.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from topograph.assumptions import Assumption
from topograph.facts.ibm_mq import Queue
from topograph.findings import Source
from topograph.outcomes import Confidence, Outcome
from topograph.systems.ibm_mq.ambiguities import C2, C3, C13, M18
from topograph.systems.ibm_mq.channels import Channels
from topograph.systems.ibm_mq.clusters import Choice, Clusters, Instance, is_alias_of_queue_manager
from topograph.systems.ibm_mq.objects import Network, keyword, place, value
from topograph.systems.ibm_mq.positions import (
    ANY_QUEUE,
    OPEN,
    OUTSIDE,
    PUBLISH,
    XMIT,
    Position,
    position,
)
from topograph.systems.ibm_mq.transmission import (
    Transmission,
    cluster_transmission_queue,
    default_transmission_queue,
    is_transmission_queue,
    refuse_full,
    refuse_inhibited,
    transmission_queue,
)
from topograph.systems.ibm_mq.ways import H, M, Refused, one_way, undecided
from topograph.tracing.states import State, Transition, Way
from topograph.tracing.trace import Ending, Kind


@dataclass(frozen=True)
class Estate:
    """What the rules look at: objects, clusters and channels of a network. ``copies`` is why
    copies that were asked about are refused, None for those that are not."""

    network: Network
    clusters: Clusters
    channels: Channels
    copies: dict[Hashable, Refused | None] = field(default_factory=dict, compare=False, repr=False)


def opened(estate: Estate, at: Position, *, with_stream: bool = True) -> Transition:
    """The ways of a message whose queue is being opened; without ``with_stream`` whether a
    streaming queue takes its copy is not looked at.
    """
    network = estate.network
    here = at.queue_manager == at.server
    name = at.name if here else at.queue_manager
    found = network.queue(at.server, name)
    if found is not None and found.template:
        return _template(found)
    try:
        transition = _local(estate, at, found, with_stream) if here else _remote(estate, at, found)
    except Refused as refused:
        if lists_no_queue(estate, at.server):
            return _not_listed(estate, at, refused)
        refused.assumptions = (*network.doubts(found), *refused.assumptions)
        raise
    more = (*network.doubts(found), *transition.assumptions)
    return Transition(transition.ways, more)


def lists_no_queue(estate: Estate, server: str) -> bool:
    """Whether all that is loaded of a queue manager is output that shows none of its queues."""
    return estate.network.managers[server].shown and not estate.network.queues.of(server)


def _not_listed(estate: Estate, at: Position, refused: Refused) -> Transition:
    """A name of a queue manager whose queues no loaded file shows."""
    named = at.name if at.queue_manager == at.server else f"{at.name}@{at.queue_manager}"
    because = f"no loaded file shows the queues of {at.server}: where {named} leads is not known"
    source = estate.network.managers[at.server].source
    guard = undecided(f"{at.server}/queues", because, source)
    to = Ending(Outcome.REJECTED, {"reason": refused.code})
    return Transition((Way(to, because, "C-11", Confidence.L, source, guard=guard),))


def _template(queue: Queue) -> Transition:
    """An object that is text of a template: where it leads is not known."""
    because = (
        f"{queue.label} of {queue.server} holds text of a template: fill it in, or say in "
        "topograph.yaml what it is"
    )
    guard = undecided(f"{queue.server}/{queue.name}", because, queue.source)
    to = Position(template_server(queue), OUTSIDE, queue.name).state()
    return Transition((Way(to, because, "C4", M, queue.source, guard=guard),))


def template_server(queue: Queue) -> str:
    """The name of the server that stands for wherever an object leads that is text of a
    template.
    """
    return (
        value(queue, "RQMNAME") or value(queue, "TARGET") or value(queue, "CLUSTER") or queue.name
    )


def _c1(row: str) -> Assumption:
    text = f"row {row} of name resolution rests on general product knowledge"
    return Assumption(
        "C-1",
        "M",
        text,
        "the queue manager resolves the name another way, as dspmqrte there would show",
    )


@contextmanager
def _of_row(row: str) -> Iterator[None]:
    """Names the row of name resolution in whatever is refused by one of its checks."""
    try:
        yield
    except Refused as refused:
        refused.rule = f"{row}, {refused.rule}"
        raise


# Local names: ObjectQMgrName is blank or the local queue manager


def _any_queue(estate: Estate, at: Position) -> Transition:
    """A message for whatever queue of the local queue manager: also for those that lead on
    (M-12).
    """
    ending = Ending(Outcome.DELIVERED, {"destination": f"any queue of {at.server}"})
    source = estate.network.managers[at.server].source
    ways = [Way(ending, f"it is for {at.server}", "M-12", H, source)]
    for name in _leading_on(estate, at):
        to = Position(at.server, OPEN, name, at.server, reply=at.reply, arrival=at.arrival).state()
        ways.append(Way(to, f"it is for {name} of {at.server}", "M-12", H, source))
    return Transition(tuple(ways))


def _leading_on(estate: Estate, at: Position) -> list[str]:
    """The queues of a queue manager from which a message goes on to another one: remote queues
    and aliases, of those that say the same one, and queues that clusters offer. What came over a
    channel of a cluster was put by a member, which has the cluster's queues itself."""
    found: dict[tuple[str, ...], str] = {}
    for queue in estate.network.queues.of(at.server):
        if queue.noun == "QREMOTE" and not is_alias_of_queue_manager(queue):
            said = (value(queue, "RNAME"), value(queue, "RQMNAME"), value(queue, "XMITQ"))
            found.setdefault(("QREMOTE", *said), queue.name)
        elif queue.noun == "QALIAS":
            found.setdefault(
                ("QALIAS", value(queue, "TARGET"), keyword(queue, "TARGTYPE")), queue.name
            )
    names = list(found.values())
    for cluster, channels in estate.clusters.receivers(at.server).items():
        if at.arrival is None or all(one.name != at.arrival.channel for one in channels):
            offered = estate.clusters.offered(cluster)
            names += [one for one in offered if estate.network.queue(at.server, one) is None]
    return list(dict.fromkeys(names))


def _local(estate: Estate, at: Position, queue: Queue | None, with_stream: bool) -> Transition:
    if at.name == ANY_QUEUE:
        return _any_queue(estate, at)
    if queue is None:
        return _no_object(estate, at)
    chosen_elsewhere = at.blank and bool(estate.clusters.advertised_in(queue))
    if not chosen_elsewhere:
        refuse_inhibited(queue)
    match queue.noun:
        case "QALIAS":
            return (
                _by_workload(estate, at, queue, "NR5, M-05")
                if chosen_elsewhere
                else _alias(estate, at, queue)
            )
        case "QREMOTE":
            return _remote_queue(estate, at, queue, chosen_elsewhere)
        case "QMODEL":
            return _model(at, queue)
        case _:
            return (
                _by_workload(estate, at, queue, "NR2")
                if chosen_elsewhere
                else _stored(estate, at, queue, with_stream)
            )


def _no_object(estate: Estate, at: Position) -> Transition:
    """NR8, NR9: no object of the name here."""
    instances = estate.clusters.queues(at.server, at.name)
    if instances:
        choice = estate.clusters.reduce(at.server, None, instances)
        return _chosen(
            estate, at, None, choice, "NR8", estate.clusters.assumptions(at.server, instances)
        )
    raise _unknown(estate, at)


def _unknown(estate: Estate, at: Position) -> Refused:
    manager = estate.network.managers[at.server]
    why, rule = f"{at.server} has no queue {at.name}", "NR9"
    unsure = [
        *estate.clusters.missing(at.server, at.name),
        *not_shown(estate, at.server, f"queue {at.name}"),
    ]
    elsewhere = estate.clusters.hidden_from(at.server, at.name)
    if elsewhere is not None:
        clusters = ", ".join(estate.clusters.advertised_in(elsewhere))
        why += (
            f"; {elsewhere.server} advertises one in {clusters}, of which {at.server} is not "
            "a member"
        )
        rule = "NR9, M-20"
        unsure += _unusable_senders(estate, at.server, estate.clusters.advertised_in(elsewhere))
    return Refused(2085, why, rule, manager.source, assumptions=unsure)


def _unusable_senders(estate: Estate, server: str, clusters: Iterable[str]) -> Iterator[Assumption]:
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


def _stays_local(estate: Estate, at: Position, queue: Queue) -> Iterator[Assumption]:
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


def not_shown(estate: Estate, server: str, what: str) -> Iterator[Assumption]:
    """That something does not exist is an assumption where a file could not be read whole, or
    shows no queues at all.
    """
    manager = estate.network.managers[server]
    for text in manager.unread:
        yield Assumption(
            "C-11", "L", f"{server} has no {what}", f"it stands in what was not read: {text}"
        )
    if manager.shown:
        yield Assumption(
            "C-11",
            "L",
            f"{server} has no {what}: the output shows all its queues",
            "it shows some of them",
        )
    elif not estate.network.queues.of(server):
        yield Assumption(
            "C-11",
            "L",
            f"{server} has no {what}: the loaded files show no queue of it",
            "they leave its queues out",
        )


def needs_blank(estate: Estate, server: str, name: str) -> bool:
    """Whether it makes a difference at a queue manager that ObjectQMgrName was blank: the queue,
    or the target of the alias, is advertised in a cluster (C-4)."""
    queue = estate.network.queue(server, name)
    if queue is None:
        return False
    if queue.noun == "QALIAS" and not estate.clusters.advertised_in(queue):
        queue = estate.network.queue(server, value(queue, "TARGET"))
    return queue is not None and bool(estate.clusters.advertised_in(queue))


def _alias(estate: Estate, at: Position, queue: Queue) -> Transition:
    """NR5, M-05, M-32."""
    target, where = value(queue, "TARGET"), place(queue, "TARGET")
    if keyword(queue, "TARGTYPE") == "TOPIC":
        topics = [one for one in estate.network.topics.of(at.server) if one.name == target]
        if not topics:
            raise Refused(
                2082,
                f"alias {queue.name} names topic object {target}, which does not exist",
                "M-05",
                where,
            )
        text = f"{queue.name} is an alias of topic object {target}: it is published"
        to = at.goes(phase=PUBLISH, name=value(topics[0], "TOPICSTR"), queue=target, blank=False)
        return one_way(to, text, "M-32", where, assumptions=estate.network.doubts(topics[0]))
    found = estate.network.queue(at.server, target) if target else None
    known = found is not None or (bool(target) and bool(estate.clusters.queues(at.server, target)))
    if not known:
        why = f"alias {queue.name} names {target or 'nothing'}, which does not exist"
        unsure = (
            *estate.clusters.missing(at.server, target),
            *not_shown(estate, at.server, f"queue {target}"),
        )
        raise Refused(2082, why, "M-05", where, confidence=M, assumptions=unsure)
    if found is not None and found.noun in ("QALIAS", "QMODEL"):
        raise Refused(
            2001,
            f"alias {queue.name} names {target}, which is a {found.noun} of this queue manager",
            "M-05",
            where,
            assumptions=estate.network.doubts(found),
        )
    blank = at.blank and needs_blank(estate, at.server, target)
    bind = at.bind or keyword(queue, "DEFBIND")
    to = at.goes(name=target, blank=blank, bind=bind)
    text = f"{queue.name} is an alias of {target}"
    unsure = (_c1("NR5"), *(_stays_local(estate, at, found) if found is not None else ()))
    return one_way(to, text, "NR5, M-05", where, confidence=M, assumptions=unsure)


def _model(at: Position, queue: Queue) -> Transition:
    """NR4; the receiving end of a channel cannot open a model queue (M-12)."""
    if at.arrival is not None:
        raise Refused(
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


def _remote_queue(estate: Estate, at: Position, queue: Queue, chosen_elsewhere: bool) -> Transition:
    """NR6, NR7, M-02."""
    name, manager = value(queue, "RNAME"), value(queue, "RQMNAME")
    if not name:
        why = (
            f"{queue.name} has no RNAME: it is an alias of a queue manager, and cannot be "
            "opened as a queue"
        )
        raise Refused(2184, why, "M-02", queue.source, confidence=M)
    if not manager or manager == at.server:
        why = f"RQMNAME of {queue.name} is " + ("the local queue manager" if manager else "blank")
        raise Refused(2087, why, "M-02", place(queue, "RQMNAME"))
    if chosen_elsewhere:
        return _by_workload(estate, at, queue, "NR7")
    explicit, where = value(queue, "XMITQ"), place(queue, "XMITQ", "RQMNAME")
    if not explicit and (
        again := _resolved_again(
            estate, at, name, manager, f"{queue.name} is {name} at {manager}", where
        )
    ):
        return again
    with _of_row("NR6"):
        found = transmission_queue(
            estate.network, estate.clusters, at.server, manager, explicit, where
        )
    text = f"{queue.name} is {name} at {manager}"
    return _to_remote(estate, at, found, name, manager, "NR6", text, (_c1("NR6"),))


def _stored(estate: Estate, at: Position, queue: Queue, with_stream: bool) -> Transition:
    """NR1, NR3: the local queue takes it; M-18: and its streaming queue a copy."""
    advertised = bool(estate.clusters.advertised_in(queue))
    refuse_full(estate.network, queue)
    rule = "NR3" if advertised else "NR1"
    assumptions: list[Assumption] = []
    if not at.bind and not at.copy:
        assumptions += _stays_local(estate, at, queue)
    text = f"local queue {queue.name} of {at.server} takes it"
    if not advertised and estate.clusters.queues(at.server, queue.name):
        rule, text = "NR1, M-25", f"{text}; it hides the cluster queue of that name"
    if is_transmission_queue(queue):
        said = (
            f"{queue.name} is a transmission queue: a message put there by name has no "
            "transmission header"
        )
        moved = "the channel moves it to the dead-letter queue when it reads it"
        readings = estate.network.readings
        texts = {
            "delivered": said,
            "dead_letter": moved if readings.takes(C13, "delivered") else f"{said}, and {moved}",
        }
        assumptions.append(readings.said(C13, texts))
        if readings.takes(C13, "dead_letter") and (read := _read_without_header(estate, at, queue)):
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


def _read_without_header(estate: Estate, at: Position, queue: Queue) -> Transition | None:
    """C-13, the other reading: a channel that reads a message without a transmission header puts
    it on the dead-letter queue, or stops. None where no channel reads the queue."""
    if not estate.channels.readers(at.server, queue.name):
        return None
    manager = estate.network.managers[at.server]
    dead = manager.get("DEADQ")
    found = estate.network.queue(at.server, dead) if dead else None
    text = (
        f"local queue {queue.name} of {at.server} takes it, and the channel that reads it "
        "finds no transmission header"
    )
    if found is not None and found.noun == "QLOCAL" and keyword(found, "PUT") != "DISABLED":
        said = {"queue": dead, "server": at.server, "reason": "no transmission header"}
        to, where = Ending(Outcome.DLQ, said), manager.place("DEADQ")
        return one_way(
            to, f"{text}: it goes to dead-letter queue {dead}", "C-13", where, confidence=M
        )
    held = {"queue": queue.name, "server": at.server, "reason": "channel stopped"}
    unsure = manager.blank(
        "DEADQ", "messages that cannot be sent are not kept", "they go to that queue"
    )
    stops = f"{text}; there is no dead-letter queue that takes it: the channel stops"
    return one_way(
        Ending(Outcome.HELD, held), stops, "C-13", queue.source, confidence=M, assumptions=unsure
    )


def _streamed(estate: Estate, at: Position, queue: Queue, stream: str) -> Position:
    """The copy for the streaming queue of a queue."""
    text = f"streamed from {queue.name} ({keyword(queue, 'STRMQOS')})"
    return at_copy(at, stream, at.server, text, blank=needs_blank(estate, at.server, stream))


def at_copy(at: Position, name: str, queue_manager: str, text: str, *, blank: bool) -> Position:
    """The position of a copy that a queue manager puts itself."""
    return Position(at.server, OPEN, name, queue_manager, blank=blank, reply=at.reply, copy=text)


def _must_be_taken(estate: Estate, copy: Position, original: str, where: Source) -> None:
    """M-18, MUSTDUP: where the copy is refused, so is the original. Raises Refused. A chain of
    streaming queues is followed once.
    """
    asked: list[Hashable] = []
    now: Position | None = copy
    refused: Refused | None = None
    while now is not None:
        if now.key in estate.copies:
            refused = estate.copies[now.key]
            break
        estate.copies[now.key] = None
        asked.append(now.key)
        try:
            now = _asked_next(estate, now)
        except Refused as why:
            refused = why
            break
    estate.copies.update(dict.fromkeys(asked, refused))
    if refused is not None:
        text = (
            f"streaming queue {copy.name} of {original} is MUSTDUP and cannot take a copy: "
            f"{refused.why}"
        )
        raise Refused(
            refused.code, text, "M-18", where, confidence=M, assumptions=refused.assumptions
        )


def _asked_next(estate: Estate, copy: Position) -> Position | None:
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


# Remote names: ObjectQMgrName is another queue manager


def _remote(estate: Estate, at: Position, queue: Queue | None) -> Transition:
    wanted = at.queue_manager
    if queue is None:
        return _unknown_queue_manager(estate, at)
    if queue.noun == "QLOCAL":
        if not is_transmission_queue(queue):
            readings = estate.network.readings
            texts = {**C3.choices, "looked_up_elsewhere": "it is looked for elsewhere"}
            position = readings.said(C3, texts if readings.takes(C3, "error") else None)
            if readings.takes(C3, "looked_up_elsewhere"):
                return _resting_on(position, lambda: _unknown_queue_manager(estate, at))
            why = f"{wanted} is a local queue of USAGE(NORMAL)"
            raise Refused(
                2092, why, "NR14", queue.source, confidence=M, assumptions=(position, _c1("NR14"))
            )
        with _of_row("NR10"):
            refuse_inhibited(queue)
            refuse_full(estate.network, queue)
        text = f"{wanted} is a transmission queue of {at.server}"
        found = Transmission(wanted, text, "NR10", queue.source)
        return _to_remote(estate, at, found, at.name, wanted, "NR10", "", ())
    if not is_alias_of_queue_manager(queue):
        what = (
            "a remote queue, since it has RNAME" if queue.noun == "QREMOTE" else f"a {queue.noun}"
        )
        raise Refused(
            2087, f"{wanted} is {what}, and no alias of a queue manager", "M-09", queue.source
        )
    with _of_row("NR11"):
        refuse_inhibited(queue)
    real, where = value(queue, "RQMNAME"), place(queue, "RQMNAME")
    text = f"{wanted} is an alias of queue manager {real}"
    if (
        real != at.server
        and not value(queue, "XMITQ")
        and (again := _resolved_again(estate, at, at.name, real, text, where))
    ):
        return again
    if real == at.server:
        blank = False
        to = at.goes(queue_manager=real, blank=blank)
        return one_way(to, f"{text}, the local one", "NR11, M-08", where)
    if not real:
        raise Refused(2087, f"alias {wanted} names no queue manager", "NR11", where, confidence=M)
    explicit, where = value(queue, "XMITQ"), place(queue, "XMITQ", "RQMNAME")
    with _of_row("NR11, M-08"):
        found = transmission_queue(
            estate.network, estate.clusters, at.server, real, explicit, where
        )
    return _to_remote(estate, at, found, at.name, real, "NR11, M-08", text, ())


def _resting_on(position: Assumption, resolved: Callable[[], Transition]) -> Transition:
    """What resolution gives, with one more assumption. Raises Refused."""
    try:
        found = resolved()
    except Refused as refused:
        refused.assumptions = (position, *refused.assumptions)
        raise
    return replace(found, assumptions=(position, *found.assumptions))


def _resolved_again(
    estate: Estate, at: Position, name: str, queue_manager: str, text: str, where: Source
) -> Transition | None:
    """C-2, the other reading: a queue manager's name whose queue here is no transmission queue
    is resolved once more. None where that is not so.
    """
    readings = estate.network.readings
    if readings.takes(C2, "error") or not queue_manager:
        return None
    found = estate.network.queue(at.server, queue_manager)
    if found is None or is_transmission_queue(found):
        return None
    to = at.goes(name=name, queue_manager=queue_manager, blank=False)
    again = f"{text}; {queue_manager} is a {found.noun} here and is resolved once more"
    return one_way(to, again, "C-2", where, confidence=M, assumptions=(readings.said(C2),))


def _unknown_queue_manager(estate: Estate, at: Position) -> Transition:
    """NR12, NR13: no object has the name of the queue manager."""
    wanted = at.queue_manager
    instances = estate.clusters.queue_managers(at.server, wanted)
    if instances:
        found = Transmission(
            "",
            f"{wanted} is known in the cluster",
            "NR12",
            instances[0].source,
            M,
            tuple(instances),
            estate.clusters.assumptions(at.server, instances),
        )
        return _to_remote(estate, at, found, at.name, wanted, "NR12", "", (_c1("NR12"),))
    manager = estate.network.managers[at.server]
    try:
        with _of_row("NR13"):
            found = default_transmission_queue(
                estate.network, estate.clusters, at.server, wanted, manager.source
            )
    except Refused as refused:
        unsure = not_shown(estate, at.server, f"alias or transmission queue {wanted}")
        refused.assumptions = (*refused.assumptions, *unsure)
        raise
    return _to_remote(estate, at, found, at.name, wanted, "NR13", "", ())


def _to_remote(
    estate: Estate,
    at: Position,
    found: Transmission,
    name: str,
    queue_manager: str,
    rule: str,
    text: str,
    assumptions: Iterable[Assumption],
) -> Transition:
    """M-07: it goes to a transmission queue, with a header."""
    more = (*assumptions, *found.assumptions)
    said = "; ".join(part for part in (text, found.text) if part)
    rules = rule if found.rule in rule else f"{rule}, {found.rule}"
    if found.instances:
        choice = estate.clusters.reduce(at.server, None, found.instances)
        rules = f"{rules}, M-20, M-22"
        return _cluster_ways(estate, at, choice, name, queue_manager, rules, said, more)
    to = Position(
        at.server,
        XMIT,
        name,
        queue_manager,
        queue=found.queue,
        reply=at.reply,
        copy=at.copy,
        bind=at.bind,
        excluded=at.excluded,
    )
    header = f"put on transmission queue {found.queue} with header {name}@{queue_manager}"
    confidence = found.confidence if rule in _STATED else M
    way = Way(to.state(), f"{said}: {header}", f"{rules}, M-01, M-07", confidence, found.source)
    return Transition((way,), more)


_STATED = ("NR10", "NR11, M-08", "NR13")
"""Rows of remote names that the documentation states."""

# Run-time choices among the members of a cluster


def _by_workload(estate: Estate, at: Position, queue: Queue, rule: str) -> Transition:
    """NR2, NR5, NR7: an object here is one of several that a cluster offers."""
    others = estate.clusters.queues(at.server, queue.name)
    choice = estate.clusters.reduce(at.server, queue, others)
    unsure = estate.clusters.assumptions(at.server, others)
    return _chosen(estate, at, queue, choice, rule, unsure)


def _chosen(
    estate: Estate,
    at: Position,
    queue: Queue | None,
    choice: Choice,
    rule: str,
    assumptions: Iterable[Assumption],
) -> Transition:
    rules = f"{rule}, M-20, M-21, M-22"
    if not any(one.takes_puts for one in choice.instances):
        first = choice.instances[0]
        why = f"every instance of cluster queue {at.name} that could be chosen has PUT(DISABLED)"
        raise Refused(
            2268, why, f"{rules}, M-27", first.source, confidence=M, assumptions=assumptions
        )
    choice.eliminated = [
        *((one, "no shared cluster") for one in estate.clusters.unshared(at.server, at.name)),
        *choice.eliminated,
    ]
    opened_object = queue or choice.instances[0].queue
    bind = at.bind or (keyword(opened_object, "DEFBIND") if opened_object else "OPEN")
    now = Position(
        at.server,
        at.phase,
        at.name,
        at.queue_manager,
        reply=at.reply,
        copy=at.copy,
        bind=bind,
        arrival=at.arrival,
    )
    if choice.preferred or any(one.local for one in choice.instances):
        rules += ", M-23"
    if at.bind and len(choice.instances) > 1:
        rules += ", M-06"
    more = [*assumptions] if rule == "NR2" else [_c1(rule.partition(",")[0]), *assumptions]
    if queue is not None and queue.noun != "QLOCAL":
        text = f"the local definition of {queue.name} is one candidate among others"
        more.append(
            Assumption(
                "M-23", "M", text, "it is preferred, as local queues are with CLWLUSEQ(LOCAL)"
            )
        )
    return _cluster_ways(
        estate, now, choice, at.name, "", rules, f"{at.name} is a cluster queue", more
    )


_FIXED = {
    "OPEN": "chosen when the queue is opened (DEFBIND(OPEN))",
    "NOTFIXED": "chosen for each message (DEFBIND(NOTFIXED))",
    "GROUP": "chosen for each group of messages (DEFBIND(GROUP))",
}


def _cluster_ways(
    estate: Estate,
    at: Position,
    choice: Choice,
    name: str,
    queue_manager: str,
    rules: str,
    text: str,
    assumptions: Iterable[Assumption],
) -> Transition:
    """One way for each instance that is left. Without ``queue_manager`` the header names that of
    the instance.
    """
    bind = at.bind or "OPEN"
    several = len(choice.instances) > 1
    told = choice.told(name)
    is_queue = not queue_manager
    ways, more = [], list(assumptions)
    for one in choice.instances:
        to, said, rule, source, unsure = _towards(
            estate, at, one, name, queue_manager or one.server
        )
        more += unsure
        way = Way(
            to,
            f"{text}: {said}",
            f"{rules}, {rule}" if rule else rules,
            _surely(rules),
            source,
            eliminated=told,
        )
        if several:
            what = queue_manager or f"cluster queue {name}"
            way = Way(
                to,
                way.text,
                f"{way.rule}, M-24",
                way.confidence,
                source,
                Kind.ONE_OF,
                choice=f"{what} at {at.server}",
                choice_of=what,
                condition=(
                    f"{one.server} is {_FIXED.get(bind, _FIXED['OPEN'])}, weight "
                    f"{one.number('CLWLWGHT') or 50}"
                ),
                eliminated=told,
            )
        ways.append(way)
    if several:
        text = f"which instance of {name} takes a message from {at.server} is decided at run time"
        more.append(
            Assumption("C-5", "M", f"{text}, by the states of channels and by what was sent before")
        )
    elif told or is_queue:
        left = (
            f"{name} at {choice.instances[0].server} is the only candidate for messages from "
            f"{at.server}"
        )
        more.append(Assumption("C-15", "M", f"{left}; eliminated: {told}" if told else left))
    return Transition(tuple(ways), tuple(more))


def _surely(rules: str) -> Confidence:
    return H if rules.startswith("NR2") else M


def _towards(
    estate: Estate, at: Position, one: Instance, name: str, queue_manager: str
) -> tuple[State, str, str, Source, Iterable[Assumption]]:
    """The way to one instance: state, text, rule, evidence, and what it rests on."""
    if one.local:
        return (
            at.goes(blank=False),
            f"the local instance at {at.server} takes it",
            "",
            one.source,
            (),
        )
    queue, why, where = cluster_transmission_queue(estate.network, at.server, one.channel_name)
    found = estate.network.queue(at.server, queue)
    if found is not None:
        refuse_inhibited(found)
    to = Position(
        at.server,
        XMIT,
        name,
        queue_manager,
        queue=queue,
        member=one.server,
        channel=one.channel_name,
        reply=at.reply,
        copy=at.copy,
        excluded=at.excluded,
    )
    text = f"{name} at {one.server}: put on {queue} ({why}) with header {name}@{queue_manager}"
    rule = "M-28, M-26, M-01, M-07" if one.is_gateway else "M-26, M-01, M-07"
    return to.state(), text, rule, one.source or where, tuple(estate.network.doubts(found))
