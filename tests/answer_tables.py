"""The form of tables of small inputs and what comes of each.

``@ KIND`` begins an entry (the kind may be empty), ``[FILE]`` and the lines behind ``|`` are a file
of it, and the lines behind ``>`` are what comes of the files.
``tests/estates`` has inputs in the same form, and nothing of what comes of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Case:
    """``number`` is the place in the table, from 1; ``system`` the folder that the table is in."""

    number: int
    system: str
    kind: str
    files: tuple[tuple[str, str], ...]
    expected: tuple[str, ...]

    @property
    def id(self) -> str:
        return f"{self.system} {self.number} {self.kind}".rstrip()


def cases(table: Path) -> list[Case]:
    """The entries of a table."""
    found: list[Case] = []
    for entry in f"\n{table.read_text(encoding='utf-8')}".split("\n@")[1:]:
        kind, *lines = entry.split("\n")
        files: dict[str, list[str]] = {}
        for line in lines:
            if line.startswith("["):
                into = files.setdefault(line[1:-1], [])
            elif line.startswith("|"):
                into.append(line[1:])
        texts = tuple((name, "\n".join(text)) for name, text in files.items())
        expected = tuple(line[1:] for line in lines if line.startswith(">"))
        number = len(found) + 1
        system = table.parent.name if table.stem.endswith("answers") else table.stem
        found.append(Case(number, system, kind.strip(), texts, expected))
    return found
