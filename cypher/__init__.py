"""Every Cypher statement, one a file, each with a header: what it answers, its parameters, the least server version.

``load(name)`` gives the statement of ``<name>.cypher`` (the schema's file holds several). Imports nothing of ours. Start at
``walk.cypher``, and at ``write_forwards.cypher`` for the shape of the data.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

if __name__ != "topograph.cypher":
    raise ImportError("import this package as topograph.cypher; under the name 'cypher' its modules would exist twice")


@cache
def load(name: str) -> str:
    """The statement of ``<name>.cypher``, without its header. Raises KeyError for an unknown name."""
    return "\n".join(line for line in _text(name).splitlines() if not line.startswith("//"))


def header(name: str) -> str:
    """The header of ``<name>.cypher``, without the comment marks. Raises KeyError for an unknown name."""
    lines = (line for line in _text(name).splitlines() if line.startswith("//"))
    return "\n".join(line.removeprefix("//").removeprefix(" ") for line in lines)


def names() -> tuple[str, ...]:
    """The names of all statements, in order."""
    found = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".cypher") for name in found if name.endswith(".cypher")))


def _text(name: str) -> str:
    if name not in names():
        raise KeyError(name)
    return files(__name__).joinpath(f"{name}.cypher").read_text(encoding="utf-8")
