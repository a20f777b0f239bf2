"""Imports from and to storage behind Hadoop's file systems, without a cloud: ``viewfs://`` shows
folders of this machine under names of its own, and only Hadoop knows which.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from stored_estate import tables, write_estate

from topograph.errors import InputError, UsageError
from topograph.pipeline import hadoop, stamps
from topograph.pipeline.stored_listing import list_stored
from topograph.pipeline.stored_output import sweep_stored
from topograph.store.listing import list_inputs
from topograph.store.parquet import open_snapshot

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

STORE = "viewfs://store"


@pytest.fixture
def store(spark: SparkSession, tmp_path: Path) -> Path:
    """The folder that is ``viewfs://store/`` in the shared session."""
    (tmp_path / "store").mkdir()
    configuration = spark.sparkContext._jsc.hadoopConfiguration()
    configuration.set("fs.viewfs.mounttable.store.linkFallback", (tmp_path / "store").as_uri())
    configuration.set("fs.viewfs.impl.disable.cache", "true")
    return tmp_path / "store"


@pytest.fixture
def files(spark: SparkSession, store: Path) -> Iterator[hadoop.HadoopFiles]:
    """Hadoop's file systems, asked in the Java of the shared session."""
    context = spark.sparkContext
    hadoop.use_driver(context._gateway, context._jsc.hadoopConfiguration())
    yield hadoop.files()
    hadoop.end_driver()


def test_an_import_from_and_to_storage_equals_a_local_one(
    importing: Callable[..., Any], store: Path, tmp_path: Path
) -> None:
    write_estate(store / "estate")
    here = importing([store / "estate"], tmp_path / "local")
    there = importing([f"{STORE}/estate"], f"{STORE}/snapshots/estate/")
    assert there.snapshot == here.snapshot
    assert (there.path, there.networks[0].root) == (f"{STORE}/snapshots/estate", f"{STORE}/estate")
    assert tables(store / "snapshots" / "estate") == tables(tmp_path / "local")
    shutil.copytree(store / "snapshots" / "estate", tmp_path / "copy")
    copy, local = open_snapshot(tmp_path / "copy"), open_snapshot(tmp_path / "local")
    assert copy.facts("estate") == local.facts("estate")
    assert copy.findings("estate") == local.findings("estate")
    assert copy.origin("estate").digests == local.origin("estate").digests


def test_the_listing_follows_the_rules_of_folders(files: hadoop.HadoopFiles, store: Path) -> None:
    write_estate(store / "estate")
    there, here = list_stored(files, f"{STORE}/estate"), list_inputs(store / "estate")
    assert [(file.path, file.size, file.member) for file in there.files] == [
        (file.path, file.size, file.member) for file in here.files
    ]
    assert there.findings == here.findings
    assert there.skipped == here.skipped
    one = list_stored(files, f"{STORE}/estate/a/tibemsd.conf")
    assert [file.path for file in one.files] == ["tibemsd.conf"]
    with pytest.raises(InputError, match="viewfs://store/none cannot be read: No such file"):
        list_stored(files, f"{STORE}/none")


def test_a_new_snapshot_takes_the_place_of_the_old_one(
    importing: Callable[..., Any], store: Path
) -> None:
    write_estate(store / "estate")
    snapshot = store / "snapshot"
    runs = []
    for server in ("A", "B"):
        (store / "estate" / "a" / "tibemsd.conf").write_text(f"server = {server}\n")
        importing([f"{STORE}/estate"], f"{STORE}/snapshot")
        runs.append(json.loads((snapshot / "manifest.json").read_text())["run"])
    # What was replaced stays for whoever still copies it, at least until the next import.
    assert sorted(path.name for path in (snapshot / "data").iterdir()) == sorted(runs)
    # An import that fails leaves all as it was.
    before = (snapshot / "manifest.json").read_text()
    (store / "nothing").mkdir()
    (store / "nothing" / "a.txt").write_text("a")
    with pytest.raises(InputError, match="viewfs://store/nothing holds 1 file, and none is"):
        importing([f"{STORE}/nothing"], f"{STORE}/snapshot")
    assert (snapshot / "manifest.json").read_text() == before
    assert sorted(path.name for path in (snapshot / "data").iterdir()) == sorted(runs)


def test_files_that_did_not_change_are_not_read_again_in_storage(
    importing: Callable[..., Any], store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = f"{STORE}/snapshot"

    def told(*paths: str, **options: Any) -> str:
        lines: list[str] = []
        importing(paths, snapshot, previous=snapshot, progress=lines.append, **options)
        return next(line for line in lines if line.startswith(("Comparing", "All files")))

    paths = [f"{STORE}/estate", f"{STORE}/other"]
    for path in ("estate", "other"):
        write_estate(store / path)
    with pytest.raises(UsageError, match="--previous does not go with viewfs: storage"):
        told(*paths)
    # As if this were a store that sets the times itself.
    monkeypatch.setattr(stamps, "_TIMED_BY_STORE", {"viewfs"})
    monkeypatch.setattr(stamps, "_SETTLED_IN_STORE", 0)
    assert told(*paths) == f"All files are read: {snapshot} is not a finished snapshot yet."
    before = tables(store / "snapshot")
    assert "2 of 2 networks unchanged" in told(*paths)
    assert tables(store / "snapshot") == before
    (store / "estate" / "a" / "routes.conf").write_text("[UNDER]\nurl = tcp://under:7222\n")
    read = files_read(monkeypatch)
    assert "1 of 2 networks unchanged" in told(*paths)
    # The bundle of the file, and what listing opens.
    assert {path.removeprefix(f"{STORE}/") for path in read if path.endswith("conf")} == {
        "estate/a/routes.conf",
        "estate/a/tibemsd.conf",
    }
    full = importing([store / "estate", store / "other"], tmp_path / "full")
    assert tables(store / "snapshot") == tables(tmp_path / "full")
    assert json.loads((store / "snapshot" / "manifest.json").read_text())["id"] == full.snapshot


def files_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files in storage whose content is read in this process from now on."""
    read: list[str] = []
    one = hadoop.HadoopFiles.read

    def noted(self: hadoop.HadoopFiles, place: str, *others: int) -> bytes:
        read.append(place)
        return one(self, place, *others)

    monkeypatch.setattr(hadoop.HadoopFiles, "read", noted)
    return read


def test_only_dead_runs_are_swept(files: hadoop.HadoopFiles, store: Path) -> None:
    data = store / "snapshot" / "data"
    for name in (
        "20200101T000000-00000000",
        "20200101T000000-11111111",
        "99990101T000000-00000000",
    ):
        (data / name).mkdir(parents=True)
    (data / "20200101T000000-00000000" / "x.parquet").write_text("x")
    swept = sweep_stored(f"{STORE}/snapshot", {"20200101T000000-11111111"})
    assert swept == ["20200101T000000-00000000"]
    assert sorted(path.name for path in data.iterdir()) == [
        "20200101T000000-11111111",
        "99990101T000000-00000000",
    ]


def test_a_folder_that_holds_something_else_is_refused(
    importing: Callable[..., Any], store: Path
) -> None:
    write_estate(store / "estate")
    with pytest.raises(InputError, match="viewfs://store/estate is not a snapshot: it holds other"):
        importing([f"{STORE}/estate"], f"{STORE}/estate")
    assert not list((store / "estate").rglob("*.parquet"))


def test_a_scheme_that_this_spark_does_not_know_names_what_to_add(
    importing: Callable[..., Any], tmp_path: Path
) -> None:
    for scheme, package in (("s3a", "hadoop-aws"), ("abfss", "hadoop-azure"), ("gs", "gcs-con")):
        with pytest.raises(UsageError, match=f"spark.jars.packages=.*{package}"):
            importing([f"{scheme}://bucket/estate"], tmp_path / "out")
    assert not (tmp_path / "out").exists()
