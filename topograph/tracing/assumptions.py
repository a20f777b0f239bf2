"""The positions that the links of a path rest on: guards of kind ``position`` ask nothing of a message and carry an assumption."""

from __future__ import annotations

import json
from collections.abc import Iterable

from topograph.assumptions import Assumption
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.simple import Path


def assumptions_of(graph: ForwardingGraph, paths: Iterable[Path]) -> tuple[Assumption, ...]:
    """The positions that the links of these paths rest on, each once, by rule and text. Linear in the points."""
    return positions_of(graph, (number for point in set().union(*paths) for number in graph.points[point].guards))


def positions_of(graph: ForwardingGraph, guards: Iterable[int]) -> tuple[Assumption, ...]:
    """The positions among the guards of these numbers, each once, by rule and text. Linear in the numbers."""
    named = (graph.guards[number] for number in set(guards))
    found = {Assumption(**json.loads(guard.payload)) for guard in named if guard.kind == "position"}
    return tuple(sorted(found, key=lambda assumption: (assumption.rule, assumption.text)))
