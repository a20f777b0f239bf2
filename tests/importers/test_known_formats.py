"""What files are called that topograph knows and does not read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topograph.importers.known_formats import name_of

SAMPLES = Path(__file__).parents[3] / "shared" / "samples"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (
            b"<?xml version='1.0'?>\n<!-- x -->\n<server><messagingEngine/></server>",
            "a server.xml of Liberty",
        ),
        (b"<server/>", "an XML file (<server>)"),
        (
            b"<?xml version='1.0'?>\n<sib:SIBus xmi:id='x'/>",
            "a bus definition of WebSphere (sib-bus.xml)",
        ),
        (b"\xef\xbb\xbf<a/>", "an XML file (<a>)"),
        (b"* comment\nDEFINE QREMOTE('X') RNAME('Y')\n", "an MQSC script"),
        (b"AMQ8408I: Display Queue Manager details.\n", "output of MQSC commands (runmqsc)"),
        (b"tcp://localhost:7222> show config\n...\n", "`show config` output"),
        (b"tcp://localhost:7222> show queues\n...\n", "output of the EMS administration tool"),
        (
            b"connect tcp://a:7222\ncreate route B url=tcp://b:7222\n",
            "a script of EMS administration commands; judge it with `topograph audit --change`",
        ),
        (
            b"Sat Nov 21 02:01:36 2026 ROUTER (info) Router started\n",
            (
                "the log of a router (`qdmanage get-log`); import its configuration, or "
                "output of `qdmanage query`"
            ),
        ),
        (
            b"2026-11-21 02:01:36.325471 +0000 SERVER (notice) Operational\n",
            "the log of a router; import its configuration, or output of `qdmanage query`",
        ),
        (
            b"Memory Pools\n  type  size\n",
            (
                "`qdstat` output without routes; import output of `qdmanage query` or of "
                "`qdstat -g -n -a -c -l`"
            ),
        ),
        (
            b"NAME               READY   STATUS    RESTARTS   AGE\n",
            (
                "a table of `oc get` or `kubectl get`; import the resources themselves (`-o "
                "yaml`), or the routers' `qdmanage query`"
            ),
        ),
        (
            b"pwcheck_method: auxprop\nmech_list: PLAIN\n",
            "a SASL configuration, which does not say where messages go",
        ),
        (
            b'[["vhost", {"hostname": "h"}]]',
            (
                "policies of a router (vhosts), which do not say where messages go; import "
                "the router's own configuration"
            ),
        ),
        (b"QueueManager:\n   Name=QM1\n", "an mqs.ini or qm.ini"),
        (b"Log:\r\n   LogPrimaryFiles=3\r\n", "an mqs.ini or qm.ini"),
        (b"Service:\n  name: x\nlog:\n  level: info\n", ""),
        (b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n", "a certificate or key"),
        (b"#!/bin/bash\n", "a shell script"),
        (b"AdminTask.createSIBus('[-bus b]')\n", "a wsadmin script"),
        (b"apiVersion: v1\nkind: Service\n", "a Kubernetes manifest"),
        (b'{"a": 1}', "a JSON file of an unknown kind"),
        (b"PK\x03\x04\x00", "a zip archive"),
        (b"\xfe\xed\xfe\xed", "a Java key store"),
        (b"", ""),
        (b"Some prose about a topic.\n", ""),
        (b"\x00\x01", ""),
    ],
)
def test_a_known_format_is_called_by_its_name(content, name):
    assert name_of(content) == name


ROUTER_LOG = "the log of a router; import its configuration, or output of `qdmanage query`"
QUERIED_LOG = (
    "the log of a router (`qdmanage get-log`); import its configuration, or output of "
    "`qdmanage query`"
)
OTHER_QDSTAT = (
    "`qdstat` output without routes; import output of `qdmanage query` or of `qdstat -g -n "
    "-a -c -l`"
)
RESOURCES = (
    "a table of `oc get` or `kubectl get`; import the resources themselves (`-o yaml`), or "
    "the routers' `qdmanage query`"
)
POLICIES = (
    "policies of a router (vhosts), which do not say where messages go; import the router's "
    "own configuration"
)
ADMIN_OUTPUT = "output of the EMS administration tool"
ADMIN_SCRIPT = "a script of EMS administration commands; judge it with `topograph audit --change`"
MQSC = "an MQSC script"
INI = "an mqs.ini or qm.ini"
SASL = "a SASL configuration, which does not say where messages go"
SECRET = "a certificate or key"
DEFINED = [
    "CHANNEL",
    "CHL",
    "TOPIC",
    "SUB",
    "LISTENER",
    "CHLAUTH",
    "AUTHREC",
    "NAMELIST",
    "PROCESS",
    "AUTHINFO",
    "SERVICE",
    "COMMINFO",
]
JSON = "a JSON file of an unknown kind"

EACH = {
    ROUTER_LOG: [
        *(f"2026-11-21 02:01:36 SERVER ({one})" for one in ["trace", "debug", "info", "notice",
            "warning", "error", "critical"]),
        "first\n2026-11-21 02:01:36.3 +0000 ROUTER_CORE (info) x",
    ],
    QUERIED_LOG: [
        *(f"Sat Nov 21 02:01:36 2026 SERVER ({one})" for one in ["trace", "debug", "info", "notice",
            "warning", "error", "critical"]),
        "Sat Nov  1 02:01:36 2026 ROUTER_CORE (info) x",
    ],
    OTHER_QDSTAT: ["Type  Size\n", "Type Size\n", "Types   Size\n", "Memory Pools", "Vhost Stats\n",
        "Vhosts  \n", "$ x\nVhosts"],
    RESOURCES: [
        *(f"NAME {one}" for one in ["READY", "STATUS", "DATA", "TYPE", "AGE", "DESIRED",
            "HOST/PORT", "CLUSTER-IP", "AVAILABLE"]),
        "NAMESPACE  NAME   READY",
        "NAMESPACE AGE",
    ],
    POLICIES: ['[["vhost", {}]]', ' \n[ [ "vhost" , {"a": 1}]]', '{"a": [["vhost", 1]]}'],
    "`show config` output": ["tcp://h:7222> show config", "> show config", "x\n>  show config"],
    ADMIN_OUTPUT: ["> show routes", "> info topic x", "x>\tshow\tqueues"],
    ADMIN_SCRIPT: [
        *(f"{one} topic t" for one in ["create", "addprop", "setprop", "removeprop", "delete",
            "grant", "revoke"]),
        *(f"create {one} t" for one in ["route", "topic", "queue", "bridge", "durable", "user",
            "group", "factory"]),
        "connect x\n  CREATE  TOPIC\tt",
    ],
    SECRET: [f"-----BEGIN {one}-----" for one in ("CERTIFICATE", "PRIVATE KEY", "X509 CRL",
        "RSA PRIVATE KEY")],
    "output of MQSC commands (runmqsc)": ["AMQ8408: x", "AMQ8408I: x", "x\nAMQ1234E:\tx"],
    "`dspmq` output": ["QMNAME(A) STATUS(x)", "x\nQMNAME()"],
    MQSC: [
        *(f"{one} QLOCAL(A)" for one in ["DEFINE", "ALTER", "DELETE", "SET"]),
        *(f"DEFINE Q{one}(A)" for one in ["LOCAL", "REMOTE", "ALIAS", "MODEL", "MGR", "L", "R",
            "A"]),
        *(f"define {one}(A)" for one in DEFINED),
    ],
    INI: [
        *(f"{one}:\n  Name=x" for one in ["QueueManager", "Log", "Service", "TCP", "CHANNELS",
            "AllQueueManagers", "DefaultQueueManager"]),
    ],
    SASL: [f"{one}: x" for one in ["pwcheck_method", "auxprop_plugin", "sasldb_path", "mech_list",
        "sql_user", "sql_hostnames"]],
    ("properties of a service integration bus (`AdminTask.extractConfigProperties`); "
        "import the configuration's own files (`config/cells`)"): [
        "ResourceType=SIBus", "#x\nResourceType=SIBDestination",
    ],
    "a wsadmin script": [*(f"Admin{one}.do(1)" for one in ["Task", "Config", "Control", "App"]),
    "$AdminTask x", "$AdminConfig x"],
    "a shell script": [f"#!/bin/{one}" for one in ["sh", "bash", "ksh", "zsh",
    "dash"]] + ["#!/usr/bin/env bash"],
    "a script": ["#!/usr/bin/python3", "#!/usr/bin/env perl", "#!/usr/bin/ruby"],
    "a Kubernetes manifest": ["apiVersion: v1", "x: 1\napiVersion:\tapps/v1"],
    "a configuration of WebSphere MQ Everyplace": ["mqe x", "(mqe", "{mqe", "({mqe",
    "[com.ibm.mqe.x]", "  com.ibm.mqe = 1"],
    "a server.xml of Liberty": [f"<server><{one}/></server>" for one in ["featureManager",
    "messagingEngine", "include", "jmsQueue", "wasJmsServer"]],
    "a client.xml of Liberty": ["<client/>"],
    "destinations of a WebSphere bus": ["<x:SIBDestination/>"],
    "an XML configuration (Artemis broker.xml or similar)": ["<configuration/>",
    "<!DOCTYPE a [ <!ENTITY b '>'> ]><configuration/>"],
    "an ActiveMQ broker configuration": ["<broker/>", "<!-- <server/> --><broker/>"],
    "a Spring XML configuration": ["<?x?> <?y?>\n<beans/>", "<!DOCTYPE beans><beans/>"],
    JSON: ["{}", ' {"a": 1}', "[1]", '["a"]', "[{}]", "[[]]", "[]"],
    # one thing is missing, or stands somewhere else
    "": [
        "2026-11-21 02:01:36 SERVER (fatal)", "2026-11-21 SERVER (info)", ("at 2026-11-21 "
            "02:01:36 SERVER "
            "(info)"),
        "Sat Nov 21 02:01:36 26 SERVER (info)", "Saturday Nov 21 02:01:36 2026 SERVER (info)",
        "Sat Nov 21 02:01:36 2026 SERVER info",
        "TypeSize", "Type of Size", "Memory Pools of", "The Vhosts",
        "NAME", "NAME OWNER", "NAMES READY", "the NAME READY", "NAMEREADY",
        "show config", "> shows config", "> show", "> list queues",
        "create x t", "creates topic t", "create topic", "please create topic t",
        "BEGIN CERTIFICATE", "-----BEGIN NONSENSE-----", "AMQ840: x", "AMQ8408II: x", "AMQ8408I x",
        "the AMQ8408I: x",
        "QMNAME A", "the QMNAME(A)", "DISPLAY QLOCAL(A)", "DEFINE QLOCALS(A)", "DEFINE X(A)",
        "to DEFINE QLOCAL(A)",
        "QueueManager:\nName", "queuemanager:\n  Name=x", "Queues:\n  Name=x", "pwcheck: x",
        "sql: x", "the mech_list: x",
        "AdminTask()", "AdminOther.do(1)", "$AdminOther x", "ResourceType=JDBC",
        "x ResourceType=SIBus", "#!/bin/fish", "#!/usr/bin/node", "# /bin/sh",
        "apiVersion:", "the apiVersion: v1", "the mqe", "com.ibm.mq = 1", "{a", "[a", "plain",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "name"), [(text, name) for name, texts in EACH.items() for text in texts]
)
def test_every_look_of_a_known_format_is_known_and_the_nearest_other_one_is_not(text, name):
    assert name_of(text.encode()) == name


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"PK\x03\x04", "a zip archive"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"\xfe\xed\xfe\xed", "a Java key store"),
        (b"\xca\xfe\xba\xbe", "a Java class"),
        (b"\x7fELF", "a program"),
        (b"MZ", "a program"),
        (b"%PDF-", "a PDF document"),
        (b"\x89PNG", "a picture"),
        (b"\xff\xd8\xff", "a picture"),
        (b"SQLite format 3", "an SQLite database"),
        (b"\xd0\xcf\x11\xe0", "an Office document"),
    ],
)
def test_what_a_binary_file_begins_with_says_what_it_is(data, name):
    assert name_of(data + b"\x00rest") == name
    assert name_of(b"x" + data) != name


def test_only_the_first_64_kilobytes_are_looked_at():
    text = b"QMNAME(A)"
    assert name_of(b"\n" * (65_536 - len(text)) + text) == "`dspmq` output"
    assert name_of(b"\n" * (65_536 - len(text) + 1) + text) == ""


@pytest.mark.skipif(
    not SAMPLES.is_dir(), reason="the sample configurations are not beside this repository"
)
def test_real_files_of_other_systems_are_called_by_their_names():
    found = {
        path.relative_to(SAMPLES).parts[0]: name_of(path.read_bytes())
        for path in SAMPLES.rglob("*.*")
    }
    assert found["liberty"] == "a server.xml of Liberty"
    assert found["mq_display"] == "output of MQSC commands (runmqsc)"
    assert found["mq_dspmqrtj_demo"] == "an MQSC script"


@given(st.binary())
def test_any_bytes_have_a_name_or_none(data):
    assert isinstance(name_of(data), str)


@pytest.mark.parametrize(
    ("prolog", "known"),
    [
        ("<?xml version='1.0'?>", True),
        ("<??>", True),
        ("<!DOCTYPE beans>", True),
        ("<!DOCTYPE beans [ <!ENTITY a '>'> ]>", True),
        ("<!DOCTYPE [ <!ELEMENT server ANY> ]>", True),
        ("<!-- <server> --> <?x <client> ?>", True),
        ("<!DOCTYPE beans [ <!ENTITY a 'b'>", False),
        ("<!-- <server>", False),
        ("<?xml", False),
        ("<!DOCTYPE beans", False),
    ],
)
def test_the_first_element_behind_a_prolog_names_an_xml_file(prolog, known):
    name = name_of(f"{prolog}<beans a='b'/>".encode())
    assert name == ("a Spring XML configuration" if known else "")
