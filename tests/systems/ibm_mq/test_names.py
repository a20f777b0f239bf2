"""How names of queues and queue managers are resolved, where no vector covers it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from systems.ibm_mq.defined import LINK, RECEIVER, rules

from topograph.facts import Fact
from topograph.message import Message
from topograph.side_inputs import SideInputs
from topograph.systems.fact_sources import FactList
from topograph.systems.ibm_mq import SYSTEM
from topograph.systems.ibm_mq.objects.clusters import Clusters
from topograph.systems.ibm_mq.routing.positions import MqPosition, position
from topograph.tracing.exploration import explore


def test_a_model_queue_makes_a_dynamic_queue_for_an_application_and_takes_nothing_from_a_channel(
    estate: Any,
) -> None:
    network = estate(
        A=f"DEFINE QMODEL(M)\n{LINK}\nDEFINE QREMOTE(R) RNAME(M) RQMNAME(B) XMITQ(XQ)",
        B=f"DEFINE QMODEL(M)\n{RECEIVER}",
    )
    assert network.trace("A", "queue:M").outcomes == ("DELIVERED(dynamic queue of M@A)",)
    answer = network.trace("A", "queue:R", persistent=True)
    assert answer.outcome == "HELD"
    assert {"M-12", "M-13"} <= rules(answer)


@pytest.mark.parametrize(
    ("objects", "code"),
    [
        ("DEFINE QREMOTE(Q) RNAME(X) RQMNAME(B)\nDEFINE QALIAS(B) TARGET(X)", 2091),
        ("DEFINE QREMOTE(Q) RNAME(X) RQMNAME(B)\nDEFINE QLOCAL(B)", 2092),
        ("DEFINE QREMOTE(Q) RNAME(X) RQMNAME(B) XMITQ(T)\nDEFINE QALIAS(T) TARGET(X)", 2091),
        ("ALTER QMGR DEFXMITQ(T)\nDEFINE QREMOTE(Q) RNAME(X) RQMNAME(B)", 2197),
        (
            (
                "ALTER QMGR DEFXMITQ(T)\nDEFINE QREMOTE(Q) RNAME(X) RQMNAME(B)\nDEFINE "
                "QALIAS(T) TARGET(X)"
            ),
            2198,
        ),
        ("ALTER QMGR DEFXMITQ(T)\nDEFINE QREMOTE(Q) RNAME(X) RQMNAME(B)\nDEFINE QLOCAL(T)", 2199),
        (
            (
                "ALTER QMGR DEFXMITQ(SYSTEM.CLUSTER.TRANSMIT.QUEUE)\nDEFINE QREMOTE(Q) "
                "RNAME(X) RQMNAME(B)"
            ),
            2199,
        ),
        ("DEFINE QREMOTE(Q) RNAME(X) RQMNAME(' ')", 2087),
        ("DEFINE QLOCAL(Q) PUT(DISABLED)", 2051),
        ("DEFINE QALIAS(Q) TARGET(X)\nDEFINE QLOCAL(X) PUT(DISABLED)", 2051),
        ("DEFINE QALIAS(Q) TARGET(X) PUT(DISABLED)\nDEFINE QLOCAL(X)", 2051),
        ("DEFINE QALIAS(Q) TARGET(X)\nDEFINE QMODEL(X)", 2001),
        ("DEFINE QALIAS(Q) TARGET(T) TARGTYPE(TOPIC)", 2082),
        ("DEFINE QLOCAL(Q) STREAMQ(NONE) STRMQOS(MUSTDUP)", 2085),
    ],
)
def test_a_put_that_cannot_be_resolved_is_refused_with_the_code_of_the_product(
    estate: Any, objects: str, code: int
) -> None:
    assert estate(A=objects).trace("A", "queue:Q").outcomes == (f"REJECTED({code})",)


@pytest.mark.parametrize(
    ("objects", "code"),
    [
        ("DEFINE QLOCAL(B)", 2092),
        ("DEFINE QALIAS(B) TARGET(X)", 2087),
        ("DEFINE QMODEL(B)", 2087),
        ("ALTER QMGR DESCR('y')", 2087),
        ("DEFINE QREMOTE(B) RQMNAME(' ') RNAME(' ')", 2085),
    ],
)
def test_a_name_that_stands_for_no_queue_manager_is_refused(
    estate: Any, objects: str, code: int
) -> None:
    network = estate(A=objects)
    assert network.trace("A", "X@B").outcomes == (f"REJECTED({code})",)
    assert network.trace("A", "queue:X", queue_manager="B").outcomes == (f"REJECTED({code})",)


def test_that_defxmitq_and_deadq_are_blank_is_assumed_unless_a_dump_says_so(estate: Any) -> None:
    network = estate(A="DEFINE QLOCAL(X)", B="ALTER QMGR DEFXMITQ(' ')\nDEFINE QLOCAL(X)")
    assert "C-11" in rules(network.trace("A", "X@ELSEWHERE"))
    assert "C-11" not in rules(network.trace("B", "X@ELSEWHERE"))


def test_an_unknown_queue_manager_leaves_through_defxmitq_and_the_hub_knows_it(estate: Any) -> None:
    hub = (
        "DEFINE QLOCAL(B) USAGE(XMITQ)\nDEFINE CHANNEL(TO.B) CHLTYPE(SDR) XMITQ(B) "
        "CONNAME('b')\nDEFINE CHANNEL(TO.HUB) CHLTYPE(RCVR)"
    )
    spoke = (
        "ALTER QMGR DEFXMITQ(HUB)\nDEFINE QLOCAL(HUB) USAGE(XMITQ)\nDEFINE CHANNEL(TO.HUB) "
        "CHLTYPE(SDR) XMITQ(HUB) CONNAME('h')"
    )
    network = estate(A=spoke, HUB=hub, B="DEFINE QLOCAL(X)\nDEFINE CHANNEL(TO.B) CHLTYPE(RCVR)")
    answer = network.trace("A", "X@B")
    assert answer.outcomes == ("DELIVERED(X@B)",)
    assert {"NR13", "NR10"} <= rules(answer)
    assert [(one.server, one.hops) for one in network.reach("A").servers] == [("B", 2), ("HUB", 1)]


def test_reply_to_fields_are_replaced_when_an_alias_of_the_reply_to_queue_is_named(
    estate: Any,
) -> None:
    network = estate(
        A="DEFINE QLOCAL(X)\nDEFINE QREMOTE(R) RNAME(ANSWERS) RQMNAME(FAR) XMITQ(NONE)"
    )
    text = network.trace("A", "queue:X", reply_to="R").steps[0].text
    assert "replies go to ANSWERS@FAR" in text
    assert (
        "replies go to R@FAR"
        in network.trace("A", "queue:X", reply_to="R", reply_to_queue_manager="FAR").steps[0].text
    )
    assert "replies go to X@A" in network.trace("A", "queue:X", reply_to="X").steps[0].text


def test_every_answer_says_once_that_authority_is_not_evaluated(estate: Any) -> None:
    answer = estate(A="DEFINE QLOCAL(X)").trace("A", "queue:X")
    assert [one.message for one in answer.warnings].count("authority not evaluated") == 1


TEMPLATES = [
    "QREMOTE(R) RNAME(X) RQMNAME('{{ far }}') XMITQ(XQ)",
    "QALIAS(R) TARGET('$X')",
    "QLOCAL(R) CLUSTER('+AUTOCL+')",
    "QLOCAL(R) CLUSNL('{{ list }}')",
]


@pytest.mark.parametrize("defined", TEMPLATES)
def test_an_object_of_a_template_leaves_open_where_it_leads(estate: Any, defined: str) -> None:
    network = estate(A=f"DEFINE {defined}\nDEFINE QLOCAL(OWN)", B="DEFINE QLOCAL(X)")
    answer = network.trace("A", "queue:R")
    assert answer.outcomes == ("UNDETERMINED",)
    assert [one.server for one in answer.undetermined] == ["B"]
    assert "holds text of a template" in answer.undetermined[0].because
    # A queue of the same queue manager that is no text of a template is certain.
    own = network.trace("A", "queue:OWN")
    assert (own.outcomes, own.exact, own.undetermined) == (("DELIVERED(OWN@A)",), True, ())
    assert [one.server for one in network.reach("A").undetermined] == ["B"]


@pytest.mark.parametrize("defined", [*TEMPLATES, "QLOCAL('<FAR>') USAGE(XMITQ)", "QLOCAL('${R}')"])
def test_text_of_a_template_is_no_queue_manager(estate: Any, defined: str) -> None:
    network = estate(A=f"DEFINE {defined}", B="DEFINE QLOCAL(X)")
    rows = {row["server"]: row["incomplete"] for row in network.show("servers").to_dict()["rows"]}
    assert rows.keys() == {"A", "B"}
    assert "holds text of a template" in rows["A"]
    assert "no-way-out" not in {row["kind"] for row in network.show("findings").to_dict()["rows"]}


@pytest.mark.parametrize("quality", ["BESTEF", "MUSTDUP"])
@pytest.mark.parametrize("names", [1, 2, pytest.param(3000, marks=pytest.mark.slow)])
def test_chains_and_circles_of_any_length_end(estate: Any, names: int, quality: str) -> None:
    circle = [
        f"DEFINE QLOCAL(Q{n}) STREAMQ(Q{(n + 1) % names}) STRMQOS({quality})" for n in range(names)
    ]
    network = estate(A="\n".join(circle))
    answer = network.trace("A", "queue:Q0")
    assert any(outcome.startswith("LOOP") for outcome in answer.outcomes)
    assert "ways-cut" not in {row["kind"] for row in network.show("findings").to_dict()["rows"]}
    # The product supports no chain of streaming queues.
    assert [one.confidence for one in answer.assumptions if one.rule == "M-18"] == ["L"]


@pytest.mark.parametrize("last", [2, pytest.param(3000, marks=pytest.mark.slow)])
def test_a_chain_of_streaming_queues_that_must_take_a_copy_refuses_where_the_last_one_does(
    estate: Any, last: int
) -> None:
    chain = [f"DEFINE QLOCAL(Q{n}) STREAMQ(Q{n + 1}) STRMQOS(MUSTDUP)" for n in range(last)]
    network = estate(A="\n".join([*chain, f"DEFINE QLOCAL(Q{last}) PUT(DISABLED)"]))
    answer = network.trace("A", "queue:Q0")
    assert answer.outcomes == ("REJECTED(2051)",)
    assert f"Q{last} has PUT(DISABLED)" in answer.steps[-1].text
    assert network.trace("A", f"queue:Q{last - 1}").outcomes == ("REJECTED(2051)",)


def test_a_trace_reads_the_facts_of_the_queue_managers_that_it_passes() -> None:
    from topograph.facts.ibm_mq import Attribute, Queue, QueueManager
    from topograph.findings import Source

    facts: list[Fact] = []
    for number in range(1000):
        name = f"QM{number:03}"
        place = Source(f"{name}.mqsc", 1)
        facts.append(QueueManager(bundle=name, server=name, source=place, name=name))
        attributes = (Attribute("USAGE", "NORMAL"),)
        facts += [
            Queue(
                bundle=name,
                server=name,
                source=place,
                name=f"Q{queue}.{name}",
                noun="QLOCAL",
                attributes=attributes,
            )
            for queue in range(50)
        ]
    read: list[int] = []

    class Counted(FactList):
        def facts(
            self, kinds: Sequence[str] = (), server: Any = "", names: Any = None
        ) -> Sequence[Fact]:
            found = super().facts(kinds, server, names)
            if "queue" in kinds:
                read.append(len(found))
            return found

    assert SYSTEM.stepping is not None
    own = SYSTEM.stepping(Counted(facts), SideInputs())
    message = Message.to("queue:Q7.QM500")
    trace = explore({"ibm_mq": own}, "ibm_mq", own.enter("QM500", message), message)
    assert [str(branch.ending) for branch in trace.endings()] == ["DELIVERED(Q7.QM500@QM500)"]
    assert sum(read) < 200


def test_a_name_picked_from_all_others_is_like_one_that_was_given(estate: Any) -> None:
    """What DEFXMITQ takes and a queue manager on the way knows: else each queue manager behind
    it would make all points on that way anew.
    """

    def link(here: str, far: str) -> str:
        return (
            f"DEFINE QLOCAL({far}) USAGE(XMITQ)\nDEFINE CHANNEL({here}.{far}) "
            f"CHLTYPE(SDR) XMITQ({far}) CONNAME('h')\n"
            f"DEFINE CHANNEL({far}.{here}) CHLTYPE(RCVR)\n"
        )

    leaves = {
        f"L{number}": link(f"L{number}", "MID") + "ALTER QMGR DEFXMITQ(MID)" for number in range(3)
    }
    middle = (
        link("MID", "TOP")
        + "".join(link("MID", leaf) for leaf in leaves)
        + "ALTER QMGR DEFXMITQ(TOP)"
    )
    network = estate(
        MID=middle, TOP=link("TOP", "MID") + link("TOP", "FAR"), FAR=link("FAR", "TOP"), **leaves
    )
    states = [
        json.loads(point.state) for point in network._model.parts[0].graph.points if point.state
    ]
    excluding = [state["queue_manager"] for state in states if state.get("excluded")]
    assert excluding
    assert set(excluding) == {"*other"}
    assert {one.server for one in network.reach("L0").servers} == {"MID", "TOP", "FAR", "L1", "L2"}


def test_queues_of_one_name_at_many_queue_managers_are_looked_through_once(
    estate: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = Clusters.advertised_in
    monkeypatch.setattr(
        Clusters, "advertised_in", lambda self, queue: asked.append(queue.name) or real(self, queue)
    )
    member = "DEFINE QLOCAL(Q)\nDEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('h')"
    estate(**{f"M{number:02}": member.format(f"M{number:02}") for number in range(40)})
    assert len(asked) < 10 * 40


def test_messages_that_circulate_through_aliases_and_missing_ends_are_told(
    estate: Any,
) -> None:
    circle = "\n".join(
        f"DEFINE QREMOTE(R{n}) RNAME(R{(n + 1) % 50}) RQMNAME(B) XMITQ(XQ)" for n in range(50)
    )
    back = "\n".join(
        f"DEFINE QREMOTE(R{n}) RNAME(R{(n + 1) % 50}) RQMNAME(A) XMITQ(XQ)" for n in range(50)
    )
    there = (
        "DEFINE QLOCAL(XQ) USAGE(XMITQ)\nDEFINE CHANNEL(D) CHLTYPE(SDR) XMITQ(XQ) CONNAME('a')\n"
    )
    network = estate(
        A=f"{LINK}\nDEFINE CHANNEL(D) CHLTYPE(RCVR)\n{circle}\nDEFINE QLOCAL(B2) USAGE(XMITQ)\n"
        "DEFINE CHANNEL(NO.END) CHLTYPE(SDR) XMITQ(B2) CONNAME('b(1)')\nDEFINE "
        "QREMOTE(LOST) RNAME(X) RQMNAME(B) XMITQ(B2)",
        B=f"{there}{RECEIVER}\n{back}",
    )
    assert network.trace("A", "queue:R0").outcome == "LOOP"
    assert network.trace("A", "queue:NOT.THERE").outcome == "REJECTED"
    assert network.trace("A", "queue:LOST").outcome == "HELD"
    found = {one["rule"] for one in network.check().findings}
    assert {"ML-04", "ML-10"} <= found


@pytest.mark.slow
def test_ten_thousand_objects_in_one_file_are_read_and_asked_about(estate: Any) -> None:
    queues = [f"DEFINE QLOCAL(Q{number})" for number in range(10_000)]
    aliases = [
        "DEFINE QALIAS(A) TARGET(Q9999)",
        "DEFINE QALIAS(X) TARGET(Y)",
        "DEFINE QALIAS(Y) TARGET(X)",
    ]
    network = estate(A="\n".join([*queues, *aliases]))
    assert network.trace("A", "queue:A").outcomes == ("DELIVERED(Q9999@A)",)
    assert network.trace("A", "queue:X").outcomes == ("REJECTED(2001)",)
    assert network.trace("A", "queue:Q10000").outcomes == ("REJECTED(2085)",)
    assert len(network.show("queues").to_dict()["rows"]) == 10_003


def test_what_is_left_open_says_what_is_possible_and_what_would_decide_it(estate: Any) -> None:
    network = estate(A=f"{LINK}\nDEFINE QREMOTE(R) RNAME(NONE) RQMNAME(B) XMITQ(XQ)", B=RECEIVER)
    answer = network.trace("A", "queue:R")
    assert answer.outcome == "UNDETERMINED"
    dropped, stays = (step.text for step in answer.steps[-2:])
    assert dropped.startswith("possible: B has no queue NONE (2085 ")
    assert "NPMSPEED(FAST) drops a nonpersistent message" in dropped
    assert "the channel stops, and the message stays on XQ" in stays
    assert all("use --persistent or --nonpersistent" in text for text in (dropped, stays))


def _assumed(answer: Any) -> list[tuple[str, str]]:
    """What an answer rests on, but for rows of product knowledge and for its scripts."""
    return [
        (one.rule, one.text)
        for one in answer.assumptions
        if one.rule != "C-1" and not one.text.startswith("the loaded scripts make")
    ]


def test_a_queue_whose_definition_is_refused_is_not_there_and_the_answer_says_why(
    estate: Any,
) -> None:
    why = (
        "C4",
        (
            "A has no QLOCAL Z: it refuses the command at A.mqsc:3:1 (CLCHNAME is for queues "
            "with USAGE(XMITQ) (3363 MQRCCF_CLUS_XMIT_Q_USAGE_ERROR))"
        ),
    )
    network = estate(
        A=(
            "DEFINE QLOCAL(Z) CLCHNAME('*')\nDEFINE QALIAS(AL) TARGET(Z)\n"
            "DEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(Z)\nDEFINE QLOCAL(OTHER)"
        )
    )
    for queue, code in (("Z", 2085), ("AL", 2082), ("R", 2196)):
        answer = network.trace("A", f"queue:{queue}")
        assert (answer.outcomes, _assumed(answer)) == ((f"REJECTED({code})",), [why])
    assert _assumed(network.trace("A", "queue:OTHER")) == []
    nope = network.trace("A", "queue:NOPE")
    assert [one.text for one in nope.assumptions] == ["the loaded scripts make all objects of A"]


def test_a_cluster_queue_takes_the_place_of_one_whose_definition_is_refused(estate: Any) -> None:
    member = "DEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CLUSTER(K) CONNAME({0})"
    network = estate(
        A=f"{member.format('A')}\nDEFINE QLOCAL(Q) CLCHNAME('*')",
        B=f"{member.format('B')}\nDEFINE QLOCAL(Q) CLUSTER(K)",
    )
    answer = network.trace("A", "queue:Q")
    assert answer.outcomes == ("DELIVERED(Q@B)",)
    assert [rule for rule, text in _assumed(answer) if "has no QLOCAL Q" in text] == ["C4"]


def test_a_channel_whose_definition_is_refused_reads_no_queue(estate: Any) -> None:
    network = estate(
        A=(
            "DEFINE QLOCAL(B) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(B)\n"
            "DEFINE QREMOTE(R) RNAME(X) RQMNAME(B)"
        ),
        B="DEFINE CHANNEL(C) CHLTYPE(RCVR)\nDEFINE QLOCAL(X)",
    )
    answer = network.trace("A", "queue:R")
    assert answer.outcome == "HELD"
    assert (
        "C4",
        "A has no SDR C: it refuses the command at A.mqsc:4:1 (an SDR channel needs CONNAME)",
    ) in _assumed(answer)
    assert network.reach("A").servers == ()


def test_a_queue_made_like_one_that_no_file_shows_is_an_assumption(estate: Any) -> None:
    network = estate(A="DEFINE QLOCAL(Q) LIKE(NONE)\nDEFINE QLOCAL(P)")
    (found,) = network.trace("A", "queue:Q").assumptions
    assert (found.rule, found.text, found.alternative) == (
        "C4",
        (
            "QLOCAL Q of A has what its own command sets, and nothing else from NONE, which it is "
            "made like"
        ),
        "NONE sets more, or is not there, and the command was refused",
    )
    assert network.trace("A", "queue:P").assumptions == ()


@pytest.mark.parametrize(
    ("command", "rule"),
    [("ALTER QMGR DEADQ(D) FOO(1)", "C-10"), ("ALTER QMGR DEADQ(D) DEADQ(E)", "C4")],
)
def test_a_dead_letter_queue_set_by_a_command_that_may_be_refused_is_an_assumption(
    estate: Any, command: str, rule: str
) -> None:
    network = estate(A=f"{command}\nDEFINE QLOCAL(D)\nDEFINE CHANNEL(C) CHLTYPE(RCVR)")
    answer = network.trace("A", "queue:NO", arrives_over="C", header="NO@A")
    assert answer.outcome == "DLQ"
    (found,) = (one for one in answer.assumptions if not one.text.startswith("the loaded scripts"))
    assert (found.rule, found.alternative.split(":")[0]) == (
        rule,
        "the command was refused, and DEADQ is as it was before",
    )


def test_a_default_transmission_queue_set_by_a_command_that_may_be_refused_is_an_assumption(
    estate: Any,
) -> None:
    network = estate(A="ALTER QMGR DEFXMITQ(T) FOO(1)\nDEFINE QLOCAL(T) USAGE(XMITQ)")
    answer = network.trace("A", "queue:X", queue_manager="FAR")
    assert "C-10" in {one.rule for one in answer.assumptions}


MEMBER = "DEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CLUSTER(K) CONNAME({0})"
NO_MEMBER = "DEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CLUSTER(K) CLUSNL(N) CONNAME({0})"


@pytest.mark.parametrize("name", ["Q", "GONE"])
def test_answers_name_a_member_that_refuses_its_cluster_receiver(estate: Any, name: str) -> None:
    network = estate(
        A=MEMBER.format("A"),
        B=f"{NO_MEMBER.format('B')}\nDEFINE QLOCAL(Q) CLUSTER(K)",
        C=f"{MEMBER.format('C')}\nDEFINE QLOCAL(Q) CLUSTER(K)\nDEFINE QLOCAL(P)",
        D="DEFINE QLOCAL(GONE)",
    )
    said = [text for rule, text in _assumed(network.trace("A", f"queue:{name}")) if rule == "C4"]
    assert said == [
        "B has no CLUSRCVR TO.B: it refuses the command at B.mqsc:3:1 (CLUSTER and CLUSNL of TO.B "
        "cannot both be set)"
    ]
    assert _assumed(network.trace("D", "queue:GONE")) == []
    assert _assumed(network.trace("C", "queue:P")) == []


def test_answers_name_a_member_that_refuses_a_queue_of_the_cluster(estate: Any) -> None:
    network = estate(
        A=MEMBER.format("A"),
        B=f"{MEMBER.format('B')}\nDEFINE QLOCAL(Q) CLUSTER(K) USAGE(XMITQ)",
        C=f"{MEMBER.format('C')}\nDEFINE QLOCAL(Q) CLUSTER(K)\nDEFINE QLOCAL(OTHER) CLUSTER(K)",
    )
    for queue, many in (("Q", 1), ("OTHER", 0)):
        said = [text for _, text in _assumed(network.trace("A", f"queue:{queue}"))]
        assert sum(text.startswith("B has no QLOCAL Q: it refuses") for text in said) == many


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("DEFINE SUB(S)", "subscription S"),
        ("DEFINE SUB(S) TOPICSTR('prices') DEST(Q) FOO FOO", ""),
        ("DEFINE SUB(S) TOPICSTR('prices') PURGE NOPURGE", "subscription S"),
        ("DEFINE SUB(S) TOPICSTR('other') PURGE NOPURGE", ""),
        ("DEFINE TOPIC(T)", "topic object T"),
        ("DEFINE TOPIC(T) TOPICSTR('prices') REPLACE NOREPLACE", "topic object T"),
        ("DEFINE TOPIC(T) TOPICSTR('other') REPLACE NOREPLACE", ""),
    ],
)
def test_a_publication_names_what_its_queue_manager_refuses_to_define(
    estate: Any, command: str, what: str
) -> None:
    network = estate(A=f"DEFINE QLOCAL(Q)\n{command}")
    said = [text for _, text in _assumed(network.trace("A", "topic:prices")) if "has no" in text]
    assert [text.partition(":")[0] for text in said] == ([f"A has no {what}"] if what else [])
    told = [one.text for one in network.propagate("A", "topic:prices").assumptions]
    assert [text for text in told if "has no" in text] == said


def test_an_alias_of_a_refused_topic_object_names_it(estate: Any) -> None:
    network = estate(A="DEFINE TOPIC(T)\nDEFINE QALIAS(AL) TARGET(T) TARGTYPE(TOPIC)")
    answer = network.trace("A", "queue:AL")
    assert answer.outcome == "REJECTED"
    assert [text.partition(":")[0] for _, text in _assumed(answer)] == ["A has no topic object T"]


def test_a_publication_names_a_clustered_topic_that_another_member_refuses(estate: Any) -> None:
    network = estate(
        A=MEMBER.format("A"),
        B=f"{MEMBER.format('B')}\nDEFINE TOPIC(T) TOPICSTR('prices') CLUSTER(K) REPLACE NOREPLACE",
    )
    said = [text for _, text in _assumed(network.trace("A", "topic:prices/oil"))]
    assert [text.partition(":")[0] for text in said if "has no topic" in text] == [
        "B has no topic object T"
    ]


def test_a_position_without_the_name_of_a_queue_comes_back_out_of_its_text() -> None:
    at = MqPosition("A", "open", "", queue_manager="FAR")
    assert position(replace(at.state(), decoded=None)) == at


@pytest.mark.parametrize(
    "queues",
    [
        "DEFINE QREMOTE(R1) RNAME(X) RQMNAME(C) PUT(DISABLED)\n"
        "DEFINE QREMOTE(R2) RNAME(X) RQMNAME(C)",
        "DEFINE QREMOTE(R) RNAME(X) RQMNAME(C)\n"
        "DEFINE QALIAS(R1) TARGET(R) PUT(DISABLED)\nDEFINE QALIAS(R2) TARGET(R)",
    ],
)
def test_each_queue_that_leads_on_counts_unless_it_is_defined_alike(
    estate: Any, queues: str
) -> None:
    """M-05, M-07: messages go on from R2, however R1, which leads to the same queue, is closed."""
    network = estate(
        A="DEFINE QLOCAL(B) USAGE(XMITQ)\nDEFINE CHANNEL(A.B) CHLTYPE(SDR) CONNAME(b) XMITQ(B)",
        B=f"DEFINE CHANNEL(A.B) CHLTYPE(RCVR)\n{queues}\nDEFINE QLOCAL(C) USAGE(XMITQ)\n"
        "DEFINE CHANNEL(B.C) CHLTYPE(SDR) CONNAME(c) XMITQ(C)",
        C="DEFINE CHANNEL(B.C) CHLTYPE(RCVR)\nDEFINE QLOCAL(X)",
    )
    assert network.trace("A", "R2@B").outcomes == ("DELIVERED(X@C)",)
    assert [one.server for one in network.reach("A").servers] == ["B", "C"]
