"""What README.md and the examples print below a command is what the command prints.

Such a block is marked ``console`` and begins with ``$ topograph``. The last line of an answer, with
the id of the snapshot, is left out.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "make_printed_outputs", ROOT / "docs" / "make_printed_outputs.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKER = _maker()
BLOCKS = [
    pytest.param(block, id=f"{page.stem}-{number}")
    for page in MAKER.PAGES
    for number, block in enumerate(MAKER.BLOCK.findall(page.read_text("utf-8")))
]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_command_prints_what_stands_below_it(block: str) -> None:
    command, _, expected = block.partition("\n")
    assert MAKER.printed(command) == (expected, "")
