"""The data of a page: a scene, and what a user changed in its pyvis nodes and edges, as compact
JSON.

A thousand servers have thousands of links and paths whose texts (files, zones, rules) repeat. Rows
are therefore lists without field names, those of long tables columns (``compact``), every text
stands once in ``texts`` and is an index everywhere else, links are named by their place in
``links``, and equal steps stand once. ``script/model.js`` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from topograph.findings import Source
from topograph.portable.arrays import Texts
from topograph.questions.texts.layout import plural_of
from topograph.viz.overview import RESULT_WORDS, overview
from topograph.viz.page.compact import folder_of, table, without_names
from topograph.viz.page.compact import steps as differences
from topograph.viz.scene.folding import Folding, folding_of
from topograph.viz.scene.neighbourhood import READABLE
from topograph.viz.scene.records import (
    AttachedDrawn,
    BlockDrawn,
    FindingDrawn,
    LinkDrawn,
    PartDrawn,
    PathDrawn,
    Scene,
    ServerDrawn,
    StationDrawn,
    StepDrawn,
    ZoneDrawn,
)

_ESCAPED = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"},
)
_SET_BY_THE_SCENE = {
    "node": frozenset({"id", "label", "title", "x", "y"}),
    "edge": frozenset({"id", "from", "to", "title"}),
}


def json_in_script(value: object) -> str:
    """``value`` as JSON that no HTML parser sees an end tag or a comment in.

    >>> json_in_script("</script><!--")
    '"\\\\u003c/script\\\\u003e\\\\u003c!--"'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)


def embedded(
    nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]], scene: Scene
) -> dict[str, object]:
    """What ``script/model.js`` reads. Linear in the scene."""
    texts = Texts()
    places = {node["id"]: (node.get("x"), node.get("y")) for node in nodes}
    shown_servers = [server for server in scene.servers if server.name in places]
    kept = {server.name for server in shown_servers}
    number = {server.name: at for at, server in enumerate(shown_servers)}
    edge_ids = {edge.get("id") for edge in edges}
    shown_links = [
        link for link in scene.links if link.id in edge_ids and kept.issuperset(link.ends)
    ]
    links = {link.id: number for number, link in enumerate(shown_links)}
    steps: dict[StepDrawn, int] = {}
    for drawn in (*(path.steps for path in scene.paths), *(block.way for block in scene.blocks)):
        for step in drawn:
            steps.setdefault(step, len(steps))
    stations: dict[StationDrawn, int] = {}
    for step in steps:
        for station in step.inside:
            stations.setdefault(station, len(stations))
    folding = _folds(scene, shown_servers, nodes, edges)
    data: dict[str, object] = {
        "about": _about(scene),
        "servers": table([_server(texts, server, places[server.name]) for server in shown_servers]),
        "links": table([_link(texts, link) for link in shown_links]),
        "zones": [
            _zone(texts, zone, kept, links)
            for zone in scene.zones
            if kept.intersection(zone.servers)
        ],
        "stations": [_station(texts, one) for one in stations],
        "steps": table([_step(texts, step, links, stations) for step in steps]),
        "paths": [_path(texts, path, steps) for path in scene.paths],
        "blocks": [_block(texts, block, steps, links) for block in scene.blocks],
        "looks": {
            "servers": _looks(nodes, {server.name for server in scene.servers}, "node"),
            "links": _looks(edges, {link.id for link in scene.links}, "edge"),
        },
        "added": {
            "nodes": _added(nodes, {server.name for server in scene.servers}),
            "edges": _added(edges, {link.id for link in scene.links}),
        },
        "commands": [
            [
                [texts(name), texts(state.value), pairs, letters.get(name, "")]
                for letters in (_letters(command.parts),)
                for name, state, pairs in command.marks
                if name in kept
            ]
            for command in scene.commands
        ],
        **_findings(texts, scene, kept, shown_links, links),
        "overview": _overview(texts, scene, shown_servers, shown_links)
        if not folding.folds
        else None,
        **_stacks(texts, folding, number),
        "attached": [
            _attached(texts, one) for one in scene.attached if kept.issuperset(one.servers)
        ],
        "parts": [
            [part.letter, differences([number[name] for name in part.servers if name in number])]
            for part in scene.parts
        ],
    }
    return {**data, "texts": list(texts.index)}


def _about(scene: Scene) -> dict[str, object]:
    return {
        "question": scene.question,
        "title": scene.title,
        "verdict": scene.verdict,
        "around": list(scene.around),
        "hidden": scene.hidden,
        "nouns": [
            scene.server_noun,
            plural_of(scene.server_noun),
            scene.link_noun,
            plural_of(scene.link_noun),
            scene.group_noun or "zone",
            plural_of(scene.group_noun or "zone"),
        ],
    }


def _findings(
    texts: Texts,
    scene: Scene,
    kept: set[str],
    shown_links: Sequence[LinkDrawn],
    links: Mapping[str, int],
) -> dict[str, object]:
    """The findings about what is shown: those that are listed, and the numbers of all others."""
    return {
        "findings": table(
            [
                _finding(
                    texts, one, shown_links[links[one.link]] if one.link in links else None, links
                )
                for one in scene.findings
                if one.server in kept or one.link in links
            ]
        ),
        "moreFindings": table(
            sorted(
                [texts(one.server), links.get(one.link, -1), one.errors, one.warnings]
                for one in scene.more_findings
                if one.server in kept or one.link in links
            )
        ),
    }


def _stacks(texts: Texts, folding: Folding, number: Mapping[str, int]) -> dict[str, object]:
    """Leaves that are drawn as one stack, and the servers that have other places meanwhile."""
    return {
        "folds": [
            [
                number[fold.hub],
                [number[name] for name in fold.servers],
                texts(fold.label),
                texts(fold.noticed),
                fold.x,
                fold.y,
            ]
            for fold in folding.folds
        ],
        "moved": [[number[name], *at] for name, at in folding.moved.items()],
    }


def _letters(parts: Iterable[PartDrawn]) -> dict[str, str]:
    return {name: part.letter for part in parts for name in part.servers}


def _source(texts: Texts, source: Source) -> list[int]:
    return [texts(source.file), source.line, source.column]


def _place(given: object, own: float) -> float:
    return round(given if isinstance(given, (int, float)) else own, 1)


def _overview(
    texts: Texts, scene: Scene, servers: Sequence[ServerDrawn], links: Sequence[LinkDrawn]
) -> dict[str, object] | None:
    """The discs of a picture of more than READABLE servers, zones first and in the order of
    ``zones``, and what joins them; of each server the disc that is its home. What the answer
    says of them is counted in the page."""
    if len(servers) <= READABLE:
        return None
    kept, ids = {server.name for server in servers}, {link.id for link in links}
    zones = (
        replace(
            zone,
            servers=tuple(name for name in zone.servers if name in kept),
            links=tuple(id_ for id_ in zone.links if id_ in ids),
        )
        for zone in scene.zones
        if kept.intersection(zone.servers)
    )
    shown = replace(
        scene, servers=tuple(servers), links=tuple(links), zones=tuple(zones), paths=(), blocks=()
    )
    seen = overview(shown)
    homes = seen.homes
    return {
        "discs": [
            [
                texts(disc.name),
                [texts(name) for name in disc.servers] if disc.zone < 0 else 0,
                disc.links,
                texts(disc.worst or ""),
                disc.x,
                disc.y,
                disc.radius,
                texts(disc.hub),
                disc.errors,
                disc.warnings,
            ]
            for disc in seen.discs
        ],
        "bundles": [
            [*one.ends, one.links, [texts(name) for name in one.servers]] for one in seen.bundles
        ],
        "spines": [[spine.disc, list(map(list, spine.pairs))] for spine in seen.spines],
        "homes": [homes[server.name] for server in servers],
        "words": [[mark.value, words] for mark, words in RESULT_WORDS],
    }


def _folds(
    scene: Scene,
    servers: Sequence[ServerDrawn],
    nodes: Sequence[Mapping[str, Any]],
    edges: Sequence[Mapping[str, Any]],
) -> Folding:
    """The folds of a picture whose servers can be read once they are folded: none of a larger one,
    which begins with discs, nor where a user changed, added or took away nodes or edges."""
    links = {link.id for link in scene.links}
    changed = _looks(nodes, {server.name for server in scene.servers}, "node")
    changed |= _looks(edges, links, "edge")
    if changed or len(servers) < len(scene.servers) or {edge.get("id") for edge in edges} != links:
        return Folding()
    found = folding_of(scene)
    shown = len(servers) - sum(len(fold.servers) - 1 for fold in found.folds)
    return found if shown <= READABLE else Folding()


def _server(texts: Texts, server: ServerDrawn, place: tuple[object, object]) -> list[object]:
    return [
        texts(server.name),
        texts(server.system),
        int(server.loaded),
        texts(server.incomplete),
        [texts(zone) for zone in server.zones],
        *_source(texts, server.source),
        texts(server.mark.value),
        texts(server.note),
        _place(place[0], server.x),
        _place(place[1], server.y),
        texts(server.shape),
        texts(server.kind),
        server.hidden,
        server.behind,
        texts(server.here.value),
        [[texts(kind), number, [texts(n) for n in names]] for kind, number, names in server.holds],
    ]


def _link(texts: Texts, link: LinkDrawn) -> list[object]:
    return [
        texts("" if link.id == "-".join(link.ends) else link.id),
        texts(link.ends[0]),
        texts(link.ends[1]),
        texts(link.zone),
        texts(link.zone_type),
        texts(link.style.value),
        texts(link.configured_by),
        link.cost,
        *_source(texts, link.source),
        link.parallel,
        link.parallels,
        texts(link.mark.value),
        texts(link.note),
        texts(link.name),
        texts(link.role),
        texts(link.line),
        texts(link.because),
    ]


def _zone(texts: Texts, zone: ZoneDrawn, kept: set[str], links: Mapping[str, int]) -> list[object]:
    return [
        texts(zone.name),
        texts(zone.type),
        [texts(server) for server in zone.servers if server in kept],
        differences([links[link] for link in zone.links if link in links]),
        int(zone.tree),
        zone.colour,
        texts(zone.kind),
        int(zone.mesh),
    ]


def _station(texts: Texts, station: StationDrawn) -> list[object]:
    return [
        texts(station.kind),
        texts(station.name),
        texts(station.mark.value),
        texts(station.sure),
        texts(station.server),
        [
            [texts(one.text), texts(one.rule), texts(one.confidence), *_source(texts, one.source)]
            for one in station.passed
        ],
        *([texts(station.moved.value)] if station.moved else []),
    ]


def _step(
    texts: Texts,
    step: StepDrawn,
    links: Mapping[str, int],
    stations: Mapping[StationDrawn, int],
) -> list[object]:
    return [
        step.number,
        texts(step.from_),
        texts(step.to),
        links.get(step.link, -1),
        texts(step.zone),
        texts(step.rule),
        texts(step.confidence),
        [texts(guard) for guard in step.guards],
        *_source(texts, step.source),
        step.cost,
        [stations[one] for one in step.inside],
        texts(step.over),
    ]


def _path(texts: Texts, path: PathDrawn, steps: Mapping[StepDrawn, int]) -> list[object]:
    drawn = [
        texts(path.title),
        int(path.shown),
        [texts(name) for name in path.servers],
        [steps[s] for s in path.steps],
    ]
    if path.end:
        own = [texts(path.end.value), texts(path.ending), int(path.reply)]
        state = [texts(path.state)] if path.state else []
        return [*drawn, texts(path.together), *own, *state]
    return [*drawn, texts(path.together)] if path.together else drawn


def _block(
    texts: Texts, block: BlockDrawn, steps: Mapping[StepDrawn, int], links: Mapping[str, int]
) -> list[object]:
    return [
        texts(block.at),
        texts(block.to),
        links.get(block.link, -1),
        texts(block.reason),
        texts(block.guard),
        texts(block.value),
        *_source(texts, block.source),
        int(block.certain),
        int(block.predicate),
        [steps[step] for step in block.way],
        block.repeats,
        int(block.waits),
    ]


def _finding(
    texts: Texts, finding: FindingDrawn, link: LinkDrawn | None, links: Mapping[str, int]
) -> list[object]:
    ends = link.ends if link else ("", "")
    return [
        texts(finding.rule),
        texts(finding.severity.value),
        texts(
            without_names(finding.message, (finding.server, *ends, folder_of(finding.source.file)))
        ),
        *_source(texts, finding.source),
        texts(finding.server),
        links.get(finding.link, -1),
    ]


def _attached(texts: Texts, one: AttachedDrawn) -> list[object]:
    return [
        texts(one.name),
        texts(one.kind),
        [texts(name) for name in one.servers],
        *_source(texts, one.source),
        one.x,
        one.y,
        texts(one.mark.value),
        texts(one.note),
    ]


def _looks(
    items: Iterable[Mapping[str, Any]], known: set[str], kind: str
) -> dict[str, dict[str, Any]]:
    """By id the attributes that a user set on what stands in the scene."""
    looks = {}
    for item in items:
        if item.get("id") not in known:
            continue
        set_by_user = {
            key: value for key, value in item.items() if key not in _SET_BY_THE_SCENE[kind]
        }
        if "label" in item and item["label"] != item["id"]:
            set_by_user["label"] = item["label"]
        if set_by_user:
            looks[item["id"]] = set_by_user
    return looks


def _added(items: Iterable[Mapping[str, Any]], known: set[str]) -> list[dict[str, Any]]:
    return [dict(item) for item in items if item.get("id") not in known]
