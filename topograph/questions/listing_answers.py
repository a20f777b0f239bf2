"""The answers that list: ``check`` and ``show``. See ``answers``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, overload

from topograph.questions.answer import Answer


class MadeRows(Sequence[dict[str, object]]):
    """Rows that are made each time they are gone through, so that a long answer can be written in the memory of a few of them. ``makers`` are
    collections that do so, by system (that of rows that do not name their own): each has a length, and yields its rows anew. A row that is asked for
    by number makes all, which are then kept."""

    def __init__(self, makers: Sequence[tuple[str, Collection[Mapping[str, object]]]]) -> None:
        self._makers = makers

    def __len__(self) -> int:
        return sum(len(rows) for _, rows in self._makers)

    def __iter__(self) -> Iterator[dict[str, object]]:
        for system, rows in self._makers:
            for row in rows:
                yield {**row, "system": row.get("system", system)}

    @cached_property
    def _kept(self) -> list[dict[str, object]]:
        return list(self)

    @overload
    def __getitem__(self, index: int) -> dict[str, object]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[dict[str, object]]: ...
    def __getitem__(self, index: int | slice) -> dict[str, object] | Sequence[dict[str, object]]:
        return self._kept[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and not isinstance(other, str) and list(self) == list(other)

    # Equal to any sequence of equal rows, lists too, and those have no hash.
    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckAnswer(Answer):
    """``check``: findings of the lint rules (outcomes.md section 4), worst first, then by file and line."""

    question: ClassVar[str] = "check"
    rows_field: ClassVar[str] = "findings"

    findings: tuple[dict[str, object], ...]
    """Worst first, then by file and line: kind, severity, rule, message, server, excerpt, source."""
    counts: dict[str, int] = field(default_factory=dict)
    """How many there are of each severity."""

    @property
    def violation(self) -> bool:
        return any(entry["severity"] in ("warning", "error") for entry in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowAnswer(Answer):
    """``show WHAT``: rows of what is loaded; ``columns`` in reading order."""

    question: ClassVar[str] = "show"
    rows_field: ClassVar[str] = "rows"

    what: str
    """What is listed."""
    columns: tuple[str, ...]
    """The keys of a row in reading order."""
    rows: Sequence[dict[str, object]]
    """One an entry."""
    server: str = ""
    """The one server that the rows are about; empty where they are about all."""
