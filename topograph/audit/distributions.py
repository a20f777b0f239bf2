"""Messages that servers distribute otherwise than before: to others of several receivers, over
other servers, by another distribution.

Who gets a message at all is told by ``witnesses``. Where servers choose among receivers, a change
may leave that as it is and still move messages.
"""

from __future__ import annotations

from topograph.findings import Source
from topograph.questions.answers.impact import OutcomeChanged
from topograph.questions.answers.propagate import Decision, Delivery, PropagateAnswer

_Ways = dict[str, tuple[str, Source]]
"""What becomes of a message, in words, each with the rule and the line behind it."""


def distributed_otherwise(
    before: PropagateAnswer | None, after: PropagateAnswer | None, destination: str, source: Source
) -> OutcomeChanged | None:
    """How a message of one sender is distributed before and after a change; None where that is
    the same, or no server decides about it. ``source`` is the line that changed."""
    if (
        before is None
        or after is None
        or not any(
            _distribution(each)
            for one in (*before.deliveries, *after.deliveries)
            for each in one.decisions
        )
    ):
        return None
    was, now = _ways(before), _ways(after)
    gone, come = sorted(was.keys() - now.keys()), sorted(now.keys() - was.keys())
    if not gone and not come:
        return None
    rule, place = now[come[0]] if come else was[gone[0]]
    system = (after.deliveries or before.deliveries)[0].system
    return OutcomeChanged(
        after.from_,
        destination,
        tuple(gone),
        tuple(come),
        rule,
        place if place.file else source,
        system,
        cause=source,
    )


def _ways(answer: PropagateAnswer) -> _Ways:
    found: _Ways = {}
    for one in answer.deliveries:
        found.setdefault(*_way(one))
    sender = answer.sender
    if sender is not None and sender.outcome:
        found.setdefault(f"the sender sees {sender.outcome}", (sender.rule, sender.source))
    return found


def _distribution(decision: Decision | None) -> str:
    """How a server distributes messages, as its decision says it; empty where it decides nothing
    among receivers, such as that a bridge copies a message.
    """
    if decision is None:
        return ""
    how, colon, _ = decision.text.partition(": ")
    return how if colon else ""


def _way(one: Delivery) -> tuple[str, tuple[str, Source]]:
    """A delivery in words. Of a receiver that is only supposed to be there the distribution
    alone: how far it is to servers is told by pairs.
    """
    decision = next(iter(one.decisions), None)
    how = _distribution(decision) or "delivered"
    behind = ("", Source("")) if decision is None else (decision.rule, decision.source)
    if one.subscriber == "assumed":
        return how, behind
    path = " → ".join(one.path)
    chosen = {"always": "", "one_of": ", one of several", "later": ", once it is free"}.get(
        one.choice, f", {one.choice}"
    )
    copies = f", {one.copies} copies" if one.copies > 1 else ""
    return f"{how}: {one.receiver or one.server} over {path}{chosen}{copies}", behind
