"""What differs between versions of the router (1.8, M-4, S-4, S-5). An unknown version counts as
1.19 (section 5, position 1).
"""

from __future__ import annotations

from topograph.digits import digits

SKUPPER = (2, 0)
"""Skupper Router counts on from here; dispatch ended at 1.19."""


HELLO_MAX_AGE, REMOTE_MAX_AGE, HOLD_OFF = 3, 60, 1
"""Seconds by default: helloMaxAgeSeconds and remoteLsMaxAgeSeconds (1.1), and Skupper's
unreachableHoldoffSeconds instead of the latter (S-5).
"""


def has_one_copy(version: str) -> bool:
    """Whether a router of this version sends one multicast copy whatever the topology (M-4):
    dispatch up to 1.12, Skupper from 3.1.

    An unknown version does not; the caller asks for both where it matters.

    >>> [has_one_copy(version) for version in ("1.12.0", "1.13", "1.19.0", "2.7.1", "3.1.0", "")]
    [True, False, False, False, True, False]
    """
    found = _numbers(version)
    return bool(found) and (found < (1, 13) or found >= (3, 1))


def reads_plain_groups(version: str) -> bool:
    """Whether a router of this version reads ``groups`` of a vhost without quotes (C-2): up to
    1.12. An unknown version may.

    >>> reads_plain_groups("1.8"), reads_plain_groups("1.13.0"), reads_plain_groups("")
    (True, False, True)
    """
    found = _numbers(version)
    return not found or found < (1, 13)


def has_link_routes(version: str) -> bool:
    """Whether a router of this version knows link routes (S-2): Skupper does not. An unknown
    version does.

    >>> has_link_routes("1.19.0"), has_link_routes("2.0.0"), has_link_routes("")
    (True, False, True)
    """
    return not is_skupper(version)


def has_tcp_bridges(version: str) -> bool:
    """Whether a router of this version may have TCP connectors (1.8): dispatch from 1.15 to 1.18,
    and Skupper. An unknown version may.

    >>> [has_tcp_bridges(version) for version in ("1.14.0", "1.18.0", "1.19.0", "3.4.1", "")]
    [False, True, False, True, True]
    """
    found = _numbers(version)
    return not found or (1, 15) <= found <= (1, 18) or found >= SKUPPER


def is_skupper(version: str) -> bool:
    """Whether a version is one of Skupper Router; an unknown one is not.

    >>> is_skupper("3.4.1"), is_skupper("1.19.0"), is_skupper("")
    (True, False, False)
    """
    return _numbers(version) >= SKUPPER


def remembered_seconds(version: str) -> int:
    """How long the addresses of a dead router are kept at most by default: remoteLsMaxAgeSeconds
    (T-9), in Skupper unreachableHoldoffSeconds (S-5).
    """
    return HOLD_OFF if is_skupper(version) else REMOTE_MAX_AGE


def _numbers(version: str) -> tuple[int, ...]:
    """The first two numbers of a version; empty if it does not begin with numbers."""
    parts = version.split(".")[:2]
    numbers = tuple(number for part in parts if (number := digits(part)) is not None)
    if len(numbers) < len(parts):
        return ()
    return numbers if len(numbers) > 1 else (*numbers, 0)
