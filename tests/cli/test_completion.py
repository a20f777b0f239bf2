"""Completion: in a real shell where there is one, and row by row."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from cli.shells import Shell, available

from topograph.cli import completion
from topograph.cli.group import topograph
from topograph.opening.folders import read_snapshot
from topograph.pipeline.snapshot_writer import keep
from topograph.store.snapshot import MemorySnapshot

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the estate as topograph.snapshot, and one of two networks with odd names as
    ``odd names.snapshot``.
    """
    folder = tmp_path_factory.mktemp("completing")
    keep(read_snapshot(EXAMPLES / "estate"), folder / "topograph.snapshot")
    odd = folder / "sources" / "odd"
    for name in ("HQ 1", "HQ 2", "it's $HOME", "a;b", "Bé"):
        place = odd / name
        place.mkdir(parents=True)
        (place / "tibemsd.conf").write_text(f"server = {name}\ntopics = topics.conf\n")
        (place / "topics.conf").write_text("orders global\norders.eu global\n")
    read = read_snapshot(odd)
    orders = read_snapshot(EXAMPLES / "orders")
    keep(MemorySnapshot(read.id, "", {**read.data, **orders.data}), folder / "odd names.snapshot")
    return folder


@pytest.fixture
def _here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def rows(line: str, after: str = "", shell: str = "fish") -> list[str]:
    found = completion.answer(topograph, shell, {"COMP_LINE": line, "COMP_AFTER": after})
    return [row.split("\t")[1] for row in found]


COMPLETED = [
    ("topograph rea", ["reach"]),
    ("topograph reach M", ["MADRID", "MEXICO", "MIRROR"]),
    ("topograph hops HQ MA", ["MADRID"]),
    ("topograph paths HQ --max 3 MA", ["MADRID"]),
    ("topograph reach HQ --re", ["--reply"]),
    ("topograph reach HQ MADRID --expect ", ["reachable", "unreachable"]),
    ("topograph interests MEX", ["MEXICO"]),
    ("topograph show z", ["zones"]),
    ("topograph cypher rea", ["reach"]),
    ("topograph propagate HQ --destination ", ["queue:orders.archive", "topic:orders"]),
    ("topograph propagate HQ --destination=topic:o", ["--destination=topic:orders"]),
    ("topograph propagate HQ --subscriber USA", ["USA:", "USA-EAST:"]),
    ("topograph propagate HQ --subscriber USA:topic:o", ["USA:topic:orders"]),
    ("topograph reach -s top", ["topograph.snapshot"]),
    ("topograph reach -s 'odd names.snapshot' --network ", ["odd", "orders"]),
    ("topograph reach -s 'odd names.snapshot' --network orders M", ["Mexico"]),
    ("topograph reach -s odd\\ names.snapshot HQ", ["HQ 1", "HQ 2"]),
    ("topograph reach -s 'odd names.snapshot' \"HQ ", ["HQ 1", "HQ 2"]),
    ("topograph reach -s sources/odd HQ", ["HQ 1", "HQ 2"]),
    ("topograph reach -s sources/odd --network ", ["odd"]),
    ("topograph propagate HQ -s sources/odd --destination ", ["topic:orders", "topic:orders.eu"]),
    ("topograph reach -s", ["-s"]),
    ("topograph snapshots publish ", ["odd names.snapshot", "sources/", "topograph.snapshot"]),
]


@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize(("line", "offered"), COMPLETED, ids=[line for line, _ in COMPLETED])
def test_what_is_offered(line: str, offered: list[str]) -> None:
    assert rows(line) == offered


@pytest.mark.usefixtures("_here")
def test_the_snapshot_may_be_named_after_the_cursor() -> None:
    assert rows("topograph reach HQ", " -s 'odd names.snapshot' --network odd") == ["HQ 1", "HQ 2"]


@pytest.mark.usefixtures("_here")
def test_the_snapshot_of_the_environment_is_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOPOGRAPH_SNAPSHOT", str(folder / "odd names.snapshot"))
    assert rows("topograph reach C") == ["Canada"]


@pytest.mark.parametrize(
    "line",
    [
        "topograph reach M -s none.snapshot",
        "topograph reach -s none.snapshot M",
        "topograph reach -s /dev/null M",
        "topograph reach -s neo4j:0 M",
        "topograph nonsense M",
        "topograph reach --nonsense M",
        "topograph reach 'M",
        "topograph reach M\\",
        "topograph",
        "",
    ],
)
@pytest.mark.parametrize(
    "damage", ["", "{}", "{", '{"format": "topograph-snapshot", "tables": {"servers": 1}}']
)
def test_whatever_fails_nothing_is_said(
    line: str,
    damage: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "topograph.snapshot").mkdir()
    (tmp_path / "topograph.snapshot" / "manifest.json").write_text(damage)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["topograph"])
    environment = {"_TOPOGRAPH_COMPLETE": "bash_complete", "COMP_LINE": line, "COMP_REPLACED": ""}
    assert completion.run(topograph, environment) == 0
    assert completion.run(topograph, {"_TOPOGRAPH_COMPLETE": "bash_complete"}) == 0
    out, err = capfd.readouterr()
    assert err == ""
    assert not [row for row in out.splitlines() if row.split("\t")[1] in ("MADRID", "ADRID")]


def test_a_shell_that_is_not_known_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert completion.run(topograph, {"_TOPOGRAPH_COMPLETE": "tcsh_source"}) == 2
    assert (
        capsys.readouterr().err
        == "Error: _TOPOGRAPH_COMPLETE is one of bash_source, zsh_source, fish_source.\n"
    )


def _shell(name: str, folder: Path) -> Iterator[Shell]:
    if not available(name):
        pytest.skip(f"{name} is not installed")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with Shell(name, folder, {"PATH": path, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}) as shell:
        yield shell


@pytest.fixture(scope="module")
def bash(folder: Path) -> Iterator[Shell]:
    yield from _shell("bash", folder)


@pytest.fixture(scope="module")
def zsh(folder: Path) -> Iterator[Shell]:
    yield from _shell("zsh", folder)


def typed(lines: Sequence[tuple[str, str]], quick: Collection[str]) -> list[ParameterSet]:
    """Cases of lines; each starts topograph in a shell that is waited for, so that all but those
    in ``quick`` are slow.
    """
    return [
        pytest.param(line, after, id=line, marks=() if line in quick else pytest.mark.slow)
        for line, after in lines
    ]


QUICK = {
    "topograph reach MAD",
    "topograph propagate HQ --subscriber MADRID:topic:ord",
    "topograph reach -s odd\\ names.snapshot HQ\\ 1",
}
"""Lines with nothing to quote, with colons, which bash takes for the ends of words, and with
blanks.
"""

TYPED = [
    ("topograph rea", "topograph reach "),
    ("topograph reach MAD", "topograph reach MADRID "),
    ("topograph reach 'MAD", "topograph reach 'MADRID' "),
    (
        "topograph propagate HQ --destination topic:",
        "topograph propagate HQ --destination topic:orders ",
    ),
    (
        "topograph propagate HQ --destination topic:ord",
        "topograph propagate HQ --destination topic:orders ",
    ),
    (
        "topograph propagate HQ --destination=topic:ord",
        "topograph propagate HQ --destination=topic:orders ",
    ),
    (
        'topograph propagate HQ --destination "topic:ord',
        'topograph propagate HQ --destination "topic:orders" ',
    ),
    ("topograph propagate HQ --subscriber MAD", "topograph propagate HQ --subscriber MADRID:"),
    (
        "topograph propagate HQ --subscriber MADRID:",
        "topograph propagate HQ --subscriber MADRID:topic:",
    ),
    (
        "topograph propagate HQ --subscriber MADRID:topic:ord",
        "topograph propagate HQ --subscriber MADRID:topic:orders ",
    ),
    ("topograph reach -s odd", "topograph reach -s odd\\ names.snapshot "),
    (
        "topograph reach -s odd\\ names.snapshot --network odd H",
        "topograph reach -s odd\\ names.snapshot --network odd HQ\\ ",
    ),
    (
        "topograph reach -s odd\\ names.snapshot HQ\\ 1",
        "topograph reach -s odd\\ names.snapshot HQ\\ 1 ",
    ),
    (
        "topograph reach -s 'odd names.snapshot' \"it",
        "topograph reach -s 'odd names.snapshot' \"it's \\$HOME\" ",
    ),
    (
        "topograph reach -s 'odd names.snapshot' it",
        "topograph reach -s 'odd names.snapshot' it\\'s\\ \\$HOME ",
    ),
    ("topograph reach -s 'odd names.snapshot' a", "topograph reach -s 'odd names.snapshot' a\\;b "),
    ("topograph reach -s 'odd names.snapshot' B", "topograph reach -s 'odd names.snapshot' Bé "),
    ("topograph reach -s none.snapshot M", "topograph reach -s none.snapshot M"),
    ("cd . && topograph reach MAD", "cd . && topograph reach MADRID "),
]


@pytest.mark.parametrize(("line", "after"), typed(TYPED, QUICK))
def test_a_tab_in_bash(bash: Shell, line: str, after: str) -> None:
    assert bash.complete(line) == after


@pytest.mark.slow
def test_two_tabs_in_bash_list_the_servers(bash: Shell) -> None:
    assert {"MADRID", "MEXICO", "MIRROR"} <= set(bash.listed("topograph reach M").split())


IN_ZSH = [
    ("topograph rea", "topograph reach "),
    ("topograph reach MAD", "topograph reach MADRID "),
    (
        "topograph propagate HQ --destination topic:ord",
        "topograph propagate HQ --destination topic:orders ",
    ),
    ("topograph propagate HQ --subscriber MAD", "topograph propagate HQ --subscriber MADRID:"),
    (
        "topograph propagate HQ --subscriber MADRID:topic:ord",
        "topograph propagate HQ --subscriber MADRID:topic:orders ",
    ),
    ("topograph reach -s odd", "topograph reach -s odd\\ names.snapshot "),
    (
        "topograph reach -s odd\\ names.snapshot it",
        "topograph reach -s odd\\ names.snapshot it\\'s\\ \\$HOME ",
    ),
    ("topograph reach -s none.snapshot M", "topograph reach -s none.snapshot M"),
]


@pytest.mark.parametrize(("line", "after"), typed(IN_ZSH, QUICK))
def test_a_tab_in_zsh(zsh: Shell, line: str, after: str) -> None:
    assert zsh.complete(line) == after


IN_FISH = [
    ("topograph rea", ["reach\tWhich servers does a server reach, and over which path?"]),
    ("topograph reach MAD", ["MADRID"]),
    ("topograph propagate HQ --subscriber MADRID:topic:ord", ["MADRID:topic:orders"]),
    ("topograph reach -s 'odd names.snapshot' it", ["it's $HOME"]),
    ("topograph reach -s none.snapshot M", []),
]


@pytest.mark.parametrize(("line", "offered"), IN_FISH, ids=[line for line, _ in IN_FISH])
def test_what_fish_offers(folder: Path, line: str, offered: list[str]) -> None:
    """fish says itself what it would offer for a line."""
    if not available("fish"):
        pytest.skip("fish is not installed")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    program = "_TOPOGRAPH_COMPLETE=fish_source topograph | source; complete --do-complete $argv[1]"
    done = subprocess.run(
        ["fish", "--no-config", "-c", program, line],
        cwd=folder,
        env={"PATH": path, "LC_ALL": "C.UTF-8", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout.splitlines(), done.stderr) == (offered, "")
