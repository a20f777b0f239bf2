"""Sequences whose entries are made when they are read."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

R = TypeVar("R")


class EqualByEntries(Sequence[R]):
    """A sequence that is equal to every sequence of equal entries, lists too."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(
            one == two for one, two in zip(self, other, strict=True)
        )

    # Equal lists have no hash, so it can have none; a type checker takes that for a mistake.
    __hash__ = None  # type: ignore[assignment]


class WritesEntries(EqualByEntries[R]):
    """One that writes its entries as JSON itself, since millions of them share most of their
    text.
    """

    @abstractmethod
    def written(self, quoted: Callable[[str], str]) -> Iterator[str]:
        """Each entry as compact JSON, as its record is written; ``quoted`` makes a JSON string of
        a text."""
