"""The next queue manager on the way to another one (E-20), and whether it can be reached."""

from __future__ import annotations

from dataclasses import replace

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.records import record
from topograph.systems.mqe.ambiguities import B9
from topograph.systems.mqe.configuration import MqeConfiguration, MqeManager


@record
class Hop:
    """Where a message goes next: the queue manager ``to``, empty where no connection definition
    leads anywhere (``problem`` says why).

    ``via`` is True where ``to`` is on the way to the queue manager asked for, and resolves the
    destination again (E-21). ``offline`` says why no connection can be established now,
    ``reason`` is ``network`` then, ``no connection`` where nothing leads there, else empty.
    ``undecided`` says why the rules do not tell what happens."""

    to: str
    source: Source
    via: bool = False
    problem: str = ""
    offline: str = ""
    undecided: str = ""
    assumptions: tuple[Assumption, ...] = ()

    @property
    def reason(self) -> str:
        """The reason of HELD for a message that waits for this hop; empty where nothing keeps
        it.
        """
        return "no connection" if self.problem else "network" if self.offline else ""

    @property
    def trouble(self) -> str:
        """Why it cannot be taken, in words; empty if it can."""
        return self.problem or self.offline


def next_hop(configuration: MqeConfiguration, here: MqeManager, name: str) -> Hop:
    """The next queue manager from ``here`` towards ``name``. Linear in the connections that
    refer to each other.
    """
    seen: set[str] = set()
    source, via, first_via = here.source, False, ""
    assumed: list[Assumption] = []
    at = name
    while True:
        connection, alias = here.connections.get(at), here.aliases.get(at)
        if at in seen:
            problem = (
                f"the connections of {here.name} to {name} refer to each other in a circle (E-20)"
            )
            return Hop("", source, problem=problem, assumptions=tuple(assumed))
        seen.add(at)
        if connection is not None and connection.type == "via":
            if via:
                text = (
                    f"from {here.name} a message for {name} goes first towards "
                    f"{connection.via}, which leads to {at}"
                )
                assumed.append(Assumption("E-20", "L", text, f"it goes to {first_via} at once"))
            source = source if via else connection.source
            via, at = True, connection.via
            first_via = first_via or at
        elif connection is not None and connection.type == "mq":
            text = (
                f"the connection {at} of {here.name} only marks an IBM MQ queue manager: a "
                "bridge queue leads there"
            )
            return Hop(
                "", connection.source, undecided=text, problem=text, assumptions=tuple(assumed)
            )
        elif connection is not None:
            hop = Hop(at, source if via else connection.source, via, assumptions=tuple(assumed))
            return _reached(configuration, here, hop)
        elif alias is not None:
            text = (
                f"{at}, an alias connection of {here.name}, stands for {alias.target} where "
                "it names the next queue manager"
            )
            assumed.append(Assumption("B-8", "M", text, f"nothing leads to {at}"))
            source, at = (source if via else alias.source), alias.target
        elif via:
            text = f"{here.name} can connect to {at}, but it has no connection definition for it"
            readings, cannot = (
                configuration.readings,
                (f"{here.name} cannot connect to {at}: it has no connection definition for it"),
            )
            assumed.append(readings.said(B9, {"not_needed": text, "needed": cannot}))
            if readings.takes(B9, "needed"):
                return Hop("", source, problem=f"{cannot} (B-9)", assumptions=tuple(assumed))
            return _reached(configuration, here, Hop(at, source, via, assumptions=tuple(assumed)))
        else:
            problem = f"no connection definition of {here.name} leads to {name} (E-20)"
            return Hop("", source, problem=problem, assumptions=tuple(assumed))


def connected(configuration: MqeConfiguration, here: MqeManager, name: str) -> Hop:
    """The last hop of a connection from ``here`` to ``name`` over all queue managers that via
    connections lead to, or the first that cannot be taken. Linear in their number."""
    assumed: list[Assumption] = []
    seen = {here.name}
    while True:
        hop = next_hop(configuration, here, name)
        assumed += hop.assumptions
        there = configuration.get(hop.to)
        if hop.trouble or hop.undecided or not hop.via or there is None:
            return replace(hop, assumptions=tuple(assumed))
        meant = there.substitute(name)
        problem = ""
        if there.name in seen:
            problem = f"the connections of {there.name} to {name} lead back to it (E-20)"
        elif meant.first and meant.target == there.name:
            problem = f"{there.name} takes what is for {name} as its own (E-22)"
        if problem:
            return Hop("", hop.source, problem=problem, assumptions=tuple(assumed))
        seen.add(there.name)
        here, name = there, meant.target


def _reached(configuration: MqeConfiguration, here: MqeManager, hop: Hop) -> Hop:
    """The hop to a queue manager, and whether a connection to it can be established."""
    out = configuration.out
    broken = frozenset((here.name, hop.to)) in out.links
    if broken or any((one.server, one.name) == (here.name, hop.to) for one in out.components):
        return replace(hop, offline=f"the connection of {here.name} to {hop.to} is out of order")
    offline, more = offline_of(configuration, hop.to)
    return replace(hop, offline=offline, assumptions=(*hop.assumptions, *more))


def offline_of(configuration: MqeConfiguration, name: str) -> tuple[str, tuple[Assumption, ...]]:
    """Why a queue manager takes no connection, empty if it does as far as the loaded files show,
    and what that rests on.
    """
    if not configuration.runs(name):
        return f"{name} is not running", ()
    stated = configuration.stated.get(name)
    if not stated:
        return "", ()
    if any(one.listens for one in stated):
        return "", ()
    if any(one.listens is None for one in stated):
        text = f"{name}, whose listeners are not stated, has none"
        return f"{name} has no listener", (Assumption("E-20", "L", text, "the connection is made"),)
    return f"{name} has no listener", ()
