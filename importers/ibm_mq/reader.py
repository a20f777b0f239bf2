"""One text of MQSC, whatever is mixed in it, to the models of the queue managers it is about.

Dumps, scripts, transcripts and DISPLAY output are one form here: lines are told apart by ``rows``,
commands run on a ``ManagerModel``, blocks of DISPLAY put into it. A queue manager is named by a
header, by output or by the command line; what stands before the first name is of that one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from topograph.findings import Severity
from topograph.importers.ibm_mq.coverage import Statement, displayed, dumped
from topograph.importers.ibm_mq.display import Block, take
from topograph.importers.ibm_mq.model import ManagerModel
from topograph.importers.ibm_mq.rows import Assembler, Piece, Row, RowKind
from topograph.importers.ibm_mq.secrets import excerpt
from topograph.importers.ibm_mq.words import Parsed, parse
from topograph.importers.positions.places import Placing
from topograph.rules.ibm_mq_findings import (
    COMMAND_UNKNOWN,
    CONFLICT_MARK,
    FOREIGN_COMMENT,
    LINE_NOT_READ,
)
from topograph.rules.unnumbered import COMMAND_REFUSED

_GROUPS = 20
"""Runs of lines that are not understood get a finding of their own, as long as there are no
more.
"""

_SHOWN = 400
"""Characters of a text that are looked at for its finding."""

_NOT_FOUND = frozenset({8147, 8884})
"""Messages that say that no object has the name which DISPLAY asks for."""

_LEFT_OUT = ("...", "[...", "<snip", "[snip", "(...", "--more--", "-- more")
"""What people and programs write where they leave output out."""

_REFUSALS = frozenset(
    {8101, 8135, 8143, 8146, 8147, 8150, 8226, 8227, 8242, 8405, 8410, 8411, 8412, 8413, 8416, 8421,
        8424, 8428}
)  # fmt: skip
"""Messages of versions without severities that say that a command was refused."""


@dataclass(slots=True)
class ReadManagers:
    """The queue managers of one file, by name in the order in which they come; ``current`` is
    the one being read.
    """

    models: dict[str, ManagerModel] = field(default_factory=dict)
    current: ManagerModel = field(default_factory=ManagerModel)

    def start(self, name: str, by: str) -> ManagerModel:
        """Go on with the queue manager of that name, or with one that is not named yet."""
        self.models.setdefault(self.current.name, self.current)
        self.current = self.models.setdefault(name, ManagerModel(name, by if name else ""))
        return self.current

    def switch(self, name: str, by: str) -> ManagerModel:
        """Go on with the queue manager of that name."""
        if self.current.name == name:
            if _RANK[by] > _RANK.get(self.current.by, 0):
                self.current.by = by
            return self.current
        guessed = self.current.by in _GUESSES and self.current.empty
        if (not self.current.name or guessed) and name not in self.models:
            self.models.pop(self.current.name, None)
            self.current.name, self.current.by = name, by
            self.models[name] = self.current
            return self.current
        self.models.setdefault(self.current.name, self.current)
        self.current = self.models.setdefault(name, ManagerModel(name, by))
        return self.current

    def all(self) -> list[ManagerModel]:
        """Every queue manager that something was said of."""
        self.models.setdefault(self.current.name, self.current)
        return [
            model
            for model in self.models.values()
            if not model.empty or model.refused or model.by in ("resource", "display", "created")
        ]


_GUESSES = frozenset({"file", "folder"})
_RANK = {"header": 3, "display": 4, "command": 2, "resource": 2, "created": 1}


class Reader:
    """Reads rows of one text into an estate. Linear."""

    def __init__(self, estate: ReadManagers, placing: Placing, quiet: bool = False) -> None:
        """``quiet`` is for a text whose other lines are of another language."""
        self.estate, self.placing, self.quiet = estate, placing, quiet
        self.block: Block | None = None
        self.waiting: tuple[Parsed, bool] | None = None
        """The last command, until it is known whether a transcript says that it was refused."""
        self.depth = 0
        self.conflicts = 0
        self.groups: list[tuple[int, int, str]] = []
        self.last_other = -2
        self.foreign: list[int] = []
        self.noise = 0
        self.messages = 0
        self.asked: Statement | None = None
        """What the last DISPLAY command asks for, until its output ends."""
        self.answered = self.broken = False
        """Whether there is output of it, and whether some of that is left out."""
        self.dump: Statement | None = None
        """What the dump that is being read shows."""

    def read(self, rows: Iterable[Row], dump: bool = False) -> None:
        """Read all rows; ``dump`` says that they come from dmpmqcfg."""
        self.estate.current.from_dump = self.estate.current.from_dump or dump
        cut = False
        for piece in Assembler().read(rows):
            if isinstance(piece, Parsed):
                self._close()
                self._end_output()
                self.waiting = piece, self.depth > 0
                cut = False
            else:
                self._piece(piece)
                cut = piece.command is not None and piece.command.cut
        if self.asked is not None and self.block is not None:
            self.asked = replace(self.asked, attributes=())  # the block may go on
        self._close()
        self._end_output(cut=True)
        self._end_dump("cut" if cut else "unended")
        if cut:
            self.estate.current.unread.append(
                "Its script ends in the middle of a command: what came behind it is not known."
            )
        self._report()

    def _piece(self, piece: Piece) -> None:
        match piece.kind:
            case RowKind.SHOWN:
                if self.block is not None:
                    self.block.add(piece.text, piece.line)
                return
            case RowKind.MESSAGE:
                self._message(piece)
                return
            case RowKind.COMMAND:
                self._close()
                self._end_output()
                self._command(piece)
                return
            case RowKind.CONTEXT:
                self._close()
                self._end_output()
                if piece.by != "comment":
                    self.estate.switch(piece.text, piece.by)
                elif (
                    not self.estate.current.name and self.estate.current.empty
                ):  # what stands above the first command is about the file
                    self.estate.switch(piece.text, "header")
            case RowKind.DUMP:
                self._dumped(piece)
            case RowKind.DUMPED:
                self._end_dump()
            case RowKind.DIRECTIVE:
                self.depth = max(self.depth + (piece.number if piece.number in (1, -1) else 0), 0)
                self.foreign.append(piece.line)
            case RowKind.CONFLICT:
                self._conflict(piece)
            case RowKind.FOREIGN:
                self.foreign.append(piece.line)
            case RowKind.OTHER:
                self._other(piece)
            case RowKind.NOISE:
                self._close()
                self._end_output()
                self.noise += 1

    def _message(self, piece: Piece) -> None:
        self.messages += 1
        refused = (
            piece.severity in ("E", "S")
            or (not piece.severity and piece.number in _REFUSALS)
            or piece.number == 8405
        )
        if (
            refused
            and self.waiting is not None
            and self.waiting[0].verb in ("DEFINE", "ALTER", "DELETE", "SET", "STOP", "START")
        ):
            parsed = self.waiting[0]
            self.waiting = None
            message = (
                "The output below says that the queue manager refused this command "
                f"(AMQ{piece.number}): it has no effect here."
            )
            source = self.placing.at(parsed.line, parsed.column)
            model = self.estate.current
            model.refused += 1
            name = f"({parsed.name})" if parsed.named else ""
            model.note(
                COMMAND_REFUSED,
                Severity.ERROR,
                message,
                source,
                f"{parsed.verb} {parsed.noun}{name}",
            )
        self._close_command(done=not refused)
        self._close()
        self.answered = True
        self.broken = self.broken or (refused and piece.number not in _NOT_FOUND)
        self.block = Block(piece.number, piece.line)

    def _command(self, piece: Piece) -> None:
        command = piece.command
        assert command is not None
        at = 0
        while True:
            parsed = parse(command, at)
            if not parsed.verb or not parsed.noun:
                self._not_a_command(parsed, command.text[at : at + _SHOWN])
            else:
                self._close_command()
                if parsed.verb == "DISPLAY":
                    self._end_output()
                    source = self.placing.at(parsed.line, parsed.column)
                    self.asked = displayed(parsed, source)
                self.waiting = (parsed, self.depth > 0)
            if not parsed.rest:
                return
            at = parsed.rest

    def _not_a_command(self, parsed: Parsed, text: str) -> None:
        """Prose that begins with a verb, or a command that nobody knows."""
        if parsed.verb in ("DEFINE", "ALTER", "DELETE") and "(" in text:
            message = "There is no such command: MQ refuses it. Nothing of it is read."
            source = self.placing.at(parsed.line, parsed.column)
            self.estate.current.refused += 1
            self.estate.current.note(
                COMMAND_UNKNOWN, Severity.ERROR, message, source, excerpt(text)
            )
        else:
            self._other(Piece(RowKind.OTHER, parsed.line, text))

    def _close_command(self, *, done: bool = False) -> None:
        """The last command ends here; ``done`` says that the output below it confirms it."""
        if self.waiting is not None:
            parsed, conditional = self.waiting
            self.waiting = None
            if self.conflicts:
                conditional = True
            self.estate.current.run(parsed, self.placing, conditional, done)

    def _close(self) -> None:
        """What was begun ends here."""
        self._close_command()
        if self.block is not None:
            block, self.block = self.block, None
            first = block.items[0] if block.items else None
            if first is not None and first[0] == "QMNAME" and first[1].strip():
                self.estate.switch(first[1].strip(), "display")
            take(block, self.estate.current, self.placing, self.asked)

    def _end_output(self, *, cut: bool = False) -> None:
        """The output of a DISPLAY command ends here; ``cut`` says that nothing stands behind it."""
        asked, answered, broken = self.asked, self.answered, self.broken or cut
        self.asked, self.answered, self.broken = None, False, False
        if asked is not None and answered:
            self.estate.current.statements.append(asked.cut() if broken else asked)

    def _end_dump(self, how: str = "") -> None:
        """A dump ends here: with its last line, or ``unended`` without it, or ``cut`` within a
        command."""
        dump, self.dump = self.dump, None
        if dump is None:
            return
        if how == "cut":
            dump = dump.cut()
        elif how and dump.extent == "whole":
            dump = replace(dump, extent="unended")
        self.estate.current.statements.append(dump)

    def _dumped(self, piece: Piece) -> None:
        """The header of a dump: with ``-a`` it shows all attributes (C-11)."""
        issued = piece.text
        self._end_dump("unended")
        self.dump = dumped(issued, self.placing.at(piece.line, 1))
        words = issued.split()
        model = self.estate.current
        model.from_dump = True
        model.shows_all = any(word.startswith("-") and "a" in word for word in words)

    def _conflict(self, piece: Piece) -> None:
        self._close_command()
        if piece.text.startswith("<<<<<<<"):
            self.conflicts += 1
            message = (
                "Git left both versions of a conflict in this file: MQ refuses the marks and "
                "runs what is between them, both versions."
            )
            source = self.placing.at(piece.line, 1)
            self.estate.current.note(CONFLICT_MARK, Severity.ERROR, message, source)
        elif piece.text.startswith(">>>>>>>"):
            self.conflicts = max(self.conflicts - 1, 0)

    def _other(self, piece: Piece) -> None:
        self._close_command()
        if self.asked is not None:
            self.broken = self.broken or piece.text.strip().lower().startswith(_LEFT_OUT)
            self._close()
            self._end_output()
        if self.groups and piece.line == self.last_other + 1:
            first, count, text = self.groups[-1]
            self.groups[-1] = (first, count + 1, text)
        else:
            self.groups.append((piece.line, 1, piece.text))
        self.last_other = piece.line

    def _report(self) -> None:
        """Findings on the lines that are no commands."""
        model = self.estate.current
        model.ignored += sum(count for _, count, _ in self.groups)
        if self.quiet:
            return
        severity = Severity.INFO if self.messages else Severity.WARNING
        for first, count, text in self.groups[:_GROUPS]:
            lines = "This line is" if count == 1 else f"These {count} lines are"
            message = f"{lines} neither a command of MQSC nor output that is known: not read."
            model.note(LINE_NOT_READ, severity, message, self.placing.at(first, 1), excerpt(text))
        if len(self.groups) > _GROUPS:
            rest = sum(count for _, count, _ in self.groups[_GROUPS:])
            message = (
                f"{rest} more lines are neither commands of MQSC nor output that is known: "
                "not read."
            )
            model.note(
                LINE_NOT_READ, severity, message, self.placing.at(self.groups[_GROUPS][0], 1)
            )
        if self.foreign:
            message = (
                f"{len(self.foreign)} lines are comments or directives of another language, "
                "not of MQSC: left out."
            )
            model.note(FOREIGN_COMMENT, Severity.INFO, message, self.placing.at(self.foreign[0], 1))
