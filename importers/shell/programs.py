"""What the everyday programs of scripts print, as far as the script tells it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from topograph.importers.shell.streams import (
    Line,
    Said,
    Stream,
    Unseen,
    Word,
    joined,
    printed,
)

_RUNNERS = """
su sudo runuser sh bash ksh zsh dash ssh docker podman kubectl oc nerdctl time nohup env exec nice
timeout command builtin xargs sshpass docker-compose podman-compose gosu su-exec doas setsid
"""
RUNNERS = frozenset(_RUNNERS.split())
"""Programs that run a command which they are given."""

INTERPRETERS = frozenset(("python", "python2", "python3"))
"""Programs that run a program which their first argument names."""

_WITHOUT_OUTPUT = """
: . cd break chmod chown clear continue cp exit export false kill let ln mkdir mv popd pushd
readonly return rm rmdir set shift sleep source test touch trap true umask unset wait [ local
declare typeset
"""
_SILENT = frozenset(_WITHOUT_OUTPUT.split())
"""Programs that print nothing which matters."""

_COMMENTS_OUT = re.compile(r"\^(?:\\s\*|\[ \\?t?\]\*| \*)?(?:#|\\\*|\[\*\]|;|\$|--)\.?\*?\$?\Z")
"""Patterns of lines that say nothing: comments and empty ones."""


_ECHO_OPTION = re.compile(r"-[neE]+\Z")
_PRINT_OPTION = re.compile(r"-[nrR]*\Z")
_CONVERSION = re.compile(r"%(?:%|[-+ #0]*+\d*+(?:\.\d++)?+[a-zA-Z])")


class Files(Protocol):
    """The files and variables of a script."""

    variables: dict[str, Word]

    def file(self, name: Word) -> Stream: ...

    def write(self, name: str, stream: Stream, *, appends: bool) -> None: ...


def name_of(text: str) -> str:
    """The name of a program in small letters, without its folders.

    >>> name_of("/opt/mqm/bin/runmqsc"), name_of("RUNMQSC.EXE")
    ('runmqsc', 'runmqsc')
    """
    return text.replace("\\", "/").rsplit("/", 1)[-1].lower().removesuffix(".exe")


def output(name: str, said: Sequence[Word], stdin: Stream, files: Files) -> Stream:
    """What a program prints; ``Unseen`` where only a run tells. Linear."""
    arguments = said[1:]
    if name in _PRINTS:
        return _PRINTS[name](arguments)
    if name in _PASSES:
        return stdin
    if name in _OF_FILES:
        return _OF_FILES[name](said, stdin, files)
    if name == "tr" and [one.text for one in arguments] in (["-d", "\\r"], ["-d", "\\015"]):
        return stdin
    if name == "read":
        for one in arguments:
            files.variables.pop(one.text, None)
    return () if name in _SILENT or name == "read" else (Unseen(name, said[0].line),)


def _echo(arguments: Sequence[Word]) -> Stream:
    """With ``\\n`` as an end of line whatever the options say: shells differ there, and MQSC has
    none."""
    while arguments and _ECHO_OPTION.match(arguments[0].text):
        arguments = arguments[1:]
    return (printed(joined(arguments, " "), escapes=True),) if arguments else ()


def _print(arguments: Sequence[Word]) -> Stream:
    escapes = True
    while arguments and _PRINT_OPTION.match(arguments[0].text):
        escapes = escapes and "r" not in arguments[0].text.lower()
        arguments = arguments[1:]
    return (printed(joined(arguments, " "), escapes=escapes),) if arguments else ()


def _printf(arguments: Sequence[Word]) -> Stream:
    """The format with its conversions, again and again while there are arguments."""
    arguments = arguments[1:] if arguments and arguments[0].text == "--" else arguments
    if not arguments:
        return ()
    form, values = arguments[0], list(arguments[1:])
    pieces = _pieces(form)
    if not values or not any(piece is None for piece in pieces):
        return (printed(joined([one for one in pieces if one is not None]), escapes=True),)
    made: list[Said] = []
    while values:
        parts = [
            (values.pop(0) if values else None) if one is None else _escaped(one) for one in pieces
        ]
        made.append(Said(joined([one for one in parts if one is not None]).lines))
    return (Said(_whole(made)),)


def _pieces(form: Word) -> list[Word | None]:
    """The parts of a format; None for a conversion."""
    found: list[Word | None] = []
    for place, line in enumerate(form.lines):
        at = 0
        for match in _CONVERSION.finditer(line.text):
            found.append(
                Word((Line(line.number, line.text[at : match.start()], line.column + at),))
            )
            found.append(Word((Line(line.number, "%"),)) if match[0] == "%%" else None)
            at = match.end()
        ends = (Line(line.number, line.text[at:], line.column + at, line.unknown),)
        more = place + 1 < len(form.lines)
        found.append(Word((*ends, Line(line.number + 1, "")) if more else ends))
    return found


def _escaped(one: Word) -> Word:
    return Word(printed(one, escapes=True).lines)


def _whole(texts: Sequence[Said]) -> tuple[Line, ...]:
    """Texts that a program prints one behind the other: a line ends where they say so."""
    return joined([Word(one.lines) for one in texts]).lines


def _cat(said: Sequence[Word], stdin: Stream, files: Files) -> Stream:
    names = [one for one in said[1:] if not one.text.startswith("-") or one.text == "-"]
    if not names:
        return stdin
    found = (stdin if one.text == "-" else files.file(one) for one in names)
    return tuple(part for stream in found for part in stream)


def _tee(said: Sequence[Word], stdin: Stream, files: Files) -> Stream:
    appends = any(one.text in ("-a", "--append") for one in said)
    for one in said[1:]:
        if not one.text.startswith("-"):
            files.write(one.text, stdin, appends=appends)
    return stdin


def _grep(said: Sequence[Word], stdin: Stream, files: Files) -> Stream:
    """Everything for ``grep -v`` of comments and empty lines; of other patterns nobody knows."""
    options = [one.text for one in said[1:] if one.text.startswith("-")]
    others = [one for one in said[1:] if not one.text.startswith("-")]
    inverts = any("v" in one for one in options if not one.startswith("--"))
    if others and inverts and _COMMENTS_OUT.match(others[0].text):
        return _cat(others, stdin, files)
    return (Unseen("grep", said[0].line),)


_PRINTS: dict[str, Callable[[Sequence[Word]], Stream]] = {
    "echo": _echo,
    "print": _print,
    "printf": _printf,
}
_PASSES = frozenset(("envsubst", "dos2unix", "iconv"))
"""Programs that change nothing which matters, such as the ends of lines."""
_OF_FILES: dict[str, Callable[[Sequence[Word], Stream, Files], Stream]] = {
    "cat": _cat,
    "tee": _tee,
    "grep": _grep,
    "egrep": _grep,
}

KNOWN = frozenset((*_PRINTS, *_PASSES, *_OF_FILES, *RUNNERS, "eval"))
"""Programs of which something is known that a runner may run."""


def is_known(name: str) -> bool:
    """Whether something is known of a program: that it prints nothing which matters, at least."""
    return name in KNOWN or (name in _SILENT and name not in ("source", ".")) or name == "read"
