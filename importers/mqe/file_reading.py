"""One file of ``kind: mqe`` documents to facts: the documents of a file, and what ended its
reading.
"""

from __future__ import annotations

from collections.abc import Mapping

from topograph.facts import Fact
from topograph.files import FileReport
from topograph.findings import Finding, Source
from topograph.importers import lexical
from topograph.importers.mqe.document import QueueManagerDocument
from topograph.importers.positions.yaml_text import (
    YamlFault,
    YamlLimits,
    documents,
    is_in_brackets,
    member,
    place,
    scalar,
)
from topograph.importers.reading import Bundle, Options, Reading, read_each
from topograph.rules.unnumbered import (
    BINARY_FILE,
    ENCODING,
    INVALID_YAML,
    OTHER_DOCUMENT,
    YAML_LIMIT,
)

LIMITS = YamlLimits(size=32 * 2**20, depth=20, aliases=0, documents=20_000)


def read(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:  # noqa: ARG001
    """The queue managers of a file. Never raises; linear in the file."""
    return read_each(bundle, contents, lambda path, data: _read(path, data, bundle))


def _read(path: str, data: bytes, bundle: Bundle) -> Reading:
    decoded = lexical.decode(data)
    if decoded is None:
        finding = BINARY_FILE.at(Source(path), "This is not a text file: nothing of it is read.")
        return Reading(
            (), (finding,), (FileReport(path, "not-read", "main", "mqe", bundle.server),)
        )
    findings: list[Finding] = []
    if decoded.line:
        text = f"This byte is not UTF-8; the file is read as {decoded.encoding}."
        findings.append(ENCODING.at(Source(path, decoded.line, decoded.column), text))
    text = decoded.text.removeprefix("\ufeff")
    found = documents(text, LIMITS)
    facts: list[Fact] = []
    read_, unsupported = 0, 0
    ends = text.endswith(("\n", "\r")) or found.fault is not None
    for root in found.roots:
        if scalar(member(root, "kind")) != "mqe":
            note = "This document is not of kind: mqe and is not read."
            findings.append(OTHER_DOCUMENT.at(Source(path, *place(root)), note))
            unsupported += 1
            continue
        unended = root is found.roots[-1] and not (ends or is_in_brackets(root))
        document = QueueManagerDocument(path, bundle.id, root, unended=unended)
        document.read()
        facts += document.facts
        findings += document.findings
        read_ += len(document.facts)
        unsupported += document.unsupported
    if found.fault is not None:
        findings.append(_fault(found.fault, len(found.roots), len(text), path))
    status = (
        "not-read"
        if not facts
        else "partly-read"
        if found.fault is not None or unsupported
        else "read"
    )
    report = FileReport(
        path, status, "main", "mqe", bundle.server, read=read_, unsupported=unsupported
    )
    return Reading(tuple(facts), tuple(findings), (report,))


def _fault(fault: YamlFault, before: int, size: int, path: str) -> Finding:
    """What ended the reading of a file."""
    left = (
        f"Only the {before} documents before it are read."
        if before
        else "Nothing of this file is read."
    )
    what = {
        "": f"This is not YAML: {fault.reason}.",
        "size": f"This file has {size:,} characters; at most {LIMITS.size:,} are read.",
        "depth": f"Nested more than {LIMITS.depth} deep.",
        "aliases": "YAML aliases (*name) are not read: write the values out.",
        "documents": f"More than {LIMITS.documents:,} documents.",
    }[fault.limit]
    kind = YAML_LIMIT if fault.limit else INVALID_YAML
    return kind.at(Source(path, fault.line, fault.column), f"{what} {left}")
