"""The cache of readings: what is kept answers as what was read, whatever happens to it
meanwhile.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest
from every_question import questions
from systems import two_systems

from topograph import extensions
from topograph.errors import UsageError
from topograph.network import network_of
from topograph.opening import folders as workspace
from topograph.opening.folders import open_folder, read_snapshot
from topograph.store import readings
from topograph.store.readings import KeptReading
from topograph.store.snapshot import MemorySnapshot
from topograph.store.whole_files import part_of

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
ESTATES = ["estate", "mhop-star", "orders", "routers", "two-1hop-zones"]


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the cache, which is empty."""
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TOPOGRAPH_CACHE_MB")
    monkeypatch.setattr(extensions, "_installed", {})  # what other tests searched for
    return tmp_path / "home" / "cache" / "readings"


@pytest.fixture
def estate(tmp_path: Path) -> Path:
    return Path(copytree(EXAMPLES / "estate", tmp_path / "estate"))


def entries(cache: Path) -> list[Path]:
    return sorted(cache.iterdir())


def tables(snapshot: MemorySnapshot | KeptReading, network: str) -> list[str]:
    """All that a snapshot holds of a network, in its order."""
    made = [
        [*each.servers, *each.points, *each.guards, *each.links, *each.forwards]
        for each in snapshot.graph_tables(network)
    ]
    records = [snapshot.facts(network), snapshot.findings(network), snapshot.files(network)]
    return [
        snapshot.id,
        repr(snapshot.side_inputs(network)),
        *(repr(row) for rows in (*made, *records) for row in rows),
    ]


@pytest.mark.parametrize(
    "example",
    [pytest.param(one, marks=pytest.mark.slow if one == "estate" else ()) for one in ESTATES],
)
@pytest.mark.usefixtures("cache")
def test_what_is_kept_holds_and_answers_what_was_read(example: str) -> None:
    read, kept = open_folder(EXAMPLES / example), open_folder(EXAMPLES / example)
    assert isinstance(read, MemorySnapshot)
    assert isinstance(kept, KeptReading)
    assert tables(kept, example) == tables(read, example)
    first, again = network_of(read, example), network_of(kept, example)
    asked = 0
    for label, ask in questions(first):
        assert ask(again).to_dict() == ask(first).to_dict(), label
        asked += 1
    assert asked > 20


@pytest.mark.usefixtures("cache")
def test_a_network_of_several_systems_is_kept_too(tmp_path: Path) -> None:
    folder = tmp_path / "both"
    two_systems.write(folder)
    read, kept = open_folder(folder), open_folder(folder)
    assert isinstance(kept, KeptReading)
    assert tables(kept, "both") == tables(read, "both")


@pytest.mark.usefixtures("cache")
def test_facts_are_chosen_as_in_any_snapshot() -> None:
    read, kept = open_folder(EXAMPLES / "routers"), open_folder(EXAMPLES / "routers")
    (system,) = {fact.system for fact in read.facts("routers")}
    names = {fact.label for fact in read.facts("routers")[::3]}
    server = read.facts("routers")[0].server
    chosen: list[Callable[[MemorySnapshot | KeptReading], object]] = [
        lambda s: s.facts("routers", kinds=("entity",), system=system),
        lambda s: s.facts("routers", kinds=("nothing",)),
        lambda s: s.facts("routers", server=server),
        lambda s: s.facts("routers", server=frozenset({server, "nobody"})),
        lambda s: s.facts("routers", names=names),
        lambda s: s.facts("routers", names=names, server=server),
        lambda s: s.facts("routers", names=()),
        lambda s: list(s.fact_stream("routers", kinds=("entity",))),
        lambda s: s.fact_names("routers"),
    ]
    for choose in chosen:
        assert choose(kept) == choose(read)
    # Once more, when all facts were asked for and are kept.
    assert kept.facts("routers") == kept.facts("routers") == read.facts("routers")
    for choose in chosen:
        assert choose(kept) == choose(read)


def test_a_folder_that_changes_is_read_anew_and_one_that_changes_back_is_not(
    cache: Path, estate: Path
) -> None:
    before = open_folder(estate)
    main = next(estate.rglob("tibemsd.conf"))
    text = main.read_bytes()
    status = main.stat()
    main.write_bytes(text.replace(b"\n", b"\n# a comment\n", 1))
    os.utime(main, ns=(status.st_atime_ns, status.st_mtime_ns))
    changed = open_folder(estate)
    assert isinstance(changed, MemorySnapshot)
    assert changed.id != before.id
    assert len(entries(cache)) == 2
    main.write_bytes(text)
    back = open_folder(estate)
    assert isinstance(back, KeptReading)
    assert back.id == before.id


@pytest.mark.usefixtures("cache")
def test_what_lies_beside_the_files_counts(estate: Path) -> None:
    open_folder(estate)
    (estate / ".hidden.conf").write_text("")
    assert isinstance(open_folder(estate), MemorySnapshot)
    with (estate / "large.conf").open("wb") as file:
        file.truncate(65 * 2**20)
    assert isinstance(open_folder(estate), MemorySnapshot)
    with (estate / "large.conf").open("wb") as file:
        file.truncate(66 * 2**20)  # the finding states the size
    assert isinstance(open_folder(estate), MemorySnapshot)
    (estate / "link").symlink_to(estate / "large.conf")
    assert isinstance(open_folder(estate), MemorySnapshot)
    assert isinstance(open_folder(estate), KeptReading)


@pytest.mark.usefixtures("cache")
def test_the_same_content_elsewhere_is_found_under_the_same_name_only(
    estate: Path, tmp_path: Path
) -> None:
    open_folder(estate)
    same = open_folder(copytree(estate, tmp_path / "elsewhere" / "estate"))
    assert isinstance(same, KeptReading)
    assert same.name == str(tmp_path / "elsewhere" / "estate")
    other = open_folder(copytree(estate, tmp_path / "other"))
    assert isinstance(other, MemorySnapshot)
    assert other.networks == ["other"]


@pytest.mark.usefixtures("cache")
def test_another_state_of_the_program_reads_anew(
    estate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_folder(estate)
    known = readings.tool()
    monkeypatch.setattr(readings, "tool", lambda: [*known, "changed"])
    assert isinstance(open_folder(estate), MemorySnapshot)


def test_the_program_is_told_apart_by_its_modules_and_by_what_is_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = readings.tool()
    assert readings.tool() == before
    (tmp_path / "barge-1.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert readings.tool() != before


def test_what_a_system_from_outside_may_have_read_is_not_kept(cache: Path, relay: Path) -> None:
    assert open_folder(relay).id == open_folder(relay).id
    open_folder(EXAMPLES / "orders")
    assert not cache.exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[:100],
        lambda data: data[:-500] + bytes([data[-500] ^ 1]) + data[-499:],
        lambda data: data + b"x",
        lambda data: bytes(len(data)),
    ],
)
def test_a_damaged_entry_is_read_anew(cache: Path, damage: Callable[[bytes], bytes]) -> None:
    whole = open_folder(EXAMPLES / "orders")
    (entry,) = entries(cache)
    entry.write_bytes(damage(entry.read_bytes()))
    read = open_folder(EXAMPLES / "orders")
    assert isinstance(read, MemorySnapshot)
    assert read.id == whole.id
    assert isinstance(open_folder(EXAMPLES / "orders"), KeptReading)


def test_an_entry_stays_readable_after_it_is_removed(cache: Path) -> None:
    open_folder(EXAMPLES / "orders")
    kept = open_folder(EXAMPLES / "orders")
    (entry,) = entries(cache)
    entry.unlink()
    assert tables(kept, "orders") == tables(read_snapshot(EXAMPLES / "orders"), "orders")


def test_the_cache_is_open_to_its_user_only(cache: Path) -> None:
    open_folder(EXAMPLES / "orders")
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    (entry,) = entries(cache)
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600
    cache.chmod(0o755)
    assert isinstance(open_folder(EXAMPLES / "orders"), KeptReading)
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700


def test_a_link_in_the_place_of_the_cache_is_not_followed(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    cache.parent.mkdir(parents=True)
    cache.symlink_to(tmp_path / "elsewhere")
    assert isinstance(open_folder(EXAMPLES / "orders"), MemorySnapshot)
    assert isinstance(open_folder(EXAMPLES / "orders"), MemorySnapshot)
    assert entries(tmp_path / "elsewhere") == []


def test_a_cache_that_cannot_be_written_is_no_failure(cache: Path) -> None:
    cache.parent.mkdir(parents=True)
    cache.write_text("a file in its place")
    assert isinstance(open_folder(EXAMPLES / "orders"), MemorySnapshot)
    assert cache.read_text() == "a file in its place"


def test_a_user_without_a_home_folder_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOPOGRAPH_CACHE_MB")
    monkeypatch.setenv("TOPOGRAPH_HOME", "~nobody-of-that-name/x")
    assert isinstance(open_folder(EXAMPLES / "orders"), MemorySnapshot)


def test_what_was_used_longest_ago_goes_first(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "_most_bytes", lambda: 2**40)
    sizes = []
    for number, example in enumerate(("orders", "routers", "mhop-star")):
        open_folder(EXAMPLES / example)
        (new,) = (entry for entry in entries(cache) if entry.stat().st_mtime > time.time() - 1_000)
        sizes.append(new.stat().st_size)
        os.utime(new, (time.time() - 10_000 + number,) * 2)
    assert isinstance(
        open_folder(EXAMPLES / "orders"), KeptReading
    )  # now routers is the one used longest ago
    (cache / ".left.part").write_text("")
    monkeypatch.setattr(readings, "_most_bytes", lambda: sum(sizes) + 1)
    with part_of(cache / "being-written", b"half") as writing:
        open_folder(EXAMPLES / "two-1hop-zones")
        assert not (cache / ".left.part").exists()
        assert writing.exists()
    monkeypatch.setattr(readings, "_most_bytes", lambda: 2**40)
    kept = [
        name
        for name in ("orders", "two-1hop-zones")
        if isinstance(open_folder(EXAMPLES / name), KeptReading)
    ]
    assert kept == ["orders", "two-1hop-zones"]
    assert isinstance(open_folder(EXAMPLES / "routers"), MemorySnapshot)


def test_the_bound_is_a_number_of_megabytes_and_0_turns_the_cache_off(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOPOGRAPH_CACHE_MB", "0")
    open_folder(EXAMPLES / "orders")
    assert not cache.exists()
    monkeypatch.setenv("TOPOGRAPH_CACHE_MB", "many")
    with pytest.raises(
        UsageError, match=r"Invalid TOPOGRAPH_CACHE_MB 'many'. Use a number of megabytes"
    ):
        open_folder(EXAMPLES / "orders")


@pytest.mark.slow
def test_processes_may_write_and_read_one_entry_at_a_time(cache: Path, estate: Path) -> None:
    code = (
        "import sys; from topograph.opening.folders import open_folder\nfor _ in range(5): "
        "print(open_folder(sys.argv[1]).id)"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(estate)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    deadline = time.monotonic() + 120
    while any(process.poll() is None for process in running) and time.monotonic() < deadline:
        for entry in cache.glob("*.reading"):
            entry.unlink(missing_ok=True)
        time.sleep(0.01)
    said = [process.communicate()[0].split() for process in running]
    assert said == [[read_snapshot(estate).id] * 5] * 4
    assert [process.returncode for process in running] == [0] * 4
    assert not list(cache.glob("*.part"))


@pytest.mark.usefixtures("cache")
def test_a_folder_that_is_too_large_is_refused_before_it_is_read(
    estate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "MOST_ENTRIES", 10)
    with pytest.raises(
        UsageError,
        match=r"holds more than 10 files and folders.*topograph import .*estate -o SNAPSHOT",
    ):
        open_folder(estate)
    monkeypatch.setattr(workspace, "MOST_ENTRIES", 1_000)
    monkeypatch.setattr(workspace, "MOST_BYTES", 2**20)
    (estate / "dump").write_bytes(b"#" * 2**20)
    with pytest.raises(
        UsageError, match=r"holds more than 1 MB, which is more than a question reads"
    ):
        open_folder(estate)
    assert read_snapshot(estate).id  # for a library there is no bound
