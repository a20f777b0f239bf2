"""Modules of pages in the JavaScript engine that playwright brings: many questions, one process."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import playwright

NODE = Path(playwright.__file__).parent / "driver" / "node"
ENGINE = Path(str(resources.files("topograph.viz.page"))) / "engine"

_PROGRAM = """
const { modules, body, given } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
Promise.all(modules.map((address) => import(address))).then((loaded) => {
  const names = Object.assign({}, ...loaded);
  const run = new Function("given", ...Object.keys(names), `"use strict";\n${body}`);
  const result = run(given, ...Object.values(names));
  const exact = (_, value) => (typeof value === "bigint" ? `${value}` : value);
  process.stdout.write(JSON.stringify(result, exact));
});
"""


def run(
    modules: Sequence[str],
    body: str,
    given: Any,
    replace: Sequence[tuple[str, str]] = (),
    folder: Path = ENGINE,
) -> Any:
    """What the function body ``body`` returns for ``given`` (JSON, both ways), which sees what
    the ``modules`` of a folder (the engine's) export. ``replace`` changes their text first, and
    each change has to change something.
    """
    with tempfile.TemporaryDirectory() as changed:
        if replace:
            folder = Path(shutil.copytree(folder, changed, dirs_exist_ok=True))
            texts = {name: (folder / f"{name}.js").read_text(encoding="utf-8") for name in modules}
            for old, new in replace:
                assert any(old in text for text in texts.values()), old
                texts = {name: text.replace(old, new) for name, text in texts.items()}
            for name, text in texts.items():
                (folder / f"{name}.js").write_text(text, encoding="utf-8")
        done = subprocess.run(
            [NODE, "-e", _PROGRAM],
            input=json.dumps(
                {
                    "modules": [(folder / f"{name}.js").resolve().as_uri() for name in modules],
                    "body": body,
                    "given": given,
                }
            ),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert done.returncode == 0, done.stderr[-3_000:]
    return json.loads(done.stdout)
