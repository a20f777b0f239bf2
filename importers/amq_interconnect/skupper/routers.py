"""What a site's router is made of, before it is written as a configuration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from topograph.findings import Finding, Source
from topograph.importers.amq_interconnect.sections import ConfDocument, ConfEntry, ConfSection
from topograph.importers.amq_interconnect.skupper.resources import Resource
from topograph.records import record
from topograph.rules import FindingKind
from topograph.rules.amq_interconnect_findings import SECTION_3_6, WITHOUT_EFFECT

PORTS = {"inter-router": "55671", "edge": "45671"}
"""Where a router listens for links [skupper v2alpha1 RouterAccessRole.GetPort]."""


@record
class LinkEnd:
    """An end of links: a connector to ``host:port``, or a listener there; ``host`` is empty for
    all hosts."""

    name: str
    host: str
    port: str
    role: str
    source: Source
    cost: str = ""
    site: str = ""
    """The uid or name of the site at the other end, where the resource says it."""
    grant: str = ""
    """The URL at which a token is redeemed, of a link that is still to be made."""


@dataclass
class SiteRouter:
    """The router of a site. ``id`` is its name in the network; ``made_of`` are resources of its
    site; ``assumed``, ``incomplete`` and ``unseen`` say in words what answers about it rest on, why
    it may have more links, and why more receivers."""

    site: Resource
    id: str = ""
    edge: bool = False
    made_of: list[Resource] = field(default_factory=list)
    listeners: list[LinkEnd] = field(default_factory=list)
    connectors: list[LinkEnd] = field(default_factory=list)
    sections: list[ConfSection] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    incomplete: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)

    @property
    def role(self) -> str:
        """The role of its connectors to other routers [skupper internal/site/link.go]."""
        return "edge" if self.edge else "inter-router"

    def note(self, kind: FindingKind, message: str, source: Source) -> None:
        self.findings.append(SECTION_3_6.at(source, message, kind=kind, server=self.id))

    def without_effect(self, resource: Resource, because: str) -> None:
        """Note that the controller makes nothing of a resource."""
        self.note(WITHOUT_EFFECT, f"{resource.label} has no effect: {because}", resource.source)

    def section(self, type_: str, source: Source, values: Iterable[tuple[str, str]]) -> None:
        """Add a section of the router's configuration; empty values are left out."""
        self.sections.append(section(type_, source, values))

    def document(self) -> ConfDocument:
        """The configuration that the controller writes, without what it has for itself: listeners
        on the machine, and the address prefix ``mc``, over which controllers talk (3.6)."""
        router = section(
            "router",
            self.site.source,
            (("id", self.id), ("mode", "edge" if self.edge else "interior")),
        )
        return ConfDocument((router, *self.ends(), *self.sections), (), whole=False)

    def ends(self) -> tuple[ConfSection, ...]:
        """Its listeners and connectors for links, each with a name of its own."""
        names: set[str] = set()
        found = []
        for type_, ends in (("listener", self.listeners), ("connector", self.connectors)):
            for end in ends:
                name = end.name
                while name in names:
                    name += "'"
                names.add(name)
                values = [
                    ("name", name),
                    ("host", end.host or ("0.0.0.0" if type_ == "listener" else "")),  # noqa: S104
                    ("port", end.port),
                    ("role", end.role),
                    ("cost", end.cost),
                ]
                found.append(section(type_, end.source, values))
        return tuple(found)


def section(type_: str, source: Source, values: Iterable[tuple[str, str]]) -> ConfSection:
    """A section with what is stated of it."""
    made = ConfSection(type_, type_, source)
    made.entries = [
        ConfEntry.read(name, value, source, f"{name}: {value}") for name, value in values if value
    ]
    return made
