"""What a report was made from: files, what in them was not understood, assumptions, side inputs,
and the command.
"""

from __future__ import annotations

import dataclasses
import hashlib
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from topograph.assumptions import Assumption
from topograph.credentials import without_credentials
from topograph.files import FileReport
from topograph.findings import Finding
from topograph.questions.answers import Caution
from topograph.questions.model import Model
from topograph.questions.texts.layout import count
from topograph.reporting.report import FileRow, Provenance

PROBLEMS = frozenset({"partly-read", "not-read"})
"""What became of files that are not wholly known."""


def files_of(model: Model, findings: Sequence[Finding]) -> tuple[FileRow, ...]:
    """A row a file, by path: what each server that reads it made of it. Linear in reports and
    findings.
    """
    by_path: dict[str, list[FileReport]] = {}
    for report in dict.fromkeys(model.records.files):
        by_path.setdefault(report.path, []).append(report)
    digests = model.records.origin.digests
    counts = Counter(one.source.file for one in findings if one.severity.rank)
    order = ("not-read", "partly-read", "read", "unclaimed", "skipped")
    return tuple(
        FileRow(
            path,
            min((one.status for one in own), key=order.index),
            digests.get(path, ""),
            tuple(own),
            counts[path],
        )
        for path, own in sorted(by_path.items())
    )


def provenance_of(
    model: Model,
    files: Sequence[FileRow],
    assumptions: Sequence[Assumption],
    warnings: Sequence[Caution],
    options: Sequence[str] = (),
) -> Provenance:
    """``options`` are what the command was given beside snapshot, network and file."""
    return Provenance(
        tuple(files),
        tuple(
            one
            for one in files
            if one.status in PROBLEMS or any(report.unsupported for report in one.reports)
        ),
        tuple(assumptions),
        tuple(dict.fromkeys(warnings)),
        tuple(_side_inputs(model)),
        _digest(files),
        command(model, options),
        model.parts[0].engine.name if model.parts else "memory",
    )


def _digest(files: Sequence[FileRow]) -> str:
    known = sorted((one.path, one.sha256) for one in files if one.sha256)
    lines = "".join(f"{sha256}  {path}\n" for path, sha256 in known)
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest() if known else ""


def command(model: Model, options: Sequence[str] = ()) -> str:
    """The command that makes the report again, without what is secret and without the folders of
    this machine: paths are their last part.
    """
    words = ["topograph", "report", *where(model), *options, "-o", "report.html"]
    return without_credentials(shlex.join(words))


def where(model: Model) -> list[str]:
    """The options that name snapshot and network in a printed command."""
    named = model.records.named
    local = named if named.startswith("neo4j:") or model.revision else PurePath(named).name or named
    if model.redaction or not named:
        local = "SNAPSHOT"
    return ["-s", local, "--network", model.network]


def _side_inputs(model: Model) -> list[str]:
    """How many entries each section of topograph.yaml has."""
    sections: Mapping[str, object] = {
        one.name: getattr(model.side_inputs, one.name)
        for one in dataclasses.fields(model.side_inputs)
    }
    return [
        f"{name}: {count(len(value), 'entry', 'entries')}"
        for name, value in sections.items()
        if isinstance(value, (tuple, list, dict, frozenset)) and value
    ]
