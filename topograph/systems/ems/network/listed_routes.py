"""Lists of routes that servers printed in part: whether a route that they do not show is suspended
is not known (R53).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from topograph.assumptions import Assumption
from topograph.facts.ems import EmsObservedRoute
from topograph.facts.ems_observed import EmsListing
from topograph.records import record
from topograph.systems.ems.network.configured import Configured


@record
class PartOfRoutes:
    """A list of routes of which a part is there, and the servers whose routes are in it."""

    listing: EmsListing
    names: frozenset[str]


def lists_in_part(
    servers: Mapping[str, Configured], elsewhere: Collection[str]
) -> dict[str, PartOfRoutes]:
    """By server the list of routes that may leave some out, where no other shows all of them; not
    in texts that are ``elsewhere``. Linear in the facts of the servers."""
    found = {}
    for name, configured in servers.items():
        facts = [
            fact
            for member in configured.members
            for fact in member.facts
            if isinstance(fact, EmsListing | EmsObservedRoute) and fact.source.file not in elsewhere
        ]
        lists = [one for one in facts if isinstance(one, EmsListing) and one.name == "routes"]
        if lists and all(one.cut for one in lists):
            names = frozenset(one.name for one in facts if isinstance(one, EmsObservedRoute))
            found[name] = PartOfRoutes(lists[0], names)
    return found


def taken_as_running(
    pair: tuple[str, str], parts: Mapping[str, PartOfRoutes], suspended: Collection[tuple[str, str]]
) -> Iterator[Assumption]:
    """That the ends of a link did not suspend their routes, where the lists of routes that they
    printed do not show them. ``suspended`` are the routes of which it is known."""
    for server, other in (pair, pair[::-1]):
        part = parts.get(server)
        if part is None or other in part.names or (server, other) in suspended:
            continue
        text = (
            f"the route of {server} to {other} is not suspended: the list of routes at "
            f"{part.listing.source} does not show it ({part.listing.cut})"
        )
        yield Assumption("R53", "M", text, "what goes over it waits until it is resumed")
