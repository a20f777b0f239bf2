"""``show WHAT``: what is loaded, as rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields

from topograph.errors import NotApplicable, UsageError
from topograph.files import FileReport
from topograph.forwarding.graph import STOPPED, Server
from topograph.forwarding.reached import LinkShown, shown_links
from topograph.inexact import Inexact
from topograph.message import DestinationName, parse_destination
from topograph.questions.answers import Caution, InterestsAnswer, ShowAnswer
from topograph.questions.answers.listings import MadeRows
from topograph.questions.cycles import interests
from topograph.questions.model import Model, answered
from topograph.systems.contract.system import Permitting, Row
from topograph.systems.registry import system
from topograph.words.did_you_mean import did_you_mean


@answered
def show(
    model: Model, what: str, destination: str = "", *, user: str = "", server: str = ""
) -> ShowAnswer:
    """The rows of one kind of thing, of one ``server`` if it is named; of ``access`` those about
    one destination, for everybody or one ``user``. Raises UsageError for an unknown ``what`` and
    for a destination or user with anything but ``access``, UnknownServer, and NotApplicable
    where no system of the network says it of one destination."""
    if what not in _ROWS:
        raise UsageError(
            f"There is no {what!r} to show. Known: "
            f"{', '.join(sorted(_ROWS))}.{did_you_mean(what, _ROWS)}"
        )
    if (destination or user) and (what != "access" or not destination):
        raise UsageError(
            "A destination, and --user with it, can be named with show access: show "
            "access topic:orders --user U."
        )
    columns, rows = _ROWS[what]
    if destination:
        columns, rows = _ACCESS_COLUMNS, _access_to(parse_destination(destination), user)
    wanted = model.locate(server).server if server else None
    asked = interests(model) if what == "interests" else None
    left_out = () if asked is None else _left_out(asked)
    made = rows(model) if asked is None else _interests(asked)
    if wanted is not None:
        made = (row for row in made if _concerns(row, wanted))
    found = made if isinstance(made, MadeRows) else tuple(made)
    several = len({place.system for place in model.places()}) > 1
    if several and "system" not in columns and any("system" in row for row in found):
        columns = ("system", *columns)
    said = () if asked is None or not left_out else asked.warnings
    return ShowAnswer(
        **model.common(),
        exact=not left_out,
        inexact_because=left_out,
        warnings=(
            *model.warnings,
            *_kept_elsewhere(model, what, wanted),
            *(one for one in said if one not in model.warnings),
        ),
        what=what,
        columns=columns,
        rows=found,
        server=server,
    )


def _kept_elsewhere(model: Model, what: str, wanted: Server | None) -> Iterator[Caution]:
    """That the files of a system do not hold what is listed, for each system of the network, or
    that of the one server.
    """
    names = {place.system for place in model.places()} if wanted is None else {wanted.system}
    for name in sorted(names):
        if text := system(name).citing.kept_elsewhere.get(what):
            yield Caution("not-read", text)


def _concerns(row: Row, server: Server) -> bool:
    """Whether a row is about a server: it is the server's own, or that of a link, a zone or a
    route with it.
    """
    names = row.get("servers", ())
    assert isinstance(names, Sequence)
    of_link = "server" not in row and server.name in (row.get("from"), row.get("to"))
    return (row.get("server") == server.name or of_link or server.name in names) and (
        row.get("system", server.system) in ("", server.system) or of_link
    )


def _servers(model: Model) -> Iterable[Row]:
    first = {(id(place.part), place.number) for place in model.places()}
    for part in model.parts:
        neighbours: dict[str, set[str]] = {}
        for link in shown_links(part.graph):
            for here, there in (link.ends, link.ends[::-1]):
                neighbours.setdefault(here, set()).add(there)
        for number, server in enumerate(part.graph.servers):
            if (id(part), number) not in first:
                continue
            yield {
                "server": server.name,
                "system": server.system,
                "loaded": server.loaded,
                "neighbours": len(neighbours.get(server.name, ())),
                "incomplete": server.incomplete,
                "source": server.source.to_dict(),
            }


def _routes(model: Model) -> Iterable[Row]:
    for part in model.parts:
        for link in shown_links(part.graph, standby=True):
            yield {
                "from": link.ends[0],
                "to": link.ends[1],
                "zone": link.zone,
                "zone_type": link.zone_type,
                "name": link.name,
                "role": link.role,
                "configured_by": link.configured_by,
                "cost": link.cost,
                "standby": link.standby,
                "system": link.system,
                "source": link.source.to_dict(),
            }


def _state(link: LinkShown) -> str:
    """Whether messages pass a link."""
    if link.down or link.role == STOPPED:
        return "down"
    return "standby" if link.standby else "not known" if link.because else "in use"


def _links(model: Model) -> Iterable[Row]:
    """Every configured link, also those that carry nothing: ``state`` says which do, ``because``
    why one does not, or why it is not known of one.
    """
    for part in model.parts:
        for link in shown_links(part.graph, standby=True, unresolved=True, stopped=True):
            yield {
                "from": link.ends[0],
                "to": link.ends[1],
                "kind": link.role or part.system.wording.link_noun,
                "name": link.name,
                "zone": link.zone,
                "configured_by": link.configured_by,
                "one_way": link.one_way,
                "state": _state(link),
                "because": link.because or link.down,
                "system": link.system,
                "source": link.source.to_dict(),
            }


def _zones(model: Model) -> Iterable[Row]:
    for part in model.parts:
        zones: dict[tuple[str, str], tuple[int, set[str]]] = {}
        for link in part.graph.links:
            if link.zone:
                number, servers = zones.get((link.zone, link.zone_type), (0, set()))
                servers |= {part.graph.servers[end].name for end in (link.a, link.b)}
                zones[link.zone, link.zone_type] = number + 1, servers
        for (zone, kind), (number, servers) in sorted(zones.items()):
            yield {
                "zone": zone,
                "type": kind,
                "routes": number,
                "servers": sorted(servers),
                "system": part.graph.system,
            }


def _of_systems(what: str) -> Callable[[Model], Iterable[Row]]:
    """The rows that each system gives itself."""

    def rows(model: Model) -> Iterable[Row]:
        makers: list[tuple[str, Collection[Row]]] = []
        for part in model.parts:
            own = part.estate.show(what) or ()
            makers.append((part.graph.system, own if isinstance(own, Collection) else tuple(own)))
        return MadeRows(makers)

    return rows


def _subscribers(model: Model) -> Iterable[Row]:
    """Those that the files of each system show, and the clients of topograph.yaml."""
    yield from _of_systems("subscribers")(model)
    systems = {place.name: place.system for place in model.places()}
    for client in model.side_inputs.clients:
        if client.role in _RECEIVING:
            yield {
                "server": client.server,
                "type": "client",
                "name": client.durable,
                "destination": client.destination,
                "client_id": client.client_id,
                "user": client.user,
                "selector": client.selector,
                "known": "declared",
                "system": systems.get(client.server, ""),
                "source": client.source.to_dict(),
            }


_RECEIVING = frozenset({"subscriber", "receiver", "consumer"})

_ACCESS_COLUMNS = ("server", "what", "who", "permissions", "state", "source")


def _access_to(named: DestinationName, user: str) -> Callable[[Model], Iterable[Row]]:
    """The rows about one destination."""

    def rows(model: Model) -> Iterable[Row]:
        asked = [part for part in model.parts if isinstance(part.estate, Permitting)]
        if not asked:
            present = ", ".join(part.system.name for part in model.parts) or "nothing"
            raise NotApplicable(
                f"show access DESTINATION does not answer for {present}; show access "
                "lists all permissions."
            )
        makers: list[tuple[str, Collection[Row]]] = []
        for part in asked:
            estate = part.estate
            assert isinstance(estate, Permitting)
            makers.append((part.graph.system, tuple(estate.access(named, user))))
        return MadeRows(makers)

    return rows


def _left_out(answer: InterestsAnswer) -> tuple[Inexact, ...]:
    """Why names may be missing; mistakes in topograph.yaml every answer names by itself."""
    return tuple(one for one in answer.inexact_because if one.cause != "side-inputs")


def _interests(answer: InterestsAnswer) -> Iterable[Row]:
    for server, names in answer.servers.items():
        for entry in names:
            row: Row = {"server": server, "name": entry.name, "via": entry.via, "hops": entry.hops}
            yield {**row, "system": answer.system}


def _findings(model: Model) -> Iterable[Row]:
    from topograph.questions.check import in_order

    yield from (one.to_dict() for one in in_order(model.records.findings))


def _files(model: Model) -> Iterable[Row]:
    """A row a file and server. What several configurations of one server read in the same way
    stands once.
    """
    names = [one.name for one in fields(FileReport)]
    for report in sorted(
        dict.fromkeys(model.records.files), key=lambda report: (report.path, report.server)
    ):
        yield json.loads(json.dumps({name: getattr(report, name) for name in names}))


_SUBSCRIPTION = (
    *(
        "server",
        "type",
        "name",
        "destination",
        "leads_to",
        "client_id",
        "user",
        "selector",
        "known",
    ),
    *("configuration", "source"),
)

_ROWS: Mapping[str, tuple[tuple[str, ...], Callable[[Model], Iterable[Row]]]] = {
    "servers": (("server", "system", "loaded", "neighbours", "incomplete", "source"), _servers),
    "routes": (
        (
            "from",
            "to",
            "zone",
            "zone_type",
            "name",
            "role",
            "configured_by",
            "cost",
            "standby",
            "source",
        ),
        _routes,
    ),
    "links": (
        (
            "from",
            "to",
            "kind",
            "name",
            "zone",
            "configured_by",
            "one_way",
            "state",
            "because",
            "source",
        ),
        _links,
    ),
    "zones": (("zone", "type", "routes", "servers"), _zones),
    "destinations": (
        ("server", "type", "name", "details", "configuration", "source"),
        _of_systems("destinations"),
    ),
    "queues": (
        ("server", "type", "name", "leads_to", "details", "configuration", "source"),
        _of_systems("queues"),
    ),
    "bindings": (
        ("server", "from", "to", "key", "details", "configuration", "source"),
        _of_systems("bindings"),
    ),
    "policies": (
        (
            "server",
            "type",
            "name",
            "pattern",
            "applies_to",
            "priority",
            "details",
            "configuration",
            "source",
        ),
        _of_systems("policies"),
    ),
    "channels": (
        (
            "server",
            "type",
            "name",
            "queue",
            "address",
            "leads_to",
            "observed",
            "configuration",
            "source",
        ),
        _of_systems("channels"),
    ),
    "connections": (
        ("server", "type", "name", "leads_to", "configuration", "source"),
        _of_systems("connections"),
    ),
    "factories": (
        ("server", "type", "name", "leads_to", "details", "configuration", "source"),
        _of_systems("factories"),
    ),
    "bridges": (
        ("server", "type", "from", "to", "selector", "configuration", "source"),
        _of_systems("bridges"),
    ),
    "durables": (_SUBSCRIPTION, _of_systems("durables")),
    "subscribers": (_SUBSCRIPTION, _subscribers),
    "interests": (("server", "name", "via", "hops"), lambda model: _interests(interests(model))),
    "selectors": (
        ("server", "on", "direction", "topic", "selector", "configuration", "source"),
        _of_systems("selectors"),
    ),
    "access": (
        ("server", "what", "who", "permissions", "configuration", "source"),
        _of_systems("access"),
    ),
    "routing-paths": (
        ("server", "destination", "direction", "path", "source"),
        _of_systems("routing-paths"),
    ),
    "findings": (("severity", "rule", "kind", "message", "server", "source"), _findings),
    "files": (
        ("path", "status", "system", "server", "role", "read", "ignored", "unsupported", "note"),
        _files,
    ),
}
"""What can be shown: columns in reading order, and the rows."""
