"""What is gathered while one EMS file is read: facts, findings and counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from topograph.credentials import SET
from topograph.facts.ems_names import TEMPORARY, destination_name_fault, wildcard_fault
from topograph.files import FileReport
from topograph.findings import Severity, Source
from topograph.importers import lexical
from topograph.importers.drafting import FileDraft
from topograph.importers.ems import keys
from topograph.importers.lexical import Line
from topograph.records import record
from topograph.rules import FindingKind, Rule
from topograph.rules.ems_findings import (
    DESTINATION_NAME,
    LINE_TOO_LONG,
    NOT_A_WILDCARD,
    R93,
    SECTION_1_4,
    SECTION_3_1,
    TEMPORARY_DESTINATION,
    TL_14,
)
from topograph.rules.unnumbered import UNKNOWN_DIRECTIVE
from topograph.words.did_you_mean import nearest

_SPACE = lexical.BLANK + "\u00a0"
_SILENT = ("", "#", ";")
"""How a line begins that says nothing: blank lines and comments."""

WITHOUT_EFFECT = ": it has no effect here"
"""How such a finding ends, as far as files are concerned: a server may take it."""


@record
class Problem:
    """Something wrong in the text of an entry, at ``column`` of its line. ``repaired``: there is
    a reading that lenient mode may take (ems.md 3.1); strict mode never does. ``quiet``: lenient
    mode takes it without a word."""

    kind: FindingKind
    message: str
    column: int
    repaired: bool = False
    quiet: bool = False
    rule: Rule = SECTION_3_1


@dataclass(slots=True)
class EmsFileReading(FileDraft):
    """The state of reading one file. ``incomplete`` becomes true when an entry of the file is
    lost, so that nobody takes what was read for all there is; ``fatal`` when the server would
    not start with this file."""

    strict: bool = False
    show_text: bool = True
    incomplete: bool = False
    fatal: bool = False

    def report(
        self,
        severity: Severity,
        kind: FindingKind,
        message: str,
        source: Source,
        *,
        rule: Rule | None = None,
        text: str = "",
    ) -> None:
        """Note a finding; ``text`` is the line it is about and is shown without secrets (not at
        all for users.conf).
        """
        if not ((rule and rule.check) or self.lists(kind)):
            return
        shown = keys.excerpt(text) if self.show_text else ""
        self.findings.append(
            kind.at(
                source, message, rule=rule, severity=severity, server=self.server, excerpt=shown
            )
        )

    def error(
        self, kind: FindingKind, message: str, line: Line, column: int = 1, rule: Rule | None = None
    ) -> None:
        """Note that an entry cannot work as written."""
        place = self.source(line.number, column)
        self.report(Severity.ERROR, kind, message, place, rule=rule, text=line.text)

    def warning(
        self, kind: FindingKind, message: str, line: Line, column: int = 1, rule: Rule | None = None
    ) -> None:
        """Note that an entry is doubtful, or that something is not understood."""
        place = self.source(line.number, column)
        self.report(Severity.WARNING, kind, message, place, rule=rule, text=line.text)

    def unknown(self, line: Line, column: int, what: str) -> None:
        """Note a directive that is not understood, and count it."""
        self.unsupported += 1
        self.warning(UNKNOWN_DIRECTIVE, f"{what} is not understood{WITHOUT_EFFECT}", line, column)

    def unknown_property(self, line: Line, column: int, shown: str, known: Iterable[str]) -> None:
        """Note a property that is not among the ``known`` ones, as far as its name may be shown
        (``(set)``: not at all).
        """
        self.unsupported += 1
        near = [] if SET in shown else nearest(shown, known, 1, 0.7)
        meant = f" (did you mean {near[0]}?)" if near else ""
        named = "property whose name is not shown" if shown == SET else f"property '{shown}'"
        self.warning(UNKNOWN_DIRECTIVE, f"unknown {named}{meant}{WITHOUT_EFFECT}", line, column)

    def check_destination(self, name: str, cannot: str, line: Line, column: int) -> None:
        """Note what is wrong with the name of a destination that is bridged or has a durable, and
        that one which is temporary cannot be or have that.
        """
        if fault := destination_name_fault(name):
            self.error(DESTINATION_NAME, fault, line, column, SECTION_1_4)
        if fault := wildcard_fault(name):
            self.warning(NOT_A_WILDCARD, fault, line, column, TL_14)
        self.check_temporary(name, cannot, line, column)

    def check_temporary(self, name: str, cannot: str, line: Line, column: int) -> None:
        """Note what a temporary destination cannot do (R93)."""
        if name.startswith(TEMPORARY):
            message = f"{name} is temporary and cannot {cannot}"
            self.error(TEMPORARY_DESTINATION, message, line, column, R93)

    def lost(self) -> None:
        """Say that an entry of this file is not among the facts."""
        self.incomplete = True
        self.unsupported += 1

    def accepts(self, line: Line, problems: Iterable[Problem], about: str = "") -> bool:
        """Report the problems of an entry and say whether it may be kept as it is read: in
        strict mode only without problems, in lenient mode if every problem is repaired.
        ``about`` names the entry in the errors."""
        faults = []
        for problem in problems:
            if not self._refuses(problem):
                if not problem.quiet:
                    self.warning(problem.kind, problem.message, line, problem.column, problem.rule)
            else:
                faults.append(problem)
        for problem in faults:
            self.error(
                problem.kind, f"{about}{problem.message}", line, problem.column, problem.rule
            )
        return not faults

    def fault(self, problems: Iterable[Problem]) -> str:
        """The first problem for which an entry is not understood as it is read, in words; empty
        if there is none.
        """
        return next((problem.message for problem in problems if self._refuses(problem)), "")

    def _refuses(self, problem: Problem) -> bool:
        return self.strict or not problem.repaired

    def entries(self, text: str) -> Iterator[Line]:
        """The lines that say something: no blank lines, no comments, none over the line limit
        (that is a finding).
        """
        for line in lexical.lines(text):
            _, content, _ = line
            if content.lstrip(_SPACE)[:1] in _SILENT:
                continue
            if len(content) > lexical.MAX_LINE:
                self.lost()
                self.error(
                    LINE_TOO_LONG,
                    f"the line has {len(content)} characters, {lexical.MAX_LINE} are allowed",
                    line,
                    rule=SECTION_3_1,
                )
                continue
            yield line

    def name_server(self, server: str) -> None:
        """Put the server's name on everything gathered so far; used where it is learned while
        reading.
        """
        self.server = server
        self.findings = [replace(finding, server=server) for finding in self.findings]

    def file_report(self, role: str, note: str = "") -> FileReport:
        """The row of ``show files``: ``partly-read`` where an entry was lost or not understood."""
        status = "partly-read" if self.incomplete or self.unsupported else "read"
        return FileReport(
            self.file,
            status,
            role,
            "ems",
            self.server,
            self.read,
            self.ignored,
            self.unsupported,
            note,
        )
