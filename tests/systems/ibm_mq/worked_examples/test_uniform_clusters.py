"""A uniform cluster, as the documentation has it made: "Creating a uniform cluster" (q132762_),
"Using automatic cluster configuration" (q133780_), "Automatic configuration from an MQSC script at
startup" (q133790_), "Suspending a queue manager from a uniform cluster".

Three queue managers are made of one stanza file and one script; the first two are repositories.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph
from topograph.network import Network

STANZAS = """AutoCluster:
   Repository1Name=U1
   Repository1Conname=u1.example(1414)
   Repository2Name=U2
   Repository2Conname=u2.example(1414)
   ClusterName=EVEN
   Type=Uniform
"""
SCRIPT = """DEFINE CHANNEL('+AUTOCL+_+QMNAME+') CHLTYPE(CLUSRCVR) TRPTYPE(TCP) +
  CONNAME(+CONNAME+) CLUSTER('+AUTOCL+') REPLACE
DEFINE QLOCAL(JOBS) CLUSTER('+AUTOCL+') DEFBIND(NOTFIXED) REPLACE
DEFINE QLOCAL(SPREAD) CLUSTER('+AUTOCL+') CLWLUSEQ(ANY) DEFBIND(NOTFIXED) REPLACE
DEFINE QLOCAL(OWN) REPLACE
"""
MEMBERS = ("U1", "U2", "U3")


@pytest.fixture
def uniform(tmp_path: Path) -> Network:
    (tmp_path / "even.ini").write_text(STANZAS)
    (tmp_path / "even.mqsc").write_text(SCRIPT)
    made = "".join(
        f'crtmqm -ii even.ini -ic even.mqsc -iv CONNAME="{name.lower()}.example(1414)" {name}\n'
        f"strmqm {name}\n"
        for name in MEMBERS
    )
    (tmp_path / "create.sh").write_text(f"#!/bin/sh\n{made}")
    return topograph.read(tmp_path)


def test_the_members_are_those_that_are_made_and_no_others(uniform: Network) -> None:
    rows = {row["server"]: row for row in uniform.show("servers").to_dict()["rows"]}
    assert tuple(sorted(rows)) == MEMBERS
    assert {row["loaded"] for row in rows.values()} == {True}
    assert {row["incomplete"] for row in rows.values()} == {""}


@pytest.mark.parametrize("start", MEMBERS)
def test_each_member_keeps_what_is_put_there_unless_the_queue_says_any(
    uniform: Network, start: str
) -> None:
    assert uniform.trace(start, "queue:JOBS").outcomes == (f"DELIVERED(JOBS@{start})",)
    spread = uniform.trace(start, "queue:SPREAD")
    assert set(spread.outcomes) == {f"DELIVERED(SPREAD@{name})" for name in MEMBERS}
    assert spread.outcome == "ONE_OF"
    assert uniform.trace(start, "queue:OWN").outcomes == (f"DELIVERED(OWN@{start})",)


def test_every_member_reaches_every_other_one_over_the_receiver_of_that(uniform: Network) -> None:
    for start in MEMBERS:
        for end in set(MEMBERS) - {start}:
            answer = uniform.trace(start, f"OWN@{end}")
            assert answer.outcomes == (f"DELIVERED(OWN@{end})",)
            assert [step.text for step in answer.steps if step.to] == [
                f"over cluster channel EVEN_{end} to {end}"
            ]
        assert not [one for one in answer.assumptions if one.rule == "M-29"]


def test_check_finds_nothing_wrong_with_its_repositories(uniform: Network) -> None:
    rules = {str(row["rule"]) for row in uniform.show("findings").rows}
    assert rules <= {"ML-11"}


def test_the_others_go_on_without_a_member(uniform: Network) -> None:
    for name in MEMBERS:
        assert uniform.impact([f"server:{name}"]).lost == ()


@pytest.mark.usefixtures("uniform")
def test_a_suspended_member_gets_nothing_more_of_what_is_spread(tmp_path: Path) -> None:
    (tmp_path / "members.txt").write_text(
        "Starting MQSC for queue manager U1.\n     1 : DISPLAY CLUSQMGR(U3) SUSPEND\n"
        "AMQ8441I: Display Cluster Queue Manager details.\n   CLUSQMGR(U3)   CHANNEL(EVEN_U3)\n"
        "   CLUSTER(EVEN)   SUSPEND(YES)\nOne MQSC command read.\n"
    )
    network = topograph.read(tmp_path)
    assert set(network.trace("U1", "queue:SPREAD").outcomes) == {
        "DELIVERED(SPREAD@U1)",
        "DELIVERED(SPREAD@U2)",
    }
