"""From files to a snapshot in memory, in one process and without Spark: what ``topograph.read``, tests and audits share.

``read_snapshot`` reads a folder; ``network_data`` compiles facts that are there already.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from topograph.errors import InputError
from topograph.findings import Finding
from topograph.store.snapshot import MemorySnapshot, NetworkData
from topograph.systems import compile_network, systems_in

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.files import FileReport
    from topograph.redaction.key import Key
    from topograph.side_inputs import SideInputs


def network_data(
    facts: Sequence[Fact],
    side_inputs: SideInputs,
    findings: Sequence[Finding] = (),
    files: Sequence[FileReport] = (),
) -> NetworkData:
    """Facts and side inputs, compiled: all that one network of a snapshot holds. Linear in the facts, and what compiling takes.

    A system whose rules fail has no servers, with a finding. Raises TopographError if no system is left."""
    from topograph.store.reports import keep_reports

    compiled = compile_network(facts, side_inputs)
    keep_reports(compiled.errors, anything_left=any(tables.servers for tables in compiled.tables))
    return NetworkData(compiled.tables, facts, [*findings, *compiled.findings], files, side_inputs)


def read_snapshot(
    path: str | os.PathLike[str],
    config: str | os.PathLike[str] | None = None,
    *,
    strict: bool = False,
    redact: bool = False,
) -> MemorySnapshot:
    """The snapshot that ``read`` asks: the same facts, tables and findings as an import through Spark writes."""
    from topograph import extensions
    from topograph.importers.plan import plan, read_bundle, recognise
    from topograph.importers.reading import Options
    from topograph.inputs import GONE, gone_report, gone_since, nothing_recognised, reason_of, side_inputs_for
    from topograph.store.identity import NetworkInputs, snapshot_id
    from topograph.store.listing import list_inputs, read_bytes

    root = Path(path)
    name = root.resolve().name
    key = _redaction_key() if redact else None
    listing = list_inputs(root)
    contents: dict[str, bytes] = {}
    gone: dict[str, str] = {}
    findings: list[Finding] = list(listing.findings)
    for file in listing.files:
        try:
            contents[file.path] = read_bytes(file)
        except OSError as error:
            gone[file.path] = GONE
            findings.append(gone_since(file.path, reason_of(error)))
    side_inputs = side_inputs_for(config, contents, findings, _told(key))
    recognised = [recognise(file, data) for file, data in contents.items()]
    planned = plan(recognised, side_inputs, listing.aliases)
    findings.extend(planned.findings)
    facts: list[Fact] = []
    files: list[FileReport] = [*listing.reports, *map(gone_report, gone), *planned.files]
    for bundle in planned.bundles:
        own = {file.path: contents[file.path] for file in bundle.files if file.path in contents}
        reading = read_bundle(bundle, own, Options(strict=strict))
        facts.extend(reading.facts)
        findings.extend(reading.findings)
        files.extend(reading.files)
    if not planned.bundles:
        raise InputError(nothing_recognised(str(path), recognised))
    inputs = NetworkInputs(_digests(contents), {**listing.skipped, **gone}, side_inputs)
    options: dict[str, object] = {"strict": strict}
    if key is not None:
        from topograph.redaction.redactor import redactor_of

        # Before anything is derived from the facts, so that all of it is derived from redacted ones.
        redactor = redactor_of(key, facts, side_inputs, [*inputs.files, *inputs.skipped])
        facts = [redactor.record(fact) for fact in facts]
        findings = [*map(redactor.record, findings), *redactor.findings()]
        files = [redactor.record(report) for report in files]
        name, inputs = redactor.path(name), redactor.inputs(inputs)
        side_inputs = inputs.side_inputs
        options["redact"] = redactor.fingerprint
    data = network_data(facts, side_inputs, findings, files)
    options |= extensions.options(name for tables in data.tables for name in systems_in(tables))
    made_of = snapshot_id({name: inputs}, options)
    return MemorySnapshot(made_of, str(path), {name: data}, key.fingerprint if key is not None else "")


def _redaction_key() -> Key:
    from topograph.redaction.key import key_in_effect

    return key_in_effect()


def _told(key: Key | None) -> Callable[[str], str]:
    """How a message about a file that is not among those read is shown."""
    if key is None:
        return str
    from topograph.redaction.redactor import of_no_network

    return of_no_network(key).message


def _digests(contents: Mapping[str, bytes]) -> dict[str, str]:
    import hashlib

    return {path: hashlib.sha256(data).hexdigest() for path, data in contents.items()}
