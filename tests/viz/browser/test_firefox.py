"""The pages in Firefox: they are drawn, and nothing is requested, said on the console or refused
by the policy.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import topograph
from topograph.network import Network

from .firefox import Firefox, running

NAMES = ("firefox-esr", "firefox")
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("no Firefox: apt-get install firefox-esr")
    with running(program, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def pictures() -> dict[str, str]:
    """A page of each kind."""
    estate, orders = topograph.read(EXAMPLES / "estate"), topograph.read(EXAMPLES / "orders")
    routers = topograph.read(EXAMPLES / "routers")
    route = (EXAMPLES / "changes" / "hq-lakeside.txt").read_text()
    return {
        "estate": page(estate, None),
        "paths": page(estate, estate.paths("LONDON", "MEXICO")),
        "propagate": page(orders, orders.propagate("HUB", "topic:orders", {"country": "Canada"})),
        "routers": page(routers, None),
        "report": estate.report().generate_html(),
        "audit": page(estate, estate.audit(route, at="HQ")),
    }


def page(network: Network, answer: object) -> str:
    return (network.view(answer) if answer is not None else network.view()).generate_html()


def test_a_page_is_drawn_in_firefox_without_a_request_a_message_or_a_violation(
    firefox: Firefox, tmp_path: Path
) -> None:
    found = {}
    for name, html in pictures().items():
        file = tmp_path / f"{name}.html"
        file.write_text(html, encoding="utf-8")
        firefox.open(file)
        servers = firefox.evaluate("window.topograph.shown().servers.length")
        found[name] = (
            firefox.requests,
            firefox.said,
            firefox.evaluate("window.refused"),
            servers > 1,
        )

    assert found == dict.fromkeys(found, ([], [], [], True))


def test_a_report_answers_in_firefox_as_a_link_asks(firefox: Firefox, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(topograph.read(EXAMPLES / "estate").report().generate_html(), encoding="utf-8")
    firefox.open(file, "#ask?q=paths&from=LONDON&to=MEXICO")

    assert firefox.evaluate("window.topograph.shown().paths.length") == 1
    assert (firefox.requests, firefox.said, firefox.evaluate("window.refused")) == ([], [], [])


def test_what_the_policy_of_a_page_refuses_is_noticed(firefox: Firefox, tmp_path: Path) -> None:
    """The test above would see a request, a message and a violation."""
    html = pictures()["estate"].replace(
        "<body", '<script>console.log("here")</script><img src="https://127.0.0.1/x.png"><body', 1
    )
    file = tmp_path / "refused.html"
    file.write_text(html, encoding="utf-8")
    firefox.open(file)

    assert len(firefox.evaluate("window.refused")) == 2
    firefox.evaluate('console.log("here")')
    firefox.call("session.status")
    assert "here" in firefox.said
