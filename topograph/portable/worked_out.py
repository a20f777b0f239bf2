"""Answers that the command gave beforehand: what becomes of messages to destinations that only
their system decides about.

A page follows messages itself where a system hands over how
(``systems.contract.portable_messages``). Of all others it holds the command's own answers, one a
pair of destination and sender, or of a class of destinations (``alike``) and sender: as many as
``--answer-budget`` allows. The budget is counted in answers, not in seconds, so that equal networks
give equal files on every machine: an answer that takes long, or is long, counts as several.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from topograph.engines.memory import MemoryEngine
from topograph.errors import UsageError
from topograph.forwarding.budget import Budget
from topograph.message import Message
from topograph.portable.alike import Classes, replaced, stands_whole
from topograph.portable.arrays import Texts, packed
from topograph.portable.shared_values import SharedValues
from topograph.process.garbage import collector_paused
from topograph.questions.following import followed
from topograph.questions.known_destinations import known_destinations, placed_destinations
from topograph.questions.model import KnownDestination, Model
from topograph.questions.propagate import fold

STEPS_OF_ONE = 20
"""Steps of a search that one answer of the budget pays for, and ..."""

VALUES_OF_ONE = 500
"""... values of its JSON form. Each was measured to take about as long as a short answer."""

LEFT_OUT = frozenset({"question", "snapshot", "network", "engine", "redaction", "message"})
"""Fields of an answer that follow from what is asked, and of which network."""


@dataclass
class _Wanted:
    """A destination to ask about, with the known ones that its answers are about, and the
    senders (places of the network) from which it is asked about: those whose files name one of
    these, and the others. ``classes`` where it is the example of a class."""

    text: str
    named: list[int]
    others: list[int]
    known: list[KnownDestination] = field(default_factory=list)
    classes: Classes | None = None
    told: dict[int, int] = field(default_factory=dict)
    """By sender its answer, or, less than zero, the text that says why there is none."""


def worked_out(
    model: Model, followed_here: Mapping[int, Sequence[str]], texts: Texts, most: int
) -> dict[str, Any]:
    """The section ``answers``: at most ``most`` answers of ``propagate``, to messages without
    properties from nobody in particular.

    ``followed_here`` are by part (number) the types of destinations that the page follows itself.
    First every destination from the servers whose files name it, then from the others, then the
    classes to which no known destination belongs, and at last the queues that the files name, as
    ``NAME@PLACE``; what does not fit in what is left is not begun.
    One search an answer.
    """
    asked = _in_memory(model)
    classes = {
        number: found
        for number, part in enumerate(asked.parts)
        if most and (found := Classes.of(part))
    }
    senders = _senders(asked, followed_here)
    wanted = _wanted(known_destinations(asked), senders, classes)
    placed = _wanted(placed_destinations(asked), senders, {})
    working = _Working(asked, SharedValues(texts), most)
    with collector_paused():
        for group in (wanted, placed):
            for whom in ("named", "others"):
                for one in group:
                    working.work(one, getattr(one, whom))
    wanted = (*wanted, *placed)
    return {
        "counts": _counts(wanted),
        "heeds": dict(sorted(_heeds(model).items())),
        "classes": [
            classes[number].to_json() if number in classes else None
            for number in range(len(model.parts))
        ],
        "stored": [
            [one.text, packed(list(one.told)), packed(list(one.told.values()))]
            for one in wanted
            if one.told
        ],
        **working.values.to_json(),
    }


def _counts(wanted: Iterable[_Wanted]) -> list[list[Any]]:
    """By type of destination how many are known, and how many of them are answered: from every
    server, and only from the servers whose files name them.
    """
    found: dict[str, list[int]] = {}
    for one in wanted:
        everywhere = one.told.keys() >= {*one.named, *one.others}
        where_named = not everywhere and bool(one.named) and one.told.keys() >= set(one.named)
        for known in one.known:
            counted = found.setdefault(known.type, [0, 0, 0])
            counted[0] += 1
            counted[1] += everywhere
            counted[2] += where_named
    return [[type_, *found[type_]] for type_ in sorted(found, key=lambda one: (not one, one))]


def _heeds(model: Model) -> dict[str, list[str]]:
    """By system the properties on which answers depend; a system is left out where they may
    depend on any.
    """
    read: dict[str, set[str] | None] = {}
    for part in model.parts:
        for name in {server.system for server in part.graph.servers}:
            before = read.get(name, set())
            read[name] = (
                None if before is None or part.system.heeds is None else before | part.system.heeds
            )
    return {name: sorted(properties) for name, properties in read.items() if properties is not None}


def _in_memory(model: Model) -> Model:
    """The same network with every walk in this process: a database would be asked hundreds of
    times, and gives equal answers.
    """
    if all(part.engine.name == "memory" for part in model.parts):
        return model
    parts = [
        part if part.engine.name == "memory" else replace(part, engine=MemoryEngine(part.graph))
        for part in model.parts
    ]
    here = replace(model, parts=parts)
    here.known = model.known
    return here


def _wanted(
    destinations: Iterable[KnownDestination],
    senders: Mapping[str, Sequence[tuple[int, int, tuple[str, str]]]],
    classes: Mapping[int, Classes],
) -> tuple[_Wanted, ...]:
    """What the page does not follow itself: ``destinations``, or the examples of their
    classes, then the examples of the other classes. A server is asked about where its part
    follows messages to such destinations, and where a server of that part names the destination
    or no server does."""
    found: dict[str, _Wanted] = {}
    for known in destinations:
        possible = senders.get(known.type, ())
        parts = {part for _, part, who in possible if who in known.named_by or not known.named_by}
        own = classes.get(next(iter(parts))) if len(parts) == 1 else None
        example = _example_for(own, known)
        text = example or known.text
        at_all = [(at, who in known.named_by) for at, part, who in possible if part in parts]
        if at_all:
            one = found.setdefault(text, _Wanted(text, [], [], classes=own if example else None))
            one.known.append(known)
            named = {*one.named, *(at for at, names in at_all if names)}
            one.named, one.others = sorted(named), [at for at, _ in at_all if at not in named]
    for number, own in classes.items():
        of_part = [at for at, part, _ in senders.get(own.told.type, ()) if part == number]
        for name in own.examples.values():
            text = f"{own.told.type}:{name}"
            if of_part:
                found.setdefault(text, _Wanted(text, [], of_part, classes=own))
    return tuple(found.values())


def _example_for(classes: Classes | None, known: KnownDestination) -> str:
    """The example of the class of a destination, empty where it has none."""
    type_, _, name = known.text.partition(":")
    if classes is None or type_ != classes.told.type:
        return ""
    key = classes.key(name)
    example = None if key is None else classes.examples.get(key)
    return "" if example is None else f"{type_}:{example}"


def _senders(
    model: Model, followed_here: Mapping[int, Sequence[str]]
) -> Mapping[str, Sequence[tuple[int, int, tuple[str, str]]]]:
    """By type of destination where messages may be sent that the page does not follow itself:
    the place, its part, and (system, name).
    """
    number = {id(part): place for place, part in enumerate(model.parts)}
    types = dict.fromkeys(type_ for part in model.parts for type_ in part.system.destinations)
    found: dict[str, list[tuple[int, int, tuple[str, str]]]] = {}
    for at, place in enumerate(model.places()):
        for type_ in types:
            part = model.sending(place, type_).part
            if part.follows(type_) and type_ not in followed_here.get(number[id(part)], ()):
                found.setdefault(type_, []).append(
                    (at, number[id(part)], (place.system, place.name))
                )
    return found


class _Working:
    """What was worked out so far, and how much may still be."""

    def __init__(self, model: Model, values: SharedValues, most: int) -> None:
        self.model, self.values, self.left = model, values, most
        self._labels = [model.label(place.server) for place in model.places()]

    def work(self, wanted: _Wanted, senders: Sequence[int]) -> None:
        """Ask about a destination from some senders, where all of that fits in what is left.
        What the first costs, the others are taken to cost.
        """
        message = Message.to(wanted.text)
        each = 1
        for number, sender in enumerate(senders):
            if each * (len(senders) - number) > self.left:
                return
            before = self.left
            answer = self._ask(self._labels[sender], message)
            if answer is None or (
                wanted.classes
                and not self._alike(wanted, wanted.classes, sender, answer, number == 0)
            ):
                return
            values = self.values.counted
            wanted.told[sender] = self.values.put(answer)
            self.left -= (self.values.counted - values) // VALUES_OF_ONE
            each = max(each, before - self.left)

    def _ask(self, label: str, message: Message) -> dict[str, Any] | str | None:
        """An answer, or the error that the command ends with; None where it takes more than a
        quarter of what is left, so that the search ended: such an answer would not be the
        command's."""
        steps = max(1, self.left // 4) * STEPS_OF_ONE
        budget = Budget(steps, None)
        self.left -= 1
        start = self.model.locate(label, message.destination.type)
        try:
            trace = followed(self.model, budget, start, message, (), ())
        except UsageError as error:
            return str(error)
        self.left -= int(steps - budget.left) // STEPS_OF_ONE
        if budget.spent:
            return None
        answer = fold(self.model, start, message, trace, budget).to_dict()
        return {name: value for name, value in answer.items() if name not in LEFT_OUT}

    def _alike(
        self,
        wanted: _Wanted,
        classes: Classes,
        sender: int,
        answer: dict[str, Any] | str,
        first: bool,
    ) -> bool:
        """Whether the name can be replaced in an answer; of the first of a class also whether
        another name of the class has the same answer.
        """
        type_, _, name = wanted.text.partition(":")
        if not stands_whole(answer, name, classes.told.token):
            return False
        other = classes.another(name)
        if not first or other == name:
            return True
        told = self._ask(self._labels[sender], Message.to(f"{type_}:{other}"))
        return bool(told == replaced(answer, name, other))
