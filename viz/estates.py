"""From the model of a network to what is drawn of it: its servers and links, and the scene of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from topograph.forwarding.reached import shown_links
from topograph.viz.neighbourhood import READABLE
from topograph.viz.picture import Estate, draw

if TYPE_CHECKING:
    from topograph.questions.answers import Answer
    from topograph.questions.model import Model
    from topograph.viz.scene import Scene


def scene_of(
    model: Model,
    answer: Answer | None = None,
    *,
    around: str | Sequence[str] = (),
    depth: int | None = None,
    whole: bool = False,
) -> Scene:
    """The picture of an answer, or of the network itself; see ``Network.scene`` for arguments and errors."""
    centre = (around,) if isinstance(around, str) else tuple(around)
    names = tuple(model.locate(server).name for server in centre)
    links = [link for part in model.parts for link in shown_links(part.graph)]
    servers = [server for part in model.parts for server in part.graph.servers]
    engine = model.parts[0].engine.name if model.parts else "memory"
    estate = Estate(model.network, model.snapshot, engine, servers, links)
    return draw(estate, answer, around=names, depth=depth, readable=None if whole else READABLE)
