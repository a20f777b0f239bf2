"""One network on its way through an import: what is known of it, and its entry of the manifest."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from topograph.credentials import without_user_info
from topograph.files import FileReport, tally
from topograph.findings import Finding
from topograph.importers.reading import Plan
from topograph.local_paths import is_storage
from topograph.pipeline import tasks
from topograph.process.internal_errors import InternalError
from topograph.side_inputs import SideInputs
from topograph.store.identity import NetworkInputs
from topograph.store.listing import InputFile, Listing
from topograph.store.parquet import NetworkEntry
from topograph.store.publication import fits

if TYPE_CHECKING:
    from topograph.redaction.redactor import Redactor

INTERESTS_LIMIT = 1_000_000
"""Above this many (server, name) pairs the implied interests are not written; each is one walk
when asked for (DESIGN section 2.3).
"""


@dataclass
class ImportedNetwork:
    """One network on its way through the import."""

    name: str
    root: str
    """The path, or the URL of storage, that was imported."""
    listing: Listing
    inputs: tuple[InputFile, ...]
    side_inputs: SideInputs
    findings: list[Finding]
    reports: list[FileReport]
    skipped: dict[str, str]
    """``Listing.skipped``."""
    digests: dict[str, str] = field(default_factory=dict)
    plan: Plan = field(default_factory=lambda: Plan(()))
    counts: tuple[tasks.SystemCounts, ...] = ()
    systems: tuple[str, ...] = ()
    errors: tuple[InternalError, ...] = ()
    interests: bool = True
    """Whether its implied interests could be worked out."""
    gone: dict[str, str] = field(default_factory=dict)
    """Files that were listed and could not be read."""
    stamps: dict[str, tuple[int, int, int, int]] = field(default_factory=dict)
    """What told the files apart when they were listed (``pipeline.earlier``)."""
    redactor: Redactor | None = None
    redacted: NetworkInputs | None = None
    """What ``identity`` gave, redacted."""

    def identity(self) -> NetworkInputs:
        """What the network's part of the snapshot's id follows from."""
        return NetworkInputs(self.digests, {**self.skipped, **self.gone}, self.side_inputs)

    def forget_files(self) -> None:
        """Give up the records of files, of which there may be millions: once all are read, only
        their digests and the reports about them are needed."""
        self.inputs, self.plan = (), Plan(())
        self.listing = replace(self.listing, files=())


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
        files=sum(tally(network.reports).values()),
        systems=tuple(sorted(each.system for each in counts)),
        servers=sum(each.servers for each in counts),
        links=sum(each.links for each in counts),
        points=sum(each.points for each in counts),
        forwards=sum(each.forwards for each in counts),
        forwards_written=all(fits(each.forwards) for each in counts),
        interests_written=with_interests(network),
        side_inputs=network.side_inputs,
    )
