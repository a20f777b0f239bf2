"""How certain it is what becomes of a message: the judgement of each delivery and of each other
end, made once, of the message's trace. Every medium reads it in the answer.

A claim is that somebody gets the message, or that it ends in another way at a place. Ways do not
count: where both of two alternatives bring it to one receiver, that is certain.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cache, cached_property

from topograph.judgement import YES, Condition, Judgement, Polarity
from topograph.outcomes import Outcome
from topograph.tracing.outcomes import TAKEN, Folding
from topograph.tracing.trace import Branch, Ending, Kind

ASSUMED = "assumed"
"""How a subscriber is known that nothing names: the delivery rests on that it is there."""

OPAQUE = "code that no file shows decides it"
"""Why it is not known what becomes of a message behind a mediation or an exit."""

IF = Judgement(Polarity.YES, frozenset({Condition.IF}))
"""That it rests on an assumption alone."""

_Claims = set[Hashable]
_Kind = Kind | Condition
_OPEN = frozenset({Kind.ONE_OF, Kind.OPAQUE, Kind.LATER, Kind.READING})
"""Of branches that are not taken for certain."""

_CERTAIN: frozenset[_Kind] = frozenset()
_OPAQUE: frozenset[_Kind] = frozenset({Kind.OPAQUE})
_ONE_OF: frozenset[_Kind] = frozenset({Condition.ONE_OF})
_LATER: frozenset[_Kind] = frozenset({Condition.LATER})
_IF: frozenset[_Kind] = frozenset({Condition.IF})


def conditions(judgement: Judgement) -> tuple[str, ...]:
    """What a judgement depends on, the least certain first."""
    return _in_order(judgement.conditions)


@cache
def _in_order(conditions: frozenset[Condition]) -> tuple[str, ...]:
    return tuple(str(one) for one in Condition if one in conditions)


class FateJudgements:
    """Judges the endings of one trace. n log n in its branches."""

    def __init__(self, folding: Folding) -> None:
        self._folding = folding
        self._branches = folding.trace.branches
        self._made: dict[Hashable, Judgement] = {}
        self._said: dict[int, tuple[Ending, Hashable]] = {}

    def of(self, ending: Ending) -> Judgement:
        """The judgement of what an ending of the trace says. O(1) where nothing is left open."""
        if self._all_taken and ending.outcome is not Outcome.UNDETERMINED:
            return IF if is_assumed(ending) else YES
        one = self._claim(ending)
        if one not in self._made:
            self._made[one] = self._judged(ending, one)
        return self._made[one]

    @cached_property
    def _all_taken(self) -> bool:
        """Whether every branch is certainly taken."""
        return not any(branch.kind in _OPEN for branch in self._branches)

    def _claim(self, ending: Ending) -> Hashable:
        """See ``claim``; made once for each ending, which is kept so that its id stays its own."""
        known = self._said.get(id(ending))
        if known is None:
            known = self._said[id(ending)] = ending, claim(ending)
        return known[1]

    def _judged(self, ending: Ending, one: Hashable) -> Judgement:
        if ending.outcome is Outcome.UNDETERMINED:
            return Judgement(Polarity.UNKNOWN, why=ending.text("condition"))
        depends = self._depends(one, [self._kinds[branch] for branch in self._alike[one]])
        if depends is None:
            return Judgement(Polarity.UNKNOWN, why=OPAQUE)
        if is_assumed(ending):
            return IF if not depends else Judgement(Polarity.YES, depends | {Condition.IF})
        return YES if not depends else Judgement(Polarity.YES, depends)

    @cached_property
    def _alike(self) -> dict[Hashable, list[int]]:
        """The branches in which the same becomes of the message, by what that is."""
        found: dict[Hashable, list[int]] = {}
        aside: set[int] = set()
        for branch in self._branches:
            if branch.kind is Kind.READING or branch.of in aside:
                aside.add(branch.id)
                continue
            for ending in self._told_in(branch):
                found.setdefault(self._claim(ending), []).append(branch.id)
        return found

    def _told_in(self, branch: Branch) -> Iterator[Ending]:
        """What becomes of the message in a branch, on its way and at its end; that a link stops
        it is no claim."""
        yield from self._folding.passing.get(branch.id, ())
        if branch.ending is not None and branch.ending.outcome is not Outcome.NOT_FORWARDED:
            yield branch.ending

    def _depends(self, one: Hashable, kinds: list[frozenset[_Kind]]) -> frozenset[Condition] | None:
        """What it depends on apart from subscribers; None where code decides that no file shows."""
        if not any(kinds) or one in self._now:
            return frozenset()
        if one in self._at_last:
            return frozenset({Condition.LATER})
        shown = [each for each in kinds if Kind.OPAQUE not in each]
        if not shown:
            return None
        found = {one for one in Condition if all(one in each for each in shown)}
        return frozenset(found or {Condition.ONE_OF})

    @cached_property
    def _kinds(self) -> list[frozenset[_Kind]]:
        """Per branch what it depends on that is not taken for certain, itself included. An event
        that nothing holds the message for is a condition of now."""
        found: list[frozenset[_Kind]] = []
        for branch in self._branches:
            before = found[branch.of] if branch.of >= 0 else _CERTAIN
            own = self._own_kind(branch)
            found.append(before | own if own else before)
        return found

    def _own_kind(self, branch: Branch) -> frozenset[_Kind]:
        match branch.kind:
            case Kind.ONE_OF:
                return _ONE_OF
            case Kind.OPAQUE:
                return _OPAQUE
            case Kind.LATER:
                return _LATER if branch.id in self._folding.deferred else _IF
        return _CERTAIN

    @cached_property
    def _now(self) -> _Claims:
        return self._certain(later=False)

    @cached_property
    def _at_last(self) -> _Claims:
        return self._certain(later=True)

    def _certain(self, *, later: bool) -> _Claims:
        """The claims that hold whatever is chosen; with ``later`` also those that hold when
        what is waited for has happened. Children stand behind their parents."""
        held: list[_Claims] = [set() for _ in self._branches]
        picked: dict[int, dict[str, dict[int, _Claims]]] = {}
        cut = {branch.id for branch in self._folding.courses} if not self._complete else set()
        for branch in reversed(self._branches):
            own = held[branch.id]
            for options in picked.pop(branch.id, {}).values():
                own |= set.intersection(*options.values())
            own.update(map(self._claim, self._told_in(branch)))
            if branch.of < 0:
                continue
            if branch.kind is Kind.ONE_OF or (branch.kind is Kind.OPAQUE and branch.choice):
                options = picked.setdefault(branch.of, {}).setdefault(branch.choice, {})
                options[branch.pick] = options.get(branch.pick, set()) | own
                if branch.id in cut:
                    # One that was not looked at may come to something else.
                    options[-1] = set()
            elif branch.kind not in (Kind.READING, Kind.OPAQUE, Kind.LATER) or (
                later and branch.kind is Kind.LATER and branch.id in self._folding.deferred
            ):
                small, large = sorted((own, held[branch.of]), key=len)
                held[branch.of] = large
                large |= small
        return held[0] if held else set()

    @property
    def _complete(self) -> bool:
        return self._folding.trace.exact


def claim(ending: Ending) -> Hashable:
    """What an ending says, apart from the way there."""
    if ending.outcome in TAKEN:
        who = ending.text("receiver") or ending.text("server")
        return ending.outcome, who, ending.text("destination"), is_assumed(ending)
    return str(ending), ending.text("server"), ending.text("destination")


def is_assumed(ending: Ending) -> bool:
    """Whether nobody is known who gets the message there."""
    return ending.outcome is Outcome.DELIVERED and ending.text("subscriber") == ASSUMED
