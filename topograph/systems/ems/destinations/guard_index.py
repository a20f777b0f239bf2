"""The guards of one graph, read once, to ask many messages about: which of them say anything of
a topic, and what those say of a message.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from topograph.forwarding.graph import Bools, ForwardingGraph, Guard
from topograph.message import Properties
from topograph.records import record
from topograph.selectors.banks import Truths
from topograph.systems.ems.destinations.guards import INTEREST_KINDS, GuardVerdict, evaluate_read
from topograph.systems.ems.destinations.selectors_said import (
    NUMBER,
    PASSES,
    PLAIN,
    Numbers,
    SelectorsSaid,
    text_of,
)
from topograph.systems.ems.destinations.topics import is_temporary, matches


@record(slots=False)
class Verdicts:
    """What every guard of the network says about one message. ``failing`` do not let it pass;
    ``unknown`` of those are not decided by the loaded files or the question; ``interest`` of
    those also stop interest; ``replaced`` of those are selector lines that a later line for the
    same topic would replace (A16). ``applying`` are the selectors whose topic matches."""

    of: Mapping[int, GuardVerdict]
    failing: frozenset[int]
    unknown: frozenset[int]
    interest: frozenset[int]
    replaced: frozenset[int]
    applying: frozenset[int]


def judge(graph: ForwardingGraph, topic: str, properties: Properties) -> Verdicts:
    """What the guards of a graph say of a message. Each guard is read once a graph, what has no
    selector is evaluated once a topic, and each selector of the topic once a message; the last
    few messages are kept. Linear in the guards."""
    return index_of(graph).judge(topic, properties)


def index_of(graph: ForwardingGraph, like: ForwardingGraph | None = None) -> GuardIndex:
    """The guards of a graph, kept with it. What selectors say is shared with the graph that it
    is ``like``.
    """
    found: GuardIndex | None = graph.kept.get(_KEPT)
    if found is None:
        found = graph.kept[_KEPT] = GuardIndex(
            graph.guards, None if like is None else index_of(like).said
        )
    return found


_KEPT = "ems.guards"

TOPICS_KEPT = 64
"""Topics of which it is kept what guards without a selector say."""

MESSAGES_KEPT = 8
"""Messages of which the verdicts are kept: each has one a guard."""


class _ByGuard(Mapping[int, GuardVerdict]):
    """The verdict of each guard, made when it is looked up: a truth in numbers, or one of those
    that are more than a truth."""

    def __init__(self, truths: Truths, apart: Mapping[int, GuardVerdict]) -> None:
        self._truths, self._apart = truths, apart

    def __getitem__(self, number: int) -> GuardVerdict:
        if not 0 <= number < len(self._truths):
            raise KeyError(number)
        return self._apart.get(number) or PLAIN[self._truths[number]]

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self._truths)))

    def __len__(self) -> int:
        return len(self._truths)


@record(slots=False, eq=False)
class _OfTopic:
    """What guards say of each message to a topic: the truths that no property changes, in numbers,
    and the verdicts that are more than a truth (``apart``); ``guards`` have selectors that apply,
    of the numbers ``selectors``. ``applying`` are all whose topic matches.
    """

    truths: Truths
    apart: Mapping[int, GuardVerdict]
    guards: Numbers
    selectors: Numbers
    applying: frozenset[int]


class GuardIndex:
    """Guards by number; payloads are read when the first message is asked about."""

    def __init__(self, guards: Iterable[Guard], said: SelectorsSaid | None = None) -> None:
        self.said = said or SelectorsSaid()
        self._guards = list(guards)
        self._payloads = [json.loads(guard.payload) for guard in self._guards]
        self._of_pattern: dict[str, list[int]] = {}
        for number, guard in enumerate(self._guards):
            if guard.kind == "selector":
                self._of_pattern.setdefault(self._payloads[number]["topic"], []).append(number)
        self._topics: dict[str, _OfTopic] = {}
        self._messages: dict[str, Verdicts] = {}
        self._stop_interest = self._those(lambda guard, _: guard.kind in INTEREST_KINDS)
        self._replaced = self._those(lambda _, payload: bool(payload.get("replaced")))

    def _those(self, wanted: Callable[[Guard, Mapping[str, Any]], bool]) -> Bools:
        pairs = zip(self._guards, self._payloads, strict=True)
        return np.fromiter((wanted(*one) for one in pairs), np.bool_, len(self._guards))

    def judge(self, topic: str, properties: Properties) -> Verdicts:
        """See ``judge``."""
        message = f"{topic}:{text_of(properties)}"
        known = self._messages.pop(message, None) or self._judged(topic, properties)
        self._messages[message] = known
        if len(self._messages) > MESSAGES_KEPT:
            del self._messages[next(iter(self._messages))]
        return known

    def _judged(self, topic: str, properties: Properties) -> Verdicts:
        of_topic = self._topics.get(topic) or self._of_topic(topic)
        said = self.said.of(of_topic.selectors, properties)
        truths = of_topic.truths.copy()
        truths[of_topic.guards] = said.truths[of_topic.selectors]
        apart = dict(of_topic.apart)
        if said.apart:
            pairs = zip(of_topic.guards.tolist(), of_topic.selectors.tolist(), strict=True)
            apart |= {number: said.apart[one] for number, one in pairs if one in said.apart}
        failing = truths != PASSES
        replaced = _numbers(failing & self._replaced)
        return Verdicts(
            _ByGuard(truths, apart),
            _numbers(failing),
            frozenset(number for number, one in apart.items() if not one.known and not one.passes),
            _numbers(failing & self._stop_interest),
            replaced & of_topic.applying,
            of_topic.applying,
        )

    def _of_topic(self, topic: str) -> _OfTopic:
        matching = [pattern for pattern in self._of_pattern if matches(pattern, topic)]
        applying = frozenset(number for pattern in matching for number in self._of_pattern[pattern])
        truths = np.empty(len(self._guards), np.int8)
        apart: dict[int, GuardVerdict] = {}
        selectors: dict[int, tuple[str, str]] = {}
        for number, guard in enumerate(self._guards):
            payload = self._payloads[number]
            if number in applying and not is_temporary(topic):
                selectors[number] = payload["selector"], payload.get("fault", "")
                continue
            verdict = evaluate_read(guard, payload, topic, {})
            truths[number] = truth = NUMBER[verdict.truth]
            if verdict != PLAIN[truth]:
                apart[number] = verdict
        if len(self._topics) == TOPICS_KEPT:
            del self._topics[next(iter(self._topics))]
        guards = np.array(list(selectors), np.int64)
        numbers = self.said.numbers(selectors.values())
        found = self._topics[topic] = _OfTopic(truths, apart, guards, numbers, applying)
        return found


def _numbers(which: Bools) -> frozenset[int]:
    return frozenset(np.flatnonzero(which).tolist())


class GuardReader:
    """Guards of several graphs, the payload of each read once."""

    def __init__(self) -> None:
        self._payloads: dict[str, Mapping[str, Any]] = {}

    def payload(self, guard: Guard) -> Mapping[str, Any]:
        """What stands in the payload of a guard."""
        found = self._payloads.get(guard.payload)
        if found is None:
            found = self._payloads[guard.payload] = json.loads(guard.payload)
        return found

    def verdict(self, guard: Guard, topic: str, properties: Properties) -> GuardVerdict:
        """What a guard says of a message."""
        return evaluate_read(guard, self.payload(guard), topic, properties)

    def passes(self, guard: Guard, topic: str, properties: Properties) -> bool:
        """Whether a guard lets a message pass."""
        return self.verdict(guard, topic, properties).passes
