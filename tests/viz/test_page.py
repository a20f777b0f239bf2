"""The text of a page, without a browser: what is markup and what is data, and that nothing in it
comes from a configuration unescaped.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from page_markup import rows_of, unpacked

import topograph
from topograph.findings import Source
from topograph.viz.page import STEPS_AS_TEXT, bundle, render
from topograph.viz.scene.found import MOST as MOST_FINDINGS
from topograph.viz.scene.records import (
    BlockDrawn,
    CommandDrawn,
    GroupDrawn,
    LinkDrawn,
    LinkStyle,
    Mark,
    PathDrawn,
    RowDrawn,
    Scene,
    ServerDrawn,
    StepDrawn,
    ZoneDrawn,
)
from topograph.viz.view import View

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "viz" / "page"
SOURCE = Source("a/routes.conf", 3, 1)
HOSTILE = "</script></style></title><img src=x onerror=alert(1)><!--\u2028'\"&"


class Parsed(HTMLParser):
    """The elements of a page, and the text of its scripts and styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.policy = ""
        self.inside: dict[str, list[str]] = {"script": [], "style": [], "data": [], "bundles": []}
        self.within, self.packed = "", False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attrs)
        given = dict(attrs)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        self.within = {"data": "data", "code": "bundles"}.get(
            given.get("id") or given.get("class"), tag
        )
        self.packed = given.get("type") == "application/zlib"
        if self.within in self.inside:
            self.inside[self.within].append("")

    def handle_endtag(self, tag):
        if self.within in self.inside and self.packed:
            self.inside[self.within][-1] = unpacked(self.inside[self.within][-1])
        self.within, self.packed = "", False

    def handle_data(self, data):
        if self.within in self.inside:
            self.inside[self.within][-1] += data


def scene(text: str, steps: int = 1) -> Scene:
    """Two servers, a link, a path and a block, with ``text`` wherever a configuration or a user
    gives one.
    """
    a, b = f"A{text}", f"B{text}"
    source = Source(f"{text}/routes.conf", 3)
    row = RowDrawn((a, b), text, (text,), source, text)
    taken = tuple(
        StepDrawn(n + 1, a, b, "A-B", text, text, text, (text,), source) for n in range(steps)
    )
    return Scene(
        question="paths",
        title=text,
        verdict=text,
        network=text,
        snapshot=text,
        engine=text,
        exact=False,
        servers=(
            ServerDrawn(a, text, True, text, (text,), source, note=text),
            ServerDrawn(b, text, False, text, (text,), source, x=200.0),
        ),
        links=(
            LinkDrawn(
                "A-B", (a, b), text, text, LinkStyle.ACTIVE_ACTIVE, "", None, source, note=text
            ),
        ),
        zones=(ZoneDrawn(text, text, (a, b), ("A-B",), True),),
        paths=(PathDrawn(text, (a, b), taken, together=text),),
        blocks=(BlockDrawn(a, b, "A-B", text, text, "FALSE", source),),
        facts=((text, text),),
        around=(text,),
        hidden=2,
        told=(text,),
        commands=(
            CommandDrawn(1, a, text, text, source, (text,), (row,), 3, ((a, Mark.APART, 3),)),
        ),
        groups=(GroupDrawn(text, Mark.LOSES, (row,), 1, text, cut=True),),
    )


def page(of: Scene) -> str:
    return View(of).generate_html()


def data(html: str) -> dict:
    (text,) = Parsed(html).inside["data"]
    return json.loads(text)


def test_hostile_text_adds_no_element_and_no_attribute():
    # As long as the hostile text: names that fit are drawn inside boxes.
    harmless = re.sub(r"[<>&'\"!=/()]", "x", HOSTILE)
    plain, hostile = Parsed(page(scene(harmless))), Parsed(page(scene(HOSTILE)))

    assert hostile.tags == plain.tags
    assert hostile.attributes == plain.attributes
    assert "img" not in hostile.tags


def test_hostile_text_arrives_in_the_data_as_it_was():
    found = data(page(scene(HOSTILE)))

    assert {HOSTILE, f"A{HOSTILE}", f"B{HOSTILE}", f"{HOSTILE}/routes.conf"} <= set(found["texts"])


def test_the_policy_names_the_hash_of_everything_that_runs_or_styles_and_allows_nothing_else():
    parsed = Parsed(page(scene(HOSTILE)))
    policy = {words[0]: words[1:] for words in (part.split() for part in parsed.policy.split(";"))}

    def hashes(kind: str) -> list[str]:
        digests = [hashlib.sha256(text.encode()).digest() for text in parsed.inside[kind]]
        return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]

    assert policy == {
        "default-src": ["'none'"],
        "script-src": [*hashes("bundles"), *hashes("script")],
        "style-src": hashes("style"),
        "img-src": ["data:"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
    }
    assert not any(name == "style" or name.startswith("on") for name in parsed.attributes)


def test_a_page_names_no_other_file():
    html = page(scene("x"))
    places = re.findall(
        r"""(?:src|href)=["']([^"']*)["']""",
        re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL),
    )

    assert places == ["data:,", "#answer", "#basis"]
    assert "sourceMappingURL" not in html


def test_equal_scenes_give_equal_pages():
    assert page(scene("x")) == page(scene("x"))


def test_the_page_runs_the_bundle_of_a_picture():
    found = Parsed(page(scene("x"))).inside

    assert found["bundles"][-1] == bundle("picture")
    assert found["script"] == [bundle("unpack")]


def test_what_the_user_set_travels_beside_the_scene_and_what_the_scene_set_does_not():
    view = View(scene("x"))
    view.get_node("Ax")["color"] = "red"
    view.get_node("Bx")["label"] = "Bee"
    view.edges[0]["width"] = 7
    view.add_node("mine", x=1, y=2)
    view.add_edge("mine", "Ax", id="new")
    found = data(view.generate_html())

    assert found["looks"] == {
        "servers": {"Ax": {"color": "red"}, "Bx": {"label": "Bee"}},
        "links": {"A-B": {"width": 7}},
    }
    assert [node["id"] for node in found["added"]["nodes"]] == ["mine"]
    assert [(edge["from"], edge["to"]) for edge in found["added"]["edges"]] == [("mine", "Ax")]


def test_a_place_that_the_user_gave_wins():
    view = View(scene("x"))
    view.get_node("Ax")["x"] = -321.04
    found = data(view.generate_html())

    assert [row[10] for row in rows_of(found["servers"])] == [-321.0, 200.0]


def test_what_the_user_took_out_is_gone_with_what_hung_on_it():
    view = View(scene("x"))
    view.nodes[:] = [node for node in view.nodes if node["id"] != "Bx"]
    found = data(view.generate_html())

    assert [found["texts"][row[0]] for row in rows_of(found["servers"])] == ["Ax"]
    assert rows_of(found["links"]) == []
    assert [len(zone[2]) for zone in found["zones"]] == [1]


def test_equal_steps_of_many_paths_are_held_once_and_a_path_takes_few_bytes():
    one = scene("x")
    thousand, two = (
        page(dataclasses.replace(one, paths=one.paths * count)) for count in (1000, 2000)
    )

    assert data(thousand)["steps"]["rows"] == 1
    assert len(two) - len(thousand) < 1000 * 30


def test_the_markup_holds_steps_up_to_a_limit_and_says_how_many_paths_are_left():
    long = scene("x", steps=STEPS_AS_TEXT // 2)
    html = page(dataclasses.replace(long, paths=long.paths * 5))

    assert html.count('<ol class="steps">') == 2
    assert "3 more paths." in html


def test_render_takes_any_network_of_pyvis():
    html = render([{"id": "Ax", "x": 5, "y": 6, "label": "Ax"}], [], scene("x"))

    assert [row[10:12] for row in rows_of(data(html)["servers"])] == [[5, 6]]


COLOURS = dict(
    re.findall(r"(--[\w-]+): light-dark\((#\w{6}, #\w{6})\)", (PAGE / "style.css").read_text())
)
TEXT = ["text", "muted", "path", "good", "bad", "doubt", "from", *(f"zone-{n}" for n in range(8))]
SIGNS = ["plain", "line", "passed", "twice", "spare", "focus"]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours (WCAG 2.2, 1.4.3)."""

    def luminance(colour: str) -> float:
        parts = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["page", "canvas", "raised"])
def test_text_and_signs_stand_out_from_their_ground_in_both_themes(theme, ground):
    colour = {name.removeprefix("--"): pair.split(", ")[theme] for name, pair in COLOURS.items()}
    weak_text = {name: contrast(colour[name], colour[ground]) for name in TEXT}
    weak_signs = {name: contrast(colour[name], colour[ground]) for name in SIGNS}

    assert {name: ratio for name, ratio in weak_text.items() if ratio < 4.5} == {}
    assert {name: ratio for name, ratio in weak_signs.items() if ratio < 3} == {}


def company(hubs: int, tmp_path: Path) -> topograph.Network:
    """The estate that speed is measured on."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        import estates
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))
    estates.write(estates.company(hubs), tmp_path / "company")
    return topograph.read(tmp_path / "company")


@pytest.mark.slow
def test_a_thousand_servers_with_a_path_to_each_are_at_most_two_megabytes(tmp_path):
    network = company(100, tmp_path)
    answer = network.reach("HUB0000")
    html = View(network.scene(answer, whole=True)).generate_html()

    assert data(html)["servers"]["rows"] == 1000
    assert data(html)["links"]["rows"] == 4599
    assert len(data(html)["paths"]) == len(answer.servers)
    assert len(html.encode()) <= 2_000_000


@pytest.mark.slow
def test_the_findings_of_a_thousand_servers_do_not_make_their_page_larger_than_a_megabyte(tmp_path):
    network = company(100, tmp_path)

    assert len(network.scene(whole=True).findings) == MOST_FINDINGS
    assert len(network.view().generate_html().encode()) <= 1_000_000


def test_rules_and_confidences_at_the_steps_are_explained_beside_them():
    network = topograph.read(ROOT / "examples" / "estate")
    html = network.view(network.paths("LONDON", "MEXICO")).generate_html()
    words = re.search(r'<details id="words".*?</details>', html, re.DOTALL)[0]
    terms = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", words))
    assert list(terms) == ["rule R13", "confidence H"]
    assert terms["rule R13"].startswith("When a message goes on. A message that arrived over one")
    assert terms["confidence H"] == ("high: the vendor&#39;s documentation says so, in one voice")
    assert 'id="words"' not in network.view().generate_html()
