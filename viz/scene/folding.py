"""Equal leaves of a picture as one: ``HUB`` and ``300 servers`` in place of 301 servers.

A leaf has links to one other server alone. Leaves of one server are folded where there are many and
nothing tells them apart: kind, groups, links, findings, and what the answer says of them. What the
answer names, and what is on a path or at a block, is never folded.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from topograph.findings import Severity
from topograph.questions.texts.layout import count
from topograph.records import record
from topograph.viz.layout.blocks import GAP, Spot
from topograph.viz.layout.free_sides import free_side
from topograph.viz.layout.shapes import ONE_CIRCLE
from topograph.viz.scene.records import FindingsCounted, LinkDrawn, Mark, Scene, ServerDrawn

FEWEST = ONE_CIRCLE + 1
"""Equal leaves of one server from which they are folded: fewer have room for their names on one
circle."""

TOLD = frozenset({Mark.ASKED, Mark.TARGET, Mark.DOWN, Mark.COMES, Mark.GOES})
"""Marks of servers that are drawn each."""


@record
class FoldDrawn:
    """Equal leaves of ``hub``, by name, and where they are drawn as one (layout units). ``label``
    counts them, ``noticed`` their findings: ``300 servers``, ``300 warnings``."""

    hub: str
    servers: tuple[str, ...]
    label: str
    noticed: str
    x: float
    y: float


@record
class Folding:
    """The folds of a picture, and where the other leaves of their hubs are while these are folded:
    next to their hub, since their own places leave room for all."""

    folds: tuple[FoldDrawn, ...] = ()
    moved: Mapping[str, Spot] = field(default_factory=dict)


def folding_of(scene: Scene) -> Folding:
    """The folds of a scene, by hub and first server. Linear in the scene, beside the sorting."""
    near: dict[str, list[LinkDrawn]] = defaultdict(list)
    for link in scene.links:
        for end in set(link.ends):
            near[end].append(link)
    named = _named(scene)
    findings: dict[str, list[tuple[str, Severity]]] = defaultdict(list)
    by_id = {link.id: link for link in scene.links}
    for one in scene.findings:
        for name in (one.server,) if one.server else by_id[one.link].ends:
            # Where the list is cut, findings are compared by their number.
            findings[name].append(("" if scene.more_findings else one.rule, one.severity))
    for more in scene.more_findings:
        for name in (more.server,) if more.server else by_id[more.link].ends:
            findings[name] += [("", Severity.ERROR)] * more.errors
            findings[name] += [("", Severity.WARNING)] * more.warnings
    alike: dict[tuple[object, ...], list[ServerDrawn]] = defaultdict(list)
    for server in scene.servers:
        own = near[server.name]
        hubs = {end for link in own for end in link.ends} - {server.name}
        if (
            len(hubs) != 1
            or server.name in named
            or server.hidden
            or TOLD.intersection(server.marks)
        ):
            continue
        (hub,) = hubs
        links = sorted(_look(link, server.name) for link in own)
        noticed = tuple(sorted(findings[server.name]))
        about = (server.system, server.kind, server.shape, server.loaded, server.incomplete != "")
        key = (hub, about, server.zones, server.mark, server.here, tuple(links), noticed)
        alike[key].append(server)
    groups = [(str(key[0]), own) for key, own in alike.items() if len(own) >= FEWEST]
    groups.sort(key=lambda group: (group[0], group[1][0].name))
    return _placed(scene, groups, near, findings)


def _named(scene: Scene) -> set[str]:
    """What is drawn each: servers that the picture is about, those on paths that are drawn and at
    blocks, and those that something else is attached to."""
    found = {*scene.around}
    for path in scene.paths:
        if path.shown:
            found.update(path.servers)
    for block in scene.blocks:
        found.update((block.at, block.to))
        found.update(step.to for step in block.way)
    for thing in scene.attached:
        found.update(thing.servers)
    for group in scene.groups:
        found.update(name for row in group.rows for name in row.servers)
    for command in scene.commands:
        found.update(name for name, _, _ in command.marks)
    return found


def _look(link: LinkDrawn, leaf: str) -> tuple[object, ...]:
    """What a link of a leaf looks like."""
    return (
        (link.style.value, link.role, link.line, link.mark.value, link.zone, link.zone_type),
        (
            "" if link.cost is None else str(link.cost),
            link.leads(leaf),
            link.leads(_hub(link, leaf)),
        ),
        (link.configured_by == leaf, link.because != "", link.parallels),
    )


def _hub(link: LinkDrawn, leaf: str) -> str:
    return link.ends[1] if link.ends[0] == leaf else link.ends[0]


def _placed(
    scene: Scene,
    groups: Sequence[tuple[str, list[ServerDrawn]]],
    near: Mapping[str, Sequence[LinkDrawn]],
    findings: Mapping[str, Sequence[tuple[str, Severity]]],
) -> Folding:
    """Around each hub its folds and its other leaves, on the side where its leaves are, or all
    around where it has no other neighbours; farther out where something else is in the way."""
    alone = {name for name, own in near.items() if len({e for one in own for e in one.ends}) == 2}
    spots = {server.name: (server.x, server.y) for server in scene.servers}
    of: dict[str, list[list[ServerDrawn]]] = defaultdict(list)
    for hub, own in groups:
        of[hub].append(own)
    folds: list[FoldDrawn] = []
    moved: dict[str, Spot] = {}
    taken = {name: spot for name, spot in spots.items() if name not in alone}
    for hub, own_groups in of.items():
        folded_here = {server.name for own in own_groups for server in own}
        ends = {end for link in near[hub] for end in link.ends} - {hub}
        leaves = sorted(ends & alone)
        others = [spots[end] for end in sorted(ends - alone)]
        single = [name for name in leaves if name not in folded_here]
        places = _ring(
            spots[hub],
            [spots[name] for name in leaves],
            others,
            len(own_groups) + len(single),
            [spot for name, spot in taken.items() if name != hub],
        )
        for own, (x, y) in zip(own_groups, places, strict=False):
            names = tuple(sorted(server.name for server in own))
            label, noticed = count(len(names), own[0].kind), _noticed(names, findings)
            folds.append(FoldDrawn(hub, names, label, noticed, x, y))
        moved |= dict(zip(single, places[len(own_groups) :], strict=True))
        taken |= {f"{hub} {number}": place for number, place in enumerate(places)}
    return Folding(tuple(folds), moved)


def _ring(
    hub: Spot, leaves: Sequence[Spot], others: Sequence[Spot], number: int, taken: Sequence[Spot]
) -> list[Spot]:
    """So many places around a hub."""
    x, y = hub
    across = sum(spot[0] - x for spot in leaves)
    down = sum(spot[1] - y for spot in leaves)
    towards = math.atan2(down, across) if math.hypot(across, down) > GAP else 0.0
    if others:
        towards = free_side(hub, others)
    turn = (math.tau if not others else math.pi) / max(number, 1)
    first = towards - turn * (number - 1) / 2
    found: list[Spot] = []
    for away in (1.4, 2.0, 2.8, 4.0):
        radius = GAP * max(away, number * away / math.pi / (1 if others else 2))
        angles = [first + turn * step for step in range(number)]
        found = [
            (float(round(x + radius * math.cos(a))), float(round(y + radius * math.sin(a))))
            for a in angles
        ]
        if all(math.dist(one, other) > 0.8 * GAP for one in found for other in taken):
            break
    return found


def _noticed(names: Sequence[str], findings: Mapping[str, Sequence[tuple[str, Severity]]]) -> str:
    found = Counter(severity for name in names for _, severity in findings.get(name, ()))
    parts = [
        count(found[severity], str(severity))
        for severity in (Severity.ERROR, Severity.WARNING)
        if found[severity]
    ]
    return ", ".join(parts)


def folded(scene: Scene, folding: Folding) -> Scene:
    """The scene with each fold as one server that is called what its label says, and one link to
    its hub: for drawings in which nothing opens. Linear."""
    if not folding.folds:
        return scene
    title: dict[str, str] = {}
    used = {server.name for server in scene.servers}
    stacks: list[ServerDrawn] = []
    records = {server.name: server for server in scene.servers}
    for fold in folding.folds:
        name = fold.label
        while name in used:
            name += " "
        used.add(name)
        title |= dict.fromkeys(fold.servers, name)
        first = records[fold.servers[0]]
        stacks.append(replace(first, name=name, x=fold.x, y=fold.y, stack=len(fold.servers)))
    kept = [
        replace(server, x=at[0], y=at[1]) if (at := folding.moved.get(server.name)) else server
        for server in scene.servers
        if server.name not in title
    ]
    links: list[LinkDrawn] = []
    joined: set[tuple[object, ...]] = set()
    gone: set[str] = set()
    for link in scene.links:
        leaf = next((end for end in link.ends if end in title), "")
        if not leaf:
            links.append(link)
            continue
        look = (title[leaf], _look(link, leaf), link.parallel)
        if look in joined:
            gone.add(link.id)
            continue
        joined.add(look)
        a, b = (title.get(end, end) for end in link.ends)
        owner = title.get(link.configured_by, link.configured_by)
        links.append(replace(link, ends=(a, b), configured_by=owner))
    zones = tuple(
        replace(
            zone,
            servers=tuple(dict.fromkeys(title.get(name, name) for name in zone.servers)),
            links=tuple(id_ for id_ in zone.links if id_ not in gone),
        )
        for zone in scene.zones
    )
    hung = {link.id: title[end] for link in scene.links for end in link.ends if end in title}
    findings = tuple(
        replace(one, server=title[one.server])
        if one.server in title
        else replace(one, server=hung[one.link], link="")
        if one.link in hung
        else one
        for one in scene.findings
    )
    counted: Counter[tuple[str, str, Severity]] = Counter()
    for more in scene.more_findings:
        hanging = title.get(more.server) or hung.get(more.link)
        server, line = (hanging, "") if hanging else (more.server, more.link)
        counted[server, line, Severity.ERROR] += more.errors
        counted[server, line, Severity.WARNING] += more.warnings
    places = dict.fromkeys((server, line) for server, line, _ in counted)
    return replace(
        scene,
        more_findings=tuple(
            FindingsCounted(
                server,
                line,
                counted[server, line, Severity.ERROR],
                counted[server, line, Severity.WARNING],
            )
            for server, line in places
        ),
        servers=tuple(sorted([*kept, *stacks], key=lambda server: server.name)),
        links=tuple(links),
        zones=zones,
        findings=findings,
    )
