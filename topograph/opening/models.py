"""From a snapshot to the model that questions work on: which network of it, and which engine
walks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from topograph.engines import Engine
from topograph.engines.memory import MemoryEngine
from topograph.errors import (
    BackendError,
    DatabaseUnavailable,
    SnapshotNotPublished,
    UnknownNetwork,
    UsageError,
)
from topograph.findings import Source
from topograph.forwarding.graph import ForwardingGraph
from topograph.local_paths import check_local
from topograph.opening.selection import EVERYTHING, Selection
from topograph.process.packages import installed
from topograph.questions.answers import Caution
from topograph.questions.model import Model, Part, Records
from topograph.records import record
from topograph.rules.unnumbered import INTERNAL_ERROR
from topograph.store.layouts import KeptLayout
from topograph.store.names import holds_snapshot
from topograph.store.reports import keep_reports
from topograph.store.snapshot import MemorySnapshot, Snapshot
from topograph.systems import assemble, systems_in
from topograph.systems.guarded import Guarded, titles
from topograph.words.did_you_mean import did_you_mean

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.facts.fact import Servers
    from topograph.facts.names import FactNames
    from topograph.store.readings import WorkedOut
    from topograph.store.revisions import Revision

EngineChoice = Literal["auto", "memory", "neo4j"]


@record(slots=False)
class SnapshotFacts:
    """The facts of one system in one network of a snapshot, read when they are asked for
    (``systems.contract.system.FactSource``).
    """

    snapshot: Snapshot
    network: str
    system: str

    def facts(
        self, kinds: Sequence[str] = (), server: Servers = "", names: Container[str] | None = None
    ) -> Sequence[Fact]:
        """See ``FactSource``."""
        return self.snapshot.facts(
            self.network, kinds=kinds, server=server, system=self.system, names=names
        )

    def stream(self, kinds: Sequence[str] = ()) -> Iterator[Fact]:
        """See ``FactSource``."""
        return self.snapshot.fact_stream(self.network, kinds=kinds, system=self.system)

    def names(self, kinds: Sequence[str] = ()) -> FactNames:
        """See ``FactSource``."""
        return self.snapshot.fact_names(self.network, kinds=kinds, system=self.system)

    @property
    def keeping(self) -> WorkedOut | None:
        """Where questions keep what they work out of the network (``stepping.kept.Kept``)."""
        from topograph.store.readings import KeptReading, WorkedOut

        if isinstance(self.snapshot, KeptReading | MemorySnapshot) and self.snapshot.key:
            return WorkedOut(self.snapshot.key, self.network)
        return None


def open_model(
    snapshot: str,
    network: str | None = None,
    engine: EngineChoice = "auto",
    chosen: Selection = EVERYTHING,
) -> Model:
    """A network of a snapshot directory, of ``neo4j:ID``, of a folder, file or archive of
    configuration, or of a folder in a commit (``REV:FOLDER``).

    Configuration is read here, those files that ``chosen`` leaves, and, with ``auto``, asked in
    memory. Raises SnapshotNotFound,
    SnapshotIncomplete, UnknownNetwork, DatabaseUnavailable, SnapshotNotPublished, UsageError for a
    folder that holds neither, and for a choice of files of a snapshot.
    """
    if chosen and (snapshot.startswith("neo4j:") or _is_read(snapshot)):
        raise UsageError(
            f"{snapshot} is a snapshot, of which no files can be left out. Give --include and "
            "--exclude to topograph import, or ask the folder of configuration."
        )
    if snapshot.startswith("neo4j:"):
        return _open_in_database(snapshot.removeprefix("neo4j:"), network, engine)
    check_local(snapshot)
    revision = _revision(snapshot)
    if revision is None and not is_configuration(snapshot):
        with installed():
            from topograph.store.parquet import open_snapshot
        kept = open_snapshot(snapshot)
        name = _chosen(kept, network)
        return replace(model_with(kept, name, engine), layout=KeptLayout(kept.layout_path(name)))
    from topograph.opening.folders import open_folder, open_revision

    reading = open_folder(snapshot, chosen) if revision is None else open_revision(revision, chosen)
    try:
        model = model_with(
            reading, _chosen(reading, network), "neo4j" if engine == "neo4j" else "memory"
        )
    except (DatabaseUnavailable, SnapshotNotPublished) as error:
        if revision is not None:
            raise
        raise type(error)(
            f"{error} To publish this configuration: topograph snapshots publish {snapshot}"
        ) from error
    return replace(
        model,
        unreadable=reading.unreadable,
        revision="" if revision is None else reading.name,
        asked_as=snapshot,
    )


def _is_read(snapshot: str) -> bool:
    """Whether a text names a snapshot, which is read already, and no configuration."""
    return _revision(snapshot) is None and not is_configuration(snapshot)


def _revision(text: str) -> Revision | None:
    """The git revision that a text names, if it does."""
    if ":" not in text:
        return None
    from topograph.store.revisions import revision_in

    return revision_in(text)


def is_configuration(path: str) -> bool:
    """Whether a path names a folder, file or archive of configuration: whatever is there and is
    no snapshot, not even an unfinished one.
    """
    return os.path.exists(path) and not holds_snapshot(Path(path))  # noqa: PTH110


def _chosen(snapshot: Snapshot, network: str | None) -> str:
    names = list(snapshot.networks)
    if network is None and len(names) == 1:
        return names[0]
    if network in names:
        return str(network)
    listed = ", ".join(names) or "none"
    if network is None:
        raise UnknownNetwork(
            f"{snapshot.name} holds several networks ({listed}); choose one with --network."
        )
    near = did_you_mean(network, names)
    raise UnknownNetwork(f"{snapshot.name} holds no network {network!r}; it holds {listed}.{near}")


def model_of(
    snapshot: Snapshot,
    name: str,
    engine_for: Callable[[ForwardingGraph], Engine] = MemoryEngine,
    warnings: tuple[Caution, ...] = (),
) -> Model:
    """One network of any snapshot, walked by the engines that ``engine_for`` makes."""
    side_inputs = snapshot.side_inputs(name)
    parts = []
    guarded = Guarded()
    lost = []
    for tables in snapshot.graph_tables(name):
        graph = (
            guarded.made(systems_in(tables), partial(assemble, tables)) if tables.servers else None
        )
        if graph is None:
            lost.append(titles(systems_in(tables)))
            continue
        parts.append(
            Part(graph, engine_for(graph), partial(SnapshotFacts, snapshot, name), side_inputs)
        )
    keep_reports(guarded.errors, anything_left=bool(parts))
    if lost:
        text = (
            f"Nothing of {' and '.join(lost)} is answered: internal error (bug) while {name} "
            "was read, see `show findings`"
        )
        warnings = (*warnings, Caution(INTERNAL_ERROR.kind, text))
    records = Records(
        lambda: snapshot.findings(name),
        lambda: snapshot.files(name),
        lambda: snapshot.origin(name),
        snapshot.name,
    )
    return Model(snapshot.id, name, parts, records, side_inputs, warnings, snapshot.redaction)


def model_with(snapshot: Snapshot, name: str, engine: EngineChoice) -> Model:
    """One network of a snapshot, walked by the engine of that name; by memory where ``auto`` finds
    no database that holds it, with a warning where the one that is configured fails.

    With ``neo4j`` asked for, raises DatabaseUnavailable or SnapshotNotPublished instead. A
    snapshot that is not published is no fault: the answer names its engine."""
    if engine == "memory":
        return model_of(snapshot, name)
    from topograph.store.where import database_at

    place = database_at()
    if place is None:
        if engine == "auto":
            return model_of(snapshot, name)
        raise DatabaseUnavailable(
            "No Neo4j is configured: set TOPOGRAPH_NEO4J_URI, or run `topograph db start`. "
            "Without --engine, memory answers."
        )
    try:
        with installed():
            from topograph.engines.neo4j import Neo4jEngine
            from topograph.store.database import connect
        database = connect(place)
        return model_of(
            snapshot, name, lambda graph: Neo4jEngine(database, snapshot.id, name, graph)
        )
    except BackendError as error:
        if engine == "neo4j":
            raise
        if isinstance(error, SnapshotNotPublished):
            return model_of(snapshot, name)
        caution = Caution("database-unavailable", f"answered in memory: {error}", Source(""))
        return model_of(snapshot, name, warnings=(caution,))


def _open_in_database(snapshot_id: str, network: str | None, engine: EngineChoice) -> Model:
    from topograph.store.where import database_at

    place = database_at()
    if place is None:
        raise DatabaseUnavailable(
            "No Neo4j is configured: set TOPOGRAPH_NEO4J_URI, or run `topograph db start`."
        )
    with installed():
        from topograph.store.database import DatabaseSnapshot, connect
    kept = DatabaseSnapshot(connect(place), snapshot_id)
    return model_with(kept, _chosen(kept, network), engine)
