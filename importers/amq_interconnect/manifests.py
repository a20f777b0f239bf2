"""Router configurations inside Kubernetes manifests (amq_interconnect.md 3.3): ConfigMaps that hold
one as text, and Interconnect resources.

One YAML file may hold several documents, lists and templates. A text keeps the lines of the file it
stands in where it is a block (``|``); an escaped string has one place. What an Interconnect
resource says is written as sections, as the operator writes it into the file of every router it
starts; how many there are and what they are called is not in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from topograph.digits import digits
from topograph.findings import Finding, Severity, Source
from topograph.importers.amq_interconnect.recognition import configuration_form
from topograph.importers.amq_interconnect.sections import ConfDocument, ConfEntry, ConfSection
from topograph.importers.positions.places import BlockLines, Placing
from topograph.importers.positions.yaml_text import (
    Documents,
    YamlLimits,
    documents,
    items,
    member,
    members,
    place,
    scalar,
)
from topograph.records import record
from topograph.rules.amq_interconnect_findings import (
    NO_CONFIGURATION,
    OPERATOR_DEFAULTS,
    RESOURCE_ASSUMED,
    SECTION_3_3,
    UNKNOWN_ATTRIBUTE_3_3,
    UNKNOWN_SECTION_3_3,
)
from topograph.rules.unnumbered import INVALID_YAML, YAML_LIMIT, YAML_TOO_LARGE

if TYPE_CHECKING:
    from yaml.nodes import Node

MAX_ALIASES = 200
_LIMITS = YamlLimits(size=32 * 2**20, depth=60, aliases=MAX_ALIASES, documents=5_000)
_USUAL_NAMES = ("qdrouterd.conf", "qdrouterd.json", "skrouterd.conf", "skrouterd.json")
_STEPS = 200_000
"""Nodes that are looked at in one file: aliases of aliases may never end."""

_LISTS = {
    "listeners": ("listener", "normal"),
    "interRouterListeners": ("listener", "inter-router"),
    "edgeListeners": ("listener", "edge"),
    "connectors": ("connector", "normal"),
    "interRouterConnectors": ("connector", "inter-router"),
    "edgeConnectors": ("connector", "edge"),
    "sslProfiles": ("sslProfile", ""),
    "addresses": ("address", ""),
    "autoLinks": ("autoLink", ""),
    "linkRoutes": ("linkRoute", ""),
}
_RENAMED = {"removeExternalPrefix": "delExternalPrefix"}
_OF_THE_OPERATOR = frozenset(
    {"routeContainer", "expose", "credentials", "caCert", "mutualAuth", "requireClientCerts"}
)
"""Attributes that the operator reads itself and does not write into the routers' file as they
are.
"""

_OTHER_PARTS = frozenset({"deploymentPlan", "users"})


@record
class EmbeddedConfiguration:
    """One configuration in a manifest. ``name`` tells it from the others of the file. Either
    ``text`` in a ``form`` (``conf``, ``json``) at ``placing``, or the ``document`` of a
    resource, with what was ``assumed`` for it."""

    name: str
    form: str = ""
    text: str = ""
    placing: Placing = Placing("")
    document: ConfDocument | None = None
    assumed: str = ""
    findings: tuple[Finding, ...] = ()
    incomplete: str = ""
    """Why the router may have more links and receivers than it says."""
    unseen: str = ""
    """Why it may have more receivers."""
    skupper: bool = False
    """Whether Skupper's controller makes it, so that only Skupper Router starts with it."""


@dataclass
class ReadManifests:
    """What a file of manifests holds: configurations, findings, and the number of resources that
    are no configuration.
    """

    embedded: list[EmbeddedConfiguration] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    others: int = 0


def read_manifest(text: str, file: str) -> ReadManifests:
    """The router configurations of a YAML (or JSON) file of Kubernetes resources. Never raises;
    linear but for aliases, which are bounded.
    """
    found = documents(text, _LIMITS)
    walker = _Walker(text, file)
    walker.manifest.findings.extend(faults_of(found, len(text), file, _LIMITS))
    for root in found.roots:
        walker.resource(root)
    if walker.steps > _STEPS:
        message = f"This file has too much in it: only its first {_STEPS:,} values are looked at"
        walker.manifest.findings.append(YAML_LIMIT.at(Source(file), message))
    return walker.manifest


def faults_of(found: Documents, size: int, file: str, limits: YamlLimits) -> Iterator[Finding]:
    """What ended the reading of a file, if anything did."""
    fault = found.fault
    if fault is None:
        return
    if fault.limit == "size":
        kind, message = (
            YAML_TOO_LARGE,
            f"This file has {size:,} characters; at most {limits.size:,} are read",
        )
    elif fault.limit:
        kind, message = YAML_LIMIT, f"{limits.beyond(fault.limit)}: nothing of this file is used"
    else:
        before = len(found.roots)
        read = (
            f"only the {before} documents before it are read"
            if before
            else "nothing of this file is used"
        )
        kind, message = INVALID_YAML, f"This is not YAML: {fault.reason}; {read}"
    yield kind.at(Source(file, fault.line, fault.column), message)


class _Walker:
    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.text = text
        self.lines = BlockLines(text)
        self.manifest = ReadManifests()
        self.steps = 0
        self.names: dict[str, int] = {}

    def step(self) -> bool:
        self.steps += 1
        return self.steps <= _STEPS

    def source(self, node: Node) -> Source:
        return Source(self.file, *place(node))

    def resource(self, node: Node, depth: int = 0) -> None:
        """One resource, or a list or template of them."""
        if depth > 5 or not self.step():
            return
        kind, version = scalar(member(node, "kind")) or "", scalar(member(node, "apiVersion")) or ""
        inner = [*items(member(node, "items")), *items(member(node, "objects"))]
        if inner and (kind.endswith("List") or kind == "Template"):
            for one in inner:
                self.resource(one, depth + 1)
            return
        name = scalar(member(node, "metadata", "name")) or kind or "document"
        before = len(self.manifest.embedded)
        if kind == "Interconnect" and version.startswith("interconnectedcloud"):
            self.interconnect(node, name)
        elif kind == "ConfigMap":
            self.config_map(node, name)
        elif kind != "Secret":
            for text in self.texts(member(node, "spec"), 0):
                self.embed(text, name)
        self.manifest.others += len(self.manifest.embedded) == before

    def config_map(self, node: Node, name: str) -> None:
        for key, value in members(member(node, "data")):
            key_text = scalar(key) or ""
            if not self.embed(value, f"{name}/{key_text}") and key_text in _USUAL_NAMES:
                message = f"{key_text} of the ConfigMap {name} holds no router configuration"
                self.manifest.findings.append(
                    SECTION_3_3.at(self.source(key), message, kind=NO_CONFIGURATION)
                )

    def texts(self, node: Node | None, depth: int) -> Iterator[Node]:
        """The texts below a node that have several lines: a configuration may stand in an
        environment variable.
        """
        if node is None or depth > 30 or not self.step():
            return
        if (text := scalar(node)) is not None:
            if "\n" in text:
                yield node
            return
        for _, value in members(node):
            yield from self.texts(value, depth + 1)
        for value in items(node):
            yield from self.texts(value, depth + 1)

    def embed(self, node: Node, name: str) -> bool:
        text = scalar(node)
        form = configuration_form(text) if text else ""
        if not text or not form:
            return False
        self.manifest.embedded.append(
            EmbeddedConfiguration(
                self.unique(name), form, text, self.lines.placing(self.file, node, text)
            )
        )
        return True

    def unique(self, name: str) -> str:
        self.names[name] = self.names.get(name, 0) + 1
        return name if self.names[name] == 1 else f"{name}#{self.names[name]}"

    def interconnect(self, node: Node, name: str) -> None:
        spec = member(node, "spec")
        where = self.source(member(node, "metadata", "name") or node)
        role = scalar(member(spec, "deploymentPlan", "role")) or "interior"
        size = scalar(member(spec, "deploymentPlan", "size")) or "1"
        findings: list[Finding] = []
        router = ConfSection("router", "Interconnect", where)
        mode_at = self.source(member(spec, "deploymentPlan", "role") or node)
        router.entries = [
            ConfEntry.read("id", name, where, f"name: {name}"),
            ConfEntry.read("mode", role, mode_at, f"role: {role}"),
        ]
        sections = [router]
        given = set()
        for key, value in members(spec):
            key_text = scalar(key) or ""
            if key_text in _LISTS:
                given.add(key_text)
                sections += [
                    section
                    for item in items(value)
                    if (section := self.section(item, key_text, findings)) is not None
                ]
            elif key_text not in _OTHER_PARTS:
                message = f"An Interconnect resource has no {key_text}: it is not read"
                findings.append(SECTION_3_3.at(self.source(key), message, kind=UNKNOWN_SECTION_3_3))
        several = digits(size, 2) > 1
        assumed = (
            f"the Interconnect resource {name} is taken as one router of that name: its "
            "routers get their ids when they start"
        )
        message = f"{name} stands for {size} routers" if several else f"{name} stands for a router"
        message += ", whose ids are made when they start: taken as one router named " + name
        if several:
            message += "; the links among them are not shown"
            assumed += f", and there are {size}"
        severity = Severity.WARNING if several else Severity.INFO
        findings.append(
            SECTION_3_3.at(where, message, kind=RESOURCE_ASSUMED, severity=severity, server=name)
        )
        self.note_defaults(name, role, given, where, findings)
        document = ConfDocument(tuple(sections), (), whole=False)
        self.manifest.embedded.append(
            EmbeddedConfiguration(
                self.unique(name), document=document, assumed=assumed, findings=tuple(findings)
            )
        )

    def section(self, item: Node, key: str, findings: list[Finding]) -> ConfSection | None:
        if not self.step():
            return None
        type_, role = _LISTS[key]
        source = self.source(item)
        section = ConfSection(type_, key, source)
        values = {scalar(name) or "": (name, scalar(value)) for name, value in members(item)}
        for attribute, (name, value) in values.items():
            if attribute in _OF_THE_OPERATOR or value is None:
                continue
            if attribute == "externalPrefix":
                message = (
                    "externalPrefix is not an attribute of a router's autoLink: it is not read"
                )
                findings.append(
                    SECTION_3_3.at(self.source(name), message, kind=UNKNOWN_ATTRIBUTE_3_3)
                )
                continue
            written = _RENAMED.get(attribute, attribute)
            section.entries.append(
                ConfEntry.read(written, value, self.source(name), f"{attribute}: {value}")
            )
        if type_ == "listener" and "host" not in values:
            section.entries.append(ConfEntry.read("host", "0.0.0.0", source, key))  # noqa: S104
        if role:
            container = (values.get("routeContainer", (None, None))[1] or "").lower() == "true"
            in_effect = "route-container" if container and role == "normal" else role
            section.entries.append(ConfEntry.read("role", in_effect, source, key))
        return section

    def note_defaults(
        self, name: str, role: str, given: set[str], where: Source, findings: list[Finding]
    ) -> None:
        """The operator adds listeners where a resource gives none; which ports they get depends
        on the cluster, so that none is made up.
        """
        wanted = [
            "listeners",
            *(["interRouterListeners", "edgeListeners"] if role == "interior" else []),
        ]
        if missing := [one for one in wanted if one not in given]:
            message = (
                f"{name} gives no {', '.join(missing)}: the operator adds its own, which are "
                "not in this file and not counted here"
            )
            findings.append(SECTION_3_3.at(where, message, kind=OPERATOR_DEFAULTS, server=name))
