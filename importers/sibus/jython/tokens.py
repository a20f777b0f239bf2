"""The text of a script as statements, which are logical lines of tokens."""

from __future__ import annotations

from typing import NamedTuple

from topograph.digits import is_digits
from topograph.importers.sibus.admin_words import HOLE
from topograph.records import record

OPEN = {"(": ")", "[": "]", "{": "}"}
CLOSE = frozenset(")]}")
_PAIRS = ("==", "!=", "<=", ">=", "+=", "-=", "**", "//", "<>")
"""Marks of two characters."""


class Token(NamedTuple):
    """A token: ``kind`` is ``name``, ``text``, ``number`` or ``mark``."""

    kind: str
    value: str
    line: int
    column: int


@record
class JythonStatement:
    """A logical line: its indentation in columns and its tokens."""

    indent: int
    tokens: tuple[Token, ...]


def statements_of(text: str) -> list[JythonStatement]:
    """The statements of a script. Never raises; linear in the text."""
    found: list[JythonStatement] = []
    tokens: list[Token] = []
    at, line, begin, depth, indent = 0, 1, 0, 0, 0
    size = len(text)

    def flush() -> None:
        nonlocal tokens
        if tokens:
            found.append(JythonStatement(indent, tuple(tokens)))
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
            kind, value, end = _token(text, at)
            if kind == "mark":
                depth = max(0, depth + (value in OPEN) - (value in CLOSE))
            if kind == "mark" and value == ";" and not depth:
                flush()
            else:
                tokens.append(Token(kind, value, line, at - begin + 1))
            inside = text[at:end] if kind == "text" else ""
            if ends := inside.count("\n") + inside.count("\r") - inside.count("\r\n"):
                line += ends
                begin = at + max(inside.rfind("\n"), inside.rfind("\r")) + 1
            at = end
    flush()
    return found


def _token(text: str, at: int) -> tuple[str, str, int]:
    """The kind and the value of the token that begins at ``at``, and where it ends."""
    character, size, end = text[at], len(text), at + 1
    if character in "\"'" or (character in "rRuUbB" and text[at + 1 : at + 2] in ("'", '"')):
        value, end = _string(text, at)
        return "text", value, end
    if character.isalpha() or character == "_":
        while end < size and (text[end].isalnum() or text[end] == "_"):
            end += 1
        return "name", text[at:end], end
    if is_digits(character):
        while end < size and (text[end].isalnum() or text[end] == "."):
            end += 1
        return "number", text[at:end], end
    end = at + 2 if text[at : at + 2] in _PAIRS else end
    return "mark", text[at:end], end


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


def outermost(tokens: tuple[Token, ...]) -> list[Token]:
    """The tokens that are in no brackets."""
    depth, found = 0, []
    for token in tokens:
        depth -= token.kind == "mark" and token.value in CLOSE
        if depth <= 0:
            found.append(token)
        depth += token.kind == "mark" and token.value in OPEN
    return found


def past(tokens: tuple[Token, ...], at: int) -> int:
    """Where the next argument or the closing bracket stands."""
    depth = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "mark":
            if depth == 0 and (token.value in CLOSE or token.value == ","):
                return at + 1 if token.value == "," else at
            depth += (token.value in OPEN) - (token.value in CLOSE)
        at += 1
    return at


def head_of(tokens: tuple[Token, ...]) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """The tokens before the colon of a compound statement, and those behind it on its line."""
    depth = 0
    for at, token in enumerate(tokens):
        if token.kind == "mark":
            depth += (token.value in OPEN) - (token.value in CLOSE)
            if token.value == ":" and depth == 0:
                return tokens[:at], tokens[at + 1 :]
    return tokens, ()
