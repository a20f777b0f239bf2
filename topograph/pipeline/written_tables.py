"""The parts of a snapshot that workers have written so far, by network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from topograph.store.parquet import TableFile


class WrittenTables:
    """Files of tables, each found by its network in constant time: an import may hold a hundred
    thousand networks."""

    def __init__(self) -> None:
        self._by_network: dict[str, list[TableFile]] = {}

    def add(self, files: Iterable[TableFile]) -> None:
        """Take more files, of any networks."""
        for file in files:
            self._by_network.setdefault(file.network, []).append(file)

    def of(self, network: str) -> tuple[TableFile, ...]:
        """The files of one network, in the order in which they came."""
        return tuple(self._by_network.get(network, ()))

    def __iter__(self) -> Iterator[TableFile]:
        for files in self._by_network.values():
            yield from files
