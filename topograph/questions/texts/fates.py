"""What becomes of a message, as the end of a first line: each delivery and each other end with no
more certainty than its judgement has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from topograph.judgement import Condition, Told
from topograph.outcomes import Outcome
from topograph.questions.texts.layout import listed
from topograph.records import record

if TYPE_CHECKING:
    from topograph.questions.answers import Delivery, End

NOBODY = "nobody is known to subscribe"
AT_RUN_TIME = " (decided at run time)"
CODE = " (code that no file shows decides)"


@record
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


ENDS: Mapping[str, str] = {
    Outcome.DELIVERED: "be delivered",
    Outcome.PUBLISHED: "be published",
    Outcome.XMIT: "be put on a transmission queue",
    Outcome.HELD: "be held",
    Outcome.EXCEPTIONED: "be moved to an exception destination",
    Outcome.DLQ: "be put on a dead-letter queue",
    Outcome.DISCARDED: "be discarded",
    Outcome.BLOCKED: "be kept to be tried again",
    Outcome.REJECTED: "be rejected",
    Outcome.LOOP: "circulate for ever",
    Outcome.EXTERNAL: "leave the loaded files",
    Outcome.OPAQUE: "be left to code that no file shows",
    Outcome.ONE_OF: "end in one of several ways",
    Outcome.FORWARDED: "be forwarded",
    Outcome.NOT_FORWARDED: "be stopped",
    Outcome.STUCK: "be stuck",
    Outcome.GAP: "be missed",
    Outcome.DUPLICATE: "be delivered more than once",
    Outcome.NO_CREDIT: "get no credit",
    Outcome.RELEASED: "be given back to the sender",
    Outcome.REFUSED: "be refused",
    Outcome.DEPOSITED: "be stored in a container",
    Outcome.UNDETERMINED: "end in a way that is not known",
}
"""What becomes of a message, in the words of first lines; tables and JSON have the outcomes."""


def in_words(outcome: str, form: str = "") -> str:
    """What becomes of a message: for certain, or in another form of the verb (``may``, ``would``,
    ``is to``). What an outcome has in brackets stays there.

    >>> in_words("HELD"), in_words("HELD(TO.HQ, A)", "may"), in_words("LOOP")
    ('is held', 'may be held (TO.HQ, A)', 'circulates for ever')
    """
    kind, bracket, arguments = outcome.partition("(")
    first, _, others = ENDS[kind].partition(" ")
    verb = f"{form} {first}" if form else "is" if first == "be" else f"{first}s"
    return f"{verb} {others}{f' {bracket}{arguments}' if bracket else ''}"


def fates_of(deliveries: Iterable[Delivery], ends: Iterable[End]) -> Iterator[Fate]:
    """The fates that an answer of ``propagate`` tells, deliveries first."""
    for one in deliveries:
        yield Fate(one.outcome, one.server, one.judgement, one.conditions)
    for end in ends:
        if not end.goes_on and end.outcome != Outcome.UNDETERMINED:
            words = end.because, end.ending, end.when
            yield Fate(end.outcome, end.server, end.judgement, end.conditions, *words)


def clauses(
    fates: Iterable[Fate],
    *,
    exhaustive: bool = True,
    nobody: str = NOBODY,
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
        found += _plain(plain, later=later, nobody=f"; {nobody}" if alone else f", where {nobody}")
        found += _chosen(chosen, later=later, exhaustive=exhaustive)
    if unknown:
        found.append(f"{_any_of(unknown, 'may')}{CODE}")
    return found


def _plain(fates: Sequence[Fate], *, later: bool, nobody: str) -> Iterator[str]:
    """Those that happen, now or later, all of them."""
    taken = [one for one in fates if one.outcome == Outcome.DELIVERED]
    sure = [one for one in taken if not one.has(Condition.IF)]
    supposed = [one for one in taken if one.has(Condition.IF)]
    ends = [one for one in fates if one.outcome != Outcome.DELIVERED]
    other = [one for one in ends if not one.has(Condition.IF)]
    would = [one for one in ends if one.has(Condition.IF)]
    at_last = " later" * later
    form = "is to" if later else ""
    if sure or other:
        parts = [f"{in_words(kind, form)} {_at(own)}" for kind, own in _kinds(other).items()]
        if sure:
            # In the order of the fates.
            first = next(one for one in fates if not one.has(Condition.IF))
            takes = f"{in_words(Outcome.DELIVERED, form)} {_at(sure)}"
            parts.insert(0 if first in sure else len(parts), takes)
        yield f"{' and '.join(parts)}{at_last}{_reason(other)}"
    if supposed:
        if sure or other:
            nobody = nobody.replace("; ", ", where ", 1)
        yield f"{in_words(Outcome.DELIVERED, 'would')} {_at(supposed)}{at_last}{nobody}"
    if would:
        parts = [f"{in_words(kind, 'would')} {_at(own)}" for kind, own in _kinds(would).items()]
        when = [*dict.fromkeys(filter(None, (one.when for one in would)))]
        condition = f" if {listed(when, joined='or')}" if when else ""
        yield f"{' and '.join(parts)}{at_last}{condition}"


def _chosen(fates: Sequence[Fate], *, later: bool, exhaustive: bool) -> Iterator[str]:
    """Those of which one happens."""
    if not fates:
        return
    places = {(one.outcome, one.ending, one.place) for one in fates}
    if later:
        said = f"{_any_of(fates, 'is to')} later"
    elif exhaustive and len(places) > 1 and not any(one.has(Condition.IF) for one in fates):
        said = _any_of(fates, "")
    else:
        said = _any_of(fates, "may")
    yield f"{said}{AT_RUN_TIME}"


def _any_of(fates: Sequence[Fate], form: str) -> str:
    """Deliveries at one of some places, or an end."""
    places = dict.fromkeys(one.place for one in fates if one.outcome == Outcome.DELIVERED)
    ended = [one for one in fates if one.outcome != Outcome.DELIVERED]
    kinds = {
        kind: [*dict.fromkeys(one.place for one in own)] for kind, own in _kinds(ended).items()
    }
    takes = f"{in_words(Outcome.DELIVERED, form)} at {listed([*places], joined='or')}"
    parts = [takes] if places else []
    parts += [
        f"{in_words(kind, form)} at {listed(own, joined='or')}" for kind, own in kinds.items()
    ]
    # One verb does for all.
    once = f"{form} " if form else ""
    return " or ".join((*parts[:1], *(one.removeprefix(once) for one in parts[1:])))


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
