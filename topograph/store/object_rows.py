"""The rows of what a network has beside servers, destinations and routes (graph_schema.OBJECT):
subscriptions, channels, clusters, files, owners, assumptions, and how it all hangs together. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from fnmatch import fnmatchcase
from typing import Any

from topograph import extensions
from topograph.assumptions import Assumption
from topograph.digits import digits
from topograph.facts import Fact
from topograph.files import FileReport, tally
from topograph.findings import Source
from topograph.forwarding.configured import NOWHERE, End, Thing, Tie
from topograph.forwarding.graph import POSITIONS, STANDBY, ForwardingGraph, Guard
from topograph.records import record
from topograph.side_inputs import OwnerEntry, SideInputs
from topograph.tracing.assembly import PERHAPS_JOINED, PERHAPS_TAKEN

Row = dict[str, Any]


@record(slots=False)
class Ends:
    """The keys of what relationships of one network may join. ``servers`` by system and name,
    ``destinations`` by server and name (of each the type, the place and the key), ``objects`` by
    system and ``End``."""

    network: str
    servers: Mapping[tuple[str, str], str]
    destinations: dict[tuple[str, str], list[tuple[str, Source, str]]] = field(default_factory=dict)
    objects: dict[tuple[str, End], str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def find(self, system: str, end: End) -> Iterator[str]:
        """The keys of an end of a relationship of a system; nothing where it is not published. A
        server or destination of another system counts where its own has none of the name."""
        if end.label == "Server":
            own = self.servers.get((system, end.server))
            found = [own] if own else self._elsewhere(end.server)
            yield from found
        elif end.label == "Destination":
            named = self.destinations.get((end.server, end.name), ())
            there = [one for one in named if end.type in ("", one[0])]
            at_its_place = [one for one in there if one[1] == _line(end.source)]
            yield from (key for _, _, key in at_its_place or there)
        elif (object_ := self.objects.get((system, end))) is not None:
            yield object_

    def _elsewhere(self, name: str) -> list[str]:
        return [key for (_, other), key in self.servers.items() if other == name][:1]


def _line(source: Source) -> Source:
    """A place without its column."""
    return Source(source.file, source.line)


def ends_of(
    network: str, servers: Mapping[tuple[str, str], str], destinations: Iterable[Row]
) -> Ends:
    """The servers and destinations of a network as ends. Linear."""
    ends = Ends(network, servers)
    for row in destinations:
        place = Source(row["file"], row["line"])
        ends.destinations.setdefault((row["server"], row["name"]), []).append(
            (row["type"], place, destination_key(row))
        )
    return ends


def destination_key(row: Mapping[str, Any]) -> str:
    """The key of the node of a destination's row."""
    return "/".join(row[name] for name in ("network", "system", "type", "server", "own"))


def object_rows(
    facts: Sequence[Fact],
    files: Sequence[FileReport],
    side_inputs: SideInputs,
    graphs: Sequence[ForwardingGraph],
    destinations: Sequence[Row],
    ends: Ends,
) -> tuple[list[Row], list[Row]]:
    """(nodes, relationships) of a network. Linear in facts, files, destinations and points, but for
    owners: patterns times servers, destinations and files."""
    nodes: list[Row] = []
    relations: list[Row] = []
    things: dict[str, Thing] = {}
    found = {
        system: list(_configured(facts, side_inputs, system, names))
        for system, names in _systems(graphs).items()
    }
    nodes += _file_rows(files, ends)
    for system, every in found.items():
        for thing in every:
            if isinstance(thing, Thing):
                key = _key_of(ends, system, thing, things)
                ends.objects.setdefault((system, thing.end), key)
                nodes.append(_thing_row(ends, system, key, thing))
    for system, every in found.items():
        for tie in every:
            if isinstance(tie, Tie):
                relations += _tie_rows(ends, system, tie)
    for graph in graphs:
        own_nodes, own_relations = _assumption_rows(graph, ends)
        nodes += own_nodes
        relations += own_relations
    relations += _connected(graphs, things, ends)
    own_nodes, own_relations = _owner_rows(side_inputs.owners, files, destinations, ends)
    relations += _configuring(files, destinations, graphs, things, ends)
    return [*nodes, *own_nodes], _distinct([*relations, *own_relations])


def _systems(graphs: Iterable[ForwardingGraph]) -> dict[str, set[str]]:
    """The names of servers by system."""
    found: dict[str, set[str]] = {}
    for graph in graphs:
        for server in graph.servers:
            found.setdefault(server.system, set()).add(server.name)
    return dict(sorted(found.items()))


def _configured(
    facts: Sequence[Fact], side_inputs: SideInputs, system: str, servers: Collection[str]
) -> Iterable[Thing | Tie]:
    module: Any = extensions.configured(system)
    if module is None:
        return ()
    found: Iterable[Thing | Tie] = module.configured(
        [fact for fact in facts if fact.system == system], side_inputs, servers
    )
    return found


def _key_of(ends: Ends, system: str, thing: Thing, known: dict[str, Thing]) -> str:
    """A key for a thing; of several that are called the same the later ones are numbered."""
    parts = (ends.network, system, thing.label.lower(), thing.server, thing.own or thing.name)
    plain = key = "/".join(parts)
    number = 1
    while key in known:
        number += 1
        key = f"{plain}#{number}"
    known[key] = thing
    return key


def _thing_row(ends: Ends, system: str, key: str, thing: Thing) -> Row:
    values = {
        "network": ends.network,
        "system": system,
        "name": thing.name,
        **{name: list(v) if isinstance(v, tuple) else v for name, v in thing.values},
    }
    if thing.server:
        values["server"] = thing.server
    return _node(key, thing.label, values, thing.source, ends.servers.get((system, thing.server)))


def _node(
    key: str, label: str, values: Row, source: Source = NOWHERE, at: str | None = None
) -> Row:
    if source.file:
        values |= {"file": source.file, "line": source.line}
    return {"key": key, "label": label, "at": at, "values": values}


def _relation(type_: str, start: str, end: str, own: str = "", **values: Any) -> Row:
    return {"type": type_, "from": start, "to": end, "own": own, "values": values}


def _distinct(relations: Iterable[Row]) -> list[Row]:
    """Each relationship once: two of a type between the same ends are one."""
    first: dict[tuple[str, ...], Row] = {}
    for row in relations:
        first.setdefault((row["type"], row["from"], row["to"], row["own"]), row)
    return list(first.values())


def _tie_rows(ends: Ends, system: str, tie: Tie) -> Iterator[Row]:
    for start in ends.find(system, tie.start):
        for end in ends.find(system, tie.end):
            yield _relation(tie.type, start, end, tie.own, **dict(tie.values))


def _file_rows(files: Iterable[FileReport], ends: Ends) -> Iterator[Row]:
    """A row a file, whichever servers read it: the worst that became of it counts."""
    reports: dict[str, list[FileReport]] = {}
    for report in files:
        reports.setdefault(report.path, []).append(report)
    for path, own in sorted(reports.items()):
        (status,) = tally(own)
        key = ends.files[path] = f"{ends.network}/file/{path}"
        values = {
            "network": ends.network,
            "path": path,
            "name": path,
            "status": status,
            "system": next((one.system for one in own if one.system), ""),
            "note": next((one.note for one in own if one.note), ""),
            **{
                name: max(getattr(one, name) for one in own)
                for name in ("read", "ignored", "unsupported")
            },
        }
        yield _node(key, "File", values)


def _configuring(
    files: Iterable[FileReport],
    destinations: Iterable[Row],
    graphs: Iterable[ForwardingGraph],
    things: Mapping[str, Thing],
    ends: Ends,
) -> Iterator[Row]:
    """Which file configures which server, and at which line it defines what."""
    named = {report.path for report in files if report.server}
    for report in files:
        if report.server:
            for end in ends.find(report.system, End("Server", report.server)):
                file = ends.files[report.path]
                yield _relation("CONFIGURES", file, end, report.role, role=report.role)
    for graph in graphs:
        for server in graph.servers:
            # A file of several servers has one report: each server names the file itself.
            path = server.source.file
            if server.loaded and path in ends.files and path not in named:
                end = ends.servers[server.system, server.name]
                line = server.source.line
                yield _relation("CONFIGURES", ends.files[path], end, role="", line=line)
    for row in destinations:
        if row["file"] in ends.files:
            file, end = ends.files[row["file"]], destination_key(row)
            yield _relation("CONFIGURES", file, end, line=row["line"])
    for key, thing in things.items():
        if thing.source.file in ends.files:
            file = ends.files[thing.source.file]
            yield _relation("CONFIGURES", file, key, line=thing.source.line)


def _connected(
    graphs: Iterable[ForwardingGraph], things: Mapping[str, Thing], ends: Ends
) -> Iterator[Row]:
    """Where connectors of routers lead: each is the line that configures its link."""
    made = {
        (thing.server, thing.source): key
        for key, thing in things.items()
        if thing.label == "Connector"
    }
    for graph in graphs if made else ():
        for link in graph.links:
            for here, there in ((link.a, link.b), (link.b, link.a)):
                one, other = graph.servers[here], graph.servers[there]
                if key := made.get((one.name, link.source)):
                    yield _relation("CONNECTS_TO", key, ends.servers[other.system, other.name])


def _assumption_rows(graph: ForwardingGraph, ends: Ends) -> tuple[list[Row], list[Row]]:
    """What a graph rests on, and the servers that it leaves open."""
    used = set(graph.columns.guard_values.tolist())
    used.update(*(one.guards for one in graph.links if one.carries or one.role == STANDBY))
    made: dict[Assumption, Row] = {}
    relations = []
    for place, guard in enumerate(graph.guards):
        if guard.kind not in POSITIONS:
            continue
        said = Assumption(**json.loads(guard.payload))
        key = f"{ends.network}/{graph.system}/assumption/{said.rule}/{said.text}"
        row = made.setdefault(said, _assumption_row(ends, graph.system, key, said, guard))
        row["values"]["used"] |= place in used
        for server, because in _left_open(guard):
            row["values"]["because"] = because
            one = graph.servers[server]
            relations.append(_relation("ABOUT", key, ends.servers[one.system, one.name]))
    return list(made.values()), relations


def _assumption_row(ends: Ends, system: str, key: str, said: Assumption, guard: Guard) -> Row:
    values = {
        "network": ends.network,
        "system": system,
        "name": said.rule,
        "rule": said.rule,
        "confidence": said.confidence,
        "text": said.text,
        "alternative": said.alternative,
        "because": "",
        "used": False,
    }
    return _node(key, "Assumption", values, guard.source)


def _left_open(guard: Guard) -> Iterator[tuple[int, str]]:
    """The servers, by number, from which messages may go on to others unless the assumption holds,
    and why."""
    for prefix in (PERHAPS_TAKEN, PERHAPS_JOINED):
        if guard.id.startswith(prefix):
            numbers, _, _ = guard.id.removeprefix(prefix).partition("/")
            for number in numbers.split(","):
                yield digits(number, 0), guard.text if prefix == PERHAPS_TAKEN else ""


def _owner_rows(
    owners: Sequence[OwnerEntry],
    files: Sequence[FileReport],
    destinations: Sequence[Row],
    ends: Ends,
) -> tuple[list[Row], list[Row]]:
    """Who owns what: an entry without a destination and without a file owns servers."""
    nodes: dict[str, Row] = {}
    relations = []
    readers: dict[str, set[str]] = {}
    for report in files:
        readers.setdefault(report.path, set()).add(report.server)
    for entry in owners:
        key = f"{ends.network}/owner/{entry.owner}"
        values = {"network": ends.network, "name": entry.owner, "contact": entry.contact}
        node = nodes.setdefault(key, _node(key, "Owner", values))
        node["values"]["contact"] = node["values"]["contact"] or entry.contact
        of_server = _fitting(entry.server)
        if entry.destination:
            fits = _fitting(entry.destination)
            owned = (
                destination_key(row)
                for row in destinations
                if of_server(row["server"]) and fits(f"{row['type']}:{row['name']}")
            )
        elif entry.file:
            fits = _fitting(entry.file)
            owned = (
                ends.files[path]
                for path, servers in readers.items()
                if fits(path) and (not entry.server or any(map(of_server, servers)))
            )
        else:
            owned = (one for (_, name), one in ends.servers.items() if of_server(name))
        relations += [_relation("OWNS", key, one) for one in owned]
    return list(nodes.values()), relations


def _fitting(pattern: str) -> Callable[[str], bool]:
    return lambda text: not pattern or fnmatchcase(text, pattern)
