"""AMQ Interconnect, Apache Qpid Dispatch and Skupper Router: configuration files to facts.

Syntax only: what the routers of a network do with it is in ``topograph.systems.amq_interconnect``. The .conf form is read by ``conf``, the
JSON form by ``json_form``; ``load`` applies the loading rules (C-2 to C-9) to both. Start at ``parse_text``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from topograph.facts import Entity
from topograph.files import FileReport
from topograph.findings import Finding, Severity, Source
from topograph.importers.amq_interconnect.conf import read_conf
from topograph.importers.amq_interconnect.dump import parse_dump
from topograph.importers.amq_interconnect.json_form import read_json
from topograph.importers.amq_interconnect.load import Loaded, LoadedEntry, load
from topograph.importers.amq_interconnect.recognition import recognised_text
from topograph.importers.reading import Bundle, Options, Reading, Recognised, Role

__all__ = ["STARTUP", "Configuration", "parse_dump", "parse_text", "read", "recognise"]

STARTUP = "startup"
"""The type of the entity that marks a router which does not start: attributes ``starts`` (``no``, or ``before-1.0`` where only syntax of
routers before 1.0 stands against it) and ``because``. A configuration that starts has none."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """One configuration file as the router would see it.

    ``entities`` are those in effect, in file order, without the entries that the router leaves out (C-5, C-6); ``loaded`` has all of
    them. ``server`` is the router id, or ``router at FILE`` where the file gives none.
    """

    server: str
    entities: tuple[Entity, ...]
    findings: tuple[Finding, ...]
    loaded: Loaded

    @property
    def starts(self) -> bool:
        """Whether a 1.x router accepts the file (C-2, C-3)."""
        return self.loaded.starts


def parse_text(form: str, text: str, file: str = "") -> Configuration:
    """Read a configuration of ``form`` ``conf`` or ``json``. Never raises on any text; linear in its length."""
    text = text.removeprefix("\ufeff")
    loaded = load(read_json(text, file) if form == "json" else read_conf(text, file))
    server = loaded.router_id or (f"router at {file}" if file else "router")
    entities = [_entity(entry, server, file) for entry in loaded.entries if not entry.dropped]
    if loaded.refusals:
        entities.append(_startup(loaded, server, file))
    findings = tuple(replace(finding, server=server) for finding in loaded.findings)
    return Configuration(server, tuple(entities), findings, loaded)


def _entity(entry: LoadedEntry, server: str, file: str) -> Entity:
    attributes = tuple((name, value) for name, value in entry.attributes.items() if name != "name")
    return Entity(
        bundle=file,
        server=server,
        source=entry.source,
        type=entry.type,
        name=entry.name,
        attributes=attributes,
        stated=tuple(entry.stated),
    )


def _startup(loaded: Loaded, server: str, file: str) -> Entity:
    first = loaded.refusals[0]
    starts = "before-1.0" if loaded.starts_if_old else "no"
    return Entity(
        bundle=file,
        server=server,
        source=first.source,
        type=STARTUP,
        name=STARTUP,
        attributes=(("starts", starts), ("because", first.message)),
    )


def recognise(path: str, data: bytes) -> Recognised | None:
    """What a file is to this system, None if nothing. Router configurations carry the router id as ``server``. Never raises."""
    if b"\0" in data[:4096]:
        return None
    text = data.decode("utf-8", errors="replace")
    found = recognised_text(path, text)
    if found is None or found.role not in (Role.AMQ_CONF, Role.AMQ_JSON):
        return found
    return replace(found, server=parse_text(_form(found.role), text, path).server)


def _form(role: Role) -> str:
    return "json" if role is Role.AMQ_JSON else "conf"


def read(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:  # noqa: ARG001  (one signature for all systems)
    """Read one router's configuration file into facts and findings. Never raises on any bytes."""
    facts: list[Entity] = []
    findings: list[Finding] = []
    files: list[FileReport] = []
    for member in bundle.files:
        data = contents.get(member.path)
        if data is None:
            continue
        text = data.decode("utf-8", errors="replace")
        if "\ufffd" in text and "\ufffd".encode() not in data:
            message = "The file is not UTF-8 text: other characters are read as \ufffd"
            findings.append(Finding("not-utf-8", Severity.WARNING, message, Source(member.path), server=bundle.server))
        found = recognised_text(member.path, text)
        role = found.role if found else Role.AMQ_CONF
        configuration = parse_text(_form(role), text, member.path)
        facts += (replace(entity, bundle=bundle.id) for entity in configuration.entities)
        findings += configuration.findings
        files.append(_report(member.path, role, configuration))
    return Reading(tuple(facts), tuple(findings), tuple(files))


def _report(path: str, role: Role, configuration: Configuration) -> FileReport:
    entries = configuration.loaded.entries
    dropped = sum(1 for entry in entries if entry.dropped)
    unknown = configuration.loaded.unknown
    note = "" if configuration.starts else "a router of version 1.x does not start with this file"
    return FileReport(
        path=path,
        status="partly-read" if unknown else "read",
        role=role.value,
        system="amq_interconnect",
        server=configuration.server,
        read=len(entries) - dropped,
        ignored=dropped,
        unsupported=unknown,
        note=note,
    )
