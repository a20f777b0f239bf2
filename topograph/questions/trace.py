"""``trace``: what happens to one message, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from topograph.forwarding.budget import Budget
from topograph.message import Message
from topograph.outcomes import Outcome
from topograph.questions.answers import TraceAnswer, TraceBranch, TraceStep
from topograph.questions.model import Model, within_budget
from topograph.questions.propagate import cautions, followed, left_open, sender_of
from topograph.side_inputs import Client
from topograph.tracing.outcomes import Folding
from topograph.tracing.trace import Trace


@within_budget
def trace(
    model: Model,
    budget: Budget,
    from_: str,
    message: Message,
    *,
    subscribers: Sequence[str] = (),
    clients: Sequence[Client] = (),
) -> TraceAnswer:
    """Follow one message sent at ``from_``. Raises what ``propagate`` raises, at the same cost."""
    start = model.locate(from_)
    told = followed(model, budget, start, message, subscribers, clients)
    folding = Folding(told)
    outcomes = _outcomes(told, folding)
    alternatives = folding.courses or (folding.hypothetical if len(folding.hypothetical) > 1 else ())
    return TraceAnswer(
        **model.common(start.part),
        exact=told.exact,
        assumptions=told.assumptions,
        warnings=cautions(model, start, told, budget),
        from_=start.name,
        system=start.system,
        message=message.to_dict(),
        steps=tuple(_steps(told)),
        branches=tuple(
            TraceBranch(
                branch.id,
                branch.of,
                str(branch.kind),
                branch.choice,
                branch.condition,
                str(branch.ending) if branch.ending else "",
                branch.eliminated,
                branch.last,
                branch.sender,
            )
            for branch in told.branches
        ),
        outcome=_outcome(told, folding, outcomes),
        outcomes=outcomes,
        alternatives=tuple(branch.id for branch in alternatives),
        undetermined=left_open(told),
        sender=sender_of(told),
    )


def _steps(told: Trace) -> list[TraceStep]:
    """Each step with its own outcome: hops go on, and the last step of a branch that ends has its ending."""
    endings = {branch.last: str(branch.ending) for branch in told.branches if branch.ending is not None}
    return [
        TraceStep(
            step.id,
            step.after,
            step.branch,
            step.at,
            step.system,
            step.state,
            step.text,
            step.rule,
            step.confidence,
            f"{Outcome.FORWARDED}({step.to})" if step.to else endings.get(step.id, ""),
            step.source,
            step.object,
            step.to,
        )
        for step in told.steps
    ]


def _outcomes(told: Trace, folding: Folding) -> tuple[str, ...]:
    """How each copy ends, as things are now; where nobody takes the message how it is stopped, or what the sender sees."""
    found: dict[str, None] = {}
    copies: dict[tuple[int, int, str, str], int] = {}
    for one in folding.arrivals():
        if one.branch.id in folding.deferred:
            continue
        found[str(one.ending)] = None
        depends = folding.depends_on(one.branch.id)
        receiver = one.ending.text("receiver") or one.ending.text("server")
        key = one.course, -1 if depends is None else depends.id, str(one.ending), receiver
        copies[key] = copies.get(key, 0) + one.ending.count("copies")
    for (*_, name), number in copies.items():
        if number > 1:
            found[f"{Outcome.DUPLICATE}({name}, {number})"] = None
    found.update(dict.fromkeys(map(str, folding.others())))
    if found:
        return tuple(found)
    return tuple(dict.fromkeys(str(branch.ending) for branch in told.endings()))


def _outcome(told: Trace, folding: Folding, outcomes: Sequence[str]) -> str:
    """The one word the message ends in; ONE_OF where routers choose, UNDETERMINED where nothing certain is known."""
    if folding.decided_at_run_time:
        return Outcome.ONE_OF
    kinds = list(dict.fromkeys(outcome.partition("(")[0] for outcome in outcomes))
    others = {str(ending.outcome) for ending in folding.others()}
    taken = [kind for kind in kinds if kind in (Outcome.DELIVERED, Outcome.DEPOSITED) or kind in others]
    if taken:
        return " and ".join(taken)
    if told.open:
        return Outcome.UNDETERMINED
    return kinds[0] if kinds else Outcome.DISCARDED
