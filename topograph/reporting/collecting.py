"""From a model to a report: each part asked once, and put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from topograph.errors import UsageError
from topograph.files import DUMPED
from topograph.findings import Finding, count_by_severity
from topograph.questions.answers.audit import AuditAnswer
from topograph.questions.answers.base import Caution
from topograph.questions.cycles import legal_routes
from topograph.questions.model import Model
from topograph.reporting.answers import shown
from topograph.reporting.findings import found_in, grouped
from topograph.reporting.glossary import glossary_of
from topograph.reporting.inventory import destinations_of, kinds_of, servers_of, tables_of, zones_of
from topograph.reporting.matrix import matrix_of
from topograph.reporting.provenance import PROBLEMS, files_of, provenance_of
from topograph.reporting.report import FileRow, Report, ReportHeader, ServerRow
from topograph.reporting.verdict import first_things, judged, order_of
from topograph.systems import system
from topograph.systems.rule_texts import rule_text
from topograph.tracing.assumptions import network_assumptions
from topograph.version import __version__

_AS_OF = {
    "imported": "configuration as imported on",
    "changed": "configuration as last changed on",
    "committed": "configuration as committed on",
}


def collect(
    model: Model,
    options: Sequence[str] = (),
    changes: AuditAnswer | None = None,
    answers: Iterable[tuple[str, Mapping[str, Any]]] = (),
    pictured: Iterable[str] = (),
) -> Report:
    """The report of one network. ``options`` are what the command was given beside the snapshot,
    ``changes`` what a change of this network does, ``answers`` other answers as JSON, each with the
    name of its file, ``pictured`` what to know of its picture. About linear in the network, and one
    walk from each server.

    Raises UsageError where the network is redacted and one of these is not."""
    if changes is not None and changes.redaction != model.redaction:
        raise UsageError(
            "The change was not judged on this snapshot: one of the two is redacted, or "
            "by another key."
        )
    systems = sorted({place.system for place in model.places()})
    findings = found_in(model)
    counts = count_by_severity(findings)
    zones = zones_of(model, findings)
    servers = servers_of(model, zones, findings)
    groups = grouped(findings, model, lambda rule: rule_text(rule, systems))
    files = files_of(model, findings)
    incomplete = {system(name).citing.incomplete_rule for name in systems}
    header = _header(model, systems, files, servers, findings, incomplete)
    legality = legal_routes(model)
    matrix = matrix_of(model, zones)
    assumptions = network_assumptions(part.graph for part in model.parts)
    cautions = (
        *model.warnings,
        *legality.warnings,
        *(Caution("layout", text) for text in pictured),
    )
    tables = tables_of(model)
    rules = [group.label for group in groups]
    rules += [one.rule for one in assumptions]
    first = first_things(groups, incomplete, header.server_noun, systems)
    words = _words(header, bool(zones), [table.what for table in tables])
    return Report(
        header=header,
        verdict=judged(header, legality, counts, matrix, model.unreadable, len(assumptions)),
        first=first,
        first_order=order_of(first, incomplete),
        groups=groups,
        counts=counts,
        zones=zones,
        servers=servers,
        matrix=matrix,
        tables=tables,
        destinations=destinations_of(model),
        provenance=provenance_of(model, files, assumptions, cautions, options),
        changes=changes,
        answers=tuple(
            shown(answer, file, model.snapshot, model.redaction) for file, answer in answers
        ),
        glossary=glossary_of(rules, [one.confidence for one in assumptions], words, systems),
    )


def _header(
    model: Model,
    systems: Sequence[str],
    files: Sequence[FileRow],
    servers: Sequence[ServerRow],
    findings: Sequence[Finding],
    incomplete: set[str],
) -> ReportHeader:
    origin = model.records.origin
    records = [system(name) for name in systems]
    nouns = {one.wording.server_noun for one in records}
    missing = {
        one.message for one in findings if one.rule in incomplete and str(one.severity) == "error"
    }
    return ReportHeader(
        network=model.network,
        snapshot=model.snapshot,
        version=__version__,
        as_of=origin.when,
        as_of_means=_AS_OF.get(origin.means, ""),
        revision=model.revision,
        dumped=_dumped(files),
        systems=tuple(one.title for one in records),
        kinds=kinds_of(model, systems),
        server_noun=nouns.pop() if len(nouns) == 1 else "server",
        files=sum(one.status in ("read", "partly-read") for one in files),
        files_with_problems=sum(one.status in PROBLEMS or bool(one.findings) for one in files),
        files_with_findings=len({one.source.file for one in findings if one.severity.rank}),
        files_in_part=sum(one.status in PROBLEMS for one in files),
        files_missing=len(missing),
        servers_loaded=sum(one.loaded for one in servers),
        servers_named=sum(not one.loaded for one in servers),
        redaction=model.redaction,
    )


def _dumped(files: Sequence[FileRow]) -> tuple[tuple[str, str], ...]:
    """(when, file) of the files that say when a server wrote them."""
    return tuple(
        sorted(
            (one.reports[0].note.removeprefix(DUMPED), one.path)
            for one in files
            if one.reports[0].note.startswith(DUMPED)
        )
    )


def _words(header: ReportHeader, zones: bool, tables: Sequence[str]) -> list[str]:
    """The words of the glossary that a report uses."""
    found = [
        "Server",
        "Link",
        "Hop",
        "Path",
        "Finding",
        "Snapshot",
        "Network",
        "Source",
        "Neighbour",
    ]
    if zones:
        found.append("Zone")
    if "interests" in tables:
        found.append("Interest")
    if "selectors" in tables:
        found.append("Selector")
    return found if header.servers_loaded else found[-4:]
