"""Topics of a cluster that are routed directly and over topic hosts, as the documentation describes
them: "Defining cluster topics" (q005220_), "Cluster topic attributes" (q005230_), "Configuring a
publish/subscribe cluster" (q017435_), "Multiple cluster topic definitions of the same name"
(q005240_), "Overlapping cluster support, and publish/subscribe" (q005280_).

Cluster STOCK has the repositories R1 and R2 and the branches B1 and B2.
"""

from __future__ import annotations

from typing import Any

import pytest
from systems.ibm_mq.worked_examples.clustered import errors, hops, member

from topograph.network import Network

TOPIC = "DEFINE TOPIC(WARES) TOPICSTR('wares') CLUSTER(STOCK) CLROUTE({})"
SUBSCRIBES = "DEFINE QLOCAL(SEEN)\nDEFINE SUB(WATCH) TOPICSTR('wares/#') DEST(SEEN)"


def stock(estate: Any, **more: str) -> Network:
    """The cluster; ``more`` is what queue managers have besides."""
    members = {"R1": "itself R2", "R2": "itself R1", "B1": "R1", "B2": "R2"}
    found: Network = estate(
        **{name: member(name, {"STOCK": to}, more.get(name, "")) for name, to in members.items()}
    )
    return found


@pytest.mark.parametrize("host", ["R1", "B1", "B2"])
@pytest.mark.parametrize("start", ["R1", "R2", "B1"])
def test_routed_directly_it_is_all_one_where_the_topic_is_defined(
    estate: Any, host: str, start: str
) -> None:
    """q005220_: subscriptions of any member get what any member publishes, in one hop."""
    more = {"B2": SUBSCRIBES}
    more[host] = "\n".join((more.get(host, ""), TOPIC.format("DIRECT")))
    network = stock(estate, **more)
    answer = network.trace(start, "topic:wares/iron")
    assert set(answer.outcomes) == {"PUBLISHED(wares/iron)", "DELIVERED(SEEN@B2)"}
    assert (hops(answer), answer.exact) == (["B2"], True)
    assert not [one for one in answer.assumptions if one.rule == "M-29"]
    assert errors(network) == set()


@pytest.mark.parametrize(
    ("start", "path"), [("B1", ["R2", "B2"]), ("R1", ["R2", "B2"]), ("R2", ["B2"])]
)
def test_routed_over_its_host_a_publication_goes_by_way_of_it(
    estate: Any, start: str, path: list[str]
) -> None:
    """q005220_: members send to the queue manager that defines the topic; it passes them on."""
    network = stock(estate, R2=TOPIC.format("TOPICHOST"), B2=SUBSCRIBES)
    answer = network.trace(start, "topic:wares/iron")
    assert set(answer.outcomes) == {"PUBLISHED(wares/iron)", "DELIVERED(SEEN@B2)"}
    assert hops(answer) == path


def test_without_its_one_host_publications_get_nowhere_and_with_two_they_do(estate: Any) -> None:
    """q005240_: the definition is given to several hosts for availability."""
    one = stock(estate, R2=TOPIC.format("TOPICHOST"), B2=SUBSCRIBES)
    two = stock(estate, R1=TOPIC.format("TOPICHOST"), R2=TOPIC.format("TOPICHOST"), B2=SUBSCRIBES)
    answer = two.trace("B1", "topic:wares/iron")
    assert set(answer.outcomes) == {"PUBLISHED(wares/iron)", "DELIVERED(SEEN@B2)"}
    assert {branch.condition for branch in answer.branches if branch.choice} == {
        f"{host} is chosen for each publication (CLROUTE(TOPICHOST))" for host in ("R1", "R2")
    }
    assert one.trace("B1", "topic:wares/iron").outcomes == answer.outcomes


def test_a_topic_outside_of_the_cluster_stays_where_it_is_published(estate: Any) -> None:
    network = stock(
        estate, R1=TOPIC.format("DIRECT"), B1=SUBSCRIBES.replace("wares/#", "news/#"), B2=SUBSCRIBES
    )
    assert network.trace("B2", "topic:news/today").outcomes == ("PUBLISHED(news/today)",)
    assert set(network.trace("B1", "topic:news/today").outcomes) == {
        "PUBLISHED(news/today)",
        "DELIVERED(SEEN@B1)",
    }


@pytest.mark.parametrize(
    ("at_host", "at_publisher", "gets"),
    [
        ("PUBSCOPE(QMGR)", "", False),
        ("SUBSCOPE(QMGR)", "", False),
        ("PUBSCOPE(ASPARENT)", "DEFINE TOPIC(UP) TOPICSTR('wares/iron') PUBSCOPE(QMGR)", False),
        ("PUBSCOPE(ALL) SUBSCOPE(ALL)", "", True),
    ],
)
def test_scopes_of_the_cluster_topic_count_at_every_member(
    estate: Any, at_host: str, at_publisher: str, gets: bool
) -> None:
    """q005230_: each queue manager goes by the attributes of the definition."""
    topic = f"{TOPIC.format('DIRECT')} {at_host}"
    network = stock(estate, R1=topic, B1=at_publisher, B2=SUBSCRIBES)
    answer = network.trace("B1", "topic:wares/iron")
    assert ("DELIVERED(SEEN@B2)" in answer.outcomes) is gets
    assert answer.undetermined == ()
    # What B2 publishes itself its subscription gets.
    assert "DELIVERED(SEEN@B2)" in network.trace("B2", "topic:wares/iron").outcomes


def test_publications_are_refused_where_every_definition_inhibits_them(estate: Any) -> None:
    """ "Changes to cluster topic behavior" (8.0)."""
    inhibited = f"{TOPIC.format('DIRECT')} PUB(DISABLED)"
    refused = stock(estate, R1=inhibited, R2=inhibited, B2=SUBSCRIBES)
    assert refused.trace("B1", "topic:wares/iron").outcomes == ("REJECTED(2051)",)
    passed = stock(estate, R1=inhibited, R2=TOPIC.format("DIRECT"), B2=SUBSCRIBES)
    assert "DELIVERED(SEEN@B2)" in passed.trace("B1", "topic:wares/iron").outcomes


def test_a_cluster_topic_is_one_of_its_own_cluster_alone(estate: Any) -> None:
    """q005280_: BOTH is in two clusters; what is published in one is not carried on into the
    other, where nothing says that it is shared."""
    network = estate(
        L=member("L", {"LEFT": "itself BOTH"}, "DEFINE TOPIC(W) TOPICSTR('wares') CLUSTER(LEFT)"),
        BOTH=member("BOTH", {"LEFT": "itself L", "RIGHT": "itself R"}, SUBSCRIBES)
        + "\nDEFINE NAMELIST(ALL) NAMES(LEFT, RIGHT)\nALTER QMGR REPOS(' ') REPOSNL(ALL)",
        R=member("R", {"RIGHT": "itself BOTH"}, SUBSCRIBES),
    )
    answer = network.trace("L", "topic:wares/iron")
    assert set(answer.outcomes) == {"PUBLISHED(wares/iron)", "DELIVERED(SEEN@BOTH)"}
    assert answer.undetermined == ()
    assert set(network.trace("R", "topic:wares/iron").outcomes) == {
        "PUBLISHED(wares/iron)",
        "DELIVERED(SEEN@R)",
    }
