"""Comparing what was recorded with what is predicted, field by field, and saying what was left
out and why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Fields:
    """The fields of one case: how many were compared, which differ, and which were left out for
    what reason.

    ``aside`` are fields that no tool could compare (identities, counters of traffic): they are
    named and do not count. ``not_replayed`` are those of steps whose inputs are not understood,
    so that nothing was asked about them."""

    compared: int = 0
    different: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    aside: Counter[str] = field(default_factory=Counter)
    not_replayed: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return self.compared + self.left_out.total()

    def compare(self, where: str, recorded: Any, predicted: Any) -> None:
        """Compare a value and all it holds; a mapping that has a field more or less differs in
        it.
        """
        if isinstance(recorded, Mapping) and isinstance(predicted, Mapping):
            for key in [*recorded, *(key for key in predicted if key not in recorded)]:
                here = f"{where}.{key}"
                if key in recorded and key in predicted:
                    self.compare(here, recorded[key], predicted[key])
                else:
                    self._one(here, recorded.get(key, "nothing"), predicted.get(key, "nothing"))
            if not recorded and not predicted:
                self._one(where, recorded, predicted)
            return
        self._one(where, recorded, predicted)

    def _one(self, where: str, recorded: Any, predicted: Any) -> None:
        self.compared += 1
        # 1 and True are equal to Python, and different values to a router
        if recorded != predicted or isinstance(recorded, bool) is not isinstance(predicted, bool):
            self.different.append(f"{where}: recorded {recorded!r}, predicted {predicted!r}")

    def leave_out(self, reason: str, fields: int = 1) -> None:
        """Count fields that could in principle be compared, and are not."""
        if fields:
            self.left_out[reason] += fields

    def set_aside(self, reason: str, fields: int = 1) -> None:
        """Count fields that cannot be compared by their nature."""
        if fields:
            self.aside[reason] += fields

    def pass_over(self, reason: str, fields: int = 1) -> None:
        """Count the fields of a step that is not replayed."""
        if fields:
            self.not_replayed[reason] += fields

    def __str__(self) -> str:
        text = f"compared {self.compared} of {self.total} fields"
        for reason, number in sorted(self.left_out.items()):
            text += f"; left out {number}: {reason}"
        for reason, number in self.not_replayed.items():
            text += f"; not replayed {number}: {reason}"
        return text


def leaves(value: Any) -> int:
    """How many fields a recorded value holds."""
    if isinstance(value, Mapping):
        return sum(leaves(item) for item in value.values()) or 1
    return 1
