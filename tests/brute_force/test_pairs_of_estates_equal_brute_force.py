"""What a comparison of two EMS estates says, whatever changed between them, equals publishing every
kind of message at every server before and after; each change that alone takes a delivery away is
named by a line of its own; and pairs of servers are judged as ``reach`` judges them afterwards.

Estates are drawn from a number (3,000 take minutes).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest
from brute_force.ems_bridges import durable_line
from brute_force.ems_estate import (
    PATTERNS,
    SELECTORS,
    TOPICS,
    Estate,
    Link,
    link_between,
    passes,
    simple_paths,
)
from draws import draws

import topograph
from topograph.questions.answers.audit import AuditAnswer

pytestmark = pytest.mark.slow

PAIRS = draws(50)

MESSAGES = tuple(
    {**({"country": country} if country else {}), **({"qty": qty} if qty is not None else {})}
    for country, qty in product(["", "Canada", "Mexico"], [None, 0, 3, 6, 12])
)

Durable = tuple[str, str, str]
"""Server, topic and selector."""


@dataclass(frozen=True)
class State:
    """An estate whose only subscribers are durables."""

    estate: Estate
    durables: tuple[Durable, ...]

    def write(self, root: Path) -> None:
        self.estate.write(root)
        for server in self.estate.servers:
            lines = [durable_line(topic, own) for at, topic, own in self.durables if at == server]
            if lines:
                (root / server / "durables.conf").write_text("\n".join(lines) + "\n", "utf-8")
                with (root / server / "tibemsd.conf").open("a", encoding="utf-8") as main:
                    main.write("durables = durables.conf\n")


@dataclass(frozen=True)
class Changed:
    """A state after a change, and the files that the change is in."""

    state: State
    files: frozenset[str]


def legal(estate: Estate) -> bool:
    return all(
        len(ends) == len(set(ends))
        for start in estate.servers
        for ends in [[path[-1] for path in simple_paths(estate, start)]]
    )


def drawn(random: Random) -> State:
    servers = tuple("ABCDE"[: random.randint(2, 5)])
    zones = {name: random.choice(("mhop", "mhop", "1hop")) for name in ("X", "Y", "Z")}
    globals_ = {
        server: tuple(random.sample(sorted(PATTERNS), random.randint(1, 3))) for server in servers
    }
    estate = Estate(zones, servers, (), globals_)
    pairs = [(a, b) for at, a in enumerate(servers) for b in servers[at + 1 :]]
    random.shuffle(pairs)
    for pair in pairs:
        owners = random.choice((pair[:1], pair[1:], pair, pair))
        link = Link(pair, random.choice(sorted(zones)), owners, selectors(random, owners))
        grown = replace(estate, links=(*estate.links, link))
        estate = grown if legal(grown) else estate
    durables = {
        (random.choice(servers), random.choice(TOPICS), random.choice(["", "", *SELECTORS]))
        for _ in range(random.randint(1, 3))
    }
    return State(estate, tuple(sorted(durables)))


def selectors(random: Random, owners: Sequence[str]) -> tuple[tuple[str, str, str, str], ...]:
    return tuple(
        (
            owner,
            random.choice(("incoming", "outgoing")),
            random.choice(sorted(PATTERNS)),
            random.choice(sorted(SELECTORS)),
        )
        for owner in owners
        if random.random() < 0.4
    )


def routes_of(links: Sequence[Link]) -> frozenset[str]:
    return frozenset(f"{owner}/routes.conf" for link in links for owner in link.configured_on)


def zone_type(random: Random, was: State) -> Changed:
    zone = random.choice(sorted(was.estate.zones))
    other = "1hop" if was.estate.zones[zone] == "mhop" else "mhop"
    estate = replace(was.estate, zones={**was.estate.zones, zone: other})
    own = [link for link in estate.links if link.zone == zone]
    return Changed(replace(was, estate=estate), routes_of(own))


def zone_name(random: Random, was: State) -> Changed:
    link = random.choice(was.estate.links)
    return with_link(was, link, replace(link, zone=random.choice(sorted(was.estate.zones))))


def selector(random: Random, was: State) -> Changed:
    link = random.choice(was.estate.links)
    return with_link(was, link, replace(link, selectors=selectors(random, link.configured_on)))


def route(random: Random, was: State) -> Changed:
    if random.random() < 0.5 or len(was.estate.servers) < 3:
        return with_link(was, random.choice(was.estate.links), None)
    pair = tuple(sorted(random.sample(was.estate.servers, 2)))
    if any(link.ends == pair for link in was.estate.links):
        return with_link(was, link_between(was.estate, *pair), None)
    owners = (random.choice(pair),)
    link = Link((pair[0], pair[1]), random.choice(sorted(was.estate.zones)), owners)
    grown = replace(was.estate, links=(*was.estate.links, link))
    return Changed(replace(was, estate=grown), routes_of([link]))


def with_link(was: State, link: Link, new: Link | None) -> Changed:
    links = tuple(new if one is link else one for one in was.estate.links if one is not link or new)
    estate = replace(was.estate, links=tuple(one for one in links if one is not None))
    return Changed(replace(was, estate=estate), routes_of([link]))


def is_global(random: Random, was: State) -> Changed:
    server, pattern = random.choice(was.estate.servers), random.choice(sorted(PATTERNS))
    own = was.estate.global_topics[server]
    now = tuple(one for one in own if one != pattern) if pattern in own else (*own, pattern)
    topics = {**was.estate.global_topics, server: now}
    return Changed(
        replace(was, estate=replace(was.estate, global_topics=topics)),
        frozenset({f"{server}/topics.conf"}),
    )


def durable(random: Random, was: State) -> Changed:
    if len(was.durables) > 1 and random.random() < 0.5:
        gone = random.choice(was.durables)
        left = tuple(one for one in was.durables if one != gone)
        return Changed(replace(was, durables=left), frozenset({f"{gone[0]}/durables.conf"}))
    new = (random.choice(was.estate.servers), random.choice(TOPICS), "")
    held = tuple(sorted({*was.durables, new}))
    return Changed(replace(was, durables=held), frozenset({f"{new[0]}/durables.conf"}))


CHANGES: tuple[Callable[[Random, State], Changed], ...] = (
    *(zone_type, zone_type, zone_name, selector, selector),
    *(is_global, is_global, route, durable),
)

Got = set[tuple[str, str, int, str]]
"""Where a message is published, its topic and number, and who gets it."""


def delivered(state: State) -> Got:
    found: Got = set()
    for start in state.estate.servers:
        paths = [(start,), *simple_paths(state.estate, start)]
        for topic, (number, values) in product(TOPICS, enumerate(MESSAGES)):
            reached = {
                path[-1]
                for path in paths
                if all(
                    passes(state.estate, one, other, topic, values) for one, other in pairwise(path)
                )
            }
            found |= {
                (start, topic, number, server)
                for server, wanted, own in state.durables
                if wanted == topic
                and server in reached
                and (not own or SELECTORS[own](values) is True)
            }
    return found


def changes_of(random: Random, was: State) -> Iterator[Changed]:
    """One to three changes, each of what those before it leave, all legal."""
    state = was
    for _ in range(random.choice((1, 1, 2, 2, 3))):
        if not state.estate.links:
            return
        after = random.choice(CHANGES)(random, state)
        if after.state != state and legal(after.state.estate):
            state = after.state
            yield after


def compared(before: State, after: State) -> AuditAnswer:
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        before.write(Path(one))
        after.write(Path(other))
        return topograph.compare(topograph.read(one).within(None), topograph.read(other))


def told(answer: AuditAnswer) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    rows = answer.deliveries
    return (
        {(row.server, row.destination.removeprefix("topic:")) for row in rows.lost},
        {(row.server, row.destination.removeprefix("topic:")) for row in rows.gained},
    )


def ends(got: Got) -> set[tuple[str, str]]:
    return {(server, topic) for _, topic, _, server in got}


def connected(estate: Estate) -> set[tuple[str, str]]:
    return {(start, path[-1]) for start in estate.servers for path in simple_paths(estate, start)}


@pytest.mark.parametrize("first", range(0, PAIRS, 50))
def test_deliveries_equal_publishing_everything(first: int) -> None:
    exact = 0
    for number in range(first, min(first + 50, PAIRS)):
        random = Random(number)
        before = drawn(random)
        steps = list(changes_of(random, before))
        if not steps:
            continue
        after = steps[-1].state
        was, now = delivered(before), delivered(after)
        answer = compared(before, after)
        lost, gained = told(answer)
        assert (lost <= ends(was - now), gained <= ends(now - was)) == (True, True), number
        if answer.exact:
            exact += 1
            assert (lost, gained) == (ends(was - now), ends(now - was)), number
        pairs = connected(before.estate), connected(after.estate)
        assert set(answer.reach.lost) == pairs[0] - pairs[1], number
        assert set(answer.reach.gained) == pairs[1] - pairs[0], number
        for rows, had, has in (
            (answer.deliveries.lost, was, now),
            (answer.deliveries.gained, now, was),
        ):
            for row in rows:  # each witness is what it says, at a line that changed
                kind = same_kind(row.witness)
                key = row.from_, row.destination.removeprefix("topic:"), kind, row.server
                assert key in had - has, (number, row)
                files = frozenset[str]().union(*(step.files for step in steps))
                assert row.source.file in files, (number, row)
    assert exact >= 15


def same_kind(values: object) -> int:
    """The number of the message that all selectors decide alike."""

    def decided(message: object) -> list[object]:
        return [meaning(message) for meaning in SELECTORS.values()]

    return next(at for at, one in enumerate(MESSAGES) if decided(one) == decided(values))


@pytest.mark.parametrize("first", range(0, PAIRS, 50))
def test_each_of_two_changes_that_take_a_delivery_away_has_its_line(first: int) -> None:
    looked = 0
    for number in range(first, min(first + 50, PAIRS)):
        random = Random(f"two {number}")
        before = drawn(random)
        for _ in range(20):
            if not before.estate.links:
                break
            one = random.choice((is_global, selector, durable))(random, before)
            two = random.choice((is_global, selector))(random, one.state)
            alone = two_alone(before, one, two)
            if alone is None or one.files & two.files:
                continue
            was, both = delivered(before), delivered(two.state)
            each = [delivered(one.state), delivered(alone)]
            if any(now - was or was == now for now in (*each, both)):
                continue
            looked += 1
            answer = compared(before, two.state)
            for files, now in zip((one.files, two.files), each, strict=True):
                rows = {
                    (row.server, row.destination.removeprefix("topic:"))
                    for row in answer.deliveries.lost
                    if row.source.file in files
                }
                assert rows >= ends(was - now), (number, files)
            break
    assert looked >= 5


def two_alone(before: State, one: Changed, two: Changed) -> State | None:
    """The second change without the first; None where they are not apart."""
    estate, first, second = before.estate, one.state.estate, two.state.estate
    if len(first.links) != len(estate.links) or len(second.links) != len(estate.links):
        return None
    links = tuple(
        was if now == earlier else now
        for was, earlier, now in zip(estate.links, first.links, second.links, strict=True)
    )
    topics = {
        server: estate.global_topics[server]
        if second.global_topics[server] == first.global_topics[server]
        else second.global_topics[server]
        for server in estate.servers
    }
    if two.state.durables != one.state.durables:
        return None
    return State(replace(estate, links=links, global_topics=topics), before.durables)
