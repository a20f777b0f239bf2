"""The answers that list: ``check`` and ``show``. See ``answers``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import ClassVar, overload

from topograph.findings import Source
from topograph.questions.answers.base import Answer
from topograph.records import record
from topograph.sequences import EqualByEntries


class MadeRows(EqualByEntries[dict[str, object]]):
    """Rows that are made each time they are gone through, so that a long answer can be written
    in the memory of a few of them. ``makers`` are collections that do so, by system (that of
    rows that do not name their own): each has a length, and yields its rows anew. A row that is
    asked for by number makes all, which are then kept."""

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


@record
class CheckGroup:
    """The findings of one rule and severity at one server."""

    severity: str
    """`error`, `warning` or `info`."""
    rule: str
    """The rule, or the kind of finding where it rests on none."""
    name: str
    """The short name of the rule; empty where it has none."""
    sentence: str
    """What the rule says."""
    server: str
    """The server; empty where the findings are about none."""
    count: int
    """How many findings these are."""
    message: str
    """The message of the first of them."""
    source: Source
    """Its place."""


@record
class WaivedFinding:
    """A finding that does not count, and why."""

    finding: dict[str, object]
    """The finding, as one of `findings`."""
    reason: str
    """The reason that the waiver gives."""
    until: str
    """The last day on which it counts, as `YYYY-MM-DD`; empty for good."""
    inline: bool
    """Whether a comment in the file itself waives it; else an entry of topograph.yaml does."""
    source: Source
    """The place of the waiver."""


@record
class GoneFinding:
    """A finding of a baseline that is not there any more."""

    severity: str
    """`error`, `warning` or `info`, as it was."""
    rule: str
    """The rule; empty where it rests on none."""
    kind: str
    """The kind of finding."""
    server: str
    """The server; empty where it is about none."""
    file: str
    """The file it was found in."""
    message: str
    """What it said."""


@record(kw_only=True)
class CheckAnswer(Answer):
    """``check``: findings of the lint rules (outcomes.md section 4), worst first, then by file
    and line.
    """

    question: ClassVar[str] = "check"
    rows_field: ClassVar[str] = "findings"

    findings: tuple[dict[str, object], ...]
    """Worst first, then by file and line: kind, severity, rule, message, server, excerpt,
    source.
    """
    counts: dict[str, int] = field(default_factory=dict)
    """How many there are of each severity."""
    groups: tuple[CheckGroup, ...] = ()
    """The same counted by severity, rule and server, the most harmful rules first."""
    server: str = ""
    """The one server that was asked about; empty for all."""
    rule: str = ""
    """The one rule, or kind of finding, that was asked about; empty for all."""
    severity: str = ""
    """The least severity that was asked about; empty for all."""
    name: str = ""
    """The short name of the rule that was asked about."""
    sentence: str = ""
    """What that rule says."""
    waived: tuple[WaivedFinding, ...] = ()
    """The findings that a waiver fits: they do not count, and are not in `findings`."""
    baseline: str = ""
    """The file of the baseline (`--baseline`); empty without one."""
    known: tuple[dict[str, object], ...] = ()
    """The findings that the baseline has: they do not count, and are not in `findings`."""
    gone: tuple[GoneFinding, ...] = ()
    """What the baseline has and is not there any more; empty where `--server`, `--rule` or
    `--severity` narrow what is listed.
    """

    @property
    def violation(self) -> bool:
        return any(entry["severity"] in ("warning", "error") for entry in self.findings)


@record(kw_only=True)
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
