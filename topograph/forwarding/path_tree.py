"""The paths of a walk that enters no server twice: they share their beginnings, so that a number a
server holds them all.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from functools import cached_property

import numpy as np

from topograph.forwarding.graph import Walk
from topograph.forwarding.points import Ints
from topograph.forwarding.simple import Path


class PathTree(Mapping[int, Path]):
    """The one path to every server of a walk, the first one aside, by server number: that to the
    server before it, and one point more. A path is made when it is asked for.

    ``points`` are those of the walk, in its order; ``servers`` where they are, ``before`` the place
    in the walk of the point before each (the first: itself), ``hops`` how far they are."""

    def __init__(self, walk: Walk, servers: Ints, before: Ints, server_count: int) -> None:
        """``before``: of each point of the walk the number of the server that it is entered from,
        which the walk has entered; that of the first is not looked at. Linear. Raises ValueError
        where the walk has not entered one."""
        self.points, self.servers, self.hops = walk.points, servers, walk.hops
        self._place = np.full(server_count, -1, np.int32)
        self._place[servers] = np.arange(len(servers), dtype=np.int32)
        self.before = self._place[before]
        self.before[0] = 0
        if len(servers) > 1 and int(self.before.min()) < 0:
            raise ValueError("a walk enters a server from one that it has not entered")

    @property
    def start(self) -> int:
        """The server that all paths begin at."""
        return int(self.servers[0])

    def __len__(self) -> int:
        return len(self.points) - 1

    def __contains__(self, server: object) -> bool:
        return isinstance(server, int) and self._at(server) > 0

    def __getitem__(self, server: int) -> Path:
        place = self._at(server)
        if place <= 0:
            raise KeyError(server)
        if "_made" in self.__dict__:
            return self._made[server]
        path = []
        while place:
            path.append(int(self.points[place]))
            place = int(self.before[place])
        path.append(int(self.points[0]))
        return tuple(reversed(path))

    def _at(self, server: int) -> int:
        return int(self._place[server]) if 0 <= server < len(self._place) else -1

    def __iter__(self) -> Iterator[int]:
        return iter(self.servers[1:].tolist())

    def items(self) -> ItemsView[int, Path]:
        return self._made.items()

    def values(self) -> ValuesView[Path]:
        return self._made.values()

    @cached_property
    def _made(self) -> dict[int, Path]:
        """All paths. Linear in their lengths."""
        paths: list[Path] = [(int(self.points[0]),)]
        for point, before in zip(self.points[1:].tolist(), self.before[1:].tolist(), strict=True):
            paths.append((*paths[before], point))
        return dict(zip(self, paths[1:], strict=True))

    def by_server(self) -> Ints:
        """The places in the walk of the servers with a path, by server number. Linear."""
        found: Ints = self._place[self._place > 0]
        return found
