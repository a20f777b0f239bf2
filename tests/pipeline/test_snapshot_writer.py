"""A snapshot kept without Spark answers like the one in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph
from topograph.errors import InputError
from topograph.opening.folders import read_snapshot
from topograph.pipeline.snapshot_writer import keep
from topograph.store.parquet import open_snapshot

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize("name", ["estate", "routers"])
def test_what_is_kept_gives_the_same_answers(name: str, tmp_path: Path) -> None:
    keep(read_snapshot(EXAMPLES / name), tmp_path / "kept")
    kept, read = topograph.open(tmp_path / "kept", engine="memory"), topograph.read(EXAMPLES / name)
    start = read.server_names()[0]
    for network in (kept, read):
        assert network.server_names() == read.server_names()
    assert kept.reach(start).to_dict() == read.reach(start).to_dict()
    assert kept.cycles().to_dict() == read.cycles().to_dict()
    assert kept.check().to_dict() == read.check().to_dict()
    assert kept.show("files").to_dict() == read.show("files").to_dict()


def test_every_table_that_a_question_reads_is_kept(tmp_path: Path) -> None:
    snapshot = read_snapshot(EXAMPLES / "estate")
    keep(snapshot, tmp_path / "kept")
    kept = open_snapshot(tmp_path / "kept")
    assert (kept.id, list(kept.networks), kept.redaction) == (snapshot.id, ["estate"], "")
    assert sorted(map(repr, kept.facts("estate"))) == sorted(map(repr, snapshot.facts("estate")))
    assert kept.side_inputs("estate") == snapshot.side_inputs("estate")


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("")
    with pytest.raises(InputError, match=r"holds other files \(mine.txt\)"):
        keep(read_snapshot(EXAMPLES / "orders"), tmp_path)
