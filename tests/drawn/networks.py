"""What the tests of pictures share: examples read once, estates to measure on, and geometry."""

from __future__ import annotations

import importlib.util
import itertools
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

import topograph
from topograph.findings import Source
from topograph.forwarding.graph import Server
from topograph.forwarding.reached import LinkShown
from topograph.viz.scene.picture import EstateDrawn

ROOT = Path(__file__).resolve().parents[2]
Spot = tuple[float, float]


@cache
def example(name: str) -> topograph.Network:
    return topograph.read(ROOT / "examples" / name)


def read_files(folder: Path, files: Mapping[str, str]) -> topograph.Network:
    """The network of files by path, written into a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return topograph.read(folder)


@cache
def estates() -> ModuleType:
    """``benchmarks/estates.py``."""
    spec = importlib.util.spec_from_file_location(
        "benchmark_estates_for_pictures", ROOT / "benchmarks" / "estates.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def estate_of(names: Iterable[str], links: Iterable[LinkShown]) -> EstateDrawn:
    servers = [Server(name, "ems", True, Source(f"{name}/tibemsd.conf", 1)) for name in names]
    return EstateDrawn("made", "0" * 32, "memory", servers, list(links))


def route(
    a: str, b: str, zone: str = "WAN", kind: str = "mhop", configured_by: str = ""
) -> LinkShown:
    return LinkShown((a, b), zone, kind, configured_by or a, None, Source(f"{a}/routes.conf", 1))


def company(hubs: int) -> tuple[list[str], list[tuple[tuple[str, str], str]]]:
    """Names and links of the estate that speed is stated for."""
    made = estates().company(hubs)
    return sorted(made.servers), [((link.a, link.b), link.zone) for link in made.links]


def nearest(spots: Mapping[str, Spot]) -> float:
    """The smallest distance between two servers."""
    order = sorted(spots.values())
    best = math.inf
    for number, here in enumerate(order):
        for there in itertools.islice(order, number + 1, None):
            if there[0] - here[0] >= best:
                break
            best = min(best, math.dist(here, there))
    return best


def hull(spots: Iterable[Spot]) -> list[Spot]:
    """The convex hull, counter-clockwise (Andrew's monotone chain)."""
    order = sorted(set(spots))
    if len(order) < 3:
        return order

    def half(points: Sequence[Spot]) -> list[Spot]:
        chain: list[Spot] = []
        for point in points:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return [*half(order), *half(order[::-1])]


def inside(point: Spot, polygon: Sequence[Spot]) -> bool:
    return all(
        _turn(a, b, point) >= 0 for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    )


def overlap(first: Sequence[Spot], second: Sequence[Spot]) -> bool:
    """Whether two convex hulls share any area: no edge of either has the other wholly on its far
    side.
    """

    def apart(polygon: Sequence[Spot], other: Sequence[Spot]) -> bool:
        edges = zip(polygon, [*polygon[1:], polygon[0]], strict=True)
        return any(all(_turn(a, b, point) < 0 for point in other) for a, b in edges)

    return not (apart(first, second) or apart(second, first))


def _turn(a: Spot, b: Spot, c: Spot) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def distance(spot: Mapping[str, float], line: Sequence[Mapping[str, float]]) -> float:
    """From a place of a page to a line of straight parts, each place by its ``x`` and ``y``."""
    best = math.inf
    for a, b in itertools.pairwise(line):
        dx, dy = b["x"] - a["x"], b["y"] - a["y"]
        length = dx * dx + dy * dy
        t = (
            max(0.0, min(1.0, ((spot["x"] - a["x"]) * dx + (spot["y"] - a["y"]) * dy) / length))
            if length
            else 0.0
        )
        best = min(best, math.hypot(a["x"] + t * dx - spot["x"], a["y"] + t * dy - spot["y"]))
    return best
