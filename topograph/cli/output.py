"""Answers on standard output: text for people, JSON, or JSON lines. Nothing else is ever written
there.
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from topograph.cli.stdout import discard_stdout
from topograph.cli.terminal import say
from topograph.errors import BackendError
from topograph.questions.answers import Answer, Step, labels, plain
from topograph.sequences import WritesEntries

if TYPE_CHECKING:
    from topograph.questions.answers import Caution, HopsMatrixAnswer
    from topograph.questions.reach import HopText


def write_answer(answer: Answer, form: str, *, full: bool = False) -> None:
    """Write the answer to standard output in ``form``: ``text``, ``json``, ``jsonl`` or ``csv``,
    which cannot say that it is not exact: that goes to standard error. ``full``: the text lists
    what it otherwise counts.

    A reader that closes the pipe early is no error. Raises BackendError if the output cannot be
    written (a full disk).
    """
    if form == "text":
        _write(text_lines(answer, full=full))
    elif form == "csv":
        from topograph.questions.csv_tables import csv_lines

        encoding = sys.stdout.encoding or "ascii"
        _write(
            line.encode(encoding, "backslashreplace").decode(encoding) for line in csv_lines(answer)
        )
        for cause in answer.inexact_because:
            say(f"Not certain: {cause.message}", err=True)
    else:
        _write(json_lines(answer) if form == "jsonl" else json_document(answer))


def write_hop_rows(
    head: HopsMatrixAnswer,
    rows: Iterable[HopText],
    cut: Callable[[int, int], Sequence[Caution]],
) -> None:
    """Write a hop matrix as JSON lines while its rows are worked out: the lines of ``head``,
    then ``{"hops": {SERVER: [...]}}`` for each server, in the order of the rows, and behind a row
    of which messages get to servers later ``{"later": {SERVER: [...]}}``. Whether the
    matrix is exact is known at its end: the last line says it, with the warnings of ``cut``,
    which is given the number of rows with unknown entries, and of those that the budget cut. Takes
    the memory of one row."""

    def body() -> Iterator[str]:
        unknown = left_out = 0
        for row in rows:
            unknown += row.undecided
            left_out += row.cut
            yield f'{{"hops": {{{_quoted(row.server)}: {row.hops}}}}}'
            if row.later:
                yield json.dumps({"later": {row.server: row.later}})
        said = [plain(one) for one in cut(unknown, left_out)]
        yield _compact({"exact": head.exact and not unknown, "warnings": said}, {})

    _write(chain(json_lines(head, without=("exact", "later")), body()))


def _write(lines: Iterable[str]) -> None:
    """Write lines to standard output."""
    try:
        for line in lines:
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        discard_stdout()
    except OSError as error:
        discard_stdout()  # what is still buffered would fail again when the process ends
        raise BackendError(f"The answer cannot be written: {error.strerror or error}.") from error


def text_lines(answer: Answer, *, full: bool = False) -> Iterator[str]:
    """The text form, in the characters and colours that the output can show."""
    from topograph.questions.text import text
    from topograph.questions.texts.layout import Style

    encoding = sys.stdout.encoding or "ascii"
    style = Style(colour=_colour(), symbols=_can_show("→…·", encoding), width=_width())
    written = text(answer, style, full=full)
    yield written.encode(encoding, "backslashreplace").decode(encoding).rstrip("\n")


def json_document(answer: Answer) -> Iterator[str]:
    """The answer as one JSON object, a line for each entry of a list: readable, and as fast to
    write as compact JSON.

    Only ASCII characters, so that every locale and every reader gets the same bytes.
    """
    fields = list(_fields(answer))
    steps: dict[int, str] = {}
    yield "{"
    for number, (name, value) in enumerate(fields, 1):
        comma = "," if number < len(fields) else ""
        key = f'  "{name}": '
        if _is_sequence(value) and value:
            yield f"{key}["
            yield from _entries(_texts(value, steps), len(value))
            yield f"  ]{comma}"
        elif isinstance(value, dict) and value:
            yield f"{key}{{"
            yield from _entries(
                (f"{json.dumps(str(k))}: {_compact(item, steps)}" for k, item in value.items()),
                len(value),
            )
            yield f"  }}{comma}"
        else:
            yield f"{key}{_compact(value, steps)}{comma}"
    yield "}"


def json_lines(answer: Answer, without: Collection[str] = ()) -> Iterator[str]:
    """A first line with the single values and, under ``lists``, how many entries of each list
    follow; then an object a line, ``{list: entry}``. For a list by server (``interests``) the
    entry is ``{server: [...]}``. Fields ``without`` are left out."""
    fields = {name: value for name, value in _fields(answer) if name not in without}
    lists = {name: value for name, value in fields.items() if _is_list(name, value, answer)}
    head = {name: value for name, value in fields.items() if name not in lists}
    steps: dict[int, str] = {}
    yield _compact({**head, "lists": {name: len(value) for name, value in lists.items()}}, steps)
    for name, value in lists.items():
        if isinstance(value, Mapping):
            for key, item in value.items():
                yield f'{{"{name}": {{{_quoted(str(key))}: {_compact(item, steps)}}}}}'
        else:
            for text in _texts(value, steps):
                yield f'{{"{name}": {text}}}'


def _fields(answer: Answer) -> Iterator[tuple[str, Any]]:
    """The fields in the order of ``Answer.to_dict``, the entries of lists not yet made plain:
    long answers stream.
    """
    yield "question", answer.question
    kind: Any = type(answer)
    for label, name in labels(kind):
        yield label, getattr(answer, name)


def _is_list(name: str, value: object, answer: Answer) -> bool:
    return _is_sequence(value) or (isinstance(value, dict) and name == answer.rows_field)


def _is_sequence(value: object) -> bool:
    """Whether a field is a list of the answer: a tuple, or rows that are made while they are
    written.
    """
    return isinstance(value, Sequence) and not isinstance(value, str)


def _entries(entries: Iterator[str], number: int) -> Iterator[str]:
    for position, entry in enumerate(entries, 1):
        yield f"    {entry}{',' if position < number else ''}"


_quoted = json.encoder.encode_basestring_ascii
_encoded = json.JSONEncoder(separators=(", ", ": "), allow_nan=False).encode


def _compact(value: Any, steps: dict[int, str]) -> str:
    """``value`` as compact JSON: ``json.dumps(plain(value))`` in a third of the time. ``steps``
    holds the text of each step of the answer, by identity: the paths of one answer share most of
    theirs."""
    kind: Any = type(value)
    if kind is str:
        return _quoted(value)
    if kind is int:
        return str(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is tuple or kind is list:
        texts = [
            _quoted(item) if type(item) is str else steps.get(id(item)) or _compact(item, steps)
            for item in value
        ]
        return f"[{', '.join(texts)}]"
    if kind is Step:
        text = steps.get(id(value))
        if text is None:
            text = steps[id(value)] = _object(kind, value, steps)
        return text
    if _is_record(kind):
        return _object(kind, value, steps)
    if isinstance(value, WritesEntries):
        return f"[{', '.join(value.written(_quoted))}]"
    return _encoded(plain(value))


@cache
def _is_record(kind: Any) -> bool:
    """Whether values of a type are written field by field."""
    return dataclasses.is_dataclass(kind) and not hasattr(kind, "to_dict")


def _texts(value: Any, steps: dict[int, str]) -> Iterator[str]:
    """The entries of a sequence as compact JSON."""
    if isinstance(value, WritesEntries):
        return value.written(_quoted)
    return (_compact(item, steps) for item in value)


def _object(kind: Any, record: Any, steps: dict[int, str]) -> str:
    fields = [
        f'"{label}": {_compact(getattr(record, name), steps)}' for label, name in labels(kind)
    ]
    return f"{{{', '.join(fields)}}}"


NARROWEST = 40
"""Columns that text takes at least: in a narrower terminal it is wrapped there."""


def _width() -> int | None:
    """The columns of the terminal (or of COLUMNS); None where the output goes elsewhere: then
    each entry is one line.
    """
    return max(NARROWEST, shutil.get_terminal_size().columns) if sys.stdout.isatty() else None


def _colour() -> bool:
    """Colours only on a terminal, and not where NO_COLOR is set to anything."""
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def _can_show(characters: str, encoding: str) -> bool:
    try:
        characters.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
