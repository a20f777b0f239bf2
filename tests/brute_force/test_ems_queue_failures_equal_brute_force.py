"""What topograph says of routed queues while something fails equals a second reading of
R101-R107 and R53: the hops of every pair of a sender and a consumer, in the configuration and in
what is left of it."""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from brute_force.ems_estate import Estate, estates
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph
from topograph.network import Network

pytestmark = pytest.mark.slow

MANY = settings(
    max_examples=draws(48),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

QUEUES = ("Q", "orders.in")

Hop = tuple[str, str]


@dataclass(frozen=True)
class Case:
    estate: Estate
    entries: dict[str, dict[str, str]]
    """By server and queue the owner that its queues.conf names."""
    clients: tuple[tuple[str, str, str], ...]
    """(server, queue, role)"""


@st.composite
def cases(draw: st.DrawFn) -> Case:
    estate = draw(estates())
    servers = st.sampled_from(estate.servers)
    entries: dict[str, dict[str, str]] = {server: {} for server in estate.servers}
    for queue in QUEUES:
        home = draw(servers)
        entries[home][queue] = home
        for server in draw(st.lists(servers, unique=True)):
            # now and then a wrong owner, or one that is not a neighbour
            entries[server].setdefault(queue, home if draw(st.integers(0, 5)) else draw(servers))
    roles = st.sampled_from(["sender", "consumer"])
    clients = draw(
        st.lists(st.tuples(servers, st.sampled_from(QUEUES), roles), unique=True, max_size=5)
    )
    return Case(estate, entries, tuple(clients))


@contextmanager
def read(case: Case) -> Iterator[Network]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        case.estate.write(root)
        for server, own in case.entries.items():
            lines = [
                f"{queue} global\n" if owner == server else f"{queue}@{owner}\n"
                for queue, owner in own.items()
            ]
            (root / server / "queues.conf").write_text("".join(lines), encoding="utf-8")
            with (root / server / "tibemsd.conf").open("a", encoding="utf-8") as main:
                main.write("queues = queues.conf\n")
        clients = [
            {"server": at, "destination": f"queue:{queue}", "role": role}
            for at, queue, role in case.clients
        ]
        if clients:
            (root / "topograph.yaml").write_text(json.dumps({"clients": clients}), encoding="utf-8")
        yield topograph.read(folder)


def gone(case: Case, failed: str) -> tuple[set[str], set[Hop]]:
    """The servers that fail, and the hops that nothing takes any more."""
    kind, _, name = failed.partition(":")
    hops = {hop for link in case.estate.links for hop in (link.ends, link.ends[::-1])}
    if kind == "server":
        return {name}, {hop for hop in hops if name in hop}
    if kind == "route":
        return set(), {hop for hop in hops if set(hop) == set(name.split("-"))}
    start, end = name.split(":")
    return set(), {(start, end)}


def ways(case: Case, queue: str) -> dict[Hop, list[Hop]]:
    """The hops from each sender of a queue to each consumer of it."""
    joined = {frozenset(link.ends) for link in case.estate.links}
    homes = [server for server, own in case.entries.items() if own.get(queue) == server]
    found: dict[Hop, list[Hop]] = {}
    for home in homes:
        routed = [
            server
            for server, own in case.entries.items()
            if own.get(queue) == home and server != home and frozenset((server, home)) in joined
        ]
        if not routed:
            continue
        senders = {at for at, name, role in case.clients if role == "sender" and name == queue}
        takers = {at for at, name, role in case.clients if role == "consumer" and name == queue}
        for start in (home, *routed):
            for end in (home, *routed):
                sends = start in senders or not any(role == "sender" for *_, role in case.clients)
                if sends and (end in takers or not takers):
                    hops = [(start, home)] if start != home else []
                    found[start, end] = [*hops, *([(home, end)] if end != home else [])]
    return found


def expected(case: Case, failed: str) -> dict[tuple[str, str, str], set[Hop]]:
    """By the hop at which messages wait, and the queue: the pairs that they are of."""
    servers, hops = gone(case, failed)
    found: dict[tuple[str, str, str], set[Hop]] = defaultdict(set)
    for queue in QUEUES:
        for (start, end), way in ways(case, queue).items():
            first = next((hop for hop in way if hop in hops), None)
            if start not in servers and first is not None:
                found[(*first, queue)].add((start, end))
    return found


def failures(case: Case) -> list[str]:
    return [
        *(f"server:{one}" for one in case.estate.servers),
        *(f"route:{'-'.join(sorted(link.ends))}" for link in case.estate.links),
    ]


@MANY
@given(cases())
def test_messages_of_queues_wait_at_the_first_hop_that_is_gone(case: Case) -> None:
    suspended = [
        f"suspended:{a}:{b}" for link in case.estate.links for a, b in (link.ends, link.ends[::-1])
    ]
    with read(case) as network:
        for failed in [*failures(case), *suspended]:
            rows = [
                one
                for one in network.impact([failed]).retained
                if one.destination.startswith("queue:")
            ]
            wanted = expected(case, failed)
            found = {
                (
                    one.at,
                    one.neighbour,
                    one.destination.removeprefix("queue:").partition("@")[0],
                ): one
                for one in rows
                if one.pairs
            }
            assert found.keys() == wanted.keys()
            for key, one in found.items():
                assert one.pairs == len(wanted[key])
                assert set(one.publishers or [key[0]]) >= (
                    {start for start, _ in wanted[key]} if one.publishers else set()
                )
                assert set(one.subscribers) == {end for _, end in wanted[key]}
                assert one.rule == ("R53" if failed.startswith("suspended") else "R105")


@MANY
@given(cases())
def test_a_sweep_counts_the_pairs_and_the_queues_that_wait(case: Case) -> None:
    with read(case) as network:
        rows = {row.failed: row for row in network.impact(sweep=True).failures}
        assert rows.keys() == set(failures(case))
        for failed, row in rows.items():
            retained = network.impact([failed]).retained
            assert row.retained == sum(one.pairs for one in retained)
            assert row.queues == sum(one.destination.startswith("queue:") for one in retained)
            assert expected(case, failed).keys() <= {
                (one.at, one.neighbour, one.destination.removeprefix("queue:").partition("@")[0])
                for one in retained
            }
