"""The networks on which answers of Neo4j are compared with those of memory: the examples, recorded
networks of routers, the networks of the vectors, and written ones.

To publish a small network takes as long as to ask it, so a group of them is published at once, for
all comparisons of a run.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from conformance import ems_cases, ibm_mq_cases, mqe_cases
from conformance.sibus_files import facts_of
from systems import doubtful_estate, open_links, three_systems, undecided_routers

from topograph.opening.folders import network_data, read_snapshot
from topograph.side_inputs import SideInputs
from topograph.store.database import Database, connect
from topograph.store.publication import publish_snapshot
from topograph.store.snapshot import MemorySnapshot, NetworkData
from topograph.store.where import DatabaseAddress
from topograph.systems import assemble

TESTS = Path(__file__).parents[1]
EXAMPLES = TESTS.parent / "examples"
GOLDEN = TESTS / "golden" / "amq_interconnect"
RECORDED = sorted(file.parent.name for file in GOLDEN.glob("*/configs"))

Read = Callable[[Path], NetworkData]
"""Reads a network, which it may write into a folder that is there and empty."""


@dataclass(frozen=True)
class Published:
    """A network that is in the database, and the same in memory."""

    snapshot: MemorySnapshot
    name: str


def published(database: Database, snapshot: MemorySnapshot, name: str) -> Published:
    """The one network of a snapshot, under a name that no other has."""
    (data,) = snapshot.data.values()
    there = MemorySnapshot(f"{snapshot.id}-{name}", snapshot.name, {name: data})
    publish_snapshot(database, there, assemble)
    return Published(there, name)


class Corpus:
    """The networks by group and name; a group is published when it is first asked for."""

    def __init__(self, address: DatabaseAddress, make: Callable[[str], Path]) -> None:
        """``make`` gives a new folder by the beginning of its name."""
        self._address, self._make = address, make
        self._groups: dict[str, dict[str, Published]] = {}

    def of(self, group: str, name: str) -> Published:
        if group not in self._groups:
            self._groups[group] = self._publish(group)
        return self._groups[group][name]

    def _publish(self, group: str) -> dict[str, Published]:
        token = secrets.token_hex(6)
        names = {name: f"{group}-{name}-{token}" for name in GROUPS[group]}
        folder = self._make(group)
        data = {}
        for number, (name, read) in enumerate(GROUPS[group].items()):
            own = folder / str(number)
            own.mkdir()
            data[names[name]] = read(own)
        snapshot = MemorySnapshot(f"{group}-{token}", group, data)
        with connect(self._address) as database:
            publish_snapshot(database, snapshot, assemble)
        return {name: Published(snapshot, there) for name, there in names.items()}


def distinct(system: str) -> dict[str, Any]:
    """What the vectors of a system are given, by the first vector that is given it."""
    file = TESTS / "vectors" / f"{system}_vectors.json"
    found: dict[str, Any] = {}
    for vector in json.loads(file.read_text("utf-8")):
        if system != "ems" or vector["given"].get("links"):
            found.setdefault(json.dumps(vector["given"], sort_keys=True), vector)
    return {vector["id"]: vector["given"] for vector in found.values()}


def _there(place: Path, _: Path) -> NetworkData:
    (data,) = read_snapshot(place).data.values()
    return data


def _written(write: Callable[[Path], object], folder: Path) -> NetworkData:
    write(folder)
    return _there(folder, folder)


def _bus(given: Any, _: Path) -> NetworkData:
    return network_data(facts_of(given), SideInputs(), (), ())


def _vectors(system: str, write: Callable[[Any, Path], object]) -> Mapping[str, Read]:
    return {
        name: partial(_written, partial(write, given)) for name, given in distinct(system).items()
    }


def _stepping(systems: Sequence[str]) -> Read:
    return partial(_written, lambda folder: three_systems.write(folder, *systems))


def _open(seed: int) -> Read:
    return partial(_written, lambda folder: open_links.write(folder, seed, mixed=True))


GROUPS: Mapping[str, Mapping[str, Read]] = {
    "examples": {
        name: partial(_there, EXAMPLES / name)
        for name in (
            *("estate", "mhop-star/legal", "mhop-star/with-b-d", "mixed", "mqe_devices", "orders"),
            *("queue_managers", "rabbitmq", "retail", "routers", "services", "sibus_orders"),
            *("two-1hop-zones/legal", "two-1hop-zones/with-g-a"),
        )
    },
    "recorded": {name: partial(_there, GOLDEN / name / "configs") for name in RECORDED},
    "ems": _vectors("ems", ems_cases.write),
    "ibm_mq": _vectors("ibm_mq", ibm_mq_cases.write),
    "mqe": _vectors("mqe", mqe_cases.write),
    "sibus": {name: partial(_bus, given) for name, given in distinct("sibus").items()},
    "stepping": {
        "-".join(systems) or "all": _stepping(systems)
        for systems in ((), ("ibm_mq",), ("mqe",), ("sibus",))
    },
    "open": {f"links-{seed}": _open(seed) for seed in (1, 3, 8)}
    | {
        "much": partial(_written, doubtful_estate.write),
        "routers": partial(_written, undecided_routers.write),
    },
}
"""Readers of all networks, by group and name. What files leave open is a group too."""
