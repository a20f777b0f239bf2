"""Reading one file's text on its own, outside any bundle: for tests, and for what is pasted
rather than imported.
"""

from __future__ import annotations

from topograph.facts import Fact
from topograph.facts.ems import EmsServer
from topograph.findings import Finding, Severity
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.ems.json_file import read_json
from topograph.importers.ems.kinds import PARTS, READERS
from topograph.importers.ems.main_file import MainFile, read_main
from topograph.records import record


@record
class ParsedText:
    """What the text of one file gave. ``ignored`` are the parameters of a main file that have no
    value and so no effect; ``fatal_at_start_up`` says that the server would not start with this
    file. Findings stand in the order they were made."""

    facts: tuple[Fact, ...]
    findings: tuple[Finding, ...]
    ignored: tuple[str, ...]
    fatal_at_start_up: bool

    @property
    def first_error(self) -> Finding | None:
        """The error that stands first in the text, or None."""
        errors = [finding for finding in self.findings if finding.severity is Severity.ERROR]
        return min(
            errors, key=lambda finding: (finding.source.line, finding.source.column), default=None
        )

    @property
    def warnings(self) -> frozenset[str]:
        """The kinds of the warnings."""
        return frozenset(
            finding.kind for finding in self.findings if finding.severity is Severity.WARNING
        )

    @property
    def values(self) -> dict[str, str | bool]:
        """The parameters of a main file in effect, switches as booleans; empty for other files."""
        server = next((fact for fact in self.facts if isinstance(fact, EmsServer)), None)
        if server is None:
            return {}
        switches = {"routing": server.routing, "authorization": server.authorization}
        return {
            **dict(server.parameters),
            **{key: value for key, value in switches.items() if value is not None},
        }


def parse_text(file_kind: str, text: str, strict: bool, *, server: str = "") -> ParsedText:
    """Read the text of one file. ``file_kind`` is a usual file name (``tibemsd.conf``,
    ``tibemsd.json``, ``routes.conf``, ``acl.conf``, ...) or a kind of sub-file (``routes``,
    ``acl_list``, ``show-routes``, ...); it also names the file in sources. ``server`` is whose file
    it is, which a main file says itself. Raises KeyError for another ``file_kind``; never for a
    text.
    """
    part = PARTS.get(file_kind, file_kind)
    reading = EmsFileReading(file_kind, server, file_kind, strict=strict, show_text=part != "users")
    text = text.removeprefix("\ufeff")
    if part != "main":
        READERS[part](reading, text)
        reading.close()
        return ParsedText(
            tuple(reading.facts),
            tuple(reading.findings),
            ignored=(),
            fatal_at_start_up=reading.fatal,
        )
    main: MainFile = (read_json if file_kind.endswith(".json") else read_main)(reading, text)
    reading.close()
    facts = (main.fact(reading, tuple(dict.fromkeys(main.incomplete))), *reading.facts)
    return ParsedText(facts, tuple(reading.findings), tuple(main.ignored), reading.fatal)
