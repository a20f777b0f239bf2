"""The places of a snapshot are kept with it: all its pictures have the same ones, those of a
later topograph too.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import topograph
from topograph.store.layouts import layout_text, read_layout

pytestmark = pytest.mark.spark

EXAMPLES = Path(__file__).parents[2] / "examples"


def spots(network: topograph.Network) -> dict[str, tuple[float, float]]:
    return {server.name: (server.x, server.y) for server in network.scene().servers}


def test_the_first_picture_keeps_the_places_of_the_snapshot(importing, tmp_path: Path):
    output = tmp_path / "snapshot"
    importing([EXAMPLES / "estate"], output)
    first = topograph.open(output)
    assert not list(output.rglob("layout-*.json"))
    drawn = spots(first)
    (kept,) = output.rglob("layout-*.json")
    assert read_layout(kept) == drawn == spots(topograph.read(EXAMPLES / "estate"))

    # What another version of the layout had kept.
    moved = {name: (x + 7, y - 3) for name, (x, y) in drawn.items()}
    kept.write_text(layout_text(moved), encoding="utf-8")
    later = topograph.open(output)
    assert spots(later) == moved
    assert later.snapshot_id == first.snapshot_id
    answer = later.reach("CANADA", "MADRID")
    assert {server.name: (server.x, server.y) for server in later.scene(answer).servers} == moved


def test_an_import_of_other_files_into_the_snapshot_forgets_the_places(importing, tmp_path: Path):
    output = tmp_path / "snapshot"
    importing([EXAMPLES / "estate"], output)
    spots(topograph.open(output))
    importing([EXAMPLES / "orders"], output)
    assert spots(topograph.open(output)) == spots(topograph.read(EXAMPLES / "orders"))


def test_an_import_of_a_changed_estate_into_the_snapshot_moves_nobody(importing, tmp_path: Path):
    """LONDON, which holds the parts of the estate together, is shut down: nobody has to have
    saved places.
    """
    estate = tmp_path / "estate"
    shutil.copytree(EXAMPLES / "estate", estate)
    output = tmp_path / "snapshot"
    importing([estate], output)
    before = spots(topograph.open(output))
    shutil.rmtree(estate / "london")
    for file in estate.rglob("routes.conf"):
        file.write_text(re.sub(r"(?m)^\[LONDON\]\n([^\[].*\n)*", "", file.read_text()))
    importing([estate], output)
    assert spots(topograph.open(output)) == {
        name: spot for name, spot in before.items() if name != "LONDON"
    }
    assert spots(topograph.read(estate)) != {
        name: spot for name, spot in before.items() if name != "LONDON"
    }
