"""The places of the snapshot that an import replaces: the start of the new one's pictures, so that
a change of the estate moves nobody.

Which servers are still there is decided when the first picture is drawn (``viz.layout.places``);
here only files are copied."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from topograph.store.names import MANIFEST, is_run, layout_file
from topograph.store.parquet import run_path


def keep_places(root: Path, run: Path, networks: Sequence[str], redaction: str) -> None:
    """Copy the layouts of the snapshot at ``root`` into a new run of it: that of a network to
    the one of the same name, and where there is one network before and after, to that one.
    Nothing is copied between snapshots that were not redacted with the same key, as servers may
    be called after hosts, nor where the manifest cannot be read: its schema does not matter.
    Linear in the files copied."""
    try:
        manifest = json.loads((root / MANIFEST).read_text("utf-8"))
        before = _numbers(manifest)
        earlier = run_path(root, str(manifest["run"]))
        same_key = str(manifest["options"].get("redact", "")) == redaction
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
    if not same_key or not is_run(earlier.name):
        return
    if len(before) == len(networks) == 1:
        before = dict.fromkeys(networks, 0)
    for number, name in enumerate(networks):
        # No picture was drawn of many snapshots; of others the folder can no longer be read.
        with contextlib.suppress(OSError):
            if name in before:
                shutil.copyfile(earlier / layout_file(before[name]), run / layout_file(number))


def _numbers(manifest: Mapping[str, Any]) -> dict[str, int]:
    """The networks of a manifest by name, each with its number there."""
    return {str(entry["name"]): number for number, entry in enumerate(manifest["networks"])}
