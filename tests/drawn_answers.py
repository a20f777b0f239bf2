"""Tables of what is answered about drawn estates (``drawn_ems``, ``drawn_ibm_mq``, ...), one a
system: a line for each estate, with its name and a short digest of the answer to each question, of
what a page gets of the network and of what a database does. Of 400 estates drawn in each way those
stand there that together take nearly every comparison, condition and loop of the rules all ways
that any of the 400 takes it.

The estates use much at once, so that a rule that changes changes an answer; whether an answer is
right is said by the tests of the rules and the brute force. Where a digest differs, ``python -m
drawn_answers SYSTEM NAME`` in ``tests`` prints the estate with its questions and answers: compare
them before and after the change. Once each difference is meant, ``python -m drawn_answers SYSTEM``
writes the answers of now.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from digest_tables import table, write
from drawn_ems import Drawn, DrawnBesideEachOther
from drawn_ibm_mq import DrawnManagers, DrawnManagersBesideEachOther
from drawn_mqe import DrawnDevices, DrawnDevicesBesideEachOther
from drawn_routers import DrawnRouters, DrawnRoutersBesideEachOther
from drawn_sibus import DrawnBuses, DrawnBusesBesideEachOther
from systems.command_answers import answered, written

import topograph
from topograph.cli.output import json_document
from topograph.errors import TopographError
from topograph.extensions import module
from topograph.network import Network
from topograph.portable import engine_data
from topograph.questions.answers.impact import ImpactAnswer
from topograph.questions.model import Part

DRAWN: dict[str, dict[str, Any]] = {
    "ems": {"one": Drawn, "two": DrawnBesideEachOther},
    "ibm_mq": {"one": DrawnManagers, "two": DrawnManagersBesideEachOther},
    "mqe": {"one": DrawnDevices, "two": DrawnDevicesBesideEachOther},
    "sibus": {"one": DrawnBuses, "two": DrawnBusesBesideEachOther},
    "amq_interconnect": {"one": DrawnRouters, "two": DrawnRoutersBesideEachOther},
}
"""How estates of a system are drawn: one by itself, or two beside each other."""

_APART = ("snapshot", "network")
"""Fields of an answer that say what was asked and not what is so."""


def table_of(system: str) -> Path:
    return Path(__file__).parent / "systems" / system / "drawn_answers.txt"


def drawn(system: str, name: str) -> Any:
    """An estate by its name in the table."""
    way, _, number = name.partition("-")
    return DRAWN[system][way](int(number))


def answers(system: str, name: str) -> Iterator[tuple[str, str]]:
    """What is asked about an estate, and the whole answer as text."""
    estate = drawn(system, name)
    with TemporaryDirectory() as folder:
        for file, content in estate.files.items():
            path = Path(folder, "estate", file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        network = topograph.read(Path(folder, "estate")).within(None)
    yield "the page's data", _data(network)
    yield "the database's rows", _rows(network)
    facts = network._model.parts[0].facts_of(system)
    for server, command in estate.commands():
        yield f"{server}> {command}", "\n".join(answered(facts, system, server, command))
    for method, words, options in estate.questions():
        said, answer = _asked(network, method, words, options)
        yield f"{method} {words} {options}", said
        if isinstance(answer, ImpactAnswer):
            for failure in answer.failures[:2]:
                said, _ = _asked(network, method, ([failure.failed],), {})
                yield f"{method} {failure.failed}", said


def _asked(
    network: Network, method: str, words: tuple[Any, ...], options: dict[str, Any]
) -> tuple[str, object]:
    """The whole answer to a question as text, and itself."""
    try:
        answer = getattr(network, method)(*words, **options)
    except TopographError as error:
        return f"{type(error).__name__} {error}", None
    return str(answer) if method == "message_guards" else _told(answer), answer


def _told(answer: Any) -> str:
    told = json.loads("".join(json_document(answer)))
    return json.dumps({name: told[name] for name in told if name not in _APART}, indent=1)


def _data(network: Network) -> str:
    data = engine_data(network._model)
    del data["about"]
    return json.dumps(data)


def _rows(network: Network) -> str:
    return "\n".join(
        written(one)
        for part in network._model.parts
        for system in sorted({server.system for server in part.graph.servers})
        for rows in _rows_of(network, part, system)
        for one in rows
    )


def _rows_of(network: Network, part: Part, system: str) -> Iterator[Iterable[Any]]:
    rows: Any = module(system, "database_rows")
    graph, facts = part.graph, part.facts_of(system).facts()
    yield rows.destinations(facts)
    yield rows.bridges(facts)
    yield rows.route_urls(facts).items()
    yield rows.point_words(graph)
    yield rows.doubts(graph)
    yield sorted(rows.cut_off(graph))
    yield rows.guard_words(graph, facts)
    yield rows.names_by_server(graph)
    yield network.to_networkx().edges(data=True)


if __name__ == "__main__":
    system, *names = sys.argv[1:]
    for name in names:
        for file, content in drawn(system, name).files.items():
            print(f"[{file}]\n{content}")
        for question, said in answers(system, name):
            print(f"> {question}\n{said}")
    if not names:
        found = (
            (name, [said for _, said in answers(system, name)]) for name in table(table_of(system))
        )
        write(table_of(system), list(found))
