"""The stub of ``topograph.questions.answers`` names the public records of its modules: type
checkers and the lazy imports both read it.
"""

from __future__ import annotations

import ast
from pathlib import Path

from topograph.questions import answers

FOLDER = Path(answers.__file__).parent


def _public_classes(module: Path) -> set[str]:
    body = ast.parse(module.read_text("utf-8")).body
    names = {node.name for node in body if isinstance(node, ast.ClassDef)}
    return {name for name in names if not name.startswith("_")}


def test_the_stub_lists_every_public_record_once_from_its_own_module():
    tree = ast.parse((FOLDER / "__init__.pyi").read_text("utf-8"))
    listed = [
        (alias.name, node.module)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    defined = {
        (name, module.stem)
        for module in FOLDER.glob("*.py")
        if module.stem != "__init__"
        for name in _public_classes(module)
    }
    assert len({name for name, _ in listed}) == len(listed)
    assert defined <= set(listed)


def test_every_name_of_the_stub_can_be_imported():
    assert {name for name in answers.__all__ if not hasattr(answers, name)} == set()
