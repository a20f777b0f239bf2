"""Every Cypher statement, one a file, each with a header: its name, what it answers, its
parameters, the least server version.

``questions/`` holds what people ask in Neo4j Browser or with ``topograph cypher NAME``; ``walks/``
what the Neo4j engine runs; ``publishing/`` how snapshots are written, found and deleted.
``load(name)`` gives the statement of ``<name>.cypher`` in any of them (the schema's file holds
several). Imports nothing of ours. Start at ``questions/reach.cypher``, and at
``publishing/write_forwards.cypher`` for the shape of the data.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

if __name__ != "topograph.cypher":
    raise ImportError(
        "import this package as topograph.cypher; under the name 'cypher' its modules "
        "would exist twice"
    )

FOLDERS = ("publishing", "questions", "walks")
"""Where the statements are."""


@cache
def load(name: str) -> str:
    """The statement of ``<name>.cypher``, without its header. Raises KeyError for an unknown
    name.
    """
    return "\n".join(line for line in text(name).splitlines() if not line.startswith("//"))


def header(name: str) -> str:
    """The header of ``<name>.cypher``, without the comment marks. Raises KeyError for an unknown
    name.
    """
    lines = (line for line in text(name).splitlines() if line.startswith("//"))
    return "\n".join(line.removeprefix("//").removeprefix(" ") for line in lines)


def text(name: str) -> str:
    """The whole file of a statement, as Neo4j Browser takes it for a favourite. Raises KeyError
    for an unknown name.
    """
    return (
        files(__name__).joinpath(_folder_of()[name], f"{name}.cypher").read_text(encoding="utf-8")
    )


def names(folder: str = "") -> tuple[str, ...]:
    """The names of all statements, or of those in one of ``FOLDERS``, in order."""
    return tuple(sorted(name for name, own in _folder_of().items() if folder in ("", own)))


@cache
def _folder_of() -> dict[str, str]:
    """The folder of every statement. A name stands in one folder only."""
    found: dict[str, str] = {}
    for folder in FOLDERS:
        for entry in files(__name__).joinpath(folder).iterdir():
            name, dot, kind = entry.name.rpartition(".")
            if dot and kind == "cypher":
                if name in found:
                    raise ValueError(f"{name}.cypher is in {found[name]}/ and in {folder}/")
                found[name] = folder
    return found
