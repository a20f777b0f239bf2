"""Where the servers of a network stand in all pictures of its snapshot: computed once, whatever
is asked, and kept (``store.layouts``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from topograph.forwarding.reached import LinkShown, shown_links
from topograph.questions.texts.layout import listed
from topograph.systems import system, systems_in
from topograph.viz.layout.blocks import GAP, Spot
from topograph.viz.layout.newcomers import place_newcomers, settle
from topograph.viz.layout.placing import place_servers, stretch
from topograph.words.visible import clean

if TYPE_CHECKING:
    from topograph.questions.model import Model, Part

WIDE_FIELD = 1_000
"""Squares of GAP: a picture of a part that takes no more is shown on any screen with its names."""

ROOM = 36
"""Squares of GAP that a server of a larger picture of a part may take: where the servers stand
farther apart, they get places of their own.
"""

KNOWN = 0.75
"""Share of the servers that an earlier snapshot has to have, so that its places are the start."""


def places_of(model: Model) -> Mapping[str, Spot]:
    """By label the place of each server of a network, that of all its pictures. About linear in
    links where they are not kept yet.
    """
    labels = model.server_names()
    return model.layout.places(labels, lambda earlier: _placed(model, labels, earlier))


def links_shown(part: Part) -> list[LinkShown]:
    """The links of a part that its pictures show: those that messages take, those that wait or of
    which it is not known where they lead, and those that carry nothing. Linear in the links.
    """
    found = shown_links(part.graph, standby=True, unresolved=True)
    for name in systems_in(part.graph):
        idle = system(name).capabilities.idle_links
        if idle is not None:
            found += idle(part.facts_of(name), part.side_inputs, part.graph)
    return found


def unknown_names(model: Model) -> Iterable[str]:
    """A warning where the layout that a person gave names servers that the network does not
    have. Of a redacted network they are counted: they may be hosts that redaction has replaced."""
    unknown = sorted((model.layout.given or {}).keys() - set(model.server_names()))
    if not unknown:
        return
    if model.redaction:
        of = "of a server" if len(unknown) == 1 else f"of {len(unknown):,} servers"
        yield clean(
            f"The layout {PurePath(model.layout.name).name} has places {of} that this "
            "network does not have, which are ignored."
        )
        return
    of = "of a server" if len(unknown) == 1 else "of servers"
    yield clean(
        f"The layout {model.layout.name} has places {of} that this network does not "
        f"have, which are ignored: {listed(unknown)}."
    )


def _placed(model: Model, labels: Sequence[str], earlier: Mapping[str, Spot]) -> dict[str, Spot]:
    """New places. They start from those that a person gave, else from those of an ``earlier``
    snapshot, if that has most of the servers.
    """
    called = {(place.system, place.name): model.label(place.server) for place in model.places()}
    links = [
        ((called[link.systems[0], link.ends[0]], called[link.systems[1], link.ends[1]]), link.zone)
        for part in model.parts
        for link in links_shown(part)
    ]
    names = sorted(labels)
    given = model.layout.given
    return place_from(
        earlier if given is None else given, names, links, least=KNOWN if given is None else 0.0
    )


def place_from(
    start: Mapping[str, Spot],
    names: Sequence[str],
    links: Sequence[tuple[tuple[str, str], str]],
    *,
    least: float,
) -> dict[str, Spot]:
    """A place for each of ``names``, as far as it goes that of ``start``, if that has at least
    this share of them; ``links`` are ends and zones. The others stand beside their neighbours
    where most have a place, else as they would alone. As ``place_servers``."""
    kept = {
        name: (float(round(start[name][0])), float(round(start[name][1])))
        for name in names
        if name in start
    }
    if len(kept) < least * len(names):
        kept = {}
    if 2 * len(kept) < len(names):
        return settle(place_servers(names, links), kept)
    return place_newcomers(
        kept, [name for name in names if name not in kept], [ends for ends, _ in links]
    )


def places_of_part(
    places: Mapping[str, Spot], names: Sequence[str], links: Iterable[tuple[tuple[str, str], str]]
) -> tuple[dict[str, Spot], bool]:
    """The places of some servers, and whether they are those of the whole picture: servers that
    stand too far apart there to be read together get places of their own. ``links`` are those
    between them, with their zones."""
    kept = {name: places[name] for name in names}
    if len(kept) == len(places) or _legible(kept):
        return kept, True
    return place_servers(names, links), False


def _legible(spots: Mapping[str, Spot]) -> bool:
    if not spots:
        return True
    xs, ys = zip(*spots.values(), strict=True)
    area = (max(xs) - min(xs) + GAP) * (max(ys) - min(ys) + GAP) / stretch(list(spots))
    return bool(area <= max(WIDE_FIELD, ROOM * len(spots)) * GAP * GAP)
