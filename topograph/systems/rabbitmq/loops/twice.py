"""What arrives more than once in a queue: copies of one message that shovels and federation links
bring over different ways (RQ-7 keeps each routing to one).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.records import record
from topograph.systems.rabbitmq.loops.begins import group_of
from topograph.systems.rabbitmq.loops.reach import Reach
from topograph.systems.rabbitmq.loops.rounds import Edge, Node, Rounds
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.places import QUEUE, Place

MOST_ARRIVALS = 8
"""Ways to one place that are followed for a message."""

Acts = tuple[Edge, ...]


@record
class Doubled:
    """Two ways, by what publishes on each, over which one message (``first``) gets into the same
    queues."""

    first: Node
    ways: tuple[Acts, Acts]
    queues: tuple[Place, ...]


@dataclass
class Twice:
    """The queues that get a message more than once, without anything that has to happen;
    ``complete`` is False where the search ended before all were found."""

    network: Network
    budget: Budget
    complete: bool = True
    undecided: dict[tuple[str, Source], None] = field(default_factory=dict)

    def look(self) -> list[Doubled]:
        """Look for all of them, by the ways. Linear in the keys and headers that stand for all
        others, times the ways of each; no work without links."""
        shovels = self.network.exchanges.onward.shovels
        links = self.network.federation.links
        starts = [*shovels.out_of, *(one.upstream for one in links)]
        if not starts:
            return []
        reach = Reach(self.network)
        ends = [shovels.target(one) for listed in shovels.out_of.values() for one in listed]
        ends += [one.downstream for one in links]
        before = reach.before(starts)
        wanted = before | reach.behind(ends)
        senders = [one for one in self.network.configuration.senders() if one in before]
        self._found: dict[
            tuple[object, ...], tuple[Node, tuple[Acts, Acts], dict[Place, None]]
        ] = {}
        for places in reach.joined(wanted):
            there = frozenset(places)
            group = group_of(
                self.network, reach, sorted(places), [one for one in senders if one in there]
            )
            self.complete &= group.complete
            rounds = Rounds(
                self.network, there, self.budget, node_of=Node.with_past, takes=_at_once
            )
            try:
                for begin in group.begins:
                    self._walk(rounds, begin)
            except BudgetSpent:
                self.complete = False
            self.undecided |= rounds.undecided
        rows = [Doubled(first, ways, tuple(sorted(to))) for first, ways, to in self._found.values()]
        return sorted(rows, key=lambda one: (one.queues, _ends(one.ways[0]), _ends(one.ways[1])))

    def _walk(self, rounds: Rounds, begin: Node) -> None:
        """Where one message gets to, and by what ways. Linear in the ways, times MOST_ARRIVALS."""
        arrived: dict[Place, list[Acts]] = {begin.place: [()]}
        waiting: deque[tuple[Node, Acts, frozenset[Place]]]
        waiting = deque([(begin, (), frozenset([begin.place]))])
        while waiting:
            node, acts, passed = waiting.popleft()
            for edge in rounds.out_of(node):
                more = (*acts, edge) if edge.publishes else acts
                before = arrived.setdefault(edge.to.place, [])
                if more in before or edge.to.place in passed:
                    continue
                if len(before) >= MOST_ARRIVALS:
                    self.complete = False
                    continue
                before.append(more)
                waiting.append((edge.to, more, passed | {edge.to.place}))
        for place, ways in arrived.items():
            if place.type == QUEUE and len(ways) > 1:
                self._note(begin, place, ways)

    def _note(self, begin: Node, queue: Place, ways: Sequence[Acts]) -> None:
        """Note the ways into a queue that come together there: what came together before is noted
        where it did."""
        for one, other in combinations(ways, 2):
            if one[-1:] == other[-1:] or (
                one[-1:] and other[-1:] and one[-1].ends == other[-1].ends
            ):
                continue
            both = tuple(sorted((one, other), key=_ends))
            key = tuple(map(_ends, both))
            row = self._found.setdefault(key, (begin, (both[0], both[1]), {}))
            row[2][queue] = None


def _at_once(edge: Edge) -> bool:
    """Whether each message takes a way, without anything that has to happen."""
    return not (edge.is_later or edge.is_chosen)


def _ends(acts: Acts) -> tuple[tuple[Place, Place], ...]:
    return tuple(edge.ends for edge in acts)
