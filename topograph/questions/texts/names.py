"""The text of ``cycles`` and ``interests``: which server holds which name, and over which
neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from topograph.findings import Source
from topograph.questions.texts.circles import circles
from topograph.questions.texts.circles import title as circles_title
from topograph.questions.texts.extent import as_far
from topograph.questions.texts.layout import Cell, Page, Row, Tone, count, listed, place
from topograph.questions.texts.walks import undetermined

if TYPE_CHECKING:
    from topograph.questions.answers import (
        CyclesAnswer,
        Duplicate,
        InterestDifference,
        InterestEntry,
        InterestsAnswer,
        Ring,
        RingRoute,
    )

ROUTES_SHOWN = 100
"""Routes of a ring that are listed before the rest is counted."""

NAMES_SHOWN = 20
"""Names listed for a server where several servers are listed; a server asked for alone has all
of its names listed.
"""


def cycles(answer: CyclesAnswer, page: Page) -> None:
    """Each ring with its routes; with ``page.full`` also each name that arrives twice, with its
    paths.
    """
    strictly = " (checked strictly)" if answer.strict else ""
    if answer.circles_of and not answer.duplicates and not answer.strict:
        page.title(*circles_title(answer))
    elif not answer.judged:
        page.title("No system of this network has a rule against more than one path.")
    elif answer.legal == "unknown":
        page.title(
            (
                "Whether a server would hold a name over more than one route cannot be "
                f"decided{strictly}."
            ),
            Tone.UNSURE,
        )
    elif answer.legal:
        none = (
            "Legal: no server would hold a name"
            if answer.exact
            else "No server was found to hold a name"
        )
        routers = (
            "; routers are joined by redundant paths, as they should be" if answer.redundant else ""
        )
        page.title(f"{none} over more than one route{strictly}{routers}.", Tone.GOOD)
    elif not answer.duplicates and not answer.exact:
        page.title(
            (
                "Illegal: a server would hold a name over more than one route; which one was "
                "not found."
            ),
            Tone.BAD,
        )
    elif not answer.duplicates:
        page.title(
            (
                "Illegal, checked strictly: routes form a cycle that the temporary-topic "
                "rule would accept."
            ),
            Tone.BAD,
        )
    else:
        servers = sorted({duplicate.server for duplicate in answer.duplicates})
        over = f"{'' if answer.exact else 'at least '}{_topics(len(answer.duplicates))}"
        page.title(
            f"Illegal: {listed(servers)} would hold {over} over more than one route{strictly}.",
            Tone.BAD,
        )
    wanted = {part.system for part in answer.redundant}
    numbers = _ring_of(answer)
    brought: dict[int | None, list[Duplicate]] = {}
    for one in answer.duplicates:  # the last links of its paths are in one ring
        brought.setdefault(numbers.get((one.system, one.server, one.via[0])), []).append(one)
    for number, ring in enumerate(answer.rings):
        if ring.system not in wanted:
            _ring(ring, brought.get(number, ()), answer, page)
    if wanted:
        page.section("Redundant paths between routers")
        for ring in answer.rings:
            if ring.system in wanted:
                page.line(_shape(ring, "router", "link"), indent=2)
                _routes(ring.routes, page, indent=6)
    circles(answer, page)


def _ring(ring: Ring, brought: Sequence[Duplicate], answer: CyclesAnswer, page: Page) -> None:
    """The routes that may be refused, or all where none is known to be; then how many names
    arrive twice because of them, and the first of them.
    """
    page.section(_shape(ring, "server", "route") + _judged(ring), _MARKS[ring.legal])
    at_risk = [route for route in ring.routes if route.refusable]
    _routes(at_risk or ring.routes, page)
    if at_risk:
        # Where rings share routes, one of them less may leave another.
        remedy = " Remove one to break the ring." if ring.cycles == 1 else ""
        page.line(f"After a restart, any one of these routes may be refused.{remedy}", indent=2)
        if safe := len(ring.routes) - len(at_risk):
            page.line(f"{count(safe, 'other route')} between these servers cannot be.", indent=2)
    if brought:
        first = brought[0]
        said = f"{first.server} would hold {first.name} via {listed(first.via, 8)}"
        if len(brought) > 1:
            most = "" if answer.exact else "at least "
            said = (
                f"{most}{_topics(ring.pairs)} would arrive over more than one route; "
                f"for example, {said}"
            )
        page.line(f"{said[0].upper()}{said[1:]}.{'' if page.full else _PAIRS}", indent=2)
    if page.full:
        for one in brought:
            _duplicate(one, page, ring.cycles != 1)


def _topics(number: int) -> str:
    """How many names of temporary topics."""
    return count(number, "temporary-topic name")


_PAIRS = " Use --pairs to list all paths."


def _shape(ring: Ring, server: str, link: str) -> str:
    """``Ring of 3 servers``, or how many servers, links and rings there are where they share
    links.
    """
    if ring.cycles == 1:
        return f"Ring of {count(len(ring.servers), server)}"
    rings = "more than 1,000 rings" if ring.cycles is None else f"{ring.cycles:,} rings"
    return f"{count(len(ring.servers), server)} whose {count(len(ring.routes), link)} form {rings}"


def _judged(ring: Ring) -> str:
    if ring.legal == "unknown":
        return ": the search ended before it was judged"
    if ring.legal or not ring.pairs:
        return " over several zones; the temporary-topic rule accepts it"
    return ""


_MARKS = {False: Tone.BAD, "unknown": Tone.UNSURE, True: Tone.TITLE}


def _routes(routes: Sequence[RingRoute], page: Page, indent: int = 2) -> None:
    rows: list[Row] = []
    for route in routes[:ROUTES_SHOWN]:
        zone = (
            f"zone {route.zone}{f' ({route.zone_type})' if route.zone_type else ''}"
            if route.zone
            else ""
        )
        side = "both sides" if route.configured_by == "active-active" else route.configured_by
        rows.append(
            (
                f"{route.from_} - {route.to}",
                zone,
                "" if route.cost is None else f"cost {route.cost}",
                f"configured on {side}" if side else "",
                Cell(place(route.source), Tone.FAINT),
            )
        )
    page.table(rows, indent=indent)
    page.more(len(routes) - ROUTES_SHOWN, indent=indent)


def _ring_of(answer: CyclesAnswer) -> Mapping[tuple[str, str, str], int]:
    """By system and the two servers of a route, in either order, the number of the ring that it
    is in.
    """
    return {
        (ring.system, *ends): number
        for number, ring in enumerate(answer.rings)
        for route in ring.routes
        for ends in ((route.from_, route.to), (route.to, route.from_))
    }


def _duplicate(duplicate: Duplicate, page: Page, with_routes: bool) -> None:
    """A name that arrives twice, with its paths; of several rings also the routes that lie on
    one of the paths alone.
    """
    page.blank()
    said = f" would hold {duplicate.name} via {listed(duplicate.via, 8)}:"
    page.line(Cell(duplicate.server, Tone.TITLE), said, indent=2)
    for path in duplicate.paths:
        page.line(page.style.path(path), indent=6)
    if with_routes:
        page.line("after a restart any of these routes may be refused:", indent=6)
        page.names(duplicate.routes, indent=10)


def interests(answer: InterestsAnswer, page: Page) -> None:
    """The differences from what was observed first, then the names by server."""
    held = sum(len(entries) for entries in answer.servers.values())
    open_ = [*dict.fromkeys(entry.server for entry in answer.undetermined)]
    everyone = {*open_} == {*answer.servers}
    who = ("it" if len(open_) == 1 else "each") if everyone else listed(open_)
    more = f"; {who} may hold more" if open_ else as_far(answer)
    if not answer.servers and answer.undetermined:
        page.title("Which names are held cannot be decided.", Tone.UNSURE)
    elif len(answer.servers) == 1:
        (server,) = answer.servers
        page.title(f"{server} holds {count(held, 'name')}{more}.{_differences(answer)}")
    else:
        page.title(
            f"{count(len(answer.servers), 'server')} hold "
            f"{count(held, 'name')}{more}.{_differences(answer)}"
        )
    _different(page, "Missing: expected of the configuration, not observed", answer.missing)
    _different(page, "Unexpected: observed, not expected of the configuration", answer.unexpected)
    _listed(answer, page)
    alone = len(answer.servers) == 1
    for server, entries in answer.servers.items():
        _holder(page, server, entries, len(entries) if alone else NAMES_SHOWN)
    undetermined(page, answer.undetermined, answer.system)


def _listed(answer: InterestsAnswer, page: Page) -> None:
    """The interest in topics that servers listed: what differs first, then all of it, and the
    servers of which it is not known.
    """
    if not (answer.listed or answer.not_listed or answer.not_observed):
        return
    if answer.not_listed:
        page.section("Implied and not listed", Tone.BAD)
        page.table(
            [
                _row(one.server, one.topic, one.for_, one.because, one.source)
                for one in answer.not_listed
            ]
        )
    for state, heading, mark in (
        ("unexpected", "Listed and not implied", Tone.BAD),
        ("unknown", "Listed, and not known whether it is implied", Tone.UNSURE),
        ("expected", "Listed as implied", Tone.GOOD),
        ("client", "Listed subscribers of clients", Tone.GOOD),
    ):
        shown = [one for one in answer.listed if one.state == state]
        if shown:
            page.section(heading, mark)
            page.table(
                [
                    _row(one.server, one.topic, one.for_, one.because or one.kind, one.source)
                    for one in shown
                ]
            )
    if answer.not_observed:
        page.section("Not observed: what else is held there is not known", Tone.UNSURE)
        page.table(
            [
                (one.server, one.because, Cell(str(one.source), Tone.FAINT))
                for one in answer.not_observed
            ],
        )


def _row(server: str, topic: str, for_: str, because: str, source: Source) -> Row:
    return server, topic, f"held for {for_}" if for_ else "", because, Cell(str(source), Tone.FAINT)


def _holder(page: Page, server: str, entries: Sequence[InterestEntry], most: int) -> None:
    page.section(server)
    if not entries:
        page.line("holds no name of another server", indent=2)
    page.table(
        [
            (entry.name, f"via {entry.via}" if entry.via else "", count(entry.hops, "hop"))
            for entry in entries[:most]
        ],
        right=(2,),
    )
    page.more(len(entries) - most)


def _differences(answer: InterestsAnswer) -> str:
    parts = []
    if answer.missing:
        parts.append(f"{len(answer.missing):,} missing")
    if answer.unexpected:
        parts.append(f"{len(answer.unexpected):,} unexpected")
    where = count(len(answer.compared), "server")
    told = f" Observed at {where}: {' and '.join(parts)}." if parts else ""
    if answer.compared and not parts:
        told = f" Observed at {where}: exactly these."
    return told + _interest(answer)


def _interest(answer: InterestsAnswer) -> str:
    """What was listed of the interest in topics, in one sentence; empty where that was not asked
    for.
    """
    if not (answer.listed or answer.not_listed or answer.not_observed):
        return ""
    unexpected = sum(one.state == "unexpected" for one in answer.listed)
    counts = [
        (len(answer.not_listed), "implied and not listed"),
        (unexpected, "listed and not implied"),
    ]
    parts = [f"{number:,} {what}" for number, what in counts if number]
    open_ = len({one.server for one in answer.not_observed})
    told = (
        f" Interest in topics: {len(answer.listed):,} "
        f"listed{''.join(f', {part}' for part in parts)}"
    )
    return told + (f"; not known of {count(open_, 'server')}." if open_ else ".")


def _different(page: Page, heading: str, entries: Sequence[InterestDifference]) -> None:
    if entries:
        page.section(heading, Tone.BAD)
        page.table(
            [
                (entry.server, entry.name, f"via {entry.via}" if entry.via else "")
                for entry in entries
            ]
        )
