"""Ten messy folders, two a system, and what was done to each (docs/decisions/034).

``python -m tests.surveying.ten_folders FOLDER`` writes them; ``MADE`` says what a survey has to
find, worked out from how they are made.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

from surveying.messy import SYSTEMS

ORIG = "{}.orig"
TWO = ("NORTH", "SOUTH")


def _write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def _estate(system: str, word: str, folder: str = "") -> dict[str, str]:
    files, _ = SYSTEMS[system]([*TWO], word)
    return {f"{folder}{path}": text for path, text in files.items()}


def ems_copies(root: Path) -> None:
    """Copies of a main file and of a sub-file, a listing by URL, notes, an editor's file."""
    _write(root, _estate("ems", "orders"))
    main = (root / "north/tibemsd.conf").read_text()
    _write(
        root,
        {
            "north/Copy of tibemsd.conf": main.replace("enabled", "disabled"),
            "north/tibemsd.conf.20260301": main,
            "south/topics.conf.bak": "trades global\n",
            "south/.tibemsd.conf.swp": "x",
            "today.txt": "tcp://south.site.example:7222> show routes\n"
            "Route  T  ConnID  URL  ZoneName  ZoneType\n"
            "NORTH  A  -  tcp://north.site.example:7222  default_mhop_zone  mhop\n",
            "notes.md": "server = X\n",
        },
    )


def ems_environments(root: Path) -> None:
    """Two environments, and an archive of an old state of one."""
    _write(root, _estate("ems", "orders", "DEV/") | _estate("ems", "trades", "PROD/"))
    with zipfile.ZipFile(root / "backup-2025.zip", "w") as archive:
        for path, text in _estate("ems", "bills").items():
            archive.writestr(path, text)


def mq_dumps(root: Path) -> None:
    """Dumps of one queue manager from three days, a change script, a backup, a log."""
    head = (
        "* Script generated on 2026-0{}-01   at 10.20.30\n* Queue manager name: NORTH\n"
        "* Command issued: dmpmqcfg -m NORTH -a\nDEFINE QLOCAL({})\n"
    )
    _write(
        root,
        {f"NORTH_{n}.mqsc": head.format(n, name) for n, name in ((1, "A"), (2, "B"), (3, "C"))}
        | {
            "SOUTH.mqsc": "* Queue manager name: SOUTH\nDEFINE QLOCAL(IN)\n",
            "SOUTH.mqsc~": "* Queue manager name: SOUTH\nDEFINE QLOCAL(WAS)\n",
            "CHG0099.mqsc": "DEFINE QLOCAL(NEW)\n",
            "AMQERR01.LOG": "01/03/26 10:20:30 - Process(1.1) User(mqm)\n",
        },
    )


def mq_names(root: Path) -> None:
    """Files that do not name their queue manager: one by a script, one nearly named by another."""
    _write(
        root,
        {
            "hq.mqsc": "* Queue manager name: HQ\nDEFINE QREMOTE(R) RNAME(IN) RQMNAME(QMEAST)\n",
            "east.mqsc": "DEFINE QLOCAL(IN)\n",
            "objects.mqsc": "DEFINE QLOCAL(OUT)\n",
            "run.sh": "#!/bin/sh\nrunmqsc WEST < objects.mqsc\n",
            "README.md": "    DEFINE QLOCAL(NOT.READ)\n",
        },
    )


def mqe_backup(root: Path) -> None:
    """A backup that differs and one of the same bytes."""
    _write(root, _estate("mqe", "orders"))
    text = (root / "NORTH.yaml").read_text()
    _write(
        root,
        {
            "NORTH.yaml.bak": text.replace("ORDERS", "TRADES"),
            "SOUTH (1).yaml": (root / "SOUTH.yaml").read_text(),
        },
    )


def mqe_old(root: Path) -> None:
    """An earlier state in a folder of its own."""
    _write(root, _estate("mqe", "orders", "current/") | _estate("mqe", "trades", "old/"))


def sibus_environments(root: Path) -> None:
    """Three environments."""
    for folder, word in (("DEV", "orders"), ("TEST", "trades"), ("PROD", "bills")):
        _write(root, _estate("sibus", word, f"{folder}/"))


def sibus_backup(root: Path) -> None:
    """A script with a backup beside it, and notes."""
    _write(root, _estate("sibus", "orders"))
    text = (root / "NORTH.py").read_text()
    _write(root, {"NORTH.py.old": text.replace("ORDERS", "TRADES"), "todo.txt": "call Monday\n"})


def routers_packages(root: Path) -> None:
    """What a package manager and an editor leave behind."""
    _write(root, _estate("amq_interconnect", "orders"))
    text = (root / "north/qdrouterd.conf").read_text()
    _write(
        root,
        {
            "north/qdrouterd.conf.rpmnew": text.replace("multicast", "balanced"),
            "south/qdrouterd.conf.orig": (root / "south/qdrouterd.conf").read_text() + "# was\n",
        },
    )


def routers_environments(root: Path) -> None:
    """Two environments, of which .topographignore leaves one out."""
    _write(
        root,
        _estate("amq_interconnect", "orders", "DEV/")
        | _estate("amq_interconnect", "trades", "PROD/")
        | {".topographignore": "# not asked about\nDEV/\n"},
    )


MADE: dict[Callable[[Path], None], tuple[set[str], set[str], set[str]]] = {
    ems_copies: (
        {*TWO},
        {"north/Copy of tibemsd.conf", "north/tibemsd.conf.20260301", "south/topics.conf.bak"},
        set(),
    ),
    ems_environments: ({*TWO}, set(), {"DEV", "PROD", "backup-2025.zip!"}),
    mq_dumps: ({*TWO}, {"NORTH_1.mqsc", "NORTH_2.mqsc", "SOUTH.mqsc~"}, set()),
    mq_names: ({"HQ", "east", "WEST"}, set(), set()),
    mqe_backup: ({*TWO}, {"NORTH.yaml.bak", "SOUTH (1).yaml"}, set()),
    mqe_old: ({*TWO}, set(), {"current", "old"}),
    sibus_environments: ({*TWO}, set(), {"DEV", "TEST", "PROD"}),
    sibus_backup: ({*TWO}, {"NORTH.py.old"}, set()),
    routers_packages: (
        {*TWO},
        {"north/qdrouterd.conf.rpmnew", "south/qdrouterd.conf.orig"},
        set(),
    ),
    routers_environments: ({*TWO}, set(), set()),
}
"""By what makes a folder: its servers, the files that are not read as copies, its estates."""

if __name__ == "__main__":
    for make in MADE:
        make(Path(sys.argv[1]) / make.__name__)
