"""The statements that people run: what each takes and gives, whether it holds for a network, and
how it is pasted into Neo4j Browser.

What a statement says of itself stands in its file's header. One with ``Compared`` in it holds for
every system; the systems that offer another name it in their ``database_rows`` (``STATEMENTS``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from topograph import cypher, extensions
from topograph.errors import NotApplicable, UnknownNetwork, UnknownServer, UsageError
from topograph.forwarding.descriptions import DatabaseRows
from topograph.records import record
from topograph.store.database import Database, outdated
from topograph.store.graph_rows import described
from topograph.store.graph_schema import DATABASE_SCHEMA
from topograph.words.did_you_mean import did_you_mean

SERVER_PARAMETERS = ("from", "to", "server")
"""The parameters that are names of servers: ``NAME``, or ``SYSTEM:NAME`` where servers of
several systems have it.
"""

ALL_ORIGINS = ("hop-matrix", "multi-path-cycles")
"""Statements that walk from every server, and say so before they begin on a big network."""

MANY_SERVERS = 2_000
"""From so many servers on a walk from each takes minutes."""


@record
class Statement:
    """A statement for people, as its header describes it. ``parameters`` are (name, what it is).
    ``compared`` is what its rows are compared with where it holds for every system; empty where
    systems name it themselves.
    """

    name: str
    what: str
    ask: str
    parameters: tuple[tuple[str, str], ...]
    returns: str
    needs: str
    compared: str = ""


def statement(name: str) -> Statement:
    """What the header of a statement says. Raises KeyError."""
    said: dict[str, str] = {}
    last = ""
    for line in cypher.header(name).splitlines()[1:]:
        key, colon, value = line.partition(": ")
        if colon and key in ("What", "Ask", "Parameters", "Returns", "Compared", "Needs"):
            said[key], last = value, key
        elif line.startswith("  ") and last:
            said[last] += f" {line.strip()}"
    parameters = tuple(
        (match[1], match[2] or "")
        for match in re.finditer(r"(\w+)(?: \(([^)]*)\))?(?:, |$)", said.get("Parameters", ""))
    )
    return Statement(
        name,
        said["What"].rstrip("."),
        said.get("Ask", ""),
        parameters,
        said.get("Returns", ""),
        said["Needs"],
        said.get("Compared", ""),
    )


def offering(name: str) -> tuple[str, ...]:
    """The systems that offer a statement, topograph's own and those from outside, by name; all of
    them for one that is about no network.
    """
    about_network = any(parameter == "network" for parameter, _ in statement(name).parameters)
    return tuple(
        system
        for system in sorted((*extensions.OWN, *extensions.packages()))
        if not about_network or _offers(system, name)
    )


@record
class Current:
    """The current snapshot of a network in a database."""

    network: str
    snapshot: str
    publish: str
    systems: tuple[str, ...]
    servers: int


def checked(database: Database, name: str, given: Mapping[str, Any]) -> Current | None:
    """That a statement can be asked with these parameters: the network's current snapshot, None for
    a statement about no network.

    Raises UsageError for a parameter that is missing, UnknownNetwork, UnknownServer,
    SnapshotOutdated for data of another schema, and NotApplicable where the system that the
    question is about does not offer the statement.
    """
    wanted = [parameter for parameter, _ in statement(name).parameters]
    if missing := [parameter for parameter in wanted if parameter not in given]:
        raise UsageError(
            f"The statement {name} needs "
            f"{' and '.join(f'--param {parameter}=...' for parameter in missing)}. "
            f"Example: {statement(name).ask}"
        )
    if "network" not in wanted:
        return None
    current = current_of(database, str(given["network"]))
    named = {
        system_of(database, current, str(given[parameter]))
        for parameter in SERVER_PARAMETERS
        if parameter in wanted
    }
    systems = sorted(named or current.systems)
    offers = [_offers(system, name) for system in systems]
    if not (all(offers) if named else any(offers)):
        raise NotApplicable(
            f"The statement {name} is not offered for {' or '.join(systems)} (network "
            f"{current.network}). "
            f"It is for {' and '.join(offering(name))}."
        )
    return current


def _offers(system: str, name: str) -> bool:
    rows = described(system)
    if rows is None and name in ("servers", "routes", "findings", "guards"):
        return True  # a system from outside: what needs no words of its own holds for it
    return bool(compared_with(rows, name))


def compared_with(rows: DatabaseRows | None, name: str) -> str:
    """What the rows of a statement are compared with in a system of these rows (None for one that
    has no words of its own); empty where the statement does not hold for it.
    """
    own = rows.STATEMENTS.get(name, "") if rows is not None else ""
    return own or statement(name).compared


def current_of(database: Database, network: str) -> Current:
    """The current snapshot of a network. Raises UnknownNetwork, SnapshotOutdated."""
    found = {row["network"]: row for row in database.read("current_snapshots")}
    if network not in found:
        near = did_you_mean(network, list(found))
        listed = ", ".join(sorted(found)) if len(found) <= 8 else f"{len(found)} networks"
        raise UnknownNetwork(
            f"The database holds no network {network!r}; it holds {listed or 'none'}.{near}"
        )
    row = found[network]
    if row["schema"] != DATABASE_SCHEMA:
        raise outdated(f"The network {network}", row["schema"])
    systems = database.read("server_systems", publish=row["publish"], network=network)
    return Current(
        network,
        row["id"],
        row["publish"],
        tuple(each["system"] for each in systems),
        row["servers"],
    )


def system_of(database: Database, current: Current, server: str) -> str:
    """The system of the one server that a name stands for. Raises UnknownServer, UsageError
    where servers of several systems have it.
    """
    found = database.read(
        "servers_named", publish=current.publish, network=current.network, name=server
    )
    exact = [row for row in found if server in (row["name"], f"{row['system']}:{row['name']}")]
    if len(exact) == 1:
        return str(exact[0]["system"])
    if exact:
        qualified = " or ".join(f"{row['system']}:{row['name']}" for row in exact)
        raise UsageError(
            f"{server} is a server of several systems in network {current.network}. Name "
            f"it as {qualified}."
        )
    everyone = database.read(
        "servers_named", publish=current.publish, network=current.network, name=None
    )
    hint = did_you_mean(server, [row["name"] for row in everyone])
    hint = hint or f" `topograph cypher servers --param network={current.network}` lists them."
    raise UnknownServer(f"No server is called {server!r} in network {current.network}.{hint}")


def as_pasted(text: str, parameters: Mapping[str, Any]) -> str:
    """A statement with its parameters, to be pasted into Neo4j Browser as one piece."""
    lines = [f":param {name} => {literal(value)};" for name, value in parameters.items()]
    return "\n".join([*lines, text.rstrip()])


def literal(value: Any) -> str:
    """A parameter's value as Cypher writes it.

    >>> literal(["it's", 7, None, {"a": True}])
    "['it\\\\'s', 7, null, {a: true}]"
    """
    if isinstance(value, str):
        inner = value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
        return (
            "'"
            + "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in inner)
            + "'"
        )
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {literal(each)}" for key, each in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(literal, value)) + "]"
    return json.dumps(value)
