"""What ``*.barge`` files say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topograph.facts import Fact
from topograph.importers.holds import FACT, Fields, Holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Barge(Fact):
    """A barge; with ``back`` it hands everything to a crane (``SERVER/OBJECT``)."""

    system: ClassVar[str] = "barge"
    kind: ClassVar[str] = "barge"
    back: str = ""

    @property
    def label(self) -> str:
        return self.server


FACTS = (Barge,)
HOLDS: dict[type, Fields] = {Barge: FACT | {"back": Holds.PUBLIC}}
