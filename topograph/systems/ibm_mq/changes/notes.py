"""What people have to know of a change to a queue manager that it does not refuse: names that
lead nowhere afterwards, what is in use while it goes in, and what has to happen elsewhere. Each
note is about one command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topograph.facts.ibm_mq import Channel, Described, Namelist, Queue, QueueManager
from topograph.findings import Source
from topograph.rules import Rule
from topograph.rules.ibm_mq_findings import (
    C_14,
    CHANNEL_RESTART,
    CLUSTER_CHANGE,
    DEAD_LETTER_QUEUE,
    DEFAULT_TRANSMISSION_QUEUE,
    IN_USE,
    M_02,
    M_03,
    M_04,
    M_05,
    M_11,
    M_13,
    M_18,
    M_20,
    MESSAGES_LOST,
    NOT_REACHED,
    NR13,
    OTHER_END_MISSING,
    SECTION_C1,
    STILL_NAMED,
    WAITING,
)
from topograph.systems.ibm_mq.changes.editing import MqscEditing
from topograph.systems.ibm_mq.objects.attributes import keyword, place, value
from topograph.systems.ibm_mq.objects.channels import PARTNERS, SENDING, Channels
from topograph.systems.ibm_mq.objects.clusters import Clusters
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork
from topograph.systems.ibm_mq.routing.transmission import is_transmission_queue
from topograph.words.articles import with_article

_SHOWN = 3
"""Names that a note lists."""

Named = tuple[str, Source]
"""What names a queue, and where."""


def add_notes(editing: MqscEditing) -> None:
    """Add the notes on a command that changes definitions. Linear in the facts of the queue
    manager, and of those that it names.
    """
    if editing.command.verb not in ("DEFINE", "ALTER", "DELETE"):
        return
    after = editing.after
    gone = [one for one in editing.removed if isinstance(one, Described)]
    came = [one for one in editing.added if isinstance(one, Described) and one.verb != "DELETE"]
    for one in came:
        if isinstance(one, Queue):
            _queue(editing, after, one)
        elif isinstance(one, Channel):
            _channel(editing, after, one)
        elif isinstance(one, QueueManager):
            _manager(editing, after, one)
    if editing.command.verb == "DELETE":
        _deleted(editing, after, gone)
    else:
        _in_use(editing, gone, came)
    _cluster(editing, after, gone, came)


def _listed(named: Sequence[Named]) -> str:
    """The first of some names with their places, and how many more there are."""
    shown = [f"{what} ({where})" for what, where in named[:_SHOWN]]
    more = len(named) - len(shown)
    return f"{', '.join(shown)}{f' and {more} more' if more else ''}"


def _queue(editing: MqscEditing, after: MqNetwork, one: Queue) -> None:
    if one.noun == "QALIAS":
        _target(editing, after, one)
    elif one.noun == "QREMOTE":
        name, manager = value(one, "XMITQ"), value(one, "RQMNAME")
        if value(one, "RNAME") and manager in ("", editing.server):
            what = "names this queue manager" if manager else "is blank"
            editing.note(NOT_REACHED, f"RQMNAME of {one.name} {what}: puts to it get 2087", M_02)
        elif name:
            _transmission_queue(editing, after, name, f"XMITQ of {one.name}", M_03)
    stream = value(one, "STREAMQ")
    if (
        stream
        and after.queue(editing.server, stream) is None
        and not Clusters(after).queues(editing.server, stream)
    ):
        message = f"STREAMQ of {one.name} names {stream}, which {editing.server} does not have"
        editing.note(NOT_REACHED, message, M_18)


def _target(editing: MqscEditing, after: MqNetwork, one: Queue) -> None:
    target = value(one, "TARGET")
    if keyword(one, "TARGTYPE") == "TOPIC":
        if not any(topic.name == target for topic in after.topics.of(editing.server)):
            after.absent(editing.server, ("TOPIC",), target, f"topic object {target}")
            editing.note(
                NOT_REACHED,
                f"{one.name} names topic object {target}, which {editing.server} does not have",
                M_05,
            )
        return
    found = after.queue(editing.server, target) if target else None
    if found is not None and found.noun in ("QALIAS", "QMODEL"):
        message = (
            f"{one.name} names {target}, which is {with_article(found.noun)} ({found.source}): "
            "puts to it get 2001"
        )
        editing.note(NOT_REACHED, message, M_05)
    elif found is None and not (target and Clusters(after).queues(editing.server, target)):
        what = (
            f"{target}, which neither {editing.server} nor a loaded member of its clusters has"
            if target
            else "nothing"
        )
        editing.note(NOT_REACHED, f"{one.name} names {what}: puts to it get 2082", M_05)


def _transmission_queue(
    editing: MqscEditing, after: MqNetwork, name: str, what: str, rule: Rule
) -> None:
    """That a queue is no transmission queue which has to be one."""
    queue = after.queue(editing.server, name)
    if queue is None:
        message = f"{what} names {name}, which {editing.server} does not have"
    elif not is_transmission_queue(queue):
        message = f"{what} names {name}, which is not a transmission queue ({queue.source})"
    else:
        return
    editing.note(NOT_REACHED, message, rule)


def _channel(editing: MqscEditing, after: MqNetwork, one: Channel) -> None:
    if one.channel_type not in SENDING:
        return
    _transmission_queue(editing, after, value(one, "XMITQ"), f"XMITQ of channel {one.name}", M_11)
    if not Channels(after).partners(one):
        types = " or ".join(f"CHLTYPE({type_})" for type_ in PARTNERS[one.channel_type])
        message = (
            f"no loaded queue manager has the other end of channel {one.name}: a channel of "
            f"that name with {types} has to be defined there"
        )
        editing.note(OTHER_END_MISSING, message, C_14)


def _manager(editing: MqscEditing, after: MqNetwork, one: QueueManager) -> None:
    command, server = editing.command, editing.server
    before = editing.before.managers[server]
    if command.sets("DEFXMITQ"):
        was, now = before.stated("DEFXMITQ"), value(one, "DEFXMITQ")
        if was != now:
            where = f"leave over {now}" if now else "get 2087"
            since = f" instead of {was}" if was else ""
            message = f"messages for queue managers that {server} does not know {where}{since}"
            editing.note(DEFAULT_TRANSMISSION_QUEUE, message, NR13)
        if now:
            _transmission_queue(editing, after, now, "DEFXMITQ", M_04)
    if command.sets("DEADQ"):
        name = value(one, "DEADQ")
        queue = after.queue(server, name) if name else None
        if not name:
            message = (
                f"{server} has no dead-letter queue then: a channel stops where it cannot "
                "put, or drops nonpersistent messages"
            )
            editing.note(DEAD_LETTER_QUEUE, message, M_13)
        elif queue is None or queue.noun != "QLOCAL" or is_transmission_queue(queue):
            what = "does not exist" if queue is None else "is not a local queue of USAGE(NORMAL)"
            editing.note(
                DEAD_LETTER_QUEUE,
                f"DEADQ names {name}, which {what}: nothing can be put there",
                M_13,
            )


def _deleted(editing: MqscEditing, after: MqNetwork, gone: Sequence[Described]) -> None:
    server, name = editing.server, editing.command.name
    first = gone[0] if gone else None
    if isinstance(first, Queue):
        if first.noun == "QLOCAL":
            if editing.command.option("PURGE") is not None:
                editing.note(MESSAGES_LOST, f"messages on {name} of {server} are lost", SECTION_C1)
            empty = "" if editing.command.option("PURGE") is not None else "messages are on it or "
            editing.note(
                IN_USE,
                f"the command fails while {empty}a program or channel has {name} open",
                SECTION_C1,
            )
        if after.queue(server, name) is None and (named := list(_naming(after, server, name))):
            editing.note(STILL_NAMED, f"{name} is still named by {_listed(named)}", SECTION_C1)
    elif isinstance(first, Channel) and first.channel_type in SENDING:
        queue = value(first, "XMITQ")
        if not Channels(after).readers(server, queue) and after.queue(server, queue) is not None:
            editing.note(
                WAITING, f"no channel reads {queue} of {server} then: messages stay on it", M_11
            )
    elif isinstance(first, Channel) and first.channel_type in ("RCVR", "RQSTR"):
        senders = [
            (f"{one.name} of {one.server}", one.source)
            for one in after.channels.named([f"{type_} {name}" for type_ in SENDING])
            if one.server != server
        ]
        if senders:
            several = len(senders) > 1
            editing.note(
                OTHER_END_MISSING,
                f"{_listed(senders)} {'lead' if several else 'leads'} here and "
                f"{'have' if several else 'has'} no other end then",
                C_14,
            )


def _naming(network: MqNetwork, server: str, name: str) -> Iterator[Named]:
    """What of a queue manager names a queue, in a way that messages take."""
    manager = network.managers[server]
    for attribute in ("DEFXMITQ", "DEADQ"):
        if manager.stated(attribute) == name:
            yield f"{attribute} of {server}", manager.place(attribute)
    for queue in network.queues.of(server):
        if (
            queue.noun == "QALIAS"
            and keyword(queue, "TARGTYPE") == "QUEUE"
            and value(queue, "TARGET") == name
        ):
            if not Clusters(network).queues(server, name):
                yield f"alias {queue.name}", place(queue, "TARGET")
        elif queue.noun == "QREMOTE" and name in (
            value(queue, "XMITQ"),
            value(queue, "XMITQ") or value(queue, "RQMNAME"),
        ):
            yield f"remote queue {queue.name}", place(queue, "XMITQ", "RQMNAME")
        elif queue.noun == "QLOCAL" and value(queue, "STREAMQ") == name:
            yield f"STREAMQ of {queue.name}", place(queue, "STREAMQ")
    for channel in network.channels.of(server):
        if channel.channel_type in SENDING and value(channel, "XMITQ") == name:
            yield f"channel {channel.name}", place(channel, "XMITQ")
    for one in network.subscriptions.of(server):
        if value(one, "DEST") == name and value(one, "DESTQMGR") in ("", server):
            yield f"subscription {one.name}", place(one, "DEST")


_NEEDS_FORCE = {"QALIAS": ("TARGET",), "QREMOTE": ("RNAME", "RQMNAME", "XMITQ")}
"""Attributes of queues that are changed only while no program has the queue open, unless the
command says FORCE.
"""


def _in_use(editing: MqscEditing, gone: Sequence[Described], came: Sequence[Described]) -> None:
    """What the queue manager may refuse because of what runs, and what takes effect only later."""
    before = next((one for one in gone if one.verb != "DELETE"), None)
    if before is None or not came:
        return
    now = came[0]

    def changed(*names: str) -> bool:
        return any(value(before, name) != value(now, name) for name in names)

    if isinstance(now, Queue) and editing.command.option("FORCE") is None:
        if now.noun == "QLOCAL" and keyword(before, "USAGE") != keyword(now, "USAGE"):
            message = (
                f"USAGE is changed only while {now.name} is empty and not open, unless with "
                "ALTER and FORCE (3210)"
            )
            editing.note(IN_USE, message, SECTION_C1)
        elif changed(*_NEEDS_FORCE.get(now.noun, ())):
            message = (
                f"the command fails while a program has {now.name} open, unless it is an "
                "ALTER with FORCE (3210)"
            )
            editing.note(IN_USE, message, SECTION_C1)
    if isinstance(now, Channel) and now.channel_type in (
        *SENDING,
        "RQSTR",
        "RCVR",
        "CLUSSDR",
        "CLUSRCVR",
    ):
        message = f"channel {now.name} takes the change when it starts next: STOP and START it"
        if now.channel_type in SENDING and changed("XMITQ", "CONNAME"):
            message += ", and reset its message sequence number at both ends (RESET CHANNEL)"
        editing.note(CHANNEL_RESTART, message, M_11)


def _cluster(
    editing: MqscEditing, after: MqNetwork, gone: Sequence[Described], came: Sequence[Described]
) -> None:
    """M-20: what a queue manager changes in its clusters, the others learn of from the full
    repositories.
    """
    concerned: dict[str, None] = {}
    for network, objects in ((editing.before, gone), (after, came)):
        member = Clusters(network).receivers(editing.server) if objects else {}
        for one in objects:
            if not isinstance(one, QueueManager) or editing.command.sets("REPOS"):
                concerned.update(dict.fromkeys(_clusters_of(network, one, member)))
    for cluster in list(concerned)[:_SHOWN]:
        full = [
            name for name, manager in after.managers.items() if manager.stated("REPOS") == cluster
        ]
        where = (
            f"its full repositories ({', '.join(full[:_SHOWN])})"
            if full
            else "its full repositories, none of which is loaded"
        )
        message = (
            f"other members of cluster {cluster} learn of this from {where}: until then they "
            "send as before"
        )
        editing.note(CLUSTER_CHANGE, message, M_20)


def _clusters_of(network: MqNetwork, one: Described, member: object) -> Sequence[str]:
    """The clusters whose members have to hear of an object."""
    joined = member if isinstance(member, dict) else {}
    if isinstance(one, Channel):
        return network.clusters(one) if one.channel_type == "CLUSRCVR" else ()
    if isinstance(one, QueueManager):
        return [value(one, "REPOS")] if value(one, "REPOS") else ()
    if isinstance(one, Namelist):
        users = (*network.queues.of(one.server), *network.channels.of(one.server))
        names = one.attribute("NAMES")
        return (
            names.items
            if names and any(value(user, "CLUSNL") == one.name for user in users)
            else ()
        )
    return [name for name in network.clusters(one) if name in joined]
