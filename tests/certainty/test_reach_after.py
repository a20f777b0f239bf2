"""What ``reach`` says of the state after a change is what a comparison into that state says: the
pairs reached before, with those gained and without those lost; and of a pair that is left open one
of the two states does not say whether it is reached.

Pairs of estates of every system are drawn from a number: files of one change, go, or are another
estate's (3,000 pairs take half an hour).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from drawn.all_systems import DRAWN, drawn
from draws import draws, share

import topograph
from topograph.errors import InputError, UsageError
from topograph.forwarding.graph import WAITS as GUARD
from topograph.network import Network
from topograph.questions.answers import AuditAnswer, ReachAnswer

PAIRS = draws(50)
"""How many pairs of estates are compared, of all systems together."""

SHARE = 5
"""Pairs of one test."""

YES, NO, OPEN, WAITS = "yes", "no", "open", "waits"

Server = tuple[str, str]
Reached = Mapping[tuple[Server, Server], str]
"""By ordered pair of servers whether the second is reached; what is not in it is not there."""


def states(system: str, number: int) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The files of two states of an estate: of one, some are another one's, or are gone."""
    at = random.Random(f"reach after {system} {number}")
    before = drawn(system, at.choice(("one", "one", "two")), at.randrange(100_000)).files
    other = drawn(system, "one", at.randrange(100_000)).files
    match at.randrange(5):
        case 0:
            return before, other
        case 1:
            gone = at.choice(sorted(before))
            return before, {path: text for path, text in before.items() if path != gone}
        case 2:
            return before, {**before, **dict(at.sample(sorted(other.items()), 1))}
        case 3:
            shared = at.sample(sorted(other), max(1, len(other) // 2))
            return before, {**before, **{path: other[path] for path in shared}}
        case _:
            return {**other, **before}, {**before, **other}


def written(root: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def reached(network: Network) -> Reached:
    """What ``reach`` says from each server of each other one."""
    found: dict[tuple[Server, Server], str] = {}
    model = network._model
    named: dict[str, list[Server]] = {}
    for place in model.places():
        named.setdefault(place.name, []).append((place.system, place.name))
    for place in model.places():
        start = place.system, place.name
        answer = network.reach(model.label(place.server))
        told = {one.server for one in answer.undetermined} | {*answer.unreachable}
        suspended = any(one.rule == "R53" for one in answer.assumptions)
        for one in answer.servers:
            found[start, (one.system, one.server)] = YES if one.certain else OPEN
        for name, same in named.items():
            for end in same:
                # Names of two systems, and what only one of several pairs rests on, are asked for.
                if len(same) > 1 or suspended or (start, end) not in found:
                    alone = suspended or len(same) > 1 or name not in told
                    label = name if len(same) == 1 else ":".join(end)
                    if start == end:
                        continue
                    if alone:
                        found[start, end] = said(network.reach(model.label(place.server), label))
                    else:
                        found[start, end] = NO if name in answer.unreachable else OPEN
    return found


def waits_somewhere(network: Network) -> bool:
    """Whether a route of a network is suspended (R53)."""
    parts = network._model.parts
    return any(guard.kind == GUARD for part in parts for guard in part.graph.guards)


def said(answer: ReachAnswer) -> str:
    """What an answer about two servers says. Over a suspended route messages wait (R53): ``reach``
    tells that as an assumption, and the comparison is of what passes at the moment.
    """
    if any(one.rule == "R53" for one in answer.assumptions):
        return WAITS
    if answer.servers:
        return YES if answer.servers[0].certain else OPEN
    return NO if answer.unreachable else OPEN


def labels(*states: Reached) -> Mapping[Server, str]:
    """What servers are called where those of several systems have one name."""
    servers = {one for state in states for pair in state for one in pair}
    names = Counter(name for _, name in servers)
    return {one: one[1] if names[one[1]] == 1 else ":".join(one) for one in servers}


def differing(before: Reached, after: Reached) -> dict[str, set[tuple[str, str]]]:
    """The pairs of which only one of two states is certain that they reach each other: gained and
    lost; and those that one of the two leaves open.
    """
    told: dict[str, set[tuple[str, str]]] = {
        "gained": set(),
        "lost": set(),
        "open": set(),
        "waits": set(),
    }
    called = labels(before, after)
    for pair in before.keys() | after.keys():
        was, now = before.get(pair, NO), after.get(pair, NO)
        names = called[pair[0]], called[pair[1]]
        if WAITS in (was, now):
            told["waits"].add(names)
            continue
        if OPEN in (was, now):
            told["open"].add(names)
        if (was, now) == (YES, NO):
            told["lost"].add(names)
        if now == YES and was != YES:
            told["gained"].add(names)
    return told


def reads(root: Path, files: Mapping[str, str]) -> Network | None:
    """The network of some files; None where no server is configured in them."""
    try:
        return topograph.read(written(root, files)).within(None)
    except InputError:
        return None


OPENED = (276, 516, 1151, 1341, 1703, 1728, 1921, 2203, 2399, 2666, 2834)
"""Pairs beyond the suite in which the two said different things, or of which the comparison
did not end: networks that are illegal or whose zones change, a server that does not route, systems
that nothing joins any more, a mediation that makes a path longer each time."""


@pytest.mark.slow
@pytest.mark.parametrize("number", share(OPENED, 2))
def test_pairs_that_two_questions_told_differently(number: int, tmp_path: Path) -> None:
    says_the_same(range(number, number + 1), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("first", share(range(0, PAIRS, SHARE), 2))
def test_reach_after_a_change_is_what_the_comparison_says(first: int, tmp_path: Path) -> None:
    says_the_same(range(first, min(first + SHARE, PAIRS)), tmp_path)


def says_the_same(numbers: Iterable[int], tmp_path: Path) -> None:
    """Fails where a comparison and ``reach`` on both of its states differ."""
    compared = 0
    for number in numbers:
        system = sorted(DRAWN)[number % len(DRAWN)]
        before, after = states(system, number)
        was, now = reads(tmp_path / f"{number}a", before), reads(tmp_path / f"{number}b", after)
        if was is None or now is None:
            continue
        try:
            answer = topograph.compare(was, now)
        except UsageError:  # no system in common
            continue
        compared += 1
        wanted, where = differing(reached(was), reached(now)), (system, number)
        reach, aside = answer.reach, wanted["waits"]
        gained, lost, left = (
            set(pairs) - aside for pairs in (reach.gained, reach.lost, reach.undetermined)
        )
        assert wanted["lost"] <= lost, where
        assert lost - wanted["lost"] <= wanted["open"], where
        # Whether messages wait before a suspended route, or do not even get there: none passes.
        if lost > wanted["lost"] and not waits_somewhere(now):
            # In a legal network without a new link, what routes that no file shows could join
            # they joined before as well, as a second path (R20): only a comparison knows that.
            assert (system, was.cycles().legal) == ("ems", True), where
            assert not answer.links.added, where
        assert gained <= wanted["gained"] <= gained | left, where
        assert left <= wanted["open"], where
        for name in ("gained", "lost", "undetermined"):
            assert getattr(reach, f"{name}_count") == len(getattr(reach, name)), where
        left, stay = (servers_of(one) for one in (was, now))
        assert gone(answer) == {one for one in left if left[one] > stay.get(one, 0)}, where
    assert compared


def gone(answer: AuditAnswer) -> set[Server]:
    """The servers of which a comparison says that they, or their files, are there no longer."""
    assert answer.servers.removed_count == len(answer.servers.removed)
    return {(one.system, one.server) for one in answer.servers.removed}


def servers_of(network: Network) -> Mapping[Server, int]:
    """The servers: 2 where its files are there, 1 where others only name it."""
    rows = network.show("servers").rows
    return {(str(row["system"]), str(row["server"])): 1 + bool(row["loaded"]) for row in rows}
