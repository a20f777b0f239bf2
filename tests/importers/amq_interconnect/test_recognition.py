"""Which files are taken for router configurations, by content."""

from __future__ import annotations

import pytest

from topograph.importers.amq_interconnect import read, recognise
from topograph.importers.reading import Bundle, BundleFile, Options, Role


@pytest.mark.parametrize(
    ("text", "role", "server"),
    [
        ("# c\nrouter {\n  id: R\n}\n", Role.AMQ_CONF, "R"),
        ("  router {\n  }\n", Role.AMQ_CONF, "router at f"),
        ("router { mode: standalone }\n", Role.AMQ_CONF, "router at f"),
        ("container {\n}\nrouter {\n routerId: A\n}\n", Role.AMQ_CONF, "A"),
        ('[\n # c\n ["router", {"id": "J"}]\n]', Role.AMQ_JSON, "J"),
        ('[["router", {"id": "J"}], ["listener", {"ho', Role.AMQ_JSON, "J"),
        ('[{"type": "org.apache.qpid.dispatch.router", "id": "A"}]', Role.AMQ_DUMP, ""),
        ("$ qdstat -n\n", Role.AMQ_QDSTAT, ""),
        ("2020-01-01 UTC\nA\n\nRouter Links\n", Role.AMQ_QDSTAT, ""),
    ],
)
def test_a_file_is_recognised_by_its_content(text, role, server):
    recognised = recognise("f", text.encode())
    assert recognised is not None
    assert (recognised.role, recognised.server) == (role, server)
    assert bool(recognised.note) is (role in (Role.AMQ_DUMP, Role.AMQ_QDSTAT))


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
    ],
)
def test_other_files_are_left_alone(data):
    assert recognise("f", data) is None


def test_a_config_map_is_named_but_not_read():
    recognised = recognise("f.yaml", b"kind: ConfigMap\ndata:\n  qdrouterd.conf: |-\n    router {\n    }\n")
    assert recognised is not None
    assert recognised.role is Role.OTHER
    assert "not read" in recognised.note


def test_a_bundle_is_read_into_facts_findings_and_a_file_report():
    text = b"router {\n id: R\n}\naddress {\n prefix: a\n priority: 12\n}\naddress {\n bias: x\n}\n\xff\n"
    bundle = Bundle("a/r.conf", "amq_interconnect", "R", (BundleFile("main", "a/r.conf"),))
    reading = read(bundle, {"a/r.conf": text}, Options())
    assert [(fact.bundle, fact.server, fact.label) for fact in reading.facts] == [
        ("a/r.conf", "R", "R"),
        ("a/r.conf", "R", "startup"),
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
