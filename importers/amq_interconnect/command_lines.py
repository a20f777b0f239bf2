"""The command lines of a shell script, split as a POSIX shell splits them (quotes, continuations,
comments, here-documents, pipes).

They are read, never run: of all that a shell does only plain assignments of plain texts are
followed. What would need more (another expansion, a loop, a file as input) is a fault of the
command line that holds it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from topograph.findings import Source
from topograph.importers.positions.places import Places, Placing

CONTROL = frozenset(
    {"if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac",
        "function", "select", "{", "}", "!", "[["}
)  # fmt: skip
"""Words by which a shell branches and repeats."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)\Z", re.DOTALL)
_PLAIN = re.compile(r"[^ \t\r\f\v\n\\'\"$`#;&|<>()]+")
_IN_DOUBLE = re.compile(r"[^\\\"$`]+")
_BLANK = re.compile(r"[ \t\r\f\v]+")
_DESCRIPTOR = re.compile(r"[0-9]+(?=[<>])")
_EXPANDS = re.compile(r"\$[A-Za-z_0-9{(@*#?!$-]|`")
_PARENTHESIS = re.compile(r"[()]")
_UNSPLIT = re.compile(r"[\s*?\[]")

_LONGEST_VALUE = 4_096
"""Characters of a variable that is followed."""

_MOST_PUT_IN = 65_536
"""Characters that variables may add to a script."""


@dataclass(slots=True)
class CommandWord:
    """A word without its quotes; ``bare`` if nothing of it was quoted. ``source`` is where it
    begins.
    """

    text: str
    source: Source
    bare: bool = True


@dataclass(slots=True)
class Input:
    """A text that a command is given as its input, and where it stands."""

    text: str
    placing: Placing


@dataclass(slots=True)
class CommandLine:
    """One simple command. ``fault`` says why it cannot be known what a shell would run;
    ``piped`` if the output of the one before it is its input.
    """

    words: list[CommandWord] = field(default_factory=list)
    source: Source = Source("")
    input: Input | None = None
    file: str = ""
    """The file that it reads as its input."""
    fault: str = ""
    piped: bool = False


@dataclass(slots=True)
class _Here:
    """A here-document whose text begins behind the end of the line."""

    command: CommandLine
    word: str
    quoted: bool
    tabs: bool


class _Split:
    def __init__(self, text: str, file: str) -> None:
        self.text = text.replace("\r\n", "\n")
        self.file = file
        self.places = Places(self.text, Placing(file))
        self.at = 0
        self.found: list[CommandLine] = []
        self.command = CommandLine()
        self.heres: list[_Here] = []
        self.variables: dict[str, str] = {}
        self.put_in = 0

    def run(self) -> list[CommandLine]:
        while self.at < len(self.text):
            self.step()
        self.end()
        self.bodies()
        return self.found

    def step(self) -> None:
        """Read on by one word, operator or blank."""
        text, at = self.text, self.at
        character = text[at]
        if blank := _BLANK.match(text, at):
            self.at = blank.end()
        elif character == "\n":
            self.at += 1
            self.end()
            self.bodies()
        elif text.startswith("\\\n", at):
            self.at += 2
        elif character == "#":
            end = text.find("\n", at)
            self.at = len(text) if end < 0 else end
        elif character in ";&|":
            double = text.startswith(character * 2, at)
            self.at += 2 if double else 1
            if character == "&" and not double and text.startswith(">", self.at):
                return  # ``&> file``: the rest is a redirection
            self.end(pipe=character == "|" and not double)
        elif character in "()":
            self.begin(at)
            self.fault("a subshell or function is not followed: write the commands out")
            self.at += 1
            self.end()
        elif character in "<>" or _DESCRIPTOR.match(text, at):
            self.redirection()
        else:
            self.begin(at)
            self.command.words.append(self.word())

    def begin(self, offset: int) -> None:
        if not self.command.source.line:
            self.command.source = self.places.source(offset)

    def fault(self, text: str) -> None:
        self.command.fault = self.command.fault or text

    def end(self, *, pipe: bool = False) -> None:
        """The command ends; with ``pipe`` its output goes to the next."""
        command = self.command
        if command.words and all(
            _ASSIGNMENT.match(word.text) for word in self._assigned(command.words)
        ):
            if not command.fault:
                self.assign(self._assigned(command.words))
            else:
                for word in self._assigned(command.words):
                    self.variables.pop(word.text.partition("=")[0], None)
        elif command.words or command.fault:
            self.found.append(command)
        self.command = CommandLine(piped=pipe)

    @staticmethod
    def _assigned(words: list[CommandWord]) -> list[CommandWord]:
        return words[1:] if words[0].text in ("export", "readonly") and len(words) > 1 else words

    def assign(self, words: list[CommandWord]) -> None:
        for word in words:
            name, _, value = word.text.partition("=")
            if len(value) <= _LONGEST_VALUE:
                self.variables[name] = value
            else:
                self.variables.pop(name, None)

    def word(self) -> CommandWord:
        parts: list[str] = []
        start, bare = self.at, True
        while self.at < len(self.text):
            text, at = self.text, self.at
            character = text[at]
            if plain := _PLAIN.match(text, at):
                parts.append(plain.group())
                self.at = plain.end()
            elif character == "#":
                parts.append(character)
                self.at += 1
            elif character == "'":
                bare = False
                parts.append(self.single())
            elif character == '"':
                bare = False
                parts.append(self.double())
            elif character == "\\":
                if not text.startswith("\\\n", at):
                    bare = False
                    parts.append(text[at + 1 : at + 2])
                self.at += 2
            elif character in "$`":
                parts.append(self.expansion(quoted=False))
            else:
                break
        return CommandWord("".join(parts), self.places.source(start), bare)

    def single(self) -> str:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            self.fault("a single quotation mark is not closed")
            end = len(self.text)
        found = self.text[self.at + 1 : end]
        self.at = end + 1
        return found

    def double(self) -> str:
        parts: list[str] = []
        self.at += 1
        while self.at < len(self.text):
            text, at = self.text, self.at
            character = text[at]
            if plain := _IN_DOUBLE.match(text, at):
                parts.append(plain.group())
                self.at = plain.end()
            elif character == '"':
                self.at += 1
                return "".join(parts)
            elif character == "\\":
                escaped = text[at + 1 : at + 2]
                parts.append(
                    ""
                    if escaped == "\n"
                    else escaped
                    if escaped and escaped in '$`"\\'
                    else f"\\{escaped}"
                )
                self.at += 2
            else:
                parts.append(self.expansion(quoted=True))
        self.fault("a double quotation mark is not closed")
        return "".join(parts)

    def expansion(self, *, quoted: bool) -> str:
        """The value of a variable that the script has set to a plain text; anything else that a
        shell would replace is a fault.
        """
        text, at = self.text, self.at
        braces = text.startswith("${", at)
        name = _NAME.match(text, at + 1 + braces) if text[at] == "$" else None
        self.at += 1
        if name is None and not _EXPANDS.match(text, at):
            return text[at]
        if (
            name is None
            or (braces and not text.startswith("}", name.end()))
            or name.group() not in self.variables
        ):
            what = f"${name.group()}" if name is not None and not braces else "an expansion"
            self.fault(f"its words hold {what}, which a shell replaces and which is not known here")
            self.at = self.behind(at)
            return text[at]
        self.at = name.end() + braces
        value = self.variables[name.group()]
        self.put_in += len(value)
        if self.put_in > _MOST_PUT_IN:
            self.fault("variables make the script too large")
            return ""
        if not quoted and _UNSPLIT.search(value):
            self.fault(
                f"the shell would split the value of ${name.group()}: put it in double "
                "quotation marks"
            )
        return value

    def behind(self, at: int) -> int:
        """The offset behind what a shell would run at ``at``, or behind the sign there."""
        if self.text[at] == "`":
            end = self.text.find("`", at + 1)
            return len(self.text) if end < 0 else end + 1
        depth = 0
        if self.text.startswith("$(", at):
            for found in _PARENTHESIS.finditer(self.text, at):
                depth += 1 if found.group() == "(" else -1
                if not depth:
                    return found.end()
            return len(self.text)
        return at + 1

    def redirection(self) -> None:
        text = self.text
        descriptor = _DESCRIPTOR.match(text, self.at)
        self.begin(self.at)
        if descriptor:
            self.at = descriptor.end()
        for sign in ("<<<", "<<-", "<<", "<&", ">&", ">>", ">|", "<>", "<", ">"):
            if text.startswith(sign, self.at):
                break
        self.at += len(sign)
        while blank := _BLANK.match(text, self.at):
            self.at = blank.end()
        offset = self.at
        target = self.word()
        if not (target.text or not target.bare):
            self.fault(f"nothing follows {sign}")
        elif sign == "<<<":
            self.command.input = Input(
                target.text, Placing(self.file, whole=self.places.line_and_column(offset))
            )
        elif sign in ("<<", "<<-"):
            self.heres.append(_Here(self.command, target.text, not target.bare, sign == "<<-"))
        elif sign == "<":
            self.command.file = target.text

    def bodies(self) -> None:
        """The texts of the here-documents that begin behind the end of a line."""
        for here in self.heres:
            start, lines, closed = self.at, [], False
            while self.at < len(self.text) and not closed:
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                line = self.text[self.at : end]
                line = line.lstrip("\t") if here.tabs else line
                self.at = end + 1
                closed = line == here.word
                if not closed:
                    lines.append(line)
            body = "\n".join(lines)
            if not closed:
                here.command.fault = (
                    here.command.fault or f"the here-document is not closed by {here.word}"
                )
            if not here.quoted and (_EXPANDS.search(body) or "\\" in body):
                why = (
                    "a shell replaces what begins with $, ` or \\ in its here-document: "
                    f"quote {here.word} behind <<"
                )
                here.command.fault = here.command.fault or why
            first, _ = self.places.line_and_column(min(start, len(self.text)))
            here.command.input = Input(body, Placing(self.file, lines=first - 1))
        self.heres = []


def split(text: str, file: str) -> list[CommandLine]:
    """The simple commands of a script in order, without assignments. Never raises; linear in the
    text.
    """
    return _Split(text, file).run()
