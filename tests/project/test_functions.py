"""A reader holds a function as a whole: it has at most 80 lines, docstring included. What one may
decide is limited by ruff (C901).
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

MOST_LINES = 80

PARTS = ("topograph", "importers", "viz", "cypher")


def modules() -> list[Path]:
    return sorted(path for part in PARTS for path in (ROOT / part).rglob("*.py"))


def test_no_function_has_more_than_eighty_lines() -> None:
    too_long = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.name} has {lines} lines"
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or 0) - node.lineno + 1) > MOST_LINES
    ]
    assert too_long == []
