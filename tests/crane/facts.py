"""What ``*.crane`` files say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topograph.facts import Fact
from topograph.importers.holds import FACT, Fields, Holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(Fact):
    """One line: what becomes of a message on ``name``."""

    system: ClassVar[str] = "crane"
    kind: ClassVar[str] = "rule"
    name: str
    does: str
    words: tuple[str, ...] = ()


FACTS = (Rule,)
HOLDS: dict[type, Fields] = {
    Rule: FACT | {"name": Holds.PUBLIC, "does": Holds.PUBLIC, "words": Holds.PUBLIC}
}
