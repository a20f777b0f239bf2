"""MQSC inside texts that run it and are no script of a POSIX shell by its grammar (batch files,
PowerShell, scripts within others, pieces of one), line by line: here-documents, ``echo`` and
``printf`` into runmqsc or into a file for it, and what crtmqm says.

Every text keeps the lines of the script. A variable that the script sets once, to a plain text, is
put in where a shell would; others stay as they are, which is template text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice, product
from types import MappingProxyType

from topograph.importers import lexical
from topograph.importers.ibm_mq.batch import put_in
from topograph.importers.ibm_mq.command_lines import as_run, word_at
from topograph.importers.ibm_mq.rows import Row, ran_at
from topograph.importers.ibm_mq.shell_texts import Fed, Lost, ShellScript, Text
from topograph.importers.ibm_mq.tools import created_by

HERE = re.compile(r"<<(?!<)-?+[ \t]*+(\\|[\"'])?+([\w!@.%#-]++)")
"""Where a here-document begins: whether its end is quoted, and the end."""
ECHO = re.compile(
    r"(?:^|[\s;&|({\"'`])(?:echo|printf|print)\b[ \t]*+(?:-[a-zA-Z]++[ \t]++)*+", re.IGNORECASE
)
"""A program that prints its arguments."""
BEHIND = ")\"'`;"
"""What may stand behind the word that ends a here-document."""
_ASSIGN = re.compile(
    r"[ \t]*+(?:export[ \t]++|set[ \t]++\"?|readonly[ \t]++|local[ \t]++|typeset[ \t]++)?+(\w++)="
    r"(\"[^\"$`]*+\"|'[^']*+'|[^\s\"'$`;&|()]*+)[\s;\"]*+(?:#|\Z)"
)
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/%-")
_MOST_VALUES = 200
"""Runs of a loop that are followed, each with its own values."""
_VARIABLE = re.compile(r"\$(?:\{(\w++)\}|(\w++))")
_FILE = re.compile(r">>?[ \t]*+[\"']?([^\s\"'|&;<>]++)")
_INPUT = re.compile(r"<[ \t]*+[\"']?([^\s\"'|&;<>]++)")
_OPTION = re.compile(r"[ \t]-f[ \t]*+[\"']?([^\s\"'|&;<>]++)")
_CAT = re.compile(r"\b(?:cat|type|Get-Content|envsubst[ \t]*+<)[ \t]++[\"']?([^\s\"'|&;<>]++)")
_PLUMBING = re.compile(r"[ \t]*+(?:\||>|\Z)")
_MOST_OPEN = 50
"""Words with a quote that does not end, of one line, that are looked for the end of: each search
goes to the end of the line."""
_MOST_LINES = 20_000
"""Lines that a text in quotes may have."""


def read_lines(text: str, command: re.Pattern[str]) -> ShellScript:
    """The texts of a script in their order. Linear."""
    return _Reader(text, command).read()


class _Reader:
    def __init__(self, text: str, command: re.Pattern[str]) -> None:
        self.lines = [as_run(line) for line in put_in(one.text for one in lexical.lines(text))]
        self.command = command
        self.found = ShellScript()
        self.fed: list[Fed] = []
        self.variables: dict[str, str | None] = {}
        self.loops: dict[str, list[str]] = {}
        """The values of the variables of loops, one after another."""
        self.names_by_file: dict[str, str] = {}
        self.pending: list[Text] = []
        self.raw: Text | None = None
        self.names: list[str] = []

    def read(self) -> ShellScript:
        self._variables()
        number = 0
        while number < len(self.lines):
            number = self._line(number)
        self._assign()
        return self.found

    def _variables(self) -> None:
        for line in self.lines:
            match = _ASSIGN.match(line) if "=" in line else None
            if match is not None:
                value = match[2].strip("\"'")
                known = self.variables.get(match[1], value)
                self.variables[match[1]] = value if known == value else None
            variable, values = _loop(line)
            if variable and self.loops.setdefault(variable, values) != values:
                self.loops[variable] = []

    def _put_in(self, text: str, values: Mapping[str, str] = MappingProxyType({})) -> str:
        """The text with the variables that are known; ``values`` are those of loops."""
        if "$" not in text:
            return text

        def value(match: re.Match[str]) -> str:
            name = match[1] or match[2]
            found = values.get(name, self.variables.get(name))
            return match[0] if found is None else found

        return _VARIABLE.sub(value, text)

    def _runs(self, text: str) -> Iterator[Mapping[str, str]]:
        """What the variables of loops in a text stand for, once for each run of it."""
        named = dict.fromkeys(match[1] or match[2] for match in _VARIABLE.finditer(text))
        looped = [name for name in named if self.loops.get(name) and name not in self.variables]
        each = islice(product(*(self.loops[name] for name in looped)), _MOST_VALUES)
        yield from (dict(zip(looped, values, strict=True)) for values in each)

    def _line(self, number: int) -> int:
        """Read what begins in a line; returns the number of the line behind it."""
        line = self.lines[number]
        stripped = line.strip()
        if not stripped:
            return number + 1
        if self.raw is not None or (stripped[0] != "#" and self.command.match(line)):
            return self._raw(number, stripped)
        if stripped[0] == "#" or stripped[:4].upper() == "REM ":
            self.found.others += 1
            return number + 1
        here = HERE.search(line) if "<<" in line else None
        if here is not None:
            return self._here(number, here)
        echo = ECHO.search(line) if "echo" in line.lower() or "print" in line else None
        behind = number + 1
        if echo is not None:
            behind = self._echo(number, echo.end())
        self._commands(number, behind)
        return behind

    def _commands(self, number: int, behind: int) -> None:
        """What the rest of a line runs."""
        self.found.others += 1
        for line in self.lines[number:behind]:
            runs, creates = "runmqsc" in line.lower(), "crtmqm" in line or "runmqlsr" in line
            for values in self._runs(line) if runs or creates else ():
                if runs:
                    self._ran(line, number + 1, values)
                if creates:
                    self._created(number, line, values)

    def _ran(self, line: str, number: int, values: Mapping[str, str]) -> None:
        name = self._put_in(ran_at(line), values)
        at = line.lower().rfind("runmqsc")
        piped = _CAT.search(line, 0, at) if "|" in line[:at] else None
        read = _INPUT.search(line, at) or _OPTION.search(line, at) or piped
        if read is not None:
            self.fed.append(Fed(self._put_in(read[1], values), name, number))
        if not name:
            return
        self.names.append(name)
        if "|" in line[:at]:
            own = [text for text in self.pending if not text.file]
            for text in own:
                text.name = text.name or name
            if not own and read is None:
                before = line[:at].rpartition("|")[0].split()
                self.found.lost.append(Lost(before[0] if before else "a pipe", name, number))
            self.pending = [text for text in self.pending if text.file]
        if fed := _INPUT.search(line, at):
            self.names_by_file[self._put_in(fed[1], values)] = name

    def _created(self, number: int, line: str, values: Mapping[str, str]) -> None:
        words = (
            self._put_in(line, values)
            .replace(";", " ; ")
            .replace("&", " & ")
            .replace("|", " | ")
            .split()
        )
        created = created_by([word.strip("\"'`") for word in words], number + 1)
        if created is not None:
            self.found.created.append(created)
            self.names.append(created.name)

    def _here(self, number: int, here: re.Match[str]) -> int:
        """A here-document."""
        line = self.lines[number]
        end = here[2]
        expands = here[1] is None
        body: list[Row] = []
        at = number + 1
        while at < len(self.lines) and self.lines[at].strip().rstrip(BEHIND) != end:
            body.append(Row(at + 1, self.lines[at]))
            at += 1
        used = [line, *(row.text for row in body)] if expands else [line]
        for values in self._runs("\n".join(used)):
            rows = (
                [Row(row.number, self._put_in(row.text, values)) for row in body]
                if expands
                else body
            )
            self._document(number, rows, values)
        self.found.others += 1
        return at + 1

    def _document(self, number: int, rows: list[Row], values: Mapping[str, str]) -> None:
        """What the here-document of a line is, in one run of the loops that it stands in."""
        line = self.lines[number]
        runs = "runmqsc" in line.lower()
        if not runs and any(row.text.startswith(("apiVersion:", "kind:")) for row in rows):
            self.found.yaml[number + 1] = "---"
            self.found.yaml.update((row.number, row.text) for row in rows)
        elif runs or any(self.command.match(row.text) for row in rows):
            name = self._put_in(ran_at(line), values) if runs else ""
            target = _FILE.search(line)
            file = self._put_in(target[1], values) if target and not runs else ""
            if name:
                self.names.append(name)
            self.found.texts.append(Text(rows, name, file))
        else:
            self.found.others += len(rows)

    def _echo(self, number: int, at: int) -> int:
        """The argument of an echo or printf."""
        line = self.lines[number]
        printf = "printf" in line[:at] or " -e" in line[:at]
        quote = line[at : at + 1]
        rows: list[Row] = []
        last = number
        if quote in ("'", '"'):
            last = self._quoted(number, at, printf, rows)
        else:
            end = len(line)
            for mark in (" |", " >", ">>", "|"):
                found = line.find(mark, at)
                end = min(end, found) if found >= 0 else end
            rows += _rows(self._put_in(line[at:end].strip()).replace("\\", ""), number + 1, printf)
        rows = [row for row in rows if row.text.strip()]
        if not rows:
            return last + 1
        target = _FILE.search(self.lines[last])
        file = self._put_in(target[1]) if target else ""
        held = next((text for text in reversed(self.pending) if text.file == file), None)
        if held is not None:
            held.rows += rows
        elif any(self.command.match(row.text) for row in rows):
            text = Text(rows, "", file)
            self.pending.append(text)
            self.found.texts.append(text)
        return last + 1

    def _quoted(self, number: int, at: int, printf: bool, rows: list[Row]) -> int:
        """Texts in quotes, several beside each other or over several lines; returns the number
        of the last line.
        """
        last = min(number + _MOST_LINES, len(self.lines))
        quote = ""
        joins = False
        while number < last:
            line = self.lines[number]
            open_words = 0
            while at < len(line):
                if not quote:
                    if line[at] not in "'\"":
                        if not line[at].isspace():
                            break
                        at += 1
                        continue
                    quote = line[at]
                    at += 1
                part, end, ends = _in_quotes(line, at, quote, words=open_words < _MOST_OPEN)
                open_words += not ends
                found = list(
                    _rows(self._put_in(part) if quote == '"' else part, number + 1, printf)
                )
                if joins and rows and found:
                    rows[-1] = Row(rows[-1].number, f"{rows[-1].text} {found[0].text}")
                    found = found[1:]
                rows += found
                joins = end >= 0
                at = len(line) if end < 0 else end + 1
                quote = quote if end < 0 else ""
            if not quote and not line.endswith("\\"):
                return number
            number, at = number + 1, 0
        return last - 1

    def _raw(self, number: int, stripped: str) -> int:
        """A command that stands in the script as it is: of a function that prints it, or of
        something that is no shell.
        """
        if self.raw is None:
            self.raw = Text()
            self.found.texts.append(self.raw)
        self.raw.rows.append(Row(number + 1, self.lines[number]))
        if not stripped.endswith(("+", "-")) and stripped[0] != "*":
            self.raw = None
        return number + 1

    def _assign(self) -> None:
        """The names of the texts that were not said beside them, and what is read from
        elsewhere.
        """
        written = {text.file for text in self.found.texts}
        self.found.fed = [one for one in self.fed if one.file not in written]
        only = list(dict.fromkeys(self.names))
        for text in self.found.texts:
            text.name = text.name or self.names_by_file.get(text.file, "")
            if not text.name and len(only) == 1:
                text.name = only[0]


def _loop(line: str) -> tuple[str, list[str]]:
    """The variable of a loop that a line begins, and the words that it stands for; empty where they
    are not written there."""
    head, mark, names = line.partition(" in ")
    words = head.split()
    if not mark or len(words) != 2 or words[0] != "for":
        return "", []
    values = [word.strip("\"'") for word in names.partition(";")[0].split()]
    plain = all(word and set(word) <= _PLAIN for word in values)
    return (words[1], values) if values and plain else ("", [])


def _in_quotes(line: str, at: int, quote: str, *, words: bool) -> tuple[str, int, bool]:
    """The text up to the closing quote and, with ``words``, what the word goes on with behind it,
    unescaped; the offset of its last character, -1 if the line ends before the quote; and whether
    the word ends in the line.
    """
    parts: list[str] = []
    while at < len(line):
        character = line[at]
        if character == "\\" and quote == '"' and line[at + 1 : at + 2] in ('"', "\\", "$", "`"):
            parts.append(line[at + 1])
            at += 2
            continue
        if character == quote:
            if line.startswith("'\\\\''", at) and quote == "'":
                parts.append("'")
                at += 5
                continue
            rest = word_at(line, at + 1) if words else None
            if rest is None:
                return "".join(parts), at, not words
            return "".join((*parts, rest[0])), rest[1] - 1, True
        parts.append(character)
        at += 1
    return "".join(parts), -1, True


def _rows(text: str, number: int, escapes: bool) -> Iterator[Row]:
    """The lines of a text that an echo or printf writes."""
    for part in text.split("\\n") if escapes or "\\n" in text else [text]:
        yield Row(number, part)
