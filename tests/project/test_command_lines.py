"""Every command line of the pages runs, in the order of its page, as a reader would type it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from store.git_repositories import with_a_history

from topograph.store.homes import home

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")])

_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_OWN = re.compile(r"(?:topograph|export) ")

# What a page expects to be there already, by what the examples have in its place.
STAND_INS = {"path/to/configuration": "examples/estate", "after.snapshot": "examples/estate"}
PLACES = (
    '{"format": "topograph-layout", "version": 1, "servers": {"HQ": [0, -120], "MADRID": '
    "[240, 35]}}"
)

VIOLATION = 1


def commands(page: Path) -> list[str]:
    """The lines of a page that call topograph, and the settings between them, without their
    remarks.
    """
    lines = [
        line for block in _BLOCK.findall(page.read_text("utf-8")) for line in block.splitlines()
    ]
    return [re.sub(r"\s{2,}#.*", "", line) for line in lines if _OWN.match(line)]


WITH_COMMANDS = [
    page for page in PAGES if any(line.startswith("topograph") for line in commands(page))
]


def test_pages_with_command_lines_are_found() -> None:
    assert {"README.md", "tutorial.md", "pictures.md", "estate.md", "retail.md"} <= {
        page.name for page in WITH_COMMANDS
    }


def test_no_command_stands_behind_another_word() -> None:
    """Such a line would not be run here."""
    hidden = [
        f"{page.name}: {line}"
        for page in PAGES
        for block in _BLOCK.findall(page.read_text("utf-8"))
        for line in block.splitlines()
        if re.search(r"(?:^|[;&|] *)topograph ", line) and not _OWN.match(line)
    ]
    assert hidden == []


def cache_of_its_own(folder: Path) -> Path:
    """A cache without readings, with all that was fetched into the user's."""
    there = home().cache
    (folder / there.name).mkdir(parents=True)
    for one in there.glob("neo4j-*"):
        (folder / there.name / one.name).symlink_to(one)
    return folder


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.neo4j
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_command_lines_of_a_page_run(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    # As the button "Save places" writes it.
    (tmp_path / "places.json").write_text(PLACES, "utf-8")
    if page.name == "history.md":
        with_a_history(tmp_path)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("TOPOGRAPH_")
    }
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    # A page that names no snapshot asks the one that its reader imported.
    environment["TOPOGRAPH_SNAPSHOT"] = "examples/estate"
    # A database of its own, and readings that are kept from command to command as at a reader's;
    # what was fetched once is not fetched again.
    environment |= {
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_CACHE_HOME": str(cache_of_its_own(tmp_path / "cache")),
    }
    started = any(line.startswith("topograph db start") for line in commands(page))
    try:
        for line in commands(page):
            for name, there in STAND_INS.items():
                line = line.replace(name, there)  # noqa: PLW2901
            if line.startswith("export "):
                name, _, value = line.removeprefix("export ").partition("=")
                environment[name] = value
                continue
            done = subprocess.run(
                ["sh", "-c", line],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode in (0, VIOLATION), f"{line}\n{done.stdout}{done.stderr}"
            assert "Error" not in done.stderr, f"{line}\n{done.stderr}"
    finally:
        if started:
            subprocess.run(["topograph", "db", "stop"], env=environment, cwd=tmp_path, check=False)
