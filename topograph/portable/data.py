"""``engine_data``: everything that the engine of a page answers from, as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from topograph.credentials import without_credentials
from topograph.portable.arrays import Texts, packed
from topograph.portable.messages import messages_of
from topograph.portable.walks import caution, walks_of
from topograph.portable.worked_out import worked_out
from topograph.questions.left_out import said_of
from topograph.questions.model import Model
from topograph.questions.no_link import NOT_USED, nouns
from topograph.questions.no_link import TEXTS as NO_LINK
from topograph.questions.reach import AT_RUN_TIME
from topograph.systems.registry import not_connected

VERSION = 1
"""The form of the data: pages hold the engine that reads it, so that it may change with any
release.
"""


def engine_data(
    model: Model, asked_of: Sequence[str] | None = None, most_answers: int = 0
) -> dict[str, Any]:
    """What ``topographEngine`` of ``viz/page/engine/`` takes: a section a kind of thing, every text
    once in ``texts``, columns as ``arrays.packed``.

    ``asked_of`` are the words behind a command that say what it asks (``-s`` and its value,
    ``--network`` and its): the engine names the command for what it does not answer.
    ``most_answers`` is what may be worked out for it beforehand (``worked_out``). Equal models give
    equal data. Linear in points, forwards and facts, and one search an answer.
    """
    texts = Texts()
    where = (
        ["-s", model.snapshot]
        if asked_of is None
        else [without_credentials(word) for word in asked_of]
    )
    messages = [messages_of(part, texts) for part in model.parts]
    followed_here = {
        number: section["types"] for number, section in enumerate(messages) if section is not None
    }
    data: dict[str, Any] = {
        "version": VERSION,
        "about": {
            "snapshot": model.snapshot,
            "network": model.network,
            "redaction": model.redaction,
            "where": where,
        },
        "warnings": [caution(texts, one) for one in model.warnings],
        "leftOut": dict(_left_out(model, texts)),
        "places": _places(model),
        "unconnected": [list(one) for one in _unconnected(model, texts)],
        "words": {
            "atRunTime": texts(AT_RUN_TIME),
            "noLink": [texts(one) for one in (*NO_LINK, NOT_USED)],
        },
        "nouns": [[name, *map(texts, nouns(name))] for name in _systems(model)],
        "walks": [walks_of(model, part, texts) for part in model.parts],
        "messages": messages,
        "answers": worked_out(model, followed_here, texts, most_answers),
    }
    return data | {"texts": list(texts.index)}  # last: complete only now


ANSWERED = ("reach", "hops", "paths", "propagate")
"""The questions that a page answers by itself."""


def _left_out(model: Model, texts: Texts) -> Iterator[tuple[str, list[Any]]]:
    """By question what its answers say of mistakes in topograph.yaml: the causes, and the
    warnings; and what they rest on.
    """
    for question in ANSWERED:
        said = said_of(model, question)
        if said.warnings or said.assumptions:
            causes = [[texts(one.cause), texts(one.message)] for one in said.inexact]
            warnings = [caution(texts, one) for one in said.warnings]
            rests_on = [
                [texts(text) for text in (one.rule, one.confidence, one.text, one.alternative)]
                for one in said.assumptions
            ]
            yield question, [causes, warnings, rests_on]


def _places(model: Model) -> dict[str, str]:
    """The servers that questions name, in the order in which answers list them: the part of
    each, and its number there.
    """
    number = {id(part): place for place, part in enumerate(model.parts)}
    places = model.places()
    return {
        "part": packed([number[id(place.part)] for place in places]),
        "number": packed([place.number for place in places]),
    }


def _systems(model: Model) -> list[str]:
    return sorted({server.system for part in model.parts for server in part.graph.servers})


def _unconnected(model: Model, texts: Texts) -> Iterator[tuple[str, str, int]]:
    """What is said of a server of one system where a message begins at one of another."""
    names = _systems(model)
    for here in names:
        for there in names:
            if here != there or len(model.parts) > 1:
                yield here, there, texts(not_connected(here, there))
