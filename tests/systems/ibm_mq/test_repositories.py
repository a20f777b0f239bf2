"""Full repositories: which members of a cluster learn of each other (M-29)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from draws import draws
from systems.ibm_mq.defined import rules

from topograph.network import Network

ESTATES = draws(36)


def member(name: str, *to: str, full: bool = False) -> str:
    lines = [f"ALTER QMGR REPOS({'C' * full or ' '!r})".replace("'C'", "C")]
    lines.append(f"DEFINE CHANNEL(C.{name}) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('{name}(1)')")
    for other in to:
        sender = "DEFINE CHANNEL(C.{0}) CHLTYPE(CLUSSDR) CLUSTER(C) CONNAME('{0}(1)')"
        lines.append(sender.format(other))
    return "\n".join(lines)


QUEUE = "\nDEFINE QLOCAL(Q) CLUSTER(C)"


def findings(network: Network) -> set[tuple[str, str]]:
    """The rules about repositories, each with the queue manager that it is about."""
    about = ("ML-29", "ML-30", "ML-31")
    return {
        (str(one["rule"]), str(one["server"]))
        for one in network.check().findings
        if one["rule"] in about
    }


@pytest.mark.parametrize(
    ("estates", "found", "learns"),
    [
        ({"A": member("A", "B"), "B": member("B", "A") + QUEUE}, {("ML-29", "A")}, False),
        ({"A": member("A", "B"), "B": member("B", full=True) + QUEUE}, set(), True),
        ({"A": member("A", full=True), "B": member("B", "A") + QUEUE}, set(), True),
        (
            {"A": member("A"), "B": member("B", full=True) + QUEUE},
            {("ML-30", "A")},
            False,
        ),
        (
            {"A": member("A", "D"), "B": member("B", full=True) + QUEUE, "D": member("D", "B")},
            {("ML-30", "A")},
            False,
        ),
        (
            {
                "A": member("A", "D"),
                "B": member("B", "E") + QUEUE,
                "D": member("D", full=True),
                "E": member("E", full=True),
            },
            {("ML-31", "D"), ("ML-31", "E")},
            False,
        ),
        (
            {
                "A": member("A", "D"),
                "B": member("B", "E") + QUEUE,
                "D": member("D", "E", full=True),
                "E": member("E", "D", full=True),
            },
            set(),
            True,
        ),
        # The other end of a channel is not loaded: it may be a full repository.
        ({"A": member("A", "FAR"), "B": member("B", "A") + QUEUE}, set(), True),
    ],
    ids=[
        "none",
        "the other one",
        "this one",
        "no channel",
        "a partial one",
        "two without channels",
        "two with channels",
        "one that is not loaded",
    ],
)
def test_who_learns_of_a_queue_is_what_repositories_tell(
    estate: Any, estates: dict[str, str], found: set[tuple[str, str]], learns: bool
) -> None:
    """A put rests on it, and `check` says what is wrong; repositories remember, so that the put is
    followed all the same."""
    network = estate(**estates)
    answer = network.trace("A", "queue:Q")
    assert answer.outcomes == ("DELIVERED(Q@B)",)
    assert ("M-29" in rules(answer)) is not learns
    assert findings(network) == found


def test_what_a_repository_was_seen_to_know_it_knows(estate: Any, tmp_path: Any) -> None:
    shown = (
        "Starting MQSC for queue manager A.\n     1 : DISPLAY CLUSQMGR(*) ALL\n"
        "AMQ8441I: Display Cluster Queue Manager details.\n   CLUSQMGR(B)   CHANNEL(C.B)\n"
        "   CLUSTER(C)   QMTYPE(NORMAL)\nOne MQSC command read.\n"
    )
    (tmp_path / "shown.txt").write_text(shown)
    network = estate(A=member("A", "B"), B=member("B", "A") + QUEUE)
    assert "M-29" not in rules(network.trace("A", "queue:Q"))


def test_a_member_of_a_cluster_that_a_template_names_may_be_one_of_any(estate: Any) -> None:
    """ML-32 is not found where the receiver's cluster is filled in later."""
    text = (
        "DEFINE CHANNEL(UNI.+QMNAME+) CHLTYPE(CLUSRCVR) CLUSTER(+AUTOCL+) CONNAME(+QMNAME+)\n"
        "DEFINE QLOCAL(Q) CLUSTER(UNI)"
    )
    assert "ML-32" not in {str(row["rule"]) for row in estate(A=text).show("findings").rows}


def test_a_namelist_says_of_which_clusters_a_repository_is(estate: Any) -> None:
    full = member("B").replace("REPOS(' ')", "REPOSNL(NL)") + QUEUE
    network = estate(A=member("A", "B"), B=f"{full}\nDEFINE NAMELIST(NL) NAMES(X, C)")
    assert "M-29" not in rules(network.trace("A", "queue:Q"))


@pytest.mark.parametrize("noun", ["QLOCAL(O)", "QALIAS(O) TARGET(X)", "TOPIC(O) TOPICSTR('o')"])
def test_an_object_that_names_another_cluster_is_advertised_nowhere(estate: Any, noun: str) -> None:
    network = estate(A=member("A", full=True) + f"\nDEFINE {noun} CLUSTER('c')", B=member("B", "A"))
    (found,) = [one for one in network.check().findings if one["rule"] == "ML-32"]
    assert "a member of C." in str(found["message"])
    right = estate(A=member("A", full=True) + f"\nDEFINE {noun} CLUSTER(C)", B=member("B", "A"))
    assert "ML-32" not in {one["rule"] for one in right.check().findings}


class Drawn:
    """A cluster with repositories and cluster-sender channels as they come."""

    def __init__(self, seed: int) -> None:
        at = Random(seed)
        self.names = "ABDEFG"[: at.randint(2, 6)]
        self.full = {name for name in self.names if at.random() < 0.4}
        few = at.choice((0.15, 0.3, 0.6))
        self.to = {
            name: [
                other
                for other in (*self.names, "FAR")
                if other != name and at.random() < (few if other != "FAR" else 0.05)
            ]
            for name in self.names
        }

    def texts(self) -> dict[str, str]:
        return {one: member(one, *self.to[one], full=one in self.full) for one in self.names}

    def told(self, name: str) -> set[str] | None:
        """The repositories that hear of a member; None where one that is not loaded may."""
        if "FAR" in self.to[name]:
            return None
        heard = {name, *self.to[name]} & self.full
        while True:
            joined = {
                other
                for one in heard
                for other in self.full
                if other in self.to[one] or one in self.to[other]
            }
            if joined <= heard:
                break
            heard |= joined
        return None if any("FAR" in self.to[one] for one in heard) else heard

    def learns(self, name: str, other: str) -> bool:
        mine, theirs = self.told(name), self.told(other)
        return mine is None or theirs is None or bool(mine & theirs)


@pytest.mark.parametrize("seed", range(ESTATES))
def test_members_learn_of_each_other_as_told_by_hand(estate: Any, seed: int) -> None:
    drawn = Drawn(seed)
    network = estate(**drawn.texts())
    for name in drawn.names:
        for other in drawn.names:
            if name != other:
                assumed = "M-29" in rules(network.trace(name, f"X@{other}"))
                assert assumed is not drawn.learns(name, other), f"{name} of {other}"
