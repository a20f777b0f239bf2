"""The form of tables of small inputs and what comes of each.

``@ KIND`` begins an entry (the kind may be empty), ``[FILE]`` and the lines behind ``|`` are a file
of it, and the lines behind ``>`` are what comes of the files. Behind ``~`` is a short digest of
what comes of the files with each of some small edits (``edited``); ``~ none``: it is not asked, as
the text is one that takes long.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    digests: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.system} {self.number} {self.kind}".rstrip()

    @property
    def may_be_edited(self) -> bool:
        return self.digests != ("none",)


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
        digests = tuple(word for line in lines if line.startswith("~") for word in line[1:].split())
        number, system = len(found) + 1, table.parent.name
        found.append(Case(number, system, kind.strip(), texts, expected, digests))
    return found


def entry(case: Case, answers: Iterable[str], digests: Iterable[str]) -> str:
    """An entry of a table, with what comes of its files now, as they are and edited."""
    lines = [f"@ {case.kind}".rstrip()]
    for name, text in case.files:
        lines += [f"[{name}]", *(f"|{line}" for line in text.split("\n"))]
    lines += (f">{answer}" for answer in answers)
    return "".join(f"{line}\n" for line in [*lines, f"~ {' '.join(digests)}".rstrip()])
