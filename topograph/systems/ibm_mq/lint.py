"""The lint rules ML-01 to ML-15 (outcomes.md 4.3), and stopped channels (M-11): each a check of
its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from topograph.facts.ibm_mq import Channel, ChannelRule, Described, Queue
from topograph.facts.ibm_mq_names import CLUSTER_TRANSMIT_QUEUE
from topograph.findings import Finding, Severity
from topograph.rules import Rule
from topograph.rules.ibm_mq_findings import (
    C_9,
    CHANNEL_NOT_RUNNING,
    CHANNEL_STOPPED,
    DEFINED_IN_TWO_FILES,
    M_11,
    ML_01,
    ML_02,
    ML_03,
    ML_04,
    ML_05,
    ML_06,
    ML_07,
    ML_08,
    ML_09,
    ML_10,
    ML_11,
    ML_12,
    ML_13,
    ML_14,
    ML_15,
)
from topograph.systems.ibm_mq.objects.channels import PARTNERS, SENDING
from topograph.systems.ibm_mq.objects.queue_managers import effect, keyword, place, value
from topograph.systems.ibm_mq.routing import entries, resolution, transport
from topograph.systems.ibm_mq.routing.lookup import Lookup
from topograph.systems.ibm_mq.routing.positions import (
    ANY_MEMBER,
    ANY_OTHER,
    ANY_QUEUE,
    OPEN,
    MqPosition,
    position,
)
from topograph.systems.ibm_mq.routing.transmission import is_transmission_queue, matches
from topograph.systems.ibm_mq.routing.ways import PutRefused
from topograph.tracing.states import State
from topograph.words.articles import with_article
from topograph.words.did_you_mean import did_you_mean

_MAXIMUM = 4_194_304
"""Default of MAXMSGL of queues and channels, in bytes."""


def _of(fact: Described, rule: Rule, message: str, *attributes: str) -> Finding:
    return rule.at(place(fact, *attributes), message, server=fact.server)


def _queues(estate: Lookup, *nouns: str) -> Iterator[Queue]:
    return (one for one in estate.network.queues.all() if one.noun in nouns and not one.template)


def _channels(estate: Lookup, *types: str) -> Iterator[Channel]:
    return (
        one
        for one in estate.network.channels.all()
        if one.channel_type in types and not one.template
    )


def remote_queue_is_local(estate: Lookup) -> Iterator[Finding]:
    """ML-01: RNAME set and RQMNAME blank or local (M-02)."""
    for one in _queues(estate, "QREMOTE"):
        manager = value(one, "RQMNAME")
        if value(one, "RNAME") and manager in ("", one.server):
            what = "is the local queue manager" if manager else "is blank"
            message = (
                f"RQMNAME of remote queue {one.name} {what}: every open of it fails with "
                "2087. It works only as an alias of a reply-to queue."
            )
            yield _of(one, ML_01, message, "RQMNAME")


def transmission_queue_unusable(estate: Lookup) -> Iterator[Finding]:
    """ML-02: XMITQ of a remote queue or channel is missing, of another type, or not of
    USAGE(XMITQ) (M-03).
    """
    users: Iterable[Described] = (*_queues(estate, "QREMOTE"), *_channels(estate, *SENDING))
    for one in users:
        name = value(one, "XMITQ")
        if not name:
            continue
        queue = estate.network.queue(one.server, name)
        if queue is None:
            what = "does not exist"
        elif queue.noun != "QLOCAL":
            what = f"is {with_article(queue.noun)}"
        elif not is_transmission_queue(queue):
            what = "has USAGE(NORMAL)"
        else:
            continue
        message = f"The transmission queue {name} of {one.name} {what}."
        yield _of(one, ML_02, message, "XMITQ")


def transmission_queue_without_channel(estate: Lookup) -> Iterator[Finding]:
    """ML-03 (M-11)."""
    for one in _queues(estate, "QLOCAL"):
        if (
            not is_transmission_queue(one)
            or one.name.startswith("SYSTEM.")
            or value(one, "CLCHNAME")
        ):
            continue
        if not estate.channels.readers(one.server, one.name):
            message = (
                f"No channel of {one.server} reads the transmission queue {one.name}: messages "
                "stay on it, unless a program takes them. Name the queue in XMITQ of a sender or "
                "server channel, or delete it."
            )
            yield _of(one, ML_03, message)


def channel_without_partner(estate: Lookup) -> Iterator[Finding]:
    """ML-04: no other end in the queue manager it is meant for (an error, C-14), or CONNAME is
    not that of the other end.
    """
    meant: dict[tuple[str, str], list[str]] = {}
    for queue in _queues(estate, "QREMOTE"):
        meant.setdefault((queue.server, value(queue, "XMITQ")), []).append(value(queue, "RQMNAME"))
    for one in _channels(estate, *SENDING):
        if one.name.startswith("SYSTEM.DEF."):
            continue  # what other channels begin as; nobody starts it
        queue_name = value(one, "XMITQ")
        wanted = [queue_name, *meant.get((one.server, queue_name), ())]
        target = next(
            (name for name in wanted if name in estate.network.managers and name != one.server),
            queue_name,
        )
        lead = estate.channels.leads(one, target)
        if lead.reason == "no partner":
            at = lead.assumptions[0].text.split(" is meant to lead to ")[1].split(",")[0]
            there = [
                other.name
                for other in estate.network.channels.of(at)
                if other.channel_type in PARTNERS["SDR"]
            ]
            message = (
                f"Channel {one.name} has no other end: {lead.text}.{did_you_mean(one.name, there)}"
            )
            yield ML_04.at(one.source, message, severity=Severity.ERROR, server=one.server)
        elif lead.reason:
            yield _of(one, ML_04, f"Channel {one.name} cannot start: {lead.text}.")
        elif len(lead.partners) == 1 and (
            other := estate.channels.contradicted(one, lead.partners[0])
        ):
            message = (
                f"Channel {one.name} has its other end at {lead.partners[0].server}, but {other}."
            )
            yield _of(one, ML_04, message, "CONNAME")


def alias_target_unusable(estate: Lookup) -> Iterator[Finding]:
    """ML-05 (M-05)."""
    for one in _queues(estate, "QALIAS"):
        target = value(one, "TARGET")
        if keyword(one, "TARGTYPE") == "TOPIC":
            if not any(topic.name == target for topic in estate.network.topics.of(one.server)):
                yield _of(
                    one,
                    ML_05,
                    f"Alias {one.name} names topic object {target}, which does not exist.",
                    "TARGET",
                )
            continue
        found = estate.network.queue(one.server, target) if target else None
        if found is None and not (target and estate.clusters.queues(one.server, target)):
            yield _of(
                one,
                ML_05,
                f"Alias {one.name} names {target or 'nothing'}, which does not exist.",
                "TARGET",
            )
        elif found is not None and found.noun in ("QALIAS", "QMODEL"):
            message = (
                f"Alias {one.name} names {target}, which is {with_article(found.noun)} of the same "
                "queue manager: 2001."
            )
            yield _of(one, ML_05, message, "TARGET")


def cluster_queue_hidden(estate: Lookup) -> Iterator[Finding]:
    """ML-06 (M-25)."""
    for one in _queues(estate, "QLOCAL"):
        if estate.clusters.receivers(one.server) and not estate.clusters.advertised_in(one):
            others = estate.clusters.queues(one.server, one.name)
            if others:
                there = ", ".join(dict.fromkeys(other.server for other in others))
                message = f"Local queue {one.name} hides the cluster queue of that name at {there}."
                yield _of(one, ML_06, message)


def cluster_channel_without_membership(estate: Lookup) -> Iterator[Finding]:
    """ML-07 (C-8)."""
    for one in _channels(estate, "CLUSSDR"):
        member = estate.clusters.receivers(one.server)
        for cluster in estate.network.clusters(one):
            if cluster not in member:
                message = (
                    f"Cluster-sender channel {one.name} is in cluster {cluster}, but "
                    f"{one.server} is not a member: it has no "
                    "cluster-receiver channel there. The channel is not used."
                )
                yield _of(one, ML_07, message, "CLUSTER", "CLUSNL")


def dead_letter_queue_unusable(estate: Lookup) -> Iterator[Finding]:
    """ML-08 (M-13)."""
    for manager in estate.network.managers.values():
        name = manager.get("DEADQ")
        if not name or resolution.lists_no_queue(estate, manager.name):
            continue
        queue = estate.network.queue(manager.name, name)
        if queue is None or queue.noun != "QLOCAL" or is_transmission_queue(queue):
            what = (
                "does not exist"
                if queue is None
                else f"is no local queue of USAGE(NORMAL) but {with_article(queue.noun)}"
            )
            yield ML_08.at(
                manager.place("DEADQ"), f"DEADQ names {name}, which {what}.", server=manager.name
            )


def default_transmission_queue_of_cluster(estate: Lookup) -> Iterator[Finding]:
    """ML-09 (M-04)."""
    for manager in estate.network.managers.values():
        if manager.get("DEFXMITQ") == CLUSTER_TRANSMIT_QUEUE:
            message = (
                f"DEFXMITQ names {CLUSTER_TRANSMIT_QUEUE}: opens that rest on it fail with 2199."
            )
            yield ML_09.at(manager.place("DEFXMITQ"), message, server=manager.name)


def messages_circulate(estate: Lookup) -> Iterator[Finding]:
    """ML-10 (M-15, C-7): one finding a cycle of names, at the object that a message meets first.
    Linear in the states.
    """
    starts = [
        (
            one.source,
            MqPosition(
                one.server,
                OPEN,
                one.name,
                one.server,
                blank=resolution.needs_blank(estate, one.server, one.name),
            ),
        )
        for one in _queues(estate, "QREMOTE")
        if value(one, "RNAME")
    ]
    starts += [
        (manager.place("DEFXMITQ"), MqPosition(manager.name, OPEN, ANY_QUEUE, ANY_OTHER))
        for manager in estate.network.managers.values()
        if manager.get("DEFXMITQ")
    ]
    done: set[object] = set()
    told: set[frozenset[str]] = set()
    for source, start in starts:
        for cycle in _cycles(estate, start, done):
            if frozenset(cycle) not in told:
                told.add(frozenset(cycle))
                message = f"Messages circulate for ever: {' -> '.join((*cycle, cycle[0]))}."
                yield ML_10.at(source, message, server=start.server)


def _cycles(estate: Lookup, start: MqPosition, done: set[object]) -> Iterator[list[str]]:
    """The cycles that a walk in depth from a position closes: names as QUEUE@QUEUE-MANAGER. What
    is ``done`` is not looked at again.
    """
    path: list[MqPosition] = []
    on_path: set[object] = set()
    waiting: list[tuple[MqPosition, Iterator[MqPosition]]] = []

    def enter(at: MqPosition) -> None:
        done.add(at.key)
        path.append(at)
        on_path.add(at.key)
        waiting.append((at, iter(_next(estate, at))))

    if start.key in done:
        return
    enter(start)
    while waiting:
        at, onward = waiting[-1]
        following = next(onward, None)
        if following is None:
            waiting.pop()
            path.pop()
            on_path.discard(at.key)
        elif following.key in on_path:
            first = next(number for number, one in enumerate(path) if one.key == following.key)
            yield [_told(one) for one in path[first:] if one.phase == OPEN]
        elif following.key not in done:
            enter(following)


def _told(at: MqPosition) -> str:
    return (
        f"{at.name}@{at.server}"
        if at.queue_manager != ANY_OTHER
        else f"unknown queue managers at {at.server}"
    )


def _next(estate: Lookup, at: MqPosition) -> list[MqPosition]:
    """The positions after one, the names of members of clusters left out: they never come back."""
    try:
        if entries.is_symbolic(at):
            transition = entries.symbolic(estate, at)
        elif at.phase == OPEN:
            transition = resolution.opened(estate, at)
        elif at.arrival is not None:
            transition = transport.arrived(estate, at)
        elif at.queue:
            transition = transport.sent(estate, at)
        else:
            return []
    except PutRefused:
        return []
    found = [position(way.to) for way in transition.ways if isinstance(way.to, State)]
    return [
        one
        for one in found
        if one.server in estate.network.managers and one.queue_manager != ANY_MEMBER
    ]


def nonpersistent_messages_can_vanish(estate: Lookup) -> Iterator[Finding]:
    """ML-11 (M-13): one finding a queue manager."""
    fast: dict[str, list[Channel]] = {}
    for one in _channels(estate, "RCVR", "RQSTR", "CLUSRCVR"):
        manager = estate.network.managers.get(one.server)
        if (
            manager
            and not manager.get("DEADQ")
            and keyword(one, "NPMSPEED") == "FAST"
            and not _default_channel(one)
        ):
            fast.setdefault(one.server, []).append(one)
    for server, channels in fast.items():
        names = ", ".join(one.name for one in channels[:3]) + (
            f" and {len(channels) - 3} more" if len(channels) > 3 else ""
        )
        message = (
            f"{server} has no DEADQ in the loaded files, and {names} NPMSPEED(FAST): "
            "nonpersistent messages can vanish."
        )
        yield _of(channels[0], ML_11, message, "NPMSPEED")


def _default_channel(one: Channel) -> bool:
    """Whether a channel is one of those that every queue manager has as patterns for others."""
    return one.name.startswith(("SYSTEM.DEF.", "SYSTEM.AUTO."))


def _pairs(estate: Lookup) -> Iterator[tuple[Channel, Channel]]:
    """The channels that lead to one loaded queue manager for certain, with their other end."""
    for one in _channels(estate, *SENDING):
        lead = estate.channels.leads(one, value(one, "XMITQ"))
        if len(lead.partners) == 1:
            yield one, lead.partners[0]
    for one in _channels(estate, "CLUSSDR"):
        partners = estate.channels.partners(one)
        if len(partners) == 1:
            yield one, partners[0]


def channel_ends_disagree_on_tls(estate: Lookup) -> Iterator[Finding]:
    """ML-12 (C1)."""
    for one, other in _pairs(estate):
        mine, theirs = value(one, "SSLCIPH"), value(other, "SSLCIPH")
        general = mine.startswith("ANY") or theirs.startswith("ANY")
        if mine != theirs and not (general and mine and theirs):
            message = (
                f"Channel {one.name} has SSLCIPH({mine}) at {one.server} and "
                f"SSLCIPH({theirs}) at {other.server}: it cannot start."
            )
            yield _of(one, ML_12, message, "SSLCIPH")
        for end in (one, other):
            if value(end, "SSLPEER") and not mine and not theirs:
                message = (
                    f"SSLPEER of channel {end.name} at {end.server} can not match: the "
                    "channel has no SSLCIPH."
                )
                yield _of(end, ML_12, message, "SSLPEER")


def _largest(one: Described) -> int:
    text = value(one, "MAXMSGL")
    return int(text) if text.isdigit() else _MAXIMUM


def largest_message_shrinks(estate: Lookup) -> Iterator[Finding]:
    """ML-13 (C1): from the transmission queue over both ends of the channel to the queue that a
    remote queue names. 0 is the queue manager's.
    """
    ends = {(one.server, value(one, "XMITQ")): (one, other) for one, other in _pairs(estate)}
    for (server, name), pair in ends.items():
        queue = estate.network.queue(server, name)
        before = _largest(queue) if queue else 0
        for end in pair:
            if 0 < _largest(end) < before:
                message = (
                    f"Channel {end.name} at {end.server} takes messages up to "
                    f"{_largest(end)} bytes, transmission queue {name} up to {before}."
                )
                yield _of(end, ML_13, message, "MAXMSGL")
    for one in _queues(estate, "QREMOTE"):
        pair_ = ends.get((one.server, value(one, "XMITQ") or value(one, "RQMNAME")))
        queue = estate.network.queue(one.server, value(one, "XMITQ") or value(one, "RQMNAME"))
        if pair_ is None or queue is None or pair_[1].server != value(one, "RQMNAME"):
            continue
        target = estate.network.queue(pair_[1].server, value(one, "RNAME"))
        way = min(size for size in (_largest(queue), *map(_largest, pair_)) if size > 0)
        if target is not None and target.noun == "QLOCAL" and _largest(target) < way:
            message = (
                f"{target.name} of {target.server} takes messages up to "
                f"{_largest(target)} bytes, the way from {one.name} of {one.server} "
                f"up to {way}."
            )
            yield _of(target, ML_13, message, "MAXMSGL")


def channel_authentication_blocks(estate: Lookup) -> Iterator[Finding]:
    """ML-14: the rule of the receiving side that decides for the partner says USERSRC(NOACCESS).
    A rule for addresses counts where it is for all of them and no other rule might let the
    partner in."""
    for one, other in _pairs(estate):
        manager = estate.network.managers[other.server]
        if manager.get("CHLAUTH", "ENABLED").upper() == "DISABLED":
            continue
        rules = [
            rule
            for rule in estate.network.channel_rules.of(other.server)
            if matches(rule.name, one.name)
        ]
        decides = _deciding(rules, one.server)
        if (
            decides is not None
            and keyword(decides, "USERSRC") == "NOACCESS"
            and keyword(decides, "WARN") != "YES"
        ):
            message = (
                f"The channel authentication record {decides.name} of {other.server} blocks "
                f"channel {one.name} from {one.server}."
            )
            yield _of(decides, ML_14, message)


def _deciding(rules: Sequence[ChannelRule], partner: str) -> ChannelRule | None:
    def rank(rule: ChannelRule) -> tuple[int, int]:
        return len(rule.name.rstrip("*")), len(value(rule, "QMNAME").rstrip("*"))

    by_manager = [
        rule
        for rule in rules
        if rule.rule_type == "QMGRMAP" and matches(value(rule, "QMNAME") or "*", partner)
    ]
    if by_manager:
        return max(by_manager, key=rank)
    by_address = [rule for rule in rules if rule.rule_type == "ADDRESSMAP"]
    if any(value(rule, "ADDRESS") != "*" for rule in by_address) or any(
        r.rule_type == "SSLPEERMAP" for r in rules
    ):
        return None
    return max(by_address, key=rank, default=None)


def cluster_queue_with_one_instance(estate: Lookup) -> Iterator[Finding]:
    """ML-15."""
    instances: dict[tuple[str, str], list[Queue]] = {}
    for one in _queues(estate, "QLOCAL"):
        for cluster in estate.clusters.advertised_in(one):
            instances.setdefault((cluster, one.name), []).append(one)
    for (cluster, name), found in sorted(instances.items()):
        if len({one.server for one in found}) == 1 and not name.startswith("SYSTEM."):
            message = f"Cluster queue {name} of {cluster} has one instance, at {found[0].server}."
            yield _of(found[0], ML_15, message, "CLUSTER", "CLUSNL")


def channel_stopped(estate: Lookup) -> Iterator[Finding]:
    """M-11: channels that were observed to be stopped, and nothing goes over them, or to be
    trying in vain.
    """
    for one in _channels(estate, *SENDING, "RCVR", "RQSTR", "CLUSRCVR"):
        status = estate.network.stopped(one.server, one.name)
        if status is not None:
            where = f" on {value(one, 'XMITQ')}" if value(one, "XMITQ") else ""
            message = (
                f"Channel {one.name} ({one.channel_type}) was stopped when it was observed: "
                f"messages for it wait{where}."
            )
            yield M_11.at(status.source, message, kind=CHANNEL_STOPPED, server=one.server)
        elif estate.network.waiting(one.server, one.name):
            shown = next(
                each
                for each in estate.network.channel_status.of(one.server)
                if each.name == one.name
            )
            state = shown.get("STATUS").lower()
            message = (
                f"Channel {one.name} ({one.channel_type}) was {state} when it was observed: "
                "messages for it wait until it gets its connection."
            )
            yield M_11.at(shown.source, message, kind=CHANNEL_NOT_RUNNING, server=one.server)


def defined_in_two_files(estate: Lookup) -> Iterator[Finding]:
    """C-9: one queue object in two files of a queue manager that differ in what decides about
    routing; the one that is not used is cited.
    """
    seen: set[tuple[str, str]] = set()
    for one in _queues(estate, "QLOCAL", "QALIAS", "QREMOTE", "QMODEL"):
        if (one.server, one.name) in seen:
            continue
        seen.add((one.server, one.name))
        used = estate.network.queue(one.server, one.name)
        for other in estate.network.objects_named(one.server, one.name):
            if used is not None and effect(other) != effect(used):
                message = (
                    f"{other.label} of {other.server} is defined in {used.source}, too, and "
                    "not in the same way: that definition is used."
                )
                yield C_9.at(place(other), message, kind=DEFINED_IN_TWO_FILES, server=other.server)


CHECKS: tuple[Callable[[Lookup], Iterable[Finding]], ...] = (
    remote_queue_is_local,
    transmission_queue_unusable,
    transmission_queue_without_channel,
    channel_without_partner,
    alias_target_unusable,
    cluster_queue_hidden,
    cluster_channel_without_membership,
    dead_letter_queue_unusable,
    default_transmission_queue_of_cluster,
    messages_circulate,
    nonpersistent_messages_can_vanish,
    channel_ends_disagree_on_tls,
    largest_message_shrinks,
    channel_authentication_blocks,
    cluster_queue_with_one_instance,
    channel_stopped,
    defined_in_two_files,
)
"""The rules in their order."""
