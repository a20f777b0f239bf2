"""Pages of ``topograph view audit`` in a real browser: the two paths of a refusal, what is apart
after a command, the legend.
"""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

import pytest

import topograph
from topograph.network import Network

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
CHANGES = EXAMPLES / "changes"


@cache
def example(name: str) -> Network:
    return topograph.read(EXAMPLES / name)


@cache
def page(name: str, script: str | Path, at: str) -> str:
    network = example(name)
    return network.view(network.audit(script, at=at)).generate_html()


def refused() -> str:
    return page("two-1hop-zones/legal", CHANGES / "route-g-a.txt", "G")


def deleted() -> str:
    return page("orders", "delete route Canada\n", "HUB")


def rebuilt() -> str:
    lines = (
        "delete route LONDON\ncreate route LONDON url=tcp://london:7222 zone_name=REGIONS "
        "zone_type=mhop\n"
    )
    return page("estate", lines, "HQ")


def legend(opened) -> list[str]:
    return opened.page.locator("#legend-entries .entry").all_text_contents()


def test_verdict_and_what_is_lost_stand_above_the_picture(open_page):
    opened = open_page(deleted())
    assert opened.page.locator("#verdict").inner_text() == (
        "Accept: the servers would take 1 command, but 6 ordered pairs of servers no longer reach "
        "each other (Canada to HUB, Mexico and USA, both ways) and subscribers at Canada, HUB, "
        "Mexico and USA lose messages."
    )
    told = opened.page.locator("#told li").all_inner_texts()
    assert told[0] == "6 ordered pairs of servers no longer reach each other: Canada and HUB, ..."
    marks = opened.shown()["marks"]
    assert (marks.pop("Canada"), set(marks), set(marks.values()) <= {"apart", "loses"}) == (
        "cut-off",
        {"HUB", "Mexico", "USA"},
        True,
    )


def test_both_paths_of_a_refusal_are_drawn_at_once_in_two_colours_and_line_styles(open_page):
    opened = open_page(refused())
    shown = opened.shown()
    assert shown["paths"] == ["path 1: F to D to A", "path 2: F to G to A"]
    assert opened.colour_at(opened.along("F", "D", 0.25)) == shown["colours"]["path"]
    second = {opened.colour_at(opened.along("F", "G", 0.2 + part / 100)) for part in range(50)}
    assert shown["colours"]["twice"] in second
    assert shown["colours"]["canvas"] in second  # it is broken
    assert opened.page.locator("#path-steps ol").count() == 2
    assert opened.page.locator("#path-steps ol.second li").count() == 2


def test_a_refused_link_has_a_stop_sign_and_what_the_server_prints(open_page):
    opened = open_page(refused())
    sign = opened.sign("G", "A")
    assert (
        opened.colour_at({"x": sign["x"], "y": sign["y"] + 7}) == opened.shown()["colours"]["bad"]
    )
    assert (
        "refused with \"Error: Implicit route to 'F' already exists\""
        in opened.page.locator("#blocks").inner_text()
    )
    assert "link: will not be" in legend(opened)


def test_both_paths_of_a_multi_path_cycle_are_drawn_at_once(open_page):
    network = example("two-1hop-zones/with-g-a")
    opened = open_page(network.view(network.cycles()).generate_html())
    assert opened.shown()["paths"] == ["$TMP$.F.> at A via D", "$TMP$.F.> at A via G"]
    assert opened.page.locator("#choose-path option").all_inner_texts() == [
        "no path chosen (of 1)",
        "$TMP$.F.> at A (of 2 names)",
    ]
    assert "second path and its steps" in legend(opened)


def test_another_name_held_twice_is_chosen_with_both_its_paths(open_page):
    opened = open_page(page("mhop-star/legal", CHANGES / "route-b-d.txt", "B"))
    choice = opened.page.locator("#choose-path")
    assert choice.locator("option").count() == 9  # eight names, and none
    choice.select_option(label="D would know C over two routes")
    assert opened.shown()["paths"] == ["path 1: C to A to D", "path 2: C to A to B to D"]


def test_a_command_shows_what_is_apart_after_it_and_escape_takes_that_back(open_page):
    opened = open_page(rebuilt())
    marks = opened.shown()["marks"]
    button = opened.page.locator("button.apart-after")
    assert button.count() == 1  # nothing is apart after the second command
    button.focus()
    opened.page.keyboard.press("Enter")
    apart = opened.shown()["marks"]
    assert {name for name, mark in apart.items() if mark == "cut-off"} == {
        "LONDON",
        "PARIS",
        "MADRID",
        "FRANKFURT",
    }
    assert len(apart) == 11
    assert (opened.shown()["command"], button.get_attribute("aria-pressed")) == (0, "true")
    assert "parts that no longer reach each other, a letter for each" in legend(opened)
    assert opened.page.locator("#said").inner_text() == "What is apart after command 1: 11 servers"
    opened.page.keyboard.press("Escape")
    assert (opened.shown()["marks"], opened.shown()["command"]) == (marks, None)
    assert "parts that no longer reach each other, a letter for each" not in legend(opened)


def test_the_legend_names_what_the_change_does_here_and_nothing_else(open_page):
    opened = open_page(deleted())
    marks = set(opened.shown()["marks"].values())
    assert legend(opened) == [
        "parts that no longer reach each other, a letter for each",
        *(["subscribers lose messages"] if "loses" in marks else []),
        "active-active: both ends configure it",
        "active-passive: the dot is at the end that configures it",
        "link: goes with the change",
        "zone, mhop: messages go on from link to link",
    ]


def test_a_link_that_goes_is_struck_through(open_page):
    opened = open_page(deleted())
    bad = opened.shown()["colours"]["bad"]
    middle = opened.along("Canada", "HUB", 0.5)
    # Between two pixels a colour is a mixture.
    near = [-0.5, 0.0, 0.5]
    for x, y in itertools.product((-4, 4), repeat=2):
        arm = [{"x": middle["x"] + x + dx, "y": middle["y"] + y + dy} for dx in near for dy in near]
        assert bad in [opened.colour_at(place) for place in arm]


@pytest.mark.parametrize("made", [refused, deleted, rebuilt])
@pytest.mark.parametrize("width", [390, 1440])
def test_nothing_is_cut_off_on_a_narrow_or_wide_screen(open_page, made, width):
    opened = open_page(made(), width=width, height=844)
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width
    assert opened.page.locator("#told").bounding_box()["width"] <= width


def test_without_scripts_verdict_commands_and_losses_are_there(open_page):
    opened = open_page(rebuilt(), java_script_enabled=False, drawn=False)
    words = opened.page.locator("body").inner_text()
    for part in (
        "Undetermined: ",
        "delete route LONDON",
        "56 ordered pairs apart after it",
        "cannot be decided",
    ):
        assert part in words
    assert "Show in the picture" not in words


def test_every_server_of_a_list_is_a_button_that_selects_it(open_page):
    opened = open_page(deleted())
    opened.page.locator(".group-list button.server").first.click()
    assert opened.shown()["selected"] == "Canada"
    details = opened.page.locator("#selected").inner_text()
    assert (
        "such as one to topic:orders with country = 'Canada' from HUB (hub/routes.conf:3:1)"
        in details
    )


def test_on_paper_the_lists_stay_and_the_buttons_go(open_page):
    opened = open_page(rebuilt())
    opened.page.emulate_media(media="print")
    assert opened.page.locator("button.apart-after").is_hidden()
    assert opened.page.locator("#commands").is_visible()
