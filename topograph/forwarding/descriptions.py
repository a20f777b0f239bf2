"""What a system says of its graph and its facts for people who read them in a database: words on
points, routes and guards.

``DatabaseRows`` is the contract: a module ``database_rows`` of a system. What a system without one
gets is ``plain_words``; a function of one that has nothing to add is one of those behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from topograph.findings import Source
from topograph.forwarding.graph import ForwardingGraph
from topograph.records import record

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.facts.fact import Servers
    from topograph.message import Message
    from topograph.side_inputs import Client


@record
class PointWords:
    """What stands on a point for people, and what walks ask of it.

    ``condition`` says what a message needs to get there, ``not_onward`` what is not passed on from
    there and by which rule. A message sent at the point's server begins at the points that are
    ``starts``; one that is at a point that is ``ends`` has reached the server. ``down``: no message
    gets there, whatever it is. ``open_`` says, with its rule, why it is not known whether any gets
    there; empty where nothing leaves that open. ``waits``: what is to get there is stored
    before it, and gets there later.
    """

    condition: str = ""
    not_onward: str = ""
    starts: bool = False
    ends: bool = False
    down: bool = False
    open_: str = ""
    waits: bool = False

    @property
    def not_certainly_up(self) -> bool:
        """Whether walks that have to be certain leave it out."""
        return self.down or bool(self.open_)


@record
class GuardPlace:
    """One place where a guard stands: ``server`` sets it, for messages that are ``outgoing`` to
    or ``incoming`` from ``neighbour`` (or for all its links, both empty). ``topic`` is what that
    line names."""

    server: str
    source: Source
    topic: str = ""
    direction: str = ""
    neighbour: str = ""


@record
class GuardWords:
    """What a guard is about, and each place where it stands. ``stops_interest``: where it fails,
    interest does not pass either.
    """

    topic: str = ""
    selector: str = ""
    stops_interest: bool = False
    places: tuple[GuardPlace, ...] = ()


@record
class DestinationShown:
    """A destination of one server; ``defined`` is False for one that only a bridge names.
    ``global_`` and ``secure`` are None where the system has no such thing. ``leads_to`` is where
    its messages go on to by its own definition (an alias, a remote queue, a forward routing
    path), first to last; ``details`` what else decides about it, in words. ``home`` is the
    server that owns a queue, in systems whose servers pass messages to it."""

    server: str
    type: str
    name: str
    source: Source
    defined: bool = True
    global_: bool | None = None
    secure: bool | None = None
    leads_to: tuple[str, ...] = ()
    details: str = ""
    home: str | None = None


@record
class BridgeShown:
    """A bridge between two destinations of one server."""

    server: str
    source_type: str
    source_name: str
    target_type: str
    target_name: str
    selector: str
    source: Source


@record
class NamesOfServer:
    """The names one server holds by implication: (name, via, hops). ``complete`` is False where
    a search budget ended before all were found.
    """

    server: str
    names: tuple[tuple[str, str, int], ...]
    complete: bool


@record
class MessageGuards:
    """What one message finds closed: ``closed`` are numbers of the guards that it fails,
    ``undecided`` those of them that the loaded files do not decide. ``subscribers``: the servers
    that want the message, None if every server counts as wanting it. ``refused``: why the server
    does not take the message at all, empty if it does. ``confined``: the servers that no link
    takes it from or to, whatever is not loaded."""

    closed: tuple[int, ...]
    undecided: tuple[int, ...]
    subscribers: tuple[str, ...] | None
    refused: str = ""
    confined: tuple[str, ...] = ()


OF_EVERY_SYSTEM: Mapping[str, str] = {
    "assumptions": "the assumptions of `hops --matrix` and `reach` in memory",
    "changes": "the rows of both snapshots in memory",
    "files": "`show files --server` in memory",
    "findings-by-file": "`check` in memory",
    "leads-to": "`show destinations` in memory, step by step",
    "owners-on-path": "the paths of `paths` in memory, with the owners of topograph.yaml",
    "subscriptions": "`show subscribers` in memory, without bridges",
    "without-consumers": "`show` in memory: destinations, subscribers, channels",
}
"""Statements about what each of topograph's own systems publishes, and what the tests compare them
with (``DatabaseRows.STATEMENTS``)."""


class DatabaseRows(Protocol):
    """What a system adds to the tables of its networks when they are published. All functions
    are pure.
    """

    STATEMENTS: Mapping[str, str]
    """The statements of ``cypher/questions`` that hold for this system, each with what the tests
    compare it with; those whose header says so hold for every system.
    """

    def destinations(self, facts: Iterable[Fact], /) -> Iterable[DestinationShown]:
        """The destinations that the facts define, and those that only a bridge names."""
        ...

    def bridges(self, facts: Iterable[Fact], /) -> Iterable[BridgeShown]:
        """The bridges between destinations of one server."""
        ...

    def route_urls(self, facts: Iterable[Fact], /) -> Mapping[tuple[str, str], str]:
        """The URLs of configured routes by (server that configures it, remote server), as
        written.
        """
        ...

    def point_words(self, graph: ForwardingGraph, /) -> Iterator[PointWords]:
        """The words of every point, in point order. Linear in points and guards."""
        ...

    def doubts(self, graph: ForwardingGraph, /) -> Iterator[str]:
        """For every server in order, why "a message does not get there, or not from there" is
        not certain; empty where it is.
        """
        ...

    def cut_off(self, graph: ForwardingGraph, /) -> Collection[int]:
        """The servers that no message enters or leaves over a link, whatever the files say that
        are not loaded.
        """
        ...

    def guard_words(self, graph: ForwardingGraph, facts: Sequence[Fact], /) -> Iterator[GuardWords]:
        """The words of every guard, in guard order."""
        ...

    def names_by_server(self, graph: ForwardingGraph, /) -> Iterator[NamesOfServer]:
        """The names that servers hold; none for a system that has no such names. A walk a server
        on a legal network.
        """
        ...

    def message_guards(
        self,
        graph: ForwardingGraph,
        facts: Callable[[Sequence[str], Servers], Sequence[Fact]],
        start: str,
        message: Message,
        clients: Sequence[Client],
        /,
    ) -> MessageGuards | None:
        """What a message published at server ``start`` finds closed; None where its way is no
        walk over guards. ``facts`` gives those of some kinds of one server (of all for none).
        Raises UsageError for a name that no message goes to. Linear in the guards."""
        ...


def plain_words(graph: ForwardingGraph) -> Iterator[PointWords]:
    """The words of points of a system that has none of its own: messages begin at origins and
    reach the server of every other point.
    """
    for point in graph.points:
        condition = "; ".join(dict.fromkeys(graph.guards[guard].text for guard in point.guards))
        yield PointWords(condition, starts=point.kind == "origin", ends=point.kind != "origin")


def plain_guard_words(graph: ForwardingGraph, facts: Sequence[Fact]) -> Iterator[GuardWords]:  # noqa: ARG001
    """``DatabaseRows.guard_words`` of a system whose guards ask nothing of a message beside their
    text.
    """
    return (GuardWords() for _ in graph.guards)


def no_bridges(facts: Iterable[Fact]) -> Sequence[BridgeShown]:  # noqa: ARG001
    """``DatabaseRows.bridges`` of a system that has none."""
    return ()


def no_route_urls(facts: Iterable[Fact]) -> Mapping[tuple[str, str], str]:  # noqa: ARG001
    """``DatabaseRows.route_urls`` of a system whose links have none."""
    return {}


def no_names(graph: ForwardingGraph) -> Iterator[NamesOfServer]:  # noqa: ARG001
    """``DatabaseRows.names_by_server`` of a system whose servers hold no names by implication."""
    return iter(())


def no_message_guards(
    graph: ForwardingGraph,  # noqa: ARG001
    facts: Callable[[Sequence[str], Servers], Sequence[Fact]],  # noqa: ARG001
    start: str,  # noqa: ARG001
    message: Message,  # noqa: ARG001
    clients: Sequence[Client],  # noqa: ARG001
) -> None:
    """``DatabaseRows.message_guards`` of a system whose messages go no walk over guards."""
    return
