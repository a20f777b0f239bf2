"""The files that a script has queue managers read: those given to runmqsc, and those of MQSC and
ini stanzas that crtmqm has applied whenever the queue manager starts (``-ic``, ``-ii``), with what
their inserts stand for (``-iv``). The stanza AutoCluster makes the members of a uniform cluster
(IBM MQ documentation, "Creating a uniform cluster" and "Using automatic cluster configuration").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import PurePosixPath

from topograph.facts.ibm_mq_templates import is_template
from topograph.findings import Source
from topograph.importers import lexical
from topograph.importers.ibm_mq import ini
from topograph.importers.ibm_mq.model import ManagerModel, Object
from topograph.importers.ibm_mq.reader import Reader, ReadManagers
from topograph.importers.ibm_mq.rows import Row, rows_of
from topograph.importers.ibm_mq.secrets import excerpt
from topograph.importers.ibm_mq.shell_texts import Created, ShellScript
from topograph.importers.positions.places import Placing
from topograph.importers.reading import Bundle, Reference
from topograph.records import record

_DEVICES = "/dev/"

RUN_BY_SCRIPTS = frozenset({"mqsc", "ini"})
"""The parts of a bundle that a script has queue managers read."""


@record
class RunFile:
    """A file that a script has a queue manager read: ``kind`` is ``mqsc`` or ``ini``; ``member``
    says that it is a member of a data set."""

    kind: str
    file: str
    name: str
    line: int
    member: bool = False


def fed_files(script: ShellScript) -> Iterator[RunFile]:
    """The files that a script gives to runmqsc for queue managers which it names, in order."""
    for one in script.fed:
        file = _plain(one.file)
        if file and one.name and not is_template(one.name):
            yield RunFile("mqsc", file, one.name, one.line, one.member)


def _applied_files(created: Created) -> Iterator[RunFile]:
    """The files that a queue manager applies when it starts, its stanzas first."""
    for kind, file in sorted(created.applied, key=lambda one: one[0]):
        yield RunFile(kind, _plain(file), created.name, created.line)


def _plain(file: str) -> str:
    """The name of a file without the folders that a variable stands for; empty where its own name
    is not known, or where it is a device."""
    parts = file.replace("\\", "/").split("/")
    last = max((place for place, part in enumerate(parts) if is_template(part)), default=-1)
    kept = "/".join(parts[last + 1 :])
    return "" if file.startswith(_DEVICES) or kept in ("", ".", "-") else kept


def references(path: str, script: ShellScript) -> tuple[Reference, ...]:
    """The files, as a plan looks for them, each once."""
    found: dict[tuple[str, str], Reference] = {}
    applied = (one for created in script.created for one in _applied_files(created) if one.file)
    for one in (*fed_files(script), *applied):
        key = one.kind, one.file
        found.setdefault(key, Reference(*key, Source(path, one.line, 1), member=one.member))
    return tuple(found.values())


Lookup = Callable[[str, str], list[tuple[str, str]]]
"""The path and the text of a file that a script names, by kind and name; several for a pattern,
in order; none if there is none."""


def lookup_in(bundle: Bundle, contents: Mapping[str, bytes]) -> Lookup:
    """Where the files of a bundle are looked up: those of the kind and of the name's last parts."""

    def found(kind: str, file: str) -> list[tuple[str, str]]:
        wanted = PurePosixPath(file.casefold()).parts[::-1]
        paths = [one.path for one in bundle.files if one.part == kind and one.path in contents]
        if {"*", "?"} & {*file}:
            chosen = [path for path in sorted(paths) if fnmatch(path.casefold(), f"*{wanted[0]}")]
        else:
            chosen = _best(paths, wanted) or [
                path
                for path in paths
                if PurePosixPath(path.casefold()).name.startswith(f"{wanted[0]}.")
            ]
        decoded = ((path, lexical.decode(contents[path])) for path in chosen)
        return [(path, one.text) for path, one in decoded if one is not None]

    return found


def _best(paths: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """The path that has most of the wanted parts, from its end."""
    fits = {path: _common(PurePosixPath(path.casefold()).parts[::-1], wanted) for path in paths}
    best = max(fits, key=lambda path: fits[path], default="")
    return [best] if best and fits[best] else []


def _common(some: Sequence[str], others: Sequence[str]) -> int:
    """How many parts agree from the beginning."""
    pairs = zip(some, others, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(some), len(others)))


@dataclass(slots=True)
class _Inserts:
    """What the inserts of files for one queue manager stand for, and the cluster that it is made
    a member of."""

    values: dict[str, str]
    repositories: dict[str, str] = field(default_factory=dict)
    """The full repositories of its cluster, with their connection names."""

    @property
    def cluster(self) -> str:
        return self.values.get("AUTOCL", "")

    def put_in(self, row: Row) -> Row:
        """A line with what its inserts stand for. One that is a whole value may stand for what has
        to be in quotes where it is typed, as an address with its port has."""
        text = row.text
        for name, value in self.values.items() if "+" in text else ():
            quoted = "'" + value.replace("'", "''") + "'"
            text = text.replace(f"(+{name}+)", f"({quoted})").replace(f"+{name}+", value)
        return row if text is row.text else Row(row.number, text)


def read_run(estate: ReadManagers, one: RunFile, lookup: Lookup) -> None:
    """Read a file that runmqsc reads into its queue manager; where it is not among those imported,
    what that one has is not known."""
    model = estate.start(one.name, "command")
    found = lookup(one.kind, one.file)
    if not found:
        _unread(model, one.file, "a script runs")
    for path, text in found:
        Reader(estate, Placing(path)).read(rows_of(text))
        estate.start(one.name, "command")


def read_applied(estate: ReadManagers, created: Created, lookup: Lookup, source: Source) -> None:
    """Read what a queue manager applies when it starts: its stanzas first, then its MQSC, whose
    inserts are put in."""
    model = estate.start(created.name, "created")
    inserts = _Inserts({"QMNAME": created.name, **created.variables})
    applied: list[tuple[str, str]] = []
    for one in _applied_files(created):
        found = lookup(one.kind, one.file) if one.file else []
        if not found:
            _unread(model, one.file, "it applies when it starts")
        for path, text in found:
            if one.kind == "ini":
                _stanzas(estate, inserts, created.name, path, text)
            else:
                estate.start(created.name, "created")
                rows = (inserts.put_in(row) for row in rows_of(text))
                Reader(estate, Placing(path)).read(rows)
                applied.append((path, text))
    if inserts.cluster:
        estate.start(created.name, "created")
        _join(estate, model, inserts, applied, source)


def lose(estate: ReadManagers, script: ShellScript) -> None:
    """What a runmqsc reads and only a run of the script could tell: what the queue manager has is
    not known, of those that the script names where it does not say which."""
    named = dict.fromkeys(
        [one.name for one in script.texts]
        + [one.name for one in script.fed]
        + [one.name for one in script.created]
    )
    for one in script.lost:
        for name in [one.name] if one.name else named:
            if name and not is_template(name):
                model = estate.start(name, "command")
                what = excerpt(one.command)
                model.unread.append(
                    f"What line {one.line} of a job runs is not known: {what}."
                    if script.job
                    else f"What {what} gives to runmqsc in line {one.line} of a script is not "
                    "known without running it."
                )


def _unread(model: ManagerModel, file: str, why: str) -> None:
    what = excerpt(file) or "a file whose name is not known"
    model.unread.append(f"{what}, which {why}, is not among the imported files.")


def _stanzas(estate: ReadManagers, inserts: _Inserts, name: str, path: str, text: str) -> None:
    """Keep the stanzas, and what those about the cluster and about inserts say."""
    ini.read_ini(estate, text, Placing(path), named=name)
    for stanza, values in ini.stanzas(text):
        if stanza == "AutoCluster" and values.get("ClusterName"):
            inserts.values["AUTOCL"] = values["ClusterName"]
            for number in ("1", "2"):
                repository = values.get(f"Repository{number}Name", "")
                if repository:
                    inserts.repositories[repository] = values.get(f"Repository{number}Conname", "")
        elif stanza == "Variables":
            inserts.values |= values


def _join(
    estate: ReadManagers,
    model: ManagerModel,
    inserts: _Inserts,
    applied: Sequence[tuple[str, str]],
    source: Source,
) -> None:
    """What the start of a member of an automatic cluster does: a queue manager that the stanza
    names as a repository becomes one, and one that receives for the cluster gets senders to the
    repositories, called as the ``applied`` files call their receivers."""
    commands = []
    if model.name in inserts.repositories and "REPOS" not in model.manager:
        commands.append(f"ALTER QMGR REPOS('{inserts.cluster}')")
    held = {one.name for one in model.objects.values() if one.noun == "CHANNEL"}
    for repository, connection in (
        inserts.repositories.items() if _receivers(model, inserts) else ()
    ):
        for sender in _receivers_of(repository, inserts, applied):
            if repository != model.name and sender not in held:
                commands.append(
                    f"DEFINE CHANNEL('{sender}') CHLTYPE(CLUSSDR) TRPTYPE(TCP) "
                    f"CONNAME('{connection}') CLUSTER('{inserts.cluster}')"
                )
                held.add(sender)
    rows = [Row(number, text) for number, text in enumerate(commands, 1)]
    at = Placing(source.file, whole=(source.line, source.column))
    Reader(estate, at, quiet=True).read(rows)


def _receivers_of(
    name: str, inserts: _Inserts, applied: Sequence[tuple[str, str]]
) -> Sequence[str]:
    """What the channels are called that receive for the cluster at another queue manager which
    applies the same files."""
    others = _Inserts({**inserts.values, "QMNAME": name})
    estate = ReadManagers()
    model = estate.start(name, "created")
    for path, text in applied:
        Reader(estate, Placing(path)).read(others.put_in(row) for row in rows_of(text))
    return _receivers(model, others)


def _receivers(model: ManagerModel, inserts: _Inserts) -> Sequence[str]:
    """The channels of a queue manager that receive for the cluster of the inserts."""
    return [one.name for one in model.objects.values() if _receives(one, inserts.cluster)]


def _receives(one: Object, cluster: str) -> bool:
    """Whether an object is a channel that receives for a cluster."""
    of = one.attributes.get("CLUSTER")
    return one.channel_type == "CLUSRCVR" and of is not None and of.value == cluster
