"""What a reader can read of a report beside its picture: every section, in every window, light
and dark.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from draws import share

import topograph

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

pytestmark = [pytest.mark.slow, pytest.mark.browser]

WINDOWS = (
    (1440, 900, "light"),
    (1280, 800, "dark"),
    (1024, 600, "light"),
    (390, 844, "light"),
    (390, 844, "dark"),
)
"""Width, height and scheme: places follow from the size alone."""

# The words of the page with their boxes: the lines of each text node that is shown outside of the
# picture.
WORDS = """() => {
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const parent = node.parentElement;
        if (!node.data.trim() || parent.closest("svg, canvas, script, style, datalist, select, .unseen, .skip, .canvas"))
            continue;
        if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
            if (box.width < 1 || box.height < 1) continue;
            found.push({ text: node.data.trim().slice(0, 60), parent, box });
        }
    }
    return found;
}"""  # noqa: E501

CLIPPED = """() => WORDS().flatMap(({ text, parent, box }) => {
    for (let own = parent; own && own !== document.body; own = own.parentElement) {
        const style = getComputedStyle(own), edge = own.getBoundingClientRect();
        const cut = (value) => value === "hidden" || value === "clip";
        const across = cut(style.overflowX) && (box.left < edge.left - 1 || box.right > edge.right + 1);
        const down = cut(style.overflowY) && (box.top < edge.top - 1 || box.bottom > edge.bottom + 1);
        if (across || down) return [`${text} in ${own.tagName}.${own.className}`];
        if (/auto|scroll/.test(style.overflowX + style.overflowY)) break;
    }
    return [];
})"""  # noqa: E501

OVERLAPPING = """() => {
    const words = WORDS().filter(({ parent, box }) => {
        for (let own = parent; own; own = own.parentElement) {
            const style = getComputedStyle(own), edge = own.getBoundingClientRect();
            if (["fixed", "sticky"].includes(style.position)) return false;
            // Scrolled out of its box.
            if (/auto|scroll/.test(style.overflowY) && (box.bottom > edge.bottom || box.top < edge.top)) return false;
        }
        return true;
    });
    words.sort((one, other) => one.box.top - other.box.top);
    const found = [];
    words.forEach((one, index) => {
        for (let at = index + 1; at < words.length && words[at].box.top < one.box.bottom - 3; at += 1) {
            const other = words[at];
            const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
            const down = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
            const apart = (a, b) => a.closest(".table, .answer") !== b.closest(".table, .answer");
            if (across > 2 && down > 5 && !apart(one.parent, other.parent)) found.push(`${one.text} / ${other.text}`);
        }
    });
    return found;
}"""  # noqa: E501

FAINT = """() => {
    const numbers = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
    const light = (colour) => {
        const [r, g, b] = numbers(colour).slice(0, 3).map((part) => part / 255)
            .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (own) => {
        for (; own; own = own.parentElement) {
            const colour = getComputedStyle(own).backgroundColor, alpha = numbers(colour)[3];
            if (colour.startsWith("rgb") && (alpha === undefined || alpha > 0.99)) return colour;
        }
        return getComputedStyle(document.documentElement).colorScheme.includes("dark") ? "rgb(0,0,0)" : "rgb(255,255,255)";
    };
    return WORDS().flatMap(({ text, parent }) => {
        const colour = getComputedStyle(parent).color, under = ground(parent);
        const [low, high] = [light(colour), light(under)].sort((one, other) => one - other);
        const ratio = (high + 0.05) / (low + 0.05);
        return ratio < 4.5 && !parent.closest("[disabled]") ? [`${text}: ${ratio.toFixed(2)}, ${colour} on ${under}`] : [];
    });
}"""  # noqa: E501

# Every box that scrolls, but the picture's, stands at its end.
SCROLLED = """() => [...document.querySelectorAll("main *")]
    .filter((own) => /auto|scroll/.test(getComputedStyle(own).overflowY))
    .forEach((own) => { own.scrollTop = own.scrollHeight; })"""

BEYOND = """() => [...document.querySelectorAll("main .table, main section, main p, main ul, main ol, main dl")]
    .filter((own) => own.checkVisibility() && !own.closest(".unseen, .table, .workbench, svg, #still"))
    .filter((own) => own.getBoundingClientRect().right > innerWidth + 1)
    .map((own) => `${own.tagName}#${own.id}.${own.className}`)"""  # noqa: E501

DELETED = "delete route LONDON\n"


@cache
def report(name: str) -> str:
    network = topograph.read(EXAMPLES / name.removesuffix("+change"))
    return network.report(
        *([network.audit(DELETED, at="HQ")] if "+" in name else [])
    ).generate_html()


def found(page, what: str) -> list[str]:
    """What a script finds in the page, at most ten."""
    return page.evaluate(f"(() => {{ const WORDS = {WORDS}; return ({what})(); }})()")[:10]


@pytest.mark.parametrize(("width", "height", "scheme"), share(WINDOWS, 2))
@pytest.mark.parametrize(
    "name", ["estate", "estate+change", "routers", "mhop-star/with-b-d", "queue_managers"]
)
def test_every_section_can_be_read(open_page, name, width, height, scheme):
    opened = open_page(report(name), width=width, height=height, color_scheme=scheme)
    page = opened.page
    page.wait_for_selector("#glossary.laid-out")  # the last of what is laid out later
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, (
        "the page scrolls sideways"
    )
    assert found(page, BEYOND) == [], "it leaves the window"
    assert found(page, CLIPPED) == [], "text is cut off"
    assert found(page, OVERLAPPING) == [], "texts lie on each other"
    assert found(page, FAINT) == [], "the contrast is below 4.5:1"
    page.evaluate(SCROLLED)
    assert found(page, CLIPPED) == [], "text is cut off at the end of its box"
    assert found(page, OVERLAPPING) == [], "texts lie on each other at the end of their box"


def test_an_answer_on_a_phone_stands_before_its_picture(open_page):
    opened = open_page(report("estate"), width=390, height=844)
    page = opened.page
    page.evaluate("topograph.ask({ kind: 'reach', from: 'LONDON', to: 'MEXICO' })")
    places = page.evaluate(
        "['[data-said=verdict]', '#path-steps', '#canvas'].map((one) => "
        "document.querySelector(one).getBoundingClientRect().top)"
    )
    assert places == sorted(places)
    page.evaluate("document.querySelector('#picture').scrollIntoView()")
    last = page.locator("#path-steps li").last.bounding_box()
    assert last["y"] + last["height"] <= 844
    page.evaluate("document.querySelector('#ask-clear').click()")
    assert not page.evaluate("document.body.classList.contains('answered')")


def test_commands_of_a_change_stand_once(open_page):
    opened = open_page(report("estate+change"))
    assert opened.page.locator(".commands").count() == 1
    assert opened.page.locator("#changes .commands > li").count() == 1
    assert opened.page.locator("#changes table").count() == 0
