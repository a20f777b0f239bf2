"""Files that scripts have queue managers read: they are of the queue manager that the script says,
with what it puts into them; what is not among the files is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph
from topograph.network import Network

QUEUE = "DEFINE QLOCAL(IN)\n"


def read(folder: Path, **files: str) -> Network:
    for name, text in files.items():
        stem, _, ending = name.rpartition("_")
        path = folder / f"{stem.replace('__', '/')}.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return topograph.read(folder).within(None)


def outcomes(network: Network, server: str, queue: str) -> set[str]:
    return set(network.trace(server, f"queue:{queue}").outcomes)


@pytest.mark.parametrize(
    "line",
    [
        "runmqsc HUB < objects.mqsc",
        "cat objects.mqsc | runmqsc HUB",
        'QM=HUB\nrunmqsc "$QM" < ./objects.mqsc > out.log',
        'QM=HUB\nDIR=/opt/mq\nrunmqsc ${QM} < "$DIR/objects.mqsc"',
        "runmqsc -f objects.mqsc HUB",
        "su - mqm -c 'runmqsc HUB < objects.mqsc'",
        "docker exec qm bash -c 'cat objects.mqsc | runmqsc HUB'",
        "for QM in HUB; do\n  runmqsc $QM < objects.mqsc\ndone",
    ],
)
def test_a_file_is_of_the_queue_manager_that_a_script_runs_it_at(line: str, tmp_path: Path) -> None:
    network = read(tmp_path, setup_sh=f"#!/bin/sh\n{line}\n", objects_mqsc=QUEUE)
    assert list(network.server_names()) == ["HUB"]
    assert outcomes(network, "HUB", "IN") == {"DELIVERED(IN@HUB)"}


def test_one_file_run_at_several_queue_managers_is_of_each(tmp_path: Path) -> None:
    network = read(
        tmp_path,
        all_sh="for q in EAST WEST; do runmqsc $q < common.mqsc; done\n",
        common_mqsc=QUEUE,
        west_sh="#!/bin/sh\nrunmqsc WEST < more.mqsc\n",
        more_mqsc="DEFINE QLOCAL(MORE)\n",
    )
    assert list(network.server_names()) == ["EAST", "WEST"]
    for server in ("EAST", "WEST"):
        assert outcomes(network, server, "IN") == {f"DELIVERED(IN@{server})"}
    assert outcomes(network, "EAST", "MORE") == {"REJECTED(2085)"}


def test_what_a_file_holds_that_is_not_there_is_not_known(tmp_path: Path) -> None:
    network = read(
        tmp_path,
        setup_sh="#!/bin/sh\ncrtmqm HUB\nrunmqsc HUB < /opt/mq/objects.mqsc\n",
        HUB_mqsc="DEFINE QLOCAL(KNOWN)\n",
    )
    answer = network.trace("HUB", "queue:IN")
    file = "/opt/mq/objects.mqsc"
    assert any(file in one.alternative for one in answer.assumptions)
    assert any(one.rule == "incomplete" and file in one.message for one in answer.warnings)
    assert outcomes(network, "HUB", "KNOWN") == {"DELIVERED(KNOWN@HUB)"}


def test_prose_about_runmqsc_makes_no_server(tmp_path: Path) -> None:
    network = read(
        tmp_path,
        README_md="Run the objects at your queue manager:\n\n    runmqsc QM1 < objects.mqsc\n",
        HUB_mqsc=QUEUE,
    )
    assert list(network.server_names()) == ["HUB"]


INI = """AutoCluster:
   Type=Uniform
   ClusterName=RING
   Repository1Name=R1
   Repository1Conname=r1.example(1414)
   Repository2Name=R2
   Repository2Conname=r2.example(1414)
"""
MQSC = """DEFINE CHANNEL('+AUTOCL+_+QMNAME+') CHLTYPE(CLUSRCVR) +
  CONNAME(+CONN+) CLUSTER('+AUTOCL+') REPLACE
DEFINE QLOCAL(JOBS) CLUSTER('+AUTOCL+') DEFBIND(NOTFIXED) CLWLUSEQ(ANY) REPLACE
"""


def members(*names: str) -> str:
    made = "".join(
        f'crtmqm -ii auto.ini -ic ring.mqsc -iv CONN="{name.lower()}.example(1414)" {name}\n'
        for name in names
    )
    return f"#!/bin/bash\n{made}"


def test_members_of_a_uniform_cluster_have_what_its_files_say(tmp_path: Path) -> None:
    network = read(
        tmp_path, auto_ini=INI, ring_mqsc=MQSC, create_sh=members("R1", "R2", "M3", "M4")
    )
    assert list(network.server_names()) == ["M3", "M4", "R1", "R2"]
    for server in network.server_names():
        assert outcomes(network, server, "JOBS") == {
            f"DELIVERED(JOBS@{other})" for other in network.server_names()
        }
    channels = {
        (row["server"], row["name"])
        for row in network.show("links").rows
        if "CLUSSDR" in str(row.get("details", ""))
    }
    assert all(server in ("R1", "R2", "M3", "M4") for server, _ in channels)


def test_senders_are_called_as_the_receivers_of_repositories_are(tmp_path: Path) -> None:
    """Also where the name of a queue manager is part of that of the cluster."""
    ini = INI.replace("=R1", "=RING").replace("=R2", "=IN")
    network = read(tmp_path, auto_ini=ini, ring_mqsc=MQSC, create_sh=members("RING", "IN", "G"))
    answer = network.trace("G", "queue:JOBS")
    assert set(answer.outcomes) == {f"DELIVERED(JOBS@{one})" for one in ("RING", "IN", "G")}
    assert not [one for one in answer.assumptions if one.rule == "M-29"]


def test_a_script_that_only_makes_queue_managers_says_what_they_are_set_to(tmp_path: Path) -> None:
    """crtmqm alone, without runmqsc, and with a first line that is not quite a shebang."""
    network = read(
        tmp_path,
        create_sh='#/bin/sh\n\ncrtmqm -c "The hub" -lc -q -d HUB.OUT -u HUB.DEAD HUB\n',
        HUB_mqsc="DEFINE QLOCAL(HUB.DEAD)\nDEFINE QLOCAL(HUB.OUT)\n",
    )
    assert list(network.server_names()) == ["HUB"]
    answer = network.trace("HUB", "X@FAR")
    assert answer.outcomes == ("REJECTED(2199)",)
    assert "C-11" not in {one.rule for one in answer.assumptions}


def test_a_script_that_makes_a_queue_manager_of_any_name_is_of_none(tmp_path: Path) -> None:
    network = read(
        tmp_path,
        create_sh="#!/bin/sh\ncrtmqm -u DEAD $1\n",
        HUB_mqsc="DEFINE QLOCAL(DEAD)\n",
    )
    assert list(network.server_names()) == ["HUB"]


@pytest.mark.parametrize("first", ["#!/bin/sh", "#/bin/sh"])
def test_a_script_that_gives_files_to_queue_managers_may_do_other_things(
    tmp_path: Path, first: str
) -> None:
    network = read(
        tmp_path,
        setup_sh=f"{first}\nrm -rf /tmp/x\ntar xf y.tar\nrunmqsc HUB < ~/mq/objects.mqsc > log\n",
        objects_mqsc="DEFINE QLOCAL(IN)\n",
    )
    assert list(network.server_names()) == ["HUB"]
    assert outcomes(network, "HUB", "IN") == {"DELIVERED(IN@HUB)"}


def test_a_member_that_is_made_without_its_files_is_not_known(tmp_path: Path) -> None:
    network = read(tmp_path, ring_mqsc=MQSC, create_sh=members("R1", "M3"))
    answer = network.trace("M3", "queue:JOBS")
    assert answer.outcomes == ("UNDETERMINED",)
    assert any("auto.ini" in one.message for one in answer.warnings)


@pytest.mark.parametrize(
    "argument",
    [
        r"""'echo "DEFINE QLOCAL('\'small.case\'')" | runmqsc HUB'""",
        r"""'echo "DEFINE QLOCAL('\''small.case'\'')" | runmqsc HUB'""",
        r"""'echo "DEFINE QLOCAL('"'"'small.case'"'"')" | runmqsc HUB'""",
        r'''"echo \"DEFINE QLOCAL('small.case')\" | runmqsc HUB"''',
        r'''"echo 'DEFINE QLOCAL('\''small.case'\'')' | runmqsc HUB"''',
    ],
)
def test_quotes_within_a_command_that_another_program_runs(argument: str, tmp_path: Path) -> None:
    network = read(tmp_path, setup_sh=f"#!/bin/sh\nsu -l mqm -c {argument}\n")
    assert outcomes(network, "HUB", "small.case") == {"DELIVERED(small.case@HUB)"}


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("QM_ORANGE_mqsc", "QM_ORANGE"),
        ("base-qm1_mqsc", "QM1"),
        ("objects-HUB-B_mqsc", "HUB-B".replace("-", "_")),
        ("dmp-SOUTH_mqsc", "SOUTH"),
    ],
)
def test_a_file_is_of_the_queue_manager_that_others_name_as_it(
    file: str, name: str, tmp_path: Path
) -> None:
    other = (
        f"DEFINE QREMOTE(OUT) RNAME(IN) RQMNAME('{name}') XMITQ(X)\nDEFINE QLOCAL(X) USAGE(XMITQ)\n"
        f"DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h(1414)') XMITQ(X)\n"
    )
    network = read(
        tmp_path, NORTH_mqsc=other, **{file: f"{QUEUE}DEFINE CHANNEL(C) CHLTYPE(RCVR)\n"}
    )
    assert list(network.server_names()) == sorted(["NORTH", name])
    assert outcomes(network, "NORTH", "OUT") == {f"DELIVERED(IN@{name})"}


BATCH = """@ECHO OFF
set FIRST=QM1
set SECOND=QM2
set QMGR=%FIRST%
echo DEFINE QLOCAL(%SECOND%.OUT) USAGE(XMITQ) > %QMGR%_temp.mqsc
echo DEFINE CHANNEL('%FIRST%.%SECOND%') CHLTYPE(SDR) CONNAME('h(1415)') + >> %QMGR%_temp.mqsc
echo   XMITQ('%SECOND%.OUT') >> %QMGR%_temp.mqsc
echo DEFINE QREMOTE(THERE) RNAME(IN) RQMNAME('%SECOND%') XMITQ('%SECOND%.OUT') >> %QMGR%_temp.mqsc
runmqsc -e %QMGR% < %QMGR%_temp.mqsc
Set QMGR=%SECOND%
echo DEFINE QLOCAL(IN) > %QMGR%_temp.mqsc
echo DEFINE CHANNEL('%FIRST%.%SECOND%') CHLTYPE(RCVR) >> %QMGR%_temp.mqsc
runmqsc -e %QMGR% < %QMGR%_temp.mqsc
"""


def test_a_batch_file_puts_its_variables_in_as_it_goes_on(tmp_path: Path) -> None:
    network = read(tmp_path, setup_cmd=BATCH)
    assert list(network.server_names()) == ["QM1", "QM2"]
    assert outcomes(network, "QM1", "THERE") == {"DELIVERED(IN@QM2)"}
    assert not [one for one in network.show("findings").rows if one["severity"] == "error"]


def test_objects_whose_names_are_text_of_a_template_may_be_two(tmp_path: Path) -> None:
    """Nothing says that MQ refuses the second definition."""
    text = "DEFINE QLOCAL(%QMGR%.IN)\n"
    network = read(tmp_path, HUB_mqsc=f"{text}{text}")
    assert not [one for one in network.show("findings").rows if one["severity"] == "error"]
