"""``View``: a picture as a ``pyvis.network.Network`` that a notebook user can go on with, written
as our own offline page.

pyvis keeps nodes and edges as plain dicts and has the calls that people know. What it does with
them is replaced: its pages load scripts from the web, its markup leaves names unescaped, and an
undirected network drops parallel edges.
"""

from __future__ import annotations

import html
import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from pyvis.edge import Edge
from pyvis.network import Network
from pyvis.node import Node

from topograph.viz.page import render
from topograph.viz.page.form import Form
from topograph.viz.scene.elements import link_title, server_title
from topograph.viz.scene.records import Scene


class View(Network):  # type: ignore[misc]  # pyvis has no types
    """The servers and links of a ``Scene`` as pyvis nodes and edges, placed and with physics off.

    A node's id is the server's name, an edge's id the link's. Add to it, or change it, as with any
    pyvis network: ``get_node("A")["color"] = "red"``, ``add_node``, ``add_edge``; what is set here
    wins over the page's looks (``scene``). ``generate_html``, ``write_html``, ``save_graph`` and
    ``show`` give one HTML file that needs no network; a notebook shows the page itself.
    ``make_form`` gives the form in which the page takes questions.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        height: str = "640px",
        width: str = "100%",
        make_form: Callable[[], Form | None] = lambda: None,
    ) -> None:
        super().__init__(height=height, width=width, cdn_resources="in_line")
        self.scene = scene
        self._make_form = make_form
        self.toggle_physics(False)
        for server in scene.servers:
            self.add_node(
                server.name, label=server.name, title=server_title(server), x=server.x, y=server.y
            )
            # The page has looks for every mark, in light and in dark; a colour or shape that stands
            # here is the user's.
            del self.get_node(server.name)["color"], self.get_node(server.name)["shape"]
        for link in scene.links:
            self.add_edge(*link.ends, id=link.id, title=link_title(link))

    @cached_property
    def form(self) -> Form | None:
        """The form of the page, in which questions are asked; None where it has none. Made when the
        page is first written."""
        return self._make_form()

    def add_node(
        self,
        n_id: str | int,
        label: str | None = None,
        shape: str = "dot",
        color: str = "#97c2fc",
        **options: Any,
    ) -> None:
        """As pyvis does, in constant time: a node that is there already stays as it is."""
        if n_id in self.node_map:
            return
        looks = options if "group" in options else {"color": color, **options}
        node = Node(n_id, shape, label=label or n_id, font_color=self.font_color, **looks)
        self.nodes.append(node.options)
        self.node_ids.append(n_id)
        self.node_map[n_id] = node.options

    def add_edge(self, source: str | int, to: str | int, **options: Any) -> None:
        """Add an edge between two nodes that are there. Parallel edges stay (pyvis drops them).
        Raises ValueError for an unknown node.
        """
        for end in (source, to):
            if end not in self.node_map:
                raise ValueError(f"There is no node {end!r}: add it first.")
        self.edges.append(Edge(source, to, self.directed, **options).options)

    def generate_html(
        self,
        name: str = "index.html",  # noqa: ARG002
        local: bool = True,  # noqa: ARG002
        notebook: bool = False,  # noqa: ARG002
    ) -> str:
        """The page as text; ``html`` keeps it, as in pyvis. Pure otherwise: nothing is written
        or loaded. The arguments are pyvis' own.
        """
        self.html = render(self.nodes, self.edges, self.scene, self.form)
        return str(self.html)

    def write_html(
        self,
        name: str | os.PathLike[str],
        local: bool = True,  # noqa: ARG002
        notebook: bool = False,  # noqa: ARG002
        open_browser: bool = False,
    ) -> None:
        """Write the page to a file, and nothing beside it; with ``open_browser`` show it. Raises
        OSError.
        """
        Path(name).write_text(self.generate_html(), encoding="utf-8", errors="backslashreplace")
        if open_browser:
            import webbrowser

            webbrowser.open(Path(name).resolve().as_uri())

    def save_graph(self, name: str | os.PathLike[str]) -> None:
        """``write_html`` under pyvis' other name."""
        self.write_html(name)

    def show(
        self,
        name: str | os.PathLike[str],
        local: bool = True,  # noqa: ARG002
        notebook: bool = True,
    ) -> View | None:
        """Write the page; in a notebook return the view, which shows itself there, else open a
        browser.
        """
        self.write_html(name, open_browser=not notebook)
        return self if notebook else None

    def _repr_html_(self) -> str:
        """The page in a frame of its own: it neither sees nor changes the notebook around it."""
        page = html.escape(self.generate_html(), quote=True)
        width, height = (
            html.escape(str(self.width), quote=True),
            html.escape(str(self.height), quote=True),
        )
        title = html.escape(self.scene.title, quote=True)
        return (
            f'<iframe title="{title}" sandbox="allow-scripts allow-downloads" '
            f'srcdoc="{page}" width="{width}" height="{height}" '
            'style="border: 0"></iframe>'
        )
