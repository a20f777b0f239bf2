"""What a system lets others walk without it: the contract behind the engine of pages (``topograph.portable``).

A page has neither facts nor rules. A system that says here what its walks come to can be asked in a page; of one that does not, the page says which
command answers. Everything is plain data without a word of the system in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from topograph.findings import Source

if TYPE_CHECKING:
    from topograph.forwarding.graph import ForwardingGraph

Form = Literal["once"]
"""How walks are read. ``once``: a walk from an origin that enters no server twice holds the one path to each server; where it enters one twice
the network is one that only the command decides."""


@dataclass(frozen=True, slots=True)
class Halt:
    """Why a message ends at a link: a condition of NOT_FORWARDED, in words, the rule, and the place (None: that of the link)."""

    reason: str
    text: str
    rule: str
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class PortableWalks:
    """The walks of one graph, as far as they follow from points and forwards alone.

    ``shut`` are the guards that let nothing pass, whatever a message is, with what is said where one stands. ``halts`` say, by zone, why a message that
    came over a link of the zone takes no further link of it; ``visited`` what is said of a link to a server that the message has been to.
    ``possibly`` says, where servers may have links that no file shows, what is said of a server that such a link may lead to."""

    form: Form
    shut: Mapping[int, Halt] = field(default_factory=dict)
    halts: Mapping[tuple[str, str], Halt] = field(default_factory=dict)
    visited: Halt | None = None
    possibly: tuple[str, Source] | None = None


class Portable(Protocol):
    """What a system offers pages."""

    def walks(self, graph: ForwardingGraph, /) -> PortableWalks:
        """How the walks of a graph are read."""
        ...
