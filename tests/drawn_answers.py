"""A table of what is answered about drawn estates (``drawn_ems``): a line for each, with its number
and a short digest of the answer to each question, of what a page gets of the network and of what a
database does.

The estates use much at once, so that a rule that changes changes an answer; whether an answer is
right is said by the tests of the rules and the brute force. Where a digest differs, ``python -m
drawn_answers NUMBER`` in ``tests`` prints the estate with its questions and answers: compare them
before and after the change. Once each difference is meant, ``python -m drawn_answers`` writes the
answers of now.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from digest_tables import write
from drawn_ems import Drawn
from systems.command_answers import answered, written

import topograph
from topograph.cli.output import json_document
from topograph.errors import TopographError
from topograph.network import Network
from topograph.portable import engine_data
from topograph.systems.ems import database_rows

TABLE = Path(__file__).parent / "systems" / "ems" / "drawn_answers.txt"
NUMBER = 80

_APART = ("snapshot", "network")
"""Fields of an answer that say what was asked and not what is so."""


def answers(number: int) -> Iterator[tuple[str, str]]:
    """What is asked about an estate, and the whole answer as text."""
    drawn = Drawn(number)
    with TemporaryDirectory() as folder:
        for name, content in drawn.files.items():
            path = Path(folder, "estate", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        network = topograph.read(Path(folder, "estate")).within(None)
    yield "the page's data", _data(network)
    yield "the database's rows", _rows(network)
    facts = network._model.parts[0].facts_of("ems")
    for server, command in drawn.commands():
        yield f"{server}> {command}", "\n".join(answered(facts, "ems", server, command))
    for method, words, options in drawn.questions():
        try:
            answer = getattr(network, method)(*words, **options)
        except TopographError as error:
            said = f"{type(error).__name__} {error}"
        else:
            said = str(answer) if method == "message_guards" else _told(answer)
        yield f"{method} {words} {options}", said


def _told(answer: Any) -> str:
    told = json.loads("".join(json_document(answer)))
    return json.dumps({name: told[name] for name in told if name not in _APART}, indent=1)


def _data(network: Network) -> str:
    data = engine_data(network._model)
    del data["about"]
    return json.dumps(data)


def _rows(network: Network) -> str:
    (part,) = network._model.parts
    graph, facts = part.graph, part.facts_of("ems").facts()
    return "\n".join(
        written(one)
        for rows in (
            database_rows.destinations(facts),
            database_rows.bridges(facts),
            database_rows.route_urls(facts).items(),
            database_rows.point_words(graph),
            database_rows.doubts(graph),
            sorted(database_rows.cut_off(graph)),
            database_rows.guard_words(graph, facts),
            database_rows.names_by_server(graph),
            network.to_networkx().edges(data=True),
        )
        for one in rows
    )


if __name__ == "__main__":
    if sys.argv[1:]:
        for name, content in Drawn(int(sys.argv[1])).files.items():
            print(f"[{name}]\n{content}")
        for question, said in answers(int(sys.argv[1])):
            print(f"> {question}\n{said}")
    else:
        write(TABLE, ((at, [said for _, said in answers(at)]) for at in range(NUMBER)))
