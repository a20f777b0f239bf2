"""What a system says of the walk from one server: the shape that questions turn into answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.graph import DOWN, OPEN, STANDBY, STOPPED, ForwardingGraph, Link
from topograph.forwarding.servers import open_ended
from topograph.forwarding.simple import Path
from topograph.outcomes import NotForwarded, Truth
from topograph.records import record

NOT_DECIDED = -2
"""The hops to a server in a row of hops, where the budget ended before a shortest path was found
or excluded.
"""

LEFT_OPEN = -3
"""The hops to a server in a row of hops, where every path there takes a link of which a finding
leaves open whether it comes up (``graph.OPEN``).
"""


@record
class Decided:
    """Whether a server that the files leave open is reached if an assumption holds."""

    assumption: Assumption
    reached: bool


def none_needed(_server: int) -> tuple[Needed, ...]:
    """Nothing, where what servers would need is not judged."""
    return ()


@record
class NeededLink:
    """A link that no file shows, as far as an answer depends on it: its other end is the server
    asked from or one that reaches it (``to_start``), or so the server asked about. ``zones`` are
    those that it may be in; where that is empty, any but ``except_zones``."""

    to_start: bool
    zones: tuple[str, ...] = ()
    except_zones: tuple[str, ...] = ()


@record
class Needed:
    """The links that server ``server`` (number) would need, all of them, for another answer;
    whether the network could be ``legal`` with them."""

    server: int
    links: tuple[NeededLink, ...]
    legal: bool


@dataclass
class Reached:
    """From one server to all others; servers by number, the server itself in none of the fields.

    ``paths``: servers reached, with the path (points, start included). ``undetermined``: why the
    loaded files (or the search budget) do not decide it, and where. Every other server is certainly
    not reached. ``doubled``: servers reached over more than one path. ``uncertain``: servers that
    have a path, but only by way of something that is chosen at run time or decided by code which no
    file shows. ``exact`` is False if the budget ended a search: ``cut`` are then the servers among
    ``undetermined`` that it left open, and ``longer`` those with a path that may not be the
    shortest. ``beyond`` says why a message may get to servers that no loaded file names, and where
    that stands; None where it does not. ``towards``: of servers among ``undetermined`` the path up
    to the server whose files leave it open, where one leads there. ``decided``: of servers among
    ``undetermined`` the assumption under which it is known whether they are reached, where there is
    one. ``needed`` gives of such a server what servers would need for a message to get there over
    links that no file shows: alternatives, none where that was not judged. ``closed_by`` are
    the assumptions by which no server that is not loaded leads to one that is not reached.
    Of several paths one on which nothing waits (``graph.HOLDING``) comes before a
    shorter one: that is then in ``passed_over``.
    """

    start: int
    paths: Mapping[int, Path]
    undetermined: dict[int, tuple[str, Source]] = field(default_factory=dict)
    doubled: bool = False
    exact: bool = True
    uncertain: frozenset[int] = frozenset()
    cut: frozenset[int] = frozenset()
    longer: frozenset[int] = frozenset()
    beyond: tuple[str, Source] | None = None
    towards: dict[int, Path] = field(default_factory=dict)
    decided: Mapping[int, Decided] = field(default_factory=dict)
    needed: Callable[[int], tuple[Needed, ...]] = none_needed
    closed_by: tuple[Assumption, ...] = ()
    passed_over: Mapping[int, Path] = field(default_factory=dict)


def leads_beyond(graph: ForwardingGraph, servers: Iterable[int]) -> tuple[str, Source] | None:
    """The first of these servers, by number, from which links that no file shows may lead to
    servers that none names: in words, and its place. None where no server does. Linear in the
    servers."""
    open_ = frozenset(open_ended(graph.servers))
    first = min(open_.intersection(servers), default=None) if open_ else None
    if first is None:
        return None
    server = graph.servers[first]
    return f"{server.name} may have links to servers whose files are not loaded", server.source


@dataclass
class PathList:
    """Paths between two servers, shortest first; ``truncated`` if there are more, ``exact`` False
    if the budget ended the search.

    ``unused`` are ways that cost as much as the path and are not taken, as server numbers;
    ``unused_count`` is the number of all of them."""

    paths: list[Path]
    truncated: bool = False
    exact: bool = True
    unused: list[tuple[int, ...]] = field(default_factory=list)
    unused_count: int = 0


@record
class LinkShown:
    """A link as ``show routes`` lists it. ``ends`` are server names in order; ``configured_by``
    the server whose file has it, or ``active-active``; ``cost`` is None where the system has
    none. ``one_way``: messages pass from the first end to the second only. ``system`` is that of
    its first end. ``standby``: it carries nothing as long as another link works. ``name`` is
    what it is called in the configuration, ``role`` what kind of link it is, where it has one;
    ``systems`` are those of both ends. ``because``, where it is not empty, says why it is not
    known where the link leads or what passes it, or of the role ``STOPPED`` why it does not come
    up: nothing is taken to pass it for certain. ``down``, where it is not empty, why nothing
    passes it. ``idle``: it is configured, and no message of the loaded files takes it."""

    ends: tuple[str, str]
    zone: str
    zone_type: str
    configured_by: str
    cost: int | None
    source: Source
    one_way: bool = False
    system: str = ""
    standby: bool = False
    name: str = ""
    role: str = ""
    systems: tuple[str, str] = ("", "")
    because: str = ""
    down: str = ""
    idle: bool = False


NOT_KNOWN = "it is not known where it leads"
"""``LinkShown.because`` of a link of which the files say no more."""


def shown_links(
    graph: ForwardingGraph,
    *,
    standby: bool = False,
    unresolved: bool = False,
    stopped: bool = False,
) -> list[LinkShown]:
    """Every link that messages may use, with ``standby`` those that wait for another to fail,
    with ``unresolved`` those of which it is not known where they lead or what passes them, and
    with ``stopped`` those that do not come up, by the names of their ends. Linear in the links."""
    found = []
    for link in graph.links:
        waits = link.role == STANDBY
        stops = link.role == STOPPED
        open_ = not link.carries and not waits
        wanted = (standby and waits) or (stopped and stops) or (unresolved and open_ and not stops)
        if link.carries or wanted:
            because = (
                "; ".join(graph.guards[number].text for number in link.guards) or NOT_KNOWN
                if open_
                else _said(graph, link, OPEN)
            )
            down = because if stops else _said(graph, link, DOWN)
            a, b = graph.servers[link.a], graph.servers[link.b]
            first, second = (a, b) if link.one_way or a.name <= b.name else (b, a)
            found.append(
                LinkShown(
                    (first.name, second.name),
                    link.zone,
                    link.zone_type,
                    link.configured_by,
                    link.cost,
                    link.source,
                    link.one_way,
                    a.system,
                    waits,
                    link.name,
                    link.role,
                    (first.system, second.system),
                    because if stops or not down else "",
                    down,
                )
            )
    return sorted(found, key=lambda link: (link.ends, link.source))


def _said(graph: ForwardingGraph, link: Link, kind: str) -> str:
    """What the guards of one kind on a link say."""
    said = (graph.guards[number] for number in link.guards)
    return "; ".join(guard.text for guard in said if guard.kind == kind)


@record
class Stop:
    """A link out of server ``at`` (number) that a message does not take, the condition of
    NOT_FORWARDED, the predicate that failed, and the rule."""

    at: int
    to: int
    reason: NotForwarded
    guard: str
    truth: Truth
    source: Source
    rule: str = ""
