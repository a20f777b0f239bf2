"""What the workers do with files: recognise them, and read the bundles that they make, or take what
an earlier import read of them.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from topograph.errors import InputError
from topograph.facts import Fact
from topograph.importers.plan import failed, read_bundle, recognise
from topograph.importers.reading import (
    Bundle,
    BundleFile,
    Options,
    Reading,
    Recognised,
    Reference,
)
from topograph.pipeline.file_columns import FileList, SeenFiles, seen_of, whole_numbers
from topograph.pipeline.packed_rows import unsqueezed
from topograph.pipeline.places import content, opened
from topograph.pipeline.tasks import (
    REPORTED,
    ROWS_PER_BATCH,
    UNSOUND,
    PartKey,
    Rows,
    Task,
    packed,
    pickled_by_fields,
)
from topograph.records import record
from topograph.rules.unnumbered import IMPORTER_FAILED, INTERNAL_ERROR
from topograph.store.columns import column
from topograph.store.listing import InputFile, reason_of
from topograph.store.tables import ArrowTable, schema, to_arrow

if TYPE_CHECKING:
    from topograph.redaction.redactor import Redactor
    from topograph.redaction.values import Values


@record
class Listed:
    """Some files of a network, to be recognised."""

    network: str
    files: FileList


@record
class BundleTask:
    """A bundle to read: ``inputs`` are its files in this machine's terms, ``number`` its place
    among the bundles of its network."""

    bundle: Bundle
    inputs: tuple[InputFile, ...]
    number: int = 0


@record
class Work:
    """Bundles of a network to read: BundleTasks, ``squeezed``; how many they are, and of how many
    bytes."""

    network: str
    options: Options
    data: bytes
    bundles: int
    size: int

    def tasks(self) -> list[BundleTask]:
        """The bundles."""
        made: list[BundleTask] = unsqueezed(self.data)
        return made


@record
class KeptFacts:
    """Facts of one system and kind of a network that an earlier import read: those in the file at
    ``place`` but for the facts of some bundles."""

    network: str
    system: str
    kind: str
    place: str
    without: frozenset[str]


def work_size(work: Work | KeptFacts) -> int:
    """The bytes that have to be read of files."""
    return work.size if isinstance(work, Work) else 0


def bundles_of(work: Work | KeptFacts) -> int:
    """As how many bundles something counts where work is divided."""
    return work.bundles if isinstance(work, Work) else 1


for _kind in (InputFile, Reference, BundleFile, Bundle, BundleTask):
    pickled_by_fields(_kind)


def recognise_files(chunks: Iterator[list[Listed]]) -> Iterator[list[tuple[str, SeenFiles]]]:
    """Lists of Listed to pairs of network and SeenFiles; reads one file at a time."""
    for chunk in chunks:
        yield [(listed.network, _seen(listed.files)) for listed in chunk]


def _seen(files: Iterable[InputFile]) -> SeenFiles:
    found: list[tuple[Recognised, str]] = []
    failures: list[tuple[str, str]] = []
    for file in files:
        try:
            data = content(file)
        except OSError as error:
            failures.append((file.path, reason_of(error)))
        else:
            found.append((recognise(file.path, data), hashlib.sha256(data).hexdigest()))
    return seen_of(found, failures)


def reading(redactors: Mapping[str, Redactor]) -> Task:
    """Lists of Work and KeptFacts to Rows of facts, findings and sources, one bundle's files in
    memory at a time; redacted where the network has a redactor. Rows of findings and sources have
    the numbers of their bundles, and rows of UNSOUND are numbers alone."""

    def read_bundles(chunks: Iterator[list[Work | KeptFacts]]) -> Iterator[Rows]:
        held: list[_Held] = []
        number = 0
        for work in (work for works in chunks for work in works):
            if isinstance(work, KeptFacts):
                yield from _kept_facts(work)
                continue
            redactor = redactors.get(work.network)
            for task in work.tasks():
                held.append(_Held(work, task, _recorded(work, task, redactor)))
                number += sum(map(len, held[-1].records.values()))
                if number >= ROWS_PER_BATCH:
                    yield from _packed(held, redactors)
                    held, number = [], 0
        yield from _packed(held, redactors)

    return read_bundles


def _kept_facts(kept: KeptFacts) -> Iterator[Rows]:
    """Raises InputError where the file is not there or damaged."""
    try:
        with opened(kept.place, ("bundle",)) as file:
            table = file.read(use_threads=False)
    except (OSError, pa.ArrowException) as error:
        raise InputError(
            f"{kept.place}, a part of the previous snapshot, cannot be read: {error}. Import "
            "without --previous."
        ) from error
    bundles = ArrowTable(table).labels("bundle")
    stay = np.fromiter(
        (value not in kept.without for value in bundles.values), np.bool_, len(bundles.values)
    )
    rows = np.flatnonzero(stay[bundles.codes])
    if len(rows):
        table = table.take(whole_numbers(rows)).cast(schema("facts"))
        yield PartKey("facts", kept.network, kept.system, kept.kind), packed(table)


def _read(task: BundleTask, options: Options) -> tuple[Reading, bool]:
    """What is read of a bundle, and whether all of its files were there."""
    contents = {}
    for file in task.inputs:
        # One that is gone was there a moment ago; ``read_bundle`` says what its absence means.
        with contextlib.suppress(OSError):
            contents[file.path] = content(file)
    return read_bundle(task.bundle, contents, options), len(contents) == len(task.inputs)


_Records = dict[PartKey, list[Any]]
"""Records by the part that they belong to."""


class _Held(NamedTuple):
    work: Work
    task: BundleTask
    records: _Records


FAULTS = (INTERNAL_ERROR.kind, IMPORTER_FAILED.kind)
"""Kinds of findings about a fault of topograph, which may have been too little memory."""


def _recorded(work: Work, task: BundleTask, redactor: Redactor | None) -> _Records:
    try:
        reading, complete = _read(task, work.options)
        return _records(work.network, task, reading, redactor, sound=complete)
    except Exception as error:  # becomes a finding: one file must not end the import of all others
        return _failed(work, task, error, redactor)


def _failed(work: Work, task: BundleTask, error: Exception, redactor: Redactor | None) -> _Records:
    return _records(work.network, task, failed(task.bundle, error), redactor, sound=False)


def _records(
    network: str, task: BundleTask, reading: Reading, redactor: Redactor | None, *, sound: bool
) -> _Records:
    by_class: dict[type[Fact], list[Any]] = {}
    own_facts = task.bundle.id
    for fact in reading.facts:
        by_class.setdefault(type(fact), []).append(fact)
        # What is kept of a bundle is found again by its name.
        sound = sound and fact.bundle == own_facts
    found: _Records = {}
    for cls, own in by_class.items():  # a package's classes may share a kind
        found.setdefault(PartKey("facts", network, cls.system, cls.kind), []).extend(own)
    for table, records in (("findings", reading.findings), ("sources", reading.files)):
        if records:
            found[PartKey(table, network)] = list(records)
    if redactor is not None:
        found = {key: list(map(redactor.record, own)) for key, own in found.items()}
    if not sound or any(finding.kind in FAULTS for finding in reading.findings):
        found[PartKey(UNSOUND, network)] = [task.number]
    return found


def _packed(held: Sequence[_Held], redactors: Mapping[str, Redactor]) -> list[Rows]:
    """What some bundles gave, as rows; of one that cannot be written, the finding of an importer
    that failed.
    """
    try:
        return _tables((one.task.number, one.records) for one in held)
    except Exception:  # which of them it is, is found out one by one
        return _tables(
            (one.task.number, _writable(one, redactors.get(one.work.network))) for one in held
        )


def _writable(held: _Held, redactor: Redactor | None) -> _Records:
    try:
        _tables([(held.task.number, held.records)])
    except Exception as error:  # as above
        return _failed(held.work, held.task, error, redactor)
    return held.records


def _tables(held: Iterable[tuple[int, _Records]]) -> list[Rows]:
    joined: _Records = {}
    bundles: dict[PartKey, list[int]] = {}
    for number, records in held:
        for key, own in records.items():
            joined.setdefault(key, []).extend(own)
            if key.table in REPORTED:
                bundles.setdefault(key, []).extend([number] * len(own))
    return [(key, packed(_table(key, own, bundles.get(key)))) for key, own in joined.items()]


BUNDLE = "bundle"
"""In rows of these tables: the number of the bundle that they were read from."""


def _table(key: PartKey, records: list[Any], bundles: list[int] | None) -> pa.Table:
    if key.table == UNSOUND:
        return pa.table({BUNDLE: column(records, pa.int32())})
    made = to_arrow(key.table, records, network=key.network)
    return made if bundles is None else made.append_column(BUNDLE, column(bundles, pa.int32()))


def collect_values(chunks: Iterator[list[Work]]) -> Iterator[tuple[str, Values]]:
    """Pairs of network and Values: which hosts, users and client ids there are, for redaction."""
    from topograph.redaction.values import Values, collect

    for works in chunks:
        found: dict[str, Values] = {}
        for work in works:
            values = found.setdefault(work.network, Values())
            for task in work.tasks():
                collect(_read(task, work.options)[0].facts, values)
        yield from found.items()
