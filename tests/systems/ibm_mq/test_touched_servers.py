"""Which queue managers a change touches: those of queues that no other one looks at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph.importers.ibm_mq.commands import read_script
from topograph.network import Network
from topograph.systems.contract.changes import after_both
from topograph.systems.contract.system import Change
from topograph.systems.fact_sources import ChangedFacts
from topograph.systems.ibm_mq import changes
from topograph.systems.stepping.estate import SteppingEstate
from topograph.systems.stepping.sharing import touched_servers

MEMBER = (
    "DEFINE CHANNEL(C.A) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('a')\n"
    "DEFINE QLOCAL(OFFERED) CLUSTER(C) LIKE(BASE)\n"
    "DEFINE QLOCAL(OWN)"
)


def touched(network: Network, **scripts: str) -> set[str] | None:
    """The queue managers that scripts touch, by name; None where these may be all."""
    (part,) = network._model.parts
    assert isinstance(part.estate, SteppingEstate)
    source, change = part.estate.sources["ibm_mq"], Change()
    for server, text in scripts.items():
        for one in read_script(text.encode(), "change.mqsc").commands:
            edit = changes.edit(ChangedFacts(source, change), server, one)
            assert edit.refused is None, edit.refused
            change = after_both(change, edit.change)
    found = touched_servers(part.estate, part.estate.apply(change))
    return None if found is None else {*found["ibm_mq"]}


@pytest.mark.parametrize(
    "script",
    [
        "DEFINE QREMOTE(R) RNAME(X) RQMNAME(B)",
        "DEFINE QLOCAL(X) CLUSTER(' ')",
        "ALTER QLOCAL(OWN) PUT(DISABLED)",
        "DELETE QLOCAL(OWN)",
        "DEFINE QALIAS(Y) TARGET(OFFERED)",
    ],
)
def test_queues_of_no_cluster_touch_their_own_queue_manager(estate: Any, script: str) -> None:
    assert touched(estate(A=MEMBER, B=""), A=script) == {"A"}


def test_of_two_queue_managers_both_are_touched(estate: Any) -> None:
    script = "DEFINE QLOCAL(X)"
    assert touched(estate(A=MEMBER, B="", D=""), A=script, B=script) == {"A", "B"}


@pytest.mark.parametrize(
    "script",
    [
        "DEFINE QLOCAL(X) CLUSTER(C)",
        "DEFINE QLOCAL(X) CLUSNL(NL)",
        "ALTER QLOCAL(OFFERED) PUT(DISABLED)",
        "DELETE QLOCAL(OFFERED)",
        "DEFINE QLOCAL(BASE)",
        "ALTER QMGR DEADQ(OWN)",
        "DEFINE CHANNEL(D) CHLTYPE(RCVR)",
        "DEFINE QLOCAL(X)\nDEFINE CHANNEL(D) CHLTYPE(RCVR)",
    ],
)
def test_what_others_may_look_at_may_touch_all(estate: Any, script: str) -> None:
    assert touched(estate(A=MEMBER, B=""), A=script) is None


def test_output_that_shows_a_queue_manager_in_part_may_show_more(
    estate: Any, tmp_path: Path
) -> None:
    estate(A=MEMBER)
    lines = (
        "Starting MQSC for queue manager B.",
        "     1 : DISPLAY QUEUE(A*) ALL",
        "AMQ8409I: Display Queue details.",
        "   QUEUE(AB) TYPE(QLOCAL)",
        "One MQSC command read.",
    )
    (tmp_path / "B.txt").write_text("\n".join((*lines, "")))
    network = topograph.read(tmp_path)
    assert touched(network, B="DEFINE QLOCAL(AX)") is None
    assert touched(network, A="DEFINE QLOCAL(X)") == {"A"}


def test_a_state_that_was_read_elsewhere_is_no_change_of_another(
    estate: Any, tmp_path: Path
) -> None:
    first = estate(A=MEMBER)
    (one,), (other,) = ((*each._model.parts,) for each in (first, topograph.read(tmp_path)))
    assert touched_servers(one.estate, other.estate) is None
