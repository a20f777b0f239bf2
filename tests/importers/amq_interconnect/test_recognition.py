"""Which files are taken for router configurations, by content."""

from __future__ import annotations

import pytest

from topograph.importers.amq_interconnect import read, recognise
from topograph.importers.amq_interconnect.roles import (
    AMQ_CONF,
    AMQ_DUMP,
    AMQ_JSON,
    AMQ_MANIFEST,
    AMQ_QDSTAT,
)
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
        (
            "kind: ConfigMap\ndata:\n  qdrouterd.conf: |-\n    router {\n      id: M\n    }\n",
            AMQ_MANIFEST,
            "M",
        ),
        (
            (
                '{"kind": "List", "items": [{"kind": "ConfigMap", "data": {"skrouterd.json": '
                '"[[\\"router\\", {\\"id\\": \\"J\\"}]]"}}]}'
            ),
            AMQ_MANIFEST,
            "J",
        ),
        (
            (
                "apiVersion: interconnectedcloud.github.io/v1alpha1\nkind: "
                "Interconnect\nmetadata: {name: mesh}\n"
            ),
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
    text = (
        b"router {\n id: R\n}\naddress {\n prefix: a\n priority: 12\n}\naddress {\n bias: "
        b"x\n}\n\xff\n"
    )
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
    assert (report.status, report.read, report.ignored, report.unsupported) == (
        "partly-read",
        1,
        2,
        2,
    )


def form(text, path="f"):
    recognised = recognise(path, text.encode())
    return recognised.role if recognised else None


@pytest.mark.parametrize(
    "name",
    [
        *(
            "router",
            "listener",
            "connector",
            "linkRoute",
            "link-route",
            "autoLink",
            "sslProfile",
            "ssl-profile",
        ),
        *("fixedAddress", "linkRoutePattern", "tcpListener"),
    ],
)
def test_one_telling_section_makes_a_router_configuration(name):
    assert form(f"{name} {{\n}}\n") == AMQ_CONF
    assert form(f"log {{\n}}\n\t{name}{{\n}}\n") == AMQ_CONF
    assert form(f"x{name} {{\n}}\n") is None
    assert form(f"# {name} {{\n}}\n") is None
    assert form(f"the {name} {{\n}}\n") is None
    assert form(f"{name}\n{{\n}}\n") is None


@pytest.mark.parametrize(
    "name", ["address", "log", "policy", "vhost", "exchange", "binding", "server", "http"]
)
def test_sections_that_could_be_anybodys_make_none(name):
    assert form(f"{name} {{\n}}\n") is None
    assert form(f'[["{name}", {{"a": 1}}]]') is None


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ('[["listener", {"port": 1}]]', AMQ_JSON),
        ('[["org.apache.qpid.dispatch.router", {}]]', AMQ_JSON),
        ('[["log", {}], ["router", {}]]', AMQ_JSON),
        ('[["router", []]]', None),
        ('[{"router": {}}]', None),
        ('["router", {}]', None),
        ('{"routers": ["router", {}]}', None),
        ('[{"type": "org.apache.qpid.dispatch.x"}]', AMQ_DUMP),
        ('[{"type": "io.skupper.router.x"}]', AMQ_DUMP),
        ('[{"type": "org.apache.qpid.x"}]', None),
        ('[{"kind": "org.apache.qpid.dispatch.x"}]', None),
        ('{"type": "org.apache.qpid.dispatch.x"}', AMQ_DUMP),
        ('{"a": {"type": "org.apache.qpid.dispatch.x"}}', None),
        ('$ qdmanage query\n[{"type": "io.skupper.router.x"}]', AMQ_DUMP),
        ('$ other query\n[{"type": "io.skupper.router.x"}]', None),
        ('$ qdmanage query\n[{"type": "other.x"}]', None),
        ('qdmanage query\n[{"type": "io.skupper.router.x"}]', None),
    ],
)
def test_json_is_a_configuration_or_a_dump_by_what_it_holds(text, role):
    assert form(text) == role


@pytest.mark.parametrize(
    "text",
    [
        *("Router Statistics", "Routers in the Network", "Router Addresses", "Router Links"),
        *(
            "Router is Standalone - No Router List",
            "No AutoLinks found",
            "No Link Routes found",
            "Policy Configuration",
        ),
        *(
            "AutoLinks\n  addr  dir",
            "AutoLinks\n  address  dir",
            "Link Routes\n  prefix  dir",
            "Connections\n  id  host",
        ),
        'Connections\n"id","host"',
        "$ qdstat",
        "# skstat -a",
        "> qdstat -n",
        "sh$ x/qdstat",
    ],
)
def test_tables_of_qdstat_are_known_by_a_title_or_a_command(text):
    assert form(f"{text}\n") == AMQ_QDSTAT
    assert form(f"before\n{text}\n") == AMQ_QDSTAT


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Router Statistics of A",
            "The Router Links",
            "Routers",
            "No Links found",
            "AutoLinks",
            "Connections\n  id  port",
        ),
        *(
            "Connections\n\n  id  host",
            "Connections\n  id host",
            "Connections\n  name  host",
            "qdstat",
            "$ qdstats",
            "$ qdstat x",
            "$ myqdstat",
        ),
    ],
)
def test_what_only_resembles_tables_of_qdstat_is_none(text):
    assert form(f"{text}\n") is None


@pytest.mark.parametrize(
    "kind",
    [
        "ConfigMap",
        "Interconnect",
        "List",
        "Template",
        "PodList",
        "Deployment",
        "StatefulSet",
        "DaemonSet",
    ],
)
def test_a_resource_is_a_manifest_if_it_names_a_router(kind):
    assert form(f"kind: {kind}\nx:\n  qdrouterd.conf: y\n") == AMQ_MANIFEST
    assert form(f"kind: {kind}\nx:\n  skrouterd.json: y\n") == AMQ_MANIFEST
    assert form(f"kind: {kind}\nenv: QDROUTERD_CONF\n") == AMQ_MANIFEST
    assert form(f"kind: {kind}\nx:\n  other.conf: y\n") is None
    assert form("kind: Service\nx:\n  qdrouterd.conf: y\n") is None


HEAD = 65_536


@pytest.mark.parametrize("text", ["router {", "Router Links"])
def test_recognition_looks_at_the_first_64_kilobytes_of_a_configuration(text):
    def after(blank):
        return recognise("f", ("\n" * blank + text).encode()) is not None

    assert after(HEAD - len(text))
    assert not after(HEAD - len(text) + 1)


def test_a_manifest_may_name_its_router_late():
    text = "  qdrouterd.conf: x\n"
    whole = 8 * 2**20
    start = "kind: ConfigMap\n"

    def after(length):
        return form(start + "\n" * (length - len(start) - len(text)) + text)

    assert after(whole) == AMQ_MANIFEST
    assert after(whole + len(text)) is None
