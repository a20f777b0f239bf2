"""Jacl scripts of wsadmin (Tcl), read and never run: words, ``set``, ``lappend``, ``foreach`` over
literals.

Everything else is a hole: a value that is not known. Calls under a condition and in procedures are
given as uncertain.
"""

from __future__ import annotations

from itertools import pairwise

from topograph.importers.sibus.admin_words import HOLE, Value, split
from topograph.importers.sibus.script import MAX_STEPS, TOO_MUCH, Call, CallScript, Work
from topograph.records import record

_OBJECTS = {"$AdminTask": "AdminTask", "$AdminConfig": "AdminConfig"}
_DEPTH = 40
_LONGEST = 16_000
_MOST_ROUNDS = 10_000
_MOST_KEPT = 1_000
_BLANK = " \t"
_FOLLOWED = ("AdminTask", "AdminConfig", "set ", "append ", "incr ", "gets ", "read ", "source ")
"""What a script in braces has that calls an object or changes a variable; ``unset`` and
``lappend`` end like others.
"""

_CERTAIN = frozenset({"catch", "eval", "subst"})


@record
class _Word:
    """A word as written: ``kind`` is ``braces``, ``quotes`` or ``bare``."""

    kind: str
    text: str
    at: int


def read_jacl(text: str) -> CallScript:
    """The calls of a script. Never raises; linear in the text, times the nesting of its
    brackets, and in the rounds of its loops.
    """
    reader = _Reader(text)
    reader.run(text, 0, 0, "")
    return CallScript(
        reader.calls, reader.cut or (TOO_MUCH if reader.work.spent else ""), reader.takes_in
    )


class _Reader:
    def __init__(self, text: str) -> None:
        self.calls: list[Call] = []
        self.known: dict[str, Value] = {}
        self.changing: set[str] = set()
        """Variables that procedures change: nobody knows when."""
        self.about: dict[str, str] = {}
        self.cut = ""
        self.takes_in = False
        self.work = Work()
        self.steps = 0
        self.commands: dict[tuple[str, int], tuple[list[_Word], int]] = {}
        """What was read of commands, by text and place."""
        self.starts = [0]
        for index, character in enumerate(text):
            if character == "\n" or (character == "\r" and text[index + 1 : index + 2] != "\n"):
                self.starts.append(index + 1)

    def run(self, text: str, base: int, depth: int, why: str) -> Value:
        """Follow the commands of a text that stands at offset ``base`` of the script; the value
        of the last one.
        """
        value: Value = ""
        at = 0
        while at < len(text):
            words, at = self._command(text, at)
            if words:
                self.steps += 1
                if depth > _DEPTH or self.steps > MAX_STEPS or self.work.spent:
                    self.cut = TOO_MUCH
                if self.cut:
                    return HOLE
                value = self._do(words, base, depth, why)
        return value

    def _command(self, text: str, at: int) -> tuple[list[_Word], int]:
        """The command here, read once: the body of a loop is the same in each round."""
        found = self.commands.get((text, at))
        if found is None:
            found = _command(text, at)
            if len(self.commands) < _MOST_KEPT:
                self.commands[text, at] = found
        return found

    def _do(self, words: list[_Word], base: int, depth: int, why: str) -> Value:
        name = words[0].text
        if name in _OBJECTS:
            return self._call(words, base, depth, why)
        if name == "set" and len(words) == 3:
            value = self._value(words[2], base, depth, why)
            variable = words[1].text
            self.about[variable] = (words[2].text[:300] + " " + self._behind(words[2].text))[:500]
            self.known[variable] = HOLE if why else self.work.bounded(value)
            return self.known[variable]
        if name == "lappend" and len(words) > 2:
            known = self._known(words[1].text, [])
            items = [self._value(word, base, depth, why) for word in words[2:]]
            known = split(known) if isinstance(known, str) and HOLE not in known else known
            self.known[words[1].text] = (
                self.work.bounded([*known, *items]) if isinstance(known, list) and not why else HOLE
            )
            return self.known[words[1].text]
        if name == "list":
            return self.work.bounded([self._value(word, base, depth, why) for word in words[1:]])
        if name == "foreach" and len(words) == 4:
            return self._foreach(words, base, depth, why)
        if (
            name == "if"
            and len(words) == 3
            and words[1].text.strip(" []") == "$AdminConfig hasChanges"
        ):
            return self.run(words[2].text, base + words[2].at, depth + 1, why)
        if name in _CERTAIN and len(words) > 1:
            inner = words[1]
            if inner.kind == "braces" and name != "subst":
                return self.run(inner.text, base + inner.at, depth + 1, why)
            value = self._substituted(inner.text, base + inner.at, depth, why)
            return value if name == "subst" else HOLE
        return self._other(words, base, depth, why)

    def _other(self, words: list[_Word], base: int, depth: int, why: str) -> Value:
        """Any other command: scripts in its words may or may not be run, with whatever values."""
        reasons = {"proc": "it is in a procedure"}
        for word in words[1:]:
            if word.kind != "braces":
                self._value(word, base, depth, why)
            elif any(each in word.text for each in _FOLLOWED):
                before = dict(self.known)
                reason = why or reasons.get(
                    words[0].text,
                    "it is under a condition, or in a loop that is not over literals",
                )
                if words[0].text == "proc":
                    self.known = {}
                    self.changing.update(_global_in(word.text))
                self.run(word.text, base + word.at, depth + 1, reason)
                changed = [name for name, value in self.known.items() if before.get(name) != value]
                self.known = before
                if words[0].text != "proc":
                    self.known |= dict.fromkeys(changed, HOLE)
        if words[0].text in ("source", "uplevel"):
            self.known = dict.fromkeys(self.known, HOLE)
            self.takes_in = True
        if words[0].text in ("incr", "append", "unset", "global", "upvar", "gets", "read"):
            for word in words[1:]:
                self.known[word.text] = HOLE
        return HOLE

    def _known(self, name: str, otherwise: Value) -> Value:
        return HOLE if name in self.changing else self.known.get(name, otherwise)

    def _foreach(self, words: list[_Word], base: int, depth: int, why: str) -> Value:
        values = self._value(words[2], base, depth, why)
        if isinstance(values, str) and HOLE not in values:
            values = split(values)
        names = words[1].text.split()
        body = words[3]
        leaves = "break" in body.text or "continue" in body.text or "return" in body.text
        if (
            why
            or leaves
            or not isinstance(values, list)
            or not names
            or len(values) > _MOST_ROUNDS
            or len(values) % len(names)
        ):
            return self._other([words[0], body], base, depth, why)
        for at in range(0, len(values), len(names)):
            self.known.update(zip(names, values[at : at + len(names)], strict=True))
            self.run(body.text, base + body.at, depth + 1, "")
            if self.cut:
                break
        return ""

    def _call(self, words: list[_Word], base: int, depth: int, why: str) -> Value:
        arguments = [self._value(word, base, depth, why) for word in words[2:]]
        if len(words) < 2:
            return HOLE
        offset = base + words[0].at
        line, column = self._place(offset)
        text = " ".join(word.text for word in words[2:])[:1000]
        about = (text + " " + self._behind(text))[:2000]
        self.calls.append(
            Call(
                _OBJECTS[words[0].text],
                words[1].text,
                tuple(map(self.work.bounded, arguments)),
                line,
                column,
                not why,
                why,
                about,
            )
        )
        return HOLE

    def _behind(self, text: str) -> str:
        """What the variables in a text were made of."""
        pieces = text[:1000].split("$")[1:20]
        return " ".join(self.about.get(_variable(piece)[0], "") for piece in pieces)

    def _place(self, offset: int) -> tuple[int, int]:
        from bisect import bisect_right

        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def _value(self, word: _Word, base: int, depth: int, why: str) -> Value:
        if word.kind == "braces":
            return word.text.replace("\\\r\n", " ").replace("\\\n", " ")
        text = word.text
        if text.startswith("[") and text.endswith("]") and _bracket_end(text, 0) == len(text):
            return self.run(text[1:-1], base + word.at + 1, depth + 1, why)
        if text.startswith("$") and word.kind == "bare":
            name, rest = _variable(text[1:])
            if not rest:
                return self._known(name, HOLE)
        return self._substituted(text, base + word.at, depth, why)

    def _substituted(self, text: str, base: int, depth: int, why: str) -> str:
        """A text with its variables and commands filled in."""
        found: list[str] = []
        size, at = 0, 0
        while at < len(text):
            character = text[at]
            piece: Value = character
            after = at + 1
            if character == "\\" and after < len(text):
                piece, after = text[after].replace("\n", " "), at + 2
            elif character == "$":
                name, rest = _variable(text[at + 1 : at + 300])
                if name:
                    piece = self._known(name, HOLE)
                    after = at + 1 + len(text[at + 1 : at + 300]) - len(rest)
            elif character == "[":
                after = _bracket_end(text, at)
                piece = self.run(text[at + 1 : after - 1], base + at + 1, depth + 1, why)
            shown = piece if isinstance(piece, str) else _listed(piece)
            size += len(shown)
            found.append(shown)
            at = after
            if size > _LONGEST:
                return HOLE
        return "".join(found)


def _global_in(body: str) -> set[str]:
    """The variables that a procedure says to be global and gives another value."""
    words = body.replace(";", " ").split()
    said = {
        word
        for line in body.splitlines()
        if line.strip().startswith("global ")
        for word in line.split()[1:]
    }
    given = {
        after
        for word, after in pairwise(words)
        if word in ("set", "lappend", "append", "incr", "unset")
    }
    return said & given


def _listed(value: Value) -> str:
    """A list as the text that it is to Tcl."""
    if isinstance(value, str):
        return value if value and not any(blank in value for blank in " \t\n") else f"{{{value}}}"
    return " ".join(
        _listed(each) if isinstance(each, str) else f"{{{_listed(each)}}}"
        for each in value[:_MOST_ROUNDS]
    )


def _variable(text: str) -> tuple[str, str]:
    """The name of a variable that a text begins with (behind its ``$``), and the rest."""
    if text.startswith("{"):
        end = text.find("}")
        return (text[1:end], text[end + 1 :]) if end > 0 else ("", text)
    at = 0
    while at < len(text) and (text[at].isalnum() or text[at] in "_:"):
        at += 1
    return text[:at], text[at:]


def _command(text: str, at: int) -> tuple[list[_Word], int]:
    """The words of the command that begins here, and where the next one does."""
    words: list[_Word] = []
    while at < len(text):
        character = text[at]
        if character in _BLANK:
            at += 1
        elif character == "\\" and text[at + 1 : at + 2] in ("\n", "\r"):
            at += 3 if text.startswith("\r\n", at + 1) else 2
        elif character in "\n\r;":
            return words, at + 1
        elif character == "#" and not words:
            while at < len(text) and text[at] not in "\n\r":
                at += 1
        else:
            word, at = _word(text, at)
            words.append(word)
    return words, at


def _word(text: str, at: int) -> tuple[_Word, int]:
    begin = at
    if text[at] == "{":
        depth = 0
        while at < len(text):
            if text[at] == "\\":
                at += 1
            elif text[at] == "{":
                depth += 1
            elif text[at] == "}":
                depth -= 1
                if depth == 0:
                    break
            at += 1
        return _Word("braces", text[begin + 1 : at], begin + 1), at + 1
    if text[at] == '"':
        at += 1
        while at < len(text) and text[at] != '"':
            at = _bracket_end(text, at) if text[at] == "[" else at + (2 if text[at] == "\\" else 1)
        return _Word("quotes", text[begin + 1 : at], begin + 1), at + 1
    while at < len(text) and text[at] not in " \t\n\r;":
        at = _bracket_end(text, at) if text[at] == "[" else at + (2 if text[at] == "\\" else 1)
    return _Word("bare", text[begin:at], begin), min(at, len(text))


def _bracket_end(text: str, at: int) -> int:
    """Behind the bracket that closes the one here; the end of the text where none does."""
    depth = 0
    while at < len(text):
        character = text[at]
        if character == "\\":
            at += 1
        elif character == "[":
            depth += 1
        elif character == "]":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return len(text)
