"""Which states a failure may concern: those whose steps asked about something that fails, and those
that lead to a server which does. All others step as before.
"""

from __future__ import annotations

from collections.abc import Collection

from topograph.records import record
from topograph.systems.contract.system import Failure
from topograph.tracing.endings import SharedEndings
from topograph.tracing.kept_endings import Asked, KeptEndings
from topograph.tracing.states import Outage

LEADS = ""
"""In place of a system: the servers that states lead to."""


def outage_of(name: str, failed: Failure) -> Outage:
    """What of a failure is of one system; servers and links of no system in particular are of
    each.
    """
    components = frozenset(one for one in failed.components if one.system == name)
    if failed.system not in ("", name):
        return Outage(components=components)
    return Outage(failed.servers, failed.links, components)


def what_is_asked(endings: SharedEndings) -> Asked | None:
    """What the steps of states asked about, and where these lead; None where a step may depend on
    whatever. Linear in the states and their ways, once."""
    if isinstance(endings, KeptEndings):
        return endings.asked_about()
    found: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for number, (system, state) in enumerate(endings.states):
        asking = endings.systems[system].asking
        parts = None if asking is None else asking.of(state)
        if parts is None:
            return None
        for part in parts:
            found.setdefault((system, part), []).append(number)
        node = endings.nodes[number]
        servers = {endings.place_of(to)[1] for to in endings.onward(number)}
        servers |= {name for one in node.onward for name in one.asked} if node else set()
        for server in servers - {state.server}:
            found.setdefault((LEADS, (server,)), []).append(number)
    return found


@record
class Concerned:
    """The states that failures may concern."""

    endings: SharedEndings
    asked: Asked

    def by(self, failure: Failure) -> Collection[int]:
        """Those that one may concern, in their order."""
        found: set[int] = set()
        for system, own in self.endings.systems.items():
            if own.asking is None:
                continue  # no state is of this system (``what_is_asked``)
            for part in own.asking.parts(outage_of(system, failure)):
                found.update(self.asked.get((system, part), ()))
        for server in failure.servers.union(*failure.links):
            found.update(self.asked.get((LEADS, (server,)), ()))
        return sorted(found)
