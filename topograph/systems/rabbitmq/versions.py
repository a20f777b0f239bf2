"""What differs from version to version of RabbitMQ (rabbitmq.md 1.5)."""

from __future__ import annotations

import re

from topograph.digits import digits
from topograph.outcomes import Confidence
from topograph.records import record

RECORDED = (3, 10)
"""The version whose rules were recorded from real brokers."""

NEWEST = 9_999
"""Above each third number of a version."""

_NUMBERS = re.compile(r"(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?")


@record
class Version:
    """A version by its first two numbers; (0, 0) where the definitions do not state one, which
    counts as the newest. ``patch`` is the third one; the newest where it is not stated."""

    numbers: tuple[int, int] = (0, 0)
    patch: int = NEWEST

    @classmethod
    def of(cls, text: str) -> Version:
        """That of a text such as ``3.10.8``.

        >>> Version.of("3.10.8").numbers, Version.of("").is_stated
        ((3, 10), False)
        """
        found = _NUMBERS.match(text)
        if found is None:
            return cls()
        patch = NEWEST if found[3] is None else digits(found[3], NEWEST)
        return cls((digits(found[1], 0), digits(found[2], 0)), patch)

    @property
    def is_stated(self) -> bool:
        """Whether the definitions state it."""
        return self.numbers != (0, 0)

    def before(self, *numbers: int) -> bool:
        """Whether it is known to be older than a version of two or three numbers."""
        return self.is_stated and (*self.numbers, self.patch) < numbers

    @property
    def is_recorded(self) -> bool:
        """Whether rules of this version were recorded."""
        return self.numbers == RECORDED

    @property
    def confidence(self) -> Confidence:
        """How sure a recorded rule is in this version."""
        return Confidence.H if self.is_recorded else Confidence.M

    @property
    def has_policies_by_queue_type(self) -> bool:
        """``classic_queues``, ``quorum_queues`` and ``streams`` in ``apply-to``."""
        return not self.before(3, 12)

    @property
    def has_exact_headers(self) -> bool:
        """Whether 1 and 1.0 are different values of a header."""
        return not self.before(3, 13)

    @property
    def turns_deaths(self) -> bool:
        """Whether a dead letter turns round the order of what the header ``x-death`` has, so that
        circles are ended that have a rejection, and go on that have none."""
        return self.before(3, 13)

    @property
    def disorders_deaths(self) -> bool:
        """Whether what the header ``x-death`` has is in no order, so that it is left to chance
        whether a dead letter ends that comes back and was rejected before (3.13.0 to 3.13.2)."""
        return self.before(3, 13, 3) and not self.before(3, 13)

    @property
    def forgets_deaths(self) -> bool:
        """Whether what clients publish, as shovels and links do, begins without ``x-death``."""
        return not self.before(4, 0)

    @property
    def default_delivery_limit(self) -> int | None:
        """How often quorum queues deliver a message by default; None where there is no limit."""
        return None if self.before(4, 0) else 20

    @property
    def federates_own_vhosts(self) -> bool:
        """Whether links count virtual hosts of one cluster as different places."""
        return not self.before(3, 8, 9)
