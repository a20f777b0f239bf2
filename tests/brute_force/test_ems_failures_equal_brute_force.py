"""What topograph says of failures in EMS networks equals a second reading of the failure table
(F1-F9, R120-R122) that lists the paths of every pair with and without the failed part of the
configuration."""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest
from brute_force.ems_estate import PATTERNS, Estate, Link, estates, link_between, simple_paths
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph
from topograph.network import Network
from topograph.questions.answers import ImpactAnswer

pytestmark = pytest.mark.slow

MANY = settings(
    max_examples=draws(48),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

ANY = ""

WITHIN = {
    "orders.eu": {"orders.eu", "orders.*", "orders.>", ">"},
    "news": {"news", ">"},
    "orders.*": {"orders.*", "orders.>", ">"},
    "orders.>": {"orders.>", ">"},
}
"""Each topic that is subscribed to, and the patterns that hold all of it."""


@dataclass(frozen=True)
class Case:
    estate: Estate
    subscribers: tuple[tuple[str, str, bool], ...]
    """(server, topic, durable): declared clients."""
    durables: tuple[tuple[str, str, str], ...]
    """(server, topic, the server that it is held for)"""


def is_legal(estate: Estate) -> bool:
    """Whether no pair of servers has two paths (R25)."""
    for start in estate.servers:
        ends = [path[-1] for path in simple_paths(estate, start)]
        if len(ends) != len(set(ends)):
            return False
    return True


@st.composite
def cases(draw: st.DrawFn) -> Case:
    estate = draw(estates())
    if draw(
        st.integers(0, 2)
    ):  # most networks are made legal: a link that brings a second path is left out
        kept: tuple[Link, ...] = ()
        for link in estate.links:
            if is_legal(replace(estate, links=(*kept, link))):
                kept = (*kept, link)
        estate = replace(estate, links=kept)
    servers, topics = st.sampled_from(estate.servers), st.sampled_from(sorted(WITHIN))
    clients = draw(st.lists(st.tuples(servers, topics, st.booleans()), unique=True, max_size=4))
    if draw(st.booleans()):  # else few topics get anywhere
        estate = replace(estate, global_topics=dict.fromkeys(estate.servers, (">",)))
    hops = [hop for link in estate.links for hop in (link.ends, link.ends[::-1])]
    held = (
        draw(st.lists(st.tuples(st.sampled_from(hops), topics), unique=True, max_size=3))
        if hops
        else []
    )
    return Case(estate, tuple(clients), tuple((at, topic, other) for (at, other), topic in held))


@contextmanager
def read(case: Case) -> Iterator[Network]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        case.estate.write(root)
        for server in case.estate.servers:
            lines = [
                f"{topic} {other} route\n" for at, topic, other in case.durables if at == server
            ]
            (root / server / "durables.conf").write_text("".join(lines), encoding="utf-8")
            with (root / server / "tibemsd.conf").open("a", encoding="utf-8") as main:
                main.write("durables = durables.conf\n")
        clients = [
            {"server": at, "destination": f"topic:{topic}", "role": "subscriber"}
            | ({"durable": f"d{n}"} if durable else {})
            for n, (at, topic, durable) in enumerate(case.subscribers)
        ]
        if clients:
            (root / "topograph.yaml").write_text(json.dumps({"clients": clients}), encoding="utf-8")
        yield topograph.read(folder)


def without(estate: Estate, failed: str) -> Estate:
    """The configuration without what fails: ``server:X`` or ``route:A-B``."""
    kind, _, name = failed.partition(":")
    if kind == "server":
        links = tuple(link for link in estate.links if name not in link.ends)
        return replace(
            estate, links=links, servers=tuple(one for one in estate.servers if one != name)
        )
    return replace(
        estate, links=tuple(link for link in estate.links if "-".join(sorted(link.ends)) != name)
    )


def carried(estate: Estate, path: Sequence[str], topic: str) -> bool:
    """Whether the topic is global on every server of a path (R42)."""
    if topic == ANY:
        return True
    return all(any(one in WITHIN[topic] for one in estate.global_topics[server]) for server in path)


def paths(estate: Estate, start: str, topic: str) -> dict[str, tuple[str, ...]]:
    """The shortest path to each server."""
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(simple_paths(estate, start), key=len) if start in estate.servers else ():
        if carried(estate, path, topic):
            found.setdefault(path[-1], path)
    return found


def table(
    estate: Estate, forwarder: str, receiver: str, *, server: bool, static: bool
) -> tuple[bool, bool, str]:
    """The failure table, read row by row: whether messages are stored, whether some may come
    twice, and the row.
    """
    active = link_between(estate, forwarder, receiver).configured_on
    if static:
        return True, receiver not in active, "F8"
    if len(active) == 2:
        return True, False, "F3" if server else "F7"
    if active == (forwarder,):
        return True, True, "F5" if server else "F6"
    return False, False, "F4" if server else "F6"


Rows = dict[tuple[str, str, str, bool, bool, str], set[tuple[str, str]]]


def expected(case: Case, failed: str) -> tuple[set[tuple[str, str]], Rows]:
    """The pairs of servers that lose each other; and by place, topic and outcome the pairs of a
    publisher and a subscriber.
    """
    estate, rest = case.estate, without(case.estate, failed)
    wanted = [
        *((at, topic) for at, topic, _ in case.subscribers),
        *((at, topic) for at, topic, _ in case.durables),
    ]
    topics = sorted({topic for _, topic in wanted}) + ([] if case.subscribers else [ANY])
    rows: Rows = defaultdict(set)
    lost = set()
    for topic in topics:
        subscribers = (
            {at for at, one in wanted if topic != ANY and one in WITHIN[topic]}
            if topic
            else set(estate.servers)
        )
        for start in rest.servers:
            before, after = paths(estate, start, topic), paths(rest, start, topic)
            for end in subscribers & before.keys() - after.keys():
                at, to = first_broken(before[end], rest)
                static = any(
                    (one, other) == (at, to) and topic != ANY and pattern in WITHIN[topic]
                    for one, pattern, other in case.durables
                )
                said = table(estate, at, to, server=to not in rest.servers, static=static)
                rows[at, to, topic, *said].add((start, end))
    for start in rest.servers:
        lost |= {
            (start, end)
            for end in paths(estate, start, ANY).keys() - paths(rest, start, ANY)
            if end in rest.servers
        }
    return lost, rows


def first_broken(path: Sequence[str], rest: Estate) -> tuple[str, str]:
    joined = {frozenset(link.ends) for link in rest.links}
    return next(hop for hop in pairwise(path) if frozenset(hop) not in joined)


def told(answer: ImpactAnswer) -> dict[tuple[str, str, str, bool, bool, str], tuple[int, set[str]]]:
    """By place, topic and outcome: the number of pairs, and the subscribers."""
    kept = [(one, True, one.duplicates) for one in answer.retained]
    missed = [(one, False, False) for one in answer.gaps]
    return {
        (one.at, one.neighbour, one.destination.removeprefix("topic:"), stored, twice, one.rule): (
            one.pairs,
            set(one.subscribers),
        )
        for one, stored, twice in (*kept, *missed)
        if one.pairs
    }


def failures(estate: Estate) -> list[str]:
    return [
        *(f"server:{one}" for one in estate.servers),
        *(f"route:{'-'.join(sorted(link.ends))}" for link in estate.links),
    ]


@MANY
@given(cases())
def test_a_failure_is_the_configuration_without_the_failed_part(case: Case) -> None:
    legal = is_legal(case.estate)
    with read(case) as network:
        for failed in failures(case.estate):
            answer = network.impact([failed])
            lost, rows = expected(case, failed)
            assert {(one.from_, one.to) for one in answer.lost} == lost
            found = told(answer)
            if legal:
                assert found == {
                    key: (len(pairs), {end for _, end in pairs}) for key, pairs in rows.items()
                }
            else:  # of several paths of one length either may be taken
                assert _by_topic(found) == _by_topic(
                    {k: (len(pairs), set()) for k, pairs in rows.items()}
                )


def _by_topic(
    rows: dict[tuple[str, str, str, bool, bool, str], tuple[int, set[str]]],
) -> dict[str, int]:
    found: dict[str, int] = defaultdict(int)
    for key, (pairs, _) in rows.items():
        found[key[2]] += pairs
    return found


@MANY
@given(cases())
def test_what_goes_out_over_a_suspended_route_waits_and_nothing_else_does(case: Case) -> None:
    wanted = [
        *((at, topic) for at, topic, _ in case.subscribers),
        *((at, topic) for at, topic, _ in case.durables),
    ]
    topics = sorted({topic for _, topic in wanted}) + ([] if case.subscribers else [ANY])
    with read(case) as network:
        for hop in (hop for link in case.estate.links for hop in (link.ends, link.ends[::-1])):
            answer = network.impact([f"suspended:{hop[0]}:{hop[1]}"])
            assert {(one.from_, one.to) for one in answer.lost} == waiting(
                case.estate, hop, ANY, set(case.estate.servers)
            )
            pairs = {}
            for topic in topics:
                ends = (
                    {at for at, one in wanted if one in WITHIN[topic]}
                    if topic
                    else set(case.estate.servers)
                )
                pairs[topic] = len(waiting(case.estate, hop, topic, ends))
            found = {
                one.destination.removeprefix("topic:"): one.pairs
                for one in answer.retained
                if one.pairs
            }
            assert found == {topic: number for topic, number in pairs.items() if number}
            assert {(one.at, one.neighbour, one.rule) for one in answer.retained if one.pairs} <= {
                (*hop, "R53")
            }
            assert answer.gaps == ()


def waiting(
    estate: Estate, hop: tuple[str, str], topic: str, ends: set[str]
) -> set[tuple[str, str]]:
    """The pairs of servers that are joined by no path but those over a hop."""
    found = set()
    for start in estate.servers:
        permitted = [path for path in simple_paths(estate, start) if carried(estate, path, topic)]
        free = {path[-1] for path in permitted if hop not in pairwise(path)}
        found |= {(start, path[-1]) for path in permitted if path[-1] in ends - free}
    return found


@MANY
@given(cases())
def test_a_sweep_counts_what_each_failure_does(case: Case) -> None:
    with read(case) as network:
        answer = network.impact(sweep=True)
        assert {row.failed for row in answer.failures} == set(failures(case.estate))
        for row in answer.failures:
            one = network.impact([row.failed])
            assert row.lost == len(one.lost)
            assert row.gaps == sum(each.pairs for each in one.gaps)
            assert row.retained == sum(each.pairs for each in one.retained)
            assert row.duplicates == sum(each.pairs for each in one.retained if each.duplicates)
        worst = [
            (-row.lost - row.own, not row.failed.startswith("server:"), -row.gaps)
            for row in answer.failures
        ]
        assert worst == sorted(worst)


@MANY
@given(cases())
def test_a_client_that_exits_leaves_a_gap_unless_it_is_durable(case: Case) -> None:
    with read(case) as network:
        for at, topic, durable in case.subscribers:
            answer = network.impact([f"client:{at}:topic:{topic}"])
            coming = {
                start for start in case.estate.servers if at in paths(case.estate, start, topic)
            } | {at}
            rows = answer.retained if durable else answer.gaps
            assert rows
            assert {(one.at, one.rule, one.pairs) for one in rows} >= {
                (at, "F2" if durable else "F1", len(coming))
            }
            assert not answer.lost
            for gap in answer.gaps:
                assert set(gap.removed) == chain(case, at, topic)


def chain(case: Case, at: str, topic: str) -> set[tuple[str, str]]:
    """The internal subscribers that are there for the client at ``at`` and for nobody who stays
    (R40), and are no static durable (F8).
    """
    stays = {
        (server, one)
        for server, one, durable in case.subscribers
        if one in WITHIN[topic] and ((server, one) != (at, topic) or durable)
    } | {(server, one) for server, one, _ in case.durables if one in WITHIN[topic]}
    standing = {
        (server, neighbour) for server, one, neighbour in case.durables if one in WITHIN[topic]
    }
    return _hops(case, {at}, topic) - _hops(case, {server for server, _ in stays}, topic) - standing


def _hops(case: Case, ends: set[str], topic: str) -> set[tuple[str, str]]:
    found = set()
    for start in case.estate.servers:
        for path in simple_paths(case.estate, start):
            if path[-1] in ends and carried(case.estate, path, topic):
                found |= set(pairwise(path))
    return found


assert set(WITHIN) <= {*PATTERNS}
