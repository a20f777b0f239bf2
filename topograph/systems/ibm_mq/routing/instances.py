"""Run-time choices among the members of a cluster (M-20 to M-28, C-5, C-15)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from topograph.assumptions import Assumption
from topograph.facts.ibm_mq import Queue
from topograph.findings import Source
from topograph.outcomes import Confidence
from topograph.systems.ibm_mq.objects.attributes import keyword, value
from topograph.systems.ibm_mq.objects.cluster_instances import Choice, Instance
from topograph.systems.ibm_mq.routing.lookup import Lookup, c1, needs_blank, over_cluster
from topograph.systems.ibm_mq.routing.positions import XMIT, MqPosition
from topograph.systems.ibm_mq.routing.transmission import (
    cluster_transmission_queue,
    refuse_inhibited,
)
from topograph.systems.ibm_mq.routing.ways import H, M, PutRefused
from topograph.tracing.states import State, Transition, Way
from topograph.tracing.trace import Kind


def by_workload(estate: Lookup, at: MqPosition, queue: Queue, rule: str) -> Transition:
    """NR2, NR5, NR7: an object here is one of several that a cluster offers."""
    others = estate.clusters.queues(at.server, queue.name)
    choice = _reduced(estate, at, queue, others)
    unsure = estate.clusters.assumptions(at.server, others)
    return chosen(estate, at, queue, choice, rule, unsure)


def keeps_to(estate: Lookup, at: MqPosition, queue: Queue) -> bool:
    """M-23: whether a local queue takes what a channel of the cluster brought, although the header
    names no queue manager (M-24)."""
    if queue.noun != "QLOCAL" or not over_cluster(estate, at):
        return False
    choice = _reduced(estate, at, queue, estate.clusters.queues(at.server, queue.name))
    return choice.preferred and all(one.takes_puts for one in choice.instances)


def _reduced(estate: Lookup, at: MqPosition, queue: Queue, others: Sequence[Instance]) -> Choice:
    came = over_cluster(estate, at)
    return estate.clusters.reduce(at.server, queue, others, over_cluster=came)


def chosen(
    estate: Lookup,
    at: MqPosition,
    queue: Queue | None,
    choice: Choice,
    rule: str,
    assumptions: Iterable[Assumption],
) -> Transition:
    """The ways to the instances of a cluster queue that are left to choose from (M-20 to M-23).

    Raises Refused where none of them takes messages (M-27).
    """
    rules = f"{rule}, M-20, M-21, M-22"
    if not any(one.takes_puts for one in choice.instances):
        first = choice.instances[0]
        why = f"every instance of cluster queue {at.name} that could be chosen has PUT(DISABLED)"
        raise PutRefused(
            2268, why, f"{rules}, M-27", first.source, confidence=M, assumptions=assumptions
        )
    choice.eliminated = [
        *((one, "no shared cluster") for one in estate.clusters.unshared(at.server, at.name)),
        *choice.eliminated,
    ]
    opened_object = queue or choice.instances[0].queue
    bind = at.bind or (keyword(opened_object, "DEFBIND") if opened_object else "OPEN")
    now = MqPosition(
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
    more = [*c1(rule), *assumptions, *_as_binds(at, choice, queue, bind)]
    if queue is not None and queue.noun != "QLOCAL":
        more.append(_of_local_definition(queue, preferred=choice.preferred))
    return cluster_ways(
        estate, now, choice, at.name, "", rules, f"{at.name} is a cluster queue", more
    )


def _of_local_definition(queue: Queue, *, preferred: bool) -> Assumption:
    """M-23: what is said of local queues alone, taken for a local alias or remote queue."""
    among = f"the local definition of {queue.name} is one candidate among others"
    if preferred:
        text = (
            f"the local definition of {queue.name} takes what comes over a channel of the "
            "cluster, as a local queue does"
        )
        return Assumption("M-23", "M", text, among)
    other = "it is preferred, as local queues are with CLWLUSEQ(LOCAL)"
    return Assumption("M-23", "M", among, other)


def _as_binds(
    at: MqPosition, choice: Choice, queue: Queue | None, bind: str
) -> Iterator[Assumption]:
    """M-24: what the name of the queue manager in the header rests on."""
    others = {} if at.bind or queue is not None else _binds(choice)
    if len(others) > 1:
        text = f"DEFBIND of {at.name} is {bind}, as {others[bind]} defines it"
        told = " and ".join(f"{one} at {server}" for one, server in others.items() if one != bind)
        yield Assumption("M-24", "M", text, f"it is {told}: which of them counts is not stated")
    if bind == "GROUP":
        text = f"the message to {at.name} is not one of a group: DEFBIND(GROUP) fixes nothing"
        yield Assumption("M-24", "M", text, "all messages of a group stay with one instance")


def _binds(choice: Choice) -> dict[str, str]:
    """DEFBIND of the instances, each value with the first queue manager that has it."""
    found: dict[str, str] = {}
    for one in choice.instances:
        if one.queue is not None:
            found.setdefault(keyword(one.queue, "DEFBIND"), one.server)
    return found


_FIXED = {
    "OPEN": "chosen when the queue is opened (DEFBIND(OPEN))",
    "NOTFIXED": "chosen for each message (DEFBIND(NOTFIXED))",
    "GROUP": "chosen for each group of messages (DEFBIND(GROUP))",
}


def cluster_ways(
    estate: Lookup,
    at: MqPosition,
    choice: Choice,
    name: str,
    queue_manager: str,
    rules: str,
    text: str,
    assumptions: Iterable[Assumption],
) -> Transition:
    """One way for each instance that is left. Without ``queue_manager`` the header names that of
    the instance if DEFBIND fixes it, else none (M-24).
    """
    bind = at.bind or "OPEN"
    several = len(choice.instances) > 1
    told = choice.told(name)
    is_queue, fixed = not queue_manager, bool(queue_manager) or bind == "OPEN"
    more = [*assumptions, *(estate.network.readings.said(of) for of in choice.open)]
    ways = []
    ways_to = Counter(one.server for one in choice.instances)
    for one in choice.instances:
        towards = queue_manager or one.server
        to, said, rule, source, unsure = _towards(estate, at, one, name, towards, fixed=fixed)
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
            over = f" over {one.channel_name}" if ways_to[one.server] > 1 else ""
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
                    f"{one.server}{over} is {_FIXED.get(bind, _FIXED['OPEN'])}, weight "
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
    estate: Lookup, at: MqPosition, one: Instance, name: str, queue_manager: str, *, fixed: bool
) -> tuple[State, str, str, Source, Iterable[Assumption]]:
    """The way to one instance: state, text, rule, evidence, and what it rests on. ``fixed``: the
    header names the queue manager."""
    if one.local:
        return (
            _taken_here(estate, at, one),
            f"the local instance at {at.server} takes it",
            "",
            one.source,
            (),
        )
    queue, why, where = cluster_transmission_queue(estate.network, at.server, one.channel_name)
    found = estate.network.queue(at.server, queue)
    if found is not None:
        refuse_inhibited(found)
    to = MqPosition(
        at.server,
        XMIT,
        name,
        queue_manager,
        blank=not fixed,
        queue=queue,
        member=one.server,
        channel=one.channel_name,
        reply=at.reply,
        copy=at.copy,
        excluded=at.excluded,
    )
    header = f"{name}@{queue_manager}" if fixed else f"{name}, which names no queue manager"
    text = f"{name} at {one.server}: put on {queue} ({why}) with header {header}"
    rule = "M-28, M-26, M-01, M-07" if one.is_gateway else "M-26, M-01, M-07"
    return to.state(), text, rule, one.source or where, tuple(estate.network.doubts(found))


def _taken_here(estate: Lookup, at: MqPosition, one: Instance) -> State:
    """The object here was chosen: an alias leads on with ObjectQMgrName as it was, which is blank
    (NR5)."""
    if one.queue is None or one.queue.noun != "QALIAS":
        return at.goes(blank=False)
    blank = needs_blank(estate, at.server, value(one.queue, "TARGET"))
    return at.goes(blank=blank, member=at.server if blank else "")
