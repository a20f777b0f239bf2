"""The destinations that a network names: what ``propagate`` and ``trace`` can be asked about
without knowing more than the files do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from topograph.errors import UnknownDestination
from topograph.message import parse_destination
from topograph.questions.model import KnownDestination, Model
from topograph.questions.show import show
from topograph.systems import system
from topograph.systems.contract.system import Row, System


def known_destinations(model: Model) -> tuple[KnownDestination, ...]:
    """What the files name without a wildcard, and what clients of topograph.yaml are attached
    to: those that most servers name first, then by name. Linear in the rows of ``show
    destinations`` when it is first asked, and kept with the model."""
    if model.known is None:
        model.known = _known(model)
    return model.known


def placed_destinations(model: Model) -> tuple[KnownDestination, ...]:
    """The queues that the files name, each with its server (``ORDERS@HQ``): those that most
    servers name first, then by name. Linear in the rows of ``show destinations``."""
    found = _named(model, lambda of, row: of.put_at(row))
    return _in_order({text: by for text, by in found.items() if _is_placed(text)})


def _known(model: Model) -> tuple[KnownDestination, ...]:
    found = _named(model, lambda of, row: of.sent_to(row))
    for one in _of_clients(model):
        found.setdefault(one, set())
    return _in_order(found)


def _is_placed(text: str) -> bool:
    """Whether a question reads a text as ``NAME@PLACE``: a name may have a colon in it."""
    try:
        return not parse_destination(text).type
    except UnknownDestination:
        return False


def _named(model: Model, name: Callable[[System, Row], str]) -> dict[str, set[tuple[str, str]]]:
    """What the rows of ``show destinations`` name, with the servers whose files do."""
    systems = {name: system(name) for name in {place.system for place in model.places()}}
    found: dict[str, set[tuple[str, str]]] = {}
    for row in show(model, "destinations").rows:
        of = str(row["system"])
        named = name(systems[of], row) if of in systems else ""
        if named:
            found.setdefault(named, set()).add((of, str(row["server"])))
    return found


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
