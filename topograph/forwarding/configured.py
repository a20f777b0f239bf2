"""What servers have beside destinations, and how it hangs together, for people who read a network
in a database: channels, listeners, subscriptions, clusters, ...

A system that has such things says so in a module ``configured`` (``Configured``). What labels and
types of relationships mean is said in ``topograph.store.graph_schema``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from topograph.findings import Source
from topograph.records import record

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.side_inputs import SideInputs

Value = str | int | bool | tuple[str, ...] | None

NOWHERE = Source("")


@record
class Thing:
    """Something that a server has. ``label`` is its label in the database, ``server`` is empty for
    what belongs to several (a cluster). ``own`` tells things of one name apart; ``values`` are its
    further properties."""

    label: str
    server: str
    name: str
    source: Source = NOWHERE
    own: str = ""
    values: tuple[tuple[str, Value], ...] = ()

    @property
    def end(self) -> End:
        """It as an end of relationships."""
        return End(self.label, self.server, self.own or self.name)


@record
class End:
    """An end of a relationship: a server (``Server``, its name in ``server``), a destination
    (``Destination``; ``type`` empty: of any type; ``source`` tells several of one name apart), or
    a ``Thing`` by its label and own name."""

    label: str
    server: str
    name: str = ""
    type: str = ""
    source: Source = NOWHERE


@record
class Tie:
    """A relationship between two of them. One whose ends are not both there is none. ``own`` tells
    several of a type between the same ends apart."""

    type: str
    start: End
    end: End
    values: tuple[tuple[str, Value], ...] = ()
    own: str = ""


class Configured(Protocol):
    """What a system's servers have beside destinations."""

    def configured(
        self, facts: Sequence[Fact], side_inputs: SideInputs, servers: Collection[str], /
    ) -> Iterator[Thing | Tie]:
        """Everything that the facts of the system say, in any order; nothing is said twice in other
        words. ``servers`` are its servers by name. Linear in the facts."""
        ...


def server(name: str) -> End:
    """A server as an end.

    >>> server("HQ").label
    'Server'
    """
    return End("Server", name)


def destination(server: str, name: str, type_: str = "", source: Source = NOWHERE) -> End:
    """A destination as an end."""
    return End("Destination", server, name, type_, source)


def leads_to(start: End, end: End, by: str, position: int = 1, condition: str = "") -> Tie:
    """That messages go on from one destination to another by its definition."""
    values = (("by", by), ("position", position), ("condition", condition))
    return Tie("LEADS_TO", start, end, values, f"{by}/{position}/{condition}")


def of_elements(pattern: str, separator: str, one: str, rest: str, *, least: int) -> str:
    """A pattern of names as a regular expression for names with a separator at their end: ``one``
    stands for an element, ``rest`` for any number of them from ``least`` on.

    >>> orders = of_elements("orders.>", ".", "*", ">", least=1)
    >>> [bool(re.fullmatch(orders, f"{name}.")) for name in ("orders", "orders.a", "orders.a.b")]
    [False, True, True]
    >>> prices = of_elements("price/#/+", "/", "+", "#", least=0)
    >>> [bool(re.fullmatch(prices, f"{name}/")) for name in ("price", "price/a", "price/a/b")]
    [False, True, True]
    """
    between = re.escape(separator)
    element = f"[^{between}]*{between}"
    written = {one: element, rest: f"(?:{element}){{{least},}}"}
    return "".join(
        written.get(part, re.escape(part) + between) for part in pattern.split(separator)
    )


Pattern = Callable[[str], tuple[str, str]]
"""A topic, or a pattern of topics, as a regular expression for a topic with the separator of its
levels at the end, and that separator."""


def subscription(
    at: str,
    type_: str,
    taken: str,
    name: str,
    source: Source,
    pattern: Pattern,
    *,
    known: str,
    durable: bool,
    client_id: str = "",
    user: str = "",
    selector: str = "",
    **more: Value,
) -> Iterator[Thing | Tie]:
    """A subscription at server ``at`` to ``taken`` (``topic:NAME``, ``queue:NAME``), and the
    destination of that name there."""
    of, _, wanted = taken.partition(":")
    topic = wanted if of == "topic" else None
    expression, separator = pattern(topic) if topic is not None else (None, None)
    values: dict[str, Value] = {
        "type": type_,
        "destination": taken,
        "topic": topic,
        "pattern": expression,
        "separator": separator,
        "durable": durable,
        "known": known,
        "client_id": client_id,
        "user": user,
        "selector": selector,
        **more,
    }
    own = f"{known}/{type_}/{taken}/{client_id}/{name}/{user}"
    made = Thing("Subscription", at, name, source, own, tuple(values.items()))
    yield made
    if wanted:
        yield Tie("SUBSCRIBES_TO", made.end, destination(at, wanted, of))


RECEIVING = frozenset({"subscriber", "receiver", "consumer"})
"""The roles of clients in topograph.yaml that take messages."""


def exactly(topic: str) -> tuple[str, str]:
    """``Pattern`` of a system whose clients name one topic, with levels between slashes."""
    return re.escape(topic) + "/", "/"


def declared(
    side_inputs: SideInputs, servers: Collection[str], pattern: Pattern = exactly
) -> Iterator[Thing | Tie]:
    """The clients of topograph.yaml that take messages at some of the servers."""
    for client in side_inputs.clients:
        if client.role in RECEIVING and client.server in servers:
            yield from subscription(
                client.server,
                "client",
                client.destination,
                client.durable,
                client.source,
                pattern,
                known="declared",
                durable=bool(client.durable),
                client_id=client.client_id,
                user=client.user,
                selector=client.selector,
            )
