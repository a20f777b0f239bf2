"""The lines of a ``rabbitmq.conf``: ``key = value``, with comments behind ``#``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from topograph.importers import lexical

_SETTING = re.compile(r"[ \t]*+([A-Za-z0-9_$](?:[\w.$-]|\\.)*+)[ \t]*+=[ \t]*+(.*+)")
_PLACEHOLDER = re.compile(r"\$[({]|\{\{|<%|%[A-Z_]++%|\$[A-Z_]{3}")


class Setting(NamedTuple):
    """A line of a ``rabbitmq.conf``, its key in parts without escapes; one that is none has an
    empty key. ``column`` is that of the key."""

    key: str
    value: str
    line: int
    column: int = 1


def settings(text: str) -> Iterator[Setting]:
    """The settings of a file, and the lines that are none. Linear.

    >>> [one[:2] for one in settings("a.b = 'c' # d\\n# e\\nf")]
    [('a.b', 'c'), ('', 'f')]
    """
    for line in lexical.lines(text):
        if lexical.is_blank(line.text) or lexical.is_comment(line.text, "#%"):
            continue
        column = len(line.text) - len(line.text.lstrip()) + 1
        found = _SETTING.match(line.text)
        if found is None:
            yield Setting("", line.text.strip(), line.number, column)
        else:
            yield Setting(found[1].replace("\\.", "."), _value(found[2]), line.number, column)


def _value(text: str) -> str:
    """A value without quotes and without a comment behind it."""
    if text.startswith("'"):
        return text[1:].partition("'")[0]
    before, mark, _ = text.partition("#")
    return (before if mark and before[-1:] in (" ", "\t") else text).strip()


def is_placeholder(value: str) -> bool:
    """Whether a value is made by something that fills files in."""
    return _PLACEHOLDER.search(value) is not None
