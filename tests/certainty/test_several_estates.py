"""Two environments in one folder are never answered as one estate.

Of each system one estate, in two folders: with equal content, with a difference, and with its
servers shared out between them. The first two are two estates: a server is configured once (a
script that makes a bus that exists fails, and so on).
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph import Network
from topograph.cli.main import exit_code
from topograph.inexact import Cause
from topograph.portable import engine_data
from topograph.questions.text import text
from topograph.reporting import collect

Files = Mapping[str, str]

EMS = {
    "HQ/tibemsd.conf": "server = HQ\nrouting = enabled\nroutes = routes.conf\n"
    "topics = topics.conf\n",
    "HQ/routes.conf": "[EAST]\nurl = tcp://east:7222\n",
    "HQ/topics.conf": "orders global\n",
    "EAST/tibemsd.conf": "server = EAST\nrouting = enabled\ntopics = topics.conf\n",
    "EAST/topics.conf": "orders global\n",
}
IBM_MQ = {
    "HQ.mqsc": "* Queue manager HQ\nDEFINE QLOCAL(ORDERS)\nDEFINE QALIAS(IN) TARGET(ORDERS)\n"
    "DEFINE QLOCAL(EAST) USAGE(XMITQ)\n"
    "DEFINE CHANNEL(HQ.EAST) CHLTYPE(SDR) CONNAME('east(1414)') XMITQ(EAST)\n",
    "EAST.mqsc": "DEFINE QLOCAL(ORDERS)\nDEFINE CHANNEL(HQ.EAST) CHLTYPE(RCVR)\n",
}
MQE = {
    "HQ.yaml": "kind: mqe\nqueueManager: HQ\nconnections:\n"
    "  - {name: EAST, type: direct, address: east, port: 8081}\n"
    "queues:\n  - {type: local, name: ORDERS}\n",
    "EAST.yaml": "kind: mqe\nqueueManager: EAST\nlisteners:\n  - {name: public, port: 8081}\n"
    "queues:\n  - {type: local, name: ORDERS}\n",
}
SIBUS = {
    f"{bus}.py": f"AdminTask.createSIBus('[-bus {bus}]')\n"
    f"AdminTask.addSIBusMember('[-bus {bus} -node n1 -server s1]')\n"
    f"AdminTask.createSIBDestination('[-bus {bus} -name ORDERS -type Queue -node n1 -server s1]')\n"
    "AdminConfig.save()\n"
    for bus in ("HQ", "EAST")
}
ROUTERS = {
    "HQ/qdrouterd.conf": "router {\n    id: HQ\n    mode: interior\n}\n"
    "connector {\n    role: inter-router\n    host: east\n    port: 5671\n}\n",
    "EAST/qdrouterd.conf": "router {\n    id: EAST\n    mode: interior\n}\n"
    "listener {\n    role: inter-router\n    host: east\n    port: 5671\n}\n",
}
ESTATES: Mapping[str, tuple[Files, str, str, str]] = {
    "ems": (EMS, "HQ/topics.conf", "orders global", "trades global"),
    "ibm_mq": (IBM_MQ, "HQ.mqsc", "TARGET(ORDERS)", "TARGET(TRADES)"),
    "mqe": (MQE, "HQ.yaml", "name: ORDERS", "name: TRADES"),
    "sibus": (SIBUS, "HQ.py", "-name ORDERS", "-name TRADES"),
    "amq_interconnect": (ROUTERS, "HQ/qdrouterd.conf", "port: 5671", "port: 5672"),
}
"""By system an estate, and a difference in one of its files."""

FIRST = "This folder holds 2 estates: DEV and PROD describe HQ differently; ask one of them: "


def written(root: Path, **folders: Files) -> Path:
    for folder, files in folders.items():
        for path, content in files.items():
            file = root / folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
    return root


def changed(system: str) -> Files:
    files, path, before, after = ESTATES[system]
    assert before in files[path]
    return {**files, path: files[path].replace(before, after)}


def with_two(system: str, root: Path) -> Path:
    return written(root, DEV=ESTATES[system][0], PROD=changed(system))


def answers(network: Network, server: str) -> list[Any]:
    """One of each question that is asked of any system."""
    destination = {"EMS": "topic:orders", "ROUTERS": "address:orders"}.get(server, "ORDERS@HQ")
    known = [str(row["server"]) for row in network.show("servers").rows]
    start = next(name for name in known if name.startswith("HQ"))
    systems = {str(row["system"]) for row in network.show("servers").rows}
    if systems == {"ems"}:
        destination = "topic:orders"
    elif systems == {"amq_interconnect"}:
        destination = "address:orders"
    return [
        network.reach(start),
        network.hops(start, known[0]),
        network.paths(start, known[0]),
        network.trace(start, destination),
        network.propagate(start, destination),
        network.cycles(),
        network.check(),
        *(network.show(what) for what in ("servers", "links", "destinations", "files")),
    ]


@pytest.mark.parametrize("system", ESTATES)
def test_each_answer_says_first_that_two_environments_are_in_the_folder(system, tmp_path):
    network = topograph.read(with_two(system, tmp_path))
    where = [f"-s {tmp_path}/{one}" for one in ("DEV", "PROD")]
    for answer in answers(network, system):
        assert text(answer).startswith(FIRST + " or ".join(where) + ".\n"), answer.question
        assert not answer.exact
        assert Cause.SEVERAL_ESTATES in [one.cause for one in answer.inexact_because]
        told = answer.to_dict()["inexact_because"]
        assert [one["cause"] for one in told].count("several-estates") == 1


@pytest.mark.parametrize("system", ESTATES)
def test_check_has_an_error_at_the_second_description(system, tmp_path):
    network = topograph.read(with_two(system, tmp_path))
    found = [one for one in network.check().findings if one["kind"] == "several-estates"]
    assert [(one["severity"], one["server"]) for one in found] == [("error", "HQ")]
    assert found[0]["source"]["file"].startswith("PROD/")


@pytest.mark.parametrize("system", ESTATES)
def test_neither_of_the_two_states_passes_a_gate(system, tmp_path, capsys):
    two = with_two(system, tmp_path / "two")
    one = written(tmp_path / "one", DEV=ESTATES[system][0])
    for before, after in ((one, two), (two, one)):
        assert exit_code(["audit", "--before", str(before), "--after", str(after)]) == 1
        assert "This folder holds 2 estates" in capsys.readouterr().out.partition("\n")[0]
    start = str(topograph.read(two).show("servers").rows[-1]["server"])
    end = str(topograph.read(two).show("servers").rows[0]["server"])
    asked = ["reach", start, end, "-s", str(two), "--expect"]
    assert [exit_code([*asked, word]) for word in ("reachable", "unreachable")] == [1, 1]
    assert "Cannot be decided" in capsys.readouterr().err


def test_a_policy_that_holds_in_one_of_the_two_is_undetermined(tmp_path):
    policy = tmp_path / "gate.yaml"
    policy.write_text("policies:\n  - {id: p, reaches: {from: HQ, to: EAST}}\n")
    one = topograph.read(written(tmp_path / "one", DEV=EMS))
    two = topograph.read(with_two("ems", tmp_path / "two"))
    assert [each.result for each in topograph.compare(one, one, policy=policy).policy] == ["pass"]
    answer = topograph.compare(two, two, policy=policy)
    assert (answer.verdict, answer.policy[0].result) == ("undetermined", "undetermined")


@pytest.mark.parametrize("system", ESTATES)
def test_report_and_page_say_it_too(system, tmp_path):
    network = topograph.read(with_two(system, tmp_path))
    report = collect(network._model)
    assert report.verdict.sentence.startswith(FIRST)
    assert report.verdict.state == "bad"
    assert report.first[0].rule == "several-estates"
    data = engine_data(network._model)
    for question in ("reach", "hops", "paths", "propagate"):
        causes, *_ = data["leftOut"][question]
        assert [data["texts"][cause] for cause, _ in causes] == ["several-estates"]


@pytest.mark.parametrize("system", ESTATES)
def test_folders_that_do_not_contradict_each_other_are_one_estate(system, tmp_path):
    files, path, *_ = ESTATES[system]
    server = path.partition("/")[0].partition(".")[0]
    own = {one: content for one, content in files.items() if one.startswith(server)}
    rest = {one: content for one, content in files.items() if one not in own}
    shared = topograph.read(written(tmp_path / "shared", A=own, B=rest))
    name, dot, ending = path.rpartition(".")
    beside = {**files, f"{name}.old{dot}{ending}": changed(system)[path]}
    backup = topograph.read(written(tmp_path / "backup", A=beside))
    for network in (shared, backup):
        assert network._model.side_inputs.contradictions == ()
        assert "estates" not in text(network.check()).partition("\n")[0]


@pytest.mark.parametrize("system", ESTATES)
def test_two_folders_with_the_same_servers_are_two_estates_though_equal(system, tmp_path):
    """DEV is still as PROD was, or one is a copy of the other: the servers are not one estate."""
    files = ESTATES[system][0]
    network = topograph.read(written(tmp_path, DEV=files, PROD=files))
    first = text(network.cycles()).partition("\n")[0]
    assert first == (
        "This folder holds 2 estates: DEV and PROD describe EAST (and 1 more) alike; ask one of "
        f"them: -s {tmp_path}/DEV or -s {tmp_path}/PROD."
    )
    assert not network.cycles().exact
    found = [one for one in network.check().findings if one["kind"] == "several-estates"]
    assert len(found) == 1
    for alone in ("DEV", "PROD"):
        assert topograph.read(tmp_path / alone)._model.side_inputs.contradictions == ()


@pytest.mark.parametrize("system", ESTATES)
def test_one_server_described_twice_alike_is_no_second_estate(system, tmp_path):
    """It may be the second member of a pair, or a dump that two hosts hold."""
    files, path, *_ = ESTATES[system]
    server = path.partition("/")[0].partition(".")[0]
    own = {one: content for one, content in files.items() if one.startswith(server)}
    network = topograph.read(written(tmp_path, A=files, B=own))
    assert network._model.side_inputs.contradictions == ()


def test_pairs_that_two_folders_share_out_are_one_estate(tmp_path):
    """R7: one member of each server in either folder."""
    pairs = {
        name: text_.replace("routing = enabled\n", "routing = enabled\nft_active = tcp://x:7222\n")
        for name, text_ in EMS.items()
    }
    network = topograph.read(written(tmp_path, one=pairs, two=pairs))
    assert network._model.side_inputs.contradictions == ()


def test_members_of_a_fault_tolerant_pair_are_one_server(tmp_path):
    """R7: two configurations of one name, each with ft_active; what differs has findings."""
    first = {**EMS, "HQ/tibemsd.conf": EMS["HQ/tibemsd.conf"] + "ft_active = tcp://b:7222\n"}
    own = {"HQ/tibemsd.conf": EMS["HQ/tibemsd.conf"] + "ft_active = tcp://a:7222\n"}
    network = topograph.read(written(tmp_path, one=first, two=own))
    assert network._model.side_inputs.contradictions == ()


def test_a_server_chosen_in_side_inputs_is_one(tmp_path):
    root = with_two("ems", tmp_path)
    (root / "topograph.yaml").write_text(
        "servers: {HQ: PROD/HQ/tibemsd.conf, EAST: PROD/EAST/tibemsd.conf}\n"
    )
    assert topograph.read(root)._model.side_inputs.contradictions == ()


def test_a_folder_in_a_folder_is_not_told_to_be_asked_with_what_it_holds(tmp_path):
    root = written(tmp_path, conf=EMS, **{"conf/old": changed("ems")})
    first = text(topograph.read(root).reach("HQ")).partition("\n")[0]
    assert first.endswith(f"ask one of them: -s {tmp_path}/conf/old.")


@pytest.mark.parametrize("two_dumps", [True, False])
def test_dumps_of_all_objects_contradict_by_what_only_one_has(two_dumps, tmp_path):
    """``dmpmqcfg`` writes all objects: two dumps that differ are of two times or queue managers.
    One of the queues and one of the channels are parts of one."""
    header = "* Queue manager name: HQ\n* Command issued: dmpmqcfg -m HQ{}\n"
    queues, channels = (" -t all", " -t all") if two_dumps else (" -t queue", " -t channel")
    root = written(
        tmp_path,
        a={"HQ.mqsc": header.format(queues) + "DEFINE QLOCAL('A') REPLACE\n* End\n"},
        b={"HQ.mqsc": header.format(channels) + "DEFINE CHANNEL('C') CHLTYPE(RCVR) REPLACE\n"},
    )
    assert bool(topograph.read(root)._model.side_inputs.contradictions) is two_dumps


def test_two_descriptions_contradict_that_both_agree_with_a_third(tmp_path):
    """The first by name of its file says nothing of what tells the other two apart."""
    config = "* Queue manager name: HQ\nDEFINE QLOCAL(ORDERS)\n"
    root = written(
        tmp_path,
        common={"HQ.mqsc": config},
        east={"HQ.mqsc": f"{config}DEFINE QALIAS(IN) TARGET(ORDERS)\n"},
        west={"HQ.mqsc": f"{config}DEFINE QALIAS(IN) TARGET(TRADES)\n"},
    )
    first = text(topograph.read(root).reach("HQ")).partition("\n")[0]
    assert "east and west describe HQ differently" in first


def test_definitions_that_are_refused_tell_descriptions_apart_too(tmp_path):
    """A sender without a transmission queue is none, but its folder is not that of the receiver."""
    config = "* Queue manager name: HQ\nDEFINE CHANNEL(A.B) CHLTYPE({})\n"
    root = written(
        tmp_path,
        a={"HQ.mqsc": config.format("SDR) CONNAME('b(1414)'")},
        b={"HQ.mqsc": config.format("RCVR")},
    )
    assert [one.server for one in topograph.read(root)._model.side_inputs.contradictions] == ["HQ"]


@pytest.mark.spark
def test_an_imported_snapshot_says_it_as_well(tmp_path):
    """The same through Spark; what is to be imported alone is named in place of ``-s``."""
    root = with_two("sibus", tmp_path / "estate")
    snapshot = tmp_path / "s.snapshot"
    words = ["import", str(root), "-o", str(snapshot), "--neo4j", "none"]
    ended = subprocess.run(
        [sys.executable, "-m", "topograph", *words], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    network = topograph.open(str(snapshot))
    first = text(network.reach("HQ")).partition("\n")[0]
    assert first == FIRST + "import DEV alone or import PROD alone."
    assert [one.server for one in network._model.side_inputs.contradictions] == ["HQ"]
