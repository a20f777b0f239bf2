"""The estates that grow: what is written at each size, and the commands that are asked of it.

``growth`` measures them, and ``./dev same`` compares what two revisions answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from estates import MESH_SIZE, company, write
from queue_manager_estates import queue_manager_estate, write_queue_managers
from router_estates import router_estate, write_routers

FILES = "files"
"""The folder of the configuration, below that of an estate; the scripts of changes are beside
it."""
QUEUES = 50
ADDRESSES = 1_000

FOLDER = "FOLDER"
"""Stands in the words of commands for that of the estate."""

Commands = Mapping[str, Sequence[str]]
"""The words of commands by title, without what is asked and in which format."""


def in_folder(words: Sequence[str], folder: Path) -> list[str]:
    """The words of a command about the estate in a folder."""
    return [word.replace(f"={FOLDER}/", f"={folder}/") for word in words]


def ems(size: int, folder: Path) -> Commands:
    """So many EMS servers, ten in a mesh each, their hubs in a tree."""
    estate = company(size // MESH_SIZE)
    write(estate, folder / FILES)
    hub, spoke = estate.servers[0], estate.servers[-1]
    link = next(one for one in estate.links if hub in (one.a, one.b) and one.selector)
    new = f"create route {spoke} url=tcp://{spoke.lower()}.example.net:7222 zone_name=WAN "
    scripts = {
        "audit of a new route": (estate.servers[1], f"{new}zone_type=mhop\n"),
        "audit of a deleted route": (link.a, f"delete route {link.b}\n"),
        "audit of a changed selector": (
            link.a,
            f'setprop route {link.b} outgoing_topic=orders selector="shard <> 4"\n',
        ),
    }
    commands = _common(hub, spoke, "topic:orders")
    commands["propagate"] = [*commands["propagate"], "--set", "shard=3", "--set", "amount=500"]
    commands |= {
        "cycles": ["cycles"],
        "interests A": ["interests", hub],
        "interests": ["interests"],
        "impact --fail a hub": ["impact", "--fail", f"server:{hub}"],
    }
    for number, (title, (server, script)) in enumerate(scripts.items()):
        (folder / f"change-{number}.txt").write_text(script)
        change = f"{server}={FOLDER}/change-{number}.txt"
        commands[title] = ["audit", "--change", change]
    return commands


def queue_managers(size: int, folder: Path) -> Commands:
    """So many queue managers in a tree, with queues of their own; see ``ems``."""
    estate = queue_manager_estate(size, QUEUES)
    write_queue_managers(estate, folder / FILES)
    here, queue, _ = max(estate.remote, key=lambda one: estate.hops(one[0], one[2]))
    root, last = estate.names[1], estate.names[-1]
    (folder / "change.mqsc").write_text(f"DEFINE QREMOTE(NEW.ONE) RNAME(APP.0) RQMNAME({last})\n")
    change = f"{estate.names[here]}={FOLDER}/change.mqsc"
    return {
        "the first answer": ["reach", root],
        **_common(estate.names[here], last, f"queue:{queue}"),
        "impact --fail a hub": ["impact", "--fail", f"server:{root}"],
        "audit of a QREMOTE": ["audit", "--change", change],
    }


def routers(size: int, folder: Path) -> Commands:
    """So many routers with a list of addresses each; see ``ems``."""
    estate = router_estate(size, ADDRESSES)
    write_routers(estate, folder / FILES)
    a, b = estate.interior[1], estate.interior[-1]
    return {
        "the first answer": ["reach", a],
        **_common(a, b, f"address:{estate.addresses[1]}"),
    }


def _common(a: str, b: str, destination: str) -> dict[str, Sequence[str]]:
    """The questions that every system answers, between two servers."""
    return {
        "reach A": ["reach", a],
        "reach A B": ["reach", a, b],
        "hops A B": ["hops", a, b],
        "hops --matrix": ["hops", "--matrix"],
        "paths A B": ["paths", a, b],
        "propagate": ["propagate", a, "--destination", destination],
        "trace": ["trace", a, "--destination", destination],
        "impact --fail": ["impact", "--fail", f"server:{b}"],
        "impact --sweep": ["impact", "--sweep"],
        "check": ["check"],
        "show servers": ["show", "servers"],
        "show routes": ["show", "routes"],
        "view": ["view"],
        "report": ["report"],
    }


PAGES = frozenset({"view", "report"})
"""Commands that write a page."""
BY_LINE = frozenset({"interests", "hops --matrix"})
"""Commands whose answer is written line by line, for it is as large as the square of the
estate."""

Grown = Callable[[int, Path], Commands]
KINDS: Mapping[str, tuple[Sequence[int], Sequence[int], Grown]] = {
    "EMS": ((10, 100, 1_000, 10_000), (10, 100, 1_000), ems),
    "queue managers": ((10, 100, 300, 1_000), (10, 30, 100), queue_managers),
    "routers with 1,000 addresses": ((10, 32, 128), (10,), routers),
}
"""By title the sizes that are measured, those that are compared, and what writes them."""
