"""A picture as data: what is drawn of a network and of one answer about it, before anyone decides pixels.

``drawing`` makes a ``Scene`` of an estate and an answer, ``layout`` places its servers; ``page`` writes it as one HTML file, ``formats`` as dot,
GraphML or Mermaid. All lists have a stated order, so that equal answers give equal files.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from topograph.findings import Source


class Mark(StrEnum):
    """What the answer says of a server or a link; told apart by shape, line and text as well as by colour."""

    NONE = ""
    """The answer says nothing about it: drawn plainly (estate), or faded (beside an answer)."""
    ASKED = "asked"
    """The server asked from."""
    TARGET = "target"
    """The server asked about."""
    REACHED = "reached"
    UNREACHABLE = "unreachable"
    UNDETERMINED = "undetermined"
    DELIVERED = "delivered"
    """A subscriber gets the message here."""
    TRANSIT = "transit"
    """The message passes here, and nobody gets it."""
    PATH = "path"
    """A link that a path of the answer uses."""
    BLOCKED = "blocked"
    """A link that the message does not take."""
    DUPLICATE = "duplicate"
    """A link or server of a multi-path cycle (R20, R23)."""
    REDUNDANT = "redundant"
    """A router or link of a redundant part (AMQ Interconnect): wanted."""


class LinkStyle(StrEnum):
    """How a link is configured; each has a line style of its own."""

    ACTIVE_ACTIVE = "active-active"
    """Both ends configure it (R4)."""
    ACTIVE_PASSIVE = "active-passive"
    """One end configures it, the other accepts it (R3)."""
    PLAIN = "plain"
    """The system makes no such difference (AMQ Interconnect)."""
    UPLINK = "uplink"
    """From an edge router to an interior one (E-1)."""


@dataclass(frozen=True, slots=True)
class ServerDrawn:
    """A server. ``note`` says in one line what the answer says of it; ``x``, ``y`` are layout units, about 100 between neighbours."""

    name: str
    system: str
    loaded: bool
    incomplete: str
    zones: tuple[str, ...]
    source: Source
    mark: Mark = Mark.NONE
    note: str = ""
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class LinkDrawn:
    """A link between two servers. ``parallel`` counts from 0 among the links of the same two servers, by id, ``parallels`` is how many there
    are. ``configured_by`` is the end that configures it, "" where both do or it does not matter. ``note`` as for servers."""

    id: str
    ends: tuple[str, str]
    zone: str
    zone_type: str
    style: LinkStyle
    configured_by: str
    cost: int | None
    source: Source
    parallel: int = 0
    parallels: int = 1
    mark: Mark = Mark.NONE
    note: str = ""


@dataclass(frozen=True, slots=True)
class ZoneDrawn:
    """A zone, drawn as a labelled hull around its servers. ``type`` is ``1hop``, ``mhop`` or "" where it is not known."""

    name: str
    type: str
    servers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepDrawn:
    """One step of a path: its number from 1, where it stands in the picture (``link``: the id of a ``LinkDrawn``), and its evidence."""

    number: int
    from_: str
    to: str
    link: str
    zone: str
    rule: str
    confidence: str
    guards: tuple[str, ...]
    source: Source
    cost: int | None = None


@dataclass(frozen=True, slots=True)
class PathDrawn:
    """A path of the answer with its steps in order. ``title`` names it for the reader (``to MADRID, 3 hops``)."""

    title: str
    servers: tuple[str, ...]
    steps: tuple[StepDrawn, ...]


@dataclass(frozen=True, slots=True)
class BlockDrawn:
    """A link that the message does not take: it is drawn up to the block, with the reason beside it."""

    at: str
    to: str
    link: str
    reason: str
    guard: str
    value: str
    source: Source


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture. ``title`` is the question as a sentence, ``verdict`` the answer as one; ``facts`` are further short lines (exactness,
    assumptions, warnings), each ``(kind, text)`` with kind ``assumption``, ``warning``, ``inexact`` or ``note``.

    ``hidden`` counts the servers of the network that are not in the picture (neighbourhood mode), ``around`` names the servers it is about.
    """

    question: str
    title: str
    verdict: str
    network: str
    snapshot: str
    engine: str
    exact: bool
    servers: tuple[ServerDrawn, ...]
    links: tuple[LinkDrawn, ...]
    zones: tuple[ZoneDrawn, ...]
    paths: tuple[PathDrawn, ...] = ()
    blocks: tuple[BlockDrawn, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    around: tuple[str, ...] = ()
    hidden: int = 0
