"""What is said of the service integration buses of WebSphere Application Server and Liberty
(sibus.md A1, A4).

``server`` of every fact is the bus, by its name; of Liberty, where every bus is called
``defaultBus``, the name of the Liberty server if its folder tells it (``servers/NAME/server.xml``,
``NAME/server.xml``), else the name of the bus. A bus is read from several files, each a bundle of
its own: whoever works with a bus puts together the facts of all bundles that have its ``server``.
Two Liberty files of one ``server`` are two servers of one name.
"""

from __future__ import annotations

from typing import ClassVar

from topograph.facts.fact import Fact
from topograph.findings import Source
from topograph.records import record

WAS = "was"
"""Edition: WebSphere Application Server."""

LIBERTY = "liberty"
"""Edition: Liberty, Open Liberty."""

DESTINATION_TYPES = ("Queue", "TopicSpace", "Port", "WebService", "Alias", "Foreign")
"""The types of destination (sibus.md A1.2), as ``SibusDestination.destination_type`` has them."""

SECTIONS = ("destinations", "foreign_buses", "engines", "mediations")
"""What ``SibusBus.complete`` may name."""


@record
class SibusAttribute:
    """An attribute as a file states it. Truth values are ``true`` and ``false``, words in
    capitals are kept in capitals (sibus.md A1.3).
    """

    name: str
    value: str
    source: Source

    @property
    def line(self) -> int:
        """The line of ``source``."""
        return self.source.line


MESSAGING_FEATURE = "messagingFeature"
"""The attribute of a bus of Liberty that is ``false`` where no feature starts its engine."""


@record
class PathElement:
    """A destination by name: an element of a routing path, a reply destination, the target of an
    alias. ``bus`` is empty where no bus is named.
    """

    bus: str
    destination: str
    source: Source

    @property
    def line(self) -> int:
        """The line of ``source``."""
        return self.source.line


@record
class SibusMember:
    """A bus member: a cluster, a server of a node, or a WebSphere MQ server. What is not named
    is empty.
    """

    cluster: str = ""
    node: str = ""
    server: str = ""
    mq_server: str = ""


@record
class TopicSpaceMapping:
    """A topic space whose publications cross a link: the local name and the name on the foreign
    bus (S-61).
    """

    local: str
    remote: str
    source: Source


class _WithAttributes:
    """What facts with attributes have in common."""

    __slots__ = ()

    attributes: tuple[SibusAttribute, ...]

    def attribute(self, name: str) -> SibusAttribute | None:
        """The attribute of this name; None where the file does not state it. Linear in the
        attributes.
        """
        return next((each for each in self.attributes if each.name == name), None)


@record(kw_only=True)
class SibusBus(Fact, _WithAttributes):
    """A bus that a bundle says something of. ``name`` is the bus's own name (``defaultBus`` of
    Liberty), ``edition`` ``WAS`` or ``LIBERTY``.

    ``complete`` lists the ``SECTIONS`` of which the bundle has all there is: what another
    section would hold and no bundle has may exist, and is not known. ``cell`` is empty where no
    file says it; two cells may each have a bus of one name. ``uuid`` and ``version`` are empty
    where they are not stated."""

    system: ClassVar[str] = "sibus"
    kind: ClassVar[str] = "bus"
    name: str
    edition: str = WAS
    uuid: str = ""
    version: str = ""
    cell: str = ""
    complete: tuple[str, ...] = ()
    attributes: tuple[SibusAttribute, ...] = ()


@record(kw_only=True)
class BusMember(Fact):
    """A member of a bus, which owns one or more messaging engines."""

    system: ClassVar[str] = "sibus"
    kind: ClassVar[str] = "member"
    member: SibusMember

    @property
    def label(self) -> str:
        return (
            self.member.cluster
            or self.member.mq_server
            or f"{self.member.node}.{self.member.server}"
        )


@record(kw_only=True)
class MessagingEngine(Fact, _WithAttributes):
    """A messaging engine (``node.server-bus``, ``cluster.000-bus``) and the member that owns it,
    where it is known. ``queue_points`` are the destinations of which the file says that this
    engine has a queue point or publication point; not all need be said. ``closed_points`` are
    those of them that take no messages (``sendAllowed``). ``derived`` says that no file names
    the engine: a script adds a member to the bus, and its first engine gets this name.
    ``listed_only`` says that only its name is known: its queue points and links are in another
    file."""

    system: ClassVar[str] = "sibus"
    kind: ClassVar[str] = "engine"
    name: str
    uuid: str = ""
    cluster: str = ""
    node: str = ""
    server_name: str = ""
    queue_points: tuple[str, ...] = ()
    closed_points: tuple[str, ...] = ()
    derived: bool = False
    listed_only: bool = False
    attributes: tuple[SibusAttribute, ...] = ()


@record(kw_only=True)
class SibusDestination(Fact, _WithAttributes):
    """A destination of a bus; ``name`` is its identifier, ``destination_type`` one of
    ``DESTINATION_TYPES``, empty where it is not known.

    ``attributes`` are those of sibus.md A1.3 that the file states, under the names there; of
    Liberty under those of server.xml, as written there (A4.3 says what they come to). What has a
    field of its own is not among them. ``exception_destination`` is None where nothing is stated
    and empty where it is None ("no exception destination"); ``exception_source`` is its place.
    ``localizations`` are the messaging engines with a queue point, as far as the file names
    engines; ``members`` the bus members that it is assigned to. ``queue_points`` are those that
    an alias selects; None: all. ``alias_bus`` is the bus that an alias pretends to be on,
    ``foreign_bus`` that of a foreign destination; empty where not stated. ``listed_only`` says
    that only name and type are known: the attributes are not in the file."""

    system: ClassVar[str] = "sibus"
    kind: ClassVar[str] = "destination"
    destination_type: str
    name: str
    uuid: str = ""
    attributes: tuple[SibusAttribute, ...] = ()
    forward_path: tuple[PathElement, ...] = ()
    reply: PathElement | None = None
    exception_destination: str | None = None
    exception_source: Source | None = None
    localizations: tuple[str, ...] = ()
    members: tuple[SibusMember, ...] = ()
    target: PathElement | None = None
    alias_bus: str = ""
    queue_points: tuple[str, ...] | None = None
    foreign_bus: str = ""
    listed_only: bool = False


@record(kw_only=True)
class ForeignBus(Fact, _WithAttributes):
    """A foreign bus that a bus knows. ``route`` is ``direct`` (a link to another bus), ``mq`` (a
    link to a WebSphere MQ network) or ``indirect`` (over the foreign bus ``next_hop``); empty
    where it is not known. ``engine`` is the messaging engine with the link, where it is known.
    In a cell's configuration the link is the one whose ``target_uuid`` is the ``link_uuid``
    here, and may state its ``exception_destination`` (as in ``SibusDestination``) here."""

    system: ClassVar[str] = "sibus"
    kind: ClassVar[str] = "foreign_bus"
    name: str
    uuid: str = ""
    route: str = ""
    next_hop: str = ""
    engine: str = ""
    link_uuid: str = ""
    exception_destination: str | None = None
    topic_spaces: tuple[TopicSpaceMapping, ...] = ()
    attributes: tuple[SibusAttribute, ...] = ()


@record(kw_only=True)
class SibusLink(Fact, _WithAttributes):
    """A link of a messaging engine: ``type`` ``sib`` (to an engine of another bus) or ``mq`` (to
    a queue manager). ``foreign_bus`` is what it leads to; where that is empty, the foreign bus
    whose ``link_uuid`` is ``target_uuid``. ``remote_engine`` is the engine at the other end.
    ``attributes`` have the names of the wsadmin parameters (``queueManagerName``,
    ``senderChannelName``, ``receiverChannelName``, ``hostName``, ``port``, ...).
    ``exception_destination`` as in ``SibusDestination``."""

    system: ClassVar[str] = "sibus"
    kind: ClassVar[str] = "link"
    name: str
    type: str
    engine: str = ""
    foreign_bus: str = ""
    remote_engine: str = ""
    uuid: str = ""
    target_uuid: str = ""
    exception_destination: str | None = None
    attributes: tuple[SibusAttribute, ...] = ()


@record(kw_only=True)
class Mediation(Fact, _WithAttributes):
    """A mediation, or with ``destination`` set, that it is attached there; ``name`` is empty
    where only ``uuid`` tells which it is (a mediation of the bus has that ``uuid``, in another
    file). ``enabled`` is None where it is not stated."""

    system: ClassVar[str] = "sibus"
    kind: ClassVar[str] = "mediation"
    name: str
    destination: str = ""
    enabled: bool | None = None
    uuid: str = ""
    attributes: tuple[SibusAttribute, ...] = ()

    @property
    def label(self) -> str:
        return (
            f"{self.name or self.uuid}->{self.destination}"
            if self.destination
            else self.name or self.uuid
        )


@record(kw_only=True)
class Incomplete(Fact):
    """The bundle says something of the bus that is not understood, so that every answer about it
    may be wrong. ``sections`` are those of ``SECTIONS`` that it may change, ``object`` the one
    destination or link that it is about, where only that one is."""

    system: ClassVar[str] = "sibus"
    kind: ClassVar[str] = "incomplete"
    reason: str
    sections: tuple[str, ...] = SECTIONS
    object: str = ""

    @property
    def label(self) -> str:
        return self.object


@record(kw_only=True)
class ChangedBus(Fact):
    """The bundle is a script that changes a bus which it does not make: that the bus is there,
    another file has to say."""

    system: ClassVar[str] = "sibus"
    kind: ClassVar[str] = "changed_bus"

    @property
    def label(self) -> str:
        return self.server


FACTS: tuple[type[Fact], ...] = (
    SibusBus,
    BusMember,
    MessagingEngine,
    SibusDestination,
    ForeignBus,
    SibusLink,
    Mediation,
    Incomplete,
    ChangedBus,
)
"""Every kind of fact of this system."""
