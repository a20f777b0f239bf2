"""What the files of TIBCO EMS say (ems.md sections 1 and 3)."""

from __future__ import annotations

from typing import ClassVar

from topograph.facts import ems_observed
from topograph.facts.fact import Fact, Pairs
from topograph.findings import Source
from topograph.records import record

WITHOUT_EFFECT = frozenset({"channels", "stores", "tibrvcm", "transports"})
"""Sub-files that say nothing of where messages go inside a network of EMS servers: no answer is
incomplete without one.
"""


@record
class ParameterPlace:
    """Where a main file states a parameter."""

    parameter: str
    source: Source


@record(kw_only=True)
class EmsServer(Fact):
    """A tibemsd.conf or tibemsd.json. ``routing`` and ``authorization`` are None where the file
    does not state them.

    ``missing`` lists the kinds of sub-files (``routes``, ``topics``, ...) that the main file names
    and that were not found, and those of which something could not be read, which ``unread`` lists
    too: every answer about this server is then incomplete (ems.md 3.1). ``places`` are the lines of
    the parameters that decide something about messages.
    """

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "server"
    routing: bool | None = None
    authorization: bool | None = None
    ft_active: str = ""
    listen: tuple[str, ...] = ()
    parameters: Pairs = ()
    missing: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    places: tuple[ParameterPlace, ...] = ()

    @property
    def label(self) -> str:
        return self.server

    def place(self, parameter: str) -> Source:
        """Where the main file states a parameter; the server's own place where it does not."""
        return next(
            (each.source for each in self.places if each.parameter == parameter), self.source
        )


@record
class RouteSelector:
    """One ``incoming_topic``/``outgoing_topic`` line of a route. ``direction`` is ``incoming``
    or ``outgoing``, from the perspective of the server whose file holds the route (R60).
    ``fault`` says why the line is not understood: ``unread`` is then its text as it stands, and
    whether messages pass is UNKNOWN; ``topic`` is ``>`` where the topic is not understood
    either."""

    direction: str
    topic: str
    selector: str
    source: Source
    fault: str = ""
    unread: str = ""


@record
class RouteFault:
    """Something in a route that is not understood and leaves its name, zone or type uncertain:
    why, and where it stands.
    """

    why: str
    source: Source


@record(kw_only=True)
class EmsRoute(Fact):
    """A section of routes.conf on ``server``; ``name`` is the remote server (R2). ``zone_name``
    and ``zone_type`` hold the defaults of ems.md 1.3 where the file is silent; ``zone_stated``
    tells which were written (``name``, ``type``). ``faults`` say why name, zone or type are not
    certain."""

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
    faults: tuple[RouteFault, ...] = ()


@record(kw_only=True)
class EmsDestination(Fact):
    """A line of topics.conf or queues.conf. ``type`` is ``topic`` or ``queue``; ``name`` may be
    a pattern; ``owner`` is the server after ``@`` of a routed queue. Flags have the value
    ``"true"`` in ``properties``."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "destination"
    type: str
    name: str
    owner: str = ""
    properties: Pairs = ()
    jndi: tuple[str, ...] = ()


@record(kw_only=True)
class EmsBridge(Fact):
    """One source and one target of bridges.conf; a section with two targets yields two facts.
    ``fault`` says why the selector is not understood; ``unread`` is then its text as it stands.
    ``again`` are the places where the same bridge stands once more, with which the server does not
    start (TL-17); ``sections`` is how many sections its source has."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "bridge"
    source_type: str
    source_name: str
    target_type: str
    target_name: str
    selector: str = ""
    fault: str = ""
    unread: str = ""
    again: tuple[RouteFault, ...] = ()
    sections: int = 1

    @property
    def label(self) -> str:
        return f"{self.source_type}:{self.source_name}->{self.target_type}:{self.target_name}"


@record(kw_only=True)
class EmsDurable(Fact):
    """A line of durables.conf. With ``route`` set, ``name`` is the name of another server.
    ``fault`` says why its properties are not understood; ``unread`` is then their text as it
    stands."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "durable"
    topic: str
    name: str
    client_id: str = ""
    no_local: bool = False
    selector: str = ""
    route: bool = False
    fault: str = ""
    unread: str = ""


@record(kw_only=True)
class EmsFactory(Fact):
    """A connection factory: which servers clients may attach to; no routing effect."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "factory"
    name: str
    type: str = ""
    url: tuple[str, ...] = ()
    properties: Pairs = ()


@record(kw_only=True)
class EmsGrant(Fact):
    """A line of acl.conf. ``type`` is ``topic``, ``queue`` or ``admin``; ``principal_type``
    ``user`` or ``group``.
    """

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "grant"
    type: str
    name: str
    principal_type: str
    principal: str
    permissions: tuple[str, ...] = ()


@record(kw_only=True)
class EmsUser(Fact):
    """A user of users.conf; the password's value is never kept, only whether one is set."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "user"
    name: str
    description: str = ""
    password_set: bool = False


@record(kw_only=True)
class EmsGroup(Fact):
    """A group of groups.conf with its member user names."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "group"
    name: str
    description: str = ""
    members: tuple[str, ...] = ()


@record(kw_only=True)
class EmsEntry(Fact):
    """Any other entry that is kept although no question uses it yet: ``type`` is its file kind
    (``stores``, ``channels``, ``transports``, ``tibrvcm``)."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "entry"
    type: str
    name: str
    properties: Pairs = ()


@record(kw_only=True)
class EmsObservedRoute(Fact):
    """A row of ``show routes`` output: what a running server reported. ``active`` is the T
    column (A or P); ``zone_type`` is ``1hop`` or ``mhop``; ``connected`` is whether ConnID was a
    number; ``suspended`` whether a column of the table says so (R53)."""

    system: ClassVar[str] = "ems"
    kind: ClassVar[str] = "observed_route"
    name: str
    active: bool
    connected: bool
    url: str
    zone_name: str
    zone_type: str
    suspended: bool = False


FACTS: tuple[type[Fact], ...] = (
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
    *ems_observed.FACTS,
)
"""Every kind of fact of this system."""
