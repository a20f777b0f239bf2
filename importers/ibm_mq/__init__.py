"""IBM MQ: MQSC scripts, output of dmpmqcfg and DISPLAY, Kubernetes resources, REST JSON and ini
files, to facts (ibm_mq.md C4).

Syntax only, and what MQ itself would do with one script (``model``): which commands it refuses, and
what LIKE and REPLACE leave. What messages do is in ``topograph.systems.ibm_mq``. ``wrappers`` finds
the texts in a file, ``rows`` tells their lines apart, ``words`` takes commands apart, ``display``
reads blocks of attributes. Start at ``read``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from topograph.digits import is_digits
from topograph.facts import Fact
from topograph.facts.ibm_mq_templates import is_template
from topograph.files import DUMPED, FileReport
from topograph.findings import Finding, Severity, Source
from topograph.importers import lexical
from topograph.importers.ibm_mq import recognition, roles
from topograph.importers.ibm_mq.known_formats import KNOWN_FORMATS
from topograph.importers.ibm_mq.model import ManagerModel
from topograph.importers.ibm_mq.naming import alternatives, guessed, names_change
from topograph.importers.ibm_mq.reader import ReadManagers
from topograph.importers.ibm_mq.run_files import RUN_BY_SCRIPTS, Lookup, lookup_in
from topograph.importers.ibm_mq.wrappers import (
    first_name,
    named_by,
    read_into,
    references,
    role_of,
)
from topograph.importers.reading import (
    Bundle,
    BundleFile,
    Options,
    Reading,
    Recognised,
    Use,
    not_text,
    not_utf8,
    read_each,
)
from topograph.rules.ibm_mq_findings import QUEUE_MANAGER_NOT_NAMED, SECTION_C4
from topograph.side_inputs import yaml_text

__all__ = ["KNOWN_FORMATS", "read", "recognise"]


def recognise(path: str, data: bytes) -> Recognised | None:
    """What a file is to this system, None if nothing. One that names no queue manager has a name
    made of its own, or of its folder's, and says so (``unnamed``). Never raises."""
    decoded = lexical.decode(data)
    if decoded is None:
        return None
    role = role_of(decoded.text)
    if role is None:
        return None
    name, certain = first_name(decoded.text, role)
    runs, others = references(decoded.text, path, role), recognition.remote_names(decoded.text)
    if certain or role.use is Use.OBSERVED:
        return Recognised(
            path,
            role,
            name,
            runs,
            speaks_of=others,
            named_by=named_by(decoded.text, role, name),
            written=recognition.written(decoded.text),
        )
    return Recognised(
        path,
        role,
        name or guessed(path)[0],
        runs,
        unnamed=True,
        also=() if name else alternatives(path),
        change=not name and role == roles.MQ_SCRIPT and names_change(path),
        speaks_of=others,
    )


def read(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:  # noqa: ARG001
    """Read the file of a bundle into facts and findings. Never raises on any bytes; linear."""
    main = [one for one in bundle.files if one.part not in RUN_BY_SCRIPTS]
    run = [one for one in bundle.files if one.part in RUN_BY_SCRIPTS]
    lookup = lookup_in(bundle, contents)
    found = read_each(
        replace(bundle, files=tuple(main)),
        contents,
        lambda path, data: _read_file(path, data, bundle, lookup),
    )
    return replace(found, files=(*found.files, *(_run(one, bundle) for one in run)))


def _run(file: BundleFile, bundle: Bundle) -> FileReport:
    """The report of a file that a script runs: what it holds is counted with the script."""
    role = roles.MQ_INI if file.part == "ini" else roles.MQ_SCRIPT
    note = f"run by {bundle.id}"
    return FileReport(file.path, "read", role.name, "ibm_mq", bundle.server, note=note)


def _read_file(path: str, data: bytes, bundle: Bundle, lookup: Lookup) -> Reading:
    decoded = lexical.decode(data)
    if decoded is None:
        return not_text(path, "ibm_mq", bundle.server)
    role = role_of(decoded.text) or roles.MQ_SCRIPT
    estate = ReadManagers()
    facts: list[Fact] = []
    findings = read_into(estate, decoded.text, path, role, lookup)
    models = estate.all()
    if any(finding.severity is Severity.ERROR for finding in findings):
        for model in models:
            model.unread.append("A part of the file that it is read from could not be read.")
    templates = [model for model in models if is_template(model.name)]
    for model in models:
        if not model.name or (len(models) == 1 and model in templates):
            _name(model, path, bundle, role.use)
        elif (
            len(models) == 1
            and model.by in ("file", "folder")
            and bundle.server not in ("", model.name)
        ):
            model.name, model.by = bundle.server, "topograph.yaml"
        elif model.by in ("file", "folder") or model in templates:
            model.findings.insert(0, _not_named(model, path))
    if decoded.guessed:
        findings.append(not_utf8(path, decoded, bundle.server))
    for model in models:
        facts += model.facts(path, Source(path))
        findings += [replace(finding, server=model.name) for finding in model.findings]
    return Reading(
        tuple(facts), tuple(findings), (_report(path, role.name, models, bundle, decoded.text),)
    )


def _name(model: ManagerModel, path: str, bundle: Bundle, use: Use) -> None:
    """Give a queue manager that nothing in the file names the name of its bundle: from
    topograph.yaml, or made of file or folder.
    """
    made, by = guessed(path)
    model.name = bundle.server or made
    if use is Use.OBSERVED:
        model.by = by
        return
    model.by = by if model.name == made or bundle.guessed else "topograph.yaml"
    if model.by != "topograph.yaml":
        model.findings.insert(0, _not_named(model, path))


def _not_named(model: ManagerModel, path: str) -> Finding:
    if is_template(model.name):
        message = (
            f"The name of this queue manager is text of a template ({model.name}): import "
            "what is made of it, to see where messages go."
        )
        return QUEUE_MANAGER_NOT_NAMED.at(
            Source(path), message, rule=SECTION_C4, severity=Severity.WARNING
        )
    message = (
        "Nothing in this file says which queue manager it is of: it is taken for "
        f"{model.name}, after the {model.by}. Where that is wrong, give the name "
        f"in topograph.yaml (servers: {{{yaml_text(model.name)}: {yaml_text(path)}}})."
    )
    return QUEUE_MANAGER_NOT_NAMED.at(Source(path), message, rule=SECTION_C4)


def _report(
    path: str, role: str, models: list[ManagerModel], bundle: Bundle, text: str
) -> FileReport:
    read, ignored = sum(model.done for model in models), sum(model.ignored for model in models)
    refused = sum(model.refused for model in models)
    return FileReport(
        path=path,
        status="not-read"
        if not read
        else "partly-read"
        if refused or any(model.unread for model in models)
        else "read",
        role=role,
        system="ibm_mq",
        server=", ".join(dict.fromkeys(model.name for model in models)) or bundle.server,
        read=read,
        ignored=ignored,
        unsupported=refused,
        note=_dumped(text) if read else "holds no definition",
    )


def _dumped(text: str) -> str:
    """When dmpmqcfg wrote the file, as its header says; empty where there is no such line."""
    at = text.find("Script generated on ", 0, 4096)
    date, word, time = (
        (*text[at + 20 : at + 60].split()[:3], "", "", "")[:3] if at >= 0 else ("", "", "")
    )
    if word != "at" or not is_digits(date.replace("-", "")) or not is_digits(time.replace(".", "")):
        return ""
    return f"{DUMPED}{date} {time.replace('.', ':')}"
