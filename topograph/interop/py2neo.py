"""A ``py2neo.Graph`` on the database that topograph publishes to (the extra
``py2neo``).

py2neo is at the end of its life; the official driver (``topograph.store.database``) is what
topograph itself uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.errors import BackendError, DatabaseUnavailable
from topograph.process.packages import installed
from topograph.store.database import connect
from topograph.store.where import DatabaseAddress, database_at

if TYPE_CHECKING:
    import py2neo


def graph(address: DatabaseAddress | None = None) -> py2neo.Graph:
    """The database at ``address``, else the one in effect, as a ``py2neo.Graph``. Unlike
    topograph's own sessions it can write.

    Raises NotInstalled without py2neo, DatabaseUnavailable if no database answers.

    >>> graph().run("MATCH (s:Server) RETURN s.name AS server").to_data_frame()  # doctest: +SKIP
    """
    with installed():
        import py2neo
    address = address or database_at()
    # The official driver says clearly what is wrong; py2neo does not.
    connect(address).close()
    if address is None:
        raise DatabaseUnavailable(
            "No Neo4j is configured: set TOPOGRAPH_NEO4J_URI, or run `topograph db start`."
        )
    try:
        return py2neo.Graph(
            address.uri,
            auth=(address.user, address.password) if address.password else None,
            name=address.database or None,
        )
    except (OSError, py2neo.errors.Neo4jError) as error:
        raise BackendError(f"py2neo cannot use Neo4j at {address.uri}: {error}") from error
