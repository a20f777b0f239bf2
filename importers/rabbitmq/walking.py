"""The entries of a file of definitions, each with its place, one after the other: a file may have
hundreds of thousands of them.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import NamedTuple

from topograph.importers.positions.json_text import Cursor, NotJson, TooDeep

_BLANK = re.compile(r"[ \t\r\n]*+")


class Entry(NamedTuple):
    """A value of a list ``section`` of the root object, or a member of it that is no list (then
    ``listed`` is False), and where it begins."""

    section: str
    value: object
    offset: int
    listed: bool = True


class Broken(NamedTuple):
    """Where the file ends to be JSON, and why. Of one entry of ``section`` only where ``whole`` is
    False."""

    why: str
    offset: int
    whole: bool = True
    section: str = ""


def entries(text: str) -> Iterator[Entry | Broken]:
    """All of them, in order; at the end, where the file is not JSON as a whole, what is wrong.
    Never raises; linear.
    """
    cursor = Cursor(text)
    cursor.skip(_BLANK)
    if not cursor.take("{"):
        yield Broken("this is not a JSON object", cursor.at)
        return
    cursor.skip(_BLANK)
    if cursor.take("}"):
        return
    while True:
        begin = cursor.skip(_BLANK)
        try:
            name = cursor.decode()
            if not isinstance(name, str):
                raise NotJson("expected the name of a member", begin)
            cursor.skip(_BLANK)
            if not cursor.take(":"):
                raise NotJson("expected :", cursor.at)
        except NotJson as error:
            yield Broken(str(error), begin)
            return
        if (yield from _member(cursor, name)):
            return
        cursor.skip(_BLANK)
        if cursor.take("}"):
            return
        if not cursor.take(","):
            yield Broken("expected , or }", cursor.at)
            return


def _member(cursor: Cursor, name: str) -> Generator[Entry | Broken, None, bool]:
    """The entries of one member; whether the rest of the file cannot be read."""
    begin = cursor.skip(_BLANK)
    if not cursor.take("["):
        yield from _one(cursor, name, begin, listed=False)
        return cursor.at == begin
    cursor.skip(_BLANK)
    if cursor.take("]"):
        return False
    while True:
        begin = cursor.skip(_BLANK)
        yield from _one(cursor, name, begin, listed=True)
        if cursor.at == begin:
            return True
        cursor.skip(_BLANK)
        if cursor.take("]"):
            return False
        if not cursor.take(","):
            yield Broken("expected , or ]", cursor.at)
            return True


def _one(cursor: Cursor, name: str, begin: int, *, listed: bool) -> Iterator[Entry | Broken]:
    """One value. The cursor stays where it is if none can be read."""
    try:
        yield Entry(name, cursor.decode(), begin, listed)
    except TooDeep as error:
        yield Broken(str(error), begin, whole=False, section=name)
    except NotJson as error:
        yield Broken(str(error), begin)
