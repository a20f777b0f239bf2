"""How much of a queue manager output shows: what a DISPLAY command asked for, and what the options
of dmpmqcfg write (ibm_mq.md C4).

DISPLAY shows the objects whose names fit, of the types asked for, that WHERE leaves; of each name
and type alone, unless attributes are asked for. ALL asks for each of them, and so does a command
with one whole name and no attribute. dmpmqcfg writes what ``-t``, ``-n`` and ``-x`` leave, each
with what differs from the default.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from topograph.facts.ibm_mq import Shown
from topograph.facts.ibm_mq_names import CHANNEL_TYPES, QUEUES
from topograph.facts.shown import EVERY, Extent
from topograph.findings import Source
from topograph.importers.ibm_mq.words import MqscWord, Parsed
from topograph.records import record

_LONGEST = 100
"""Characters of a command that are kept of it."""

_QUEUES = tuple(sorted(QUEUES))
_CHANNELS = tuple(sorted(CHANNEL_TYPES))
_CLASSES: dict[str, tuple[str, ...]] = {
    "QUEUE": _QUEUES,
    **{one: (one,) for one in _QUEUES},
    "CHANNEL": _CHANNELS,
    **{one: (one,) for one in ("QMGR", "LISTENER", "NAMELIST", "TOPIC", "SUB", "CHLAUTH")},
}
"""The classes that a noun of DISPLAY is about."""

_NARROWING = frozenset({"TYPE", "QTYPE", "CHLTYPE"})
_WITHOUT_EFFECT = frozenset({"CMDSCOPE", "QSGDISP", "CHLDISP", "CHLTABLE"})
_SELECTS_ALL = frozenset(
    {("CLUSTER", "*"), ("CLUSNL", "*"), ("MATCH", "GENERIC"), ("TARGTYPE", "ALL")}
)

_OF_OPTION: dict[str, tuple[str, ...]] = {
    "QUEUE": _QUEUES,
    "CHANNEL": tuple(one for one in _CHANNELS if one != "CLNTCONN"),
    "CLNTCONN": ("CLNTCONN",),
    "LISTENER": ("LISTENER",),
    "LSTENER": ("LISTENER",),
    "NAMELIST": ("NAMELIST",),
    "QMGR": ("QMGR",),
    "TOPIC": ("TOPIC",),
    "SUB": ("SUB",),
}
"""The classes of ``-t`` of dmpmqcfg."""

_OBJECTS = (*_QUEUES, *_CHANNELS, "LISTENER", "NAMELIST", "QMGR", "TOPIC")
_OF_EXPORT: dict[str, tuple[str, ...]] = {
    "ALL": (EVERY,),
    "OBJECT": _OBJECTS,
    "CHLAUTH": ("CHLAUTH",),
    "SUB": ("SUB",),
}
"""The classes of ``-x`` of dmpmqcfg."""


@record
class Statement:
    """What becomes a ``Shown`` once the queue manager is known."""

    classes: tuple[str, ...]
    extent: Extent
    source: Source
    pattern: str = ""
    attributes: tuple[str, ...] = (EVERY,)
    said: str = ""

    def fact(self, bundle: str, server: str) -> Shown:
        """The fact of a queue manager."""
        return Shown(
            bundle=bundle,
            server=server,
            source=self.source,
            classes=self.classes,
            extent=self.extent,
            pattern=self.pattern,
            attributes=self.attributes,
            said=self.said,
        )

    @property
    def whole_objects(self) -> bool:
        """Whether each object is shown with all of its attributes."""
        return self.attributes == (EVERY,)

    def cut(self) -> Statement:
        """The same of output whose end is missing: what is shown is there, and no more is known."""
        said = f"{self.said}, whose output has no end"
        return replace(self, extent="none", pattern="", said=said)


def displayed(parsed: Parsed, source: Source) -> Statement | None:
    """What the output below a DISPLAY command shows; None of one that shows no definitions.
    Linear in its words."""
    classes = _CLASSES.get(parsed.noun)
    if parsed.verb != "DISPLAY" or classes is None:
        return None
    name = parsed.name if parsed.named else "*"
    conditional, everything = bool(parsed.faults), False
    attributes: list[str] = []
    for word in parsed.words:
        said = (word.value or "").strip().upper()
        if word.name == "ALL":
            everything = True
        elif word.name in _NARROWING and word.value is not None:
            classes = _narrowed(classes, said)
            conditional = conditional or not classes
        elif word.name in _WITHOUT_EFFECT or (word.name, said) in _SELECTS_ALL:
            continue
        elif word.value is not None:
            conditional = True
        elif word.name != "CLUSINFO":
            attributes.append(word.name)
    generic = name.endswith("*") and parsed.noun not in ("QMGR", "CHLAUTH")
    everything = everything or not (attributes or generic)
    return Statement(
        classes or _CLASSES[parsed.noun],
        "condition" if conditional else "whole" if name == "*" else "pattern",
        source,
        "" if name == "*" else name,
        (EVERY,) if everything else tuple(attributes),
        _told(parsed),
    )


def _narrowed(classes: tuple[str, ...], wanted: str) -> tuple[str, ...]:
    """The classes that a type leaves; none where it is a type of something else."""
    if wanted in ("ALL", "LOCAL"):
        return classes
    return tuple(one for one in classes if one in wanted.split(","))


def _told(parsed: Parsed) -> str:
    """A DISPLAY command as answers repeat it."""
    words = [f"DISPLAY {parsed.noun}" + (f"({parsed.name})" if parsed.named else "")]
    words += [one.name + _told_value(one) for one in parsed.words]
    return " ".join(words)[:_LONGEST]


def _told_value(word: MqscWord) -> str:
    """What answers repeat of a value, which may hold a host or a user."""
    if word.value is None:
        return ""
    if word.name in _NARROWING or word.name in ("CLUSTER", "CLUSNL"):
        return f"({word.value})"
    first = word.value.split()[:1]
    return f"({first[0]} ...)" if word.name == "WHERE" and first else "(...)"


def dumped(issued: str, source: Source) -> Statement:
    """What dmpmqcfg writes, of the command that its header repeats. Linear."""
    options = dict(_options(issued))
    type_, export = options.get("t", "all").upper(), options.get("x", "all").upper()
    classes = _OF_EXPORT.get(export, ())
    if type_ != "ALL":
        of_type = _OF_OPTION.get(type_, ())
        classes = of_type if export in ("ALL", "OBJECT") else ()
    name = options.get("n", "*")
    extent: Extent = "whole" if name == "*" else "pattern"
    said = "dmpmqcfg" + "".join(f" -{key} {one}" for key, one in options.items() if key in "tnx")
    return Statement(classes, extent, source, "" if name == "*" else name, said=said)


def _options(issued: str) -> Iterator[tuple[str, str]]:
    """The options of dmpmqcfg with their values, which may stand in the same word."""
    words = [one.strip("'\"") for one in issued.split()]
    for at, word in enumerate(words):
        if not word.startswith("-") or len(word) < 2 or word[1] not in "mtxno":
            continue
        value = word[2:] or (words[at + 1] if at + 1 < len(words) else "")
        yield word[1], value.strip("'\"")


def single(noun: str, channel_type: str, source: Source) -> Statement | None:
    """What one block of output shows whose command the text does not repeat: one object of its
    class. None of a noun that is no class."""
    classes = (channel_type,) if noun == "CHANNEL" and channel_type else _CLASSES.get(noun, ())
    if not classes:
        return None
    return Statement(classes, "none", source, said="output without its command")
