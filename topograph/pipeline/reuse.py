"""What an earlier import read of the files of a network that did not change, to be taken in place
of reading them again (``pipeline.earlier``).

A file that did not change is what it was recognised as. What files make up a server is worked out
anew. A bundle that has the same files, of the same contents, and is read in the same way gives the
same facts, findings and file reports: its facts are in the tables of the earlier snapshot, found by
the bundle's name, the rest was kept with the bundle's number.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from topograph.credentials import without_credentials
from topograph.facts.plain import to_plain
from topograph.importers.plan import IMPORTER_FAILED_AT
from topograph.importers.reading import Bundle, Options
from topograph.pipeline.file_columns import (
    SEEN,
    FileList,
    SeenFiles,
    listed,
    numbers,
    stream_of,
    table_of,
    texts,
    whole_numbers,
)
from topograph.pipeline.kept_parts import Keeper, Kept
from topograph.pipeline.reading_tasks import BUNDLE, KeptFacts
from topograph.pipeline.stamps import Stamps
from topograph.pipeline.tasks import REPORTED
from topograph.store.columns import column, integers
from topograph.store.parquet import TableFile

_KEPT_AS = "zstd"


class EarlierFiles:
    """The files of a network as an earlier import saw them."""

    def __init__(self, kept: Kept, network: str) -> None:
        """Raises NotKept where they are not kept. Linear."""
        table = table_of(kept.part(network, "files"))
        shapes = json.loads(zlib.decompress(kept.part(network, "shapes")))
        self.seen = SeenFiles(table.select(SEEN.names), tuple(shapes))
        self.stamps = Stamps.of(table)

    def has_paths_of(self, files: FileList) -> bool:
        """Whether these are the files that there were."""
        mine, theirs = self.seen.table.column("path"), files.table.column("path")
        return len(mine) == len(theirs) and bool(mine.equals(theirs))

    def unchanged(self, files: FileList, stamps: Stamps) -> NDArray[np.int64]:
        """For each of some files its row here, -1 for one that may have changed. Linear."""
        if self.has_paths_of(files):
            rows = np.arange(len(files))
        else:
            known = {path: row for row, path in enumerate(self.seen.table["path"].to_pylist())}
            paths = files.table["path"].to_pylist()
            rows = np.fromiter((known.get(path, -1) for path in paths), np.int64, len(paths))
            if not known:
                return rows
        return np.where((rows >= 0) & stamps.same(self.stamps.chosen(rows)), rows, -1)

    def chosen(self, rows: NDArray[np.int64]) -> SeenFiles:
        """The files of some rows."""
        return SeenFiles(self.seen.table.take(whole_numbers(rows)), self.seen.shapes)


def keep_files(keeper: Keeper, network: str, seen: SeenFiles, stamps: Stamps) -> None:
    """Keep what files were recognised as, but for those that have to be looked at again: of which
    anything would be kept that looks like a credential, or where an importer failed. Linear."""
    rows = np.flatnonzero(_may_be_kept(seen))
    if len(rows) < seen.table.num_rows:
        seen = SeenFiles(seen.table.take(whole_numbers(rows)), seen.shapes)
        stamps = stamps.chosen(rows)
        used = set(numbers(seen.table, "shape").tolist())
        # The others keep their numbers.
        shapes = tuple(text if at in used else "{}" for at, text in enumerate(seen.shapes))
        seen = replace(seen, shapes=shapes)
    keeper.keep(network, "files", stream_of(stamps.added_to(seen.table), _KEPT_AS))
    keeper.keep(network, "shapes", zlib.compress(json.dumps(seen.shapes).encode(), 1))


def _may_be_kept(seen: SeenFiles) -> NDArray[np.bool_]:
    shapes = np.fromiter(map(_is_plain, seen.shapes), np.bool_, len(seen.shapes))
    kept = shapes[numbers(seen.table, "shape")]
    names = listed(seen.table["server"])
    plain = {name: without_credentials(name) == name for name in set(names)}
    found: NDArray[np.bool_] = kept & np.fromiter(map(plain.get, names), np.bool_, len(names))
    return found


def _is_plain(shape: str) -> bool:
    text = json.dumps(json.loads(shape), ensure_ascii=False)
    return IMPORTER_FAILED_AT not in text and without_credentials(text) == text


@dataclass
class BundleKeys:
    """The bundles of a network by number: the name of each, and a digest of all that is read of
    it."""

    names: pa.Array
    keys: pa.Array

    @classmethod
    def of(
        cls, bundles: Sequence[Bundle], digests: Mapping[str, bytes], options: Options
    ) -> BundleKeys:
        """Those of bundles of files with these SHA-256. Linear."""
        how = json.dumps(to_plain(options), sort_keys=True)
        keys = []
        for bundle in bundles:
            key = hashlib.sha256(json.dumps([how, to_plain(bundle)], sort_keys=True).encode())
            for file in bundle.files:
                key.update(digests[file.path])
            keys.append(key.digest())
        return cls(texts(bundle.id for bundle in bundles), column(keys, pa.binary()))

    def keep(self, keeper: Keeper, network: str, unsound: set[int]) -> None:
        """Keep them, and which of them have to be read again whatever became of their files."""
        sound = [number not in unsound for number in range(len(self.keys))]
        columns = {"name": self.names, "key": self.keys, "sound": column(sound, pa.bool_())}
        keeper.keep(network, "bundles", stream_of(pa.table(columns), _KEPT_AS))


def keep_rows(keeper: Keeper, network: str, name: str, rows: pa.Table) -> None:
    """Keep rows of findings or sources with the numbers of their bundles."""
    keeper.keep(network, name, stream_of(rows, _KEPT_AS))


class EarlierBundles:
    """The bundles of a network as an earlier import read them."""

    def __init__(self, kept: Kept, network: str) -> None:
        """Raises NotKept where they are not kept."""
        table = table_of(kept.part(network, "bundles"))
        self._names = listed(table["name"])
        self._keys = table["key"].to_pylist()
        self._sound = table["sound"].to_pylist()
        self._rows = {name: kept.part(network, name) for name in REPORTED}
        self._becomes = np.full(len(self._keys), -1, np.int64)

    def all_sound(self) -> bool:
        """Whether all of them may be taken as they were read."""
        return all(self._sound)

    def take(self, bundles: BundleKeys) -> set[int]:
        """Take what was read of these bundles, where it was; their numbers. Linear."""
        # Two bundles of one name would be told apart by nothing in the facts.
        known = {}
        if len(set(self._names)) == len(self._names):
            pairs = zip(self._names, self._keys, strict=True)
            known = {pair: row for row, pair in enumerate(pairs) if self._sound[row]}
        taken = set()
        pairs = zip(listed(bundles.names), bundles.keys.to_pylist(), strict=True)
        for number, pair in enumerate(pairs):
            row = known.get(pair)
            if row is not None:
                self._becomes[row] = number
                taken.add(number)
        return taken

    def rows(self, name: str) -> pa.Table:
        """The findings, or sources, of the bundles that were taken, with their numbers now."""
        table = table_of(self._rows[name])
        becomes = self._becomes[numbers(table, BUNDLE)]
        kept = np.flatnonzero(becomes >= 0)
        at = table.schema.get_field_index(BUNDLE)
        now = integers(becomes[kept].astype(np.int32))
        return table.take(whole_numbers(kept)).set_column(at, table.schema.field(at), now)

    def facts(self, network: str, place: str, files: Sequence[TableFile]) -> list[KeptFacts]:
        """The facts of the bundles that were taken, in these files of the snapshot at a place."""
        gone = np.flatnonzero(self._becomes < 0).tolist()
        if len(gone) == len(self._names):
            return []
        without = frozenset(self._names[row] for row in gone)
        return [
            KeptFacts(network, file.system, file.kind, f"{place}/{file.path}", without)
            for file in files
        ]


@dataclass
class Reused:
    """What is taken of an earlier import for a network of which some files changed."""

    seen: SeenFiles
    """The files that did not change."""
    unread: FileList
    """The others."""
    bundles: EarlierBundles
    place: str
    """The snapshot."""
    facts: list[TableFile]
    """Its facts of the network."""

    def kept_facts(self, network: str) -> list[KeptFacts]:
        """The facts of bundles that are not read again."""
        return self.bundles.facts(network, self.place, self.facts)
