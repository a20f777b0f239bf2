"""Attributes of objects: what is stated, what is the product's default (ibm_mq.md C1), and what is
not shown.

A default counts only where the text lists what differs from it, as scripts and dumps do. Output of
DISPLAY may leave any attribute out that was not asked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from topograph.digits import integer
from topograph.facts.ibm_mq import Described, Queue
from topograph.findings import Source
from topograph.systems.coverage import Default, NotShown, NotShownHere, Stated, Valued

NOUNS = ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL")

DEFAULTS: Mapping[str, str] = {
    "CLWLPRTY": "0",
    "CLWLRANK": "0",
    "CLWLWGHT": "50",
    "DEFBIND": "OPEN",
    "DEFCLXQ": "SCTQ",
    "DESTCLAS": "PROVIDED",
    "GET": "ENABLED",
    "MAXDEPTH": "5000",
    "MRRTY": "10",
    "MRTMR": "1000",
    "NETPRTY": "0",
    "NPMSPEED": "FAST",
    "PUB": "ASPARENT",
    "PUT": "ENABLED",
    "STRMQOS": "BESTEF",
    "TARGTYPE": "QUEUE",
    "USAGE": "NORMAL",
    "USEDLQ": "YES",
}
"""Defaults of attributes that decide where messages go; all others are blank. CLWLUSEQ has one a
kind of object.
"""


def valued(described: Described, name: str) -> Valued:
    """What is known of an attribute. Linear in the number of attributes."""
    found = described.attribute(name)
    if found is not None:
        return Stated(found.value.rstrip(" "))
    if described.partial:
        what = f"{described.label} of {described.server}"
        return NotShown(f"the output does not show {name} of {what}", described.source)
    return Default(DEFAULTS.get(name, ""))


def value(described: Described, name: str) -> str:
    """An attribute, or its default. Blank and absent are the empty text. Raises NotShownHere where
    the output leaves the attribute out."""
    found = described.attribute(name)
    if found is not None:
        return found.value.rstrip(" ")
    if described.partial and isinstance(unknown := valued(described, name), NotShown):
        raise NotShownHere(unknown)
    return DEFAULTS.get(name, "")


def as_shown(described: Described, name: str) -> str:
    """An attribute as lists of objects show it: the default, too, where it is not shown. Nothing
    is concluded from it."""
    return described.get(name, DEFAULTS.get(name, ""))


NOT_FOLLOWED = frozenset({"DESCR", "CRDATE", "CRTIME", "ALTDATE", "ALTTIME"})
"""Attributes that mean nothing to messages."""


def definition(queue: Queue) -> Hashable:
    """What decides about a queue, whatever its name: queues with equal definitions are alike.
    Linear in the number of attributes."""
    attributes = sorted(
        (one.name, one.value) for one in queue.attributes if one.name not in NOT_FOLLOWED
    )
    known = queue.verb, queue.template, queue.unknown, queue.like, queue.doubt, queue.partial
    return queue.server, queue.noun, tuple(attributes), known


def keyword(described: Described, name: str) -> str:
    """An attribute whose values are keywords, in capitals. Raises NotShownHere."""
    return value(described, name).upper()


def number(described: Described, name: str) -> int:
    """An attribute that is a number; its default (or 0) where a file has something else there.
    Raises NotShownHere."""
    return integer(value(described, name), integer(DEFAULTS.get(name, "0"), 0))


def place(described: Described, *names: str) -> Source:
    """Where the first of some attributes stands, else where the object does."""
    for name in names:
        found = described.attribute(name)
        if found is not None and found.line:
            return Source(described.source.file, found.line)
    return described.source


def labels(name: str, nouns: Iterable[str] = NOUNS) -> list[str]:
    """The labels (``Fact.label``) of facts of some nouns, or of channels of some types, that
    have one name.
    """
    return [f"{noun} {name}" for noun in nouns]
