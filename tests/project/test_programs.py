"""Programs are started in one place, which names the folder that they run in and clears their
search paths (``topograph.process.programs``); a process is forked in one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("topograph", "importers", "viz", "cypher")
ALLOWED = "topograph/process/programs.py"
FORKING = "topograph/process/forked.py"
STARTING = {
    "subprocess": {
        "Popen",
        "run",
        "call",
        "check_call",
        "check_output",
        "getoutput",
        "getstatusoutput",
    },
    "os": {"system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp"},
    "pty": {"spawn"},
    "asyncio": {"create_subprocess_exec", "create_subprocess_shell"},
}


def starts(tree: ast.AST) -> Iterator[str]:
    """What of a module starts a program: attributes of these modules, and names out of them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module, name = node.value.id, node.attr
            if name in STARTING.get(module, ()) or (
                module == "os" and name.startswith(("exec", "spawn"))
            ):
                yield f"{module}.{name}"
        if isinstance(node, ast.ImportFrom) and node.module in STARTING:
            yield from (
                f"{node.module}.{one.name}"
                for one in node.names
                if one.name in STARTING[node.module]
            )


def test_programs_are_started_in_one_place() -> None:
    files = {path.resolve() for part in PARTS for path in (ROOT / part).rglob("*.py")}
    found = {
        path.relative_to(ROOT).as_posix(): names
        for path in sorted(files)
        if (names := sorted(starts(ast.parse(path.read_text("utf-8")))))
    }
    assert found == {
        ALLOWED: ["subprocess.Popen", "subprocess.Popen", "subprocess.run"],
        FORKING: ["os.fork"],
    }
