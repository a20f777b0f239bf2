"""TL-01: a server that is reached over two paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed
from topograph.forwarding.rows import RowWalks
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ems.checked import CheckedGraph

DUPLICATES_LISTED = 50
"""TL-01 findings written per network; an illegal network can hold a quadratic number. ``cycles``
lists them all.
"""


DUPLICATE_PATH = FindingKind(
    "duplicate-path",
    Severity.ERROR,
    Remedy(
        "Remove one of the routes, or put them in different zones.",
        "{server} refuses one of the routes after a restart.",
    ),
    about="link",
    bearing=Bearing("walked"),
)
TL_01 = Rule(
    "TL-01",
    "Second path",
    "The network lets a server be reached over two paths, which is illegal.",
    (DUPLICATE_PATH,),
    check=True,
)


@lint(TL_01, walks=True)
def second_path(checked: CheckedGraph) -> Iterator[Finding]:
    """Servers that would be reached over two paths (R20, R24). For its cost see ``legality``."""
    from topograph.systems.ems.network.legality import duplicates
    from topograph.systems.ems.network.names import name_of
    from topograph.systems.ems.network.walks import servers_on

    graph = checked.graph
    illegal = [part for part in checked.parts if not part.legal]
    if not illegal:
        return
    walker = RowWalks(graph)
    for doubled in duplicates(graph, walker, Closed(), Budget(20_000), DUPLICATES_LISTED).found:
        owner, server = graph.servers[doubled.owner].name, graph.servers[doubled.server].name
        ways = " and ".join(" → ".join(servers_on(graph, path)) for path in doubled.paths)
        yield TL_01.at(
            graph.points[doubled.paths[0][-1]].source,
            f"{server} would hold {name_of(owner)} over {len(doubled.via)} routes: {ways}. "
            f"The server refuses one of them (Implicit route to '{owner}' already exists).",
            server=server,
        )
