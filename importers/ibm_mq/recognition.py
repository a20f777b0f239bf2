"""Which files are of IBM MQ: by content, never by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from topograph.importers.ibm_mq import roles
from topograph.importers.ibm_mq.rows import Assembler, Piece, RowKind, rows_of
from topograph.importers.ibm_mq.schema import NOUNS
from topograph.importers.reading import Role, Written

_HEAD = 65_536
"""Recognition looks at the first 64 KB, and at up to 8 MB for a word that says which queue
manager it is about.
"""
_NOUN = "|".join(sorted(NOUNS, key=len, reverse=True))
COMMAND = re.compile(
    (
        r"^[ \t]*+(?:\d++[ \t]*+:[ \t]*+)?+(?:DEFINE|DEF|ALTER|ALT|DELETE|SET)(?:[ "
        r"\t]|\+\r?\n)++(?:QMGR\b|(?:"
    )
    + _NOUN
    + r")[ \t]*+\()",
    re.IGNORECASE | re.MULTILINE,
)
"""A command of MQSC at the beginning of a line."""
_PLAIN = re.compile(
    (
        r"(?:[ \t]*+(?:\*[^\r\n]*+|(?:DEFINE|DEF|ALTER|ALT|DELETE|SET)[ \t]++(?:QMGR\b|(?:"
        + _NOUN
        + r")[ \t]*+\()[^\r\n]*+)?\r?\n)*+"
    ),
    re.IGNORECASE,
)
"""Lines each of which is blank, a comment of MQSC, or begins a command."""
_BLOCK = re.compile(r"^AMQ\d{4}[A-Z]?:[^\n]*+\n[ \t]++[A-Z]{2,20}\(", re.MULTILINE)
_INSIDE = re.compile(
    r"\b(?:DEFINE|DEF|ALTER|ALT|DELETE)[ \t]++(?:QMGR\b|(?:" + _NOUN + r")[ \t]*+\()", re.IGNORECASE
)
_SOURCE_CODE = re.compile(
    r"^(?:```|package [\w.]++;|import [\w.{*'\"]|from [\w.]++ import |using "
    r"[\w.]++;|#include[ \t]*+[<\"]|module\.exports|<\?php|use strict;"
    r"|(?:public|private|protected|internal) "
    r"(?:static|final|class|interface|abstract|void|async)\b)",
    re.MULTILINE,
)
_MOST_PIECES = 3_000


def holds_mqsc(text: str) -> bool:
    """Whether a text has commands or blocks of DISPLAY, and is not prose in which some stand.
    Linear in the first 64 KB.
    """
    return role_of(text) is not None


def is_quoted_elsewhere(text: str) -> bool:
    """Whether a text is a page or a program that has commands in it. Linear in the first 64 KB."""
    return _SOURCE_CODE.search(text[:_HEAD]) is not None


def mentions_commands(text: str) -> bool:
    """Whether commands stand anywhere in the first 64 KB of a text, within a line too."""
    head = text[:_HEAD]
    return _may_hold_commands(head) and _INSIDE.search(head) is not None


def _may_hold_commands(text: str) -> bool:
    """Whether a text has what every command and every block of DISPLAY has, a parenthesis or the
    noun that needs none: most files of others have neither, which this tells in a fraction of the
    time.
    """
    return "(" in text or "qmgr" in text.lower()


def role_of(text: str) -> Role | None:
    """What a text of lines is: definitions, or only observed state. None if it is no MQSC."""
    head = text[:_HEAD]
    if not _may_hold_commands(head) or is_quoted_elsewhere(head):
        return None
    if not (COMMAND.search(head) or _BLOCK.search(head)):
        return None
    if _PLAIN.fullmatch(head, 0, head.rfind("\n") + 1):
        return roles.MQ_SCRIPT  # as below: nothing but commands, one of which defines
    told = others = 0
    defines = shows = False
    number = 0
    for piece in islice(_pieces(head), _MOST_PIECES):
        if piece.kind is RowKind.COMMAND:
            told += 3
            defines = defines or (
                piece.command is not None and COMMAND.match(piece.command.text) is not None
            )
        elif piece.kind is RowKind.MESSAGE:
            number = piece.number
        elif piece.kind is RowKind.SHOWN:
            told += 1
            shows = shows or number not in _STATUS
        elif piece.kind is RowKind.OTHER:
            others += 1
    if told < others or not told:
        return None
    return roles.MQ_SCRIPT if defines or shows else roles.MQ_STATUS


_STATUS = frozenset({8417, 8441, 8450, 8631, 8632, 8705, 8276, 8099, 8754, 8723})
"""Messages above the state of something that runs."""


def _pieces(text: str) -> Iterator[Piece]:
    return Assembler().pieces(rows_of(text))


_REMOTE = re.compile(r"\bRQMNAME[ \t]*+\([ \t]*+'?([\w./%]++)", re.IGNORECASE)
_NAMES_LOOKED_AT = 8 * 2**20


def remote_names(text: str) -> frozenset[str]:
    """The queue managers that definitions in a text name as others (RQMNAME), as they are written:
    names without apostrophes are in capitals to MQ. Linear in the first 8 MB."""
    found = set()
    for match in _REMOTE.finditer(text, 0, _NAMES_LOOKED_AT):
        quoted = text[match.start(1) - 1] == "'"
        found.add(match[1] if quoted else match[1].upper())
    return frozenset(found)


def named_in(text: str) -> str:
    """The first queue manager that a text of lines names itself; empty if none. Linear."""
    return named_at(text)[0]


def named_at(text: str) -> tuple[str, str, int]:
    """The same, with what names it (``comment``, ``command``, ``display`` and so on) and the line;
    all empty if nothing does. Linear."""
    begun = False
    for piece in islice(_pieces(text[: 4 * _HEAD]), 10 * _MOST_PIECES):
        begun = begun or piece.kind is RowKind.COMMAND
        if piece.kind is RowKind.CONTEXT and not (piece.by == "comment" and begun):
            return piece.text, piece.by, piece.line
        if piece.kind is RowKind.SHOWN and piece.text.lstrip().startswith("QMNAME("):
            name = piece.text.partition("(")[2].partition(")")[0].strip()
            if name:
                return name, "display", piece.line
    return "", "", 0


_HEADER = re.compile(
    r"^\*[ \t]*+(Script generated on|Script generated by user|Command issued:|Queue manager name:)"
    r"[ \t]*+([^\n]*+)$",
    re.MULTILINE,
)
_HEADER_LENGTH = 4096
_DIGITS = re.compile(r"\d++")
_ON_HOST = re.compile(r"\bon host '([^'\n]++)'")
_OF_QUEUE_MANAGER = re.compile(r"(?:^|[ \t])-m[ \t]*+\S++")


def written(text: str) -> Written | None:
    """When, where and by which command dmpmqcfg wrote a text, as its header says; None where it
    does not say when. Linear.

    >>> at = "* Script generated on 2026-03-01   at 10.20.30\\n"
    >>> written(f"{at}* Command issued: dmpmqcfg -m A -a")
    Written(at='2026-03-01 10:20:30', host='', command='dmpmqcfg -a')
    """
    said = {match[1]: match[2] for match in _HEADER.finditer(text, 0, _HEADER_LENGTH)}
    numbers = _DIGITS.findall(said.get("Script generated on", ""))
    if len(numbers) < 6 or len(numbers[0]) != 4:
        return None
    year, *rest = numbers[:6]
    month, day, hour, minute, second = (number.zfill(2) for number in rest)
    host = _ON_HOST.search(said.get("Script generated by user", ""))
    command = " ".join(_OF_QUEUE_MANAGER.sub("", said.get("Command issued:", "")).split())
    at = f"{year}-{month}-{day} {hour}:{minute}:{second}"
    return Written(at, host[1] if host else "", command)
