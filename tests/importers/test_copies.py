"""Equal bytes under two names are one file; equal definitions in two files are one definition."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

import topograph

MQ = {
    "A.mqsc": (
        "* Queue manager name: A\nDEFINE QLOCAL(B) USAGE(XMITQ)\n"
        "DEFINE QREMOTE(R) RNAME(IN) RQMNAME(B)\n"
        "DEFINE CHANNEL(A.B) CHLTYPE(SDR) XMITQ(B) CONNAME('b(1414)')\n"
    ),
    "B.mqsc": "* Queue manager name: B\nDEFINE QLOCAL(IN)\nDEFINE CHANNEL(A.B) CHLTYPE(RCVR)\n",
}
ROUTES = "[{}]\nurl=tcp://{}:7222\nzone_name=Z\nzone_type=1hop\n"
MAIN = "server={}\nlisten=tcp://{}:7222\nrouting=enabled\nroutes=routes.conf\n"
EMS = {
    "a/tibemsd.conf": MAIN.format("A", "a"),
    "a/routes.conf": ROUTES.format("B", "b"),
    "b/tibemsd.conf": MAIN.format("B", "b"),
    "b/routes.conf": ROUTES.format("A", "a"),
}
ROUTER = (
    "router {{\n id: {}\n mode: interior\n}}\n"
    "listener {{\n host: {}\n port: 55671\n role: inter-router\n}}\n"
)
AMQ = {
    "a.conf": ROUTER.format("A", "a")
    + "connector {\n name: c\n host: b\n port: 55671\n role: inter-router\n}\n",
    "b.conf": ROUTER.format("B", "b"),
}
SIBUS = {
    "a.py": (
        "AdminTask.createSIBus('[-bus A]')\n"
        "AdminTask.createSIBDestination('[-bus A -name Q -type Queue]')\n"
    )
}
ENDINGS = (".bak", ".orig", ".20260301", ".old", "~")


def write(files: dict[str, str], root: Path) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def told(root: Path) -> list[object]:
    network = topograph.read(root)
    names = network.server_names() if hasattr(network, "server_names") else ()
    found: list[object] = [network.show("servers").rows, list(network.check().findings)]
    for name in names or [str(row["server"]) for row in network.show("servers").rows]:
        answer = network.reach(name)
        found += [answer.servers, answer.exact, answer.assumptions, answer.undetermined]
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("files", [MQ, EMS, AMQ, SIBUS], ids=["mq", "ems", "amq", "sibus"])
def test_copies_beside_files_change_no_answer(
    files: dict[str, str], seed: int, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    write(files, tmp_path / "n")
    before = told(tmp_path / "n")
    mains = [name for name in files if not name.endswith("routes.conf")]
    copies = []
    for name in chance.sample(mains, chance.randint(1, len(mains))):
        path = tmp_path / "n" / name
        copy = chance.choice(
            [*(f"{path.name}{end}" for end in ENDINGS), f"Copy of {path.name}", f"0{path.name}"]
        )
        shutil.copy(path, path.with_name(copy))
        copies.append(str(path.with_name(copy).relative_to(tmp_path / "n")))
    servers, findings, *rest = told(tmp_path / "n")
    about = [one for one in findings if one["source"]["file"] in copies]  # type: ignore[attr-defined]
    assert all(one["severity"] == "info" for one in about)
    assert [servers, [one for one in findings if one not in about], *rest] == before  # type: ignore[attr-defined]


def test_a_file_that_differs_is_no_copy(tmp_path: Path) -> None:
    write(EMS | {"a/tibemsd.conf.bak": MAIN.format("A", "old")}, tmp_path)
    assert not topograph.read(tmp_path).reach("A").exact


def test_equal_main_files_with_other_parts_are_two(tmp_path: Path) -> None:
    write(EMS | {"old/tibemsd.conf": EMS["a/tibemsd.conf"], "old/routes.conf": ""}, tmp_path)
    assert not topograph.read(tmp_path).reach("A").exact


@pytest.mark.parametrize("seed", range(20))
def test_a_channel_is_one_however_many_files_define_it(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    write(MQ, tmp_path)
    lines = [line for line in MQ["A.mqsc"].splitlines() if line.startswith("DEFINE")]
    for number in range(chance.randint(1, 3)):
        again = chance.sample(lines, chance.randint(1, len(lines)))
        text = "* Queue manager name: A\n" + "\n".join(again) + f"\n* {number}\n"
        write({f"{chance.choice(['', 'x/', '0/'])}A{number}.mqsc": text}, tmp_path)
    answer = topograph.read(tmp_path).trace("A", "queue:R")
    assert (answer.outcome, answer.outcomes) == ("DELIVERED", ("DELIVERED(IN@B)",))
    assert not {"C-9"} & {one.rule for one in answer.assumptions}


def test_a_channel_that_two_files_define_otherwise_is_one_under_an_assumption(
    tmp_path: Path,
) -> None:
    other = "* Queue manager name: A\nDEFINE CHANNEL(A.B) CHLTYPE(SDR) XMITQ(B) CONNAME('c(1)')\n"
    write(MQ | {"x.mqsc": other}, tmp_path)
    answer = topograph.read(tmp_path).trace("A", "queue:R")
    assert answer.outcome == "DELIVERED"
    assert "C-9" in {one.rule for one in answer.assumptions}
