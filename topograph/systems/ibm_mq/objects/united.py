"""One queue that several texts show: what they say together, and where they disagree (C-9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topograph.facts.ibm_mq import Queue
from topograph.systems.ibm_mq.objects.attributes import as_shown

_EFFECTIVE = (
    "CLCHNAME", "CLUSNL", "CLUSTER", "CLWLPRTY", "CLWLRANK", "CLWLUSEQ", "DEFBIND", "GET",
    "MAXDEPTH", "PUT", "RNAME", "RQMNAME",
    "STREAMQ", "STRMQOS", "TARGET", "TARGTYPE", "USAGE", "XMITQ",
)  # fmt: skip
"""Attributes of queues that decide where messages go."""


def effect(queue: Queue) -> tuple[str, ...]:
    """The type of a queue object and what of it decides where messages go: equal where two files
    say the same, in whatever detail.
    """
    return (queue.noun, *(as_shown(queue, name).strip() for name in _EFFECTIVE))


def united(facts: Sequence[Queue]) -> list[Queue]:
    """The facts of one queue, those that show a part of it put into one that they do not
    contradict: what is left are definitions that differ. Quadratic in the facts of one name, which
    are few.
    """
    if len(facts) < 2 or not any(one.partial for one in facts):
        return list(facts)
    found: list[Queue] = []
    for one in sorted(facts, key=lambda fact: fact.partial):
        at = next((place for place, other in enumerate(found) if _agree(one, other)), None)
        if at is None:
            found.append(one)
        elif found[at].partial:
            new = [each for each in one.attributes if not found[at].states(each.name)]
            found[at] = replace(found[at], attributes=(*found[at].attributes, *new))
    return found


def _agree(one: Queue, other: Queue) -> bool:
    """Whether what a part of a queue states is so of another fact, as far as that states it."""
    if not one.partial or one.noun != other.noun:
        return False
    return all(
        as_shown(one, name).strip() == as_shown(other, name).strip()
        for name in _EFFECTIVE
        if one.states(name) and (other.states(name) or not other.partial)
    )
