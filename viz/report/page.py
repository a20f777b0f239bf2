"""``ReportPage``: a report that a Python user can still change before it is written."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from topograph.process.packages import installed
from topograph.reporting.report import Report
from topograph.viz.report import render
from topograph.viz.scene.elements import edges_of, nodes_of
from topograph.viz.scene.records import Scene

if TYPE_CHECKING:
    from topograph.viz.view import View


class ReportPage:
    """A report of one network."""

    def __init__(
        self, report: Report, scene: Scene, still: Scene, engine: Mapping[str, Any]
    ) -> None:
        self.report = report
        self._scene = scene
        self._still = still
        self._engine = engine

    @cached_property
    def topology(self) -> View:
        """The picture as a ``pyvis.network.Network``: what is set there wins over the report's own
        looks. Raises NotInstalled without pyvis."""
        with installed():
            from topograph.viz.view import View
        return View(self._scene)

    def __repr__(self) -> str:
        return (
            f"<Report of {self.report.header.network!r}, snapshot "
            f"{self.report.header.snapshot}: {self.report.verdict.sentence}>"
        )

    def generate_html(self) -> str:
        """The report as text. Nothing is written or loaded."""
        changed: View | None = self.__dict__.get("topology")
        scene = self._scene if changed is None else changed.scene
        nodes, edges = (
            (nodes_of(scene), edges_of(scene))
            if changed is None
            else (changed.nodes, changed.edges)
        )
        return render(self.report, nodes, edges, scene, self._still, self._engine)

    def write_html(self, name: str | os.PathLike[str]) -> None:
        """Write the report to a file, and nothing beside it. Raises OSError."""
        Path(name).write_text(self.generate_html(), encoding="utf-8", errors="backslashreplace")

    def _repr_html_(self) -> str:
        """The report in a frame of its own: it neither sees nor changes the notebook around it."""
        page = html.escape(self.generate_html(), quote=True)
        title = html.escape(f"Report of {self.report.header.network}", quote=True)
        return (
            f'<iframe title="{title}" sandbox="allow-scripts" srcdoc="{page}" width="100%" '
            'height="800" style="border: 0"></iframe>'
        )
