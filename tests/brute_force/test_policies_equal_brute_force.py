"""Policies on random networks and random changes equal what a second reading says, which lists
every permitted path after the change.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from brute_force.ems_estate import TOPICS, Estate
from brute_force.test_audits_equal_brute_force import (
    MANY,
    MESSAGES,
    Running,
    delivered,
    legal_estates,
    read,
)
from hypothesis import given
from hypothesis import strategies as st

import topograph
from topograph.audit.policy import RULES

pytestmark = pytest.mark.slow


def subsets(estate: Estate) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(estate.servers), unique=True, min_size=1, max_size=3)


@st.composite
def rules_about_pairs(draw: st.DrawFn, estate: Estate) -> dict[str, object]:
    """A rule about servers that differ."""
    from_ = draw(subsets(estate))
    to = draw(subsets(estate).filter(lambda ends: {*ends} | {*from_} != {from_[0]}))
    rule = draw(
        st.sampled_from(["reaches", "never_reaches", "max_hops", "delivers", "never_delivers"])
    )
    body: dict[str, object] = {"from": from_, "to": to}
    if rule == "max_hops":
        body["hops"] = draw(st.integers(0, 3))
    if rule.endswith("delivers"):
        body["destination"] = f"topic:{draw(st.sampled_from(sorted(TOPICS)))}"
        body["properties"] = dict(draw(st.sampled_from(MESSAGES)))
    return {rule: body}


def expected(rule: str, body: dict[str, object], after: Running) -> bool:
    """Whether a policy holds, by every path there is."""
    from_, to = body["from"], body["to"]
    assert isinstance(from_, list)
    assert isinstance(to, list)
    pairs = {(start, end) for start, end in product(from_, to) if start != end}
    hops = after.hops()
    if rule == "reaches":
        return pairs <= hops.keys()
    if rule == "never_reaches":
        return pairs.isdisjoint(hops)
    if rule == "max_hops":
        most = body["hops"]
        assert isinstance(most, int)
        return all(hops[pair] <= most for pair in pairs & hops.keys())
    destination, properties = body["destination"], body["properties"]
    assert isinstance(destination, str)
    assert isinstance(properties, dict)
    got = delivered(after.estate, destination.removeprefix("topic:"), properties)
    if rule == "delivers":
        got &= hops.keys()  # what waits at a suspended route is delivered later
    return pairs <= got if rule == "delivers" else pairs.isdisjoint(got)


@MANY
@given(legal_estates(), st.data())
def test_rules_about_servers_and_messages(estate: Estate, data: st.DataObject) -> None:
    server = data.draw(st.sampled_from(estate.servers))
    other = data.draw(st.sampled_from(estate.servers))
    zone = data.draw(st.sampled_from(sorted(estate.zones)))
    line = data.draw(
        st.sampled_from(
            [
                (
                    f"create route {other} url=tcp://{other}.example:7222 zone_name={zone} "
                    f"zone_type={estate.zones[zone]}"
                ),
                f"delete route {other}",
                f"suspend route {other}",
            ]
        )
    )
    entries = data.draw(st.lists(rules_about_pairs(estate), min_size=1, max_size=6))
    file = {"policies": [{"id": f"p{number}", **entry} for number, entry in enumerate(entries)]}
    before = Running(estate)
    result, after = before.given(server, line)
    with read(estate) as network:
        answer = network.audit(line + "\n", at=server, policy=json.dumps(file, indent=1))
    if result == "undetermined":
        return  # which zone counts is then not documented, and so is who reaches whom
    wanted = [expected(rule, body, after) for entry in entries for rule, body in entry.items()]  # type: ignore[arg-type]
    assert [one.result for one in answer.policy] == [
        "pass" if holds else "fail" for holds in wanted
    ]
    assert answer.verdict == ("accept" if result == "accepted" and all(wanted) else "reject")
    assert all(one.evidence and one.evidence_count >= len(one.evidence) for one in answer.policy)
    for one in answer.policy:
        for case in one.evidence:
            if case.path:  # a path that is shown is one
                assert (case.path[0], case.path[-1]) in (after.reach() | before.reach())


@MANY
@given(legal_estates(), st.data())
def test_nobody_loses_anything(estate: Estate, data: st.DataObject) -> None:
    server = data.draw(st.sampled_from(estate.servers))
    other = data.draw(st.sampled_from(estate.servers))
    line = data.draw(
        st.sampled_from(
            [f"delete route {other}", f"suspend route {other}", f"resume route {other}"]
        )
    )
    before = Running(estate)
    _, after = before.given(server, line)
    policy = (
        "policies:\n- {id: all, no_loss: true}\n- {id: known, no_loss: true, subscribers: "
        "known-only}\n"
    )
    with read(estate) as network:
        answer = network.audit(line + "\n", at=server, policy=policy)
    lost = before.reach() - after.reach() or any(
        delivered(before.estate, topic, message) - delivered(after.estate, topic, message)
        for topic in TOPICS
        for message in MESSAGES
    )
    # No client is known in these networks.
    assert [one.result for one in answer.policy] == ["fail" if lost else "pass", "pass"]


@MANY
@given(legal_estates(), st.data())
def test_legal_after_and_not_before(estate: Estate, data: st.DataObject) -> None:
    """The files of a network with one more link, compared: the policy says whether a pair then
    has two paths.
    """
    from dataclasses import replace

    from brute_force.ems_estate import Link
    from brute_force.test_audits_equal_brute_force import is_legal

    ends = data.draw(st.lists(st.sampled_from(estate.servers), unique=True, min_size=2, max_size=2))
    if any({*link.ends} == {*ends} for link in estate.links):
        return
    zone = data.draw(st.sampled_from(sorted(estate.zones)))
    wider = replace(estate, links=(*estate.links, Link((ends[0], ends[1]), zone, (ends[0],))))
    with TemporaryDirectory() as folder, read(estate) as network:
        wider.write(Path(folder))
        answer = topograph.compare(network, folder, policy="policies:\n- {id: one, legal: true}\n")
    (found,) = answer.policy
    assert found.result == ("pass" if is_legal(wider) else "fail")
    assert answer.verdict == ("accept" if is_legal(wider) else "reject")


def test_every_rule_is_drawn() -> None:
    tried = {
        "reaches",
        "never_reaches",
        "max_hops",
        "delivers",
        "never_delivers",
        "no_loss",
        "legal",
    }
    with_tests_of_their_own = {  # tests/audit/test_policy_keys.py
        "avoids",
        "ends_in",
        "never_ends_in",
        "no_duplicates",
        "no_new_findings",
        "passes",
        "survives_any_single",
    }
    assert tried | with_tests_of_their_own == set(RULES)
