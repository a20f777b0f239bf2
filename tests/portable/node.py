"""The scripts of ``viz/page/engine`` in the JavaScript engine that playwright brings: many
questions, one process.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import playwright

NODE = Path(playwright.__file__).parent / "driver" / "node"
ENGINE = Path(str(resources.files("topograph.viz.page"))) / "engine"


def run(
    scripts: Sequence[str],
    body: str,
    given: Any,
    replace: Sequence[tuple[str, str]] = (),
    folder: Path = ENGINE,
) -> Any:
    """What the function body ``body`` returns for ``given`` (JSON, both ways), with ``scripts``
    of a folder (the engine's) before it. ``replace`` changes their text first, and each change
    has to change something."""
    text = "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in scripts)
    for old, new in replace:
        assert text.count(old) >= 1, old
        text = text.replace(old, new)
    program = (
        '"use strict";\nconst given = JSON.parse(require("fs").readFileSync(0, "utf8"));\n'
        f"const result = (() => {{\n{text}\n{body}\n}})();\n"
        "process.stdout.write(JSON.stringify(result, (_, value) => typeof value === "
        '"bigint" ? `${value}` : value));\n'
    )
    done = subprocess.run(
        [NODE, "-e", program],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    return json.loads(done.stdout)
