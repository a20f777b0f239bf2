"""Answers on standard output: text for people, JSON, or JSON lines. Nothing else is ever written there."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from topograph.cli.main import discard_stdout
from topograph.errors import TopographError
from topograph.questions.answers import Answer, HopsMatrixAnswer, plain


def write_answer(answer: Answer, form: str) -> None:
    """Write the answer to standard output in ``form``: ``text``, ``json`` or ``jsonl``.

    A reader that closes the pipe early is no error. Raises TopographError if the output cannot be written (a full disk).
    """
    if form == "text":
        _write(text_lines(answer))
    else:
        _write(json_lines(answer) if form == "jsonl" else json_document(answer))


def write_hop_rows(head: HopsMatrixAnswer, rows: Iterable[tuple[str, Sequence[int | None]]]) -> None:
    """Write a hop matrix as JSON lines while its rows are worked out: the lines of ``head``, then ``{"hops": {SERVER: [...]}}`` for
    each server, in the order of the rows. Takes the memory of one row."""
    body = (_compact({"hops": {server: row}}) for server, row in rows)
    _write(chain(json_lines(head), body))


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
        raise TopographError(f"The answer cannot be written: {error.strerror or error}.") from error


def text_lines(answer: Answer) -> Iterator[str]:
    """The text form, in the characters and colours that the output can show."""
    from topograph.questions.text import text
    from topograph.questions.texts.layout import Style

    encoding = sys.stdout.encoding or "ascii"
    written = text(answer, Style(colour=_colour(), symbols=_can_show("→…·", encoding)))
    yield written.encode(encoding, "backslashreplace").decode(encoding).rstrip("\n")


def json_document(answer: Answer) -> Iterator[str]:
    """The answer as one JSON object, a line for each entry of a list: readable, and as fast to write as compact JSON.

    Only ASCII characters, so that every locale and every reader gets the same bytes.
    """
    fields = list(_fields(answer))
    yield "{"
    for number, (name, value) in enumerate(fields, 1):
        comma = "," if number < len(fields) else ""
        key = f'  "{name}": '
        if isinstance(value, tuple) and value:
            yield f"{key}["
            yield from _entries((_compact(item) for item in value), len(value))
            yield f"  ]{comma}"
        elif isinstance(value, dict) and value:
            yield f"{key}{{"
            yield from _entries((f"{json.dumps(str(k))}: {_compact(item)}" for k, item in value.items()), len(value))
            yield f"  }}{comma}"
        else:
            yield f"{key}{_compact(value)}{comma}"
    yield "}"


def json_lines(answer: Answer) -> Iterator[str]:
    """A first line with the single values and, under ``lists``, how many entries of each list follow; then an object a line,
    ``{list: entry}``. For a list by server (``interests``) the entry is ``{server: [...]}``."""
    fields = dict(_fields(answer))
    lists = {name: value for name, value in fields.items() if _is_list(name, value, answer)}
    head = {name: value for name, value in fields.items() if name not in lists}
    yield _compact({**head, "lists": {name: len(value) for name, value in lists.items()}})
    for name, value in lists.items():
        if isinstance(value, Mapping):
            for key, item in value.items():
                yield _compact({name: {str(key): item}})
        else:
            for item in value:
                yield _compact({name: item})


def _fields(answer: Answer) -> Iterator[tuple[str, Any]]:
    """The fields in the order of ``Answer.to_dict``, the entries of lists not yet made plain: long answers stream."""
    yield "question", answer.question
    for field in dataclasses.fields(answer):
        yield field.name.rstrip("_"), getattr(answer, field.name)


def _is_list(name: str, value: object, answer: Answer) -> bool:
    return isinstance(value, tuple) or (isinstance(value, dict) and name == answer.rows_field)


def _entries(entries: Iterator[str], number: int) -> Iterator[str]:
    for position, entry in enumerate(entries, 1):
        yield f"    {entry}{',' if position < number else ''}"


def _compact(value: object) -> str:
    return json.dumps(plain(value), separators=(", ", ": "), allow_nan=False)


def _colour() -> bool:
    """Colours only on a terminal, and not where NO_COLOR is set to anything."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _can_show(characters: str, encoding: str) -> bool:
    try:
        characters.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
