"""What failures do to routed queues: from a sender's server to the home of its queue, and from
there to a consumer's (R53, R101-R107).

Each pair of a sender and a consumer has one way of at most two hops. A failure cuts it at the first
hop that is gone: before the home, where messages wait at the sender's server; or behind it, where
they stay in the home queue while the consumers there get nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topograph.facts import Fact
from topograph.facts.ems import EmsDestination
from topograph.findings import Source
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.outcomes import Truth
from topograph.records import record
from topograph.side_inputs import Client
from topograph.systems.contract.ambiguities import Readings
from topograph.systems.contract.failures import Interrupted, StorageBound
from topograph.systems.ems.ambiguities import A23, A27, A28
from topograph.systems.ems.destinations.guards import SUSPENDED
from topograph.systems.ems.destinations.subscribers import SUBSCRIBER_ROLES, Facts, in_use
from topograph.systems.ems.destinations.suspensions import suspensions
from topograph.systems.ems.destinations.topics import is_wildcard
from topograph.systems.ems.failures.cuts import Broken
from topograph.systems.ems.failures.storage import limits_of
from topograph.systems.ems.network.links_closed import not_certainly_up
from topograph.systems.ems.network.observations import Observations, observations
from topograph.systems.ems.network.walks import is_arrival
from topograph.systems.ems.queues.consumers import consumed, consumers_of
from topograph.systems.ems.queues.model import (
    QUEUE_FACTS,
    EmsQueue,
    Permission,
    Standing,
    entries_of,
    permission,
    queue_at,
    split_owner,
)

NO_LIMIT = "there is no limit, and no error to senders beyond maxbytes and maxmsgs (R105)"

WHEN_FULL = {
    "default": "senders get an error",
    "rejectIncoming": "senders get an error",
    "discardOld": "the oldest messages are dropped",
}
"""What happens at a limit, by overflowPolicy of a queue (ems.md 1.4)."""


@record(slots=False)
class Party:
    """A server that uses a queue of another one: its entry, and the arrivals from it to the home
    and from the home to it (-1: not open now). ``unsure`` says why it is not certain that
    messages go to the home."""

    entry: EmsDestination
    to_home: int
    from_home: int
    unsure: str = ""


@record(slots=False)
class QueueFlow:
    """One queue at its home (numbers of servers): the other servers that have it, those where
    somebody sends to it, those where somebody takes from it, and which of the two are only
    supposed."""

    name: str
    home: int
    queue: EmsQueue
    parties: Mapping[int, Party]
    senders: frozenset[int]
    receivers: frozenset[int]
    assumed: str = ""


@record(slots=False)
class Waits:
    """By server, or by link, that fails: pairs of a sender and a consumer whose messages wait,
    and the places where messages of a queue do.
    """

    pairs: NDArray[np.int64]
    places: NDArray[np.int64]


@dataclass
class RoutedQueues:
    """The routed queues of one network. Reads the facts of a server when it is first concerned."""

    facts: Facts
    graph: ForwardingGraph
    clients: Sequence[Client]
    bridged: Callable[[str], frozenset[int]] = lambda _: frozenset()
    """The servers where bridges put something on a queue, of what declared clients send."""
    readings: Readings = Readings()
    read: dict[str, ServerQueues] = field(default_factory=dict)
    """What was read already, by server; what is read is added."""

    def waiting(self, broken: Broken) -> Iterator[Interrupted]:
        """Where messages of queues wait. Linear in the queues at the servers concerned; zones do
        not matter (R18).
        """
        for flow in self._flows(self._concerned(broken)):
            yield from self._before_home(flow, broken)
            if flow.home not in broken.servers:
                yield from self._behind_home(flow, broken)

    def counted(self) -> tuple[Waits, Waits]:
        """By server and by link, for every single failure at once. Linear in the users of all
        queues.
        """
        graph = self.graph
        by_server, by_link = (
            Waits(np.zeros(number, np.int64), np.zeros(number, np.int64))
            for number in (len(graph.servers), len(graph.links))
        )
        for flow in self._flows(range(len(graph.servers))):
            sending, taking = len(flow.senders), len(flow.receivers)
            for number, one in flow.parties.items():
                link = self._link_of[frozenset((number, flow.home))]
                others = sending - (number in flow.senders)
                before = taking if number in flow.senders else 0
                behind = others if number in flow.receivers else 0
                waits = one.to_home >= 0 or bool(one.unsure)
                by_server.pairs[flow.home] += before
                by_server.places[flow.home] += waits
                by_server.pairs[number] += behind
                by_server.places[number] += behind > 0
                by_link.pairs[link] += before + behind
                by_link.places[link] += waits + (behind > 0)
        return by_server, by_link

    def home_of(self, start: int, queue: str) -> int | None:
        """The home of a queue (``Q``, or ``Q@OWNER``) that what is put on it at a server goes
        to; the server itself where it keeps it; None where nothing gets to the home as things
        are."""
        name, owner = split_owner(queue)
        server = self._name(start)
        here = self._at(start).queue(server, name)
        owner = owner or (here.owner if here.standing is Standing.ROUTED else server)
        if owner == server:
            return start
        home = self.graph.server_number.get(owner)
        if home is None or self._arrival(start, home) < 0 or not self.graph.servers[home].loaded:
            return None
        lets_in = permission(owner, self._at(home).about(name), server, name, "send")
        has_it = self._home_queue(home, name).standing is Standing.HOME
        sends = (
            lets_in.truth is Truth.TRUE
            and self._lets_receive(start, home, name).truth is Truth.TRUE
        )
        return home if has_it and sends else None

    def _home_queue(self, home: int, name: str) -> EmsQueue:
        """What a queue is at its home for messages of other servers, as topograph.yaml has it
        (A27, A28).
        """
        queue = self._at(home).queue(self._name(home), name)
        dynamic = queue.standing is Standing.DYNAMIC
        if dynamic and self.readings.takes(A28, "created"):
            queue = replace(queue, standing=Standing.HOME)
        if dynamic and self.readings.takes(A28, "not_created"):
            return replace(queue, standing=Standing.ABSENT)
        kept = (
            queue.standing is Standing.HOME
            and not queue.is_global
            and self.readings.takes(A27, "stays")
        )
        return replace(queue, standing=Standing.ABSENT) if kept else queue

    def _lets_receive(self, start: int, end: int, name: str) -> Permission:
        """Whether a server grants another one what it needs to be sent messages of a queue,
        where topograph.yaml says that it needs it (A23).
        """
        if self.readings.takes(A23, "not_needed"):
            return Permission(Truth.TRUE, "", Source(""), asked=False)
        server = self._name(start)
        return permission(server, self._at(start).about(name), self._name(end), name, "receive")

    def _before_home(self, flow: QueueFlow, broken: Broken) -> Iterator[Interrupted]:
        """The servers that send to a home which is out of their reach (R105, R53)."""
        home = self._name(flow.home)
        for number, one in flow.parties.items():
            if number in broken.servers or not (one.to_home >= 0 or one.unsure):
                continue
            why = self._gone(number, flow.home, one.to_home, broken)
            if not why:
                continue
            sends = number in flow.senders
            yield self._sender_waits(flow, one, home, why, flow.receivers if sends else ())

    def _sender_waits(
        self, flow: QueueFlow, one: Party, home: str, why: str, taking: Collection[int]
    ) -> Interrupted:
        server, suspended = one.entry.server, why == _SUSPENDED
        limits = limits_of(self._at(self.graph.server_number[server]).holding(flow.name), flow.name)
        bounded = limits.bounded
        rejects = bounded and limits.policy == "rejectIncoming"
        down = (
            f"the route to {home} is suspended at {server}"
            if suspended
            else f"the {_DOWN[why]} is down"
        )
        reason = f"{down}: {server} keeps what is sent there"
        if not suspended:
            reason += f", and consumers at {server} get nothing"
        if suspended and bounded:
            reason += (
                f"; whether the limit of {flow.name} at {server} applies meanwhile is not "
                "documented"
            )
        elif rejects:
            reason += "; whether its own rejectIncoming then applies is not documented (A26)"
        if one.unsure:
            reason += f"; {one.unsure}"
        unsure = rejects or bool(one.unsure) or (suspended and bounded)
        return Interrupted(
            at=server,
            neighbour=home,
            destination=f"queue:{flow.name}@{home}",
            kept=True,
            duplicates=False,
            rule=SUSPENDED if suspended else "R105",
            confidence="L" if unsure else "H",
            reason=reason,
            source=one.entry.source,
            publishers=(server,),
            subscribers=self._names(taking),
            pairs=len(taking),
            assumed=flow.assumed if taking else "",
            bound=StorageBound(
                None, None, NO_LIMIT, one.entry.source, known=not (suspended and bounded)
            ),
            waits_for=why,
        )

    def _behind_home(self, flow: QueueFlow, broken: Broken) -> Iterator[Interrupted]:
        """The servers whose consumers get nothing from the home; what they would take stays in
        the home queue (R102, R105).
        """
        sending = {
            number
            for number in flow.senders - broken.servers
            if number == flow.home
            or not self._gone(number, flow.home, flow.parties[number].to_home, broken)
        }
        if not sending:
            return
        home = self._name(flow.home)
        away = {
            number: why
            for number in flow.receivers - {flow.home}
            if (why := self._gone(flow.home, number, flow.parties[number].from_home, broken))
        }
        others = self._names(flow.receivers - away.keys())
        limits = limits_of(self._at(flow.home).holding(flow.name), flow.name)
        for number, why in sorted(away.items()):
            server = self._name(number)
            down = {
                _SUSPENDED: f"the route to {server} is suspended at {home}",
                _HOME_DOWN: f"{server} is down",
            }.get(why, f"the route to {server} is down")
            rest = f"consumers at {', '.join(others)} go on" if others else "nobody else takes it"
            yield Interrupted(
                at=home,
                neighbour=server,
                destination=f"queue:{flow.name}",
                kept=True,
                duplicates=False,
                rule=SUSPENDED if why == _SUSPENDED else "R105",
                confidence="H",
                reason=(
                    f"{down}: consumers there get nothing, and messages stay in the home "
                    f"queue; {rest}"
                ),
                source=flow.queue.source,
                publishers=self._names(sending),
                subscribers=(server,),
                pairs=len(sending),
                assumed=flow.assumed,
                bound=StorageBound(
                    limits.max_bytes,
                    limits.max_messages,
                    WHEN_FULL.get(limits.policy, WHEN_FULL["default"])
                    if limits.bounded
                    else _UNLIMITED,
                    limits.source or flow.queue.source,
                ),
                waits_for=why if why == _SUSPENDED else "consumer out of reach",
            )

    def _gone(self, start: int, end: int, arrival: int, broken: Broken) -> str:
        """Why messages do not go straight from one server to another while a failure lasts;
        empty if they do.
        """
        if end in broken.servers:
            return _HOME_DOWN
        if self._link_of[frozenset((start, end))] in broken.links:
            return _ROUTE_DOWN
        return _SUSPENDED if arrival in broken.arrivals else ""

    def _concerned(self, broken: Broken) -> set[int]:
        """The homes of the queues that a failure may concern: what fails, and the servers beside
        it.
        """
        graph = self.graph
        found = set(broken.servers)
        for number in broken.links:
            found |= {graph.links[number].a, graph.links[number].b}
        for number in broken.arrivals:
            found |= {int(graph.columns.previous[number]), int(graph.columns.server[number])}
        return found.union(*(self._neighbours.get(number, {}).keys() for number in broken.servers))

    def _flows(self, homes: Collection[int]) -> Iterator[QueueFlow]:
        """The queues at some homes that other servers have as routed queues, by home and name."""
        self._read({*homes, *(one for home in homes for one in self._neighbours.get(home, ()))})
        for home in sorted(homes):
            if not self.graph.servers[home].loaded:
                continue
            named: dict[str, dict[int, EmsDestination]] = defaultdict(dict)
            owner = self._name(home)
            for number in sorted(self._neighbours.get(home, ())):
                for entry in (
                    self._at(number).routed.get(owner, ())
                    if self.graph.servers[number].loaded
                    else ()
                ):
                    named[entry.name].setdefault(number, entry)
            for name, entries in sorted(named.items()):
                flow = self._flow(home, name, entries)
                if flow is not None:
                    yield flow

    def _flow(
        self, home: int, name: str, entries: Mapping[int, EmsDestination]
    ) -> QueueFlow | None:
        """One queue; None where nothing that is sent to it gets to its home as things are,
        whatever fails.
        """
        queue = self._home_queue(home, name)
        if queue.standing in (Standing.ABSENT, Standing.ROUTED):
            return None
        parties = {
            number: party
            for number, entry in entries.items()
            if (party := self._party(home, queue, number, entry)) is not None
        }
        if not parties:
            return None
        sending = {number for number, one in parties.items() if one.to_home >= 0 and not one.unsure}
        taking = {number for number, one in parties.items() if one.from_home >= 0}
        certain = queue.standing is Standing.HOME
        senders = frozenset({home, *sending})
        if self._senders:
            senders &= self._senders.get(name, frozenset()) | self.bridged(name)
        receivers = frozenset({home, *taking})
        receivers = (
            receivers & self._consumers[name]
            if name in self._consumers
            else receivers - self._listed
        )
        supposed = [
            *(["publishers"] if not self._senders else []),
            *(["subscribers"] if not self._consumers.get(name) else []),
        ]
        none: frozenset[int] = frozenset()
        return QueueFlow(
            name,
            home,
            queue,
            parties,
            senders if certain else none,
            receivers if certain else none,
            " and ".join(supposed),
        )

    def _party(
        self, home: int, queue: EmsQueue, number: int, entry: EmsDestination
    ) -> Party | None:
        """How a server uses a queue of its neighbour; None where it does not, or where nothing
        goes between the two as things are.
        """
        server, owner, name = entry.server, queue.server, queue.name
        here = self._at(number).queue(server, name)
        if (here.standing, here.owner) != (Standing.ROUTED, owner):
            return None
        to_home, from_home = (
            self._arrival(start, end) for start, end in ((number, home), (home, number))
        )
        lets_in = permission(owner, self._at(home).about(name), server, name, "send")
        lets_out = permission(server, self._at(number).about(name), owner, name, "send")
        unsure = "" if queue.standing is Standing.HOME else _undecided(queue)
        unsure = unsure or (lets_in.text if lets_in.truth is Truth.UNKNOWN else "")
        sends = lets_in.truth is not Truth.FALSE and to_home >= 0
        mine, its = self._lets_receive(number, home, name), self._lets_receive(home, number, name)
        sends = sends and mine.truth is not Truth.FALSE
        unsure = unsure or (mine.text if mine.truth is Truth.UNKNOWN else "")
        from_home = from_home if its.truth is Truth.TRUE else -1
        takes = lets_out.truth is Truth.TRUE and queue.standing is Standing.HOME and from_home >= 0
        if not sends and not takes:
            return None
        return Party(
            entry, to_home if sends else -1, from_home if takes else -1, unsure if sends else ""
        )

    def _arrival(self, start: int, end: int) -> int:
        """The arrival from one server straight at another; -1 where the route is down or
        suspended as things are.
        """
        arrival = self._arrivals.get((start, end), -1)
        is_open = self._open
        return arrival if arrival >= 0 and (is_open is None or is_open[arrival]) else -1

    def _at(self, number: int) -> ServerQueues:
        name = self._name(number)
        if name not in self.read:
            self._read((number,))
        return self.read[name]

    def _read(self, numbers: Iterable[int]) -> None:
        """Read the facts of those servers that were not read yet, in one pass over the facts."""
        new = {name for name in map(self._name, numbers) if name not in self.read}
        if not new:
            return
        found: dict[str, list[Fact]] = {name: [] for name in new}
        for fact in self.facts(QUEUE_FACTS, frozenset(new)):
            found[fact.server].append(fact)
        for name, facts in found.items():
            self.read[name] = ServerQueues.of(in_use(facts))

    def _name(self, number: int) -> str:
        return self.graph.servers[number].name

    def _names(self, numbers: Collection[int]) -> tuple[str, ...]:
        return tuple(sorted(map(self._name, numbers)))

    @cached_property
    def _open(self) -> NDArray[np.bool_] | None:
        down = not_certainly_up(self.graph).guards | suspensions(self.graph).keys()
        return self.graph.open_points(Closed(guards=frozenset(down)))

    @cached_property
    def _arrivals(self) -> Mapping[tuple[int, int], int]:
        columns = self.graph.columns
        points = np.flatnonzero(is_arrival(self.graph))
        ends = zip(columns.previous[points].tolist(), columns.server[points].tolist(), strict=True)
        return dict(zip(ends, points.tolist(), strict=True))

    @cached_property
    def _link_of(self) -> Mapping[frozenset[int], int]:
        return {frozenset((link.a, link.b)): number for number, link in enumerate(self.graph.links)}

    @cached_property
    def _neighbours(self) -> Mapping[int, Mapping[int, int]]:
        found: dict[int, dict[int, int]] = defaultdict(dict)
        for number, link in enumerate(self.graph.links):
            found[link.a][link.b] = found[link.b][link.a] = number
        return found

    @cached_property
    def _senders(self) -> Mapping[str, frozenset[int]]:
        """The servers of the declared senders to queues, by queue; empty where none is declared,
        so that anybody may send.
        """
        sending = [client for client in self.clients if client.role not in SUBSCRIBER_ROLES]
        return self._numbered((client.server, consumed(client)) for client in sending)

    @cached_property
    def _consumers(self) -> Mapping[str, frozenset[int]]:
        """The servers of the consumers that are declared or were listed, by queue."""
        return self._numbered(
            (one.server, one.queue) for one in consumers_of(self.clients, self._seen)
        )

    @cached_property
    def _listed(self) -> frozenset[int]:
        """The servers that listed all consumers that they had: nobody else is supposed there."""
        return frozenset(self.graph.server_number[name] for name in self._seen.consumers_whole)

    @cached_property
    def _seen(self) -> Observations:
        return observations(self.facts, self.graph.server_number)

    def _numbered(self, used: Iterable[tuple[str, str]]) -> Mapping[str, frozenset[int]]:
        found: dict[str, set[int]] = defaultdict(set)
        for server, queue in used:
            if queue and server in self.graph.server_number:
                found[queue].add(self.graph.server_number[server])
        return {queue: frozenset(numbers) for queue, numbers in found.items()}


_HOME_DOWN, _ROUTE_DOWN, _SUSPENDED = "home down", "route to home down", "route suspended"
_DOWN = {_HOME_DOWN: "home", _ROUTE_DOWN: "route to its home"}
_UNLIMITED = "there is no limit: the queue grows until the server's own store is full"


def _undecided(queue: EmsQueue) -> str:
    if queue.standing is Standing.DYNAMIC:
        return (
            f"{queue.server} has {queue.name} only by a pattern, and whether a routed "
            "message creates it is not documented (A28)"
        )
    return queue.because


@dataclass
class ServerQueues:
    """The facts of one server about queues, found by name."""

    facts: Sequence[Fact]

    @classmethod
    def of(cls, facts: Iterable[Fact]) -> ServerQueues:
        """Of all facts of a server; its topics are not kept."""
        return cls(
            [fact for fact in facts if not isinstance(fact, EmsDestination) or fact.type == "queue"]
        )

    @cached_property
    def routed(self) -> Mapping[str, Sequence[EmsDestination]]:
        """The routed queues by owner, in file order."""
        found: dict[str, list[EmsDestination]] = defaultdict(list)
        for entry in entries_of(self.facts):
            if entry.owner and not is_wildcard(entry.name):
                found[entry.owner].append(entry)
        return found

    def queue(self, server: str, name: str) -> EmsQueue:
        """What a name stands for at the server."""
        return queue_at(server, self.about(name), name)

    def holding(self, name: str) -> Sequence[EmsDestination]:
        """The entries whose properties a queue may have: its own, and the patterns of the
        server's own queues (R83).
        """
        return [*self._named.get(name, ()), *(one for one in self._patterns if not one.owner)]

    def about(self, name: str) -> Sequence[Fact]:
        """The facts that say anything of one queue; all of the server's would say the same."""
        return [*self._others, *self._named.get(name, ()), *self._patterns]

    @cached_property
    def _others(self) -> Sequence[Fact]:
        return [fact for fact in self.facts if not isinstance(fact, EmsDestination)]

    @cached_property
    def _patterns(self) -> Sequence[EmsDestination]:
        return [entry for entry in entries_of(self.facts) if is_wildcard(entry.name)]

    @cached_property
    def _named(self) -> Mapping[str, Sequence[EmsDestination]]:
        found: dict[str, list[EmsDestination]] = defaultdict(list)
        for entry in entries_of(self.facts):
            if not is_wildcard(entry.name):
                found[entry.name].append(entry)
        return found
