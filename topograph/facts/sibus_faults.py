"""What wsadmin refuses of a destination, whichever command states it (sibus.md A1.3)."""

from __future__ import annotations

from collections.abc import Iterable

from topograph.digits import digits
from topograph.facts.sibus import SibusAttribute

RELIABILITIES = (
    "BEST_EFFORT_NONPERSISTENT",
    "EXPRESS_NONPERSISTENT",
    "RELIABLE_NONPERSISTENT",
    "RELIABLE_PERSISTENT",
    "ASSURED_PERSISTENT",
)
"""From the lowest to the highest."""

SYSTEM_EXCEPTION = "_SYSTEM.Exception.Destination"
"""The system exception destination; of WebSphere Application Server with ``.ENGINE`` behind it."""

_TRUTH = ("overrideOfQOSByProducerAllowed", "sendAllowed", "receiveAllowed")
_RELIABILITY = ("reliability", "maxReliability", "exceptionDiscardReliability")
_INHERITED = ("none", "inherit")
"""What an alias states of what it takes from its target (S-23)."""


def reliability_of(text: str) -> str:
    """A reliability as a file or a question writes it (``ReliablePersistent``,
    ``reliable_persistent``); empty if it is none.
    """
    plain = text.replace("_", "").replace("-", "").upper()
    return next((one for one in RELIABILITIES if one.replace("_", "") == plain), "")


def reliability_fault(attributes: Iterable[SibusAttribute]) -> str:
    """Why one of some attributes that are reliabilities is none; empty where all are one."""
    for one in attributes:
        value = one.value.strip().lower()
        if one.name in _RELIABILITY and value not in _INHERITED and not reliability_of(value):
            return f"{one.name} is a reliability such as ASSURED_PERSISTENT, not {one.value!r}"
    return ""


def value_fault(attributes: Iterable[SibusAttribute]) -> str:
    """Why something stated cannot be the value of its attribute; empty where all can be.

    >>> from topograph.findings import Source
    >>> value_fault([SibusAttribute("reliability", "SURE", Source(""))])
    "-reliability is a reliability such as ASSURED_PERSISTENT, not 'SURE'"
    """
    for one in attributes:
        value = one.value.strip().lower()
        if one.name in _TRUTH and value not in ("true", "false", *_INHERITED):
            return f"-{one.name} is true or false, not {one.value!r}"
        if wrong := reliability_fault([one]):
            return f"-{wrong}"
        if one.name == "maxFailedDeliveries" and not (digits(value, 2**31) < 2**31):
            return f"-{one.name} is a number from 0 to {2**31 - 1}, not {one.value!r}"
    return ""
