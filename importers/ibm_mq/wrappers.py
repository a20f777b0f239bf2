"""Where in a file MQSC stands: the whole file, a script that runs it, YAML, the JSON of the REST
interface; and ini files.
"""

from __future__ import annotations

from dataclasses import replace

from topograph.facts.ibm_mq import Attribute
from topograph.facts.ibm_mq_templates import is_template
from topograph.findings import Finding, Severity
from topograph.importers.ibm_mq import ini, recognition, resources, roles, run_files, shell
from topograph.importers.ibm_mq.model import Object
from topograph.importers.ibm_mq.reader import Reader, ReadManagers
from topograph.importers.ibm_mq.rows import rows_of
from topograph.importers.positions.places import Placing
from topograph.importers.reading import Reference, Role
from topograph.rules.ibm_mq_findings import NOTHING_TO_READ


def role_of(text: str) -> Role | None:
    """What a file is; None if it is nothing of this system. Linear in the first 64 KB, of YAML
    and JSON in the first 8 MB.
    """
    if resources.is_rest(text):
        return roles.MQ_REST
    if resources.is_yaml(text):
        return roles.MQ_RESOURCES
    if shell.is_script(text) or shell.runs_files(text):
        return roles.MQ_SHELL
    return recognition.role_of(text) or (roles.MQ_INI if ini.is_ini(text) else None)


def first_name(text: str, role: Role) -> tuple[str, bool]:
    """The first queue manager that a file is of, and whether it says so itself; empty if nothing
    in it does, or only text of a template.
    """
    if role == roles.MQ_INI:
        names = ini.queue_managers(text)
    elif role == roles.MQ_REST:
        names = [resources.rest_name(text)]
    elif role == roles.MQ_SHELL:
        found = shell.read_script(text)
        names = (
            [one.name for one in found.texts]
            + [one.name for one in found.created]
            + [one.name for one in found.fed]
            + [one.name for one in found.lost]
            + resources.read_resources(_yaml(found), "").names
        )
    elif role == roles.MQ_RESOURCES:
        read = resources.read_resources(text, "")
        names = [*read.names, *(one.name for one in read.embedded if one.by == "resource")]
        if not any(names):
            return next((one.name for one in read.embedded if one.name), ""), False
    else:
        names = [recognition.named_in(text)]
    name = next((name for name in names if name and not is_template(name)), "")
    return name, bool(name)


_BY = {
    "display": "DISPLAY QMGR shows its name",
    "command": "the command runmqsc names it",
    "comment": "a comment above the first command names it",
}
_BY_ROLE = {
    roles.MQ_INI: "a stanza QueueManager names it",
    roles.MQ_REST: "the address of a request names it",
    roles.MQ_RESOURCES: "a resource of Kubernetes or a value of a chart or playbook names it",
}


def named_by(text: str, role: Role, name: str) -> str:
    """What in a file says that it is of the queue manager ``name``, in words with the line; empty
    where nothing does. Linear."""
    if role == roles.MQ_SHELL:
        found = shell.read_script(text)
        for created in found.created:
            if created.name == name:
                return f"crtmqm makes it (line {created.line})"
        lines = [one.line for one in found.texts if one.name == name]
        lines += [one.line for one in found.fed if one.name == name]
        runs = "the job gives it commands" if found.job else f"the script runs runmqsc {name}"
        return f"{runs} (line {min(lines)})" if lines else ""
    if role in _BY_ROLE:
        return _BY_ROLE[role]
    _, by, line = recognition.named_at(text)
    return f"{_BY.get(by, 'the file names it')} (line {line})" if by else ""


def references(text: str, path: str, role: Role) -> tuple[Reference, ...]:
    """The files that a script has queue managers read."""
    return run_files.references(path, shell.read_script(text)) if role == roles.MQ_SHELL else ()


def read_into(
    estate: ReadManagers, text: str, path: str, role: Role, lookup: run_files.Lookup
) -> list[Finding]:
    """Read a file into an estate, with the files that ``lookup`` finds for those that a script
    runs; the findings are those that concern no queue manager. Linear."""
    placing = Placing(path)
    if role == roles.MQ_INI:
        ini.read_ini(estate, text, placing)
    elif role == roles.MQ_SHELL:
        _script(estate, text, placing, lookup)
    elif role == roles.MQ_RESOURCES:
        found = resources.read_resources(text, path)
        if found.broken:
            Reader(estate, placing, quiet=True).read(rows_of(text))
        else:
            _embedded(estate, found, lookup)
        return found.findings
    elif role == roles.MQ_REST:
        found = resources.read_rest(text, path)
        _embedded(estate, found, lookup)
        return found.findings
    else:
        Reader(estate, placing).read(rows_of(text))
    return []


def _embedded(estate: ReadManagers, found: resources.Resources, lookup: run_files.Lookup) -> None:
    for one in found.embedded:
        estate.start(one.name, one.by)
        if one.form == "script":
            _script(estate, one.text, one.placing, lookup)
        elif one.form == "ini":
            ini.read_ini(estate, one.text, one.placing, named=one.name)
        else:
            Reader(estate, one.placing).read(rows_of(one.text))
    estate.current.ignored += found.others


def _script(estate: ReadManagers, text: str, placing: Placing, lookup: run_files.Lookup) -> None:
    """The texts of a script, each at its queue manager, what crtmqm sets, and the files that they
    are run from."""
    found = shell.read_script(text)
    for created in found.created:
        model = estate.start(created.name, "created")
        source = placing.at(created.line, 1)
        model.at = model.at or source
        model.configured = True
        for name, value in created.settings:
            line = source.line
            if name == "PORT":
                listener = Object("LISTENER", "SYSTEM.LISTENER.TCP.1", source)
                listener.attributes = {
                    "PORT": Attribute("PORT", value, line),
                    "TRPTYPE": Attribute("TRPTYPE", "TCP", line),
                }
                model.objects.setdefault(("LISTENER", listener.name), listener)
            else:
                model.manager[name] = Attribute(name, value, line)
        model.done += 1
        if created.applied:
            run_files.read_applied(estate, created, lookup, source)
    known = estate.current.name
    if found.yaml:
        held = resources.read_resources(_yaml(found), placing.file)
        _embedded(
            estate,
            replace(
                held,
                embedded=[
                    replace(one, placing=_moved(one.placing, placing)) for one in held.embedded
                ],
            ),
            lookup,
        )
        estate.current.findings += held.findings
    fed = list(run_files.fed_files(found))
    runs: list[shell.Text | run_files.RunFile] = [*found.texts, *fed]
    for one in sorted(runs, key=lambda one: one.line):
        if isinstance(one, run_files.RunFile):
            run_files.read_run(estate, one, lookup)
        else:
            estate.start(one.name or known, "command")
            Reader(estate, placing, quiet=True).read(one.rows)
    run_files.lose(estate, found)
    estate.current.ignored += found.others
    if not found.texts and not found.lost and not found.created and not found.yaml and not fed:
        estate.current.note(
            NOTHING_TO_READ, Severity.INFO, "No MQSC was found in this script", placing.at(0, 0)
        )


def _yaml(found: shell.ShellScript) -> str:
    """The YAML of a script's here-documents, each line where it stands in the script."""
    last = max(found.yaml, default=0)
    return "\n".join(found.yaml.get(number, "") for number in range(1, last + 1))


def _moved(inner: Placing, outer: Placing) -> Placing:
    """Where a text within a text stands in the file."""
    if outer.whole is not None:
        return outer
    if inner.whole is not None:
        line, column = inner.whole
        return replace(inner, whole=(line + outer.lines, column + outer.columns))
    return replace(inner, lines=inner.lines + outer.lines, columns=inner.columns + outer.columns)
