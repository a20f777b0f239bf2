"""The map of docs/architecture.md names files and functions that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text("utf-8")
PLACES = ["topograph", "importers", "viz", "cypher", "tests", "benchmarks", "examples", "docs"]
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for place in PLACES
    for path in (ROOT / place).rglob("*")
    if path.is_file() and "node_modules" not in path.parts
)
SYSTEMS = ("ems", "amq_interconnect", "ibm_mq", "sibus", "mqe")


def _found(named: str) -> list[str]:
    """The files that a path in the text may mean: all that end with it. SYSTEM stands for each."""
    if "SYSTEM" in named:
        return [file for system in SYSTEMS for file in _found(named.replace("SYSTEM", system))]
    return [file for file in FILES if f"/{file}".endswith(f"/{named.removeprefix('topograph/')}")]


def test_every_file_that_the_map_names_is_there():
    named = re.findall(r"`([\w./]+\.(?:py|js))\b", TEXT)
    assert named
    assert [name for name in named if not _found(name)] == []


def test_every_folder_that_the_map_names_is_there():
    named = re.findall(r"`((?:[\w.]+/)+)`", TEXT)
    folders = {f"/{parent}/" for file in FILES for parent in _parents(file)}
    gone = [
        name
        for name in named
        if "SYSTEM" not in name
        and not any(folder.endswith(f"/{name.removeprefix('topograph/')}") for folder in folders)
        and name != "topograph/"
    ]
    assert gone == []


def test_every_function_that_the_map_names_stands_in_its_file():
    for name, function in re.findall(r"`([\w./]+\.py): (\w+)(?:\.\w+)?[`(]", TEXT):
        texts = [(ROOT / file).read_text("utf-8") for file in _found(name)]
        assert any(re.search(rf"\b(?:def|class) {function}\b", text) for text in texts), (
            f"{name} has no {function}"
        )


def _parents(file: str) -> list[str]:
    parts = file.split("/")[:-1]
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
