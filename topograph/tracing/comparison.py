"""What a change does to one message: the endings of two of its traces, compared by server and
destination.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from topograph.outcomes import Outcome
from topograph.tracing.outcomes import ALREADY_SEEN, Folding
from topograph.tracing.trace import Trace


@dataclass(frozen=True, slots=True, order=True)
class EndingAt:
    """How a message ends at a server: the destination (or receiver) concerned, and the outcome
    with its arguments.
    """

    system: str
    server: str
    destination: str
    outcome: str


@dataclass(frozen=True, slots=True)
class OutcomeComparison:
    """Endings by server and destination. ``gained`` and ``lost`` are there after and before
    only; ``weaker`` are certain before and afterwards only possible, ``stronger`` the other way
    round. ``exact`` is False if a trace is not whole: then what is gained or lost may not be."""

    gained: tuple[EndingAt, ...]
    lost: tuple[EndingAt, ...]
    weaker: tuple[EndingAt, ...]
    stronger: tuple[EndingAt, ...]
    exact: bool

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.gained or self.lost or self.weaker or self.stronger)


def compare(before: Trace, after: Trace) -> OutcomeComparison:
    """The endings that two traces of one message do not share. Linear in their branches."""
    old, new = _endings(before), _endings(after)
    both = old.keys() & new.keys()
    return OutcomeComparison(
        gained=_sorted(new.keys() - old.keys()),
        lost=_sorted(old.keys() - new.keys()),
        weaker=_sorted(one for one in both if old[one] and not new[one]),
        stronger=_sorted(one for one in both if new[one] and not old[one]),
        exact=before.exact and after.exact,
    )


def _sorted(entries: Iterable[EndingAt]) -> tuple[EndingAt, ...]:
    return tuple(sorted(entries))


def _endings(trace: Trace) -> dict[EndingAt, bool]:
    """The endings of a trace as things are now, and whether each is certain; links that stop it
    are none, and neither are copies that a server had before."""
    folding = Folding(trace)
    found: dict[EndingAt, bool] = {}
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
        found[entry] = found.get(entry, False) or certain
    return found
