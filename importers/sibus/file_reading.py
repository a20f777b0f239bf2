"""What is gathered while one file is read: facts, findings and counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from topograph.facts.sibus import SECTIONS, WAS, Incomplete, SibusBus
from topograph.files import FileReport
from topograph.findings import Severity, Source
from topograph.importers.drafting import FileDraft
from topograph.importers.positions.xml_text import Element, XmlFault
from topograph.rules import FindingKind, Rule
from topograph.rules.unnumbered import INCOMPLETE_BUS, XML_NOT_READ


@dataclass(slots=True)
class SibusFileReading(FileDraft):
    """The state of reading one file. ``buses`` are those that it says something of, by the
    ``server`` of their facts.
    """

    buses: dict[str, SibusBus] = field(default_factory=dict)
    partly: bool = False
    unsure: set[tuple[str, str]] = field(default_factory=set)
    """The sections of buses that the file may say more of than is understood."""

    def at(self, element: Element, attribute: str = "") -> Source:
        """The place of an element, or of one of its attributes."""
        return Source(self.file, *element.place(attribute))

    def bus(self, server: str, source: Source, edition: str = WAS) -> None:
        """Note that the file says something of a bus."""
        if server not in self.buses:
            self.buses[server] = SibusBus(
                bundle=self.bundle, server=server, source=source, name=server, edition=edition
            )

    def state_bus(self, bus: SibusBus) -> None:
        """Put together what the file says of a bus itself."""
        known = self.buses.get(bus.server)
        complete = tuple(
            name for name in SECTIONS if name in bus.complete or (known and name in known.complete)
        )
        self.buses[bus.server] = replace(bus, complete=complete)

    def cell(self, server: str, cell: str) -> None:
        """Note the cell of a bus, if the file says it."""
        if cell:
            self.buses[server] = replace(self.buses[server], cell=cell)

    def completed(self, server: str, section: str) -> None:
        """Note that the file has everything of a section of a bus."""
        bus = self.buses[server]
        if section not in bus.complete:
            self.buses[server] = replace(bus, complete=(*bus.complete, section))

    def report(
        self,
        severity: Severity,
        kind: FindingKind,
        message: str,
        source: Source,
        rule: Rule | None = None,
        server: str = "",
    ) -> None:
        """Note a finding."""
        if self.lists(kind):
            self.findings.append(
                kind.at(source, message, rule=rule, severity=severity, server=server or self.server)
            )

    def incomplete(
        self,
        server: str,
        reason: str,
        source: Source,
        sections: Iterable[str] = SECTIONS,
        object_: str = "",
    ) -> None:
        """Note that something of a bus is not understood: a fact, which is of any bus where that
        is not known (``""``), and a finding.
        """
        self.partly = True
        self.unsupported += 1
        what = (
            f"{object_} of the bus {server}"
            if object_
            else f"the bus {server}"
            if server
            else "the bus it is about"
        )
        known = tuple(sections)
        self.unsure.update((server, one) for one in known if server)
        self.facts.append(
            Incomplete(
                bundle=self.bundle,
                server=server,
                source=source,
                reason=reason,
                sections=known,
                object=object_,
            )
        )
        message = f"{reason}: answers about {what} are incomplete."
        self.report(Severity.WARNING, INCOMPLETE_BUS, message, source, server=server)

    def fault(self, fault: XmlFault | None, server: str) -> None:
        """Say that XML was not read to its end, and that the bus is incomplete."""
        if fault is None:
            return
        why = {
            "": f"it is not XML from here on ({fault.reason})",
            "entities": "it defines or uses entities, which are never expanded",
            "depth": "its elements are nested too deeply",
            "elements": "it has too many elements",
            "size": "it is too large",
        }[fault.limit]
        source = self.source(fault.line, fault.column)
        self.partly = True
        self.report(
            Severity.ERROR,
            XML_NOT_READ,
            f"The rest of this file is not read: {why}.",
            source,
            server=server,
        )
        if server:
            self.incomplete(server, f"{source.file} could not be read to its end: {why}", source)

    def file_report(self, role: str) -> FileReport:
        """Add the facts about buses, say how many findings were only counted, and give the row
        of ``show files``.
        """
        self.facts[:0] = self.buses.values()
        self.close()
        status = "partly-read" if self.partly else "read"
        server = self.server or (next(iter(self.buses)) if len(self.buses) == 1 else "")
        return FileReport(
            self.file, status, role, "sibus", server, self.read, self.ignored, self.unsupported
        )
