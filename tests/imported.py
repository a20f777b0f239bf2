"""Examples imported into a snapshot by the command, as a user does it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def import_examples(names: Sequence[str], folder: Path) -> Path:
    """A snapshot in ``folder`` with a network for each example. Starts Spark."""
    snapshot = folder / "examples.snapshot"
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "topograph", "import"),
            *(str(EXAMPLES / name) for name in names),
            *("-o", str(snapshot), "--neo4j", "none"),
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TOPOGRAPH_HOME": str(folder / "home")},
    )
    assert ended.returncode == 0, ended.stderr
    return snapshot
