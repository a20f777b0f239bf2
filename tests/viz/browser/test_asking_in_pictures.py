"""The form on the page of a picture: questions asked there as a reader asks them, in a real browser
with the network off.
"""

from __future__ import annotations

import shlex
from functools import cache
from importlib import resources
from pathlib import Path

import pytest

import topograph
from topograph.network import Network
from topograph.questions.text import text

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SCREEN = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844, "has_touch": True}


@cache
def example(name: str) -> Network:
    return topograph.read(EXAMPLES / name)


@cache
def plain(name: str = "estate") -> str:
    return example(name).view().generate_html()


@cache
def orders() -> str:
    """The page of an answer of its own."""
    network = example("estate")
    return network.view(
        network.propagate("USA-EAST", "topic:orders", {"country": "Canada"})
    ).generate_html()


def ask(opened, kind: str, **fields: str) -> None:
    page = opened.page
    page.locator("#ask-question").select_option(kind)
    for name, value in fields.items():
        page.locator(f"#ask-{name}").fill(value)
    page.locator("#ask-from").press("Enter")


def verdict(opened) -> str:
    return opened.page.locator("#verdict").inner_text()


def marks(scene) -> dict[str, str]:
    return {server.name: server.mark for server in scene.servers if server.mark}


@pytest.mark.parametrize(
    ("name", "kind", "fields", "answer"),
    [
        (
            "estate",
            "reach",
            {"from": "LONDON", "to": "MEXICO"},
            lambda network: network.reach("LONDON", "MEXICO"),
        ),
        ("estate", "reach-all", {"from": "LONDON"}, lambda network: network.reach("LONDON")),
        (
            "estate",
            "paths",
            {"from": "LONDON", "to": "MADRID"},
            lambda network: network.paths("LONDON", "MADRID"),
        ),
        (
            "estate",
            "hops",
            {"from": "LONDON", "to": "MADRID"},
            lambda network: network.hops("LONDON", "MADRID"),
        ),
        (
            "orders",
            "propagate",
            {"from": "HUB", "destination": "topic:orders"},
            lambda network: network.propagate("HUB", "topic:orders"),
        ),
        (
            "mixed",
            "propagate",
            {"from": "SCANNER1", "destination": "ORDERS@HQ"},
            lambda network: network.propagate("SCANNER1", "ORDERS@HQ"),
        ),
    ],
)
def test_every_kind_of_question_has_the_verdict_and_the_picture_of_the_command(
    open_page, name, kind, fields, answer
):
    opened = open_page(plain(name))
    ask(opened, kind, **fields)
    told = answer(example(name))
    scene = example(name).scene(told)

    assert verdict(opened) == text(told).partition("\n")[0]
    assert opened.page.locator("[data-said='title']").inner_text() == scene.title
    assert opened.shown()["marks"] == marks(scene)
    line = shlex.split(opened.page.locator("#ask-command").inner_text())
    assert line[:3] == ["topograph", scene.question, fields["from"]]
    assert opened.page.locator("#ask-copy").is_visible()
    assert opened.page.locator("#ask-link").is_visible()


@pytest.mark.parametrize("page", [plain, orders])
def test_form_and_picture_are_on_the_first_screen(open_page, page):
    opened = open_page(page(), **SCREEN)
    form, canvas, head = (
        opened.page.locator(one).bounding_box() for one in ("#ask", "#canvas", "header")
    )

    assert form["y"] >= head["y"] + head["height"] - 1
    assert form["height"] <= 60
    assert canvas["y"] >= form["y"] + form["height"] - 1
    assert canvas["y"] + canvas["height"] <= SCREEN["height"]
    assert canvas["height"] >= 400
    fields = [one.bounding_box() for one in opened.page.locator("#ask .ask-field:visible").all()]
    assert {round(one["y"]) for one in fields} == {round(fields[0]["y"])}, "one line"


@pytest.mark.parametrize("name", ["estate", "routers", "mixed", "sibus_orders", "mqe_devices"])
def test_form_picture_and_verdict_of_a_report_are_on_its_first_screen(open_page, name):
    opened = open_page(example(name).report().generate_html(), **SCREEN)
    ask_, canvas, sentence = (
        opened.page.locator(one).bounding_box() for one in ("#ask", "#canvas", ".sentence")
    )

    for box in (ask_, canvas, sentence):
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= SCREEN["width"]
        assert box["y"] + box["height"] <= SCREEN["height"]
    assert canvas["height"] >= 300
    assert canvas["width"] >= 500
    assert sentence["x"] + sentence["width"] <= ask_["x"]


def test_a_mistyped_name_takes_the_answer_before_and_its_command_away(open_page):
    opened = open_page(plain())
    own = verdict(opened)
    ask(opened, "reach", **{"from": "LONDON", "to": "MEXICO"})
    assert opened.shown()["marks"]["MEXICO"] == "target"
    ask(opened, "reach", **{"from": "LODON"})
    page = opened.page

    assert page.locator("#ask-from-error").inner_text() == ("Nothing here is called ‘LODON’.")
    assert page.evaluate("document.activeElement.id") == "ask-from"
    assert opened.shown()["marks"] == {}
    assert verdict(opened) == own
    assert page.locator("#ask-asked").is_hidden()
    assert "#" not in page.url


def test_clearing_leads_back_to_the_answer_of_the_page(open_page):
    opened = open_page(orders())
    own, before = verdict(opened), opened.shown()["marks"]
    ask(opened, "hops", **{"from": "LONDON", "to": "MADRID"})
    assert verdict(opened) != own
    opened.page.locator("#ask-clear").click()

    assert verdict(opened) == own
    assert opened.shown()["marks"] == before
    assert opened.page.locator("#ask-asked").is_hidden()


def test_a_link_asks_again_where_it_is_opened(open_page):
    opened = open_page(plain())
    ask(opened, "reach", **{"from": "LONDON", "to": "MEXICO"})
    link = opened.page.url
    assert link.endswith("#ask?q=reach&from=LONDON&to=MEXICO")
    opened.page.goto("about:blank")
    opened.page.goto(link)
    opened.page.wait_for_selector("html[data-drawn]", state="attached")
    opened.requests.clear()

    assert opened.page.locator("#ask-from").input_value() == "LONDON"
    assert verdict(opened).startswith("LONDON reaches MEXICO")


def test_names_and_destinations_complete_while_typing(open_page):
    opened = open_page(plain("mixed"))
    page = opened.page
    # The list of destinations is unpacked behind the drawing.
    ask(opened, "propagate", **{"from": "SCANNER1", "destination": "queue:ORDERS"})
    page.locator("#ask-destination").fill("orders@")
    offered = page.locator("#ask-destination-list option")
    assert [one.get_attribute("value") for one in offered.all()] == ["ORDERS@HQ"]
    page.locator("#ask-from").fill("sc")
    offered = page.locator("#ask-from-list option")
    assert [one.get_attribute("value") for one in offered.all()] == ["SCANNER1"]


def test_what_the_page_declines_it_says_before_it_is_asked_with_the_command(open_page):
    opened = open_page(plain("mixed"))
    page = opened.page
    page.locator("#ask-question").select_option("propagate")
    page.locator("#ask-from").fill("SCANNER1")
    page.locator("#ask-destination").fill("queue:NOWHERE")
    page.wait_for_selector("#ask-declined:not([hidden])")

    assert page.locator("#ask-why").inner_text() == (
        "What becomes of a message to queue:NOWHERE at SCANNER1 is not decided in this page: none "
        "of the queues that the files name (10) is written so."
    )
    assert shlex.split(page.locator("#ask-command").inner_text())[:5] == [
        *("topograph", "propagate", "SCANNER1", "--destination", "queue:NOWHERE")
    ]
    assert page.locator("#ask-clear").is_hidden()
    assert opened.shown()["marks"] == {}
    page.locator("#ask-destination").fill("queue:ORDERS")
    page.wait_for_selector("#ask-declined", state="hidden")
    assert page.locator("#ask-asked").is_hidden()


def test_an_answer_stays_with_its_command_while_the_next_question_is_typed(open_page):
    opened = open_page(plain("mixed"))
    page = opened.page
    ask(opened, "propagate", **{"from": "SCANNER1", "destination": "ORDERS@HQ"})
    before = page.locator("#ask-command").inner_text()
    page.locator("#ask-destination").fill("queue:NOWHERE")
    page.wait_for_selector("#ask-declined:not([hidden])")
    assert page.locator("#ask-command").inner_text() != before
    page.locator("#ask-destination").fill("queue:ORDERS")
    page.wait_for_selector("#ask-declined", state="hidden")

    assert page.locator("#ask-command").inner_text() == before
    assert opened.shown()["marks"] != {}


def test_properties_are_behind_a_button_and_typed(open_page):
    opened = open_page(plain("orders"))
    page = opened.page
    page.locator("#ask-question").select_option("propagate")
    assert page.locator(".ask-property").count() == 0
    page.locator("#ask-add").click()
    page.locator(".ask-name").fill("country")
    page.locator(".ask-value").fill("Canada")
    ask(opened, "propagate", **{"from": "HUB", "destination": "topic:orders"})
    network = example("orders")
    scene = network.scene(network.propagate("HUB", "topic:orders", {"country": "Canada"}))

    assert verdict(opened) == scene.verdict
    assert opened.shown()["marks"] == marks(scene)


def test_from_loading_to_an_answer_with_the_keyboard_alone(open_page):
    opened = open_page(plain())
    page = opened.page
    while page.evaluate("document.activeElement.getAttribute('href')") != "#ask":
        page.keyboard.press("Tab")
    for key in ("Enter", "Tab", "Tab"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.id") == "ask-from"
    page.keyboard.type("LONDON")
    page.keyboard.press("Tab")
    page.keyboard.type("MEXICO")
    page.keyboard.press("Enter")
    assert verdict(opened).startswith("LONDON reaches MEXICO")
    page.keyboard.press("Escape")

    assert opened.shown()["marks"] == {}
    assert page.locator("#ask-from").input_value() == "LONDON"


def test_on_a_phone_the_form_opens_at_a_button(open_page):
    opened = open_page(plain(), **PHONE)
    page = opened.page
    assert page.locator("#ask-form").is_hidden()
    canvas = page.locator("#canvas").bounding_box()
    assert canvas["y"] < 300
    page.locator("#ask-open").tap()
    assert page.locator("#ask-open").get_attribute("aria-expanded") == "true"
    ask(opened, "reach", **{"from": "LONDON", "to": "MEXICO"})

    assert verdict(opened).startswith("LONDON reaches MEXICO")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("#verdict").bounding_box()["y"] >= 0


def test_a_printed_picture_has_no_form_and_one_without_scripts_neither(open_page):
    opened = open_page(plain())
    opened.page.emulate_media(media="print")
    assert opened.page.locator("#ask").is_hidden()
    opened = open_page(plain(), java_script_enabled=False, drawn=False)

    assert opened.page.locator("#ask").is_hidden()
    assert opened.page.locator("#skip-to-ask").is_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("size", [SCREEN, {"width": 390, "height": 844}])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_form_and_answer(open_page, size, scheme):
    axe = pytest.importorskip("axe_playwright_python") and (
        resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    )
    opened = open_page(plain("orders"), color_scheme=scheme, **size)
    if size != SCREEN:
        opened.page.locator("#ask-open").click()
    opened.page.locator("#ask-question").select_option("propagate")
    opened.page.locator("#ask-add").click()
    opened.page.locator(".ask-name").fill("country")
    opened.page.locator(".ask-value").fill("Canada")
    ask(opened, "propagate", **{"from": "HUB", "destination": "topic:orders"})
    opened.page.evaluate(axe)
    found = opened.page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]

    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []


def test_the_frame_of_a_notebook_answers_too(open_page):
    """Its sandbox allows no form to be submitted."""
    frame = example("estate").view()._repr_html_()
    opened = open_page(f"<!DOCTYPE html><title>notebook</title><body>{frame}", drawn=False)
    inner = opened.page.frames[1]
    inner.wait_for_selector("html[data-drawn]", state="attached")
    inner.wait_for_selector("script[type='application/zlib']", state="detached")
    opened.requests.clear()  # that of the frame for itself
    inner.locator("#ask-from").fill("LONDON")
    inner.locator("#ask-to").fill("MEXICO")
    inner.locator("#ask-now").click()
    assert inner.locator("#verdict").inner_text().startswith("LONDON reaches MEXICO")
    inner.locator("#ask-to").fill("MADRID")
    inner.locator("#ask-to").press("Enter")

    assert inner.locator("#verdict").inner_text().startswith("LONDON reaches MADRID")
