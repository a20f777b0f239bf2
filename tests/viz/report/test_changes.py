"""What changes, and answers of other commands, as sections of a report."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from page_markup import Markup

import topograph
from topograph.errors import InputError, UsageError
from topograph.reporting.answers import read_answer, shown

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def network():
    return topograph.read(EXAMPLES / "estate")


def section(page: str, name: str) -> str:
    return re.search(rf'<section id="{name}".*?</section>', page, re.DOTALL)[0]


def test_a_change_is_the_first_section_with_its_commands_and_what_is_lost(network):
    answer = network.audit(EXAMPLES / "changes" / "canada.txt", at="HQ")
    page = network.report(answer).generate_html()
    assert re.findall(r'<section id="(\w+)"', page)[:2] == ["changes", "verdict"]
    told = html.unescape(section(page, "changes"))
    for step in answer.steps:
        assert step.command in told
        assert str(step.source) in told
    assert answer.deliveries.lost
    for one in answer.deliveries.lost:
        assert f"<bdi>{one.server}</bdi> no longer gets" in told


def test_a_witness_is_a_link_that_asks_about_it_in_the_page(network):
    answer = network.audit(EXAMPLES / "changes" / "canada.txt", at="HQ")
    one = answer.deliveries.lost[0]
    (link, *_) = re.findall(
        r'href="#ask\?([^"]*)"', section(network.report(answer).generate_html(), "changes")
    )
    asked = parse_qs(html.unescape(link))
    assert asked["q"] == ["propagate"]
    assert (asked["from"], asked["destination"]) == ([one.from_], [one.destination])
    assert asked["set"] == [f"string:{name}={value}" for name, value in sorted(one.witness.items())]


def test_an_answer_of_another_command_is_a_section(network):
    told = json.loads(json.dumps(network.reach("CANADA").to_dict()))
    page = network.report(answers=[("reach.json", told)]).generate_html()
    part = section(page, "answer-1")
    assert "reach CANADA" in part
    assert all(f"<td>{one.server}</td>" in part for one in network.reach("CANADA").servers)
    assert "another snapshot" not in part


def test_an_answer_about_another_snapshot_says_so(network):
    told = network.cycles().to_dict() | {"snapshot": "0" * 32}
    assert "another snapshot" in section(
        network.report(answers=[("x.json", told)]).generate_html(), "answer-1"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        '{"question": "reach"}',
        '{"question": "rm", "snapshot": "a"}',
        '{"question": "reach", "snapshot": 7}',
        '{"question": ["reach"], "snapshot": "a"}',
    ],
    ids=["nothing", "list", "empty", "deep", "no-snapshot", "unknown", "number", "unhashable"],
)
def test_what_is_no_answer_is_refused(text):
    with pytest.raises(InputError, match="--format json"):
        read_answer(text.encode(), "answer.json")


def test_what_an_answer_says_is_text(network):
    hostile = "</script><img src=x onerror=alert(1)>\u202egnp.exe"
    told = network.cycles().to_dict() | {
        "from": hostile,
        hostile: hostile,
        "rows": [{hostile: hostile}],
    }
    page = network.report(answers=[(hostile, told)]).generate_html()
    assert "<img" not in page
    assert "\u202e" not in "".join(Markup(page).texts)


def test_a_redacted_report_takes_no_answer_of_another_key():
    told = {"question": "reach", "snapshot": "a", "redaction": "", "from": "A", "servers": []}
    with pytest.raises(UsageError, match="redacted"):
        shown(told, "a.json", "b", "key")
    assert shown(told | {"redaction": "key"}, "a.json", "b", "key").title == "reach A"
