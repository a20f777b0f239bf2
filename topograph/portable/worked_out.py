"""Answers that the command gave beforehand: what becomes of messages to destinations that only their system decides about.

A page follows messages itself where a system hands over how (``systems.portable_messages``). Of all others it holds the command's own answers, a pair
of destination and sender each, as many as ``--answer-budget`` allows. The budget is counted in answers, not in seconds, so that equal networks give
equal files on every machine: an answer that takes long, or is long, counts as several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from topograph.engines.memory import MemoryEngine
from topograph.errors import UsageError
from topograph.forwarding.budget import Budget
from topograph.message import Message
from topograph.portable.arrays import Texts, packed
from topograph.portable.shared_values import SharedValues
from topograph.questions.following import followed
from topograph.questions.known_destinations import KnownDestination, known_destinations
from topograph.questions.model import Model, collector_paused
from topograph.questions.propagate import fold

STEPS_OF_ONE = 20
"""Steps of a search that one answer of the budget pays for, and ..."""

VALUES_OF_ONE = 500
"""... values of its JSON form. Each was measured to take about as long as a short answer."""

LEFT_OUT = frozenset({"question", "snapshot", "network", "engine", "redaction", "message"})
"""Fields of an answer that follow from what is asked, and of which network."""


@dataclass
class Covered:
    """How many of the known destinations of one type are answered: from every server, and only from servers whose files name them."""

    known: int = 0
    everywhere: int = 0
    where_named: int = 0


@dataclass
class _Wanted:
    """A destination, and the senders (places of the network) that are still to be asked about: those whose files name it, and the others."""

    destination: KnownDestination
    named: list[int]
    others: list[int]
    told: dict[int, int] = field(default_factory=dict)
    """By sender its answer, or, less than zero, the text that says why there is none."""


def worked_out(model: Model, followed_here: Mapping[int, Sequence[str]], texts: Texts, most: int) -> dict[str, Any]:
    """The section ``answers``: at most ``most`` answers of ``propagate``, to messages without properties from nobody in particular.

    ``followed_here`` are by part (number) the types of destinations that the page follows itself. First every destination from the servers whose files
    name it, then from the others; a round that does not fit in what is left is not begun. One search an answer.
    """
    asked = _in_memory(model)
    wanted = list(_wanted(asked, followed_here))
    working = _Working(asked, SharedValues(texts), most)
    with collector_paused():
        for senders in ("named", "others"):
            for one in wanted:
                if 0 < len(getattr(one, senders)) <= working.left:
                    working.work(one, getattr(one, senders))
    return {
        "counts": [[type_, *_counts(one)] for type_, one in sorted(_covered(wanted).items())],
        "heeds": dict(sorted(_heeds(model).items())),
        "stored": [
            [one.destination.text, packed(list(one.told)), packed(list(one.told.values()))]
            for one in wanted
            if one.told
        ],
        **working.values.to_json(),
    }


def _counts(one: Covered) -> list[int]:
    return [one.known, one.everywhere, one.where_named]


def _covered(wanted: Iterable[_Wanted]) -> dict[str, Covered]:
    found: dict[str, Covered] = {}
    for one in wanted:
        covered = found.setdefault(one.destination.type, Covered())
        covered.known += 1
        if all(sender in one.told for sender in (*one.named, *one.others)):
            covered.everywhere += 1
        elif one.named and all(sender in one.told for sender in one.named):
            covered.where_named += 1
    return found


def _heeds(model: Model) -> dict[str, list[str]]:
    """By system the properties on which answers depend; a system is left out where they may depend on any."""
    read: dict[str, set[str] | None] = {}
    for part in model.parts:
        for name in {server.system for server in part.graph.servers}:
            before = read.get(name, set())
            read[name] = None if before is None or part.system.heeds is None else before | part.system.heeds
    return {name: sorted(properties) for name, properties in read.items() if properties is not None}


def _in_memory(model: Model) -> Model:
    """The same network with every walk in this process: a database would be asked hundreds of times, and gives equal answers."""
    if all(part.engine.name == "memory" for part in model.parts):
        return model
    parts = [
        part if part.engine.name == "memory" else replace(part, engine=MemoryEngine(part.graph)) for part in model.parts
    ]
    return replace(model, parts=parts)


def _wanted(model: Model, followed_here: Mapping[int, Sequence[str]]) -> Iterator[_Wanted]:
    """What the page does not follow itself. A server is asked about where its part follows messages to such destinations, and where a server of that part
    names the destination or no server does."""
    number = {id(part): place for place, part in enumerate(model.parts)}
    types = dict.fromkeys(type_ for part in model.parts for type_ in part.system.destinations)
    by_type: dict[str, list[tuple[int, int, tuple[str, str]]]] = {}
    for at, place in enumerate(model.places()):
        label = model.label(place.server)
        for type_ in types:
            part = model.locate(label, type_).part
            if part.follows(type_) and type_ not in followed_here.get(number[id(part)], ()):
                by_type.setdefault(type_, []).append((at, number[id(part)], (place.system, place.name)))
    for one in known_destinations(model):
        possible = by_type.get(one.type, ())
        parts = {part for _, part, who in possible if who in one.named_by or not one.named_by}
        senders = [(at, who) for at, part, who in possible if part in parts]
        if senders:
            named = [at for at, who in senders if who in one.named_by]
            yield _Wanted(one, named, [at for at, who in senders if who not in one.named_by])


class _Working:
    """What was worked out so far, and how much may still be."""

    def __init__(self, model: Model, values: SharedValues, most: int) -> None:
        self.model, self.values, self.left = model, values, most
        self._labels = [model.label(place.server) for place in model.places()]

    def work(self, wanted: _Wanted, senders: Sequence[int]) -> None:
        """Ask about a destination from some senders, until the budget ends."""
        message = Message.to(wanted.destination.text)
        for sender in senders:
            if self.left <= 0:
                return
            told = self._ask(self._labels[sender], message)
            if told is not None:
                wanted.told[sender] = told

    def _ask(self, label: str, message: Message) -> int | None:
        """The reference of an answer, or of the text of the error that the command ends with; None where the budget ends first: such an answer would not be
        the command's."""
        steps, values = self.left * STEPS_OF_ONE, self.values.counted
        budget = Budget(steps, None)
        self.left -= 1
        start = self.model.locate(label, message.destination.type)
        try:
            trace = followed(self.model, budget, start, message, (), ())
        except UsageError as error:
            return self.values.put(str(error))
        if budget.spent:
            self.left = 0
            return None
        answer = fold(self.model, start, message, trace, budget).to_dict()
        told = self.values.put({name: value for name, value in answer.items() if name not in LEFT_OUT})
        self.left -= int(steps - budget.left) // STEPS_OF_ONE + (self.values.counted - values) // VALUES_OF_ONE
        return told
