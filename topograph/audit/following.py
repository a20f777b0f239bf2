"""What happens to messages that a change lets end otherwise, step by step before and after: for
pictures, of the messages that they show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from topograph.errors import NotApplicable, UsageError
from topograph.forwarding.budget import Budget
from topograph.message import Message
from topograph.questions.answers.impact import OutcomeChanged
from topograph.questions.answers.trace import MessageFollowed
from topograph.questions.following import follow, sending_of
from topograph.questions.model import Model
from topograph.questions.trace import followed_in_steps
from topograph.tracing.trace import Trace

Key = tuple[str, str, str]
"""A message by its system, the server that it is put at, and what it is sent to."""

Ways = Mapping[Key, Callable[[], tuple[Trace, Trace] | None]]
"""How to trace messages before and after; None where that takes too long."""


STEPS_FOLLOWED = 5_000
"""Steps that a message takes at most which is followed for a picture."""


class Following:
    """The messages of an audit's ``outcomes``, each traced when it is asked for."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways

    def __call__(self, row: OutcomeChanged) -> tuple[MessageFollowed, MessageFollowed] | None:
        """A message before and after; None where that takes too long. The cost of two traces."""
        way = self._ways.get((row.system, row.server, row.destination))
        found = None if way is None else way()
        if found is None:
            return None
        return followed_in_steps(found[0]), followed_in_steps(found[1])


def traced_in_both(
    models: tuple[Model, Model], start: str, message: Message
) -> tuple[Trace, Trace] | None:
    """The traces of a message in two states of a network; None where one of them knows no such
    destination, or it takes too many steps."""
    found = []
    for model in models:
        budget = Budget(STEPS_FOLLOWED)
        try:
            place = model.locate(start, message.destination.type)
            sending = sending_of(model, budget, place, message, (), ())
        except (NotApplicable, UsageError):
            return None
        found.append(follow(place, sending))
        if budget.spent:
            return None
    return found[0], found[1]
