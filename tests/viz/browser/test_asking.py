"""The report's form: questions asked in the page, as a reader asks them, in a real browser with
the network off.
"""

from __future__ import annotations

import json
import shlex
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

import topograph
from topograph.cli.group import topograph as command
from topograph.network import Network
from topograph.questions.text import text

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
HOSTILE = "</script><img src=x onerror=alert(1)>"


@cache
def example(name: str) -> Network:
    return topograph.read(EXAMPLES / name)


@cache
def report(name: str = "estate") -> str:
    return example(name).report().generate_html()


def verdict(opened) -> str:
    return opened.page.locator(".said-verdict").inner_text()


def ask(opened, from_: str, to: str) -> None:
    opened.page.locator("#ask-from").fill(from_)
    opened.page.locator("#ask-to").fill(to)
    opened.page.locator("#ask-to").press("Enter")


def examples_are_there(opened) -> None:
    opened.page.wait_for_selector("#ask-examples button")


def test_a_question_is_answered_as_the_command_answers_it(open_page):
    opened = open_page(report())
    ask(opened, "LONDON", "MEXICO")
    answer = example("estate").reach("LONDON", "MEXICO")

    assert verdict(opened) == text(answer).partition("\n")[0]
    assert opened.shown()["path"] == (
        "to MEXICO, 2 hops (REGIONS 2), for any topic that is global at both ends; "
        "for orders only if country = 'Mexico'"
    )
    assert opened.shown()["marks"] == {"LONDON": "asked", "HQ": "transit", "MEXICO": "target"}
    steps = [step.inner_text().splitlines() for step in opened.page.locator("#path-steps li").all()]
    assert [step[0] for step in steps] == ["LONDON to HQ", "HQ to MEXICO"]
    assert steps[1][1] == "zone REGIONS, rule R13, confidence H"
    assert steps[1][-1] == "hq-1/routes.conf:10:1"
    place = opened.along("LONDON", "HQ", 0.3)
    assert opened.colour_at(place) == opened.shown()["colours"]["path"]


def busy(open_page):
    """A report whose browser has no time yet for what can wait."""
    opened = open_page(report())
    opened.page.add_init_script(
        "window.held = []; window.requestIdleCallback = (work) => window.held.push(work);"
    )
    opened.page.reload()
    opened.requests.clear()
    opened.page.wait_for_selector("html[data-drawn]", state="attached")
    return opened


def let_it_idle(opened) -> None:
    opened.page.evaluate(
        "() => { window.requestIdleCallback = setTimeout; window.held.forEach((work) => work()); }"
    )


def test_a_question_that_comes_before_the_data_is_unpacked_is_answered_then(open_page):
    opened = busy(open_page)
    ask(opened, "LONDON", "MEXICO")

    assert opened.page.locator("script[type='application/zlib']").count()
    assert opened.shown()["marks"] == {}
    let_it_idle(opened)
    opened.page.wait_for_selector("#ask-asked:not([hidden])")
    assert opened.shown()["marks"] == {"LONDON": "asked", "HQ": "transit", "MEXICO": "target"}


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("reach-all", lambda network: network.reach("LONDON")),
        ("paths", lambda network: network.paths("LONDON", "MADRID")),
        ("hops", lambda network: network.hops("LONDON", "MADRID")),
    ],
)
def test_every_kind_of_question_has_the_verdict_and_the_picture_of_the_command(
    open_page, kind, answer
):
    opened = open_page(report())
    opened.page.locator("#ask-question").select_option(kind)
    opened.page.locator("#ask-from").fill("LONDON")
    assert opened.page.locator("#ask-to").is_visible() == (kind != "reach-all")
    if kind != "reach-all":
        opened.page.locator("#ask-to").fill("MADRID")
    opened.page.locator("#ask-from").press("Enter")
    network = example("estate")
    scene = network.view(answer(network)).scene

    assert verdict(opened) == scene.verdict
    assert opened.page.locator(".said-title").inner_text() == scene.title
    assert opened.shown()["marks"] == {
        server.name: server.mark for server in scene.servers if server.mark
    }


def test_the_command_of_an_answer_answers_the_same(open_page):
    opened = open_page(report())
    ask(opened, "LONDON", "MEXICO")
    line = opened.page.locator("#ask-command").inner_text()
    program, *words = shlex.split(line)
    assert program == "topograph"
    # The line names the folder, not where it is on this machine.
    where = words.index("-s") + 1
    assert words[where] == "estate"
    words[where] = str(EXAMPLES / "estate")
    told = CliRunner().invoke(command, [*words, "--format", "json"])

    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["servers"][0]["path"] == ["LONDON", "HQ", "MEXICO"]


def test_an_unknown_name_is_said_at_its_field_and_nothing_is_asked(open_page):
    opened = open_page(report())
    ask(opened, "Londo", "MEXICO")
    page = opened.page

    assert (
        page.locator("#ask-from-error").inner_text()
        == "Nothing here is called ‘Londo’. Did you mean LONDON?"
    )
    assert page.locator("#ask-from").get_attribute("aria-invalid") == "true"
    assert page.evaluate("document.activeElement.id") == "ask-from"
    assert opened.shown()["marks"] == {}
    page.locator("#ask-from").fill("LONDON")
    page.locator("#ask-from").press("Enter")
    assert page.locator("#ask-from-error").inner_text() == ""
    assert page.locator("#ask-from").get_attribute("aria-invalid") is None
    assert opened.shown()["marks"]["MEXICO"] == "target"


def test_names_complete_while_typing(open_page):
    opened = open_page(report())
    opened.page.locator("#ask-from").fill("us")
    offered = opened.page.locator("#ask-from-list option")

    assert [option.get_attribute("value") for option in offered.all()] == ["USA", "USA-EAST"]


def test_what_the_page_does_not_answer_it_says_with_the_command_that_does(open_page):
    opened = open_page(report("two-1hop-zones/with-g-a"))
    ask(opened, "F", "A")
    page = opened.page

    assert page.locator("#ask-declined").is_visible()
    assert page.locator("#ask-why").inner_text() != ""
    assert shlex.split(page.locator("#ask-command").inner_text())[:4] == [
        "topograph",
        "reach",
        "F",
        "A",
    ]
    assert opened.shown()["marks"] == {}
    assert verdict(opened) == ""


def test_a_link_asks_again_where_it_is_opened(open_page):
    opened = open_page(report())
    ask(opened, "LONDON", "MEXICO")
    link = opened.page.url
    assert link.endswith("#ask?q=reach&from=LONDON&to=MEXICO")
    opened.page.goto("about:blank")
    opened.page.goto(link)
    opened.page.wait_for_selector("html[data-drawn]", state="attached")
    opened.requests.clear()

    assert opened.page.locator("#ask-from").input_value() == "LONDON"
    assert verdict(opened).startswith("LONDON reaches MEXICO")
    opened.page.go_back()


def test_the_way_back_leads_to_the_question_before(open_page):
    opened = open_page(report())
    ask(opened, "LONDON", "MEXICO")
    ask(opened, "HQ", "MADRID")
    assert verdict(opened).startswith("HQ reaches MADRID")
    opened.page.go_back()

    assert verdict(opened).startswith("LONDON reaches MEXICO")
    assert opened.page.locator("#ask-from").input_value() == "LONDON"


@pytest.mark.parametrize(
    "link",
    [
        "#ask?q=__proto__&from=LONDON",
        "#ask?q=reach&from=%E0%A4%A&to=%",
        f"#ask?q=reach&from={HOSTILE}&to=MEXICO",
        "#ask?q=propagate&from=HQ&destination=topic:x&set=constructor:a=1",
        "#ask?q=propagate&from=HQ&destination=topic:x" + "&set=long:a=1" * 60,
        (
            "#ask?q=propagate&from=HQ&destination=javascript:alert(1)&set=boolean:__proto__="
            "true&set=string:x=<img src=x>"
        ),
        "#ask?q=reach&to=" + "A" * 9000,
        "#ask?from=toString&to=constructor&q=hops",
    ],
)
def test_a_hostile_link_is_text_in_the_form_or_nothing(open_page, link):
    opened = open_page(report())
    opened.page.evaluate("(hash) => { location.hash = hash }", link)
    opened.settle()

    assert opened.page.locator("#ask img, #picture img").count() == 0
    assert opened.shown()["marks"] == {}
    assert opened.page.evaluate("({}).polluted") is None
    # The form still answers.
    opened.page.locator("#ask-question").select_option("reach")
    ask(opened, "LONDON", "MEXICO")
    assert opened.shown()["marks"]["MEXICO"] == "target"


def test_examples_of_the_estate_are_in_the_form_and_one_click_away(open_page):
    opened = open_page(report())
    examples_are_there(opened)
    page = opened.page
    assert page.locator("#ask-from").input_value()
    assert page.locator("#ask-to").input_value()
    buttons = page.locator("#ask-examples button")
    assert 1 <= buttons.count() <= 4
    buttons.first.click()
    assert opened.shown()["path"]


def chooses_a_kind(page) -> None:
    page.locator("#ask-question").select_option("propagate")


def is_in_a_field(page) -> None:
    page.locator("#ask-to").focus()


@pytest.mark.parametrize("begins", [chooses_a_kind, is_in_a_field])
def test_examples_leave_a_form_alone_that_somebody_has_begun_to_fill(open_page, begins):
    opened = busy(open_page)
    begins(opened.page)
    kind = opened.page.locator("#ask-question").input_value()
    let_it_idle(opened)
    examples_are_there(opened)

    assert opened.page.locator("#ask-question").input_value() == kind
    assert opened.page.locator("#ask-from").input_value() == ""
    assert opened.page.locator("#ask-to").input_value() == ""


def test_from_loading_to_a_drawn_path_in_six_keys(open_page):
    opened = open_page(report())
    examples_are_there(opened)
    keys = 0
    while opened.page.evaluate("document.activeElement.getAttribute('href')") != "#ask":
        opened.page.keyboard.press("Tab")
        keys += 1
        assert keys < 6
    for key in ("Enter", "Tab", "Tab", "Enter"):
        opened.page.keyboard.press(key)
        keys += 1

    assert keys <= 6
    assert opened.shown()["path"]


def ask_about_message(opened, from_: str, destination: str) -> None:
    opened.page.locator("#ask-question").select_option("propagate")
    opened.page.locator("#ask-from").fill(from_)
    opened.page.locator("#ask-destination").fill(destination)
    opened.page.locator("#ask-destination").press("Enter")


@pytest.mark.parametrize(
    ("name", "start", "destination"),
    [
        ("routers", "LON", "address:orders"),
        ("routers", "SHOP", "address:prices"),
        ("routers", "LON", "address:jobs.london"),
        ("routers", "LON", "address:retired"),
        ("queue_managers", "STORE1", "queue:ORDERS"),
        ("sibus_orders", "Orders", "queue:PARTNER.ORDERS"),
        ("retail", "HARBOUR", "queue:restock@NORTH"),
    ],
)
def test_what_only_the_system_decides_is_answered_from_what_was_worked_out(
    open_page, name, start, destination
):
    opened = open_page(report(name))
    ask_about_message(opened, start, destination)
    scene = example(name).view(example(name).propagate(start, destination)).scene

    assert verdict(opened) == scene.verdict
    assert opened.page.locator(".said-title").inner_text() == scene.title
    assert opened.shown()["marks"] == {
        server.name: server.mark for server in scene.servers if server.mark
    }
    assert (
        opened.page.locator("#ask-command")
        .inner_text()
        .startswith(f"topograph propagate {start} --destination")
    )


def test_what_was_not_worked_out_is_said_with_how_much_was(open_page):
    opened = open_page(example("routers").report(answer_budget=12).generate_html())
    covered = (
        "Messages to 1 of the 6 addresses that the files name are answered in this file "
        "from every server, "
        "and to 1 more from the servers whose files name them."
    )
    assert opened.page.locator(".ask-covered").all_inner_texts() == [covered]
    ask_about_message(opened, "LON", "address:retired")
    why = (
        "What becomes of a message to address:retired at LON is not decided in this page: "
        "1 of 6 addresses are answered in this file, and 1 from the servers whose files name them."
    )
    assert opened.page.locator("#ask-why").inner_text() == why
    assert (
        opened.page.locator("#ask-command")
        .inner_text()
        .startswith("topograph propagate LON --destination address:retired")
    )


def test_escape_takes_the_answer_off_and_out_of_the_address(open_page):
    opened = open_page(report())
    ask(opened, "LONDON", "MEXICO")
    opened.page.keyboard.press("Escape")

    assert opened.shown()["marks"] == {}
    assert verdict(opened) == ""
    assert "#" not in opened.page.url
    assert opened.page.locator("#ask-asked").is_hidden()
    assert opened.page.locator("#ask-from").input_value() == "LONDON"


def test_properties_are_added_typed_checked_and_removed(open_page):
    opened = open_page(report("orders"))
    page = opened.page
    page.locator("#ask-question").select_option("propagate")
    page.locator("#ask-from").fill("HUB")
    page.locator("#ask-destination").fill("orders")
    page.locator("#ask-add").click()
    assert page.evaluate("document.activeElement.className") == "ask-name"
    page.keyboard.type("qty")
    page.locator(".ask-property select").select_option("long")
    page.locator(".ask-value").fill("seven")
    page.locator(".ask-value").press("Enter")

    assert (
        page.locator("#ask-destination-error").inner_text()
        == "Enter topic:NAME, queue:NAME, address:NAME or NAME@PLACE."
    )
    assert page.locator(".ask-property .ask-error").inner_text() == "‘seven’ is not a whole number."
    page.locator(".ask-value").fill("9223372036854775808")
    page.locator(".ask-value").press("Enter")
    assert "does not fit in 64 bits" in page.locator(".ask-property .ask-error").inner_text()
    page.get_by_role("button", name="Remove property").click()
    assert page.locator(".ask-property").count() == 0
    assert page.evaluate("document.activeElement.id") == "ask-add"


def test_a_cell_of_the_matrix_asks_for_its_example_and_arrows_go_from_cell_to_cell(open_page):
    opened = open_page(report())
    page = opened.page
    cells = page.locator("#matrix button.cell")
    page.wait_for_selector("#matrix button.cell[tabindex='0']")  # it is laid out later
    assert page.locator("#matrix button.cell[tabindex='0']").count() == 1
    cells.first.focus()
    page.keyboard.press("ArrowRight")
    assert (
        page.evaluate(
            "[...document.querySelectorAll('#matrix button.cell')].indexOf(document.activeElement)"
        )
        == 1
    )
    page.keyboard.press("Enter")

    assert opened.shown()["path"]
    cell = page.locator("#matrix td[data-from]").nth(1)
    assert page.locator("#ask-from").input_value() == cell.get_attribute("data-from")
    assert page.locator("#ask-to").input_value() == cell.get_attribute("data-to")


def test_without_scripts_there_is_no_form(open_page):
    opened = open_page(report(), java_script_enabled=False, drawn=False)

    assert opened.page.locator("#ask").is_hidden()
    assert opened.page.locator("a[href='#ask']").first.is_hidden()


def test_who_receives_a_message_is_answered_with_its_properties(open_page):
    opened = open_page(report("orders"))
    page = opened.page
    page.locator("#ask-question").select_option("propagate")
    page.locator("#ask-from").fill("HUB")
    page.locator("#ask-destination").fill("topic:orders")
    page.locator("#ask-add").click()
    page.locator(".ask-name").fill("country")
    page.locator(".ask-value").fill("Canada")
    page.locator(".ask-value").press("Enter")
    network = example("orders")
    scene = network.view(network.propagate("HUB", "topic:orders", {"country": "Canada"})).scene

    assert verdict(opened) == scene.verdict
    assert page.locator(".said-title").inner_text() == scene.title
    assert opened.shown()["marks"] == {
        server.name: server.mark for server in scene.servers if server.mark
    }
    assert page.locator("#blocks > .blocks > li").count() == len(scene.blocks)
    assert shlex.split(page.locator("#ask-command").inner_text())[5:7] == [
        "--set",
        "country=Canada",
    ]
    assert page.url.endswith(
        "#ask?q=propagate&from=HUB&destination=topic%3Aorders&set=string%3Acountry%3DCanada"
    )


def test_a_step_says_what_its_rule_means_once(open_page):
    opened = open_page(report())
    ask(opened, "LONDON", "MEXICO")
    meanings = opened.page.locator("#path-steps .meaning")

    assert meanings.count() == 1
    assert meanings.inner_text().startswith(
        "When a message goes on. A message that arrived over one route "
    )


def test_destinations_complete_while_typing(open_page):
    opened = open_page(report())
    examples_are_there(opened)
    opened.page.locator("#ask-question").select_option("propagate")
    opened.page.locator("#ask-destination").fill("ord")
    offered = opened.page.locator("#ask-destination-list option")

    assert "topic:orders" in [option.get_attribute("value") for option in offered.all()]
