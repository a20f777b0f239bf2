"""The positions that the links of a path rest on: guards of kind ``position`` ask nothing of a message and carry an assumption."""

from __future__ import annotations

import json
from collections.abc import Iterable

from topograph.assumptions import Assumption
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.simple import Path


def assumptions_of(graph: ForwardingGraph, paths: Iterable[Path]) -> tuple[Assumption, ...]:
    """The positions that the links of these paths rest on, each once, by rule and text. Linear in the points."""
    numbers = {number for point in set().union(*paths) for number in graph.points[point].guards}
    found = {Assumption(**json.loads(graph.guards[n].payload)) for n in numbers if graph.guards[n].kind == "position"}
    return tuple(sorted(found, key=lambda assumption: (assumption.rule, assumption.text)))
