"""Circles of messages (``cycles``): against recordings of a real broker, against walks over all
that may become of messages of drawn estates, and beside the findings of ``check``.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from drawn.rabbitmq import KEYS, DrawnBrokers, DrawnBrokersBesideEachOther

import topograph
from topograph.facts.fact import Fact
from topograph.forwarding.budget import Budget
from topograph.importers.rabbitmq import read
from topograph.importers.reading import Bundle, BundleFile, Options
from topograph.network import Network as Asked
from topograph.questions.answers import CyclesAnswer, TraceAnswer
from topograph.side_inputs import SideInputs
from topograph.systems.fact_sources import FactList
from topograph.systems.rabbitmq.checks import checks
from topograph.systems.rabbitmq.configuration import Configuration
from topograph.systems.rabbitmq.loops.finding import Circle, Circles
from topograph.systems.rabbitmq.loops.keys import keys_tried
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.places import QUEUE, Place
from topograph.systems.rabbitmq.topics import topic_matches
from topograph.systems.rabbitmq.travel import Travel, decoded
from topograph.tracing.states import State, Way
from topograph.tracing.trace import Ending, Kind

GOLDEN = Path(__file__).parents[2] / "golden" / "rabbitmq"
REJECTED = "a consumer rejects it"
ALWAYS = 10_000


def network_of(files: Mapping[str, str]) -> Network:
    facts: list[Fact] = []
    for path, text in files.items():
        if path.endswith(".json"):
            bundle = Bundle(path, "rabbitmq", path[:-5], (BundleFile("main", path),))
            facts += read(bundle, {path: text.encode()}, Options()).facts
    return Network(Configuration(FactList(facts), SideInputs()))


def circles_of(network: Network) -> Circles:
    return Circles(network, Budget(ALWAYS)).look()


def places_of(circle: Circle) -> set[tuple[Place, Place]]:
    return {one.ends for one in circle.ways}


def recorded() -> Iterator[dict[str, Any]]:
    for path in sorted(GOLDEN.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from (
                json.loads(line) for line in file if '"endless":true' in line.replace(" ", "")
            )


def test_what_a_broker_let_go_round_for_ever_is_in_an_endless_circle() -> None:
    count = 0
    for estate in recorded():
        network = network_of({"d.json": json.dumps(estate["definitions"])})
        found = circles_of(network).found
        for sent in estate["messages"]:
            if sent["endless"]:
                count += 1
                endless = [one for one in found if one.kind == "endless"]
                assert endless, (estate["seed"], sent["id"])
                if not sent["acts"] and "dead-letter-circle" not in sent["features"]:
                    assert any(one.is_certain for one in endless)
    assert count > 30


def test_a_circle_that_is_certain_is_one_that_a_trace_goes_round() -> None:
    count = 0
    for number, estate in enumerate(recorded()):
        if number % 4 == 0:
            definitions = {"d.json": json.dumps(estate["definitions"])}
            for circle in circles_of(network_of(definitions)).found:
                if circle.is_certain:
                    count += 1
                    assert _goes_round(network_of(definitions), circle)
    assert count > 3


def _goes_round(network: Network, circle: Circle) -> bool:
    """Whether some way of the message of a circle comes to an end as going round for ever."""
    node = circle.first
    waiting = [node.travel._replace(traced=True).at(node.place)]
    seen: set[State] = set()
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        for way in network.step(state).ways:
            if isinstance(way.to, State) and way.kind is Kind.COPY and way.guard is None:
                waiting.append(way.to)
            elif str(way.to).startswith("LOOP") and way.kind is Kind.COPY:
                return True
    return False


DRAWN = [(kind, number) for kind in (DrawnBrokers, DrawnBrokersBesideEachOther)
         for number in range(0, 60, 3)]  # fmt: skip


@pytest.mark.parametrize("part", range(4))
def test_what_comes_back_on_a_walk_is_on_a_circle(part: int) -> None:
    """A walk takes any way that a message may take, and knows nothing of circles but that it was in
    the same state before."""
    back = 0
    for kind, number in DRAWN[part::4]:
        network = network_of(kind(number).files)
        circles = circles_of(network)
        if not circles.complete:
            continue
        on = {one: {end for circle in circles.found if circle.kind == one
                    for end in places_of(circle)}
              for one in ("endless", "rejected", "dropped")}  # fmt: skip
        chance = random.Random(number)
        for _ in range(60):
            told = _walk(network, chance)
            if told is None:
                continue
            back += 1
            needed, ends = told
            known = on["endless"] if needed == "endless" else on["endless"] | on[needed]
            assert known & ends, (kind.__name__, number, needed, ends)
    assert back > 5


def _walk(network: Network, chance: random.Random) -> tuple[str, set[tuple[Place, Place]]] | None:
    """A circle that a message happens to go round: how it goes on, and the ways on it that publish
    it."""
    senders = list(network.configuration.senders())
    place = chance.choice(senders)
    key = (
        place.name
        if place.type == QUEUE
        else chance.choice((*KEYS, *(one.name for one in senders)))
    )
    headers = chance.choice(((), (("h", "1"),), (("h", '"1"'),), (("h", "true"),)))
    travel = Travel(key, expiration="", exchange=place.name, traced=True, headers=headers)
    met: dict[tuple[Place, Travel], int] = {}
    ways: list[tuple[Way, tuple[Place, Place]]] = []
    while len(ways) < 60:
        at = place, travel
        if at in met:
            return _told(ways[met[at] :])
        met[at] = len(ways)
        found = [one for one in network.step(travel.at(place)).ways
                 if one.guard is None and not isinstance(one.to, Ending)]  # fmt: skip
        ended = [one for one in network.step(travel.at(place)).ways
                 if one.guard is None
                 and str(one.to).startswith("DISCARDED(dead letter cycle)")]  # fmt: skip
        if ended and chance.random() < 0.5:
            return _dropped(place, ended[0].text, ways)
        if not found:
            return None
        way = chance.choice(found)
        assert isinstance(way.to, State)
        to, after = decoded(way.to)
        if to.server not in network.configuration.files:
            return None
        ways.append((way, (place, to)))
        place, travel = to, after._replace(acts=())
    return None


def _told(
    ways: list[tuple[Way, tuple[Place, Place]]],
) -> tuple[str, set[tuple[Place, Place]]] | None:
    published = {ends for way, ends in ways if way.link or way.text.startswith("dead letter")}
    if not published:
        return None  # bindings alone: a routing passes each exchange once
    rejected = any(way.condition == REJECTED for way, _ in ways)
    return "rejected" if rejected else "endless", published


def _dropped(
    place: Place, text: str, ways: list[tuple[Way, tuple[Place, Place]]]
) -> tuple[str, set[tuple[Place, Place]]] | None:
    """The circle on which a dead letter came back to a queue that gave it up."""
    name = text.partition("routed to ")[2]
    for end in (": dropped", " by ", ", which"):
        name = name.partition(end)[0]
    at = [number for number, (_, (start, _)) in enumerate(ways)
          if (start.server, start.label) == (place.server, name)]  # fmt: skip
    if not at or any(way.condition == REJECTED for way, _ in ways[at[-1] :]):
        return None
    return "dropped", {ends for way, ends in ways[at[-1] :] if way.text.startswith("dead letter")}


def test_findings_are_about_circles_that_cycles_names() -> None:
    for kind, number in DRAWN[::4]:
        network = network_of(kind(number).files)
        circles = Circles(network, None, past=False).look()
        whole = circles_of(network)
        if circles.left_out or not whole.complete:
            continue
        found = [one for check in checks(network) for one in check()]
        queues = {edge.start.place.label for circle in whole.found for edge in circle.ways
                  if circle.kind in ("dropped", "endless") and edge.is_dead_letter}  # fmt: skip
        said = {one.message.split()[3] for one in found if one.rule == "RQ-14"}
        assert said == queues, number
        again = [one for one in whole.found if one.kind in ("rejected", "endless")]
        ways = [edge.way for circle in again for edge in circle.ways]
        shovels = {one.link for one in ways if one.role == "shovel"}
        told = {one.message.split()[3] for one in found if one.rule == "RQ-20"}
        assert told == shovels, number


@pytest.mark.parametrize("number", range(40))
def test_the_keys_that_are_tried_stand_for_all_others(number: int) -> None:
    """Whatever patterns a key matches, one that is tried matches them too, and no single key asked
    for is left out."""
    chance = random.Random(number)
    words = ("a", "b", "*", "#")
    patterns = [".".join(chance.choices(words, k=chance.randint(1, 3))) for _ in range(4)]
    tried = keys_tried(patterns, ["a.b"])
    assert tried.complete

    def matched(key: str) -> frozenset[str]:
        return frozenset(one for one in patterns if topic_matches(one, key))

    known = set(map(matched, tried.values))
    keys = [".".join(one) for length in range(5) for one in product(("a", "b", "c"), repeat=length)]
    assert {matched(key) for key in keys} <= known
    assert "a.b" in tried.values


def cycles(tmp_path: Path, **brokers: Mapping[str, Any]) -> CyclesAnswer:
    answer = asked(tmp_path, **brokers).cycles()
    assert isinstance(answer, CyclesAnswer)
    return answer


def asked(tmp_path: Path, **brokers: Mapping[str, Any]) -> Asked:
    for name, definitions in brokers.items():
        stated = {"rabbitmq_version": "3.13.7", "vhosts": [{"name": "/"}], **definitions}
        (tmp_path / f"{name}.json").write_text(json.dumps(stated), encoding="utf-8")
    return topograph.read(tmp_path)


def queue(name: str, **arguments: Any) -> dict[str, Any]:
    stated = {f"x-{key.replace('_', '-')}": value for key, value in arguments.items()}
    return {"name": name, "vhost": "/", "arguments": stated}


def shovel(name: str, source: str, host: str = "", **to: str) -> dict[str, Any]:
    value = {"src-uri": "amqp://", "dest-uri": f"amqp://{host}", "src-queue": source}
    value |= {f"dest-{key.replace('_', '-')}": one for key, one in to.items()}
    return {"component": "shovel", "vhost": "/", "name": name, "value": value}


def test_a_ring_of_shovels_is_endless_and_illegal(tmp_path: Path) -> None:
    answer = cycles(
        tmp_path,
        a={"queues": [queue("q")], "parameters": [shovel("there", "q", "b", queue="r")]},
        b={"queues": [queue("r")], "parameters": [shovel("back", "r", "a", queue="q")]},
    )
    (circle,) = answer.circles
    assert (circle.kind, circle.certain, circle.servers) == ("endless", True, ("a", "b"))
    assert [one.role for one in circle.ways] == ["shovel", "shovel"]
    assert [one.source.file for one in circle.ways] == ["a.json", "b.json"]
    assert (answer.legal, answer.violation, answer.exact) == (False, True, True)
    assert "RQ-20" in circle.rule


def test_a_shovel_back_into_a_queue_whose_consumer_rejects(tmp_path: Path) -> None:
    network = asked(
        tmp_path,
        a={
            "queues": [
                queue("q", dead_letter_exchange="", dead_letter_routing_key="p"),
                queue("p"),
            ],
            "parameters": [shovel("back", "p", queue="q")],
        },
    )
    answer = network.cycles()
    assert isinstance(answer, CyclesAnswer)
    (circle,) = answer.circles
    assert (circle.kind, circle.certain, answer.legal) == ("rejected", False, True)
    assert circle.text == "it goes round as often as consumers reject it"
    trace = network.trace("a", "queue:q")
    assert isinstance(trace, TraceAnswer)
    assert not any("for ever" in one.text for one in trace.steps)


def exchange(name: str, type_: str = "fanout") -> dict[str, Any]:
    return {"name": name, "vhost": "/", "type": type_, "arguments": {}}


def federated(*hosts: str, hops: int = 1) -> dict[str, Any]:
    """An exchange ``x`` with a queue, federated with that of other brokers."""
    binding = {"source": "x", "vhost": "/", "destination": "q", "destination_type": "queue",
               "routing_key": "", "arguments": {}}  # fmt: skip
    policy = {"name": "f", "vhost": "/", "pattern": "^x$", "apply-to": "exchanges",
              "definition": {"federation-upstream-set": "all"}}  # fmt: skip
    ups = [{"component": "federation-upstream", "vhost": "/", "name": host,
            "value": {"uri": f"amqp://{host}", "max-hops": hops}} for host in hosts]  # fmt: skip
    return {"exchanges": [exchange("x")], "queues": [queue("q")], "bindings": [binding],
            "policies": [policy], "parameters": ups}  # fmt: skip


@pytest.mark.parametrize(("hops", "kind"), [(1, "bounded"), (2, "bounded"), (3, "dropped")])
def test_what_ends_a_ring_of_federation_links(tmp_path: Path, hops: int, kind: str) -> None:
    a, b, c = (federated(up, hops=hops) for up in ("c", "a", "b"))
    answer = cycles(tmp_path, a=a, b=b, c=c)
    (circle,) = answer.circles
    assert (circle.kind, circle.servers, answer.legal) == (kind, ("a", "b", "c"), True)
    assert circle.rule == "RQ-22"


def test_dead_letters_of_two_queues_that_expire_are_dropped(tmp_path: Path) -> None:
    first = queue("p", dead_letter_exchange="", dead_letter_routing_key="q", message_ttl=10)
    second = queue("q", dead_letter_exchange="", dead_letter_routing_key="p", message_ttl=10)
    answer = cycles(tmp_path, a={"queues": [first, second]})
    assert [one.kind for one in answer.circles] == ["rejected", "dropped"]
    assert answer.legal is True


def test_two_ways_over_which_a_message_arrives_twice(tmp_path: Path) -> None:
    a = federated()
    b, c = federated("a"), federated("a")
    d = federated("b", "c", hops=2)
    b, c = ({**one, "parameters": [{**up, "value": {**up["value"], "max-hops": 2}}
                                   for up in one["parameters"]]} for one in (b, c))  # fmt: skip
    answer = cycles(tmp_path, a=a, b=b, c=c, d=d)
    (both,) = answer.twice
    assert (both.server, both.at, both.receivers) == ("a", "d", ("queue:q",))
    assert [[one.from_ for one in way] for way in both.ways] == [["a", "b"], ["a", "c"]]
    assert not answer.circles
    told = asked(tmp_path, a=a, b=b, c=c, d=d).propagate("a", "exchange:x", {}, routing_key="k")
    assert sum(one.copies for one in told.deliveries if one.server == "d") == 2


def test_a_broker_that_is_not_loaded_leaves_more_open(tmp_path: Path) -> None:
    there = shovel("out", "q", "elsewhere", queue="r")
    answer = cycles(tmp_path, a={"queues": [queue("q")], "parameters": [there]})
    assert (answer.legal, answer.exact) == (True, False)
