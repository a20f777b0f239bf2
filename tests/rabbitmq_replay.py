"""A message of a recording followed through the step function: which queues it is in at the end,
for every choice that the broker has.
"""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from topograph.importers.rabbitmq import read
from topograph.importers.reading import Bundle, BundleFile, Options
from topograph.message import DestinationName, Message
from topograph.outcomes import Outcome, Truth
from topograph.side_inputs import SideInputs
from topograph.systems.fact_sources import FactList
from topograph.systems.rabbitmq.configuration import Configuration
from topograph.systems.rabbitmq.places import shown
from topograph.systems.rabbitmq.stepping import stepping_of
from topograph.systems.rabbitmq.travel import decoded
from topograph.tracing.exploration import holds, verdict_of
from topograph.tracing.states import State, Stepping, Way
from topograph.tracing.trace import Ending, Kind

SERVER = "broker"
MOST_CHOICES = 4_000
SOON = 10_000


def stepping(definitions: Mapping[str, Any]) -> Stepping:
    """The rules of a broker with some definitions, read from their text."""
    text = json.dumps(definitions).encode()
    bundle = Bundle("d.json", "rabbitmq", SERVER, (BundleFile("main", "d.json"),))
    reading = read(bundle, {"d.json": text}, Options())
    assert not reading.findings, reading.findings
    return stepping_of(Configuration(FactList(reading.facts), SideInputs()), rounds=30)


def message_of(sent: Mapping[str, Any]) -> Message:
    """A message as a question asks of it."""
    name = shown(sent["vhost"], sent["exchange"] or "amq.default")
    return Message(
        DestinationName("exchange", name),
        sent["headers"] or {},
        user=sent.get("user") or "",
        routing_key=sent["key"],
        expiration=sent["expiration"] or "",
    )


@dataclass
class Found:
    """What becomes of a message: copies by queue, how it was refused, whether it goes round."""

    queues: Counter[str] = field(default_factory=Counter)
    refused: bool = False
    nacked: bool = False
    endless: bool = False
    unknown: str = ""


class _Choice(Exception):
    def __init__(self, key: str, among: int) -> None:
        super().__init__(key)
        self.key, self.among = key, among


def results(own: Stepping, sent: Mapping[str, Any]) -> list[Found]:
    """Every possible result."""
    found: list[Found] = []
    waiting: deque[dict[str, int]] = deque([{}])
    while waiting and len(found) < MOST_CHOICES:
        picks = waiting.popleft()
        try:
            found.append(_Follower(own, sent, picks).run())
        except _Choice as choice:
            waiting += [{**picks, choice.key: pick} for pick in range(choice.among)]
    return found


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
        waiting = deque([self.own.enter(SERVER, self.message)])
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
            self.found.queues[f"{place.vhost}/{place.name}"] += 1
        elif ending.outcome is Outcome.LOOP:
            self.found.endless = True
        elif ending.outcome is Outcome.REFUSED:
            self.found.nacked |= ending.text("condition") == "maxlen"
            self.found.refused |= ending.text("condition") != "maxlen"

    def _taken(self, state: State) -> Sequence[Way]:
        ways = self.own.step(state).ways
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
            chosen = self._given_up(f"{place.vhost}/{place.name}", open_, later)
            if chosen is not None:
                return chosen
        return [way for way in open_ if self._is_picked(way, open_)]

    def _is_picked(self, way: Way, open_: Sequence[Way]) -> bool:
        if way.kind is not Kind.ONE_OF:
            return True
        group = [one for one in open_ if one.choice == way.choice]
        if way.choice not in self.picks:
            raise _Choice(way.choice, len(group))
        return group[self.picks[way.choice]] is way

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
