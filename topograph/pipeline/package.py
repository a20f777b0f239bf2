"""The topograph package as one zip, which travels with a Spark job to workers that have no
topograph installed; and in the same way the packages that add systems."""

from __future__ import annotations

import zipfile
from importlib.util import find_spec
from pathlib import Path

from topograph import version

_SUFFIXES = frozenset({".py", ".lark", ".json", ".cypher", ".typed", ".html", ".yaml"})
"""What a worker may need: code, and the data files that code opens by ``importlib.resources``."""


def write_package(target: Path) -> Path:
    """Write the zip that ``addPyFile`` ships and return its path.

    Linked folders (``importers``, ``cypher``, ``viz``) are followed, so that the zip holds
    ``topograph/importers`` like an installed package. Entries are in a fixed order with a fixed
    date: equal packages make equal zips.
    """
    root = Path(version.__file__).parent
    return _write(
        target, "topograph", root, [file for file in _files(root) if file.suffix in _SUFFIXES]
    )


def write_added(target: Path, package: str) -> Path | None:
    """The same of the top-level package of ``package``, with all its files; None where it lies in
    no folder: workers must have it then.

    Raises ImportError where the package is not there.
    """
    name = package.partition(".")[0]
    spec = find_spec(name)
    if spec is None:
        raise ImportError(f"no package is called {name}")
    folders = [Path(place) for place in spec.submodule_search_locations or ()]
    if len(folders) != 1 or not folders[0].is_dir():
        return None
    return _write(target, name, folders[0], _files(folders[0]))


def _write(target: Path, name: str, root: Path, files: list[Path]) -> Path:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for file in files:
            entry = zipfile.ZipInfo(
                f"{name}/{file.relative_to(root).as_posix()}", (1980, 1, 1, 0, 0, 0)
            )
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.read_bytes())
    return target


def _files(folder: Path) -> list[Path]:
    """The files below a folder, links followed (``rglob`` does not), in name order."""
    found: list[Path] = []
    for entry in sorted(folder.iterdir()):
        if entry.is_dir():
            if entry.name != "__pycache__":
                found.extend(_files(entry))
        else:
            found.append(entry)
    return found
