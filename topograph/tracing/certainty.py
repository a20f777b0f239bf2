"""How certain it is of each branch of a trace that the message takes it and ends as it says."""

from __future__ import annotations

from collections.abc import Iterator

from topograph.judgement import Condition, Judgement, Polarity, Told
from topograph.outcomes import NotForwarded, Outcome, Truth
from topograph.tracing.outcomes import TAKEN, Arrival, Folding
from topograph.tracing.trace import Branch, Ending, Kind

_NOT_KNOWN = (Outcome.UNDETERMINED, Outcome.OPAQUE)
"""Outcomes that say that nothing is known."""

_ASSUMED = "assumed"
"""How a subscriber is known who is only supposed to be there."""


def certainties(folding: Folding) -> tuple[Told, ...]:
    """What is told of each branch, by number. An ending that is the same in every course does not
    depend on which is taken. Linear in the branches and the steps that lead to endings."""
    constant = frozenset(_in_every_course(folding))
    hypothetical = {branch.id for branch in folding.hypothetical}
    tops = {branch.id for branch in folding.courses}
    found: list[tuple[bool, frozenset[Condition]]] = []
    told = []
    for branch in folding.trace.branches:
        known, on = found[branch.of] if branch.of >= 0 else (True, frozenset())
        known = known and branch.kind not in (Kind.OPAQUE, Kind.READING)
        if branch.kind is Kind.ONE_OF:
            on |= {Condition.ONE_OF} if branch.id not in tops else set()
        elif branch.kind is Kind.LATER:
            on |= {Condition.IF if branch.id in hypothetical else Condition.LATER}
        found.append((known, on))
        if branch.id not in constant and folding.course_of(branch.id) in tops:
            on |= {Condition.ONE_OF}
        told.append(_told(branch, known=known, on=on))
    return tuple(told)


def _told(branch: Branch, *, known: bool, on: frozenset[Condition]) -> Told:
    ending = branch.ending
    if not known or (ending is not None and _left_open(ending)):
        return Judgement(Polarity.UNKNOWN).told
    if ending is not None and ending.outcome in TAKEN and _is_assumed(ending):
        on |= {Condition.IF}
    return Judgement(Polarity.YES, on).told


def _left_open(ending: Ending) -> bool:
    """Whether the loaded files do not decide it. What a selector does not say is TRUE it certainly
    does not select."""
    unknown = ending.text("value") == Truth.UNKNOWN
    selector = ending.text("condition") == NotForwarded.SELECTOR
    return ending.outcome in _NOT_KNOWN or (unknown and not selector)


def _is_assumed(ending: Ending) -> bool:
    return ending.text("subscriber") == _ASSUMED and ending.outcome is Outcome.DELIVERED


def _in_every_course(folding: Folding) -> Iterator[int]:
    """The branches whose ending, with its path and the number of copies, each course has."""
    groups: dict[tuple[int, int, tuple[str, ...]], list[Arrival]] = {}
    for branch in folding.trace.endings():
        assert branch.ending is not None
        depends = folding.depends_on(branch.id)
        one = Arrival(branch, branch.ending, folding.course_of(branch.id), folding)
        decided = -1 if depends is None else depends.id
        group = one.course, decided, _ends_so(branch.ending)
        groups.setdefault(group, []).append(one)
    courses = {course.id for course in folding.courses}
    # A course that was not looked at may be one without it.
    every = len(courses) if folding.trace.exact else len(courses) + 1
    alike: dict[tuple[object, ...], list[Arrival]] = {}
    for (course, decided, ends_so), arrivals in groups.items():
        if course in courses:
            kind = folding.trace.branches[decided].kind if decided >= 0 else Kind.COPY
            copies = sum(one.ending.count("copies") for one in arrivals)
            paths = tuple(sorted(one.path for one in arrivals))
            alike.setdefault((kind, ends_so, copies, paths), []).extend(arrivals)
    for arrivals in alike.values():
        if len({one.course for one in arrivals}) == every:
            yield from (one.branch.id for one in arrivals)


def _ends_so(ending: Ending) -> tuple[str, ...]:
    receiver = ending.text("receiver") or ending.text("server")
    return str(ending), receiver, ending.text("server"), ending.text("destination")
