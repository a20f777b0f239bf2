"""What networks of routers do with messages, by a second reading of the rules: who is reached at
what cost (T-3, T-4, E-1), and who gets a message (M-1 to M-6, A-8 to A-11, E-2 to E-4).

What the files leave open is tried: a ``World`` is one way in which all of it may be. Nothing here
uses topograph's own code.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from brute_force.router_policies import Client, Connection, Estate, Message, Names

ONE_COPY = ("1.12.0", "3.1.0")
"""Versions in which multicast copies come by one path only (M-4)."""

Course = frozenset[tuple[tuple[str, Names], int]]
"""Who gets how many copies of a message over which path."""

Result = tuple[tuple[tuple[str, Names], ...], Names]
"""The copies of a course, and the routers that had to choose in it."""


def all_worlds(estate: Estate, message: Message | None = None) -> Iterator[World]:
    """All that the network may be, and who of a message's clients may attach."""
    open_ = [one for one in estate.connections if one.opens is None]
    doubted: list[Client | Message] = []
    admitted: set[Client | Message] = set()
    clients: list[Client | Message] = [*estate.receivers, message] if message else []
    for one in clients:
        role = "target" if isinstance(one, Message) else "source"
        sends = isinstance(one, Message) and one.anonymous
        said = estate.allows(one.router, role, one.address, one.user, anonymous=sends)
        if message and one.address == message.address and said is not False:
            early = isinstance(one, Client) and _may_come_early(estate, one)
            (admitted.add if said and not early else doubted.append)(one)
    for up in itertools.product((True, False), repeat=len(open_)):
        sure = {one for one in estate.connections if one.opens}
        live = sure | {one for one, works in zip(open_, up, strict=True) if works}
        for links, uplinks in itertools.product(_links(live), _uplinks(estate, live)):
            for let in itertools.product((True, False), repeat=len(doubted)):
                more = {one for one, is_let in zip(doubted, let, strict=True) if is_let}
                yield World(estate, links, uplinks, frozenset(admitted | more))


def _may_come_early(estate: Estate, client: Client) -> bool:
    """M-6: whether a client is refused that attaches before others make the address known."""
    default = estate.defaults[client.router]
    return default == "unavailable" and estate.entry(client.router, client.address) is None


def _links(live: set[Connection]) -> Iterator[dict[tuple[str, str], int]]:
    """The cost of each link: of parallel ones that of any (T-11)."""
    costs: dict[tuple[str, str], list[int]] = {}
    for one in live:
        if one.role == "inter-router":
            first, second = sorted((one.caller, one.called))
            costs.setdefault((first, second), []).append(one.cost)
    for chosen in itertools.product(*costs.values()):
        yield dict(zip(costs, chosen, strict=True))


def _uplinks(estate: Estate, live: set[Connection]) -> Iterator[dict[str, str]]:
    """The uplink of each edge: any of those that open (E-1)."""
    own = {
        edge: sorted({one.called for one in live if one.caller == edge}) for edge in estate.edges
    }
    own = {edge: ends for edge, ends in own.items() if ends}
    for chosen in itertools.product(*own.values()):
        yield dict(zip(own, chosen, strict=True))


@dataclass(frozen=True)
class Sent:
    """What becomes of a message: what its sender sees (``refused``, ``rejected``, ``waits`` or
    ``sent``), and the courses of which one is taken. ``unsure`` if a router has to choose twice in
    one: what it takes the second time depends on the first."""

    sender: str
    courses: frozenset[Course] = frozenset()
    unsure: bool = False


@dataclass(frozen=True)
class World:
    """One way in which the network may be. ``admitted`` are the clients whom policies let
    attach."""

    estate: Estate
    links: Mapping[tuple[str, str], int]
    uplinks: Mapping[str, str]
    admitted: frozenset[Client | Message]

    @cached_property
    def trees(self) -> dict[str, dict[str, tuple[int, Names]]]:
        return {one: self._dijkstra(one) for one in self.estate.interior}

    def _dijkstra(self, root: str) -> dict[str, tuple[int, Names]]:
        """T-4: cost and path of every interior router that is reached."""
        found: dict[str, tuple[int, Names]] = {}
        waiting: dict[str, tuple[int, Names]] = {root: (0, (root,))}
        while waiting:
            here = min(waiting, key=lambda one: (waiting[one][0], one))
            cost, path = found[here] = waiting.pop(here)
            for ends, step in self.links.items():
                if here not in ends:
                    continue
                there = ends[0] if here == ends[1] else ends[1]
                far = cost + step
                if there not in found and far < waiting.get(there, (far + 1,))[0]:
                    waiting[there] = (far, (*path, there))
        return found

    def ways(self, start: str) -> dict[str, tuple[int, Names]]:
        """Cost and path of every router that is reached from one."""
        home = self.uplinks.get(start, start)
        if home in self.estate.edges:
            return {}
        before = () if home == start else (start,)
        found = {one: (cost, before + path) for one, (cost, path) in self.trees[home].items()}
        for edge, end in self.uplinks.items():
            if end in found:
                found[edge] = (found[end][0], (*found[end][1], edge))
        return {one: way for one, way in found.items() if one != start}

    def sent(self, message: Message) -> Sent:
        return Sending(self, message).all()


@dataclass
class Sending:
    """One message in one world."""

    world: World
    message: Message
    attached: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    """The receivers by router and phase."""
    treatments: dict[str, str] = field(default_factory=dict)
    phase: int = 0

    def __post_init__(self) -> None:
        self.estate, self.address = self.world.estate, self.message.address
        self.entries = {one: self.estate.entry(one, self.address) for one in self.estate.routers}
        left = [one for one in self.world.admitted if isinstance(one, Client)]
        while True:  # who is let in may make the address known to others (M-6)
            found = [one for one in left if self._takes(one.router, 0)]
            for one in found:
                entry = self.entries[one.router]
                phase = entry.phases[1] if entry and entry.phases else 0
                self.attached.setdefault((one.router, phase), []).append(one.name)
            left = [one for one in left if one not in found]
            if not found:
                break

    def _takes(self, router: str, phase: int) -> bool:
        """M-6: whether a router lets somebody attach to the address in a phase."""
        entry = self.entries[router]
        if entry is not None:
            return entry.distribution != "unavailable"
        if self.estate.defaults[router] != "unavailable":
            return True
        return bool(self.attached.get((router, phase)) or self._far(router, phase))

    def _far(self, router: str, phase: int) -> list[str]:
        """The other routers that have a destination, which a router knows of (A-10)."""
        entry = self.entries[router]
        if router in self.estate.edges or (entry and entry.distribution == "unavailable"):
            return []
        return [one for one in self.world.trees[router] if one != router and self._near(one, phase)]

    def _near(self, router: str, phase: int, came: str = "") -> list[tuple[str, str]]:
        """What is attached to an interior router: its receivers, and edges with receivers (E-2)."""
        own = [("receiver", one) for one in self.attached.get((router, phase), ())]
        entry = self.entries[router]
        closed = entry is not None and entry.distribution == "unavailable"
        if entry is None and self.estate.defaults[router] == "unavailable":
            others = (one for one in self.world.trees[router] if one != router)
            closed = not own and not any(self.attached.get((one, phase)) for one in others)
        for edge, home in sorted(self.world.uplinks.items()):
            if home == router and not closed and edge != came and self.attached.get((edge, phase)):
                own.append(("edge", edge))
        return own

    def _up(self, edge: str) -> list[tuple[str, str]]:
        """The uplink of an edge where something else is behind it (E-3)."""
        home = self.world.uplinks.get(edge)
        if home is None:
            return []
        others = self._near(home, self.phase, edge) or self._far(home, self.phase)
        return [("up", home)] if others else []

    def all(self) -> Sent:
        start = self.message.router
        if self.message not in self.world.admitted:
            return Sent("refused")
        entry = self.entries[start]
        if entry and entry.phases and not self.message.anonymous:
            self.phase = entry.phases[0]
        if not self.message.anonymous and not self._takes(start, 0):
            return Sent("refused")
        if start in self.estate.edges:
            somebody = self.attached.get((start, self.phase)) or self._up(start)
        else:
            somebody = self._near(start, self.phase) or self._far(start, self.phase)
        if not somebody and not self.message.anonymous:
            return Sent("waits")
        if self.message.anonymous and not self._takes(start, 0):
            return Sent("rejected")
        courses, unsure = set(), False
        for treatments in self._possible_treatments():
            self.treatments = treatments
            for copies, chosen in self._start(start):
                unsure |= len(set(chosen)) < len(chosen)
                courses.add(frozenset(Counter(copies).items()))
        return Sent("sent", frozenset(courses), unsure)

    def _possible_treatments(self) -> Iterator[dict[str, str]]:
        """A-8 to A-10: what each router does with the address; without an entry what the first
        says that it hears of: somebody who attaches, or another router."""
        routers = self.estate.routers
        for chosen in itertools.product(*map(self._treatments, routers)):
            yield dict(zip(routers, chosen, strict=True))

    def _treatments(self, router: str) -> list[str]:
        entry, default = self.entries[router], self.estate.defaults[router]
        if entry is not None:
            return [entry.distribution]
        if router in self.estate.edges:
            return [default]
        hosts = self._far(router, self.phase)
        hosts += [router] if self._near(router, self.phase) else []
        said = {
            one.distribution if (one := self.entries[host]) else self.estate.defaults[host]
            for host in hosts
        }
        return sorted(said - {"unavailable"}) or [default]

    def _start(self, router: str) -> Iterable[Result]:
        if router not in self.estate.edges:
            return self._at(router, (), (), "")
        own = [("receiver", one) for one in self.attached.get((router, self.phase), ())]
        return self._choose(router, [*own, *self._up(router)], [], (), ())

    def _at(self, router: str, trace: Names, path: Names, came: str) -> Iterable[Result]:
        radius = max(len(way) - 1 for _, way in self.world.trees[router].values())
        if len(trace) > radius + 1:
            return [((), ())]
        near = self._near(router, self.phase, came)
        return self._choose(router, near, self._far(router, self.phase), trace, path)

    def _choose(
        self, router: str, near: list[tuple[str, str]], hosts: list[str], trace: Names, path: Names
    ) -> Iterable[Result]:
        treatment = self.treatments[router]
        valid = [one for one in hosts if not trace or self._on_the_way(trace[0], router, one)]
        if treatment == "multicast":
            towards = valid if self.estate.version in ONE_COPY else hosts
            hops = sorted({self._hop(router, one) for one in towards} - set(trace))
            each = [
                list(self._take(router, way, trace, path))
                for way in (*near, *(("hop", hop) for hop in hops))
            ]
            for picked in itertools.product(*each):
                copies = tuple(one for result in picked for one in result[0])
                yield copies, tuple(one for result in picked for one in result[1])
            return
        ways = list(near)
        if not ways:
            hosts = valid if treatment == "balanced" else hosts
            cost = {one: self.world.trees[router][one][0] for one in hosts}
            least = [one for one in hosts if cost[one] == min(cost.values())]
            ways = [("hop", self._hop(router, one)) for one in least]
        if not ways:
            yield (), ()
        for way in ways:
            for copies, chosen in self._take(router, way, trace, path):
                yield copies, (router, *chosen)

    def _hop(self, router: str, host: str) -> str:
        return self.world.trees[router][host][1][1]

    def _on_the_way(self, origin: str, router: str, host: str) -> bool:
        """T-8: whether a router is on the path from another to a third."""
        if origin in (router, host) or host not in self.world.trees[origin]:
            return False
        return router in self.world.trees[origin][host][1]

    def _take(
        self, router: str, way: tuple[str, str], trace: Names, path: Names
    ) -> Iterable[Result]:
        kind, name = way
        path = (*path, router)
        if kind == "receiver":
            return [(((name, path),), ())]
        if kind == "edge":
            own = tuple((one, (*path, name)) for one in self.attached[name, self.phase])
            if self.treatments[name] == "multicast":
                return [(own, ())]
            return [((one,), (name,)) for one in own]
        passed = trace if router in self.estate.edges else (*trace, router)
        return self._at(name, passed, path, router if kind == "up" else "")
