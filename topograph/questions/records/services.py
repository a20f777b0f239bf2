"""The question about services."""

from __future__ import annotations

from topograph.questions.question import Example, Parameter, ParameterKind, Question

SERVICES = Question(
    name="services",
    title="Which listener reaches which connector, and at what cost?",
    description="Which listener reaches which connector, over which servers and at what cost? By "
    "address: every listener with the connectors that its connections get to, and the single "
    "failures that leave its clients without any; listeners and connectors without the other "
    "half.\n\n"
    "A connection is followed as propagate follows a message that is sent at the listener's "
    "server. Connectors that get connections only while others are open are marked as decided at "
    "run time, with the number of open connections.",
    parameters=(
        Parameter(
            "address",
            ParameterKind.DESTINATION,
            "The address of one service. Default: every service.",
            metavar="[ADDRESS]",
            default="",
        ),
        Parameter(
            "server",
            ParameterKind.SERVER,
            "Only services with a listener or a connector at this server.",
            option="--server",
            metavar="NAME",
            default="",
        ),
        Parameter(
            "listener",
            ParameterKind.TEXT,
            "Only listeners of this name, and what their clients reach. Of a listener with several "
            "addresses its own name stands for all of them.",
            option="--listener",
            metavar="NAME",
            default="",
        ),
        Parameter(
            "expect",
            ParameterKind.CHOICE,
            (
                "Exit with code 1 unless this holds of every listener. An undetermined result "
                "counts as a failure, and so does an answer without any listener."
            ),
            option="--expect",
            choices=(
                ("served", "somebody takes the connections of its clients"),
                ("unserved", "nobody does"),
            ),
            only="command",
        ),
    ),
    answers=("ServicesAnswer",),
    key=("destination",),
    python="network.services()",
    violation="with --expect, if the result differs or cannot be determined",
    examples=(
        Example("services", "every listener with its connectors", estate="services"),
        Example(
            "services stock --expect served",
            "a check for a script: are all listeners of one address served?",
            estate="services",
        ),
        Example("services --server DEPOT", "the services of one server", estate="services"),
        Example(
            "services --listener stock", "what clients of one listener reach", estate="services"
        ),
        Example("services --expect served", "what has no connector", 1, "services"),
        Example("services --format json", "the same as JSON", estate="services"),
    ),
)

QUESTIONS = (SERVICES,)
