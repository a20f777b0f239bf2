"""What MQSC files, DISPLAY output and ini files of IBM MQ say (ibm_mq.md sections C1 and C4).

One class for each kind of object, and one for each kind of observed state. All hold their
attributes as they are set: defaults of the product are not among them, those that the same file
gives to the SYSTEM.DEFAULT objects are. An object that two files define is two facts (C-9), told
apart by ``bundle``.
"""

from __future__ import annotations

from typing import ClassVar

from topograph.facts import shown
from topograph.facts.fact import Fact
from topograph.facts.ibm_mq_names import QUEUES
from topograph.records import record


@record
class Attribute:
    """One attribute. ``name`` is the MQSC name in capitals, synonyms resolved (TARGQ is TARGET);
    ``value`` the value as the queue manager keeps it: what stood in quotes exactly, other words
    in capitals. A list (NAMES, CLUSTERs of an observed state) has commas between its items. A
    flag (TRIGGER, NOSHARE) has the empty value. ``line`` is where it stands in the file of its
    fact, 0 where that is not known."""

    system: ClassVar[str] = "ibm_mq"

    name: str
    value: str = ""
    line: int = 0

    @property
    def items(self) -> tuple[str, ...]:
        """The items of a list, without blanks around them and without empty ones."""
        return tuple(item for part in self.value.split(",") if (item := part.strip()))


@record(kw_only=True)
class Described(Fact):
    """What all facts of IBM MQ have. ``server`` is the queue manager.

    ``verb`` is ``DEFINE`` for an object that the file defines or shows; ``ALTER`` and ``DELETE``
    for one that the file changes or deletes without defining it, so that it has to come from
    elsewhere (``attributes`` are then only those changed); ``REFUSED`` for one that a command was
    to define which the queue manager refuses: it is not there, and ``doubt`` says why.
    ``template`` says that the name or an attribute that decides about routing is text of a template
    (``{{ x }}``), ``unknown`` lists attributes that no version knows: MQ may have refused the whole
    command (C-10). ``like`` is the object after LIKE where the file does not show that object.
    ``doubt`` says in a sentence why the object may look otherwise, or not be there; empty where
    nothing is known against it.
    ``partial`` says that output showed some of its attributes: one that is not among them may have
    any value.
    """

    system: ClassVar[str] = "ibm_mq"

    name: str
    attributes: tuple[Attribute, ...] = ()
    verb: str = "DEFINE"
    template: bool = False
    unknown: tuple[str, ...] = ()
    like: str = ""
    doubt: str = ""
    partial: bool = False

    def attribute(self, name: str) -> Attribute | None:
        """The attribute of that name, None where it is not set. Linear in the number of
        attributes.
        """
        for each in self.attributes:
            if each.name == name:
                return each
        return None

    def get(self, name: str, default: str = "") -> str:
        """The value of an attribute without blanks at its end, which mean nothing to MQ;
        ``default`` where it is not set.
        """
        found = self.attribute(name)
        return default if found is None else found.value.rstrip(" ")

    def states(self, name: str) -> bool:
        """Whether the attribute (or flag) is set."""
        return self.attribute(name) is not None


@record(kw_only=True)
class QueueManager(Described):
    """A queue manager: a bundle has one for each queue manager of which it defines or shows
    objects, whether or not it sets attributes (ALTER QMGR, DISPLAY QMGR). A bundle with observed
    state or ini files alone has none: what that queue manager has is then not known.

    ``dump`` says that the source shows all attributes of the queue manager, as dmpmqcfg -a and
    DISPLAY QMGR ALL do: what is not there is blank (C-11). ``named_by`` is what gave the name:
    ``header``, ``display``, ``command``, ``created`` (crtmqm), ``resource``, ``ini``,
    ``topograph.yaml``, or ``file`` and ``folder``, where it is made of their names. ``unread`` says
    in sentences what of the file could not be read and may concern routing: what is not found may
    then stand there.
    """

    kind: ClassVar[str] = "queue_manager"
    dump: bool = False
    named_by: str = ""
    unread: tuple[str, ...] = ()


@record(kw_only=True)
class Queue(Described):
    """A queue object. ``noun`` is QLOCAL, QALIAS, QREMOTE or QMODEL. All nouns share one name
    space.
    """

    kind: ClassVar[str] = "queue"
    noun: str

    @property
    def label(self) -> str:
        return f"{self.noun} {self.name}"


@record(kw_only=True)
class Channel(Described):
    """A channel. ``channel_type`` is CHLTYPE (SDR, SVR, RCVR, RQSTR, CLUSSDR, CLUSRCVR, SVRCONN,
    CLNTCONN, AMQP, MQTT), not repeated among the attributes; empty where the file does not say
    it (an ALTER without CHLTYPE)."""

    kind: ClassVar[str] = "channel"
    channel_type: str

    @property
    def label(self) -> str:
        return f"{self.channel_type} {self.name}"


class Listener(Described):
    """A listener: PORT, IPADDR, TRPTYPE, CONTROL. ``crtmqm -p`` makes SYSTEM.LISTENER.TCP.1."""

    __slots__ = ()
    kind: ClassVar[str] = "listener"


class Namelist(Described):
    """A namelist: NAMES."""

    __slots__ = ()
    kind: ClassVar[str] = "namelist"


class Topic(Described):
    """A topic object."""

    __slots__ = ()
    kind: ClassVar[str] = "topic"


class Subscription(Described):
    """An administrative subscription."""

    __slots__ = ()
    kind: ClassVar[str] = "subscription"


@record(kw_only=True)
class ChannelRule(Described):
    """A channel authentication record (SET CHLAUTH, DISPLAY CHLAUTH): ``name`` is its channel
    name or pattern, ``rule_type`` TYPE.
    """

    kind: ClassVar[str] = "channel_rule"
    rule_type: str = ""


@record(kw_only=True)
class OtherObject(Described):
    """An object that does not say where messages go: ``noun`` is PROCESS, SERVICE, AUTHINFO,
    AUTHREC, COMMINFO, STGCLASS, ...
    """

    kind: ClassVar[str] = "other"
    noun: str

    @property
    def label(self) -> str:
        return f"{self.noun} {self.name}"


class Stanza(Described):
    """A stanza of qm.ini or mqs.ini; ``name`` is the stanza's, attributes have the names of the
    file.
    """

    __slots__ = ()
    kind: ClassVar[str] = "stanza"


class ChannelStatus(Described):
    """Observed: an entry of DISPLAY CHSTATUS; ``name`` is the channel."""

    __slots__ = ()
    kind: ClassVar[str] = "channel_status"


class QueueStatus(Described):
    """Observed: an entry of DISPLAY QSTATUS; ``name`` is the queue."""

    __slots__ = ()
    kind: ClassVar[str] = "queue_status"


class ClusterQueueManager(Described):
    """Observed: an entry of DISPLAY CLUSQMGR: ``name`` is the queue manager that ``server``
    knows in a cluster (CLUSTER, CHANNEL, QMTYPE, STATUS)."""

    __slots__ = ()
    kind: ClassVar[str] = "cluster_queue_manager"


class ClusterQueue(Described):
    """Observed: an entry of DISPLAY QCLUSTER: a queue that ``server`` knows at the queue manager
    CLUSQMGR.
    """

    __slots__ = ()
    kind: ClassVar[str] = "cluster_queue"


@record(kw_only=True)
class OtherStatus(Described):
    """Observed: any other state of a running queue manager (QMSTATUS, LSSTATUS, CONN, ...);
    ``noun`` says which.
    """

    kind: ClassVar[str] = "other_status"
    noun: str


def fact_of(noun: str, channel_type: str, common: dict[str, object]) -> Described:
    """The fact of an object with that noun; ``common`` are the fields of ``Described``."""
    fields: dict[str, object] = dict(common)
    kind: type[Described]
    if noun in QUEUES:
        kind, fields["noun"] = Queue, noun
    elif noun == "CHANNEL":
        kind, fields["channel_type"] = Channel, channel_type
    elif noun == "CHLAUTH":
        kind = ChannelRule
        attributes = common["attributes"]
        fields["rule_type"] = (
            next((each.value for each in attributes if each.name == "TYPE"), "")
            if isinstance(attributes, tuple)
            else ""
        )
    elif noun in _PLAIN:
        kind = _PLAIN[noun]
    else:
        kind, fields["noun"] = OtherObject, noun
    return kind(**fields)  # type: ignore[arg-type]


_PLAIN: dict[str, type[Described]] = {
    "LISTENER": Listener,
    "NAMELIST": Namelist,
    "TOPIC": Topic,
    "SUB": Subscription,
}


@record(kw_only=True)
class Shown(shown.Shown):
    """How much output shows of the objects of a queue manager. ``classes`` are nouns (QLOCAL,
    LISTENER, QMGR) and types of channels (SDR). A bundle that has none is a script of definitions.
    """

    system: ClassVar[str] = "ibm_mq"


FACTS: tuple[type[Fact], ...] = (
    QueueManager,
    Queue,
    Channel,
    Listener,
    Namelist,
    Topic,
    Subscription,
    ChannelRule,
    OtherObject,
    Stanza,
    ChannelStatus,
    QueueStatus,
    ClusterQueueManager,
    ClusterQueue,
    OtherStatus,
    Shown,
)
"""Every kind of fact of this system."""
