"""The engine of pages answers as the commands do: every field of every answer, on the examples,
or it says that it does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from portable.comparing import Counts, compare, models_of, replies
from portable.node_engine import NodeEngine, node_engine

from topograph.opening.folders import read_snapshot

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeEngine]:
    with node_engine(tmp_path_factory.mktemp("engine")) as started:
        yield started


def every_pair(names: tuple[str, ...]) -> list[dict[str, object]]:
    pairs = [(a, b) for a in names for b in names]
    found: list[dict[str, object]] = [
        {"question": question, "from": a, "to": b}
        for a, b in pairs
        for question in ("reach", "hops", "paths")
    ]
    found += [{"question": "reach", "from": name, "to": None} for name in names]
    return [*found, *replies(found)]


@pytest.mark.parametrize(
    "example", ["estate", "orders", "retail", "mhop-star/legal", "two-1hop-zones/legal"]
)
def test_every_pair_of_a_legal_estate_is_answered_as_the_command_answers(
    example: str, engine: NodeEngine
) -> None:
    counts = Counts()
    for model in models_of(read_snapshot(EXAMPLES / example)):
        assert compare(engine, model, every_pair(model.server_names()), counts) == []
    print(f"\n{example}: {counts}")
    assert counts.answered == counts.asked


def test_illegal_routes_are_said_to_need_the_command(engine: NodeEngine) -> None:
    counts = Counts()
    for model in models_of(read_snapshot(EXAMPLES / "mhop-star" / "with-b-d")):
        assert compare(engine, model, every_pair(model.server_names()), counts) == []
        (told,) = engine.ask([{"question": "hops", "from": "A", "to": "D"}])
        assert told == {
            "answered": False,
            "why": "More than one path leads from A to D: the configured network is not legal "
            "as it stands, and which of the paths a message takes "
            "is not decided in this page.",
            "command": f"topograph hops A D -s {model.snapshot}",
        }
    assert counts.declined["hops"] == counts.asked["hops"]


def test_a_command_is_quoted_for_a_shell(engine: NodeEngine) -> None:
    from topograph.portable import engine_data

    (model,) = models_of(read_snapshot(EXAMPLES / "orders"))
    engine.load(engine_data(model, ["-s", "a folder/it's", "--network", "n"]))
    (told,) = engine.ask([{"question": "reach", "from": "-x; $(rm)", "to": None}])
    assert (
        told["command"] == """topograph reach -s 'a folder/it'"'"'s' --network n -- '-x; $(rm)'"""
    )
    assert told["why"] == "No server is called ‘-x; $(rm)’ in network orders."
