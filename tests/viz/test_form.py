"""The form of a picture's page: what a written page answers is what the commands answer, on the
examples and on estates that are drawn.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import drawn, numbered
from page_markup import unpacked
from portable.comparing import Counts, about_pairs, commanded, compare_data
from portable.node_engine import NodeEngine, node_engine

import topograph
from topograph.errors import UsageError
from topograph.network import Network
from topograph.questions.known_destinations import known_destinations, placed_destinations
from topograph.viz.page.form import form_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = (
    "estate",
    "orders",
    "retail",
    "routers",
    "mixed",
    "mqe_devices",
    "queue_managers",
    "sibus_orders",
    "services",
    "mhop-star/legal",
    "two-1hop-zones/legal",
)
_ENGINE = re.compile(r'<script type="application/(\w+)" id="engine">(.*?)</script>')


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeEngine]:
    with node_engine(tmp_path_factory.mktemp("engine")) as started:
        yield started


def answered_from(page: str) -> dict[str, Any]:
    """What the form of a page answers from."""
    ((kind, text),) = _ENGINE.findall(page)
    found: dict[str, Any] = json.loads(unpacked(text) if kind == "zlib" else text)
    return found


def pairs(network: Network, chance: random.Random, number: int) -> list[dict[str, Any]]:
    """Random questions of the form about servers and pairs of them: it asks of no reply."""
    asked = about_pairs(network.server_names(), chance, number)
    return [one | {"reply": False} if one["question"] == "reach" else one for one in asked]


def messages(network: Network) -> list[dict[str, Any]]:
    """A message from each server to each destination that the files name, in all its forms."""
    model = network._model
    return [
        {"question": "propagate", "from": name, "destination": one.text, "properties": {}}
        for one in (*known_destinations(model), *placed_destinations(model))
        for name in network.server_names()
    ]


def wanted(network: Network, asked: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return commanded(network, asked)
    except UsageError as error:
        return {"refused": str(error)}


def compared(engine: NodeEngine, network: Network, asked: list[dict[str, Any]]) -> Counts:
    """What the page of the network answers, which has to be what the commands answer."""
    counts = Counts()
    data = answered_from(network.page(network.scene()))
    found = compare_data(engine, data, asked, lambda at: wanted(network, asked[at]), counts)
    assert found == []
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_an_example_answers_as_the_commands_do(engine: NodeEngine, name: str) -> None:
    network = topograph.read(EXAMPLES / name)
    asked = pairs(network, random.Random(1), 40) + messages(network)
    counts = compared(engine, network, asked)

    assert counts.declined["reach"] == counts.declined["hops"] == 0
    refused = [one for one in messages(network) if "refused" in wanted(network, one)]
    assert counts.declined["propagate"] == len(refused)


@pytest.mark.slow
@pytest.mark.parametrize(("system", "way", "number"), numbered(41, 3))
def test_the_page_of_a_drawn_estate_answers_as_the_commands_do(
    engine: NodeEngine, tmp_path: Path, system: str, way: str, number: int
) -> None:
    for name, content in drawn(system, way, number).files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    network = topograph.read(tmp_path)
    chance = random.Random(number)
    every = messages(network)
    asked = pairs(network, chance, 20)
    counts = compared(engine, network, asked + chance.sample(every, min(len(every), 20)))

    assert counts.answered.total() > 0


@pytest.mark.parametrize(
    ("name", "sender", "destination"),
    [("mixed", "SCANNER1", "ORDERS@HQ"), ("mqe_devices", "harbour", "JOBS@crane7")],
)
def test_a_queue_that_the_files_name_with_its_server_is_among_what_is_worked_out(
    name: str, sender: str, destination: str
) -> None:
    network = topograph.read(EXAMPLES / name)
    form = form_of(network._model, network.scene())
    assert form is not None
    stored = {text for text, _, _ in form.engine["answers"]["stored"]}

    assert destination in form.destinations
    assert destination in stored
    assert form.values()["worked_out"] == [
        f"Messages to all {number} {what} that the files name are answered in this file, from "
        "every server."
        for number, what in {
            "mixed": [(10, "queues"), (9, "queues as NAME@SERVER")],
            "mqe_devices": [(4, "queues"), (4, "queues as NAME@SERVER")],
        }[name]
    ]


def test_a_picture_of_a_part_and_of_a_change_have_no_form() -> None:
    network = topograph.read(EXAMPLES / "estate")
    part = network.scene(around="HQ", depth=1)
    change = network.scene(network.audit("delete route LONDON", at="HQ"))

    assert part.hidden
    assert 'id="ask"' not in network.page(part)
    assert 'id="ask"' not in network.page(change)
    assert 'id="ask"' in network.page(network.scene())
    assert 'id="ask"' in network.view(network.reach("HQ")).generate_html()


def test_other_formats_do_not_pay_for_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    network = topograph.read(EXAMPLES / "estate")
    made: list[str] = []
    monkeypatch.setattr("topograph.viz.page.form.form_of", lambda *_: made.append("form"))
    view = network.view()

    assert view.scene.servers
    assert made == []
    view.generate_html()
    view.generate_html()
    assert made == ["form"]
