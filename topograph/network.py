"""From files or a snapshot to answers, in one process and without Spark: ``read``, ``open`` and the ``Network`` they give.

>>> import topograph                                        # doctest: +SKIP
>>> network = topograph.read("examples/orders")             # doctest: +SKIP
>>> network.reach("HUB").unreachable                        # doctest: +SKIP
()
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from topograph.did_you_mean import did_you_mean
from topograph.engines import Engine
from topograph.engines.memory import MemoryEngine
from topograph.errors import BackendError, DatabaseUnavailable, InputError, SnapshotNotPublished, UnknownNetwork
from topograph.findings import Finding, Source
from topograph.forwarding.graph import ForwardingGraph
from topograph.questions.answers import Caution
from topograph.questions.model import FactSource, Model, Part
from topograph.store.snapshot import MemorySnapshot, NetworkData, Snapshot
from topograph.systems import assemble, compile_network

if TYPE_CHECKING:
    import networkx

    from topograph.facts import Fact
    from topograph.files import FileReport
    from topograph.message import Value
    from topograph.questions.answers import (
        Answer,
        CheckAnswer,
        CyclesAnswer,
        HopsAnswer,
        HopsMatrixAnswer,
        ImpactAnswer,
        InterestsAnswer,
        PathsAnswer,
        PropagateAnswer,
        ReachAnswer,
        ShowAnswer,
        TraceAnswer,
    )
    from topograph.redaction.key import Key
    from topograph.side_inputs import Client
    from topograph.viz.scene import Scene
    from topograph.viz.view import View

EngineChoice = Literal["auto", "memory", "neo4j"]


class Network:
    """One network of one snapshot, ready to be asked. Questions never change it.

    Made by ``read`` and ``open``; every method returns a frozen answer of ``topograph.questions.answers``.
    """

    def __init__(self, model: Model) -> None:
        self._model = model

    def __repr__(self) -> str:
        servers = len(self.server_names())
        counted = f"{servers:,} server{'' if servers == 1 else 's'}"
        return f"<Network {self.name!r}: {counted}, snapshot {self.snapshot_id}, engine {self.engine_name}>"

    @property
    def name(self) -> str:
        """The network's name in its snapshot."""
        return self._model.network

    @property
    def snapshot_id(self) -> str:
        """The id that every answer names."""
        return self._model.snapshot

    @property
    def engine_name(self) -> str:
        """``memory`` or ``neo4j``: who walks."""
        return self._model.parts[0].engine.name if self._model.parts else "memory"

    def server_names(self) -> tuple[str, ...]:
        """All servers and routers by name, those included that are only named by others."""
        return self._model.server_names()

    def reach(self, from_: str, to: str | None = None, reply: bool = False) -> ReachAnswer:
        """Which servers a message published at ``from_`` can reach by routes and zones. Raises UnknownServer."""
        from topograph.questions import reach

        return reach.reach(self._model, from_, to, reply=reply)

    def hops(self, from_: str, to: str) -> HopsAnswer:
        """Route hops and hops inside each zone from one server to another. Raises UnknownServer."""
        from topograph.questions import reach

        return reach.hops(self._model, from_, to)

    def hops_matrix(self) -> HopsMatrixAnswer:
        """Hops between all servers; above 2,000 servers use ``hop_rows``."""
        from topograph.questions import reach

        return reach.hops_matrix(self._model)

    def hops_head(self) -> HopsMatrixAnswer:
        """``hops_matrix`` without its rows, for use with ``hop_rows``."""
        from topograph.questions import reach

        return reach.hops_head(self._model)

    def hop_rows(self) -> Iterator[tuple[str, list[int | None]]]:
        """The rows of the hop matrix one by one, in bounded memory: (server, hops to every server of ``server_names()``)."""
        from topograph.questions import reach

        return reach.hop_rows(self._model)

    def paths(self, from_: str, to: str, maximum: int = 10) -> PathsAnswer:
        """The permitted paths between two servers, shortest first. Raises UnknownServer."""
        from topograph.questions import reach

        return reach.paths(self._model, from_, to, maximum)

    def cycles(self, strict: bool = False) -> CyclesAnswer:
        """Does any server have more than one path to another?"""
        from topograph.questions import cycles

        return cycles.cycles(self._model, strict=strict)

    def interests(
        self, server: str | None = None, observed: Mapping[str, Sequence[tuple[str, str]]] | None = None
    ) -> InterestsAnswer:
        """Which ``$TMP$`` names each server (or one) holds. Raises UnknownServer."""
        from topograph.questions import cycles

        return cycles.interests(self._model, server, observed)

    def propagate(
        self,
        from_: str,
        destination: str,
        properties: Mapping[str, Value] | None = None,
        *,
        subscribers: Sequence[str] = (),
        clients: Sequence[Client] = (),
        user: str = "",
        anonymous: bool = False,
        assume: bool = True,
    ) -> PropagateAnswer:
        """Who gets a message published at ``from_`` to ``destination`` (``topic:NAME``), who does not and why.

        Of a redacted snapshot ``user`` and ``clients`` may be given by name where its key is at hand, else by token; raises UsageError.
        """
        from topograph.questions import propagate

        user, clients = self._as_kept(user, clients)
        return propagate.propagate(
            self._model,
            from_,
            destination,
            properties,
            subscribers=subscribers,
            clients=clients,
            user=user,
            anonymous=anonymous,
            assume=assume,
        )

    def trace(
        self,
        from_: str,
        destination: str,
        properties: Mapping[str, Value] | None = None,
        *,
        subscribers: Sequence[str] = (),
        clients: Sequence[Client] = (),
        user: str = "",
        anonymous: bool = False,
    ) -> TraceAnswer:
        """What happens to one message sent at ``from_``, step by step; how each copy ends. ``user`` and ``clients`` as for ``propagate``."""
        from topograph.questions import trace

        user, clients = self._as_kept(user, clients)
        return trace.trace(
            self._model,
            from_,
            destination,
            properties,
            subscribers=subscribers,
            clients=clients,
            user=user,
            anonymous=anonymous,
        )

    def impact(self, fail: Sequence[str] = (), *, sweep: bool = False) -> ImpactAnswer:
        """What the failure of ``server:X`` and ``route:A-B`` together does; with ``sweep`` that of every one alone, worst first."""
        from topograph.questions import impact

        return impact.impact(self._model, fail, sweep=sweep)

    def _as_kept(self, user: str, clients: Sequence[Client]) -> tuple[str, Sequence[Client]]:
        """A user and clients that a person names, as the snapshot names them."""
        if not self._model.redaction:
            return user, clients
        from topograph.redaction.question_tokens import as_redacted, user_as_redacted

        servers = frozenset(self.server_names())
        kept = [as_redacted(client, self._model.redaction, servers) for client in clients]
        return user_as_redacted(user, self._model.redaction, servers), kept

    def check(self) -> CheckAnswer:
        """The findings of the import and of the lint rules, worst first."""
        from topograph.questions import check

        return check.check(self._model)

    def to_networkx(self, *, points: bool = False) -> networkx.DiGraph[str]:
        """The network as a networkx graph: servers and links (a MultiDiGraph), or with ``points`` the forwarding graph, in which reachability
        from ``SERVER|origin`` is reach. Linear in links, or in forwards."""
        from topograph.interop.networkx import points_graph, servers_graph
        from topograph.systems import answering

        graphs = [part.graph for part in self._model.parts]
        if points:
            return points_graph(graphs)
        return servers_graph(graphs, [link for graph in graphs for link in answering(graph.system).links(graph)])

    def scene(
        self,
        answer: Answer | None = None,
        *,
        around: str | Sequence[str] = (),
        depth: int | None = None,
        whole: bool = False,
    ) -> Scene:
        """The picture of an answer of this network, or of the network itself, as data: what is drawn, where, and with what evidence.

        ``around`` and ``depth`` keep the servers within ``depth`` links of those named. A network of more than 1,000 servers is drawn in part,
        and the scene says which, unless ``whole`` is asked for. Raises UnknownServer, and UsageError for an answer that has no picture.
        """
        from topograph.systems import answering
        from topograph.viz.neighbourhood import READABLE
        from topograph.viz.picture import Estate, draw

        model = self._model
        centre = (around,) if isinstance(around, str) else tuple(around)
        for server in centre:
            model.part_of(server)
        links = [link for part in model.parts for link in answering(part.system).links(part.graph)]
        servers = [server for part in model.parts for server in part.graph.servers]
        estate = Estate(self.name, self.snapshot_id, self.engine_name, servers, links)
        return draw(estate, answer, around=centre, depth=depth, readable=None if whole else READABLE)

    def view(self, answer: Answer | None = None, *, around: str | Sequence[str] = (), depth: int | None = None) -> View:
        """The same picture as a ``pyvis.network.Network`` to go on with; a notebook shows it. See ``scene`` for arguments and errors."""
        from topograph.viz.view import View

        return View(self.scene(answer, around=around, depth=depth))

    def show(self, what: str) -> ShowAnswer:
        """What is loaded: servers, routes, zones, destinations, interests, selectors, access, findings or files."""
        from topograph.questions import show

        return show.show(self._model, what)


def read(
    path: str | os.PathLike[str],
    config: str | os.PathLike[str] | None = None,
    *,
    strict: bool = False,
    redact: bool = False,
) -> Network:
    """Read a folder (or one file) of configuration as one network, in this process.

    ``config`` is a topograph.yaml; without it, one at the root of the folder is used. ``strict`` makes quote hazards errors (ems.md 3.1).
    ``redact`` replaces hosts, users and client ids by stable tokens (docs/redaction.md). Raises InputError if there is nothing to read or no
    server or router was recognised, UsageError for a redaction key that cannot be used. Linear in the files.
    """
    snapshot = read_snapshot(path, config, strict=strict, redact=redact)
    return _network(snapshot, snapshot.networks[0], "memory")


def read_snapshot(
    path: str | os.PathLike[str],
    config: str | os.PathLike[str] | None = None,
    *,
    strict: bool = False,
    redact: bool = False,
) -> MemorySnapshot:
    """The snapshot that ``read`` asks: the same facts, tables and findings as an import through Spark writes."""
    from topograph import extensions
    from topograph.importers.plan import plan, read_bundle, recognise
    from topograph.importers.reading import Options
    from topograph.inputs import GONE, gone_report, gone_since, nothing_recognised, reason_of, side_inputs_for
    from topograph.store.identity import NetworkInputs, snapshot_id
    from topograph.store.listing import list_inputs, read_bytes

    root = Path(path)
    name = root.resolve().name
    key = _redaction_key() if redact else None
    listing = list_inputs(root)
    contents: dict[str, bytes] = {}
    gone: dict[str, str] = {}
    findings: list[Finding] = list(listing.findings)
    for file in listing.files:
        try:
            contents[file.path] = read_bytes(file)
        except OSError as error:
            gone[file.path] = GONE
            findings.append(gone_since(file.path, reason_of(error)))
    side_inputs = side_inputs_for(config, contents, findings, _told(key))
    recognised = [recognise(file, data) for file, data in contents.items()]
    planned = plan(recognised, side_inputs, listing.aliases)
    findings.extend(planned.findings)
    facts: list[Fact] = []
    files: list[FileReport] = [*listing.reports, *map(gone_report, gone), *planned.files]
    for bundle in planned.bundles:
        own = {file.path: contents[file.path] for file in bundle.files if file.path in contents}
        reading = read_bundle(bundle, own, Options(strict=strict))
        facts.extend(reading.facts)
        findings.extend(reading.findings)
        files.extend(reading.files)
    if not planned.bundles:
        raise InputError(nothing_recognised(str(path), recognised))
    inputs = NetworkInputs(_digests(contents), {**listing.skipped, **gone}, side_inputs)
    options: dict[str, object] = {"strict": strict}
    if key is not None:
        from topograph.redaction.redactor import redactor_of

        # Before anything is derived from the facts, so that all of it is derived from redacted ones.
        redactor = redactor_of(key, facts, side_inputs, [*inputs.files, *inputs.skipped])
        facts = [redactor.record(fact) for fact in facts]
        findings = [*map(redactor.record, findings), *redactor.findings()]
        files = [redactor.record(report) for report in files]
        name, inputs = redactor.path(name), redactor.inputs(inputs)
        side_inputs = inputs.side_inputs
        options["redact"] = redactor.fingerprint
    compiled = compile_network(facts, side_inputs)
    findings.extend(compiled.findings)
    data = NetworkData(compiled.tables, facts, findings, files, side_inputs)
    options |= extensions.options(made.system for made in compiled.tables)
    made_of = snapshot_id({name: inputs}, options)
    return MemorySnapshot(made_of, str(path), {name: data}, key.fingerprint if key is not None else "")


def _redaction_key() -> Key:
    from topograph.redaction.key import key_in_effect

    return key_in_effect()


def _told(key: Key | None) -> Callable[[str], str]:
    """How a message about a file that is not among those read is shown."""
    if key is None:
        return str
    from topograph.redaction.redactor import of_no_network

    return of_no_network(key).message


def _digests(contents: Mapping[str, bytes]) -> dict[str, str]:
    import hashlib

    return {path: hashlib.sha256(data).hexdigest() for path, data in contents.items()}


def open(  # noqa: A001  (topograph.open is the public name)
    snapshot: str | os.PathLike[str], network: str | None = None, engine: EngineChoice = "auto"
) -> Network:
    """Open a network of a snapshot: a directory that ``topograph import`` wrote, or ``neo4j:ID``.

    ``engine="auto"`` walks in Neo4j if one is configured or the managed server runs and it holds this snapshot, else in memory.
    Raises SnapshotNotFound, SnapshotIncomplete, UnknownNetwork, DatabaseUnavailable, SnapshotNotPublished.
    """
    return open_network(os.fspath(snapshot), network, engine)


def open_network(snapshot: str, network: str | None = None, engine: EngineChoice = "auto") -> Network:
    """See ``open``."""
    if snapshot.startswith("neo4j:"):
        return _open_in_database(snapshot.removeprefix("neo4j:"), network, engine)
    from topograph.store.parquet import open_snapshot

    kept = open_snapshot(snapshot)
    return _network(kept, _chosen(kept, network), engine)


def _chosen(snapshot: Snapshot, network: str | None) -> str:
    names = list(snapshot.networks)
    if network is None and len(names) == 1:
        return names[0]
    if network in names:
        return str(network)
    listed = ", ".join(names) or "none"
    if network is None:
        raise UnknownNetwork(f"{snapshot.name} holds several networks ({listed}); choose one with --network.")
    near = did_you_mean(network, names)
    raise UnknownNetwork(f"{snapshot.name} holds no network {network!r}; it holds {listed}.{near}")


def network_of(
    snapshot: Snapshot, name: str, engine_for: Callable[[ForwardingGraph], Engine] = MemoryEngine
) -> Network:
    """One network of any snapshot, walked by the engines that ``engine_for`` makes."""
    graphs = [assemble(tables) for tables in snapshot.graph_tables(name)]
    return Network(_model(snapshot, name, [Part(graph, engine_for(graph)) for graph in graphs], ()))


def _network(snapshot: Snapshot, name: str, engine: EngineChoice) -> Network:
    graphs = [assemble(tables) for tables in snapshot.graph_tables(name)]
    warnings: list[Caution] = []
    parts = [Part(graph, MemoryEngine(graph)) for graph in graphs]
    if engine != "memory":
        walked = _in_neo4j(snapshot, name, parts, engine, warnings)
        parts = walked if walked is not None else parts
    return Network(_model(snapshot, name, parts, tuple(warnings)))


def _model(snapshot: Snapshot, name: str, parts: Sequence[Part], warnings: tuple[Caution, ...]) -> Model:
    source = FactSource(
        lambda kinds, server: snapshot.facts(name, kinds=kinds, server=server),
        lambda: snapshot.findings(name),
        lambda: snapshot.files(name),
    )
    return Model(snapshot.id, name, parts, source, snapshot.side_inputs(name), warnings, snapshot.redaction)


def _in_neo4j(
    snapshot: Snapshot, name: str, parts: Sequence[Part], engine: EngineChoice, warnings: list[Caution]
) -> list[Part] | None:
    """The parts with Neo4j engines; None where memory has to do, with a warning if the user might have expected otherwise.

    With ``neo4j`` asked for, raises DatabaseUnavailable or SnapshotNotPublished instead."""
    from topograph.store.where import database_at

    place = database_at()
    if place is None:
        if engine == "auto":
            return None
        raise DatabaseUnavailable("No Neo4j is configured: set TOPOGRAPH_NEO4J_URI, or run `topograph db start`.")
    from topograph.engines.neo4j import Neo4jEngine
    from topograph.store.database import connect

    try:
        database = connect(place)
        return [Part(part.graph, Neo4jEngine(database, snapshot.id, name, part.graph)) for part in parts]
    except BackendError as error:
        if engine == "neo4j":
            raise
        kind = "snapshot-not-published" if isinstance(error, SnapshotNotPublished) else "database-unavailable"
        warnings.append(Caution(kind, f"answered in memory: {error}", Source("")))
        return None


def _open_in_database(snapshot_id: str, network: str | None, engine: EngineChoice) -> Network:
    from topograph.store.database import DatabaseSnapshot, connect
    from topograph.store.where import database_at

    place = database_at()
    if place is None:
        raise DatabaseUnavailable("No Neo4j is configured: set TOPOGRAPH_NEO4J_URI, or run `topograph db start`.")
    kept = DatabaseSnapshot(connect(place), snapshot_id)
    return _network(kept, _chosen(kept, network), engine)
