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
        (b"<?xml version='1.0'?>\n<!-- x -->\n<server><messagingEngine/></server>", "a server.xml of Liberty"),
        (b"<server/>", "an XML file (<server>)"),
        (b"<?xml version='1.0'?>\n<sib:SIBus xmi:id='x'/>", "a bus definition of WebSphere (sib-bus.xml)"),
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
            "the log of a router (`qdmanage get-log`); import its configuration, or output of `qdmanage query`",
        ),
        (
            b"2026-11-21 02:01:36.325471 +0000 SERVER (notice) Operational\n",
            "the log of a router; import its configuration, or output of `qdmanage query`",
        ),
        (
            b"Memory Pools\n  type  size\n",
            "`qdstat` output without routes; import output of `qdmanage query` or of `qdstat -g -n -a -c -l`",
        ),
        (
            b"NAME               READY   STATUS    RESTARTS   AGE\n",
            "a table of `oc get` or `kubectl get`; import the resources themselves (`-o yaml`), or the routers' `qdmanage query`",
        ),
        (
            b"pwcheck_method: auxprop\nmech_list: PLAIN\n",
            "a SASL configuration, which does not say where messages go",
        ),
        (
            b'[["vhost", {"hostname": "h"}]]',
            "policies of a router (vhosts), which do not say where messages go; import the router's own configuration",
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


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample configurations are not beside this repository")
def test_real_files_of_other_systems_are_called_by_their_names():
    found = {path.relative_to(SAMPLES).parts[0]: name_of(path.read_bytes()) for path in SAMPLES.rglob("*.*")}
    assert found["liberty"] == "a server.xml of Liberty"
    assert found["mq_display"] == "output of MQSC commands (runmqsc)"
    assert found["mq_dspmqrtj_demo"] == "an MQSC script"


@given(st.binary())
def test_any_bytes_have_a_name_or_none(data):
    assert isinstance(name_of(data), str)
