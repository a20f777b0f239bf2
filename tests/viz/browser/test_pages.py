"""The pages of ``topograph view`` as a reader meets them, in a real browser with the network
off.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from functools import cache
from pathlib import Path

import pytest
from drawn.networks import estate_of, route
from systems import three_systems

import topograph
from topograph.findings import Finding, Severity, Source
from topograph.forwarding.reached import LinkShown
from topograph.network import Network
from topograph.store.layouts import read_layout
from topograph.viz.scene.picture import draw
from topograph.viz.scene.records import (
    BlockDrawn,
    CommandDrawn,
    GroupDrawn,
    LinkDrawn,
    LinkStyle,
    Mark,
    PassedDrawn,
    PathDrawn,
    RowDrawn,
    Scene,
    ServerDrawn,
    StationDrawn,
    StepDrawn,
    ZoneDrawn,
)
from topograph.viz.view import View

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
HOSTILE = "</script><img src=x onerror=alert(1)>"
HOSTILE_NAMES = (
    HOSTILE,
    "<!--<script>",
    "]]>\u2028\u2029'\"`${alert(2)}",
    "{{ 7*7 }}{% raw %}&lt;b&gt;",
    "__proto__",
)


@cache
def example(name: str) -> Network:
    return topograph.read(EXAMPLES / name)


@cache
def canada() -> str:
    """Orders for Canada, published at the hub: one delivery, two blocks."""
    network = example("orders")
    return network.view(
        network.propagate("HUB", "topic:orders", {"country": "Canada"})
    ).generate_html()


@cache
def london_to_mexico() -> str:
    network = example("estate")
    return network.view(network.paths("LONDON", "MEXICO")).generate_html()


@cache
def reach_of_hq() -> str:
    network = example("estate")
    return network.view(network.reach("HQ")).generate_html()


def page_of(scene: Scene) -> str:
    return View(scene).generate_html()


def hostile_scene() -> Scene:
    """Every text of a scene is one that an HTML page could take for markup or script."""
    names = HOSTILE_NAMES
    evil = Source(f"{HOSTILE}/routes.conf", 3, 1)
    servers = tuple(
        ServerDrawn(
            name,
            HOSTILE,
            True,
            HOSTILE,
            (HOSTILE,),
            evil,
            Mark.REACHED,
            HOSTILE,
            150.0 * n,
            40.0 * (n % 2),
        )
        for n, name in enumerate(names)
    )
    links = tuple(
        LinkDrawn(
            f"{a}-{b}",
            (a, b),
            HOSTILE,
            HOSTILE,
            LinkStyle.ACTIVE_PASSIVE,
            a,
            None,
            evil,
            note=HOSTILE,
        )
        for a, b in itertools.pairwise(names)
    )
    row = RowDrawn(names[:2], HOSTILE, (HOSTILE,), evil, HOSTILE)
    passed = PassedDrawn(HOSTILE, HOSTILE, HOSTILE, evil)
    station = StationDrawn(HOSTILE, HOSTILE, (passed,), Mark.ONE_OF, HOSTILE)
    step = StepDrawn(
        1,
        names[0],
        names[1],
        links[0].id,
        HOSTILE,
        HOSTILE,
        HOSTILE,
        (HOSTILE,),
        evil,
        inside=(station,),
        over=HOSTILE,
    )
    return Scene(
        question="paths",
        title=HOSTILE,
        verdict=HOSTILE,
        network=HOSTILE,
        snapshot=HOSTILE,
        engine=HOSTILE,
        exact=False,
        servers=servers,
        links=links,
        zones=(ZoneDrawn(HOSTILE, HOSTILE, names, tuple(link.id for link in links), True),),
        paths=(
            PathDrawn(HOSTILE, names[:2], (step,), end=Mark.ONE_OF, ending=HOSTILE),
            PathDrawn(f"{HOSTILE} 2", names[:2], (step,), end=Mark.ONE_OF, ending=HOSTILE),
        ),
        blocks=(BlockDrawn(names[1], names[2], links[1].id, HOSTILE, HOSTILE, "FALSE", evil),),
        facts=(("warning", HOSTILE), (HOSTILE, HOSTILE)),
        around=(HOSTILE,),
        hidden=3,
        told=(HOSTILE,),
        commands=(
            CommandDrawn(
                1,
                names[0],
                HOSTILE,
                HOSTILE,
                evil,
                (HOSTILE,),
                (row,),
                3,
                ((names[0], Mark.APART, 3),),
            ),
        ),
        groups=(GroupDrawn(HOSTILE, Mark.LOSES, (row,), 1, HOSTILE),),
    )


def test_a_page_draws_with_the_network_off_and_asks_for_nothing_and_says_nothing(open_page):
    opened = open_page(canada())

    assert opened.page.evaluate("performance.getEntriesByName('topograph-drawn').length") == 1
    assert opened.page.evaluate("performance.getEntriesByType('resource').length") == 0
    assert opened.shown()["servers"] == ["Canada", "HUB", "Mexico", "USA"]


def test_question_and_verdict_stand_above_the_picture(open_page):
    opened = open_page(canada())

    assert opened.page.locator("h1").inner_text().endswith("published at HUB?")
    assert (
        opened.page.locator("#verdict").inner_text()
        == "A message to topic:orders published at HUB is delivered at Canada."
    )
    assert re.fullmatch(
        r"network orders, snapshot [0-9a-f]+, engine memory",
        opened.page.locator(".provenance").inner_text(),
    )


@pytest.mark.parametrize("attempt", ["script", "style", "handler", "eval", "fetch", "image"])
def test_the_policy_lets_nothing_run_or_load_that_the_page_did_not_bring(open_page, attempt):
    opened = open_page(canada())
    refused = opened.page.evaluate(
        """async (attempt) => {
            const seen = [];
            document.addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
            window.ran = false;
            const add = (tag, set) => document.body.append(Object.assign(document.createElement(tag), set));
            if (attempt === "script") add("script", {textContent: "window.ran = true"});
            if (attempt === "style") add("style", {textContent: "body { color: rgb(1, 2, 3) }"});
            if (attempt === "handler") { add("b", {innerHTML: "<i onclick='window.ran = true'>x</i>"}); document.querySelector("b i").click(); }
            // Later: what the debugger itself evaluates may evaluate more.
            if (attempt === "eval") setTimeout(() => { try { window.ran = (0, eval)("true"); } catch (error) { /* refused */ } });
            if (attempt === "fetch") await fetch("https://example.net/").catch(() => null);
            if (attempt === "image") add("img", {src: "https://example.net/x.png"});
            await new Promise((done) => setTimeout(done, 100));
            return {ran: window.ran || getComputedStyle(document.body).color === "rgb(1, 2, 3)", refused: seen.length > 0};
        }""",  # noqa: E501
        attempt,
    )
    # The browser reports what it refused.
    opened.said.clear()
    opened.requests.clear()

    assert refused == {"ran": False, "refused": True}


@pytest.mark.parametrize("question", ["paths", "audit"])
def test_hostile_names_stay_text_wherever_they_appear(open_page, question):
    opened = open_page(page_of(dataclasses.replace(hostile_scene(), question=question)))
    page = opened.page
    page.locator("#search").fill("img src")
    page.keyboard.press("Enter")  # details of a server
    page.locator("#servers summary").click()
    page.locator("#choose-path").select_option("1")
    page.locator(".commands summary").click()
    page.locator("button.apart-after").click()
    page.mouse.move(**opened.place(HOSTILE_NAMES[1]))
    opened.settle()

    assert page.title() == HOSTILE
    assert page.locator("h1").inner_text() == page.locator("#verdict").inner_text() == HOSTILE
    assert page.locator("#selected h2").inner_text() == f"{HOSTILE} (incomplete)"
    assert page.locator("#path-steps h3").inner_text() == f"{HOSTILE} 2"
    assert (
        page.locator("img, b b, body > script:not(#data) ~ script ~ script ~ script").count() == 0
    )
    assert set(opened.shown()["servers"]) == set(HOSTILE_NAMES)


def test_the_steps_of_a_path_are_listed_with_their_evidence(open_page):
    opened = open_page(london_to_mexico())
    steps = [step.inner_text().splitlines() for step in opened.page.locator("#path-steps li").all()]

    assert [step[0] for step in steps] == ["LONDON to HQ", "HQ to MEXICO"]
    assert [step[1] for step in steps] == ["zone REGIONS, rule R13, confidence H"] * 2
    assert steps[1][-2:] == ["for orders only if country = 'Mexico'", "hq-1/routes.conf:10:1"]


def test_a_path_is_drawn_in_its_colour_and_what_is_not_on_it_is_not(open_page):
    opened = open_page(london_to_mexico())
    path = opened.shown()["colours"]["path"]

    assert [opened.colour_at(opened.along("LONDON", "HQ", part)) for part in (0.3, 0.65)] == [
        path
    ] * 2
    assert opened.colour_at(opened.along("HQ", "SINGAPORE", 0.7)) != path


def test_a_blocked_link_is_drawn_up_to_the_sign_and_its_reason_is_said(open_page):
    opened = open_page(canada())
    bad = opened.shown()["colours"]["bad"]
    sign = opened.sign("HUB", "Mexico")
    server = opened.along("HUB", "Mexico", 0.0)
    # Nearer to the sign: the server is a box, where it is wide.
    between = {axis: 0.7 * sign[axis] + 0.3 * server[axis] for axis in ("x", "y")}

    assert opened.colour_at(between) == bad
    assert opened.colour_at({"x": sign["x"], "y": sign["y"] + 7}) == bad
    assert (
        opened.colour_at({"x": sign["x"], "y": sign["y"]}) == opened.shown()["colours"]["canvas"]
    )  # the bar of the sign
    assert opened.page.locator(".blocks li").first.inner_text().splitlines() == [
        "HUB to Mexico",
        "the route selector does not let it pass",
        "country = 'Mexico' is FALSE",
        "hub/routes.conf:13:3",
    ]


def test_one_of_several_paths_is_chosen(open_page):
    opened = open_page(reach_of_hq())
    choice = opened.page.locator("#choose-path")
    titles = choice.locator("option").all_inner_texts()

    assert opened.shown()["path"] is None
    choice.select_option(label=next(title for title in titles if "MADRID" in title))
    assert "MADRID" in opened.shown()["path"]
    assert opened.page.locator("#path-steps li").count() == 2


def test_a_click_on_a_server_shows_its_details_and_the_path_to_it(open_page):
    opened = open_page(reach_of_hq())
    opened.page.mouse.click(**opened.place("PARIS"))
    details = opened.page.locator("#selected")

    assert opened.shown()["selected"] == "PARIS"
    assert details.locator("h2").inner_text() == "PARIS"
    assert "EUROPE" in details.inner_text()
    assert "paris/" in details.locator(".source").first.inner_text()
    assert "PARIS" in opened.shown()["path"]


def test_a_click_on_a_link_shows_who_configures_it_and_where(open_page):
    opened = open_page(canada())
    opened.page.mouse.click(**opened.along("HUB", "Canada", 0.3))
    details = opened.page.locator("#selected").inner_text()

    assert "SALES (mhop)" in details
    assert "hub/routes.conf" in details


def test_search_finds_while_typing_jumps_on_enter_and_clears_on_escape(open_page):
    opened = open_page(reach_of_hq())
    search = opened.page.locator("#search")
    search.press_sequentially("us")
    found = opened.page.locator("#found [role=option]")

    assert found.all_inner_texts() == ["USA", "USA-EAST"]
    assert opened.shown()["found"] == ["USA", "USA-EAST"]
    search.press("ArrowDown")
    search.press("Enter")
    opened.settle()
    assert opened.shown()["selected"] == "USA-EAST"
    search.press("Escape")
    assert (search.input_value(), opened.shown()["found"]) == ("", [])


def test_a_search_without_result_says_so(open_page):
    opened = open_page(canada())
    opened.page.locator("#search").fill("nowhere")

    assert opened.page.locator("#found").inner_text() == "nothing found"
    assert opened.page.locator("#said").inner_text() == "nothing found"


def test_a_zone_is_found_and_shown_closely(open_page):
    opened = open_page(reach_of_hq())
    opened.page.locator("#search").fill("stores")
    before = opened.shown()["scale"]
    opened.page.locator("#search").press("Enter")
    opened.settle()

    assert opened.shown()["scale"] > before


def test_a_zone_of_the_list_is_shown_closely_and_a_server_of_the_list_selected(open_page):
    opened = open_page(reach_of_hq())
    before = opened.shown()["scale"]
    opened.page.locator("#zone-list button", has_text="stores").click()
    opened.settle()

    assert opened.shown()["scale"] > before
    assert opened.shown()["selected"] is None
    opened.page.locator("#server-list button", has_text="MADRID").press("Enter")
    opened.settle()

    assert opened.shown()["selected"] == "MADRID"
    assert opened.page.locator("#selected h2").inner_text() == "MADRID"


def test_the_neighbourhood_of_a_server_is_shown_alone_and_left_again(open_page):
    opened = open_page(reach_of_hq())
    opened.page.locator("#search").fill("TOKYO")
    opened.page.locator("#search").press("Enter")
    opened.page.locator("#neighbours").click()
    opened.settle()

    assert opened.shown()["servers"] == ["SINGAPORE", "TOKYO"]
    opened.page.locator("#distance").select_option("2")
    assert opened.shown()["servers"] == ["HQ", "SINGAPORE", "TOKYO"]
    opened.page.locator("#all").click()
    assert len(opened.shown()["servers"]) == 13


def test_everything_is_reached_by_keyboard(open_page):
    opened = open_page(reach_of_hq())
    page = opened.page
    seen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        focused = page.evaluate(
            "document.activeElement.id || document.activeElement.className || "
            "document.activeElement.tagName"
        )
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        if focused != "BODY":
            assert outline != "none", f"the focus on {focused} cannot be seen"
        seen.append(focused)

    for control in (
        "skip",
        "theme",
        "search",
        "zoom-out",
        "zoom-in",
        "fit",
        "canvas",
        "choose-path",
        "server",
    ):
        assert control in seen


def test_arrows_move_from_server_to_server_enter_opens_details_and_escape_clears(open_page):
    opened = open_page(reach_of_hq())
    page = opened.page
    page.locator("#canvas").focus()
    page.keyboard.press("ArrowRight")
    assert opened.shown()["selected"] == "HQ"
    place = opened.place("HQ")
    for key, towards in (("ArrowLeft", -1), ("ArrowRight", 1)):
        page.keyboard.press(key)
        moved = opened.place(opened.shown()["selected"])
        assert (moved["x"] - place["x"]) * towards > 0
        place = moved
    assert opened.shown()["selected"] in page.locator("#said").inner_text()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('#selected') !== null")
    page.keyboard.press("Escape")
    assert opened.shown()["selected"] is None
    assert page.evaluate("document.activeElement.id") == "canvas"
    assert page.locator("#selected").is_hidden()


def test_dark_follows_the_system_and_the_button_changes_it(open_page):
    opened = open_page(canada(), color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = opened.page.evaluate(ground)
    corner = {"x": 20.0, "y": opened.place("HUB")["y"]}

    assert (opened.shown()["dark"], dark) == (True, "rgb(20, 24, 29)")
    opened.page.locator("#theme").click()
    opened.settle()
    assert (opened.shown()["dark"], opened.page.evaluate(ground)) == (False, "rgb(255, 255, 255)")
    assert opened.shown()["colours"]["canvas"] == "#fbfbf9"
    assert opened.colour_at(corner) == "#000000"  # transparent: the page's ground shows
    opened.page.emulate_media(color_scheme="light")


def test_on_a_narrow_screen_everything_stands_below_each_other_and_nothing_is_cut_off(open_page):
    opened = open_page(reach_of_hq(), width=390, height=844, has_touch=True, is_mobile=True)
    wide = opened.page.evaluate("document.documentElement.scrollWidth")
    canvas, answer = (opened.page.locator(name).bounding_box() for name in ("#canvas", "#answer"))

    assert wide == 390
    assert canvas["width"] == 390
    assert canvas["height"] > 300
    assert answer["y"] >= canvas["y"] + canvas["height"]
    opened.page.touchscreen.tap(**opened.place("HQ"))
    opened.page.wait_for_selector("#selected h2")
    assert opened.shown()["selected"] == "HQ"


def test_without_scripts_question_verdict_steps_and_reasons_are_there(open_page):
    opened = open_page(canada(), java_script_enabled=False, drawn=False)
    text = opened.page.locator("body").inner_text()

    assert "The picture needs scripts" in text
    assert "delivered at Canada" in text
    assert "HUB to Canada" in text
    assert "zone SALES, rule R13, confidence H" in text
    assert "the route selector does not let it pass" in text


def test_with_reduced_motion_nothing_moves_by_itself(open_page):
    opened = open_page(reach_of_hq(), reduced_motion="reduce")
    opened.page.locator("#search").fill("TOKYO")
    opened.page.locator("#search").press("Enter")
    opened.page.evaluate("() => new Promise(requestAnimationFrame)")
    place = opened.place("TOKYO")
    opened.settle()

    assert opened.place("TOKYO") == place


def test_on_paper_the_page_is_light_and_without_controls(open_page):
    opened = open_page(canada(), color_scheme="dark")
    opened.page.emulate_media(media="print", color_scheme="dark")
    opened.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")

    assert (
        opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
        == "rgb(255, 255, 255)"
    )
    assert opened.page.locator("#search").is_hidden()
    assert opened.page.locator("#path-steps").is_visible()
    opened.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert opened.shown()["dark"] is True


def test_the_legend_names_what_is_present_and_nothing_else(open_page):
    opened = open_page(example("routers").view().generate_html())
    entries = opened.page.locator("#legend-entries .entry").all_text_contents()

    assert entries == [
        "edge router",
        "router",
        "link",
        "uplink of an edge router",
        "broker or container",
        "worst finding: warning, and how many warnings and errors",
        "cost of the link",
    ]


@pytest.fixture(scope="module")
def port(tmp_path_factory) -> Network:
    root = tmp_path_factory.mktemp("port")
    three_systems.write(root)
    return topograph.read(root)


def test_servers_and_links_of_several_systems_have_legend_entries(open_page, port):
    opened = open_page(port.view().generate_html())
    entries = opened.page.locator("#legend-entries .entry").all_text_contents()

    assert entries[:3] == [
        "IBM MQ queue manager",
        "SIBus bus",
        "WebSphere MQ Everyplace queue manager",
    ]
    assert {"channel", "bus link", "MQ link", "connection", "bridge"} <= set(entries)
    assert any(one.startswith("cluster channel") for one in entries)
    assert "both ways: at least one link each way" in entries


def test_a_line_that_several_channels_share_lists_them_when_it_is_clicked(open_page, port):
    opened = open_page(port.view().generate_html())
    opened.page.mouse.click(**opened.along("QM2", "QM3", 0.5))
    details = opened.page.locator("#selected").inner_text()

    assert "TO.QM2" in details
    assert "TO.QM3" in details
    assert "QM3.mqsc:1:1" in details


def test_a_trace_numbers_its_hops_and_offers_each_choice(open_page, port):
    opened = open_page(port.view(port.trace("QM1", "queue:CRANES")).generate_html())

    assert opened.page.locator("#path-steps li").count() == 2
    assert opened.page.locator("#choose-path option").count() == 3
    assert "over cluster channel TO.QM2 to QM2" in opened.page.locator("#path-steps").inner_text()


def test_a_trace_shows_why_a_message_is_refused(open_page, port):
    opened = open_page(port.view(port.trace("QM1", "queue:CLOSED")).generate_html())

    assert "PUT(DISABLED)" in opened.page.locator("#blocks").inner_text()
    assert "QM1.mqsc:11:1" in opened.page.locator("#blocks").inner_text()


def test_what_a_user_set_in_pyvis_is_drawn_as_set(open_page):
    view = example("orders").view()
    view.get_node("USA")["color"] = "#ff00ff"
    view.add_node("mine", x=0, y=-260, color="#00ffff", shape="square")
    view.add_edge("mine", "HUB", color="#00ff00", width=6)
    view.nodes[:] = [node for node in view.nodes if node["id"] != "Mexico"]
    opened = open_page(view.generate_html())

    assert opened.shown()["servers"] == ["Canada", "HUB", "USA"]
    assert opened.colour_at(opened.place("USA")) == "#ff00ff"


def test_a_page_for_a_picture_without_servers_still_says_its_verdict(open_page):
    scene = dataclasses.replace(
        hostile_scene(),
        servers=(),
        links=(),
        zones=(),
        paths=(),
        blocks=(),
        verdict="Nothing.",
        around=(),
        hidden=0,
    )
    opened = open_page(page_of(scene))

    assert opened.page.locator("#verdict").inner_text() == "Nothing."


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(open_page):
    opened = open_page(
        f"<!DOCTYPE html><p>A notebook.</p>{example('orders').view()._repr_html_()}", drawn=False
    )
    frame = opened.page.frames[1]
    frame.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)

    assert frame.evaluate("window.topograph.shown().servers") == ["Canada", "HUB", "Mexico", "USA"]
    assert frame.evaluate(
        "(() => { try { return parent.document.title } catch (error) { return error.name } })()"
    ) == ("SecurityError")


def test_parallel_links_are_bent_apart(open_page):
    source = Source("a.conf", 1)
    servers = tuple(
        ServerDrawn(name, "ems", True, "", (), source, x=x)
        for name, x in (("A", 0.0), ("B", 300.0))
    )
    links = tuple(
        LinkDrawn(
            f"A-B {n}", ends, "", "", LinkStyle.PLAIN, "", None, source, parallel=n, parallels=2
        )
        for n, ends in enumerate((("A", "B"), ("B", "A")))
    )
    scene = dataclasses.replace(
        hostile_scene(),
        question="estate",
        servers=servers,
        links=links,
        zones=(),
        paths=(),
        blocks=(),
        around=(),
    )
    opened = open_page(page_of(scene))
    ground = opened.shown()["colours"]["canvas"]
    a, b = opened.place("A"), opened.place("B")
    column = [
        opened.colour_at({"x": (a["x"] + b["x"]) / 2, "y": a["y"] + offset})
        not in (ground, "#000000")
        for offset in range(-70, 71)
    ]

    assert sum(drawn and not before for before, drawn in itertools.pairwise([False, *column])) == 2
    assert not column[70]


def test_fifty_parallel_links_are_one_line_that_tells_their_number_and_lists_them(open_page):
    links = [
        LinkShown(("A", "B"), "", "", "A", 1 + number, Source("a.conf", number + 1))
        for number in range(50)
    ]
    opened = open_page(View(draw(estate_of("AB", links))).generate_html())
    assert [text["text"] for text in opened.shown()["texts"] if text["kind"] != "server"] == [
        "×50, cost 1 to 50"
    ]
    at = opened.along("A", "B", 0.5)
    opened.page.mouse.click(at["x"], at["y"])
    listed = opened.page.locator("#selected h3").all_inner_texts()
    assert listed == [f"{number} of 50" for number in range(1, 51)]
    assert "a.conf:50" in opened.page.locator("#selected").inner_text()


def test_links_that_leave_the_picture_end_in_their_number(open_page):
    links = [route("A", "B"), route("B", "C"), route("C", "D"), route("B", "E")]
    opened = open_page(
        View(draw(estate_of("ABCDE", links), around=("A",), depth=1)).generate_html()
    )
    assert [
        (text["kind"], text["text"]) for text in opened.shown()["texts"] if text["kind"] != "server"
    ] == [("leaving", "+2 → 3")]
    opened.page.get_by_role("button", name="B", exact=True).first.click()
    assert (
        "2 servers next to it, 3 with all that lie behind"
        in opened.page.locator("#selected").inner_text()
    )


def test_a_neighbourhood_says_what_it_hides(open_page):
    links = [route("A", "B"), route("B", "C"), route("C", "D"), route("B", "E")]
    opened = open_page(View(draw(estate_of("ABCDE", links))).generate_html())
    assert {text["kind"] for text in opened.shown()["texts"]} == {"server"}
    opened.page.get_by_role("button", name="A", exact=True).first.click()
    opened.page.get_by_role("button", name="Neighbourhood").click()
    opened.settle()
    assert [text["text"] for text in opened.shown()["texts"] if text["kind"] != "server"] == [
        "+2 → 3"
    ]


def test_places_that_were_dragged_are_saved_as_a_layout(open_page, tmp_path: Path):
    network = example("estate")
    opened = open_page(network.view().generate_html())
    before = {server.name: (server.x, server.y) for server in network.scene().servers}
    at = opened.place("LONDON")
    opened.page.mouse.move(at["x"], at["y"])
    opened.page.mouse.down()
    opened.page.mouse.move(at["x"] + 40, at["y"] + 30, steps=4)
    opened.page.mouse.up()
    with opened.page.expect_download() as download:
        opened.page.get_by_role("button", name="Save places").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    saved = read_layout(file)
    assert {name for name in before if saved[name] != before[name]} == {"LONDON"}
    assert saved.keys() == before.keys()
    after = {
        server.name: (server.x, server.y) for server in network.with_layout(file).scene().servers
    }
    assert after == {name: (float(round(x)), float(round(y))) for name, (x, y) in saved.items()}


def test_the_layout_of_hostile_names_is_read_back(open_page, tmp_path: Path):
    opened = open_page(page_of(hostile_scene()))
    with opened.page.expect_download() as download:
        opened.page.get_by_role("button", name="Save places").click()
    file = tmp_path / "places.json"
    download.value.save_as(file)
    assert read_layout(file).keys() == set(HOSTILE_NAMES)


@pytest.mark.parametrize("media", ["screen", "print"])
def test_without_scripts_the_drawing_takes_the_place_of_the_canvas(open_page, media):
    network = example("estate")
    opened = open_page(
        network.view(network.reach("HQ")).generate_html(),
        width=1440,
        height=900,
        java_script_enabled=False,
        drawn=False,
    )
    opened.page.emulate_media(media=media)
    drawing = opened.page.locator("noscript svg")
    box = drawing.bounding_box()
    assert box["height"] > 400
    assert box["y"] >= 0
    names = set(drawing.locator("text").all_text_contents())
    assert {"HQ", "LONDON", "MADRID", "VAULT"} <= names
    assert opened.page.locator(".canvas").is_hidden()
    assert opened.page.locator(".tools").is_hidden()
    assert opened.page.locator("#verdict").is_visible()


def test_a_badge_counts_findings_and_leads_to_them(open_page):
    opened = open_page(example("routers").view().generate_html())
    (badge,) = opened.shown()["badges"]
    assert (badge["about"], badge["severity"], badge["text"]) == ("FRA", "warning", "1")
    corner = opened.page.locator("#canvas").bounding_box()
    opened.page.mouse.click(corner["x"] + badge["x"], corner["y"] + badge["y"])
    opened.settle()
    assert opened.shown()["selected"] == "FRA"
    (first, *_) = opened.page.locator("#selected .finding").all_inner_texts()
    assert first.startswith("warning M-")
    assert re.search(r"\w+\.conf:\d+:\d+$", first)


@pytest.mark.parametrize("number", [6, 60, 300])
def test_badges_count_every_finding_however_small_servers_are(open_page, number):
    """A ring in which each server has two warnings, every tenth an error too."""
    names = [f"S{place:03}" for place in range(number)]
    found = [
        Finding("made", severity, "x", Source(f"{name}/a", line), rule="TL-03", server=name)
        for place, name in enumerate(names)
        for line, severity in enumerate(
            [Severity.WARNING, Severity.WARNING, *[Severity.ERROR] * (place % 10 == 0)], 1
        )
    ]
    links = [route(name, names[place - 1]) for place, name in enumerate(names)]
    scene = draw(dataclasses.replace(estate_of(names, links), findings=found))
    opened = open_page(View(scene).generate_html(), width=1440, height=900)
    shown = opened.shown()
    assert shown["unbadged"] == 0
    numbers = [badge["text"] for badge in shown["badges"]]
    counted = sum(map(int, numbers)) if "99+" not in numbers else len(found)
    assert counted == len(found)
    for badge in shown["badges"]:
        assert badge["size"] <= 8
    opened.page.locator(".found-line").click()
    rule = opened.page.locator(".rule-found.error")
    rule.locator("summary").click()
    opened.settle()
    assert opened.shown()["found"] == names[::10]
    assert rule.locator("li").count() == len(names[::10])
    opened.page.keyboard.press("Escape")
    opened.settle()
    assert opened.shown()["found"] == []


def test_beside_an_answer_findings_are_listed_without_badges(open_page):
    network = example("estate")
    opened = open_page(network.view(network.reach("HQ")).generate_html())
    assert opened.shown()["badges"] == []
    opened.page.locator("#server-list button", has_text="MADRID").click()
    assert opened.page.locator("#selected .finding.warning").count() == 3


def test_containers_and_edge_routers_are_drawn_named_and_in_the_legend(open_page):
    opened = open_page(example("routers").view().generate_html())
    named = {text["text"] for text in opened.shown()["texts"] if text["kind"] == "attached"}
    assert named == {"archive.mesh.example.net:5672", "store.mesh.example.net:5672"}
    assert {"edge router", "broker or container"} <= set(
        opened.page.locator("#legend-entries .entry").all_text_contents()
    )
    opened.page.locator("#server-list button", has_text="FRA").click()
    said = opened.page.locator("#selected").inner_text()
    assert re.search(
        r"store\.mesh\.example\.net:5672 broker or container frankfurt\.conf:\d+", said
    )
