"""What the output that is loaded of a running router does not show (D-1, 3.5).

A query of one type, and a table of qdstat, shows that type alone: that no entity of another one is
loaded says nothing. ``Coverages`` says of which types all entities are shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from topograph.facts.amq_interconnect import Entity
from topograph.systems.amq_interconnect.network.versions import has_tcp_bridges, is_skupper
from topograph.systems.coverage import Absent, Coverages

_DECIDING = {
    "listener": "listeners",
    "connector": "connectors",
    "address": "address entries",
    "linkRoute": "link routes",
    "autoLink": "autolinks",
    "exchange": "exchanges",
    "tcpConnector": "TCP connectors",
    "router.link": "receivers",
}
"""The types that decide who gets a message, and where its sender or receiver is linked with."""

_NOT_IN_SKUPPER = frozenset({"linkRoute", "exchange"})


def unshown(coverages: Coverages, version: str) -> list[str]:
    """What no output shows whole that decides about messages, as one reason; empty where all of
    it is shown. Types that the router's version does not have (1.8, S-2) are none of it.
    """
    missing = [
        words
        for type_, words in _DECIDING.items()
        if not (type_ in _NOT_IN_SKUPPER and is_skupper(version))
        and not (type_ == "tcpConnector" and not has_tcp_bridges(version))
        and not _is_whole(coverages, type_)
    ]
    if not missing:
        return []
    named = " and ".join([", ".join(missing[:-1]), missing[-1]] if missing[1:] else missing)
    return [f"no loaded output shows all of its {named}"]


def connections_shown(coverages: Coverages, mode: str, entities: Sequence[Entity]) -> bool:
    """Whether output shows with which routers a router is connected: its connections, its
    connectors, or, of an interior router, the routers it knows (D-3). An edge router knows none
    (3.4), so that no row of them says nothing where the mode is not shown.
    """
    if any(_is_whole(coverages, one) for one in ("connection", "connector")):
        return True
    nodes = any(one.type == "router.node" for one in entities)
    return _is_whole(coverages, "router.node") and (mode == "interior" or (not mode and nodes))


def _is_whole(coverages: Coverages, type_: str) -> bool:
    return isinstance(coverages.missing((type_,), "", type_), Absent)
