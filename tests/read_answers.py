"""Tables of small inputs and the whole of what is read from each: every fact with its fields and
place, every finding, what became of each file.

The kinds of entries (``answer_tables``) are ``estate`` (any files), ``file`` (one file of EMS or
AMQ Interconnect, called by what it is), ``script`` (of a change), ``whose script`` (which systems
take it for one of theirs) and ``clients`` (a CSV file of them). Those of no system are in ``any``.
Few inputs stand here, chosen so that together they show most kinds of facts and findings of a
reader; other tests say by which rule they are so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from answer_tables import Case
from systems.command_answers import written

from topograph.errors import TopographError
from topograph.extensions import module
from topograph.findings import Finding
from topograph.importers import amq_interconnect, ems
from topograph.importers.plan import plan, read_bundle, recognise
from topograph.importers.reading import Options
from topograph.importers.side_inputs import parse_clients_csv
from topograph.opening.inputs import side_inputs_for

FOLDER = Path(__file__).parent / "importers"
TABLES = sorted(FOLDER.glob("*/read_answers.txt"))


def answer(case: Case) -> tuple[str, ...]:
    """What is read, a line each."""
    try:
        if case.kind == "estate":
            lines = list(_estate(dict(case.files)))
        else:
            ((name, text),) = case.files
            lines = list(_file(case.system, case.kind, name, text))
    except TopographError as error:
        lines = [f"{type(error).__name__} {error}"]
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
    if kind == "whose script":
        for each in ("amq_interconnect", "ems", "ibm_mq", "sibus"):
            yield f"{each}: {module(each, 'commands').recognises(text.encode())}"
    elif kind == "clients":
        clients, findings = parse_clients_csv(name, text.encode())
        yield from _told("client", clients)
        yield from _told("finding", findings)
    elif kind == "script":
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
