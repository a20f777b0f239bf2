"""What both file forms are read into before the rules of section 2 apply: sections with their
places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from topograph.findings import Source
from topograph.importers.amq_interconnect.names import excerpt, kept
from topograph.rules import FindingKind
from topograph.rules.unnumbered import CUT_OFF


@dataclass(frozen=True, slots=True)
class ConfEntry:
    """One attribute as written, but for secrets: ``name`` in camelCase; ``value`` text, or a
    JSON value.
    """

    name: str
    value: object
    source: Source
    text: str
    """The line or member for an excerpt."""

    @classmethod
    def read(cls, name: str, value: object, source: Source, line: str) -> ConfEntry:
        """The entry of an attribute, with the values of secrets left out."""
        return cls(name, kept(name, value), source, excerpt(line))


@dataclass(slots=True)
class ConfSection:
    """One section as written: ``type`` is the short type name (C-9), ``written`` the name in the
    file.
    """

    type: str
    written: str
    source: Source
    entries: list[ConfEntry] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ConfFault:
    """Something the router's reader refuses: the whole file is then refused (C-2)."""

    kind: FindingKind
    message: str
    source: Source
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class ConfDocument:
    """A configuration file after syntax."""

    sections: tuple[ConfSection, ...]
    faults: tuple[ConfFault, ...]
    suspicious: tuple[ConfFault, ...] = ()
    """What the router reads without a word, and seldom as it was meant."""
    cut: ConfFault | None = None
    """That the text ends in its middle: the router may have more than the sections. The one that
    the end cuts short is not among them, unless it is the router's own."""
    whole: bool = True
    """Whether the router has nothing but this: not what a command adds, or an operator."""


def cut_off(end: Source) -> ConfFault:
    """That the text of a configuration ends in its middle."""
    return ConfFault(
        CUT_OFF,
        "The file ends in its middle: what its router has behind that is not shown, and if this is "
        "the whole file, the router refuses it",
        end,
    )


def without_cut(sections: Sequence[ConfSection], ended: bool) -> tuple[ConfSection, ...]:
    """The sections of a text that ends within the last: that one counts only if it is the
    router's own, and then without its last attribute unless that has ``ended``."""
    *before, last = sections or (None,)
    if last is None or last.type != "router":
        return tuple(one for one in before if one is not None)
    if not ended and last.entries:
        last.entries.pop()
    return (*(one for one in before if one is not None), last)
