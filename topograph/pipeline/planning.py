"""From the listed files of networks to what has to be read: one network at a time is made of
objects, all the others are columns, or packed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from topograph.errors import InputError
from topograph.importers.plan import plan
from topograph.importers.reading import Bundle, Options
from topograph.opening.inputs import GONE, gone_report, gone_since
from topograph.pipeline.division import chunked, divided
from topograph.pipeline.file_columns import FileList, SeenFiles, joined, recognised_of
from topograph.pipeline.imported_network import ImportedNetwork
from topograph.pipeline.input_digests import InputDigests
from topograph.pipeline.kept_parts import Keeper
from topograph.pipeline.network_folders import without_main
from topograph.pipeline.packed_rows import PackedRows, squeezed
from topograph.pipeline.reading_tasks import BUNDLE, BundleTask, Listed, Work
from topograph.pipeline.reuse import BundleKeys, keep_files, keep_rows
from topograph.pipeline.tasks import REPORTED, UNSOUND, Rows, unpacked
from topograph.store.columns import column
from topograph.store.tables import empty, from_arrow

if TYPE_CHECKING:
    from topograph.redaction.key import Key


def unread(network: ImportedNetwork) -> FileList:
    """The files of a network that have to be recognised."""
    return network.files if network.reused is None else network.reused.unread


def to_recognise(networks: Iterable[ImportedNetwork], wanted: int) -> list[list[Listed]]:
    """The files to recognise in lists for the workers, about ``wanted`` ones. Linear."""
    lists = [(network.name, unread(network)) for network in networks]
    sizes = np.concatenate([np.zeros(0, np.int64), *(files.sizes() for _, files in lists)])
    ends = iter(divided(sizes, wanted))
    chunks: list[list[Listed]] = []
    room = 0
    for name, files in lists:
        at = 0
        while at < len(files):
            if not room:
                room = next(ends)
                chunks.append([])
            end = min(len(files), at + room)
            chunks[-1].append(Listed(name, files.between(at, end)))
            room -= end - at
            at = end
    return chunks


def planned(
    network: ImportedNetwork,
    parts: Sequence[SeenFiles],
    options: Options,
    wanted: int,
    keeper: Keeper | None,
    key: Key | None,
) -> None:
    """Plan a network of which all files are recognised; what is to be read is then in its ``work``.
    n log n.

    Raises InputError where none of its files is a server's."""
    reused = network.reused
    seen = joined([*([reused.seen] if reused is not None else []), *parts])
    for path, why in seen.failures:
        network.gone[path] = GONE
        network.findings.append(gone_since(path, why))
        network.reports.append(gone_report(path))
    network.digests = InputDigests(seen.table["path"], seen.table["sha256"])
    recognised = recognised_of(seen)
    made = plan(recognised, network.side_inputs, network.aliases)
    if not made.bundles:
        raise InputError(without_main(network, recognised, key))
    network.findings.extend(made.findings)
    network.reports.extend(made.files)
    network.side_inputs = replace(network.side_inputs, choices=made.choices)
    network.bundles = len(made.bundles)
    network.bundle_systems = frozenset(bundle.system for bundle in made.bundles)
    taken: set[int] = set()
    if keeper is not None and network.stamps is not None:
        _keep_files(network, seen, keeper)
        network.bundle_keys = _keys(seen, made.bundles, options)
        if reused is not None:
            taken = reused.bundles.take(network.bundle_keys)
    network.work = _work(network, made.bundles, taken, options, wanted)


def _keep_files(network: ImportedNetwork, seen: SeenFiles, keeper: Keeper) -> None:
    assert network.stamps is not None
    stamps = network.stamps
    if network.gone:
        there = [path not in network.gone for path in network.files.paths()]
        stamps = stamps.chosen(np.flatnonzero(there))
    keep_files(keeper, network.name, seen, stamps)


def _keys(seen: SeenFiles, bundles: Sequence[Bundle], options: Options) -> BundleKeys:
    paths = (file.decode("utf-8", "surrogatepass") for file in seen.table["path"].to_pylist())
    digests = dict(zip(paths, seen.table["sha256"].to_pylist(), strict=True))
    return BundleKeys.of(bundles, digests, options)


def _work(
    network: ImportedNetwork,
    bundles: Sequence[Bundle],
    taken: set[int],
    options: Options,
    wanted: int,
) -> list[Work]:
    inputs = {file.path: file for file in network.files}
    tasks = [
        BundleTask(bundle, tuple(inputs[file.path] for file in bundle.files), number)
        for number, bundle in enumerate(bundles)
        if number not in taken
    ]
    return [
        Work(network.name, options, squeezed(own), len(own), sum(map(_size, own)))
        for own in chunked(tasks, _size, wanted)
    ]


def _size(task: BundleTask) -> int:
    return sum(file.size for file in task.inputs)


def take_read(network: ImportedNetwork, found: Sequence[Rows], keeper: Keeper | None) -> None:
    """Add what was found in the files of a network, by the workers and by an earlier import, to its
    findings and reports, and keep it for the next import. Linear in the rows."""
    keys = network.bundle_keys
    intos: tuple[PackedRows[Any], ...] = (network.findings, network.reports)
    for name, into in zip(REPORTED, intos, strict=True):
        tables = [unpacked([rows]) for key, rows in found if key.table == name]
        if network.reused is not None:
            tables.append(network.reused.bundles.rows(name))
        rows = pa.concat_tables([_no_rows(name), *tables]).unify_dictionaries()
        if keeper is not None and keys is not None:
            keep_rows(keeper, network.name, name, rows)
        into.extend(from_arrow(name, rows))
    if keeper is not None and keys is not None:
        unsound = [unpacked([rows])[BUNDLE] for key, rows in found if key.table == UNSOUND]
        keys.keep(keeper, network.name, {row for rows in unsound for row in rows.to_pylist()})


def _no_rows(name: str) -> pa.Table:
    return empty(name).append_column(BUNDLE, column((), pa.int32()))
