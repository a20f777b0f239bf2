"""A system that a package from outside adds: its code travels to the workers, which know what this process knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from topograph.network import open_network, read, read_snapshot
from topograph.store.parquet import open_snapshot

pytestmark = pytest.mark.spark


def test_an_import_holds_and_answers_what_reading_in_one_process_does(
    relay: Path, importing: Any, tmp_path: Path
) -> None:
    report = importing([relay], tmp_path / "s")
    kept, here = open_snapshot(tmp_path / "s"), read_snapshot(relay)
    assert kept.id == here.id == report.snapshot
    assert sorted(map(repr, kept.facts("estate"))) == sorted(map(repr, here.facts("estate")))
    assert kept.manifest.options["systems"] == {"relay": "1.0"}
    asked, read_here = open_network(str(tmp_path / "s"), engine="memory"), read(relay)
    for name in read_here.server_names():
        assert asked.reach(name).to_dict() == read_here.reach(name).to_dict()
    assert asked.hops_matrix() == read_here.hops_matrix()
    assert asked.check() == read_here.check()
