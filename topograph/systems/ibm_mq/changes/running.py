"""Commands on what runs (START, STOP, SUSPEND, REFRESH, CLEAR, ...): they change no definition.
What they leave behind is a state, as DISPLAY shows it (M-11, M-20, M-22)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from topograph.facts.ibm_mq import (
    Attribute,
    Channel,
    ChannelStatus,
    ClusterQueueManager,
    Described,
    Listener,
    OtherStatus,
)
from topograph.rules.ibm_mq_findings import (
    AUTHORITY,
    CLIENTS_STOPPED,
    CLUSTER_REFRESH,
    INACTIVE,
    M_11,
    M_20,
    MESSAGES_LOST,
    SECTION_C1,
    SUSPENDED,
    WAITING,
)
from topograph.systems.contract.changes import Refused
from topograph.systems.fact_sources import of_class
from topograph.systems.ibm_mq.changes.editing import MqscEditing
from topograph.systems.ibm_mq.objects.attributes import as_shown
from topograph.systems.ibm_mq.objects.channels import SENDING
from topograph.systems.ibm_mq.objects.clusters import Clusters
from topograph.systems.ibm_mq.objects.workload import is_suspended

_OF_MESSAGES = frozenset({"SDR", "SVR", "RCVR", "RQSTR", "CLUSSDR", "CLUSRCVR"})


def _channels(editing: MqscEditing) -> list[Described]:
    """The definitions of the channel that the command names; none where the cluster makes it by
    itself. Raises Refused.
    """
    command = editing.command
    known = [one for one in editing.named("CHANNEL", command.name) if one.verb != "DELETE"]
    if known:
        return known
    clients = [
        one for one in editing.named("CHANNEL", command.name, "CLNTCONN") if one.verb != "DELETE"
    ]
    if clients:
        message = (
            f"{command.name} is a client channel ({clients[0].source}), and {command.verb} "
            "is for all others"
        )
        raise Refused("C4", message)
    clusters = Clusters(editing.before)
    for other in clusters.members(editing.server):
        shared = clusters.shared(editing.server, other)
        if any(one.name == command.name for channels in shared.values() for one in channels):
            return []
    absent = editing.absent("CHANNEL", command.name)
    if clusters.receivers(editing.server):
        message = f"{absent}; a member of its clusters that is not loaded may have the other end"
        raise Refused("M-20", message, undetermined=True)
    raise absent


def _stop(editing: MqscEditing) -> None:
    if editing.command.noun == "LISTENER":
        _listener(editing, stops=True)
    elif editing.command.noun == "CHANNEL":
        _stop_channel(editing)
    else:
        _other_process(editing)


def _stop_channel(editing: MqscEditing) -> None:
    """M-11: a channel in the state STOPPED starts again only by hand; one that is made inactive
    does when it is needed.
    """
    command = editing.command
    known = _channels(editing)
    inactive = (command.option("STATUS") or "").upper() == "INACTIVE"
    for_partner = command.option("CONNAME") is not None or command.option("QMNAME") is not None
    if for_partner and (command.option("STATUS") or "INACTIVE").upper() != "INACTIVE":
        raise Refused(
            "C4",
            (
                "STATUS(STOPPED) does not go with CONNAME or QMNAME: a channel is stopped "
                "for all partners"
            ),
        )
    types = {one.channel_type for one in known if isinstance(one, Channel)} or {"CLUSSDR"}
    if not types & _OF_MESSAGES:
        editing.note(
            CLIENTS_STOPPED, f"clients of {command.name} lose their connections", SECTION_C1
        )
        return
    if inactive or for_partner:
        _set_state(editing, "STOPPED", "INACTIVE")
        editing.note(
            INACTIVE, f"channel {command.name} starts again when messages are to be sent", M_11
        )
        return
    if not _set_state(editing, "", "STOPPED"):
        editing.added.append(_status(editing, "STOPPED"))
    sends = [
        as_shown(one, "XMITQ")
        for one in known
        if isinstance(one, Channel) and one.channel_type in SENDING
    ]
    if sends:
        message = (
            f"messages wait on {sends[0]} of {editing.server} until START "
            f"CHANNEL({command.name}) is given"
        )
    elif types == {"CLUSSDR"}:
        message = (
            "messages for it wait on the cluster transmission queue until START "
            f"CHANNEL({command.name}) is given"
        )
    else:
        message = (
            f"partners that send over {command.name} keep their messages until START "
            f"CHANNEL({command.name}) is given at {editing.server}"
        )
    editing.note(WAITING, message, M_11)


def _start(editing: MqscEditing) -> None:
    if editing.command.noun == "LISTENER":
        _listener(editing, stops=False)
    elif editing.command.noun == "CHANNEL":
        _channels(editing)
        _set_state(editing, "STOPPED", "RUNNING")
    else:
        _other_process(editing)


def _states(editing: MqscEditing) -> list[ChannelStatus]:
    return [
        one
        for one in editing.before.channel_status.of(editing.server)
        if one.name == editing.command.name
    ]


def _set_state(editing: MqscEditing, before: str, after: str) -> bool:
    """Put a state in the place of another, or of any, where the channel was observed; whether it
    was.
    """
    found = _states(editing)
    for one in found:
        state = one.get("STATUS").upper()
        if state != after and before in ("", state):
            attributes = tuple(
                replace(each, value=after, line=0)
                if each.name == "STATUS"
                else replace(each, line=0)
                for each in one.attributes
            )
            editing.swap(one, replace(one, attributes=attributes, source=editing.command.source))
    return bool(found)


def _status(editing: MqscEditing, state: str) -> ChannelStatus:
    return ChannelStatus(
        bundle=editing.managers[0].bundle,
        server=editing.server,
        source=editing.command.source,
        name=editing.command.name,
        attributes=(Attribute("STATUS", state),),
    )


def _listener(editing: MqscEditing, *, stops: bool) -> None:
    """A listener that is stopped takes no new connections; channels that run go on."""
    command = editing.command
    if not command.name:
        return
    if not any(
        isinstance(one, Listener) and one.verb != "DELETE"
        for one in editing.named("LISTENER", command.name)
    ):
        raise editing.absent("LISTENER", command.name)
    seen = [
        one
        for one in of_class(editing.facts, OtherStatus, editing.server)
        if (one.noun, one.name) == ("LSSTATUS", command.name)
    ]
    stopped = [one for one in seen if one.get("STATUS").upper() == "STOPPED"]
    if not stops:
        editing.removed += stopped
        return
    if not stopped:
        editing.added.append(
            OtherStatus(
                bundle=editing.managers[0].bundle,
                server=editing.server,
                source=command.source,
                name=command.name,
                noun="LSSTATUS",
                attributes=(Attribute("STATUS", "STOPPED"),),
            )
        )
    message = (
        f"channels to {editing.server} that have to reconnect wait until START "
        f"LISTENER({command.name}) is given; those that run go on"
    )
    editing.note(WAITING, message, M_11)


def _other_process(editing: MqscEditing) -> None:
    command = editing.command
    if command.verb == "STOP" and command.noun in ("QMGR", "CHINIT"):
        message = (
            f"{command.noun} is stopped: `impact --fail server:{editing.server}` shows what "
            "becomes of messages meanwhile"
        )
        raise Refused("M-11", message, undetermined=True)


def _suspend(editing: MqscEditing) -> None:
    """M-22: other members avoid a suspended queue manager where another one is available (IBM MQ
    documentation, "SUSPEND QMGR, RESUME QMGR and clusters"). The queue manager takes the command
    whatever they choose then.
    """
    command, server = editing.command, editing.server
    clusters = _clusters_named(editing)
    if not clusters:
        return
    own = Clusters(editing.before).receivers(server)
    named = [name for name in clusters if name in own]
    if not named:
        raise Refused("M-20", f"{server} is not a member of {' or '.join(clusters)}")
    if command.verb == "SUSPEND" and (command.option("MODE") or "").upper() == "FORCE":
        message = (
            "MODE(FORCE) also stops the channels to other members, those that the cluster made "
            "by itself too: what becomes of messages is not worked out"
        )
        raise Refused("M-22", message, undetermined=True)
    shown = [
        one
        for one in editing.before.cluster_managers.of(server)
        if one.name == server and one.get("CLUSTER") in named and is_suspended(one)
    ]
    if command.verb == "RESUME":
        editing.removed += shown
        return
    known = {one.get("CLUSTER") for one in shown}
    editing.added += [
        _suspended(editing, name, own[name][0].name) for name in named if name not in known
    ]
    message = (
        f"other members of {' and '.join(named)} avoid {server} until RESUME QMGR is given: "
        "messages go to it only where no other instance is available, or where they name it"
    )
    editing.note(SUSPENDED, message, M_20)


def _suspended(editing: MqscEditing, cluster: str, channel: str) -> ClusterQueueManager:
    """What DISPLAY CLUSQMGR shows of a queue manager that is suspended from a cluster."""
    return ClusterQueueManager(
        bundle=editing.managers[0].bundle,
        server=editing.server,
        source=editing.command.source,
        name=editing.server,
        attributes=(
            Attribute("CLUSTER", cluster),
            Attribute("CHANNEL", channel),
            Attribute("SUSPEND", "YES"),
        ),
    )


def _clusters_named(editing: MqscEditing) -> list[str]:
    """The clusters that CLUSTER or CLUSNL of a command name. Raises Refused for a namelist that
    is not there.
    """
    command = editing.command
    if cluster := command.option("CLUSTER"):
        return [cluster]
    if namelist := command.option("CLUSNL"):
        known = [one for one in editing.named("NAMELIST", namelist) if one.verb != "DELETE"]
        if not known:
            raise editing.absent("NAMELIST", namelist)
        names = known[0].attribute("NAMES")
        return list(names.items) if names else []
    return []


def _refresh(editing: MqscEditing) -> None:
    command, server = editing.command, editing.server
    if command.noun != "CLUSTER":
        return
    own = Clusters(editing.before).receivers(server)
    if command.name != "*" and command.name not in own:
        _refresh_outside(editing)
        return
    full = _full_repository_of(editing)
    if (command.option("REPOS") or "NO").upper() == "YES" and (
        full if command.name == "*" else command.name in full
    ):
        raise Refused(
            "M-20",
            f"REPOS(YES) is not for a full repository, and {server} is one of {', '.join(full)}",
        )
    message = (
        "while the queue manager learns of its clusters again, cluster queues may be unknown "
        "to it: puts that open one then may fail"
    )
    editing.note(CLUSTER_REFRESH, message, M_20)


def _refresh_outside(editing: MqscEditing) -> None:
    """A queue manager that is no member of a cluster forgets what it still knows of it: the last
    step of leaving one (IBM MQ documentation, "Restoring a queue manager to its pre-cluster
    state"). Raises Refused where nobody that is loaded is a member.
    """
    name = editing.command.name
    if not Clusters(editing.before).members_of(name):
        message = (
            f"no queue manager that is loaded is a member of {name}: whether {editing.server} "
            "still knows the cluster is not known"
        )
        raise Refused("M-20", message, undetermined=True)


def _full_repository_of(editing: MqscEditing) -> list[str]:
    """The clusters that the queue manager is a full repository of (REPOS, REPOSNL)."""
    manager = editing.before.managers[editing.server]
    found = [manager.stated("REPOS")]
    if namelist := manager.stated("REPOSNL"):
        for one in editing.named("NAMELIST", namelist):
            names = one.attribute("NAMES")
            found += names.items if names else ()
    return [name for name in found if name]


def _reset(editing: MqscEditing) -> None:
    command = editing.command
    if command.noun == "CLUSTER":
        gone = command.option("QMNAME") or command.option("QMID") or "a queue manager"
        message = (
            f"{gone} is removed from {command.name} in the repositories, whatever it "
            "defines: who still sends to it is not known"
        )
        raise Refused("M-20", message, undetermined=True)


def _clear(editing: MqscEditing) -> None:
    command = editing.command
    if command.noun != "QLOCAL":
        editing.note(MESSAGES_LOST, f"retained publications of {command.name} are lost", SECTION_C1)
        return
    known = [one for one in editing.named("QLOCAL", command.name) if one.verb != "DELETE"]
    if not known and command.name.startswith("SYSTEM."):
        return
    if not known:
        raise editing.absent("QLOCAL", command.name)
    if not any(getattr(one, "noun", "") == "QLOCAL" for one in known):
        raise Refused("C-9", f"{command.name} is not a local queue ({known[0].source})")
    editing.note(
        MESSAGES_LOST, f"messages on {command.name} of {editing.server} are lost", SECTION_C1
    )


def _purge(editing: MqscEditing) -> None:
    editing.note(
        MESSAGES_LOST,
        f"messages of clients of {editing.command.name} that are away are lost",
        SECTION_C1,
    )


_OF_PARTNERS = ("QMGRMAP", "ADDRESSMAP", "SSLPEERMAP")
"""Types of channel authentication records that may block a queue manager."""

_OF_A_RULE = ("TYPE", "QMNAME", "ADDRESS", "SSLPEER", "CLNTUSER")
"""What tells channel authentication records of one name apart."""


def _set(editing: MqscEditing) -> None:
    """Channel authentication records that block a queue manager keep its channels from starting
    (ML-14); who else may connect and put is not evaluated."""
    what = {"CHLAUTH": "channel authentication records", "AUTHREC": "authority records"}.get(
        editing.command.noun
    )
    if editing.command.noun == "CHLAUTH" and editing.command.option("TYPE") in _OF_PARTNERS:
        _set_rule(editing)
    elif what:
        message = (
            f"{what} decide no route and are not evaluated: whoever they keep out is not seen here"
        )
        editing.note(AUTHORITY, message, SECTION_C1)


def _set_rule(editing: MqscEditing) -> None:
    command = editing.command
    given = dict(command.options)
    action = given.pop("ACTION", "ADD").upper()
    same = [
        one
        for one in editing.before.channel_rules.of(editing.server)
        if one.name == command.name
        and all(as_shown(one, name) == given.get(name, "") for name in _OF_A_RULE)
    ]
    if action.startswith("REMOVE") or action == "REPLACE":
        editing.removed += same
    if not action.startswith("REMOVE"):
        attributes = [Attribute(name, value) for name, value in given.items()]
        editing.added.append(editing.made("CHLAUTH", command.name, "", attributes))


EDITS: Mapping[str, Callable[[MqscEditing], None]] = {
    "START": _start,
    "STOP": _stop,
    "SUSPEND": _suspend,
    "RESUME": _suspend,
    "REFRESH": _refresh,
    "RESET": _reset,
    "CLEAR": _clear,
    "PURGE": _purge,
    "SET": _set,
}
"""What a command does, by its verb."""
