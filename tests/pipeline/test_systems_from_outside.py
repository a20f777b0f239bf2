"""A system that a package from outside adds: its code travels to the workers, which know what
this process knows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from topograph import extensions
from topograph.errors import InputError
from topograph.network import open_network, read
from topograph.opening.folders import read_snapshot
from topograph.store.parquet import open_snapshot

pytestmark = pytest.mark.spark


def test_an_import_holds_and_answers_what_reading_in_one_process_does(
    relay: Path, importing: Any, tmp_path: Path
) -> None:
    report = importing([relay], tmp_path / "s")
    kept, here = open_snapshot(tmp_path / "s"), read_snapshot(relay)
    assert kept.id == here.id == report.snapshot
    assert [network.systems for network in report.networks] == [("relay",)]
    assert sorted(map(repr, kept.facts("estate"))) == sorted(map(repr, here.facts("estate")))
    assert kept.manifest.options["systems"] == {"relay": "1.0"}
    asked, read_here = open_network(str(tmp_path / "s"), engine="memory"), read(relay)
    for name in read_here.server_names():
        assert asked.reach(name).to_dict() == read_here.reach(name).to_dict()
    assert asked.hops_matrix() == read_here.hops_matrix()
    assert asked.check() == read_here.check()


def test_an_import_that_ends_before_any_work_leaves_what_it_sent_for_the_next(
    relay: Path, importing: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "packages" / f"beacon_{tmp_path.name}"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "importer.py").write_text("def recognise(path, data):\n    return None\n")
    monkeypatch.syspath_prepend(str(package.parent))
    extensions.register("beacon", package.name)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError):
        importing([tmp_path / "empty"], tmp_path / "s")
    assert importing([relay], tmp_path / "s").networks[0].servers == 4
