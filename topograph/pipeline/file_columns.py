"""The files of an import as columns: what the driver holds of each, of which there may be millions,
and what moves between it and the workers.

A file as Python objects takes 2.8 kB on its way through an import; as columns a path, some numbers
and a digest take some 150 bytes. Objects are made of one network, or of one task, at a time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from topograph.facts.plain import fields_from_plain, to_plain
from topograph.findings import Source
from topograph.importers.reading import Recognised, Reference
from topograph.records import record
from topograph.store.columns import column, integers
from topograph.store.listing import InputFile


def encoded(text: str) -> bytes:
    """A text as bytes, whatever a JSON or YAML file put into it."""
    return text.encode("utf-8", "surrogatepass")


def decoded(data: bytes) -> str:
    """What ``encoded`` was given."""
    return data.decode("utf-8", "surrogatepass")


def texts(values: Iterable[str]) -> pa.Array:
    """Texts as a column. Linear."""
    return column([encoded(value) for value in values], pa.binary())


def listed(values: pa.ChunkedArray | pa.Array) -> list[str]:
    """The texts of a column. Linear."""
    return [decoded(value) for value in values.to_pylist()]


def whole_numbers(values: Iterable[int] | NDArray[Any]) -> pa.Array:
    """A column of 64-bit numbers. (``pa.array`` would import pandas.)"""
    made = np.fromiter(values, np.int64) if not isinstance(values, np.ndarray) else values
    buffer = pa.py_buffer(np.ascontiguousarray(made, np.int64))
    return pa.Array.from_buffers(pa.int64(), len(made), [None, buffer])


def numbers(table: pa.Table, name: str) -> NDArray[Any]:
    """A column of numbers without nulls, as 64-bit ones. (``to_numpy`` would import pandas.)"""
    found = [np.zeros(0, np.int64)]
    for chunk in table.column(name).chunks:
        if len(chunk):
            values = np.frombuffer(chunk.buffers()[1], np.dtype(str(chunk.type)))
            found.append(values[chunk.offset : chunk.offset + len(chunk)].astype(np.int64))
    return np.concatenate(found)


def stream_of(table: pa.Table, compression: str = "lz4") -> bytes:
    """A table, of a slice those rows alone, as compressed bytes."""
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_stream(sink, table.schema, options=options) as stream:
        stream.write_table(table)
    made: bytes = sink.getvalue().to_pybytes()
    return made


def table_of(data: bytes) -> pa.Table:
    """The table that ``stream_of`` was given."""
    with pa.ipc.open_stream(data) as stream:
        return stream.read_all()


_INPUTS = pa.schema(
    [
        ("path", pa.binary()),
        ("size", pa.int64()),
        ("place", pa.binary()),
        ("member", pa.bool_()),
    ]
)


class FileList:
    """Files that were listed, as columns. Where a file lies is kept for those alone that do not lie
    below ``base`` under their path: members of archives, and what a link leads to."""

    def __init__(self, base: str, table: pa.Table) -> None:
        self.base = base
        self.table = table

    @classmethod
    def of(cls, files: Sequence[InputFile]) -> FileList:
        """The columns of some files, in their order. Linear."""
        base = next(
            (
                file.absolute.removesuffix(file.path)
                for file in files
                if not file.member and file.absolute.endswith(file.path)
            ),
            "",
        )
        places = [b"" if file.absolute == base + file.path else _place(file) for file in files]
        columns = [
            texts(file.path for file in files),
            whole_numbers(file.size for file in files),
            column(places, pa.binary()),
            column([file.member for file in files], pa.bool_()),
        ]
        return cls(base, pa.Table.from_arrays(columns, schema=_INPUTS))

    def __len__(self) -> int:
        count: int = self.table.num_rows
        return count

    def __reduce__(self) -> tuple[Callable[..., FileList], tuple[str, bytes]]:
        return _file_list, (self.base, stream_of(self.table))

    def __iter__(self) -> Iterator[InputFile]:
        """The files one by one, made of ``_BATCH`` rows at a time."""
        for at in range(0, len(self), _BATCH):
            part = self.table.slice(at, _BATCH)
            for path, size, place, member in zip(
                listed(part.column("path")),
                part.column("size").to_pylist(),
                part.column("place").to_pylist(),
                part.column("member").to_pylist(),
                strict=True,
            ):
                absolute = place.decode("utf-8", "surrogateescape") or self.base + path
                yield InputFile(path, size, absolute, member)

    def paths(self) -> list[str]:
        """The path of each file."""
        return listed(self.table.column("path"))

    def sizes(self) -> NDArray[Any]:
        """The size of each file in bytes."""
        return numbers(self.table, "size")

    def between(self, first: int, end: int) -> FileList:
        """The files from one number on to before another, sharing their columns."""
        return FileList(self.base, self.table.slice(first, end - first))

    def chosen(self, rows: NDArray[np.int64]) -> FileList:
        """The files of some numbers."""
        return FileList(self.base, self.table.take(whole_numbers(rows)))


_BATCH = 4_096


def _place(file: InputFile) -> bytes:
    return file.absolute.encode("utf-8", "surrogateescape")


def _file_list(base: str, data: bytes) -> FileList:
    return FileList(base, table_of(data))


SEEN = pa.schema(
    [
        ("path", pa.binary()),
        ("sha256", pa.binary()),
        ("digest", pa.binary()),
        ("server", pa.binary()),
        ("shape", pa.int32()),
    ]
)
"""What is kept of a file that was recognised: ``shape`` is the number of all the rest, which many
files of a network have in common."""


@record
class SeenFiles:
    """Files of one network after recognition. ``shapes`` is what they are, as JSON, without what
    tells one file of a kind from the next (``SEEN``); ``failures`` are the files that could not be
    read, with the reasons."""

    table: pa.Table
    shapes: tuple[str, ...]
    failures: tuple[tuple[str, str], ...] = ()

    def __reduce__(self) -> tuple[Callable[..., SeenFiles], tuple[Any, ...]]:
        return _seen_files, (stream_of(self.table), self.shapes, self.failures)


def _seen_files(
    data: bytes, shapes: tuple[str, ...], failures: tuple[tuple[str, str], ...]
) -> SeenFiles:
    return SeenFiles(table_of(data), shapes, failures)


def seen_of(
    files: Iterable[tuple[Recognised, str]], failures: Sequence[tuple[str, str]] = ()
) -> SeenFiles:
    """The columns of recognised files, each with the SHA-256 of its content. Linear."""
    found = list(files)
    known: dict[Any, int] = {}
    shapes = [known.setdefault(_shape(file), len(known)) for file, _ in found]
    columns = [
        texts(file.path for file, _ in found),
        column([bytes.fromhex(sha256) for _, sha256 in found], pa.binary()),
        column([file.digest for file, _ in found], pa.binary()),
        texts(file.server for file, _ in found),
        column(shapes, pa.int32()),
    ]
    table = pa.Table.from_arrays(columns, schema=SEEN)
    return SeenFiles(table, tuple(map(_written, known)), tuple(failures))


def joined(parts: Sequence[SeenFiles]) -> SeenFiles:
    """Files of one network that were recognised apart from each other, by path: n log n."""
    known: dict[str, int] = {}
    tables = []
    for part in parts:
        places = np.array([known.setdefault(text, len(known)) for text in part.shapes], np.int32)
        shapes = integers(places[numbers(part.table, "shape")])
        tables.append(part.table.set_column(SEEN.get_field_index("shape"), SEEN.field(4), shapes))
    table = pa.concat_tables(tables) if tables else seen_of(()).table
    paths = listed(table.column("path"))
    order = sorted(range(len(paths)), key=paths.__getitem__)
    if order != list(range(len(paths))):
        table = table.take(whole_numbers(order))
    failures = tuple(failure for part in parts for failure in part.failures)
    return SeenFiles(table, tuple(known), failures)


def recognised_of(seen: SeenFiles) -> list[Recognised]:
    """The files as they were recognised. Linear."""
    used = set(numbers(seen.table, "shape").tolist())
    shapes = {number: _Shape(seen.shapes[number]) for number in used}
    return [
        shapes[shape].file(path, server, digest)
        for path, server, digest, shape in zip(
            listed(seen.table.column("path")),
            listed(seen.table.column("server")),
            seen.table.column("digest").to_pylist(),
            seen.table.column("shape").to_pylist(),
            strict=True,
        )
    ]


_APART = ("path", "server", "references", "digest")
"""Fields of a file that are no part of its shape as they are."""

_SAME = tuple(one.name for one in fields(Recognised) if one.name not in _APART)
_same = attrgetter(*_SAME)
_SETS = frozenset({"speaks_of"})
"""Fields that are sets of texts, which JSON does not have."""


def _shape(file: Recognised) -> tuple[Any, ...]:
    """What files of a kind have in common: a place in the file itself is one without its path."""
    path = file.path
    references = tuple(
        (
            one.kind,
            one.name,
            None if one.source.file == path else one.source.file,
            one.source.line,
            one.source.column,
            one.unstated,
            one.matters,
            one.member,
        )
        for one in file.references
    )
    return (references, *_same(file))


def _written(shape: tuple[Any, ...]) -> str:
    references, *rest = shape
    values = {
        name: sorted(value) if name in _SETS else to_plain(value)
        for name, value in zip(_SAME, rest, strict=True)
    }
    return json.dumps({"references": references, **values}, sort_keys=True)


class _Shape:
    """What files of a kind have in common, of which each is made."""

    def __init__(self, text: str) -> None:
        plain: Mapping[str, Any] = json.loads(text)
        self._references = [tuple(one) for one in plain["references"]]
        same = {name: plain[name] for name in _SAME if name not in _SETS}
        self._rest = fields_from_plain(Recognised, same)
        self._rest |= {name: frozenset(plain[name]) for name in _SETS}

    def file(self, path: str, server: str, digest: bytes) -> Recognised:
        references = tuple(
            Reference(
                kind,
                name,
                Source(path if file is None else file, line, column),
                unstated,
                matters,
                member,
            )
            for kind, name, file, line, column, unstated, matters, member in self._references
        )
        return Recognised(
            path=path, server=server, references=references, digest=digest, **self._rest
        )
