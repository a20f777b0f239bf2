"""A comparison that accepts a change, and is exact, has told whatever the change does: asked of
``trace`` and ``propagate`` on both states, every message that ends otherwise is in it.

Pairs of states of every system are drawn from a number: one or two entries of an estate go, come
or are replaced, a zone gets another type, or all files of a server go. ``TOPOGRAPH_STATES`` says
how many pairs (3,000 take an hour); from 500 on all messages are asked for.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import DRAWN, drawn
from drawn.amq_interconnect import ADDRESSES
from drawn.changes import changed
from drawn.ems import PROPERTIES, QUEUES, TOPICS
from drawn.ibm_mq import QUEUES as MQ_QUEUES
from drawn.mqe import QUEUES as MQE_QUEUES
from drawn.sibus import NAMES

import topograph
from topograph.errors import InputError, TopographError
from topograph.network import Network
from topograph.questions.answers import AuditAnswer, PropagateAnswer, TraceAnswer
from topograph.questions.text import text

pytestmark = pytest.mark.slow

PAIRS = int(os.environ.get("TOPOGRAPH_STATES", "100"))
SHARE = 5
ASKED = 8 if PAIRS < 500 else 10_000
"""Messages of a pair."""

CLOSED = ("ems", "amq_interconnect")
"""The systems that tell who gets a message, and not of each message how it ends."""

Asked = tuple[str, str, dict[str, Any]]


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
            case _:
                names = (*MQ_QUEUES, "R", "AL", *servers)
                yield from ((server, f"queue:{to}", {}) for to in names)
                yield from ((server, f"{to}@{at}", {}) for to in names for at in servers)
                yield from ((server, f"topic:{to}", {}) for to in ("t/a", "t/b"))


def endings(network: Network, asked: Asked) -> Counter[tuple[str, str, str]] | None:
    """How a message ends, where, and how certain that is, now or later; None where the files leave
    that open or nothing of that name can be asked for."""
    try:
        answer = network.trace(*asked)
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
        answer = network.propagate(*asked)
    except TopographError:
        return set()
    assert isinstance(answer, PropagateAnswer)
    return {
        (one.server, one.destination)
        for one in answer.deliveries
        if one.judgement not in ("unknown", "one_of")
    }


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
    told = {row.destination for row in answer.outcomes if row.server == server}
    name, _, at = destination.removeprefix("queue:").partition("@")
    alike = {destination, f"{name}@{at}", name if at in ("", server) else "", f"{name}@{server}"}
    alike |= {f"any queue of {at}", f"any destination of {at}"} if at else set()
    alike |= {f"a {kind} that {at or server} does not have" for kind in ("queue", "destination")}
    if destination.startswith("topic:"):
        alike |= {one for one in told if one.startswith("topic:") and "example" in one}
    return [] if alike & told else [f"{asked}: {before} becomes {after}"]


def without_a_cause(answer: AuditAnswer, files: Collection[str]) -> list[str]:
    """What is told of messages without a line of a file that changed."""
    moved = answer.deliveries
    rows = [*moved.gained, *moved.lost, *moved.duplicated]
    rows += [*answer.would_gain, *answer.would_lose, *answer.would_duplicate]
    told = [(repr(one), one.source) for one in rows]
    told += [(repr(one), one.cause) for one in answer.outcomes]
    return [text for text, cause in told if cause.file not in files or not cause.line]


def written(root: Path, files: Mapping[str, str]) -> Network | None:
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    try:
        return topograph.read(root).within(None)
    except InputError:
        return None


def kinds(network: Network, severity: str) -> set[tuple[str, str]]:
    """The kinds of findings of a severity that ``check`` has of each server."""
    found = network.check().findings
    return {(str(one["kind"]), str(one["server"])) for one in found if one["severity"] == severity}


def closes(answer: AuditAnswer, was: Network, now: Network) -> None:
    """A new error is never accepted, a new warning stands in the first lines, and what was not
    looked at is never accepted."""
    if kinds(now, "error") - kinds(was, "error"):
        assert answer.verdict != "accept"
    if answer.verdict == "accept" and kinds(now, "warning") - kinds(was, "warning"):
        first_lines = "\n".join(text(answer).splitlines()[:3])
        assert re.search(r"new warning|the change brings \d+ warning", first_lines), first_lines
    if any(one.effect == "rejects" for one in answer.findings):
        assert answer.verdict == "reject"
    cut = topograph.compare(was.within(1e-9), now)
    same = (cut.reach, cut.deliveries, cut.outcomes) == (
        *(answer.reach, answer.deliveries, answer.outcomes),
    )
    assert cut.verdict != "accept" or (cut.exact == answer.exact and same)


@pytest.mark.parametrize("first", range(0, PAIRS, SHARE))
def test_what_is_accepted_and_exact_tells_every_difference(first: int, tmp_path: Path) -> None:
    for number in range(first, min(first + SHARE, PAIRS)):
        system = sorted(DRAWN)[number % len(DRAWN)]
        at = random.Random(f"states {system} {number}")
        estate = drawn(system, "one", at.randrange(100_000))
        steps = changed(system, estate.files, at, at.choice((1, 2)))
        was = written(tmp_path / f"{number}a", estate.files)
        now = written(tmp_path / f"{number}b", steps[-1]) if steps else None
        if was is None or now is None:
            continue
        answer = topograph.compare(was, now)
        gone = {row.server for row in answer.servers.removed if row.loaded}
        first_lines = "\n".join(text(answer).splitlines()[:5])
        assert not gone or answer.verdict != "accept" or "gone" in first_lines, (system, number)
        closes(answer, was, now)
        files = {
            path
            for path in {*estate.files, *steps[-1]}
            if estate.files.get(path) != steps[-1].get(path)
        }
        assert without_a_cause(answer, files) == [], (system, number)
        if answer.verdict != "accept" or not answer.exact:
            continue
        known = sorted({*was.server_names()} & {*now.server_names()} - gone)
        untold = untold_deliveries if system in CLOSED else untold_endings
        every = list(messages(system, estate.servers, known))
        for asked in at.sample(every, min(ASKED, len(every))):
            found = untold(answer, was, now, asked)
            assert found == [], (system, number, found)
