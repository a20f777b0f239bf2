"""Whether a pair that a change separates is lost for certain, where a server without files may have
routes that no file shows (R20, R25).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import topograph
from topograph.questions.answers import AuditAnswer

Route = tuple[str, str, str, str]
"""A server, the other end, the zone and its type."""


def written(root: Path, routes: Sequence[Route], more: Mapping[str, str] | None = None) -> Path:
    """Servers A, B and C; C has a routed queue of Z, of which there are no files."""
    for name in "ABC":
        folder = root / name
        folder.mkdir(parents=True)
        own = [one for one in routes if one[0] == name]
        text = "".join(
            f"[{to}]\n  url = tcp://{to.lower()}:7222\n  zone_name = {zone}\n  zone_type = {kind}\n"
            for _, to, zone, kind in own
        )
        (folder / "routes.conf").write_text(text, encoding="utf-8")
        (folder / "queues.conf").write_text("q@Z\n" if name == "C" else "", encoding="utf-8")
        (folder / "tibemsd.conf").write_text(
            f"server = {name}\nlisten = tcp://{name.lower()}:7222\nrouting = enabled\n"
            f"queues = queues.conf\nroutes = routes.conf\n{(more or {}).get(name, '')}",
            encoding="utf-8",
        )
    return root


LINE = (("A", "B", "M", "mhop"), ("B", "C", "M", "mhop"))
RING = (*LINE, ("C", "A", "M", "mhop"))


def compared(tmp_path: Path, before: Sequence[Route], after: Sequence[Route]) -> AuditAnswer:
    return topograph.compare(
        written(tmp_path / "before", before), written(tmp_path / "after", after)
    )


def test_in_a_legal_network_without_a_new_link_it_is(tmp_path: Path) -> None:
    answer = compared(tmp_path, LINE, LINE[:1])
    assert ("A", "C") in answer.reach.lost
    assert answer.reach.undetermined == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(RING, LINE[:1], id="the network was not legal"),
        pytest.param(LINE, (("A", "B", "N", "mhop"),), id="another zone"),
        pytest.param(LINE, (("A", "B", "M", "1hop"),), id="another type of zone"),
    ],
)
def test_elsewhere_it_is_left_open_as_reach_leaves_it(
    before: Sequence[Route], after: Sequence[Route], tmp_path: Path
) -> None:
    answer = compared(tmp_path, before, after)
    assert ("A", "C") not in answer.reach.lost
    assert ("A", "C") in answer.reach.undetermined
    network = topograph.read(tmp_path / "after").within(None)
    assert [one.server for one in network.reach("A", "C").undetermined] == ["C"]


def test_of_a_server_that_does_not_route_it_is_certain(tmp_path: Path) -> None:
    before = written(tmp_path / "before", RING)
    after = written(tmp_path / "after", RING, {"C": "routing = disabled\n"})
    text = (after / "C" / "tibemsd.conf").read_text("utf-8").replace("routing = enabled\n", "")
    (after / "C" / "tibemsd.conf").write_text(text, encoding="utf-8")
    answer = topograph.compare(before, after)
    assert {("A", "C"), ("C", "A"), ("B", "C"), ("C", "B")} <= set(answer.reach.lost)
