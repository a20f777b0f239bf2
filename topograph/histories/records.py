"""The answers of ``history`` and ``bisect``: frozen records, with the JSON form that
``docs/history.md`` describes.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

from topograph.findings import Source
from topograph.inexact import Inexact
from topograph.questions.answers.audit import (
    AuditAnswer,
    DeliveriesChanged,
    DeliveryMoved,
    FindingBrought,
    HopsChanged,
    InterestChanged,
    LeftOpen,
    LinksChanged,
    PolicyEvidence,
    ReachChanged,
    Rejection,
    ServersChanged,
    SinglePoints,
)
from topograph.questions.answers.base import ASIDE, labels, plain
from topograph.questions.answers.impact import OutcomeChanged
from topograph.records import record


@record
class CommitTold:
    """A commit as it is told of."""

    commit: str
    """Its full name."""
    when: str
    """When it was committed (ISO 8601 in UTC); empty where it does not say."""
    subject: str
    """The first line of its message."""
    parents: int = 1
    """How many commits lead to it: none to the first one, two or more to a merge."""

    @property
    def short(self) -> str:
        """The first ten digits of its name."""
        return self.commit[:10]

    @property
    def title(self) -> str:
        """The commit in a line."""
        return " ".join(filter(None, (self.when[:10], self.short, self.subject)))


@record
class Behaviour:
    """What the network does differently from the state before. Of many entries of a list some are
    listed; the counts are whole."""

    servers: ServersChanged
    """Servers that come or go."""
    links: LinksChanged
    """Links that come, go or are altered."""
    reach: ReachChanged
    """Who reaches whom."""
    hops: HopsChanged
    """How far it is."""
    deliveries: DeliveriesChanged
    """What known subscribers get."""
    interest: InterestChanged
    """Names that servers hold, and from which neighbour."""
    single_points: SinglePoints
    """Links whose failure separates servers in one of the two states only."""
    would_gain: tuple[DeliveryMoved, ...]
    """What subscribers would get that are only supposed to be there."""
    would_lose: tuple[DeliveryMoved, ...]
    """What they would no longer get."""
    would_duplicate: tuple[DeliveryMoved, ...]
    """What they would get more than once."""
    outcomes: tuple[OutcomeChanged, ...]
    """Destinations of servers whose messages end in another way."""
    rejections: tuple[Rejection, ...]
    """Names that servers hold over more routes than before."""
    findings: tuple[FindingBrought, ...]
    """Errors and warnings that come, errors first."""
    findings_gone: tuple[FindingBrought, ...]
    """Errors and warnings that are there no longer."""
    left_open: tuple[LeftOpen, ...]
    """What nobody can say of the change."""

    @property
    def differs(self) -> bool:
        """Whether anything is found to be different."""
        return any(
            (
                self.servers.added_count,
                self.servers.removed_count,
                self.links.added_count,
                self.links.removed_count,
                self.links.changed_count,
                self.reach.gained_count,
                self.reach.lost_count,
                self.hops.longer_count,
                self.hops.shorter_count,
                self.interest.gained_count,
                self.interest.lost_count,
                self.single_points.new,
                self.single_points.gone,
                self.deliveries.gained,
                self.deliveries.lost,
                self.deliveries.duplicated,
                self.would_gain,
                self.would_lose,
                self.would_duplicate,
                self.outcomes,
                self.rejections,
                self.findings,
                self.findings_gone,
                self.reach.undetermined_count,
            )
        )


FIRST, CHANGED, ALIKE, OPEN = "first", "changed", "same-behaviour", "undecided"
UNREAD, SAME = "unread", "same-files"


@record
class CommitChange:
    """A commit, and what it changed in what the network does."""

    commit: CommitTold
    """The commit."""
    result: str
    """`first`: the state that the others begin from; `changed`; `same-behaviour`: it changes files,
    and nothing that the network does; `undecided`: nothing is found to be different, and nobody can
    say that of all; `unread`: the folder cannot be read in this commit, so that the next one is
    compared with the last that could be."""
    because: str = ""
    """Why it cannot be read; empty where it can."""
    servers: int = 0
    """How many servers the network has then."""
    behaviour: Behaviour | None = None
    """What is different, or left open, where the result is `changed` or `undecided`."""
    exact: bool = True
    """False where not all was compared."""
    inexact_because: tuple[Inexact, ...] = ()
    """Why it was not."""
    audit: AuditAnswer | None = field(default=None, compare=False, repr=False, metadata=ASIDE)
    """The comparison itself, for texts and pictures."""


@record(kw_only=True)
class History:
    """``history``: what each commit changed in what the network does, the first commit first."""

    question: ClassVar[str] = "history"
    violation: ClassVar[bool] = False
    """A history judges nothing."""

    folder: str
    """The folder of the configuration, from the top of the repository; empty for all of it."""
    tip: str
    """The revision that the history leads to, as it was asked for."""
    commits: tuple[CommitChange, ...]
    """The commits that change what the folder holds, and before them the state that they begin
    from."""
    counts: dict[str, int]
    """How many commits there are of each result; `same-files`: how many others, which do not touch
    the folder, there are between them."""
    exact: bool = True
    """False where not all of a commit was compared."""
    cut: str = ""
    """Why the history does not go back to the first commit; empty where it does."""
    page: str = field(default="", compare=False, repr=False, metadata=ASIDE)
    """The states drawn as a page, where that was asked for."""

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return _written(self)


@record
class Expectation:
    """What is expected of every state."""

    id: str
    """What it is called: its text, or the id of its policy."""
    rule: str
    """The rule of the policy that it is."""


@record
class Tested:
    """A commit that was judged."""

    commit: CommitTold
    """The commit."""
    result: str
    """`good`: all that is expected holds; `bad`: something does not; `unknown`: nobody can say."""
    because: str
    """What decides it."""
    expectation: str = ""
    """The expectation that does not hold or is not decided."""


@record
class Culprit:
    """An entry of the configuration that the commit changes and that decides."""

    change: str
    """`added`, `removed` or `altered`."""
    kind: str
    """What it is: `route`, `destination`, `bridge` and so on; `file` for a file of which no entry
    was told apart."""
    server: str
    """The server that has it; empty where it is of none."""
    name: str
    """Its name."""
    source: Source
    """Its line in the commit; of one that is removed, its line before."""
    was: Source = Source("")
    """Of an entry that is altered, its line before."""
    system: str = ""
    """The system that the server runs."""


@record(kw_only=True)
class Bisection:
    """``bisect``: the first commit from which on what is expected does not hold."""

    question: ClassVar[str] = "bisect"

    folder: str
    """The folder of the configuration, from the top of the repository; empty for all of it."""
    expectations: tuple[Expectation, ...]
    """What is expected."""
    good: tuple[CommitTold, ...]
    """The commits at which it holds, as they were named."""
    bad: CommitTold
    """The commit at which it does not."""
    first_bad: CommitTold | None
    """The commit that breaks it: it does not hold there, and does in each commit that leads there;
    null where that cannot be said."""
    culprits: tuple[Culprit, ...] = ()
    """The entries that decide: if the commit changed only these, it would break the expectation."""
    each_alone: bool = False
    """Whether each of several culprits breaks it alone; else they do together."""
    evidence: tuple[PolicyEvidence, ...] = ()
    """Why it does not hold in the commit."""
    candidates: tuple[CommitTold, ...] = ()
    """Where it cannot be said: the commits of which one is the first."""
    tested: tuple[Tested, ...] = ()
    """The commits that were judged, in the order in which they were."""
    because: str = ""
    """Why it cannot be said, or why no entry is named."""

    @property
    def violation(self) -> bool:
        """Whether the commit cannot be named."""
        return self.first_bad is None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return _written(self)


def _written(answer: History | Bisection) -> dict[str, Any]:
    kind: Any = type(answer)
    body = {label: plain(getattr(answer, name)) for label, name in labels(kind)}
    return {"question": answer.question, **body}
