"""The guards of one graph, read once, to ask many messages about: which of them say anything of
a topic, and what those say of a message.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from topograph.errors import InvalidSelector
from topograph.forwarding.graph import ForwardingGraph, Guard
from topograph.message import Properties
from topograph.records import record
from topograph.selectors.banks import BY_NUMBER, SelectorBank
from topograph.selectors.selector import Selector, parse
from topograph.systems.ems.destinations.guards import (
    INTEREST_KINDS,
    GuardVerdict,
    evaluate_read,
    evaluate_selector,
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


SAID_KEPT = 500_000
"""Selectors times messages of which it is kept what they say: about 50 MB."""

BANKS_KEPT = 8
"""Lists of selectors that are kept to be asked about more messages."""

_Selectors = tuple[tuple[str, str], ...]
"""Texts of selectors, each with why it is not understood."""


class SelectorsSaid:
    """What selectors say of messages: each is evaluated once a message, and kept for the last
    messages. Those that are asked about a second message are evaluated together from then on.
    """

    def __init__(self) -> None:
        self._said: dict[str, dict[tuple[str, str], GuardVerdict]] = {}
        self._entries = 0
        self._banks: dict[_Selectors, _Asked | None] = {}

    def verdict(self, text: str, properties: Properties, fault: str = "") -> GuardVerdict:
        """See ``evaluate_selector``."""
        return self.of_all([(text, fault)], properties)[text, fault]

    def of_all(
        self, selectors: Collection[tuple[str, str]], properties: Properties
    ) -> Mapping[tuple[str, str], GuardVerdict]:
        """What selectors (text, and why it is not understood) say of one message; others may be
        among what is given back.
        """
        message = text_of(properties)
        said = self._said.pop(message, {})
        missing = tuple(one for one in dict.fromkeys(selectors) if one not in said)
        asked = self._asked(missing) if missing else None
        if asked is not None:
            said.update(asked.verdicts(properties))
        else:
            for text, fault in missing:
                said[text, fault] = evaluate_selector(text, properties, fault)
        self._said[message] = said
        self._entries += len(missing)
        while self._entries > SAID_KEPT and len(self._said) > 1:
            self._entries -= len(self._said.pop(next(iter(self._said))))
        return said

    def _asked(self, selectors: _Selectors) -> _Asked | None:
        """Selectors that are evaluated together; None the first time that they are asked."""
        seen = selectors in self._banks
        found = self._banks.pop(selectors, None)
        if seen and found is None:
            found = _Asked(selectors)
        self._banks[selectors] = found
        if len(self._banks) > BANKS_KEPT:
            del self._banks[next(iter(self._banks))]
        return found


class _Asked:
    """Selectors that are asked about many messages."""

    def __init__(self, selectors: _Selectors) -> None:
        known = {one: _plain(*one) for one in selectors}
        self._apart = [one for one, selector in known.items() if selector is None]
        together = {one: selector for one, selector in known.items() if selector is not None}
        self._together = list(together)
        self._bank = SelectorBank([*together.values()])

    def verdicts(self, properties: Properties) -> Iterator[tuple[tuple[str, str], GuardVerdict]]:
        """What each says of a message."""
        truths = self._bank.truths(properties).tolist()
        yield from zip(self._together, map(_VERDICTS.__getitem__, truths), strict=True)
        for text, fault in self._apart:
            yield (text, fault), evaluate_selector(text, properties, fault)


_VERDICTS = tuple(map(GuardVerdict, BY_NUMBER))


def _plain(text: str, fault: str) -> Selector | None:
    """A selector that hangs on the properties of a message alone; None for any other."""
    if fault or not text:
        return None
    try:
        found = parse(text)
    except InvalidSelector:
        return None
    return None if found.header_fields else found


def text_of(properties: Properties) -> str:
    """A text that two messages have in common if they have the same properties; it tells 1, 1.0
    and TRUE apart, which are equal as keys.
    """
    return repr(sorted(properties.items()))


@record(slots=False)
class _OfTopic:
    """What guards say of each message to a topic: the verdicts that no property changes, and the
    selectors that apply, by text and fault.
    """

    same: Mapping[int, GuardVerdict]
    selectors: Mapping[tuple[str, str], list[int]]
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
        of = dict(of_topic.same)
        said = self.said.of_all(of_topic.selectors.keys(), properties)
        for selector, numbers in of_topic.selectors.items():
            for number in numbers:
                of[number] = said[selector]
        failing = frozenset(number for number, verdict in of.items() if not verdict.passes)
        return Verdicts(
            of,
            failing,
            frozenset(number for number in failing if not of[number].known),
            frozenset(number for number in failing if self._guards[number].kind in INTEREST_KINDS),
            frozenset(
                number
                for number in failing & of_topic.applying
                if self._payloads[number]["replaced"]
            ),
            of_topic.applying,
        )

    def _of_topic(self, topic: str) -> _OfTopic:
        matching = [pattern for pattern in self._of_pattern if matches(pattern, topic)]
        applying = frozenset(number for pattern in matching for number in self._of_pattern[pattern])
        same: dict[int, GuardVerdict] = {}
        selectors: dict[tuple[str, str], list[int]] = {}
        for number, guard in enumerate(self._guards):
            payload = self._payloads[number]
            if number in applying and not is_temporary(topic):
                selectors.setdefault((payload["selector"], payload.get("fault", "")), []).append(
                    number
                )
            else:
                same[number] = evaluate_read(guard, payload, topic, {})
        if len(self._topics) == TOPICS_KEPT:
            del self._topics[next(iter(self._topics))]
        found = self._topics[topic] = _OfTopic(same, selectors, applying)
        return found


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
