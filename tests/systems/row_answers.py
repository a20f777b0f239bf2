"""Tables of whole answers of estates, in the form of ``command_answers``: the rows of ``show``, the
findings of ``check``, and what a published network adds (``database PART``).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from systems.command_answers import Case, written

import topograph
from topograph.extensions import database_rows
from topograph.network import Network


@cache
def _network(estate: tuple[tuple[str, str], ...]) -> Network:
    with TemporaryDirectory() as folder:
        for name, text in estate:
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return topograph.read(Path(folder))


def answer(case: Case, system: str) -> tuple[str, ...]:
    """A line for each row: its fields, those that are empty left out."""
    question, *words = case.command.split()
    network = _network(case.estate)
    if question == "check":
        rows: Iterable[object] = network.check().findings
    elif question == "show":
        what, destination, user = (*words, "", "")[:3]
        rows = network.show(what, destination, user=user).rows
    else:
        rows = _published(network, system, words[0])
    return tuple(line for row in rows for line in _line(row).splitlines())


def _published(network: Network, system: str, part: str) -> Iterable[object]:
    added, own = database_rows(system), network._model.parts[0]
    facts = own.facts_of(system).facts()
    if part in ("destinations", "bridges"):
        found = getattr(added, part)(facts)
        return list(found)
    if part == "route_urls":
        return [f"{server} {name} {url}" for (server, name), url in added.route_urls(facts).items()]
    graph = own.graph
    if part == "guard_words":
        said = added.guard_words(graph, facts)
        return [
            f"{guard.kind} {guard.text!r} {written(one)}"
            for guard, one in zip(graph.guards, said, strict=True)
        ]
    if part == "point_words":
        said = added.point_words(graph)
        return [
            f"{graph.servers[point.server].name} {point.kind} {written(one)}"
            for point, one in zip(graph.points, said, strict=True)
        ]
    return list(getattr(added, part)(graph))


def _line(row: object) -> str:
    if not isinstance(row, dict):
        return row if isinstance(row, str) else written(row)
    return " ".join(
        f"{key}={_value(value)}" for key, value in row.items() if value not in ("", [], None)
    )


def _value(value: object) -> str:
    if isinstance(value, dict) and "line" in value:
        return ":".join(str(value[key]) for key in ("file", "line", "column") if value.get(key))
    return str(value)
