"""What servers whose files are not loaded would need for a server to be reached, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topograph.questions.answers import NeededRoute, NeededRoutes, Undetermined

NAMED = 3
"""Servers that would need the same which are named; of more the number is given."""

_Key = tuple[tuple[str, tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...], bool], ...]


def needed(entries: Iterable[Undetermined]) -> Iterator[str]:
    """A paragraph for all servers left open of which the same is true, in their order."""
    alike: dict[tuple[str, _Key], list[Undetermined]] = {}
    for entry in entries:
        if entry.would_need:
            alike.setdefault((entry.system, _key(entry)), []).append(entry)
    for group in alike.values():
        yield _paragraph(group)


def could_change(*entries: Undetermined) -> str:
    """The end of a verdict on servers that no shown path leads to: whose routes could change it;
    empty where that was not judged of each, or an assumption decides one."""
    if not entries or any(one.decided_if or not one.would_need for one in entries):
        return ""
    names = list(dict.fromkeys(one.server for entry in entries for one in entry.would_need))
    return f"; routes of {_any_of(names)} that they do not show could change that"


def _key(entry: Undetermined) -> _Key:
    """What an entry says, with nothing for its own name."""
    return tuple(
        (
            one.server,
            tuple(
                ("" if route.towards == entry.server else route.towards, *_zones(route))
                for route in one.routes
            ),
            one.legal,
        )
        for one in entry.would_need
    )


def _zones(route: NeededRoute) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return route.zones, route.except_zones


def _paragraph(group: Sequence[Undetermined]) -> str:
    first = group[0]
    alone = len(group) == 1
    own = {first.server: first.server if alone else "it"}
    by_need: dict[str, list[str]] = {}
    for one in first.would_need:
        by_need.setdefault(_needs(one, own), []).append(one.server)
    needs = "; or ".join(f"{_any_of(names)} would need {need}" for need, names in by_need.items())
    legal = "could then still be" if first.would_need[0].legal else "would then not be"
    whom = first.server if alone else "one of these"
    return f"For {whom} to be reached, {needs}. The network {legal} legal."


def _needs(one: NeededRoutes, own: dict[str, str]) -> str:
    """The links that a server would need; ``own`` has what is said in place of a name."""
    told = [
        f"to {name} or to a server that reaches {name}{_in_zones(route)}"
        for route in one.routes
        for name in [own.get(route.towards, route.towards)]
    ]
    if len(told) == 1:
        return f"a route {told[0]}"
    return f"a route {' and one '.join(told)}, not both in one 1hop zone"


def _in_zones(route: NeededRoute) -> str:
    if route.zones:
        return f", in zone {' or '.join(route.zones)}"
    if route.except_zones:
        return f", in a zone other than {' and '.join(route.except_zones)}"
    return ""


def _any_of(names: Sequence[str]) -> str:
    if len(names) > NAMED + 1:
        return f"{', '.join(names[:NAMED])} or one of {len(names) - NAMED:,} more"
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
