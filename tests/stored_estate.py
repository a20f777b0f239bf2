"""An estate for imports from storage, and what is compared of the snapshots."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any


def write_estate(folder: Path) -> Path:
    """Two servers, one of them in an archive, and what importing has rules for: hidden files and
    folders, names that Spark's own readers leave out, patterns, and a snapshot."""
    files = {
        "a/tibemsd.conf": "server = A\nrouting = enabled\nroutes = routes.conf\n",
        "a/routes.conf": "[ZIPPED]\nurl = tcp://zipped:7222\n",
        "_b/tibemsd.conf": "server = UNDER\nrouting = enabled\n",
        "sub/.hidden": "1",
        ".git/config": "x",
        "k=v/note b%20.txt": "a text",
        "large.txt": "x" * 100_000,
        ".topographignore": "*.bak\n",
        "a/old.bak": "server = X\n",
        "old/data/20260101T000000-aaaaaaaa/x.conf": "server = Y\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    with zipfile.ZipFile(folder / "dump.zip", "w") as archive:
        archive.writestr(
            "z/tibemsd.conf", "server = ZIPPED\nrouting = enabled\nroutes = routes.conf\n"
        )
        archive.writestr("z/routes.conf", "[A]\nurl = tcp://a:7222\n")
    return folder


def tables(snapshot: Path) -> dict[str, Any]:
    manifest = json.loads((snapshot / "manifest.json").read_text())
    return {name: (table["rows"], table["digest"]) for name, table in manifest["tables"].items()}
