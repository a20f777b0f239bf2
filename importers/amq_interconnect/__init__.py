"""AMQ Interconnect, Apache Qpid Dispatch and Skupper Router: configurations and what running
routers say, to facts.

Syntax only: what the routers of a network do with it is in ``topograph.systems.amq_interconnect``.
The .conf form is read by ``conf``, the JSON form by ``json_form``; ``load`` applies the loading
rules (C-2 to C-9) to both, and to what ``manifests`` finds in Kubernetes resources. ``dump`` reads
management queries, ``qdstat`` the tables of that tool. Start at ``read``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from topograph.facts.amq_interconnect import ADDRESS, Entity
from topograph.files import FileReport
from topograph.findings import Finding, Severity, Source
from topograph.importers import lexical
from topograph.importers.amq_interconnect import json_form, roles
from topograph.importers.amq_interconnect.conf import read_conf, router_section
from topograph.importers.amq_interconnect.dump import Dumped, parse_dump, read_dump, routers_named
from topograph.importers.amq_interconnect.known_formats import KNOWN_FORMATS
from topograph.importers.amq_interconnect.load import Loaded, LoadedEntry, load
from topograph.importers.amq_interconnect.manifests import EmbeddedConfiguration, read_manifest
from topograph.importers.amq_interconnect.qdstat import read_qdstat
from topograph.importers.amq_interconnect.recognition import recognised_text
from topograph.importers.positions.places import Placing
from topograph.importers.reading import (
    Bundle,
    Options,
    Reading,
    Recognised,
    Role,
    not_text,
    not_utf8,
    read_each,
)
from topograph.records import record
from topograph.rules.amq_interconnect_findings import (
    SKUPPER_ATTRIBUTE,
    SKUPPER_ROLE,
    SKUPPER_SECTION,
)

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.importers.amq_interconnect.skupper.network import SkupperNetwork

__all__ = [
    "KNOWN_FORMATS",
    "STARTUP",
    "Configuration",
    "parse_dump",
    "parse_text",
    "read",
    "recognise",
]

STARTUP = "startup"
"""The type of the entity that marks a router which does not start, or of which something had to
be assumed: attributes ``starts`` (``no``; ``before-1.0`` where only syntax of routers before 1.0
stands against it; ``from-2.0`` where it holds what only Skupper Router reads; ``until-1.19``
where an address entry states what Skupper Router no longer has; ``assumed``) and ``because``. A
configuration that every router from 1.0 on reads has none. Of a configuration that ends in its
middle, and of a dump of which some could not be read, it is there too: ``starts`` is
``incomplete``; ``made`` where a controller writes it, with credentials that its resources do not
show; ``unseen`` where only its receivers may be more than it says."""

_ONLY_SKUPPER = frozenset({SKUPPER_SECTION.kind, SKUPPER_ATTRIBUTE.kind, SKUPPER_ROLE.kind})
"""What is not worth a finding where Skupper itself makes the router."""

_GONE = ("waypoint", "ingressPhase", "egressPhase", "enableFallback")
"""The attributes of addresses that Skupper Router does not have, so that it refuses a file that
states one (S-2).
"""


@record
class RouterConfiguration:
    """One configuration file as the router would see it.

    ``entities`` are those in effect, in file order, without the entries that the router leaves out
    (C-5, C-6); ``loaded`` has all of them. ``server`` is the router id, or ``router at FILE`` where
    the file gives none.
    """

    server: str
    entities: tuple[Entity, ...]
    findings: tuple[Finding, ...]
    loaded: Loaded

    @property
    def starts(self) -> bool:
        """Whether a 1.x router accepts the file (C-2, C-3)."""
        return self.loaded.starts


def parse_text(form: str, text: str, file: str = "") -> RouterConfiguration:
    """Read a configuration of ``form`` ``conf`` or ``json``. Never raises on any text; linear in
    its length.
    """
    return _configuration(form, text.removeprefix("\ufeff"), file, Placing(file))


def _configuration(form: str, text: str, bundle: str, placing: Placing) -> RouterConfiguration:
    loaded = load(
        json_form.read_json(text, placing) if form == "json" else read_conf(text, placing)
    )
    return _loaded(loaded, bundle)


def _loaded(loaded: Loaded, bundle: str) -> RouterConfiguration:
    server = loaded.router_id or (f"router at {bundle}" if bundle else "router")
    entities = [entity_of(entry, server, bundle) for entry in loaded.entries if not entry.dropped]
    entities += marks_of(loaded, server, bundle)
    findings = tuple(replace(finding, server=server) for finding in loaded.findings)
    return RouterConfiguration(server, tuple(entities), findings, loaded)


def marks_of(loaded: Loaded, server: str, bundle: str) -> Iterator[Entity]:
    """The entities that say which routers do not start with a configuration (``STARTUP``), and
    that not all of it is shown."""
    if loaded.cut is not None:
        because = f"not all of its configuration is shown: it ends in its middle ({loaded.cut})"
        yield _startup("incomplete", because, loaded.cut, server, bundle)
    if loaded.refusals:
        first = loaded.refusals[0]
        starts = "before-1.0" if loaded.starts_if_old else "no"
        yield _startup(starts, first.message, first.source, server, bundle)
    elif loaded.skupper:
        first = loaded.skupper[0]
        yield _startup("from-2.0", first.message, first.source, server, bundle)
    if not loaded.refusals and loaded.until_1_12:
        first = loaded.until_1_12[0]
        yield _startup("until-1.12", first.message, first.source, server, bundle)
    if not loaded.refusals and (gone := _gone(loaded)) is not None:
        yield _startup("until-1.19", *gone, server, bundle)


def _gone(loaded: Loaded) -> tuple[str, Source] | None:
    """The first attribute of an address that Skupper Router does not have, in words, and its
    place.
    """
    stated = (
        (entry.stated[name].source, name)
        for entry in loaded.entries
        if entry.type == ADDRESS
        for name in _GONE
        if name in entry.stated
    )
    first = min(stated, default=None)
    return None if first is None else (f"address with {first[1]}", first[0])


def entity_of(entry: LoadedEntry, server: str, bundle: str) -> Entity:
    """The entity of an entry that the router does not leave out."""
    values = entry.attributes
    if "name" in values:
        values = {name: value for name, value in values.items() if name != "name"}
    attributes = tuple(map(_shared, values.items()))
    return Entity(
        bundle=bundle,
        server=server,
        source=entry.source,
        type=entry.type,
        name=entry.name,
        attributes=attributes,
        stated=tuple(entry.stated),
    )


@lru_cache(maxsize=4096)
def _shared(pair: tuple[str, str]) -> tuple[str, str]:
    """The pair itself, or one that is equal and came before: most are defaults."""
    return pair


def _startup(starts: str, because: str, source: Source, server: str, bundle: str) -> Entity:
    attributes = (("starts", starts), ("because", because))
    return Entity(
        bundle=bundle,
        server=server,
        source=source,
        type=STARTUP,
        name=STARTUP,
        attributes=attributes,
    )


def recognise(path: str, data: bytes) -> Recognised | None:
    """What a file is to this system, None if nothing. Files of one router or several carry the
    (first) id as ``server``. Never raises.
    """
    decoded = lexical.decode(data)
    if decoded is None:
        return None
    found = recognised_text(path, decoded.text)
    return (
        replace(found, server=_server(path, found.role, decoded.text))
        if found is not None
        else None
    )


def _server(path: str, role: Role, text: str) -> str:
    match role:
        case roles.AMQ_CONF:
            return parse_text("conf", router_section(text), path).server
        case roles.AMQ_JSON:
            return parse_text("json", json_form.router_section(text), path).server
        case roles.AMQ_DUMP:
            return next(iter(routers_named(text)), "")
        case roles.AMQ_QDSTAT:
            return next(iter(read_qdstat(text, Placing(path)).routers), "")
        case roles.AMQ_MANIFEST | roles.AMQ_SITE_ROUTER:
            found = read_manifest(text, path).embedded
            return _embedded(found[0], path).server if found else ""
        case _:
            return ""


def _form(role: Role) -> str:
    return "json" if role == roles.AMQ_JSON else "conf"


def read(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:  # noqa: ARG001
    """Read one file of routers into facts and findings. Never raises on any bytes."""
    joined = _of_skupper(bundle, contents)
    if joined:
        return _read_joined(bundle, joined)
    return read_each(bundle, contents, lambda path, data: _read_file(path, data, bundle.server))


def _of_skupper(bundle: Bundle, contents: Mapping[str, bytes]) -> dict[str, str]:
    """The texts of a bundle of resources of Skupper, by path; empty for any other bundle."""
    texts: dict[str, str] = {}
    for file in bundle.files:
        decoded = lexical.decode(contents.get(file.path, b""))
        found = recognised_text(file.path, decoded.text) if decoded is not None else None
        if decoded is None or found is None or not found.role.joins:
            return {}
        texts[file.path] = decoded.text
    joining = (recognised_text(path, text) for path, text in texts.items())
    return texts if any(one is not None and one.role.joining for one in joining) else {}


def _read_joined(bundle: Bundle, texts: Mapping[str, str]) -> Reading:
    """The resources of Skupper in several files, and the configurations of routers beside them."""
    from topograph.importers.amq_interconnect.skupper.network import read_network

    network = read_network(texts)
    found: dict[str, list[RouterConfiguration]] = {path: [] for path in texts}
    findings = list(network.findings)
    for path, text in texts.items():
        manifest = read_manifest(text, path)
        if path not in network.faulty:
            findings += manifest.findings
        found[path] += [_embedded(network.completed(one, path), path) for one in manifest.embedded]
    for path, one in network.configurations:
        found[path].append(_embedded(one, path))
    facts: list[Fact] = []
    reports = []
    for path, configurations in found.items():
        findings += [finding for one in configurations for finding in one.findings]
        facts += [entity for one in configurations for entity in one.entities]
        facts += network.observed.get(path, [])
        reports.append(_site_report(bundle, path, network, configurations))
    return Reading(tuple(facts), tuple(findings), tuple(reports))


def _site_report(
    bundle: Bundle, path: str, network: SkupperNetwork, configurations: list[RouterConfiguration]
) -> FileReport:
    servers = [configuration.server for configuration in configurations]
    servers += [fact.server for fact in network.observed.get(path, ())]
    entries = [entry for one in configurations for entry in one.loaded.entries]
    read = max(network.read[path], len(entries) + len(network.observed.get(path, ())))
    left = network.others[path]
    return FileReport(
        path=path,
        status="read" if read else "not-read",
        role=roles.AMQ_SKUPPER.name if network.read[path] else roles.AMQ_SITE_ROUTER.name,
        system=bundle.system,
        server=", ".join(dict.fromkeys(servers)),
        read=read,
        ignored=left,
        note=f"{left} other resource{'s' if left > 1 else ''} in it not read"
        if left
        else ""
        if read
        else "no site is loaded that it is of",
    )


def _read_file(path: str, data: bytes, server: str) -> Reading:
    decoded = lexical.decode(data)
    if decoded is None:
        return not_text(path, "amq_interconnect", server)
    recognised = recognised_text(path, decoded.text)
    role = recognised.role if recognised else roles.AMQ_CONF
    reader = _READERS.get(role, _read_configuration)
    reading = reader(path, decoded.text, role, server)
    if decoded.guessed:
        finding = not_utf8(path, decoded, server)
        reading = replace(reading, findings=(finding, *reading.findings))
    return reading


def _read_configuration(path: str, text: str, role: Role, server: str) -> Reading:  # noqa: ARG001
    configuration = parse_text(_form(role), text, path)
    return Reading(
        configuration.entities, configuration.findings, (_report(path, role, [configuration]),)
    )


def _report(
    path: str,
    role: Role,
    configurations: list[RouterConfiguration],
    others: int = 0,
    note: str = "",
) -> FileReport:
    entries = [entry for configuration in configurations for entry in configuration.loaded.entries]
    dropped = sum(1 for entry in entries if entry.dropped)
    unknown = sum(configuration.loaded.unknown for configuration in configurations)
    if not all(configuration.starts for configuration in configurations):
        refused = any(configuration.loaded.refusals for configuration in configurations)
        only = (
            "a router of version 1.x does not start with this file"
            if refused
            else "the file ends in its middle"
            if any(configuration.loaded.cut for configuration in configurations)
            else "only Skupper Router starts with this file"
            if any(configuration.loaded.skupper for configuration in configurations)
            else "only a router up to 1.12 starts with this file"
        )
        note = note or only
    return FileReport(
        path=path,
        status="partly-read" if unknown else "read",
        role=role.name,
        system="amq_interconnect",
        server=", ".join(dict.fromkeys(configuration.server for configuration in configurations)),
        read=len(entries) - dropped,
        ignored=dropped + others,
        unsupported=unknown,
        note=note,
    )


def _read_said(path: str, text: str, role: Role, server: str) -> Reading:
    """A dump, or output of qdstat."""
    said = (read_dump if role == roles.AMQ_DUMP else read_qdstat)(text, Placing(path), server)
    of = said.routers[0] if len(said.routers) == 1 else ""
    findings = tuple(replace(finding, server=of) for finding in said.findings)
    report = FileReport(
        path=path,
        status="not-read" if not said.entities else "partly-read" if said.unsupported else "read",
        role=role.name,
        system="amq_interconnect",
        server=", ".join(said.routers) or server,
        read=len(said.entities),
        unsupported=said.unsupported,
        note="" if said.entities else "holds no entity",
    )
    return Reading((*said.entities, *_gaps(said, path), *said.shown), findings, (report,))


def _gaps(said: Dumped, path: str) -> Iterator[Entity]:
    """That some of a dump could not be read, for each router that it is of: what was lost is not
    known, so nor is what the router lacks.
    """
    if said.gap is not None:
        because = f"not all of its dump could be read ({said.gap})"
        for router in said.routers:
            yield replace(_startup("incomplete", because, said.gap, router, path), origin="dump")


def _read_resources(path: str, text: str, role: Role, server: str) -> Reading:  # noqa: ARG001
    manifest = read_manifest(text, path)
    configurations = [_embedded(one, path) for one in manifest.embedded]
    facts = tuple(entity for configuration in configurations for entity in configuration.entities)
    findings = (
        *manifest.findings,
        *(finding for one in configurations for finding in one.findings),
    )
    note = "" if configurations else "holds no router configuration"
    if manifest.others:
        note = note or (
            f"{manifest.others} other resource{'s' if manifest.others > 1 else ''} in it not read"
        )
    report = _report(path, role, configurations, manifest.others, note)
    if not configurations:
        report = replace(report, status="not-read")
    elif any(finding.severity is Severity.ERROR for finding in manifest.findings):
        report = replace(report, status="partly-read")
    return Reading(facts, findings, (report,))


def _embedded(one: EmbeddedConfiguration, path: str) -> RouterConfiguration:
    """One configuration of a manifest. Its bundle is named as a member of the file, so that two
    with one id stay apart.
    """
    bundle = f"{path}!/{one.name}"
    document = one.document
    found = (
        _loaded(load(document), bundle)
        if document
        else _configuration(one.form, one.text, bundle, one.placing)
    )
    entities = found.entities
    marks = {"assumed": one.assumed, "incomplete": one.incomplete, "unseen": one.unseen}
    if one.skupper:
        marks["made"] = "Skupper makes it from its own resources, with credentials that it issues"
    if one.skupper and not found.loaded.skupper:
        marks["from-2.0"] = "Skupper makes it"
    for starts, because in marks.items():
        if because and not found.loaded.refusals:
            entities += (_startup(starts, because, entities[0].source, found.server, bundle),)
    findings = found.findings
    if one.skupper:
        findings = tuple(one for one in findings if one.kind not in _ONLY_SKUPPER)
    return replace(found, entities=entities, findings=findings + one.findings)


_READERS: Mapping[Role, Callable[[str, str, Role, str], Reading]] = {
    roles.AMQ_DUMP: _read_said,
    roles.AMQ_QDSTAT: _read_said,
    roles.AMQ_MANIFEST: _read_resources,
    roles.AMQ_SITE_ROUTER: _read_resources,
}
