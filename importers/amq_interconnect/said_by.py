"""Which router the parts of a text of tools' output are of, where some name one and others do not.

A command without ``-r`` asks the router that it is connected to, one with ``-r`` another one. What
names no router is therefore of the router that other commands without ``-r`` to the same place are
of, and never of one that a ``-r`` names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_BUS = re.compile(r"\s(?:-b|--bus)[ =]+(\S+)")
_PROMPT = re.compile(r"[$#>]")
LOOKED_AT = 200
"""Characters before the tool's name that are looked at: what they run it with, such as ``kubectl
exec POD --``.
"""
NOT_NAMED = (
    "This output does not say which router it is of, and the others here are of routers "
    "that a command names: it is not read. Put it into a "
    "separate file that has the router's name"
)


@dataclass
class Spoken:
    """The output of one command. ``router`` is the one that it names itself or its command asked
    for with ``-r`` (``asked``), empty if neither; ``place`` tells commands to different places
    apart."""

    router: str = ""
    asked: bool = False
    place: str = ""


def place_of(before: str, options: str) -> str:
    """Where a command is connected to, as far as it says: what stands between prompt and tool, and
    ``-b``.

    >>> (place_of("[root@hub ~]# /usr/bin/", " -a"),
    ...  place_of("$ kubectl exec r-1 -- ", " -b h:5672 -n"))
    ('', 'kubectl exec r-1 -- h:5672')
    """
    words = _PROMPT.split(before[-LOOKED_AT:])[-1].split()
    if words and words[-1].endswith("/"):
        words.pop()
    bus = _BUS.search(options)
    return " ".join([*words, *([bus[1].strip("'\"")] if bus else [])])


def name_routers(parts: Sequence[Spoken], given: str) -> list[Spoken]:
    """Give each part its router; those of which it is not known remain without, and are the
    result. ``given`` is whose output the whole text is where it names no router. Linear in the
    parts."""
    if not any(part.router for part in parts):
        for part in parts:
            part.router = given
        return [] if given else list(parts)
    first: dict[str, str] = {}
    for part in parts:
        if part.router and not part.asked:
            first.setdefault(part.place, part.router)
    last = dict(first)
    for part in parts:
        if not part.asked:
            part.router = last[part.place] = part.router or last.get(part.place, "")
    return [part for part in parts if not part.router]
