"""What pictures show of a system's servers beside the links that messages take: the sets that
people know by a name, links that carry nothing, and what a server holds.

Zones are not among the groups: a link states its zone itself (``forwarding.graph.Link.zone``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topograph.forwarding.graph import ForwardingGraph
    from topograph.forwarding.reached import LinkShown
    from topograph.side_inputs import SideInputs
    from topograph.systems.contract.system import FactSource


@dataclass(frozen=True, slots=True)
class ServerGroup:
    """A named set of servers, such as a cluster of queue managers, a cell of buses, a site of
    routers. ``kind`` is the noun for such sets (``cluster``), ``servers`` are the members by name,
    in order. A server may be in several groups. ``link_role`` is the role of
    the links between members that belong to the group (``Link.role``); empty: all of them do.
    """

    name: str
    kind: str
    servers: tuple[str, ...]
    link_role: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """Something with a name that a server holds. ``kind`` is the noun for it (``engine``)."""

    server: str
    kind: str
    name: str


Groups = Callable[["FactSource", "SideInputs", "ForwardingGraph"], Sequence[ServerGroup]]
"""The groups of one network that its files state, by name. Reads no more facts than say them."""

IdleLinks = Callable[["FactSource", "SideInputs", "ForwardingGraph"], "Sequence[LinkShown]"]
"""The links of one network that its files configure between two servers of the graph and that none
of its messages take: ``LinkShown.idle``, with the reason in ``because``."""

Holds = Callable[["FactSource", "SideInputs"], Iterable[Held]]
"""What the servers of one network hold beside the destinations of ``show destinations``."""
