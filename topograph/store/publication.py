"""Publishing snapshots into Neo4j, and taking them out again: the only writer of the database.

A publishing run has a random id, ``publish``, on every node and forward it writes.
``begin_publish`` announces it, ``write_rows`` writes in batches that may be repeated,
``finish_publish`` makes it visible in one transaction for all its networks: first it writes to the
networks, which takes their locks, then it moves ``CURRENT``.

A run is alive while the process that began it is (asked for on the same machine) or, seen from
elsewhere, while it gave a sign of life in the last two minutes (``publishing`` gives one every ten
seconds, ``write_rows`` with each batch after as long). Others are dead: the next publish or
deletion marks them, which stops their writers, and sweeps what they left. The node of a dead run
stays for two more minutes, so that a batch which was under way when the run was marked is swept as
well.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from topograph.digits import digits
from topograph.errors import BackendError, SnapshotNotPublished
from topograph.findings import Finding, Source
from topograph.forwarding.graph import (
    EXPLICIT_FORWARDS_LIMIT,
    STEPPING,
    ForwardingGraph,
    GraphTables,
)
from topograph.records import record
from topograph.rules.unnumbered import FORWARDS_NOT_PUBLISHED
from topograph.store.database import Database, rows
from topograph.store.graph_rows import (
    IMPLIED_INTERESTS_LIMIT,
    NAMES_COMPLETE,
    Row,
    batches,
    bridge_rows,
    channel_rows,
    destination_rows,
    finding_rows,
    forward_rows,
    guard_word_rows,
    name_rows,
    point_word_rows,
    route_rows,
    server_keys,
    server_word_rows,
    table_rows,
    words_of,
    zone_rows,
)
from topograph.store.graph_schema import DATABASE_SCHEMA
from topograph.store.object_rows import ends_of, object_rows
from topograph.store.processes import identity, is_running
from topograph.store.records import Interest
from topograph.store.snapshot import Snapshot

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

LEASE_SECONDS = 120.0
BEAT_SECONDS = 10.0
_SWEEPS = {
    "sweep_forwards": 10_000,
    "sweep_places": 10_000,
    "sweep_findings": 10_000,
    "sweep_points": 10_000,
    "sweep_tables": 20,
    "sweep_destinations": 10_000,
    "sweep_interests": 1_000,
    "sweep_objects": 1_000,
    "sweep_guards": 10_000,
    "sweep_zones": 1_000,
    "sweep_servers": 1_000,
}
"""Statements and rows a transaction. Relationships first: a node with many of them would make
one transaction of unbounded size.
"""


class PublishLost(BackendError):
    """The publishing run was given up or taken for dead; its data is being swept."""


@record
class Publish:
    """One publishing run. Small and plain, so that it travels to the workers of a cluster."""

    publish: str
    snapshot: str


@record
class Published:
    """What became visible: ``publish`` is the run whose data answers; ``reused`` if it is that
    of an earlier publish of the same snapshot. ``findings`` say what was not published."""

    snapshot: str
    publish: str
    networks: tuple[str, ...]
    reused: bool
    findings: tuple[Finding, ...] = ()


@record
class _Kind:
    """How rows of a kind are written. ``own`` and ``shared`` say how big kinds are sent: the
    values of ``shared`` repeat, so each combination is sent once a batch (packing every row
    whole takes the driver three times as long). ``new`` is tried first where it is given:
    creating is 1.4 times as fast as merging, and only a repeated batch needs that."""

    statement: str
    new: str = ""
    own: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()


KINDS: Mapping[str, _Kind] = {
    "servers": _Kind("write_servers"),
    "guards": _Kind("write_guards"),
    "points": _Kind(
        "write_points",
        "create_points",
        ("n", "key", "server"),
        ("network", "system", "kind", "zone", "zone_type"),
    ),
    "forwards": _Kind(
        "write_forwards",
        "create_forwards",
        ("start", "end", "guards", "line"),
        ("network", "system", "rule", "confidence", "hop", "cost", "branch", "file"),
    ),
    "point words": _Kind(
        "describe_points",
        own=("n", "condition", "not_onward", "came_from"),
        shared=("network", "system", "starts", "ends", "down", "loaded", "open", "waits"),
    ),
    "channels": _Kind("describe_forwards"),
    "guard words": _Kind("describe_guards"),
    "places": _Kind("write_places"),
    "routes": _Kind("write_routes"),
    "zone members": _Kind("write_zones"),
    "destinations": _Kind("write_destinations"),
    "bridges": _Kind("write_bridges"),
    "objects": _Kind("write_objects"),
    "relations": _Kind("write_relations"),
    "interests": _Kind("write_interests"),
    "implied names": _Kind("write_interests"),
    "server words": _Kind("describe_servers"),
    "findings": _Kind("write_findings"),
    "tables": _Kind("write_tables"),
}
"""What can be written, in the order in which it must be: servers before points, points before
forwards. Each statement's file says which fields a row has; further fields do no harm."""


def begin_publish(
    database: Database,
    snapshot_id: str,
    networks: Sequence[str],
    name: str = "",
    redaction: str = "",
) -> Publish:
    """Announce a publishing run: make the schema, sweep what dead runs left, and say who is
    publishing what.

    ``name`` is how people call the snapshot (its path), ``redaction`` the fingerprint of the key it
    was redacted with, if it was: the path, which may name a user, is then left out.
    """
    database.ensure_schema()
    sweep(database)
    run = Publish(secrets.token_hex(8), snapshot_id)
    _write(
        database,
        "begin_publish",
        publish=run.publish,
        id=snapshot_id,
        name="" if redaction else name,
        redaction=redaction,
        schema=DATABASE_SCHEMA,
        networks=sorted(networks),
        owner=_owner(),
    )
    return run


def write_rows(
    database: Database, run: Publish, kind: str, items: Iterable[Mapping[str, Any]]
) -> int:
    """Write rows of one of ``KINDS``, in batches of ``BATCH``, each in a transaction of its own;
    how many there were.

    Writing the same rows again changes nothing. Relationships of one kind may be written by several
    processes at once; they wait for each other least where each writes those into its own set of
    end points. Raises PublishLost.
    """
    how = KINDS[kind]
    count = 0
    for batch in batches(items):
        _beat_if_due(database, run)
        _write_batch(database, run, how, batch)
        count += len(batch)
    return count


def finish_publish(database: Database, run: Publish, networks: Sequence[str]) -> Published:
    """Make the run visible: in one transaction, ``CURRENT`` of all ``networks`` moves to it and it
    becomes published.

    If the same snapshot was published meanwhile, that one becomes current and this run's data is
    swept: a snapshot that is complete is never replaced. Raises PublishLost.
    """
    names = sorted(networks)

    def move(transaction: ManagedTransaction) -> str:
        # The lock comes before anything is read: two runs that both read "the old CURRENT" first
        # would leave two.
        rows(transaction, "lock_networks", networks=names, publish=run.publish)
        found = rows(transaction, "publish_target", publish=run.publish)
        if not found:
            raise _lost(run)
        target: str = found[0]["target"]
        rows(transaction, "move_current", target=target, networks=names)
        return target

    target = database.writing(move)
    if target != run.publish:
        abandon_publish(database, run)
    return Published(run.snapshot, target, tuple(names), target != run.publish)


def abandon_publish(database: Database, run: Publish) -> None:
    """Give the run up and sweep what it wrote."""
    _write(database, "give_up", publish=run.publish)
    sweep(database)


@contextlib.contextmanager
def publishing(
    database: Database,
    snapshot_id: str,
    networks: Sequence[str],
    name: str = "",
    redaction: str = "",
) -> Iterator[Publish]:
    """A publishing run that gives signs of life while the block runs, and is given up if the
    block fails.
    """
    run = begin_publish(database, snapshot_id, networks, name, redaction)
    over = threading.Event()

    def beat() -> None:
        while not over.wait(BEAT_SECONDS):
            with contextlib.suppress(
                BackendError
            ):  # the writers see a database that is gone by themselves
                _write(database, "beat", publish=run.publish)

    thread = threading.Thread(target=beat, name=f"publish {run.publish}", daemon=True)
    thread.start()
    try:
        yield run
    except BaseException:
        over.set()
        with contextlib.suppress(BackendError):  # whoever publishes next sweeps it
            abandon_publish(database, run)
        raise
    finally:
        over.set()
        thread.join()


@runtime_checkable
class KeepsInterests(Protocol):
    """A snapshot that keeps implied interests (``ParquetSnapshot``)."""

    def interests(self, network: str, system: str) -> Sequence[Interest] | None:
        """The names that servers hold, None where there are too many."""
        ...


def publish_snapshot(
    database: Database,
    snapshot: Snapshot,
    assemble: Callable[[GraphTables], ForwardingGraph],
    progress: Callable[[str], None] = lambda _: None,
) -> Published:
    """Publish a whole snapshot from this process; ``assemble`` is ``topograph.systems.assemble``.

    A snapshot that the database holds already only becomes current again. Networks with more than
    EXPLICIT_FORWARDS_LIMIT forwards are left out, with a finding. Linear in the tables.
    """
    held = already_published(database, snapshot.id)
    if held is not None:
        return held
    graphs = {
        network: [assemble(tables) for tables in snapshot.graph_tables(network)]
        for network in snapshot.networks
    }
    fit = [name for name, own in graphs.items() if all(fits(graph.forward_count) for graph in own)]
    findings = tuple(
        not_published(name, sum(graph.forward_count for graph in graphs[name]))
        for name in graphs
        if name not in fit
    )
    if not fit:
        raise BackendError(
            f"Nothing was published. {' '.join(finding.message for finding in findings)}"
        )
    with publishing(database, snapshot.id, fit, snapshot.name, snapshot.redaction) as run:
        for network in fit:
            write_network(database, run, snapshot, network, graphs[network], progress)
        done = finish_publish(database, run, fit)
    return Published(done.snapshot, done.publish, done.networks, done.reused, findings)


def write_network(
    database: Database,
    run: Publish,
    snapshot: Snapshot,
    network: str,
    graphs: Sequence[ForwardingGraph],
    progress: Callable[[str], None] = lambda _: None,
) -> None:
    """Write all rows of one network from this process; ``progress`` takes one line. Raises
    PublishLost.
    """
    written: Counter[str] = Counter()
    for kind, items in network_rows(snapshot, network, graphs):
        written[kind] += write_rows(database, run, kind, items)
    told = ", ".join(
        f"{written[kind]:,} {kind}" for kind in ("servers", "points", "forwards") if written[kind]
    )
    progress(f"{network}: {told or 'nothing'}")


def already_published(database: Database, snapshot_id: str) -> Published | None:
    """If the database holds the snapshot: make it current for its networks; else None."""
    database.ensure_schema()
    found = _of_this_schema(database.read("find_snapshot", id=snapshot_id))
    if not found:
        return None
    names = sorted(found[0]["networks"])

    def move(transaction: ManagedTransaction) -> str | None:
        rows(transaction, "lock_networks", networks=names, publish=found[0]["publish"])
        held = _of_this_schema(
            rows(transaction, "find_snapshot", id=snapshot_id)
        )  # again, now that nobody can delete it
        if not held:
            return None
        rows(transaction, "move_current", target=held[0]["publish"], networks=names)
        return str(held[0]["publish"])

    publish = database.writing(move)
    if publish:
        sweep(database)  # what a publish that was killed left need not wait for another snapshot
    return Published(snapshot_id, publish, tuple(names), True) if publish else None


def _of_this_schema(found: Sequence[Row]) -> list[Row]:
    return [row for row in found if row["schema"] == DATABASE_SCHEMA]


def network_rows(
    snapshot: Snapshot, network: str, graphs: Sequence[ForwardingGraph]
) -> Iterator[tuple[str, Iterable[Row]]]:
    """All rows of one network, by kind, in the order in which they must be written."""
    from topograph.store.kept_tables import pack, pack_side_inputs
    from topograph.store.tables import in_order, to_arrow

    facts = snapshot.facts(network)
    systems = [graph.system for graph in graphs]
    for graph in graphs:
        own = {"network": network, "system": graph.system}
        yield "servers", table_rows("servers", graph.servers, **own)
        yield "guards", table_rows("guards", graph.guards, **own)
        yield "points", table_rows("points", graph.points, **own)
        yield "forwards", forward_rows(graph.forwards(), **own)
        words = words_of(graph)
        said, places = guard_word_rows(
            graph, [fact for fact in facts if fact.system == graph.system], network=network
        )
        yield "point words", point_word_rows(graph, words, network=network)
        yield "channels", channel_rows(graph, network=network)
        yield "guard words", said
        yield "places", places
        yield "routes", route_rows(graph, words, facts, network=network)
        yield "zone members", zone_rows(table_rows("points", graph.points, **own))
        kept_tables: list[tuple[str, Sequence[Any]]] = [
            ("servers", graph.servers),
            ("points", graph.points),
            ("guards", graph.guards),
            ("links", graph.links),
        ]
        if graph.system == STEPPING:
            kept_tables.append(("forwards", list(graph.forwards())))
        for name, items in kept_tables:
            kept = to_arrow(name, items, network=network, system=graph.system)
            yield "tables", pack(name, kept, network=network, system=graph.system)
        yield from _names(snapshot, network, graph)
    destinations = list(destination_rows(facts, graphs, network=network))
    yield "destinations", destinations
    yield "bridges", bridge_rows(facts, systems, network=network)
    objects, relations = object_rows(
        facts,
        snapshot.files(network),
        snapshot.side_inputs(network),
        graphs,
        destinations,
        ends_of(network, server_keys(graphs, network=network), destinations),
    )
    yield "objects", objects
    yield "relations", relations
    yield (
        "findings",
        finding_rows(snapshot.findings(network), snapshot.files(network), graphs, network=network),
    )
    for name, records in (
        ("facts", facts),
        ("findings", snapshot.findings(network)),
        ("sources", snapshot.files(network)),
    ):
        yield (
            "tables",
            pack(name, in_order(name, to_arrow(name, records, network=network)), network=network),
        )
    yield "tables", pack_side_inputs(snapshot.side_inputs(network), network=network)


def _names(
    snapshot: Snapshot, network: str, graph: ForwardingGraph
) -> Iterator[tuple[str, Iterable[Row]]]:
    """The names that servers hold: those that the snapshot keeps (of legal networks), else
    worked out now. Too many are not stored, and the servers say so."""
    own = {"network": network, "system": graph.system}
    kept = (
        snapshot.interests(network, graph.system) if isinstance(snapshot, KeepsInterests) else None
    )
    if kept and len(kept) <= IMPLIED_INTERESTS_LIMIT:
        yield "interests", interest_rows(table_rows("interests", kept, **own))
        state = dict.fromkeys((server.name for server in graph.servers), NAMES_COMPLETE)
    else:
        names, state = name_rows(graph, network=network)
        yield "implied names", interest_rows(names)
    yield "server words", server_word_rows(graph, state, network=network)


def interest_rows(items: Iterable[Mapping[str, Any]], *, observed: bool = False) -> Iterator[Row]:
    """Rows of the interests table as rows to write: names of temporary destinations (R22),
    implied unless ``observed``.
    """
    for row in items:
        yield {**row, "observed": observed, "kind": "temporary"}


def fits(forwards: int) -> bool:
    """True if a network with so many forwards is published."""
    return forwards <= EXPLICIT_FORWARDS_LIMIT


def not_published(network: str, forwards: int) -> Finding:
    """Says of a network that it is too big to be published."""
    return FORWARDS_NOT_PUBLISHED.at(
        Source("."),
        f"The network {network} has {forwards:,} forwards, more than "
        f"{EXPLICIT_FORWARDS_LIMIT:,}: it is not published to Neo4j; questions "
        "about it are answered in memory.",
    )


def held_snapshots(database: Database) -> list[Row]:
    """The snapshots of the database, see ``cypher/questions/snapshots``. A publishing run whose
    process is gone is ``dead``.
    """
    dead = {left["publish"] for left in database.read("unfinished") if _has_died(left)}
    return [
        {**row, "state": "dead"} if row["publish"] in dead else row
        for row in database.read("snapshots")
    ]


def delete_snapshot(database: Database, snapshot_id: str) -> tuple[str, ...]:
    """Take a snapshot out: mark it, so that no question begins with it, then delete it in batches.
    The networks that it was current for.

    Raises SnapshotNotPublished.
    """

    def mark(transaction: ManagedTransaction) -> list[Row]:
        names = [row["network"] for row in rows(transaction, "snapshot_networks", id=snapshot_id)]
        rows(transaction, "lock_networks", networks=names, publish="")
        return rows(transaction, "mark_deleting", id=snapshot_id)

    database.ensure_schema()
    marked = database.writing(mark)
    if not marked:
        sweep(database)
        raise SnapshotNotPublished(
            f"The database at {database.address.uri} does not hold the snapshot "
            f"{snapshot_id} (topograph snapshots list)."
        )
    sweep(database)
    return tuple(sorted({network for row in marked for network in row["networks"]}))


def sweep(database: Database) -> None:
    """Delete what dead publishing runs and deleted snapshots left, in bounded batches. Two
    sweeps at once share the work.
    """
    sweeper = secrets.token_hex(8)
    for left in database.read("unfinished"):
        state, publish = left["state"], left["publish"]
        if state == "publishing":
            if not _has_died(left):
                continue
            _write(database, "give_up", publish=publish)
            state, left["ended_ms"] = "dead", 0
        if not _write(database, "claim_sweep", publish=publish, sweeper=sweeper):
            continue
        for statement, limit in _SWEEPS.items():
            while _write(database, statement, publish=publish, limit=limit)[0]["deleted"]:
                _write(database, "claim_sweep", publish=publish, sweeper=sweeper)
        if state == "deleting" or left["ended_ms"] > LEASE_SECONDS * 1000:
            _write(database, "sweep_snapshot", publish=publish, state=state)


def _write_batch(
    database: Database, run: Publish, how: _Kind, batch: list[Mapping[str, Any]]
) -> None:
    from neo4j.exceptions import ConstraintError

    parameters: dict[str, Any] = {"publish": run.publish, "rows": batch}
    if how.own:
        shapes: dict[Any, int] = {}
        own, shared = itemgetter(*how.own), itemgetter(*how.shared)
        parameters["rows"] = [
            (*own(row), shapes.setdefault(shared(row), len(shapes))) for row in batch
        ]
        parameters["shapes"] = list(shapes)

    def work(statement: str) -> Callable[[ManagedTransaction], None]:
        def write(transaction: ManagedTransaction) -> None:
            if not rows(transaction, "is_publishing", publish=run.publish):
                raise _lost(run)
            rows(transaction, statement, **parameters)

        return write

    if how.new:
        try:
            database.writing(work(how.new))
        except ConstraintError:
            pass  # a row of the batch is there: an attempt before this one got that far
        else:
            return
    database.writing(work(how.statement))


_beaten: dict[str, float] = {}
"""When this process last gave a sign of life for a publishing run (monotonic seconds)."""


def _beat_if_due(database: Database, run: Publish) -> None:
    now = time.monotonic()
    if now - _beaten.setdefault(run.publish, now) < BEAT_SECONDS:
        return
    _beaten[run.publish] = now
    if not _write(database, "beat", publish=run.publish):
        raise _lost(run)


def _lost(run: Publish) -> PublishLost:
    return PublishLost(
        f"The publishing of snapshot {run.snapshot} was given up or taken for dead. "
        "Publish it again."
    )


def _write(database: Database, statement: str, **parameters: Any) -> list[Row]:
    return database.writing(lambda transaction: rows(transaction, statement, **parameters))


def _owner() -> str:
    """This process, for others on the same machine to look for."""
    return "|".join((*_machine(), str(os.getpid()), identity(os.getpid())))


def _machine() -> tuple[str, str]:
    """What a process id means something in: the machine, and its space of process ids
    (containers have their own).
    """
    try:
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        space = ""
    return socket.gethostname().replace("|", " "), space


def _has_died(unfinished: Row) -> bool:
    """Whether nobody is writing any more in a run that is not published."""
    return unfinished["state"] == "publishing" and _is_dead(
        unfinished["owner"], unfinished["silent_ms"] / 1000
    )


def _is_dead(owner: str, silent_seconds: float) -> bool:
    *machine, pid, known = owner.rsplit("|", 2)
    if machine == ["|".join(_machine())]:
        return not is_running(digits(pid, 0), known)
    return silent_seconds > LEASE_SECONDS
