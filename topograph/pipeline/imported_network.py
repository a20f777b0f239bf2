"""One network on its way through an import: what is known of it, and its entry of the manifest."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from topograph.credentials import without_user_info
from topograph.files import FileReport
from topograph.findings import Finding
from topograph.local_paths import is_storage
from topograph.pipeline import tasks
from topograph.pipeline.file_columns import FileList
from topograph.pipeline.input_digests import InputDigests
from topograph.pipeline.packed_rows import PackedRows
from topograph.pipeline.reading_tasks import Work
from topograph.process.internal_errors import InternalError
from topograph.side_inputs import SideInputs
from topograph.store.identity import NetworkInputs
from topograph.store.parquet import NetworkEntry
from topograph.store.publication import fits

if TYPE_CHECKING:
    from topograph.pipeline.reuse import BundleKeys, Reused
    from topograph.pipeline.stamps import Stamps
    from topograph.redaction.redactor import Redactor

INTERESTS_LIMIT = 1_000_000
"""Above this many (server, name) pairs the implied interests are not written; each is one walk
when asked for (DESIGN section 2.3).
"""


@dataclass
class ImportedNetwork:
    """One network on its way through the import. What there is of every file is kept as columns, or
    packed: there may be millions."""

    name: str
    root: str
    """The path, or the URL of storage, that was imported."""
    files: FileList
    side_inputs: SideInputs
    findings: PackedRows[Finding]
    reports: PackedRows[FileReport]
    skipped: dict[str, str]
    """``Listing.skipped``."""
    aliases: tuple[tuple[str, str], ...] = ()
    """``Listing.aliases``."""
    left_out: tuple[tuple[str, str], ...] = ()
    """``Listing.left_out``."""
    about: str = ""
    """A digest of all that listing noted (``pipeline.earlier``)."""
    stamps: Stamps | None = None
    """What told the files apart when they were listed (``pipeline.earlier``)."""
    reused: Reused | None = None
    """What an earlier import read of the same files."""
    digests: InputDigests = field(default_factory=InputDigests)
    work: list[Work] = field(default_factory=list)
    """The bundles that are to be read."""
    bundles: int = 0
    """How many bundles there are, also those that an earlier import read."""
    bundle_systems: frozenset[str] = frozenset()
    bundle_keys: BundleKeys | None = None
    """What the next import tells these bundles by."""
    counts: tuple[tasks.SystemCounts, ...] = ()
    systems: tuple[str, ...] = ()
    errors: tuple[InternalError, ...] = ()
    interests: bool = True
    """Whether its implied interests could be worked out."""
    gone: dict[str, str] = field(default_factory=dict)
    """Files that were listed and could not be read."""
    tally: dict[str, int] = field(default_factory=dict)
    """How many files there are by status, once all are read."""
    redactor: Redactor | None = None
    redacted: bool = False
    """Whether all of this is redacted by now."""

    def identity(self) -> NetworkInputs:
        """What the network's part of the snapshot's id follows from. Linear in the files."""
        skipped = self.skipped if self.redacted else {**self.skipped, **self.gone}
        return NetworkInputs(self.digests.by_path(), skipped, self.side_inputs)

    def redact_inputs(self, inputs: NetworkInputs) -> None:
        """Have what ``identity`` gave, redacted, in its place."""
        self.digests = InputDigests.of(inputs.files)
        self.skipped, self.side_inputs = dict(inputs.skipped), inputs.side_inputs
        self.redacted = True

    def forget_files(self) -> None:
        """Give up what was known of each file: once all are read, only their digests and the
        reports about them are needed."""
        self.files = FileList.of(())
        self.stamps, self.reused, self.work, self.bundle_keys = None, None, [], None


class Identities(Mapping[str, NetworkInputs]):
    """What the parts of some networks in the snapshot's id follow from, each made when it is asked
    for."""

    def __init__(self, networks: Mapping[str, ImportedNetwork]) -> None:
        self._networks = networks

    def __getitem__(self, network: str) -> NetworkInputs:
        return self._networks[network].identity()

    def __iter__(self) -> Iterator[str]:
        return iter(self._networks)

    def __len__(self) -> int:
        return len(self._networks)


def _shown(root: str) -> str:
    """Where a network was imported from, as text and without credentials."""
    if is_storage(root):
        return without_user_info(root, urls_only=True)
    return os.fsencode(Path(root).resolve()).decode("utf-8", "backslashreplace")


def with_interests(network: ImportedNetwork) -> bool:
    """Whether the implied interests are written: of a legal network that is not too big."""
    pairs = [counts.pairs for counts in network.counts]
    return network.interests and None not in pairs and sum(filter(None, pairs)) <= INTERESTS_LIMIT


def entry_of(network: ImportedNetwork) -> NetworkEntry:
    """What the manifest says of a network."""
    counts = network.counts
    root = _shown(network.root)
    return NetworkEntry(
        name=network.name,
        root=root if network.redactor is None else network.redactor.path(root.rpartition("/")[2]),
        files=sum(network.tally.values()),
        systems=tuple(sorted(each.system for each in counts)),
        servers=sum(each.servers for each in counts),
        links=sum(each.links for each in counts),
        points=sum(each.points for each in counts),
        forwards=sum(each.forwards for each in counts),
        forwards_written=all(fits(each.forwards) for each in counts),
        interests_written=with_interests(network),
        side_inputs=network.side_inputs,
    )
