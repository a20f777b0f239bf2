"""What commands of MQSC do to queue managers, what those refuse, and what has to be known of the
rest (ibm_mq.md C1, C4, C-9 to C-11).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph.facts.ibm_mq import Described, Queue, QueueManager
from topograph.importers.ibm_mq.commands import read_script
from topograph.network import Network
from topograph.side_inputs import SideInputs
from topograph.systems.contract.changes import Edit, after_both
from topograph.systems.contract.system import Change, FactSource
from topograph.systems.fact_sources import ChangedFacts, FactList
from topograph.systems.ibm_mq import changes
from topograph.systems.ibm_mq.objects.channels import Channels
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork as Objects


@dataclass
class Given:
    """What became of a script."""

    edits: Sequence[Edit]
    after: FactSource
    network: Network
    change: Change

    @property
    def refusals(self) -> list[str]:
        return [
            ("?" if one.refused.undetermined else "") + one.refused.message
            for one in self.edits
            if one.refused
        ]

    @property
    def notes(self) -> list[tuple[str, str]]:
        return [(note.kind, note.message) for edit in self.edits for note in edit.notes]

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.notes]

    def object(self, name: str, server: str = "A") -> Described:
        (found,) = [
            one
            for one in self.after.facts((), server)
            if isinstance(one, Described) and one.name == name and not isinstance(one, QueueManager)
        ]
        return found

    def values(self, name: str, server: str = "A") -> dict[str, str]:
        return {one.name: one.value for one in self.object(name, server).attributes}


LINK = "DEFINE QLOCAL(XQ) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(XQ) CONNAME('b(1414)')"
B = "DEFINE CHANNEL(C) CHLTYPE(RCVR)\nDEFINE QLOCAL(Q)"


@pytest.fixture
def given(tmp_path: Path) -> Any:
    """Give a script to the queue manager A, whose MQSC is ``a``; others by name, and files of
    other names as they are.
    """

    def run(a: str, script: str, files: Mapping[str, str] | None = None, **managers: str) -> Given:
        for name, text in {"A": a, **managers}.items():
            (tmp_path / f"{name}.mqsc").write_text(
                f"* Queue manager name: {name}\nALTER QMGR DESCR('x')\n{text}\n"
            )
        for name, text in (files or {}).items():
            (tmp_path / name).write_text(text)
        network = topograph.read(tmp_path)
        source = network._model.parts[0].facts_of("ibm_mq")
        change, edits = Change(), []
        for command in read_script(script.encode(), "change.mqsc").commands:
            edits.append(changes.edit(ChangedFacts(source, change), "A", command))
            change = after_both(change, edits[-1].change)
        return Given(edits, ChangedFacts(source, change), network, change)

    return run


def test_a_definition_is_as_the_command_says_it(given: Any) -> None:
    found = given("", "* one\nDEFINE QREMOTE(R) RNAME(X) +\n RQMNAME(B)")
    made = found.object("R")
    assert (made.label, found.values("R"), made.verb) == (
        "QREMOTE R",
        {"RNAME": "X", "RQMNAME": "B"},
        "DEFINE",
    )
    assert (made.source.file, made.source.line, made.bundle) == ("change.mqsc", 2, "A.mqsc")
    assert [one.line for one in made.attributes] == [2, 3]


def test_a_definition_of_what_there_is_needs_replace(given: Any) -> None:
    found = given("DEFINE QLOCAL(X) PUT(DISABLED)", "DEFINE QLOCAL(X)\nDEFINE QLOCAL(X) NOREPLACE")
    assert (
        found.refusals
        == [
            "A has QLOCAL(X) already (A.mqsc:3:1), and the command does not say REPLACE",
        ]
        * 2
    )
    assert found.change == Change()


def test_replace_keeps_nothing_and_alter_keeps_the_rest(given: Any) -> None:
    a = "DEFINE QLOCAL(X) PUT(DISABLED) MAXDEPTH(7)"
    assert given(a, "DEFINE QLOCAL(X) REPLACE MAXDEPTH(9)").values("X") == {"MAXDEPTH": "9"}
    altered = given(a, "ALTER QLOCAL(X) MAXDEPTH(9)")
    assert altered.values("X") == {"PUT": "DISABLED", "MAXDEPTH": "9"}
    assert {one.name: one.line for one in altered.object("X").attributes} == {
        "PUT": 0,
        "MAXDEPTH": 1,
    }
    assert str(altered.object("X").source) == "change.mqsc:1:1"


def test_an_alter_that_changes_nothing_has_no_effect(given: Any) -> None:
    found = given(
        "DEFINE QLOCAL(X) PUT(DISABLED)", "ALTER QLOCAL(X) PUT(DISABLED)\nALTER QMGR DESCR('x')"
    )
    assert (found.change, found.refusals, found.notes) == (Change(), [], [])


def test_a_flag_takes_the_place_of_its_opposite(given: Any) -> None:
    assert given("DEFINE QLOCAL(X) TRIGGER", "ALTER QLOCAL(X) NOTRIGGER").values("X") == {
        "NOTRIGGER": ""
    }


def test_a_new_object_begins_as_the_default_object_of_the_queue_manager(given: Any) -> None:
    a = "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) PUT(DISABLED)"
    assert given(a, "DEFINE QLOCAL(X) MAXDEPTH(5)").values("X") == {
        "PUT": "DISABLED",
        "MAXDEPTH": "5",
    }
    assert given(a, "DEFINE QALIAS(X) TARGET(Y)").values("X") == {"TARGET": "Y"}


def test_like_copies_what_is_set_and_not_what_output_shows(given: Any) -> None:
    a = "DEFINE QLOCAL(X) MAXDEPTH(5) CRDATE(2020-01-01) CURDEPTH(3)"
    assert given(a, "DEFINE QLOCAL(Y) LIKE(X) PUT(DISABLED)").values("Y") == {
        "MAXDEPTH": "5",
        "PUT": "DISABLED",
    }


@pytest.mark.parametrize(
    ("script", "refusal"),
    [
        ("DEFINE QLOCAL(Y) LIKE(NONE)", "LIKE: A has no QLOCAL(NONE)"),
        ("DEFINE QLOCAL(Y) LIKE(R)", "LIKE names R, which is a QREMOTE (A.mqsc:4:1)"),
        ("DEFINE QALIAS(X) REPLACE TARGET(R)", ("A has a QLOCAL X (A.mqsc:3:1), and all queues "
            "share one name space")),
        ("ALTER QALIAS(X) TARGET(R)", ("A has a QLOCAL X (A.mqsc:3:1), and all queues share "
            "one name space")),
        ("DELETE QALIAS(X)", "A has a QLOCAL X (A.mqsc:3:1), and all queues share one name space"),
        ("DELETE QLOCAL(Z)", "A has no QLOCAL(Z)"),
        ("ALTER QREMOTE(RR) RNAME(X)", "A has no QREMOTE(RR). Did you mean R?"),
        ("ALTER CHANNEL(C) CHLTYPE(RCVR) MRRTY(1)", ("A has a CHANNEL C of type SDR "
            "(A.mqsc:5:1), and a channel keeps its type")),
        ("DEFINE CHANNEL(C) CHLTYPE(RCVR) REPLACE", ("A has a CHANNEL C of type SDR "
            "(A.mqsc:5:1), and a channel keeps its type")),
        ("DEFINE CHANNEL(D) CHLTYPE(SDR)", "an SDR channel needs XMITQ and CONNAME"),
        ("DEFINE CHANNEL(D) CHLTYPE(SVR) CONNAME('h')", "an SVR channel needs XMITQ"),
        ("ALTER CHANNEL(C) CHLTYPE(SDR) XMITQ(' ')", "an SDR channel needs XMITQ"),
        ("DEFINE CHANNEL(D) CHLTYPE(CLUSSDR) CLUSTER(K)", "a CLUSSDR channel needs CONNAME"),
        ("DEFINE TOPIC(T)", "a topic object needs TOPICSTR"),
        ("DEFINE SUB(S) DEST(X)", "a subscription needs TOPICSTR or TOPICOBJ"),
        ("DEFINE TOPIC(T2) TOPICSTR('/a')", "topic object T1 stands for '/a' already (A.mqsc:6:1)"),
        ("ALTER QLOCAL(X) CLUSTER(K) USAGE(XMITQ)", ("a cluster queue cannot be a transmission "
            "queue (3090 "
            "MQRCCF_CLUSTER_Q_USAGE_ERROR)")),
        ("ALTER QLOCAL(X) CLUSTER(K) CLUSNL(N)", "CLUSTER and CLUSNL of X cannot both be set"),
        ("ALTER QLOCAL(X) CLCHNAME('K.*')", ("CLCHNAME is for queues with USAGE(XMITQ) (3363 "
            "MQRCCF_CLUS_XMIT_Q_USAGE_ERROR)")),
        ("DEFINE QLOCAL(SYSTEM.CHANNEL.SYNCQ) REPLACE CLUSTER(K)", ("SYSTEM.CHANNEL.SYNCQ "
            "cannot be a cluster queue "
            "(3090 "
            "MQRCCF_CLUSTER_Q_USAGE_ERROR)")),
        ("ALTER QMGR REPOS(K) REPOSNL(N)", "REPOS and REPOSNL cannot both be set"),
        ("ALTER QMGR DEFXMITQ(SYSTEM.CLUSTER.TRANSMIT.QUEUE)", ("DEFXMITQ cannot be "
            "SYSTEM.CLUSTER.TRANSMIT.QUEUE "
            "(3269 "
            "MQRCCF_DEF_XMIT_Q_CLUS_ERROR)")),
        ("START CHANNEL(NONE)", "A has no CHANNEL(NONE)"),
        ("STOP CHANNEL(CL)", "CL is a client channel (A.mqsc:7:1), and STOP is for all others"),
        ("STOP CHANNEL(C) CONNAME('b') STATUS(STOPPED)", ("STATUS(STOPPED) does not go with "
            "CONNAME or QMNAME: a channel is "
            "stopped for "
            "all partners")),
        ("STOP LISTENER(L)", "A has no LISTENER(L)"),
        ("CLEAR QLOCAL(NONE)", "A has no QLOCAL(NONE)"),
        ("CLEAR QLOCAL(R)", "R is not a local queue (A.mqsc:4:1)"),
        ("SUSPEND QMGR CLUSTER(K)", "A is not a member of K"),
        ("SUSPEND QMGR CLUSNL(N)", "A has no NAMELIST(N)"),
        ("DELETE CHANNEL(CL)", "A has no CHANNEL(CL). Did you mean CL?"),
    ],
)  # fmt: skip
def test_what_a_queue_manager_refuses(given: Any, script: str, refusal: str) -> None:
    a = (
        "DEFINE QLOCAL(X)\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(B)\nDEFINE CHANNEL(C) "
        "CHLTYPE(SDR) XMITQ(XQ) CONNAME('b(1414)')\n"
        "DEFINE TOPIC(T1) TOPICSTR('/a')\nDEFINE CHANNEL(CL) CHLTYPE(CLNTCONN) CONNAME('b')"
    )
    found = given(a, script)
    assert (found.refusals, found.change) == ([refusal], Change())


def test_a_server_channel_needs_no_address_and_a_receiver_nothing(given: Any) -> None:
    found = given(
        "",
        (
            "DEFINE CHANNEL(S) CHLTYPE(SVR) XMITQ(X)\nDEFINE CHANNEL(R) "
            "CHLTYPE(RCVR)\nDEFINE CHANNEL(K) CHLTYPE(CLUSRCVR)"
        ),
    )
    assert found.refusals == []


def test_client_channels_have_a_name_space_of_their_own(given: Any) -> None:
    a = "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME('h')"
    found = given(a, "DELETE CHANNEL(C)")
    assert (found.refusals, found.object("C").label) == ([], "CLNTCONN C")
    for table in ("CLNTTBL", "CLNTTAB"):
        assert given(a, f"DELETE CHANNEL(C) CHLTABLE({table})").object("C").label == "SVRCONN C"


def test_each_command_is_given_to_what_those_before_it_left(given: Any) -> None:
    script = (
        "DEFINE QLOCAL(X)\nDEFINE QLOCAL(X)\nDELETE QLOCAL(X)\nDELETE QLOCAL(X)\nDEFINE "
        "QALIAS(X) TARGET(Q)"
    )
    found = given("DEFINE QLOCAL(Q)", script)
    assert [edit.refused is None for edit in found.edits] == [True, False, True, False, True]
    assert found.object("X").label == "QALIAS X"


@pytest.mark.parametrize(
    ("a", "script", "refusal"),
    [
        ("", "ALTER QREMOTE(X) RQMNAME($QM)", ("it holds text of a template, and what it says "
            "is known only once that is filled "
            "in")),
        ("DEFINE QLOCAL({{ name }})", "DELETE QLOCAL(X)", ("QLOCAL(X) may be what text of a "
            "template becomes (A.mqsc:3:1)")),
        ("DEFINE QLOCAL(X) +", "DELETE QLOCAL(Y)", "QLOCAL(Y) may be in what was not read"),
        ("", "DEFINE QLOCAL(SYSTEM.DEAD.LETTER.QUEUE)", ("every new queue manager has "
            "SYSTEM.DEAD.LETTER.QUEUE")),
        ("ALTER QLOCAL(X) PUT(DISABLED)", "DEFINE QLOCAL(X)", ("A.mqsc:3:1 alters QLOCAL(X) "
            "without defining it")),
        ("DEFINE CHANNEL(K.A) CHLTYPE(CLUSRCVR) CLUSTER(K)", "SUSPEND QMGR CLUSTER(K) MODE(FORCE)",
            "MODE(FORCE) also stops the channels to other members"),
        ("", "REFRESH CLUSTER(K)", "no queue manager that is loaded is a member of K"),
        ("DEFINE CHANNEL(K.A) CHLTYPE(CLUSRCVR) CLUSTER(K)", "STOP CHANNEL(K.Z)",
            "A has no CHANNEL(K.Z). Did you mean K.A?; a member"),
        ("", "RESET CLUSTER(K) ACTION(FORCEREMOVE) QMNAME(B)", ("B is removed from K in the "
            "repositories")),
        ("", "STOP QMGR", "QMGR is stopped"),
    ],
)  # fmt: skip
def test_what_nobody_can_say(given: Any, a: str, script: str, refusal: str) -> None:
    (found,) = given(a, script).refusals
    assert found.startswith(f"?{refusal}")


def test_a_queue_manager_that_is_not_loaded_leaves_everything_open() -> None:
    (command,) = read_script(b"DELETE QLOCAL(X)", "c").commands
    refused = changes.edit(FactList(()), "A", command).refused
    assert refused is not None
    assert (refused.undetermined, refused.message) == (
        True,
        "the configuration of A is not loaded: nobody can say what the command would do",
    )


def test_objects_in_two_files_of_one_queue_manager(given: Any) -> None:
    other = {
        "a2.mqsc": (
            "* Queue manager name: A\nDEFINE QLOCAL(X) MAXDEPTH(1)\nDEFINE QALIAS(Y) TARGET(X)\n"
        )
    }
    a = "DEFINE QLOCAL(X)\nDEFINE QLOCAL(Y)"
    altered = given(a, "ALTER QLOCAL(X) PUT(DISABLED)", other)
    assert [one.get("PUT") for one in altered.after.facts(("queue",), "A", ["QLOCAL X"])] == [
        "DISABLED",
        "DISABLED",
    ]
    assert [
        one.name for one in given(a, "DELETE QLOCAL(X)", other).after.facts(("queue",), "A")
    ] == ["Y", "Y"]
    assert (
        len(given(a, "DEFINE QLOCAL(X) REPLACE", other).after.facts(("queue",), "A", ["QLOCAL X"]))
        == 1
    )
    assert (
        given(a, "ALTER QLOCAL(Y) PUT(DISABLED)", other)
        .refusals[0]
        .startswith("?QLOCAL(Y) is of another type in")
    )


def test_objects_of_the_product_are_there_although_no_file_shows_them(given: Any) -> None:
    found = given(
        "",
        (
            "ALTER QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE) MAXDEPTH(9)\nDELETE "
            "QLOCAL(SYSTEM.DEAD.LETTER.QUEUE)"
        ),
    )
    assert found.refusals == []
    network = Objects(found.after, SideInputs())
    transmits = network.queue("A", "SYSTEM.CLUSTER.TRANSMIT.QUEUE")
    assert transmits is not None
    assert (transmits.get("USAGE"), transmits.get("MAXDEPTH")) == ("XMITQ", "9")
    assert network.queue("A", "SYSTEM.DEAD.LETTER.QUEUE") is None
    again = given(
        "",
        (
            "DELETE QLOCAL(SYSTEM.DEAD.LETTER.QUEUE)\nDELETE "
            "QLOCAL(SYSTEM.DEAD.LETTER.QUEUE)\nDEFINE QLOCAL(SYSTEM.DEAD.LETTER.QUEUE)"
        ),
    )
    assert again.refusals == [
        "A has no QLOCAL(SYSTEM.DEAD.LETTER.QUEUE): change.mqsc:1:1 deletes it"
    ]


def test_a_stopped_channel_holds_messages_until_it_is_started(given: Any) -> None:
    a = f"{LINK}\nDEFINE QREMOTE(R) RNAME(Q) RQMNAME(B) XMITQ(XQ)"
    stopped = given(a, "STOP CHANNEL(C)", B=B)
    assert stopped.notes == [
        ("waiting", "messages wait on XQ of A until START CHANNEL(C) is given")
    ]
    assert Objects(stopped.after, SideInputs()).stopped("A", "C") is not None
    started = given(a, "STOP CHANNEL(C)\nSTART CHANNEL(C)", B=B)
    assert Objects(started.after, SideInputs()).stopped("A", "C") is None
    assert (
        Objects(given(a, "STOP CHANNEL(C) STATUS(INACTIVE)").after, SideInputs()).stopped("A", "C")
        is None
    )


STATUS = """Starting MQSC for queue manager A.
AMQ8417I: Display Channel Status details.
   CHANNEL(C)                              CHLTYPE(SDR)
   STATUS({})
"""


@pytest.mark.parametrize(
    ("seen", "script", "stopped"),
    [
        ("RUNNING", "STOP CHANNEL(C)", True),
        ("STOPPED", "STOP CHANNEL(C)", True),
        ("STOPPED", "START CHANNEL(C)", False),
        ("STOPPED", "STOP CHANNEL(C) STATUS(INACTIVE)", False),
        ("STOPPED", "STOP CHANNEL(C) QMNAME(B)", False),
        ("RUNNING", "STOP CHANNEL(C) CONNAME('b')", False),
        ("RUNNING", "START CHANNEL(C)", False),
    ],
)
def test_states_that_were_observed_change(
    given: Any, seen: str, script: str, stopped: bool
) -> None:
    found = given(LINK, script, {"status.txt": STATUS.format(seen)})
    assert found.refusals == []
    assert (Objects(found.after, SideInputs()).stopped("A", "C") is not None) is stopped
    assert len(found.after.facts(("channel_status",), "A")) == 1


def test_the_cluster_makes_channels_that_no_file_defines(given: Any) -> None:
    a = "DEFINE CHANNEL(K.A) CHLTYPE(CLUSRCVR) CLUSTER(K) CONNAME('a')"
    b = "DEFINE CHANNEL(K.B) CHLTYPE(CLUSRCVR) CLUSTER(K) CONNAME('b')"
    assert (
        Objects(given(a, "STOP CHANNEL(K.B)", B=b).after, SideInputs()).stopped("A", "K.B")
        is not None
    )


def test_a_stopped_listener_takes_no_connections(given: Any) -> None:
    a = "DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1414)\nDEFINE CHANNEL(C) CHLTYPE(RCVR)"
    b = (
        "DEFINE QLOCAL(XQ) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(XQ) "
        "CONNAME('a(1414)')"
    )
    for script, answers in (
        ("STOP LISTENER(L)", False),
        ("STOP LISTENER(L)\nSTART LISTENER(L)", True),
        ("STOP LISTENER(L)\nSTOP LISTENER(L)\nSTART LISTENER(L)", True),
    ):
        network = Objects(given(a, script, B=b).after, SideInputs())
        (sender,) = network.channels.named(["SDR C"])
        (receiver,) = network.channels.named(["RCVR C"])
        assert Channels(network).answers(sender, receiver) is answers
    assert given(a, "STOP LISTENER(L)").kinds == ["waiting"]


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        ("CLEAR QLOCAL(X)", "messages-lost"),
        ("SET AUTHREC PROFILE(X) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT)", "authority"),
        ("REFRESH CLUSTER(K)", "cluster-refresh"),
        ("STOP CHANNEL(S)", "clients-stopped"),
    ],
)
def test_commands_without_an_effect_say_what_to_know(given: Any, script: str, kind: str) -> None:
    a = (
        "DEFINE QLOCAL(X)\nDEFINE CHANNEL(K.A) CHLTYPE(CLUSRCVR) CLUSTER(K)\nDEFINE "
        "CHANNEL(S) CHLTYPE(SVRCONN)"
    )
    found = given(a, script)
    assert (found.refusals, found.change, found.kinds) == ([], Change(), [kind])


def test_a_full_repository_cannot_forget_the_repositories(given: Any) -> None:
    a = "DEFINE CHANNEL(K.A) CHLTYPE(CLUSRCVR) CLUSTER(K)\nALTER QMGR REPOS(K)"
    for cluster in ("K", "'*'"):
        (refusal,) = given(a, f"REFRESH CLUSTER({cluster}) REPOS(YES)").refusals
        assert refusal == "REPOS(YES) is not for a full repository, and A is one of K"
    assert given(a, "REFRESH CLUSTER(K) REPOS(NO)").refusals == []
    assert (
        given(a.replace("REPOS(K)", "REPOS(' ')"), "REFRESH CLUSTER(K) REPOS(YES)").refusals == []
    )


@pytest.mark.parametrize(
    ("script", "notes"),
    [
        ("DEFINE QALIAS(N) TARGET(NONE)", [("N names NONE, which neither A nor a loaded member "
            "of its clusters has: puts to "
            "it get 2082")]),
        ("DEFINE QALIAS(N) TARGET(AL)", [("N names AL, which is a QALIAS (A.mqsc:6:1): puts to "
            "it get 2001")]),
        ("DEFINE QALIAS(N) TARGET(Q)", []),
        ("DEFINE QALIAS(N) TARGET(T) TARGTYPE(TOPIC)", [("N names topic object T, which A does "
            "not have")]),
        ("DEFINE QREMOTE(N) RNAME(Q)", ["RQMNAME of N is blank: puts to it get 2087"]),
        ("DEFINE QREMOTE(N) RNAME(Q) RQMNAME(A)", [("RQMNAME of N names this queue manager: "
            "puts to it get 2087")]),
        ("DEFINE QREMOTE(N) RNAME(Q) RQMNAME(B) XMITQ(Z)", [("XMITQ of N names Z, which A does "
            "not have")]),
        ("DEFINE QREMOTE(N) RNAME(Q) RQMNAME(B) XMITQ(Q)", [("XMITQ of N names Q, which is not a "
            "transmission queue (A.mqsc:5:1)")]),
        ("DEFINE QREMOTE(N) RNAME(Q) RQMNAME(B) XMITQ(XQ)", []),
        ("DEFINE QLOCAL(N) STREAMQ(Z)", ["STREAMQ of N names Z, which A does not have"]),
        ("ALTER QMGR DEFXMITQ(XQ)", [("messages for queue managers that A does not know "
            "leave over XQ")]),
        ("ALTER QMGR DEADQ(Z)", ["DEADQ names Z, which does not exist: nothing can be put there"]),
        ("ALTER QMGR DEADQ(XQ)", [("DEADQ names XQ, which is not a local queue of "
            "USAGE(NORMAL): nothing can be put "
            "there")]),
        ("ALTER QMGR DEADQ(Q)", []),
        ("DELETE QALIAS(AL)", []),
        ("DELETE QLOCAL(XQ)", [
            "the command fails while messages are on it or a program or channel has XQ open",
            "XQ is still named by remote queue R (A.mqsc:7), channel C (A.mqsc:4)",
        ]),
        ("DELETE QLOCAL(Q) PURGE", [
            "messages on Q of A are lost",
            "the command fails while a program or channel has Q open",
            "Q is still named by alias AL (A.mqsc:6)",
        ]),
        ("DELETE CHANNEL(C)", ["no channel reads XQ of A then: messages stay on it"]),
        ("ALTER QLOCAL(Q) USAGE(XMITQ)", [("USAGE is changed only while Q is empty and not "
            "open, unless with ALTER and "
            "FORCE (3210)")]),
        ("ALTER QLOCAL(Q) USAGE(XMITQ) FORCE", []),
        ("ALTER QALIAS(AL) TARGET(XQ)", [("the command fails while a program has AL open, "
            "unless it is an ALTER with FORCE "
            "(3210)")]),
        ("ALTER QREMOTE(R) RNAME(P)", [("the command fails while a program has R open, unless "
            "it is an ALTER with FORCE "
            "(3210)")]),
        ("ALTER QREMOTE(R) DESCR('new')", []),
        ("ALTER CHANNEL(C) CHLTYPE(SDR) DISCINT(5)", [("channel C takes the change when it "
            "starts next: STOP and START it")]),
        ("ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('c')", [
            ("channel C takes the change when it starts next: STOP and START it, and "
                "reset its message sequence number at both ends (RESET CHANNEL)"),
        ]),
        ("DEFINE CHANNEL(D) CHLTYPE(SDR) XMITQ(XQ) CONNAME('d')", [
            ("no loaded queue manager has the other end of channel D: a channel of that "
                "name with CHLTYPE(RCVR) or CHLTYPE(RQSTR) has to be defined there"),
        ]),
        ("DELETE CHANNEL(BACK)", ["BACK of B (B.mqsc:5:1) leads here and has no other end then"]),
    ],
)  # fmt: skip
def test_notes(given: Any, script: str, notes: list[str]) -> None:
    a = (
        f"{LINK}\nDEFINE QLOCAL(Q)\nDEFINE QALIAS(AL) TARGET(Q)\nDEFINE QREMOTE(R) RNAME(Q) "
        "RQMNAME(B) XMITQ(XQ)\nDEFINE CHANNEL(BACK) CHLTYPE(RCVR)"
    )
    found = given(a, script, B=f"{B}\nDEFINE CHANNEL(BACK) CHLTYPE(SDR) XMITQ(X) CONNAME('a')")
    assert found.refusals == []
    assert [message for _, message in found.notes] == notes


def test_a_default_transmission_queue_that_changes_names_both(given: Any) -> None:
    a = f"{LINK}\nALTER QMGR DEFXMITQ(XQ)"
    assert given(a, "ALTER QMGR DEFXMITQ(' ')").notes == [
        (
            "default-transmission-queue",
            "messages for queue managers that A does not know get 2087 instead of XQ",
        )
    ]
    assert given(a, "ALTER QMGR DEFXMITQ(XQ)").notes == []


def test_no_dead_letter_queue(given: Any) -> None:
    assert given("ALTER QMGR DEADQ(Q)", "ALTER QMGR DEADQ(' ')").kinds == ["dead-letter-queue"]


def test_members_of_a_cluster_learn_of_a_change_from_its_full_repositories(given: Any) -> None:
    a = (
        "DEFINE CHANNEL(K.A) CHLTYPE(CLUSRCVR) CLUSTER(K) CONNAME('a')\nDEFINE QLOCAL(X) "
        "CLUSTER(K)\nDEFINE NAMELIST(N) NAMES(K)\nDEFINE QLOCAL(Y) CLUSNL(N)"
    )
    b = (
        "ALTER QMGR REPOS(K)\nDEFINE CHANNEL(K.B) CHLTYPE(CLUSRCVR) CLUSTER(K) "
        "CONNAME('b')\nDEFINE QLOCAL(Z) CLUSTER(K)"
    )
    for script in (
        "DELETE QLOCAL(X)",
        "ALTER QLOCAL(X) CLUSTER(' ')",
        "DEFINE QALIAS(W) TARGET(Z) CLUSTER(K)",
        "ALTER NAMELIST(N) NAMES(L)",
        "DELETE CHANNEL(K.A)",
    ):
        found = [
            message
            for kind, message in given(a, script, B=b).notes
            if kind == "cluster-change" and "cluster K " in message
        ]
        assert found == [
            (
                "other members of cluster K learn of this from its full repositories (B): "
                "until then they send as before"
            )
        ], script
    (joins,) = given(a, "ALTER QMGR REPOS(K)", B=b).notes
    assert "(A, B)" in joins[1]
    alone = given(a, "DELETE QLOCAL(X)", B="").notes
    assert (
        "cluster-change",
        (
            "other members of cluster K learn of this from its full repositories, none of "
            "which is loaded: until then they send as before"
        ),
    ) in alone
    assert "cluster-change" not in given(a, "DEFINE QLOCAL(V) CLUSTER(L)", B=b).kinds
    assert "cluster-change" not in given(a, "ALTER QMGR DESCR('y')", B=b).kinds


def test_an_alias_may_name_what_the_cluster_has(given: Any) -> None:
    a = "DEFINE CHANNEL(K.A) CHLTYPE(CLUSRCVR) CLUSTER(K) CONNAME('a')"
    b = "DEFINE CHANNEL(K.B) CHLTYPE(CLUSRCVR) CLUSTER(K) CONNAME('b')\nDEFINE QLOCAL(Z) CLUSTER(K)"
    assert given(a, "DEFINE QALIAS(W) TARGET(Z)", B=b).kinds == []
    assert given(
        a, "DEFINE QALIAS(W) TARGET(Z)", B=b.replace("CLUSTER(K) CONNAME", "CLUSTER(L) CONNAME")
    ).kinds == ["not-reached"]


QSTATUS = """Starting MQSC for queue manager A.
AMQ8450I: Display queue status details.
   QUEUE(X)                                TYPE(QUEUE)
   CURDEPTH({})                             IPPROCS(0)
"""


def test_a_queue_that_held_messages_is_not_surely_deleted(given: Any) -> None:
    a = "DEFINE QLOCAL(X)"
    full = given(a, "DELETE QLOCAL(X)", {"q.txt": QSTATUS.format(3)})
    assert full.refusals == [
        "?X held 3 messages when it was observed (q.txt:2), and the command does not say PURGE"
    ]
    assert given(a, "DELETE QLOCAL(X) PURGE", {"q.txt": QSTATUS.format(3)}).refusals == []
    assert given(a, "DELETE QLOCAL(X)", {"q.txt": QSTATUS.format(0)}).refusals == []


def test_what_a_script_leaves_decides_where_messages_go(given: Any) -> None:
    a = f"{LINK}\nDEFINE QREMOTE(R) RNAME(Q) RQMNAME(B) XMITQ(XQ)\nDEFINE QLOCAL(L)"
    found = given(a, "DELETE QREMOTE(R)\nDEFINE QALIAS(R) TARGET(L)", B=B)
    queue = Objects(found.after, SideInputs()).queue("A", "R")
    assert isinstance(queue, Queue)
    assert (queue.noun, queue.get("TARGET")) == ("QALIAS", "L")


def test_servers_at_names_loaded_queue_managers_alone(given: Any) -> None:
    found = given("", "", B=B)
    assert changes.servers_at(found.after, "B") == {"B"}
    assert changes.servers_at(found.after, "b") == frozenset()
    assert changes.servers_at(found.after, "") == frozenset()


@pytest.mark.parametrize("shown", [True, False])
def test_a_missing_topic_object_is_noted_only_where_all_are_shown(
    tmp_path: Path, shown: bool
) -> None:
    """M-05, C-11."""
    what = "" if shown else " -t queue"
    (tmp_path / "A.txt").write_text(
        f"* Queue manager name: A\n* Command issued: dmpmqcfg -m A -a{what}\n"
        "DEFINE QLOCAL('Q')\n* Script ended on 2024-02-01   at 10.10.10\n"
    )
    answer = topograph.read(tmp_path).audit("DEFINE QALIAS(N) TARGET(T) TARGTYPE(TOPIC)\n", "A")
    noted = any("names topic object T" in one.message for one in answer.warnings)
    assert noted is shown
