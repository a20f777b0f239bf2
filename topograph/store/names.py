"""The names in a snapshot, for completion and for "did you mean": one column of one table each,
without opening the snapshot.

Nothing is checked and nothing is locked: what is missing or damaged raises whatever it raises, and
an import that replaces the snapshot at the same moment may leave nothing to read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

MANIFEST = "manifest.json"
DIGESTS = "inputs.json"
"""In a run: the SHA-256 of each input, by network and path."""
DATA = "data"


def layout_file(number: int) -> str:
    """In a run: the name of the file with the places of the servers of its network with this
    number (``store.layouts``).
    """
    return f"layout-{number}.json"


_RUN = re.compile(r"\d{8}T\d{6}-[0-9a-f]{8}(\.lease)?\Z")


def is_snapshot(folder: Path) -> bool:
    """Whether a folder holds a finished snapshot, by its manifest's beginning. Never raises."""
    try:
        with (folder / MANIFEST).open("rb") as file:
            return begins_snapshot(file.read(200))
    except OSError:
        return False


def begins_snapshot(data: bytes) -> bool:
    """Whether the first 200 bytes of a manifest are those of a snapshot's."""
    return b"topograph-snapshot" in data


def may_be_snapshot(names: Collection[str]) -> bool:
    """Whether a folder with these entries is worth the look of ``holds_snapshot``."""
    return MANIFEST in names or DATA in names


def holds_snapshot(folder: Path) -> bool:
    """Whether a folder holds a snapshot, finished or not, or what an import left of one. Never
    raises.
    """
    return is_snapshot(folder) or bool(runs_in(folder))


def runs_in(folder: Path) -> list[str]:
    """The names of the runs in a snapshot, of leases without a folder too, in order. Never
    raises.
    """
    try:
        names = {entry.name for entry in (folder / DATA).iterdir()}
    except OSError:
        return []
    return sorted({name.removesuffix(".lease") for name in names if is_run(name)})


def is_run(name: str) -> bool:
    """Whether a name is that of a run, or of its lease."""
    return _RUN.match(name) is not None


def snapshots_in(folder: Path) -> list[str]:
    """The names of the finished snapshots in a folder, in order. Never raises."""
    try:
        return sorted(entry.name for entry in folder.iterdir() if is_snapshot(entry))
    except OSError:
        return []


def network_names(snapshot: Path) -> list[str]:
    """The networks of a snapshot, in its order."""
    return [network["name"] for network in _manifest(snapshot)["networks"]]


def server_names(snapshot: Path, network: str | None = None) -> list[str]:
    """The servers and routers of one network, or of all, by name. Linear in the servers."""
    names: set[str] = set()
    for file in _files(snapshot, "servers", network):
        names.update(file.read(columns=["name"]).column("name").to_pylist())
    return sorted(names)


def destination_names(snapshot: Path, network: str | None = None) -> list[str]:
    """The configured destinations, as ``topic:NAME``, ``queue:NAME`` and ``address:NAME``,
    patterns included, by name. Linear in their definitions."""
    return destinations_among(lambda kind: _payloads(snapshot, network, kind))


def destinations_among(payloads: Callable[[str], Iterable[str]]) -> list[str]:
    """The destinations that facts define, from what gives the payloads (``facts.rows``) of the
    facts of one kind; see ``destination_names``.
    """
    found = (json.loads(payload) for payload in payloads("destination"))
    names = {
        f"{entry['type']}:{entry['name']}" for entry in found if "type" in entry and "name" in entry
    }
    for payload in payloads("entity"):
        entity = json.loads(payload)
        if entity.get("type") in ("address", "linkRoute", "autoLink", "exchange"):
            attributes = dict(entity.get("attributes", ()))
            address = (
                attributes.get("prefix") or attributes.get("pattern") or attributes.get("address")
            )
            if address:
                names.add(f"address:{address}")
    return sorted(names)


def _payloads(snapshot: Path, network: str | None, kind: str) -> set[str]:
    """The distinct contents of the facts of one kind."""
    payloads: set[str] = set()
    for file in _files(snapshot, "facts", network, kind):
        payloads.update(file.read(columns=["payload"]).column("payload").to_pylist())
    return payloads


def _files(snapshot: Path, table: str, network: str | None, kind: str = "") -> Iterator[Any]:
    import pyarrow.parquet as pq

    for file in _manifest(snapshot)["tables"][table]["files"]:
        if network in (None, file["network"]) and kind in ("", file["kind"]):
            with pq.ParquetFile(snapshot / file["path"]) as opened:
                yield opened


def _manifest(snapshot: Path) -> Any:
    return json.loads((snapshot / MANIFEST).read_text("utf-8"))
