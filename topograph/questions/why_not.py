"""Why a server is not reached where no link stops messages: what becomes of one that is addressed
to it by name, at the server where it ends; else that no link leads there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from topograph.errors import UsageError
from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.reached import Reached
from topograph.message import DestinationName, Message
from topograph.outcomes import Outcome
from topograph.questions.answers import NotReached
from topograph.questions.model import Place
from topograph.questions.no_link import no_link
from topograph.systems.contract.system import Sending
from topograph.systems.registry import system

if TYPE_CHECKING:
    from topograph.tracing.trace import Branch, Trace

NAME = "(any queue)"
"""What the message is sent to at the server: no system lets a queue be called so."""

STEPS = 2_000
"""Steps that one message takes at most."""


def why_not_from(
    start: Place, found: Reached, *, stopped: bool
) -> Callable[[str], NotReached | None] | None:
    """What tells of a server, by name, why messages from ``start`` do not get there; ``found`` is
    all that they get to. None where the walk was cut, and where links that are ``stopped`` say it
    and messages are not addressed to servers by name."""
    by_name = "" in system(start.system).destinations and start.server.loaded
    if not found.exact or (stopped and not by_name):
        return None

    def why_not(server: str) -> NotReached | None:
        told = _addressed(start, server) if by_name else None
        if told is not None and any(step.at == server for step in told.steps):
            return None
        own = None if told is None else _end_of(told, server)
        return own or _no_link(start, found, server)

    return why_not


def _no_link(start: Place, found: Reached, server: str) -> NotReached | None:
    """That no link leads on to a server of the same part. Linear in the links."""
    graph = start.part.graph
    number = graph.server_number.get(server)
    if number is None or number in found.paths:
        return None
    stop = no_link(graph, found, number)
    return NotReached(server, start.name, "", stop.guard, stop.rule, stop.source)


def _addressed(start: Place, server: str) -> Trace | None:
    """The trace of a message that is addressed to a server; None where there is none."""
    message = Message(DestinationName("", NAME, server))
    sending = Sending(start.name, message, (), True, start.system, budget=Budget(STEPS))
    part = start.part
    try:
        return part.estate.follow(part.graph, part.engine, sending)
    except (UsageError, BudgetSpent):
        return None


def _end_of(told: Trace, server: str) -> NotReached | None:
    """How a message to a server ends; None where that is not known."""
    ends = [one for one in told.endings() if _is_now(told, one) and one.last >= 0]
    if not told.exact or not ends:
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
    from topograph.tracing.trace import Kind  # which answers that list no such branch do without

    number = branch.id
    while number >= 0:
        if told.branches[number].kind is Kind.LATER:
            return False
        number = told.branches[number].of
    return True
