"""The form of a page, in which questions are asked: the data that they are answered from, and the
words around it. ``ask.html`` is its markup, ``asking/`` its scripts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from topograph.forwarding.budget import PICTURE_ANSWERS
from topograph.portable import engine_data
from topograph.questions.model import Model
from topograph.records import record
from topograph.reporting.inventory import destinations_of
from topograph.reporting.provenance import where
from topograph.systems.registry import server_noun
from topograph.systems.rule_texts import rule_text
from topograph.viz.scene.records import Scene


@record(slots=False)
class Form:
    """``engine`` is what the page answers from (``topograph.portable.engine_data``),
    ``destinations`` what the field of a message's destination offers."""

    engine: Mapping[str, Any]
    destinations: Sequence[str]

    def values(self) -> dict[str, object]:
        """What ``ask.html`` is filled with."""
        return {
            "worked_out": [_covered(*one) for one in self.engine["answers"]["counts"]],
            "destination_hint": _hint(self.destinations),
        }

    def data(self, scene: Scene) -> list[tuple[str, object]]:
        """The data of the form by the id of its element, for a page of ``scene``. Linear in the
        texts of the engine's data."""
        systems = sorted({server.system for server in scene.servers})
        words = {
            "nouns": {name: server_noun([name]) for name in systems},
            "destinations": list(self.destinations),
            "rules": {
                one: list(text)
                for one in self.engine["texts"]
                if one and (text := rule_text(one, systems)).name
            },
        }
        return [("engine", self.engine), ("ask-words", words)]


def form_of(model: Model, scene: Scene, most_answers: int = PICTURE_ANSWERS) -> Form | None:
    """The form of a page of ``scene``, a picture of the network ``model``; None where the picture
    has not the whole network, or shows a change: answers are about the network as it is.

    ``most_answers`` is as for ``engine_data``, and so is the time."""
    if scene.hidden or scene.question == "audit":
        return None
    return Form(engine_data(model, where(model), most_answers), destinations_of(model))


_NOUNS = {"topic": "topics", "queue": "queues", "address": "addresses", "": "queues as NAME@SERVER"}


def _covered(type_: str, known: int, everywhere: int, where_named: int) -> str:
    """For how many destinations of a type the page has answers that were worked out beforehand, of
    how many that the network names.

    >>> _covered("address", 6, 6, 0)
    'Messages to all 6 addresses that the files name are answered in this file, from every server.'
    >>> _covered("queue", 40, 3, 20)
    'Messages to 3 of the 40 queues that the files name are answered in this file from every server, and to 20 more from the servers whose files name them.'
    """  # noqa: E501
    noun = (
        _NOUNS.get(type_, "destinations")
        if known != 1
        else {"": "queue as NAME@SERVER"}.get(type_, type_)
    )
    if everywhere == known:
        which = "the one" if known == 1 else f"all {known:,}"
        return (
            f"Messages to {which} {noun} that the files name are answered in this file, from "
            "every server."
        )
    more = (
        f", and to {where_named:,} more from the servers whose files name them"
        if where_named
        else ""
    )
    return (
        f"Messages to {everywhere:,} of the {known:,} {noun} that the files name are "
        f"answered in this file from every server{more}."
    )


def _hint(destinations: Sequence[str]) -> str:
    """What the field of a destination shows while it is empty: the form of the first that is
    known.
    """
    type_, colon, _ = destinations[0].partition(":") if destinations else ("topic", ":", "")
    return f"{type_}:NAME" if colon else "NAME@PLACE"
