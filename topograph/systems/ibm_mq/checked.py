"""What lint rules of IBM MQ look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TypeVar

from topograph.facts.ibm_mq import Channel, Described, Queue
from topograph.findings import Finding
from topograph.rules import FindingKind, Rule
from topograph.systems.coverage import NotShownHere
from topograph.systems.ibm_mq.objects.attributes import as_shown, place
from topograph.systems.ibm_mq.objects.channels import SENDING
from topograph.systems.ibm_mq.objects.names import is_default
from topograph.systems.ibm_mq.routing.lookup import Lookup

AnyObject = TypeVar("AnyObject")


def finding_at(
    fact: Described,
    rule: Rule,
    message: str,
    *attributes: str,
    kind: FindingKind | None = None,
) -> Finding:
    """The finding of a rule where one of the attributes of an object stands."""
    return rule.at(place(fact, *attributes), message, kind=kind, server=fact.server)


def queues_of(estate: Lookup, *nouns: str) -> Iterator[Queue]:
    """The queues of some kinds that are written out, without text of a template, and without those
    that others are made like."""
    return (
        one
        for one in estate.network.queues.all()
        if one.noun in nouns and not (one.template or is_default(one.name))
    )


def channels_of(estate: Lookup, *types: str) -> Iterator[Channel]:
    """The channels of some types, likewise."""
    return (
        one
        for one in estate.network.channels.all()
        if one.channel_type in types and not (one.template or is_default(one.name))
    )


def each(
    objects: Iterable[AnyObject], found: Callable[[AnyObject], Iterable[Finding]]
) -> Iterator[Finding]:
    """What a rule finds of each of some objects; nothing of one where what decides is not shown."""
    for one in objects:
        try:  # suppress takes a third of the time of a rule that finds nothing
            own = list(found(one))
        except NotShownHere:
            continue
        yield from own


def channel_pairs(estate: Lookup) -> Iterator[tuple[Channel, Channel]]:
    """The channels that lead to one loaded queue manager for certain, with their other end."""
    for one in channels_of(estate, *SENDING):
        with suppress(NotShownHere):
            lead = estate.channels.leads(one, as_shown(one, "XMITQ"))
            if len(lead.partners) == 1 and not lead.hidden:
                yield one, lead.partners[0]
    for one in channels_of(estate, "CLUSSDR"):
        partners = estate.channels.partners(one)
        if len(partners) == 1:
            yield one, partners[0]
