"""What the commands of one script leave behind (ibm_mq.md C4, C-9 to C-12)."""

import pytest
from ibm_mq_texts import facts, findings, only, read, values

from topograph.facts.ibm_mq import (
    Channel,
    ChannelRule,
    ChannelStatus,
    Listener,
    OtherObject,
    Queue,
    QueueManager,
    Subscription,
    Topic,
)


def test_an_object_defined_twice_without_replace_stays_as_it_was_first() -> None:
    text = "DEFINE QLOCAL(A) MAXDEPTH(1)\nDEFINE QLOCAL(A) MAXDEPTH(2)\n"
    assert values(only(text, Queue)) == {"MAXDEPTH": "1"}
    (finding,) = [one for one in read(text).findings if one.kind == "defined-twice"]
    assert (finding.rule, finding.severity, finding.source.line) == ("C-9", "error", 2)
    assert "line 1" in finding.message


def test_replace_sets_all_attributes_anew() -> None:
    text = "DEFINE QLOCAL(A) MAXDEPTH(1) DESCR(X)\nDEFINE QLOCAL(A) REPLACE DESCR(Y)\n"
    assert values(only(text, Queue)) == {"DESCR": "Y"}
    assert findings(text) == []


def test_all_queues_share_one_name_space() -> None:
    text = (
        "DEFINE QLOCAL(A)\nDEFINE QALIAS(A) TARGET(B) REPLACE\nALTER QREMOTE(A) "
        "RNAME(X)\nDELETE QALIAS(A)\n"
    )
    assert only(text, Queue).noun == "QLOCAL"
    assert findings(text) == [("other-type", 2), ("other-type", 3), ("other-type", 4)]


def test_client_channels_have_a_name_space_of_their_own() -> None:
    text = (
        "DEFINE CHANNEL(A) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(A) CHLTYPE(CLNTCONN) "
        "CONNAME('h')\nDEFINE CHANNEL(A) CHLTYPE(RCVR)\n"
    )
    assert [channel.channel_type for channel in facts(text, Channel)] == ["SVRCONN", "CLNTCONN"]
    assert findings(text) == [("other-type", 3)]


def test_alter_changes_only_what_it_lists() -> None:
    text = (
        "DEF CHL(C) CHLTYPE(CLUSRCVR) CLUSTER(X)\nALTER CHANNEL(C) CHLTYPE(CLUSRCVR) "
        "CLUSTER(' ') CLUSNL(N)\n"
    )
    channel = only(text, Channel)
    assert [(one.name, one.value, one.line) for one in channel.attributes] == [
        ("CLUSTER", " ", 2),
        ("CLUSNL", "N", 2),
    ]
    assert (channel.get("CLUSTER", "x"), channel.verb) == ("", "DEFINE")


def test_an_alter_of_what_the_file_does_not_define_is_a_fact_of_its_own() -> None:
    listener = only("ALTER LISTENER(SYSTEM.DEFAULT.LISTENER.TCP) PORT(4714)\n", Listener)
    assert (listener.verb, values(listener)) == ("ALTER", {"PORT": "4714"})


def test_an_alter_before_the_define_has_no_effect() -> None:
    text = "ALTER QLOCAL(A) PUT(DISABLED)\nDEFINE QLOCAL(A)\n"
    queue = only(text, Queue)
    assert (queue.verb, values(queue)) == ("DEFINE", {})
    assert findings(text) == [("altered-before-defined", 1)]


def test_delete_takes_an_object_away_and_define_may_bring_it_back() -> None:
    gone = "DEFINE QLOCAL(A)\nDELETE QLOCAL(A)\n"
    assert only(gone, Queue).verb == "DELETE"
    back = only("DELETE QLOCAL(A)\nDEFINE QLOCAL(A) DESCR(X)\n", Queue)
    assert (back.verb, values(back)) == ("DEFINE", {"DESCR": "X"})
    assert findings(f"{gone}ALTER QLOCAL(A) DESCR(X)\n") == [("altered-after-delete", 3)]


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("ALTER CHANNEL(A) DESCR(X)", "channel-type-missing"),
        ("DEFINE CHANNEL(A)", "channel-type-missing"),
        ("DEFINE CHANNEL(A) CHLTYPE(SENDER)", "channel-type-unknown"),
        ("ALTER CHANNEL CHLTYPE(SDR)", "name-missing"),
        ("DEFINE QUEUE(A)", "command-unknown"),
        ("DEFINE NONSENSE(A)", "command-unknown"),
        ("DELETE QMGR", "command-unknown"),
    ],
)
def test_what_mq_refuses_has_no_effect_and_is_an_error(command: str, kind: str) -> None:
    text = f"DEFINE QLOCAL(FIRST)\n{command}\n"
    reading = read(text)
    assert findings(text) == [(kind, 2)]
    assert len(reading.facts) == 2
    assert (reading.files[0].status, reading.files[0].unsupported) == ("partly-read", 1)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("DEFINE QLOCAL(A) XMITQ(T)", "XMITQ"),
        ("DEFINE QREMOTE(A) MAXDEPTH(5)", "MAXDEPTH"),
        ("DEFINE QLOCAL(A) MAXDEPHT(5)", "MAXDEPHT"),
        ("ALTER QMGR DEADQUEUE(5)", "DEADQUEUE"),
        ("DEFINE CHANNEL(A) CHLTYPE(RCVR) XMITQ(T)", "XMITQ"),
        ("DEFINE LISTENER(A) PORTS(1)", "PORTS"),
    ],
)
def test_an_attribute_that_no_version_knows_is_kept_and_named(command: str, name: str) -> None:
    described = [fact for fact in read(f"{command}\n").facts if getattr(fact, "unknown", ())]
    assert [fact.unknown for fact in described] == [(name,)]  # type: ignore[attr-defined]
    (finding,) = [one for one in read(f"{command}\n").findings if one.kind == "attribute-unknown"]
    assert (finding.rule, finding.source.line) == ("C-10", 1)


def test_like_takes_the_attributes_of_the_other_object() -> None:
    text = "DEFINE QLOCAL(T) USAGE(XMITQ) MAXDEPTH(1)\nDEFINE QLOCAL(A) LIKE(T) MAXDEPTH(2)\n"
    assert values(facts(text, Queue)[1]) == {"USAGE": "XMITQ", "MAXDEPTH": "2"}


def test_like_of_an_object_that_is_not_there_is_noted() -> None:
    text = "DEFINE QLOCAL(A) LIKE(T)\nDEFINE QLOCAL(B) LIKE(SYSTEM.DEFAULT.LOCAL.QUEUE)\n"
    assert [queue.like for queue in facts(text, Queue)] == ["T", ""]
    assert findings(text) == [("like-unknown", 1)]


def test_a_new_object_starts_from_the_default_object_as_the_file_left_it() -> None:
    text = (
        "DEFINE QLOCAL(BEFORE)\nALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) DEFBIND(NOTFIXED)\n"
        "DEFINE QLOCAL(AFTER)\nALTER CHANNEL(SYSTEM.DEF.SENDER) CHLTYPE(SDR) "
        "NPMSPEED(NORMAL)\nDEF CHL(C) CHLTYPE(SDR) XMITQ(T) CONNAME(B)\nDEF CHL(D) CHLTYPE(RCVR)\n"
    )
    assert {queue.name: values(queue) for queue in facts(text, Queue)} == {
        "BEFORE": {},
        "SYSTEM.DEFAULT.LOCAL.QUEUE": {"DEFBIND": "NOTFIXED"},
        "AFTER": {"DEFBIND": "NOTFIXED"},
    }
    assert [values(channel) for channel in facts(text, Channel)] == [
        {"NPMSPEED": "NORMAL"},
        {"NPMSPEED": "NORMAL", "XMITQ": "T", "CONNAME": "B"},
        {},
    ]


def test_objects_of_a_dump_are_complete_in_themselves() -> None:
    text = (
        "* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1\nALTER QMGR DEADQ('D')\n"
        "DEFINE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') DEFBIND(NOTFIXED) REPLACE\nDEFINE "
        "QLOCAL('Z') REPLACE\n"
    )
    assert values(facts(text, Queue)[1]) == {}


@pytest.mark.parametrize(
    ("text", "dump"),
    [
        (
            (
                "* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -a\nALTER QMGR "
                "MAXMSGL(1)\n"
            ),
            True,
        ),
        (
            "* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1\nALTER QMGR MAXMSGL(1)\n",
            False,
        ),
        (
            (
                "* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -a -t "
                "queue\nDEFINE QLOCAL(A)\n"
            ),
            False,
        ),
        (
            (
                "AMQ8408I: Display Queue Manager details.\n   QMNAME(QM1)     DEADQ( )\n   "
                "DEFXMITQ( )     REPOS( )\n"
            ),
            True,
        ),
        ("AMQ8408I: Display Queue Manager details.\n   QMNAME(QM1)     DEADQ( )\n", False),
        ("ALTER QMGR DEADQ(D)\n", False),
    ],
)
def test_a_source_that_shows_all_attributes_of_the_queue_manager_is_told_from_others(
    text: str, dump: bool
) -> None:
    assert only(text, QueueManager).dump is dump


def test_every_kind_of_object_is_a_fact() -> None:
    text = (
        "DEFINE TOPIC(T) TOPICSTR('a/b') CLUSTER(C)\nDEFINE SUB('s') TOPICSTR('a/#') "
        "DEST(A)\nDEFINE PROCESS(P) APPLICID('x')\n"
        "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('nobody')\nSET AUTHREC PROFILE(A) "
        "OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT, GET)\n"
    )
    assert values(only(text, Topic)) == {"TOPICSTR": "a/b", "CLUSTER": "C"}
    assert values(only(text, Subscription)) == {"TOPICSTR": "a/#", "DEST": "A"}
    assert (only(text, ChannelRule).name, only(text, ChannelRule).rule_type) == ("*", "BLOCKUSER")
    assert [(other.noun, other.name) for other in facts(text, OtherObject)] == [
        ("PROCESS", "P"),
        ("AUTHREC", "A"),
    ]


def test_commands_that_define_nothing_are_counted() -> None:
    text = "DEFINE QLOCAL(A)\nDISPLAY QMGR\nSTART CHANNEL(X)\nREFRESH CLUSTER(*)\nSTOP CHANNEL(X)\n"
    reading = read(text)
    assert (reading.files[0].read, reading.files[0].ignored) == (1, 4)
    assert findings(text) == []
    stopped = only(text, ChannelStatus)
    assert (stopped.name, values(stopped), stopped.source.line) == ("X", {"STATUS": "STOPPED"}, 5)


@pytest.mark.parametrize(
    "attribute",
    ["RQMNAME({{ qm }})", "RQMNAME('{{ qm }}')", "RQMNAME($QM)", "RQMNAME(${QM})", "RQMNAME(%QM%)",
        "RQMNAME(__qm__)", "RQMNAME(<QM>)", "RQMNAME(@QM@)"],
)  # fmt: skip
def test_template_text_in_an_attribute_that_decides_is_marked_and_kept_as_written(
    attribute: str,
) -> None:
    text = f"DEFINE QREMOTE(R) RNAME(X) {attribute}\n"
    queue = only(text, Queue)
    assert queue.template
    assert values(queue)["RQMNAME"] == attribute.removeprefix("RQMNAME(").removesuffix(")").strip(
        "'"
    )
    assert findings(text) == [("template", 1)]


def test_template_text_in_a_description_does_not_matter() -> None:
    assert not only("DEFINE QLOCAL(A_B%C) DESCR('{{ x }}')\n", Queue).template


def test_what_a_template_may_leave_out_has_a_doubt() -> None:
    text = "{% if x %}\nDEFINE QLOCAL(A)\n{% endif %}\nDEFINE QLOCAL(B)\n"
    assert [queue.doubt != "" for queue in facts(text, Queue)] == [True, False]


def test_both_sides_of_a_conflict_have_a_doubt() -> None:
    text = (
        "<<<<<<< HEAD\nDEFINE QLOCAL(A)\n=======\nDEFINE QLOCAL(B)\n>>>>>>> x\nDEFINE QLOCAL(C)\n"
    )
    assert [queue.doubt != "" for queue in facts(text, Queue)] == [True, True, False]
    assert findings(text) == [("conflict-mark", 1)]


def test_passwords_are_never_kept() -> None:
    text = (
        "DEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) LDAPPWD('tiger') LDAPUSER('cn=x')\nALTER "
        "QMGR KEYRPWD('tiger') SSLCRYP('GSK_PKCS11=/x;tiger;')\n"
        "DEFINE CHANNEL(C) CHLTYPE(SDR) USERID('app') PASSWORD('tiger') "
        "DESCR('password=tiger')\nDEFINE QLOCAL(A) PASSWRD('tiger')\nLDAPPWD('tiger')\n"
    )
    reading = read(text)
    assert "tiger" not in repr(reading)
    assert values(only(text, OtherObject))["LDAPPWD"] == "(set)"


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        (f"DEFINE QLOCAL({'A' * 48})", []),
        (f"DEFINE QLOCAL({'A' * 49})", [("name-too-long", 1)]),
        (f"DEFINE CHANNEL({'A' * 20}) CHLTYPE(RCVR)", []),
        (f"DEFINE CHANNEL({'A' * 21}) CHLTYPE(RCVR)", [("name-too-long", 1)]),
        (f"DEFINE SUB('{'a' * 200}') TOPICSTR(T)", []),
        (f"DEFINE QLOCAL('{'A' * 40}.{{{{ name }}}}')", [("template", 1)]),
    ],
    ids=["48", "49", "channel of 20", "channel of 21", "subscription", "template"],
)
def test_a_name_that_is_too_long_is_refused(command: str, kind: list[tuple[str, int]]) -> None:
    assert findings(f"{command}\n") == kind
    assert len(facts(f"{command}\n", Queue) + facts(f"{command}\n", Channel)) == (
        0 if "name-too-long" in str(kind) else 1
    ) - ("SUB" in command)


REFUSED = {
    "DEFINE QLOCAL(Z) CLCHNAME('*')": ("M-26", "CLCHNAME is for queues with USAGE(XMITQ)"),
    "DEFINE QLOCAL(Z) CLUSTER(C) CLUSNL(N)": ("C1", "CLUSTER and CLUSNL of Z cannot both be set"),
    "DEFINE QLOCAL(Z) CLUSTER(C) USAGE(XMITQ)": ("C1", "a cluster queue cannot be"),
    "DEFINE CHANNEL(Z) CHLTYPE(SDR) XMITQ(T)": ("C1", "an SDR channel needs CONNAME"),
    "DEFINE CHANNEL(Z) CHLTYPE(SVR)": ("C1", "an SVR channel needs XMITQ"),
    "DEFINE TOPIC(Z)": ("C1", "a topic object needs TOPICSTR"),
    "DEFINE TOPIC(Z) TOPICSTR(t)": ("M-30", "topic object FIRST stands for 'T' already"),
    "DEFINE SUB(Z) DEST(D)": ("C1", "a subscription needs TOPICSTR or TOPICOBJ"),
    "DEFINE QLOCAL(Z) PUT(MAYBE)": ("C4", "PUT takes DISABLED or ENABLED"),
    "DEFINE QLOCAL('Z-1')": ("C4", "the name 'Z-1' contains '-'"),
    "DEFINE QLOCAL(Z) LIKE(ALIAS)": ("C4", "LIKE names ALIAS, which is a QALIAS in line 2"),
    "DEFINE QLOCAL(Z) LIKE(GONE)": ("C4", "LIKE names GONE, which line 3 deletes"),
    "DEFINE QLOCAL(Z) LIKE": ("C4", "LIKE needs the name of an object"),
    "DEFINE QLOCAL(Z) REPLACE NOREPLACE": ("C4", "REPLACE and NOREPLACE are in one command"),
    "DEFINE CHANNEL(Z) CHLTYPE(SDR) LIKE(IN)": ("C4", "LIKE names IN, which is an RCVR in line 4"),
}
BEFORE_IT = (
    "DEFINE TOPIC(FIRST) TOPICSTR(T)\nDEFINE QALIAS(ALIAS) TARGET(T)\nDELETE QLOCAL(GONE)\n"
    "DEFINE CHANNEL(IN) CHLTYPE(RCVR)\n"
)


@pytest.mark.parametrize("command", REFUSED)
def test_a_definition_that_mq_refuses_makes_nothing_and_is_an_error(command: str) -> None:
    rule, why = REFUSED[command]
    reading = read(f"{BEFORE_IT}{command}\n")
    (finding,) = [one for one in reading.findings if one.kind == "definition-refused"]
    assert (finding.rule, finding.severity, finding.source.line) == (rule, "error", 5)
    assert why in finding.message
    assert [one for one in reading.facts if getattr(one, "name", "")[:1] == "Z"] == [
        one for one in reading.facts if getattr(one, "verb", "") == "REFUSED"
    ]


@pytest.mark.parametrize("command", REFUSED)
def test_what_output_of_the_queue_manager_shows_is_there_whatever_it_lacks(command: str) -> None:
    dump = f"* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1\n{command}\n"
    taken = f"{BEFORE_IT}     1 : {command}\nAMQ8006I: IBM MQ queue created.\n"
    for text in (dump, taken):
        reading = read(text)
        assert "definition-refused" not in {one.kind for one in reading.findings}
        made = [one for one in reading.facts if getattr(one, "name", "")[:1] == "Z"]
        assert [getattr(one, "verb", "") for one in made] == ["DEFINE"]


@pytest.mark.parametrize(
    "command",
    [
        "DEFINE QLOCAL(A) REPLACE CLUSTER(C) CLUSNL(N)",
        "ALTER QLOCAL(A) CLUSNL(N)",
        "ALTER QLOCAL(A) USAGE(XMITQ)",
        "ALTER QLOCAL(A) PUT(NO)",
        "DELETE QLOCAL(A) FOO(1)",
    ],
)
def test_a_command_that_mq_refuses_leaves_what_was_defined_before(command: str) -> None:
    text = f"DEFINE QLOCAL(A) CLUSTER(C) DESCR(X)\n{command}\n"
    queue = only(text, Queue)
    assert (values(queue), queue.verb) == ({"CLUSTER": "C", "DESCR": "X"}, "DEFINE")
    (finding,) = [one for one in read(text).findings if one.kind == "definition-refused"]
    assert finding.source.line == 2
    assert finding.message.endswith("What line 1 defines stays.")


def test_a_queue_manager_keeps_its_attributes_where_mq_refuses_the_command() -> None:
    text = "ALTER QMGR DEADQ(A)\nALTER QMGR DEADQ(B) REPOS(C) REPOSNL(N)\n"
    assert values(only(text, QueueManager)) == {"DEADQ": "A"}
    assert findings(text) == [("definition-refused", 2)]


@pytest.mark.parametrize(
    "text",
    [
        "{{ if .clustered }}\nDEFINE QLOCAL(Z) CLUSTER(C) CLUSNL(N)\n{{ end }}\n",
        "DEFINE QLOCAL(Z) CLUSTER({{ .cluster }}) CLUSNL({{ .list }})\n",
    ],
)
def test_what_a_template_leaves_open_is_there_with_a_doubt(text: str) -> None:
    queue = only(text, Queue)
    assert (queue.verb, "cannot both be set" in queue.doubt) == ("DEFINE", True)
    assert "definition-doubtful" in {one.kind for one in read(text).findings}


@pytest.mark.parametrize(
    "command",
    [
        "DEFINE QLOCAL(Z) LIKE(UNKNOWN) CLCHNAME('*')",
        "DEFINE QLOCAL(Z) USAGE(XMITQ) CLCHNAME('*')",
        "DEFINE QLOCAL(Z) CLUSTER(C) CLUSNL(' ')",
        "DEFINE CHANNEL(Z) CHLTYPE(SDR) LIKE(UNKNOWN)",
        "DEFINE CHANNEL(SYSTEM.DEF.SENDER) CHLTYPE(SDR) REPLACE",
        "ALTER QLOCAL(Z) CLCHNAME('*')",
        "ALTER CHANNEL(Z) CHLTYPE(SDR) DISCINT(5)",
    ],
)
def test_what_may_be_set_elsewhere_is_not_refused(command: str) -> None:
    assert {one.kind for one in read(f"{command}\n").findings} <= {
        "like-unknown",
        "queue-manager-not-named",
    }


def test_a_definition_after_one_that_was_refused_makes_the_object() -> None:
    text = "DEFINE QLOCAL(Z) CLCHNAME('*')\nDEFINE QLOCAL(Z)\n"
    assert [(one.verb, values(one)) for one in facts(text, Queue)] == [("DEFINE", {})]
