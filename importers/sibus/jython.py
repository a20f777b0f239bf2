"""Jython scripts of wsadmin, read and never run: literals, simple assignments, loops over literals.

Everything else is a hole: a value that is not known. Calls under a condition, in functions and in
loops that are not over literals are given as uncertain.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from topograph.importers.sibus.admin_words import HOLE, Value
from topograph.importers.sibus.script import MAX_STEPS, TOO_MUCH, Call, Script, Work

OBJECTS = frozenset({"AdminTask", "AdminConfig"})
_DEPTH = 40
"""Nesting of brackets, and of blocks, that is followed."""
_MOST_ROUNDS = 10_000
_LONGEST = 16_000
"""Characters of a text that is put together."""
_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = frozenset(")]}")
_LIBRARIES = frozenset(
    {
        "sys", "os", "time", "string", "re", "sre", "java", "javax", "com", "org", "traceback",
        "getopt", "socket", "types", "copy", "math",
        "random", "datetime", "glob", "jarray", "operator", "AdminTask", "AdminConfig",
        "AdminControl", "AdminApp", "Help", "__future__",
    }
)  # fmt: skip
"""Modules that make nothing."""
_SAFE = frozenset(
    {
        "str",
        "len",
        "range",
        "print",
        "int",
        "join",
        "append",
        "extend",
        "list",
        "tuple",
        "dict",
        "type",
        "repr",
        "sorted",
    }
)
"""Functions that change nothing of what they are given."""

_CHANGING = frozenset({"append", "extend", "insert", "remove", "pop", "sort", "reverse"})
"""Methods that change a list."""

_BLOCKS = frozenset(
    {"if", "elif", "else", "while", "for", "def", "class", "try", "except", "finally", "with"}
)


class Token(NamedTuple):
    """A token: ``kind`` is ``name``, ``text``, ``number`` or ``mark``."""

    kind: str
    value: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A logical line: its indentation in columns and its tokens."""

    indent: int
    tokens: tuple[Token, ...]


def read_jython(text: str) -> Script:
    """The calls of a script. Never raises; linear in the text and in the rounds of its loops,
    which are bounded.
    """
    statements = _statements(text)
    reader = _Reader(statements)
    reader.block(0, len(statements), 0, "")
    return Script(
        reader.calls,
        reader.cut or (TOO_MUCH if reader.work.spent else ""),
        any(map(_takes_in, statements)),
    )


def _statements(text: str) -> list[Statement]:
    found: list[Statement] = []
    tokens: list[Token] = []
    at, line, begin, depth, indent = 0, 1, 0, 0, 0
    size = len(text)

    def flush() -> None:
        nonlocal tokens
        if tokens:
            found.append(Statement(indent, tuple(tokens)))
        tokens = []

    while at < size:
        character = text[at]
        if character in "\r\n":
            if not depth:
                flush()
            at += 2 if text.startswith("\r\n", at) else 1
            line, begin = line + 1, at
        elif character in " \t\f":
            at += 1
        elif character == "\\" and text[at + 1 : at + 2] in ("\r", "\n"):
            at += 3 if text.startswith("\r\n", at + 1) else 2
            line, begin = line + 1, at
        elif character == "#":
            while at < size and text[at] not in "\r\n":
                at += 1
        else:
            if not tokens:
                indent = len(text[begin:at].expandtabs())
            column = at - begin + 1
            end = at + 1
            if character in "\"'" or (
                character in "rRuUbB" and text[at + 1 : at + 2] in ("'", '"')
            ):
                value, end = _string(text, at)
                tokens.append(Token("text", value, line, column))
                inside = text[at:end]
                ends = inside.count("\n") + inside.count("\r") - inside.count("\r\n")
                if ends:
                    line += ends
                    begin = at + max(inside.rfind("\n"), inside.rfind("\r")) + 1
            elif character.isalpha() or character == "_":
                while end < size and (text[end].isalnum() or text[end] == "_"):
                    end += 1
                tokens.append(Token("name", text[at:end], line, column))
            elif character.isdigit():
                while end < size and (text[end].isalnum() or text[end] == "."):
                    end += 1
                tokens.append(Token("number", text[at:end], line, column))
            else:
                if character in _OPEN:
                    depth += 1
                elif character in _CLOSE:
                    depth = max(0, depth - 1)
                if character == ";" and not depth:
                    flush()
                else:
                    two = text[at : at + 2]
                    end = (
                        at + 2
                        if two in ("==", "!=", "<=", ">=", "+=", "-=", "**", "//", "<>")
                        else end
                    )
                    tokens.append(Token("mark", text[at:end], line, column))
            at = end
    flush()
    return found


def _string(text: str, at: int) -> tuple[str, int]:
    """A literal from its prefix on, and where it ends; one that is not closed ends with its line
    (with the text for three quotes).
    """
    raw = False
    while text[at] in "rRuUbB":
        raw = raw or text[at] in "rR"
        at += 1
    quote = text[at] * 3 if text.startswith(text[at] * 3, at) else text[at]
    at += len(quote)
    found: list[str] = []
    while at < len(text) and not text.startswith(quote, at):
        character = text[at]
        if character in "\r\n" and len(quote) == 1:
            return "".join(found), at
        if character == "\\" and at + 1 < len(text):
            if raw:
                found.append(text[at : at + 2])
            else:
                escaped = text[at + 1]
                found.append({"n": "\n", "t": "\t", "r": "\r", "\n": ""}.get(escaped, escaped))
            at += 2
            continue
        found.append(character)
        at += 1
    return "".join(found).replace(HOLE, ""), min(at + len(quote), len(text))


class _Number(str):
    """A number as it is written: what ``+`` adds up and does not put together."""


class _Constant(str):
    """``True``, ``False`` or ``None`` as an option has it, which is not how Python writes it."""


_CONSTANTS = {"True": _Constant("true"), "False": _Constant("false"), "None": _Constant()}


class _Reader:
    def __init__(self, statements: list[Statement]) -> None:
        self.statements = statements
        self.calls: list[Call] = []
        self.known: dict[str, Value] = {}
        self.changing = _changed_in_functions(statements)
        """Variables that functions change: nobody knows when."""
        self.shared: set[str] = set()
        """Variables that may be the same list."""
        self.about: dict[str, str] = {}
        """What variables that hold no literal were made of, in words."""
        self.steps = 0
        self.work = Work()
        self.cut = ""

    def block(self, begin: int, end: int, depth: int, why: str) -> None:
        """Follow the statements from ``begin`` to ``end``; with ``why`` it is not certain that
        the script comes here.
        """
        at = begin
        while at < end and not self.cut:
            self.steps += 1
            if self.steps > MAX_STEPS or depth > _DEPTH or self.work.spent:
                self.cut = self.cut or TOO_MUCH
                return
            statement = self.statements[at]
            first = statement.tokens[0].value if statement.tokens[0].kind == "name" else ""
            if first in _BLOCKS and any(
                token.kind == "mark" and token.value == ":" for token in statement.tokens
            ):
                inner = at + 1
                while inner < end and self.statements[inner].indent > statement.indent:
                    inner += 1
                self._compound(first, at, inner, depth, why)
                at = inner
            else:
                self._simple(statement.tokens, why)
                at += 1

    def _compound(self, word: str, at: int, end: int, depth: int, why: str) -> None:
        tokens = self.statements[at].tokens
        head, rest = _head(tokens)
        if word == "for" and not why and not _leaves(self.statements[at:end]):
            rounds = self._rounds(head)
            if rounds is not None:
                for binding in rounds:
                    self.known.update(binding)
                    self._body(rest, at, end, depth, "")
                    if self.cut:
                        return
                return
        reason = why
        asked = [token.value for token in head[1:]]
        main = word == "if" and (
            asked == ["__name__", "==", "__main__"] or _asks_for_changes(asked)
        )
        if main or word in ("try", "finally") or (word == "else" and self._else_of_try(at)):
            pass
        elif word == "def":
            reason = why or "it stands in a function"
        elif word == "except":
            reason = why or "it is for the case of an error"
        else:
            reason = why or "it stands under a condition, or in a loop that is not over literals"
        self._find(tokens if not rest else head, reason)
        if reason:
            outer, about = dict(self.known), dict(self.about)
            if word == "def":
                self._forget([token.value for token in head if token.kind == "name"])
            else:
                self._forget(_assigned(self.statements[at:end]))
            self._body(rest, at, end, depth, reason)
            self.known, self.about = outer, {**about, **self.about}
            if word != "def":
                self._forget(_assigned(self.statements[at:end]))
        else:
            self._body(rest, at, end, depth, "")

    def _body(self, rest: tuple[Token, ...], at: int, end: int, depth: int, why: str) -> None:
        if rest:
            self._simple(rest, why)
        self.block(at + 1, end, depth + 1, why)

    def _else_of_try(self, at: int) -> bool:
        indent = self.statements[at].indent
        for before in range(at - 1, max(-1, at - 500), -1):
            statement = self.statements[before]
            if statement.indent == indent:
                return statement.tokens[0].value == "except"
            if statement.indent < indent:
                return False
        return False

    def _rounds(self, head: tuple[Token, ...]) -> list[dict[str, Value]] | None:
        """What a loop over literals binds in each round; None for any other loop."""
        try:
            middle = next(
                index
                for index, token in enumerate(head)
                if token == ("name", "in", token.line, token.column)
            )
        except StopIteration:
            return None
        names = [token.value for token in head[1:middle] if token.kind == "name"]
        values, end = self._expression(head, middle + 1, 0)
        if end < len(head) or not isinstance(values, list) or len(values) > _MOST_ROUNDS:
            return None
        found: list[dict[str, Value]] = []
        for value in values:
            if len(names) == 1:
                found.append({names[0]: value})
            elif isinstance(value, list) and len(value) == len(names):
                found.append(dict(zip(names, value, strict=True)))
            else:
                return None
        return found

    def _simple(self, tokens: tuple[Token, ...], why: str) -> None:
        self._find(tokens, why)
        self._assign(tokens, why)
        self._forget(self._given_away(tokens))

    def _given_away(self, tokens: tuple[Token, ...]) -> list[str]:
        """The lists that a statement gives to functions, which may change them; all variables
        where other files are taken in.
        """
        words = {token.value for token in tokens if token.kind == "name"}
        marks = {token.value for token in tokens if token.kind == "mark"}
        if "execfile" in words or "exec" in words or ({"from", "import"} <= words and "*" in marks):
            return list(self.known)
        found: list[str] = []
        open_calls: list[bool] = []
        for before, token in pairwise(tokens):
            if token.kind == "mark" and token.value in _OPEN:
                called = token.value == "(" and before.kind == "name" and before.value not in _SAFE
                open_calls.append(called or (bool(open_calls) and open_calls[-1]))
            elif token.kind == "mark" and token.value in _CLOSE:
                if open_calls:
                    open_calls.pop()
            elif (
                token.kind == "name"
                and open_calls
                and open_calls[-1]
                and isinstance(self.known.get(token.value), list)
            ):
                found.append(token.value)
        administrative = bool(words & {"AdminTask", "AdminConfig", "AdminControl", "AdminApp"})
        return [] if administrative else found

    def _assign(self, tokens: tuple[Token, ...], why: str) -> None:
        marks = [token.value if token.kind == "mark" else "" for token in tokens[:2]]
        if len(tokens) > 2 and tokens[0].kind == "name" and marks[1] in ("=", "+="):
            name = tokens[0].value
            if any(token.kind == "mark" and token.value == "=" for token in _outermost(tokens[2:])):
                self._forget([token.value for token in _outermost(tokens) if token.kind == "name"])
                return
            value, end = self._expression(tokens, 2, 0)
            if isinstance(value, list) and (
                (marks[1] == "=" and len(tokens) == 3) or name in self.shared
            ):
                self.shared |= {name, tokens[2].value}
                value = HOLE if marks[1] == "+=" else value
            value = self.work.bounded(value) if end == len(tokens) else HOLE
            self._note(name, tokens[2:])
            if marks[1] == "+=" and self._also_elsewhere(name):
                self._forget([name])
                return
            if marks[1] == "+=":
                value = self.work.bounded(_sum(self._known(name), value))
            self.known[name] = HOLE if why else value
        elif (
            len(tokens) > 4
            and tokens[0].kind == "name"
            and tokens[1].value == "."
            and tokens[2].value in _CHANGING
        ):
            self._changed(tokens, why)
        elif any(
            token.value in ("=", "del", "global", "exec")
            for token in tokens
            if token.kind in ("mark", "name")
        ):
            self._forget([token.value for token in _outermost(tokens) if token.kind == "name"])
        elif any(
            before.value == "." and token.value in _CHANGING for before, token in pairwise(tokens)
        ):
            self._forget([token.value for token in tokens if token.kind == "name"])

    def _changed(self, tokens: tuple[Token, ...], why: str) -> None:
        name, method = tokens[0].value, tokens[2].value
        known = self._known(name)
        value, end = self._expression(tokens, 4, 0)
        simple = (
            end == len(tokens) - 1
            and tokens[3].value == "("
            and not why
            and not self._also_elsewhere(name)
        )
        if simple and isinstance(known, list) and method == "append":
            self.known[name] = self.work.bounded([*known, value])
        elif simple and isinstance(known, list) and isinstance(value, list) and method == "extend":
            self.known[name] = self.work.bounded([*known, *value])
        else:
            self._forget([name])

    def _known(self, name: str) -> Value:
        return HOLE if name in self.changing else self.known.get(name, HOLE)

    def _also_elsewhere(self, name: str) -> set[str]:
        """The other variables that have the list of a variable, or one within it."""
        found = set(self.shared) if name in self.shared else set()
        own = _lists(self.known.get(name, HOLE))
        if own:
            lists = {other: _lists(value) for other, value in self.known.items() if other != name}
            self.work.done += sum(map(len, lists.values()))
            found.update(other for other, those in lists.items() if own & those)
        return found

    def _note(self, name: str, tokens: tuple[Token, ...]) -> None:
        words = [token.value for token in tokens if token.kind in ("name", "text")]
        words += [self.about.get(word, "") for word in words]
        self.about[name] = " ".join(words)[:500]

    def _forget(self, names: list[str]) -> None:
        also = {other for name in names for other in self._also_elsewhere(name)}
        for name in {*names, *also}:
            self.known[name] = HOLE

    def _find(self, tokens: tuple[Token, ...], why: str) -> None:
        """Note every call of an administrative object in a statement."""
        for at, token in enumerate(tokens):
            if token.kind == "name" and token.value in OBJECTS and at + 3 < len(tokens):
                dot, name, bracket = tokens[at + 1 : at + 4]
                if dot.value == "." and name.kind == "name" and bracket.value == "(":
                    arguments, end = self._arguments(tokens, at + 4, 0)
                    self.work.done += end - at
                    if self.work.spent:
                        return
                    words = [
                        each.value for each in tokens[at + 4 : end] if each.kind in ("name", "text")
                    ]
                    words += [self.about.get(word, "") for word in words]
                    call = Call(
                        token.value,
                        name.value,
                        tuple(map(self.work.bounded, arguments)),
                        token.line,
                        token.column,
                        not why,
                        why,
                        " ".join(words)[:2000],
                    )
                    self.calls.append(call)

    def _arguments(
        self, tokens: tuple[Token, ...], at: int, depth: int, closing: str = ")"
    ) -> tuple[list[Value], int]:
        """The values up to a closing bracket, and where that stands."""
        found: list[Value] = []
        while at < len(tokens) and not (tokens[at].kind == "mark" and tokens[at].value == closing):
            value, at = self._expression(tokens, at, depth + 1)
            found.append(value)
            if at < len(tokens) and tokens[at].kind == "mark" and tokens[at].value == ",":
                at += 1
            elif at < len(tokens) and not (
                tokens[at].kind == "mark" and tokens[at].value in _CLOSE
            ):
                at = _past(tokens, at)
                found[-1] = HOLE
            elif at < len(tokens) and tokens[at].value != closing:
                return [HOLE], len(tokens)
        return found, at

    def _expression(self, tokens: tuple[Token, ...], at: int, depth: int) -> tuple[Value, int]:
        """A value and where it ends: where it cannot be read, a hole, and before what is not
        understood.
        """
        value, at = self._term(tokens, at, depth)
        while at < len(tokens) and tokens[at].kind == "mark" and tokens[at].value in ("+", "%"):
            mark = tokens[at].value
            other, after = self._term(tokens, at + 1, depth, whole=mark == "%")
            if mark == "%" and isinstance(other, list) and tokens[at + 1].value != "(":
                other = HOLE  # one list, or several values: only brackets tell
            value = _sum(value, other) if mark == "+" else _formatted(value, other)
            at = after
        return value, at

    def _term(
        self, tokens: tuple[Token, ...], at: int, depth: int, *, whole: bool = False
    ) -> tuple[Value, int]:
        if at >= len(tokens) or depth > _DEPTH:
            return HOLE, _past(tokens, at)
        token = tokens[at]
        value: Value = HOLE
        at += 1
        if token.kind == "text":
            value = token.value
            while at < len(tokens) and tokens[at].kind == "text":
                value += tokens[at].value
                at += 1
        elif token.kind == "number":
            value = _number(token.value)
        elif (
            token.kind == "mark"
            and token.value == "-"
            and at < len(tokens)
            and tokens[at].kind == "number"
        ):
            value, at = _number("-" + tokens[at].value), at + 1
        elif token.kind == "mark" and token.value in ("[", "("):
            begin = at
            items, at = self._arguments(tokens, at, depth, _OPEN[token.value])
            if any(each.value == "for" for each in _outermost(tokens[begin:at])):
                return self._behind(tokens, at + 1, depth, HOLE)
            single = (
                token.value == "("
                and len(items) == 1
                and not (at < len(tokens) and tokens[at - 1].value == ",")
            )
            value = items[0] if single and not (whole and isinstance(items[0], list)) else items
            at += 1
        elif token.kind == "mark" and token.value == "{":
            _, at = self._arguments(tokens, at, depth, "}")
            at += 1
        elif token.kind == "name":
            value = _CONSTANTS.get(token.value, self._known(token.value))
            if token.value in ("str", "range") and at < len(tokens) and tokens[at].value == "(":
                items, at = self._arguments(tokens, at + 1, depth)
                value, at = _function(token.value, items), at + 1
        else:
            return HOLE, at - 1 if token.value in _CLOSE else at
        return self._behind(tokens, at, depth, value)

    def _behind(
        self, tokens: tuple[Token, ...], at: int, depth: int, value: Value
    ) -> tuple[Value, int]:
        """What follows a term: attributes, calls, indices."""
        while (
            at < len(tokens) and tokens[at].kind == "mark" and tokens[at].value in (".", "(", "[")
        ):
            mark = tokens[at].value
            if mark == ".":
                method = tokens[at + 1].value if at + 1 < len(tokens) else ""
                if at + 2 < len(tokens) and tokens[at + 2].value == "(":
                    items, at = self._arguments(tokens, at + 3, depth)
                    value = _method(value, method, items)
                    at += 1
                else:
                    value, at = HOLE, at + 2
            else:
                items, at = self._arguments(tokens, at + 1, depth, _OPEN[mark])
                value = _item(value, items) if mark == "[" else HOLE
                at += 1
        return value, min(at, len(tokens))


def _asks_for_changes(words: list[str]) -> bool:
    """Whether a condition is that something is to be saved: ``AdminConfig.hasChanges()``,
    compared with what is true or not.
    """
    plain = [word for word in words if word not in ("(", ")")]
    return plain[:3] == ["AdminConfig", ".", "hasChanges"] and plain[3:] in (
        [],
        ["==", "1"],
        ["==", "True"],
        ["==", "true"],
    )


def _outermost(tokens: tuple[Token, ...]) -> list[Token]:
    """The tokens that are in no brackets."""
    depth, found = 0, []
    for token in tokens:
        depth -= token.kind == "mark" and token.value in _CLOSE
        if depth <= 0:
            found.append(token)
        depth += token.kind == "mark" and token.value in _OPEN
    return found


def _leaves(statements: list[Statement]) -> bool:
    """Whether a loop may be left before its end, or a round of it."""
    return any(
        token.kind == "name" and token.value in ("break", "continue", "return")
        for each in statements
        for token in each.tokens
    )


def _changed_in_functions(statements: list[Statement]) -> frozenset[str]:
    """The variables that some function says to be global and gives another value."""
    said: set[str] = set()
    given: set[str] = set()
    for each in statements:
        words = [token.value for token in each.tokens if token.kind == "name"]
        if "global" in words:
            said.update(words[words.index("global") + 1 :])
        if each.indent or words[:1] == ["def"]:
            given.update(_assigned([each]))
    return frozenset(said & given)


def _takes_in(statement: Statement) -> bool:
    """Whether a statement runs a file of the script's own, as far as its name tells."""
    tokens = statement.tokens
    words = [token.value for token in tokens if token.kind == "name"]
    if words[:1] == ["from"]:
        return words[1:2] != [] and words[1] not in _LIBRARIES
    if words[:1] == ["import"]:
        firsts = [
            after.value for before, after in pairwise(tokens) if before.value in ("import", ",")
        ]
        return any(first not in _LIBRARIES for first in firsts)
    return "execfile" in words


def _past(tokens: tuple[Token, ...], at: int) -> int:
    """Where the next argument or the closing bracket stands."""
    depth = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "mark":
            if depth == 0 and (token.value in _CLOSE or token.value == ","):
                return at + 1 if token.value == "," else at
            depth += (token.value in _OPEN) - (token.value in _CLOSE)
        at += 1
    return at


def _head(tokens: tuple[Token, ...]) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """The tokens before the colon of a compound statement, and those behind it on its line."""
    depth = 0
    for at, token in enumerate(tokens):
        if token.kind == "mark":
            depth += (token.value in _OPEN) - (token.value in _CLOSE)
            if token.value == ":" and depth == 0:
                return tokens[:at], tokens[at + 1 :]
    return tokens, ()


def _assigned(statements: list[Statement]) -> list[str]:
    """The names that statements may give another value."""
    found = set()
    for statement in statements:
        tokens = statement.tokens
        for token, after in pairwise(tokens):
            if (
                token.kind == "name"
                and after.kind == "mark"
                and after.value in ("=", "+=", "-=", ".", ",", "[")
            ):
                found.add(token.value)
        if tokens[0].value == "for":
            found.update(token.value for token in tokens if token.kind == "name")
    return sorted(found - OBJECTS)


def _number(text: str) -> Value:
    """A number as it is written, where that is how it is printed too: Jython's 010 is 8."""
    digits = text.removeprefix("-")
    return HOLE if len(digits) > 1 and digits[0] == "0" and digits.isalnum() else _Number(text)


def _is_whole(number: str) -> bool:
    digits = number.removeprefix("-")
    return digits.isascii() and digits.isdigit()


def _sum(left: Value, right: Value) -> Value:
    if isinstance(left, list) and isinstance(right, list):
        return [*left, *right] if len(left) + len(right) < _MOST_ROUNDS else HOLE
    if isinstance(left, _Number) and isinstance(right, _Number):
        whole = all(len(one) < 20 and _is_whole(one) for one in (left, right))
        return _Number(int(left) + int(right)) if whole else HOLE
    if isinstance(left, _Number | _Constant) or isinstance(right, _Number | _Constant):
        return HOLE
    if left == HOLE and right == HOLE:
        return HOLE  # they may be lists
    if isinstance(left, str) and isinstance(right, str):
        return left + right if len(left) + len(right) < _LONGEST else HOLE
    return HOLE


def _formatted(pattern: Value, values: Value) -> Value:
    """``pattern % values`` for ``%s`` and ``%d``."""
    if not isinstance(pattern, str):
        return HOLE
    given = list(values) if isinstance(values, list) else [values]
    found: list[str] = []
    pieces = pattern.split("%")
    at = 1
    found.append(pieces[0])
    while at < len(pieces):
        piece = pieces[at]
        if piece == "" and at + 1 < len(pieces):
            found.append("%" + pieces[at + 1])
            at += 2
            continue
        value = given.pop(0) if given else HOLE
        if piece[:1] not in ("s", "d", "i"):
            return HOLE
        found.append(_written(value) + piece[1:])
        at += 1
    joined = "".join(found)
    return joined if len(joined) < _LONGEST else HOLE


def _lists(value: Value) -> set[int]:
    """The identities of a list and the lists in it."""
    found: set[int] = set()
    stack = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, list) and id(each) not in found:
            found.add(id(each))
            stack += each
    return found


def _written(value: Value) -> str:
    """``str(value)``."""
    return str(value) if isinstance(value, str) and not isinstance(value, _Constant) else HOLE


def _function(name: str, items: list[Value]) -> Value:
    if name == "str":
        return _written(items[0]) if len(items) == 1 else HOLE
    numbers = [
        int(item)
        if isinstance(item, str) and item.isascii() and item.isdigit() and len(item) < 6
        else None
        for item in items
    ]
    if not 1 <= len(numbers) <= 3 or None in numbers or (len(numbers) == 3 and numbers[2] == 0):
        return HOLE
    found = range(*[number for number in numbers if number is not None])
    return [_Number(number) for number in found] if len(found) <= _MOST_ROUNDS else HOLE


def _method(value: Value, name: str, items: list[Value]) -> Value:
    if not isinstance(value, str) or len(items) > 1:
        return HOLE
    first = items[0] if items else ""
    if name == "join" and isinstance(first, list):
        joined = value.join(item if isinstance(item, str) else HOLE for item in first)
        return joined if len(joined) < _LONGEST else HOLE
    if HOLE in value or not isinstance(first, str) or HOLE in first:
        return HOLE
    if name == "split":
        return list(value.split(first) if first else value.split())
    if name == "splitlines":
        return list(value.splitlines())
    if name in ("strip", "rstrip", "lstrip", "upper", "lower") and not items:
        return str(getattr(value, name)())
    return HOLE


def _item(value: Value, items: list[Value]) -> Value:
    index = items[0] if len(items) == 1 else HOLE
    if (
        isinstance(value, list)
        and isinstance(index, str)
        and index.isascii()
        and index.isdigit()
        and len(index) < 6
        and int(index) < len(value)
    ):
        return value[int(index)]
    return HOLE
