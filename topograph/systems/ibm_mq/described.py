"""What a file describes a queue manager as (ibm_mq.md C-9)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from topograph.facts.fact import Fact
from topograph.facts.ibm_mq import Channel, Described, Queue, QueueManager, Subscription, Topic
from topograph.facts.shown import EVERY, Shown
from topograph.systems.contract import described
from topograph.systems.contract.described import one_of
from topograph.systems.ibm_mq.objects.attributes import as_shown
from topograph.systems.ibm_mq.objects.united import effect

_DECIDING = {
    Channel: ("CLUSNL", "CLUSTER", "CONNAME", "XMITQ"),
    Topic: ("CLROUTE", "CLUSTER", "PUB", "SUB", "TOPICSTR"),
    Subscription: ("DEST", "DESTQMGR", "SELECTOR", "TOPICOBJ", "TOPICSTR"),
}
"""Attributes that decide where messages go, by class of objects."""


def describe(facts: Sequence[Fact]) -> described.Described | None:
    """See ``contract.described.Describe``. Scripts and output may each have a part of the objects:
    two that have one object in two ways are of two queue managers, or of one at two times. Only
    where two dumps of all objects differ in which there are, that is so, too.
    """
    manager = one_of(facts, QueueManager)
    if manager is None:
        return None
    said: dict[Hashable, Hashable] = {}
    for verb in ("DEFINE", "REFUSED"):
        for fact in facts:
            if isinstance(fact, Described) and fact.verb == verb and _defined(fact):
                own = _said(fact)
                if own is not None:
                    said.setdefault((fact.kind, fact.name), own)
    return described.Described(manager.source, said, whole=any(map(_shows_all, facts)))


def _shows_all(fact: Fact) -> bool:
    if not isinstance(fact, Shown) or fact.extent not in ("whole", "unended"):
        return False
    return EVERY in fact.classes or {"QLOCAL", "SDR"} <= {*fact.classes}


def _defined(fact: Described) -> bool:
    """Whether a fact is what a file makes or shows of an object, in full, that people made. One
    whose command is refused says, too, what the file is about."""
    return not (fact.partial or fact.template or fact.like or fact.name.startswith("SYSTEM."))


def _said(fact: Described) -> Hashable:
    if isinstance(fact, Queue):
        return effect(fact)
    names = next((one for cls, one in _DECIDING.items() if isinstance(fact, cls)), None)
    if names is None:
        return None
    return (fact.label, *(as_shown(fact, name).strip() for name in names))
