"""Side inputs: what no configuration file says (``topograph.yaml``, DESIGN section 3), as frozen records.

Read by ``topograph.importers.side_inputs``; every answer lists the entries it used.
"""

from __future__ import annotations

from dataclasses import dataclass

from topograph.findings import Source


@dataclass(frozen=True, slots=True)
class HostEntry:
    """``hosts``: which host (or ``host:port``) is which server."""

    host: str
    server: str
    source: Source


@dataclass(frozen=True, slots=True)
class PathEntry:
    """``paths``: a prefix as configuration files write it, and the imported folder it stands for."""

    prefix: str
    folder: str
    source: Source


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """``servers``: the main file (of a fault-tolerant pair both) that a server is read from, where several have its name."""

    server: str
    files: tuple[str, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class Client:
    """``clients``: a client at a server. ``destination`` as on the command line (``topic:orders``); ``role`` is ``subscriber``
    (also ``receiver``, ``consumer``) or ``publisher`` (also ``sender``, ``producer``)."""

    server: str
    destination: str
    role: str = "subscriber"
    durable: str = ""
    client_id: str = ""
    selector: str = ""
    user: str = ""
    source: Source = Source("")


@dataclass(frozen=True, slots=True)
class SideInputs:
    """A whole ``topograph.yaml``; the empty one where none is given."""

    hosts: tuple[HostEntry, ...] = ()
    paths: tuple[PathEntry, ...] = ()
    clients: tuple[Client, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    """(server or ``"*"``, product version)."""

    files: tuple[str, ...] = ()
    """The files all this was read from, for telling which topograph.yaml counts."""

    servers: tuple[ServerEntry, ...] = ()
