"""What both file forms are read into before the rules of section 2 apply: sections with their
places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import NamedTuple

from topograph.findings import Source
from topograph.importers.amq_interconnect.names import excerpt, kept
from topograph.importers.amq_interconnect.schema import camel_case, short_name
from topograph.importers.positions.places import Placing
from topograph.records import record
from topograph.rules import FindingKind
from topograph.rules.unnumbered import CUT_OFF


class ConfEntry(NamedTuple):
    """One attribute as written, but for secrets: ``name`` in camelCase; ``value`` text, or a JSON
    value. A large file has very many, of which few are ever spoken of: their places and excerpts
    are made when they are asked for."""

    name: str
    value: object
    places: Callable[[int, int], Source]
    """Where the line and column are in the file."""
    line: int
    column: int
    written: str
    """The line or member; an excerpt of it where something of the value is left out."""

    @classmethod
    def read(cls, name: str, value: object, source: Source, line: str) -> ConfEntry:
        """The entry of an attribute, with the values of secrets left out."""
        placing = Placing(source.file, whole=(source.line, source.column))
        return cls.at(name, kept(name, value), value, placing.at, 0, 0, line)

    @classmethod
    def at(
        cls,
        name: str,
        held: object,
        value: object,
        places: Callable[[int, int], Source],
        line: int,
        column: int,
        written: str,
    ) -> ConfEntry:
        """The entry of an attribute of whose ``value`` only what is ``held`` is kept."""
        shown = written if held == value else excerpt(written)
        return _entry((name, held, places, line, column, shown))

    @property
    def source(self) -> Source:
        """Where the attribute is written."""
        return self.places(self.line, self.column)

    @property
    def text(self) -> str:
        """The line or member for an excerpt."""
        return excerpt(self.written)


@dataclass(slots=True)
class ConfSection:
    """One section as written: ``type`` is the short type name (C-9), ``written`` the name in the
    file.
    """

    type: str
    written: str
    source: Source
    entries: list[ConfEntry] = field(default_factory=list)


@record
class ConfFault:
    """Something the router's reader refuses: the whole file is then refused (C-2)."""

    kind: FindingKind
    message: str
    source: Source
    excerpt: str = ""


@record
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


_entry = partial(tuple.__new__, ConfEntry)
"""An entry of its fields, made without a call of Python's own."""
named = lru_cache(maxsize=1024)(camel_case)
"""The names of attributes, of which a large file has the same few very many times."""
kept_text = lru_cache(maxsize=4096)(kept)
"""The same of what is kept of their texts."""


@lru_cache(maxsize=1024)
def type_of(written: str) -> str:
    """The short type that a name of a section means."""
    return short_name(camel_case(written))


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
