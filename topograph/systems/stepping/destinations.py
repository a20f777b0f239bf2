"""What ``show destinations`` lists of a system whose messages go step by step."""

from __future__ import annotations

from collections.abc import Iterator

from topograph.systems.contract.system import Row
from topograph.systems.registry import system
from topograph.tracing.states import State, Stepping


def destinations(name: str, own: Stepping) -> Iterator[Row] | None:
    """The rows that a system gives itself; of one that gives none, a row for each state in which
    messages begin. None for one with a graph of its own, whose estate lists them. Linear in the
    entries.

    A state is of the type that its address begins with (``exchange:orders``), else of the only
    type that the system has. One without an address takes messages of any name."""
    shown = own.show("destinations")
    if shown is not None or system(name).closed is not None:
        return shown
    sources = {server.name: server.source for server in own.servers}
    types = tuple(system(name).destinations)
    rows: dict[tuple[str, ...], Row] = {}
    for state in own.entries():
        type_, text = _named(own, state, types)
        details = "" if text else f"any {type_}".rstrip()
        rows[state.server, type_, text] = {
            "server": state.server,
            "system": name,
            "type": type_,
            "name": text,
            "details": details,
            "leads_to": [],
            "source": sources[state.server].to_dict(),
        }
    return iter(rows.values())


def _named(own: Stepping, state: State, types: tuple[str, ...]) -> tuple[str, str]:
    address = own.address(state)
    type_, colon, text = address.partition(":")
    if colon and type_ in types:
        return type_, text
    return types[0] if len(types) == 1 else "", address
