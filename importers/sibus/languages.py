"""The two languages of wsadmin scripts."""

from __future__ import annotations

from topograph.importers.sibus.jacl import read_jacl
from topograph.importers.sibus.jython import read_jython
from topograph.importers.sibus.script import CallScript

MAX_SCRIPT = 4 * 2**20
"""Characters of a script that is read."""


def read_calls(text: str) -> CallScript:
    """The calls of a script: one that calls ``$AdminTask`` or ``$AdminConfig`` is Jacl, any
    other Jython. Never raises; linear.
    """
    return read_jacl(text) if "$AdminTask" in text or "$AdminConfig" in text else read_jython(text)
