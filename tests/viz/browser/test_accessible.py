"""Pages judged by axe-core: nothing serious or critical in any section, in both themes, wide and
narrow, with panel and search open.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

import pytest
from draws import share

import topograph

pytest.importorskip(
    "axe_playwright_python",
    reason="axe-core comes with axe-playwright-python, which is not installed",
)

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SIZES = [(1280, 800), (390, 844)]


@cache
def axe() -> str:
    return (
        resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    )


@cache
def report(name: str) -> str:
    return topograph.read(EXAMPLES / name).report().generate_html()


@cache
def picture(name: str) -> str:
    network = topograph.read(EXAMPLES / name)
    return network.view(network.reach(network.server_names()[0])).generate_html()


def violations(opened) -> list[str]:
    """What is serious or critical, each with the first elements concerned."""
    opened.page.evaluate(axe())
    found = opened.page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        f"{one['impact']} {one['id']}: {', '.join(node['html'][:120] for node in one['nodes'][:3])}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def open_panel_and_search(opened) -> None:
    opened.page.locator("#canvas").focus()
    opened.page.keyboard.press("ArrowRight")
    opened.page.keyboard.press("Enter")
    assert opened.page.locator("#selected").is_visible()
    opened.page.locator("#search").fill("a")
    assert opened.page.locator("#found").is_visible()


@pytest.mark.parametrize(
    ("name", "width", "height", "scheme"),
    share(
        [  # both sizes and both schemes of each, and every pair of them of the smallest
            ("estate", *SIZES[0], "light"),
            ("estate", *SIZES[1], "dark"),
            ("mixed", *SIZES[0], "dark"),
            ("mixed", *SIZES[1], "light"),
            *(
                ("two-1hop-zones/with-g-a", *size, scheme)
                for size in SIZES
                for scheme in ("light", "dark")
            ),
        ],
        2,
    ),
)
def test_no_section_of_a_report_hinders_anybody(open_page, name, width, height, scheme):
    opened = open_page(
        report(name), width=width, height=height, color_scheme=scheme, reduced_motion="reduce"
    )
    opened.page.wait_for_selector("#ask-examples button")
    assert violations(opened) == []
    opened.page.locator("#ask-from").press("Enter")
    assert opened.shown()["marks"]
    assert violations(opened) == []
    opened.page.locator("#ask-question").select_option("propagate")
    opened.page.locator("#ask-add").click()
    opened.page.locator(".ask-name").press("Enter")
    assert opened.page.locator("#ask-form [aria-invalid]").count()
    open_panel_and_search(opened)
    opened.page.locator("#findings-text").fill("o") if opened.page.locator(
        "#findings-text"
    ).count() else None
    opened.page.locator("#search").fill("a")
    assert violations(opened) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_no_part_of_a_picture_hinders_anybody(open_page, width, height, scheme):
    opened = open_page(
        picture("estate"), width=width, height=height, color_scheme=scheme, reduced_motion="reduce"
    )
    assert violations(opened) == []
    open_panel_and_search(opened)
    assert violations(opened) == []


@pytest.mark.parametrize("name", ["estate", "mixed"])
def test_every_tab_stop_has_a_name(open_page, name):
    opened = open_page(report(name))
    opened.page.wait_for_selector("#ask-examples button")
    opened.page.locator("#ask-from").press("Enter")
    unnamed = opened.page.evaluate(
        """() => {
            const stops = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")];
            const named = (stop) =>
                stop.getAttribute("aria-label") || stop.getAttribute("aria-labelledby") || stop.textContent.trim() ||
                (stop.labels && stop.labels.length);
            return stops.filter((stop) => stop.tabIndex >= 0 && stop.checkVisibility() && !named(stop)).map((stop) => stop.outerHTML);
        }"""  # noqa: E501
    )

    assert unnamed == []


@cache
def followed() -> str:
    network = topograph.read(EXAMPLES / "queue_managers")
    return network.view(network.trace("STORE1", "queue:ORDERS")).generate_html()


@cache
def changed() -> str:
    network = topograph.read(EXAMPLES / "queue_managers")
    answer = network.audit(EXAMPLES / "changes" / "store2-orders.mqsc", at="STORE2")
    return network.view(answer).generate_html()


@pytest.mark.parametrize("page", [followed, changed])
@pytest.mark.parametrize(
    ("width", "height", "scheme"), [(*SIZES[0], "light"), (*SIZES[1], "dark"), (*SIZES[0], "dark")]
)
def test_what_a_message_passes_inside_the_servers(open_page, width, height, scheme, page):
    opened = open_page(page(), width=width, height=height, color_scheme=scheme)
    assert violations(opened) == []
    opened.page.locator("#inside .station").first.click()
    opened.settle()
    assert violations(opened) == []
