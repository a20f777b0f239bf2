"""Names that servers of several systems share in one network: a server is (system, name), and a
bare name is then ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from topograph.findings import Finding
from topograph.forwarding.graph import GraphTables, Server
from topograph.rules.unnumbered import AMBIGUOUS_SERVER_NAME


def shared_names(tables: Iterable[GraphTables]) -> Iterator[Finding]:
    """A finding for each name that servers of more than one system have, by name. Linear in the
    servers.
    """
    by_name: dict[str, list[Server]] = {}
    for part in tables:
        for server in part.servers:
            by_name.setdefault(server.name, []).append(server)
    for name, servers in sorted(by_name.items()):
        systems = list(dict.fromkeys(server.system for server in servers))
        if len(systems) > 1:
            qualified = " and ".join(f"{system}:{name}" for system in systems)
            yield AMBIGUOUS_SERVER_NAME.at(
                servers[-1].source,
                f"Servers of {len(systems)} systems are called {name}. Questions about "
                f"one of them name it {qualified}.",
                server=name,
            )
