"""Which servers of a network stand in a picture: all of them, those near some servers, or of a
large network the ones that join the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from topograph.errors import UsageError
from topograph.questions.texts.layout import count, listed
from topograph.records import record

READABLE = 1_000
"""Servers of the part that is drawn of a network too large to be drawn whole; a page of more
begins with the overview of its zones.
"""

OVERVIEW = 20_000
"""Servers up to which a picture has all of them, unless a neighbourhood is asked for: of more than
READABLE it begins with the overview.
"""

STEPS = 400_000
"""Steps of all paths of an answer up to which it is drawn on a network of more than WHOLE servers:
its page has all of them."""

WHOLE = 5_000
"""Servers up to which an answer of more than STEPS steps is drawn on the whole network."""

DRAWABLE = 3_000
"""The most servers of a neighbourhood that was asked for: what a browser still moves fluently."""

DEPTH = 1
"""Links between the servers named and the farthest ones drawn, where only the servers are named."""


@record
class Neighbourhood:
    """The servers in the picture, the servers it is about (empty: the whole network), and in
    words what was left out, if anything.
    """

    servers: frozenset[str]
    around: tuple[str, ...] = ()
    left_out: str = ""


def neighbourhood(
    neighbours: Mapping[str, Collection[str]],
    zones_of: Mapping[str, Collection[object]],
    named: Sequence[str],
    around: Sequence[str] = (),
    depth: int | None = None,
    *,
    readable: int | None = OVERVIEW,
    stopped: Sequence[str] = (),
) -> Neighbourhood:
    """The servers to draw of a network in which ``neighbours`` has every server.

    ``named`` are the servers that the question is about; they are the centre where ``around`` names
    none. ``stopped`` are the servers where messages end, with those on the way there, the first
    causes first: they belong to the part that is drawn, as far as there is room. A network of at
    most ``readable`` servers is drawn whole (None: of any size), unless a neighbourhood is asked
    for; of a larger one at most READABLE are drawn. Raises UsageError for a depth without a centre,
    and for a neighbourhood of more than DRAWABLE servers. Linear in the links.
    """
    if around or depth is not None:
        return _asked_for(neighbours, tuple(dict.fromkeys(around or named)), depth, readable)
    if readable is None or len(neighbours) <= readable:
        return Neighbourhood(frozenset(neighbours))
    if named:
        return _near(neighbours, tuple(dict.fromkeys(named)), min(readable, READABLE), stopped)
    return _joints(neighbours, zones_of, min(readable, READABLE))


def _asked_for(
    neighbours: Mapping[str, Collection[str]],
    around: tuple[str, ...],
    depth: int | None,
    readable: int | None,
) -> Neighbourhood:
    if not around:
        raise UsageError(
            "--depth counts links from a server: name one with --around, or ask a "
            "question that names one."
        )
    levels = 0
    kept: set[str] = set()
    for level in _levels(neighbours, around):
        if levels > (DEPTH if depth is None else depth):
            break
        kept |= level
        levels += 1
    if readable is not None and len(kept) > DRAWABLE:
        raise UsageError(
            f"{len(kept):,} servers are within {count(levels - 1, 'link')} of "
            f"{listed(around)}; a page shows at most {DRAWABLE:,}. "
            "Take a smaller --depth, or --format graphml for a tool for large graphs."
        )
    said = f"the servers within {count(levels - 1, 'link')} of {listed(around)}"
    return Neighbourhood(frozenset(kept), around, said if len(kept) < len(neighbours) else "")


def _near(
    neighbours: Mapping[str, Collection[str]],
    around: tuple[str, ...],
    readable: int,
    stopped: Sequence[str] = (),
) -> Neighbourhood:
    """As many whole levels around the servers named as can be read, beside the servers where
    messages end, which take three quarters of the room at most; of the first level that is too
    many, the servers with most neighbours."""
    ends = tuple(dict.fromkeys(stopped))[: 3 * readable // 4]
    kept: set[str] = set(ends)
    depth = -1
    for level in _levels(neighbours, around):
        if len(kept | level) > readable:
            break
        kept |= level
        depth += 1
    if depth < 1:
        beyond = sorted(
            {name for server in kept or around for name in neighbours[server]} - kept,
            key=lambda name: (-len(neighbours[name]), name),
        )
        others = [name for name in around if name not in kept]
        kept.update(others[: readable - len(kept)])
        kept.update(beyond[: max(0, readable - len(kept))])
        said = f"{listed(around)} and the neighbours that have most neighbours themselves"
    else:
        said = f"the servers within {count(depth, 'link')} of {listed(around)}"
    if ends:
        said += ", and those where messages end"
    return Neighbourhood(frozenset(kept), around, said)


def _joints(
    neighbours: Mapping[str, Collection[str]],
    zones_of: Mapping[str, Collection[object]],
    readable: int,
) -> Neighbourhood:
    """The servers that join zones, those with most zones and neighbours first: without them the
    network falls apart.
    """
    order = sorted(
        neighbours, key=lambda name: (-len(zones_of.get(name, ())), -len(neighbours[name]), name)
    )
    joints = [name for name in order if len(zones_of.get(name, ())) > 1]
    if joints:
        return Neighbourhood(frozenset(joints[:readable]), (), "the servers in more than one zone")
    return _near(neighbours, (order[0],), readable)


def _levels(neighbours: Mapping[str, Collection[str]], start: Iterable[str]) -> Iterable[set[str]]:
    """Servers by their distance in links: first ``start`` itself."""
    seen = set(start)
    level = set(seen)
    while level:
        yield level
        level = {name for server in level for name in neighbours[server]} - seen
        seen |= level
