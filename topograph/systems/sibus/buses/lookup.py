"""What an address leads to on a bus: destinations, aliases, other buses (sibus.md A2.2)."""

from __future__ import annotations

from topograph.findings import Source
from topograph.message import Address
from topograph.records import record
from topograph.systems.sibus.buses.configuration import (
    ALIAS,
    FOREIGN,
    SERVICE,
    TOPIC_SPACE,
    Bus,
    BusDestination,
    ForeignRoute,
)
from topograph.systems.sibus.buses.terms import TEMPORARY


@record
class Found:
    """What an address leads to: ``destination`` of this bus, or ``route`` to another bus.

    Else ``code`` says why it leads nowhere (0: an alias chain, which has no number), ``rule``
    and ``text`` on what grounds. ``unsure`` is set where the loaded files do not show whether it
    does. ``closed``: nobody may send to this foreign destination."""

    destination: BusDestination | None = None
    route: ForeignRoute | None = None
    code: int = 0
    rule: str = "S-21"
    text: str = ""
    source: Source = Source("")
    unsure: str = ""
    temporary: bool = False
    closed: bool = False
    defined: bool = False
    """Whether a definition of a foreign destination stands at the address (S-26)."""

    @property
    def leads_on(self) -> bool:
        """Whether a message can go there."""
        return self.destination is not None or self.route is not None or self.temporary


@record
class Target:
    """What handles a message for a destination: itself, or what the last of its aliases stands
    for. ``address`` is where that is; ``points`` are the queue points that the aliases leave
    (None: all)."""

    found: Found
    address: Address
    points: tuple[str, ...] | None = None
    chain: tuple[BusDestination, ...] = ()


def lookup(bus: Bus, address: Address) -> Found:
    """What an address leads to (S-21, S-24). Linear in the aliases on the way."""
    found = named(bus, address)
    if found.destination is None or found.destination.type != ALIAS:
        return found
    target = target_of(bus, address).found
    return found if target.leads_on else target


def named(bus: Bus, address: Address) -> Found:
    """What stands at an address, aliases as they are. O(1)."""
    name = address.destination
    own = bus.is_own(address.bus)
    destination = bus.destinations.get(name) if own else bus.elsewhere.get((address.bus, name))
    if destination is not None and destination.type != FOREIGN:
        return Found(destination, source=destination.source)
    if not own or destination is not None:
        return _foreign(bus, address.bus, destination)
    if name.startswith(TEMPORARY):
        return Found(
            temporary=True,
            rule="S-27",
            text=f"{name} is temporary: it exists only while a program runs",
        )
    text = f"{bus.name} has no destination {name!r}."
    if name in bus.refused and "destinations" in bus.unsure:
        reason, source = bus.refused[name]
        return Found(code=15, text=text, source=source, unsure=_not_all(bus, reason))
    why = bus.unsure.get("destinations")
    return Found(code=15, text=text, source=bus.source, unsure=_not_all(bus, why[0]) if why else "")


def _foreign(bus: Bus, name: str, destination: BusDestination | None) -> Found:
    """An address on another bus (S-21, S-62)."""
    route = bus.routes.get(name)
    if route is None:
        why = bus.unsure.get("foreign_buses")
        text = f"{bus.name} knows no foreign bus {name!r}."
        return Found(
            code=38, text=text, source=bus.source, unsure=_not_all(bus, why[0]) if why else ""
        )
    link, hops = last_link(bus, route)
    if link is None:
        *_, last = hops
        known = bus.routes.get(last)
        text = f"{bus.name} has no link to {name}"
        if len(hops) > 1:
            text += f": the next hops towards it are {', '.join(hops[1:]) or 'none'}"
        why = bus.unsure.get("foreign_buses") if known is None else None
        unsure = f"{text} in the loaded files" if known is not None and not known.kind else ""
        return Found(
            code=41,
            text=text,
            source=route.source,
            unsure=_not_all(bus, why[0]) if why else unsure,
            rule="S-62",
        )
    closed = route.closed or (destination is not None and destination.send_allowed is False)
    source = destination.source if destination else route.source
    return Found(route=route, source=source, closed=closed, defined=destination is not None)


def last_link(bus: Bus, route: ForeignRoute) -> tuple[ForeignRoute | None, list[str]]:
    """The link that leads towards a foreign bus, and the buses named on the way to it (S-62);
    None where the next hops lead nowhere.
    """
    hops = [route.bus]
    while route.kind == "indirect":
        following = bus.routes.get(route.next_hop)
        if following is None or following.bus in hops:
            return None, [*hops, route.next_hop]
        route = following
        hops.append(route.bus)
    return (route if route.kind in ("direct", "mq") else None), hops


def _not_all(bus: Bus, why: str) -> str:
    return f"{bus.name}: {why}"


def target_of(bus: Bus, address: Address) -> Target:
    """What handles messages for an address: the end of its chain of aliases (S-22, S-24, S-25).
    Linear in the chain.
    """
    chain: list[BusDestination] = []
    seen: dict[Address, None] = {}
    points: tuple[str, ...] | None = None
    at = Address("" if bus.is_own(address.bus) else address.bus, address.destination)
    while True:
        if at in seen:
            way = " -> ".join(one.destination for one in (*seen, at))
            failed = Found(
                code=0, rule="S-24", text=f"the aliases lead back: {way}", source=chain[-1].source
            )
            return Target(failed, at, points, tuple(chain))
        seen[at] = None
        found = named(bus, at)
        if chain and not found.leads_on:
            text = f"the target of alias {chain[-1].name} does not exist: {found.text.rstrip('.')}"
            failed = Found(
                code=28, rule="S-24", text=text, source=chain[-1].source, unsure=found.unsure
            )
            return Target(failed, at, points, tuple(chain))
        if chain and found.destination is not None and found.destination.type == SERVICE:
            text = (
                f"alias {chain[-1].name} targets the service destination {found.destination.name}"
            )
            return Target(
                Found(code=29, rule="S-24", text=text, source=chain[-1].source),
                at,
                points,
                tuple(chain),
            )
        one = found.destination
        if one is None or one.type != ALIAS or one.target is None:
            if one is not None and one.type == ALIAS:
                text = f"alias {one.name} has no target"
                return Target(
                    Found(code=28, rule="S-24", text=text, source=one.source, unsure=one.doubt), at
                )
            return Target(found, at, points, tuple(chain))
        chain.append(one)
        if one.points is not None:
            points = (
                one.points
                if points is None
                else tuple(name for name in points if name in one.points)
            )
        at = Address("" if bus.is_own(one.target.bus) else one.target.bus, one.target.destination)


def refuses_puts(target: Target) -> bool:
    """Whether a destination of Liberty refuses what no sender puts there but a path or an
    exception: its queue point does, which has the flag of its queue, whatever aliases say; a topic
    space has no such point, and there the flag of the alias counts (A4.3).
    """
    handler = target.found.destination
    if handler is None:
        return False
    own = target.chain[0] if target.chain and handler.type == TOPIC_SPACE else handler
    return own.send_allowed is False


def inherited(rule: str, target: Target) -> str:
    """The rule of what an alias says or takes from its target (S-23): with that of aliases where
    there is one.
    """
    return f"{rule}, S-23" if target.chain else rule


def is_plain(bus: Bus, address: Address) -> bool:
    """Whether an engine passes it without a stop (S-16): an unmediated destination of this bus
    that is no topic space.
    """
    target = target_of(bus, address)
    one = target.found.destination
    return (
        one is not None
        and one.type != TOPIC_SPACE
        and not one.mediation
        and not one.doubt
        and not any(alias.mediation or alias.doubt for alias in target.chain)
    )
