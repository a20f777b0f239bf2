"""Side inputs: ``topograph.yaml`` and clients in CSV form, to records with line and column
(docs/side-inputs.md).

The file is checked against ``side_inputs.schema.json``; every entry that does not fit is an error
finding with its line and is left out, the rest is used. Names stay as they are written: ``no`` and
``1.10`` are names here, not a boolean and a number.
"""

from __future__ import annotations

import csv
import difflib
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from topograph.findings import Finding, Severity, Source
from topograph.importers import lexical
from topograph.importers.checked_yaml import (
    Place,
    Words,
    YamlDocument,
    YamlReading,
    complaints,
    compose,
)
from topograph.importers.positions import yaml_text
from topograph.importers.reading import Recognised, Role
from topograph.importers.secrets import without_secrets_of_own
from topograph.rules.unnumbered import (
    CLIENTS_EMPTY,
    CLIENTS_INVALID,
    CLIENTS_UNREADABLE,
    ENCODING,
    SIDE_INPUTS_INVALID,
    SIDE_INPUTS_NOT_USED,
    SIDE_INPUTS_UNREADABLE,
)
from topograph.side_inputs import (
    Client,
    HostEntry,
    LeftOut,
    MachineEntry,
    MediationEntry,
    NewServer,
    NewSetting,
    OverrideEntry,
    OwnerEntry,
    PathEntry,
    PatternEntry,
    ServerEntry,
    SideInputs,
    SuspendedEntry,
    WaiverEntry,
)

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

FILE_NAMES = ("topograph.yaml", "topograph.yml")
"""The names by which side inputs are found in an imported folder."""

SECTIONS = (
    "hosts",
    "paths",
    "servers",
    "machines",
    "clients",
    "versions",
    "suspended",
    "new",
    "sites",
    "mediations",
    "include",
    "exclude",
    "waivers",
    "owners",
    "overrides",
)

LATER = ("sites",)
"""Keys that are known and that no question uses yet."""

MAX_BYTES = 8 * 2**20
_LIMITS = yaml_text.YamlLimits(MAX_BYTES, depth=20, aliases=0)

_COLUMNS = tuple(entry.name for entry in fields(Client) if entry.name != "source")


def recognise(path: str, data: bytes) -> Recognised | None:  # noqa: ARG001
    """Side inputs are our own file: known by name, so that one with mistakes in it is still
    recognised.
    """
    return Recognised(path, Role.SIDE_INPUTS) if path.rpartition("/")[2] in FILE_NAMES else None


def parse(path: str, data: bytes) -> tuple[SideInputs, tuple[Finding, ...]]:
    """The records of a ``topograph.yaml`` and what is wrong with it, by line. Never raises on any
    bytes.

    A file that is no YAML gives no records and one error. Unknown keys, doubled keys and values
    that do not fit are errors, the entry is left out. Linear in the file, apart from looking for
    what a misspelt key may have meant.
    """
    found = YamlReading(path, SIDE_INPUTS_UNREADABLE, SIDE_INPUTS_INVALID)
    root = compose(found, data, _LIMITS)
    if root is None:
        left_out = tuple(LeftOut("", one.source) for one in found.findings)
        return SideInputs(files=(path,), left_out=left_out), tuple(found.findings)
    document = YamlDocument(found)
    instance = document.plain(root, ())
    if isinstance(instance, dict):  # a section whose entries are all commented out
        instance = {
            key: value
            for key, value in instance.items()
            if value is not None or key not in SECTIONS
        }
        if isinstance(new := instance.get("new"), dict):  # a server that begins with nothing
            instance["new"] = {name: {} if held is None else held for name, held in new.items()}
    rejected = _validate(document, instance)
    records = replace(_records(document, instance, rejected), left_out=tuple(_left_out(document)))
    return records, tuple(sorted(found.findings, key=lambda finding: finding.source))


def parse_clients_csv(path: str, data: bytes) -> tuple[tuple[Client, ...], tuple[Finding, ...]]:
    """The clients of a CSV file with a header line; columns as the keys of ``clients`` in
    topograph.yaml, in any order.

    Separated by commas or semicolons; blank lines and lines that begin with ``#`` do not count. A
    row that does not fit is an error finding and left out. Never raises on any bytes; linear.
    """
    found = YamlReading(path, CLIENTS_UNREADABLE, CLIENTS_INVALID)
    decoded = lexical.decode(data)
    if decoded is None:
        found.error(CLIENTS_UNREADABLE, "This is not a text file: no clients are read.")
        return (), tuple(found.findings)
    if decoded.line:
        message = f"This byte is not UTF-8; the file is read as {decoded.encoding}."
        found.note(ENCODING, Severity.WARNING, message, decoded.line, decoded.column)
    clients = list(_csv_clients(found, decoded.text.removeprefix("\ufeff")))
    if not clients and not found.findings:
        found.note(CLIENTS_EMPTY, Severity.WARNING, "There are no clients in this file.")
    return tuple(clients), tuple(found.findings)


@cache
def _validator(definition: str = "") -> Validator:
    """The validator of the schema, or of one of its definitions."""
    from jsonschema import Draft202012Validator

    schema = json.loads(files(__package__).joinpath("side_inputs.schema.json").read_bytes())
    if definition:
        schema = {"$defs": schema["$defs"], "$ref": f"#/$defs/{definition}"}
    return Draft202012Validator(schema)


def _validate(document: YamlDocument, instance: Any) -> set[Place]:
    """One error finding for everything that does not fit the schema; the places of the entries
    to leave out.
    """
    if instance is None:
        return set()
    rejected: set[Place] = set()
    for where, message in complaints(_validator(), instance, _WORDS):
        source = document.source(where)
        document.found.error(SIDE_INPUTS_INVALID, message, source.line, source.column)
        rejected.add(where[: _DEPTH.get(str(where[0]), 2) if where else 0])
    return rejected


def _left_out(document: YamlDocument) -> Iterator[LeftOut]:
    """The section of every error, by its line: so that no check can forget to say what it
    concerns.
    """
    begins = sorted((place, str(key)) for (key, *rest), place in document.keys.items() if not rest)
    for error in document.found.findings:
        if error.severity is Severity.ERROR:
            at = error.source.line, error.source.column
            section = next((key for place, key in reversed(begins) if place <= at), "")
            meant = difflib.get_close_matches(section, SECTIONS, 1)
            yield LeftOut(meant[0] if meant else "", error.source)


_DEPTH = {"overrides": 3}
"""How many keys name one entry of a section, where these are not two."""


_WANTED_KEYS = {
    "hosts": "A host is written as HOST or HOST:PORT, without tcp:// or amqp:// before it.",
    "paths": "A path prefix is needed here.",
    "servers": "The name of a server is needed here.",
    "machines": "The name of a machine is needed here.",
    "new": "The name of a server is needed here.",
    "overrides": "The name of a system, or of one of its positions, is needed here.",
}


def _wanted(place: Place, name: str) -> str:
    section = place[0] if place else ""
    if section == "paths":
        return (
            "The folder has to lie in the imported folder: write it relative to that, without '..'."
        )
    if section == "servers":
        return (
            "A main file is needed here, or a list of main files: write them relative to the "
            "imported folder, without '..'."
        )
    if section in ("include", "exclude"):
        return "A pattern of files is needed here, as in .gitignore: '*.bak', old/ or /DEV."
    if section == "machines":
        return "The servers that run on one machine are needed here, as a list: [A, B]."
    if section == "overrides":
        return (
            "The name of a reading is needed here; docs/side-inputs.md lists those of each "
            "position."
        )
    if section == "versions":
        return f"The version of {name} has to read as digits and dots, such as 1.19 or 10.2.1."
    if section == "mediations" and "path" in str(place[2:]):
        return "An element of a path is written as DEST or BUS:DEST."
    if section == "mediations" and len(place) == 2:
        return "A mediation is named by its destination, by its name (mediation), or by both."
    if name == "destination" and section not in ("mediations", "owners"):
        return (
            "A destination is written as topic:NAME, queue:NAME or address:NAME (or "
            "DEST@BUS, QUEUE@QMGR)."
        )
    if section == "waivers" and name == "until":
        return "The last day of a waiver is written as YYYY-MM-DD."
    if section == "owners" and len(place) == 2:
        return "An owner owns servers, destinations or files: name a server, destination or file."
    if section == "waivers" and name == "reason":
        return "A waiver needs a reason: write why the finding is accepted."
    if name == "durable":
        return "durable is the name of the durable subscription."
    return f"{name} has no value."


_WORDS = Words(
    "topograph.yaml", lambda place: _WANTED_KEYS.get(str(place[0]), "This key is empty."), _wanted
)


def _records(document: YamlDocument, instance: Any, rejected: set[Place]) -> SideInputs:
    """The records of all entries that fit."""
    if not isinstance(instance, dict):
        return SideInputs(files=(document.found.path,))
    for key in LATER:
        if instance.get(key) is not None:
            source = document.source((key,))
            message = f"{key} is not used yet: nothing of it has an effect."
            document.found.note(
                SIDE_INPUTS_NOT_USED, Severity.INFO, message, source.line, source.column
            )

    def entries(section: str) -> Iterator[tuple[Any, Any, Source]]:
        held = {} if (section,) in rejected else instance.get(section, {})
        pairs: Iterable[tuple[Any, Any]] = (
            held.items() if isinstance(held, dict) else enumerate(held)
        )
        for key, value in pairs:
            if (section, key) not in rejected:
                yield key, value, document.source((section, key))

    return SideInputs(
        hosts=tuple(HostEntry(host, server, source) for host, server, source in entries("hosts")),
        paths=tuple(
            PathEntry(prefix, _folder(folder), source)
            for prefix, folder, source in entries("paths")
        ),
        servers=tuple(
            ServerEntry(
                server, tuple(map(_folder, held if isinstance(held, list) else [held])), source
            )
            for server, held, source in entries("servers")
        ),
        machines=tuple(_machines(document, entries("machines"))),
        clients=tuple(Client(**entry, source=source) for _, entry, source in entries("clients")),
        versions=tuple((server, version) for server, version, _ in entries("versions")),
        version_sources=tuple(source for _, _, source in entries("versions")),
        mediations=tuple(_mediation(entry, source) for _, entry, source in entries("mediations")),
        suspended=tuple(
            SuspendedEntry(**entry, source=source) for _, entry, source in entries("suspended")
        ),
        new=tuple(_new(document, server, held) for server, held, _ in entries("new")),
        overrides=tuple(
            OverrideEntry(
                system, position, choice, document.source(("overrides", system, position))
            )
            for system, held, _ in entries("overrides")
            for position, choice in held.items()
            if ("overrides", system, position) not in rejected
        ),
        include=tuple(PatternEntry(text, source) for _, text, source in entries("include")),
        exclude=tuple(PatternEntry(text, source) for _, text, source in entries("exclude")),
        waivers=tuple(_waivers(document, entries("waivers"))),
        owners=tuple(OwnerEntry(**entry, source=source) for _, entry, source in entries("owners")),
        files=(document.found.path,),
    )


def _waivers(
    document: YamlDocument, entries: Iterable[tuple[Any, Any, Source]]
) -> Iterator[WaiverEntry]:
    """The entries of ``waivers``; one until a day that is in no calendar is an error and left
    out.
    """
    for _, entry, source in entries:
        try:
            date.fromisoformat(entry.get("until", "2000-01-01"))
        except ValueError:
            message = f"There is no day {entry['until']}: the waiver is not used."
            document.found.error(SIDE_INPUTS_INVALID, message, source.line, source.column)
            continue
        yield WaiverEntry(**entry, source=source)


def _mediation(entry: Mapping[str, Any], source: Source) -> MediationEntry:
    """An entry of ``mediations``; elements of paths are written as ``BUS:DEST``, or ``DEST`` for
    the bus where the mediation runs.
    """
    paths = {
        name: tuple(map(_element, held)) for name, held in entry.items() if isinstance(held, list)
    }
    return MediationEntry(**{**entry, **paths}, source=source)


def _new(document: YamlDocument, server: str, settings: Mapping[str, Any]) -> NewServer:
    """An entry of ``new``: each parameter with its place."""
    return NewServer(
        server,
        tuple(
            NewSetting(
                name,
                tuple(value if isinstance(value, list) else [value]),
                document.source(("new", server, name)),
            )
            for name, value in settings.items()
        ),
        document.source(("new", server)),
    )


def _element(written: str) -> tuple[str, str]:
    bus, colon, destination = written.partition(":")
    return (bus, destination) if colon else ("", written)


def _machines(
    document: YamlDocument, entries: Iterable[tuple[str, list[str], Source]]
) -> Iterator[MachineEntry]:
    """The machines; a server that an earlier one has already is an error and left out."""
    first: dict[str, str] = {}
    for machine, servers, source in entries:
        for server in servers:
            if first.setdefault(server, machine) != machine:
                message = f"{server} is on the machine {first[server]} already: the first counts."
                document.found.error(SIDE_INPUTS_INVALID, message, source.line, source.column)
        yield MachineEntry(
            machine, tuple(server for server in servers if first[server] == machine), source
        )


def _folder(written: str) -> str:
    """A folder or file below the imported folder with ``/``; empty for the imported folder
    itself.
    """
    return "/".join(part for part in written.replace("\\", "/").split("/") if part not in ("", "."))


def _csv_clients(found: YamlReading, text: str) -> Iterator[Client]:
    lines = [
        line if not line.lstrip().startswith("#") else "" for line in lexical.LINE_END.split(text)
    ]
    header_at = next((number for number, line in enumerate(lines) if line.strip()), None)
    if header_at is None:
        return
    delimiter = ";" if ";" in lines[header_at] and "," not in lines[header_at] else ","
    reader = csv.reader(
        io.StringIO("\n".join(lines)), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    columns: list[str] = []
    line = 1
    try:
        for row in reader:
            start, line = line, reader.line_num + 1
            if not any(cell.strip() for cell in row):
                continue
            if not columns:
                columns = [without_secrets_of_own((), cell.strip().lower()) for cell in row]
                if not _header_fits(found, columns, start):
                    return
                continue
            client = _csv_client(found, columns, row, start)
            if client is not None:
                yield client
    except csv.Error as error:
        found.error(
            CLIENTS_UNREADABLE, f"This is not CSV: {error}. It is not read from here on.", line
        )


def _header_fits(found: YamlReading, columns: Sequence[str], line: int) -> bool:
    known = ", ".join(_COLUMNS)
    wrong = [f"unknown column {column[:80]!r}" for column in columns if column not in _COLUMNS]
    wrong += [
        f"column {column!r} occurs twice"
        for column in sorted(column for column, n in Counter(columns).items() if n > 1)
    ]
    wrong += [
        f"column {column!r} is missing"
        for column in ("server", "destination")
        if column not in columns
    ]
    if wrong:
        found.error(
            CLIENTS_INVALID,
            f"The first line names the columns ({known}): {'; '.join(wrong)}.",
            line,
        )
    return not wrong


def _csv_client(
    found: YamlReading, columns: Sequence[str], row: Sequence[str], line: int
) -> Client | None:
    if len(row) > len(columns):
        found.error(
            CLIENTS_INVALID,
            f"This line has {len(row)} values for {len(columns)} columns: not read.",
            line,
        )
        return None
    entry = {
        column: without_secrets_of_own((column,), cell.strip())
        for column, cell in zip(columns, row, strict=False)
        if cell.strip()
    }
    wrong = [message for _, message in complaints(_validator("client"), entry, _WORDS)]
    for message in wrong:
        found.error(CLIENTS_INVALID, f"{message} This line is not read.", line)
    return None if wrong else Client(**entry, source=found.source(line))
