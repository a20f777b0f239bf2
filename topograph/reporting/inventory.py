"""What there is: servers, zones, and the rows of ``topograph show`` that a report has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from topograph.errors import NotApplicable
from topograph.findings import Finding
from topograph.forwarding.reached import shown_links
from topograph.questions.answers.services import ServicesAnswer
from topograph.questions.cycles import interests
from topograph.questions.known_destinations import known_destinations, placed_destinations
from topograph.questions.model import Model
from topograph.questions.offers import offers
from topograph.questions.records.interests import INTERESTS
from topograph.questions.records.services import SERVICES
from topograph.questions.services import services
from topograph.questions.show import show
from topograph.questions.texts.layout import listed, plural_of
from topograph.questions.texts.services import TOLD_OF
from topograph.reporting.findings import labels_of
from topograph.reporting.report import ServerRow, ShownTable, ZoneRow
from topograph.systems import system
from topograph.systems.contract.system import Depicting

SHOWN = 100
"""Rows of a table that stand in a report."""

MOST_DESTINATIONS = 500
"""Destinations that the form of a report completes."""

MOST_HOLDERS = 300
"""Servers of a network whose interests are listed: each holds the names of all others."""


def zones_of(model: Model, findings: Sequence[Finding]) -> tuple[ZoneRow, ...]:
    """The zones by name and type. Linear in links and findings."""
    labels = labels_of(model)
    counts = Counter(labels.get(one.server, "") for one in findings)
    found: dict[tuple[str, str], tuple[int, set[str]]] = {}
    for part in model.parts:
        servers = part.graph.servers
        for link in part.graph.links:
            if link.zone:
                number, own = found.get((link.zone, link.zone_type), (0, set()))
                own |= {model.label(servers[end]) for end in (link.a, link.b)}
                found[link.zone, link.zone_type] = number + 1, own
    return tuple(
        ZoneRow(name, kind, number, tuple(sorted(own)), sum(counts[one] for one in own))
        for (name, kind), (number, own) in sorted(found.items())
    )


def servers_of(
    model: Model, zones: Sequence[ZoneRow], findings: Sequence[Finding]
) -> tuple[ServerRow, ...]:
    """The servers by name. Linear in links, zones and findings."""
    labels = labels_of(model)
    counts = Counter(labels.get(one.server, "") for one in findings)
    of: dict[str, list[str]] = {}
    for zone in zones:
        for server in zone.servers:
            if zone.name not in (own := of.setdefault(server, [])):
                own.append(zone.name)
    neighbours = _neighbours(model)
    return tuple(
        ServerRow(
            label,
            place.part.system.title if place.part.form == "closed" else system(place.system).title,
            place.server.loaded,
            place.server.incomplete,
            tuple(of.get(label, ())),
            len(neighbours.get(label, ())),
            counts[label],
            place.server.source,
        )
        for place in model.places()
        for label in (model.label(place.server),)
    )


def kinds_of(model: Model, systems: Sequence[str]) -> tuple[str, ...]:
    """What the loaded servers of each system are, and what they connect to that is no server, in
    words: ``5 routers, 1 edge router and 2 brokers or containers``. Empty where no files of a
    system are there. Linear in the servers."""
    kinds: dict[str, Counter[str]] = {name: Counter() for name in systems}
    special: dict[tuple[str, str], str] = {}
    attached: dict[str, Counter[str]] = {name: Counter() for name in systems}
    for part in model.parts:
        own = part.estate if part.system.capabilities.depicts else None
        if isinstance(own, Depicting):
            name = part.system.name
            special |= {(name, server): words for server, (words, _) in own.kinds().items()}
            attached[name].update(one.kind for one in own.attached())
    for place in model.places():
        if place.server.loaded:
            noun = system(place.system).wording.server_noun
            kinds[place.system][special.get((place.system, place.name), noun)] += 1
    return tuple(
        listed(
            [_counted(number, kind) for kind, number in _usual_first(kinds[name], name)]
            + [_counted(number, kind) for kind, number in sorted(attached[name].items())],
            len(kinds[name]) + len(attached[name]),
        )
        for name in systems
    )


def _usual_first(kinds: Mapping[str, int], name: str) -> list[tuple[str, int]]:
    return sorted(
        kinds.items(), key=lambda one: (one[0] != system(name).wording.server_noun, one[0])
    )


def _counted(number: int, kind: str) -> str:
    """
    >>> _counted(2, "broker or container")
    '2 brokers or containers'
    """
    return f"{number:,} {kind if number == 1 else ' or '.join(map(plural_of, kind.split(' or ')))}"


def _neighbours(model: Model) -> Mapping[str, set[str]]:
    names = {(place.system, place.name): model.label(place.server) for place in model.places()}
    found: dict[str, set[str]] = {}
    for part in model.parts:
        for link in shown_links(part.graph):
            first, second = (
                names.get(pair, pair[1]) for pair in zip(link.systems, link.ends, strict=True)
            )
            found.setdefault(first, set()).add(second)
            found.setdefault(second, set()).add(first)
    return found


def destinations_of(model: Model) -> tuple[str, ...]:
    """The first MOST_DESTINATIONS of what messages can be sent to, as questions take it
    (``topic:orders``), queues with their server (``ORDERS@HQ``) last. Linear in the rows of
    ``show destinations``.
    """
    known = (*known_destinations(model), *placed_destinations(model))
    return tuple(one.text for one in known[:MOST_DESTINATIONS])


def tables_of(model: Model) -> tuple[ShownTable, ...]:
    """Services, selectors, and the interests of networks of at most MOST_HOLDERS servers, folded
    by neighbour; tables without rows are left out.
    """
    found = []
    if (served := _services(model)) is not None:
        found.append(served)
    if (held := _interests(model)) is not None and (held.rows or held.left_out):
        found.append(held)
    selectors = show(model, "selectors")
    rows = []
    for number, row in enumerate(selectors.rows):
        if number == SHOWN:
            break
        rows.append(row)
    if rows:
        columns = tuple(one for one in selectors.columns if any(row.get(one) for row in rows))
        found.append(ShownTable("selectors", columns, tuple(rows), len(selectors.rows)))
    return tuple(found)


def _services(model: Model) -> ShownTable | None:
    """A row for each listener and each connector that it may reach, and one for each half that is
    alone; None where there are no services."""
    if not any(offers(part.system, SERVICES) for part in model.parts):
        return None
    columns = ("address", "listener", "server", "connector", "at", "served", "path", "cost", "why")
    rows = [dict(zip(columns, row, strict=True)) for row in _service_rows(services(model))]
    if not rows:
        return None
    return ShownTable(
        "services", columns, tuple(rows[:SHOWN]), len(rows), command="topograph services"
    )


def _service_rows(answer: ServicesAnswer) -> Iterator[tuple[object, ...]]:
    for service in answer.services:
        for one in service.listeners:
            listener = (service.destination, f"{one.name} {one.outside}".rstrip(), one.server)
            for each in one.connectors:
                connector = f"{each.name} to {each.outside}" if each.outside else each.name
                path = " → ".join(each.path)
                told = TOLD_OF[each.judgement]
                yield (*listener, connector, each.server, told, path, each.cost, each.because)
            if not one.connectors:
                yield (*listener, "", "", TOLD_OF[one.judgement], "", None, one.because)
        for alone in service.connectors if not service.listeners else ():
            connector = f"{alone.name} to {alone.outside}"
            why = "no loaded listener has the address"
            yield (service.destination, "", "", connector, alone.server, "no", "", None, why)


def _interests(model: Model) -> ShownTable | None:
    """Which neighbour each server learned names from, how many, and from how far away at most."""
    columns = ("server", "from", "names", "farthest")
    if not any(offers(part.system, INTERESTS) for part in model.parts):
        return None
    if (holders := len(model.places())) > MOST_HOLDERS:
        why = f"Each of the {holders:,} servers learns the names of others, too many to list here."
        return ShownTable("interests", columns, (), 0, why, "topograph interests --format jsonl")
    try:
        answer = interests(model)
    except NotApplicable:
        return None
    rows: list[Mapping[str, object]] = []
    for server, names in sorted(answer.servers.items()):
        by: dict[str, list[int]] = {}
        for entry in names:
            by.setdefault(entry.via, []).append(entry.hops)
        rows += [
            {"server": server, "from": via, "names": len(hops), "farthest": max(hops)}
            for via, hops in sorted(by.items())
        ]
    return ShownTable(
        "interests", columns, tuple(rows[:SHOWN]), len(rows), command="topograph interests"
    )
