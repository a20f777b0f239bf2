"""``propagate``: who gets a message, who does not, and which guard decides it: a fold of the
message's trace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from topograph.errors import InvalidSelector
from topograph.forwarding.budget import Budget
from topograph.header_fields import DEFAULTS
from topograph.judgement import Judgement
from topograph.message import Message
from topograph.outcomes import NotForwarded, Outcome, Truth
from topograph.questions.answers import (
    Alternative,
    Decision,
    DeliveredTo,
    Delivery,
    End,
    PropagateAnswer,
    Step,
    Stopped,
)
from topograph.questions.following import cautions, followed, inexact_because, left_open, sender_of
from topograph.questions.judgements import FateJudgements, conditions, is_assumed
from topograph.questions.model import Model, Place, within_budget
from topograph.questions.trace import followed_in_steps
from topograph.selectors import parse
from topograph.side_inputs import Client
from topograph.tracing.outcomes import Arrival, Folding
from topograph.tracing.trace import Branch, Ending, Kind, Trace, TracedStep


@within_budget
def propagate(
    model: Model,
    budget: Budget,
    from_: str,
    message: Message,
    *,
    subscribers: str | Sequence[str] = (),
    clients: Sequence[Client] = (),
    assume: bool = True,
) -> PropagateAnswer:
    """Follow one message published at ``from_``.

    ``subscribers`` (``SERVER:DEST``) and ``clients`` are added to those of topograph.yaml and of
    the configuration. If no client is known at all and ``assume`` holds, every server counts as
    having a subscriber. Raises UnknownServer, UsageError for a wildcard (R85), NotApplicable for
    destinations that the server's system does not have.
    """
    start = model.locate(from_, message.destination.type)
    told = followed(model, budget, start, message, subscribers, clients, assume=assume)
    return fold(model, start, message, told, budget)


def fold(
    model: Model, start: Place, message: Message, trace: Trace, budget: Budget
) -> PropagateAnswer:
    """Who gets the message, as a trace tells it. Linear in the steps of its deliveries."""
    part = start.part
    folding = Folding(trace)
    judgements = FateJudgements(folding)
    hops: dict[int, Step] = {}
    return PropagateAnswer(
        **model.common(part),
        exact=trace.exact,
        inexact_because=inexact_because(trace, start.part),
        assumptions=trace.assumptions,
        warnings=cautions(model, start, trace, budget),
        from_=start.name,
        system=start.system,
        message=message.to_dict(),
        deliveries=tuple(_deliveries(folding, judgements, hops)),
        stopped=tuple(
            Stopped(
                end.text("at"),
                end.text("to"),
                end.text("condition"),
                end.text("guard"),
                end.text("value"),
                step.source,
                step.rule,
                step.system,
                end.text("destination"),
                folding.path(step.id) or (step.at,),
                _hops(folding.hops(step.id), hops),
                _lacking(end, message),
            )
            for end, step in folding.stops()
        ),
        received=trace.visited[1:],
        undetermined=left_open(trace, part),
        sender=sender_of(trace),
        alternatives=tuple(_alternative(folding, course) for course in folding.courses),
        ends=tuple(dict.fromkeys(_ends(folding, judgements))),
        follow=partial(followed_in_steps, trace) if part.form == "stepping" else None,
    )


def _lacking(stop: Ending, message: Message) -> tuple[str, ...]:
    """The properties that a selector which is UNKNOWN asks for and the message lacks."""
    return tuple(sorted(asked_by(stop) - message.properties.keys() - DEFAULTS.keys()))


def asked_by(stop: Ending) -> frozenset[str]:
    """What a selector asks for that is UNKNOWN and stops a message; of one that is not understood
    that is not known. Before its text may stand whose it is."""
    guard = stop.text("selector") or stop.text("guard")
    unknown = stop.text("value") == Truth.UNKNOWN and not guard.startswith("the selector is not")
    if not unknown or stop.text("condition") != NotForwarded.SELECTOR:
        return frozenset()
    while guard:
        try:
            return parse(guard).identifiers
        except InvalidSelector:
            guard = guard.partition(": ")[2]
    return frozenset()


def _ends(folding: Folding, judgements: FateJudgements) -> Iterator[End]:
    """Every ending that is no delivery and no stop, each after what became of the message before
    on its way."""
    for branch in folding.trace.endings():
        for passed, step in folding.passed(branch):
            yield _end(folding, judgements, branch, passed, step, goes_on=True)
        if branch.ending is not None and branch.last >= 0 and folding.is_other(branch):
            step = folding.trace.steps[branch.last]
            yield _end(folding, judgements, branch, branch.ending, step, goes_on=False)


def _end(
    folding: Folding,
    judgements: FateJudgements,
    branch: Branch,
    ending: Ending,
    step: TracedStep,
    *,
    goes_on: bool,
) -> End:
    choice = _choice(folding, branch)
    judgement = judgements.of(ending)
    depends = conditions(judgement)
    return End(
        str(ending.outcome),
        folding.place(ending, step),
        ending.text("queue") or ending.text("destination") or step.object,
        str(ending),
        step.text,
        step.rule,
        step.source,
        str(judgement.told) if choice == "always" and depends else choice,
        step.system,
        folding.path(step.id) or (step.at,),
        goes_on,
        str(judgement.told),
        depends,
        folding.condition(branch),
    )


def _choice(folding: Folding, branch: Branch) -> str:
    """What decides whether a branch is taken. That a supposed receiver attaches decides nothing
    about what it then gets."""
    depends = folding.depends_on(branch.id)
    if depends is not None:
        return str(depends.kind)
    course = folding.course_of(branch.id)
    waits = course >= 0 and folding.trace.branches[course].kind is Kind.LATER
    if not waits or (branch.ending is not None and is_assumed(branch.ending)):
        return "always"
    return str(Kind.LATER)


def _alternative(folding: Folding, course: Branch) -> Alternative:
    received: dict[str, int] = {}
    deposited: dict[str, dict[str, int]] = {}
    paths: dict[str, list[tuple[str, ...]]] = {}
    for one in folding.arrivals():
        if one.course != course.id:
            continue
        name, copies = one.ending.text("receiver"), one.ending.count("copies")
        paths.setdefault(name, []).append(one.path)
        if one.ending.outcome is Outcome.DELIVERED:
            received[name] = received.get(name, 0) + copies
        else:
            there, address = deposited.setdefault(name, {}), one.ending.text("address")
            there[address] = there.get(address, 0) + copies
    shown = {
        name: tuple(sorted(each, key=lambda path: (len(path), path)))
        for name, each in paths.items()
    }
    return Alternative(course.condition, course.sender, received, deposited, shown)


def _deliveries(
    folding: Folding, judgements: FateJudgements, hops: dict[int, Step]
) -> list[Delivery]:
    """One entry for each that takes the message, and each path that one course gives it; by
    hops, then server and receiver.
    """
    groups: dict[tuple[object, ...], list[Arrival]] = {}
    for one in folding.arrivals():
        who = one.ending.text("receiver") or one.ending.text("server")
        depends = folding.depends_on(one.branch.id)
        decided = -1 if depends is None else depends.id
        group = one.course, decided, one.ending.outcome, who, one.ending.text("destination")
        groups.setdefault(group, []).append(one)
    made: dict[tuple[object, ...], Delivery] = {}
    seen_in: dict[tuple[object, ...], set[int]] = {}
    courses = {course.id for course in folding.courses}
    for arrivals in groups.values():
        judgement = judgements.of(arrivals[0].ending)
        delivery = _delivery(arrivals, _choice(folding, arrivals[0].branch), judgement, hops)
        key = (
            delivery.choice,
            delivery.outcome,
            delivery.receiver,
            delivery.server,
            delivery.destination,
            delivery.copies,
            delivery.path,
            delivery.paths,
        )
        known = made.setdefault(key, delivery)
        if known.decisions != delivery.decisions:
            decisions = tuple(dict.fromkeys((*known.decisions, *delivery.decisions)))
            made[key] = replace(known, decisions=decisions)
        if arrivals[0].course in courses:
            seen_in.setdefault(key, set()).add(arrivals[0].course)
    # A course that was not looked at may be one without the delivery.
    every = len(courses) if folding.trace.exact else len(courses) + 1
    for seen_key, seen in seen_in.items():
        if len(seen) < every:
            made[seen_key] = replace(made[seen_key], choice="one_of")
    # What comes of an event (a receiver attaches) is told where it does not come without it.
    anyway = {seen_key[1:] for seen_key in made if seen_key[0] != str(Kind.LATER)}
    told = (
        one
        for seen_key, one in made.items()
        if seen_key[0] != str(Kind.LATER) or seen_key[1:] not in anyway
    )
    return sorted(
        told,
        key=lambda one: (one.outcome != Outcome.DEPOSITED, one.hops, one.server, one.receiver),
    )


def _delivery(
    arrivals: Sequence[Arrival], choice: str, judgement: Judgement, hops: dict[int, Step]
) -> Delivery:
    """The copies that one receiver or container gets in one course: over the shortest path
    first. ``hops`` are kept from delivery to delivery.
    """
    if len(arrivals) > 1:
        arrivals = sorted(arrivals, key=lambda one: (len(one.path), one.path))
    first = arrivals[0]
    taken = first.hops
    ending = first.ending
    return Delivery(
        server=ending.text("server"),
        destination=ending.text("destination"),
        outcome=ending.outcome,
        hops=len(taken),
        path=first.path,
        copies=sum(one.ending.count("copies") for one in arrivals),
        subscriber=ending.text("subscriber"),
        steps=_hops(taken, hops),
        receiver=ending.text("receiver"),
        paths=tuple(one.path for one in arrivals) if len(arrivals) > 1 else (),
        decisions=tuple(
            dict.fromkeys(
                Decision(step.at, step.text, step.rule, step.source)
                for one in arrivals
                if one.path == first.path
                for step in one.decisions
            )
        ),
        source=first.evidence.source,
        system=first.evidence.system,
        choice=choice,
        delivered_to=tuple(
            dict.fromkeys(
                DeliveredTo(taker.name, taker.known, taker.source)
                for one in arrivals
                for taker in one.ending.takers
            )
        ),
        judgement=str(judgement.told),
        conditions=conditions(judgement),
    )


def _hops(taken: Sequence[TracedStep], hops: dict[int, Step]) -> tuple[Step, ...]:
    """Steps of a trace as entries of an answer; ``hops`` keeps each for all that share it."""
    for step in taken:
        if step.id not in hops:
            hops[step.id] = hop(step)
    return tuple([hops[step.id] for step in taken])


def hop(step: TracedStep) -> Step:
    """A step from server to server as an entry of an answer."""
    return Step(
        step.at,
        step.to,
        step.zone,
        step.rule,
        step.confidence,
        step.guards,
        step.source,
        step.cost,
        step.system,
    )
