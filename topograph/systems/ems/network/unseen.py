"""What routes that no loaded file shows could add to a legal EMS network (R20, ems.md 6.4).

An open-ended server may have further routes, to any server and to servers that no file names, in
any zone. Which servers could a message get to over them, if the network is legal with them?
``docs/decisions/020-doubt-and-legality.md`` has the argument: it is enough to think of one chain of
unseen links that passes an open-ended server, and by the linear check of 6.4 such a chain is legal
if and only if nobody whose messages may enter it at one end reaches, by shown links, anybody whose
messages may enter it at the other. All links count, up or down (R30).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

import numpy as np
import rustworkx

from topograph.forwarding.graph import Bools, Closed, ForwardingGraph
from topograph.forwarding.points import Ints
from topograph.forwarding.reached import Needed, NeededLink
from topograph.forwarding.rows import RowWalks
from topograph.records import record
from topograph.systems.ems.network.legality import is_legal
from topograph.systems.ems.network.walks import is_arrival

MOST_CANDIDATES = 256
"""Candidates up to which they are judged: each takes two walks."""

_KEPT = "ems.unseen"

_Asked = tuple[bytes, frozenset[int], tuple[int, ...]]
"""What was asked of candidates: where start and end are of them, and without which servers."""


@record(slots=False)
class Candidate:
    """An unseen link of open-ended server ``server`` in a zone: the number of one of type 1hop that
    the server is in, with its ``name``, -1 for every other zone, whose messages pass on no less
    than those of a new one.

    ``here`` are the servers whose messages may go out over the link. ``beyond`` are those that
    they may get to: where the chain that begins with the link may end, or what lies behind, so
    that the network is legal."""

    server: int
    zone: int
    here: Bools
    beyond: Bools
    name: str = ""

    def joins(self, other: Candidate) -> bool:
        """Whether a message that came over the one unseen link may go on over the other (R13)."""
        return self.server == other.server and (self.zone < 0 or self.zone != other.zone)


class UnseenRoutes:
    """The candidates of a network."""

    def __init__(self, servers: int, candidates: tuple[Candidate, ...]) -> None:
        self.servers, self.candidates = servers, candidates
        self._needed: dict[_Asked, tuple[Needed, ...]] = {}

    def lead_to(self, start: int, without: Collection[int] = ()) -> Bools:
        """By server, whether unseen links could lead messages there from server ``start`` in a
        legal network, past none of the servers ``without``; True of more, never of fewer. Linear
        in the servers for each candidate."""
        found = np.zeros(self.servers, np.bool_)
        for one in self.candidates:
            if one.server in without:
                continue
            if one.here[start]:
                found |= one.beyond
            if one.beyond[start]:
                found |= one.here
                for other in self.candidates:
                    if one.joins(other):
                        found |= other.beyond
        return found

    def needed(self, start: int, end: int, without: Collection[int] = ()) -> tuple[Needed, ...]:
        """What an open-ended server would need for messages to get from ``start`` to ``end``
        over unseen links: by server the links that a legal network may have, or, where no legal
        network leads there, those that an illegal one has. In every legal network that leads
        there an open-ended server has all links of one of these. Links of the servers ``without``
        lead nowhere. Quadratic in the candidates of a server, once for servers that are alike."""
        places = self._places[:, [start, end]]
        itself = tuple(one if one in self._by_server else -1 for one in (start, end))
        key = places.tobytes(), frozenset(without).intersection(self._by_server), itself
        if key not in self._needed:
            here, beyond = places[: len(self.candidates)], places[len(self.candidates) :]
            legal = self._alternatives(here, beyond, key[1], itself)
            # Whether legal or not, a link may lead from any server to any other.
            self._needed[key] = tuple(
                Needed(server, links, bool(legal))
                for server, links in legal
                or self._alternatives(here, np.ones_like(beyond), key[1], itself)
            )
        return self._needed[key]

    @cached_property
    def _places(self) -> Bools:
        """By candidate and server whether it is ``here``; below, whether it is ``beyond``."""
        rows = [one.here for one in self.candidates] + [one.beyond for one in self.candidates]
        return np.array(rows, np.bool_).reshape(len(rows), self.servers)

    @cached_property
    def _by_server(self) -> dict[int, list[int]]:
        """The numbers of the candidates of each open-ended server."""
        found: dict[int, list[int]] = {}
        for number, one in enumerate(self.candidates):
            found.setdefault(one.server, []).append(number)
        return found

    def _alternatives(
        self, here: Bools, beyond: Bools, without: Collection[int], itself: Sequence[int]
    ) -> list[tuple[int, tuple[NeededLink, ...]]]:
        """By open-ended server, but for those ``without``, the links that take messages from the
        one side to the other, where for each candidate the two columns say of the servers asked
        from and about whether they are here and beyond; ``itself`` are these two where they are
        open-ended: no link leads from a server to itself."""
        found: list[tuple[int, tuple[NeededLink, ...]]] = []
        for server, numbers in self._by_server.items():
            if server in without:
                continue
            from_start, to_end = (server == one for one in itself)
            out = [n for n in numbers if here[n, 0] and beyond[n, 1] and not to_end]
            back = [n for n in numbers if beyond[n, 0] and here[n, 1] and not from_start]
            if out or back:  # one of the two is in touch with the server, and needs no link
                link = self._link(numbers, out or back, to_start=not out)
                found.append((server, (link,)))
                continue
            pairs = [
                (n, other)
                for n in numbers
                for other in numbers
                if beyond[n, 0]
                and beyond[other, 1]
                and self.candidates[n].joins(self.candidates[other])
            ]
            if not pairs:
                continue
            if self._goes_on_elsewhere(server, beyond, without):
                first = [n for n in numbers if beyond[n, 0]]
                links = [self._link(numbers, first, to_start=True)]
            else:
                first, second = (list({pair[side] for pair in pairs}) for side in (0, 1))
                links = [
                    self._link(numbers, first, to_start=True),
                    self._link(numbers, second, to_start=False),
                ]
            found.append((server, tuple(links)))
        return found

    def _goes_on_elsewhere(self, server: int, beyond: Bools, without: Collection[int]) -> bool:
        """Whether messages that come to an open-ended server over an unseen link may get over
        shown links to another one, whose unseen link takes them to the server asked about: then
        the first one needs no second link.
        """
        here = self._places[: len(self.candidates), server]
        return any(
            here[n] and beyond[n, 1]
            for n, one in enumerate(self.candidates)
            if one.server != server and one.server not in without
        )

    def _link(
        self, numbers: Collection[int], chosen: Collection[int], *, to_start: bool
    ) -> NeededLink:
        """The link that these of a server's candidates make together."""
        names = sorted(self.candidates[n].name for n in chosen if self.candidates[n].zone >= 0)
        others = sorted(
            self.candidates[n].name
            for n in numbers
            if n not in chosen and self.candidates[n].zone >= 0
        )
        if any(self.candidates[n].zone < 0 for n in chosen):
            return NeededLink(to_start, except_zones=tuple(others))
        return NeededLink(to_start, tuple(names))


def unseen_routes(graph: ForwardingGraph) -> UnseenRoutes | None:
    """What the open-ended servers of a network could add to it, worked out once for a graph.
    None where that is not judged: the shown network is not legal itself, or the candidates are
    too many. Two walks for each candidate; a server has one more than it has zones of type 1hop."""
    if _KEPT not in graph.kept:
        graph.kept[_KEPT] = _Judge(graph).judged() if is_legal(graph) else None
    found: UnseenRoutes | None = graph.kept[_KEPT]
    return found


class _Judge:
    """Judges the candidates of one legal network. A link that only an open-ended server of which
    a file is loaded configures may not be there (it has several configurations, or its members
    differ): such links are left out, so that they forbid nothing."""

    def __init__(self, graph: ForwardingGraph) -> None:
        self.graph, self.walks = graph, RowWalks(graph)
        columns = graph.columns
        self.server = columns.server
        self.arrival = is_arrival(graph) & ~self._doubtful()
        self.closed = Closed(
            points=frozenset(np.flatnonzero(is_arrival(graph) & ~self.arrival).tolist())
        )
        kinds = np.array([kind == "1hop" for kind in columns.zone_type.values], np.bool_)
        self.one_hop = kinds[columns.zone_type.codes] & self.arrival
        self.zone = columns.zone.codes

    def _doubtful(self) -> Bools:
        """The arrivals over links that may not be there."""
        servers = self.graph.servers
        doubtful = {one.name for one in servers if one.open_ended and one.loaded}
        by = self.graph.columns.configured_by
        return np.array([name in doubtful for name in by.values], np.bool_)[by.codes]

    @cached_property
    def cell(self) -> Ints:
        """By server the number of its cell: the servers joined by links of mhop zones, any of
        which whatever enters one goes on to.
        """
        columns = self.graph.columns
        joined = np.flatnonzero(self.arrival & ~self.one_hop)
        undirected = rustworkx.PyGraph(multigraph=False)
        undirected.add_nodes_from(range(len(self.graph.servers)))
        pairs = zip(columns.previous[joined].tolist(), self.server[joined].tolist(), strict=True)
        undirected.add_edges_from([(*pair, None) for pair in pairs])
        numbers = np.empty(len(self.graph.servers), np.int32)
        for number, cell in enumerate(rustworkx.connected_components(undirected)):
            numbers[list(cell)] = number
        return numbers

    def judged(self) -> UnseenRoutes | None:
        """The candidates of all open-ended servers; None if they are too many."""
        wanted = list(self._links())
        if len(wanted) > MOST_CANDIDATES:
            return None
        return UnseenRoutes(
            len(self.graph.servers), tuple(self._candidate(*each) for each in wanted)
        )

    def _links(self) -> Iterator[tuple[int, int]]:
        for number, server in enumerate(self.graph.servers):
            if server.open_ended:
                yield number, -1
                yield from (
                    (number, zone)
                    for zone in np.unique(
                        self.zone[self.one_hop & (self.server == number)]
                    ).tolist()
                )

    def _candidate(self, server: int, zone: int) -> Candidate:
        here = self._entering(server, zone)
        reached = self._from(np.flatnonzero(here).tolist())
        name = self.graph.columns.zone.values[zone] if zone >= 0 else ""
        return Candidate(server, zone, here, self._legal_ends(reached), name)

    def _entering(self, server: int, zone: int) -> Bools:
        """The servers whose messages arrive at ``server`` and may go on over a new link in
        ``zone``, itself included; by R14 those that it sends to over links of other zones, or of
        ``zone`` if that is not of type 1hop."""
        side = np.zeros(len(self.graph.servers), np.bool_)
        side[server] = True
        first = [
            p
            for p in self.graph.successors(server)
            if self.arrival[p] and not (self.one_hop[p] and self.zone[p] == zone)
        ]
        side[self.server[self.walks.walk(first, self.closed).points]] = True
        return side

    def _from(self, servers: Sequence[int]) -> Bools:
        """The given servers and all that they reach."""
        side = np.zeros(len(self.graph.servers), np.bool_)
        side[self.server[self.walks.walk(servers, self.closed).points]] = True
        return side

    def _legal_ends(self, reached: Bools) -> Bools:
        """The servers that may be at the far end of a chain or behind it, where ``reached`` are
        those that must not be: in their cell is none of them, and all of them that reach the
        cell enter it at one server in one 1hop zone, the zone in which the chain can then end."""
        walk = self.walks.walk(np.flatnonzero(reached).tolist(), self.closed)
        entered = walk.points[self.one_hop[walk.points]]
        entries = np.unique(np.stack([self.server[entered], self.zone[entered]]), axis=1)
        cells = int(self.cell.max(initial=-1)) + 1
        times = np.bincount(self.cell[entries[0]], minlength=cells)
        inside = np.zeros(cells, np.bool_)
        inside[self.cell[reached]] = True
        return ~inside[self.cell] & (times[self.cell] <= 1)
