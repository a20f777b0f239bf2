"""What the trace of a message rests on and leaves open: what is assumed about clients, which
subscriptions are not relied on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.simple import Path
from topograph.side_inputs import Client
from topograph.systems.ems.destinations.subscribers import Subscriber, any_declared
from topograph.systems.ems.destinations.texts import text as said
from topograph.systems.ems.destinations.topics import contained, is_temporary, is_wildcard
from topograph.systems.ems.network.observations import Observations, at_servers
from topograph.systems.ems.topics.publication import PublicationResult
from topograph.systems.ems.topics.telling import Judged
from topograph.tracing.trace import Note

ASSUMED = Assumption(
    "R40",
    "L",
    "nothing is known about clients, so every server counts as having a subscriber",
    "a server without a subscriber at it or behind it does not get the message",
)

ASSUMED_BESIDE = replace(
    ASSUMED,
    text=(
        "of clients only the {known} subscribers are known, so every other server counts as "
        "having a subscriber too"
    ),
)

ASSUMED_ELSEWHERE = replace(
    ASSUMED, text="every server that did not list its subscribers counts as having one"
)


def assumed(wanting: Sequence[Subscriber], seen: Observations) -> list[Assumption]:
    """What is assumed about clients, of which some may have been ``seen``."""
    if not any(one.known == "assumed" for one in wanting):
        return []
    if is_temporary(wanting[0].topic):
        text = f"the client that created {wanting[0].topic} is attached to {wanting[0].server}"
        return [Assumption("R90", "H", text, "without it nobody gets the message")]
    if seen.whole or seen.cut:
        return [ASSUMED_ELSEWHERE]
    beside = {one.known for one in wanting if one.delivers and one.known != "assumed"}
    if not beside:
        return [ASSUMED]
    return [
        replace(ASSUMED_BESIDE, text=ASSUMED_BESIDE.text.format(known=" and ".join(sorted(beside))))
    ]


def nobody_else(
    clients: Sequence[Client], seen: Observations, graph: ForwardingGraph
) -> list[Assumption]:
    """That there are no subscribers beside those that are declared, at the servers that did not
    list theirs: where some are declared, nobody is assumed (R40). Linear in the servers."""
    if not any_declared(clients):
        return []
    listed = seen.whole.keys() | seen.cut.keys()
    names = [one.name for one in graph.servers if one.loaded and one.name not in listed]
    if not names:
        return []
    have = "has" if len(names) == 1 else "have"
    text = f"{at_servers(names)} {have} no subscribers but those that are known"
    return [Assumption("R40", "M", text, "others who subscribe there get the message too")]


def sent_with(name: str, value: str | int) -> Assumption:
    """That a header field which nobody set has the default that a producer leaves it with (R69)."""
    return Assumption(
        "R69",
        "M",
        said("default", name=name, value=value),
        said("default_otherwise", name=name, value=value),
    )


def notes_of(
    graph: ForwardingGraph, found: PublicationResult, wanting: Sequence[Subscriber]
) -> tuple[Note, ...]:
    """What the trace does not follow (A13)."""
    here = {graph.servers[number].name for number in (found.start, *found.paths)}
    return tuple(
        Note(
            "A13",
            said("not_followed", note=one.note, server=one.server),
            one.source,
        )
        for one in wanting
        if not one.delivers and one.bridge is None and one.server in here
    )


def passed_on_in_part(
    graph: ForwardingGraph, found: PublicationResult, wanting: Sequence[Subscriber]
) -> Iterator[Assumption]:
    """Wildcard subscriptions that get the message through a server where they are no subset of a
    global topic (R46): that server has an internal subscriber for them, as their own has a
    client. Linear in their paths."""
    by_server: dict[int, list[Subscriber]] = {}
    for one in wanting:
        if one.reliable:
            by_server.setdefault(graph.server_number[one.server], []).append(one)
    for number, all_ in by_server.items():
        if not all(is_wildcard(one.topic) for one in all_):
            continue
        doubts = [_in_part(graph, found.paths.get(number, ()), one) for one in all_]
        if doubts and None not in doubts:
            yield from (doubt for doubt in doubts[:1] if doubt is not None)


def _in_part(graph: ForwardingGraph, path: Path, one: Subscriber) -> Assumption | None:
    """That a wildcard subscription is routed over a path, where servers on it have only a part
    of it global.
    """
    for point in (graph.points[number] for number in path[1:]):
        ends = point.previous, point.server
        for end, guard in zip(
            ends, [n for n in point.guards if graph.guards[n].kind == "global"], strict=False
        ):
            patterns = json.loads(graph.guards[guard].payload)["patterns"]
            at = graph.servers[end].name
            if at != one.server and not any(contained(one.topic, pattern) for pattern in patterns):
                text = said("in_part", subscription=one.topic, server=one.server, through=at)
                return Assumption("R46", "M", text, said("in_part_otherwise", server=one.server))
    return None


def why_unreliable(one: Subscriber) -> tuple[str, Source]:
    """Why a subscription is never called delivered at a server that the message has no other
    reason to go to: a wildcard (R46, A14), or one that may not be there."""
    if one.unsure and not is_wildcard(one.topic):
        return one.unsure, one.source
    return said("unreliable", subscription=one.topic), one.source


def left_open_by(
    graph: ForwardingGraph, found: PublicationResult, undecided: Sequence[Judged]
) -> dict[int, tuple[str, Source]]:
    """By server, why it is not certain whether it gets the message."""
    entries = dict(found.undetermined)
    for one, verdict in undecided:
        because = verdict.note if one.unsure else said("own_selector", selector=verdict.note)
        entries.setdefault(graph.server_number[one.server], (because, one.source))
    return entries
