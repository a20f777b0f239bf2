"""What ``*.relay`` files say: one frozen record per entry, each with its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topograph.facts import Fact
from topograph.importers.holds import FACT, Fields, Holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Relay(Fact):
    """The line ``relay NAME``: this file is the configuration of the server of that name."""

    system: ClassVar[str] = "relay"
    kind: ClassVar[str] = "relay"

    @property
    def label(self) -> str:
        return self.server


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer(Fact):
    """The line ``forward NAME [when PROPERTY = VALUE]``. ``when`` is (property, value), empty
    for a line without a filter.
    """

    system: ClassVar[str] = "relay"
    kind: ClassVar[str] = "peer"
    name: str
    when: tuple[str, ...] = ()


FACTS = (Relay, Peer)
"""Every kind of fact of this system: how rows of a snapshot become facts again."""

HOLDS: dict[type, Fields] = {
    Relay: FACT,
    Peer: FACT | {"name": Holds.SERVER, "when": Holds.PUBLIC},
}
"""What every field holds, for ``--redact``: relays have no hosts, users or passwords."""
