"""The question about the temporary topics that servers register for each other."""

from __future__ import annotations

from typing import Final

from topograph.questions.question import Example, Parameter, ParameterKind, Question

LISTED: Final = "listed"
"""What ``interests`` compares with where no observed names are given: what servers listed."""

INTERESTS = Question(
    name="interests",
    title="Which names has each server learned, and from whom?",
    description="Which names has SERVER (or each server) learned, and from which neighbour?\n\n"
    "A server learns one name for each other server that it hears of: the name of that "
    "server's temporary destinations, as a running server lists it. With --observed, the answer "
    "also compares the interest in topics that servers listed (subscribers, durables, interest "
    "held for other servers) with what the configuration implies: entries that are listed but "
    "not expected, entries that are expected but not listed, and servers of which this is not "
    "known.",
    parameters=(
        Parameter(
            "server",
            ParameterKind.SERVER,
            "The server to list. Default: every server.",
            metavar="[SERVER]",
        ),
        Parameter(
            "observed",
            ParameterKind.OBSERVED,
            "Compare with what servers listed in the imported output of their administration "
            "tool, or with the names in FILE: "
            'JSON, {"SERVER": ["NAME", ...]} or {"SERVER": [{"name": ..., "via": ...}]}.',
            option="--observed",
            metavar="[FILE]",
            alone=LISTED,
        ),
    ),
    module="cycles",
    texts="names",
    answers=("InterestsAnswer",),
    key=("key", "name", "via"),
    python='network.interests("MADRID")',
    outcomes=("UNDETERMINED",),
    examples=(
        Example("interests MADRID", "what one server holds"),
        Example("interests --format jsonl", "what each server holds, one line per name"),
        Example("interests --observed", "the listed interest next to the expected interest"),
        Example(
            "interests --observed examples/questions/observed.json",
            "what is missing, and what should not be there",
        ),
    ),
)

QUESTIONS = (INTERESTS,)
