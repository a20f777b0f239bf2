"""Words of a shell's command lines: what quotes and backslashes leave, and the command that a line
has another program run (``su -c '…'``).
"""

from __future__ import annotations

from collections.abc import Iterator

_ENDS = frozenset(" \t|;&<>)`")
"""What ends a word outside of quotes."""

_RUNNERS = frozenset(
    (
        "su",
        "sudo",
        "runuser",
        "sh",
        "bash",
        "ksh",
        "zsh",
        "ssh",
        "docker",
        "podman",
        "kubectl",
        "oc",
    )
)
"""Programs that run a command which they are given."""

_RUNS_MQ = ("runmqsc", "crtmqm")


def word_at(line: str, at: int) -> tuple[str, int] | None:
    r"""The word of a command line that begins at an offset, without its quotes and backslashes, and
    the offset behind it; None if a quote in it does not end in the line. Linear. A text between
    escaped apostrophes belongs to the word, although a shell ends it at a blank.

    >>> word_at(r"'A('\'b c\'')' | x", 0), word_at("'open", 0)
    (("A('b c')", 14), None)
    """
    parts: list[str] = []
    while at < len(line) and line[at] not in _ENDS:
        character = line[at]
        if character == "\\":
            end = _apostrophe_behind(line, at)
            parts.append(line[at + 1 : end])
            at = end
        elif character in "'\"":
            found = _quoted(line, at)
            if found is None:
                return None
            parts.append(found[0])
            at = found[1]
        else:
            parts.append(character)
            at += 1
    return "".join(parts), at


def _apostrophe_behind(line: str, at: int) -> int:
    """The offset behind what a backslash escapes: up to the next escaped apostrophe, if that is
    what it is, for a text between two of them is meant as one, blanks and all.
    """
    if line[at + 1 : at + 2] != "'":
        return at + 2
    end = line.find("\\'", at + 2)
    return end if end > 0 and not set(line[at + 2 : end]) & set("'\"\\") else at + 2


def _quoted(line: str, at: int) -> tuple[str, int] | None:
    """The text in the quotes that open at an offset, and the offset behind them."""
    quote = line[at]
    parts: list[str] = []
    at += 1
    while at < len(line) and line[at] != quote:
        if quote == '"' and line[at] == "\\" and line[at + 1 : at + 2] in ('"', "\\", "$", "`"):
            at += 1
        parts.append(line[at])
        at += 1
    return ("".join(parts), at + 1) if at < len(line) else None


def as_run(line: str) -> str:
    r"""A line that has another program run a command which concerns queue managers, as that
    command; any other line as it is. Linear.

    >>> as_run("su mqm -c 'echo x | runmqsc QM1' >> log")
    'echo x | runmqsc QM1 >> log'
    """
    if not any(tool in line for tool in _RUNS_MQ):
        return line
    at = next(_arguments(line), -1)
    found = None if at < 0 else word_at(line, at)
    if found is None or not any(tool in found[0] for tool in _RUNS_MQ):
        return line
    return found[0] + line[found[1] :]


def _arguments(line: str) -> Iterator[int]:
    """The offsets of quoted commands that a line gives to a program which runs them."""
    runs = waits = False
    at = 0
    for word in line.replace("\t", " ").split(" "):
        if waits and word[:1] in ("'", '"'):
            yield at
        if word:
            runs = runs or word.rsplit("/", 1)[-1] in _RUNNERS
            short = word[:1] == "-" and word[1:2] != "-" and word[-1:] == "c"
            waits = runs and (short or word == "--command")
        if runs and word.startswith(("--command='", '--command="')):
            yield at + len("--command=")
        at += len(word) + 1
