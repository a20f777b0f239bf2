"""The question about the temporary topics that servers register for each other."""

from __future__ import annotations

from typing import Final

from topograph.questions.question import Example, Kind, Parameter, Question

LISTED: Final = "listed"
"""What ``interests`` compares with where no observed names are given: what servers listed."""

INTERESTS = Question(
    name="interests",
    title="Which names does each server hold, and from whom?",
    description="Which names does SERVER (or each server) hold, and which neighbour did it learn "
    "them from?\n\n"
    "These are the names of temporary destinations that a running server shows for each "
    "server it has learned of. With --observed also the interest in topics "
    "that servers listed (subscribers, durables, what they hold for other servers), what "
    "of it nothing implies, what is implied and was not listed, and "
    "the servers of which that is not known.",
    parameters=(
        Parameter(
            "server",
            Kind.SERVER,
            "The one server that is asked about; else all.",
            metavar="[SERVER]",
        ),
        Parameter(
            "observed",
            Kind.OBSERVED,
            "Compare with what servers listed in the imported output of their "
            "administration tool; with a FILE with the names in it: "
            'JSON, {"SERVER": ["NAME", ...]} or {"SERVER": [{"name": ..., "via": ...}]}.',
            option="--observed",
            metavar="[FILE]",
            alone=LISTED,
        ),
    ),
    answers=("InterestsAnswer",),
    key=("key", "name", "via"),
    python='network.interests("MADRID")',
    outcomes=("UNDETERMINED",),
    examples=(
        Example("interests MADRID", "what one server holds"),
        Example("interests --format jsonl", "what each server holds, a line each"),
        Example("interests --observed", "which interest servers listed, beside what is implied"),
        Example(
            "interests --observed examples/questions/observed.json",
            "what is missing, and what should not be there",
        ),
    ),
)
