"""What of a bus has a message on its way: the destination or mediation that decides in a state, in
the words of service integration.
"""

from __future__ import annotations

from collections.abc import Mapping

from topograph.systems.sibus.buses.carried import SibusPhase
from topograph.systems.sibus.buses.configuration import (
    ALIAS,
    FOREIGN,
    PORT,
    QUEUE,
    SERVICE,
    TOPIC_SPACE,
)
from topograph.systems.sibus.buses.estate import BusEstate, Here
from topograph.systems.sibus.routing.arrival import own_destination
from topograph.tracing.states import State, Way
from topograph.tracing.trace import Station

MEDIATING = ("S-30", "S-31", "S-32", "S-33")
"""The rules of what a mediation does."""

_TYPES: Mapping[str, str] = {
    QUEUE: "queue",
    TOPIC_SPACE: "topic space",
    PORT: "port",
    SERVICE: "web service",
    ALIAS: "alias destination",
    FOREIGN: "foreign destination",
}


def station(estate: BusEstate, state: State, way: Way) -> Station:
    """The destination that a message is at, or its mediation, for a message that goes this way.
    Linear in the aliases of the destination."""
    if not state.object:
        return Station("bus", estate.buses[state.server].name)
    here = Here.at(estate, state)
    own, target = own_destination(here)
    mediates = way.rule.partition(",")[0] in MEDIATING and way.source != own.selector_source
    if own.mediation and mediates:
        return Station("mediation", own.mediation)
    if target.found.route is not None and not target.chain:
        route = target.found.route
        if target.found.defined:
            return Station("foreign destination", state.object)
        return Station("foreign bus", route.bus)
    if target.found.destination is None and not target.chain and not target.found.temporary:
        # Nothing of that name is configured.
        return Station("destination", state.object)
    if here.carried.phase is SibusPhase.STORED:
        return Station("queue point", state.object)
    return Station(_TYPES.get(own.type, "destination"), own.name)
