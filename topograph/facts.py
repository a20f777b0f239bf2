"""Facts: what configuration files say, one frozen record per entry, each with its source.

Facts carry no meaning beyond the syntax: a route is what one server's routes.conf says, not a link. The meaning is in
``topograph.systems``. Every fact names its ``bundle`` (the path of the main file it belongs to, so that the two members of
a fault-tolerant pair stay apart) and its ``server`` (the name that configuration gives itself).

``encode`` and ``decode`` turn facts into flat rows (system, kind, bundle, server, name, file, line, column, payload) and
back without loss; that row is the schema of the facts table of a snapshot.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from topograph import extensions
from topograph.errors import UnknownSystem
from topograph.findings import Source
from topograph.plain import from_plain, shapes_of, to_plain

Pairs = tuple[tuple[str, str], ...]
"""An ordered mapping of text to text; values of secret parameters are never stored, only ``"(set)"``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Base of all facts. ``system`` and ``kind`` are fixed per class and partition the facts table."""

    system: ClassVar[str] = ""
    kind: ClassVar[str] = ""

    bundle: str
    server: str
    source: Source

    @property
    def label(self) -> str:
        """The fact's own name within its server and kind, for people and for table keys; may be empty."""
        return str(getattr(self, "name", ""))


# --- TIBCO EMS (ems.md sections 1 and 3) -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EmsServer(Fact):
    """A tibemsd.conf or tibemsd.json. ``routing`` and ``authorization`` are None where the file does not state them.

    ``missing`` lists the kinds of sub-files (``routes``, ``topics``, ...) that the main file names and that were not
    found: every answer about this server is then incomplete (ems.md 3.1).
    """

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "server"
    routing: bool | None = None
    authorization: bool | None = None
    ft_active: str = ""
    listen: tuple[str, ...] = ()
    parameters: Pairs = ()
    missing: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return self.server


@dataclass(frozen=True, slots=True)
class RouteSelector:
    """One ``incoming_topic``/``outgoing_topic`` line of a route. ``direction`` is ``incoming`` or ``outgoing``, from the
    perspective of the server whose file holds the route (R60)."""

    direction: str
    topic: str
    selector: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class EmsRoute(Fact):
    """A section of routes.conf on ``server``; ``name`` is the remote server (R2). ``zone_name`` and ``zone_type`` hold the
    defaults of ems.md 1.3 where the file is silent; ``zone_stated`` tells which were written (``name``, ``type``)."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "route"
    name: str
    url: tuple[str, ...] = ()
    zone_name: str = "default_mhop_zone"
    zone_type: str = "mhop"
    zone_stated: tuple[str, ...] = ()
    topic_prefetch: str = ""
    selectors: tuple[RouteSelector, ...] = ()
    properties: Pairs = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EmsDestination(Fact):
    """A line of topics.conf or queues.conf. ``type`` is ``topic`` or ``queue``; ``name`` may be a pattern; ``owner`` is the
    server after ``@`` of a routed queue. Flags have the value ``"true"`` in ``properties``."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "destination"
    type: str
    name: str
    owner: str = ""
    properties: Pairs = ()
    jndi: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EmsBridge(Fact):
    """One source and one target of bridges.conf; a section with two targets yields two facts."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "bridge"
    source_type: str
    source_name: str
    target_type: str
    target_name: str
    selector: str = ""

    @property
    def label(self) -> str:
        return f"{self.source_type}:{self.source_name}->{self.target_type}:{self.target_name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmsDurable(Fact):
    """A line of durables.conf. With ``route`` set, ``name`` is the name of another server."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "durable"
    topic: str
    name: str
    client_id: str = ""
    no_local: bool = False
    selector: str = ""
    route: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EmsFactory(Fact):
    """A connection factory: which servers clients may attach to; no routing effect."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "factory"
    name: str
    type: str = ""
    url: tuple[str, ...] = ()
    properties: Pairs = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EmsGrant(Fact):
    """A line of acl.conf. ``type`` is ``topic``, ``queue`` or ``admin``; ``principal_type`` ``user`` or ``group``."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "grant"
    type: str
    name: str
    principal_type: str
    principal: str
    permissions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EmsUser(Fact):
    """A user of users.conf; the password's value is never kept, only whether one is set."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "user"
    name: str
    description: str = ""
    password_set: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EmsGroup(Fact):
    """A group of groups.conf with its member user names."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "group"
    name: str
    description: str = ""
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EmsEntry(Fact):
    """Any other entry that is kept although no question uses it yet: ``type`` is its file kind (``stores``, ``channels``,
    ``transports``, ``tibrvcm``)."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "entry"
    type: str
    name: str
    properties: Pairs = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EmsObservedRoute(Fact):
    """A row of ``show routes`` output: what a running server reported. ``active`` is the T column (A or P); ``zone_type`` is
    ``1hop`` or ``mhop``; ``connected`` is whether ConnID was a number."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "observed_route"
    name: str
    active: bool
    connected: bool
    url: str
    zone_name: str
    zone_type: str


# --- AMQ Interconnect (amq_interconnect.md section 1) -------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity(Fact):
    """One entity of a router configuration or dump: ``type`` is the short name (``router``, ``listener``, ``connector``,
    ``address``, ``linkRoute``, ``autoLink``, ...; run-time entities as ``router.node``, ``router.link``, ``connection``), ``name`` its given
    or generated name (section 1), ``attributes`` the attributes in effect in the schema's spelling, defaults included; lists and maps are
    compact JSON. ``stated`` are those that the file wrote. ``server`` is the router id. ``origin`` is ``file`` for a configuration that a
    router would start from, ``dump`` for what a router said of itself while it ran (management query or qdstat)."""

    system: ClassVar[str] = "amq_interconnect"
    kind: ClassVar[str] = "entity"
    type: str
    name: str
    attributes: Pairs = ()
    stated: tuple[str, ...] = ()
    origin: str = "file"

    def get(self, attribute: str, default: str = "") -> str:
        """The value in effect, or ``default``. Linear in the number of attributes (a dozen)."""
        return next((value for key, value in self.attributes if key == attribute), default)


# --- rows -----------------------------------------------------------------------------------------------------------

KINDS: Mapping[tuple[str, str], type[Fact]] = {
    (cls.system, cls.kind): cls
    for cls in (
        EmsServer,
        EmsRoute,
        EmsDestination,
        EmsBridge,
        EmsDurable,
        EmsFactory,
        EmsGrant,
        EmsUser,
        EmsGroup,
        EmsEntry,
        EmsObservedRoute,
        Entity,
    )
}
"""Every kind of fact of topograph's own systems, by (system, kind)."""

_OUTER = frozenset({"bundle", "server", "source"})


def encode(fact: Fact) -> dict[str, Any]:
    """The flat row of a fact: columns system, kind, bundle, server, name, file, line, column, payload (compact JSON with
    sorted keys, so that equal facts have equal rows)."""
    payload = {
        field.name: to_plain(getattr(fact, field.name))
        for field in dataclasses.fields(fact)
        if field.name not in _OUTER
    }
    return {
        "system": fact.system,
        "kind": fact.kind,
        "bundle": fact.bundle,
        "server": fact.server,
        "name": fact.label,
        "file": fact.source.file,
        "line": fact.source.line,
        "column": fact.source.column,
        "payload": json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False),
    }


def decode(row: Mapping[str, Any]) -> Fact:
    """The fact of a row that ``encode`` made. Raises UnknownSystem for a kind that neither topograph nor an extension has."""
    cls: Any = KINDS.get((row["system"], row["kind"])) or _foreign(row["system"], row["kind"])
    source = Source(row["file"], int(row["line"]), int(row["column"]))
    fact: Fact = cls(bundle=row["bundle"], server=row["server"], source=source, **_fields(cls, row["payload"]))
    return fact


@lru_cache(maxsize=1 << 14)
def _fields(cls: Any, payload: str) -> dict[str, Any]:
    """The fields of a payload, all immutable. Kept, because one list of addresses is often rolled out to a hundred routers."""
    shapes = shapes_of(cls)
    return {name: from_plain(shapes[name], value) for name, value in json.loads(payload).items()}


def _foreign(system: str, kind: str) -> type[Fact]:
    """The class of a kind of fact that a system from outside brings, out of ``FACTS`` of its module ``facts``."""
    for cls in extensions.module(system, "facts").FACTS:
        if (cls.system, cls.kind) == (system, kind):
            found: type[Fact] = cls
            return found
    raise UnknownSystem(
        f"The package that answers for {system} has no facts of the kind {kind!r}; it may be an older one."
    )
