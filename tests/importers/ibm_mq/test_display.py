"""Output of DISPLAY and transcripts of runmqsc (ibm_mq.md C4)."""

import pytest
from ibm_mq_texts import facts, findings, only, read, values

from topograph.facts.ibm_mq import (
    Channel,
    ChannelStatus,
    ClusterQueue,
    ClusterQueueManager,
    Listener,
    Namelist,
    OtherStatus,
    Queue,
    QueueManager,
    QueueStatus,
)
from topograph.importers.ibm_mq import recognise
from topograph.importers.ibm_mq.roles import MQ_SCRIPT, MQ_STATUS

HEAD = "Starting MQSC for queue manager QM7.\n"
REMOTE = (
    "     1 : DISPLAY QREMOTE(*)\nAMQ8409I: Display Queue details.\n"
    "   QUEUE(R)                                TYPE(QREMOTE)\n   DESCR(a (b) c)         "
    "                 RNAME(X)\n"
    "   RQMNAME(QM2)                            XMITQ( )\n"
)


def test_a_block_has_up_to_two_attributes_a_line() -> None:
    queue = only(HEAD + REMOTE, Queue)
    assert (queue.server, queue.noun, queue.name, queue.source.line) == ("QM7", "QREMOTE", "R", 3)
    assert [(one.name, one.value, one.line) for one in queue.attributes] == [
        ("DESCR", "a (b) c", 5),
        ("RNAME", "X", 5),
        ("RQMNAME", "QM2", 6),
        ("XMITQ", "", 6),
    ]


@pytest.mark.parametrize(
    "header", ["AMQ8409: Display Queue details.", "AMQ8409I: Anzeige der Warteschlangendetails."]
)
def test_the_number_of_a_message_counts_and_not_its_words(header: str) -> None:
    text = f"{HEAD}{header}\n   QUEUE(A)      TYPE(QALIAS)\n   TARGET(B)\n"
    assert (only(text, Queue).noun, values(only(text, Queue))) == ("QALIAS", {"TARGET": "B"})


def test_values_may_hold_parentheses_be_blank_or_be_absent() -> None:
    text = (
        "AMQ8414I: Display Channel details.\n   CHANNEL(TO.B)                           "
        "CHLTYPE(SDR)\n"
        "   CONNAME(9.46.1.2(1414))                 XMITQ(B)\n   DESCR( )                "
        "                SYNCPT\n"
    )
    channel = only(HEAD + text, Channel)
    assert (channel.channel_type, values(channel)) == (
        "SDR",
        {"CONNAME": "9.46.1.2(1414)", "XMITQ": "B", "DESCR": "", "SYNCPT": ""},
    )


def test_more_attributes_may_stand_on_a_line_than_two() -> None:
    text = (
        "AMQ8441I: Display Cluster Queue Manager details.\n   CLUSQMGR(QM2)   "
        "CHANNEL(TO.QM2)   CONNAME(h(1414)) SYNCPT CLUSTER(C)\n"
    )
    manager = only(HEAD + text, ClusterQueueManager)
    assert (manager.name, values(manager)) == (
        "QM2",
        {"CHANNEL": "TO.QM2", "CONNAME": "h(1414)", "SYNCPT": "", "CLUSTER": "C"},
    )


def test_a_long_list_goes_on_in_the_next_lines() -> None:
    text = (
        "AMQ8550I: Display namelist details.\n   NAMELIST(N)                             "
        "NAMES(A\n   ,B\n   ,C)\n   NAMCOUNT(3)\n"
    )
    assert values(only(HEAD + text, Namelist)) == {"NAMES": "A,B,C", "NAMCOUNT": "3"}


def test_a_block_that_does_not_show_what_decides_leaves_a_doubt() -> None:
    text = (
        f"{HEAD}AMQ8409I: Display Queue details.\n   QUEUE(A)                                "
        "TYPE(QLOCAL)\n   CURDEPTH(3)\n"
    )
    assert only(text, Queue).doubt
    assert findings(text) == [("display-incomplete", 2)]


def test_states_are_observed_and_no_configuration() -> None:
    text = (
        f"{HEAD}AMQ8417I: Display Channel Status details.\n   CHANNEL(TO.B)              "
        "             CHLTYPE(SDR)\n"
        "   CONNAME(9.4.1.2(1414))                  CURRENT\n   RQMNAME(B)               "
        "               STATUS(RUNNING)\n   SUBSTATE( )\n"
        "AMQ8450I: Display queue status details.\n   QUEUE(A)                            "
        "    TYPE(QUEUE)\n   CURDEPTH(3)\n"
        "AMQ8441I: Display Cluster Queue Manager details.\n   CLUSQMGR(QM2)              "
        "             CHANNEL(TO.QM2)\n   CLUSTER(C)\n"
        "AMQ8409I: Display Queue details.\n   QUEUE(Q)                                "
        "TYPE(QCLUSTER)\n   CLUSQMGR(QM2)\n"
        "AMQ8631I: Display listener status details.\n   LISTENER(L)                      "
        "       STATUS(RUNNING)\n"
    )
    assert [
        (type(fact), fact.server, fact.name) for fact in read(text).facts if hasattr(fact, "name")
    ] == [
        (ChannelStatus, "QM7", "TO.B"),
        (QueueStatus, "QM7", "A"),
        (ClusterQueueManager, "QM7", "QM2"),
        (ClusterQueue, "QM7", "Q"),
        (OtherStatus, "QM7", "L"),
    ]
    assert facts(text, QueueManager) == []


def test_a_file_of_states_alone_is_observed() -> None:
    status = (
        "AMQ8417I: Display Channel Status details.\n   CHANNEL(TO.B)           "
        "CHLTYPE(SDR)\n   STATUS(RUNNING)\n"
    )
    found = recognise("a.txt", status.encode())
    assert found is not None
    assert (found.role, found.server) == (MQ_STATUS, "")
    both = recognise("a.txt", (HEAD + REMOTE + status).encode())
    assert both is not None
    assert (both.role, both.server) == (MQ_SCRIPT, "QM7")


def test_the_queue_manager_is_named_by_its_block() -> None:
    text = "AMQ8408I: Display Queue Manager details.\n   QMNAME(QM9)         DEADQ(D)\n" + REMOTE
    assert [
        (manager.name, manager.named_by, values(manager)) for manager in facts(text, QueueManager)
    ] == [("QM9", "display", {"DEADQ": "D"})]
    assert only(text, Queue).server == "QM9"


def test_commands_in_a_transcript_are_echoed_with_a_number() -> None:
    text = (
        f"{HEAD}     1 : define ql(a) +\n       : maxdepth(5)\nAMQ8006I: IBM MQ queue "
        "created.\n     2 : end\nOne MQSC command read.\n"
    )
    assert (only(text, Queue).name, values(only(text, Queue))) == ("A", {"MAXDEPTH": "5"})
    assert findings(text) == []


def test_a_command_that_the_transcript_says_was_refused_has_no_effect() -> None:
    text = (
        f"{HEAD}     1 : define ql(a)\nAMQ8006I: IBM MQ queue created.\n     2 : def ql(b) foo(x)\n"
        "AMQ8405I: Syntax error detected at or near end of command segment below:-\ndef "
        "ql(b) foo\n\n"
        "AMQ8426I: Valid MQSC commands are:\n\n    ALTER\n    CLEAR\n     3 : def "
        "ql(a)\nAMQ8150E: IBM MQ object already exists.\n"
    )
    assert [queue.name for queue in facts(text, Queue)] == ["A"]
    assert [finding for finding in findings(text) if finding[0] == "command-refused"] == [
        ("command-refused", 4),
        ("command-refused", 12),
    ]


def test_what_is_shown_after_a_definition_adds_to_it() -> None:
    text = (
        f"{HEAD}     1 : define lstr(l) trptype(tcp)\nAMQ8626I: IBM MQ listener "
        "created.\n     2 : dis lstr(l)\n"
        "AMQ8630I: Display listener information details.\n   LISTENER(L)               "
        "CONTROL(MANUAL)\n   TRPTYPE(TCP)              PORT(1414)\n"
    )
    assert values(only(text, Listener)) == {"TRPTYPE": "TCP", "CONTROL": "MANUAL", "PORT": "1414"}
