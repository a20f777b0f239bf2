"""What a message of ``propagate`` passes inside the servers on its way to each recipient, where its
system goes step by step."""

from __future__ import annotations

from topograph.questions.answers import Delivery, MessageFollowed, PropagateAnswer, TraceBranch
from topograph.viz.scene.inside import Stations
from topograph.viz.scene.judged import mark_of, of_branch
from topograph.viz.scene.marking import Marking
from topograph.viz.scene.records import PathDrawn
from topograph.viz.scene.traced import condition_of, drawn_way, ends_of, note_of, way_of


class RecipientWays:
    """The ways of one message, followed once."""

    def __init__(self, answer: PropagateAnswer, marking: Marking) -> None:
        self._marking = marking
        self._start = answer.from_
        self._told: MessageFollowed | None = None if answer.follow is None else answer.follow()
        self._ends: list[TraceBranch] = []
        if self._told is not None:
            self._stations = Stations(self._told, marking.label)
            self._ends = ends_of(self._told)

    def of(self, delivery: Delivery, title: str, *, shown: bool) -> PathDrawn | None:
        """The path to a recipient; None where the answer is not followed step by step. Each way
        is that of one recipient. Linear in the ways."""
        if self._told is None:
            return None
        for branch in sorted(self._ends, key=lambda one: delivery.destination not in one.ending):
            if (branch.outcome, branch.server) != (delivery.outcome, delivery.server):
                continue
            way = way_of(self._told, branch.last)
            servers, steps = drawn_way(way, self._start, self._marking, self._stations)
            if servers != delivery.path:
                continue
            self._ends.remove(branch)
            claim, certain = of_branch(self._told, branch)
            note = note_of(branch, certain, condition_of(self._told, branch))
            end = mark_of(claim, certain)
            return PathDrawn(title, servers, steps, shown, end=end, ending=note)
        return None
