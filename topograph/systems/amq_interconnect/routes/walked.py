"""Routes between routers as an engine walks them: the same next hops and costs as
``ComputedRoutes``, from one walk a router.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property

from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.walker import Walker
from topograph.records import record
from topograph.systems.amq_interconnect.routes.chains import Chains


@record(slots=False)
class Leg:
    """The way from one router to another: the routers passed, and the sum of the costs."""

    path: tuple[str, ...]
    cost: int


@record(slots=False)
class WalkedRoutes:
    """Routes between the interior routers of a graph (``messaging.Routes``), each router walked
    when it is first asked about.

    Edge routers are no part of it (E-5): ``interior`` are the names that are."""

    graph: ForwardingGraph
    walker: Walker
    interior: frozenset[str]
    _legs: dict[str, dict[str, Leg]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _names(self) -> list[str]:
        return [server.name for server in self.graph.servers]

    @cached_property
    def _chains(self) -> Chains:
        return Chains(self.graph)

    def legs(self, here: str) -> dict[str, Leg]:
        """The way to every router that is reached. One walk, then linear in the paths."""
        if here not in self._legs:
            found = {}
            if here in self.interior:
                names, server, cost = self._names, self._chains.server, self._chains.cost
                for end, points in self._chains.from_(
                    self.walker, self.graph.server_number[here]
                ).items():
                    if names[end] in self.interior:
                        # a forward has the cost of the point it leaves
                        routers = tuple([names[server[point]] for point in points])
                        found[names[end]] = Leg(
                            routers, sum([cost[point] for point in points[:-1]])
                        )
            self._legs[here] = found
        return self._legs[here]

    def reaches(self, here: str, there: str) -> bool:
        return there in self.legs(here)

    def cost(self, here: str, there: str) -> int:
        return self.legs(here)[there].cost

    def next_hop(self, here: str, there: str) -> str:
        return self.legs(here)[there].path[1]

    def path(self, here: str, there: str) -> tuple[str, ...]:
        return self.legs(here)[there].path

    def radius(self, here: str) -> int:
        return max((len(leg.path) - 1 for leg in self.legs(here).values()), default=0)

    def is_valid_origin(self, origin: str, here: str, there: str) -> bool:
        """T-8: ``here`` lies on the origin's own way."""
        leg = self.legs(origin).get(there)
        return leg is not None and here in leg.path[:-1] and origin not in (here, there)
