"""Which of its destinations a router chooses for a message: multicast, closest, balanced (M-3 to
M-5). It chooses; ``course`` follows.
"""

from __future__ import annotations

from dataclasses import dataclass

from topograph.records import record
from topograph.systems.amq_interconnect.messages.addresses import Distribution
from topograph.systems.amq_interconnect.messages.destinations import (
    DestinationKind,
    LocalDestination,
)
from topograph.systems.amq_interconnect.messages.model import MessageNetwork
from topograph.systems.amq_interconnect.messages.records import Path
from topograph.systems.amq_interconnect.messages.rotation import Key, Turns
from topograph.systems.amq_interconnect.network.versions import has_one_copy

CAPACITY = 250
"""linkCapacity of links between routers: deliveries outstanding before others are preferred
(M-5).
"""


@record
class Situation:
    """What a router sees when a message is there: the local destinations in the order in which
    they attached, the other hosting routers, and the interior routers that the message has
    passed (M-4). ``came`` is the edge router that it came from: it is not sent back there (E-4),
    though the edge keeps its place in the list."""

    router: str
    address: str
    phase: str
    local: tuple[LocalDestination, ...]
    remote: Path
    trace: Path = ()
    came: str = ""

    @property
    def key(self) -> Key:
        """Tells the lists of addresses and phases apart."""
        return (self.router, self.phase, self.address)

    @property
    def possible(self) -> tuple[LocalDestination, ...]:
        """The local destinations that the message may go to."""
        return tuple(
            one for one in self.local if one.kind is not DestinationKind.EDGE or one.id != self.came
        )


@record
class Chosen:
    """Where copies go: local destinations, and next hops to other routers. ``outstanding`` is
    what a copy counts under until it is settled.
    """

    text: str
    rule: str
    local: tuple[LocalDestination, ...] = ()
    hops: Path = ()
    outstanding: Key = ()


@dataclass
class Distributing:
    """The choices of all routers in one course."""

    network: MessageNetwork
    turns: Turns

    def choose(self, distribution: Distribution, here: Situation) -> Chosen:
        """Where the copies of a message go. An unavailable address has no destinations to choose
        from.
        """
        if distribution is Distribution.MULTICAST:
            return self._multicast(here)
        return self._closest(here) if distribution is Distribution.CLOSEST else self._balanced(here)

    def _multicast(self, here: Situation) -> Chosen:
        """M-4: a copy to every local destination, and to every next hop towards another host
        that the message has not passed.
        """
        routes = self.network.routes
        checks_origin = here.trace and has_one_copy(self.network.routers[here.router].version)
        hosts = [
            host
            for host in here.remote
            if not checks_origin or routes.is_valid_origin(here.trace[0], here.router, host)
        ]
        hops = tuple(
            sorted({routes.next_hop(here.router, host) for host in hosts} - set(here.trace))
        )
        copies_to = [*(named(one) for one in here.possible), *(f"router {hop}" for hop in hops)]
        text = (
            f"multicast: a copy to each of {', '.join(copies_to)}"
            if copies_to
            else "multicast: nobody is left"
        )
        return Chosen(text, "M-4", here.possible, hops)

    def _closest(self, here: Situation) -> Chosen:
        """M-3: the own destinations in turn, else the hosts at the lowest cost in turn."""
        possible = {identity(one): one for one in here.possible}
        if possible:
            names = [identity(one) for one in here.local]
            one = next(
                possible[name] for name in self.turns.order(here.key, names) if name in possible
            )
            self.turns.rotate(here.key, names)
            text = f"closest: {named(one)}" + (
                f", one of {len(possible)} local destinations" if len(possible) > 1 else ""
            )
            return Chosen(text, "M-3", (one,))
        if not here.remote:
            return Chosen("closest: nobody is left", "M-3")
        costs = {host: self.network.routes.cost(here.router, host) for host in here.remote}
        nearest = [host for host in here.remote if costs[host] == min(costs.values())]
        host = self.turns.taken_in_turn((*here.key, "remote"), nearest)
        text = f"closest: {host} at cost {costs[host]}" + (
            f", in turn with {len(nearest) - 1} more" if len(nearest) > 1 else ""
        )
        return Chosen(text, "M-3", hops=(self.network.routes.next_hop(here.router, host),))

    def _balanced(self, here: Situation) -> Chosen:
        """M-5: the smallest number of deliveries outstanding, plus the cost for other hosts; own
        destinations win ties.
        """
        own = self._best_local(here)
        if own is not None and own[0] == (False, 0):
            self.turns.rotate(here.key, [identity(one) for one in here.local])
        else:
            found = self._best_remote(here)
            if found and (own is None or found[0] < own[0]):
                text = (
                    f"balanced: towards {found[1]}, cost "
                    f"{self.network.routes.cost(here.router, found[1])}"
                )
                hop = self.network.routes.next_hop(here.router, found[1])
                return Chosen(text, "M-5", hops=(hop,), outstanding=(*here.key, "hop", hop))
        if own is None:
            return Chosen("balanced: nobody is left", "M-5")
        one = own[1]
        return Chosen(
            f"balanced: {named(one)}",
            "M-5",
            (one,),
            outstanding=(*here.key, "local", identity(one)),
        )

    def _best_local(self, here: Situation) -> tuple[tuple[bool, int], LocalDestination] | None:
        """The first local destination with the smallest value: (has reached its capacity,
        deliveries outstanding).
        """
        if not here.possible:
            return None
        order = self.turns.order(here.key, [identity(one) for one in here.local])
        values = []
        for one in sorted(here.possible, key=lambda one: order.index(identity(one))):
            held = self.turns.outstanding[*here.key, "local", identity(one)]
            values.append(((held >= one.capacity, held), one))
        return min(values, key=lambda value: value[0])

    def _best_remote(self, here: Situation) -> tuple[tuple[bool, int], str] | None:
        """The host with the smallest value, of those that the message's origin reaches over this
        router (T-8).
        """
        routes = self.network.routes
        values: dict[str, tuple[bool, int]] = {}
        for host in here.remote:
            if here.trace and not routes.is_valid_origin(here.trace[0], here.router, host):
                continue
            held = self.turns.outstanding[*here.key, "hop", routes.next_hop(here.router, host)]
            values[host] = (held >= CAPACITY, held + routes.cost(here.router, host))
        if not values:
            return None
        smallest = min(values.values())
        tied = [host for host in values if values[host] == smallest]
        return smallest, self.turns.first_met(here.router, tied)


def identity(one: LocalDestination) -> str:
    """Tells the destinations of one list apart: a container may stand there over several
    connections.
    """
    connection = f"@{one.connection.name}" if one.connection else ""
    link = f"#{one.auto_link.name}" if one.auto_link else ""
    return f"{one.kind}:{one.id}{connection}{link}"


WORDS = {
    DestinationKind.AUTOLINK: "the container ",
    DestinationKind.EDGE: "the edge router ",
    DestinationKind.UPLINK: "the uplink to ",
    DestinationKind.EXCHANGE: "the exchange ",
    DestinationKind.ROUTER: "the router ",
}


def named(one: LocalDestination) -> str:
    """A destination in words."""
    return WORDS.get(one.kind, "") + one.id
