"""The base of all facts."""

from __future__ import annotations

from typing import ClassVar

from topograph.findings import Source
from topograph.records import record

Pairs = tuple[tuple[str, str], ...]
"""An ordered mapping of text to text; values of secret parameters are never stored, only
``"(set)"``.
"""


Servers = str | frozenset[str]
"""Whose facts are asked for: those of one server, of some, or of all (the empty text)."""


@record(kw_only=True)
class Fact:
    """Base of all facts. ``system`` and ``kind`` are fixed per class and partition the facts
    table.
    """

    system: ClassVar[str] = ""
    kind: ClassVar[str] = ""

    bundle: str
    server: str
    source: Source

    @property
    def label(self) -> str:
        """The fact's own name within its server and kind, for people and for table keys; may be
        empty.
        """
        return str(getattr(self, "name", ""))
