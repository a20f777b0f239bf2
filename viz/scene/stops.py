"""Where messages end: of the blocks of an answer those that are causes, and which of the others
only repeat one of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from topograph.viz.scene.records import BlockDrawn, PathDrawn, StepDrawn


def causes_first(
    blocks: Sequence[BlockDrawn], zone_of: Mapping[str, str], of_zones: frozenset[str] = frozenset()
) -> list[BlockDrawn]:
    """The blocks with the causes first, those with the fewest steps before others, and behind them
    the ones that repeat a cause (``repeats``).

    ``zone_of`` is the zone of each link; ``of_zones`` are the reasons that only say how far a
    message goes inside a zone. A block repeats an earlier one

    * if it is left open, and the earlier block, left open too, has its link on its way: what is not
      known is the same;
    * if it has such a reason, and the earlier one keeps the message from the same server in the
      same zone (of a full mesh in which one server does not send to another, all others do not pass
      the message on to it either);
    * if both stop the message at the same server, in the same zone, for the same reason, which
      names nothing but the server beyond.

    n log n in the blocks, and linear in the steps of their ways."""
    open_ways: dict[tuple[str, str], int] = {}
    kept_from: dict[tuple[str, str], int] = {}
    alike: dict[tuple[str, ...], int] = {}
    causes: list[BlockDrawn] = []
    repeated: list[tuple[int, BlockDrawn]] = []

    def order(block: BlockDrawn) -> tuple[bool, int, bool, str, str]:
        ends_there = block.certain or not block.way or block.at != block.to
        return ends_there, len(block.way), block.reason in of_zones, block.at, block.to

    for block in sorted(blocks, key=order):
        zone = zone_of.get(block.link, "")
        same = (block.at, zone, block.reason, str(block.certain), _beyond(block))
        cause = None
        if block.link:
            if not block.certain:
                cause = open_ways.get((block.at, block.to))
            if cause is None and block.reason in of_zones:
                cause = kept_from.get((block.to, zone))
            if cause is None:
                cause = alike.get(same)
        if cause is not None:
            repeated.append((cause, block))
            continue
        number = len(causes)
        causes.append(block)
        if block.link:
            kept_from.setdefault((block.to, zone), number)
            alike[same] = number
        if not block.certain:
            for step in block.way:
                open_ways.setdefault((step.from_, step.to), number)
    return _in_order(causes, repeated)


def _in_order(
    causes: Sequence[BlockDrawn], repeated: Sequence[tuple[int, BlockDrawn]]
) -> list[BlockDrawn]:
    """What is certain before what is left open, the fewest steps first; then the repetitions, by
    their causes.
    """
    order = sorted(
        range(len(causes)),
        key=lambda number: (not causes[number].certain, len(causes[number].way), number),
    )
    place = {number: at for at, number in enumerate(order)}
    found = [causes[number] for number in order]
    for cause, block in sorted(
        repeated, key=lambda one: (place[one[0]], len(one[1].way), one[1].at, one[1].to)
    ):
        found.append(dataclasses.replace(block, repeats=place[cause]))
    return found


def _beyond(block: BlockDrawn) -> str:
    """What is said of a block without the name of the server that the message does not get to.
    In a selector a name is a value.
    """
    if block.predicate:
        return block.guard
    return " ".join(
        "*" if word.strip(".,;:'\"") == block.to else word for word in block.guard.split(" ")
    )


def causes_of(blocks: Sequence[BlockDrawn]) -> list[tuple[BlockDrawn, list[BlockDrawn]]]:
    """The blocks that are causes, in their order, each with those that only repeat it. Linear in
    the blocks.
    """
    found: dict[int, tuple[BlockDrawn, list[BlockDrawn]]] = {}
    for number, block in enumerate(blocks):
        if block.repeats < 0:
            found[number] = block, []
    for block in blocks:
        if block.repeats >= 0:
            found[block.repeats][1].append(block)
    return list(found.values())


def steps_to_blocks(blocks: Sequence[BlockDrawn], shown: Sequence[PathDrawn]) -> list[StepDrawn]:
    """The steps that lead to causes and are not on the paths that are shown, each once. Linear
    in the steps.
    """
    on_paths = {step for path in shown for step in path.steps}
    ways = dict.fromkeys(step for block in blocks if block.repeats < 0 for step in block.way)
    return [step for step in ways if step not in on_paths]
