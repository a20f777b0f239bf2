"""What an answer says of servers that the loaded files leave open: the assumption under which
one is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from topograph.assumptions import Assumption
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.reached import Decided, Needed
from topograph.questions.answers.base import DecidedIf, NeededRoute, NeededRoutes, Undetermined


def decided_if(decided: Decided | None) -> DecidedIf | None:
    """What is said of a server that an assumption decides; nothing without one."""
    if decided is None:
        return None
    return DecidedIf(decided.assumption.rule, decided.assumption.text, decided.reached)


def would_need(
    graph: ForwardingGraph, needed: Iterable[Needed], start: int, end: int
) -> tuple[NeededRoutes, ...]:
    """What servers would need for messages to get from server ``start`` to ``end`` over links that
    no file shows.
    """
    names = {True: graph.servers[start].name, False: graph.servers[end].name}
    return tuple(
        NeededRoutes(
            graph.servers[one.server].name,
            tuple(
                NeededRoute(names[link.to_start], link.zones, link.except_zones)
                for link in one.links
            ),
            one.legal,
        )
        for one in needed
    )


def not_reached_if_assumed(entries: Sequence[Undetermined]) -> bool:
    """Whether all of these servers, at least one, are not reached under the assumptions that
    decide them.
    """
    return bool(entries) and all(
        one.decided_if is not None and not one.decided_if.reached for one in entries
    )


def with_assumed(
    assumptions: tuple[Assumption, ...], more: Iterable[Assumption]
) -> tuple[Assumption, ...]:
    """The assumptions of an answer and those that decide its open servers, each once, by rule
    and text.
    """
    added = set(more) - set(assumptions)
    if not added:
        return assumptions
    return tuple(sorted({*assumptions, *added}, key=lambda one: (one.rule, one.text)))
