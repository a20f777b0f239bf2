"""The overview of a large network: a disc for each zone instead of its servers, as data.

``overview`` makes it of a ``Scene``: discs with their sizes and places, bundles of what joins two
discs, and what the answer says of each. ``svg_overview`` draws it without scripts; a page takes
discs and bundles from here and counts the answer's marks itself, since its answer may change.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from topograph.findings import Severity
from topograph.forwarding.components import connected
from topograph.records import record
from topograph.viz.layout.disc_places import Disc, place_discs
from topograph.viz.scene.records import LinkDrawn, Mark, PathDrawn, Scene

LEAST_RADIUS = 70.0
"""Layout units that a disc's radius has before its servers are counted: room for a name."""

PER_SERVER = 45.0
"""A disc's radius grows with the square root of its servers, times this."""

SMALL_GROUP = 12
"""Servers in no zone that hang together are one group up to so many, or up to the square root of
their number where that is more.
"""


AT_HOME = 10
"""A zone of which no more than one server in so many is at home in it spans others."""


@record
class DiscDrawn:
    """A zone, or a group of servers that are in no zone, as a disc: ``zone`` is its number in
    ``Scene.zones``, -1 for a group. ``links`` counts the links of the zone, or between servers
    of the group. ``unloaded`` counts servers whose files are not loaded, ``worst`` is the
    severest finding about one of them or a link (None: none is known), ``errors`` and
    ``warnings`` count those that are listed or counted in the scene. ``shares`` counts the
    servers by what the answer says of them (empty without an answer), ``blocked`` the places
    where the message goes no further; ``result`` says both in words. ``hub`` is the server of the
    disc that has more neighbours than any other in it, "" where there is none. ``x``, ``y``,
    ``radius`` are layout units, whole numbers, y downwards; no two discs overlap."""

    name: str
    type: str
    zone: int
    servers: tuple[str, ...]
    links: int
    unloaded: int = 0
    worst: Severity | None = None
    shares: tuple[tuple[Mark, int], ...] = ()
    blocked: int = 0
    result: str = ""
    x: float = 0.0
    y: float = 0.0
    radius: float = 0.0
    hub: str = ""
    errors: int = 0
    warnings: int = 0


@record
class BundleDrawn:
    """What joins two discs (their numbers, the smaller first): the servers that are in both, and
    ``links`` between servers of the one and the other. ``blocked`` counts the links of these
    that the message does not take."""

    ends: tuple[int, int]
    servers: tuple[str, ...] = ()
    links: int = 0
    blocked: int = 0


@record
class SpineDrawn:
    """A zone that spans others: nearly all of its servers are at home in other discs. Its links are
    drawn between those (``pairs`` of numbers, the smaller first, in order), not as spokes from its
    own ``disc``: they show how the others hang together."""

    disc: int
    pairs: tuple[tuple[int, int], ...]


@record
class CrossingDrawn:
    """A path of the answer over the discs: each disc that it passes, in order, with the numbers
    of its first and last step there.
    """

    title: str
    discs: tuple[tuple[int, int, int], ...]


@record
class Overview:
    """All discs, zones first in the order of the scene; bundles by their ends; the paths that
    the scene shows. ``homes`` has of each server the number of the disc in which it has most
    links."""

    discs: tuple[DiscDrawn, ...]
    bundles: tuple[BundleDrawn, ...]
    crossings: tuple[CrossingDrawn, ...]
    homes: Mapping[str, int]
    spines: tuple[SpineDrawn, ...] = ()


def overview(scene: Scene, worst: Mapping[str, Severity] | None = None) -> Overview:
    """The overview of a scene; ``worst`` has the severest finding about a server, by its name
    (those of the scene where it is not given). A server is in the disc of each of its zones; one
    that is in none is in the disc of a group. Every link is counted once, in a disc or in a
    bundle. About linear in the scene, and quadratic in the discs."""
    members = [zone.servers for zone in scene.zones]
    homes = homes_of(scene)
    names = [zone.name for zone in scene.zones]
    for name, group in _groups(scene, homes):
        homes.update(dict.fromkeys(group, len(members)))
        members.append(group)
        names.append(name)
    discs_of: dict[str, list[int]] = {}
    for number, servers in enumerate(members):
        for server in servers:
            discs_of.setdefault(server, []).append(number)
    disc_of_link = {id_: number for number, zone in enumerate(scene.zones) for id_ in zone.links}
    between: dict[str, tuple[int, int]] = {}
    for link in scene.links:
        if link.id not in disc_of_link:
            ends = _between(link, discs_of, homes)
            if isinstance(ends, int):
                disc_of_link[link.id] = ends
            else:
                between[link.id] = ends
    discs = _placed(
        scene,
        _said(
            scene,
            _discs(scene, names, members, disc_of_link, scene.worst if worst is None else worst),
            disc_of_link,
            between,
            homes,
        ),
    )
    bundles = _bundles(scene, discs_of, homes, between)
    shown = (path for path in scene.paths if path.shown)
    crossings = tuple(_crossing(path, disc_of_link, homes) for path in shown)
    return Overview(discs, bundles, crossings, homes, _spines(scene, homes))


def _spines(scene: Scene, homes: Mapping[str, int]) -> tuple[SpineDrawn, ...]:
    """The zones that span others, by number. Linear in the links."""
    ends = {link.id: link.ends for link in scene.links}
    found = []
    for number, zone in enumerate(scene.zones):
        at_home = sum(homes.get(name) == number for name in zone.servers)
        if len(zone.servers) > SMALL_GROUP and at_home * AT_HOME <= len(zone.servers):
            joined = {tuple(sorted(homes[end] for end in ends[link])) for link in zone.links}
            pairs = sorted((a, b) for a, b in joined if a != b)
            if pairs:
                found.append(SpineDrawn(number, tuple(pairs)))
    return tuple(found)


def homes_of(scene: Scene) -> dict[str, int]:
    """The number of the zone in which each server has most links; of equals the larger zone,
    then the first. Servers in no zone are left out.
    """
    links_in: Counter[tuple[int, str]] = Counter()
    ends = {link.id: link.ends for link in scene.links}
    for number, zone in enumerate(scene.zones):
        for link in zone.links:
            links_in.update((number, end) for end in ends[link])
    best: dict[str, tuple[int, int, int]] = {}
    for (number, server), links in links_in.items():
        order = (-links, -len(scene.zones[number].servers), number)
        best[server] = min(best.get(server, order), order)
    return {server: order[2] for server, order in best.items()}


def _between(
    link: LinkDrawn, discs_of: Mapping[str, Sequence[int]], homes: Mapping[str, int]
) -> int | tuple[int, int]:
    """The disc that a link of no zone lies in, or the two that it joins."""
    first, second = link.ends
    shared = sorted(set(discs_of[first]) & set(discs_of[second]))
    if shared:
        return next(
            (number for number in (homes[first], homes[second]) if number in shared), shared[0]
        )
    return min(homes[first], homes[second]), max(homes[first], homes[second])


def _discs(
    scene: Scene,
    names: Sequence[str],
    members: Sequence[tuple[str, ...]],
    disc_of_link: Mapping[str, int],
    worst: Mapping[str, Severity],
) -> list[DiscDrawn]:
    loaded = {server.name: server.loaded for server in scene.servers}
    links = Counter(disc_of_link.values())
    neighbours: dict[str, set[str]] = {}
    for link in scene.links:
        for here, there in (link.ends, link.ends[::-1]):
            neighbours.setdefault(here, set()).add(there)
    degree = {name: len(others) for name, others in neighbours.items()}
    at_servers, inside = _counted(scene, disc_of_link)
    found = []
    for number, servers in enumerate(members):
        zone = scene.zones[number] if number < len(scene.zones) else None
        noticed = inside.get(number, Counter())
        for name in servers:
            noticed = noticed + at_servers[name] if name in at_servers else noticed
        found.append(
            DiscDrawn(
                name=names[number],
                type=(zone.type if zone.kind == "zone" else zone.kind) if zone else "",
                zone=number if zone else -1,
                servers=servers,
                links=links[number],
                hub=_hub(servers, degree),
                unloaded=sum(not loaded[name] for name in servers),
                worst=max(
                    (*(worst[name] for name in servers if name in worst), *noticed),
                    key=lambda one: one.rank,
                    default=None,
                ),
                errors=noticed[Severity.ERROR],
                warnings=noticed[Severity.WARNING],
            )
        )
    return found


def _counted(
    scene: Scene, disc_of_link: Mapping[str, int]
) -> tuple[dict[str, Counter[Severity]], dict[int, Counter[Severity]]]:
    """How many findings of which severity there are about each server, and about links of each
    disc: those that the scene lists, and those that it counts only."""
    servers: dict[str, Counter[Severity]] = {}
    inside: dict[int, Counter[Severity]] = {}

    def add(server: str, link: str, severity: Severity, many: int) -> None:
        if server and many:
            servers.setdefault(server, Counter())[severity] += many
        elif many and link in disc_of_link:
            inside.setdefault(disc_of_link[link], Counter())[severity] += many

    for finding in scene.findings:
        add(finding.server, finding.link, finding.severity, 1)
    for more in scene.more_findings:
        add(more.server, more.link, Severity.ERROR, more.errors)
        add(more.server, more.link, Severity.WARNING, more.warnings)
    return servers, inside


def _hub(servers: Sequence[str], degree: Mapping[str, int]) -> str:
    """The server with more neighbours than any other, "" where there is none."""
    best = heapq.nlargest(2, servers, key=lambda name: degree.get(name, 0))
    most = [degree.get(name, 0) for name in best]
    return best[0] if len(best) == 2 and most[0] > most[1] else ""


RESULT_WORDS: tuple[tuple[Mark, str], ...] = (
    (Mark.DELIVERED, "delivered at"),
    (Mark.STORED, "stored at"),
    (Mark.WOULD_DELIVER, "would be delivered at"),
    (Mark.ONE_OF, "one of several:"),
    (Mark.LATER, "later at"),
    (Mark.HELD, "held at"),
    (Mark.ASIDE, "put aside at"),
    (Mark.REJECTED, "ends at"),
    (Mark.CIRCULATES, "goes round at"),
    (Mark.MAY_END, "may end at"),
    (Mark.TRANSIT, "passed"),
    (Mark.MAYBE_TRANSIT, "may be passed:"),
    (Mark.NOTHING, "get nothing:"),
    (Mark.DUPLICATE, "in a multi-path cycle:"),
    (Mark.REDUNDANT, "redundant:"),
    (Mark.CUT_OFF, "cut off:"),
    (Mark.APART, "no longer joined:"),
    (Mark.LOSES, "lose messages:"),
    (Mark.WOULD_LOSE, "would lose messages:"),
    (Mark.ELSEWHERE, "messages end elsewhere:"),
    (Mark.BETTER, "messages end better:"),
    (Mark.GAINS, "gain:"),
    (Mark.WOULD_GAIN, "would gain:"),
    (Mark.CRITICAL, "something is lost if one fails:"),
    (Mark.AFFECTS, "messages end elsewhere if one fails:"),
    (Mark.HARMLESS, "nothing is lost if one fails:"),
    (Mark.COMES, "come:"),
    (Mark.GOES, "go:"),
)
"""What is counted of a disc's servers, besides those reached and undetermined, in this order."""

REACHED = frozenset({Mark.ASKED, Mark.TARGET, Mark.REACHED})


def result_of(shares: Mapping[Mark, int], servers: int, blocked: int, *, counts_reach: bool) -> str:
    """``reached 31/34; 2 undetermined``: what the answer says of a disc. ``counts_reach``: the
    answer says of all servers whether they are reached; the server asked from counts as one.

    >>> result_of({Mark.REACHED: 2, Mark.UNDETERMINED: 1}, 4, 1, counts_reach=True)
    'reached 2/4; 1 undetermined; blocked 1 time'
    """
    parts = []
    if counts_reach:
        parts.append(f"reached {sum(shares.get(mark, 0) for mark in REACHED):,}/{servers:,}")
    elif shares.get(Mark.ASKED):
        parts.append("asked from here")
    parts += [f"{words} {shares[mark]:,}" for mark, words in RESULT_WORDS if shares.get(mark)]
    if shares.get(Mark.UNDETERMINED):
        parts.append(f"{shares[Mark.UNDETERMINED]:,} undetermined")
    if blocked:
        parts.append(f"blocked {blocked:,} {'time' if blocked == 1 else 'times'}")
    return "; ".join(parts)


def counts_reach(scene: Scene) -> bool:
    """Whether the answer says of every server whether it is reached: a ``reach`` of everything."""
    return scene.question == "reach" and any(
        server.mark is Mark.REACHED for server in scene.servers
    )


def _said(
    scene: Scene,
    discs: Sequence[DiscDrawn],
    disc_of_link: Mapping[str, int],
    between: Mapping[str, tuple[int, int]],
    homes: Mapping[str, int],
) -> list[DiscDrawn]:
    marks = {server.name: server.here or server.mark for server in scene.servers}
    asked = {server.name for server in scene.servers if server.mark is Mark.ASKED}
    blocked: Counter[int] = Counter()
    for block in scene.blocks:
        # On a link between two discs it is counted there.
        if block.link not in between and block.at in homes:
            blocked[disc_of_link.get(block.link, homes[block.at])] += 1
    reach = counts_reach(scene)
    order = {mark: number for number, mark in enumerate(Mark)}
    found = []
    for number, disc in enumerate(discs):
        shares = Counter(marks[name] for name in disc.servers if marks[name])
        in_order = tuple(sorted(shares.items(), key=lambda one: order[one[0]]))
        told = {**shares, Mark.ASKED: len(asked.intersection(disc.servers))}
        result = result_of(told, len(disc.servers), blocked[number], counts_reach=reach)
        found.append(replace(disc, shares=in_order, blocked=blocked[number], result=result))
    return found


def _crossing(
    path: PathDrawn, disc_of_link: Mapping[str, int], homes: Mapping[str, int]
) -> CrossingDrawn:
    """The discs that a path passes. A step between two discs belongs to the one that it leaves."""
    passed: list[tuple[int, int, int]] = []

    def enter(disc: int, step: int) -> None:
        if passed and passed[-1][0] == disc:
            passed[-1] = (disc, passed[-1][1], step)
        else:
            passed.append((disc, step, step))

    for step in path.steps:
        if step.link in disc_of_link:
            enter(disc_of_link[step.link], step.number)
        elif step.from_ != step.to:
            for end in (step.from_, step.to):
                if end in homes:
                    enter(homes[end], step.number)
    return CrossingDrawn(path.title, tuple(passed))


def _bundles(
    scene: Scene,
    discs_of: Mapping[str, Sequence[int]],
    homes: Mapping[str, int],
    between: Mapping[str, tuple[int, int]],
) -> tuple[BundleDrawn, ...]:
    """A server of several zones joins its home with each other: all pairs would be a thicket
    around a server of many zones, and say no more.
    """
    joints: dict[tuple[int, int], list[str]] = {}
    for server, discs in sorted(discs_of.items()):
        home = homes[server]
        for other in discs:
            if other != home:
                joints.setdefault((min(home, other), max(home, other)), []).append(server)
    links = Counter(between.values())
    blocked = Counter(between[block.link] for block in scene.blocks if block.link in between)
    return tuple(
        BundleDrawn(ends, tuple(joints.get(ends, ())), links[ends], blocked[ends])
        for ends in sorted(joints.keys() | links.keys())
    )


def _groups(scene: Scene, homes: Mapping[str, int]) -> list[tuple[str, tuple[str, ...]]]:
    """The servers that are in no zone, in groups with a name each: those that hang together,
    those that hang on servers of the same zone alone, and those without links. Linear in the
    links."""
    zoned = {name for zone in scene.zones for name in zone.servers}
    names = [server.name for server in scene.servers if server.name not in zoned]
    number = {name: at for at, name in enumerate(names)}
    neighbours: dict[int, set[int]] = {at: set() for at in range(len(names))}
    beside: dict[str, int] = {}
    degree: Counter[str] = Counter()
    for link in scene.links:
        degree.update(link.ends)
        a, b = (number.get(end, -1) for end in link.ends)
        if min(a, b) >= 0 and a != b:
            neighbours[a].add(b)
            neighbours[b].add(a)
        for here, there in (link.ends, link.ends[::-1]):
            if here in number and there in homes:
                beside[here] = min(beside.get(here, homes[there]), homes[there])
    groups: list[tuple[str, tuple[str, ...]]] = []
    alone: dict[int, list[str]] = {}
    for part in connected(neighbours, neighbours):
        if len(part) == 1:
            alone.setdefault(beside.get(names[part[0]], -1), []).append(names[part[0]])
            continue
        for group in _cut(part, neighbours):
            servers = tuple(sorted(names[at] for at in group))
            middle = min(servers, key=lambda name: (-degree[name], name))
            groups.append((f"around {middle}" if len(servers) > 1 else middle, servers))
    for zone, others in alone.items():
        name = f"next to {scene.zones[zone].name}" if zone >= 0 else "without links"
        groups.append((name if len(others) > 1 else others[0], tuple(others)))
    return sorted(groups, key=lambda group: group[1])


def _cut(part: Sequence[int], neighbours: Mapping[int, set[int]]) -> Iterable[list[int]]:
    """A connected part in connected groups: the subtrees of a search from its busiest server,
    cut off from the ends on once they are large enough.
    """
    enough = max(SMALL_GROUP, math.isqrt(len(part)))
    if len(part) <= enough:
        return [list(part)]
    start = min(part, key=lambda at: (-len(neighbours[at]), at))
    above = {start: -1}
    order = [start]
    for here in order:
        for other in sorted(neighbours[here]):
            if other not in above:
                above[other] = here
                order.append(other)
    hanging: dict[int, list[int]] = {}
    groups = []
    for here in reversed(order):
        group = [here, *hanging.pop(here, ())]
        if len(group) >= enough or here == start:
            groups.append(group)
        else:
            hanging.setdefault(above[here], []).extend(group)
    return groups


def _placed(scene: Scene, discs: Sequence[DiscDrawn]) -> tuple[DiscDrawn, ...]:
    """Each disc as near as there is room to the middle of its servers."""
    spots = {server.name: (server.x, server.y) for server in scene.servers}
    wanted = []
    for disc in discs:
        own = [spots[name] for name in disc.servers]
        x, y = (sum(values) / len(own) for values in zip(*own, strict=True))
        wanted.append(Disc(x, y, float(round(LEAST_RADIUS + PER_SERVER * math.sqrt(len(own))))))
    placed = place_discs(wanted)
    return tuple(
        replace(disc, x=at.x, y=at.y, radius=at.radius)
        for disc, at in zip(discs, placed, strict=True)
    )
