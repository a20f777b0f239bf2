"""Whatever stops a message is cited with the rule that stops it, in every system."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from systems import doubtful_estate, three_systems, undecided_routers

import topograph
from topograph import extensions
from topograph.errors import TopographError
from topograph.network import Network
from topograph.outcomes import NotForwarded, Outcome
from topograph.questions.text import text
from topograph.systems.ems.topics.publication import RULES
from topograph.systems.registry import system
from topograph.systems.rule_texts import all_rules

ROOT = Path(__file__).parents[2]
EXAMPLES = [
    "estate",
    "mixed",
    "mqe_devices",
    "orders",
    "queue_managers",
    "retail",
    "routers",
    "sibus_orders",
    "two-1hop-zones/with-g-a",
]
WRITTEN = {
    "doubtful": doubtful_estate.write,
    "three systems": three_systems.write,
    "undecided routers": undecided_routers.write,
}
PLACES = 5
"""Servers from which messages are sent, and from and to which is asked."""
DESTINATIONS = 25
"""Destinations to which messages are sent."""

NO_BLOCK = frozenset({"", "accepted", *(Outcome.UNDETERMINED,)})
"""What stands where other outcomes do, and says nothing of a rule: no files say what happens."""


def networks(tmp_path: Path) -> Iterator[tuple[str, Network]]:
    for example in EXAMPLES:
        yield example, topograph.read(ROOT / "examples" / example)
    for name, write in WRITTEN.items():
        folder = tmp_path / name
        folder.mkdir()
        write(folder)
        yield name, topograph.read(folder)


def asked(network: Network) -> Iterator[Any]:
    """Answers about messages and ways of a network."""
    names = network.server_names()[:PLACES]
    for start in names:
        for end in names:
            yield from answered(lambda start=start, end=end: network.reach(start, end))
    for row in tuple(network.show("destinations").rows)[:DESTINATIONS]:
        sent = [f"{row['type']}:{row['name']}", f"queue:{row['name']}", f"topic:{row['name']}"]
        for start in (str(row["server"]), *names):
            for destination in sent:
                for question in (network.trace, network.propagate):
                    yield from answered(lambda q=question, s=start, d=destination: q(s, d))


def answered(question: Any) -> list[Any]:
    """The answer; none where the question does not apply."""
    try:
        return [question()]
    except TopographError:
        return []


def entries(value: Any) -> Iterator[dict[str, Any]]:
    """Every mapping in an answer's JSON."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value:
        if isinstance(one, dict | list):
            yield from entries(one)


@pytest.mark.slow
def test_every_block_has_a_rule_in_json_and_text(tmp_path: Path) -> None:
    reasons: set[str] = set()
    outcomes: set[str] = set()
    for name, network in networks(tmp_path):
        for answer in asked(network):
            shown = None
            for entry in entries(json.loads(json.dumps(answer.to_dict()))):
                reason = entry.get("reason") if "guard" in entry else None
                outcome = str(entry.get("outcome", "")).partition("(")[0]
                if reason is None and ("rule" not in entry or outcome in NO_BLOCK):
                    continue
                assert entry["rule"], (name, entry)
                reasons.update([reason] if reason else ())
                outcomes.update([] if reason else [outcome])
                if reason:
                    shown = text(answer) if shown is None else shown
                    assert entry["rule"] in shown, (name, entry)
    assert reasons >= {"zone", "selector", "not-global", "no-interest", "no-route"}
    assert outcomes >= {"REJECTED", "HELD", "LOOP", "NO_CREDIT", "REFUSED", "NOT_FORWARDED"}


def test_every_condition_under_which_a_link_is_not_taken_has_a_rule() -> None:
    """Where no link leads on, that of the system by which links join servers."""
    assert RULES.keys() | {NotForwarded.NO_ROUTE} == set(NotForwarded)
    known = {number for own in all_rules().values() for number in own}
    for rule in (*RULES.values(), *(system(name).citing.link_rule for name in extensions.OWN)):
        assert rule in known, rule
