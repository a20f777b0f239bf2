"""The answers about paths: ``reach``, ``hops`` and ``paths``. See ``answers``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import ClassVar

from topograph.findings import Source
from topograph.questions.answers.base import ASIDE, Answer, Step, Stopped, Undetermined, ZoneHops
from topograph.records import record


@record
class ReachedServer:
    """A server reached. ``hops`` counts routes traversed (R15); ``path`` runs from the server
    asked from to this one.
    """

    server: str
    """The server."""
    hops: int
    """Routes traversed on the path."""
    zone_hops: tuple[ZoneHops, ...]
    """The same, inside each zone."""
    path: tuple[str, ...]
    """Server names, first to last, both included."""
    steps: tuple[Step, ...] = ()
    """One a link of the path."""
    cost: int | None = None
    """The sum of the costs; null where the system has none."""
    system: str = ""
    """The system that the server runs."""
    certain: bool = True
    """False where the message gets there only if it is chosen at run time, or if code that no
    file shows decides so, or `later`.
    """
    later: bool = False
    """True where the message gets there later: it waits on the way until something happens, as
    before a suspended route (R53) or a channel that has to be started.
    """


@record
class NotReached:
    """Why a server is not reached: what becomes of a message that is addressed to it by name, or
    that no link leads there."""

    server: str
    """The server that is not reached."""
    at: str
    """The server where the message ends, or the one asked from."""
    outcome: str
    """How it ends; empty where no message is addressed to the server."""
    because: str
    """Why, in words."""
    rule: str
    """The rule."""
    source: Source
    """The line behind it."""
    condition: str = ""
    """When it ends so, in words; empty where nothing else is possible."""
    others: int = 0
    """How many other ends it has."""
    assumed: tuple[str, ...] = ()
    """What that rests on where rules or files leave it open, by rule and text."""

    @property
    def told(self) -> str:
        """How it ends and why, in a sentence."""
        if not self.outcome:
            return self.because
        other = f", or in {self.others:,} other ways" if self.others else ""
        when = f" ({self.condition})" if self.condition else ""
        return f"addressed by name: {self.outcome} at {self.at}{when}{other}: {self.because}"


@record(kw_only=True)
class ReachAnswer(Answer):
    """``reach``: ``servers`` never lists the server asked from; all lists by name. With
    ``reply`` each path is the way back: it runs from the server to the one asked from."""

    question: ClassVar[str] = "reach"
    rows_field: ClassVar[str] = "servers"

    from_: str
    """The server asked from."""
    to: str | None
    """The one server asked about; null for all."""
    servers: Sequence[ReachedServer]
    """Servers that are reached; `certain` says whether for certain."""
    unreachable: tuple[str, ...]
    """Servers that are certainly not reached."""
    undetermined: tuple[Undetermined, ...]
    """Servers of which the loaded files do not say, or the budget ended first."""
    stopped: tuple[Stopped, ...] = ()
    """Where the server asked about, or one of all, is not reached: the links at which messages
    towards it end, and why.
    """
    reply: bool = False
    """Whether the way of a reply was asked for."""
    system: str = ""
    """The system of the server asked from."""
    to_system: str = ""
    """The system of the one server asked about."""
    why_not: Callable[[str], NotReached | None] | None = field(
        default=None, compare=False, repr=False, metadata=ASIDE
    )
    """Why a server is not reached, for pictures and text; None where ``stopped`` says it, and where
    the search ended first."""

    def not_reached(self) -> tuple[str, ...]:
        """The servers that are not reached, for certain or under an assumption, in that order."""
        assumed = (
            one.server
            for one in self.undetermined
            if one.decided_if is not None and not one.decided_if.reached
        )
        return (*self.unreachable, *assumed)


@record(kw_only=True)
class HopsAnswer(Answer):
    """``hops FROM TO``: ``reachable`` is True, False or ``"unknown"``; the counts are None
    unless it is True, and where the budget ended before the shortest path was known."""

    question: ClassVar[str] = "hops"
    rows_field: ClassVar[str] = "zone_hops"

    from_: str
    """The first server."""
    to: str
    """The last server."""
    reachable: bool | str
    """`true`, `false`, or `"unknown"` where the loaded files do not say, or the budget ended
    first.
    """
    route_hops: int | None
    """Routes traversed; null unless reachable, and the shortest path is known."""
    zone_hops: tuple[ZoneHops, ...]
    """The same, inside each zone, in path order."""
    cost: int | None = None
    """The sum of the costs; null where the system has none."""
    stopped: tuple[Stopped, ...] = ()
    """Where the last server is not reached: the links at which messages towards it end, and why."""
    system: str = ""
    """The system of the first server."""
    to_system: str = ""
    """The system of the last server."""
    path: tuple[str, ...] = ()
    """Server names, first to last, both included; empty unless the shortest path is known."""
    steps: tuple[Step, ...] = ()
    """One a link of the path."""
    undetermined: tuple[Undetermined, ...] = ()
    """`to`, where `reachable` is `"unknown"`: why, and how far a message is known to get."""
    later: bool = False
    """True where the message gets there later, as in `reach`: it waits on every way, and the
    counts are those of the shortest one.
    """


@record(kw_only=True)
class HopsMatrixAnswer(Answer):
    """``hops --matrix``: ``hops[i][j]`` from ``servers[i]`` to ``servers[j]``, None where not
    reached, 0 on the diagonal, ``"unknown"`` where the budget ended before it was known or a
    finding leaves open whether a link on the way comes up."""

    question: ClassVar[str] = "hops"
    rows_field: ClassVar[str] = "hops"

    servers: tuple[str, ...]
    """All servers, by name and system: rows and columns."""
    systems: tuple[str, ...] = ()
    """The system of each of them."""
    hops: tuple[tuple[int | str | None, ...], ...]
    """A row for each server; null where not certainly reached, 0 to itself, `"unknown"` where a
    finding leaves open whether a link on the way comes up (`warnings` cite it), or
    the budget ended before it was known.
    """
    undetermined: tuple[str, ...] = ()
    """Servers whose files are not loaded: None in their rows and columns, and in rows they could
    extend, may not mean 'no'.
    """
    cut_off: tuple[str, ...] = ()
    """Servers that a setting of their own keeps out of the network: None in their rows and
    columns means 'no'. `warnings` cite the setting.
    """
    later: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Per server the servers that messages from it get to later, as in `reach`; only servers that
    have such. The hops between them are those of the shortest way on which they wait.
    """

    @property
    def labels(self) -> tuple[str, ...]:
        """The servers by name, or as ``SYSTEM:name`` where several systems have one of a name."""
        often = Counter(self.servers)
        pairs = zip(self.servers, self.systems or self.servers, strict=True)
        return tuple(f"{system}:{name}" if often[name] > 1 else name for name, system in pairs)


@record
class PathFound:
    """One permitted path, servers first to last."""

    servers: tuple[str, ...]
    """Server names, first to last, both included."""
    route_hops: int
    """Routes traversed."""
    zone_hops: tuple[ZoneHops, ...]
    """The same, inside each zone."""
    steps: tuple[Step, ...]
    """One a link."""
    cost: int | None = None
    """The sum of the costs; null where the system has none."""
    certain: bool = True
    """False where messages take the path only if it is chosen at run time, or where the loaded
    files do not decide whether they can, or `later`.
    """
    later: bool = False
    """True where messages wait on the path until something happens, as in `reach`."""


@record(kw_only=True)
class PathsAnswer(Answer):
    """``paths``: by length, then by server names; ``truncated`` if there are more than asked
    for, or the budget ended.
    """

    question: ClassVar[str] = "paths"
    rows_field: ClassVar[str] = "paths"

    from_: str
    """The first server."""
    to: str
    """The last server."""
    paths: tuple[PathFound, ...]
    """Shortest first, then by server names."""
    truncated: bool
    """Whether there are or may be more."""
    unused: tuple[tuple[str, ...], ...] = ()
    """Paths of the same cost that are not taken, where a system takes one only: at most as many
    as paths were asked for, by server names.
    """
    unused_count: int = 0
    """How many of them there are."""
    undetermined: tuple[Undetermined, ...] = ()
    """``to``, if the loaded files (or the budget) leave open whether it is reached, or reached
    over other paths too.
    """
    stopped: tuple[Stopped, ...] = ()
    """Without a path: the links at which messages towards the last server end, and why."""
    system: str = ""
    """The system of the first server."""
    to_system: str = ""
    """The system of the last server."""
