"""``trace``: what happens to one message, step by step."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from topograph.errors import NotApplicable
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.message import Message
from topograph.outcomes import Outcome
from topograph.questions.answers import (
    MessageFollowed,
    TraceAnswer,
    TraceBranch,
    TraceReply,
    TraceStep,
)
from topograph.questions.following import (
    cautions,
    follow,
    inexact_because,
    left_open,
    not_followed,
    sender_of,
    sending_of,
)
from topograph.questions.judgements import FateJudgements, conditions
from topograph.questions.model import Model, Part, Place, within_budget
from topograph.side_inputs import Client
from topograph.systems.contract.system import Replying, Sending
from topograph.systems.registry import title
from topograph.tracing.outcomes import Arrival, Folding
from topograph.tracing.trace import Branch, Ending, Trace, TracedStep


@within_budget
def trace(
    model: Model,
    budget: Budget,
    from_: str,
    message: Message,
    *,
    subscribers: str | Sequence[str] = (),
    clients: Sequence[Client] = (),
    reply: bool = False,
) -> TraceAnswer:
    """Follow one message sent at ``from_``, with ``reply`` also the reply from each place where
    it is taken. Raises what ``propagate`` raises, at the same cost, and NotApplicable for
    ``reply`` where the system does not follow replies."""
    start = model.locate(from_, message.destination.type)
    sending = sending_of(model, budget, start, message, subscribers, clients)
    told = follow(start, sending)
    folding = Folding(told)
    outcomes = _outcomes(told, folding, message.count)
    alternatives = folding.courses or (
        folding.hypothetical if len(folding.hypothetical) > 1 else ()
    )
    replies = tuple(_replies(model, start, sending, told, folding)) if reply else ()
    answered = [trace for _, trace in replies if trace is not None]
    assumptions = dict.fromkeys(one for each in (told, *answered) for one in each.assumptions)
    return TraceAnswer(
        **model.common(start.part),
        exact=all(one.exact for one in (told, *answered)),
        inexact_because=tuple(
            dict.fromkeys(
                why for one in (told, *answered) for why in inexact_because(one, start.part)
            )
        ),
        assumptions=tuple(assumptions),
        warnings=cautions(model, start, told, budget),
        from_=start.name,
        system=start.system,
        message=message.to_dict(),
        steps=tuple(_steps(told)),
        branches=_branches(told, FateJudgements(folding)),
        outcome=_outcome(told, folding, outcomes),
        outcomes=outcomes,
        alternatives=tuple(branch.id for branch in alternatives),
        undetermined=left_open(told, start.part),
        sender=sender_of(told),
        replies=tuple(_reply(*each, start.part) for each in replies),
    )


def _replies(
    model: Model, start: Place, sending: Sending, told: Trace, folding: Folding
) -> Iterator[tuple[Arrival, Trace | None]]:
    """Each place where the message is taken, with the trace of the reply from there; None where
    it asks for none.
    """
    estate = start.part.estate
    if not isinstance(estate, Replying):
        raise NotApplicable(
            f"Replies of {title(start.system)} are not followed. Use reach --reply for "
            "the way back."
        )
    for one in folding.arrivals():
        taken = told.steps[one.branch.last]
        try:
            yield one, estate.reply(start.part.graph, start.part.engine, taken, sending)
        except BudgetSpent:
            yield one, not_followed(model.locate(f"{taken.system}:{taken.at}"), sending.budget)


def followed_in_steps(told: Trace) -> MessageFollowed:
    """A trace as the answer of ``trace`` tells it, for pictures of other answers. Linear in it."""
    return MessageFollowed(tuple(_steps(told)), _branches(told, FateJudgements(Folding(told))))


def _reply(taken: Arrival, told: Trace | None, part: Part) -> TraceReply:
    at, destination = taken.ending.text("server"), taken.ending.text("destination")
    if told is None:
        return TraceReply(taken.branch.id, at, destination, "")
    folding = Folding(told)
    outcomes = _outcomes(told, folding, 1)
    return TraceReply(
        taken.branch.id,
        at,
        destination,
        _outcome(told, folding, outcomes),
        outcomes,
        tuple(_steps(told)),
        _branches(told, FateJudgements(folding)),
        left_open(told, part),
    )


def _branches(told: Trace, judgements: FateJudgements) -> tuple[TraceBranch, ...]:
    """The branches as the answer lists them, endings with their judgements."""
    judged = {
        branch.id: judgements.of(branch.ending)
        for branch in told.endings()
        if branch.ending is not None and branch.ending.outcome is not Outcome.NOT_FORWARDED
    }
    return tuple(
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
            str(judged[branch.id].told) if branch.id in judged else "",
            conditions(judged[branch.id]) if branch.id in judged else (),
            _place(told, branch) if branch.id in judged else "",
            str(branch.ending.outcome) if branch.ending else "",
        )
        for branch in told.branches
    )


def _place(told: Trace, branch: Branch) -> str:
    if branch.ending is None or branch.last < 0:
        return ""
    return Folding.place(branch.ending, told.steps[branch.last])


def _steps(told: Trace) -> list[TraceStep]:
    """Each step with its own outcome: hops go on, and the last step of a branch that ends has
    its ending. What becomes of the message before stands at its step, unless it ends so.
    """
    endings = {branch.last: branch.ending for branch in told.branches if branch.ending is not None}
    passes = any(step.passing is not None for step in told.steps)
    last = frozenset(map(str, endings.values())) if passes else frozenset()
    return [_step(step, None if step.to else endings.get(step.id), last) for step in told.steps]


def _step(step: TracedStep, ending: Ending | None, last: Container[str]) -> TraceStep:
    passing = "" if step.passing is None or str(step.passing) in last else str(step.passing)
    outcome = f"{Outcome.FORWARDED}({step.to})" if step.to else str(ending or passing)
    return TraceStep(
        step.id,
        step.after,
        step.branch,
        step.at,
        step.system,
        step.state,
        step.text,
        step.rule,
        step.confidence,
        outcome,
        step.source,
        step.object,
        step.to,
        ending.text("condition") if ending else "",
        ending.text("value") if ending else "",
        step.station.kind if step.station else "",
        step.station.name if step.station else "",
        step.link,
        step.role,
        _towards(step, ending),
    )


def _towards(step: TracedStep, ending: Ending | None) -> str:
    """The server to which a link does not take the message."""
    if ending is None or ending.outcome is not Outcome.NOT_FORWARDED:
        return ""
    to = ending.text("to")
    return "" if to == step.at else to


def _outcomes(told: Trace, folding: Folding, sent: int) -> tuple[str, ...]:
    """How each copy ends, as things are now; where nobody takes the message how it is stopped,
    or what the sender sees. ``sent`` messages give a receiver that many copies without a
    duplicate."""
    found: dict[str, None] = {}
    copies: dict[tuple[int, int, str, str], int] = {}
    for one in folding.arrivals():
        if one.branch.id in folding.deferred:
            continue
        found[str(one.ending)] = None
        depends = folding.depends_on(one.branch.id)
        receiver = one.ending.text("receiver") or one.ending.text("server")
        what = one.ending.text("subscription") or str(one.ending)
        key = one.course, -1 if depends is None else depends.id, what, receiver
        copies[key] = copies.get(key, 0) + one.ending.count("copies")
    for (*_, name), number in copies.items():
        if number > sent:
            found[f"{Outcome.DUPLICATE}({name}, {number})"] = None
    found.update(dict.fromkeys(map(str, folding.others())))
    if found:
        return tuple(found)
    return tuple(dict.fromkeys(str(branch.ending) for branch in told.endings()))


def _outcome(told: Trace, folding: Folding, outcomes: Sequence[str]) -> str:
    """The one word the message ends in; ONE_OF where routers choose, UNDETERMINED where nothing
    certain is known.
    """
    if folding.decided_at_run_time:
        return Outcome.ONE_OF
    kinds = list(dict.fromkeys(outcome.partition("(")[0] for outcome in outcomes))
    others = {str(ending.outcome) for ending in folding.others()}
    taken = [
        kind for kind in kinds if kind in (Outcome.DELIVERED, Outcome.DEPOSITED) or kind in others
    ]
    if taken:
        return " and ".join(taken)
    if told.open:
        return Outcome.UNDETERMINED
    return kinds[0] if kinds else Outcome.DISCARDED
