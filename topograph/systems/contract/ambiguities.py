"""What the documents of a system leave open: the positions that its rules take, and what
``overrides`` of topograph.yaml says instead.

A system lists its ``Ambiguity`` records as data (``System.ambiguities``), and asks ``Readings``
which reading holds in a network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from topograph.assumptions import Assumption
from topograph.digits import digits
from topograph.records import record
from topograph.side_inputs import OverrideEntry, SideInputs

MOST = 10_000
"""The largest number that an override may set."""


@record
class Ambiguity:
    """A position of a system's rules on what its documents leave open.

    ``choices`` maps each reading, by the name that topograph.yaml has for it, to what then holds,
    in words; the first is that of the rules. With one there is nothing to choose, and its words say
    why. With a ``number`` any whole number from 0 up is a reading, and this one that of the rules.
    """

    position: str
    confidence: str
    choices: Mapping[str, str]
    number: int | None = None

    @property
    def default(self) -> str:
        """The reading of the rules."""
        return next(iter(self.choices))

    @property
    def is_fixed(self) -> bool:
        """Whether there is nothing to choose."""
        return len(self.choices) == 1 and self.number is None

    def takes(self, choice: str) -> bool:
        """Whether an override may say this."""
        if self.number is not None:
            return digits(choice, MOST + 1) <= MOST
        return not self.is_fixed and choice in self.choices


def fixed(position: str, text: str) -> Ambiguity:
    """A position without another reading, and why."""
    return Ambiguity(position, "", {"": text})


@record(slots=False)
class Readings:
    """Which reading of each position of one system holds in a network: that of topograph.yaml,
    else that of the rules.
    """

    stated: Mapping[str, OverrideEntry] = field(default_factory=dict)
    """The overrides, by position."""

    @classmethod
    def of(cls, side_inputs: SideInputs, name: str) -> Readings:
        """Those of system ``name``. Linear in the overrides."""
        return cls(
            {entry.position: entry for entry in side_inputs.overrides if entry.system == name}
        )

    def chosen(self, of: Ambiguity) -> str:
        """The name of the reading that holds. O(1)."""
        entry = self.stated.get(of.position)
        return entry.choice if entry is not None else of.default

    def takes(self, of: Ambiguity, choice: str) -> bool:
        """Whether this reading holds. O(1)."""
        assert choice in of.choices
        return self.chosen(of) == choice

    def number(self, of: Ambiguity) -> int:
        """The number that holds, of an ambiguity that is one. O(1)."""
        assert of.number is not None
        entry = self.stated.get(of.position)
        return of.number if entry is None else digits(entry.choice, of.number)

    def is_stated(self, of: Ambiguity) -> bool:
        """Whether topograph.yaml says which reading holds. O(1)."""
        return of.position in self.stated

    def said(
        self, of: Ambiguity, texts: Mapping[str, str] | None = None, taken: str = ""
    ) -> Assumption:
        """The reading that holds, for an answer that rests on it; ``texts`` say of this case
        what follows from each reading, instead of the words of the position. Where
        topograph.yaml states it, the text cites the line, and the alternative is the reading of
        the rules (none, if it is that). ``taken`` is the reading where something else than
        topograph.yaml or the rules chose it."""
        words = of.choices if texts is None else texts
        entry, chosen = self.stated.get(of.position), taken or self.chosen(of)
        if entry is None or chosen != entry.choice:
            others = "; or ".join(text for name, text in words.items() if name != chosen)
            return Assumption(of.position, of.confidence, words[chosen], others)
        other = words[of.default] if chosen != of.default else ""
        return Assumption(
            of.position, of.confidence, f"{words[chosen]}, as {entry.source} says", other
        )
