"""The servers and links of a scene as the nodes and edges of a page, without pyvis: what
``view.View`` holds before a user changes anything.
"""

from __future__ import annotations

from typing import Any

from topograph.questions.texts.layout import place
from topograph.viz.scene.records import LinkDrawn, LinkStyle, Scene, ServerDrawn


def nodes_of(scene: Scene) -> list[dict[str, Any]]:
    """One node a server, by its name, where the scene has it. Linear."""
    return [
        {
            "id": server.name,
            "label": server.name,
            "title": server_title(server),
            "x": server.x,
            "y": server.y,
        }
        for server in scene.servers
    ]


def edges_of(scene: Scene) -> list[dict[str, Any]]:
    """One edge a link, by its id; parallel ones too. Linear."""
    return [
        {"id": link.id, "from": link.ends[0], "to": link.ends[1], "title": link_title(link)}
        for link in scene.links
    ]


def server_title(server: ServerDrawn) -> str:
    """What a pointer over a server shows, in lines."""
    lines = [
        server.name,
        server.note,
        "" if server.loaded else "its files are not loaded",
        place(server.source),
    ]
    return "\n".join(line for line in lines if line)


def link_title(link: LinkDrawn) -> str:
    """What a pointer over a link shows, in lines."""
    cost = f"cost {link.cost}" if link.cost is not None else ""
    zone = f"zone {link.zone} ({link.zone_type})" if link.zone else ""
    ends = f" {'to' if link.style is LinkStyle.ONE_WAY else '-'} ".join(link.ends)
    lines = [
        ends,
        link.name,
        zone,
        link.role or link.style.value,
        link.because,
        cost,
        link.note,
        place(link.source),
    ]
    return "\n".join(line for line in lines if line)
