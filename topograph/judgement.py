"""One judgement for every claim that an answer makes.

A claim is a subject and what is said of it: B is reached, S receives the message, the pair A-B is
lost, the command is refused, the policy holds. Its judgement is made once, from what decides it,
and stands in the answer. Headlines, JSON, pictures, reports, gates and exit codes read it; none of
them looks at the trace or at another answer's text again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import combinations

from topograph.findings import Source
from topograph.records import record


class Polarity(StrEnum):
    """Whether what is claimed is so."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    """The loaded files do not decide it."""
    NOT_LOOKED_AT = "not_looked_at"
    """The budget ended before it was looked at."""


class Condition(StrEnum):
    """What a yes or a no depends on; several may stand together."""

    ONE_OF = "one_of"
    """It is one of several, chosen at run time: the group is certain, its members are not."""
    LATER = "later"
    """It happens when something else does, such as a trigger."""
    IF = "if"
    """It rests on an assumption that decides it, such as a subscriber who is not known."""


class Told(StrEnum):
    """A judgement as every medium tells it, the least certain first."""

    NOT_LOOKED_AT = "not_looked_at"
    UNKNOWN = "unknown"
    ONE_OF = "one_of"
    LATER = "later"
    IF = "if"
    YES = "yes"
    NO = "no"


@record
class Judgement:
    """A polarity, what it depends on, and for an ``unknown`` or ``not_looked_at`` why and where.

    Raises ValueError for a condition of what is not decided."""

    polarity: Polarity
    conditions: frozenset[Condition] = frozenset()
    why: str = ""
    source: Source = Source("")

    def __post_init__(self) -> None:
        if self.conditions and not self.decided:
            raise ValueError(f"{self.polarity} depends on {sorted(self.conditions)}")

    @property
    def decided(self) -> bool:
        """Whether it is a yes or a no, whatever that depends on."""
        return self.polarity in (Polarity.YES, Polarity.NO)

    @property
    def certain(self) -> bool:
        """Whether it is a yes or a no that depends on nothing."""
        return self.decided and not self.conditions

    @property
    def told(self) -> Told:
        """What is told of it: the least certain of all that it is."""
        return _TOLD_OF[self.polarity, self.conditions]


_TOLD_OF: Mapping[tuple[Polarity, frozenset[Condition]], Told] = {
    (polarity, frozenset(conditions)): next((Told(one) for one in conditions), Told(polarity))
    for polarity in Polarity
    for many in range(len(Condition) + 1)
    for conditions in combinations(Condition, many)
}

YES = Judgement(Polarity.YES)
NO = Judgement(Polarity.NO)


def told_first(judgements: Iterable[Judgement]) -> Told | None:
    """What is told of several together: the least certain of them; None of none. Linear."""
    order: Sequence[Told] = [*Told]
    return min((one.told for one in judgements), key=order.index, default=None)
