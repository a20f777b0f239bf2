"""What a system hands over so that messages can be followed without it: the contract behind
``propagate`` in pages.

Plain data: predicates as expressions over destination, properties and user, who wants which
destination, and the sentences and rules that answers say. Nothing in here needs the facts of a
network, and whoever reads it knows no system. Servers, points and guards are numbers of the graph.

Expressions are lists, JSON: ``["true"]``, ``["false"]``, ``["matches", PATTERN, ...]`` (the
destination matches one of the patterns), ``["user", NAME, ...]`` (the sender is one of these),
``["all", E, ...]``, ``["any", E, ...]``, ``["if", E, THEN, ELSE]``, ``["unknown", WHY]`` and
``["selector", NUMBER]``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.records import record
from topograph.tracing.trace import Trace

Expression = list[Any]
"""A predicate on a message."""


@record
class PortableSelector:
    """A selector text, and why its line is not understood, empty where it is."""

    text: str
    fault: str = ""


@record
class PortableGuard:
    """One guard of the graph: what it asks, and what is said where it lets a message not pass.

    ``reason`` is the condition of NOT_FORWARDED, empty for a guard that always passes.
    ``interest``: it stops the propagation of interest too. ``selector``: it is a selector, which
    ``patterns`` (those of destinations) say it applies to; ``replaced``: another line would replace
    it under another reading. ``at_end``: it asks something of one end of the link; the first such
    guard of a link that of the sending end, and ``patterns`` are those of the destinations that
    pass there. ``at`` is the server whose entries are evidence, with ``lines`` (pattern, place)
    before them. ``waits`` is where it says that what goes this way waits, ``source`` its own place.
    """

    asks: Expression
    reason: str = ""
    interest: bool = False
    selector: bool = False
    replaced: bool = False
    at_end: bool = False
    patterns: tuple[str, ...] = ()
    at: int = -1
    lines: tuple[tuple[str, Source], ...] = ()
    waits: Source | None = None
    source: Source = Source("")
    met: str = ""
    """What is said where it lets a message pass: for ``at_end`` behind the destination, for a
    selector alone, else before the destination.
    """
    lacking: str = ""
    """What is said where it does not: for a selector alone, for one with ``secure`` behind the
    destination.
    """
    secure: tuple[str, ...] = ()
    """Patterns of the destinations that it asks a permission for."""


@record
class PortableEntry:
    """A destination that a server configures. ``secure``: whether a sender needs a permission."""

    pattern: str
    secure: bool
    source: Source


@record
class PortableServer:
    """What one server says of destinations: its ``entries`` in order, ``main`` its own place,
    ``fallback`` the place to cite where no entry is about a destination. ``complete``: a
    destination without an entry is refused. ``publishes`` is who may send to a secure
    destination, None where nobody is asked. ``alone``: of a server without a link the
    destinations that a link would carry, None of others, and where that is not known."""

    entries: tuple[PortableEntry, ...] = ()
    main: Source | None = None
    fallback: Source | None = None
    complete: bool = False
    publishes: Expression | None = None
    alone: tuple[str, ...] | None = None


@record
class PortableCopy:
    """A copy that a subscriber makes on another destination. ``kept``: it stays there, and
    nothing more becomes of it; ``followed``: it is a message of its own."""

    type: str
    name: str
    kept: bool = False
    followed: bool = False


@record
class PortableSubscriber:
    """Somebody at a server who wants the destinations that match ``pattern``; with ``selector``
    (a number) those messages only. ``known``, ``reliable``, ``delivers``, ``note`` and
    ``unsure`` are those of the system's own record."""

    server: int
    pattern: str
    known: str
    selector: int
    selector_text: str
    reliable: bool
    delivers: bool
    note: str
    source: Source
    unsure: str = ""
    called: str = ""
    """The durable or client, in words."""
    copy: PortableCopy | None = None
    """What it makes of a message, where it is not a client."""


@record
class PortableFork:
    """What becomes of a copy hangs on a selector (a number): ``ways`` by what it says, TRUE,
    FALSE or UNKNOWN.
    """

    selector: int
    ways: Mapping[str, PortableWay]


PortableWay = PortableFork | Trace
"""What becomes of a copy, whatever else the message is."""


@record
class PortableMessages:
    """Everything that messages of one graph are followed by.

    ``types`` are the destinations that are followed, ``declined`` prefixes of names that are not,
    with the reason. ``guards`` are in the order of the graph, ``servers`` too; ``places`` are lines
    of guards at one link, by point and guard. ``somewhere`` are servers that count as having a
    subscriber where none is known, ``beside`` those of which a list was cut off, with reason and
    place; of servers in ``unseen_takers`` and ``unseen_copies`` subscribers and copies may be
    missing, because a file was not found. ``seen`` is what rests on what was observed. ``texts``
    and ``rules`` are what answers say, with fields in braces; ``positions`` what they rest on, by
    name.
    """

    types: tuple[str, ...]
    declined: tuple[tuple[str, str], ...]
    guards: tuple[PortableGuard, ...]
    selectors: tuple[PortableSelector, ...]
    places: tuple[tuple[int, int, Source], ...]
    servers: tuple[PortableServer, ...]
    subscribers: tuple[PortableSubscriber, ...]
    somewhere: tuple[int, ...]
    beside: tuple[tuple[int, str, Source], ...]
    unseen_takers: tuple[tuple[int, str, Source], ...]
    unseen_copies: tuple[tuple[int, str, Source], ...]
    seen: tuple[Assumption, ...]
    texts: Mapping[str, str]
    rules: Mapping[str, str]
    positions: Mapping[str, Assumption]
    readings: tuple[tuple[str, str, str, str], ...]
    """Other readings of several selectors: which are set aside (``replaced`` or ``beside``),
    rule, text, and what would hold otherwise.
    """
    limits: Mapping[str, int]
    """The most characters of a ``name`` and of one ``element`` of it, and the most ``elements``."""
    onward: Mapping[tuple[int, str], PortableWay]
    """What becomes of copies on destinations of other types than ``types``, by server and name;
    those that are not there are not told.
    """
    most_copies: int
