"""Sets of servers that people of a system know by a name: the clusters of queue managers, the cells
of buses, the sites of routers. Pictures draw each as a named area.

Zones are not among them: a link states its zone itself (``forwarding.graph.Link.zone``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topograph.side_inputs import SideInputs
    from topograph.systems.contract.system import FactSource


@dataclass(frozen=True, slots=True)
class ServerGroup:
    """A named set of servers. ``kind`` is the noun for such sets (``cluster``), ``servers`` are
    the members by name, in order. A server may be in several groups. ``link_role`` is the role of
    the links between members that belong to the group (``Link.role``); empty: all of them do.
    """

    name: str
    kind: str
    servers: tuple[str, ...]
    link_role: str = ""


Groups = Callable[["FactSource", "SideInputs"], Sequence[ServerGroup]]
"""The groups of one network that its files state, by name. Reads no more facts than say them."""
