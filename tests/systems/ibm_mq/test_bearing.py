"""What a rule says of a channel is what a message meets on it."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from topograph.network import Network

REMOTE = "DEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(B)\nDEFINE QLOCAL(B) USAGE(XMITQ)"
CIPHERS = ("", "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "ANY_TLS12_OR_HIGHER")


def _pair(estate: Any, sender: str = "", receiver: str = "", more: str = "") -> Network:
    return estate(
        A=f"{REMOTE}\nDEFINE CHANNEL(A.B) CHLTYPE(SDR) XMITQ(B) CONNAME('b(1414)') {sender}",
        B=f"DEFINE QLOCAL(X)\nDEFINE CHANNEL(A.B) CHLTYPE(RCVR) {receiver}\n{more}",
    )


def _found(network: Network) -> set[str]:
    return {str(one["rule"]) for one in network.check().findings}


@pytest.mark.parametrize(("mine", "theirs"), [*itertools.product(CIPHERS, CIPHERS)])
def test_a_channel_whose_ends_disagree_on_the_cipher_carries_nothing(
    estate: Any, mine: str, theirs: str
) -> None:
    network = _pair(
        estate, f"SSLCIPH('{mine}')" * bool(mine), f"SSLCIPH('{theirs}')" * bool(theirs)
    )
    fits = mine == theirs or bool(mine and theirs and "ANY" in (mine[:3], theirs[:3]))
    outcome = "DELIVERED(X@B)" if fits else "HELD(B, A, no connection)"
    assert network.trace("A", "queue:R").outcomes == (outcome,)
    assert ("ML-12" in _found(network)) is not fits
    assert network.reach("A").unreachable == (() if fits else ("B",))


@pytest.mark.parametrize("number", range(24))
def test_a_blocked_partner_leaves_the_channel_open(estate: Any, number: int) -> None:
    """The most exact record for the queue manager decides, as the product has it."""
    at = random.Random(number)
    names = at.sample(("*", "A.*", "A.B", "C.*"), 2)
    blocks = {name: at.random() < 0.6 for name in names}
    lines = [
        f"SET CHLAUTH('{name}') TYPE(QMGRMAP) QMNAME('{at.choice(('A', '*'))}') "
        + ("USERSRC(NOACCESS)" if blocked else "USERSRC(MAP) MCAUSER('m')")
        for name, blocked in blocks.items()
    ]
    on = at.random() < 0.8
    if not on:
        lines.append("ALTER QMGR CHLAUTH(DISABLED)")
    network = _pair(estate, more="\n".join(lines))
    fitting = [name for name in names if name in ("*", "A.*", "A.B")]
    decides = max(fitting, key=lambda name: len(name.rstrip("*")))
    blocked = on and blocks[decides]
    outcome = "UNDETERMINED" if blocked else "DELIVERED(X@B)"
    assert network.trace("A", "queue:R").outcomes == (outcome,)
    assert ("ML-14" in _found(network)) is blocked
    assert [one.certain for one in network.reach("A", "B").servers] == [not blocked]


@pytest.mark.parametrize(
    ("commands", "stopped"),
    [
        ("STOP CHANNEL(A.B)", True),
        ("STOP CHANNEL(A.B)\nSTART CHANNEL(A.B)", False),
        ("START CHANNEL(A.B)\nSTOP CHANNEL(A.B)", True),
        ("STOP CHANNEL(A.B) STATUS(INACTIVE)", False),
        ("STOP CHANNEL(OTHER)", False),
    ],
)
def test_a_channel_that_a_script_leaves_stopped_carries_nothing(
    estate: Any, commands: str, stopped: bool
) -> None:
    network = _pair(estate, more=commands)
    outcome = "HELD(B, A, channel stopped)" if stopped else "DELIVERED(X@B)"
    assert network.trace("A", "queue:R").outcomes == (outcome,)


@pytest.mark.parametrize("port", [1415, 1416])
def test_a_member_of_a_cluster_is_reached_where_a_listener_answers(estate: Any, port: int) -> None:
    member = "DEFINE CHANNEL(K.{0}) CHLTYPE(CLUSRCVR) CLUSTER(K) CONNAME('{1}(1415)')"
    network = estate(
        A=f"{member.format('A', 'a')}\nALTER QMGR REPOS(K)",
        B=(
            f"{member.format('B', 'b')}\nALTER QMGR REPOS(K)\nDEFINE QLOCAL(CQ) CLUSTER(K)\n"
            f"DEFINE LISTENER(L) TRPTYPE(TCP) PORT({port})"
        ),
    )
    outcome = "DELIVERED(CQ@B)" if port == 1415 else "UNDETERMINED"
    assert network.trace("A", "queue:CQ").outcomes == (outcome,)
    lost = network.impact(["listener:B:L"])
    assert ("SYSTEM.CLUSTER.TRANSMIT.QUEUE" in str(lost.to_dict())) is (port == 1415)


def test_a_record_that_a_change_sets_blocks_its_partner(estate: Any) -> None:
    network = _pair(estate)
    blocks = "SET CHLAUTH('*') TYPE(QMGRMAP) QMNAME('A') USERSRC(NOACCESS)"
    removes = "SET CHLAUTH('*') TYPE(QMGRMAP) QMNAME('A') ACTION(REMOVE)"
    assert network.audit(blocks, at="B").outcomes != ()
    assert network.audit(f"{blocks}\n{removes}", at="B").outcomes == ()


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ("", True),
        ("DEFINE QLOCAL(FAR) USAGE(XMITQ)", False),
        (
            "DEFINE QREMOTE(FAR) RNAME(' ') RQMNAME(B) XMITQ(B)\nDEFINE QLOCAL(B) USAGE(XMITQ)",
            False,
        ),
        ("DEFINE QLOCAL(D) USAGE(XMITQ)\nALTER QMGR DEFXMITQ(D)", False),
    ],
)
def test_nobody_can_open_a_remote_queue_to_which_nothing_leads(
    estate: Any, more: str, found: bool
) -> None:
    """ML-28, M-04."""
    blank = "" if "DEFXMITQ" in more else "ALTER QMGR DEFXMITQ(' ')\n"
    network = estate(A=f"{blank}DEFINE QREMOTE(R) RNAME(X) RQMNAME(FAR)\n{more}")
    assert ("ML-28" in _found(network)) is found
    assert (network.trace("A", "queue:R").outcomes == ("REJECTED(2087)",)) is found


def test_that_nothing_leads_on_is_found_only_where_it_is_shown(estate: Any) -> None:
    network = estate(A="DEFINE QREMOTE(R) RNAME(X) RQMNAME(FAR)")
    (assumed,) = network.trace("A", "queue:R").assumptions
    assert (assumed.rule, "ML-28" in _found(network)) == ("C-11", False)
