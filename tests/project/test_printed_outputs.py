"""What README.md and the examples print below a command is what the command prints.

Such a block is marked ``console`` and begins with ``$ topograph``. The last line of an answer, with the id of the snapshot, is left out.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "examples").glob("*.md")))
BLOCKS = [
    pytest.param(block, id=f"{page.stem}-{number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL))
]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_command_prints_what_stands_below_it(block: str) -> None:
    command, _, expected = block.partition("\n")
    name, *arguments = shlex.split(command.removeprefix("$ "))
    assert name == "topograph"
    done = subprocess.run(
        [sys.executable, "-m", "topograph", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert re.sub(r"\n+snapshot \w+ · .*\n\Z", "\n", done.stdout) == expected
