"""Every publication in small random clusters, with cluster topics that are routed directly and
over topic hosts, scopes, inhibited topics and wildcards that are kept off, gets to the
subscriptions that the rules say, followed by hand.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from brute_force.cluster_topics import Estate, Published
from conformance.ibm_mq_cases import write
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph

MANAGERS = ("QA", "QB", "QC", "QD", "QE")
STRINGS = ("a", "a/b", "a/b/c", "d")
TOPICS = ("a", "a/b", "a/b/c", "a/x", "d/e")
PATTERNS = ("a", "a/b", "a/b/c", "a/#", "a/b/#", "a/+", "a/+/c", "#", "d/#", "+/b", "a/x", "d/e")
ESTATES = draws(24)


def drawn(seed: int) -> dict[str, Any]:
    random = Random(seed)
    names = MANAGERS[: random.choice((2, 3, 3, 4, 5))]
    clusters = ("C1",) if random.random() < 0.75 else ("C1", "C2")
    route = random.choice(("DIRECT", "TOPICHOST"))
    managers = []
    for name in names:
        member = [one for one in clusters if random.random() < (0.9 if one == "C1" else 0.5)]
        off = {"PSCLUS": "DISABLED"} if random.random() < 0.05 else {}
        managers.append(
            {
                "name": name,
                "attributes": off,
                "objects": [*_topics(random, name, clusters, route), *_subscriptions(random, name)],
                "channels": [
                    {
                        "name": f"{one}.{name}",
                        "chltype": "CLUSRCVR",
                        "attributes": {"CLUSTER": one, "CONNAME": f"{name.lower()}(1414)"},
                    }
                    for one in member
                ],
            }
        )
    return {"system": "ibm_mq", "queueManagers": managers}


def _topics(random: Random, name: str, clusters: tuple[str, ...], route: str) -> list[Any]:
    made = []
    for string in STRINGS:
        if random.random() < 0.65:
            continue
        attributes: dict[str, Any] = {"TOPICSTR": string}
        if random.random() < 0.65:
            attributes["CLUSTER"] = random.choice(clusters)
            attributes["CLROUTE"] = (
                route if random.random() < 0.95 else random.choice(("DIRECT", "TOPICHOST"))
            )
        for attribute, chance, values in (
            ("PUBSCOPE", 0.12, ("QMGR", "ALL")),
            ("SUBSCOPE", 0.12, ("QMGR", "ALL")),
            ("PUB", 0.12, ("DISABLED", "ENABLED")),
            ("WILDCARD", 0.1, ("BLOCK",)),
        ):
            if random.random() < chance:
                attributes[attribute] = random.choice(values)
        made.append({"type": "TOPIC", "name": f"T{len(made)}.{name}", "attributes": attributes})
    return made


def _subscriptions(random: Random, name: str) -> list[Any]:
    made = []
    for number in range(random.choice((0, 1, 2, 3))):
        sub = f"S{number}.{name}"
        attributes = {"TOPICSTR": random.choice(PATTERNS), "DEST": f"D{number}"}
        if random.random() < 0.1:
            attributes["SUBSCOPE"] = "QMGR"
        made.append({"type": "QLOCAL", "name": f"D{number}", "attributes": {}})
        made.append({"type": "SUB", "name": sub, "attributes": attributes})
    return made


def said(network: topograph.network.Network, at: str, topic: str) -> Published:
    """The same of an answer of topograph."""
    answer = network.trace(at, f"topic:{topic}")
    if answer.outcomes == ("REJECTED(2051)",):
        return Published(rejected=True)
    copies: Counter[str] = Counter()
    unsure = set()
    for branch in answer.branches:
        if stored := re.fullmatch(r"DELIVERED\(D(\d)@(\w+)\)", branch.ending):
            copies[f"S{stored[1]}.{stored[2]}"] += 1
        elif branch.ending == "UNDETERMINED":
            named = re.search(r"subscription (\S+)", branch.condition)
            assert named is not None, branch
            unsure.add(named[1])
        else:
            assert branch.ending.startswith("PUBLISHED(") or not branch.ending, branch
    return Published(copies=dict(copies), open=unsure)


@pytest.mark.slow
@settings(max_examples=ESTATES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32 - 1))
def test_every_publication_gets_to_the_subscriptions_that_the_rules_say(seed: int) -> None:
    given_ = drawn(seed)
    with tempfile.TemporaryDirectory() as folder:
        write(given_, Path(folder))
        network = topograph.read(folder)
    by_hand = Estate(given_)
    for at in by_hand.managers:
        for topic in TOPICS:
            assert said(network, at, topic) == by_hand.publish(at, topic), f"{topic} at {at}"
