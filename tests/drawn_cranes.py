"""A table of what becomes of messages in networks of cranes drawn from a number: a digest of
the answer to each question, of the graph and of traces that end early.

Cranes (``crane.rules``) have every kind of way that a message can go, so these are the walks
and traces of all systems that go step by step. ``python -m drawn_cranes NUMBER`` in ``tests``
prints a network with its questions and answers, ``python -m drawn_cranes`` writes those of now.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from barge import rules as barge
from crane import rules as crane
from crane.networks import SEAMS
from digest_tables import write

import topograph
from topograph import extensions
from topograph.cli.output import json_document
from topograph.errors import TopographError
from topograph.forwarding.budget import Budget
from topograph.message import Message
from topograph.network import Network
from topograph.portable import engine_data
from topograph.tracing.closure import Closure, close
from topograph.tracing.comparison import compare
from topograph.tracing.exploration import explore
from topograph.tracing.outcomes import possible_outcomes
from topograph.tracing.trace import Trace

TABLE = Path(__file__).parent / "tracing" / "drawn_cranes.txt"
NUMBER = 100

_OBJECTS = tuple(f"{server}/{name}" for server in "abc" for name in ("in", "x", "y"))
_TESTS = ("p=1", "p=2", "q=1")


def answers(number: int) -> Iterator[tuple[str, str]]:
    """What is asked about a network, and the whole answer as text."""
    before = dict(extensions.packages())
    for system in ("crane", "barge"):
        extensions.register(system, system)
    try:
        yield from _answers(number)
    finally:
        extensions.use(before)


def files(number: int) -> dict[str, str]:
    """The files of a network."""
    at = random.Random(f"cranes {number}")
    rules: dict[str, list[str]] = {"a": [], "b": [], "c": []}
    for place, name in enumerate(_OBJECTS):
        server, _, own = name.partition("/")
        if own == "in" or at.random() < 0.85:
            rules[server].append(f"{own} {_rule(at, _OBJECTS[place + 1 :])}")
    found = {f"{one}.crane": "\n".join([f"crane {one}", *rules[one], ""]) for one in rules}
    if at.random() < 0.2:
        del found["c.crane"]
    back = f" back {at.choice(_OBJECTS)}" if at.random() < 0.3 else ""
    if at.random() < 0.9:
        found["quay.barge"] = f"barge quay{back}\n"
    return found


def _rule(at: random.Random, later: tuple[str, ...]) -> str:
    def target() -> str:
        return at.choice(later) if later and at.random() < 0.93 else at.choice(_OBJECTS)

    match at.choice(
        (
            *("deliver", "copy", "copy", "only", "if", "one_of", "mediate", "maybe", "redirect"),
            *("missing", "later", "reading", "hoist", "hand", "perhaps"),
        )
    ):
        case "copy":
            return f"copy {' '.join(target() for _ in range(at.randint(1, 3)))}"
        case "only":
            return f"only {at.choice(_TESTS)} {target()}"
        case "if":
            return f"if {at.choice(_TESTS)} {target()} else {target()}"
        case "one_of" | "mediate" as does:
            key, many = at.choice((("K", 2), ("L", 3)))
            return f"{does} {does}{key} {' '.join(target() for _ in range(many))}"
        case "maybe" | "missing" as does:
            return f"{does} {target()}"
        case "redirect":
            return f"redirect {at.randint(0, 2)} {target()}"
        case "later":
            return f"later night {target()}"
        case "reading":
            return f"reading {target()}"
        case "hoist":
            return f"hoist {at.choice('mn')} {target()} else {target()}"
        case "hand" | "perhaps" as does:
            return f"{does} barge quay/hold"
    return "deliver"


def _answers(number: int) -> Iterator[tuple[str, str]]:
    with TemporaryDirectory() as folder:
        for name, content in files(number).items():
            path = Path(folder, "yard", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        network = topograph.read(Path(folder, "yard")).within(None)
    at = random.Random(f"questions {number}")
    data = engine_data(network._model, most_answers=20)
    del data["about"]
    yield "the page's data", json.dumps(data)
    for method, words, options in _questions(network, at):
        try:
            told = json.loads("".join(json_document(getattr(network, method)(*words, **options))))
            said = json.dumps(
                {one: told[one] for one in told if one not in ("snapshot", "network")}
            )
        except TopographError as error:
            said = f"{type(error).__name__} {error}"
        yield f"{method} {words} {options}", said
    yield from _traces(network, at)


def _questions(
    network: Network, at: random.Random
) -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    names = network.server_names()
    yield from ((method, (), {}) for method in ("cycles", "hops_matrix", "check"))
    yield from (("show", (what,), {}) for what in ("servers", "routes", "links"))
    for name in names:
        yield "reach", (name,), {}
        yield "paths", ("a", name), {"maximum": at.choice((1, 2, 10))}
        yield "hops", (at.choice(names), name), {}
    yield "impact", (), {"sweep": True}
    yield "impact", ([f"server:{at.choice(names)}"],), {}
    yield "impact", ([f"hoist:{at.choice('ab')}:{at.choice('mn')}"],), {}
    for place in at.sample(_OBJECTS, 4):
        server, _, name = place.partition("/")
        for question in ("trace", "propagate"):
            yield question, (server, f"queue:{name}", _properties(at)), {}


def _properties(at: random.Random) -> dict[str, str]:
    return {name: at.choice("12") for name in at.sample("pq", at.randint(0, 2))}


def _traces(network: Network, at: random.Random) -> Iterator[tuple[str, str]]:
    """Traces and graphs with little to spend."""
    (part,) = network._model.parts
    systems = {
        name: rules.load(part.facts_of(name), part.side_inputs)
        for name, rules in (("crane", crane), ("barge", barge))
    }
    most = at.choice((3, 8, 20))
    yield f"close {most}", _graph(close(systems, SEAMS, points=most))
    yield f"close with work {most}", _graph(close(systems, SEAMS, work=most * 20))
    before = None
    for name in ("in", "x"):
        message = Message.to(f"queue:{name}", _properties(at))
        try:
            state = systems["crane"].enter("a", message)
        except TopographError as error:
            yield name, str(error)
            continue
        after = explore(systems, "crane", state, message, seams=SEAMS)
        yield f"explore {message}", _trace(after)
        yield f"compare {message}", f"{compare(before or after, after)}"
        cut = explore(systems, "crane", state, message, seams=SEAMS, budget=Budget(most))
        yield f"explore {message} {most}", _trace(cut)
        before = after


def _graph(closure: Closure) -> str:
    tables = closure.tables
    told = (tables.servers, tables.guards, tables.links, list(tables.points), list(tables.forwards))
    return f"{told} {closure.findings}"


def _trace(trace: Trace) -> str:
    outcomes, whole = possible_outcomes(trace)
    return f"{trace.steps} {trace.branches} {trace.exact} {sorted(map(sorted, outcomes))} {whole}"


if __name__ == "__main__":
    if sys.argv[1:]:
        for name, content in files(int(sys.argv[1])).items():
            print(f"[{name}]\n{content}")
        for question, said in answers(int(sys.argv[1])):
            print(f"> {question}\n{said}")
    else:
        write(TABLE, ((at, [said for _, said in answers(at)]) for at in range(NUMBER)))
