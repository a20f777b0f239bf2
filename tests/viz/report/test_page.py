"""The markup of reports, read by a parser that knows which elements are closed."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest
from page_markup import Markup, rows_of, unpacked

import topograph

EXAMPLES = Path(__file__).parents[3] / "examples"
NAMES = (
    "estate",
    "routers",
    "mixed",
    "orders",
    "two-1hop-zones",
    "sibus_orders",
    "queue_managers",
    "mqe_devices",
)


@pytest.fixture(scope="module", params=NAMES)
def page(request) -> str:
    return topograph.read(EXAMPLES / request.param).report().generate_html()


def test_elements_are_nested_and_ids_are_unique(page):
    markup = Markup(page)
    assert markup.open == []
    assert len(markup.ids) == len(set(markup.ids))


def test_references_lead_to_what_is_there(page):
    markup = Markup(page)
    for tag, attributes in markup.elements:
        for name in ("aria-labelledby", "aria-controls", "aria-describedby"):
            assert set((attributes.get(name) or "").split()) <= set(markup.ids), (tag, attributes)
        target = attributes.get("href") or ""
        assert (
            target == "data:,"
            or target.startswith("#ask?")
            or (target.startswith("#") and target[1:] in markup.ids)
            or not target
        ), target


def test_every_table_has_a_caption_and_headings_with_their_scope(page):
    tables = re.findall(r"<table.*?</table>", page, re.DOTALL)
    assert tables
    for table in tables:
        assert "<caption" in table
        assert all('scope="' in heading for heading in re.findall(r"<th\b[^>]*>", table))


def test_the_policy_names_the_hash_of_everything_that_runs_or_styles(page):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")
    bodies = re.findall(r"<(?:script|style)>(.*?)</(?:script|style)>", page, re.DOTALL)
    bodies += [
        unpacked(text)
        for text in re.findall(r'<script type="application/zlib" class="code">(.*?)</script>', page)
    ]
    assert len(bodies) == 4
    hashes = {
        f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'"
        for body in bodies
    }
    assert hashes == set(re.findall(r"'sha256-[^']*'", policy))
    assert not re.search(r"\sstyle=", page.partition("<script")[0])
    assert not re.search(r"(?:src|href)=\"?(?:https?:|//)", page)


def test_what_matters_stands_in_the_markup(page):
    text = page.partition('<script type="')[0]
    for section in (
        "verdict",
        "picture",
        "findings",
        "inventory",
        "matrix",
        "provenance",
        "glossary",
    ):
        assert f'<section id="{section}"' in text
    assert '<svg class="still"' in text


def test_the_data_is_packed_and_holds_the_servers():
    network = topograph.read(EXAMPLES / "estate")
    kind, data = re.search(
        r'<script type="application/(\w+)" id="data">(.*?)</script>',
        network.report().generate_html(),
    ).groups()
    assert kind == "zlib"
    found = json.loads(unpacked(data))
    assert {found["texts"][row[0]] for row in rows_of(found["servers"])} == set(
        network.server_names()
    )


def test_what_a_user_sets_in_the_topology_wins():
    report = topograph.read(EXAMPLES / "orders").report()
    report.topology.get_node("HUB")["color"] = "#123456"
    data = re.search(r'id="data">(.*?)</script>', report.generate_html())[1]
    found = json.loads(unpacked(data) if not data.startswith('{"') else data)
    assert found["looks"]["servers"] == {"HUB": {"color": "#123456"}}
