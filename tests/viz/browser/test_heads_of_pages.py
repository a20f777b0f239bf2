"""The head of a page leaves the screen to the picture, whatever is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from every_question import questions

import topograph
from topograph.errors import TopographError
from topograph.network import Network
from topograph.viz.page import page_of
from topograph.viz.scene.records import Scene

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
MOST = 96
"""Pixels of a head in a window of 1440 by 900."""


def scenes(network: Network) -> list[Scene]:
    """A picture of each kind of question, that with the most to say above it."""
    found = [network.scene()]
    for _, ask in questions(network):
        try:
            found.append(network.scene(ask(network)))
        except TopographError:  # a question that has no picture
            continue
    of_kind: dict[str, Scene] = {}
    for scene in sorted(found, key=lambda one: len(one.verdict) + 2 * len(one.title)):
        of_kind[scene.question] = scene
    return list(of_kind.values())


def routers(folder: Path, number: int) -> Network:
    """A ring of routers, the host of each named in topograph.yaml."""
    names = [f"R{place:03}" for place in range(number)]
    for place, name in enumerate(names):
        (folder / f"{name}.conf").write_text(
            f"router {{\n    mode: interior\n    id: {name}\n}}\n"
            "listener {\n    host: 0.0.0.0\n    port: 55672\n    role: inter-router\n}\n"
            f"connector {{\n    host: {names[(place + 1) % number].lower()}.example\n"
            "    port: 55672\n    role: inter-router\n}\n"
        )
    hosts = "".join(f"  {name.lower()}.example: {name}\n" for name in names)
    (folder / "topograph.yaml").write_text(f"hosts:\n{hosts}")
    return topograph.read(folder)


def heights(open_page, drawn: list[Scene]) -> dict[str, float]:
    found = {}
    for scene in drawn:
        opened = open_page(
            page_of(scene), width=1440, height=900, drawn=False, java_script_enabled=False
        )
        box = opened.page.locator("header").bounding_box()
        found[f"{scene.question}: {scene.verdict}"] = box["height"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["estate", "routers", "queue_managers", "mixed", "mqe_devices", "sibus_orders", "retail"],
)
def test_the_head_of_every_kind_of_picture_is_low(open_page, name):
    found = heights(open_page, scenes(topograph.read(EXAMPLES / name)))
    assert len(found) > 5
    assert {words: height for words, height in found.items() if height > MOST} == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "change", "at"),
    [
        ("routers", "london.sh", None),
        ("estate", "canada.txt", "HQ"),
        ("two-1hop-zones/legal", "route-g-a.txt", "G"),
        ("mhop-star/legal", "route-b-d.txt", "B"),
    ],
)
def test_the_head_of_an_audit_is_low(open_page, name, change, at):
    network = topograph.read(EXAMPLES / name)
    found = heights(open_page, [network.scene(network.audit(EXAMPLES / "changes" / change, at=at))])
    assert max(found.values()) <= MOST


def test_the_head_of_an_answer_that_rests_on_a_hundred_assumptions_is_low(open_page, tmp_path):
    network = routers(tmp_path, 128)
    scene = network.scene(network.reach("R000"))
    assert sum(kind == "assumption" for kind, _ in scene.facts) > 100
    found = heights(open_page, [scene, network.scene()])
    assert max(found.values()) <= MOST
