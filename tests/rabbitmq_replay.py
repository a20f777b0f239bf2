"""A message of a recording followed through the step function: which queues it is in at the end,
for every choice that the broker has; and how that differs from what was recorded.
"""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from topograph.errors import UsageError
from topograph.facts import Fact
from topograph.findings import Source
from topograph.importers.rabbitmq import read
from topograph.importers.reading import Bundle, BundleFile, Options
from topograph.message import DestinationName, Message
from topograph.outcomes import Outcome, Truth
from topograph.side_inputs import HostEntry, SideInputs
from topograph.systems.fact_sources import FactList
from topograph.systems.rabbitmq.configuration import Configuration
from topograph.systems.rabbitmq.places import Place, shown
from topograph.systems.rabbitmq.stepping import stepping_of
from topograph.systems.rabbitmq.travel import decoded
from topograph.tracing.exploration import holds, verdict_of
from topograph.tracing.states import State, Stepping, Way
from topograph.tracing.trace import Ending, Kind

SERVER, SECOND = "recorded", "second"
HOSTS = {"127.0.0.1:5672": SERVER, "127.0.0.1:5673": SECOND}
SENDER_SELECTED = {"CC", "BCC"}
EQUAL = "policy-equal"
"""The feature of messages to what several policies of one priority are for."""
MOST_CHOICES = 4_000
SOON = 10_000


def stepping(definitions: Mapping[str, Any], second: Mapping[str, Any] | None = None) -> Stepping:
    """The rules of a broker with some definitions; and of a ``second`` one."""
    return stepping_of(configured(definitions, second), rounds=30)


def configured(
    definitions: Mapping[str, Any], second: Mapping[str, Any] | None = None
) -> Configuration:
    """A broker with some definitions, read from their text; and a ``second`` one, with the
    addresses that recordings give the two."""
    facts = [*_facts(SERVER, definitions)]
    hosts: tuple[HostEntry, ...] = ()
    if second is not None:
        facts += _facts(SECOND, second)
        source = Source("topograph.yaml")
        hosts = tuple(HostEntry(host, server, source) for host, server in HOSTS.items())
    return Configuration(FactList(facts), SideInputs(hosts=hosts))


def _facts(server: str, definitions: Mapping[str, Any]) -> Sequence[Fact]:
    file = f"{server}.json"
    text = json.dumps(definitions).encode()
    bundle = Bundle(file, "rabbitmq", server, (BundleFile("main", file),))
    reading = read(bundle, {file: text}, Options())
    assert not reading.findings, reading.findings
    return reading.facts


def message_of(sent: Mapping[str, Any]) -> Message:
    """A message as a question asks of it."""
    _, vhost = server_and_vhost(sent["vhost"])
    name = shown(vhost, sent["exchange"] or "amq.default")
    return Message(
        DestinationName("exchange", name),
        sent["headers"] or {},
        user=sent.get("user") or "",
        routing_key=sent["key"],
        expiration=sent["expiration"] or "",
    )


def server_and_vhost(recorded: str) -> tuple[str, str]:
    """The broker and the virtual host of one as recordings write it.

    >>> server_and_vhost("north1"), server_and_vhost("second:north/1")
    (('recorded', 'north1'), ('second', 'north/1'))
    """
    before, colon, vhost = recorded.partition(":")
    return (SECOND, vhost) if colon and before == SECOND else (SERVER, recorded)


def _recorded(place: Place) -> str:
    """A queue as recordings write it."""
    name = f"{place.vhost}/{place.name}"
    return name if place.server == SERVER else f"{place.server}:{name}"


@dataclass
class Found:
    """What becomes of a message: copies by queue, how it was refused, whether it goes round."""

    queues: Counter[str] = field(default_factory=Counter)
    refused: bool = False
    nacked: bool = False
    endless: bool = False
    unknown: str = ""
    open: bool = False
    """That it is not known what holds on its way: any of several policies."""

    def __str__(self) -> str:
        """In few words."""
        said = [name for name in ("refused", "nacked", "endless", "open") if getattr(self, name)]
        said += [f"unknown: {self.unknown}"] if self.unknown else []
        return f"{dict(sorted(self.queues.items()))}{''.join(f', {one}' for one in said)}"


class _Choice(Exception):
    def __init__(self, key: str, among: int) -> None:
        super().__init__(key)
        self.key, self.among = key, among


def results(own: Stepping, sent: Mapping[str, Any]) -> list[Found]:
    """Every possible result."""
    return list(possible(own, sent))


def possible(own: Stepping, sent: Mapping[str, Any]) -> Iterator[Found]:
    """The same one after the other, ``MOST_CHOICES`` at most, with the first of each choice before
    the others."""
    waiting: list[dict[str, int]] = [{}]
    found = 0
    while waiting and found < MOST_CHOICES:
        picks = waiting.pop()
        try:
            yield _Follower(own, sent, picks).run()
            found += 1
        except _Choice as choice:
            waiting += [{**picks, choice.key: pick} for pick in reversed(range(choice.among))]


def agrees(found: Found, sent: Mapping[str, Any]) -> bool:
    """Whether one result is what was recorded."""
    if found.unknown or found.refused is not sent["publisher"].startswith("refused"):
        return False
    if sent["endless"]:
        return found.endless
    nacked = sent["publisher"] == "nacked"
    return dict(found.queues) == sent["queues"] and not found.endless and found.nacked <= nacked


def differences(record: Mapping[str, Any]) -> Iterator[str]:
    """The messages of a recorded estate of which topograph says something else, a line each: what
    was recorded, and all that is answered."""
    own = stepping(record["definitions"], record.get("second"))
    exported = held = None
    if "declared" in record:
        exported = stepping(*as_exported(record))
    if "holds" in record:
        held = stepping(with_held_policies(record))
    for sent in record["messages"]:
        equal = EQUAL in sent["features"]
        answered = difference(held or own, sent)
        if not answered and exported is not None and difference(exported, sent):
            answered = f"{difference(exported, sent)} where what links declare is listed"
        if not answered and equal and not all(one.open for one in results(own, sent)):
            answered = "that it is known which policy holds"
        if answered:
            recorded = f"{sent['publisher']} {sent['outcome']} {sent['queues']}"
            place = f"{sent['exchange'] or '(default)'} of {sent['vhost']}, key {sent['key']!r}"
            yield (
                f"seed {record['seed']}, {sent['id']} to {place}: recorded {recorded}, "
                f"answered {answered}"
            )


def difference(own: Stepping, sent: Mapping[str, Any]) -> str:
    """What is answered of a message where no possible result is what was recorded; empty where one
    is, or where topograph says that it does not follow such a message."""
    found: list[Found] = []
    try:
        for one in possible(own, sent):
            if agrees(one, sent):
                return ""
            found.append(one)
    except UsageError as error:
        no_exchange = sent["publisher"] == "refused 404" and "has no exchange" in str(error)
        selected = SENDER_SELECTED & (sent["headers"] or {}).keys()
        declined = selected and "names more routing keys" in str(error)
        return "" if no_exchange or declined else str(error)
    few = dict.fromkeys(map(str, found))
    return " or ".join([*few][:6]) + (f" or {len(few) - 6} others" if len(few) > 6 else "")


def as_exported(record: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The definitions of a record as its brokers export them, with what links have declared."""
    found = {
        SERVER: dict(record["definitions"]),
        SECOND: dict(record["second"]) if "second" in record else None,
    }
    for kind, rows in record["declared"].items():
        for row in rows:
            server, vhost = server_and_vhost(row["vhost"])
            definitions = found[server]
            assert definitions is not None
            definitions[kind] = [*definitions[kind], {**row, "vhost": vhost}]
    return found[SERVER] or {}, found[SECOND]


def with_held_policies(record: Mapping[str, Any]) -> dict[str, Any]:
    """The definitions of a record with the policy that held for each object, where several have the
    same priority, made one for it alone that goes before all others."""
    definitions = dict(record["definitions"])
    definitions["policies"] = [*definitions["policies"]]
    definitions["parameters"] = [*definitions["parameters"]]
    for held in record["holds"]:
        common = {"vhost": held["vhost"], "name": f"held {held['kind']} {held['name']}"}
        only = {"pattern": f"^{held['name']}$", "apply-to": held["kind"], "priority": 1_000}
        if held["policy"]:
            definition = _named(definitions["policies"], held, held["policy"])["definition"]
            definitions["policies"].append({**common, **only, "definition": definition})
        if held["operator_policy"]:
            row = _named(definitions["parameters"], held, held["operator_policy"])
            value = {**only, "definition": row["value"]["definition"]}
            parameter = {**common, "component": "operator_policy", "value": value}
            definitions["parameters"].append(parameter)
    return definitions


def _named(rows: Sequence[Any], held: Mapping[str, Any], name: str) -> Any:
    return next(one for one in rows if (one["vhost"], one["name"]) == (held["vhost"], name))


class _Follower:
    def __init__(self, own: Stepping, sent: Mapping[str, Any], picks: Mapping[str, int]) -> None:
        self.own, self.picks, self.sent = own, picks, sent
        self.message = message_of(sent)
        self.found = Found()
        self.acts: dict[str, list[dict[str, Any]]] = {}
        self.left: dict[tuple[str, str], int] = {}
        for act in sent["acts"]:
            self.acts.setdefault(act["queue"], []).append(act)
            if "times" in act:
                self.left[act["queue"], act["do"]] = act["times"]

    def run(self) -> Found:
        server, _ = server_and_vhost(self.sent["vhost"])
        waiting = deque([self.own.enter(server, self.message)])
        seen: set[State] = set()
        while waiting:
            state = waiting.popleft()
            if state in seen:
                continue
            seen.add(state)
            for way in self._taken(state):
                if isinstance(way.to, Ending):
                    self._ended(state, way.to)
                else:
                    assert isinstance(way.to, State)
                    waiting.append(way.to)
            assert len(seen) < 5_000
        return self.found

    def _ended(self, state: State, ending: Ending) -> None:
        if ending.outcome is Outcome.DELIVERED or ending.outcome is Outcome.HELD:
            place, _ = decoded(state)
            self.found.queues[_recorded(place)] += 1
        elif ending.outcome is Outcome.LOOP:
            self.found.endless = True
        elif ending.outcome is Outcome.REFUSED:
            self.found.nacked |= ending.text("condition") == "maxlen"
            self.found.refused |= ending.text("condition") != "maxlen"

    def _taken(self, state: State) -> Sequence[Way]:
        transition = self.own.step(state)
        ways = transition.ways
        self.found.open |= transition.open_end is not None
        later = [way for way in ways if way.kind is Kind.LATER]
        open_ = []
        for number, way in enumerate(ways):
            if way.kind is Kind.LATER:
                continue
            verdict = holds(
                way, ways[:number], lambda guard: verdict_of(self.own, guard, self.message)
            )
            if not verdict.known:
                self.found.unknown = verdict.note
            elif verdict.truth is Truth.TRUE:
                open_.append(way)
        place, _ = decoded(state)
        if place.type == "queue":
            chosen = self._given_up(_recorded(place), open_, later)
            if chosen is not None:
                return chosen
        return [way for way in open_ if self._is_picked(way, open_)]

    def _is_picked(self, way: Way, open_: Sequence[Way]) -> bool:
        if way.kind is not Kind.ONE_OF:
            return True
        group = [one for one in open_ if one.choice == way.choice]
        # Where it came by another way, a message may have fewer of them left.
        choice = f"{way.choice} of {len(group)}"
        if choice not in self.picks:
            raise _Choice(choice, len(group))
        return group[self.picks[choice]] is way

    def _given_up(
        self, queue: str, open_: Sequence[Way], later: Sequence[Way]
    ) -> Sequence[Way] | None:
        """The ways out of a queue by what the rig did there, or by what the queue does; None where
        the message stays."""
        rejected = [way for way in later if way.condition == "a consumer rejects it"]
        by_itself = [way for way in later if way not in rejected and way.to != REFUSED_FULL]
        refused = [way for way in later if way.to == REFUSED_FULL]
        if self.left.get((queue, "reject"), 0) > 0:
            self.left[queue, "reject"] -= 1
            return rejected
        acts = {act["do"] for act in self.acts.get(queue, ())}
        if "full" in acts:
            if refused:
                return refused
            new = [way for way in by_itself if "gives up its new message" in way.condition]
            if new:
                return new
        if "pushed_out" in acts:
            return [way for way in by_itself if "the queue is full" in way.condition]
        if "return" in acts:
            times = next(act["times"] for act in self.acts[queue] if act["do"] == "return")
            return [way for way in by_itself if _is_too_often(way, times)] or None
        if "consume" in acts or any(isinstance(way.to, State) for way in open_):
            return None
        return [way for way in by_itself if _expires_soon(way)] or None


def _is_too_often(way: Way, times: int) -> bool:
    """Whether a message was given back more often than a queue delivers it."""
    found = re.search(r"delivered more than (\d+) times", way.condition)
    return found is not None and times > int(found[1])


def _expires_soon(way: Way) -> bool:
    """Whether a message expires before the rig counts."""
    found = re.search(r"it expires \(.* is (\d+) ms\)", way.condition)
    return found is not None and int(found[1]) < SOON


REFUSED_FULL = Ending(Outcome.REFUSED, {"condition": "maxlen"})
