"""EMS estates from a few lines: ``estate({server: {file: text}})`` reads them as a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import topograph
from topograph.network import Network

Estate = Callable[..., Network]


@pytest.fixture
def estate(tmp_path: Path) -> Estate:
    """Write ``{folder: {file: text}}`` below one root and read it. A folder without
    ``tibemsd.conf`` gets one that names its files; the folder's name is the server's. ``root``
    files stand beside the folders."""

    def made(
        folders: Mapping[str, Mapping[str, str]], root: Mapping[str, str] | None = None
    ) -> Network:
        base = tmp_path / "estate"
        for folder, files in folders.items():
            place = base / folder
            place.mkdir(parents=True)
            for name, text in {"tibemsd.conf": main_file(folder, files), **files}.items():
                (place / name).write_text(text, encoding="utf-8")
        for name, text in (root or {}).items():
            (base / name).parent.mkdir(parents=True, exist_ok=True)
            (base / name).write_text(text, encoding="utf-8")
        return topograph.read(base)

    return made


def main_file(server: str, files: Mapping[str, str], *extra: str) -> str:
    kinds = {"acl.conf": "acl_list"}
    lines = [f"server = {server}", "routing = enabled", *extra]
    lines += [
        f"{kinds.get(name, name.removesuffix('.conf'))} = {name}"
        for name in files
        if name != "tibemsd.conf"
    ]
    return "\n".join(lines) + "\n"
