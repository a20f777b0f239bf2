"""Which of the lines that a commit changes decides, where an entry of the configuration is known
that does and not which of its lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from topograph.histories.records import Culprit
from topograph.histories.states import States, Unread
from topograph.questions.model import Model
from topograph.records import record
from topograph.store.commits import Commit

MOST_LINES = 2_000
"""Lines between the first and the last that differ, in which blocks are told apart."""
MOST_BLOCKS = 20
"""Blocks of changed lines that are tried one by one."""


@record(slots=False)
class Block:
    """Lines that a commit changes, one after another: ``was`` of the file before, ``is_now`` of
    the file after, both from 0."""

    was: range
    is_now: range


def blocks(before: Sequence[bytes], after: Sequence[bytes]) -> list[Block]:
    """The lines that differ between two texts; one block, where they are further apart than
    MOST_LINES. Linear but for those lines, in which it is square.
    """
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    was, now = before[start : len(before) - end], after[start : len(after) - end]
    if max(len(was), len(now)) > MOST_LINES:
        return [Block(range(start, start + len(was)), range(start, start + len(now)))]
    return [
        Block(range(start + a, start + b), range(start + c, start + d))
        for what, a, b, c, d in SequenceMatcher(None, was, now, autojunk=False).get_opcodes()
        if what != "equal"
    ]


@dataclass
class ChangedLines:
    """The lines that a commit changes in the files of a folder; ``broken`` judges a state."""

    states: States
    before: Commit
    after: Commit
    broken: Callable[[Model], bool]
    _files: dict[str, tuple[list[bytes], list[bytes], list[Block]]] = field(default_factory=dict)

    def narrowed(self, culprit: Culprit) -> Culprit:
        """A culprit with the line that decides, where its entry was altered and the line that it is
        cited with was not: the first of the only block of lines which breaks the state before by
        itself. Each block is read and judged as a network."""
        if culprit.change != "altered" or not culprit.source.file or culprit.kind == "file":
            return culprit
        before, after, found = self._of(culprit.source.file)
        if any(culprit.source.line - 1 in one.is_now for one in found):
            return culprit
        if len(found) > MOST_BLOCKS:
            return culprit
        decides = [one for one in found if self._breaks(culprit.source.file, before, after, one)]
        if len(decides) != 1:
            return culprit
        (one,) = decides
        source, was = culprit.source, culprit.was
        if one.is_now:
            source = replace(source, line=one.is_now[0] + 1, column=1)
        if one.was:
            was = replace(was, line=one.was[0] + 1, column=1)
        return replace(culprit, source=source, was=was)

    def _of(self, file: str) -> tuple[list[bytes], list[bytes], list[Block]]:
        if file not in self._files:
            before, after = (
                self.states.texts(commit, file).splitlines(keepends=True)
                for commit in (self.before, self.after)
            )
            self._files[file] = before, after, blocks(before, after)
        return self._files[file]

    def _breaks(
        self, file: str, before: Sequence[bytes], after: Sequence[bytes], block: Block
    ) -> bool:
        """Whether the state before is broken once one block is as it is after."""
        lines = [
            *before[: block.was.start],
            *after[block.is_now.start : block.is_now.stop],
            *before[block.was.stop :],
        ]
        state = self.states.with_files(self.before, {file: b"".join(lines)})
        return not isinstance(state, Unread) and self.broken(state)
