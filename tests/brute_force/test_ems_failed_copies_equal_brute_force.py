"""The copies of bridges that a failure stops, by a second reading: the copies that are made in
the configuration and not in what is left of it (R110-R114).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from brute_force.ems_bridges import Bridged, bridged_estates
from brute_force.ems_estate import PATTERNS, TOPICS, Estate, Link, simple_paths
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph
from topograph.questions.answers import ImpactAnswer

pytestmark = pytest.mark.slow

Put = tuple[str, str]
"""A server, and the destination that something is put on there."""


@dataclass(frozen=True)
class Case:
    bridged: Bridged
    sent: tuple[Put, ...]
    """What declared clients send."""


def is_legal(estate: Estate) -> bool:
    for start in estate.servers:
        ends = [path[-1] for path in simple_paths(estate, start)]
        if len(ends) != len(set(ends)):
            return False
    return True


@st.composite
def cases(draw: st.DrawFn) -> Case:
    bridged = draw(bridged_estates())
    estate, kept = bridged.estate, ()
    links: tuple[Link, ...] = kept
    for link in estate.links:  # a legal network, without route selectors, which stop no interest
        if is_legal(replace(estate, links=(*links, link))):
            links = (*links, replace(link, selectors=()))
    estate = replace(estate, links=links)
    if draw(st.booleans()):
        estate = replace(estate, global_topics=dict.fromkeys(estate.servers, (">",)))
    bridges = {
        at: tuple(replace(one, selector="") for one in own) for at, own in bridged.bridges.items()
    }
    destinations = [*(f"topic:{topic}" for topic in TOPICS[::2]), "queue:q1", "queue:q2"]
    put = st.tuples(st.sampled_from(estate.servers), st.sampled_from(destinations))
    sent = draw(st.lists(put, unique=True, min_size=1, max_size=3))
    return Case(replace(bridged, estate=estate, bridges=bridges), tuple(sent))


def without(bridged: Bridged, failed: str) -> Bridged:
    kind, _, name = failed.partition(":")
    estate = bridged.estate
    if kind == "route":
        links = tuple(link for link in estate.links if "-".join(sorted(link.ends)) != name)
        return replace(bridged, estate=replace(estate, links=links))
    links = tuple(link for link in estate.links if name not in link.ends)
    servers = tuple(server for server in estate.servers if server != name)
    return replace(bridged, estate=replace(estate, links=links, servers=servers))


def gets(bridged: Bridged, server: str, destination: str) -> set[str]:
    """The servers that have what is put on a destination at a server."""
    type_, _, name = destination.partition(":")
    if server not in bridged.estate.servers:
        return set()
    if type_ == "queue":
        owner = bridged.entries[server].get(name)
        linked = any(set(link.ends) == {server, owner} for link in bridged.estate.links)
        return {server, owner} if owner and linked else {server}
    found = {server}
    for path in simple_paths(bridged.estate, server):
        if all(any(PATTERNS[one](name) for one in bridged.estate.global_topics[at]) for at in path):
            found.add(path[-1])
    return found


def copies(bridged: Bridged, server: str, destination: str) -> set[Put]:
    """All copies that come of what is sent at a server."""
    found: set[Put] = set()
    waiting = [(server, destination, False)]
    while waiting:
        at, name, is_copy = waiting.pop()
        for there in gets(bridged, at, name):
            if is_copy and there == at:
                continue
            for bridge in bridged.bridges[there]:
                if bridge.source == name and (there, bridge.target) not in found:
                    found.add((there, bridge.target))
                    waiting.append((there, bridge.target, True))
    return found


def told(answer: ImpactAnswer, sent: Put, made: set[Put]) -> set[Put]:
    """The copies of what is sent that are said to wait or to be missed: at the first hop of the
    message, or of a copy that is still made.
    """
    found: set[Put] = set()
    for server, destination in {sent, *made}:
        for one in (*answer.gaps, *answer.retained):
            name = one.destination.partition("@")[0]
            if name == destination and server in one.publishers:
                found |= {(copy.server, copy.destination) for copy in one.copies}
    return found


def failures(estate: Estate) -> Iterator[str]:
    yield from (f"server:{one}" for one in estate.servers)
    yield from (f"route:{'-'.join(sorted(link.ends))}" for link in estate.links)


@settings(
    max_examples=draws(75),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(cases())
def test_copies_that_are_not_made_any_more_are_told_with_what_they_are_copies_of(
    case: Case,
) -> None:
    bridged = case.bridged
    clients = [{"server": at, "destination": name, "role": "publisher"} for at, name in case.sent]
    clients += [
        {"server": at, "destination": f"topic:{topic}"} for at, topic in bridged.subscribers
    ]
    clients += [
        {"server": at, "destination": f"queue:{queue}"} for queue, at in bridged.consumers.items()
    ]
    with tempfile.TemporaryDirectory() as folder:
        bridged.write(Path(folder))
        (Path(folder) / "topograph.yaml").write_text(
            json.dumps({"clients": clients}), encoding="utf-8"
        )
        network = topograph.read(folder)
    types = {name.partition(":")[0] for _, name in case.sent}
    for failed in failures(bridged.estate):
        answer, rest = network.impact([failed]), without(bridged, failed)
        for sent in case.sent:
            if sent[0] not in rest.estate.servers:
                continue
            before, after = copies(bridged, *sent), copies(rest, *sent)
            # Where no publisher (or sender) is declared, somebody is supposed everywhere: the
            # copies of bridges are among what they publish.
            if {"topic", "queue"} == types:
                assert told(answer, sent, after) - after == before - after, (failed, sent)
            else:
                assert told(answer, sent, after) - after <= before - after, (failed, sent)
