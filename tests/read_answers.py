"""Tables of small inputs and the whole of what is read from each: every fact with its fields and
place, every finding, what became of each file.

A table is a text. ``@ KIND`` begins an input: ``estate`` (any files), ``file`` (one file of EMS or
AMQ Interconnect, called by what it is) or ``script`` (of a change). ``[FILE]`` and the lines behind
``|`` are a file, the lines behind ``>`` what is read.

The inputs are those of the other tests that together run each way through the importers, most of
them twice. Those tests say by which rule an input is read as it is; these, that nothing else of it
changes. ``python -m read_answers`` in ``tests`` writes what is read now: look at each
difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from systems.command_answers import written

from topograph.extensions import module
from topograph.findings import Finding
from topograph.importers import amq_interconnect, ems
from topograph.importers.plan import plan, read_bundle, recognise
from topograph.importers.reading import Options
from topograph.inputs import side_inputs_for

FOLDER = Path(__file__).parent / "importers"
TABLES = sorted(FOLDER.glob("*/read_answers.txt"))


@dataclass(frozen=True)
class Case:
    """``number`` is the place in the table, from 1."""

    number: int
    system: str
    kind: str
    files: tuple[tuple[str, str], ...]
    expected: tuple[str, ...]

    @property
    def id(self) -> str:
        return f"{self.system} {self.number} {self.kind}"


def cases(table: Path) -> list[Case]:
    """The cases of a table, which is in the folder of its system."""
    found: list[Case] = []
    kind, files, expected = "", dict[str, list[str]](), list[str]()

    def ended() -> None:
        if kind:
            texts = tuple((name, "\n".join(lines)) for name, lines in files.items())
            system = table.parent.name
            found.append(Case(len(found) + 1, system, kind, texts, tuple(expected)))

    for line in table.read_text(encoding="utf-8").split("\n"):
        if line.startswith("@ "):
            ended()
            kind, files, expected = line[2:], {}, []
        elif line.startswith("["):
            into = files.setdefault(line[1:-1], [])
        elif line.startswith("|"):
            into.append(line[1:])
        elif line.startswith(">"):
            expected.append(line[1:])
    ended()
    return found


def answer(case: Case) -> tuple[str, ...]:
    """What is read, a line each."""
    if case.kind == "estate":
        lines = list(_estate(dict(case.files)))
    else:
        ((name, text),) = case.files
        lines = list(_file(case.system, case.kind, name, text))
    return tuple(part for line in lines for part in line.split("\n"))


def _estate(files: Mapping[str, str]) -> Iterator[str]:
    contents = {name: text.encode() for name, text in files.items()}
    noticed: list[Finding] = []
    side_inputs = side_inputs_for(None, contents, noticed, None)
    planned = plan([recognise(name, data) for name, data in contents.items()], side_inputs)
    yield from _told("finding", [*noticed, *planned.findings])
    yield from _told("file", planned.files)
    for bundle in planned.bundles:
        own = {file.path: contents[file.path] for file in bundle.files if file.path in contents}
        reading = read_bundle(bundle, own, Options())
        yield f"bundle {written(bundle)}"
        yield from _told("fact", reading.facts)
        yield from _told("finding", reading.findings)
        yield from _told("file", reading.files)


def _file(system: str, kind: str, name: str, text: str) -> Iterator[str]:
    if kind == "script":
        script = module(system, "commands").read_script(text.encode(), name)
        yield from _told("command", script.commands)
        yield from _told("finding", script.findings)
    elif system == "ems":
        parsed = ems.parse_text(name, text, strict=False, server="A")
        yield from _told("fact", parsed.facts)
        yield from _told("finding", parsed.findings)
        yield from _told("ignored", parsed.ignored)
        yield f"fatal at start-up: {parsed.fatal_at_start_up}"
    else:
        configuration = amq_interconnect.parse_text(name, text)
        yield f"server {configuration.server}"
        yield from _told("entity", configuration.entities)
        yield from _told("finding", configuration.findings)


def _told(what: str, values: Iterable[object]) -> Iterator[str]:
    for value in values:
        yield f"{what} {type(value).__name__} {written(value)}"


def table_of(found: Iterable[Case]) -> str:
    """The text of a table, with what is read now."""
    lines: list[str] = []
    for case in found:
        lines.append(f"@ {case.kind}")
        for name, text in case.files:
            lines += [f"[{name}]", *(f"|{line}" for line in text.split("\n"))]
        lines += [f">{line}" for line in answer(case)]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    for one in TABLES:
        one.write_text(table_of(cases(one)), encoding="utf-8")
