"""What a failure or a change says of servers whose messages end in another way: how the ends
compare, and where messages wait that did not before.
"""

from __future__ import annotations

from collections.abc import Iterable

from topograph.questions.answers import OutcomeChanged
from topograph.questions.texts.audits import circulates
from topograph.questions.texts.layout import count
from topograph.questions.texts.verdicts import ends_better
from topograph.viz.scene.judged import Claim, mark_of
from topograph.viz.scene.marking import CollectedNotes


def of_end_moved(one: OutcomeChanged) -> Claim:
    """What is claimed of the server where messages are put that end in another way."""
    if circulates(one):
        return Claim.CIRCULATES
    if ends_better(one):
        return Claim.BETTER
    return Claim.WAITS if one.waits_at == (one.server,) and len(one.after) == 1 else Claim.ELSEWHERE


def waiting(outcomes: Iterable[OutcomeChanged], notes: CollectedNotes, when: str) -> None:
    """Mark the servers at which messages wait that did not before, wherever they are put."""
    waits: dict[str, list[OutcomeChanged]] = {}
    for one in outcomes:
        for server in one.waits_at:
            waits.setdefault(server, []).append(one)
    for server, own in waits.items():
        first = own[0]
        more = f", and those of {count(len(own) - 1, 'other put')}," if len(own) > 1 else ""
        words = f"messages to {first.destination} put at {first.server}{more} wait here {when}"
        notes.add(server, mark_of(Claim.WAITS), words)
