"""Parallel links between two routers fail one by one (T-11): what each failure does is what the
files without that connector say.
"""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from systems.amq_interconnect.bearings import section
from systems.amq_interconnect.configured import router

import topograph
from topograph.errors import UsageError
from topograph.network import Network


class Drawn:
    """Routers in a tree with further links, some of them parallel; each connector has a name."""

    def __init__(self, number: int) -> None:
        draw = random.Random(number)
        self.names = [f"R{one}" for one in range(draw.randint(2, 4))]
        self.connectors: dict[str, tuple[str, str, int]] = {}
        for place, name in enumerate(self.names[1:], start=1):
            for other in draw.sample(self.names[:place], draw.randint(1, place)):
                for _ in range(draw.choice((1, 1, 2, 3))):
                    one = f"c{len(self.connectors)}"
                    self.connectors[one] = name, other, draw.randint(1, 4)

    def parallel(self) -> dict[str, list[str]]:
        """The connectors that have others beside them, each with those."""
        return {
            one: beside
            for one, (a, b, _) in self.connectors.items()
            if (
                beside := [
                    other
                    for other, link in self.connectors.items()
                    if other != one and link[:2] == (a, b)
                ]
            )
        }

    def read(self, folder: Path, without: str = "") -> Network:
        folder.mkdir()
        for name in self.names:
            text = router(name, f"listener {name.lower()}:1 inter-router")
            for one, (here, there, cost) in self.connectors.items():
                if here == name and one != without:
                    host = {"host": there.lower(), "port": 1, "role": "inter-router"}
                    text += section("connector", name=one, **host, cost=cost)
            (folder / f"{name}.conf").write_text(text)
        return topograph.read(folder).within(None)

    def paths(self, network: Network) -> dict[tuple[str, str], tuple[tuple[str, ...], int | None]]:
        pairs = itertools.permutations(self.names, 2)
        found = {(a, b): network.hops(a, b) for a, b in pairs}
        return {pair: (one.path, one.cost) for pair, one in found.items()}


@pytest.mark.parametrize("number", range(25))
def test_one_of_parallel_links_fails_as_if_its_connector_were_not_there(
    number: int, tmp_path: Path
) -> None:
    drawn = Drawn(number)
    network = drawn.read(tmp_path / "all")
    before = drawn.paths(network)
    swept = {row.failed: row for row in network.impact(sweep=True).failures}
    for place, (one, beside) in enumerate(drawn.parallel().items()):
        label = f"connector:{drawn.connectors[one][0]}:{one}"
        answer = network.impact([label])
        after = drawn.paths(drawn.read(tmp_path / str(place), without=one))
        moved = {(each.from_, each.to): (each.after, each.cost_after) for each in answer.rerouted}
        assert answer.lost == ()
        assert moved == {pair: way for pair, way in after.items() if way != before[pair]}
        assert (swept[label].lost, swept[label].rerouted) == (0, len(moved))
        (note,) = [each.message for each in answer.warnings if each.rule == "T-11"]
        assert all(f":{other} (cost {drawn.connectors[other][2]})" in note for other in beside)
        assert note.endswith("stay" if len(beside) > 1 else "stays")


@pytest.mark.parametrize("number", range(25))
def test_a_sweep_has_a_row_for_each_link(number: int, tmp_path: Path) -> None:
    drawn = Drawn(number)
    rows = [row.failed for row in drawn.read(tmp_path / "all").impact(sweep=True).failures]
    parallel = drawn.parallel()
    single = {
        f"route:{'-'.join(sorted((a, b)))}"
        for one, (a, b, _) in drawn.connectors.items()
        if one not in parallel
    }
    of_connectors = {f"connector:{drawn.connectors[one][0]}:{one}" for one in parallel}
    assert set(rows) == single | of_connectors | {f"server:{one}" for one in drawn.names}
    assert len(rows) == len(set(rows))


def two_links(folder: Path, second: str = "two") -> Network:
    link = {"host": "a", "port": 1, "role": "inter-router"}
    (folder / "a.conf").write_text(router("A", "listener a:1 inter-router"))
    (folder / "b.conf").write_text(
        router("B")
        + section("connector", name="one", **link, cost=2)
        + section("connector", name=second, **link, cost=7)
    )
    return topograph.read(folder).within(None)


def test_a_route_of_several_links_fails_whole_and_says_so(tmp_path: Path) -> None:
    answer = two_links(tmp_path).impact(["route:A-B"])
    assert len(answer.lost) == 2
    assert [one.message for one in answer.warnings if one.rule == "T-11"] == [
        "route:A-B is 2 parallel links, and all of them fail; one alone is connector:B:one or "
        "connector:B:two"
    ]


def test_all_parallel_links_together_are_the_route(tmp_path: Path) -> None:
    network = two_links(tmp_path)
    answer = network.impact(["connector:one", "connector:two"])
    assert answer.lost == network.impact(["route:A-B"]).lost
    assert [one for one in answer.warnings if one.rule == "T-11"] == []


def test_a_link_that_is_not_there_is_answered_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Did you mean connector:B:one"):
        two_links(tmp_path).impact(["connector:B:on"])


def test_no_single_link_separates_routers_with_two(tmp_path: Path) -> None:
    network = two_links(tmp_path)
    assert not any(
        row.lost for row in network.impact(sweep=True).failures if "server" not in row.failed
    )
