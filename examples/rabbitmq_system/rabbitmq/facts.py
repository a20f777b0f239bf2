"""What definitions say: one frozen record per entry, each with its place. What may be absent is a
tuple of none or one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topograph.facts import Fact
from topograph.importers.holds import FACT, Fields, Holds

Pairs = tuple[tuple[str, str], ...]
"""Names, and values as JSON text: headers have types."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broker(Fact):
    """One file of definitions. ``host`` is that of a cluster name such as ``rabbit@HOST``;
    ``left_out`` counts the entries that are not understood.
    """

    system: ClassVar[str] = "rabbitmq"
    kind: ClassVar[str] = "broker"
    host: str = ""
    left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Fact):
    """What all entries have that stand in a virtual host."""

    system: ClassVar[str] = "rabbitmq"
    vhost: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange(Entry):
    """An entry of ``exchanges``. ``internal``: no client publishes to it."""

    kind: ClassVar[str] = "exchange"
    type: str
    internal: bool = False
    arguments: Pairs = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue(Entry):
    """An entry of ``queues``."""

    kind: ClassVar[str] = "queue"
    arguments: Pairs = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding(Entry):
    """An entry of ``bindings``, from the exchange ``name`` to a queue or exchange."""

    kind: ClassVar[str] = "binding"
    to_type: str
    to: str
    key: str = ""
    arguments: Pairs = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(Entry):
    """An entry of ``policies``."""

    kind: ClassVar[str] = "policy"
    pattern: str
    apply_to: str
    priority: int
    definition: Pairs


@dataclass(frozen=True, slots=True)
class Address:
    """Where URIs lead, without users and passwords: all to one cluster. Without a host it is the
    broker itself.
    """

    system: ClassVar[str] = "rabbitmq"
    hosts: tuple[str, ...]
    vhost: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream(Entry):
    """A parameter of the component ``federation-upstream``."""

    kind: ClassVar[str] = "upstream"
    at: Address
    exchange: str = ""
    queue: str = ""
    max_hops: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class UpstreamSet(Entry):
    """A parameter of the component ``federation-upstream-set``."""

    kind: ClassVar[str] = "upstream-set"
    upstreams: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shovel(Entry):
    """A parameter of the component ``shovel``: out of a queue or an exchange (as a binding with
    ``from_key`` lets through), into a queue or an exchange, with a ``key`` if one is set.
    """

    kind: ClassVar[str] = "shovel"
    taken_at: Address
    from_type: str
    from_: str
    from_key: str
    put_at: Address
    to_type: str
    to: str
    key: tuple[str, ...] = ()


FACTS = (Broker, Exchange, Queue, Binding, Policy, Upstream, UpstreamSet, Shovel)
"""Every kind of fact of this system: how rows of a snapshot become facts again."""


def _public(*names: str) -> Fields:
    return FACT | dict.fromkeys(("vhost", "name", *names), Holds.PUBLIC)


HOLDS: dict[type, Fields] = {
    Broker: FACT | {"host": Holds.HOSTS, "left_out": Holds.PUBLIC},
    Exchange: _public("type", "internal", "arguments"),
    Queue: _public("arguments"),
    Binding: _public("to_type", "to", "key", "arguments"),
    Policy: _public("pattern", "apply_to", "priority", "definition"),
    Address: {"hosts": Holds.HOSTS, "vhost": Holds.PUBLIC},
    Upstream: _public("exchange", "queue", "max_hops") | {"at": Holds.NESTED},
    UpstreamSet: _public("upstreams"),
    Shovel: _public("from_type", "from_", "from_key", "to_type", "to", "key")
    | {"taken_at": Holds.NESTED, "put_at": Holds.NESTED},
}
"""What every field holds, for ``--redact``: of URIs only the hosts are kept."""
