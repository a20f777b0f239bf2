"""What the selectors of an EMS network say of messages: each is evaluated once a message, and many
of one shape together.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from topograph.errors import InvalidSelector
from topograph.forwarding.rows import distinct
from topograph.message import Properties
from topograph.selectors.banks import BY_NUMBER, SelectorBank, Truths
from topograph.selectors.selector import Selector, parse
from topograph.systems.ems.destinations.guards import GuardVerdict, evaluate_selector

Numbers = NDArray[np.int64]

SAID_KEPT = 500_000
"""Selectors times messages of which it is kept what they say: 50 MB, if each has a note."""

BANKS_KEPT = 8
"""Lists of selectors that are kept to be asked about more messages."""

PLAIN = tuple(map(GuardVerdict, BY_NUMBER))
"""The verdicts that are a truth and nothing else, in the order of ``BY_NUMBER``."""

NUMBER = {truth: number for number, truth in enumerate(BY_NUMBER)}

PASSES = BY_NUMBER.index(PLAIN[-1].truth)
"""The number of what lets a message pass."""

_NOT_ASKED = -1


class Said:
    """What selectors say of one message, by their numbers: ``truths`` in numbers, and the verdicts
    that are more than a truth (``apart``)."""

    def __init__(self) -> None:
        self.truths: Truths = np.empty(0, np.int8)
        self.apart: dict[int, GuardVerdict] = {}

    @property
    def asked(self) -> int:
        """How many selectors were asked."""
        return int(np.count_nonzero(self.truths != _NOT_ASKED))

    def add(self, number: int, verdict: GuardVerdict) -> None:
        """Note what a selector says."""
        self.truths[number] = truth = NUMBER[verdict.truth]
        if verdict != PLAIN[truth]:
            self.apart[number] = verdict

    def make_room(self, count: int) -> None:
        """Have a place for so many selectors."""
        more = np.full(count - len(self.truths), _NOT_ASKED, np.int8)
        if len(more):
            self.truths = np.concatenate((self.truths, more))


class SelectorsSaid:
    """What selectors say of messages, kept for the last messages. Those that are asked about a
    second message are evaluated together from then on.
    """

    def __init__(self) -> None:
        self._number: dict[tuple[str, str], int] = {}
        self._selectors: list[tuple[str, str]] = []
        self._said: dict[str, Said] = {}
        self._entries = 0
        self._banks: dict[bytes, _Together | None] = {}

    def numbers(self, selectors: Iterable[tuple[str, str]]) -> Numbers:
        """The numbers of selectors: each a text, and why it is not understood."""
        found = [self._number.setdefault(one, len(self._number)) for one in selectors]
        if len(self._number) > len(self._selectors):
            self._selectors = list(self._number)
        return np.array(found, np.int64)

    def of(self, numbers: Numbers, properties: Properties) -> Said:
        """What some selectors say of a message; others may be in what is given back. Linear in the
        selectors.
        """
        message = text_of(properties)
        said = self._said.pop(message, None) or Said()
        said.make_room(len(self._selectors))
        missing = numbers[said.truths[numbers] == _NOT_ASKED]
        if len(missing):
            missing = distinct(missing)
            together = self._together(missing)
            if together is not None:
                together.ask(properties, said)
            else:
                for number in missing.tolist():
                    text, fault = self._selectors[number]
                    said.add(number, evaluate_selector(text, properties, fault))
        self._said[message] = said
        self._entries += len(missing)
        while self._entries > SAID_KEPT and len(self._said) > 1:
            self._entries -= self._said.pop(next(iter(self._said))).asked
        return said

    def _together(self, numbers: Numbers) -> _Together | None:
        """Selectors that are evaluated together; None the first time that they are asked."""
        key = numbers.tobytes()
        seen = key in self._banks
        found = self._banks.pop(key, None)
        if seen and found is None:
            found = _Together({number: self._selectors[number] for number in numbers.tolist()})
        self._banks[key] = found
        if len(self._banks) > BANKS_KEPT:
            del self._banks[next(iter(self._banks))]
        return found


class _Together:
    """Selectors, by number, that are asked about many messages."""

    def __init__(self, selectors: dict[int, tuple[str, str]]) -> None:
        known = {number: _plain(*one) for number, one in selectors.items()}
        self._apart = {number: selectors[number] for number, one in known.items() if one is None}
        plain = {number: one for number, one in known.items() if one is not None}
        self._numbers = np.array(list(plain), np.int64)
        self._bank = SelectorBank([*plain.values()])

    def ask(self, properties: Properties, said: Said) -> None:
        """Note what each says of a message."""
        said.truths[self._numbers] = self._bank.truths(properties)
        for number, (text, fault) in self._apart.items():
            said.add(number, evaluate_selector(text, properties, fault))


def _plain(text: str, fault: str) -> Selector | None:
    """A selector that hangs on the properties of a message alone; None for any other."""
    if fault or not text:
        return None
    try:
        found = parse(text)
    except InvalidSelector:
        return None
    return None if found.header_fields else found


def text_of(properties: Properties) -> str:
    """A text that two messages have in common if they have the same properties; it tells 1, 1.0
    and TRUE apart, which are equal as keys.
    """
    return repr(sorted(properties.items()))
