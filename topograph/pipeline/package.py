"""The topograph package as one zip, which travels with a Spark job to workers that have no topograph installed."""

from __future__ import annotations

import zipfile
from pathlib import Path

import topograph

_SUFFIXES = frozenset({".py", ".lark", ".json", ".cypher", ".typed", ".html", ".yaml"})
"""What a worker may need: code, and the data files that code opens by ``importlib.resources``."""


def write_package(target: Path) -> Path:
    """Write the zip that ``addPyFile`` ships and return its path.

    Linked folders (``importers``, ``cypher``, ``viz``) are followed, so that the zip holds ``topograph/importers`` like an installed
    package. Entries are in a fixed order with a fixed date: equal packages make equal zips.
    """
    root = Path(topograph.__file__).parent
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for file in _files(root):
            entry = zipfile.ZipInfo(f"topograph/{file.relative_to(root).as_posix()}", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.read_bytes())
    return target


def _files(folder: Path) -> list[Path]:
    """The package's files below a folder, links followed (``rglob`` does not), in name order."""
    found: list[Path] = []
    for entry in sorted(folder.iterdir()):
        if entry.is_dir():
            if entry.name != "__pycache__":
                found.extend(_files(entry))
        elif entry.suffix in _SUFFIXES:
            found.append(entry)
    return found
