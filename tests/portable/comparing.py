"""The answers of the engine of pages beside those of the commands: what is asked, and what has
to be equal.
"""

from __future__ import annotations

import dataclasses
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from portable.node_engine import NodeEngine

from topograph.network import Network
from topograph.opening.models import model_of
from topograph.portable import engine_data
from topograph.questions.answers import Answer
from topograph.questions.model import Model
from topograph.store.snapshot import Snapshot

ABSENT = frozenset({"engine"})
"""Fields of the commands' answers that pages do not have."""


@dataclasses.dataclass
class Counts:
    """What became of the questions asked, by question."""

    asked: Counter[str] = dataclasses.field(default_factory=Counter)
    answered: Counter[str] = dataclasses.field(default_factory=Counter)
    declined: Counter[str] = dataclasses.field(default_factory=Counter)
    why: Counter[str] = dataclasses.field(default_factory=Counter)

    def __add__(self, other: Counts) -> Counts:
        fields = (field.name for field in dataclasses.fields(Counts))
        return Counts(**{name: getattr(self, name) + getattr(other, name) for name in fields})

    def __str__(self) -> str:
        rows = [
            (
                f"{name}: {number:,} asked, {self.answered[name]:,} answered, "
                f"{self.declined[name]:,} declined"
            )
            for name, number in sorted(self.asked.items())
        ]
        whole = (
            f"{self.asked.total():,} asked, {self.answered.total():,} answered, "
            f"{self.declined.total():,} declined"
        )
        return "; ".join([*rows, f"together: {whole}"])


def about_pairs(names: Sequence[str], chance: random.Random, number: int) -> list[dict[str, Any]]:
    """Random questions about servers and pairs of them."""
    found: list[dict[str, Any]] = []
    for _ in range(number):
        start, end = chance.choice(names), chance.choice(names)
        kind = chance.choice(("reach", "reach to", "hops", "hops", "paths", "paths"))
        if kind.startswith("reach"):
            asked = {"question": "reach", "from": start, "to": end if kind.endswith("to") else None}
            found.append(asked | ({"reply": True} if chance.random() < 0.3 else {}))
        else:
            found.append({"question": kind, "from": start, "to": end})
    return found


def replies(questions: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The same questions of reach about replies."""
    for asked in questions:
        if asked["question"] == "reach":
            yield {**asked, "reply": True}


ASKED: dict[str, Callable[[Network, Mapping[str, Any]], Answer]] = {
    "reach": lambda network, asked: network.reach(
        asked["from"], asked["to"], asked.get("reply", False)
    ),
    "hops": lambda network, asked: network.hops(asked["from"], asked["to"]),
    "paths": lambda network, asked: network.paths(
        asked["from"], asked["to"], asked.get("maximum", 10)
    ),
    "propagate": lambda network, asked: network.propagate(
        asked["from"],
        asked["destination"],
        _values(asked.get("properties", {})),
        user=asked.get("user", ""),
    ),
}
"""How each question is asked of topograph."""


def _values(typed: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The properties of a question as values: a long may stand there as text."""
    read = {"long": int, "double": float}
    return {
        name: read.get(one["type"], lambda value: value)(one["value"])
        for name, one in typed.items()
    }


def commanded(network: Network, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What the command answers, as JSON."""
    told: dict[str, Any] = json.loads(
        json.dumps(ASKED[asked["question"]](network, asked).to_dict())
    )
    return told


def differences(told: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """The fields in which an answer of a page is not that of the command."""
    found = [f"{field} is absent" for field in wanted.keys() - told.keys() - ABSENT]
    found += [f"{field} is not known" for field in told.keys() - wanted.keys()]
    # As texts: for Python 1 is True.
    found += [
        f"{field}: {_text(told[field])[:600]} instead of {_text(wanted[field])[:600]}"
        for field in told.keys() & wanted.keys()
        if _text(told[field]) != _text(wanted[field])
    ]
    return found


def _text(value: object) -> str:
    return json.dumps(_as_in_scripts(value), sort_keys=True)


def _as_in_scripts(value: Any) -> Any:
    """Scripts write 7.0 as 7: the type of a property stands beside its value."""
    if isinstance(value, dict):
        return {name: _as_in_scripts(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_as_in_scripts(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def compare(
    engine: NodeEngine, model: Model, questions: Sequence[Mapping[str, Any]], counts: Counts
) -> list[str]:
    """Ask both; what differs."""
    network = Network(model)
    return compare_data(
        engine, engine_data(model), questions, lambda at: commanded(network, questions[at]), counts
    )


def compare_data(
    engine: NodeEngine,
    data: Mapping[str, Any],
    questions: Sequence[Mapping[str, Any]],
    wanted: Callable[[int], Mapping[str, Any]],
    counts: Counts,
) -> list[str]:
    """What differs between what a page with such data answers and what is ``wanted`` of each
    question by its number.
    """
    engine.load(data)
    found = []
    for at, (asked, told) in enumerate(zip(questions, engine.ask(questions), strict=True)):
        name = str(asked["question"])
        counts.asked[name] += 1
        if not told["answered"]:
            counts.declined[name] += 1
            counts.why[told["why"]] += 1
            continue
        counts.answered[name] += 1
        found += [f"{asked}: {one}" for one in differences(told["answer"], wanted(at))]
    return found


def models_of(snapshot: Snapshot) -> Iterator[Model]:
    """The model of each network of a snapshot."""
    for name in snapshot.networks:
        yield model_of(snapshot, name)


def counted(
    engine: NodeEngine,
    networks: Iterable[tuple[int, str, Iterable[Model]]],
    about: Callable[[Any, random.Random, int], list[dict[str, Any]]],
    questions: int,
) -> dict[str, Counts]:
    """The counts by kind of network, of networks as (seed, "NAME-KIND", models). Fails at the
    first answer that differs.
    """
    counts: dict[str, Counts] = {}
    for seed, name, models in networks:
        of_kind = counts.setdefault(name.partition("-")[2], Counts())
        for model in models:
            asked = about(model.server_names(), random.Random(seed), questions)
            different = compare(engine, model, asked, of_kind)
            assert different == [], (name, different[:2])
    for kind, found in sorted(counts.items()):
        print(f"\n{kind}: {found}")
    print(f"\nall: {sum(counts.values(), Counts())}")
    return counts
