"""A policy passes only where the question that it is about says so for certain of the network after
the change, and fails only where that says the opposite for certain; where the question is certain,
the policy is not left open.

Estates of every system are drawn from a number (3,000 take an hour).
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import DRAWN, drawn
from drawn.changes import changed
from draws import draws, share

import topograph
from certainty.test_pairs_of_all_systems import messages, written
from topograph.errors import TopographError
from topograph.network import Network
from topograph.questions.answers import ImpactAnswer, PathsAnswer, ReachAnswer

pytestmark = pytest.mark.slow

ESTATES = draws(30)
SHARE = 5
PAIRS, SENT = 4, 4
"""Pairs of servers and messages of an estate."""

PASS, FAIL, OPEN, ANY = "pass", "fail", "undetermined", "any"
"""What a policy comes to; ``ANY`` where the question is about something else."""


@dataclass(frozen=True)
class Case:
    """A policy, and what the question that it is about says."""

    rule: str
    body: object
    expected: Callable[[Network], str]

    def policy(self, number: int) -> Mapping[str, object]:
        return {"id": f"p{number}", self.rule: self.body}


def waits(network: Network, start: str, end: str | None = None) -> bool:
    """Whether messages wait at a suspended route (R53), over which policies let nothing pass."""
    return any(one.rule == "R53" for one in network.reach(start, end).assumptions)


def reaches(start: str, end: str, *, never: bool = False) -> Callable[[Network], str]:
    def expected(network: Network) -> str:
        found = network.reach(start, end)
        assert isinstance(found, ReachAnswer)
        if waits(network, start, end):
            return ANY
        if not found.servers:
            return (PASS if never else FAIL) if found.unreachable else OPEN
        one = found.servers[0]
        if never:
            return FAIL if one.certain else OPEN
        return PASS if one.certain and loaded(network, one.path) else OPEN

    return expected


def loaded(network: Network, path: Iterable[str]) -> bool:
    not_loaded = {one.name for one in network._model.places() if not one.server.loaded}
    return not not_loaded & {*path}


def over(start: str, end: str, third: str, *, must: bool) -> Callable[[Network], str]:
    def expected(network: Network) -> str:
        found = network.paths(start, end, 100)
        assert isinstance(found, PathsAnswer)
        if waits(network, start):
            return ANY
        against = [
            one
            for one in found.paths
            if (third in (one.servers if must else one.servers[1:-1])) is not must
        ]
        if any(one.certain for one in against):
            return FAIL
        if against or found.undetermined or found.truncated or not found.exact:
            return OPEN
        return PASS

    return expected


def ends_in(server: str, to: str, values: Any, outcome: str, *, never: bool) -> Callable[..., str]:
    def expected(network: Network) -> str:
        try:
            found = network.trace(server, to, values)
        except TopographError:
            return OPEN
        copies = [one for one in found.branches if one.judgement]
        if any(one.kind == "reading" for one in found.branches):
            return ANY
        if not copies:  # nobody gets it, and no link takes it
            return OPEN if not found.exact else PASS if never else FAIL
        known = [one for one in copies if one.judgement != "unknown"]
        bad = [one for one in known if (one.outcome == outcome) is never]
        sure = [one for one in bad if never or one.judgement not in ("one_of", "later")]
        if sure or (found.exact and len(bad) == len(copies)):
            return FAIL
        return OPEN if bad or len(known) < len(copies) or not found.exact else PASS

    return expected


@lru_cache(maxsize=1)
def failing(network: Network) -> tuple[Mapping[str, set[tuple[str, str]]], bool]:
    """The pairs that each single failure separates, and whether that is all."""
    sweep = network.impact(sweep=True)
    assert isinstance(sweep, ImpactAnswer)
    answers = {row.failed: network.impact(row.failed) for row in sweep.failures}
    exact = sweep.exact and all(one.exact for one in answers.values())
    lost = {
        failed: {(one.from_, one.to) for one in answer.lost} for failed, answer in answers.items()
    }
    return lost, exact


def survives(start: str, end: str, single: str) -> Callable[[Network], str]:
    links = ("route", "channel", "connection", "shovel", "federation")
    kinds = ("server",) if single == "server" else links

    def expected(network: Network) -> str:
        systems = {place.system for place in network._model.places()}
        if single == "link" and "sibus" in systems:
            return OPEN  # nothing says what the failure of one link does there
        if waits(network, start, end):
            return ANY
        failures, exact = failing(network)
        for failed, lost in failures.items():
            kind, _, name = failed.partition(":")
            if kind not in kinds or (kind == "server" and name in (start, end)):
                continue
            if (start, end) in lost:
                return FAIL
        return PASS if exact else OPEN

    return expected


def hops(start: str, end: str, most: int) -> Callable[[Network], str]:
    def expected(network: Network) -> str:
        found = network.hops(start, end)
        if waits(network, start, end):
            return ANY
        if not isinstance(found.reachable, bool) or (found.reachable and found.route_hops is None):
            return OPEN
        if found.later:
            return OPEN
        return PASS if not found.reachable or found.route_hops <= most else FAIL

    return expected


def delivers(start: str, end: str, to: str, values: Any, *, never: bool) -> Callable[..., str]:
    def expected(network: Network) -> str:
        topic = to.startswith("topic:")
        try:
            supposed = [f"{end}:{to}"] if topic else []
            found = network.propagate(start, to, values, subscribers=supposed)
        except TopographError:
            return OPEN
        rows = [one for one in found.deliveries if one.server == end]
        rows = [one for one in rows if never or not topic or one.destination == to]
        said = {one.judgement for one in rows}
        if never and said - {"unknown"}:
            return FAIL
        if said & {"yes", "if"}:
            surely = next(one for one in rows if one.judgement in ("yes", "if"))
            return PASS if loaded(network, surely.path) else OPEN
        if said == {"later"}:
            return FAIL
        left = any(one.server == end for one in found.undetermined) or not found.exact
        path = network.reach(start, end)
        if said or left or path.undetermined or not all(one.certain for one in path.servers):
            return OPEN
        if waits(network, start, end):
            return ANY
        return PASS if never else FAIL

    return expected


def cases(
    system: str, servers: Sequence[str], known: Sequence[str], at: random.Random
) -> Iterator[Case]:
    pairs = [*permutations(known, 2)]
    for start, end in at.sample(pairs, min(PAIRS, len(pairs))):
        both = {"from": start, "to": end}
        yield Case("reaches", both, reaches(start, end))
        yield Case("never_reaches", both, reaches(start, end, never=True))
        most = at.randrange(3)
        yield Case("max_hops", {**both, "hops": most}, hops(start, end, most))
        for single in ("server", "link"):
            yield Case("survives_any_single", {"of": single, **both}, survives(start, end, single))
        for third in [one for one in known if one not in (start, end)][:1]:
            body = {**both, "through": third}
            yield Case("passes", body, over(start, end, third, must=True))
            yield Case("avoids", body, over(start, end, third, must=False))
    every = [*messages(system, servers, known)]
    every = [(server, to, values) for server, to, values in every if None not in values.values()]
    for server, to, values in at.sample(every, min(SENT, len(every))):
        for end in [one for one in known if one != server][:2]:
            said = {"from": server, "to": end, "destination": to}
            said |= {"properties": values} if values else {}
            yield Case("delivers", said, delivers(server, end, to, values, never=False))
            yield Case("never_delivers", said, delivers(server, end, to, values, never=True))
        for outcome in ("DELIVERED", "DLQ", "HELD"):
            said = {"from": server, "destination": to, "outcomes": outcome}
            said |= {"properties": values} if values else {}
            for never in (False, True):
                rule = "never_ends_in" if never else "ends_in"
                yield Case(rule, said, ends_in(server, to, values, outcome, never=never))


@pytest.mark.parametrize("first", share(range(0, ESTATES, SHARE), 2))
def test_a_policy_says_what_its_question_says(first: int, tmp_path: Path) -> None:
    wrong = []
    for number in range(first, min(first + SHARE, ESTATES)):
        system = sorted(DRAWN)[number % len(DRAWN)]
        at = random.Random(f"policies {system} {number}")
        estate = drawn(system, "one", at.randrange(100_000))
        steps = changed(system, estate.files, at, 1)
        was = written(tmp_path / f"{number}a", estate.files)
        now = written(tmp_path / f"{number}b", steps[-1]) if steps else None
        if was is None or now is None:
            continue
        known = sorted({*was.server_names()} & {*now.server_names()})
        asked = [*cases(system, estate.servers, known, at)]
        if not asked:
            continue
        text = json.dumps({"policies": [one.policy(n) for n, one in enumerate(asked)]}) + "\n"
        results = topograph.compare(was, now, text).policy
        for one, found in zip(asked, results, strict=True):
            expected = one.expected(now)
            if expected not in (ANY, found.result):
                told = found.evidence[0].text
                wrong.append((system, number, one.rule, one.body, expected, found.result, told))
    assert wrong == []
