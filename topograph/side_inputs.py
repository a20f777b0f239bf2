"""Side inputs: what no configuration file says (``topograph.yaml``, DESIGN section 3), as frozen
records.

Read by ``topograph.importers.side_inputs``; every answer lists the entries it used.
"""

from __future__ import annotations

import json
import re

from topograph.findings import Source
from topograph.records import record


@record
class HostEntry:
    """``hosts``: which host (or ``host:port``) is which server."""

    host: str
    server: str
    source: Source


@record
class PathEntry:
    """``paths``: a prefix as configuration files write it, and the imported folder it stands
    for.
    """

    prefix: str
    folder: str
    source: Source


@record
class ServerEntry:
    """``servers``: the main file (of a fault-tolerant pair both) that a server is read from,
    where several have its name.
    """

    server: str
    files: tuple[str, ...]
    source: Source


@record
class MachineEntry:
    """``machines``: the servers that run on one machine, so that a loopback host means the same
    to each.
    """

    machine: str
    servers: tuple[str, ...]
    source: Source


@record
class SuspendedEntry:
    """``suspended``: a server that sends nothing over its route to another one, ``route``, until
    the route is resumed.
    """

    server: str
    route: str
    source: Source


@record
class NewSetting:
    """What the configuration of a new server begins with: a parameter, and its values (a URL
    each, of ``listen``)."""

    name: str
    values: tuple[str, ...]
    source: Source


@record
class NewServer:
    """``new``: a server that is not set up yet. It begins with its ``settings`` and has nothing
    else: no routes, destinations or users."""

    server: str
    settings: tuple[NewSetting, ...]
    source: Source


@record
class Client:
    """``clients``: a client at a server. ``destination`` as on the command line
    (``topic:orders``); ``role`` is ``subscriber`` (also ``receiver``, ``consumer``) or
    ``publisher`` (also ``sender``, ``producer``)."""

    server: str
    destination: str
    role: str = "subscriber"
    durable: str = ""
    client_id: str = ""
    selector: str = ""
    user: str = ""
    source: Source = Source("")


@record
class MediationEntry:
    """``mediations``: what the code of a mediation does to messages. It is the one at
    ``destination`` of ``bus``, or ``mediation`` by its name wherever it stands (both: there
    only); an empty ``bus`` is any. ``result`` is ``pass``, ``delete`` or ``exception``. Of each
    path: what replaces it (None: it stays), and what is put before it, as (bus, destination)
    with an empty bus for the one where the mediation runs."""

    destination: str = ""
    mediation: str = ""
    bus: str = ""
    result: str = "pass"
    forward_path: tuple[tuple[str, str], ...] | None = None
    forward_path_before: tuple[tuple[str, str], ...] = ()
    reverse_path: tuple[tuple[str, str], ...] | None = None
    reverse_path_before: tuple[tuple[str, str], ...] = ()
    source: Source = Source("")


@record
class OverrideEntry:
    """``overrides``: which reading holds where the documents of a system leave something open;
    ``choice`` is one of those that the system offers for the ``position``."""

    system: str
    position: str
    choice: str
    source: Source


@record
class PatternEntry:
    """``include`` and ``exclude``: a pattern, as in ``.gitignore``, of files below the imported
    folder."""

    text: str
    source: Source


@record
class WaiverEntry:
    """``waivers``: findings that ``check`` does not count, and why: those of ``rule`` (its number,
    its name, or a kind of finding), at servers and in files that patterns fit (empty: all), up to
    and including the day ``until`` (``YYYY-MM-DD``; empty: for good)."""

    rule: str
    reason: str
    server: str = ""
    file: str = ""
    until: str = ""
    source: Source = Source("")


@record
class OwnerEntry:
    """``owners``: who owns the destinations (``queue:PAY.*``) or files that a pattern fits, at the
    servers that one fits (empty: all); without either of the two, those servers."""

    owner: str
    contact: str = ""
    server: str = ""
    destination: str = ""
    file: str = ""
    source: Source = Source("")


@record
class LeftOut:
    """A mistake in a ``topograph.yaml``: what it concerns is left out. ``section`` is the key at
    the top that it stands below; empty where nothing of the file is used, or a key is unknown."""

    section: str
    source: Source


@record
class Contradiction:
    """A server that files in two folders describe differently, and where: they are not of one
    estate. ``alike``: the folders describe several servers in files of the same names, and what
    they say does not differ. Not of ``topograph.yaml``; it goes with it into every answer.
    """

    server: str
    folders: tuple[str, ...]
    sources: tuple[Source, ...]
    alike: bool = False


@record
class Choice:
    """What an import chose where the files leave it open. ``copy``: of two files of ``server`` the
    one at ``file`` is read, and not the one at ``source``. ``name``: the file at ``source`` is
    taken for ``server``, and may be of ``file``, which others name. Like a ``Contradiction`` it
    goes into every answer."""

    kind: str
    server: str
    source: Source
    file: str = ""


@record
class SideInputs:
    """A whole ``topograph.yaml``; the empty one where none is given."""

    hosts: tuple[HostEntry, ...] = ()
    paths: tuple[PathEntry, ...] = ()
    clients: tuple[Client, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    """(server or ``"*"``, product version)."""

    version_sources: tuple[Source, ...] = ()
    """Where each of ``versions`` stands, in their order."""

    files: tuple[str, ...] = ()
    """The files all this was read from, for telling which topograph.yaml counts."""

    servers: tuple[ServerEntry, ...] = ()
    machines: tuple[MachineEntry, ...] = ()

    mediations: tuple[MediationEntry, ...] = ()
    suspended: tuple[SuspendedEntry, ...] = ()
    new: tuple[NewServer, ...] = ()
    overrides: tuple[OverrideEntry, ...] = ()
    include: tuple[PatternEntry, ...] = ()
    exclude: tuple[PatternEntry, ...] = ()
    waivers: tuple[WaiverEntry, ...] = ()
    owners: tuple[OwnerEntry, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    """What is wrong with the file, by line."""

    contradictions: tuple[Contradiction, ...] = ()
    """Why the files are not of one estate, which reading them has found."""

    choices: tuple[Choice, ...] = ()
    """What the import chose where the files leave it open."""


_PLAIN = re.compile(
    r"(?!(?:true|false|yes|no|on|off|null|y|n)\Z)[a-z][\w./-]*\Z", re.IGNORECASE | re.ASCII
)


def yaml_text(text: str) -> str:
    """A text as a value or key of topograph.yaml, for a line that is to be pasted there; in quotes
    unless YAML reads it as that text anyway.

    >>> print(yaml_text("WEST"), yaml_text("no"), yaml_text("${HOSTNAME} (a.conf)"))
    WEST "no" "${HOSTNAME} (a.conf)"
    """
    return text if _PLAIN.match(text) else json.dumps(text, ensure_ascii=False)
