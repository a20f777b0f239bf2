"""What lint rules of IBM MQ look at."""

from __future__ import annotations

from collections.abc import Iterator

from topograph.facts.ibm_mq import Channel, Described, Queue
from topograph.findings import Finding
from topograph.rules import Rule
from topograph.systems.ibm_mq.objects.channels import SENDING
from topograph.systems.ibm_mq.objects.queue_managers import place, value
from topograph.systems.ibm_mq.routing.lookup import Lookup


def finding_at(fact: Described, rule: Rule, message: str, *attributes: str) -> Finding:
    """The finding of a rule where one of the attributes of an object stands."""
    return rule.at(place(fact, *attributes), message, server=fact.server)


def queues_of(estate: Lookup, *nouns: str) -> Iterator[Queue]:
    """The queues of some kinds that are written out, without text of a template."""
    return (one for one in estate.network.queues.all() if one.noun in nouns and not one.template)


def channels_of(estate: Lookup, *types: str) -> Iterator[Channel]:
    """The channels of some types, likewise."""
    return (
        one
        for one in estate.network.channels.all()
        if one.channel_type in types and not one.template
    )


def channel_pairs(estate: Lookup) -> Iterator[tuple[Channel, Channel]]:
    """The channels that lead to one loaded queue manager for certain, with their other end."""
    for one in channels_of(estate, *SENDING):
        lead = estate.channels.leads(one, value(one, "XMITQ"))
        if len(lead.partners) == 1:
            yield one, lead.partners[0]
    for one in channels_of(estate, "CLUSSDR"):
        partners = estate.channels.partners(one)
        if len(partners) == 1:
            yield one, partners[0]
