"""The files that both revisions read: examples, recorded routers, small estates of the tests and
drawn ones. Written once, by the revision that the command runs in, so that a changed generator
changes nothing of the comparison."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]

NO_ESTATES = frozenset({"changes", "pipeline", "questions", "toy_system", "rabbitmq_system"})
"""Folders of ``examples`` that hold no configuration."""

DRAWN = 20
"""Estates drawn in each way of each system."""


def write(folder: Path, only: str = "") -> list[str]:
    """Write the estates whose name begins with ``only`` into ``folder``; their names, in order."""
    names = []
    for name, source in _estates():
        if not name.startswith(only):
            continue
        names.append(name)
        place = folder / name
        if isinstance(source, Path):
            shutil.copytree(source, place)
            continue
        for file, text in source.items():
            path = place / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return names


def _estates() -> Iterator[tuple[str, Path | Mapping[str, str]]]:
    for folder in sorted((ROOT / "examples").iterdir()):
        if folder.is_dir() and folder.name not in NO_ESTATES:
            yield f"examples/{folder.name}", folder
    for folder in sorted((ROOT / "tests" / "golden" / "amq_interconnect").iterdir()):
        if folder.is_dir():
            yield f"golden/{folder.name}", folder
    sys.path.insert(0, str(ROOT / "tests"))
    from answer_tables import cases
    from drawn.all_systems import DRAWN as WAYS
    from drawn.all_systems import drawn

    for table in sorted((ROOT / "tests" / "estates").glob("*/*.txt")):
        for case in cases(table):
            if case.kind in ("", "estate"):
                yield f"{table.parent.name}/{table.stem}-{case.number}", dict(case.files)
    for system, ways in WAYS.items():
        for way in ways:
            for number in range(DRAWN):
                yield f"drawn/{system}-{way}-{number}", drawn(system, way, number).files
