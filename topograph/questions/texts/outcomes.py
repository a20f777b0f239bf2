"""Messages that end in another way, as rows of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.questions.texts.layout import Cell, Row, Tone, place

if TYPE_CHECKING:
    from topograph.questions.answers.impact import OutcomeChanged


def changed_outcome(one: OutcomeChanged) -> str:
    """How messages to a destination end otherwise: of the ends before and after, those that only
    one of the two has."""
    before, after = ", ".join(one.before), ", ".join(one.after)
    if before and after:
        return f"{before} becomes {after}"
    return f"{before} no longer occurs" if before else f"{after} occurs as well"


def moved_outcome(one: OutcomeChanged) -> Row:
    """A destination whose messages end in another way, as a row."""
    return (
        one.server,
        one.destination,
        ", ".join(one.before) if one.before else "no outcome",
        f"becomes {', '.join(one.after)}" if one.after else "no longer occurs",
        Cell(" ".join(filter(None, (one.rule, place(one.source)))), Tone.FAINT),
    )
