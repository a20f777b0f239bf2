"""EMS facts to graph tables: servers, points, guards (ems.md 6.1, 6.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from topograph.facts.ems import WITHOUT_EFFECT
from topograph.forwarding import graph as forwarding
from topograph.forwarding.graph import DOWN, OPEN, GraphTables, Server
from topograph.systems.contract.system import Check, Compiled
from topograph.systems.ems.checks.definitions import defined_twice
from topograph.systems.ems.checks.lint import lint_network, lint_servers
from topograph.systems.ems.destinations.guards import (
    GuardBook,
    ServerSettings,
    link_guards,
    routing_guard,
    settings,
)
from topograph.systems.ems.network.assemble import assemble
from topograph.systems.ems.network.configured import Configured
from topograph.systems.ems.network.links import EmsConfiguration
from topograph.systems.ems.network.points import points_of


def compiled(estate: EmsConfiguration) -> Compiled:
    """Compile the servers and links of one network. Linear in them, plus what each link's guards
    take.

    Points are numbered servers first (the origins, in name order), then two arrivals a link, in
    link order: towards the lexically second end, then towards the first.
    """
    tables = tables_of(estate)
    graph = cache(partial(assemble, tables))
    checks = (lambda: lint_network(estate, graph()),)
    return Compiled(tables, tuple(estate.findings), checks, graph, tuple(checks_apart(estate)))


def checks_apart(estate: EmsConfiguration) -> Sequence[Check]:
    """See ``ClosedForm.apart``."""
    return (partial(lint_servers, estate),)


def tables_of(estate: EmsConfiguration) -> GraphTables:
    """The tables of an estate."""
    names = sorted({*estate.servers, *estate.unloaded})
    number = {name: place for place, name in enumerate(names)}
    servers = [_server(name, estate) for name in names]
    book = GuardBook()
    known: dict[str, ServerSettings] = {}
    for name in names:
        configured = estate.servers.get(name)
        known[name] = (
            settings(configured)
            if configured
            else ServerSettings(name, False, None, False, source=servers[number[name]].source)
        )
    guards = [
        link_guards(book, link, known[start], known[end])
        for link in estate.links
        for start, end in (link.ends, link.ends[::-1])
    ]
    for side in known.values():
        if side.down:
            routing_guard(
                book, side
            )  # also where no link shows it: no route of any other server gets there
    links = [
        forwarding.Link(
            number[link.ends[0]],
            number[link.ends[1]],
            link.zone,
            link.zone_type,
            configured_by=link.role,
            rule="R1",
            guards=_up_or_not(book, own),
            source=link.source,
        )
        for link, own in zip(estate.links, guards[1::2], strict=True)
    ]
    points = points_of(servers, estate.links, number, guards)
    return GraphTables("ems", servers, points, book.guards, links)


def _up_or_not(book: GuardBook, guards: Sequence[int]) -> tuple[int, ...]:
    """The guards that say that a link does not come up, or may not: those of either direction."""
    return tuple(number for number in guards if book.guards[number].kind in (DOWN, OPEN))


def _server(name: str, estate: EmsConfiguration) -> Server:
    configured = estate.servers.get(name)
    if configured is None:
        return Server(
            name,
            "ems",
            False,
            estate.unloaded[name].source,
            "its configuration is not loaded",
            True,
        )
    because, open_ended = _incomplete(configured)
    if name in estate.on_servers:
        effect = estate.on_servers[name]
        because = "; ".join(filter(None, (f"{effect.because} ({effect.rule})", because)))
    return Server(name, "ems", True, configured.member.server.source, because, open_ended)


def _incomplete(configured: Configured) -> tuple[str, bool]:
    """Why answers about a loaded server are incomplete, and whether it may have links that no
    file shows.
    """
    server = configured.member.server
    absent = [
        kind for kind in server.missing if kind not in server.unread and kind not in WITHOUT_EFFECT
    ]
    unread = [kind for kind in server.unread if kind not in WITHOUT_EFFECT]
    reasons = [configured.conflict] if configured.conflict else []
    if absent:
        reasons.append(f"named sub-files were not found: {', '.join(absent)}")
    if unread:
        reasons.append(f"not all entries could be read: {', '.join(unread)}")
    if configured.differs and configured.standby is not None:
        used, other = configured.member.server.source.file, configured.standby.server.source.file
        kinds = ", ".join(f"{kind}s" for kind in configured.differs)
        reasons.append(
            f"the members of its fault-tolerant pair differ in {kinds}; {used} is used, not {other}"
        )
    if doubled := defined_twice(configured):
        reasons.append(doubled)
    # With routing disabled none of its routes is up, whatever they are (R6).
    unlisted = configured.routes_differ or (
        "routes" in server.missing and server.routing is not False
    )
    return "; ".join(reasons), bool(configured.conflict) or unlisted
