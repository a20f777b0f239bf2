"""``trace``: what happens to one message, step by step; the same walk as ``propagate``, told in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topograph.message import Value
from topograph.outcomes import NotForwarded, Outcome
from topograph.questions.answers import Branch, Delivery, PropagateAnswer, Sender, Stopped, TraceAnswer, TraceStep
from topograph.questions.model import Model
from topograph.questions.propagate import propagate
from topograph.side_inputs import Client


def trace(
    model: Model,
    from_: str,
    destination: str,
    properties: Mapping[str, Value] | None = None,
    *,
    subscribers: Sequence[str] = (),
    clients: Sequence[Client] = (),
    user: str = "",
    anonymous: bool = False,
) -> TraceAnswer:
    """Tell what happens to one message sent at ``from_``. Raises what ``propagate`` raises. As dear as ``propagate``."""
    answer = propagate(
        model,
        from_,
        destination,
        properties,
        subscribers=subscribers,
        clients=clients,
        user=user,
        anonymous=anonymous,
    )
    branches = _branches(answer)
    steps, outcomes = (branches[0].steps, branches[0].outcomes) if branches else ((), ())
    if len(branches) > 1:
        steps = tuple(dict.fromkeys(step for branch in branches for step in branch.steps))
        outcomes = tuple(dict.fromkeys(outcome for branch in branches for outcome in branch.outcomes))
    return TraceAnswer(
        snapshot=answer.snapshot,
        network=answer.network,
        engine=answer.engine,
        exact=answer.exact,
        assumptions=answer.assumptions,
        warnings=answer.warnings,
        redaction=answer.redaction,
        from_=from_,
        message=answer.message,
        steps=steps,
        outcome=_outcome(answer, outcomes),
        outcomes=outcomes,
        alternatives=tuple(branches) if len(branches) > 1 else (),
        undetermined=answer.undetermined,
    )


def _outcome(answer: PropagateAnswer, outcomes: Sequence[str]) -> str:
    """The one word the message ends in; ONE_OF where routers choose, UNDETERMINED where nothing certain is known."""
    if answer.alternatives:
        return Outcome.ONE_OF
    kinds = list(dict.fromkeys(outcome.partition("(")[0] for outcome in outcomes))
    delivered = [kind for kind in kinds if kind in (Outcome.DELIVERED, Outcome.DEPOSITED)]
    if delivered:
        return " and ".join(delivered)
    if answer.undetermined:
        return Outcome.UNDETERMINED
    return kinds[0] if kinds else Outcome.DISCARDED


def _branches(answer: PropagateAnswer) -> list[Branch]:
    """The courses: one a choice at run time, or one a receiver that is only assumed, or the only one."""
    if answer.alternatives:
        return [
            _branch(
                answer,
                [
                    one
                    for one in answer.deliveries
                    if set(one.paths or (one.path,)) <= set(alternative.paths.get(one.receiver, ()))
                ],
                alternative.if_,
            )
            for alternative in answer.alternatives
        ]
    assumed = [one for one in answer.deliveries if one.subscriber == "assumed" and one.receiver]
    if assumed:
        stored = [one for one in answer.deliveries if one.outcome == Outcome.DEPOSITED]
        return [_branch(answer, [*stored, one], f"if there is {one.receiver}") for one in assumed]
    return [_branch(answer, answer.deliveries, "")]


def _branch(answer: PropagateAnswer, deliveries: Sequence[Delivery], if_: str) -> Branch:
    steps: list[TraceStep] = []
    outcomes: list[str] = []
    for delivery in deliveries:
        steps += _delivered(delivery)
        outcomes.append(f"{delivery.outcome}({_end(delivery)})")
        if delivery.copies > 1:
            outcomes.append(f"{Outcome.DUPLICATE}({delivery.receiver or delivery.server}, {delivery.copies})")
    for stopped in answer.stopped:
        steps.append(_stop(stopped))
        if not deliveries:
            outcomes.append(f"{Outcome.NOT_FORWARDED}({stopped.reason})")
    sender = answer.sender
    if sender is not None and not deliveries:
        steps.append(_sender_step(answer.from_, sender))
        outcomes.append(steps[-1].outcome)
    return Branch(if_, tuple(dict.fromkeys(steps)), tuple(dict.fromkeys(outcomes)))


def _delivered(delivery: Delivery) -> list[TraceStep]:
    """Decisions and links of one delivery in the order of its path, and its end."""
    found: list[TraceStep] = []
    links = {step.from_: step for step in delivery.steps}
    told: set[str] = set()
    last = {decision.at: place for place, decision in enumerate(delivery.decisions)}
    for place, decision in enumerate(delivery.decisions):
        found.append(TraceStep(decision.at, decision.text, decision.rule, "", "", decision.source))
        if decision.at in links and place == last[decision.at]:
            told.add(decision.at)
            found.append(_link(delivery, decision.at))
    found += [_link(delivery, step.from_) for step in delivery.steps if step.from_ not in told]
    source = found[-1].source if found else None
    rule = found[-1].rule if found else ""
    end = f"{delivery.outcome}({_end(delivery)})"
    if source is not None:
        found.append(TraceStep(delivery.server, f"at {delivery.server}", rule, "", end, source))
    return found


def _link(delivery: Delivery, at: str) -> TraceStep:
    step = next(step for step in delivery.steps if step.from_ == at)
    zone = f" in zone {step.zone}" if step.zone else ""
    return TraceStep(
        at,
        f"over the link to {step.to}{zone}",
        step.rule,
        step.confidence,
        f"{Outcome.FORWARDED}({step.to})",
        step.source,
    )


def _end(delivery: Delivery) -> str:
    if delivery.outcome == Outcome.DEPOSITED:
        return f"{delivery.receiver}, {delivery.destination.partition(':')[2]}"
    return delivery.receiver or delivery.destination


def _stop(stopped: Stopped) -> TraceStep:
    where = f"the link to {stopped.to}" if stopped.to not in ("", stopped.at) else "here"
    words = f": {stopped.guard}" if stopped.guard else ""
    return TraceStep(
        stopped.at,
        f"{where} is closed ({stopped.value}){words}",
        "",
        "",
        f"{Outcome.NOT_FORWARDED}({NotForwarded(stopped.reason)})",
        stopped.source,
    )


def _sender_step(at: str, sender: Sender) -> TraceStep:
    name = {"released": Outcome.RELEASED, "rejected": Outcome.REJECTED}.get(sender.outcome, sender.outcome)
    outcome = f"{name}({sender.condition})" if sender.condition else str(name)
    return TraceStep(
        at, sender.description or f"the sender sees {sender.outcome}", sender.rule, "", outcome, sender.source
    )
