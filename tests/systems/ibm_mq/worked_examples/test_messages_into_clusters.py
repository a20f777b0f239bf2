"""Messages between a cluster and a queue manager outside of it, as the documentation builds them:
requests into a cluster and out of one (q017610_, q017630_), hiding the name of the target queue
manager (q017620_), balancing from outside (q017640_), aliases of queue managers (q017660_).

OUT is outside of the cluster DEMO; GATE, a member, has channels to it.
"""

from __future__ import annotations

from typing import Any

import pytest
from systems.ibm_mq.worked_examples.clustered import errors, hops, link, member

from topograph.network import Network

TO_GATE, FROM_OUT = link("OUT", "GATE")
TO_OUT, FROM_GATE = link("GATE", "OUT")
OUTSIDE = (
    f"{TO_GATE}\n{FROM_GATE}\nALTER QMGR DEADQ(DEAD)\nDEFINE QLOCAL(DEAD)\nDEFINE QLOCAL(ANSWERS)\n"
)


def demo(
    estate: Any, at_out: str = "", at_gate: str = "", at_serves: str = "", *, twins: str = ""
) -> Network:
    """The cluster, with WORK at SERVES; with ``twins``, attributes of WORK, at TWIN, too."""
    work = f"DEFINE QLOCAL(WORK) CLUSTER(DEMO) {twins}"
    texts = {
        "OUT": f"{OUTSIDE}{at_out}",
        "GATE": member("GATE", {"DEMO": "itself SERVES"}, TO_OUT, FROM_OUT, at_gate),
        "SERVES": member("SERVES", {"DEMO": "itself GATE"}, work, at_serves),
    }
    if twins:
        texts["TWIN"] = member("TWIN", {"DEMO": "GATE"}, work)
    found: Network = estate(**texts)
    return found


def test_a_request_from_outside_names_the_queue_manager_and_the_reply_goes_by_the_gateway(
    estate: Any,
) -> None:
    """q017610_: a remote queue outside names queue and queue manager; the gateway advertises the
    name of the one outside."""
    network = demo(
        estate,
        "DEFINE QREMOTE(WORK) RNAME(WORK) RQMNAME(SERVES) XMITQ(GATE)",
        "DEFINE QREMOTE(FAR) RNAME(' ') RQMNAME(OUT) XMITQ(OUT) CLUSTER(DEMO)",
    )
    answer = network.trace("OUT", "queue:WORK", reply=True, reply_to="ANSWERS")
    assert (answer.outcomes, hops(answer)) == (("DELIVERED(WORK@SERVES)",), ["GATE", "SERVES"])
    # A transmission queue is not advertised: SERVES does not know the name OUT, but FAR.
    assert [one.outcomes for one in answer.replies] == [("REJECTED(2087)",)]
    named = network.trace(
        "OUT", "queue:WORK", reply=True, reply_to="ANSWERS", reply_to_queue_manager="FAR"
    )
    assert [one.outcomes for one in named.replies] == [("DELIVERED(ANSWERS@OUT)",)]


def test_an_alias_of_the_name_outside_brings_replies_back(estate: Any) -> None:
    """q017610_: the alias at the gateway has the name of the queue manager outside, and names the
    transmission queue to it."""
    sender = TO_OUT.replace("QLOCAL(OUT)", "QLOCAL(TO.OUT)").replace("XMITQ(OUT)", "XMITQ(TO.OUT)")
    network = estate(
        OUT=f"{OUTSIDE}DEFINE QREMOTE(WORK) RNAME(WORK) RQMNAME(SERVES) XMITQ(GATE)",
        GATE=member(
            "GATE",
            {"DEMO": "itself SERVES"},
            sender,
            FROM_OUT,
            "DEFINE QREMOTE(OUT) RNAME(' ') RQMNAME(OUT) XMITQ(TO.OUT) CLUSTER(DEMO)",
        ),
        SERVES=member("SERVES", {"DEMO": "itself GATE"}, "DEFINE QLOCAL(WORK) CLUSTER(DEMO)"),
    )
    answer = network.trace("OUT", "queue:WORK", reply=True, reply_to="ANSWERS")
    assert answer.outcomes == ("DELIVERED(WORK@SERVES)",)
    (reply,) = answer.replies
    assert reply.outcomes == ("DELIVERED(ANSWERS@OUT)",)
    assert [step.to for step in reply.steps if step.to] == ["GATE", "OUT"]
    assert errors(network) == set()


def test_a_request_out_of_the_cluster_goes_by_a_clustered_remote_queue(estate: Any) -> None:
    """q017630_: any member puts to FARWORK; the reply names the member, for which OUT has an alias
    over the gateway."""
    network = demo(
        estate,
        "DEFINE QLOCAL(FARWORK)\nDEFINE QREMOTE(SERVES) RNAME(' ') RQMNAME(SERVES) XMITQ(GATE)",
        "DEFINE QREMOTE(FARWORK) RNAME(FARWORK) RQMNAME(OUT) XMITQ(OUT) CLUSTER(DEMO)",
        "DEFINE QLOCAL(MINE)",
    )
    answer = network.trace("SERVES", "queue:FARWORK", reply=True, reply_to="MINE")
    assert (answer.outcomes, hops(answer)) == (("DELIVERED(FARWORK@OUT)",), ["GATE", "OUT"])
    (reply,) = answer.replies
    assert reply.outcomes == ("DELIVERED(MINE@SERVES)",)


@pytest.mark.parametrize("twins", ["", "DEFBIND(NOTFIXED)"])
def test_a_name_that_is_no_queue_manager_hides_where_a_queue_is(estate: Any, twins: str) -> None:
    """q017620_, q017640_: the gateway clears the name, and the cluster chooses: the one instance,
    or one of two."""
    network = demo(
        estate,
        "DEFINE QREMOTE(WORK) RNAME(WORK) RQMNAME(ANY) XMITQ(GATE)",
        "DEFINE QREMOTE(ANY) RNAME(' ') RQMNAME(' ')",
        twins=twins,
    )
    hosts = ("SERVES", "TWIN") if twins else ("SERVES",)
    answer = network.trace("OUT", "queue:WORK")
    assert answer.outcomes == tuple(f"DELIVERED(WORK@{one})" for one in hosts)
    assert answer.outcome == ("ONE_OF" if twins else "DELIVERED")
    assert network.trace("OUT", "NOQUEUE@ANY", queue_manager=None).outcomes == ("REJECTED(2087)",)


def test_balancing_from_outside_ends_where_the_gateway_has_an_instance(estate: Any) -> None:
    """q017640_ (7.5): the queue is not defined at the gateway, for that instance would be taken;
    with CLWLUSEQ(ANY) it is one of all."""
    at_out = "DEFINE QREMOTE(WORK) RNAME(WORK) RQMNAME(ANY) XMITQ(GATE)"
    at_gate = "DEFINE QREMOTE(ANY) RNAME(' ') RQMNAME(' ')\nDEFINE QLOCAL(WORK) CLUSTER(DEMO)"
    here = demo(estate, at_out, at_gate, twins="DEFBIND(NOTFIXED)")
    assert here.trace("OUT", "queue:WORK").outcomes == ("DELIVERED(WORK@GATE)",)
    anywhere = demo(
        estate, at_out, f"{at_gate} CLWLUSEQ(ANY) DEFBIND(NOTFIXED)", twins="DEFBIND(NOTFIXED)"
    )
    assert set(anywhere.trace("OUT", "queue:WORK").outcomes) == {
        f"DELIVERED(WORK@{one})" for one in ("GATE", "SERVES", "TWIN")
    }


def test_what_balancing_from_outside_loses_with_an_instance_is_nothing(estate: Any) -> None:
    network = demo(
        estate,
        "DEFINE QREMOTE(WORK) RNAME(WORK) RQMNAME(ANY) XMITQ(GATE)",
        "DEFINE QREMOTE(ANY) RNAME(' ') RQMNAME(' ')",
        twins="DEFBIND(NOTFIXED)",
    )
    assert network.impact(["server:TWIN"]).lost == ()
    assert [(one.from_, one.to) for one in network.impact(["server:GATE"]).lost] == [
        ("OUT", "SERVES"),
        ("OUT", "TWIN"),
    ]


ALIAS = "DEFINE QREMOTE(YORK) RNAME(' ') RQMNAME(SERVES)"


@pytest.mark.parametrize(
    ("alias", "at_twin"),
    [(ALIAS, "REJECTED(2087)"), (f"{ALIAS} CLUSTER(DEMO)", "DELIVERED(PLAIN@SERVES)")],
    ids=["local", "advertised"],
)
def test_an_alias_of_a_queue_manager_is_known_where_it_is_defined_unless_it_is_advertised(
    estate: Any, alias: str, at_twin: str
) -> None:
    """q017660_: remapping the name of a queue manager, at one member or for the whole cluster."""
    network = demo(estate, "", alias, "DEFINE QLOCAL(PLAIN)", twins="DEFBIND(OPEN)")
    assert network.trace("GATE", "PLAIN@YORK").outcomes == ("DELIVERED(PLAIN@SERVES)",)
    assert network.trace("TWIN", "PLAIN@YORK").outcomes == (at_twin,)


def test_an_alias_of_the_gateway_itself_ends_messages_there(estate: Any) -> None:
    """q017660_: on receipt, RQMNAME is the local queue manager: what is sent to the alias is for
    its own queues."""
    network = demo(
        estate,
        "DEFINE QREMOTE(PUT) RNAME(PLAIN) RQMNAME(HIDDEN) XMITQ(GATE)",
        "DEFINE QREMOTE(HIDDEN) RNAME(' ') RQMNAME(GATE)\nDEFINE QLOCAL(PLAIN)",
    )
    answer = network.trace("OUT", "queue:PUT")
    assert (answer.outcomes, hops(answer)) == (("DELIVERED(PLAIN@GATE)",), ["GATE"])
