"""Whether a comparison of two states tells what they do differently: asked of ``trace`` and
``propagate`` on both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from drawn.amq_interconnect import ADDRESSES
from drawn.ems import PROPERTIES, QUEUES, TOPICS
from drawn.ibm_mq import QUEUES as MQ_QUEUES
from drawn.mqe import QUEUES as MQE_QUEUES
from drawn.rabbitmq import EXCHANGES, KEYS
from drawn.rabbitmq import QUEUES as BROKER_QUEUES
from drawn.sibus import NAMES

import topograph
from topograph.errors import InputError, TopographError
from topograph.network import Network
from topograph.questions.answers import AuditAnswer, PropagateAnswer, TraceAnswer

CLOSED = ("ems", "amq_interconnect")
"""The systems that tell who gets a message, and not of each message how it ends."""

KEY = "(routing key)"
"""In place of a header: the routing key that a message is asked with."""

HEADERS = (1, "1", True)
"""Values of the header that bindings of drawn brokers compare."""

Asked = tuple[str, str, dict[str, Any]]


def put(ask: Callable[..., object], asked: Asked) -> object:
    """The answer about a message. Raises what ``ask`` does."""
    server, destination, said = asked
    headers = {name: value for name, value in said.items() if name != KEY}
    return ask(server, destination, headers, **({"routing_key": said[KEY]} if KEY in said else {}))


def messages(system: str, servers: Sequence[str], known: Sequence[str]) -> Iterator[Asked]:
    """Messages to every name that estates of a system have, at every server."""
    for server in known:
        match system:
            case "ems":
                yield from ((server, f"topic:{to}", said) for to in TOPICS for said in PROPERTIES)
                yield from ((server, f"queue:{to}", {}) for to in QUEUES)
            case "amq_interconnect":
                yield from ((server, f"address:{to}", {}) for to in ADDRESSES)
            case "sibus":
                yield from ((server, f"queue:{to}", {}) for to in NAMES)
                yield from ((server, f"{to}@{at}", {}) for to in NAMES for at in servers)
            case "mqe":
                managers = (*servers, "v", "w", "MQ", "GONE")
                yield from ((server, f"{to}@{at}", {}) for to in MQE_QUEUES for at in managers)
            case "rabbitmq":
                for to, key in product(EXCHANGES, KEYS):
                    yield server, f"exchange:{to}", {KEY: key}
                for to, value in product(EXCHANGES, HEADERS):
                    yield server, f"exchange:{to}", {KEY: "k", "h": value}
                yield from ((server, f"queue:{to}", {}) for to in BROKER_QUEUES)
            case _:
                names = (*MQ_QUEUES, "R", "AL", *servers)
                yield from ((server, f"queue:{to}", {}) for to in names)
                yield from ((server, f"{to}@{at}", {}) for to in names for at in servers)
                yield from ((server, f"topic:{to}", {}) for to in ("t/a", "t/b"))


def endings(network: Network, asked: Asked) -> Counter[tuple[str, str, str]] | None:
    """How a message ends, where, and how certain that is, now or later; None where the files leave
    that open or nothing of that name can be asked for."""
    try:
        answer = put(network.trace, asked)
    except TopographError:
        return None
    assert isinstance(answer, TraceAnswer)
    readings: set[int] = set()
    found = []
    for one in answer.branches:
        if one.kind == "reading" or one.of in readings:
            readings.add(one.id)
        elif one.judgement == "unknown":
            return None
        elif one.judgement and one.outcome != "PUBLISHED":
            found.append((one.ending, one.server, one.judgement))
    return Counter(dict.fromkeys(found, 1))


def got(network: Network, asked: Asked) -> set[tuple[str, str]]:
    """Which servers get a message, on which destination."""
    try:
        answer = put(network.propagate, asked)
    except TopographError:
        return set()
    assert isinstance(answer, PropagateAnswer)
    return {
        (one.server, one.destination)
        for one in answer.deliveries
        if one.judgement not in ("unknown", "one_of")
    }


def untold(system: str, answer: AuditAnswer, was: Network, now: Network, asked: Asked) -> list[str]:
    """What two states do differently with a message, and the answer does not tell of."""
    told = untold_deliveries if system in CLOSED else untold_endings
    return told(answer, was, now, asked)


def untold_deliveries(answer: AuditAnswer, was: Network, now: Network, asked: Asked) -> list[str]:
    """The deliveries of a message that only one state has, and the answer does not tell of. A row
    about a name that only stands for others tells of all of them; of a pair of servers that no
    longer reach each other, or do now, the pair is told."""
    moved = answer.deliveries
    rows = (*moved.lost, *moved.gained, *answer.would_lose, *answer.would_gain)
    told = {(row.server, row.destination) for row in rows}
    for_others = {row.server for row in rows if "example" in row.destination}
    pairs = {*answer.reach.lost, *answer.reach.gained, *answer.reach.undetermined}
    outcomes = {(row.server, row.destination) for row in answer.outcomes}
    if endings(was, asked) is None:
        return []  # of what was not known before nobody can say that it differs
    return [
        f"{end} {destination} from {asked[0]}"
        for end, destination in sorted(got(was, asked) ^ got(now, asked))
        if (end, destination) not in told
        and end not in for_others
        and (asked[0], end) not in pairs
        and asked[:2] not in outcomes
    ]


def untold_endings(answer: AuditAnswer, was: Network, now: Network, asked: Asked) -> list[str]:
    """How a message ends otherwise, where the answer does not tell of it. A row about any queue of
    a queue manager or one that it does not have, or a topic that stands for others, tells of all of
    them."""
    before, after = endings(was, asked), endings(now, asked)
    if before is None or after == before:
        return []
    server, destination, _ = asked
    server = server.rpartition(":")[2]  # rows have their system beside the name
    told = {row.destination for row in answer.outcomes if row.server == server}
    name, _, at = destination.removeprefix("queue:").partition("@")
    alike = {destination, f"{name}@{at}", name if at in ("", server) else "", f"{name}@{server}"}
    alike |= {f"any queue of {at}", f"any destination of {at}"} if at else set()
    alike |= {f"a {kind} that {at or server} does not have" for kind in ("queue", "destination")}
    if KEY in asked[2]:  # a key stands for others that match the same
        alike |= {one for one in told if one.startswith(f"{destination} with the ")}
    if destination.startswith("topic:"):
        alike |= {one for one in told if one.startswith("topic:") and "example" in one}
    return [] if alike & told else [f"{asked}: {before} becomes {after}"]


def written(root: Path, files: Mapping[str, str]) -> Network | None:
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    try:
        return topograph.read(root).within(None)
    except InputError:
        return None
