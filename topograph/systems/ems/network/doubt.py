"""What the loaded files leave open about EMS reach.

A server is *open-ended* if it may have links that no loaded file shows: its configuration is not
loaded, its routes.conf was not found, or two configurations have its name. A permitted path over
loaded servers is certain. Without one, "not reached" is certain only if no server is open-ended:
such a server may have routes of its own to anywhere (R4: a passive route stands in one server's
file only), and two of them join servers that no shown link joins with it, as those of a hub do
whose neighbours configure none. To and from a server whose routing is disabled no route leads,
shown or not (R6).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

import numpy as np

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.graph import DOWN, OPEN, Bools, Closed, ForwardingGraph, Guard
from topograph.forwarding.reached import Decided, Needed
from topograph.forwarding.servers import not_loaded, open_ended
from topograph.forwarding.simple import Path
from topograph.forwarding.walker import Walker

LEGAL = Assumption(
    "R20",
    "H",
    (
        "the network is legal, also with the routes that the loaded files do not show: at "
        "most one path leads from one server to another"
    ),
    "a route that makes the network illegal could lead there until a server refuses it",
)
"""What "not reached" rests on where only routes that make the network illegal could lead to a
server.
"""

RULED_OUT = Decided(LEGAL, reached=False)

AS_SHOWN = Decided(
    Assumption(
        "R6",
        "M",
        (
            "routing is enabled at the servers that are not loaded, and their routes are in "
            "the zones that the loaded files name"
        ),
        "what the shown path leads to over such a server is not reached",
    ),
    reached=True,
)
"""What "reached" rests on where the shown path leads over servers that are not loaded."""


def cut_off(graph: ForwardingGraph) -> dict[int, tuple[str, Source]]:
    """The servers whose routing is disabled, why in words and the line that says so: no route
    leads to them or from them, whatever the files say that are not loaded (R6). Not one whose
    configuration is not certain. Linear in the guards."""
    guards = (graph.guards[number] for number in sorted(graph.guards_of(DOWN)))
    down = ((json.loads(one.payload), one) for one in guards)
    found = {
        graph.server_number[payload["server"]]: (guard.text, guard.source)
        for payload, guard in down
        if "server" in payload  # the others stop one link
    }
    return {number: why for number, why in found.items() if not graph.servers[number].open_ended}


def ruled_out(
    graph: ForwardingGraph, start: int, servers: Collection[int], without: Collection[int] = ()
) -> dict[int, Decided]:
    """Of servers (numbers) that no shown path leads to from ``start``, those that no legal
    network reaches over links which the files do not show; servers ``without`` have none. See
    ``unseen``, which is loaded only where there is such a server."""
    if not servers:
        return {}
    from topograph.systems.ems.network.unseen import unseen_routes

    unseen = unseen_routes(graph)
    if unseen is None:
        return {}
    could = unseen.lead_to(start, without)
    return {number: RULED_OUT for number in sorted(servers) if not could[number]}


def needed(
    graph: ForwardingGraph, start: int, end: int, without: Collection[int] = ()
) -> tuple[Needed, ...]:
    """What servers would need for messages to get from ``start`` to ``end``, where no shown path
    leads, over links which the files do not show; servers ``without`` have none. Quadratic in the
    candidates of an open-ended server."""
    from topograph.systems.ems.network.unseen import unseen_routes

    unseen = unseen_routes(graph)
    return () if unseen is None else unseen.needed(start, end, without)


class Deciding(Mapping[int, Decided]):
    """By server (number) left open the assumption that decides whether it is reached from
    ``start``: those that a path leads to over ``shown`` links, and of those ``hidden`` from it the
    ones that are ruled out. What links which the files do not show could add is worked out when
    one of the latter is asked for, so that an answer about another server does not wait for it.
    """

    def __init__(
        self, graph: ForwardingGraph, start: int, shown: Collection[int], hidden: Collection[int]
    ) -> None:
        self._graph, self._start = graph, start
        self._shown, self._hidden = frozenset(shown), frozenset(hidden)

    @cached_property
    def _ruled_out(self) -> dict[int, Decided]:
        return ruled_out(self._graph, self._start, self._hidden)

    def __getitem__(self, server: int) -> Decided:
        if server in self._shown:
            return AS_SHOWN
        if server not in self._hidden:
            raise KeyError(server)
        return self._ruled_out[server]

    def __iter__(self) -> Iterator[int]:
        yield from sorted(self._shown | self._ruled_out.keys())

    def __len__(self) -> int:
        return len(self._shown) + len(self._ruled_out)

    def needed(self, server: int) -> tuple[Needed, ...]:
        """See ``Reached.needed``. Quadratic in the candidates of an open-ended server."""
        return needed(self._graph, self._start, server) if server in self._hidden else ()


class Doubt:
    """The open-ended servers of a network, and who is in touch with them under the given closed
    guards. One walk, made when needed. And its open links: those of which a finding says that they
    may not come up.
    """

    def __init__(self, graph: ForwardingGraph, walker: Walker, closed: Closed) -> None:
        self._graph, self._walker, self._closed = graph, walker, closed

    @cached_property
    def open_ended(self) -> list[int]:
        """Server numbers, in order."""
        return open_ended(self._graph.servers)

    @cached_property
    def cut_off(self) -> frozenset[int]:
        """The servers whose routing is disabled; one whose configuration is not certain is none
        of them.
        """
        return frozenset(cut_off(self._graph))

    @cached_property
    def open_links(self) -> frozenset[int]:
        """The guards of links that may not come up."""
        return self._graph.guards_of(OPEN)

    @property
    def paths_certain(self) -> bool:
        """See ``Unknowns``."""
        return not self.open_links and not self.open_ended

    def crosses(self, path: Path) -> tuple[int, Guard] | None:
        """The first open link on a path: the place in the path of the point that it enters, and
        its guard; None if there is none. Linear in the path."""
        if not self.open_links:
            return None
        points, guards = self._graph.points, self._graph.guards
        for place, point in enumerate(path[1:], 1):
            for guard in points[point].guards:
                if guard in self.open_links:
                    return place, guards[guard]
        return None

    def leaves_open(self, path: Path) -> tuple[str, Source] | None:
        """Why it is not certain that messages take a path, and where: its first open link, or its
        first server that is not loaded; None where nothing speaks against it."""
        crossed = self.crosses(path)
        if crossed is not None:
            return crossed[1].text, crossed[1].source
        unloaded = self.passes(path) if self.open_ended else None
        return None if unloaded is None else self.not_loaded(unloaded)

    def passes(self, path: Path) -> int | None:
        """The first server on a path, its first excepted, whose configuration is not loaded;
        None if all are.
        """
        points, servers = self._graph.points, self._graph.servers
        return next(
            (points[p].server for p in path[1:] if not servers[points[p].server].loaded), None
        )

    def up_to(
        self, start: int, blocking: int | None, possible: Mapping[int, Path], path: Path
    ) -> Path:
        """The beginning of a path up to the server ``blocking`` it; without one the path to the
        first server that may lead on, of those that a message from ``start`` gets to. Empty
        where there is none. Linear in the path, or in the open-ended servers."""
        if blocking is None:
            near = next(
                (number for number in self.open_ended if number == start or number in possible),
                None,
            )
            return () if near is None else self.up_to(start, near, possible, possible.get(near, ()))
        if blocking == start:
            return (start,)
        points = self._graph.points
        end = next(
            (place for place, point in enumerate(path[1:], 2) if points[point].server == blocking),
            0,
        )
        return path[:end]

    def unreached(self, start: int, end: int) -> tuple[str, Source] | None:
        """Why "``end`` is not reached from ``start``" is not certain: text and place; None if it
        is certain.
        """
        if self.cut_off & {start, end}:
            return None
        if not self.open_ended:
            return None
        return self.may_lead_on()

    def unreached_from(self, start: int) -> Bools:
        """By server whether it is left open that it is not reached from ``start``: by
        ``unreached``, or because one of the two is not loaded. Linear in the servers.
        """
        servers = self._graph.servers
        found = np.zeros(len(servers), np.bool_)
        if start in self.cut_off:
            return found
        found[:] = bool(self.open_ended) or not servers[start].loaded
        found[not_loaded(servers)] = True
        found[list(self.cut_off)] = False
        return found

    def may_lead_on(self) -> tuple[str, Source]:
        """That there may be routes which no loaded file shows: text and place."""
        names = [self._graph.servers[number].name for number in self.open_ended]
        shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        first = self._graph.servers[self.open_ended[0]]
        return f"{shown} may have routes that the loaded files do not show", first.source

    def not_loaded(self, server: int) -> tuple[str, Source]:
        """Why nothing certain can be said of a server, or of what lies behind it."""
        record = self._graph.servers[server]
        return f"{record.name}: {record.incomplete}", record.source
