"""A network of a hundred routers and a thousand addresses: its import, and every question that
is asked of routers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import networkx
from measurement import TOPOGRAPH, Bench, Row, milliseconds, same
from processes import MIB, measure
from router_estates import RouterEstate, router_estate, write_routers

from topograph.facts.names import FactNames
from topograph.network import Network
from topograph.opening.models import model_of
from topograph.store.parquet import open_snapshot
from topograph.systems.fact_sources import FactList

ROUTERS, ADDRESSES = 100, 1_000
START = "R001"


def routers(bench: Bench) -> Iterator[Row]:
    """The import as a command; then questions of one open network, of which the first that
    follows a message reads the facts.
    """
    import topograph

    estate = router_estate(ROUTERS, ADDRESSES)
    files, place = bench.folder / "routers", bench.folder / "routers.snapshot"
    write_routers(estate, files)
    done = measure(
        [TOPOGRAPH, "import", str(files), "-o", str(place), "--neo4j", "none"], bench.environment
    )
    entries = ROUTERS * ADDRESSES
    yield Row(
        f"import, {ROUTERS} routers with {entries:,} address entries",
        "",
        milliseconds(done.seconds),
    )
    yield Row("the same, peak memory of all its processes", "", f"{done.peak / MIB:,.0f} MB")
    network = topograph.open(place, engine="memory")
    done = measure(
        [TOPOGRAPH, "show", "destinations", "-s", str(place), "--format", "jsonl"],
        bench.environment,
    )
    yield Row("show destinations as a command, as JSON lines", "", milliseconds(done.seconds))
    yield Row("the same, peak memory", "", f"{done.peak / MIB:,.0f} MB")
    far = _costs(estate)
    multicast, closest, balanced = (_address(estate, kind) for kind in range(3))
    waypoint = estate.addresses[0]

    seconds, answer = _clocked(lambda: network.propagate(START, f"address:{closest}"))
    nearest = min(far[router] for router, name in estate.receivers if name == closest)
    same("closest", sum(step.cost for step in answer.deliveries[0].steps), nearest)
    whole, all_read = _clocked(
        lambda: _with_all_facts(place).propagate(START, f"address:{closest}")
    )
    same("closest, all facts read", answer.to_dict(), all_read.to_dict())
    yield Row(
        "propagate, the first, which reads the facts of the address", "", milliseconds(seconds)
    )
    yield Row("the same answer where all facts are read", "", milliseconds(whole))
    seconds, answer = _clocked(lambda: network.propagate(START, f"address:{multicast}"))
    wanted = {router for router, name in estate.receivers if name == multicast}
    same("multicast", {entry.server for entry in answer.deliveries}, wanted)
    yield Row("propagate, multicast", "", milliseconds(seconds), "", "≤ 1 s", seconds <= 1)
    for title, ask in (
        ("propagate, balanced", lambda: network.propagate(START, f"address:{balanced}")),
        ("propagate, a waypoint", lambda: network.propagate(START, f"address:{waypoint}")),
        ("propagate, a link route", lambda: network.propagate(START, "address:archive1.x")),
        (
            "propagate, no receiver known: every router asked about",
            lambda: network.propagate(START, "address:other"),
        ),
        ("trace, a waypoint", lambda: network.trace(START, f"address:{waypoint}")),
        ("reach, the whole answer", lambda: network.reach(START)),
        ("hops between all routers", network.within(None).hops_matrix),
        ("cycles", network.cycles),
        ("impact, one router fails", lambda: network.impact(["server:R005"])),
        ("impact --sweep, every router and link", lambda: network.impact(sweep=True)),
        ("check", network.check),
        ("show destinations", lambda: network.show("destinations")),
    ):
        yield Row(title, "", milliseconds(_clocked(ask)[0]))


class _AllFacts(FactList):
    """Facts whose names do not say which entries a message can meet, so that all are read."""

    def names(self, kinds: Sequence[str] = ()) -> FactNames:
        found = super().names(kinds)
        return FactNames(
            found.count, found.bundles | {(bundle, "?") for bundle, _ in found.bundles}
        )


def _with_all_facts(place: Path) -> Network:
    kept = open_snapshot(place)
    (name,) = kept.networks
    model = model_of(kept, name)
    (part,) = model.parts
    part.source = _AllFacts(kept.facts(name))
    return Network(model)


def _address(estate: RouterEstate, kind: int) -> str:
    """The first address with receivers of one distribution (multicast, closest, balanced) that
    is no waypoint.
    """
    return next(
        name for place, name in enumerate(estate.addresses) if place % 3 == kind and place % 10
    )


def _costs(estate: RouterEstate) -> dict[str, int]:
    """The costs from the start by networkx."""
    graph: Any = networkx.Graph()
    graph.add_weighted_edges_from(estate.links)
    found: dict[str, int] = networkx.single_source_dijkstra_path_length(graph, START)
    return found


def _clocked(ask: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    answer = ask()
    return time.perf_counter() - began, answer
