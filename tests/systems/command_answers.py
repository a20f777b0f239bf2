"""Tables of commands and the whole answer to each: what a system refuses, notes, takes away and
adds. A table is a text: ``[FILE]`` and its lines make an estate, ``@ SERVER`` says who is asked
from there on, ``> COMMAND`` is one command, and the lines below it are the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import topograph
from topograph.extensions import module
from topograph.findings import Source
from topograph.systems.contract.changes import Edit
from topograph.systems.contract.system import FactSource


@dataclass(frozen=True)
class Case:
    estate: tuple[tuple[str, str], ...]
    server: str
    command: str
    expected: tuple[str, ...]

    @property
    def id(self) -> str:
        return self.command


def cases(table: Path) -> list[Case]:
    return list(_cases(table.read_text(encoding="utf-8").splitlines()))


def _cases(lines: list[str]) -> Iterator[Case]:
    estate: dict[str, list[str]] = {}
    server, command, at_answers = "A", "", False
    into: list[str] = []
    for line in [*lines, "> "]:
        is_file = line.startswith("[") and line.endswith("].")
        if command and (is_file or line.startswith(("@ ", "> "))):
            files = tuple((name, "\n".join(text) + "\n") for name, text in estate.items())
            yield Case(files, server, command, tuple(one for one in into if one))
            command = ""
        if is_file:
            if at_answers:
                estate, at_answers = {}, False
            into = estate.setdefault(line[1:-2], [])
        elif line.startswith("@ "):
            server = line[2:]
        elif line.startswith("> "):
            command, into, at_answers = line[2:], [], True
        else:
            into.append(line)


@cache
def _facts(estate: tuple[tuple[str, str], ...], system: str) -> FactSource:
    with TemporaryDirectory() as folder:
        for name, text in estate:
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return topograph.read(Path(folder))._model.parts[0].facts_of(system)


def answer(case: Case, system: str) -> tuple[str, ...]:
    """One line each: the refusal, the notes, the facts that go and come."""
    return answered(_facts(case.estate, system), system, case.server, case.command)


def answered(facts: FactSource, system: str, server: str, text: str) -> tuple[str, ...]:
    """What ``answer`` says of a command that a server with some facts is given."""
    scripts, changes = module(system, "commands"), module(system, "changes")
    (command,) = scripts.read_script(text.encode(), "change").commands
    edit: Edit = changes.edit(facts, server, command)
    lines = []
    if edit.refused is not None:
        known = "undetermined" if edit.refused.undetermined else "refused"
        lines.append(
            f"{known} by {edit.refused.server} {edit.refused.rule}: {edit.refused.message}"
        )
    lines += [
        f"{note.severity} {note.kind} {note.server} {note.rule} {note.source}: {note.message}"
        for note in edit.notes
    ]
    for sign, changed in (("-", edit.change.removed), ("+", edit.change.added)):
        lines += [f"{sign} {fact.kind} {written(fact)}" for fact in changed]
    return tuple("\n".join(lines).splitlines())


def written(value: Any) -> str:
    """A value by its fields, those that have their default left out."""
    if isinstance(value, Source):
        return str(value)
    if is_dataclass(value):
        told = [
            f"{one.name}={written(getattr(value, one.name))}"
            for one in fields(value)
            if one.init
            and getattr(value, one.name)
            != (one.default_factory() if one.default_factory is not MISSING else one.default)
        ]
        return f"({' '.join(told)})"
    if isinstance(value, frozenset):
        return f"[{' '.join(sorted(map(written, value)))}]"
    if isinstance(value, (tuple, list)):
        return f"[{' '.join(map(written, value))}]"
    return str(value)
