"""``topograph history`` and ``topograph bisect`` as data: help and schemas are made of it. They are
not among ``QUESTIONS``: a question is about one state of a network.
"""

from __future__ import annotations

from topograph.questions.question import Example, Parameter, ParameterKind, Question

_PATH = Parameter(
    "path",
    ParameterKind.ASKED,
    "The folder in a git repository; or a revision with a folder, such as main:conf.",
    metavar="PATH",
    required=True,
)

HISTORY = Question(
    name="history",
    title="Say what each commit of a git repository changed in what the network does.",
    description="Say what each commit of a git repository changed in what the network of a folder "
    "does.\n\n"
    "Every state is compared with the one before: servers, links, who reaches whom, deliveries, "
    "errors and warnings. Of a merge the first parent is followed. Nothing is checked out, and "
    "nothing of the repository is run. With -o the states are drawn as one page, on the same "
    "places, with a time line. docs/history.md explains the answer.",
    parameters=(_PATH,),
    answers=("topograph.histories.records:History",),
    key=("commit",),
    python='topograph.history("conf", since="v1.0")',
    examples=(
        Example("history conf", "what did the last commits change?"),
        Example("history conf --since v1.0 -o history.html", "since a tag, drawn"),
        Example("history main:conf --most 1000 --format json", "a longer history, for programs"),
    ),
    engines=(),
)

BISECT = Question(
    name="bisect",
    title="Name the commit, and the line, from which on something does not hold.",
    description="Name the commit of a git repository from which on something that is expected "
    "does not hold, and the line of the configuration that decides.\n\n"
    "Some ten commits of a thousand are judged. That what is expected holds in each commit which "
    "leads to the one that is named is looked at, not supposed. The line is found by putting each "
    "entry that the commit changes into the state before by itself. Nothing is checked out. "
    "docs/history.md says what can be expected.",
    parameters=(_PATH,),
    answers=("topograph.histories.records:Bisection",),
    key=("commit",),
    python='topograph.bisect("conf", good=["v1.0"], expect=["A reaches B"])',
    examples=(
        Example(
            "bisect conf --good v1.0 --bad main --expect 'A reaches B'",
            "since when does A not reach B?",
        ),
        Example(
            "bisect conf --good v1.0 --expect 'A delivers topic:orders to B'",
            "which commit lost the message? (--bad is the one that is checked out)",
        ),
        Example("bisect conf --good v1.0 --policy policies.yaml", "which broke a policy?"),
    ),
    violation="if the commit cannot be named, because states cannot be read or judged",
    engines=(),
)
