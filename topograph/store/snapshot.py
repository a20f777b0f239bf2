"""Snapshots: what an import made and every question is about.

``Snapshot`` is what questions need, wherever it is kept: in this process (``MemorySnapshot``), in
Parquet (``topograph.store.parquet``) or in a database (``topograph.store.database``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

from topograph.facts.choice import FactChoice, FactsByServer
from topograph.facts.names import FactNames
from topograph.forwarding.graph import STEPPING, GraphTables
from topograph.forwarding.lazy_rows import LazyRows
from topograph.side_inputs import SideInputs
from topograph.store.origin import Origin

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.facts.fact import Servers
    from topograph.files import FileReport
    from topograph.findings import Finding

SCHEMA_VERSION = 3
"""Of snapshots and of what a database holds; those of another schema are refused
(``SnapshotOutdated``), never answered from.
"""


def read_tables(system: str, read: Callable[[str], Sequence[Any]]) -> GraphTables:
    """The tables of the graph of a system, each read by its name; those that few questions need
    when they are first asked for. A message that goes step by step needs neither points nor
    forwards."""

    def later(name: str) -> LazyRows[Any]:
        return LazyRows(partial(read, name))

    steps = system == STEPPING
    points = later("points") if steps else read("points")
    return GraphTables(
        system,
        read("servers"),
        points,
        read("guards"),
        later("links"),
        later("forwards") if steps else (),
    )


class Snapshot(Protocol):
    """One import, never changed after it is complete."""

    id: str
    """Hash of inputs, options, schema and tool version; answers name it."""

    name: str
    """How the user named it: a path, ``neo4j:ID`` or the folder read in this process."""

    @property
    def redaction(self) -> str:
        """The fingerprint of the key that hosts, users and client ids were replaced with; empty
        where they were not.
        """
        ...

    @property
    def networks(self) -> Sequence[str]:
        """The names of the imported networks."""
        ...

    def graph_tables(self, network: str) -> Sequence[GraphTables]:
        """One entry per system present in the network, by system name."""
        ...

    def facts(
        self,
        network: str,
        *,
        kinds: Sequence[str] = (),
        server: Servers = "",
        system: str = "",
        names: Container[str] | None = None,
    ) -> Sequence[Fact]:
        """The facts of a network, all kinds, servers, systems and names (``Fact.label``) unless
        some are given, by (bundle, file, line).
        """
        ...

    def fact_stream(
        self, network: str, *, kinds: Sequence[str] = (), system: str = ""
    ) -> Iterator[Fact]:
        """The facts of some kinds and of one system one by one, in the same order."""
        ...

    def fact_names(self, network: str, *, kinds: Sequence[str] = (), system: str = "") -> FactNames:
        """The names and bundles of the facts of some kinds and of one system."""
        ...

    def findings(self, network: str) -> Sequence[Finding]: ...

    def files(self, network: str) -> Sequence[FileReport]: ...

    def side_inputs(self, network: str) -> SideInputs: ...

    def origin(self, network: str) -> Origin:
        """When the inputs are from, and their digests."""
        ...


class ChosenFacts(ABC):
    """The functions of ``Snapshot`` that give facts, out of one that takes what is asked for."""

    @abstractmethod
    def chosen(self, network: str, choice: FactChoice) -> Sequence[Fact]:
        """The facts of a network that are asked for, in their order (``fact_order``)."""

    def facts(
        self,
        network: str,
        *,
        kinds: Sequence[str] = (),
        server: Servers = "",
        system: str = "",
        names: Container[str] | None = None,
    ) -> Sequence[Fact]:
        """See ``Snapshot``."""
        return self.chosen(network, FactChoice(kinds, server, system, names))

    def fact_stream(
        self, network: str, *, kinds: Sequence[str] = (), system: str = ""
    ) -> Iterator[Fact]:
        """See ``Snapshot``."""
        return iter(self.facts(network, kinds=kinds, system=system))

    def fact_names(self, network: str, *, kinds: Sequence[str] = (), system: str = "") -> FactNames:
        """See ``Snapshot``."""
        return FactNames.of(self.facts(network, kinds=kinds, system=system))


class FactsKept:
    """The facts of whole tables, kept for whoever asks for all of a kind next: as many as
    FACTS_KEPT have room for, those that were asked for last."""

    def __init__(self) -> None:
        self._of: dict[Hashable, FactsByServer] = {}

    def whole(self, table: Hashable, decode: Callable[[], Iterable[Fact]]) -> Sequence[Fact]:
        """The facts of a table. Linear in them where they are not kept."""
        found = self._of.pop(table, None) or FactsByServer(list(decode()))
        self._of[table] = found
        while sum(len(one.facts) for one in self._of.values()) > FACTS_KEPT:
            del self._of[next(iter(self._of))]
        return found.facts

    def chosen(self, table: Hashable, choice: FactChoice) -> Sequence[Fact] | None:
        """Those of a table that are asked for, in its order; None where it is not kept."""
        found = self._of.get(table)
        return None if found is None else found.chosen(choice)


FACTS_KEPT = 20_000
"""Facts of a snapshot that are kept when they were decoded: some 10 MB."""


@dataclass
class NetworkData:
    """All that one network of a snapshot holds."""

    tables: Sequence[GraphTables]
    facts: Sequence[Fact]
    findings: Sequence[Finding]
    files: Sequence[FileReport]
    side_inputs: SideInputs = field(default_factory=SideInputs)

    @cached_property
    def by_server(self) -> FactsByServer:
        """The facts, to be found by their server."""
        return FactsByServer(self.facts)


@dataclass
class MemorySnapshot(ChosenFacts):
    """A snapshot in this process."""

    id: str
    name: str
    data: dict[str, NetworkData]
    redaction: str = ""
    unreadable: tuple[str, ...] = ()
    """Main files that could not be read, of all networks: nothing is known of their servers."""
    origin_of_all: Origin = field(default_factory=Origin)
    """When the inputs are from; such a snapshot has one network."""
    key: str = ""
    """Under which it is kept (``store.readings``); empty if it is not."""

    @property
    def networks(self) -> Sequence[str]:
        return list(self.data)

    def graph_tables(self, network: str) -> Sequence[GraphTables]:
        return self.data[network].tables

    def chosen(self, network: str, choice: FactChoice) -> Sequence[Fact]:
        return self.data[network].by_server.chosen(choice)

    def findings(self, network: str) -> Sequence[Finding]:
        return self.data[network].findings

    def files(self, network: str) -> Sequence[FileReport]:
        return self.data[network].files

    def side_inputs(self, network: str) -> SideInputs:
        return self.data[network].side_inputs

    def origin(self, network: str) -> Origin:  # noqa: ARG002
        return self.origin_of_all
