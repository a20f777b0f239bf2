"""What configurations and dumps of AMQ Interconnect routers say (amq_interconnect.md section 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topograph.facts.fact import Fact, Pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity(Fact):
    """One entity of a router configuration or dump: ``type`` is the short name (``router``, ``listener``, ``connector``,
    ``address``, ``linkRoute``, ``autoLink``, ...; run-time entities as ``router.node``, ``router.link``, ``connection``), ``name`` its given
    or generated name (section 1), ``attributes`` the attributes in effect in the schema's spelling, defaults included; lists and maps are
    compact JSON. ``stated`` are those that the file wrote. ``server`` is the router id. ``origin`` is ``file`` for a configuration that a
    router would start from, ``dump`` for what a router said of itself while it ran (management query or qdstat)."""

    system: ClassVar[str] = "amq_interconnect"
    kind: ClassVar[str] = "entity"
    type: str
    name: str
    attributes: Pairs = ()
    stated: tuple[str, ...] = ()
    origin: str = "file"

    def get(self, attribute: str, default: str = "") -> str:
        """The value in effect, or ``default``. Linear in the number of attributes (a dozen)."""
        return next((value for key, value in self.attributes if key == attribute), default)


FACTS: tuple[type[Fact], ...] = (Entity,)
"""Every kind of fact of this system."""
