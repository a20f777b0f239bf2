"""What a change takes away, in a clause each: what stands beside its verdict, which is about the
commands only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from topograph.questions.answers.audit import AuditAnswer, DeliveryMoved
from topograph.questions.texts.layout import count, listed, plural_of
from topograph.questions.texts.verdicts import no_longer_taken


def losses(answer: AuditAnswer, noun: str = "server") -> Iterator[str]:
    """What servers and subscribers lose, worst first. ``noun`` is what servers are called.
    Linear in the answer.
    """
    if answer.reach.lost_count:
        verb = (
            "no longer reaches its end"
            if answer.reach.lost_count == 1
            else "no longer reach each other"
        )
        yield f"{count(answer.reach.lost_count, 'ordered pair')} of {plural_of(noun)} {verb}"
    yield from _at(answer.deliveries.lost, "subscribers lose messages")
    ended = dict.fromkeys(one.destination for one in answer.outcomes if no_longer_taken(one))
    if ended:
        yield f"nobody takes messages to {listed(list(ended))} any longer"
    yield from _at(answer.would_lose, "subscribers would lose messages, if there are any")
    yield from _at(answer.deliveries.duplicated, "subscribers get messages more than once")


def _at(rows: Sequence[DeliveryMoved], what: str) -> Iterable[str]:
    return [f"at {listed(sorted({row.server for row in rows}))} {what}"] if rows else []
