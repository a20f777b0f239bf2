"""What both file forms are read into before the rules of section 2 apply: sections with their
places.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from topograph.findings import Source
from topograph.importers.amq_interconnect.names import excerpt, kept
from topograph.rules import FindingKind


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
    whole: bool = True
    """Whether the router has nothing but this: not what a command adds, or an operator."""
