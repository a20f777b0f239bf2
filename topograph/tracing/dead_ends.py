"""Where every message that begins in a state ends, for checks of definitions: by the same steps as
traces, without a message.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence

from topograph.forwarding.graph import UNDECIDED
from topograph.tracing.states import State, Transition, Way
from topograph.tracing.trace import Ending, Kind

MOST = 200
"""States that are looked at from one: chains of definitions are short."""


def ends_of(
    step: Callable[[State], Transition],
    key: Callable[[State], Hashable],
    loaded: Collection[str],
    state: State,
) -> Sequence[tuple[State, Way]] | None:
    """The states in which messages end that begin in one, each with its last way. None where that
    is not known of all of them: they leave the loaded servers or the system, go round, may go a
    way that the loaded files do not decide, or there are too many states. Other readings of the
    documents are left out. Ordered by what the last ways say, as the search goes by the order of
    files. Linear in the states.
    """
    found: list[tuple[State, Way]] = []
    seen = {key(state)}
    waiting = [state]
    while waiting:
        at = waiting.pop()
        transition = step(at) if at.server in loaded else None
        if transition is None or not transition.ways or len(seen) > MOST:
            return None
        for way in transition.ways:
            if way.kind is Kind.READING:
                continue
            undecided = way.guard is not None and way.guard.kind == UNDECIDED
            if undecided or way.perhaps_taken or way.kind is Kind.OPAQUE:
                return None
            if isinstance(way.to, Ending):
                found.append((at, way))
            elif not isinstance(way.to, State) or key(way.to) in seen:
                return None
            else:
                seen.add(key(way.to))
                waiting.append(way.to)
    return sorted(found, key=lambda end: str(end[1].text))
