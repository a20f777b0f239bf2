"""Who reaches whom, and who gets a message, in networks of routers whose connections, clients and
addresses are restricted, is as a second reading of the rules says in every way in which the network
may be.
"""

from __future__ import annotations

import itertools
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from brute_force.router_policies import Estate, Message, router_estates
from brute_force.router_worlds import Course, Sent, World, all_worlds
from draws import draws
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

import topograph
from topograph.network import Network
from topograph.questions.answers import PropagateAnswer

pytestmark = pytest.mark.slow

MANY = settings(
    max_examples=draws(24),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
MOST_WORLDS = 200


def read(estate: Estate, folder: str) -> Network:
    estate.write(Path(folder))
    return topograph.read(folder).within(None)


def some(worlds: Iterator[World]) -> list[World]:
    """All of them, none where they are too many."""
    found = list(itertools.islice(worlds, MOST_WORLDS + 1))
    return found if len(found) <= MOST_WORLDS else []


@MANY
@given(router_estates())
def test_who_is_reached_is_what_every_way_says(estate: Estate) -> None:
    worlds = some(all_worlds(estate))
    assume(worlds)
    with tempfile.TemporaryDirectory() as folder:
        network = read(estate, folder)
        for start in estate.routers:
            ways = [world.ways(start) for world in worlds]
            always = set.intersection(*map(set, ways))
            ever = set.union(*map(set, ways))
            answer = network.reach(start)
            reached = {one.server for one in answer.servers}
            assert set(answer.unreachable) == set(estate.routers) - ever - {start}, start
            assert {one.server for one in answer.undetermined} == ever - reached, start
            if reached != always:
                assert reached > always
                assert "E-1" in {one.rule for one in answer.assumptions}, start
            for end in sorted(reached):
                told = network.hops(start, end)
                possible = {way[end] for way in ways if end in way}
                assert (told.cost, told.path) in possible, (start, end)
                if not told.assumptions and told.exact:
                    assert len(possible) == 1, (start, end)
                if len(worlds) == 1:
                    assert (told.exact, told.assumptions) == (True, ()), (start, end)


def told_courses(answer: PropagateAnswer) -> frozenset[Course]:
    """The courses of an answer, without receivers that are only assumed."""
    if answer.alternatives:
        every = [
            [(name, path) for name, paths in one.paths.items() for path in paths]
            for one in answer.alternatives
        ]
    else:
        every = [
            [
                (one.receiver, path)
                for one in answer.deliveries
                for path in one.paths or (one.path,)
                if one.subscriber != "assumed"
            ]
        ]
    return frozenset(frozenset(Counter(one).items()) for one in every)


def told(answer: PropagateAnswer) -> Sent:
    """What an answer says in the words of the second reading."""
    assert answer.sender is not None
    outcome = answer.sender.outcome
    known = [one for one in answer.deliveries if one.subscriber != "assumed"]
    if outcome in ("REFUSED", "UNDETERMINED", "rejected"):
        return Sent(outcome.lower())
    if outcome == "NO_CREDIT" and not known:
        return Sent("waits")
    return Sent("sent", told_courses(answer))


@MANY
@given(router_estates(), st.data())
def test_who_gets_a_message_is_what_every_way_says(estate: Estate, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        network = read(estate, folder)
        used = sorted({one.address for one in estate.receivers})
        for start in estate.routers:
            for address in used:
                user = data.draw(st.sampled_from(["", "ann", "bob"]))
                message = Message(start, address, user, data.draw(st.booleans()))
                worlds = some(all_worlds(estate, message))
                answer = network.propagate(
                    start, f"address:{address}", user=user, anonymous=message.anonymous
                )
                if worlds:
                    compare(message, worlds, answer)


def without(courses: frozenset[Course], servers: set[str]) -> frozenset[Course]:
    """The courses without the copies that end at some servers."""
    return frozenset(
        frozenset((copy, number) for copy, number in course if copy[1][-1] not in servers)
        for course in courses
    )


def compare(message: Message, worlds: list[World], answer: PropagateAnswer) -> None:
    """What is told without an assumption is so in every world, and all of them are told; where
    there is one world only, nothing is assumed. What rests on assumptions is so in one of them."""
    every = [world.sent(message) for world in worlds]
    if any(one.unsure for one in every):
        return
    found = told(answer)
    courses = frozenset(course for one in every for course in one.courses)
    rules = {one.rule for one in answer.assumptions}
    if "M-9" in rules and len(worlds) == 1:
        rules = set()  # what it assumes is about receivers that are not known
    if len(worlds) == 1:
        assert (answer.exact, rules) == (True, set()), (message, answer.assumptions)
    if answer.exact and not rules:
        left_open = {one.server for one in answer.undetermined}
        assert {found.sender} == {one.sender for one in every}, message
        assert without(found.courses, left_open) == without(courses, left_open), message
    elif found.sender != "undetermined":
        event("rests on an assumption")
        possible = {(one.sender, course) for one in every for course in one.courses or [None]}
        assert {(found.sender, course) for course in found.courses or [None]} <= possible, message
