"""Why a server is not reached where no link stops messages: what becomes of one that is addressed
to it by name, at the server where it ends.
"""

from __future__ import annotations

from collections.abc import Callable

from topograph.errors import UsageError
from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.message import DestinationName, Message
from topograph.outcomes import Outcome
from topograph.questions.answers import NotReached
from topograph.questions.model import Place
from topograph.systems.contract.system import Sending
from topograph.systems.registry import system
from topograph.tracing.trace import Branch, Kind, Trace

NAME = "(any queue)"
"""What the message is sent to at the server: no system lets a queue be called so."""

STEPS = 2_000
"""Steps that one message takes at most."""


def why_not_from(start: Place) -> Callable[[str], NotReached | None] | None:
    """What tells of a server, by name, why messages from ``start`` do not get there; None where the
    system of ``start`` does not send messages to servers by name."""
    if "" not in system(start.system).destinations or not start.server.loaded:
        return None
    return lambda server: _why_not(start, server)


def _why_not(start: Place, server: str) -> NotReached | None:
    """None where the message gets to the server, or nothing is known of it. The cost of a trace."""
    message = Message(DestinationName("", NAME, server))
    sending = Sending(start.name, message, (), True, start.system, budget=Budget(STEPS))
    part = start.part
    try:
        told = part.estate.follow(part.graph, part.engine, sending)
    except (UsageError, BudgetSpent):
        return None
    ends = [one for one in told.endings() if _is_now(told, one) and one.last >= 0]
    arrives = any(step.at == server for step in told.steps)
    if not told.exact or arrives or not ends:
        return None
    first = ends[0]
    step = told.steps[first.last]
    assert first.ending is not None
    if first.ending.outcome in (Outcome.UNDETERMINED, Outcome.EXTERNAL):
        return None
    return NotReached(
        server,
        step.at,
        str(first.ending),
        step.text,
        step.rule,
        _place(told, first.last),
        first.condition,
        len(ends) - 1,
        tuple(f"{one.rule}: {one.text}" for one in told.assumptions),
    )


def _place(told: Trace, last: int) -> Source:
    """The line behind a step: its own, else that of the nearest one before it."""
    while last >= 0 and not told.steps[last].source.file:
        last = told.steps[last].after
    return told.steps[last].source if last >= 0 else Source("")


def _is_now(told: Trace, branch: Branch) -> bool:
    """Whether a branch ends as things are, and not after a later event."""
    number = branch.id
    while number >= 0:
        if told.branches[number].kind is Kind.LATER:
            return False
        number = told.branches[number].of
    return True
