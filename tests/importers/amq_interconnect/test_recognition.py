"""Which files are taken for router configurations, by content."""

from __future__ import annotations

import pytest

from topograph.importers.amq_interconnect import read, recognise
from topograph.importers.amq_interconnect.roles import AMQ_CONF, AMQ_DUMP, AMQ_JSON, AMQ_MANIFEST, AMQ_QDSTAT
from topograph.importers.reading import Bundle, BundleFile, Options


@pytest.mark.parametrize(
    ("text", "role", "server"),
    [
        ("# c\nrouter {\n  id: R\n}\n", AMQ_CONF, "R"),
        ("  router {\n  }\n", AMQ_CONF, "router at f"),
        ("router { mode: standalone }\n", AMQ_CONF, "router at f"),
        ("container {\n}\nrouter {\n routerId: A\n}\n", AMQ_CONF, "A"),
        ('[\n # c\n ["router", {"id": "J"}]\n]', AMQ_JSON, "J"),
        ('[["router", {"id": "J"}], ["listener", {"ho', AMQ_JSON, "J"),
        ('[{"type": "org.apache.qpid.dispatch.router", "id": "A"}]', AMQ_DUMP, "A"),
        ('{"type": "io.skupper.router.router", "id": "S"}', AMQ_DUMP, "S"),
        ('$ qdmanage -r B query\n[{"type": "org.apache.qpid.dispatch.listener"}]', AMQ_DUMP, "B"),
        ('[{"type": "org.apache.qpid.dispatch.listener"}]', AMQ_DUMP, ""),
        ('[{"type": "org.apache.qpid.dispatch.router", "id": "A"}, {"ty', AMQ_DUMP, "A"),
        ("$ qdstat -n\n", AMQ_QDSTAT, ""),
        ("sh-4.2$ /usr/bin/qdstat -r B -c\n", AMQ_QDSTAT, "B"),
        ("[root@h ~]# oc exec pod -- skstat -l\n", AMQ_QDSTAT, ""),
        ("2020-01-01 10:11:12.5 UTC\nA\n\nRouter Links\n", AMQ_QDSTAT, "A"),
        ('2020-01-01 10:11:12 UTC\nA\n\nConnections\n"id","host","container"\n', AMQ_QDSTAT, "A"),
        ("Connections\n  Id  host   container\n", AMQ_QDSTAT, ""),
        ("kind: ConfigMap\ndata:\n  qdrouterd.conf: |-\n    router {\n      id: M\n    }\n", AMQ_MANIFEST, "M"),
        (
            '{"kind": "List", "items": [{"kind": "ConfigMap", "data": {"skrouterd.json": "[[\\"router\\", {\\"id\\": \\"J\\"}]]"}}]}',
            AMQ_MANIFEST,
            "J",
        ),
        (
            "apiVersion: interconnectedcloud.github.io/v1alpha1\nkind: Interconnect\nmetadata: {name: mesh}\n",
            AMQ_MANIFEST,
            "mesh",
        ),
    ],
)
def test_a_file_is_recognised_by_its_content(text, role, server):
    recognised = recognise("f", text.encode())
    assert recognised is not None
    assert (recognised.role, recognised.server) == (role, server)
    assert not recognised.note


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\x01router {",
        b"server {\n  listen 80;\n}\n",
        b"log {\n}\n",
        b'{"router": {"id": "R"}}',
        b'[["alpha", {}]]',
        b"listen = tcp://7222\nrouting = enabled\n",
        b"[EAST]\nurl = tcp://east:7222\n",
        b"[]",
        b"apiVersion: v1\nkind: ConfigMap\ndata:\n  nginx.conf: |\n    server {\n    }\n",
        b"apiVersion: topo.nephio.org/v1alpha1\nkind: Interconnect\n",
        b"Connections\n\nWe have many.\n",
    ],
)
def test_other_files_are_left_alone(data):
    assert recognise("f", data) is None


def test_a_bundle_is_read_into_facts_findings_and_a_file_report():
    text = b"router {\n id: R\n}\naddress {\n prefix: a\n priority: 12\n}\naddress {\n bias: x\n}\n\xff\n"
    bundle = Bundle("a/r.conf", "amq_interconnect", "R", (BundleFile("main", "a/r.conf"),))
    reading = read(bundle, {"a/r.conf": text}, Options())
    assert [(fact.bundle, fact.server, fact.label) for fact in reading.facts] == [
        ("a/r.conf", "R", "router R"),
        ("a/r.conf", "R", "startup startup"),
    ]
    assert [finding.kind for finding in reading.findings] == [
        "not-utf-8",
        "unreadable-line",
        "unknown-attribute",
        "address-dropped",
        "address-dropped",
    ]
    (report,) = reading.files
    assert (report.status, report.read, report.ignored, report.unsupported) == ("partly-read", 1, 2, 2)
