"""The named sets of servers of a picture: the connected parts of zones, as links state them, and
the groups that systems state (``systems.contract.groups``), each with its colour.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from topograph.questions.texts.layout import count
from topograph.systems.contract.groups import ServerGroup
from topograph.viz.layout.zone_colours import zone_colours
from topograph.viz.scene.records import LinkDrawn, LinkStyle, Mark, ZoneDrawn

Key = tuple[str, str]
"""Kind and name of a group: those of one key share a colour."""


def drawn_groups(
    links: Sequence[LinkDrawn],
    groups: Sequence[ServerGroup],
    shown: Collection[str],
    colours: Mapping[Key, int],
) -> tuple[ZoneDrawn, ...]:
    """Zones, then other groups, of the servers ``shown`` and of the ``links`` between them, by
    kind, name and first server. Linear in the links and members.
    """
    found = [*_zones(links), *_stated(links, groups, shown)]
    return tuple(
        dataclasses.replace(one, colour=colours.get((one.kind, one.name), 0)) for one in found
    )


def group_colours(
    links: Sequence[LinkDrawn],
    groups: Sequence[ServerGroup],
    servers: Collection[str],
    given: Mapping[Key, int] = MappingProxyType({}),
) -> dict[Key, int]:
    """The colours of zones and groups by kind and name: those that are ``given``, those of the
    estate, then those that come with a change.
    """
    there = [link for link in links if link.mark not in (Mark.COMES, Mark.REFUSED)]
    known = dict(given)
    for own in [there] if len(there) == len(links) else [there, links]:
        drawn = [*_zones(own), *_stated(own, groups, servers)]
        known = zone_colours(
            [((one.kind, one.name), one.servers) for one in drawn],
            [link.ends for link in own],
            known,
        )
    return known


def counted(zones: Iterable[ZoneDrawn]) -> list[str]:
    """How many there are of each kind, by name: ``["2 clusters", "1 zone"]``."""
    names = Counter(kind for kind, _ in {(zone.kind, zone.name) for zone in zones})
    return [count(names[kind], kind) for kind in sorted(names)]


def _zones(links: Iterable[LinkDrawn]) -> list[ZoneDrawn]:
    """The connected parts of each zone (R8, A10), by name, type and first server."""
    by_zone: dict[tuple[str, str], list[LinkDrawn]] = {}
    for link in links:
        if link.zone and link.mark is not Mark.REFUSED:
            by_zone.setdefault((link.zone, link.zone_type), []).append(link)
    found = []
    for (zone, kind), own in sorted(by_zone.items()):
        for part in _connected(own):
            servers = sorted({end for link in part for end in link.ends})
            ids = tuple(link.id for link in part)
            found.append(ZoneDrawn(zone, kind, tuple(servers), ids, _is_tree(servers, part)))
    return found


def _stated(
    links: Iterable[LinkDrawn], groups: Sequence[ServerGroup], shown: Collection[str]
) -> list[ZoneDrawn]:
    """The groups that systems state, with their members among ``shown``. A link between members
    of several is of the smallest of them, then of the first by kind and name.
    """
    members: dict[Key, set[str]] = {}
    roles: dict[Key, str] = {}
    for group in groups:
        key = (group.kind, group.name)
        members.setdefault(key, set()).update(name for name in group.servers if name in shown)
        roles[key] = group.link_role
    members = {key: names for key, names in sorted(members.items()) if names}
    groups_of: dict[str, list[Key]] = {}
    for key in sorted(members, key=lambda key: (len(members[key]), key)):
        for name in members[key]:
            groups_of.setdefault(name, []).append(key)
    own: dict[Key, list[LinkDrawn]] = {key: [] for key in members}
    for link in links:
        if link.zone or link.mark is Mark.REFUSED:
            continue
        first, second = link.ends
        for key in groups_of.get(first, ()):
            if second in members[key] and roles[key] in ("", link.role):
                own[key].append(link)
                break
    return [
        ZoneDrawn(
            key[1],
            "",
            tuple(sorted(names)),
            tuple(link.id for link in own[key]),
            _is_tree(names, own[key]),
            kind=key[0],
            mesh=_is_mesh(names, own[key]),
        )
        for key, names in members.items()
    ]


def _is_tree(servers: Collection[str], links: Sequence[LinkDrawn]) -> bool:
    """Whether links hold servers together without a cycle."""
    pairs = {tuple(sorted(link.ends)) for link in links}
    return 0 < len(pairs) == len(servers) - 1


def _is_mesh(servers: Collection[str], links: Sequence[LinkDrawn]) -> bool:
    """Whether one-way links join each of three or more servers with every other one, both ways, and
    there are no others."""
    pairs = {link.ends for link in links if link.ends[0] != link.ends[1]}
    one_way = all(link.style is LinkStyle.ONE_WAY for link in links)
    return len(servers) > 2 and one_way and len(pairs) == len(servers) * (len(servers) - 1)


def _connected(links: Sequence[LinkDrawn]) -> list[list[LinkDrawn]]:
    """The links by connected part, parts by their first server, links in the order given."""
    at: dict[str, list[LinkDrawn]] = {}
    for link in links:
        for end in link.ends:
            at.setdefault(end, []).append(link)
    part: dict[str, int] = {}
    for number, server in enumerate(sorted(at)):
        stack = [server] if server not in part else []
        while stack:
            here = stack.pop()
            if here not in part:
                part[here] = number
                stack.extend(end for link in at[here] for end in link.ends if end not in part)
    parts: dict[int, list[LinkDrawn]] = {}
    for link in links:
        parts.setdefault(part[link.ends[0]], []).append(link)
    return [parts[number] for number in sorted(parts)]
