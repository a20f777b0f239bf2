"""Lines of MQSC: which continue each other, which are comments, echoes of runmqsc or output, and
where a queue manager is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from topograph.digits import digits, is_digits
from topograph.importers import lexical
from topograph.importers.ibm_mq.schema import NOUNS, VERBS
from topograph.importers.ibm_mq.templates import is_directive
from topograph.importers.ibm_mq.words import CommandText, Parsed, WordFault
from topograph.rules.ibm_mq_findings import (
    CONFLICT_MARK,
    ENDS_IN_THE_MIDDLE,
    FOREIGN_COMMENT,
    RUNS_INTO_THE_NEXT,
)
from topograph.rules.unnumbered import TEMPLATE

_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/%")
_NAMING = ("queue manager name:", "for queue manager", "queue manager:")
_ABOUT = ("mqsc", "object", "definition", "config", "script", "setup", "commands", "dump", "backup")
"""Words of a comment on a whole file; others say what one object is for."""
_FOOTERS = (
    "One MQSC command",
    "No commands have",
    "All valid MQSC",
    "One valid MQSC",
    "One command has",
    "5724-",
    "5655-",
    "5697-",
)
_ALONE = re.compile(r"(?:DEFINE|DEF) (Q(?:LOCAL|L|ALIAS|A|REMOTE|R))\('([A-Za-z0-9._]{1,48})'\)")
"""A line that defines a queue and says nothing but its name, as most lines of large scripts do."""
_SHORT = 200
_WORD = re.compile(r"\w++")


class RowKind(Enum):
    """What a line, or several, are."""

    COMMAND = "command"
    MESSAGE = "message"
    """``AMQ8409I: ...``: ``number`` and ``severity`` (empty in old versions)."""
    SHOWN = "shown"
    """A line of attributes below a message."""
    CONTEXT = "context"
    """From here on it is about the queue manager ``text``."""
    DIRECTIVE = "directive"
    """Of a template: ``number`` as ``is_directive`` gives it."""
    CONFLICT = "conflict"
    """A mark that git left."""
    FOREIGN = "foreign"
    """A comment that is none to MQ."""
    OTHER = "other"
    """Nothing that is known."""
    NOISE = "noise"
    """Output that says nothing of configuration."""
    DUMP = "dump"
    """The header of dmpmqcfg; ``text`` is the command it was made with."""
    DUMPED = "dumped"
    """The last line of what dmpmqcfg wrote."""


Row = lexical.Line
"""A line of MQSC. ``number`` counts in the text that it stands in."""


@dataclass(slots=True)
class Piece:
    """One line or command with what it is."""

    kind: RowKind
    line: int
    text: str = ""
    number: int = 0
    severity: str = ""
    command: CommandText | None = None
    by: str = ""


def rows_of(text: str) -> Iterator[Row]:
    """All lines of a text."""
    return lexical.lines(text)


class Assembler:
    """Puts the lines of commands together. Linear: no line is looked at twice but for the
    comments in it.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._lines: list[int] = []
        self._length = 0
        self._column = 1
        self._mark = ""
        self._faults: list[WordFault] = []
        self._shown = False
        self._quoted_by = 0
        """The message whose text, or list of valid words, the next lines repeat."""

    def pieces(self, rows: Iterable[Row]) -> Iterator[Piece]:
        """Every line as what it is, the lines of a command as one."""
        for row in rows:
            yield from self._row(row)
        yield from self._cut_off()

    def read(self, rows: Iterable[Row]) -> Iterator[Piece | Parsed]:
        """The same, a definition that says nothing but the name of a queue as what ``parse`` makes
        of it."""
        for row in rows:
            alone = _ALONE.fullmatch(row.text)
            if alone is None or self._parts or self._quoted_by:
                yield from self._row(row)
            else:
                self._shown = False
                yield Parsed("DEFINE", NOUNS[alone[1]], alone[2], True, row.number, 1, [], [])
        yield from self._cut_off()

    def _cut_off(self) -> Iterator[Piece]:
        """The command that the file ends in the middle of, if any."""
        if self._parts:
            last = self._lines[-1]
            self._faults.append(
                WordFault(ENDS_IN_THE_MIDDLE, "The file ends in the middle of this command.", last)
            )
            yield self._command(cut=True)

    def flush(self) -> Iterator[Piece]:
        """The command that was begun, if any: what follows is another text."""
        if self._parts:
            self._faults.append(
                WordFault(
                    ENDS_IN_THE_MIDDLE,
                    "The text ends in the middle of this command.",
                    self._lines[-1],
                )
            )
            yield self._command(cut=True)

    def _row(self, row: Row) -> Iterable[Piece]:
        text = row.text
        stripped = text.strip()
        if not stripped:
            if not self._parts:
                self._shown = False
            return ()
        if stripped[0] == "*":
            return _naming(stripped, row.number)
        if is_digits(stripped[0]) or stripped[0] == ":":
            echoed = _echo(stripped)
            if echoed is not None:
                text, stripped = echoed, echoed.strip()
                self._shown, self._quoted_by = False, 0
                if not stripped:
                    return ()
                if stripped[0] == "*":
                    return _naming(stripped, row.number)
        if self._parts:
            return self._continued(row, text, stripped)
        return self._begun(row, text, stripped)

    def _begun(self, row: Row, text: str, stripped: str) -> Iterable[Piece]:
        """A line that continues none."""
        if stripped.startswith("AMQ") and (message := _message(stripped)):
            self._shown = True
            self._quoted_by = message[0] if message[0] in (8405, 8426, 8427) else 0
            return (Piece(RowKind.MESSAGE, row.number, stripped, *message),)
        if self._quoted_by:
            listed = self._quoted_by != 8405 and text[0] in " \t"
            self._quoted_by = self._quoted_by if listed else 0
            if listed or self._shown:
                self._shown = listed
                return (Piece(RowKind.NOISE, row.number, stripped),)
        if self._shown and text[0] in " \t" and _is_shown(stripped):
            return (Piece(RowKind.SHOWN, row.number, text),)
        first = _word(stripped).upper()
        if first in VERBS:
            return self._start(row, text, stripped)
        self._shown = self._shown and text[0] in " \t"
        if self._shown:
            return (Piece(RowKind.SHOWN, row.number, text),)
        return (self._other(row, stripped, first),)

    def _other(self, row: Row, stripped: str, first: str) -> Piece:
        if conflict(stripped):
            return Piece(RowKind.CONFLICT, row.number, stripped)
        if directive := is_directive(stripped):
            return Piece(RowKind.DIRECTIVE, row.number, stripped, directive)
        if "RUNMQSC" in stripped[:_SHORT].upper() and (name := ran_at(stripped)):
            return Piece(RowKind.CONTEXT, row.number, name, by="command")
        if stripped.startswith(("#", "//", "--", "/*", "REM ", "rem ", "::")):
            return Piece(RowKind.FOREIGN, row.number, stripped)
        if first in ("END", "EOF", "EXIT", "QUIT", "!", "@", "%", "EOT", "END;", "MQSC", "RUNMQSC"):
            return Piece(RowKind.NOISE, row.number, stripped)
        for said in _naming(stripped, row.number):
            return said
        if stripped.startswith(_FOOTERS) or is_digits(stripped[0]):
            return Piece(RowKind.NOISE, row.number, stripped)
        return Piece(RowKind.OTHER, row.number, stripped)

    def _start(self, row: Row, text: str, stripped: str) -> Iterable[Piece]:
        self._shown = False
        self._column = len(text) - len(text.lstrip()) + 1
        self._faults = []
        self._length = 0
        self._add(row, stripped)
        return () if self._mark else (self._command(),)

    def _continued(self, row: Row, text: str, stripped: str) -> Iterable[Piece]:
        """A line behind one that ends in + or -."""
        first = stripped[0]
        if first in "<>|=" and conflict(stripped):
            message = (
                "A conflict marker of git is in the middle of this command: both versions "
                "are read into one."
            )
            self._faults.append(WordFault(CONFLICT_MARK, message, row.number))
            return ()
        if first == "A" and stripped.startswith("AMQ") and _message(stripped):
            self._faults.append(
                WordFault(ENDS_IN_THE_MIDDLE, "The command ends in the middle.", self._lines[-1])
            )
            return (self._command(cut=True), *self._begun(row, text, stripped))
        if first in "#/" and stripped.startswith(("#", "//")) and not stripped.startswith("#{"):
            return (Piece(RowKind.FOREIGN, row.number, stripped),)
        if first == "{" and (directive := is_directive(stripped)):
            message = (
                "There is text of a template in the middle of this command: what it leaves out "
                "is not known."
            )
            self._faults.append(WordFault(TEMPLATE, message, row.number))
            return (Piece(RowKind.DIRECTIVE, row.number, stripped, directive),)
        if first in "DASdas" and _begins_command(stripped):
            message = (
                "This command ends in a continuation mark, and the next line begins another "
                "one: MQ reads both as one and refuses it."
            )
            self._faults.append(WordFault(RUNS_INTO_THE_NEXT, message, self._lines[-1]))
            return (self._command(cut=True), *self._start(row, text, stripped))
        self._add(row, text if self._mark == "-" else stripped)
        return () if self._mark else (self._command(),)

    def _add(self, row: Row, text: str) -> None:
        shown = text.rstrip()
        if (
            "/*" in shown
            or "//" in shown
            or "#" in shown
            or "--" in shown
            or " * " in shown
            or " *<" in shown
        ):
            shown = self._without_comment(shown, row.number)
        mark = shown[-1:] if shown[-1:] in ("+", "-") else ""
        if mark == "+" and shown[-2:-1].strip() and _placeholder_at_end(shown):
            mark = ""
        if mark:
            shown = shown[:-1]
        self._starts.append(self._length)
        self._lines.append(row.number)
        self._parts.append(shown)
        self._length += len(shown)
        self._mark = mark

    def _without_comment(self, text: str, line: int) -> str:
        """The line without a comment of another language behind it."""
        for mark in ("/*", "//", "#", "--", "*"):
            at, counted, quotes, depth = text.find(mark), 0, 0, 0
            while at > 0:
                between = text[counted:at]
                quotes += between.count("'")
                depth += between.count("(") - between.count(")")
                counted = at
                if text[at - 1] in " \t+" and quotes % 2 == 0 and depth == 0:
                    end = text.find("*/", at) if mark == "/*" else -1
                    behind = text[end + 2 :].strip() if end > 0 else ""
                    if behind not in ("", "+", "-"):
                        break
                    message = (
                        "A comment follows this line, which MQ does not know: it "
                        "refuses the command. Read without it."
                    )
                    self._faults.append(WordFault(FOREIGN_COMMENT, message, line))
                    return f"{text[:at].rstrip()} {behind}".rstrip()
                at = text.find(mark, at + len(mark))
        return text

    def _command(self, cut: bool = False) -> Piece:
        command = CommandText(
            "".join(self._parts), self._starts, self._lines, self._column, cut, self._faults
        )
        self._parts, self._starts, self._lines, self._faults, self._mark = [], [], [], [], ""
        return Piece(RowKind.COMMAND, command.line, command=command)


def conflict(text: str) -> bool:
    """Whether a line is a mark that git leaves where two versions conflict."""
    return text.startswith(("<<<<<<< ", ">>>>>>> ", "||||||| ")) or text == "======="


def ran_at(text: str) -> str:
    """The queue manager that a command line runs runmqsc for; empty where it names none.

    >>> ran_at("su - mqm -c 'runmqsc -e -w 30 QM1 < a.mqsc'"), ran_at("runmqsc < a.mqsc"), ran_at('echo x | runmqsc "${QM}" >> log')
    ('QM1', '', '${QM}')
    """  # noqa: E501
    at = text.lower().find("runmqsc")
    behind = text[at + 7 :] if at >= 0 else ""
    if behind.lower().startswith(".exe"):
        behind = behind[4:]
    if behind[:1] not in ("", " ", "\t", '"', "'"):
        return ""
    takes_value = False
    for word in (
        behind.replace("<", " < ")
        .replace(">", " > ")
        .replace("|", " | ")
        .replace("&", " & ")
        .replace(";", " ; ")
        .split()
    ):
        plain = word.strip("\"'`)")
        if takes_value:
            takes_value = False
        elif plain in ("<", ">", "|", "&", ";", "2", "<<"):
            return ""
        elif plain.startswith("-"):
            takes_value = plain in ("-w", "-m", "-u", "-r", "-n", "-f")
        else:
            return plain[:60]
    return ""


def _naming(text: str, line: int) -> Iterator[Piece]:
    """What a comment, or a line of output, says of the queue manager."""
    lower = text[:_SHORT].lower()
    if "script ended on" in lower:
        yield Piece(RowKind.DUMPED, line)
    if "queue manager" in lower or "command issued" in lower:
        for mark in _NAMING:
            at = lower.find(mark)
            if at < 0:
                continue
            words = text[at + len(mark) :].split()
            word = words[0].strip("'\".,:;()") if words else ""
            telling = mark == _NAMING[0] or any(c.isupper() or is_digits(c) for c in word)
            by = "header" if mark == _NAMING[0] or lower.startswith("starting mqsc") else "comment"
            if (
                by == "comment"
                and mark == "for queue manager"
                and not any(what in lower[:at] for what in _ABOUT)
            ):
                continue
            if word and len(word) <= 48 and set(word) <= _NAME and telling:
                yield Piece(RowKind.CONTEXT, line, word, by=by)
                return
        at = lower.find("command issued")
        if at >= 0 and "dmpmqcfg" in lower:
            yield Piece(RowKind.DUMP, line, text[at + 15 :].strip())


def _echo(text: str) -> str | None:
    """The command in a line of runmqsc's echo (``     1 : DISPLAY QMGR``, ``       : continued``); None for any other line."""  # noqa: E501
    at = 0
    while at < len(text) and is_digits(text[at]):
        at += 1
    rest = text[at:].lstrip(" \t")
    if not rest.startswith(":") or (at == 0 and not text.startswith(":")):
        return None
    return rest[1:]


def _message(text: str) -> tuple[int, str] | None:
    """Number and severity of a message of the product (``AMQ8409I: ...``); None for any other
    text.
    """
    number = digits(text[3:7])
    if len(text) < 8 or number is None:
        return None
    severity = text[7] if text[7].isalpha() else ""
    return (number, severity) if text[7 + len(severity) : 8 + len(severity)] == ":" else None


def _is_shown(text: str) -> bool:
    """Whether a line could be one of attributes: a word in capitals, with a value or not."""
    word = _word(text)
    return (
        word.isupper()
        and (len(text) == len(word) or text[len(word)] in "( ")
        and word.upper() not in VERBS
    )


def _word(text: str) -> str:
    found = _WORD.match(text)
    return found[0] if found else ""


def _begins_command(text: str) -> bool:
    words = text.replace("(", " (").split(None, 2)
    return (
        len(words) > 1
        and words[0].upper()
        in ("DEF", "DEFINE", "ALT", "ALTER", "DELETE", "DIS", "DISPLAY", "SET", "START")
        and words[1].upper() in NOUNS
    )


def _placeholder_at_end(text: str) -> bool:
    """Whether a line ends in ``+NAME+``, which is a placeholder and no continuation."""
    at = text.rfind("+", 0, len(text) - 1)
    word = text[at + 1 : -1] if at >= 0 else ""
    return bool(word) and word.replace("_", "").replace(".", "").isalnum()
