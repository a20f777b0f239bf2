"""What the statements of a script do, in order: the calls it makes, and what its variables hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from topograph.importers.sibus.admin_words import HOLE, Value
from topograph.importers.sibus.jython.expressions import DEPTH, MOST_ROUNDS, Expressions, sum_of
from topograph.importers.sibus.jython.tokens import (
    CLOSE,
    OPEN,
    JythonStatement,
    Token,
    head_of,
    outermost,
    statements_of,
)
from topograph.importers.sibus.script import MAX_STEPS, TOO_MUCH, Call, CallScript, Work

OBJECTS = frozenset({"AdminTask", "AdminConfig"})
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


def read_jython(text: str) -> CallScript:
    """The calls of a script. Never raises; linear in the text and in the rounds of its loops,
    which are bounded.
    """
    statements = statements_of(text)
    reader = _Reader(statements)
    reader.block(0, len(statements), 0, "")
    return CallScript(
        reader.calls,
        reader.cut or (TOO_MUCH if reader.work.spent else ""),
        any(map(_takes_in, statements)),
    )


class _Reader:
    def __init__(self, statements: list[JythonStatement]) -> None:
        self.statements = statements
        self.calls: list[Call] = []
        self.expressions = Expressions(self._known)
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
            if self.steps > MAX_STEPS or depth > DEPTH or self.work.spent:
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
        head, rest = head_of(tokens)
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
            reason = why or "it is in a function"
        elif word == "except":
            reason = why or "it is for the case of an error"
        else:
            reason = why or "it is under a condition, or in a loop that is not over literals"
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
        values, end = self.expressions.value(head, middle + 1, 0)
        if end < len(head) or not isinstance(values, list) or len(values) > MOST_ROUNDS:
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
            if token.kind == "mark" and token.value in OPEN:
                called = token.value == "(" and before.kind == "name" and before.value not in _SAFE
                open_calls.append(called or (bool(open_calls) and open_calls[-1]))
            elif token.kind == "mark" and token.value in CLOSE:
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
            if any(token.kind == "mark" and token.value == "=" for token in outermost(tokens[2:])):
                self._forget([token.value for token in outermost(tokens) if token.kind == "name"])
                return
            value, end = self.expressions.value(tokens, 2, 0)
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
                value = self.work.bounded(sum_of(self._known(name), value))
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
            self._forget([token.value for token in outermost(tokens) if token.kind == "name"])
        elif any(
            before.value == "." and token.value in _CHANGING for before, token in pairwise(tokens)
        ):
            self._forget([token.value for token in tokens if token.kind == "name"])

    def _changed(self, tokens: tuple[Token, ...], why: str) -> None:
        name, method = tokens[0].value, tokens[2].value
        known = self._known(name)
        value, end = self.expressions.value(tokens, 4, 0)
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
        """Note every call of an administrative object in a statement. Linear."""
        names = {token.value for token in tokens if token.kind == "name"}
        hides = bool(names & OBJECTS or names & _RUN_TEXTS)
        hidden: set[tuple[str, str]] = set()
        for at, token in enumerate(tokens):
            if token.kind == "name" and token.value in OBJECTS and at + 3 < len(tokens):
                dot, name, bracket = tokens[at + 1 : at + 4]
                if dot.value == "." and name.kind == "name" and bracket.value == "(":
                    arguments, end = self.expressions.arguments(tokens, at + 4, 0)
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
                    continue
            for found in _hidden(tokens, at, names) if hides else ():
                if found not in hidden:
                    hidden.add(found)
                    where = token.line, token.column
                    self.calls.append(Call(*found, (), *where, False, _HIDDEN))


_HIDDEN = "the script gives it another name or runs a text"
_WRITTEN_CALL = re.compile(r"\b(AdminTask|AdminConfig)\s*+\.\s*+(\w++)")
_RUN_TEXTS = frozenset({"exec", "eval"})
_ANY_COMMAND = "createSIBDestination"
"""Stands for the command where an object has another name: it may be any."""


def _hidden(tokens: Sequence[Token], at: int, names: Set[str]) -> Iterator[tuple[str, str]]:
    """What a token calls in a way that is not followed, as object and command: a command or an
    object that gets another name, ``getattr``, a text that is run.
    """
    token = tokens[at]
    if token.kind == "text":
        if names & _RUN_TEXTS:
            yield from _WRITTEN_CALL.findall(token.value)
    elif token.kind == "name" and token.value in OBJECTS:
        before = tokens[at - 1].value if at else ""
        behind = [one.value for one in tokens[at + 1 : at + 4]]
        if behind[:1] == ["."] and len(behind) > 1 and behind[2:] != ["("]:
            yield token.value, behind[1]
        elif "getattr" in names and behind[:1] == [","]:
            said = tokens[at + 2 : at + 3]
            yield token.value, said[0].value if said and said[0].kind == "text" else _ANY_COMMAND
        elif before == "=" and at == 2 and len(tokens) == 3:
            yield token.value, _ANY_COMMAND


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


def _leaves(statements: list[JythonStatement]) -> bool:
    """Whether a loop may be left before its end, or a round of it."""
    return any(
        token.kind == "name" and token.value in ("break", "continue", "return")
        for each in statements
        for token in each.tokens
    )


def _changed_in_functions(statements: list[JythonStatement]) -> frozenset[str]:
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


def _takes_in(statement: JythonStatement) -> bool:
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


def _assigned(statements: list[JythonStatement]) -> list[str]:
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
