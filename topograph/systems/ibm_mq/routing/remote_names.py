"""Names whose ObjectQMgrName is another queue manager: the rows NR10 to NR14, M-07 to M-09."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from topograph.assumptions import Assumption
from topograph.facts.ibm_mq import Queue
from topograph.findings import Source
from topograph.systems.ibm_mq.ambiguities import C2, C3
from topograph.systems.ibm_mq.objects.attributes import place, value
from topograph.systems.ibm_mq.objects.clusters import is_alias_of_queue_manager
from topograph.systems.ibm_mq.routing.instances import cluster_ways
from topograph.systems.ibm_mq.routing.lookup import (
    Lookup,
    absence,
    c1,
    is_stated,
    needs_blank,
    of_row,
)
from topograph.systems.ibm_mq.routing.positions import XMIT, MqPosition
from topograph.systems.ibm_mq.routing.transmission import (
    Transmission,
    default_transmission_queue,
    is_transmission_queue,
    refuse_full,
    refuse_inhibited,
    transmission_queue,
)
from topograph.systems.ibm_mq.routing.ways import M, PutRefused, one_way
from topograph.tracing.states import Transition, Way
from topograph.words.articles import with_article


def remote(estate: Lookup, at: MqPosition, queue: Queue | None) -> Transition:
    """The ways of a message whose queue manager is another one; ``queue`` is what has that name
    here. Raises Refused.
    """
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
            raise PutRefused(
                2092, why, "NR14", queue.source, confidence=M, assumptions=(position, *c1("NR14"))
            )
        with of_row("NR10"):
            refuse_inhibited(queue)
            refuse_full(estate.network, queue)
        text = f"{wanted} is a transmission queue of {at.server}"
        found = Transmission(wanted, text, "NR10", queue.source)
        return to_remote(estate, at, found, at.name, wanted, "NR10", "", ())
    if not is_alias_of_queue_manager(queue):
        what = (
            "a remote queue, since it has RNAME"
            if queue.noun == "QREMOTE"
            else with_article(queue.noun)
        )
        raise PutRefused(
            2087, f"{wanted} is {what}, and no alias of a queue manager", "M-09", queue.source
        )
    with of_row("NR11"):
        refuse_inhibited(queue)
    real, where = value(queue, "RQMNAME"), place(queue, "RQMNAME")
    text = f"{wanted} is an alias of queue manager {real}"
    if (
        real != at.server
        and not value(queue, "XMITQ")
        and (again := resolved_again(estate, at, queue, at.name, text))
    ):
        return again
    if real == at.server:
        to = at.goes(queue_manager=real, blank=False)
        return one_way(to, f"{text}, the local one", "NR11, M-08", where)
    if not real:
        return _cleared(estate, at, queue, where)
    explicit, where = value(queue, "XMITQ"), place(queue, "XMITQ", "RQMNAME")
    with of_row("NR11, M-08"):
        found = transmission_queue(
            estate.network,
            estate.clusters,
            at.server,
            real,
            explicit,
            where,
            own_name=queue.name == real,
        )
    return to_remote(estate, at, found, at.name, real, "NR11, M-08", text, ())


def _cleared(estate: Lookup, at: MqPosition, alias: Queue, where: Source) -> Transition:
    """NR11 with a blank RQMNAME: the name of the queue manager is cleared, and resolution goes on
    as for a sender that names none, so that a cluster chooses among its queues (q017640_)."""
    to = at.goes(queue_manager=at.server, blank=needs_blank(estate, at.server, at.name))
    text = f"alias {alias.name} has a blank RQMNAME: {at.name} is looked for at any queue manager"
    unsure: tuple[Assumption, ...] = ()
    if explicit := value(alias, "XMITQ"):
        said = f"XMITQ({explicit}) of alias {alias.name} counts for nothing, since RQMNAME is blank"
        unsure = (Assumption("NR11", "L", said, f"the message is put on {explicit}"),)
    return one_way(to, text, "NR11, M-08", where, assumptions=unsure)


def _resting_on(position: Assumption, resolved: Callable[[], Transition]) -> Transition:
    """What resolution gives, with one more assumption. Raises Refused."""
    try:
        found = resolved()
    except PutRefused as refused:
        refused.assumptions = (position, *refused.assumptions)
        raise
    return replace(found, assumptions=(position, *found.assumptions))


def resolved_again(
    estate: Lookup, at: MqPosition, definition: Queue, name: str, text: str
) -> Transition | None:
    """C-2, the other reading: a queue manager's name whose queue here is no transmission queue
    is resolved once more. None where that is not so.
    """
    readings, where = estate.network.readings, place(definition, "RQMNAME")
    queue_manager = value(definition, "RQMNAME")
    if readings.takes(C2, "error") or not queue_manager:
        return None
    found = estate.network.queue(at.server, queue_manager)
    if found is None or is_transmission_queue(found):
        return None
    if definition.name == queue_manager and estate.clusters.queue_managers(
        at.server, queue_manager
    ):
        return None
    to = at.goes(name=name, queue_manager=queue_manager, blank=False)
    again = f"{text}; {queue_manager} is {with_article(found.noun)} here and is resolved once more"
    return one_way(to, again, "C-2", where, confidence=M, assumptions=(readings.said(C2),))


def _unknown_queue_manager(estate: Lookup, at: MqPosition) -> Transition:
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
        return to_remote(estate, at, found, at.name, wanted, "NR12", "", ())
    manager = estate.network.managers[at.server]
    try:
        with of_row("NR13"):
            found = default_transmission_queue(
                estate.network, estate.clusters, at.server, wanted, manager.source
            )
    except PutRefused as refused:
        unsure = absence(estate, at.server, f"alias or transmission queue {wanted}", wanted)
        refused.assumptions = (*refused.assumptions, *unsure)
        raise
    return to_remote(estate, at, found, at.name, wanted, "NR13", "", ())


def to_remote(
    estate: Lookup,
    at: MqPosition,
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
        return cluster_ways(estate, at, choice, name, queue_manager, rules, said, more)
    to = MqPosition(
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
    confidence = found.confidence if is_stated(rule) else M
    way = Way(to.state(), f"{said}: {header}", f"{rules}, M-01, M-07", confidence, found.source)
    return Transition((way,), more)
