"""What a change takes away stands beside its verdict."""

from __future__ import annotations

import re
from pathlib import Path

import topograph
from topograph.viz.report.losses import losses

EXAMPLES = Path(__file__).parents[3] / "examples"


def changed(commands: str, at: str):
    network = topograph.read(EXAMPLES / "estate")
    answer = network.audit(commands, at=at)
    return answer, network.report(answer).generate_html()


def headline(page: str) -> str:
    return re.search(r'<section id="changes" class="(\w+)"', page)[1]


def test_an_accepted_change_that_cuts_servers_off_is_no_good_news():
    answer, page = changed("delete route LONDON\n", "HQ")
    assert answer.verdict == "accept"
    first, *more = losses(answer)
    assert first == "56 ordered pairs of servers no longer reach each other"
    assert more == ["at CANADA, FRANKFURT, HQ and 5 others subscribers lose messages"]
    assert headline(page) == "warning"
    assert "But 56 ordered pairs of servers no longer reach each other" in page


def test_a_change_without_losses_is_good():
    answer, page = changed("addprop topic orders maxbytes=1000\n", "HQ")
    assert (answer.verdict, list(losses(answer))) == ("accept", [])
    assert headline(page) == "good"
    assert 'class="losses"' not in page
