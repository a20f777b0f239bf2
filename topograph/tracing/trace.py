"""A trace: what happens to one message, step by step, with the evidence of each step.

Flat, so that a chain of thousands of servers is no recursion: a step names the step it comes after,
a branch the branch it leaves. A *branch* is a part of the message's way that its siblings do not
share. Branch 0 is the beginning; every copy, choice or reading after it is one more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from topograph.assumptions import Assumption
from topograph.digits import integer
from topograph.findings import Source
from topograph.inexact import Inexact
from topograph.outcomes import NotForwarded, Outcome, Truth
from topograph.records import record

if TYPE_CHECKING:
    from topograph.forwarding.reached import Decided, Needed
    from topograph.forwarding.simple import Path

NOTHING: Mapping[str, str | int] = MappingProxyType({})
NOWHERE = Source("")
"""The source of a step that rests on no file: the sender's own act, or a subscriber that is only
assumed.
"""


class Kind(StrEnum):
    """How a branch stands to its siblings (DESIGN section 2.5)."""

    ROOT = "root"
    """The beginning of the message's way."""
    COPY = "copy"
    """Each of the siblings is taken."""
    ONE_OF = "one_of"
    """One of the siblings is taken, chosen at run time. The same ``choice`` key means the same
    pick everywhere in the trace.
    """
    ELSE = "else"
    """Taken only if the conditions of the earlier siblings do not hold."""
    OPAQUE = "opaque"
    """Code that the configuration does not show decides whether it is taken."""
    READING = "reading"
    """Another reading of the documents: never among the possible outcomes."""
    LATER = "later"
    """Taken when the event that ``condition`` names comes."""


@record
class Taker:
    """A subscriber that gets a message."""

    name: str
    """The durable or client, in words; empty where it has no name."""
    known: str
    """How it is known: configured, observed, declared or assumed."""
    source: Source
    """The line that names it; empty where it is only assumed."""


@record
class Ending:
    """How a branch ends. ``arguments`` name what the outcome is about, such as ``server``,
    ``destination``, ``receiver``, ``condition``; ``takers`` are the subscribers that get the
    message, where it is given to several."""

    outcome: Outcome
    arguments: Mapping[str, str | int] = field(default_factory=lambda: NOTHING)
    takers: tuple[Taker, ...] = ()

    def __hash__(self) -> int:
        return hash((self.outcome, frozenset(self.arguments.items()), self.takers))

    def text(self, name: str) -> str:
        """An argument as text; empty where there is none of that name."""
        return str(self.arguments.get(name, ""))

    def count(self, name: str) -> int:
        """An argument that is a number; 0 where there is none of that name."""
        return integer(str(self.arguments.get(name, 0)), 0)

    def __str__(self) -> str:
        """``OUTCOME(argument, ...)``, with the arguments that the outcome is known by."""
        shown = [self.text(name) for name in _SHOWN.get(self.outcome, ())]
        if self.outcome is Outcome.DELIVERED:
            shown = [self.text("receiver") or self.text("destination")]
        # What a selector does not say is TRUE it certainly does not select.
        if self.text("value") == Truth.UNKNOWN and self.text("condition") != NotForwarded.SELECTOR:
            shown.append(Truth.UNKNOWN)
        inside = ", ".join(text for text in shown if text)
        return f"{self.outcome}({inside})" if inside else str(self.outcome)


_SHOWN: Mapping[Outcome, tuple[str, ...]] = {
    Outcome.BLOCKED: ("reason",),
    Outcome.DEPOSITED: ("receiver", "address"),
    Outcome.DISCARDED: ("reason",),
    Outcome.DLQ: ("queue", "server", "reason"),
    Outcome.EXCEPTIONED: ("destination", "reason"),
    Outcome.EXTERNAL: ("server",),
    Outcome.FORWARDED: ("server",),
    Outcome.HELD: ("queue", "server", "reason"),
    Outcome.LOOP: ("state",),
    Outcome.NOT_FORWARDED: ("condition",),
    Outcome.OPAQUE: ("mediation",),
    Outcome.PUBLISHED: ("destination",),
    Outcome.REFUSED: ("condition",),
    Outcome.REJECTED: ("reason", "condition"),
    Outcome.STUCK: ("at", "reason"),
    Outcome.XMIT: ("queue", "server"),
}
"""The arguments that stand in the brackets of an outcome; ``DELIVERED`` has those of its
receiver, else of its destination.
"""


@record
class Station:
    """What has a message in a step: the kind of object in the words of its system (``alias queue``,
    ``transmission queue``), empty where it has no word for it, and its name."""

    kind: str
    name: str


@record
class TracedStep:
    """One thing that happens to the message at server ``at`` of ``system``.

    ``after`` is the step before it (-1: the first). With ``to`` the step is a hop: the message goes
    on to that server, over a link in ``zone`` at ``cost`` (None where the system has no costs), if
    the ``guards`` hold. ``object`` is the destination or queue concerned, ``state`` what the system
    has to know to go on. ``source`` is the evidence of this step alone. ``station`` is what has the
    message at the server; None where that is the server itself. Of a hop, ``link`` is the name of
    the link that it takes and ``role`` what kind of link that is, where it has one.
    """

    id: int
    after: int
    branch: int
    system: str
    at: str
    text: str
    rule: str = ""
    confidence: str = ""
    source: Source = NOWHERE
    object: str = ""
    state: str = ""
    to: str = ""
    zone: str = ""
    cost: int | None = None
    guards: tuple[str, ...] = ()
    passing: Ending | None = None
    station: Station | None = None
    link: str = ""
    role: str = ""


@record
class Branch:
    """One branch. ``of`` is the branch it leaves (-1: none) and ``last`` its last step (-1: it has
    none of its own).

    ``condition`` says when it is taken, in words, where something decides it; ``eliminated`` what a
    rule excluded, in words. ``ending`` is None where the way goes on in other branches. ``sender``
    is what the sender sees of it (``accepted``, ``released``), where that is known.
    """

    id: int
    of: int
    kind: Kind
    ending: Ending | None = None
    last: int = -1
    choice: str = ""
    pick: int = 0
    condition: str = ""
    eliminated: str = ""
    sender: str = ""


@record
class Note:
    """Something that the reader of a trace has to know, with its place. ``about`` are the receivers
    that get nothing, and ``why`` the reason alone, where it says that."""

    rule: str
    text: str
    source: Source | None = None
    about: tuple[str, ...] = ()
    why: str = ""


@record
class Open:
    """A server of which the loaded files (or a budget) leave open whether the message gets
    there, and why. ``path`` are the points of the network's graph from where the message is sent
    up to the server whose files leave it open, where a path leads there. ``decided`` is the
    assumption under which it is known whether it gets there, if there is one. ``needed`` is what
    servers would need for it to get there over links that no file shows, from server ``sent_at``
    (number), where it or the copy of it that would get there begins. ``destination`` is that of
    the copy, where it is not the message's own."""

    system: str
    server: str
    because: str
    source: Source
    path: Path = ()
    decided: Decided | None = None
    needed: tuple[Needed, ...] = ()
    sent_at: int = -1
    destination: str = ""


@record
class SenderView:
    """What the sender sees: an outcome (or ``accepted or released``), with rule and evidence
    where it gets none of its message through.
    """

    outcome: str
    condition: str = ""
    text: str = ""
    rule: str = ""
    source: Source | None = None


@record(slots=False)
class Trace:
    """All that happens to one message. ``steps`` and ``branches`` are in order of their ids, each
    id its place; they may be made when read.

    ``exact`` is False where a budget or the order of events leaves something out; ``inexact`` are
    the causes, none where they are what ``open`` names. ``open`` are servers that nothing certain
    is said of.
    """

    start: str
    system: str
    steps: Sequence[TracedStep]
    branches: Sequence[Branch]
    exact: bool = True
    inexact: tuple[Inexact, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    notes: tuple[Note, ...] = ()
    open: tuple[Open, ...] = ()
    sender: SenderView | None = None
    doubled: bool = False
    """Whether a server is reached over more than one path."""
    visited: tuple[str, ...] = ()
    """The servers that certainly get the message, the sender's first, the others by name."""

    def steps_to(self, step: int) -> list[TracedStep]:
        """The steps that lead to a step, it included, first to last. Linear in their number."""
        found = []
        while step >= 0:
            found.append(self.steps[step])
            step = found[-1].after
        found.reverse()
        return found

    def endings(self) -> Iterator[Branch]:
        """The branches that end, in order; other readings left out, with all that follows in
        them.
        """
        left_out: set[int] = set()
        for branch in self.branches:
            if branch.kind is Kind.READING or branch.of in left_out:
                left_out.add(branch.id)
            elif branch.ending is not None:
                yield branch


class TraceBuilder:
    """Puts a trace together step by step."""

    def __init__(self, system: str) -> None:
        self.system = system
        self.steps: list[TracedStep] = []
        self._of: list[int] = []
        self._kind: list[Kind] = []
        self._fields: dict[int, dict[str, Any]] = {}
        self._last: list[int] = []
        self._endings: dict[int, Ending] = {}

    def branch(self, of: int, kind: Kind, **fields: Any) -> int:
        """Begin a branch; its id. ``fields`` are those of ``Branch``."""
        number = len(self._of)
        self._of.append(of)
        self._kind.append(kind)
        self._last.append(self._last[of] if of >= 0 else -1)
        if fields:
            self._fields[number] = fields
        return number

    def step(
        self,
        branch: int,
        at: str,
        text: str,
        *,
        after: int | None = None,
        system: str = "",
        **fields: Any,
    ) -> int:
        """Add a step to a branch, after its last one; its id. ``fields`` are those of
        ``TracedStep``; ``after`` may name another step.
        """
        number = len(self.steps)
        before = self._last[branch] if after is None else after
        self.steps.append(
            TracedStep(number, before, branch, system or self.system, at, text, **fields)
        )
        self._last[branch] = number
        return number

    def end(self, branch: int, ending: Ending) -> None:
        """End a branch."""
        self._endings[branch] = ending

    def graft(self, at: int, trace: Trace) -> list[int]:
        """Let a branch go on as another trace tells, whose first branch is then this one. The
        branches here, by their numbers there; endings are taken over. Linear in the trace."""
        numbers: list[int] = []
        for branch in trace.branches:
            fields = {
                name: getattr(branch, name) for name in _BRANCH_FIELDS if getattr(branch, name)
            }
            numbers.append(
                at if branch.of < 0 else self.branch(numbers[branch.of], branch.kind, **fields)
            )
            if branch.ending is not None:
                self.end(numbers[-1], branch.ending)
        before = self._last[at]
        steps: list[int] = []
        for step in trace.steps:
            after = before if step.after < 0 else steps[step.after]
            fields = {name: getattr(step, name) for name in _STEP_FIELDS}
            steps.append(
                self.step(
                    numbers[step.branch],
                    step.at,
                    step.text,
                    after=after,
                    system=step.system,
                    **fields,
                )
            )
        for branch, number in zip(trace.branches, numbers, strict=True):
            if branch.last >= 0:
                self._last[number] = steps[branch.last]
        return numbers

    def reopen(self, branch: int) -> None:
        """Take the ending of a branch back: it goes on."""
        del self._endings[branch]

    @property
    def branches(self) -> list[Branch]:
        """The branches made so far."""
        return [
            Branch(
                number,
                of,
                kind,
                self._endings.get(number),
                last,
                **self._fields.get(number, NOTHING),
            )
            for number, (of, kind, last) in enumerate(
                zip(self._of, self._kind, self._last, strict=True)
            )
        ]


_BRANCH_FIELDS = ("choice", "pick", "condition", "eliminated", "sender")
_STEP_FIELDS = (
    *("rule", "confidence", "source", "object", "state", "to", "zone", "cost", "guards"),
    *("passing", "station", "link", "role"),
)
