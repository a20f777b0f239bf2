"""The states of a network as drawings that can be laid over each other: each server has the same
place in all of them, and all have the same size.
"""

from __future__ import annotations

from collections.abc import Sequence

from topograph.viz.scene.records import Scene
from topograph.viz.svg.document import standing_element
from topograph.viz.svg.network import NetworkDrawing


def state_elements(scenes: Sequence[Scene], name: str) -> list[str]:
    """Each scene as an ``svg`` element of the class ``name``, as ``document.element`` gives it:
    each server at its place, without boxes, in a field that is large enough for all states. The
    legend below says what is in that state. Linear in the scenes, beside the signs of each.
    """
    drawings = [NetworkDrawing(scene, f"{name}-", boxes_wanted=False) for scene in scenes]
    if not drawings:
        return []
    left = min(one.left for one in drawings)
    top = min(one.top for one in drawings)
    right = max(one.left + one.width for one in drawings)
    bottom = max(one.top + one.height for one in drawings)
    for one in drawings:
        one.left, one.top, one.width, one.height = left, top, right - left, bottom - top
    return [
        standing_element(scene, drawing, name)
        for scene, drawing in zip(scenes, drawings, strict=True)
    ]
