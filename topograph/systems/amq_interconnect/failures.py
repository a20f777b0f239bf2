"""What the failure of routers, links and containers does to a network of routers: pairs that lose
each other, containers out of reach, services that nobody serves, paths that move, and for how long
(T-9, S-5, E-1, E-7, W-14).

Re-routing changes the routes themselves, so that all of this is computed in memory from the facts.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from types import MappingProxyType

from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import STANDBY, ForwardingGraph
from topograph.outcomes import Outcome
from topograph.records import record
from topograph.systems.amq_interconnect.messages.model import less
from topograph.systems.amq_interconnect.messages.services import Service
from topograph.systems.amq_interconnect.routes.reach import does_not_run
from topograph.systems.amq_interconnect.routes.tables import UPLINK, links_of
from topograph.systems.amq_interconnect.routes.trees import LeastCostTree, all_trees
from topograph.systems.contract.failures import (
    Before,
    ContainerUse,
    FailureCount,
    FailureEffect,
    PathMoved,
    Sweep,
    Transient,
)
from topograph.systems.contract.separated import SeparatedPairs
from topograph.systems.contract.system import Failure
from topograph.tracing.states import Component

MEANWHILE = "senders still get credit, and messages to what is gone are released (T-9)"
"""What senders see as long as the addresses of routers out of reach are kept."""

MOVING = (
    "messages may still take the old paths: a failure is noticed at once where the "
    "connection closes, else after helloMaxAgeSeconds (T-9)"
)
"""What senders see until the routes have moved."""

RECOMPUTED_SECONDS = 1
"""How long routers take to compute their routes anew once they have noticed (T-9)."""

LOST = f"{Outcome.RELEASED} until it is noticed, then {Outcome.NO_CREDIT}"
"""What becomes of messages between routers that lose each other (T-9, M-1)."""

Ends = frozenset[str]


@record(slots=False)
class Topology:
    """The routers that run, their links, and for each edge router the interior routers it can
    attach to, the active one first.
    """

    routers: Mapping[str, Source]
    links: tuple[tuple[str, str, int], ...]
    uplinks: Mapping[str, tuple[str, ...]]
    sources: Mapping[Ends, Source]
    containers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Per container the routers that store in it or take from it over connections of their own."""
    idle: frozenset[str] = frozenset()
    """The routers that do not start."""
    services: tuple[Service, ...] = ()
    """The TCP and HTTP listeners of routers, with where their clients are served."""
    parallel: Mapping[Component, tuple[str, str, int]] = field(default_factory=dict)
    """The links between two routers that have more than one, each by its connector (T-11)."""
    gone: tuple[tuple[str, str, int], ...] = ()
    """Those of them that failed by themselves."""

    @classmethod
    def of(
        cls,
        graph: ForwardingGraph,
        containers: Mapping[str, tuple[str, ...]],
        services: Iterable[Service] = (),
        connectors: Mapping[Source, str] = MappingProxyType({}),
    ) -> Topology:
        """The topology that the loaded files show; ``connectors`` are the names of connectors by
        their places. Linear in the links."""
        names = [server.name for server in graph.servers]
        uplinks: dict[str, list[str]] = defaultdict(list)
        sources: dict[Ends, Source] = {}
        for link in (*links_of(graph, UPLINK), *links_of(graph, STANDBY)):
            edge, home = names[link.a], names[link.b]
            if home not in uplinks[edge]:
                uplinks[edge].append(home)
            sources.setdefault(frozenset((edge, home)), link.source)
        for link in links_of(graph):
            sources.setdefault(frozenset((names[link.a], names[link.b])), link.source)
        # a standalone router has no part in the network, and runs all the same
        running = [
            n
            for n, server in enumerate(graph.servers)
            if server.loaded and not does_not_run(graph, n)
        ]
        return cls(
            {names[number]: graph.servers[number].source for number in running},
            tuple((names[link.a], names[link.b], link.cost or 0) for link in links_of(graph)),
            {edge: tuple(homes) for edge, homes in uplinks.items()},
            sources,
            containers,
            frozenset(server.name for server in graph.servers if server.loaded).difference(
                names[number] for number in running
            ),
            tuple(services),
            _parallel(graph, connectors),
        )

    def after(self, failure: Failure) -> Topology:
        """What is left once a failure has been noticed by all."""

        def alive(a: str, b: str) -> bool:
            return failure.servers.isdisjoint((a, b)) and frozenset((a, b)) not in failure.links

        gone = [self.parallel[one] for one in failure.components if one in self.parallel]
        return Topology(
            {name: source for name, source in self.routers.items() if name not in failure.servers},
            tuple(link for link in less(self.links, gone) if alive(link[0], link[1])),
            {
                edge: tuple(home for home in homes if alive(edge, home))
                for edge, homes in self.uplinks.items()
                if edge not in failure.servers
            },
            self.sources,
            {
                name: tuple(router for router in routers if router not in failure.servers)
                for name, routers in self.containers.items()
                if name not in failure.containers
            },
            self.idle - failure.servers,
            tuple(one for one in self.services if one.router not in failure.servers),
            {
                one: link
                for one, link in self.parallel.items()
                if one not in failure.components and alive(link[0], link[1])
            },
            (*self.gone, *gone),
        )

    def reaches_container(self, router: str, container: str) -> bool:
        """Whether messages get from a router to a container."""
        return any(
            router == holder or self.way(router, holder)
            for holder in self.containers.get(container, ())
        )

    def served(self, service: Service) -> frozenset[str]:
        """The routers at which the clients of a service are served."""
        return frozenset(
            name
            for name in service.taken_at.intersection(self.routers)
            if name == service.router or self.way(service.router, name)
        )

    def at_stake(self, gone: Collection[str]) -> Before:
        """What there is to be lost if the routers that are ``gone`` fail. Linear in the links."""
        parts = _part_of(self)
        all_pairs = _pairs(parts.values())
        reached = _pairs(part for name, part in parts.items() if name not in gone)
        return Before(len(self.loaded.difference(gone)), reached, all_pairs - reached)

    @property
    def loaded(self) -> frozenset[str]:
        """The routers that the files show, those that do not start among them."""
        return self.idle.union(self.routers)

    @cached_property
    def trees(self) -> Mapping[str, LeastCostTree]:
        return all_trees(self.links)

    def home(self, router: str) -> str:
        """The interior router of an edge's active uplink ("" without one), or the router itself."""
        if router not in self.uplinks:
            return router
        homes = self.uplinks[router]
        return homes[0] if homes else ""

    def way(self, here: str, there: str) -> tuple[tuple[str, ...], int] | None:
        """The path between two routers and its cost; None if they do not reach each other."""
        start, end = self.home(here), self.home(there)
        if not start or not end:
            return None
        if start == end:
            path: tuple[str, ...] = (start,)
            cost = 0
        else:
            tree = self.trees.get(start)
            if tree is None or end not in tree.cost:
                return None
            path, cost = tree.path(end), tree.cost[end]
        return ((here,) if here != start else ()) + path + ((there,) if there != end else ()), cost


def _parallel(
    graph: ForwardingGraph, connectors: Mapping[Source, str]
) -> dict[Component, tuple[str, str, int]]:
    """The links of pairs of routers that have more than one, each under the name of its connector;
    of several of one name with its place."""
    names = [server.name for server in graph.servers]
    links = links_of(graph)
    ends = Counter(frozenset((link.a, link.b)) for link in links)
    several = [link for link in links if ends[frozenset((link.a, link.b))] > 1]
    called = {id(link): connectors.get(link.source, str(link.source)) for link in several}
    alike = Counter((link.configured_by, called[id(link)]) for link in several)
    found: dict[Component, tuple[str, str, int]] = {}
    for link in several:
        name = called[id(link)]
        if alike[link.configured_by, name] > 1:
            name = f"{name} ({link.source})"
        one = Component("connector", name, link.configured_by, graph.system, link.source)
        found[one] = names[link.a], names[link.b], link.cost or 0
    return found


def impact(before: Topology, failure: Failure) -> FailureEffect:
    """What one failure does; see ``compare``."""
    return compare(before, before.after(failure), Budget())


def compare(before: Topology, after: Topology, budget: Budget) -> FailureEffect:
    """Compare all ordered pairs of routers that live before and after. O(routers squared * path
    length), and the routes anew.
    """
    living = sorted(after.routers)
    lost: list[tuple[str, str]] = []
    moved: list[PathMoved] = []
    not_compared: tuple[str, ...] = ()
    for place, here in enumerate(living):
        if not budget.goes_on():
            not_compared = tuple(living[place:])
            break
        for there in living:
            was = before.way(here, there) if here != there else None
            if was is None:
                continue
            now = after.way(here, there)
            if now is None:
                lost.append((here, there))
            elif now != was:
                moved.append(PathMoved(here, there, was[0], now[0], was[1], now[1]))
    taken_over = tuple(
        (edge, before.home(edge), after.home(edge))
        for edge in sorted(after.uplinks)
        if after.home(edge) != before.home(edge) and after.home(edge)
    )
    out_of_reach = (
        (
            name,
            tuple(
                one
                for one in living
                if before.reaches_container(one, name) and not after.reaches_container(one, name)
            ),
        )
        for name in sorted(before.containers)
    )
    unreached = tuple((name, routers) for name, routers in out_of_reach if routers)
    unserved = (
        one.without_any(served, "amq_interconnect")
        for one in after.services
        if one.router in after.routers and (served := before.served(one)) and not after.served(one)
    )
    return FailureEffect(
        SeparatedPairs.of(dict.fromkeys(lost, LOST)),
        tuple(moved),
        taken_over,
        unreached,
        not_compared,
        tuple(unserved),
        before=before.at_stake(before.loaded - after.loaded),
    )


def sweep(before: Topology, budget: Budget) -> Sweep:
    """Every single failure of a router, link or container, worst first: lost pairs, then moved
    ones, then by name.

    Each failure is counted, not computed anew: pairs lost by what falls apart, pairs moved by the
    trees that used what failed. O((routers + links) squared) in all, apart from the trees and the
    edges that move. Routers come first, then links, by name, where the budget ends.
    """
    failures = _of_routers_and_links(before)
    failures |= {
        f"broker:{name}": Failure(containers=frozenset([name]))
        for name in sorted(before.containers)
    }
    rows: list[FailureCount] = []
    counting: _Counting | None = None
    for name, failure in failures.items():
        if not budget.goes_on():
            break
        counting = counting or _Counting(before)
        rows.append(counting.row(name, failure))
    left_out = tuple(failures)[len(rows) :]
    rows.sort(key=lambda row: row.worst_first)
    return Sweep(rows, left_out)


def _of_routers_and_links(before: Topology) -> dict[str, Failure]:
    """The failures of single routers and links, as ``--fail`` takes them; parallel links fail one
    by one (T-11)."""
    links = {frozenset(link[:2]) for link in before.links}
    links |= {frozenset((edge, homes[0])) for edge, homes in before.uplinks.items() if homes}
    failures = {
        f"server:{name}": Failure(servers=frozenset([name])) for name in sorted(before.routers)
    }
    several = {frozenset(link[:2]) for link in before.parallel.values()}
    failures |= {
        f"route:{'-'.join(ends)}": Failure(links=frozenset([frozenset(ends)]))
        for ends in sorted(map(sorted, links - several))
    }
    parallel = sorted(before.parallel, key=lambda one: (one.server, one.name))
    return failures | {_label(one): Failure(components=frozenset([one])) for one in parallel}


def _label(one: Component) -> str:
    """A component as ``--fail`` takes it."""
    return f"{one.kind}:{one.server}:{one.name}"


def needed_by_services(before: Topology, budget: Budget) -> dict[Source, list[str]]:
    """By the place of each service that is served, the single failures that leave its clients
    without any connector, those of its own router aside. O((routers + links) squared). Raises
    BudgetSpent."""
    part_of = _part_of(before)
    served = [one for one in before.services if _served(one, part_of)]
    found: dict[Source, list[str]] = {one.source: [] for one in served}
    for name, failure in _of_routers_and_links(before).items() if served else ():
        budget.check()
        parts = _part_of(before.after(failure))
        for one in served:
            if one.router in parts and not _served(one, parts):
                found[one.source].append(name)
    return found


class _Counting:
    """Counts the pairs that a failure touches."""

    def __init__(self, before: Topology) -> None:
        self.before = before
        self.part_of = _part_of(before)
        self.size = Counter(part for part in self.part_of.values() if part >= 0)
        """Per part the routers that it holds."""
        alike: dict[frozenset[str], list[str]] = defaultdict(list)
        for name, routers in before.containers.items():
            alike[frozenset(routers)].append(name)
        self.alike = alike
        """The containers of the same routers: what one loses, all lose."""
        self.weights = Counter(home for name in before.routers if (home := before.home(name)))
        """Per interior router the routers that are at it: itself and its edges."""
        self.below = {root: self._weights_below(tree) for root, tree in before.trees.items()}
        """Per root and router the routers at it and behind it."""

    def _weights_below(self, tree: LeastCostTree) -> Counter[str]:
        found = self.weights.copy()
        for name, before in reversed(list(tree.before.items())):
            found[before] += found[name]
        return found

    def row(self, failed: str, failure: Failure) -> FailureCount:
        lost = touched = 0
        parts: Mapping[str, int] = self.part_of
        if failure.servers or failure.links or failure.components:
            after = self.before.after(failure)
            parts = _part_of(after)
            lost = self._lost(parts)
            touched = self._touched(failure) + self._taken_over(after, failure)
        places = (
            *(self.before.routers[name] for name in failure.servers),
            *(self.before.sources.get(ends, Source("")) for ends in failure.links),
            *(one.source for one in failure.components),
        )
        source = next(iter(places), Source(""))
        own = [self.part_of[name] for name in failure.servers]
        unserved = self._unserved(parts, failure)
        return FailureCount(
            failed,
            lost,
            touched - lost,
            source,
            self._out_of_reach(parts, failure, lost),
            changed=unserved,
            own=sum(2 * (self.size[part] - 1) for part in own if part >= 0),
            own_containers=sum(map(self._containers_of, failure.servers)),
            services=unserved,
            own_services=sum(
                one.router in failure.servers and _served(one, self.part_of)
                for one in self.before.services
            ),
        )

    def _containers_of(self, router: str) -> int:
        """How many containers a router reaches."""
        return sum(
            len(names)
            for routers, names in self.alike.items()
            if router in routers or self.part_of[router] in _parts_with(routers, self.part_of)
        )

    def _out_of_reach(self, parts: Mapping[str, int], failure: Failure, lost: int) -> int:
        """The pairs of a living router and a container that it reaches before and not after;
        ``parts`` are those afterwards. Where no two living routers lose each other (``lost``),
        only a container or a router at it that fails can make a difference."""
        found = 0
        for routers, names in self.alike.items():
            gone = len(failure.containers.intersection(names))
            if not lost and not gone and routers.isdisjoint(failure.servers):
                continue
            left = routers - failure.servers
            was, now = _parts_with(routers, self.part_of), _parts_with(left, parts)
            for router in parts:
                if router in routers or self.part_of[router] in was:
                    still = router in left or parts[router] in now
                    found += gone if still else len(names)
        return found

    def _unserved(self, parts: Mapping[str, int], failure: Failure) -> int:
        """The services of living routers whose clients are served somewhere before and nowhere
        after. Linear in the services and where they are served.
        """
        if not failure.servers and not failure.links:
            return 0
        return sum(
            _served(one, self.part_of) and not _served(one, parts)
            for one in self.before.services
            if one.router in parts
        )

    def _lost(self, parts: Mapping[str, int]) -> int:
        """The ordered pairs of living routers that reach each other before and not after: in one
        part before, in two after.
        """
        groups = Counter((self.part_of[name], part) for name, part in parts.items())
        together: Counter[int] = Counter()
        kept = 0
        for (before, part), number in groups.items():
            if before >= 0:
                together[before] += number
                kept += number * (number - 1) if part >= 0 else 0
        return sum(number * (number - 1) for number in together.values()) - kept

    def _touched(self, failure: Failure) -> int:
        """The ordered pairs of living routers, each at the home it has before, whose path used
        the one router or link that failed.
        """
        return sum(
            self.weights[root] * self._behind(root, tree, failure)
            for root, tree in self.before.trees.items()
            if root not in failure.servers
        )

    def _behind(self, root: str, tree: LeastCostTree, failure: Failure) -> int:
        """The living routers whose path from the root passes what failed: O(1)."""
        below = self.below[root]
        ends_gone = (*failure.links, *self._cheapest(failure))
        behind = sum(
            below[name] - self.weights[name] for name in failure.servers if name in tree.before
        )
        return behind + sum(
            below[name] for ends in ends_gone for name in ends if tree.before.get(name) in ends
        )

    def _cheapest(self, failure: Failure) -> list[Ends]:
        """The two ends of each single link that fails and is cheaper than all that are parallel to
        it: paths over it change."""
        found = []
        for one in failure.components:
            a, b, cost = self.before.parallel[one]
            others = [
                other[2]
                for each, other in self.before.parallel.items()
                if each != one and set(other[:2]) == {a, b}
            ]
            if cost < min(others):
                found.append(frozenset((a, b)))
        return found

    def _taken_over(self, after: Topology, failure: Failure) -> int:
        """The ordered pairs that a lost uplink touches: each with one of the edges concerned,
        and not counted by ``_touched``.
        """
        moving = [
            edge
            for edge in after.uplinks
            if self.before.home(edge) != after.home(edge) and self.before.home(edge)
        ]
        if not moving:
            return 0
        pairs = set()
        for edge in moving:
            for other in after.routers:
                if other == edge or self.before.way(edge, other) is None:
                    continue
                for pair in ((edge, other), (other, edge)):
                    pairs.add(pair)
        return len([pair for pair in pairs if not self._counted(pair, failure)])

    def _counted(self, pair: tuple[str, str], failure: Failure) -> bool:
        """Whether the trees already count a pair: its path between the two homes used what
        failed, and neither home is what failed.
        """
        start, end = (self.before.home(name) for name in pair)
        if start == end or start in failure.servers:
            return False
        path = self.before.trees[start].path(end)
        steps = {frozenset(step) for step in itertools.pairwise(path)}
        return bool(failure.servers & set(path[1:-1]) or failure.links & steps)


def _part_of(topology: Topology) -> dict[str, int]:
    """The part of every router, by number: routers of one part reach each other. -1 for an edge
    without an uplink.
    """
    neighbours: dict[str, set[str]] = {
        home: set() for name in topology.routers if (home := topology.home(name))
    }
    for a, b, _ in topology.links:
        neighbours[a].add(b)
        neighbours[b].add(a)
    part: dict[str, int] = {}
    for number, name in enumerate(neighbours):
        waiting = [name] if name not in part else []
        while waiting:
            here = waiting.pop()
            if here not in part:
                part[here] = number
                waiting.extend(neighbours[here])
    return {name: part.get(topology.home(name), -1) for name in topology.routers}


def _pairs(parts: Iterable[int]) -> int:
    """The ordered pairs of routers of one part."""
    return sum(number * (number - 1) for part, number in Counter(parts).items() if part >= 0)


def _parts_with(routers: Iterable[str], part_of: Mapping[str, int]) -> set[int]:
    """The parts that hold one of these routers; an edge without an uplink is in none."""
    return {part_of[router] for router in routers if part_of[router] >= 0}


def _served(service: Service, part_of: Mapping[str, int]) -> bool:
    """Whether clients of a service are served somewhere; ``part_of`` are the routers that run."""
    own = part_of.get(service.router, -1)
    return any(
        name in part_of and (name == service.router or part_of[name] == own >= 0)
        for name in service.taken_at
    )


@record(slots=False)
class RouterFailures:
    """What failures do to one network of routers (``contract.system.Failures``). ``without`` is the
    topology after a failure, ``remembered`` how many seconds each router keeps the addresses of
    routers out of reach (T-9, S-5), ``unnoticed`` how many a failure may go unnoticed."""

    topology: Topology
    without: Callable[[Failure], Topology]
    containers: Mapping[str, ContainerUse]
    undecided: Sequence[tuple[str, Source]]
    remembered: Mapping[str, int]
    unnoticed: int

    @property
    def components(self) -> Mapping[str, Sequence[Component]]:
        """The connectors of parallel links, which may fail one by one (T-11)."""
        found: dict[str, list[Component]] = {}
        for one in self.topology.parallel:
            found.setdefault(f"{one.kind}:{one.name}", []).append(one)
        return found

    def runs(self, server: str) -> bool:
        """Whether a router starts."""
        return server in self.topology.routers

    def transient(self, failure: Failure, effect: FailureEffect) -> Transient | None:
        """Routers are out of reach if they are lost, or fail and were reached: their addresses
        are kept for a while.
        """
        living = self.topology.routers.keys() - failure.servers
        gone = failure.servers & self.topology.routers.keys()
        losing = {start for start, _ in effect.lost.by_start()}
        losing |= {here for here in living if any(self.topology.way(here, one) for one in gone)}
        if losing:
            # An edge router asks the interior router that it is connected with (E-1).
            asked = losing | {self.topology.home(here) for here in losing}
            return Transient(max(self.remembered.get(name, 0) for name in asked), MEANWHILE)
        if effect.moved or effect.taken_over:
            return Transient(self.unnoticed + RECOMPUTED_SECONDS, MOVING)
        return None

    def effect(self, failure: Failure, budget: Budget) -> FailureEffect:
        """See ``compare``."""
        found = compare(self.topology, self.without(failure), budget)
        return replace(found, notes=tuple(self._of_parallel(failure)))

    def _of_parallel(self, failure: Failure) -> Iterator[tuple[str, str, Source]]:
        """T-11: what stays of parallel links of which one fails, and how many a route is."""
        parallel = self.topology.parallel
        for one in sorted(failure.components, key=_label):
            a, b, cost = parallel[one]
            stay = [
                f"{_label(other)} (cost {link[2]})"
                for other, link in parallel.items()
                if set(link[:2]) == {a, b} and other not in failure.components
            ]
            if stay and frozenset((a, b)) not in failure.links:
                text = f"{_label(one)}, a link between {a} and {b} at cost {cost}, fails; "
                stays = "stays" if len(stay) == 1 else "stay"
                yield "T-11", f"{text}{' and '.join(stay)} {stays}", one.source
        for ends in failure.links:
            own = [one for one, link in parallel.items() if set(link[:2]) == ends]
            if own:
                text = (
                    f"route:{'-'.join(sorted(ends))} is {len(own)} parallel links, and all of them "
                    f"fail; one alone is {' or '.join(map(_label, own))}"
                )
                yield "T-11", text, own[0].source

    def sweep(self, budget: Budget) -> Sweep:
        """See ``sweep``."""
        found = sweep(self.topology, budget)
        uses = {f"broker:{name}": use for name, use in self.containers.items()}
        rows = [
            replace(row, source=uses[row.failed].source) if row.failed in uses else row
            for row in found.counted
        ]
        return Sweep(rows, found.not_counted)
