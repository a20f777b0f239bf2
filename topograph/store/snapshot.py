"""Snapshots: what an import made and every question is about.

``Snapshot`` is what questions need, wherever it is kept: in this process (``MemorySnapshot``), in Parquet
(``topograph.store.parquet``) or in a database (``topograph.store.database``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from topograph.forwarding.graph import GraphTables
from topograph.side_inputs import SideInputs

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.files import FileReport
    from topograph.findings import Finding

SCHEMA_VERSION = 1


class Snapshot(Protocol):
    """One import, never changed after it is complete."""

    id: str
    """Hash of inputs, options, schema and tool version; answers name it."""

    name: str
    """How the user named it: a path, ``neo4j:ID`` or the folder read in this process."""

    @property
    def redaction(self) -> str:
        """The fingerprint of the key that hosts, users and client ids were replaced with; empty where they were not."""
        ...

    @property
    def networks(self) -> Sequence[str]:
        """The names of the imported networks."""
        ...

    def graph_tables(self, network: str) -> Sequence[GraphTables]:
        """One entry per system present in the network, by system name."""
        ...

    def facts(self, network: str, *, kinds: Sequence[str] = (), server: str = "") -> Sequence[Fact]:
        """The facts of a network, all kinds unless some are named, by (bundle, file, line)."""
        ...

    def findings(self, network: str) -> Sequence[Finding]: ...

    def files(self, network: str) -> Sequence[FileReport]: ...

    def side_inputs(self, network: str) -> SideInputs: ...


@dataclass
class NetworkData:
    """All that one network of a snapshot holds."""

    tables: Sequence[GraphTables]
    facts: Sequence[Fact]
    findings: Sequence[Finding]
    files: Sequence[FileReport]
    side_inputs: SideInputs = field(default_factory=SideInputs)


@dataclass
class MemorySnapshot:
    """A snapshot in this process."""

    id: str
    name: str
    data: dict[str, NetworkData]
    redaction: str = ""

    @property
    def networks(self) -> Sequence[str]:
        return list(self.data)

    def graph_tables(self, network: str) -> Sequence[GraphTables]:
        return self.data[network].tables

    def facts(self, network: str, *, kinds: Sequence[str] = (), server: str = "") -> Sequence[Fact]:
        return [
            fact
            for fact in self.data[network].facts
            if (not kinds or fact.kind in kinds) and (not server or fact.server == server)
        ]

    def findings(self, network: str) -> Sequence[Finding]:
        return self.data[network].findings

    def files(self, network: str) -> Sequence[FileReport]:
        return self.data[network].files

    def side_inputs(self, network: str) -> SideInputs:
        return self.data[network].side_inputs
