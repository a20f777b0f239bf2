"""What becomes of messages while nothing ends a circle: without the cycle rule of dead letters, and
without what federation links take note of. Whatever goes round, for ever or not, goes round here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import UNDECIDED
from topograph.systems.rabbitmq.circles import components
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.places import Place
from topograph.systems.rabbitmq.queues import REJECTION
from topograph.systems.rabbitmq.travel import Travel, decoded
from topograph.tracing.states import State, Way
from topograph.tracing.trace import Kind


class Node(NamedTuple):
    """A message at a place, without a past."""

    place: Place
    travel: Travel

    @classmethod
    def of(cls, place: Place, travel: Travel) -> Node:
        """That of a message with one."""
        return cls(place, Travel(travel.key, expiration=travel.expiration,
                                 exchange=travel.exchange, headers=travel.headers))  # fmt: skip

    @classmethod
    def with_past(cls, place: Place, travel: Travel) -> Node:
        """That of a message with what of its past decides something later."""
        return cls(place, travel._replace(acts=(), by="", fresh=False))


class Edge(NamedTuple):
    """One way of a message to another place."""

    start: Node
    to: Node
    way: Way

    @property
    def is_rejection(self) -> bool:
        """Whether a consumer has to reject the message."""
        return self.way.condition == REJECTION

    @property
    def is_later(self) -> bool:
        """Whether something has to happen."""
        return self.way.kind is Kind.LATER

    @property
    def is_chosen(self) -> bool:
        """Whether it is one of several that a broker takes."""
        return self.way.kind is Kind.ONE_OF

    @property
    def is_federated(self) -> bool:
        """Whether a federation link brings the message."""
        return self.way.role == FEDERATED

    @property
    def publishes(self) -> bool:
        """Whether the message is published again."""
        return bool(self.way.link) or self.is_dead_letter

    @property
    def is_dead_letter(self) -> bool:
        """Whether a queue gave the message up, at once or when something happens."""
        return self.way.rule == DEAD_LETTER

    @property
    def ends(self) -> tuple[Place, Place]:
        """The two places."""
        return self.start.place, self.to.place


DEAD_LETTER = "RQ-13"
"""The rule by which queues publish dead letters."""

FEDERATED, SHOVELLED = "federation", "shovel"
"""The roles of ways over links."""

Cost = tuple[int, ...]
Costs = Callable[[Edge], Cost]


def easiest(edge: Edge) -> Cost:
    """How much has to happen for a way: rejections first, then links that count their messages,
    then whatever else has to happen."""
    return (edge.is_rejection, edge.is_federated, edge.is_dead_letter, edge.is_chosen, 1)


def _any(_edge: Edge) -> bool:
    return True


def by_rejections(edge: Edge) -> Cost:
    """The same where rejections are easier than what queues give up by themselves: brokers end
    circles of that, and what leads there then has to be another way."""
    by_itself = edge.is_dead_letter and not edge.is_rejection
    return (by_itself, edge.is_federated, edge.is_rejection, edge.is_chosen, 1)


@dataclass
class Rounds:
    """The ways between some places. ``undecided`` is why others are not known. ``node_of`` says
    what is kept of the past of a message; ways are those that ``takes`` allows."""

    network: Network
    within: Collection[Place]
    budget: Budget
    node_of: Callable[[Place, Travel], Node] = Node.of
    takes: Callable[[Edge], bool] = _any
    out: dict[Node, tuple[Edge, ...]] = field(default_factory=dict)
    undecided: dict[tuple[str, Source], None] = field(default_factory=dict)

    def follow(self, begins: Iterable[Node]) -> None:
        """Every way from where some messages begin. Linear in the ways. Raises BudgetSpent."""
        waiting = deque(one for one in dict.fromkeys(begins) if one not in self.out)
        while waiting:
            node = waiting.popleft()  # the shortest ways first, where there may be too many
            if node not in self.out:
                found = self.out_of(node)
                waiting += [edge.to for edge in found if edge.to not in self.out]

    def out_of(self, node: Node) -> tuple[Edge, ...]:
        """The ways out of a node. Raises BudgetSpent."""
        found = self.out.get(node)
        if found is None:
            self.budget.spend()
            found = self.out[node] = tuple(self._edges(node))
        return found

    def _edges(self, node: Node) -> Iterator[Edge]:
        transition = self.network.step(node.travel.at(node.place))
        if transition.open_end is not None:
            self.undecided[transition.open_end.text, transition.open_end.source] = None
        for way in transition.ways:
            if not isinstance(way.to, State):
                continue
            place, travel = decoded(way.to)
            if place not in self.within:
                continue
            if way.guard is not None:
                if way.guard.kind == UNDECIDED:
                    self.undecided[way.guard.text, way.source] = None
                continue
            edge = Edge(node, self.node_of(place, travel), way)
            if self.takes(edge):
                yield edge

    def circles(self, takes: Callable[[Edge], bool]) -> Iterator[Mapping[Node, Sequence[Edge]]]:
        """The parts in which every message may get back to where it is by some ways, each with
        these ways within it. Linear in the ways."""

        def onward(node: Node) -> Iterator[Node]:
            return (edge.to for edge in self.out[node] if takes(edge))

        for part in components(self.out, onward):
            inside = set(part)
            yield {
                node: [edge for edge in self.out[node] if takes(edge) and edge.to in inside]
                for node in part
            }

    def leading_to(self, ends: Iterable[Node]) -> Collection[Node]:
        """The nodes from which a message may get to some, these included. Linear in the ways."""
        before: dict[Node, list[Node]] = {}
        for node, edges in self.out.items():
            for edge in edges:
                before.setdefault(edge.to, []).append(node)
        found = dict.fromkeys(ends)
        waiting = list(found)
        while waiting:
            for node in before.get(waiting.pop(), ()):
                if node not in found:
                    found[node] = None
                    waiting.append(node)
        return found

    def entered(self, begins: Iterable[Node], costs: Costs) -> Entered:
        """The easiest way to each node from one of some. n log n in the ways."""
        return Entered(easiest_ways(begins, lambda node: self.out.get(node, ()), costs=costs))


@dataclass
class Entered:
    """The easiest ways to nodes: of each what it takes, and the last way."""

    ways: Mapping[Node, tuple[Cost, Edge | None]]

    def easiest_of(self, nodes: Iterable[Node]) -> Node:
        """The one of some nodes that is the easiest to get to."""
        return min(nodes, key=lambda node: self.ways[node][0])

    def to(self, node: Node) -> list[Edge]:
        """The way to a node."""
        found: list[Edge] = []
        edge = self.ways[node][1]
        while edge is not None:
            found.append(edge)
            edge = self.ways[edge.start][1]
        return found[::-1]


def easiest_ways(
    begins: Iterable[Node],
    out: Callable[[Node], Iterable[Edge]],
    until: Node | None = None,
    costs: Costs = easiest,
) -> dict[Node, tuple[Cost, Edge | None]]:
    """The easiest way from one of some nodes to each, or until one is found. n log n in the
    ways."""
    best: dict[Node, tuple[Cost, Edge | None]] = {}
    waiting: list[tuple[Cost, int, Node, Edge | None]] = []
    count = 0
    for node in begins:
        heappush(waiting, (_NOTHING, count, node, None))
        count += 1
    while waiting:
        cost, _, node, by = heappop(waiting)
        if node in best:
            continue
        best[node] = cost, by
        if node == until:
            break
        for edge in out(node):
            if edge.to not in best:
                more = tuple(map(sum, zip(cost, costs(edge), strict=True)))
                heappush(waiting, (more, count, edge.to, edge))
                count += 1
    return best


_NOTHING: Cost = (0, 0, 0, 0, 0)


def round_through(edge: Edge, part: Mapping[Node, Sequence[Edge]]) -> list[Edge]:
    """The easiest circle of a part that takes one way."""
    found = easiest_ways([edge.to], lambda node: part.get(node, ()), edge.start)
    return [edge, *Entered(found).to(edge.start)]  # every node of a part leads back to each
