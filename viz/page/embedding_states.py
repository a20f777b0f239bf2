"""The data of a page that shows the states of a network one after another: ``embedding`` for
several scenes, with one table of texts, and each row of a server or link once for all states that
have it alike.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from topograph.portable.arrays import Texts
from topograph.viz.page.compact import steps, table
from topograph.viz.page.embedding import PLACE, scene_data
from topograph.viz.scene.states import Moved, StatesDrawn

_EMPTY = ("looks", "added", "folds", "moved", "overview")
"""What a user changes in a picture, which nobody does here, and what places servers elsewhere."""


def embedded_states(drawn: StatesDrawn) -> dict[str, object]:
    """``places``: a table of each server's name, x and y, once. ``servers`` and ``links``: tables
    of the rows of ``embedded`` that are different, those of servers with a number of ``places``
    in place of the name and without x and y. ``states``: of each its label, its date, what
    ``embedded`` gives for its scene with the numbers of rows (``compact.steps``) as ``servers``
    and ``links``, and ``changes`` since the state before: ``[name or id, mark, note]`` of servers,
    then of links, None in the first. Neither folds nor an overview are there: they place servers
    elsewhere, in each state differently.

    Raises ValueError where a server has two places. Linear in the scenes.
    """
    texts = Texts()
    places = _Places(drawn, texts)
    links = _Rows()
    states = []
    for state in drawn.states:
        scene = state.scene
        data = scene_data(
            texts,
            [{"id": server.name} for server in scene.servers],
            [{"id": link.id} for link in scene.links],
            scene,
            servers_as=places,
            links_as=links,
            reduced=False,
        )
        for key in _EMPTY:
            del data[key]
        changes = _moved(texts, state.moved) if state.moved else None
        states.append({"label": state.label, "date": state.date, **data, "changes": changes})
    return {
        "places": table(places.rows),
        "servers": table(places.distinct.rows),
        "links": table(links.rows),
        "states": states,
        "texts": list(texts.index),
    }


class _Rows:
    """Different rows, in the order in which they are first met."""

    def __init__(self) -> None:
        self.rows: list[Sequence[object]] = []
        self._known: dict[str, int] = {}

    def __call__(self, rows: Sequence[Sequence[object]]) -> list[int]:
        """The numbers of rows, each as its difference from the one before."""
        numbers = []
        for row in rows:
            number = self._known.setdefault(json.dumps(row), len(self.rows))
            if number == len(self.rows):
                self.rows.append(row)
            numbers.append(number)
        return steps(numbers)


class _Places:
    """The places of all servers, and their different rows without them."""

    def __init__(self, drawn: StatesDrawn, texts: Texts) -> None:
        self.rows = [
            [texts(name), round(x, 1), round(y, 1)] for name, (x, y) in sorted(drawn.places.items())
        ]
        self.distinct = _Rows()
        self._number: dict[object, int] = {row[0]: number for number, row in enumerate(self.rows)}

    def __call__(self, rows: Sequence[Sequence[object]]) -> list[int]:
        """The numbers of rows of servers. Raises ValueError for one that is elsewhere."""
        without = []
        for row in rows:
            number = self._number[row[0]]
            place = [row[at] for at in PLACE]
            if place != self.rows[number][1:]:
                raise ValueError(f"server {number} is at {self.rows[number][1:]} and at {place}")
            own = [value for at, value in enumerate(row) if at and at not in PLACE]
            without.append([number, *own])
        return self.distinct(without)


def _moved(texts: Texts, moved: Moved) -> list[list[list[int]]]:
    """What is different of servers and of links."""
    return [
        [[texts(name), texts(mark.value), texts(note)] for name, (mark, note) in said.items()]
        for said in (moved.servers, moved.links)
    ]
