"""The positions that the links of a path rest on: guards of kind ``position`` ask nothing of a
message and carry an assumption.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topograph.assumptions import Assumption
from topograph.forwarding.graph import POSITIONS, STANDBY, ForwardingGraph
from topograph.forwarding.rows import distinct, spans
from topograph.forwarding.simple import Path


def assumptions_of(graph: ForwardingGraph, paths: Iterable[Path]) -> tuple[Assumption, ...]:
    """The positions that the links of these paths rest on, each once, by rule and text. Linear
    in the points.
    """
    return assumptions_at(graph, np.fromiter(set().union(*paths), np.int64))


def assumptions_at(
    graph: ForwardingGraph, points: NDArray[np.integer[Any]]
) -> tuple[Assumption, ...]:
    """The positions that the links into these points rest on, each once, by rule and text. Linear
    in the points, with a step for each of their guards that is different.
    """
    columns = graph.columns
    begins = columns.guard_starts[points]
    rows = spans(begins, columns.guard_starts[points + 1] - begins)
    return positions_of(graph, distinct(columns.guard_values[rows]).tolist())


def network_assumptions(graphs: Iterable[ForwardingGraph]) -> tuple[Assumption, ...]:
    """The positions that an answer about whole networks rests on, each once, by rule and text:
    those of every point, and of every link that carries messages or would if another failed.
    Linear in points and links."""
    found: set[Assumption] = set()
    for graph in graphs:
        numbers: set[int] = set(graph.columns.guard_values.tolist())
        numbers.update(
            *(link.guards for link in graph.links if link.carries or link.role == STANDBY)
        )
        found.update(positions_of(graph, numbers))
    return tuple(sorted(found, key=_order))


def positions_of(graph: ForwardingGraph, guards: Iterable[int]) -> tuple[Assumption, ...]:
    """The positions among the guards of these numbers, each once, by rule and text. Linear in
    the numbers.
    """
    named = (graph.guards[number] for number in set(guards))
    found = {Assumption(**json.loads(guard.payload)) for guard in named if guard.kind in POSITIONS}
    return tuple(sorted(found, key=_order))


def _order(assumption: Assumption) -> tuple[str, str]:
    return assumption.rule, assumption.text
