"""Networks for tests about messages, made of configuration sections: the shortest way to say who
is where.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from topograph.importers.amq_interconnect import parse_text
from topograph.systems.amq_interconnect.messages.configuration import router_configured
from topograph.systems.amq_interconnect.messages.model import (
    Broker,
    Connection,
    MessageNetwork,
    Receiver,
)
from topograph.systems.amq_interconnect.messages.outcomes import SendResult, send
from topograph.systems.amq_interconnect.messages.records import RouterSending, SentCourse

Sections = Iterable[tuple[str, Mapping[str, Any]]]


def net(
    routers: str | Mapping[str, Sections],
    links: Iterable[tuple[str, str, int]] = (),
    receivers: Iterable[str] = (),
    *,
    everywhere: Sections = (),
    default: str | Mapping[str, str] = "",
    edges: Mapping[str, str] | None = None,
    brokers: Iterable[tuple[Broker, Sequence[tuple[str, str]]]] = (),
    version: str = "1.19.0",
    fresh: bool = True,
    ordered: bool = True,
) -> MessageNetwork:
    """``routers`` are single letters, or ids with their sections; ``everywhere`` are sections of
    all of them. A receiver is ``id router address [settle]``; a broker stands with its
    connections (router, name of the connector)."""
    sections = dict.fromkeys(routers, ()) if isinstance(routers, str) else routers
    edges = edges or {}
    made = {}
    for name, own in sections.items():
        mode = "edge" if name in edges else "interior"
        chosen = default if isinstance(default, str) else default.get(name, "")
        router = {"id": name, "mode": mode, **({"defaultDistribution": chosen} if chosen else {})}
        read = parse_text(
            "json", json.dumps([["router", router], *map(list, everywhere), *map(list, own)])
        )
        assert read.starts, [finding.message for finding in read.findings]
        made[name] = router_configured(name, read.entities, version)
    brokers = list(brokers)
    return MessageNetwork(
        made,
        tuple(links),
        {edge: to for edge, to in edges.items() if to},
        connections=tuple(
            Connection(router, one.name, name) for one, there in brokers for router, name in there
        ),
        brokers={one.name: one for one, _ in brokers},
        receivers=tuple(Receiver(*text.split()) for text in receivers),
        fresh=fresh,
        ordered=ordered,
    )


def line(routers: str, cost: int = 1) -> list[tuple[str, str, int]]:
    """Links from each router to the next."""
    return [(a, b, cost) for a, b in itertools.pairwise(routers)]


def ring(routers: str) -> list[tuple[str, str, int]]:
    """Links from each router to the next, and from the last to the first."""
    return [*line(routers), (routers[-1], routers[0], 1)]


def sent(
    network: MessageNetwork, router: str, address: str, count: int = 1, **how: Any
) -> SendResult:
    return send(network, RouterSending(router, address, count, **how))


def counts(course: SentCourse) -> dict[str, int]:
    """Receiver to number of copies."""
    return {receiver: sum(paths.values()) for receiver, paths in course.received.items()}


def got(result: SendResult) -> dict[str, int]:
    """Receiver to number of copies, in the only course there is."""
    (course,) = result.courses
    return counts(course)


def paths(result: SendResult) -> dict[str, dict[str, int]]:
    """Receiver to path to number, in the only course there is."""
    (course,) = result.courses
    return {
        name: {">".join(path): number for path, number in ways.items()}
        for name, ways in course.received.items()
    }


def possible(result: SendResult) -> list[dict[str, int]]:
    """Every possible result, as counts."""
    found = [counts(course) for course in result.courses]
    return sorted(found, key=lambda one: sorted(one.items()))


def sequence(result: SendResult) -> str:
    """Who got each message, in order, where only one course is possible."""
    (course,) = result.courses
    return " ".join(
        one.receiver for message in course.messages for one in message.deliveries if one.receiver
    )


def outcomes(result: SendResult) -> dict[str, int]:
    return result.courses[0].outcomes


def deposited(result: SendResult) -> dict[str, dict[str, int]]:
    return result.courses[0].deposited
