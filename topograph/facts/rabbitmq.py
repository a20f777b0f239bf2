"""What definitions of RabbitMQ say (rabbitmq.md 1): one record per entry. ``server`` of every fact
is the cluster, by its name; objects stand in a virtual host of it.

Values of arguments are JSON text, since headers and arguments have types. What may be absent is a
tuple of none or one.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

from topograph.facts.fact import Fact, Pairs
from topograph.records import record


def value_of(text: str) -> Any:
    """The value of an argument or of a key of a policy, of its text. One in which a credential is
    hidden may be JSON no more: it stands for itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


@record(kw_only=True)
class RabbitBroker(Fact):
    """A cluster that a file of definitions says something of. ``vhost`` is the virtual host that
    an export of a single one holds, None in an export of all. ``version`` is empty where it is
    not stated. ``left_out`` counts the entries that are not understood, ``left_out_of`` names their
    lists (empty: the rest of a file that is cut off); ``users_listed`` says that the file has a
    list of users. ``unlisted`` are the virtual hosts that entries of the file name, and its list of
    them does not."""

    system: ClassVar[str] = "rabbitmq"
    kind: ClassVar[str] = "broker"
    vhost: str | None = None
    version: str = ""
    left_out: int = 0
    left_out_of: tuple[str, ...] = ()
    users_listed: bool = False
    unlisted: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return self.server


@record(kw_only=True)
class RabbitEntry(Fact):
    """What all entries have that stand in a virtual host."""

    system: ClassVar[str] = "rabbitmq"
    vhost: str
    name: str


@record(kw_only=True)
class RabbitVhost(Fact):
    """An entry of ``vhosts``. ``default_queue_type`` is that of queues that state none."""

    system: ClassVar[str] = "rabbitmq"
    kind: ClassVar[str] = "vhost"
    name: str
    default_queue_type: str = ""


@record(kw_only=True)
class RabbitExchange(RabbitEntry):
    """An entry of ``exchanges``. ``internal``: no client publishes to it. ``auto_delete``: it goes
    with the last binding out of it."""

    kind: ClassVar[str] = "exchange"
    type: str
    internal: bool = False
    arguments: Pairs = ()
    durable: bool = True
    auto_delete: bool = False


@record(kw_only=True)
class RabbitQueue(RabbitEntry):
    """An entry of ``queues``. ``type`` is ``classic``, ``quorum``, ``stream`` or one that is not
    known here; empty where it is that of the virtual host."""

    kind: ClassVar[str] = "queue"
    type: str = ""
    arguments: Pairs = ()
    durable: bool = True
    auto_delete: bool = False


@record(kw_only=True)
class RabbitBinding(RabbitEntry):
    """An entry of ``bindings``, from the exchange ``name`` to a queue or exchange."""

    kind: ClassVar[str] = "binding"
    to_type: str
    to: str
    key: str = ""
    arguments: Pairs = ()


@record(kw_only=True)
class RabbitPolicy(RabbitEntry):
    """An entry of ``policies``, or a parameter that is an ``operator`` policy."""

    kind: ClassVar[str] = "policy"
    operator: bool = False
    pattern: str
    apply_to: str = "all"
    priority: int = 0
    definition: Pairs = ()


@record
class RabbitAddress:
    """Where one URI leads, without user and password: ``host`` is empty where it is the broker
    itself, ``port`` where none is stated, ``vhost`` None likewise."""

    system: ClassVar[str] = "rabbitmq"
    host: str
    port: str = ""
    vhost: str | None = None


@record(kw_only=True)
class RabbitUpstream(RabbitEntry):
    """A parameter of the component ``federation-upstream``. ``at`` are the addresses of one
    cluster, of which any is tried. ``exchange`` and ``queue`` are None where they are called as
    what is federated."""

    kind: ClassVar[str] = "upstream"
    at: tuple[RabbitAddress, ...] = ()
    exchange: str | None = None
    queue: str | None = None
    max_hops: int | None = None


@record
class RabbitSetMember:
    """An upstream of a set, with what the set says instead of the upstream itself."""

    system: ClassVar[str] = "rabbitmq"
    upstream: str
    at: tuple[RabbitAddress, ...] = ()
    exchange: str | None = None
    queue: str | None = None
    max_hops: int | None = None


@record(kw_only=True)
class RabbitUpstreamSet(RabbitEntry):
    """A parameter of the component ``federation-upstream-set``."""

    kind: ClassVar[str] = "upstream-set"
    members: tuple[RabbitSetMember, ...] = ()


@record(kw_only=True)
class RabbitShovel(RabbitEntry):
    """A parameter of the component ``shovel``: out of a queue, or of an exchange as a binding with
    ``from_key`` lets through, into a queue or an exchange. ``to`` is None where messages are
    published to the exchange they were published to before, ``key`` where they keep their routing
    key. ``other_protocol`` names one that is not AMQP 0-9-1 at either end; ``ends_after`` says
    that the shovel removes itself (``src-delete-after``). ``waits_for`` are the types of the ends,
    ``src`` and ``dest``, whose queue the shovel does not declare, and ``declares src`` and
    ``declares dest`` where it says that it does; ``is_local``: it publishes within
    its broker, without a connection."""

    kind: ClassVar[str] = "shovel"
    taken_at: tuple[RabbitAddress, ...]
    from_type: str
    from_: str
    from_key: str = ""
    put_at: tuple[RabbitAddress, ...]
    to_type: str = "exchange"
    to: str | None = None
    key: str | None = None
    ack_mode: str = "on-confirm"
    other_protocol: str = ""
    ends_after: str = ""
    sets_expiration: bool = False
    waits_for: tuple[str, ...] = ()
    is_local: bool = False


@record
class RabbitDeclared:
    """What a static shovel declares before it starts: an ``exchange``, a ``queue`` or a
    ``binding``, at its ``source`` or ``destination``. Of a binding ``name`` is the exchange, and
    ``to`` what it leads to. ``passive``: it only asks whether the exchange or queue is there."""

    system: ClassVar[str] = "rabbitmq"
    end: str
    what: str
    name: str
    type: str = ""
    to: str = ""
    key: str = ""
    arguments: Pairs = ()
    passive: bool = False
    internal: bool = False


@record(kw_only=True)
class RabbitStaticShovel(RabbitShovel):
    """A shovel of ``advanced.config``. It stands in no virtual host (``vhost`` is empty), and
    declares what ``declares`` says, in this order."""

    kind: ClassVar[str] = "static-shovel"
    declares: tuple[RabbitDeclared, ...] = ()


@record(kw_only=True)
class RabbitSetting(Fact):
    """A setting of a node that decides where messages go."""

    system: ClassVar[str] = "rabbitmq"
    kind: ClassVar[str] = "setting"
    name: str
    value: str


@record(kw_only=True)
class RabbitUser(Fact):
    """An entry of ``users``. ``password`` says only that one is set."""

    system: ClassVar[str] = "rabbitmq"
    kind: ClassVar[str] = "user"
    name: str
    tags: tuple[str, ...] = ()
    password: str = ""


@record(kw_only=True)
class RabbitPermission(Fact):
    """An entry of ``permissions``: what a user may do in a virtual host, as patterns of names."""

    system: ClassVar[str] = "rabbitmq"
    kind: ClassVar[str] = "permission"
    user: str
    vhost: str
    configure: str
    write: str
    read: str

    @property
    def label(self) -> str:
        return self.user


@record(kw_only=True)
class RabbitTopicPermission(Fact):
    """An entry of ``topic_permissions``: the routing keys that a user may write to, and read
    from, a topic exchange, as patterns."""

    system: ClassVar[str] = "rabbitmq"
    kind: ClassVar[str] = "topic-permission"
    user: str
    vhost: str
    exchange: str
    write: str
    read: str

    @property
    def label(self) -> str:
        return self.user


FACTS: tuple[type[Fact], ...] = (
    RabbitBroker,
    RabbitVhost,
    RabbitExchange,
    RabbitQueue,
    RabbitBinding,
    RabbitPolicy,
    RabbitUpstream,
    RabbitUpstreamSet,
    RabbitShovel,
    RabbitStaticShovel,
    RabbitSetting,
    RabbitUser,
    RabbitPermission,
    RabbitTopicPermission,
)
"""Every kind of fact of this system."""
