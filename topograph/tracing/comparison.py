"""What a change does to one message: the endings of two of its traces, compared by server and
destination.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from topograph.findings import Source
from topograph.outcomes import Outcome
from topograph.records import record
from topograph.tracing.outcomes import ALREADY_SEEN, Folding
from topograph.tracing.states import Systems
from topograph.tracing.trace import Trace, TracedStep


@record(order=True)
class EndingAt:
    """How a message ends at a server: the destination (or receiver) concerned, and the outcome
    with its arguments.
    """

    system: str
    server: str
    destination: str
    outcome: str

    @property
    def in_words(self) -> str:
        """The outcome, with its server."""
        return f"{self.outcome} at {self.server}" if self.server else self.outcome


@record
class OutcomeComparison:
    """Endings by server and destination. ``gained`` and ``lost`` are there after and before
    only; ``weaker`` are certain before and afterwards only possible, ``stronger`` the other way
    round. ``exact`` is False if a trace is not whole: then what is gained or lost may not be."""

    gained: tuple[EndingAt, ...]
    lost: tuple[EndingAt, ...]
    weaker: tuple[EndingAt, ...]
    stronger: tuple[EndingAt, ...]
    exact: bool
    waits_at: tuple[str, ...] = ()
    """The servers where a message waits for certain in an ending that is gained or stronger, by
    name."""

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.gained or self.lost or self.weaker or self.stronger)


def compare(before: Trace, after: Trace, *, as_told: bool = False) -> OutcomeComparison:
    """The endings that two traces of one message do not share; ``as_told``: two are one that
    people are told of in the same words. Linear in their branches."""
    old, new = _endings(before, as_told=as_told), _endings(after, as_told=as_told)
    both = old.keys() & new.keys()
    gained = _sorted(new.keys() - old.keys())
    stronger = _sorted(one for one in both if new[one] and not old[one])
    return OutcomeComparison(
        gained=gained,
        lost=_sorted(old.keys() - new.keys()),
        weaker=_sorted(one for one in both if old[one] and not new[one]),
        stronger=stronger,
        exact=before.exact and after.exact,
        waits_at=waiting(one for one in (*gained, *stronger) if new[one]),
    )


WAITING = (Outcome.HELD, Outcome.XMIT, Outcome.BLOCKED, Outcome.STUCK)
"""Outcomes in which a message stays where it is."""


def waiting(certain: Iterable[EndingAt]) -> tuple[str, ...]:
    """The servers at which endings are that leave a message where it is, by name."""
    return tuple(
        sorted({one.server for one in certain if one.outcome.partition("(")[0] in WAITING})
    )


def _sorted(entries: Iterable[EndingAt]) -> tuple[EndingAt, ...]:
    return tuple(sorted(entries))


def _endings(trace: Trace, *, as_told: bool) -> dict[EndingAt, bool]:
    """The endings of a trace as things are now, and whether each is certain."""
    found: dict[EndingAt, bool] = {}
    for one, _, certain in _endings_of(trace, Folding(trace)):
        entry = replace(one, destination="") if as_told else one
        found[entry] = found.get(entry, False) or certain
    return found


def _endings_of(trace: Trace, folding: Folding) -> Iterator[tuple[EndingAt, int, bool]]:
    """The endings of a trace as things are now, the last step of each and whether it is certain;
    links that stop it are none, and neither are copies that a server had before."""
    for branch in trace.endings():
        ending = branch.ending
        assert ending is not None
        if (
            branch.id in folding.deferred
            or ending.outcome is Outcome.NOT_FORWARDED
            or ending.text("reason") == ALREADY_SEEN
        ):
            continue
        last = trace.steps[branch.last] if branch.last >= 0 else None
        entry = EndingAt(
            trace.system if last is None else last.system,
            ending.text("server"),
            ending.text("receiver") or ending.text("destination"),
            str(ending),
        )
        certain = folding.course_of(branch.id) < 0 and folding.depends_on(branch.id) is None
        yield entry, branch.last, certain


def evidence(trace: Trace, outcomes: Collection[str]) -> tuple[str, Source]:
    """The rule and place of the last step to the first ending with one of the outcomes
    (``EndingAt.outcome``), a branch before those that begin after it; nothing where there is none.
    Linear in the branches, times their depth."""
    of = [branch.of for branch in trace.branches]

    def way(branch: int) -> list[int]:
        found = [branch]
        while of[found[-1]] >= 0:
            found.append(of[found[-1]])
        return found[::-1]

    ends = [
        (way(trace.steps[last].branch), last)
        for entry, last, _ in _endings_of(trace, Folding(trace))
        if last >= 0 and entry.outcome in outcomes
    ]
    if not ends:
        return "", Source("")
    step = trace.steps[min(ends)[1]]
    return step.rule, step.source


@record
class WayComparison:
    """What a message passes on its way to endings that two traces share (``ends``, each with its
    server): only before, and only after, in words; with the evidence of the first step that is
    new, or of the first that is gone."""

    ends: tuple[str, ...]
    no_longer_passed: tuple[str, ...]
    now_passed: tuple[str, ...]
    rule: str
    source: Source


def ways_compared(
    before: Trace,
    after: Trace,
    systems: tuple[Systems, Systems],
    among: Callable[[EndingAt], bool] = lambda _: True,
) -> WayComparison | None:
    """What two traces of one message pass otherwise on the way to endings that both have, ``among``
    some; None where that is the same, or a trace is not whole. Linear in the steps that lead to
    endings."""
    if not (before.exact and after.exact):
        return None
    sides = [passed(trace, own) for trace, own in zip((before, after), systems, strict=True)]
    ends: list[str] = []
    gone: dict[str, TracedStep] = {}
    come: dict[str, TracedStep] = {}
    for ending in sorted(sides[0].keys() & sides[1].keys()):
        was, now = sides[0][ending], sides[1][ending]
        if was.keys() != now.keys() and among(ending):
            ends.append(ending.in_words)
            gone |= {words: step for words, step in was.items() if words not in now}
            come |= {words: step for words, step in now.items() if words not in was}
    return way_comparison(ends, gone, come) if ends else None


def way_comparison(
    ends: Iterable[str], gone: Mapping[str, TracedStep], come: Mapping[str, TracedStep]
) -> WayComparison:
    """What is told of the endings that are come to over another way, by what is passed only before
    (``gone``), and only after, each in words with its first step."""
    step = next(iter((*come.values(), *gone.values())))
    return WayComparison(tuple(ends), tuple(gone), tuple(come), step.rule, step.source)


def passed(trace: Trace, systems: Systems) -> dict[EndingAt, dict[str, TracedStep]]:
    """By ending what a message passes on the way to it, each in words with its first step. Linear
    in the steps that lead to endings."""
    found: dict[EndingAt, dict[str, TracedStep]] = {}
    for entry, last, _ in _endings_of(trace, Folding(trace)):
        there = found.setdefault(entry, {})
        way: list[TracedStep] = []
        number = last
        while number >= 0:
            way.append(trace.steps[number])
            number = trace.steps[number].after
        for step in reversed(way):
            if step.system in systems:
                for words in systems[step.system].passes(step):
                    there.setdefault(words, step)
    return found
