"""What is planted in every importer's every place is found nowhere downstream."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from page_markup import unpacked
from redaction.asked import asked
from redaction.planted import Planted, planted_estate

from topograph.errors import TopographError
from topograph.network import Network, network_of, open_network, read
from topograph.opening.folders import read_snapshot
from topograph.questions.records import QUESTIONS
from topograph.questions.text import text
from topograph.store.database import Database, DatabaseSnapshot
from topograph.store.parquet import open_snapshot
from topograph.store.publication import publish_snapshot
from topograph.store.snapshot import MemorySnapshot, Snapshot
from topograph.systems import assemble
from topograph.viz.formats import dot, graphml, mermaid
from topograph.viz.view import View

HIDDEN = {False: ("secret",), True: ("secret", "host", "domain", "user", "client", "text")}
"""The kinds that may not be found, without redaction and with it."""

Estate = tuple[Path, Planted]
both = pytest.mark.parametrize("redact", [False, True])


def records(snapshot: Snapshot) -> Iterator[object]:
    """Every record of a snapshot."""
    for network in snapshot.networks:
        yield network
        yield from snapshot.facts(network)
        yield from snapshot.findings(network)
        yield from snapshot.files(network)
        yield snapshot.side_inputs(network)
        for tables in snapshot.graph_tables(network):
            yield from tables.servers
            yield from tables.points
            yield from tables.guards
            yield from assemble(tables).forwards()


def shown(network: Network) -> Iterator[str]:
    """Every answer in every form in which it is written, and the pictures of them."""
    from topograph.cli.output import json_document, json_lines

    for _, answer in asked(network):
        yield text(answer)
        yield json.dumps(answer.to_dict())
        yield "\n".join(json_document(answer))
        yield "\n".join(json_lines(answer))
        yield answer.to_frame().to_csv()
    yield repr(network.scene())
    for picture in (
        None,
        network.reach("ALPHA"),
        network.propagate("ALPHA", "topic:orders", {"kind": "x"}),
    ):
        scene = network.scene(picture)
        yield from (View(scene).generate_html(), dot(scene), graphml(scene), mermaid(scene))
    audit = network.audit("delete route TWO", at="ALPHA")
    report = network.report(audit, [network.check(), network.show("files")]).generate_html()
    for page in (report, network.page(network.scene())):
        yield page
        yield from map(
            unpacked, re.findall(r'<script type="application/zlib" id="[^"]*">(.*?)</script>', page)
        )


def refused(network: Network) -> Iterator[str]:
    """What is said of questions that cannot be answered, which suggests names that are known."""
    for question in (
        lambda: network.reach("ALPHAA"),
        lambda: network.show("destination"),
        lambda: network.propagate("ALPHA", "topic:other..x"),
        lambda: network.propagate("ALPHA", "address:orders"),
        lambda: network.propagate("ALPHA", "topic:orders", subscribers=["clerks:x"]),
        lambda: network.trace("KEYED", "queue:q.*"),
    ):
        with pytest.raises(TopographError) as error:
            question()
        yield str(error.value)


@both
def test_no_record_of_a_snapshot_holds_them(estate: Estate, redact: bool) -> None:
    root, planted = estate
    snapshot = read_snapshot(root, redact=redact)
    for record in records(snapshot):
        assert planted.leaks(repr(record), *HIDDEN[redact]) == [], record


def test_the_estate_is_read(estate: Estate) -> None:
    """Else nothing could leak: hosts, users and client ids of every kind of place stand in the
    records when nothing is redacted.
    """
    root, planted = estate
    snapshot = read_snapshot(root)
    (data,) = snapshot.data.values()
    assert {fact.kind for fact in data.facts} == {
        "server", "route", "destination", "bridge", "durable", "factory", "grant", "user", "group",
        "entry", "observed_route", "entity",
        "listing", "observed_setting", "observed_destination", "observed_subscription",
        "observed_bridges",
        "bus", "member", "engine", "foreign_bus", "link", "incomplete", "changed_bus",
        "queue_manager", "queue", "channel", "listener", "channel_rule", "other", "stanza",
        "channel_status", "shown",
        "queue-manager", "connection",
    }  # fmt: skip
    everything = "\n".join(map(repr, records(snapshot)))
    for kind, least in (("host", 40), ("user", 30), ("client", 10), ("text", 20)):
        assert len(planted.leaks(everything, kind)) >= least
    assert everything.count("(set)") >= 30
    assert {report.status for report in data.files} >= {
        "read",
        "partly-read",
        "unclaimed",
        "skipped",
    } - {"skipped"}


@pytest.mark.slow
@both
def test_no_answer_in_any_form_holds_them(estate: Estate, redact: bool) -> None:
    root, planted = estate
    network = read(root, redact=redact)
    for page in shown(network):
        assert planted.leaks(page, *HIDDEN[redact]) == []
        assert str(root) not in page


@both
def test_no_message_about_a_question_holds_them(estate: Estate, redact: bool) -> None:
    root, planted = estate
    for message in refused(read(root, redact=redact)):
        assert planted.leaks(message, *HIDDEN[redact]) == []


def test_every_question_is_asked(estate: Estate) -> None:
    root, _ = estate
    assert {question.name for question in QUESTIONS} == {name for name, _ in asked(read(root))}


@pytest.mark.spark
@pytest.mark.slow
@both
def test_no_file_of_an_import_and_nothing_it_says_holds_them(
    estate: Estate, tmp_path: Path, redact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, planted = estate
    output, home = tmp_path / "snapshot", tmp_path / "home"
    command = [
        sys.executable,
        "-m",
        "topograph",
        "import",
        "estate",
        "-o",
        "snapshot",
        "--neo4j",
        "none",
    ]
    made = subprocess.run(
        [*command, *(["--redact"] if redact else [])],
        cwd=tmp_path,
        env={**os.environ, "TOPOGRAPH_HOME": str(home)},
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert made.returncode == 0, made.stderr.decode()
    assert planted.leaks(made.stdout + made.stderr, *HIDDEN[redact]) == []
    files = [path for folder in (output, home) for path in folder.rglob("*") if path.is_file()]
    assert any(path.suffix == ".parquet" for path in files)
    for path in files:
        assert planted.leaks(str(path.relative_to(tmp_path)), *HIDDEN[redact]) == []
        assert planted.leaks(path.read_bytes(), *HIDDEN[redact]) == [], path
        if path.suffix == ".parquet":
            opened = pq.ParquetFile(path)
            assert planted.leaks(repr(opened.read().to_pylist()), *HIDDEN[redact]) == [], path
            assert planted.leaks(repr(opened.metadata.to_dict()), *HIDDEN[redact]) == [], path
    monkeypatch.chdir(tmp_path)
    kept, here = open_snapshot("snapshot"), read_snapshot(root, redact=redact)
    assert (kept.id, kept.redaction) == (here.id, here.redaction)
    assert sorted(map(repr, records(kept))) == sorted(map(repr, records(here)))
    if redact:  # the records are equal, and so are their pictures
        for _, answer in asked(open_network("snapshot", engine="memory")):
            assert planted.leaks(json.dumps(answer.to_dict()), *HIDDEN[redact]) == []


@pytest.mark.neo4j
@both
def test_no_property_of_a_published_snapshot_holds_them(
    tmp_path: Path, database: Database, network_name: str, redact: bool
) -> None:
    planted = planted_estate(tmp_path / network_name)
    snapshot = read_snapshot(tmp_path / network_name, redact=redact)
    done = publish_snapshot(database, snapshot, assemble)
    kept = DatabaseSnapshot(database, snapshot.id)
    assert kept.redaction == snapshot.redaction
    assert sorted(map(repr, records(kept))) == sorted(map(repr, records(snapshot)))
    for page in _properties(database, done.publish):
        assert planted.leaks(page, *HIDDEN[redact]) == []
    if redact:  # the records are equal, and so are their pictures
        for _, answer in asked(network_of(kept, network_name)):
            assert planted.leaks(json.dumps(answer.to_dict()), *HIDDEN[redact]) == []


def _properties(database: Database, publish: str) -> Iterator[str]:
    """Every property of every node and relationship of a publishing run, its labels and types."""
    given = {"publish": publish}
    nodes = (
        "MATCH (n) WHERE n.publish = $publish RETURN labels(n) AS kind, properties(n) AS properties"
    )
    networks = (
        "MATCH (n:Network)-[:CURRENT]->({publish: $publish}) RETURN labels(n) AS kind, "
        "properties(n) AS properties"
    )
    between = (
        "MATCH (n {publish: $publish})-[r]->() RETURN type(r) AS kind, properties(r) AS properties"
    )
    rows = [
        row
        for statement in (nodes, networks, between)
        for row in database.query(statement, given)[1]
    ]
    assert len(rows) > 50
    return map(repr, rows)


def test_an_archive_and_its_members_may_be_called_after_hosts_and_users(tmp_path: Path) -> None:
    planted = planted_estate(tmp_path / "estate")
    (tmp_path / "net").mkdir()
    (archive,) = (tmp_path / "estate").glob("*.zip")
    shutil.move(archive, tmp_path / "net")
    snapshot = read_snapshot(tmp_path / "net", redact=True)
    (data,) = snapshot.data.values()
    (report,) = (report for report in data.files if report.role == "main")
    assert planted.leaks("\n".join(map(repr, records(snapshot)))) == []
    assert report.path.count("!/") == 1
    assert report.path.endswith("/tibemsd.conf")


def test_a_network_called_after_its_folder_is_renamed_where_that_is_a_host(tmp_path: Path) -> None:
    planted = Planted()
    host = planted.host()
    (tmp_path / host).mkdir()
    (tmp_path / host / "tibemsd.conf").write_text(
        f"server = A\nrouting = enabled\nlisten = tcp://{host}:7222\n"
    )
    snapshot = read_snapshot(tmp_path / host, redact=True)
    assert isinstance(snapshot, MemorySnapshot)
    assert planted.leaks(repr(list(snapshot.networks))) == []
    assert planted.leaks("\n".join(map(repr, records(snapshot)))) == []


def test_the_errors_of_a_config_file_do_not_quote_it(tmp_path: Path, estate: Estate) -> None:
    from topograph.errors import InputError

    root, _ = estate
    planted = Planted()
    config = tmp_path / "mine.yaml"
    config.write_text(
        f"hosts:\n  {planted.host()}: {{{planted.text()}: "
        f"{planted.secret()}}}\nclients:\n  - {planted.user()}\n"
    )
    with pytest.raises(InputError) as error:
        read_snapshot(root, config, redact=True)
    assert "mine.yaml:2" in str(error.value)
    assert planted.leaks(str(error.value)) == []


def test_the_report_of_an_internal_error_of_a_redacting_import_holds_places_only(
    tmp_path: Path,
) -> None:
    from topograph.cli.error_report import write_report

    planted = Planted()

    def fail() -> None:
        try:
            raise KeyError(planted.host())
        except KeyError as error:
            raise ValueError(f"{planted.user()} password={planted.secret()}") from error

    with pytest.raises(ValueError, match="zquser") as caught:
        fail()
    path = write_report(
        caught.value, ["import", "--redact", f"/home/{planted.user()}/{planted.host()}"]
    )
    written = Path(path).read_text()
    assert planted.leaks(written) == []
    assert "KeyError" in written
    assert "ValueError" in written
    assert "in fail" in written
    assert "topograph import --redact" in written


def test_an_error_of_spark_in_a_redacting_import_is_told_without_its_text(tmp_path: Path) -> None:
    from pyspark.errors import PySparkException

    from topograph.errors import BackendError
    from topograph.pipeline.session import spark_errors
    from topograph.process.interrupts import Interrupts

    planted = Planted()
    raised = PySparkException(
        f"Traceback (most recent call last):\nValueError: {planted.host()} of {planted.user()}"
    )
    log = tmp_path / "import.log"
    doing = "reading configurations"
    with (
        pytest.raises(BackendError) as caught,
        spark_errors(doing, log, Interrupts(), details=False),
    ):
        raise raised
    assert planted.leaks(str(caught.value)) == []
    assert "ValueError" in str(caught.value)
    assert caught.value.__cause__ is None
    assert not log.exists()
