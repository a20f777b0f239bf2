"""The destinations that a network names: what ``propagate`` and ``trace`` can be asked about
without knowing more than the files do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from topograph.errors import UnknownDestination
from topograph.message import parse_destination
from topograph.questions.model import KnownDestination, KnownDestinations, Model
from topograph.questions.show import show
from topograph.systems import system

_Named = dict[str, set[tuple[str, str]]]
"""Servers, as (system, name), by what they name."""


def known_destinations(model: Model) -> tuple[KnownDestination, ...]:
    """What the files name without a wildcard, and what clients of topograph.yaml are attached
    to: those that most servers name first, then by name. Linear in the rows of ``show
    destinations`` when it is first asked, and kept with the model."""
    return _known(model).named


def placed_destinations(model: Model) -> tuple[KnownDestination, ...]:
    """The queues that the files name, each with its server (``ORDERS@HQ``): those that most
    servers name first, then by name. Linear in the rows of ``show destinations`` when either is
    first asked."""
    return _known(model).placed


def _known(model: Model) -> KnownDestinations:
    if model.known is None:
        named, placed = _named(model)
        for one in _of_clients(model):
            named.setdefault(one, set())
        model.known = KnownDestinations(
            _in_order(named),
            _in_order({text: by for text, by in placed.items() if _is_placed(text)}),
        )
    return model.known


def _is_placed(text: str) -> bool:
    """Whether a question reads a text as ``NAME@PLACE``: a name may have a colon in it."""
    try:
        return not parse_destination(text).type
    except UnknownDestination:
        return False


def _named(model: Model) -> tuple[_Named, _Named]:
    """What the rows of ``show destinations`` name, with the servers whose files do: as what is
    sent to, and as queues with their server."""
    systems = {name: system(name) for name in {place.system for place in model.places()}}
    sent_to: _Named = {}
    placed: _Named = {}
    for row in show(model, "destinations").rows:
        of = str(row["system"])
        if of not in systems:
            continue
        by = (of, str(row["server"]))
        for found, text in (
            (sent_to, systems[of].sent_to(row)),
            (placed, systems[of].put_at(row)),
        ):
            if text:
                found.setdefault(text, set()).add(by)
    return sent_to, placed


def _in_order(found: Mapping[str, set[tuple[str, str]]]) -> tuple[KnownDestination, ...]:
    return tuple(
        KnownDestination(text, parse_destination(text).type, frozenset(found[text]))
        for text in sorted(found, key=lambda one: (-len(found[one]), one))
    )


def _of_clients(model: Model) -> Iterable[str]:
    """Of clients only those of which the system can say that no wildcard stands in it."""
    types: Mapping[str, None] = {
        type_: None for part in model.parts for type_ in part.system.destinations
    }
    for client in model.side_inputs.clients:
        try:
            named = parse_destination(client.destination)
        except UnknownDestination:
            continue
        if named.type in types and not any(sign in named.name for sign in "*>#"):
            yield str(named)
