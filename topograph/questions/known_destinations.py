"""The destinations that a network names: what ``propagate`` and ``trace`` can be asked about
without knowing more than the files do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from topograph.errors import UnknownDestination
from topograph.message import parse_destination
from topograph.questions.model import KnownDestination, Model
from topograph.questions.show import show
from topograph.systems import system


def known_destinations(model: Model) -> tuple[KnownDestination, ...]:
    """What the files name without a wildcard, and what clients of topograph.yaml are attached
    to: those that most servers name first, then by name. Linear in the rows of ``show
    destinations`` when it is first asked, and kept with the model."""
    if model.known is None:
        model.known = _known(model)
    return model.known


def _known(model: Model) -> tuple[KnownDestination, ...]:
    named_as = {name: system(name).sent_to for name in {place.system for place in model.places()}}
    found: dict[str, set[tuple[str, str]]] = {}
    for row in show(model, "destinations").rows:
        of = str(row["system"])
        named = named_as[of](row) if of in named_as else ""
        if named:
            found.setdefault(named, set()).add((of, str(row["server"])))
    for one in _of_clients(model):
        found.setdefault(one, set())
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
