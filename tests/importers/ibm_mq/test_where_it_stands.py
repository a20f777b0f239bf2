"""MQSC in scripts, YAML, REST JSON and ini files, and which queue manager it is of (ibm_mq.md
C4).
"""

import json

import pytest
from ibm_mq_texts import facts, only, read, values

from topograph.facts.ibm_mq import Channel, Listener, Namelist, Queue, QueueManager, Stanza
from topograph.findings import Source
from topograph.importers.ibm_mq import recognise
from topograph.importers.ibm_mq.naming import guessed
from topograph.importers.ibm_mq.roles import MQ_INI, MQ_RESOURCES, MQ_REST, MQ_SCRIPT, MQ_SHELL
from topograph.importers.known_formats import name_of
from topograph.importers.plan import plan
from topograph.importers.plan import recognise as recognise_any
from topograph.importers.reading import Role
from topograph.side_inputs import ServerEntry, SideInputs

CONFIG_MAP = """apiVersion: v1
kind: ConfigMap
metadata:
  name: hub-mqsc
data:
  a.mqsc: |
    * note
    DEFINE QLOCAL(A) +
      USAGE(XMITQ)
  qm.ini: |-
    TCP:
       Port=1415
  b: "DEFINE QLOCAL(B)\\nDEFINE QLOCAL(C)"
"""
RESOURCE = """---
apiVersion: mq.ibm.com/v1beta1
kind: QueueManager
metadata:
  name: qm-one
spec:
  queueManager:
    name: QMONE
    mqsc:
      - configMap: {name: hub-mqsc, items: [a.mqsc]}
"""


def where(text: str, path: str = "x.sh") -> list[tuple[str, str, int]]:
    """Queue manager, name and line of every queue."""
    return [(queue.server, queue.name, queue.source.line) for queue in facts(text, Queue, path)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("runmqsc QM1 <<EOF\nDEFINE QLOCAL(A)\nEOF\nrunmqsc QM2 << 'X'\nDEFINE QLOCAL(B)\nX\n",
            [("QM1", "A", 2), ("QM2", "B", 5)]),
        ("cat <<-EOF | runmqsc -e QM1 >> log\n\tDEFINE QLOCAL(A)\n\tEOF\n", [("QM1", "A", 2)]),
        ("runmqsc QM1 << @\nDEFINE QLOCAL(A)\n@\n", [("QM1", "A", 2)]),
        ('echo "DEFINE QLOCAL(A)" | runmqsc QM1\n', [("QM1", "A", 1)]),
        ('echo "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)" | runmqsc QM1\n',
            [("QM1", "A", 1), ("QM1", "B", 2)]),
        ('echo "DEFINE QLOCAL(A)" \\\n  "USAGE(XMITQ)" > a.in\nrunmqsc QM1 < a.in\n',
            [("QM1", "A", 1)]),
        ('printf "DEFINE QLOCAL(A)\\nDEFINE QLOCAL(B)\\n" | runmqsc QM1\n',
            [("QM1", "A", 1), ("QM1", "B", 1)]),
        ("docker exec q bash -c \"echo 'DEFINE QLOCAL(A)' | runmqsc QM1\"\n", [("QM1", "A", 1)]),
        (("@echo off\necho DEFINE QLOCAL(A) >> x.mqsc\necho DEFINE QLOCAL(B) >> "
            "x.mqsc\nrunmqsc QM1 < x.mqsc\n"), [("QM1", "A", 2), ("QM1", "B", 3)]),
        ("#!/bin/ksh\nQM=QM1\nrunmqsc $QM <<EOF\nDEFINE QLOCAL($QM.A)\nEOF\n",
            [("QM1", "QM1.A", 4)]),
        (("cat > /tmp/a.mqsc <<EOF\nDEFINE QLOCAL(A)\nEOF\nrunmqsc QM3 < "
            "/tmp/a.mqsc\nrunmqsc QM4 </dev/null\n"), [("QM3", "A", 2)]),
    ],
)  # fmt: skip
def test_a_script_says_where_each_of_its_texts_runs(
    text: str, found: list[tuple[str, str, int]]
) -> None:
    assert where(text) == found


def test_quotes_escaped_for_a_shell_are_read() -> None:
    text = "echo 'ALTER CHL(X) CHLTYPE(SDR) CONNAME('\\''host(1414)'\\'')' | runmqsc QM1\n"
    assert values(only(text, Channel, "x.sh")) == {"CONNAME": "host(1414)"}
    assert values(only(text.replace("'\\''", "'\\\\''"), Channel, "x.sh")) == {
        "CONNAME": "host(1414)"
    }


def test_a_variable_that_branches_set_differently_stays_a_variable() -> None:
    text = "if [ $1 ]; then QM=A; else QM=B; fi\nrunmqsc $QM <<EOF\nDEFINE QLOCAL(A)\nEOF\n"
    reading = read(text, "estate/HUB.sh")
    assert {fact.server for fact in reading.facts} == {"HUB"}
    assert [finding.kind for finding in reading.findings] == ["queue-manager-not-named"]


def test_resources_in_a_script_are_read_as_resources() -> None:
    text = f"#!/bin/sh\ncat > cm.yaml << EOF\n{CONFIG_MAP}EOF\noc apply -f - <<EOF\n{RESOURCE}EOF\n"
    assert where(text)[0] == ("QMONE", "A", 10)
    assert values(facts(text, Queue, "x.sh")[0]) == {"USAGE": "XMITQ"}


def test_what_crtmqm_sets_counts() -> None:
    text = "crtmqm -q -u DEAD.Q -d DEF.X -p 1420 QM7\nrunmqsc QM7 <<EOF\nDEFINE QLOCAL(A)\nEOF\n"
    manager = only(text, QueueManager, "x.sh")
    assert [(one.name, one.value, one.line) for one in manager.attributes] == [
        ("DEADQ", "DEAD.Q", 1),
        ("DEFXMITQ", "DEF.X", 1),
    ]
    assert (only(text, Listener, "x.sh").name, values(only(text, Listener, "x.sh"))["PORT"]) == (
        "SYSTEM.LISTENER.TCP.1",
        "1420",
    )


def test_texts_in_yaml_keep_the_lines_of_the_file() -> None:
    text = CONFIG_MAP + RESOURCE
    assert [
        (queue.server, queue.name, queue.source) for queue in facts(text, Queue, "cm.yaml")
    ] == [
        ("QMONE", "A", Source("cm.yaml", 8, 5)),
        ("QMONE", "B", Source("cm.yaml", 13, 6)),
        ("QMONE", "C", Source("cm.yaml", 13, 6)),
    ]
    assert facts(text, Queue, "cm.yaml")[0].attributes[0].line == 9
    stanza = only(text, Stanza, "cm.yaml")
    assert (stanza.server, stanza.name, values(stanza), stanza.source.line) == (
        "QMONE",
        "TCP",
        {"Port": "1415"},
        11,
    )


def test_a_config_map_alone_is_named_after_its_key_or_itself() -> None:
    assert {queue.server for queue in facts(CONFIG_MAP, Queue, "cm.yaml")} == {"hub"}
    named = CONFIG_MAP.replace("a.mqsc", "QM1.mqsc")
    assert facts(named, Queue, "cm.yaml")[0].server == "QM1"


def test_a_container_names_its_queue_manager() -> None:
    text = (
        "kind: Deployment\nspec:\n  containers:\n  - env:\n    - {name: MQ_QMGR_NAME, "
        "value: QM5}\n  volumes:\n  - configMap: {name: hub-mqsc}\n---\n"
    ) + CONFIG_MAP
    assert {queue.server for queue in facts(text, Queue, "all.yaml")} == {"QM5"}


def test_text_in_any_yaml_is_found() -> None:
    text = "qmgr:\n  mqsc: |\n    DEFINE QLOCAL(A)\n    DEFINE QLOCAL(B)\n"
    assert [(name, line) for _, name, line in where(text, "vars.yml")] == [("A", 3), ("B", 4)]


def test_yaml_that_is_a_template_is_read_by_its_lines() -> None:
    text = (
        "kind: ConfigMap\n{{- if .x }}\ndata:\n  a.mqsc: |\n    DEFINE QLOCAL(A)\n{{ end "
        "}}\n  b: [\n"
    )
    reading = read(text, "cm.yaml")
    assert [queue.name for queue in reading.facts if isinstance(queue, Queue)] == ["A"]
    assert "invalid-yaml" in [finding.kind for finding in reading.findings]


def test_commands_for_the_rest_interface_are_read() -> None:
    plain = {"type": "runCommand", "parameters": {"command": "DEFINE QLOCAL(A) USAGE(XMITQ)"}}
    as_json = {
        "type": "runCommandJSON",
        "command": "define",
        "qualifier": "qremote",
        "name": "R",
        "parameters": {
            "rname": "x",
            "rqmname": "QM2",
            "xmitq": "QM2",
            "put": "disabled",
            "replace": "yes",
        },
    }
    listed = as_json | {"qualifier": "namelist", "name": "N", "parameters": {"names": ["A", "b"]}}
    text = json.dumps(
        [
            {
                "url": "https://h:9443/ibmmq/rest/v2/admin/action/qmgr/QM1/mqsc",
                "body": [plain, as_json, listed],
            }
        ]
    )
    assert [
        (queue.server, queue.noun, queue.name, values(queue))
        for queue in facts(text, Queue, "a.json")
    ] == [
        ("QM1", "QLOCAL", "A", {"USAGE": "XMITQ"}),
        (
            "QM1",
            "QREMOTE",
            "R",
            {"RNAME": "x", "RQMNAME": "QM2", "XMITQ": "QM2", "PUT": "DISABLED"},
        ),
    ]
    assert [(one.name, values(one)) for one in facts(text, Namelist, "a.json")] == [
        ("N", {"NAMES": "A,b"})
    ]


def test_responses_of_the_rest_interface_are_read() -> None:
    lines = [
        "AMQ8409I: Display Queue details.",
        "   QUEUE(A)                 TYPE(QALIAS)",
        "   TARGET(B)",
    ]
    text = json.dumps({"commandResponse": [{"completionCode": 0, "text": lines}]})
    assert [(queue.name, values(queue)) for queue in facts(text, Queue, "QM1.json")] == [
        ("A", {"TARGET": "B"})
    ]


def test_ini_files_name_queue_managers_and_no_objects() -> None:
    text = "Log:\n   LogPath=/var/mqm/log/QM9/\n# note\nTCP:\n   Port=1500\n   KeyPassword=tiger\n"
    found = recognise("qm.ini", text.encode())
    assert found is not None
    assert (found.role, found.server) == (MQ_INI, "QM9")
    reading = read(text, "qm.ini")
    assert [(type(fact), fact.server) for fact in reading.facts] == [
        (Stanza, "QM9"),
        (Stanza, "QM9"),
    ]
    assert "tiger" not in repr(reading)
    several = "QueueManager:\n   Name=A\n   Directory=A\nQueueManager:\n   Name=B\n"
    assert [fact.server for fact in read(several, "mqs.ini").facts] == ["A", "B"]


@pytest.mark.parametrize(
    ("text", "name", "by"),
    [
        ("* Queue manager name: QM3\nDEFINE QLOCAL(A)\n", "QM3", "header"),
        ("* Objects for queue manager QM3\nDEFINE QLOCAL(A)\n", "QM3", "header"),
        ("* Channel for queue manager QM3\nDEFINE QLOCAL(A)\n", "HUB.A", "file"),
        ("DEFINE QLOCAL(A)\n* Objects for queue manager QM3\nDEFINE QLOCAL(B)\n", "HUB.A", "file"),
        ("* Objects for queue manager of the hub\nDEFINE QLOCAL(A)\n", "HUB.A", "file"),
        ("Starting MQSC for queue manager QM3.\nDEFINE QLOCAL(A)\n", "QM3", "header"),
        ("DEFINE QLOCAL(A)\nAMQ8408I: Display.\n   QMNAME(QM3)\n", "QM3", "display"),
        ("runmqsc QM3\nDEFINE QLOCAL(A)\nEND\n", "QM3", "command"),
        ("DEFINE QLOCAL(A)\n", "HUB.A", "file"),
    ],
)
def test_what_names_a_queue_manager(text: str, name: str, by: str) -> None:
    manager = only(text, QueueManager, "estate/HUB.A.mqsc")
    assert (manager.name, manager.server, manager.named_by) == (name, name, by)
    found = recognise("estate/HUB.A.mqsc", text.encode())
    assert found is not None
    assert (found.server, found.unnamed) == (name, by == "file")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/FR1.mqsc", ("FR1", "file")),
        ("a/QM1_objects.mqsc.j2", ("QM1", "file")),
        ("a/queues-QM1.txt", ("QM1", "file")),
        ("estate/HUB.A/config.mqsc", ("HUB.A", "folder")),
        ("estate/HUB.A/mqsc/20-config.mqsc", ("HUB.A", "folder")),
        ("estate.zip!/QM2/mqsc.in", ("QM2", "folder")),
    ],
)
def test_a_name_is_made_of_the_file_or_its_folder(path: str, name: tuple[str, str]) -> None:
    assert guessed(path) == name


def test_topograph_yaml_names_the_queue_manager_of_a_file_that_does_not() -> None:
    named = SideInputs(
        servers=(ServerEntry("HUB", ("x/config.mqsc",), Source("topograph.yaml", 2, 3)),)
    )
    reading = read("DEFINE QLOCAL(A)\n", "x/config.mqsc", named)
    (manager,) = [fact for fact in reading.facts if isinstance(fact, QueueManager)]
    assert (manager.name, manager.named_by, reading.findings) == ("HUB", "topograph.yaml", ())


def test_several_queue_managers_in_one_file_are_kept_apart() -> None:
    text = (
        "* Queue manager name: QM1\nDEFINE QLOCAL(A)\n* Queue manager name: QM2\nDEFINE QLOCAL(A)\n"
    )
    assert where(text, "all.mqsc") == [("QM1", "A", 2), ("QM2", "A", 4)]


def test_a_state_is_of_the_queue_manager_that_its_name_says() -> None:
    status = b"AMQ8417I: Display.\n   CHANNEL(X)              CHLTYPE(SDR)\n   STATUS(RUNNING)\n"
    files = {"QM1.mqsc": b"DEFINE QLOCAL(A)\n", "QM1-status.txt": status}
    bundles = plan(
        [recognise_any(path, data) for path, data in files.items()], SideInputs()
    ).bundles
    assert {bundle.id: bundle.server for bundle in bundles} == {
        "QM1.mqsc": "QM1",
        "QM1-status.txt": "QM1",
    }


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("DEFINE QLOCAL(A)\n", MQ_SCRIPT),
        ("     1 : alter qmgr deadq(x)\n", MQ_SCRIPT),
        ("define +\n  qlocal(a)\n", MQ_SCRIPT),
        ("runmqsc QM1 <<EOF\nDEFINE QLOCAL(A)\nEOF\n", MQ_SHELL),
        (CONFIG_MAP, MQ_RESOURCES),
        (RESOURCE, MQ_RESOURCES),
        ('{"type": "runCommand"}', MQ_REST),
        ("Dear all,\nplease\ndefine a queue for it,\nas the manual says\n", None),
        ("# How to\n```\nDEFINE QLOCAL(A)\n```\n", None),
        ("DISPLAY QMGR\n", None),
        ("Do this:\n```bash\nrunmqsc QM1 <<EOF\nDEFINE QLOCAL(A)\nEOF\n```\n", None),
        ('import java.io.File;\nString S = "echo \\"DEFINE QLOCAL(A)\\" | runmqsc QM1";\n', None),
        ('import os\nX = """\nDEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\n"""\n', None),
        ('su mqm -c "runmqsc QM1 <<END-OF-TEXT\nDEFINE QLOCAL(A)\nEND-OF-TEXT"\n', MQ_SHELL),
        ("one\ntwo\nthree\nfour\nDEFINE QLOCAL(A)\nfive\nsix\n", None),
        ("AMQ9999: Channel ended.\nEXPLANATION:\nIt ended.\n", None),
    ],
)
def test_a_file_is_recognised_by_what_stands_in_it(text: str, role: Role | None) -> None:
    found = recognise("x.txt", text.encode())
    assert (found.role if found else None) == role


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"AMQR\x00\x01", "a client channel definition table (AMQCLCHL.TAB)"),
        (b"COMMAND DDNAME(CMDINP) MAKEDEF(OUTPUT1)\n", "input of CSQUTIL"),
        (b'{"channel": [{"name": "A"}]}', "a client channel definition table in JSON"),
        (b"AMQ9999E: Channel ended.\n\nEXPLANATION:\nx\n", "an error log"),
        (b"CSQM201I !QMA CSQMDRTC DISPLAY QUEUE DETAILS\n", "output of z/OS"),
    ],
)
def test_what_is_known_and_not_read_is_named(data: bytes, name: str) -> None:
    assert name in name_of(data)
