"""The servers of a network as columns: a ``Sequence[Server]`` that builds a ``Server`` only when it
is asked for, and what is asked of all servers at once.

A question about one server of a hundred thousand needs few of the others as records. Whoever asks
something of all of them asks it here: columns answer without a step for each server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np

from topograph.findings import Source
from topograph.forwarding.graph import Bools, Server
from topograph.sequences import EqualByEntries

if TYPE_CHECKING:
    from topograph.forwarding.points import Ints, Labels
    from topograph.forwarding.texts import Texts

Places = tuple["Labels", "Ints", "Ints"]
"""Files, lines and columns."""


class ServerColumns(EqualByEntries[Server]):
    """The servers of one system (or of all that go step by step) in one network, in the order of
    their numbers. ``places`` and ``incomplete`` give their columns when a server is first built,
    or asked about."""

    def __init__(
        self,
        name: Texts,
        system: Labels,
        flags: tuple[Bools, Bools],
        incomplete: Callable[[], Texts],
        places: Callable[[], Places],
    ) -> None:
        """``flags`` say of each server whether it is loaded, and whether it is open-ended."""
        self.name, self.system = name, system
        self.loaded, self.open_ended = flags
        self._read_incomplete, self._read_places = incomplete, places

    @cached_property
    def incomplete(self) -> Texts:
        """Why answers about each server are incomplete."""
        return self._read_incomplete()

    @cached_property
    def _places(self) -> Places:
        return self._read_places()

    @cached_property
    def _built(self) -> dict[int, Server]:
        """The servers that were asked for: each is built once."""
        return {}

    @cached_property
    def _all(self) -> list[Server]:
        """All servers. Linear."""
        files, lines, columns = self._places
        rows = zip(
            self.name,
            self.system.texts(),
            self.loaded.tolist(),
            map(Source, files.texts(), lines.tolist(), columns.tolist()),
            self.incomplete,
            self.open_ended.tolist(),
            strict=True,
        )
        built = self._built
        return [built.get(number) or Server(*row) for number, row in enumerate(rows)]

    def __len__(self) -> int:
        return len(self.loaded)

    @overload
    def __getitem__(self, index: int) -> Server: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Server]: ...
    def __getitem__(self, index: int | slice) -> Server | Sequence[Server]:
        if "_all" in self.__dict__ or isinstance(index, slice):
            return self._all[index]
        row = range(len(self))[index]
        found = self._built.get(row)
        if found is None:
            files, lines, columns = self._places
            found = self._built[row] = Server(
                self.name[row],
                self.system[row],
                bool(self.loaded[row]),
                Source(files[row], int(lines[row]), int(columns[row])),
                self.incomplete[row],
                bool(self.open_ended[row]),
            )
        return found

    def __iter__(self) -> Iterator[Server]:
        return iter(self._all)


def names_of(servers: Sequence[Server]) -> Sequence[str]:
    """The names of all servers, by number. Linear."""
    if isinstance(servers, ServerColumns):
        return servers.name.listed()
    return [server.name for server in servers]


def systems_of(servers: Sequence[Server]) -> frozenset[str]:
    """The systems that servers run. Linear."""
    if isinstance(servers, ServerColumns):
        used = np.flatnonzero(np.bincount(servers.system.codes)).tolist()
        return frozenset(servers.system.values[code] for code in used)
    return frozenset(server.system for server in servers)


def not_loaded(servers: Sequence[Server]) -> list[int]:
    """The numbers of the servers whose configuration is not loaded, in order. Linear."""
    if isinstance(servers, ServerColumns):
        missing: list[int] = np.flatnonzero(~servers.loaded).tolist()
        return missing
    return [number for number, server in enumerate(servers) if not server.loaded]


def open_ended(servers: Sequence[Server]) -> list[int]:
    """The numbers of the servers that may have links which no file shows, in order. Linear."""
    if isinstance(servers, ServerColumns):
        found: list[int] = np.flatnonzero(servers.open_ended).tolist()
        return found
    return [number for number, server in enumerate(servers) if server.open_ended]


def incomplete(servers: Sequence[Server], numbers: Iterable[int]) -> list[int]:
    """Of some servers, by number, the loaded ones whose configuration is incomplete, in order and
    each once. Linear in the numbers, and in the servers where they are columns."""
    if isinstance(servers, ServerColumns):
        rows = servers.incomplete.filled()
        rows = rows[servers.loaded[rows]]
        wanted = frozenset(numbers) if len(rows) else frozenset()
        return [row for row in rows.tolist() if row in wanted]
    wanted = frozenset(numbers)
    return [n for n in sorted(wanted) if servers[n].loaded and servers[n].incomplete]
