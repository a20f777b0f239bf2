"""Packages that only some commands need, and that a light install leaves out: which extra they
belong to, and what to type where one is missing.

A module that needs one imports it as any other. ``installed`` around such an import, and the
console entry for all of them, turn Python's ModuleNotFoundError into a NotInstalled that says what
installs it.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from topograph.errors import NotInstalled

EXTRAS: Mapping[str, tuple[str, str]] = {
    "pyspark": ("spark", "An import, which runs on Spark,"),
    "py4j": ("spark", "An import, which runs on Spark,"),
    "pyarrow": ("snapshot", "A snapshot"),
    "neo4j": ("neo4j", "Neo4j"),
    "pooch": ("neo4j", "The local Neo4j server"),
    "psutil": ("neo4j", "The local Neo4j server"),
    "filelock": ("neo4j", "The local Neo4j server"),
    "py2neo": ("py2neo", "A graph of py2neo"),
    "networkx": ("notebook", "A networkx graph"),
    "pandas": ("notebook", "A pandas table"),
    "pyvis": ("notebook", "A picture in a notebook"),
    "IPython": ("notebook", "A picture in a notebook"),
    "mcp": ("mcp", "The MCP server"),
}
"""By the name of a module: the extra of topograph that installs it, and what needs it."""


@contextmanager
def installed() -> Iterator[None]:
    """Raises NotInstalled for a ModuleNotFoundError about a package of an extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = not_installed(error)
        if missing is None:
            raise
        raise missing from error


def not_installed(error: ModuleNotFoundError) -> NotInstalled | None:
    """What to say of a module that is missing; None where it belongs to no extra, which is a fault
    of ours or of the install."""
    module = (error.name or "").partition(".")[0]
    if module not in EXTRAS:
        return None
    extra, needed_by = EXTRAS[module]
    return NotInstalled(
        f"{needed_by} needs {module}, which is not installed. To install it: {install_line(extra)}"
    )


def require(module: str) -> None:
    """Raises NotInstalled where a package of an extra cannot be found; nothing is imported."""
    if find_spec(module) is None and (missing := not_installed(ModuleNotFoundError(name=module))):
        raise missing


def install_line(extra: str) -> str:
    """The command that adds the packages of an extra to this very install, to be pasted into a
    shell: with what installed it (uv, pipx), else with pip."""
    packages = shlex.join(_packages(extra))
    place = Path(sys.prefix)
    if (place / "pipx_metadata.json").exists():
        return f"pipx inject topograph {packages}"
    if (place / "uv-receipt.toml").exists():
        return f"uv pip install --python {shlex.quote(sys.executable)} {packages}"
    return f"{shlex.quote(sys.executable)} -m pip install {packages}"


def _packages(extra: str) -> list[str]:
    """The requirements of an extra, as the installed topograph states them."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        stated = requires("topograph") or []
    except PackageNotFoundError:  # run out of a folder that was never installed
        stated = []
    found = []
    for line in stated:
        requirement, _, marker = line.partition(";")
        name = requirement.strip()
        if f'extra == "{extra}"' in marker.replace("'", '"') and not name.startswith("topograph"):
            found.append(name)
    return found or [name for name, (own, _) in EXTRAS.items() if own == extra]
