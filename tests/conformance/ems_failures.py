"""The EMS vectors about failures: what fails is asked of ``impact``, over files that are written
with their clients.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance.comparison import Vector
from conformance.ems_files import UnknownKey, refuse_unknown, write

import topograph
from topograph.network import Network
from topograph.questions.answers import ImpactAnswer, Interruption
from topograph.systems.ems.destinations.topics import contained
from topograph.systems.ems.failures.outcomes import interruption

EVENTS: Mapping[str, frozenset[str]] = {
    "server_down": frozenset(),
    "link_down": frozenset(),
    "client_exit": frozenset({"server", "durable"}),
    "ft_member_down": frozenset({"server", "member"}),
}


def failure(vector: Vector) -> dict[str, Any]:
    """What a failure does to the topic asked about, or to pairs of servers. Raises UnknownKey."""
    given, ask = vector["given"], vector["ask"]
    refuse_unknown("event", ask["event"], EVENTS)
    if len(ask["event"]) != 1:
        raise UnknownKey(f"event: {len(ask['event'])} of them; what is down already is given.down")
    ((kind, what),) = ask["event"].items()
    if EVENTS[kind]:
        refuse_unknown(f"event.{kind}", what, EVENTS[kind])
    given = _with_client(given, ask["topic"], what) if kind == "client_exit" else given
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "estate"
        root.mkdir()
        write(given, root)
        network = topograph.read(root)
        down = _down(given)
        answer = network.impact([_failing(kind, what, ask, given), *down])
        before = _lost(network.impact(down)) if down else set()
        roles = _roles(network)
    if kind == "client_exit":
        return _exit(answer, ask, what, another=_like(given, ask["topic"], what) > 1)
    found = {
        "lost_pairs": [list(pair) for pair in sorted(_lost(answer) - before)],
        "detours": [list(one.after) for one in answer.rerouted],
        "after_fail_over": "unchanged"
        if not (answer.lost or answer.gaps or answer.retained)
        else "changed",
    }
    return {**found, **_hop(answer, ask, kind, roles)}


def _like(given: Mapping[str, Any], topic: str, exits: Mapping[str, Any]) -> int:
    """How many subscribers of the kind that exits are at its server."""
    there = given.get("subscribers", {}).get(exits["server"], [])
    return sum(
        one["topic"] == topic and bool(one.get("durable")) == exits["durable"] for one in there
    )


def _with_client(
    given: Mapping[str, Any], topic: str, exits: Mapping[str, Any]
) -> Mapping[str, Any]:
    """``given`` with the client that exits, if it is none of its subscribers."""
    if _like(given, topic, exits):
        return given
    subscribers = given.get("subscribers", {})
    there = subscribers.get(exits["server"], [])
    client = {"topic": topic, **({"durable": "d"} if exits["durable"] else {})}
    return {**given, "subscribers": {**subscribers, exits["server"]: [*there, client]}}


def _lost(answer: ImpactAnswer) -> set[tuple[str, ...]]:
    return {tuple(sorted((one.from_, one.to))) for one in answer.lost}


def _roles(network: Network) -> Mapping[frozenset[str], str]:
    return {
        frozenset((row["from"], row["to"])): row["configured_by"]
        for row in network.show("routes").rows
    }


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


def _exit(
    answer: ImpactAnswer, ask: Mapping[str, Any], what: Mapping[str, Any], *, another: bool
) -> dict[str, Any]:
    """What the answer says of the client that exits. It speaks of all clients of a kind at a
    server; where ``another`` stays, so does the chain.
    """
    rows: Sequence[Interruption] = answer.retained if what["durable"] else answer.gaps
    row = rows[0]
    hop = ask.get("forwarder"), ask.get("receiver")
    removed = {one for gap in answer.gaps for one in gap.removed} if not what["durable"] else set()
    deleted = (
        not another and hop in removed if "forwarder" in ask else bool(removed and not another)
    )
    return {
        "forwarder": "removes" if deleted else "retains",
        "chain": "deleted" if deleted else "intact",
        "stored_at": row.at if what["durable"] else None,
        "gap": not what["durable"],
        "gap_for": [] if what["durable"] else list(row.subscribers),
        "duplicates_possible": False,
        "delivered_on_reconnect": what["durable"],
    }


def _hop(
    answer: ImpactAnswer, ask: Mapping[str, Any], kind: str, roles: Mapping[frozenset[str], str]
) -> dict[str, Any]:
    """What the answer says of the messages that the forwarder has for the receiver."""
    if "forwarder" not in ask or kind == "ft_member_down":
        return {}
    ends = ask["forwarder"], ask["receiver"]
    kept, missed = (
        _about(answer.retained, ends, ask["topic"]),
        _about(answer.gaps, ends, ask["topic"]),
    )
    retains = bool(kept)
    if (
        not kept and not missed
    ):  # nobody behind the receiver misses anything, and what the forwarder does is R120
        retains = interruption(*ends, roles[frozenset(ends)], server=kind == "server_down").kept
    return {
        "forwarder": "retains" if retains else "removes",
        "chain": "intact" if retains else "deleted",
        "stored_at": kept[0].at if kept else None,
        "gap": bool(missed),
        "gap_for": sorted({server for row in missed for server in row.subscribers}),
        "duplicates_possible": any(row.duplicates for row in kept),
        "delivered_on_reconnect": bool(kept),
    }


def _about(rows: Iterable[Any], ends: tuple[str, str], topic: str) -> list[Any]:
    """The rows about a hop that concern a topic: by its own name, or by a pattern that somebody
    subscribes to.
    """

    def concerns(named: str) -> bool:
        return not named or contained(topic, named.removeprefix("topic:"))

    return [row for row in rows if (row.at, row.neighbour) == ends and concerns(row.destination)]
