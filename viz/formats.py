"""A scene for other tools: dot (Graphviz), GraphML (yEd, Gephi, networkx) and Mermaid (Markdown).

Names come out of configuration files that anyone may have written: characters that are no text are
made visible, and what has a meaning in the format is escaped. A server stands in one group only, as
these formats ask for: in that zone in which it has most links; all its zones are named beside it.
Equal scenes give equal text.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from topograph.questions.texts.layout import listed
from topograph.viz.overview import homes_of
from topograph.viz.scene.records import (
    BlockDrawn,
    LinkDrawn,
    LinkStyle,
    Mark,
    PathDrawn,
    Scene,
    ServerDrawn,
    ZoneDrawn,
)
from topograph.viz.svg.document import svg
from topograph.words.visible import clean, in_xml

MERMAID_EDGES = 500
"""Links from which on Mermaid's renderers have to be told to go on (``maxEdges``)."""

_COLOURS: Mapping[Mark, str] = {
    Mark.ASKED: "#1b1b1b",
    Mark.TARGET: "#0b57b0",
    Mark.REACHED: "#0b57b0",
    Mark.DELIVERED: "#0a7a5a",
    Mark.STORED: "#0a7a5a",
    Mark.WOULD_DELIVER: "#0a7a5a",
    Mark.ONE_OF: "#0a7a5a",
    Mark.LATER: "#855400",
    Mark.MAY_END: "#855400",
    Mark.LOST: "#b3261e",
    Mark.TRANSIT: "#41719c",
    Mark.MAYBE_TRANSIT: "#855400",
    Mark.PATH: "#0b57b0",
    Mark.UNREACHABLE: "#b3261e",
    Mark.NOTHING: "#b3261e",
    Mark.BLOCKED: "#b3261e",
    Mark.REJECTED: "#b3261e",
    Mark.CIRCULATES: "#b3261e",
    Mark.HELD: "#855400",
    Mark.ASIDE: "#855400",
    Mark.DUPLICATE: "#b3261e",
    Mark.UNDETERMINED: "#855400",
    Mark.REDUNDANT: "#41719c",
    Mark.CUT_OFF: "#b3261e",
    Mark.APART: "#b3261e",
    Mark.DOWN: "#b3261e",
    Mark.CRITICAL: "#b3261e",
    Mark.AFFECTS: "#855400",
    Mark.HARMLESS: "#0a7a5a",
    Mark.LOSES: "#b3261e",
    Mark.WOULD_LOSE: "#b3261e",
    Mark.ELSEWHERE: "#855400",
    Mark.BETTER: "#0a7a5a",
    Mark.GAINS: "#0a7a5a",
    Mark.WOULD_GAIN: "#0a7a5a",
    Mark.COMES: "#0a7a5a",
    Mark.GOES: "#b3261e",
    Mark.ALTERED: "#855400",
    Mark.REFUSED: "#b3261e",
    Mark.NONE: "#6a6f76",
}


_DOT_SHAPES: Mapping[str, str] = {
    "box": "box",
    "bar": "cds",
    "device": "component",
    "hexagon": "hexagon",
    "house": "house",
    "host": "note",
}

_MERMAID_SHAPES: Mapping[str, tuple[str, str]] = {
    "hexagon": ("{{", "}}"),
    "house": ("[/", "\\]"),
    "bar": ("[[", "]]"),
    "device": ("[/", "/]"),
    "host": (">", "]"),
}
"""How a server is drawn of which the answer says nothing; others are boxes."""

_DOT_LINES: Mapping[str, str] = {
    "long-dashes": "dashed",
    "wide-dashes": "dashed",
    "dashes": "dashed",
    "short-dashes": "dashed",
    "dots": "dotted",
    "wide-dots": "dotted",
    "close-dots": "dotted",
    "dash-dot": "dashed",
    "dash-dot-dot": "dashed",
}


def dot(scene: Scene) -> str:
    """The scene in the dot language: zones as clusters, places as ``pos`` in points. ``dot``,
    ``fdp`` make their own layout and draw the clusters; ``neato -n2`` keeps the places. Linear
    in the scene."""
    names = _Names(scene, _dot_id)
    walked = _Walked(scene)
    lines = [
        (
            "// dot -Tsvg or fdp -Tsvg draws the zones as clusters; neato -n2 -Tsvg keeps "
            "the places of the page."
        ),
        f"graph {_dot_text(scene.network)} {{",
        (
            f"  graph [label={_dot_text(f'{scene.title} {scene.verdict}'.strip())}, "
            "labelloc=t, fontname=sans, rankdir=LR]"
        ),
        "  node [fontname=sans, shape=ellipse]",
        "  edge [fontname=sans]",
    ]
    for number, (zone, servers) in enumerate(_groups(scene)):
        if zone is None:
            lines += [f"  {_dot_node(server, names)}" for server in servers]
            continue
        style = "dashed" if zone.type == "1hop" else "solid"
        lines.append(f"  subgraph cluster_{number} {{")
        lines += [
            f"    label={_dot_text(_zone_label(zone))}",
            f"    style={style}",
            f"    color={_dot_text('#6a6f76')}",
        ]
        lines += [f"    {_dot_node(server, names)}" for server in servers]
        lines.append("  }")
    lines += [f"  {_dot_edge(link, names, walked)}" for link in scene.links]
    lines += _dot_attached(scene, names)
    lines.append("}")
    return "\n".join(lines) + "\n"


def _dot_node(server: ServerDrawn, names: _Names) -> str:
    shape = {
        Mark.ASKED: "doublecircle",
        Mark.TARGET: "doubleoctagon",
        Mark.UNDETERMINED: "diamond",
    }.get(server.mark)
    bold = server.mark in (Mark.ASKED, Mark.TARGET, Mark.REACHED, Mark.DELIVERED, Mark.DUPLICATE)
    given = {
        "label": _dot_text(server.name),
        "shape": shape or _DOT_SHAPES.get(server.shape) or ("box" if not server.loaded else ""),
        "style": _dot_text("dashed") if not server.loaded else "bold" if bold else "",
        "color": _dot_text(_COLOURS[server.mark]),
        "tooltip": _dot_text(_about_server(server)),
        "kind": _dot_text(server.kind),
        "zones": _dot_text(", ".join(server.zones)),
        "mark": _dot_text(server.mark.value) if server.mark else "",
        "here": _dot_text(server.here.value) if server.here else "",
        "pos": _dot_text(f"{server.x:.0f},{0.0 - server.y:.0f}"),
    }
    return f"{names[server.name]} [{_dot_attributes(given)}]"


def _dot_attached(scene: Scene, names: _Names) -> Iterator[str]:
    """Brokers and containers, each joined to the servers that connect to it."""
    spots = {server.name: (server.x, server.y) for server in scene.servers}
    for number, one in enumerate(scene.attached):
        x, y = spots[one.servers[0]]
        about = "; ".join(filter(None, (f"{one.name}: {one.kind}", one.note, str(one.source))))
        given = {
            "label": _dot_text(one.name),
            "shape": "cylinder",
            "tooltip": _dot_text(about),
            "kind": _dot_text(one.kind),
            "color": _dot_text(_COLOURS[one.mark]) if one.mark else "",
            "mark": _dot_text(one.mark.value) if one.mark else "",
            "pos": _dot_text(f"{x + one.x:.0f},{0.0 - y - one.y:.0f}"),
        }
        name = f'"attached {number}"'
        yield f"  {name} [{_dot_attributes(given)}]"
        for server in one.servers:
            yield f"  {names[server]} -- {name} [style=dotted]"


def _dot_edge(link: LinkDrawn, names: _Names, walked: _Walked) -> str:
    first, second = walked.ends(link)
    colour = _COLOURS[link.mark]
    double = link.style is LinkStyle.ACTIVE_ACTIVE and link.mark is Mark.NONE
    direction = "forward" if walked.directed(link) or link.configured_by == first else "none"
    if direction == "none" and link.configured_by == second:
        direction = "back"
    given = {
        "label": _dot_text(walked.label(link)) if walked.label(link) else "",
        "dir": direction,
        "style": "bold"
        if link.mark is Mark.PATH
        else "dashed"
        if _broken(link)
        else _DOT_LINES.get(link.line, "solid"),
        "arrowhead": "tee" if link.mark in (Mark.BLOCKED, Mark.REFUSED) else "",
        "color": _dot_text(f"{colour}:{colour}" if double else colour),
        "tooltip": _dot_text(_about_link(link)),
        "zone": _dot_text(link.zone) if link.zone else "",
        "mark": _dot_text(link.mark.value) if link.mark else "",
    }
    return f"{names[first]} -- {names[second]} [{_dot_attributes(given)}]"


def _broken(link: LinkDrawn) -> bool:
    return link.mark in (Mark.BLOCKED, Mark.GOES, Mark.REFUSED) or link.style in _WAITING


_WAITING = (LinkStyle.UPLINK, LinkStyle.STANDBY, LinkStyle.UNRESOLVED, LinkStyle.IDLE)


def _dot_attributes(given: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in given.items() if value)


def _dot_text(text: str) -> str:
    """A quoted string whose text Graphviz shows as it is: it reads backslashes and HTML entities
    in labels.
    """
    shown = clean(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return f'"{shown}"'


def _dot_id(text: str, number: int) -> str:
    """The name, quoted; a number where the quoting rules cannot carry it: in an id a backslash
    stays in front of what follows it.
    """
    return (
        f'"{text}"'
        if text and text == clean(text) and not set('"\\') & set(text)
        else f'"server {number}"'
    )


def graphml(scene: Scene) -> str:
    """The scene as GraphML with typed attributes, ``label``, ``x`` and ``y`` among them; a node's
    id is the server's name, an edge's the link's.

    ``networkx.parse_graphml`` gives a MultiGraph with the same values. Linear in the scene."""
    import networkx

    names = _Names(scene, lambda text, _: in_xml(text))
    walked = _Walked(scene)
    # Written by hand, an attribute's type would have to be said for every value.
    made: networkx.MultiGraph[str] = networkx.MultiGraph(
        title=in_xml(scene.title),
        verdict=in_xml(scene.verdict),
        question=scene.question,
        network=in_xml(scene.network),
        snapshot=in_xml(scene.snapshot),
        exact=scene.exact,
    )
    for server in scene.servers:
        made.add_node(
            names[server.name],
            label=in_xml(server.name),
            x=server.x,
            y=0.0 - server.y,
            system=server.system,
            loaded=server.loaded,
            kind=server.kind,
            zones=in_xml(", ".join(server.zones)),
            mark=server.mark.value,
            here=server.here.value,
            note=in_xml(" ".join(filter(None, (server.note, server.incomplete)))),
            file=in_xml(server.source.file),
            line=server.source.line,
        )
    for link in scene.links:
        cost = {"cost": link.cost} if link.cost is not None else {}
        first, second = walked.ends(link)
        made.add_edge(
            names[first],
            names[second],
            key=in_xml(link.id),
            **cost,
            label=in_xml(walked.label(link)),
            zone=in_xml(link.zone),
            zone_type=link.zone_type,
            style=link.style.value,
            name=in_xml(link.name),
            role=link.role,
            configured_by=in_xml(link.configured_by),
            mark=link.mark.value,
            note=in_xml(link.note),
            steps=", ".join(map(str, walked.steps(link))),
            file=in_xml(link.source.file),
            line=link.source.line,
        )
    for number, one in enumerate(scene.attached):
        node = f"attached {number}"
        first_server = next(server for server in scene.servers if server.name == one.servers[0])
        made.add_node(
            node,
            label=in_xml(one.name),
            x=first_server.x + one.x,
            y=0.0 - first_server.y - one.y,
            kind=one.kind,
            mark=one.mark.value,
            note=in_xml(one.note),
            file=in_xml(one.source.file),
            line=one.source.line,
        )
        for server_name in one.servers:
            made.add_edge(
                names[server_name],
                node,
                key=f"{node} {server_name}",
                label=one.kind,
                style="attached",
            )
    written = io.BytesIO()
    networkx.write_graphml_xml(made, written)
    return written.getvalue().decode("utf-8") + "\n"


def mermaid(scene: Scene) -> str:
    """The scene as a Mermaid flowchart: zones as subgraphs. Mermaid makes its own layout. Linear
    in the scene.
    """
    names = _Names(scene, lambda _, number: f"s{number}")
    walked = _Walked(scene)
    lines = [
        "---",
        f"title: {json.dumps(clean(scene.verdict or scene.title))}",
        "---",
        "flowchart LR",
    ]
    if len(scene.links) >= MERMAID_EDGES:
        lines.append(f"  %% {len(scene.links)} links: the renderer's maxEdges has to allow them")
    for number, (zone, servers) in enumerate(_groups(scene)):
        if zone is None:
            lines += [f"  {_mermaid_node(server, names)}" for server in servers]
            continue
        lines.append(f"  subgraph z{number}[{_mermaid_text(_zone_label(zone))}]")
        lines += [f"    {_mermaid_node(server, names)}" for server in servers]
        lines.append("  end")
    looks: dict[Mark, list[int]] = {}
    for number, link in enumerate(scene.links):
        first, second = walked.ends(link)
        if not walked.directed(link) and link.configured_by == second:
            first, second = second, first
        words = walked.label(link)
        label = f"|{_mermaid_text(words)}|" if words else ""
        lines.append(f"  {names[first]} {_mermaid_arrow(link)}{label} {names[second]}")
        if link.mark:
            looks.setdefault(link.mark, []).append(number)
    lines += _mermaid_attached(scene, names)
    lines += _mermaid_looks(scene, names, looks)
    return "\n".join(lines) + "\n"


def _mermaid_arrow(link: LinkDrawn) -> str:
    if link.mark is Mark.PATH:
        return "==>"
    if link.mark in (Mark.BLOCKED, Mark.REFUSED):
        return "--x"
    if link.mark is Mark.GOES:
        return "-.-"
    return {
        LinkStyle.ACTIVE_ACTIVE: "<-->",
        LinkStyle.ACTIVE_PASSIVE: "-->",
        LinkStyle.ONE_WAY: "-->",
        LinkStyle.UPLINK: "-.->",
        LinkStyle.STANDBY: "-.->",
        LinkStyle.UNRESOLVED: "-.-",
        LinkStyle.IDLE: "-.-",
        LinkStyle.PLAIN: "---",
    }[link.style]


def _mermaid_node(server: ServerDrawn, names: _Names) -> str:
    left, right = {
        Mark.ASKED: ("([", "])"),
        Mark.TARGET: ("[[", "]]"),
        Mark.DELIVERED: ("[[", "]]"),
        Mark.UNDETERMINED: ("{", "}"),
        Mark.UNREACHABLE: ("{{", "}}"),
    }.get(server.mark) or ("[", "]")
    if not server.mark:
        left, right = _MERMAID_SHAPES.get(server.shape, (left, right))
    words = server.name if server.kind in _PLAIN_KINDS else f"{server.name} ({server.kind})"
    words = words if server.loaded else f"{words} (not loaded)"
    return f"{names[server.name]}{left}{_mermaid_text(words)}{right}"


_PLAIN_KINDS = frozenset({"server", "router", "queue manager", "bus"})
"""What a server is taken for without a word."""


def _mermaid_attached(scene: Scene, names: _Names) -> Iterator[str]:
    """Brokers and containers, each joined to the servers that connect to it."""
    for number, one in enumerate(scene.attached):
        yield f"  a{number}[({_mermaid_text(f'{one.name} ({one.kind})')})]"
        for server in one.servers:
            yield f"  {names[server]} -.- a{number}"


def _mermaid_looks(
    scene: Scene, names: _Names, links: Mapping[Mark, Sequence[int]]
) -> Iterator[str]:
    for mark in Mark:
        marked = [names[server.name] for server in scene.servers if mark in server.marks]
        marked += [f"a{at}" for at, one in enumerate(scene.attached) if mark and one.mark is mark]
        if marked:
            called = mark.value.replace("-", "_")
            yield f"  classDef {called} stroke:{_COLOURS[mark]},stroke-width:3px"
            yield f"  class {','.join(marked)} {called}"
        if mark in links:
            yield f"  linkStyle {','.join(map(str, links[mark]))} stroke:{_COLOURS[mark]}"
    unloaded = [names[server.name] for server in scene.servers if not server.loaded]
    if unloaded:
        yield "  classDef notLoaded stroke-dasharray:4 3"
        yield f"  class {','.join(unloaded)} notLoaded"


_PLAIN = re.compile(r"[\w .,:/()+=*@%-]")


def _mermaid_text(text: str) -> str:
    """A quoted text in which every character with a meaning is its code: quotes, brackets,
    ``<``, ``#``, backticks.
    """
    return '"' + "".join(c if _PLAIN.match(c) else f"#{ord(c)};" for c in clean(text)) + '"'


class _Names:
    """What each server is called in a file: two servers never alike."""

    def __init__(self, scene: Scene, form: Callable[[str, int], str]) -> None:
        self._names: dict[str, str] = {}
        taken: set[str] = set()
        for number, server in enumerate(scene.servers):
            name = plain = form(server.name, number)
            further = 1
            while name in taken:
                further += 1
                # before a closing quote, if the format has one
                name = re.sub(r'("?)$', rf" ({further})\1", plain, count=1)
            taken.add(name)
            self._names[server.name] = name

    def __getitem__(self, server: str) -> str:
        return self._names[server]


class _Walked:
    """Which way the shown paths and the blocks of a scene go over each link."""

    def __init__(self, scene: Scene) -> None:
        self._steps: dict[str, set[int]] = {}
        self._ways: dict[str, set[tuple[str, str]]] = {}
        self._blocks: dict[str, list[BlockDrawn]] = {}
        for path in scene.paths:
            self._add(path)
        for block in scene.blocks:
            if block.link:
                self._blocks.setdefault(block.link, []).append(block)

    def _add(self, path: PathDrawn) -> None:
        for step in path.steps:
            self._ways.setdefault(step.link, set()).add((step.from_, step.to))
            if path.shown:
                self._steps.setdefault(step.link, set()).add(step.number)

    def ends(self, link: LinkDrawn) -> tuple[str, str]:
        """The ends in the order in which a path, else a blocked message, goes; else as the scene
        has them.
        """
        ways = self._ways.get(link.id, set())
        if len(ways) == 1:
            return next(iter(ways))
        blocks = self._blocks.get(link.id)
        if blocks and not ways:
            return blocks[0].at, blocks[0].to
        return link.ends

    def directed(self, link: LinkDrawn) -> bool:
        """Whether something goes one way over the link."""
        ways = self._ways.get(link.id, set())
        return len(ways) == 1 or (link.id in self._blocks and not ways)

    def steps(self, link: LinkDrawn) -> list[int]:
        """The numbers that the link has in the paths shown."""
        return sorted(self._steps.get(link.id, ()))

    def label(self, link: LinkDrawn) -> str:
        """Step numbers, the reason of a block, what a change does to the link, or the cost."""
        if link.mark in (Mark.BLOCKED, Mark.REFUSED) and link.id in self._blocks:
            return self._blocks[link.id][0].reason
        changed = link.mark.value if link.mark in (Mark.GOES, Mark.COMES, Mark.ALTERED) else ""
        parts = [", ".join(map(str, self.steps(link))), changed, link.name]
        if link.cost is not None:
            parts.append(f"cost {link.cost}")
        return " · ".join(filter(None, parts))


def _groups(scene: Scene) -> Iterable[tuple[ZoneDrawn | None, list[ServerDrawn]]]:
    """The servers by the zone in which each has most links (of equals the larger, then the
    first); last those without a zone.
    """
    home = homes_of(scene)
    inside: dict[int, list[ServerDrawn]] = {}
    for server_drawn in scene.servers:
        inside.setdefault(home.get(server_drawn.name, -1), []).append(server_drawn)
    for number in sorted(inside, key=lambda number: (number < 0, number)):
        yield (scene.zones[number] if number >= 0 else None), inside[number]


def _zone_label(zone: ZoneDrawn) -> str:
    return zone.title


def _about_server(server: ServerDrawn) -> str:
    zones = f"zones {listed(server.zones)}" if server.zones else ""
    parts = (server.name, zones, server.note, server.incomplete, str(server.source))
    return "; ".join(filter(None, parts))


def _about_link(link: LinkDrawn) -> str:
    cost = f"cost {link.cost}" if link.cost is not None else ""
    ends = f" {'to' if link.style is LinkStyle.ONE_WAY else '-'} ".join(link.ends)
    kind = link.role or link.style.value
    parts = (ends, link.name, link.zone, kind, link.because, cost, link.note, str(link.source))
    return "; ".join(filter(None, parts))


FORMATS: Mapping[str, Callable[[Scene], str]] = {
    "dot": dot,
    "graphml": graphml,
    "mermaid": mermaid,
    "svg": svg,
}
"""The formats by name."""

SUFFIXES: Mapping[str, str] = {
    ".dot": "dot",
    ".gv": "dot",
    ".graphml": "graphml",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".svg": "svg",
}
"""The format that a file's name says."""
