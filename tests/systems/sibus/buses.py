"""Buses for tests, as wsadmin makes them: one line a destination."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import topograph
from topograph.network import Network


def script(bus: str, *lines: str, links: Iterable[str] = ()) -> str:
    """The script of a bus with one engine. A line is ``TYPE NAME`` and further options as
    wsadmin takes them; ``mediate NAME MEDIATION`` attaches a mediation; anything that begins
    with ``create`` or ``modify`` stands as it is, next hops behind the links."""
    node = f"-node n{bus} -server s{bus}"
    made = [
        f"AdminTask.createSIBus('[-bus {bus}]')",
        f"AdminTask.addSIBusMember('[-bus {bus} {node}]')",
    ]
    last: list[str] = []
    for line in lines:
        kind, name, *rest = line.split(" ", 2)
        options = " ".join(rest)
        if kind == "mediate":
            made.append(
                f"AdminTask.createSIBMediation('[-bus {bus} -mediationName {options} "
                "-handlerListName H]')"
            )
            made.append(
                f"AdminTask.mediateSIBDestination('[-bus {bus} -destinationName {name} "
                f"-mediationName {options} {node}]')"
            )
        elif kind.startswith(("create", "modify")):
            (last if "-nextHopBus" in options else made).append(
                f"AdminTask.{kind}('[-bus {bus} {name} {options}]')"
            )
        else:
            place = node if kind not in ("Alias", "Foreign") and "-cluster" not in options else ""
            made.append(
                f"AdminTask.createSIBDestination('[-bus {bus} -name {name} -type {kind} "
                f"{place} {options}]')"
            )
    for other in links:
        made.append(
            f"AdminTask.createSIBForeignBus('[-bus {bus} -name {other} -routingType "
            "Direct -type SIBus]')"
        )
        made.append(
            f"AdminTask.createSIBLink('[-bus {bus} -messagingEngine n{bus}.s{bus}-{bus} "
            f"-name To{other} "
            f"-foreignBusName {other} -remoteMessagingEngineName n{other}.s{other}-{other}]')"
        )
    return "".join(f"{line}\n" for line in (*made, *last))


def network(folder: Path, files: dict[str, str]) -> Network:
    """The network of some files."""
    for name, text in files.items():
        place = folder / "estate" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    return topograph.read(folder / "estate")


def system_exception(bus: str) -> str:
    """The system exception destination of the one engine of a bus, as outcomes name it."""
    return f"_SYSTEM.Exception.Destination.n{bus}.s{bus}-{bus}@{bus}"
