"""Secrets in what is a command, an address or a sentence: wherever people can write one, it does
not get into facts, findings, answers or saved changes; what answers need stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from redaction.holes import FILES, FORMS, with_secret

import topograph
from topograph.credentials import without_arguments
from topograph.facts.rows import encode
from topograph.importers import ems
from topograph.network import network_of
from topograph.opening.folders import read_snapshot
from topograph.pipeline.snapshot_writer import keep
from topograph.store.snapshot import Snapshot

pytestmark = pytest.mark.slow

SECRET = re.compile("t[i1]ger")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("file", FILES)
def test_no_fact_finding_or_answer_holds_the_secret_of_a_command_or_an_address(
    file: str, form: str, tmp_path: Path
) -> None:
    estate = tmp_path / "estate"
    for name, text in with_secret(file, form).items():
        (estate / name).parent.mkdir(parents=True, exist_ok=True)
        (estate / name).write_text(text, encoding="utf-8")
    snapshot = read_snapshot(estate)
    kept = tmp_path / "snapshot"
    keep(snapshot, kept)
    found = [*_texts(snapshot)]
    for name in snapshot.networks:
        network = network_of(snapshot, name)
        found.append(json.dumps(network.check().to_dict()))
        for what in ("servers", "routes", "queues", "channels", "destinations", "files"):
            found.append(json.dumps(network.show(what).to_dict()))
    found += [
        one.read_bytes().decode("latin-1")
        for one in sorted(kept.rglob("*"))
        if one.is_file() and one.suffix != ".parquet"
    ]
    assert [one for one in found if SECRET.search(one)] == []


def _texts(snapshot: Snapshot) -> Iterator[str]:
    for network in snapshot.networks:
        for fact in snapshot.facts(network):
            yield json.dumps(encode(fact))
        for record in (*snapshot.findings(network), *snapshot.files(network)):
            yield repr(record)


@pytest.mark.parametrize("attribute", ["SCYDATA", "SENDDATA", "RCVDATA", "MSGDATA"])
def test_what_channel_exits_are_given_is_not_kept(attribute: str, tmp_path: Path) -> None:
    (tmp_path / "QM.mqsc").write_text(
        "DEFINE QMGR\nDEFINE QLOCAL(X) USAGE(XMITQ)\n"
        f"DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h(1414)') XMITQ(X) {attribute}('tiger')\n",
        encoding="utf-8",
    )
    found = "".join(_texts(read_snapshot(tmp_path)))
    assert attribute in found
    assert "h(1414)" in found
    assert "tiger" not in found


@pytest.mark.parametrize("form", FORMS)
def test_a_saved_change_holds_no_secret_of_the_commands_around_it(
    form: str, tmp_path: Path
) -> None:
    (tmp_path / "QM.mqsc").write_text("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\n", encoding="utf-8")
    network = topograph.read(tmp_path)
    server = network.server_names()[0]
    script = tmp_path / "change.sh"
    script.write_text(
        f"#!/bin/sh\n{form}\nrunmqsc {server} <<'END'\nDEFINE QLOCAL(C) DESCR('{form}')\n"
        f"ALTER SERVICE(S) STARTARG('{form}')\nDELETE QLOCAL(B)\nEND\n{form}\n",
        encoding="utf-8",
    )
    saved = network.saved_change(script, server)
    assert SECRET.search(saved.written()) is None
    assert SECRET.search(json.dumps(network.audit(script, server).to_dict())) is None
    assert "DELETE QLOCAL(B)" in saved.written()


@pytest.mark.parametrize("form", FORMS)
def test_what_was_left_out_is_left_out_once(form: str) -> None:
    shown = without_arguments(form)
    assert without_arguments(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "h(1414),g(1415)",
        "tcp://h:7222,tcp://g:7222",
        "ann@h",
        "queue:orders@B",
        "$management",
        "-p 1414",
        "-p1414",
        "-m QM1 -t tcp -p 1414 -b 10",
        "mkdir -p /var/mqm/x",
        "-Djava.awt.headless=true -Xmx256m",
        "-u ann -o a=b",
        "--user ann",
        "-password",
        '"authorization":false,"routing":true',
        "authorization=enabled routing",
        "unknown property 'authorization': it has no effect here",
    ],
)
def test_ports_paths_users_and_other_options_stay(text: str) -> None:
    assert without_arguments(text) == text


def test_a_property_that_is_a_secret_is_not_named() -> None:
    text = "[B]\n url = Authorization: Bearer tiger\n"
    parsed = ems.parse_text("routes.conf", text, strict=False, server="A")
    messages = [one.message for one in parsed.findings if one.kind == "unknown-directive"]
    assert messages == [
        "unknown property 'Bearer': it has no effect here",
        "unknown property whose name is not shown: it has no effect here",
    ]


@pytest.mark.parametrize("member", ['"amqp://u:tiger@h:1"', '["curl -u u:tiger h"]'])
def test_no_member_of_a_map_holds_a_secret(member: str, tmp_path: Path) -> None:
    properties = f'{{"peer": {member}}}'
    sections = [
        ["router", {"id": "A", "mode": "interior"}],
        ["connector", {"name": "c", "host": "h", "openProperties": json.loads(properties)}],
    ]
    (tmp_path / "qdrouterd.json").write_text(json.dumps(sections), encoding="utf-8")
    facts = [json.dumps(encode(one)) for one in read_snapshot(tmp_path).facts(tmp_path.name)]
    assert any("openProperties" in one and "peer" in one for one in facts)
    assert [one for one in facts if SECRET.search(one)] == []
