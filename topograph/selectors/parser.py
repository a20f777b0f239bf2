"""From selector text to expressions, by the grammar: ``plain`` reads most without it. lark is
imported on first use: reading a snapshot must not pay for it.

Everything that is wrong with a text is an ``InvalidSelector`` that shows the place; nothing else is
ever raised.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NoReturn

from topograph.digits import based, digits, double
from topograph.errors import InvalidSelector
from topograph.selectors.expressions import (
    ANY,
    CONDITION,
    NUMBER,
    And,
    Arithmetic,
    Between,
    Comparison,
    Expression,
    In,
    IsNull,
    Like,
    Literal,
    Not,
    Or,
    Property,
    Signed,
)
from topograph.selectors.plain import KEYWORDS
from topograph.selectors.values import LONG_MAX, LONG_MIN

if TYPE_CHECKING:
    from lark import Lark, Token

MAX_LENGTH = 65_536
"""Characters of a selector. Parsing is linear; the bound keeps a hostile file from costing
minutes.
"""

MAX_DEPTH = 200
"""Nesting of an expression, brackets that change nothing not counted. Evaluation takes one stack
frame a level.
"""

HEADER_FIELDS = frozenset(
    {
        "JMSDeliveryMode",
        "JMSPriority",
        "JMSMessageID",
        "JMSTimestamp",
        "JMSCorrelationID",
        "JMSType",
    }
)
"""The header fields a selector may name; other names that begin with JMS are ``JMSX...`` and
``JMS_...`` only (3.8.1.1).
"""

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212"
_SINGLE_QUOTES, _DOUBLE_QUOTES = "\u2018\u2019\u201a\u201b\u00b4`", '\u201c\u201d\u201e"'


def expression_of(text: str) -> Expression:
    """The expression of a non-blank selector text. Raises InvalidSelector. Linear in the length
    of the text.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidSelector(
            f"This selector has {len(text):,} characters; at most {MAX_LENGTH:,} are read.",
            MAX_LENGTH + 1,
        )
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

    try:
        expression: Expression = _lark().parse(text).expression  # type: ignore[attr-defined]
    except _Wrong as wrong:
        refuse(text, wrong.position, wrong.reason)
    except UnexpectedCharacters as error:
        position = error.pos_in_stream or 0
        refuse(text, position, _about_character(text, position))
    except UnexpectedToken as error:
        position, reason = _about_token(text, error.token)
        refuse(text, position, reason)
    except (
        UnexpectedInput
    ) as error:  # pragma: no cover  (lark's base class: should it grow a third kind)
        refuse(text, error.pos_in_stream or 0, "this cannot be read")
    if _too_deep(expression):
        refuse(text, 0, f"it is nested more than {MAX_DEPTH} deep")
    return expression


def refuse(text: str, position: int, reason: str) -> NoReturn:
    """Raise InvalidSelector with the place marked below an excerpt of the text. ``position``
    counts from 0.
    """
    start = max(0, position - 50)
    excerpt = "".join(_visible(character) for character in text[start : start + 100])
    before, after = "..." * (start > 0), "..." * (start + 100 < len(text))
    pointer = " " * (len(before) + position - start) + "^"
    raise InvalidSelector(
        (
            f"Not a selector, column {position + 1}: {reason}.\n  {before}{excerpt}{after}\n "
            f" {pointer}"
        ),
        position + 1,
    )


def _visible(character: str) -> str:
    """One column a character, and nothing that a terminal would obey or could not encode."""
    return " " if character.isspace() else character if character.isprintable() else "?"


class _Wrong(Exception):
    """Something is wrong at a position (from 0), found while the tree is built."""

    def __init__(self, position: int, reason: str) -> None:
        super().__init__(reason)
        self.position = position
        self.reason = reason


class _Placed:
    """An expression and where it begins in the text, while the tree is built."""

    __slots__ = ("expression", "position")

    def __init__(self, expression: Expression, position: int) -> None:
        self.expression = expression
        self.position = position

    def condition(self) -> Expression:
        """The expression where the language wants a condition."""
        if self.expression.yields not in (CONDITION, ANY):
            raise _Wrong(
                self.position,
                "a condition is needed here, and this is a value that is neither true nor false",
            )
        return self.expression

    def number(self, use: str) -> Expression:
        """The expression where the language wants a number."""
        if self.expression.yields not in (NUMBER, ANY):
            raise _Wrong(
                self.position,
                f"{use} takes numbers; strings and booleans only compare with = and <>",
            )
        return self.expression

    def property(self, use: str) -> Property:
        """The expression where the language wants the name of a property."""
        if not isinstance(self.expression, Property):
            raise _Wrong(self.position, f"{use} takes the name of a property on its left")
        return self.expression


class _Builder:
    """What lark calls for every rule of the grammar, innermost first; one method a rule, by
    name.
    """

    def start(self, parts: list[_Placed]) -> _Placed:
        parts[0].condition()
        return parts[0]

    def any_of(self, parts: list[Any]) -> _Placed:
        return _Placed(Or(tuple(part.condition() for part in parts[::2])), parts[0].position)

    def all_of(self, parts: list[Any]) -> _Placed:
        return _Placed(And(tuple(part.condition() for part in parts[::2])), parts[0].position)

    def negation(self, parts: list[Any]) -> _Placed:
        return _Placed(Not(parts[1].condition()), parts[0].start_pos)

    def comparison(self, parts: list[Any]) -> _Placed:
        left, symbol, right = parts
        if symbol in ("=", "<>"):
            return _Placed(
                Comparison(str(symbol), left.expression, right.expression), left.position
            )
        return _Placed(
            Comparison(str(symbol), left.number(symbol), right.number(symbol)), left.position
        )

    def between(self, parts: list[Any]) -> _Placed:
        operand, inverted, _, low, _, high = parts
        node = Between(
            operand.number("BETWEEN"),
            low.number("BETWEEN"),
            high.number("BETWEEN"),
            inverted is not None,
        )
        return _Placed(node, operand.position)

    def membership(self, parts: list[Any]) -> _Placed:
        operand, inverted, _, *members = parts
        node = In(
            operand.property("IN"),
            frozenset(_unquoted(member) for member in members),
            inverted is not None,
        )
        return _Placed(node, operand.position)

    def like(self, parts: list[Any]) -> _Placed:
        operand, inverted, _, pattern, _, escape = parts
        node = Like(operand.property("LIKE"), _pattern(pattern, escape), inverted is not None)
        return _Placed(node, operand.position)

    def null_test(self, parts: list[Any]) -> _Placed:
        operand, _, inverted, _ = parts
        return _Placed(IsNull(operand.property("IS NULL"), inverted is not None), operand.position)

    def arithmetic(self, parts: list[Any]) -> _Placed:
        symbols, operands = parts[1::2], parts[2::2]
        rest = tuple(
            (str(symbol), part.number(symbol))
            for symbol, part in zip(symbols, operands, strict=True)
        )
        return _Placed(Arithmetic(parts[0].number(symbols[0]), rest), parts[0].position)

    def signed(self, parts: list[Any]) -> _Placed:
        sign, operand = parts
        return _Placed(Signed(str(sign), operand.number(sign)), sign.start_pos)

    def least_long(self, parts: list[Any]) -> _Placed:
        return _Placed(Literal(LONG_MIN), parts[0].start_pos)

    def property(self, parts: list[Token]) -> _Placed:
        (name,) = parts
        _check_name(name)
        return _Placed(Property(str(name)), _start(name))

    def approximate(self, parts: list[Token]) -> _Placed:
        (token,) = parts
        digits = token.rstrip("fFdD")
        value = double(digits)
        if value is None or (value == 0 and re.search("[1-9]", re.split("[eE]", digits)[0])):
            raise _Wrong(_start(token), f"{token[:40]} is out of the range of a double")
        return _Placed(Literal(value), _start(token))

    def exact(self, parts: list[Token]) -> _Placed:
        return _Placed(Literal(_exact(parts[0])), _start(parts[0]))

    def string(self, parts: list[Token]) -> _Placed:
        return _Placed(Literal(_unquoted(parts[0])), _start(parts[0]))

    def true(self, parts: list[Token]) -> _Placed:
        return _Placed(Literal(True), _start(parts[0]))

    def false(self, parts: list[Token]) -> _Placed:
        return _Placed(Literal(False), _start(parts[0]))


@cache
def _lark() -> Lark:
    from lark import Lark, Token

    def keyword(word: Token) -> Token:
        return Token.new_borrow_pos(word.upper(), word, word) if word.upper() in KEYWORDS else word

    return Lark(
        files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",
        transformer=_Builder(),
        propagate_positions=False,
        lexer_callbacks={"IDENTIFIER": keyword},
    )


def _start(token: Token) -> int:
    """The position of a token from 0; lark fills it for every token that it lexes."""
    return token.start_pos or 0


def _unquoted(token: str) -> str:
    return token[1:-1].replace("''", "'")


def _exact(token: Token) -> int:
    """Java integer literals: decimal, octal with a leading 0, hexadecimal; each with an optional
    L. All are longs here.
    """
    written = token.rstrip("lL")
    value: int | None
    if written[:2] in ("0x", "0X"):
        value = based(written[2:].lstrip("0") or "0", 16)
    elif written.startswith("0"):
        if not set(written) <= set("01234567"):
            raise _Wrong(
                _start(token),
                f"{token[:40]} begins with 0, which means octal, and has a digit above 7",
            )
        value = based(written.lstrip("0") or "0", 8)
    else:
        value = digits(written, most=len(str(LONG_MAX)))
    if value is None or value > LONG_MAX:
        raise _Wrong(_start(token), _OUT_OF_RANGE)
    return value


_OUT_OF_RANGE = "an exact number has to fit 64 bits; write .0 after it for an approximate one"


def _pattern(pattern: Token, escape: Token | None) -> tuple[str | int | None, ...]:
    """The items of a LIKE pattern; after the escape character any character stands for itself."""
    mark = None
    if escape is not None:
        mark = _unquoted(escape)
        if len(mark) != 1:
            raise _Wrong(_start(escape), "ESCAPE takes a string of exactly one character")
    items: list[str | int | None] = []
    characters = iter(_unquoted(pattern))
    for character in characters:
        if character == mark:
            escaped = next(characters, None)
            if escaped is None:
                raise _Wrong(
                    _start(pattern),
                    "this pattern ends with its escape character, which then escapes nothing",
                )
            items.append(escaped)
        elif character == "%":
            items.append(Like.MANY)
        else:
            items.append(Like.ONE if character == "_" else character)
    return tuple(items)


def _check_name(token: Token) -> None:
    """Java identifier characters, and the header fields that may be named (3.8.1.1)."""
    for offset, character in enumerate(token):
        if not character.isascii() and not _is_identifier_character(character, first=offset == 0):
            raise _Wrong(_start(token) + offset, _about_foreign(character))
    if (
        token.startswith("JMS")
        and token not in HEADER_FIELDS
        and not token.startswith(("JMSX", "JMS_"))
    ):
        allowed = ", ".join(sorted(HEADER_FIELDS))
        raise _Wrong(
            _start(token),
            f"{token[:60]} cannot be used in a selector; of the header fields only {allowed} can",
        )


def _is_identifier_character(character: str, *, first: bool) -> bool:
    """``Character.isJavaIdentifierStart`` and ``isJavaIdentifierPart``, by Unicode category."""
    category = unicodedata.category(character)
    if category[0] == "L" or category in ("Nl", "Sc", "Pc"):
        return True
    return not first and category in ("Nd", "Mn", "Mc", "Cf")


def _about_foreign(character: str) -> str:
    name = unicodedata.name(character, "a character without a name")
    said = f"U+{ord(character):04X} ({name}) is not allowed here"
    if character in _SINGLE_QUOTES:
        return f"{said}; strings are written in ASCII single quotes, '...'"
    if character in _DOUBLE_QUOTES:
        return f"{said}; strings are written in ASCII single quotes, '...'"
    if character in _DASHES:
        return f"{said}; the minus sign is the ASCII hyphen, -"
    if character.isspace():
        return f"{said}; write an ASCII space"
    return said


def _about_character(text: str, position: int) -> str:
    """Why no token begins at a position."""
    character, two = text[position], text[position : position + 2]
    if character == "'":
        return "the string that begins here has no closing quote"
    if not character.isascii() or character in _DOUBLE_QUOTES or character in _SINGLE_QUOTES:
        return _about_foreign(character)
    hints = {
        "!=": "not equal is written <>",
        "&&": "write AND",
        "||": "write OR (strings cannot be joined)",
    }
    if two in hints:
        return hints[two]
    if character == ".":
        return "a property name cannot contain a dot"
    if character == "!":
        return "write NOT"
    return (
        "the character "
        f"{character if character.isprintable() else f'U+{ord(character):04X}'} has no "
        "meaning here"
    )


def _about_token(text: str, token: Token) -> tuple[int, str]:
    """Where and why a token cannot stand where it stands."""
    if token.type == "$END":
        return len(text), "the text ends where a value or condition is expected" if _lacks_operand(
            text
        ) else ("the text ends too early (is a bracket not closed, or a BETWEEN without AND?)")
    position = _start(token)
    if token.type == "LEAST_LONG":
        return position, _OUT_OF_RANGE
    if token.type == "NULL":
        return position, "NULL cannot be compared with; write IS NULL or IS NOT NULL"
    if token.type == "COMPARE" and text[:position].rstrip().endswith(("=", "<", ">")):
        return position, "two comparison operators follow each other; equality is a single ="
    if token.type in KEYWORDS:
        return (
            position,
            f"the keyword {token} is not allowed here (keywords name no property, in any case)",
        )
    if token.type == "IDENTIFIER" and not all(map(_is_part, token)):
        offset = next(at for at, character in enumerate(token) if not _is_part(character))
        return position + offset, _about_foreign(token[offset])
    return position, f"{token[:60]} is not allowed here"


def _is_part(character: str) -> bool:
    return character.isascii() or _is_identifier_character(character, first=False)


def _lacks_operand(text: str) -> bool:
    """Whether a text ends in an operator or a keyword that wants something after it."""
    stripped = text.rstrip()
    word = re.search(r"[A-Za-z]+\Z", stripped)
    return stripped.endswith(tuple("=<>+-*/")) or (word is not None and word[0].upper() in KEYWORDS)


def _too_deep(expression: Expression) -> bool:
    """Whether evaluation would nest more than MAX_DEPTH calls. Iterative: the expression may be
    far deeper than the stack.
    """
    level: list[Expression] = [expression]
    for _ in range(MAX_DEPTH):
        level = [part for node in level for part in node.parts]
        if not level:
            return False
    return True
