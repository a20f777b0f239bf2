"""Files of ``kind: mqe``: every entry with its place, other names of keys, and what is not
understood.
"""

from __future__ import annotations

import pytest

from topograph.facts import Fact
from topograph.facts.mqe import (
    MqeAlias,
    MqeConnection,
    MqeListener,
    MqeQueue,
    MqeQueueManager,
    MqeXmitqListener,
)
from topograph.importers.mqe import read, recognise
from topograph.importers.plan import plan
from topograph.importers.plan import recognise as recognise_any
from topograph.importers.reading import Options, Reading
from topograph.side_inputs import SideInputs


def import_(text: str | bytes, path: str = "a.yaml") -> Reading:
    data = text.encode() if isinstance(text, str) else text
    (bundle,) = plan([recognise_any(path, data)], SideInputs()).bundles
    return read(bundle, {path: data}, Options())


def only(reading: Reading, kind: type[Fact]) -> Fact:
    (found,) = [fact for fact in reading.facts if type(fact) is kind]
    return found


def kinds(reading: Reading) -> list[str]:
    return [finding.kind for finding in reading.findings]


WHOLE = """\
kind: mqe
queueManager: qm1
codebase: Java
running: no
discovery: off
bridgeEnabled: yes
aliases: {SX: qm2}
listeners:
  - {name: L1, adapter: tcp, address: host1, port: 8081}
connections:
  - {name: qm2, type: direct, address: host2, port: 8081}
  - {name: VIRTUAL, type: alias, target: qm2}
  - {name: qm3, type: via, via: qm2}
queues:
  - {type: local, name: Q, aliases: [INVOICES]}
  - {type: remote, name: R, qmgr: qm2, mode: async}
  - {type: saf, name: S, qmgrs: [dev1, dev2], forwardTo: null}
  - {type: home, name: H, homeServer: qm2, timer: 500}
  - {type: bridge, name: B, qmgr: MQQM}
xmitqListeners:
  - {mqQueueManager: MQ1, xmitq: GW.XMITQ}
"""


def test_every_entry_is_a_fact_with_its_line_and_column() -> None:
    reading = import_(WHOLE)
    assert reading.findings == ()
    assert [
        (type(fact).__name__, fact.label, fact.source.line, fact.source.column)
        for fact in reading.facts
    ] == [
        ("MqeQueueManager", "qm1", 2, 15),
        ("MqeListener", "L1", 9, 5),
        ("MqeConnection", "qm2", 11, 5),
        ("MqeAlias", "VIRTUAL", 12, 5),
        ("MqeConnection", "qm3", 13, 5),
        ("MqeQueue", "Q", 15, 5),
        ("MqeQueue", "R", 16, 5),
        ("MqeQueue", "S", 17, 5),
        ("MqeQueue", "H", 18, 5),
        ("MqeQueue", "B", 19, 5),
        ("MqeXmitqListener", "GW.XMITQ@MQ1", 21, 5),
        ("MqeAlias", "SX", 7, 11),
    ]
    manager = only(reading, MqeQueueManager)
    assert isinstance(manager, MqeQueueManager)
    assert (
        manager.codebase,
        manager.running,
        manager.discovery,
        manager.bridge_enabled,
        manager.listens,
    ) == (
        "java",
        False,
        False,
        True,
        True,
    )
    (report,) = reading.files
    assert (report.status, report.read, report.unsupported) == ("read", 12, 0)


def test_what_is_not_stated_is_kept_apart_from_what_is() -> None:
    silent = only(import_("kind: mqe\nqueueManager: a\n"), MqeQueueManager)
    assert isinstance(silent, MqeQueueManager)
    assert (
        silent.codebase,
        silent.running,
        silent.discovery,
        silent.bridge_enabled,
        silent.listens,
    ) == (
        "",
        None,
        None,
        None,
        None,
    )
    deaf = only(import_("kind: mqe\nqueueManager: a\nlisteners: []\n"), MqeQueueManager)
    assert isinstance(deaf, MqeQueueManager)
    assert deaf.listens is False


def test_a_file_has_several_documents_and_may_be_json() -> None:
    reading = import_(
        "kind: mqe\nqueueManager: a\n---\nkind: mqe\nqueueManager: b\n---\nkind: other\n"
    )
    assert [fact.server for fact in reading.facts] == ["a", "b"]
    assert kinds(reading) == ["other-document"]
    one_line = b'{"queueManager": "a", "kind": "mqe", "queues": [{"type": "local", "name": "Q"}]}'
    assert recognise("a.json", one_line) is not None
    assert [fact.label for fact in import_(one_line).facts] == ["a", "Q"]


def test_names_of_jmx_operations_and_administration_messages_are_understood() -> None:
    reading = import_(
        "kind: mqe\nqueueManager: a\nqueues:\n"
        "- {type: remote, queueName: Q, destinationQMgrName: b, Queue_Mode: Queue_Asynchronous}\n"
        "- {type: storeAndForward, queueName: S, qqmnl: [b], forwardToQMgrName: c}\n"
        "- {type: homeServer, queueName: S, getFromQMgrName: c, Queue_QTimerInterval: 0, "
        "messageStore: x}\n"
        "connections:\n- {connectionName: b, viaQMName: c}\n"
    )
    assert reading.findings == ()
    queues = [fact for fact in reading.facts if isinstance(fact, MqeQueue)]
    assert (queues[0].type, queues[0].qmgr, queues[0].mode) == ("remote", "b", "async")
    assert (queues[1].qmgrs, queues[1].forward_to) == (("b",), "c")
    assert (queues[2].home_server, queues[2].timer) == ("c", 0)
    connection = only(reading, MqeConnection)
    assert isinstance(connection, MqeConnection)
    assert (connection.type, connection.via) == ("via", "c")


@pytest.mark.parametrize(
    ("entry", "section", "line"),
    [
        ("queues:\n- {type: remote, name: Q}", "queues", 4),
        ("queues:\n- {type: quick, name: Q}", "queues", 4),
        ("queues:\n- {name: Q}", "queues", 4),
        ("queues:\n- {type: local}", "queues", 4),
        ("queues:\n- just a text", "queues", 4),
        ("queues: {type: local, name: Q}", "queues", 3),
        ("queues:\n- {type: local, name: [Q]}", "queues", 4),
        ("queues:\n- {type: local, name: '{{ name }}'}", "queues", 4),
        ("queues:\n- {type: local, name: Q, qmgr: another}", "queues", 4),
        ("queues:\n- {type: home, name: Q, homeServer: b, timer: soon}", "queues", 4),
        ("connections:\n- {name: b, type: via}", "connections", 4),
        ("connections:\n- {type: direct}", "connections", 4),
        ("aliases: [a, b]", "aliases", 3),
        ("aliases: {a: }", "aliases", 3),
        ("codebase: cobol", "codebase", 3),
        ("running: perhaps", "running", 3),
        ("xmitqListeners:\n- {xmitq: X}", "xmitqListeners", 4),
    ],
)
def test_what_is_not_understood_is_an_error_with_its_line_and_leaves_answers_incomplete(
    entry: str, section: str, line: int
) -> None:
    reading = import_(f"kind: mqe\nqueueManager: a\n{entry}\n")
    (finding,) = reading.findings
    assert (finding.kind, finding.severity, finding.source.line) == (
        "not-understood",
        "error",
        line,
    )
    manager = only(reading, MqeQueueManager)
    assert isinstance(manager, MqeQueueManager)
    assert manager.unread == (section,)
    assert reading.files[0].status == "partly-read"


def test_a_key_that_is_not_known_is_a_finding_and_may_have_meant_something() -> None:
    reading = import_(
        "kind: mqe\nqueueManager: a\nqueues:\n- {type: saf, name: S, qmgrs: [b], forwardto: c}\n"
    )
    (finding,) = reading.findings
    assert finding.kind == "unknown-key"
    assert "forwardTo" in finding.message
    manager = only(reading, MqeQueueManager)
    assert isinstance(manager, MqeQueueManager)
    assert manager.unread == ("queues",)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("kind: mqe\n", "queue-manager-without-name"),
        ("kind: mqe\nqueueManager: ${NAME}\n", "queue-manager-without-name"),
        ("kind: mqe\nqueueManager: a\nqueues: [", "invalid-yaml"),
        ("kind: mqe\nqueueManager: &x a\ndescription: *x\n", "yaml-limit"),
        ("kind: mqe\nqueueManager: a\nqueues: " + "[" * 50 + "]" * 50, "yaml-limit"),
    ],
)
def test_a_file_of_which_nothing_can_be_used_says_why(text: str, kind: str) -> None:
    reading = import_(text)
    assert kinds(reading) == [kind]
    assert reading.facts == ()
    assert reading.files[0].status == "not-read"


def test_the_documents_before_a_mistake_are_read() -> None:
    reading = import_("kind: mqe\nqueueManager: a\n---\nkind: mqe\nqueueManager: b\nqueues: [")
    assert [fact.server for fact in reading.facts] == ["a"]
    assert kinds(reading) == ["invalid-yaml"]
    assert reading.files[0].status == "partly-read"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "MQeRemoteQueueAdminMsg msg = new MQeRemoteQueueAdminMsg();",
            (
                "a program or script of MQe administration messages; write its objects as "
                "`kind: mqe` (docs/inputs.md)"
            ),
        ),
        (
            "mbean.createProxy(destinationQMgrName='b', queueName='Q')",
            (
                "a script of JMX operations on MQe; write its objects as `kind: mqe`, with "
                "the same parameter names (docs/inputs.md)"
            ),
        ),
    ],
)
def test_other_forms_are_named_and_say_what_to_do(text: str, name: str) -> None:
    assert recognise("x", text.encode()) is None
    assert recognise_any("x", text.encode()).note == f"recognised as {name}, not read"


def test_facts_of_all_kinds_are_read() -> None:
    assert {type(fact) for fact in import_(WHOLE).facts} == {
        MqeQueueManager,
        MqeAlias,
        MqeListener,
        MqeConnection,
        MqeQueue,
        MqeXmitqListener,
    }
