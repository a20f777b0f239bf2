"""What pictures show of a system's servers beside the links that messages take: the sets that
people know by a name, links that carry nothing, and what a server holds.

Zones are not among the groups: a link states its zone itself (``forwarding.graph.Link.zone``).
"""

from __future__ import annotations

from topograph.records import record


@record
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


@record
class Held:
    """Something with a name that a server holds. ``kind`` is the noun for it (``engine``)."""

    server: str
    kind: str
    name: str
