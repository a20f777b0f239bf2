"""The values of expressions, as far as they follow from literals and known variables."""

from __future__ import annotations

from collections.abc import Callable

from topograph.digits import digits, integer, is_digits
from topograph.importers.sibus.admin_words import HOLE, Value
from topograph.importers.sibus.jython.tokens import CLOSE, OPEN, Token, outermost, past

DEPTH = 40
"""Nesting of brackets, and of blocks, that is followed."""
MOST_ROUNDS = 10_000
_LONGEST = 16_000
"""Characters of a text that is put together."""


class _Number(str):
    """A number as it is written: what ``+`` adds up and does not put together."""


class _Constant(str):
    """``True``, ``False`` or ``None`` as an option has it, which is not how Python writes it."""


_CONSTANTS = {"True": _Constant("true"), "False": _Constant("false"), "None": _Constant()}


class Expressions:
    """Reads expressions; ``known`` gives what a variable holds, a hole where that is not known."""

    def __init__(self, known: Callable[[str], Value]) -> None:
        self._known = known

    def arguments(
        self, tokens: tuple[Token, ...], at: int, depth: int, closing: str = ")"
    ) -> tuple[list[Value], int]:
        """The values up to a closing bracket, and where that stands."""
        found: list[Value] = []
        while at < len(tokens) and not (tokens[at].kind == "mark" and tokens[at].value == closing):
            value, at = self.value(tokens, at, depth + 1)
            found.append(value)
            if at < len(tokens) and tokens[at].kind == "mark" and tokens[at].value == ",":
                at += 1
            elif at < len(tokens) and not (tokens[at].kind == "mark" and tokens[at].value in CLOSE):
                at = past(tokens, at)
                found[-1] = HOLE
            elif at < len(tokens) and tokens[at].value != closing:
                return [HOLE], len(tokens)
        return found, at

    def value(self, tokens: tuple[Token, ...], at: int, depth: int) -> tuple[Value, int]:
        """A value and where it ends: where it cannot be read, a hole, and before what is not
        understood.
        """
        value, at = self._term(tokens, at, depth)
        while at < len(tokens) and tokens[at].kind == "mark" and tokens[at].value in ("+", "%"):
            mark = tokens[at].value
            other, after = self._term(tokens, at + 1, depth, whole=mark == "%")
            if mark == "%" and isinstance(other, list) and tokens[at + 1].value != "(":
                other = HOLE  # one list, or several values: only brackets tell
            value = sum_of(value, other) if mark == "+" else _formatted(value, other)
            at = after
        return value, at

    def _term(
        self, tokens: tuple[Token, ...], at: int, depth: int, *, whole: bool = False
    ) -> tuple[Value, int]:
        if at >= len(tokens) or depth > DEPTH:
            return HOLE, past(tokens, at)
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
            items, at = self.arguments(tokens, at, depth, OPEN[token.value])
            if any(each.value == "for" for each in outermost(tokens[begin:at])):
                return self._behind(tokens, at + 1, depth, HOLE)
            single = (
                token.value == "("
                and len(items) == 1
                and not (at < len(tokens) and tokens[at - 1].value == ",")
            )
            value = items[0] if single and not (whole and isinstance(items[0], list)) else items
            at += 1
        elif token.kind == "mark" and token.value == "{":
            _, at = self.arguments(tokens, at, depth, "}")
            at += 1
        elif token.kind == "name":
            value = _CONSTANTS.get(token.value, self._known(token.value))
            if token.value in ("str", "range") and at < len(tokens) and tokens[at].value == "(":
                items, at = self.arguments(tokens, at + 1, depth)
                value, at = _function(token.value, items), at + 1
        else:
            return HOLE, at - 1 if token.value in CLOSE else at
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
                    items, at = self.arguments(tokens, at + 3, depth)
                    value = _method(value, method, items)
                    at += 1
                else:
                    value, at = HOLE, at + 2
            else:
                items, at = self.arguments(tokens, at + 1, depth, OPEN[mark])
                value = _item(value, items) if mark == "[" else HOLE
                at += 1
        return value, min(at, len(tokens))


def _number(text: str) -> Value:
    """A number as it is written, where that is how it is printed too: Jython's 010 is 8."""
    digits = text.removeprefix("-")
    return HOLE if len(digits) > 1 and digits[0] == "0" and digits.isalnum() else _Number(text)


def _is_whole(number: str) -> bool:
    return is_digits(number.removeprefix("-"))


def sum_of(left: Value, right: Value) -> Value:
    """``left + right``; a hole where that is not known, or too long."""
    if isinstance(left, list) and isinstance(right, list):
        return [*left, *right] if len(left) + len(right) < MOST_ROUNDS else HOLE
    if isinstance(left, _Number) and isinstance(right, _Number):
        one, other = integer(left, most=19), integer(right, most=19)
        return HOLE if one is None or other is None else _Number(one + other)
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


def _written(value: Value) -> str:
    """``str(value)``."""
    return str(value) if isinstance(value, str) and not isinstance(value, _Constant) else HOLE


def _function(name: str, items: list[Value]) -> Value:
    if name == "str":
        return _written(items[0]) if len(items) == 1 else HOLE
    numbers = [digits(item, most=5) if isinstance(item, str) else None for item in items]
    if not 1 <= len(numbers) <= 3 or None in numbers or (len(numbers) == 3 and numbers[2] == 0):
        return HOLE
    found = range(*[number for number in numbers if number is not None])
    return [_Number(number) for number in found] if len(found) <= MOST_ROUNDS else HOLE


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
    only = items[0] if len(items) == 1 else HOLE
    index = digits(only, most=5) if isinstance(only, str) else None
    if isinstance(value, list) and index is not None and index < len(value):
        return value[index]
    return HOLE
