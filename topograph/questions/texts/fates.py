"""What becomes of a message, as the end of a first line: each delivery and each other end with no
more certainty than its judgement has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topograph.judgement import Condition, Told
from topograph.outcomes import Outcome
from topograph.questions.texts.layout import listed

if TYPE_CHECKING:
    from topograph.questions.answers import Delivery, End

NOBODY = "nobody is known to subscribe"
AT_RUN_TIME = " (decided at run time)"
CODE = " (code that no file shows decides)"


@dataclass(frozen=True, slots=True)
class Fate:
    """That a message ends in a way at a place. ``because``: why, and ``ending``: its outcome with
    arguments, where it is not delivered; ``when``: what it depends on, in words."""

    outcome: str
    place: str
    told: str = Told.YES
    conditions: tuple[str, ...] = ()
    because: str = ""
    ending: str = ""
    when: str = ""

    def has(self, condition: Condition) -> bool:
        """Whether it depends on this."""
        return str(condition) in self.conditions


@dataclass(frozen=True, slots=True)
class Verbs:
    """How deliveries are told, by what their judgement comes to."""

    certain: str
    supposed: str
    possible: str
    later: str


DELIVERED = Verbs("is delivered", "would be delivered", "may be delivered", "is to be delivered")
"""The words of ``propagate``, by judgement."""

ENDS = Verbs(
    *(f"{verb} in {Outcome.DELIVERED}" for verb in ("ends", "would end", "may end", "is to end"))
)
"""The words of ``trace``, which names outcomes."""


def fates_of(deliveries: Iterable[Delivery], ends: Iterable[End]) -> Iterator[Fate]:
    """The fates that an answer of ``propagate`` tells, deliveries first."""
    for one in deliveries:
        yield Fate(one.outcome, one.server, one.judgement, one.conditions)
    for end in ends:
        if not end.goes_on and end.outcome != Outcome.UNDETERMINED:
            words = end.because, end.ending, end.when
            yield Fate(end.outcome, end.server, end.judgement, end.conditions, *words)


def clauses(
    fates: Iterable[Fate], verbs: Verbs, *, exhaustive: bool = True, nobody: str = NOBODY
) -> list[str]:
    """What becomes of a message, clause by clause, the most certain first. ``exhaustive``: of what
    is decided at run time all possible ends are told. ``nobody``: that no subscriber is known.
    Linear in the fates."""
    told = [*dict.fromkeys(fates)]
    unknown = [one for one in told if one.told == Told.UNKNOWN]
    known = [one for one in told if one.told != Told.UNKNOWN]
    found: list[str] = []
    for later in (False, True):
        own = [one for one in known if one.has(Condition.LATER) is later]
        chosen = [one for one in own if one.has(Condition.ONE_OF)]
        plain = [one for one in own if not one.has(Condition.ONE_OF)]
        alone = not (found or chosen or unknown)
        found += _plain(
            plain, verbs, later=later, nobody=f"; {nobody}" if alone else f", where {nobody}"
        )
        found += _chosen(chosen, verbs, later=later, exhaustive=exhaustive)
    if unknown:
        found.append(f"{_any_of(unknown, verbs.possible, 'may end')}{CODE}")
    return found


def _plain(fates: Sequence[Fate], verbs: Verbs, *, later: bool, nobody: str) -> Iterator[str]:
    """Those that happen, now or later, all of them."""
    taken = [one for one in fates if one.outcome == Outcome.DELIVERED]
    sure = [one for one in taken if not one.has(Condition.IF)]
    supposed = [one for one in taken if one.has(Condition.IF)]
    ends = [one for one in fates if one.outcome != Outcome.DELIVERED]
    other = [one for one in ends if not one.has(Condition.IF)]
    would = [one for one in ends if one.has(Condition.IF)]
    at_last = " later" * later
    if sure or other:
        parts = [f"{verbs.later if later else verbs.certain} {_at(sure)}"] if sure else []
        said = [f"in {kind} {_at(own)}" for kind, own in _kinds(other).items()]
        if said:
            verb = "is to end" if later else "ends"
            # In the order of the fates, and the same verb once.
            first = next(one for one in fates if not one.has(Condition.IF))
            parts.insert(len(parts) if first in sure else 0, f"{verb} {' and '.join(said)}")
            if parts[0].startswith(f"{verb} "):
                parts[1:] = [one.removeprefix(f"{verb} ") for one in parts[1:]]
        yield f"{' and '.join(parts)}{at_last}{_reason(other)}"
    if supposed:
        if sure or other:
            nobody = nobody.replace("; ", ", where ", 1)
        yield f"{verbs.supposed} {_at(supposed)}{at_last}{nobody}"
    if would:
        said = [f"in {kind} {_at(own)}" for kind, own in _kinds(would).items()]
        when = [*dict.fromkeys(filter(None, (one.when for one in would)))]
        condition = f" if {listed(when, joined='or')}" if when else ""
        yield f"would end {' and '.join(said)}{at_last}{condition}"


def _chosen(fates: Sequence[Fate], verbs: Verbs, *, later: bool, exhaustive: bool) -> Iterator[str]:
    """Those of which one happens."""
    if not fates:
        return
    places = {(one.outcome, one.ending, one.place) for one in fates}
    if later:
        said = _any_of(fates, verbs.later, "is to end") + " later"
    elif exhaustive and len(places) > 1 and not any(one.has(Condition.IF) for one in fates):
        said = _any_of(fates, verbs.certain, "ends")
    else:
        said = _any_of(fates, verbs.possible, "may end")
    yield f"{said}{AT_RUN_TIME}"


def _any_of(fates: Sequence[Fate], takes: str, ends: str) -> str:
    """Deliveries at one of some places, or an end."""
    places = dict.fromkeys(one.place for one in fates if one.outcome == Outcome.DELIVERED)
    ended = [one for one in fates if one.outcome != Outcome.DELIVERED]
    kinds = {
        kind: [*dict.fromkeys(one.place for one in own)] for kind, own in _kinds(ended).items()
    }
    parts = [f"{takes} at {listed([*places], joined='or')}"] if places else []
    said = [f"in {kind} at {listed(own, joined='or')}" for kind, own in kinds.items()]
    if said:
        parts.append(" ".join(filter(None, (_again(parts, ends), " or ".join(said)))))
    return " or ".join(parts)


def _again(parts: Sequence[str], ends: str) -> str:
    """How an end begins beside what is told before: a verb is not said twice."""
    if parts and parts[0].startswith(f"{ends} "):
        return ""
    return ends.removeprefix("may ") if parts and parts[0].startswith("may ") else ends


ENDINGS_SHOWN = 3
"""Ends that are told with their arguments; of more their kinds."""


def _kinds(fates: Sequence[Fate]) -> dict[str, list[Fate]]:
    """Ends by what they are called: a few by their arguments."""
    short = len({one.ending for one in fates}) > ENDINGS_SHOWN
    found: dict[str, list[Fate]] = {}
    for one in fates:
        found.setdefault(one.outcome if short else one.ending or one.outcome, []).append(one)
    return found


def _at(fates: Iterable[Fate]) -> str:
    return f"at {listed([*dict.fromkeys(one.place for one in fates)])}"


def _reason(fates: Iterable[Fate]) -> str:
    """Why the message ends so, where it is one end; of several the table tells each."""
    reasons = [*dict.fromkeys(one.because for one in fates)]
    if len(reasons) != 1 or not reasons[0]:
        return ""
    return f": {re.split('; |[.?] |[.?]$', reasons[0])[0]}"
