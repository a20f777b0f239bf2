"""The first commit from which on something that is expected does not hold, between one at which it
holds and one at which it does not.

The commits that lead to the bad one and to no good one are halved until one is left. That all of
its parents are good is then looked at, not supposed: what broke, was mended and broke again is
followed to where it broke for the first time after a good commit.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from topograph.audit.judging_policies import FAIL, PASS, judged_state
from topograph.audit.policy import Policy
from topograph.errors import UsageError
from topograph.histories.changed_lines import ChangedLines
from topograph.histories.culprits import Found, culprits_between
from topograph.histories.expectations import expectations
from topograph.histories.records import Bisection, Expectation, Tested
from topograph.histories.states import States, Unread, told
from topograph.opening.selection import EVERYTHING, Selection
from topograph.questions.answers.audit import PolicyEvidence, PolicyResult
from topograph.questions.model import Model
from topograph.records import record
from topograph.store.commits import Commit, Commits, in_order, place_of
from topograph.store.git_objects import GitObjects

GOOD, BAD, UNKNOWN = "good", "bad", "unknown"

LISTED = 100
"""Candidates that are listed."""

_LOOKED_AT = 32
"""Commits in the middle of which the one that halves the others best is tested."""


def bisect(
    path: str | os.PathLike[str],
    *,
    good: Sequence[str],
    bad: str = "HEAD",
    expect: Sequence[str] = (),
    policies: Sequence[str] = (),
    chosen: Selection = EVERYTHING,
    seconds: float | None = 10.0,
) -> Bisection:
    """The commit that broke what is expected (``expectations``) of the network of a folder in a
    repository, and the entry of the configuration that did. It holds at the commits ``good`` and
    not at ``bad``.

    ``seconds`` is the time for judging one commit. Raises UsageError for an expectation that is
    none, an unknown revision, a ``good`` that does not lead to ``bad``, and where it does not hold
    at a good commit or holds at the bad one; InputError for a repository that cannot be read. The
    logarithm of the number of commits are read, and their names all.
    """
    policy = expectations(expect, policies)
    place = place_of(path)
    with GitObjects(place.repository) as objects:
        commits = Commits(objects)
        at_good = [commits.named(one) for one in good]
        at_bad = commits.named(place.tip if bad == "HEAD" else bad)
        states = States(commits, place, chosen, seconds, most=8)
        search = _Search(states, policy, at_good, at_bad)
        return search.run()


@record(slots=False)
class _Judged:
    """What a state comes to, and why."""

    result: str
    because: str = ""
    expectation: str = ""
    evidence: tuple[PolicyEvidence, ...] = ()


@dataclass
class _Search:
    """A search among the commits between good ones and a bad one."""

    states: States
    policies: Sequence[Policy]
    good: Sequence[Commit]
    bad: Commit
    tested: dict[str, Tested] = field(default_factory=dict)
    _by_content: dict[str, _Judged] = field(default_factory=dict)
    _reference: Model | None = None

    def run(self) -> Bisection:
        self._check_ends()
        held, first = [*self.good], self.bad
        while True:
            found = self._halved(held, first)
            if isinstance(found, list):
                return self._undecided(found)
            parents = self.states.commits.parents(found)
            doubtful = [one for one in parents if self.test(one).result == UNKNOWN]
            if doubtful:
                return self._undecided([*doubtful, found])
            broken = next((one for one in parents if self.test(one).result == BAD), None)
            if broken is None:
                return self._decided(found, parents)
            before = self.states.commits.ancestors(broken)
            held = [one for one in held if one.name in before and one.name != broken.name]
            first = broken
            if not held:
                return self._decided(found, [one for one in parents if one is not broken])

    def _check_ends(self) -> None:
        """Raises UsageError where the search has nothing to begin with."""
        there = self.states.commits.ancestors(self.bad)
        for one in self.good:
            if one.name not in there or one.name == self.bad.name:
                raise UsageError(
                    f"The good commit {one.short} does not lead to the bad one, {self.bad.short}. "
                    "Name an earlier one: git merge-base GOOD BAD."
                )
        state = self.states.of(self.bad)
        self._reference = None if isinstance(state, Unread) else state
        for one in self.good:
            judged = self.test(one)
            if judged.result != GOOD:
                does = "does not hold" if judged.result == BAD else "cannot be judged"
                raise UsageError(
                    f"{judged.expectation or 'What is expected'} {does} at the good commit "
                    f"{judged.commit.title}: {judged.because}. Name a commit at which it holds."
                )
            state = self.states.of(one)
            self._reference = self._reference if isinstance(state, Unread) else state
        judged = self.test(self.bad)
        if judged.result != BAD:
            does = "holds" if judged.result == GOOD else "cannot be judged"
            because = f": {judged.because}" if judged.because else ""
            raise UsageError(
                f"{judged.expectation or 'What is expected'} {does} at the bad commit "
                f"{judged.commit.title}{because}. Name a commit at which it does not hold."
            )

    def _halved(self, held: Sequence[Commit], first: Commit) -> Commit | list[Commit]:
        """The first bad commit of those that lead to ``first`` and not to what holds; all that it
        may be, where commits cannot be judged."""
        commits = self.states.commits
        left = commits.ancestors(first)
        for one in held:
            for name in commits.ancestors(one):
                left.pop(name, None)
        unknown: set[str] = set()
        while True:
            open_ = {name: one for name, one in left.items() if name not in unknown}
            open_.pop(first.name, None)
            if not open_:
                ordered = in_order(left)
                return first if len(left) == 1 else ordered
            middle = _middle(open_, left)
            result = self.test(middle).result
            if result == UNKNOWN:
                unknown.add(middle.name)
                continue
            below = commits.ancestors(middle)
            if result == BAD:
                first = middle
                left = {name: one for name, one in left.items() if name in below}
            else:
                left = {name: one for name, one in left.items() if name not in below}

    def test(self, commit: Commit) -> Tested:
        """What a commit comes to; each is judged once, and commits that hold the same together."""
        if commit.name not in self.tested:
            key = self.states.content(commit)
            if key not in self._by_content:
                self._by_content[key] = self._judged(commit)
            one = self._by_content[key]
            self.tested[commit.name] = Tested(
                told(commit), one.result, one.because, one.expectation
            )
        return self.tested[commit.name]

    def _judged(self, commit: Commit) -> _Judged:
        state = self.states.of(commit)
        if isinstance(state, Unread):
            return _Judged(UNKNOWN, state.because)
        return _verdict(judged_state(state, self.policies, self._reference or state))

    def _decided(self, commit: Commit, parents: Sequence[Commit]) -> Bisection:
        """The answer: the commit, and what of it decides."""
        judged = self._by_content[self.states.content(commit)]
        after = self.states.of(commit)
        before = self.states.of(parents[0]) if parents else Unread("no commit leads to it")
        found = Found((), because="the state before cannot be read")
        if not isinstance(after, Unread) and not isinstance(before, Unread):
            asked = [one for one in self.policies if one.id == judged.expectation]

            def broken(model: Model) -> bool:
                return _verdict(judged_state(model, asked, before)).result == BAD

            found = culprits_between(before, after, broken)
            lines = ChangedLines(self.states, parents[0], commit, broken)
            found = replace(found, culprits=tuple(map(lines.narrowed, found.culprits)))
        return replace(
            self._answer(),
            first_bad=told(commit),
            culprits=found.culprits,
            each_alone=found.each_alone,
            evidence=judged.evidence,
            because=found.because,
        )

    def _undecided(self, among: Iterable[Commit]) -> Bisection:
        candidates = tuple(told(one) for one in among)
        judged = [self.tested[one.commit] for one in candidates if one.commit in self.tested]
        why = next((one.because for one in judged if one.result == UNKNOWN), "")
        return replace(self._answer(), candidates=candidates[:LISTED], because=why)

    def _answer(self) -> Bisection:
        return Bisection(
            folder=self.states.place.folder,
            expectations=tuple(Expectation(one.id, one.rule) for one in self.policies),
            good=tuple(map(told, self.good)),
            bad=told(self.bad),
            first_bad=None,
            tested=tuple(self.tested.values()),
        )


def _verdict(results: Sequence[PolicyResult]) -> _Judged:
    """What the results of all policies come to: the first that fails decides, then the first that
    is not decided.
    """
    for result, name in ((FAIL, BAD), (None, UNKNOWN)):
        for one in results:
            if one.result == result or (result is None and one.result != PASS):
                return _Judged(name, one.evidence[0].text, one.id, one.evidence)
    return _Judged(GOOD)


def _middle(open_: dict[str, Commit], left: dict[str, Commit]) -> Commit:
    """The commit to test: of some in the middle of the order in which commits lead to each other,
    the one whose ancestors are most nearly half of what is left. Linear, 32 times at most."""
    ordered = [one for one in in_order(left) if one.name in open_]
    at = len(ordered) // 2
    some = ordered[max(0, at - _LOOKED_AT // 2) : at + _LOOKED_AT // 2]
    if all(len(one.parents) <= 1 for one in left.values()):
        return ordered[max(0, (len(ordered) - 1) // 2)]
    return min(some, key=lambda one: abs(2 * _ancestors(one, left) - len(left)))


def _ancestors(commit: Commit, among: dict[str, Commit]) -> int:
    found = {commit.name}
    edge = [commit]
    while edge:
        for name in edge.pop().parents:
            if name in among and name not in found:
                found.add(name)
                edge.append(among[name])
    return len(found)
