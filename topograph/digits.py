"""Numbers in text that anybody may have written: the one place where text becomes a number.

``str.isdigit`` takes characters that ``int`` does not (``²``), ``int`` takes some that no product
writes (``٣``, ``1_0``, blanks around), and none of more than 4,300 digits. Elsewhere ``int`` of
a text and the questions of ``str`` for digits are refused (``tests/project/text_to_numbers.py``),
and so is ``float``, which makes infinity of ``1e999``, takes ``nan``, and what ``int`` takes.
"""

from __future__ import annotations

import math
from typing import overload

MOST = 18
"""Digits that a number of 64 bits always has room for."""


def is_digits(text: str) -> bool:
    """Whether a text is one or more of the digits 0 to 9, however many. Linear.

    >>> is_digits("007"), is_digits("1.\u00b2"), is_digits("\u0663"), is_digits(""), is_digits("-1")
    (True, False, False, False, False)
    """
    return text.isascii() and text.isdigit()


@overload
def digits(text: str, otherwise: int, most: int = MOST) -> int: ...
@overload
def digits(text: str, otherwise: None = None, most: int = MOST) -> int | None: ...
def digits(text: str, otherwise: int | None = None, most: int = MOST) -> int | None:
    """The number that a text is; ``otherwise`` for one that is not 1 to ``most`` of the digits 0 to
    9. Linear.

    >>> digits("1414"), digits("\u00b2"), digits("1" * 5000), digits(" 1", 0), digits("", 7)
    (1414, None, None, 0, 7)
    """
    return int(text) if len(text) <= most and is_digits(text) else otherwise


@overload
def integer(text: str, otherwise: int, most: int = MOST) -> int: ...
@overload
def integer(text: str, otherwise: None = None, most: int = MOST) -> int | None: ...
def integer(text: str, otherwise: int | None = None, most: int = MOST) -> int | None:
    """``digits`` of a text that may begin with ``-`` or ``+``.

    >>> integer("-1"), integer("+7"), integer("--1"), integer("-", 0)
    (-1, 7, None, 0)
    """
    found = digits(text[1:] if text[:1] in ("-", "+") else text, None, most)
    if found is None:
        return otherwise
    return -found if text.startswith("-") else found


def based(text: str, base: int) -> int | None:
    """The number that letters and digits of a base (2 to 36) are, a prefix such as ``0x`` among
    them; None for others, and for more than 64 of them.

    >>> based("0x1F", 16), based("644", 8), based("9", 8), based("0_1", 8)
    (31, 420, None, None)
    """
    if len(text) > 64 or not text.isascii() or not text.isalnum():
        return None
    try:
        return int(text, base)
    except ValueError:
        return None


def double(text: str) -> float | None:
    """The nearest double of a decimal number such as ``-1.5e3``; None for any other text, and for
    one that is too large for a double. Linear.

    >>> double("2.5"), double("-1e3"), double("1e999"), double("nan"), double("1_0"), double(" 1")
    (2.5, -1000.0, None, None, None, None)
    >>> double("٣"), double("1e-999"), double("0.0")
    (None, 0.0, 0.0)
    """
    if not text.isascii() or not set(text) <= _OF_DOUBLES:
        return None
    try:
        found = float(text)
    except ValueError:
        return None
    return None if math.isinf(found) else found


_OF_DOUBLES = frozenset("0123456789.eE+-")


def as_python_reads(value: object) -> int | None:
    """What ``int`` makes of a value, for programs that are written in Python themselves and so read
    their configuration; None where it makes nothing of it. Up to 4,300 digits; quadratic in them.

    >>> as_python_reads(" 1_0 "), as_python_reads(2.9), as_python_reads("\u00b2")
    (10, 2, None)
    """
    if not isinstance(value, (str, int, float)):
        return None
    try:
        return int(value)
    except (ValueError, OverflowError):
        return None
