"""What a trace comes to: the deliveries and stops in it, and the sets of outcomes that are
possible together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from topograph.outcomes import Outcome
from topograph.records import record
from topograph.tracing.trace import Branch, Ending, Kind, Trace, TracedStep

TAKEN = (Outcome.DELIVERED, Outcome.DEPOSITED)
"""Outcomes in which somebody has the message."""

ALREADY_SEEN = "already-seen"
"""Why a copy is dropped that a server had before."""

UNCERTAIN = (Kind.ONE_OF, Kind.OPAQUE, Kind.LATER)
"""Kinds of branches that are not taken for certain."""


@record
class Arrival:
    """A branch in which somebody takes the message: its ending, and the course it belongs to
    (-1: every one). Its steps are found when read.
    """

    branch: Branch
    ending: Ending
    course: int
    folding: Folding

    @property
    def steps(self) -> tuple[TracedStep, ...]:
        """All steps that lead to the ending, its own included."""
        return self.folding.way(self.branch.last)

    @property
    def hops(self) -> tuple[TracedStep, ...]:
        """The steps from server to server."""
        return self.folding.hops(self.branch.last)

    @property
    def decisions(self) -> tuple[TracedStep, ...]:
        """What was decided on the way: all other steps but the last one, which is the ending's
        own.
        """
        return self.folding.decisions(self.evidence.after)

    @property
    def path(self) -> tuple[str, ...]:
        """The servers from first to last; empty where it is not known which server the message
        leaves from. A message that entered anew on its way (out of a container) begins where it
        did."""
        path = self.folding.path(self.branch.last)
        if path:
            return path
        server = self.ending.text("server")
        return (server,) if server else ()

    @property
    def evidence(self) -> TracedStep:
        """The step that is the ending's own."""
        return self.folding.trace.steps[self.branch.last]


class Folding:
    """Reads a trace. Steps that lead to branches are found once for all branches that share
    them. Linear in the steps listed.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._ways: dict[int, tuple[TracedStep, ...]] = {-1: ()}
        self._hops: dict[int, tuple[TracedStep, ...]] = {-1: ()}
        self._decisions: dict[int, tuple[TracedStep, ...]] = {-1: ()}
        self._paths: dict[int, tuple[str, ...]] = {-1: ()}

    def way(self, step: int) -> tuple[TracedStep, ...]:
        """The steps that lead to a step, it included."""
        if step not in self._ways:
            for one in self._missing(step, self._ways):
                self._ways[one.id] = (*self._ways[one.after], one)
        return self._ways[step]

    def hops(self, step: int) -> tuple[TracedStep, ...]:
        """The steps from server to server among those that lead to a step."""
        if step not in self._hops:
            for one in self._missing(step, self._hops):
                before = self._hops[one.after]
                self._hops[one.id] = (*before, one) if one.to else before
        return self._hops[step]

    def decisions(self, step: int) -> tuple[TracedStep, ...]:
        """The other steps among those that lead to a step."""
        if step not in self._decisions:
            for one in self._missing(step, self._decisions):
                before = self._decisions[one.after]
                self._decisions[one.id] = before if one.to else (*before, one)
        return self._decisions[step]

    def path(self, step: int) -> tuple[str, ...]:
        """The servers that the message passes on its way to a step, from the first hop on; empty
        without a hop.
        """
        if step not in self._paths:
            for one in self._missing(step, self._paths):
                before = self._paths[one.after]
                self._paths[one.id] = (*(before or (one.at,)), one.to) if one.to else before
        return self._paths[step]

    def _missing(self, step: int, known: Mapping[int, object]) -> list[TracedStep]:
        """The steps on the way to a step that are not known yet, first to last."""
        found = []
        while step not in known:
            found.append(self.trace.steps[step])
            step = found[-1].after
        found.reverse()
        return found

    @cached_property
    def courses(self) -> tuple[Branch, ...]:
        """The branches that are possible courses of events, of which one is taken; empty where
        there is only one course.
        """
        return tuple(
            branch
            for branch in self.trace.branches
            if branch.kind is Kind.ONE_OF and branch.of == 0
        )

    @cached_property
    def deferred(self) -> frozenset[int]:
        """The branches that are taken when what holds the message now (an ending HELD beside
        them) goes away, with all that follows in them.
        """
        held = {
            branch.of
            for branch in self.trace.branches
            if branch.ending is not None
            and branch.ending.outcome is Outcome.HELD
            and branch.kind is not Kind.LATER
        }
        found: set[int] = set()
        for branch in self.trace.branches:
            if branch.of in found or (branch.kind is Kind.LATER and branch.of in held):
                found.add(branch.id)
        return frozenset(found)

    @cached_property
    def hypothetical(self) -> tuple[Branch, ...]:
        """The branches that are taken when something happens, and that nothing holds the message
        for.
        """
        later = (
            branch for branch in self.trace.branches if branch.kind is Kind.LATER and branch.of == 0
        )
        return tuple(branch for branch in later if branch.id not in self.deferred)

    @cached_property
    def _course_of(self) -> list[int]:
        """Per branch the course it belongs to, -1 for none."""
        tops = {branch.id for branch in (*self.courses, *self.hypothetical)}
        found: list[int] = []
        for branch in self.trace.branches:
            found.append(
                branch.id if branch.id in tops else found[branch.of] if branch.of >= 0 else -1
            )
        return found

    @cached_property
    def _depends_on(self) -> list[int]:
        """Per branch the nearest branch on its way (or itself) that is not certainly taken and
        no course of its own, -1 for none.
        """
        tops = {branch.id for branch in (*self.courses, *self.hypothetical)}
        found: list[int] = []
        for branch in self.trace.branches:
            before = found[branch.of] if branch.of >= 0 else -1
            found.append(
                branch.id if branch.kind in UNCERTAIN and branch.id not in tops else before
            )
        return found

    def depends_on(self, branch: int) -> Branch | None:
        """The choice, code or event that decides whether a branch is taken, apart from its
        course; None where it is taken for certain.
        """
        found = self._depends_on[branch]
        return None if found < 0 else self.trace.branches[found]

    @staticmethod
    def place(ending: Ending, step: TracedStep) -> str:
        """The server where a message ends that ends after a step; of one that leaves what is
        loaded, the server that it leaves from."""
        here = step.to or step.at
        return here if ending.outcome is Outcome.EXTERNAL else ending.text("server") or here

    def condition(self, branch: Branch) -> str:
        """When a branch is taken, in words: that of the nearest on its way that is not taken for
        certain; empty where nothing is said of it."""
        decides = self.depends_on(branch.id)
        if decides is None and self.course_of(branch.id) >= 0:
            decides = self.trace.branches[self.course_of(branch.id)]
        return "" if decides is None else decides.condition

    def course_of(self, branch: int) -> int:
        """The course (or later branch) that a branch belongs to, -1 for none."""
        return self._course_of[branch]

    def arrivals(self) -> Iterator[Arrival]:
        """Every branch in which somebody takes the message, in order."""
        for branch in self.trace.endings():
            assert branch.ending is not None
            if branch.ending.outcome in TAKEN:
                yield Arrival(branch, branch.ending, self._course_of[branch.id], self)

    def others(self) -> Iterator[Ending]:
        """Every ending in which nobody takes the message and no link stops it, as things are
        now; copies that a server had before are nothing of their own."""
        for branch in self.trace.endings():
            assert branch.ending is not None
            if branch.id in self.deferred:
                continue
            if self.is_other(branch) and branch.ending.outcome is not Outcome.UNDETERMINED:
                yield branch.ending

    @staticmethod
    def is_other(branch: Branch) -> bool:
        """Whether a branch ends in a way of its own: nobody takes the message, no link stops it,
        and it is no copy that the server had before."""
        ending = branch.ending
        return (
            ending is not None
            and ending.outcome not in (*TAKEN, Outcome.NOT_FORWARDED)
            and ending.text("reason") != ALREADY_SEEN
        )

    def passed(self, branch: Branch) -> Iterator[tuple[Ending, TracedStep]]:
        """What became of the message on its way to the end of a branch without ending there, and
        the steps: it was moved to an exception destination that sends it on."""
        if not self.passing or branch.ending is None:
            return
        for step in self.way(branch.last):
            if step.passing is not None and str(step.passing) != str(branch.ending):
                yield step.passing, step

    @cached_property
    def passing(self) -> Mapping[int, list[Ending]]:
        """By branch what becomes of the message in it without ending there. Linear in the steps."""
        found: dict[int, list[Ending]] = {}
        for step in self.trace.steps:
            if step.passing is not None:
                found.setdefault(step.branch, []).append(step.passing)
        return found

    @property
    def decided_at_run_time(self) -> bool:
        """Whether one of several ways is chosen, or code that no file shows decides."""
        return any(branch.kind in (Kind.ONE_OF, Kind.OPAQUE) for branch in self.trace.branches)

    def stops(self) -> Iterator[tuple[Ending, TracedStep]]:
        """Every ending in which a link (or a subscriber) does not take the message, with the
        step that says why.
        """
        for branch in self.trace.endings():
            assert branch.ending is not None
            if branch.ending.outcome is Outcome.NOT_FORWARDED:
                yield branch.ending, self.trace.steps[branch.last]


def possible_outcomes(trace: Trace, budget: int = 100_000) -> tuple[set[frozenset[str]], bool]:
    """The sets of endings (as text) that can occur together, one an assignment of picks to choice
    keys; and whether all were looked at.

    Readings are left out, branches that are taken later too. Code that no file shows picks as well:
    one of its branches with the same key, or whether a branch without a key is taken. O(assignments
    * branches).
    """
    options: dict[str, set[int]] = {}
    picked: dict[int, tuple[str, int]] = {}
    for branch in trace.branches:
        if branch.kind is Kind.ONE_OF or (branch.kind is Kind.OPAQUE and branch.choice):
            picked[branch.id] = branch.choice, branch.pick
            options.setdefault(branch.choice, set()).add(branch.pick)
        elif branch.kind is Kind.OPAQUE:
            picked[branch.id] = f"branch {branch.id}", 1
            options[f"branch {branch.id}"] = {0, 1}
    found: set[frozenset[str]] = set()
    # Branches are in order: a parent stands before its children.
    children: dict[int, list[Branch]] = {}
    for branch in trace.branches:
        children.setdefault(branch.of, []).append(branch)

    def endings(picks: Mapping[str, int]) -> tuple[set[str], str | None]:
        """The endings under some picks, and a choice that is met and not picked yet."""
        taken: set[str] = set()
        waiting = list(children.get(-1, ()))
        while waiting:
            branch = waiting.pop()
            if branch.kind in (Kind.READING, Kind.LATER):
                continue
            if branch.id in picked:
                choice, pick = picked[branch.id]
                if choice not in picks:
                    return set(), choice
                if picks[choice] != pick:
                    continue
            if branch.ending is not None:
                taken.add(str(branch.ending))
            waiting.extend(children.get(branch.id, ()))
        return taken, None

    waiting: list[dict[str, int]] = [{}]
    looked = 0
    while waiting:
        picks = waiting.pop()
        looked += 1
        if looked > budget:
            return found, False
        taken, choice = endings(picks)
        if choice is None:
            found.add(frozenset(taken))
        else:
            waiting.extend({**picks, choice: pick} for pick in options[choice])
    return found, True
