"""Answers that are put on a picture and taken off it again, in a real browser."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph.findings import Source
from topograph.network import Network
from topograph.viz.scene.records import BlockDrawn, Mark, PathDrawn, Scene, StepDrawn
from topograph.viz.view import View

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
HOSTILE = "</script><img src=x onerror=alert(1)>"


@cache
def example(name: str) -> Network:
    return topograph.read(EXAMPLES / name)


def orders(country: str = "Canada", **properties: str) -> Scene:
    network = example("orders")
    return network.view(
        network.propagate("HUB", "topic:orders", {"country": country, **properties})
    ).scene


def reach_of_hq() -> Scene:
    network = example("estate")
    return network.view(network.reach("HQ")).scene


def london_to_mexico() -> Scene:
    network = example("estate")
    return network.view(network.paths("LONDON", "MEXICO")).scene


ANSWERS = [("orders", orders), ("estate", reach_of_hq), ("estate", london_to_mexico)]


def said(scene: Scene) -> dict[str, Any]:
    """What a scene says, as the page's ``Said``; maps as lists of pairs."""
    return {
        "question": scene.question,
        "title": scene.title,
        "verdict": scene.verdict,
        "exact": scene.exact,
        "told": list(scene.told),
        "facts": [list(fact) for fact in scene.facts],
        "around": list(scene.around),
        "servers": [
            [s.name, {"mark": s.mark, "note": s.note}] for s in scene.servers if s.mark or s.note
        ],
        "links": [
            [one.id, {"mark": one.mark, "note": one.note}]
            for one in scene.links
            if one.mark or one.note
        ],
        "paths": [path_said(path) for path in scene.paths],
        "blocks": [block_said(block) for block in scene.blocks],
    }


def path_said(path: PathDrawn) -> dict[str, Any]:
    return {
        "title": path.title,
        "servers": list(path.servers),
        "steps": steps_said(path.steps),
        "shown": path.shown,
        "together": path.together,
    }


def steps_said(steps: Sequence[StepDrawn]) -> list[dict[str, Any]]:
    said = []
    for step in steps:
        fields = {
            field.name.rstrip("_"): getattr(step, field.name) for field in dataclasses.fields(step)
        }
        said.append({**fields, "guards": list(step.guards), "source": str(step.source)})
    return said


def block_said(block: BlockDrawn) -> dict[str, Any]:
    fields = {field.name: getattr(block, field.name) for field in dataclasses.fields(block)}
    return {
        **fields,
        "way": steps_said(block.way),
        "source": str(block.source),
        "certain": block.certain,
    }


def put(opened, scene: Scene | None) -> None:
    opened.page.evaluate(
        """(said) => window.topograph.showAnswer(said && {...said, servers: new Map(said.servers), links: new Map(said.links)})""",  # noqa: E501
        scene and said(scene),
    )
    opened.settle()


def everything(opened) -> dict[str, Any]:
    """All that a reader sees of an answer: texts, legend, marks and lists."""
    page = opened.page
    texts = {
        name: page.locator(name).all_inner_texts()
        for name in (
            "h1",
            "#verdict",
            "#told li",
            ".facts li",
            "#paths:visible",
            "#blocks:visible",
            "#server-list li",
            ".group-list",
        )
    }
    shown = opened.shown()
    return {
        **texts,
        "legend": page.locator("#legend-entries .entry").all_text_contents(),
        "choices": page.locator("#choose-path option").all_inner_texts(),
        **{key: shown[key] for key in ("marks", "paths", "path")},
    }


@pytest.mark.parametrize(
    ("name", "answer"), ANSWERS, ids=lambda value: getattr(value, "__name__", value)
)
def test_an_answer_put_on_a_plain_picture_looks_like_the_page_of_that_answer(
    open_page, name, answer
):
    scene = answer()
    network = example(name)
    plain = open_page(network.view().generate_html())
    own = open_page(View(scene).generate_html())
    put(plain, scene)

    assert everything(plain) == everything(own)


@pytest.mark.parametrize(
    ("name", "answer"), ANSWERS, ids=lambda value: getattr(value, "__name__", value)
)
def test_taken_off_again_the_page_is_as_it_was(open_page, name, answer):
    opened = open_page(example(name).view().generate_html())
    before = everything(opened)
    put(opened, answer())
    assert everything(opened) != before
    put(opened, None)

    assert everything(opened) == before


def test_an_answer_gives_way_to_another_and_to_the_pages_own(open_page):
    network = example("estate")
    opened = open_page(network.view(network.reach("HQ")).generate_html())
    before = everything(opened)
    put(opened, london_to_mexico())
    assert opened.shown()["marks"]["LONDON"] == "asked"
    assert opened.page.locator("#path-steps li").count() == 2
    put(opened, None)

    assert everything(opened) == before
    opened.page.locator("#choose-path").select_option("1")
    assert opened.shown()["path"] == opened.page.locator("#choose-path option").nth(2).inner_text()


def test_the_lists_of_a_change_step_aside_for_an_answer(open_page):
    network = example("orders")
    opened = open_page(
        network.view(network.audit("delete route Canada\n", at="HUB")).generate_html()
    )
    before = everything(opened)
    opened.page.locator("button.apart-after").click()
    put(opened, orders())

    assert opened.page.locator("#commands").is_hidden()
    assert opened.shown()["command"] is None
    assert opened.shown()["marks"]["Canada"] == "delivered"
    put(opened, None)
    assert everything(opened) == before
    opened.page.locator("button.apart-after").click()
    assert opened.shown()["command"] == 0


def test_a_path_of_an_answer_is_drawn_and_its_blocks_have_signs(open_page):
    opened = open_page(example("orders").view().generate_html())
    put(opened, orders())
    colours = opened.shown()["colours"]

    assert opened.colour_at(opened.along("HUB", "Canada", 0.3)) == colours["path"]
    assert opened.colour_at(opened.along("HUB", "Mexico", 0.35)) == colours["bad"]
    put(opened, None)
    assert opened.colour_at(opened.along("HUB", "Canada", 0.3)) != colours["path"]
    assert opened.colour_at(opened.along("HUB", "Mexico", 0.35)) != colours["bad"]


def test_escape_takes_back_the_selection_and_then_the_answer(open_page):
    opened = open_page(example("orders").view().generate_html())
    put(opened, orders())
    opened.page.locator("#canvas").focus()
    opened.page.keyboard.press("ArrowRight")
    assert opened.shown()["selected"]
    opened.page.keyboard.press("Escape")
    assert (opened.shown()["selected"], opened.shown()["marks"]["Canada"]) == (None, "delivered")
    opened.page.keyboard.press("Escape")
    assert opened.shown()["marks"] == {}


def test_a_selection_and_a_neighbourhood_end_with_the_answer_they_were_made_in(open_page):
    opened = open_page(example("estate").view().generate_html())
    opened.page.locator("#search").fill("TOKYO")
    opened.page.locator("#search").press("Enter")
    opened.page.locator("#neighbours").click()
    put(opened, london_to_mexico())

    assert len(opened.shown()["servers"]) == 13
    assert opened.shown()["selected"] is None
    assert opened.page.locator("#all").is_hidden()


def test_hostile_texts_of_an_answer_stay_text(open_page):
    opened = open_page(example("orders").view().generate_html())
    scene = orders()
    (block, *_) = scene.blocks
    evil = dataclasses.replace(
        scene,
        title=HOSTILE,
        verdict=HOSTILE,
        told=(HOSTILE,),
        facts=((HOSTILE, HOSTILE),),
        exact=False,
        blocks=(dataclasses.replace(block, reason=HOSTILE, guard=HOSTILE, source=Source(HOSTILE)),)
        * 20,
        servers=tuple(
            dataclasses.replace(server, mark=Mark.REACHED, note=HOSTILE) for server in scene.servers
        ),
    )
    put(opened, evil)
    page = opened.page

    assert page.locator("img").count() == 0
    assert page.locator("h1").inner_text() == page.locator("#verdict").inner_text() == HOSTILE
    assert page.locator("#told li").all_inner_texts() == [HOSTILE]
    assert page.locator(".facts li").all_inner_texts() == [
        f"{HOSTILE} {HOSTILE}",
    ]
    assert page.locator("#blocks li .reason").count() == 20
    assert page.locator("#blocks summary").inner_text() == "8 more"
