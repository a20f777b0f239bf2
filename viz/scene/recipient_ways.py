"""What a message of ``propagate`` passes inside the servers on its way to each recipient, where its
system goes step by step."""

from __future__ import annotations

from topograph.questions.answers import Delivery, MessageFollowed, PropagateAnswer, TraceBranch
from topograph.viz.scene.inside import Stations
from topograph.viz.scene.judged import mark_of, of_branch
from topograph.viz.scene.marking import Marking
from topograph.viz.scene.records import PathDrawn
from topograph.viz.scene.traced import condition_of, drawn_way, ends_of, note_of, way_of

RECIPIENTS = 60
"""Recipients whose ways are drawn inside the servers; of the others the picture has the hops."""


class RecipientWays:
    """The ways of one message, followed once."""

    def __init__(self, answer: PropagateAnswer, marking: Marking) -> None:
        self._marking = marking
        self._start = answer.from_
        self._told: MessageFollowed | None = None if answer.follow is None else answer.follow()
        self._ends: dict[tuple[str, str], list[TraceBranch]] = {}
        self._left = RECIPIENTS
        if self._told is None:
            return
        self._stations = Stations(self._told, marking.label)
        for branch in ends_of(self._told):
            self._ends.setdefault((branch.outcome, branch.server), []).append(branch)
        total = len(answer.deliveries)
        if total > RECIPIENTS:
            text = (
                "What the message passes inside the servers is drawn for the farthest "
                f"{RECIPIENTS} of {total:,} recipients."
            )
            marking.said.facts.append(("note", text))

    def of(self, delivery: Delivery, title: str, *, shown: bool) -> PathDrawn | None:
        """The path to a recipient; None where the answer is not followed step by step, and for
        those that are too many. Each way is that of one recipient. Linear in the ways that end
        at its server."""
        if self._told is None or not self._left:
            return None
        ends = self._ends.get((delivery.outcome, delivery.server), [])
        for branch in sorted(ends, key=lambda one: delivery.destination not in one.ending):
            way = way_of(self._told, branch.last)
            servers, steps = drawn_way(way, self._start, self._marking, self._stations)
            if servers != delivery.path:
                continue
            ends.remove(branch)
            self._left -= 1
            claim, certain = of_branch(self._told, branch)
            note = note_of(branch, certain, condition_of(self._told, branch))
            end = mark_of(claim, certain)
            return PathDrawn(title, servers, steps, shown, end=end, ending=note)
        return None
