"""A connection to Neo4j, and the snapshots it holds. Reading only: every write is in
``topograph.store.publication``.

Questions read in sessions that the server itself keeps from writing. The driver is imported when a
connection is made, so that nothing else pays for it.
"""

from __future__ import annotations

import contextlib
import re
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from topograph import cypher
from topograph.errors import (
    BackendError,
    DatabaseUnavailable,
    SnapshotNotPublished,
    SnapshotOutdated,
    UsageError,
)
from topograph.facts import Fact
from topograph.facts.choice import FactChoice
from topograph.files import FileReport
from topograph.findings import Finding
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import GraphTables
from topograph.records import record
from topograph.side_inputs import SideInputs
from topograph.store.graph_schema import DATABASE_SCHEMA
from topograph.store.origin import Origin
from topograph.store.read_only import refusal, too_nested, without_profile
from topograph.store.snapshot import ChosenFacts, read_tables
from topograph.store.where import DatabaseAddress, database_at

if TYPE_CHECKING:
    from neo4j import Driver, ManagedTransaction, Result, Session, Transaction

T = TypeVar("T")
Row = dict[str, Any]

_RETRY_SECONDS = 30.0

_TIMED_OUT = "Neo.ClientError.Transaction.TransactionTimedOut"
"""How the code of an error begins with which the server ends a transaction that took too long."""

_MADE = re.compile(r"CREATE (?:CONSTRAINT|INDEX) (\w+) IF NOT EXISTS")
"""What the statements of the schema make."""


class Database:
    """An open connection to one database; closed by ``close``, by ``with``, or when it is no
    longer used. Safe to share by threads.
    """

    def __init__(self, driver: Driver, address: DatabaseAddress) -> None:
        self.address = address
        self._driver = driver
        self._closer = weakref.finalize(self, driver.close)

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; a second time does nothing."""
        self._closer()

    def read(self, statement: str, **parameters: Any) -> list[Row]:
        """The rows of a file of ``topograph.cypher`` (by name), in a read-only session."""
        return self.reading(lambda transaction: rows(transaction, statement, **parameters))

    def reading(self, work: Callable[[ManagedTransaction], T], budget: Budget | None = None) -> T:
        """Run ``work`` in one read-only transaction; it is run again if the server asks for
        that. The server ends it, and BudgetSpent is raised, when the budget does."""
        import neo4j

        with self._read_session(budget) as (session, seconds):
            return session.execute_read(
                neo4j.unit_of_work(timeout=seconds)(work) if seconds is not None else work
            )

    def read_once(
        self, statement: str, budget: Budget | None = None, **parameters: Any
    ) -> list[Row]:
        """The rows of one file of ``topograph.cypher``, as ``reading`` would give them, without
        the requests that begin and end a transaction of several statements. If the server asks
        for another try, ``reading`` makes it."""
        import neo4j

        with self._read_session(budget) as (session, seconds):
            try:
                return _dicts(
                    session.run(neo4j.Query(cypher.load(statement), timeout=seconds), parameters)
                )
            except (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError) as error:
                if not error.is_retryable():
                    raise
        return self.reading(lambda transaction: rows(transaction, statement, **parameters), budget)

    @contextlib.contextmanager
    def _read_session(self, budget: Budget | None) -> Iterator[tuple[Session, float | None]]:
        """A read-only session, and the seconds after which the server is to end what runs in it.
        Raises BudgetSpent where it did.
        """
        if budget is not None:
            budget.check()
        try:
            with _explained(self.address), self._driver.session(**self._options("READ")) as session:
                yield session, None if budget is None else budget.seconds_left
        except BackendError as error:
            if budget is None or not str(getattr(error.__cause__, "code", "")).startswith(
                _TIMED_OUT
            ):
                raise
            budget.spent = True
            raise BudgetSpent from error

    def writing(self, work: Callable[[ManagedTransaction], T]) -> T:
        """Run ``work`` in one writing transaction. It is run again after a deadlock or a lost
        connection, so it must be repeatable.
        """
        with _explained(self.address), self._driver.session(**self._options("WRITE")) as session:
            return session.execute_write(work)

    def query(
        self, text: str, parameters: Mapping[str, Any], budget: Budget | None = None
    ) -> tuple[list[str], list[Row]]:
        """Columns and rows of any statement, in a read-only session; nodes and relationships come
        as their properties. ``PROFILE`` says nothing here.

        Raises UsageError if the statement is wrong, would write, or does something else than read
        this database (``read_only``), BudgetSpent where the server ended it with the budget.
        """

        if why := too_nested(text):
            raise UsageError(f"This statement is not run: {why}.")
        text = without_profile(text)

        def work(transaction: Transaction) -> tuple[list[str], list[Row]]:
            plan = transaction.run(f"EXPLAIN {text}", dict(parameters)).consume().plan
            why = refusal(plan) if plan is not None else "the server gives no plan of it"
            if why:
                raise UsageError(f"This statement is not run: {why}.")
            result = transaction.run(text, dict(parameters))
            return list(result.keys()), result.data()

        # Without another try: what ran out of time or memory once would do so again.
        with (
            self._read_session(budget) as (session, seconds),
            session.begin_transaction(timeout=seconds) as transaction,
        ):
            return work(transaction)

    def ask(self) -> None:
        """Read something, without another try. Raises BackendError where the server runs and its
        database cannot be read.
        """
        with _explained(self.address), self._driver.session(**self._options("READ")) as session:
            session.run(cypher.load("is_published"), publish="").consume()

    def ensure_schema(self) -> None:
        """Make the constraints and indexes that are not there yet, and wait until they can be
        used. One statement where all are there.
        """
        schema = cypher.load("schema")
        if set(_MADE.findall(schema)) <= set(self.read("usable_indexes")[0]["names"]):
            return
        with _explained(self.address), self._driver.session(**self._options("WRITE")) as session:
            for statement in schema.split(";"):
                # Tried again where another process makes the same at the moment, or writes.
                session.execute_write(_run, statement)
            session.run(cypher.load("await_schema")).consume()

    def _options(self, mode: str) -> dict[str, Any]:
        return {"default_access_mode": mode, "database": self.address.database or None}


def _run(transaction: ManagedTransaction, statement: str) -> None:
    transaction.run(statement).consume()


def connect(address: DatabaseAddress | None = None) -> Database:
    """Open the database at ``address``, else the one in effect (``where.database_at``), and make
    sure that it answers.

    Raises DatabaseUnavailable: none is configured, nothing answers, or it refuses the credentials.
    """
    address = address or database_at()
    if address is None:
        raise DatabaseUnavailable(
            "No Neo4j is configured: set TOPOGRAPH_NEO4J_URI, or run `topograph db start`."
        )
    _check_uri(address.uri)
    import neo4j

    with _explained(address):
        try:
            driver = neo4j.GraphDatabase.driver(
                address.uri,
                auth=(address.user, address.password) if address.password else None,
                max_transaction_retry_time=_RETRY_SECONDS,
                connection_timeout=10,
                # A database that was never published to knows none of our names; that is no fault
                # of a statement.
                notifications_disabled_classifications=["UNRECOGNIZED"],
                user_agent="topograph",
            )
        except (ValueError, neo4j.exceptions.ConfigurationError) as error:
            raise DatabaseUnavailable(
                f"{address.uri} is not an address of a Neo4j server: {_first_line(error)}"
            ) from error
        try:
            driver.verify_connectivity()
        except BaseException:
            driver.close()
            raise
    return Database(driver, address)


def _check_uri(uri: str) -> None:
    """Refuse what the driver would not take, or would take for something else. A password in the
    URI is not repeated.
    """
    parts = urlsplit(uri)
    if "@" in parts.netloc:
        raise DatabaseUnavailable(
            "The database's URI holds a user or password: use TOPOGRAPH_NEO4J_USER and "
            "TOPOGRAPH_NEO4J_PASSWORD."
        )
    if parts.scheme.partition("+")[0] not in ("bolt", "neo4j") or not parts.netloc:
        raise DatabaseUnavailable(
            f"{uri} is not an address of a Neo4j server: write it as bolt://host:7687 or "
            "neo4j://host:7687."
        )


def rows(transaction: ManagedTransaction, statement: str, **parameters: Any) -> list[Row]:
    """The rows of a file of ``topograph.cypher`` in a running transaction."""
    return _dicts(transaction.run(cypher.load(statement), parameters))


def _dicts(result: Result) -> list[Row]:
    """The rows of a result."""
    keys = result.keys()
    # Not Record.data(): it looks into every item of every list.
    return [dict(zip(keys, record.values(), strict=True)) for record in result]


@contextlib.contextmanager
def _explained(address: DatabaseAddress) -> Iterator[None]:
    """Errors of the driver as errors of topograph."""
    from neo4j import exceptions

    try:
        yield
    except exceptions.AuthError as error:
        raise DatabaseUnavailable(
            f"Neo4j at {address.uri} refuses the user {address.user!r} and its password "
            "(TOPOGRAPH_NEO4J_USER, _PASSWORD)."
        ) from error
    except (exceptions.DriverError, exceptions.DatabaseUnavailable) as error:
        raise DatabaseUnavailable(
            f"Neo4j at {address.uri} does not answer: {_first_line(error)}"
        ) from error
    except exceptions.ConstraintError:
        raise  # the writer's business (publishing)
    except exceptions.ClientError as error:
        if (error.code or "").startswith("Neo.ClientError.Statement."):
            raise UsageError(f"Neo4j does not run this statement: {error.message}") from error
        raise BackendError(f"Neo4j at {address.uri}: {error.message}") from error
    except exceptions.Neo4jError as error:
        raise BackendError(f"Neo4j at {address.uri}: {error.message}") from error


def _first_line(error: Exception) -> str:
    """The driver's first line without the addresses it resolved, which repeat the one already
    named.
    """
    line = (str(error).splitlines() or [type(error).__name__])[0]
    return line.partition(" (resolved to")[0].rstrip(": ") + "."


@record
class HeldSnapshot:
    """A published snapshot in a database. ``publish`` is the publishing run whose nodes it is
    made of.
    """

    id: str
    publish: str
    networks: tuple[str, ...]
    name: str
    redaction: str = ""


def find_snapshot(database: Database, snapshot_id: str) -> HeldSnapshot:
    """Where the database holds a snapshot. Raises SnapshotNotPublished, SnapshotOutdated."""
    found = database.read("find_snapshot", id=snapshot_id)
    if not found:
        raise SnapshotNotPublished(
            f"The database at {database.address.uri} does not hold the snapshot "
            f"{snapshot_id} (topograph snapshots list)."
        )
    row = next((row for row in found if row["schema"] == DATABASE_SCHEMA), None)
    if row is None:
        raise outdated(f"The snapshot {snapshot_id}", found[0]["schema"])
    return HeldSnapshot(
        snapshot_id, row["publish"], tuple(row["networks"]), row["name"], row["redaction"] or ""
    )


def outdated(what: str, schema: int) -> SnapshotOutdated:
    """The error for data in the database that another schema wrote."""
    return SnapshotOutdated(
        f"{what} was published with schema {schema}; this topograph reads schema "
        f"{DATABASE_SCHEMA}. Publish it again (topograph snapshots publish), or import the files "
        "again."
    )


class DatabaseSnapshot(ChosenFacts):
    """A snapshot in Neo4j: the ``Snapshot`` protocol out of its own tables. Raises
    SnapshotNotPublished where it is not held.
    """

    def __init__(self, database: Database, snapshot_id: str) -> None:
        self._database = database
        self._held = find_snapshot(database, snapshot_id)
        self.id = snapshot_id
        self.name = f"neo4j:{snapshot_id}"

    @property
    def redaction(self) -> str:
        return self._held.redaction

    @property
    def networks(self) -> Sequence[str]:
        return self._held.networks

    def graph_tables(self, network: str) -> Sequence[GraphTables]:
        systems = self._database.read("table_systems", publish=self._held.publish, network=network)
        return [
            read_tables(row["system"], partial(self._table, network, system=row["system"]))
            for row in systems
        ]

    def chosen(self, network: str, choice: FactChoice) -> Sequence[Fact]:
        return choice.among(self._table(network, "facts"))

    def findings(self, network: str) -> Sequence[Finding]:
        return self._table(network, "findings")

    def files(self, network: str) -> Sequence[FileReport]:
        return self._table(network, "sources")

    def side_inputs(self, network: str) -> SideInputs:
        from topograph.store.kept_tables import unpack_side_inputs

        return unpack_side_inputs(self._parts(network, "side_inputs", ""))

    def origin(self, network: str) -> Origin:  # noqa: ARG002
        """Not known: the database keeps neither dates nor digests of the files."""
        return Origin()

    def _table(self, network: str, name: str, system: str = "") -> Sequence[Any]:
        from topograph.store.kept_tables import unpack

        return unpack(name, self._parts(network, name, system))

    def _parts(self, network: str, name: str, system: str) -> list[Row]:
        """The parts of a table, all of one publishing run that is published before and after
        they are read.
        """
        publish = self._held.publish

        def work(transaction: ManagedTransaction) -> list[Row]:
            check_published(transaction, publish, self.id)
            found = rows(
                transaction,
                "table_parts",
                publish=publish,
                network=network,
                name=name,
                system=system,
            )
            check_published(transaction, publish, self.id)
            return found

        return self._database.reading(work)


def check_published(transaction: ManagedTransaction, publish: str, snapshot_id: str) -> None:
    """Raises SnapshotNotPublished if the publishing run is not published any more: its data may
    be gone in part.
    """
    if not rows(transaction, "is_published", publish=publish):
        raise SnapshotNotPublished(
            f"The snapshot {snapshot_id} is being deleted from the database."
        )
