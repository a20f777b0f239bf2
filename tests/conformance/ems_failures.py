"""The EMS vectors about failures: what fails is asked of ``impact``, over files that are written with their clients."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from conformance.comparison import Vector

import topograph
from topograph.questions.answers import ImpactAnswer, Interruption
from topograph.systems.ems.failures.outcomes import interruption

Write = Callable[[Mapping[str, Any], Path], None]


def failure(vector: Vector, write: Write) -> dict[str, Any]:
    """What a failure does to the topic asked about, or to pairs of servers. ``write`` writes the servers of ``given``."""
    given, ask = vector["given"], vector["ask"]
    (kind, what), *_ = ask["event"].items()
    clients = _clients(given, ask, what if kind == "client_exit" else None)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "estate"
        root.mkdir()
        write(given, root)
        _durables(given, root)
        _members(given, root)
        (root / "topograph.yaml").write_text(json.dumps({"clients": clients}) if clients else "", encoding="utf-8")
        network = topograph.read(root)
        answer = network.impact([_failing(kind, what, ask, given), *_down(given)])
        roles = {frozenset((row["from"], row["to"])): row["configured_by"] for row in network.show("routes").rows}
    if kind == "client_exit":
        return _exit(answer, ask, what)
    found = {
        "lost_pairs": [list(pair) for pair in sorted({tuple(sorted((one.from_, one.to))) for one in answer.lost})],
        "detours": [list(one.after) for one in answer.rerouted],
        "after_fail_over": "unchanged" if not (answer.lost or answer.gaps or answer.retained) else "changed",
    }
    return {**found, **_hop(answer, ask, kind, what, roles)}


def _clients(given: Mapping[str, Any], ask: Mapping[str, Any], exits: Any) -> list[dict[str, str]]:
    """The subscribers of ``given``, and the client that exits if it is none of them."""
    found = [
        {
            "server": server,
            "destination": f"topic:{one['topic']}",
            "role": "subscriber",
            "durable": one.get("durable", ""),
        }
        for server, all_ in given.get("subscribers", {}).items()
        for one in all_
    ]
    if exits is not None:
        name = f"topic:{ask['topic']}"
        same = [
            one
            for one in found
            if (one["server"], one["destination"], bool(one["durable"])) == (exits["server"], name, exits["durable"])
        ]
        if not same:
            durable = "d" if exits["durable"] else ""
            found.append({"server": exits["server"], "destination": name, "role": "subscriber", "durable": durable})
    return [{key: value for key, value in one.items() if value} for one in found]


def _durables(given: Mapping[str, Any], root: Path) -> None:
    for server, lines in given.get("durables", {}).items():
        (root / server / "durables.conf").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        with (root / server / "tibemsd.conf").open("a", encoding="utf-8") as main:
            main.write("durables = durables.conf\n")


def _members(given: Mapping[str, Any], root: Path) -> None:
    """A folder for each member of a fault-tolerant pair, with the same files."""
    for server, settings in given.get("servers", {}).items():
        for member in settings.get("fault_tolerant", ()):
            folder = root / f"{server}-{member}"
            folder.mkdir()
            for file in (root / server).iterdir():
                (folder / file.name).write_bytes(file.read_bytes())
            with (folder / "tibemsd.conf").open("a", encoding="utf-8") as main:
                main.write("ft_active = tcp://partner:7222\n")
        if settings.get("fault_tolerant"):
            for file in (root / server).iterdir():
                file.unlink()
            (root / server).rmdir()


def _failing(kind: str, what: Any, ask: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    if kind == "server_down":
        return f"server:{what}"
    if kind == "link_down":
        return f"route:{'-'.join(sorted(what))}"
    if kind == "client_exit":
        return f"client:{what['server']}:topic:{ask['topic']}"
    members = given["servers"][what["server"]]["fault_tolerant"]
    return f"member:{what['server']}:{sorted(members).index(what['member']) + 1}"


def _down(given: Mapping[str, Any]) -> list[str]:
    down = given.get("down", {})
    return [
        *(f"server:{name}" for name in down.get("servers", [])),
        *(f"route:{'-'.join(sorted(link))}" for link in down.get("links", [])),
    ]


def _exit(answer: ImpactAnswer, ask: Mapping[str, Any], what: Mapping[str, Any]) -> dict[str, Any]:
    """What the answer says of the client that exits; of its kind, where several are at the server."""
    if what["durable"]:
        (row,) = answer.retained
        return {
            "forwarder": "retains",
            "chain": "intact",
            "stored_at": row.at,
            "gap": False,
            "delivered_on_reconnect": True,
        }
    (gap,) = answer.gaps
    hop = (ask.get("forwarder"), ask.get("receiver"))
    return {
        "forwarder": "removes" if hop in gap.removed else "retains",
        "chain": "deleted" if gap.removed else "intact",
        "gap": True,
        "gap_for": list(gap.subscribers),
        "stored_at": None,
        "delivered_on_reconnect": False,
    }


def _hop(
    answer: ImpactAnswer, ask: Mapping[str, Any], kind: str, what: Any, roles: Mapping[frozenset[str], str]
) -> dict[str, Any]:
    """What the answer says of the messages that the forwarder has for the receiver."""
    if "forwarder" not in ask or kind == "ft_member_down":
        return {}
    ends = ask["forwarder"], ask["receiver"]

    def there(row: Interruption) -> bool:
        return (row.at, row.neighbour) == ends and row.destination in ("", f"topic:{ask['topic']}")

    kept = [row for row in answer.retained if there(row)]
    missed = [row for row in answer.gaps if there(row)]
    if not kept and not missed:
        said = interruption(*ends, roles[frozenset(ends)], server=kind == "server_down")
        return {"forwarder": "retains" if said.kept else "removes", "duplicates_possible": False}
    return {
        "forwarder": "retains" if kept else "removes",
        "stored_at": kept[0].at if kept else None,
        "gap": not kept,
        "gap_for": [server for row in missed for server in row.subscribers],
        "duplicates_possible": any(row.duplicates for row in kept),
        "delivered_on_reconnect": bool(kept),
    }
