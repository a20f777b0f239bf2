"""``compare``: two states of a network, whatever the change was."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import topograph
from topograph.cli.group import topograph as command
from topograph.errors import UsageError
from topograph.questions.text import text

EXAMPLES = Path(__file__).parents[2] / "examples"
LEGAL, DOUBLED = EXAMPLES / "mhop-star" / "legal", EXAMPLES / "mhop-star" / "with-b-d"


def test_new_second_paths_are_rejected_and_old_ones_are_not() -> None:
    worse = topograph.compare(LEGAL, DOUBLED)
    assert (worse.verdict, worse.before.legal, worse.steps) == ("reject", True, ())
    assert {(one.server, one.duplicates[0].name) for one in worse.rejections} >= {
        ("D", "$TMP$.C.>"),
        ("B", "$TMP$.C.>"),
    }
    # Each at the line of the route that is new.
    assert {str(one.source) for one in worse.rejections} == {"b/routes.conf:3:1"}
    assert {(row.from_, row.to, row.before, row.after) for row in worse.hops.shorter} == {
        ("B", "D", 2, 1),
        ("D", "B", 2, 1),
    }
    better = topograph.compare(DOUBLED, LEGAL)
    assert (better.verdict, better.before.legal, better.rejections) == ("accept", False, ())
    assert len(better.before.duplicates) == 8
    same = topograph.compare(DOUBLED, DOUBLED)
    assert (same.verdict, same.reach.lost, same.hops.longer) == ("accept", (), ())
    assert "no message goes elsewhere" in text(same)


def test_lines_that_only_move_are_no_change(tmp_path: Path) -> None:
    for name in ("before", "after"):
        folder = tmp_path / name
        folder.mkdir()
        lead = "# a comment\n\n" if name == "after" else ""
        (folder / "tibemsd.conf").write_text(
            f"{lead}server = A\nbridges = bridges.conf\ntopics = topics.conf\n"
            "queues = queues.conf\n"
        )
        (folder / "bridges.conf").write_text(f"{lead}[topic:a]\n  queue=q\n")
        (folder / "topics.conf").write_text(f"{lead}a global\n")
        (folder / "queues.conf").write_text(f"{lead}q\n")
    answer = topograph.compare(tmp_path / "before", tmp_path / "after")
    assert (answer.deliveries.gained, answer.deliveries.lost, answer.would_lose) == ((), (), ())
    (tmp_path / "after" / "bridges.conf").write_text("")
    changed = topograph.compare(tmp_path / "before", tmp_path / "after")
    assert [(row.server, row.destination) for row in changed.deliveries.lost] == [("A", "queue:q")]


def _routers_without(folder: Path, left_out: str) -> Path:
    for file in (EXAMPLES / "routers").rglob("*"):
        if file.is_file() and file.name != left_out:
            place = folder / file.relative_to(EXAMPLES / "routers")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.read_bytes())
    return folder


def test_routers_are_compared_by_reach_hops_and_deliveries(tmp_path: Path) -> None:
    folder = _routers_without(tmp_path, "")
    place = folder / "london.conf"
    place.write_text(
        place.read_text().replace("host: par.mesh.example.net", "host: rom.mesh.example.net")
    )
    answer = topograph.compare(EXAMPLES / "routers", folder)
    assert not any(one.rule == "not-compared" for one in answer.warnings)
    assert [(one.server, one.destination, one.from_) for one in answer.deliveries.lost] == [
        ("MAD", "address:prices", "LON")
    ]
    assert [(one.server, one.destination, one.from_) for one in answer.deliveries.gained] == [
        ("ROM", "address:prices", "LON")
    ]
    moved = {(one.server, one.destination): (one.before, one.after) for one in answer.outcomes}
    assert moved["LON", "address:prices"] == (
        ("closest: prices-madrid over LON → PAR → MAD",),
        ("closest: prices-rome over LON → ROM",),
    )
    assert topograph.compare(folder, folder).outcomes == ()


def test_what_a_router_without_a_file_carries_is_left_open(tmp_path: Path) -> None:
    answer = topograph.compare(EXAMPLES / "routers", _routers_without(tmp_path, "paris.conf"))
    assert answer.reach.lost_count + answer.reach.undetermined_count > 0
    rows = (*answer.deliveries.lost, *answer.would_lose)
    assert rows
    assert {"PAR", "SHOP"}.isdisjoint(
        {one.server for one in rows} | {one.from_ for one in rows} - {"SHOP"}
    )
    assert any(
        "whether a subscriber at PAR still gets address:jobs" in one.message
        for one in answer.warnings
    )


def test_networks_without_a_common_system_are_refused() -> None:
    with pytest.raises(UsageError, match="have no system in common"):
        topograph.compare(LEGAL, EXAMPLES / "routers")


def test_the_command_compares_two_folders() -> None:
    def run(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(command, ["audit", *words])
        return result.exit_code, result.output

    code, said = run("--before", str(LEGAL), "--after", str(DOUBLED))
    assert (code, said.partition(":")[0]) == (1, "Reject")
    assert "D  $TMP$.C.>  C → A → D" in said
    assert run("--before", str(DOUBLED), "--after", str(LEGAL))[0] == 0
    for words in (["--before", str(LEGAL)], ["--after", str(LEGAL)], []):
        assert run(*words)[0] == 2


MQSC = {
    "A.mqsc": "* Queue manager name: A\nDEFINE QLOCAL(B) USAGE(XMITQ)\nDEFINE CHANNEL(A.B) "
    "CHLTYPE(SDR) XMITQ(B) CONNAME('b(1414)')\n"
    "DEFINE QREMOTE(OUT) RNAME(IN) RQMNAME(B)\nDEFINE QLOCAL(HERE)\n",
    "B.mqsc": "* Queue manager name: B\nDEFINE CHANNEL(A.B) CHLTYPE(RCVR)\nALTER QMGR "
    "DEADQ(DEAD)\nDEFINE QLOCAL(DEAD)\n"
    "DEFINE QLOCAL(IN)\nDEFINE LISTENER(L) TRPTYPE(TCP) PORT(1414) CONTROL(QMGR)\n",
}


def test_puts_that_end_elsewhere(tmp_path: Path) -> None:
    without = {**MQSC, "B.mqsc": MQSC["B.mqsc"].replace("DEFINE QLOCAL(IN)\n", "")}
    for name, files in (("before", MQSC), ("after", without)):
        for file, content in files.items():
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / file).write_text(content, encoding="utf-8")
    answer = topograph.compare(tmp_path / "before", tmp_path / "after")
    assert {(one.server, one.destination): one.after for one in answer.outcomes} == {
        ("A", "OUT"): ("DLQ(DEAD, B, 2085) at B",),
        ("A", "IN@B"): ("DLQ(DEAD, B, 2085) at B",),
        ("B", "IN"): ("REJECTED(2085) at B",),
    }
    assert answer.exact
    assert not answer.before.judged
    told = text(answer)
    assert told.startswith(
        "Accept: no server here has a rule that the difference could break, but the change "
        "brings 1 warning and messages to 3 destinations no longer arrive."
    )
    assert "messages to 3 destinations end differently, such as" in told.splitlines()[2]
    assert topograph.compare(tmp_path / "after", tmp_path / "after").outcomes == ()


def test_a_zone_that_changes_its_type_keeps_a_server_from_starting(tmp_path: Path) -> None:
    for name, kind in (("before", "1hop"), ("after", "mhop")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "tibemsd.conf").write_text(
            "server = A\nrouting = enabled\nroutes = routes.conf\n"
        )
        (folder / "routes.conf").write_text(
            f"[B]\n  url=tcp://b:1\n  zone_name=Z\n  zone_type={kind}\n"
        )
    answer = topograph.compare(tmp_path / "before", tmp_path / "after")
    (caution,) = [one for one in answer.warnings if one.rule == "zone-type-changed"]
    assert caution.message.startswith("zone Z was 1hop at A and is mhop now")
    back = topograph.compare(tmp_path / "before", tmp_path / "before")
    assert not any(one.rule == "zone-type-changed" for one in back.warnings)
