"""Rows of ``show``: queues, channels, subscriptions, destinations and access."""

from __future__ import annotations

from collections.abc import Iterator

from topograph.facts.ibm_mq import Channel, Described, Queue
from topograph.systems.contract.system import Row
from topograph.systems.ibm_mq.objects.attributes import as_shown
from topograph.systems.ibm_mq.objects.channels import PARTNERS
from topograph.systems.ibm_mq.routing.lookup import Lookup

_SHOWN = (
    "TARGET",
    "TARGTYPE",
    "RNAME",
    "RQMNAME",
    "XMITQ",
    "USAGE",
    "CLUSTER",
    "CLUSNL",
    "STREAMQ",
    "PUT",
    "GET",
    "TOPICSTR",
    "PUB",
)
"""Attributes that say where messages go."""


def rows(estate: Lookup, what: str) -> Iterator[Row] | None:
    """The rows of one kind of thing, None where there are none of it here."""
    match what:
        case "queues":
            return _queues(estate)
        case "channels":
            return _channels(estate)
        case "durables" | "subscribers":
            return _subscriptions(estate)
        case "destinations":
            return _destinations(estate)
        case "access":
            return _access(estate)
        case _:
            return None


def _details(one: Described) -> str:
    return " ".join(f"{name}({text})" for name in _SHOWN if (text := one.get(name)))


def _row(one: Described, **more: object) -> Row:
    return {
        "server": one.server,
        "system": "ibm_mq",
        "name": one.name,
        **more,
        "configuration": one.bundle,
        "source": one.source.to_dict(),
    }


def _queues(estate: Lookup) -> Iterator[Row]:
    for one in estate.network.queues.all():
        yield _row(one, type=one.noun, leads_to=_leads_to(one), details=_details(one))


def _leads_to(one: Queue) -> str:
    if one.noun == "QALIAS":
        return as_shown(one, "TARGET")
    if one.noun == "QREMOTE":
        return f"{as_shown(one, 'RNAME') or '*'}@{as_shown(one, 'RQMNAME')}"
    return ""


def _channels(estate: Lookup) -> Iterator[Row]:
    for one in estate.network.channels.all():
        partners = [partner.server for partner in _partners(estate, one)]
        yield _row(
            one,
            type=one.channel_type,
            queue=as_shown(one, "XMITQ"),
            address=as_shown(one, "CONNAME"),
            leads_to=partners,
            observed=_observed(estate, one),
        )


def _observed(estate: Lookup, one: Channel) -> str:
    """The states in which instances of a channel were observed; empty where no loaded file shows
    them.
    """
    shown = estate.network.channel_status.of(one.server)
    return ", ".join(
        sorted({status.get("STATUS") for status in shown if status.name == one.name} - {""})
    )


def _partners(estate: Lookup, one: Channel) -> list[Channel]:
    return estate.channels.partners(one) if one.channel_type in PARTNERS else []


def _subscriptions(estate: Lookup) -> Iterator[Row]:
    """Administrative subscriptions, which are all durable: their topic, and the queue that gets
    the messages.
    """
    for one in estate.network.subscriptions.all():
        topic = one.get("TOPICSTR") or (
            f"TOPICOBJ({one.get('TOPICOBJ')})" if one.get("TOPICOBJ") else ""
        )
        manager = one.get("DESTQMGR")
        yield _row(
            one,
            type="subscription",
            destination=f"topic:{topic}" if one.get("TOPICSTR") else topic,
            leads_to=(f"{one.get('DEST')}@{manager}" if manager else one.get("DEST"))
            or one.get("DESTCLAS"),
            selector=one.get("SELECTOR"),
            user=one.get("SUBUSER"),
            known="configured",
        )


def _destinations(estate: Lookup) -> Iterator[Row]:
    for queue in estate.network.queues.all():
        leads_to = [onward] if (onward := _leads_to(queue)) else []
        details = f"{queue.noun} {_details(queue)}".strip()
        yield _row(queue, type="queue", details=details, leads_to=leads_to)
    for topic in estate.network.topics.all():
        yield _row(topic, type="topic", details=_details(topic), leads_to=[])


def _access(estate: Lookup) -> Iterator[Row]:
    for one in estate.network.channel_rules.all():
        told = " ".join(
            f"{each.name}({each.value})" for each in one.attributes if each.name != "TYPE"
        )
        yield _row(one, what=f"channel {one.name}", who=one.rule_type, permissions=told)
