"""topograph.yaml and clients in CSV form (docs/side-inputs.md)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from topograph.findings import Source
from topograph.importers import side_inputs
from topograph.importers.reading import Recognised, Role
from topograph.importers.side_inputs import parse, parse_clients_csv
from topograph.side_inputs import (
    Client,
    HostEntry,
    LeftOut,
    MachineEntry,
    MediationEntry,
    NewServer,
    NewSetting,
    OverrideEntry,
    PathEntry,
    ServerEntry,
    SideInputs,
)

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "importers/side_inputs.schema.json").read_text())


def read(text: str | bytes) -> tuple[SideInputs, list[str]]:
    """The records, and the findings as ``severity line:column message``."""
    records, findings = parse("topograph.yaml", text if isinstance(text, bytes) else text.encode())
    assert all(finding.source.file == "topograph.yaml" for finding in findings)
    return records, [
        f"{f.severity} {f.source.line}:{f.source.column} {f.message}" for f in findings
    ]


def at(line: int, column: int) -> Source:
    return Source("topograph.yaml", line, column)


def test_every_section_is_read_with_the_place_of_its_entries():
    records, findings = read(
        "hosts:\n"
        "  interconnect-eu.amq: EU\n"
        '  "10.0.0.7:7222": EMS-A\n'
        "paths:\n"
        "  /opt/tibco/data/: ./ems-a/data/\n"
        "  'D:\\ems': sub\\ems-b\n"
        "  /: .\n"
        "versions:\n"
        '  "*": 1.10\n'
        "servers: {A: ./a/tibemsd.conf, P: [p1/x, p2\\x]}\n"
        "machines: {rack: [A, 7]}\n"
        "clients:\n"
        "  - server: B\n"
        "    destination: topic:orders\n"
        "  - {server: 7, destination: queue:q, role: sender, durable: d, client_id: c, "
        "selector: \"a = 'x'\", user: u}\n"
    )
    assert findings == []
    assert records == SideInputs(
        hosts=(
            HostEntry("interconnect-eu.amq", "EU", at(2, 3)),
            HostEntry("10.0.0.7:7222", "EMS-A", at(3, 3)),
        ),
        paths=(
            PathEntry("/opt/tibco/data/", "ems-a/data", at(5, 3)),
            PathEntry("D:\\ems", "sub/ems-b", at(6, 3)),
            PathEntry("/", "", at(7, 3)),
        ),
        clients=(
            Client("B", "topic:orders", source=at(13, 5)),
            Client("7", "queue:q", "sender", "d", "c", "a = 'x'", "u", at(15, 5)),
        ),
        versions=(("*", "1.10"),),
        version_sources=(at(9, 3),),
        files=("topograph.yaml",),
        servers=(
            ServerEntry("A", ("a/tibemsd.conf",), at(10, 11)),
            ServerEntry("P", ("p1/x", "p2/x"), at(10, 32)),
        ),
        machines=(MachineEntry("rack", ("A", "7"), at(11, 12)),),
    )


def test_a_server_on_two_machines_counts_on_the_first():
    records, findings = read("machines:\n  one: [A, B]\n  two: [B, C]\n")
    assert [(entry.machine, entry.servers) for entry in records.machines] == [
        ("one", ("A", "B")),
        ("two", ("C",)),
    ]
    assert findings == ["error 3:3 B is on the machine one already: the first counts."]


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "---\n", "hosts:\nclients:\n  # - server: A\n", "{}"]
)
def test_a_file_without_entries_is_no_mistake(text):
    assert read(text) == (SideInputs(files=("topograph.yaml",)), [])


def test_names_stay_as_they_are_written():
    records, findings = read(
        "hosts:\n  no.example: no\n  007: 1e3\n  ~x: 'null'\nversions: {off: 10.20}\n"
    )
    assert findings == []
    assert [(entry.host, entry.server) for entry in records.hosts] == [
        ("no.example", "no"),
        ("007", "1e3"),
        ("~x", "null"),
    ]
    assert records.versions == (("off", "10.20"),)


def test_later_sections_are_known_and_said_to_have_no_effect():
    records, findings = read("sites: {a: [b]}\n")
    assert records == SideInputs(files=("topograph.yaml",))
    assert findings == ["info 1:1 sites is not used yet: nothing of it has an effect."]


def test_overrides_name_a_reading_of_each_position():
    records, findings = read("overrides:\n  one:\n    A-1: yes\n    S-9: 30\n  two: {B: x}\n")
    assert findings == []
    assert records.overrides == (
        OverrideEntry("one", "A-1", "yes", Source("topograph.yaml", 3, 5)),
        OverrideEntry("one", "S-9", "30", Source("topograph.yaml", 4, 5)),
        OverrideEntry("two", "B", "x", Source("topograph.yaml", 5, 9)),
    )


def test_an_override_that_does_not_fit_is_left_out_and_those_beside_it_are_used():
    records, findings = read("overrides:\n  one: {A: , B: b, C: [c]}\n  two: x\n")
    assert [entry.position for entry in records.overrides] == ["B"]
    assert findings == [
        "error 2:9 A has no value.",
        "error 2:20 C has to be a text, not a list.",
        "error 3:3 two has to be a mapping (key: value), not a single value.",
    ]


def test_mediations_say_what_their_code_does_to_paths():
    text = """\
mediations:
- bus: B
  destination: ORDERS
  mediation: ROUTER
  forward_path: [FAST, "B2:SLOW"]
  reverse_path_before: [AUDIT]
- mediation: FILTER
  result: delete
"""
    records, findings = read(text)
    assert findings == []
    assert records.mediations == (
        MediationEntry(
            "ORDERS",
            "ROUTER",
            "B",
            forward_path=(("", "FAST"), ("B2", "SLOW")),
            reverse_path_before=(("", "AUDIT"),),
            source=Source("topograph.yaml", 2, 3),
        ),
        MediationEntry(mediation="FILTER", result="delete", source=Source("topograph.yaml", 7, 3)),
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "mediations:\n- bus: B\n",
            (
                "error 2:3 A mediation is named by its destination, by its name (mediation), "
                "or by both."
            ),
        ),
        (
            "mediations:\n- mediation: M\n  result: drop\n",
            "error 3:3 result has to be one of pass, delete, exception.",
        ),
        (
            "mediations:\n- mediation: M\n  forward_path: ['a:b:c']\n",
            "error 3:18 An element of a path is written as DEST or BUS:DEST.",
        ),
        (
            "new:\n  S: enabled\n",
            "error 2:3 S has to be a mapping (key: value), not a single value.",
        ),
        (
            "new:\n  S: {routes: routes.conf}\n",
            ("error 2:7 Unknown key 'routes': did you mean routing?"),
        ),
        (
            "new:\n  S: {routing: perhaps}\n",
            (
                "error 2:7 routing has to be one of enabled, disabled, true, false, on, off, yes, "
                "no, enable, disable."
            ),
        ),
        ("host: {a: b}\n", "error 1:1 Unknown key 'host': did you mean hosts?"),
        (
            "zzz: 1\n",
            (
                "error 1:1 Unknown key 'zzz': known keys are hosts, paths, servers, "
                "machines, clients, versions, suspended, new, sites, mediations, include, "
                "exclude, waivers, owners, overrides."
            ),
        ),
        (
            "clients:\n- server: A\n  destination: topic:x\n  client: c\n",
            "error 4:3 Unknown key 'client': did you mean client_id?",
        ),
        ("clients:\n- server: A\n", "error 2:3 This entry lacks destination."),
        ("clients:\n- {}\n", "error 2:3 This entry lacks server and destination."),
        ("clients:\n- server:\n  destination: topic:x\n", "error 2:3 server has no value."),
        ("clients:\n- server: A\n  destination: orders\n", "error 3:3 A destination is written as"),
        (
            "clients:\n- server: A\n  destination: topic:x\n  role: reader\n",
            "error 4:3 role has to be one of subscriber,",
        ),
        (
            "clients:\n- server: A\n  destination: topic:x\n  durable: true\n",
            "error 4:3 durable is the name of",
        ),
        (
            "clients: {server: A}\n",
            (
                "error 1:1 clients has to be a list of entries, each beginning with '- ', "
                "not a mapping."
            ),
        ),
        ("hosts: [a]\n", "error 1:1 hosts has to be a mapping (key: value), not a list."),
        ("hosts:\n  tcp://a: B\n", "error 2:3 A host is written as HOST or HOST:PORT"),
        ("hosts:\n  a: [B]\n", "error 2:3 a has to be a text, not a list."),
        ("hosts:\n  a: ''\n", "error 2:3 a has no value."),
        (
            "hosts:\n  a: A\n  b: B\n  a: C\n",
            "error 4:3 'a' occurs twice here, first in line 2: the first is used.",
        ),
        ("hosts:\n  [a, b]: A\n", "error 2:3 A key has to be a plain text."),
        ("paths:\n  /x: /y\n", "error 2:3 The folder has to lie in the imported folder"),
        ("paths:\n  /x: a/../..\n", "error 2:3 The folder has to lie in the imported folder"),
        ("paths:\n  /x: 'C:\\y'\n", "error 2:3 The folder has to lie in the imported folder"),
        ("servers:\n  A: /x\n", "error 2:3 A main file is needed here"),
        (
            "machines:\n  A: []\n",
            "error 2:3 The servers that run on one machine are needed here, as a list: [A, B].",
        ),
        ("machines:\n  A: B\n", "error 2:3 A has to be a list of entries"),
        ("servers:\n  A: []\n", "error 2:3 A main file is needed here"),
        ("versions:\n  A: new\n", "error 2:3 The version of A has to read as digits and dots"),
        ("- a\n", "error 1:1 topograph.yaml has to be a mapping (key: value), not a list."),
        (
            "just text\n",
            "error 1:1 topograph.yaml has to be a mapping (key: value), not a single value.",
        ),
        ("hosts:\n\ta: B\n", "error 2:1 This is not YAML: "),
        ("a: 1\n---\nb: 2\n", "error 2:1 This is not YAML: "),
        (
            "hosts: &x {a: A}\npaths: *x\n",
            "error 2:8 Aliases (*name) are not read: nothing of this file is used.",
        ),
        ("[" * 50 + "]" * 50, "error 1:21 Nested more than 20 deep: nothing of this file is used."),
        (b"hosts: {a: \xff}\n", "error 0:0 This is not YAML text: "),
        (b"\x00\x01", "error 0:0 This is not YAML text: "),
    ],
)
def test_what_does_not_fit_is_an_error_with_its_place(text, wanted):
    _, findings = read(text)
    assert len(findings) == 1
    assert findings[0].startswith(wanted)


def test_an_entry_with_a_mistake_is_left_out_and_the_rest_is_used():
    records, findings = read(
        "hosts:\n  tcp://a: A\n  b: B\nclients:\n- server: A\n- server: B\n  "
        "destination: topic:x\nversion: 5\n"
    )
    assert len(findings) == 3
    assert [entry.server for entry in records.hosts] == ["B"]
    assert [client.server for client in records.clients] == ["B"]


def test_findings_do_not_repeat_values():
    _, findings = read(
        "clients:\n- server: A\n  destination: hunter2\n  role: hunter2\nhosts: {a: "
        "{password: hunter2}}\n"
    )
    assert len(findings) == 3
    assert "hunter2" not in "".join(findings)


def test_a_file_that_is_too_large_is_not_read():
    records, findings = read(b"#" * (side_inputs.MAX_BYTES + 1))
    left_out = (LeftOut("", Source("topograph.yaml")),)
    assert records == SideInputs(files=("topograph.yaml",), left_out=left_out)
    assert findings == ["error 0:0 This file has 8,388,609 bytes; at most 8,388,608 are read."]


def test_side_inputs_are_recognised_by_their_name():
    assert side_inputs.recognise("a/topograph.yaml", b"\0") == Recognised(
        "a/topograph.yaml", Role.SIDE_INPUTS
    )
    assert side_inputs.recognise("topograph.yaml.bak", b"hosts: {}") is None


def test_the_published_schema_is_valid_and_names_every_section():
    Draft202012Validator.check_schema(SCHEMA)
    assert tuple(SCHEMA["properties"]) == side_inputs.SECTIONS


def test_the_example_of_the_documentation_reads_without_a_finding():
    blocks = re.findall(
        r"```(\w+)\n(.*?)```", (ROOT / "docs/side-inputs.md").read_text(encoding="utf-8"), re.DOTALL
    )
    records, findings = read(next(text for kind, text in blocks if kind == "yaml"))
    assert findings == []
    assert (
        len(records.hosts),
        len(records.paths),
        len(records.clients),
        len(records.versions),
    ) == (2, 3, 1, 2)
    clients, noticed = parse_clients_csv(
        "c.csv", next(text for kind, text in blocks if kind == "csv").encode()
    )
    assert noticed == ()
    assert clients[0] == Client(
        "EMS-B",
        "topic:orders",
        "subscriber",
        "audit",
        "audit-1",
        "country = 'Canada'",
        "reporting",
        Source("c.csv", 2),
    )
    assert clients[1] == Client("EMS-C", "topic:orders.>", source=Source("c.csv", 3))


def test_a_csv_may_have_semicolons_comments_quotes_and_any_column_order():
    text = (
        '\ufeff# from the inventory\r\n\r\nDestination; server ;selector\r\n topic:a;A;"x = '
        "'a;b'\nAND y = 1\"\r\n\r\nqueue:b;B\r\n"
    )
    clients, findings = parse_clients_csv("c.csv", text.encode())
    assert findings == ()
    assert clients == (
        Client("A", "topic:a", selector="x = 'a;b'\nAND y = 1", source=Source("c.csv", 4)),
        Client("B", "queue:b", source=Source("c.csv", 7)),
    )


@pytest.mark.parametrize(
    ("data", "line", "wanted"),
    [
        (b"", 0, "There are no clients"),
        (b"server,destination\n\n", 0, "There are no clients"),
        (b"server,destination,sever\n", 1, "unknown column 'sever'"),
        (b"server,role\nA,sender\n", 1, "column 'destination' is missing"),
        (b"server,destination,server\n", 1, "column 'server' occurs twice"),
        (b"server,destination\nA,topic:x,extra\n", 2, "3 values for 2 columns"),
        (b"server,destination\n,topic:x\n", 2, "This entry lacks server."),
        (b"server,destination\nA,orders\n", 2, "A destination is written as"),
        (b"server,destination,role\nA,topic:x,reader\n", 2, "role has to be one of"),
        (b'server,destination\nA,"topic:x\n', 2, "This is not CSV"),
        (b"server\0,destination\n", 0, "not a text file"),
    ],
)
def test_a_csv_with_a_mistake_gives_a_finding_at_its_line(data, line, wanted):
    clients, findings = parse_clients_csv("c.csv", data)
    assert clients == ()
    assert [finding.source for finding in findings] == [Source("c.csv", line)]
    assert wanted in findings[0].message


def test_a_row_with_a_mistake_does_not_hide_the_others():
    clients, findings = parse_clients_csv("c.csv", b"server,destination\nA,x\nB,topic:y\n")
    assert clients == (Client("B", "topic:y", source=Source("c.csv", 3)),)
    assert len(findings) == 1


WORDS = [
    "hosts",
    "paths",
    "clients",
    "versions",
    "server",
    "destination",
    "&a ",
    "*a",
    "!!python/object:os.system",
    "topic:x",
]
pieces = st.sampled_from([*WORDS, *"{}[],'\"~|>#?\n\t\0é\ud800/", ": ", "- ", "  ", "<<", ".."])


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.binary()
    | st.lists(pieces, max_size=25).map(
        lambda parts: "".join(parts).encode("utf-8", "surrogatepass")
    )
)
def test_any_bytes_give_records_and_findings(data):
    records, findings = parse("topograph.yaml", data)
    assert isinstance(records, SideInputs)
    assert all(finding.message for finding in findings)
    clients, noticed = parse_clients_csv("c.csv", data)
    assert clients or noticed


def test_a_new_server_is_read_with_the_place_of_each_parameter() -> None:
    records, findings = read(
        "new:\n  S1:\n  S2:\n    routing: yes\n    listen: [tcp://a:1, tcp://b:2]\n"
    )
    assert findings == []
    assert records.new == (
        NewServer("S1", (), at(2, 3)),
        NewServer(
            "S2",
            (
                NewSetting("routing", ("yes",), at(4, 5)),
                NewSetting("listen", ("tcp://a:1", "tcp://b:2"), at(5, 5)),
            ),
            at(3, 3),
        ),
    )
