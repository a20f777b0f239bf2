"""The tables of a report in a real browser: findings filtered, sorted, copied and written as
CSV, those beyond the markup on demand.
"""

from __future__ import annotations

import csv
import dataclasses
import io
from functools import cache
from pathlib import Path

import pytest

import topograph
from topograph.findings import Source
from topograph.reporting.report import FindingGroup, FindingShown
from topograph.viz.report.page import ReportPage

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@cache
def estate() -> str:
    return topograph.read(EXAMPLES / "estate").report().generate_html()


def many(number: int, message: str = "finding #") -> str:
    """A report with so many findings of one rule, each at a place of its own."""
    page: ReportPage = topograph.read(EXAMPLES / "orders").report()
    servers = ["HUB", "Canada", "USA"]
    found = tuple(
        FindingShown(
            "warning",
            "R1",
            "",
            message.replace("#", str(at)),
            servers[at % 3],
            (),
            Source("a.conf", at + 1),
            "",
        )
        for at in range(number)
    )
    group = FindingGroup("warning", "R1", "A name", "A rule.", found)
    page.report = dataclasses.replace(page.report, groups=(group,), counts={"warning": number})
    return page.generate_html()


def messages(opened) -> list[str]:
    cells = opened.page.locator("#findings .group-of-rule:not([hidden]) tbody tr td:first-child")
    return cells.all_inner_texts()


def download(opened) -> list[list[str]]:
    with opened.page.expect_download() as waited:
        opened.page.locator("#findings-csv").click()
    assert waited.value.suggested_filename == "findings.csv"
    data = Path(waited.value.path()).read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n")
    # What a download asks for is the page's own.
    opened.requests[:] = [one for one in opened.requests if not one.startswith("blob:")]
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


def test_findings_are_filtered_by_text_severity_rule_and_server(open_page):
    opened = open_page(estate())
    page = opened.page
    everything = messages(opened)
    page.locator("#findings-text").fill("MADRID")
    assert messages(opened)
    assert all("MADRID" in text for text in messages(opened))
    number = len(messages(opened))
    assert page.locator("#findings-number").inner_text() == f"{number} findings"
    page.locator("#findings-text").fill("")
    assert messages(opened) == everything
    rule = page.locator("#findings-rule option").nth(1).get_attribute("value")
    page.locator("#findings-rule").select_option(rule)
    groups = page.locator("#findings .group-of-rule:not([hidden])")
    assert {group.get_attribute("data-rule") for group in groups.all()} == {rule}
    page.locator("#findings-rule").select_option("")
    page.locator("#findings-server").fill("LONDON")
    rows = page.locator("#findings .group-of-rule:not([hidden]) tbody tr")
    assert rows.count()
    for row in rows.all():
        assert "LONDON" in (
            row.get_attribute("data-server"),
            *(row.get_attribute("data-link") or "").split('"'),
        )
    page.locator("#findings-server").fill("")
    page.locator("#findings-severity").select_option("info")
    assert {row.get_attribute("data-severity") for row in rows.all()} == {"info"}
    assert len(messages(opened)) < len(everything)


def test_a_heading_sorts_and_says_so(open_page):
    opened = open_page(many(120))
    page = opened.page
    heading = page.locator("#findings th").first
    assert heading.get_attribute("aria-sort") == "none"
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert messages(opened)[:3] == ["finding 0", "finding 1", "finding 2"]
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert messages(opened)[:3] == ["finding 119", "finding 118", "finding 117"]
    page.locator("#findings th").nth(1).locator("button").click()
    assert heading.get_attribute("aria-sort") == "none"


def test_other_tables_sort_numbers_as_numbers(open_page):
    opened = open_page(estate())
    column = opened.page.locator("#inventory th.number").first
    place = column.evaluate("(heading) => heading.cellIndex")
    column.locator("button").click()
    cells = opened.page.locator(f"#inventory tbody tr > :nth-child({place + 1})").all_inner_texts()
    numbers = [int(cell) for cell in cells]

    assert numbers == sorted(numbers)
    assert column.get_attribute("aria-sort") == "ascending"


def test_findings_beyond_the_markup_come_on_demand_and_are_searched_at_once(open_page):
    html = many(700)
    assert html.count("finding ") < 700 * 2
    opened = open_page(html)
    assert len(messages(opened)) == 200
    opened.page.get_by_role("button", name="Show 200 more of R1").click()
    assert len(messages(opened)) == 400
    opened.page.locator("#findings-text").fill("finding 699")
    assert messages(opened) == ["finding 699"]
    opened.page.locator("#findings-text").fill("")
    assert len(messages(opened)) == 200


def test_a_finding_opens_its_place_in_the_picture(open_page):
    opened = open_page(many(700))
    opened.page.locator("#findings-text").fill("finding 601")
    opened.page.locator("#findings tbody button.show").click()

    assert opened.shown()["selected"] == "Canada"
    assert opened.page.evaluate("document.activeElement.id") == "canvas"


def test_a_finding_is_copied_as_one_line(open_page):
    opened = open_page(many(3, "a\tb #"), permissions=["clipboard-read", "clipboard-write"])
    opened.page.locator("button.copy-row").nth(1).click()
    copied = opened.page.evaluate("navigator.clipboard.readText()")

    assert copied.split("\t")[:2] == ["warning", "R1"]
    assert copied.split("\t")[3:] == ["Canada", "a.conf:2"]


def test_csv_holds_what_matches_and_no_formula(open_page):
    texts = ["=1+1", "+x", "-x", "@x", 'say "yes", no', "plain"]
    page: ReportPage = topograph.read(EXAMPLES / "orders").report()
    found = tuple(
        FindingShown("error", "R1", "", text, "HUB", (), Source("a.conf", 1), "=cmd")
        for text in texts
    )
    group = FindingGroup("error", "R1", "A name", "A rule.", found)
    page.report = dataclasses.replace(page.report, groups=(group,), counts={"error": len(texts)})
    opened = open_page(page.generate_html(), accept_downloads=True)
    head, *rows = download(opened)

    assert head == ["severity", "rule", "message", "server", "link", "place", "excerpt"]
    assert [row[2] for row in rows] == ["'=1+1", "'+x", "'-x", "'@x", 'say "yes", no', "plain"]
    assert {row[6] for row in rows} == {"'=cmd"}
    opened.page.locator("#findings-text").fill("plain")
    assert [row[2] for row in download(opened)[1:]] == ["plain"]


@pytest.mark.parametrize("text", ["</script><img src=x onerror=alert(1)>", "{{ 7*7 }}"])
def test_hostile_findings_stay_text(open_page, text):
    opened = open_page(many(260, text + " #"))
    opened.page.locator("#findings-text").fill(f"{text} 259")

    assert messages(opened) == [f"{text} 259"]
    assert opened.page.locator("#findings img").count() == 0
