"""Makes the code that derives from questions: the methods of ``topograph.Network`` that only ask
(``topograph/questions/methods.py``), and the stub of the answers.

``./dev derive`` writes them; a test compares them with what is committed.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from topograph.questions.question import Question
from topograph.questions.records import QUESTIONS

PACKAGE = Path(__file__).resolve().parents[1] / "topograph"
METHODS = PACKAGE / "questions" / "methods.py"
STUB = PACKAGE / "questions" / "answers" / "__init__.pyi"

WIDTH = 100

_HEAD = '''\
# Made by docs/make_question_code.py from the records and functions of questions: change those, and
# run it.
"""The questions of a network that are asked by a function alone: a method each."""

from __future__ import annotations

{imports}

class QuestionMethods:
    """What ``topograph.network.Network`` can be asked, but for what it writes itself."""

    _model: Model
'''

_METHOD = '''
    def {name}({takes}) -> {gives}:
        """{about}
        """
        from topograph.questions import {module}

        return {module}.{name}(self._model{passed})
'''


def methods() -> str:
    """The text of ``topograph/questions/methods.py``."""
    parts, imports = [], {"from topograph.questions.model import Model"}
    for question in QUESTIONS:
        if question.name not in _written_by_hand():
            text, needed = _method(question)
            parts.append(text)
            imports |= needed
    return _formatted(_HEAD.format(imports=_imports(imports)) + "".join(parts))


def stub() -> str:
    """The text of the stub of the answers: every public name of its modules."""
    lines = []
    for path in sorted(STUB.parent.glob("*.py")):
        if path.stem != "__init__":
            lines += [f"from .{path.stem} import {name} as {name}" for name in _public(path)]
    return "\n".join(lines) + "\n"


def _public(path: Path) -> list[str]:
    """The public classes and functions of a module: classes first, each by name."""
    found = [
        node
        for node in _parsed(path).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
    ]
    found.sort(key=lambda node: (isinstance(node, ast.FunctionDef), node.name))
    return [node.name for node in found]


def _written_by_hand() -> set[str]:
    """The methods of ``Network`` itself."""
    (network,) = [
        node
        for node in _parsed(PACKAGE / "network.py").body
        if isinstance(node, ast.ClassDef) and node.name == "Network"
    ]
    return {node.name for node in network.body if isinstance(node, ast.FunctionDef)}


def _method(question: Question) -> tuple[str, set[str]]:
    """The method that asks a question, and the imports that its types need."""
    module = question.module or question.name
    tree = _parsed(PACKAGE / "questions" / f"{module}.py")
    (function,) = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == question.name
    ]
    takes = function.args
    takes.args = [one for one in takes.args if one.arg not in ("model", "budget")]
    passed = [one.arg for one in takes.args] + [f"{one.arg}={one.arg}" for one in takes.kwonlyargs]
    said = f"{question.title}\n\n{ast.get_docstring(function) or ''}"
    takes.args.insert(0, ast.arg("self"))
    gives = function.returns
    assert gives is not None
    text = _METHOD.format(
        name=question.name,
        takes=ast.unparse(takes).replace("'", '"'),
        gives=ast.unparse(gives),
        about=_about(said),
        module=module,
        passed="".join(f", {one}" for one in passed),
    )
    annotated = [one.annotation for one in (*takes.args, *takes.kwonlyargs) if one.annotation]
    used = {
        node.id
        for part in (gives, *annotated)
        for node in ast.walk(part)
        if isinstance(node, ast.Name)
    }
    return text, set(_importing(tree, used))


def _importing(tree: ast.Module, used: set[str]) -> Iterator[str]:
    """The imports of a module that bind some names, one a name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                if name.name in used:
                    yield f"from {node.module} import {name.name}"


def _imports(lines: set[str]) -> str:
    """Imports as they stand in a module whose types alone need them."""
    modules: dict[str, list[str]] = {}
    for line in sorted(lines):
        _, module, _, name = line.split(" ")
        modules.setdefault(module, []).append(name)
    ours, others = [], []
    for module, names in sorted(modules.items()):
        line = f"from {module} import {', '.join(sorted(names))}"
        if len(line) > WIDTH - 4:
            line = "\n".join((f"from {module} import (", *(f"    {one}," for one in names), ")"))
        (ours if module.startswith("topograph") else others).append(line)
    typing = [line for line in others if line.startswith("from typing")]
    others = [line for line in others if line not in typing]
    checked = ", ".join(("TYPE_CHECKING", *sorted(modules.get("typing", ()))))
    blocks = ["\n".join(others)] if others else []
    blocks.append("\n".join(ours))
    inner = textwrap.indent("\n\n".join(blocks), "    ")
    return f"from typing import {checked}\n\nif TYPE_CHECKING:\n{inner}\n"


def _about(docstring: str) -> str:
    """A docstring that is filled anew, as the body of a method's."""
    parts = [" ".join(part.split()) for part in docstring.split("\n\n")]
    filled = [textwrap.fill(part, WIDTH - 8, break_long_words=False) for part in parts if part]
    return textwrap.indent("\n\n".join(filled), " " * 8).strip()


def _formatted(text: str) -> str:
    """The text as ``./dev lint`` wants it."""
    ruff = [str(Path(sys.executable).with_name("ruff")), "format", "--stdin-filename", str(METHODS)]
    return subprocess.run(
        [*ruff, "-"], input=text, capture_output=True, text=True, check=True
    ).stdout


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


if __name__ == "__main__":
    METHODS.write_text(methods(), "utf-8")
    STUB.write_text(stub(), "utf-8")
