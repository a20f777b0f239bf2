"""Folders as people keep them, made of small estates in known ways: what a survey should find is
written down while the folder is made, never read from it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

Files = dict[str, str]

NAMES = ("NORTH", "SOUTH", "MILL", "PORT", "YARD", "DEPOT", "QUAY", "FARM", "DOCK", "LODGE")


@dataclass
class Made:
    """What was put into a folder."""

    system: str
    root: Path
    files: Files = field(default_factory=dict)
    servers: set[str] = field(default_factory=set)
    guessed: set[str] = field(default_factory=set)
    copies: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By path of a file that is not read the one that is, and ``bytes``, ``name`` or ``date``."""
    estates: set[str] = field(default_factory=set)
    left_out: set[str] = field(default_factory=set)
    of: dict[str, str] = field(default_factory=dict)
    """Output of tools, and the server that it is of."""

    def write(self) -> Made:
        for path, text in self.files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return self


def _ems(names: list[str], word: str) -> tuple[Files, list[str]]:
    files: Files = {}
    for name, other in zip(names, names[1:] + names[:1], strict=True):
        here = name.lower()
        files[f"{here}/tibemsd.conf"] = (
            f"server = {name}\nlisten = tcp://{here}.site.example:7222\nrouting = enabled\n"
            "routes = routes.conf\ntopics = topics.conf\n"
        )
        files[f"{here}/routes.conf"] = f"[{other}]\nurl = tcp://{other.lower()}.site.example:7222\n"
        files[f"{here}/topics.conf"] = f"{word} global\n"
    return files, [f"{name.lower()}/tibemsd.conf" for name in names]


def _mq(names: list[str], word: str) -> tuple[Files, list[str]]:
    files = {
        f"{name}.mqsc": (
            f"* Queue manager name: {name}\nDEFINE QLOCAL({word.upper()})\n"
            f"DEFINE QALIAS(IN) TARGET({word.upper()})\n"
        )
        for name in names
    }
    return files, list(files)


def _mqe(names: list[str], word: str) -> tuple[Files, list[str]]:
    files = {
        f"{name}.yaml": f"kind: mqe\nqueueManager: {name}\nqueues:\n"
        f"  - {{type: local, name: {word.upper()}}}\n"
        for name in names
    }
    return files, list(files)


def _sibus(names: list[str], word: str) -> tuple[Files, list[str]]:
    files = {
        f"{name}.py": f"AdminTask.createSIBus('[-bus {name}]')\n"
        f"AdminTask.addSIBusMember('[-bus {name} -node n1 -server s1]')\n"
        f"AdminTask.createSIBDestination('[-bus {name} -name Q -type Queue -node n1 -server s1]')\n"
        f"AdminTask.createSIBDestination('[-bus {name} -name A -type Alias -aliasBus {name} "
        f"-targetBus {name} -targetName {word.upper()}]')\nAdminConfig.save()\n"
        for name in names
    }
    return files, list(files)


def _routers(names: list[str], word: str) -> tuple[Files, list[str]]:
    files = {
        f"{name.lower()}/qdrouterd.conf": f"router {{\n    id: {name}\n    mode: interior\n}}\n"
        f"address {{\n    prefix: {word}\n    distribution: multicast\n}}\n"
        f"listener {{\n    role: inter-router\n    host: {name.lower()}.site.example\n"
        "    port: 5671\n}\n"
        for name in names
    }
    return files, list(files)


SYSTEMS: Mapping[str, Callable[[list[str], str], tuple[Files, list[str]]]] = {
    "ems": _ems,
    "ibm_mq": _mq,
    "mqe": _mqe,
    "sibus": _sibus,
    "amq_interconnect": _routers,
}

MARKS: tuple[Callable[[str], str], ...] = (
    lambda name: f"{name}.orig",
    lambda name: f"{name}.bak",
    lambda name: f"{name}.rpmnew",
    lambda name: f"{name}.rpmsave",
    lambda name: f"{name}~",
    lambda name: f"{name}.20260301",
    lambda name: f"{name}.2026-03-01",
    lambda name: f"{name}.old",
    lambda name: f"{name}.1",
    lambda name: f"Copy of {name}",
    lambda name: f"Copy (2) of {name}",
    lambda name: "{0} (1).{2}".format(*name.rpartition(".")),
    lambda name: "{0} - Copy.{2}".format(*name.rpartition(".")),
    lambda name: "{0}_old.{2}".format(*name.rpartition(".")),
    lambda name: "{0}-20260301.{2}".format(*name.rpartition(".")),
    lambda name: f"{name}.bak.orig",
)


def beside(path: str, mark: Callable[[str], str]) -> str:
    """A file in the same folder, with the mark of a copy in its name."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{mark(name)}"


def messy(system: str, seed: int, root: Path) -> Made:
    """A folder of one system, made in ways that the seed chooses."""
    chance = random.Random(f"{system} {seed}")
    names = chance.sample(NAMES, chance.randint(1, 4))
    files, mains = SYSTEMS[system](names, "orders")
    made = Made(system, root, servers={*names})
    estate = chance.choice(("one", "one", "one", "two", "three"))
    if estate == "one":
        made.files |= files
        _copies(made, chance, mains)
        _of_its_own(made, chance, names)
    else:
        folders = chance.sample(
            ("DEV", "PROD", "TEST", "uat", "site-a"), 2 if estate == "two" else 3
        )
        for folder, word in zip(folders, ("orders", "trades", "bills"), strict=False):
            other, _ = SYSTEMS[system](names, word)
            made.files |= {f"{folder}/{path}": text for path, text in other.items()}
        made.estates = {*folders}
    for name, text in chance.sample(
        (
            ("notes.txt", "Ask somebody about the hub on Monday.\n"),
            ("README.md", "# The estate\n\nrouter {\n    id: X\n}\nserver = X\n"),
            ("hosts.csv", "name,address\nhub,10.0.0.1\n"),
            ("picture.png", "\x89PNG"),
        ),
        chance.randint(0, 3),
    ):
        made.files[name] = text
        made.left_out.add(name)
    return made.write()


def _copies(made: Made, chance: random.Random, mains: list[str]) -> None:
    for path in chance.sample(mains, chance.randint(0, len(mains))):
        text = made.files[path]
        copy = beside(path, chance.choice(MARKS))
        if chance.random() < 0.3:
            made.files[copy] = text
            made.copies[copy] = path, "bytes"
        else:
            made.files[copy] = text.replace("orders", "trades").replace("ORDERS", "TRADES")
            made.files[copy] += _last(made.system)
            made.copies[copy] = path, "name"


def _last(system: str) -> str:
    """A line at the end of a file that says nothing, so that copies always differ."""
    return {"ibm_mq": "* kept\n", "ems": "# kept\n"}.get(system, "# kept\n")


def _of_its_own(made: Made, chance: random.Random, names: list[str]) -> None:
    """What only folders of one system hold."""
    name = chance.choice(names)
    if made.system == "ems" and chance.random() < 0.7:
        made.files["listing.txt"] = (
            f"tcp://{name.lower()}.site.example:7222> show routes\n"
            "Route  T  ConnID  URL                          ZoneName  ZoneType\n"
            f"HUB    A  -       tcp://hub.site.example:7222  default_mhop_zone  mhop\n"
        )
        made.of["listing.txt"] = name
    if made.system != "ibm_mq":
        return
    if chance.random() < 0.5:
        made.files["CHG0042.mqsc"] = "ALTER QLOCAL(ORDERS) MAXDEPTH(7)\n"
        made.left_out.add("CHG0042.mqsc")
    if chance.random() < 0.5:
        made.files["quiet.mqsc"] = "DEFINE QLOCAL(SLEEP)\n"
        made.servers.add("quiet")
        made.guessed.add("quiet")
    if chance.random() < 0.5:
        head = (
            "* Script generated on 2026-0{}-01   at 10.20.30\n* Queue manager name: DUMPED\n"
            "* Command issued: dmpmqcfg -m DUMPED -a\nDEFINE QLOCAL({})\n"
        )
        made.files |= {"x1.txt": head.format(2, "NEW"), "x2.txt": head.format(1, "OLD")}
        made.servers.add("DUMPED")
        made.copies["x2.txt"] = "x1.txt", "date"
