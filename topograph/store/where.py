"""Where the database is: what the environment says, else the managed local server if it runs.
Loads no driver.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field
from urllib.parse import urlsplit

from topograph.errors import UsageError
from topograph.records import record
from topograph.store.homes import home


@record
class DatabaseAddress:
    """How to reach a Neo4j database. ``database`` empty means the server's default; without
    ``password`` no login is tried.
    """

    uri: str
    user: str = "neo4j"
    password: str = field(default="", repr=False)
    database: str = ""


def database_at(environment: Mapping[str, str] = os.environ) -> DatabaseAddress | None:
    """The database in effect: ``TOPOGRAPH_NEO4J_URI`` with ``_USER``, ``_PASSWORD``, ``_DATABASE``;
    else the managed server if it answers; else None. Raises UsageError if that URI cannot be taken
    apart: a bracket that does not close, a port beyond 65535.

    >>> database_at({"TOPOGRAPH_NEO4J_URI": "bolt://db.intra:7687", "TOPOGRAPH_NEO4J_PASSWORD": "hidden"})
    DatabaseAddress(uri='bolt://db.intra:7687', user='neo4j', database='')
    """  # noqa: E501
    user = environment.get("TOPOGRAPH_NEO4J_USER") or "neo4j"
    database = environment.get("TOPOGRAPH_NEO4J_DATABASE", "")
    if uri := environment.get("TOPOGRAPH_NEO4J_URI"):
        _check(uri)
        return DatabaseAddress(uri, user, environment.get("TOPOGRAPH_NEO4J_PASSWORD", ""), database)
    where = home(environment)
    if not (where.neo4j / "server.json").exists():
        return None
    from topograph.store.neo4j_server import USER, password, status

    now = status(where)
    if now.state != "running" or now.server is None:
        return None
    return DatabaseAddress(now.server.uri, USER, password(where), database)


def _check(uri: str) -> None:
    try:
        _ = urlsplit(uri).port
    except ValueError:
        raise UsageError(
            "TOPOGRAPH_NEO4J_URI is not the address of a Neo4j server. Write it as "
            "bolt://host:7687 or neo4j://host:7687."
        ) from None
