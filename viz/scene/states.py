"""The states of a network, such as its snapshots or the revisions of its files, drawn one after
another so that they can be compared: in every state a server has the same place, a zone the same
colour and pattern, and a link the same id.

``states_drawn`` makes ``StatesDrawn`` of them. Places, colours and ids are those of the pictures of
the last state alone; what only earlier states have is added to these.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from topograph.audit.links import (
    LinkAltered,
    LinksCompared,
    Pair,
    compared_links,
    link_conditions,
)
from topograph.errors import UsageError
from topograph.findings import Source
from topograph.forwarding.reached import LinkShown
from topograph.records import record
from topograph.systems.contract.system import Attached
from topograph.viz.layout.blocks import Spot
from topograph.viz.layout.places import place_from, places_of
from topograph.viz.scene.attached import attached_drawn
from topograph.viz.scene.estates import estate_drawn
from topograph.viz.scene.groups import Key, group_colours
from topograph.viz.scene.picture import EstateDrawn, draw, drawn_links, link_id, link_order
from topograph.viz.scene.records import AttachedDrawn, Mark, Scene
from topograph.words.visible import clean

if TYPE_CHECKING:
    from topograph.questions.model import Model

Name = tuple[str, str]
"""System and name of a server."""

Said = tuple[Mark, str]
"""A mark, and in words why."""


@record
class NetworkState:
    """A network as it is, or was: ``label`` names the state for the reader (a revision, a
    snapshot), ``date`` is a date or time of ISO 8601, "" where none is known.
    """

    label: str
    date: str
    model: Model


@record
class Moved:
    """What is different between two successive states, servers by name and links by id, each with
    a note in words: those that come (COMES, in the later of the two), that go (GOES, in the
    earlier), and links that stay and are altered (ALTERED).
    """

    servers: Mapping[str, Said]
    links: Mapping[str, Said]


@record
class StateDrawn:
    """A state: its label, its date, and its picture, in which what comes with it, is altered by it
    or goes after it is marked. An illegal ring keeps its own sign. ``moved`` is the difference
    from the state before, None of the first.
    """

    label: str
    date: str
    scene: Scene
    moved: Moved | None = None


@record
class StatesDrawn:
    """States in order, with the place of each server that any of them has."""

    states: tuple[StateDrawn, ...]
    places: Mapping[str, Spot]


def states_drawn(states: Sequence[NetworkState]) -> StatesDrawn:
    """The pictures of some states of one network, in the order given. A server is one of the same
    system and name; it is called by its name where no state has that name in several systems. A
    server without files that others still name is there. Raises UsageError where there is no
    state. Linear in the servers and links of all states, but for the places of those of which the
    last state has none.
    """
    if not states:
        raise UsageError("A picture of states needs one at least.")
    names = _names(state.model for state in states)
    estates = [estate_drawn(state.model, names=names) for state in states]
    places = _places(states[-1].model, names, estates)
    compared = [
        compared_links(
            estates[at].links,
            estates[at + 1].links,
            _conditions(states[at].model, names),
            _conditions(states[at + 1].model, names),
        )
        for at in range(len(states) - 1)
    ]
    ids = link_ids(estates, compared)
    estates = [
        dataclasses.replace(
            estate,
            places={server.name: places[server.name] for server in estate.servers},
            link_ids=[own[id(link)] for link in estate.links],
        )
        for estate, own in zip(estates, ids, strict=True)
    ]
    colours = _colours(estates)
    scenes = [
        draw(dataclasses.replace(estate, colours=colours), readable=None) for estate in estates
    ]
    scenes = _attached_alike(scenes, estates, places)
    moved = [
        _moved(states[at], states[at + 1], estates[at : at + 2], compared[at], ids[at : at + 2])
        for at in range(len(compared))
    ]
    drawn = []
    for at, (state, scene) in enumerate(zip(states, scenes, strict=True)):
        before = moved[at - 1] if at else None
        after = moved[at] if at < len(moved) else None
        drawn.append(StateDrawn(state.label, state.date, _marked(scene, before, after), before))
    return StatesDrawn(tuple(drawn), places)


def _names(models: Iterable[Model]) -> Mapping[Name, str]:
    """What each server of all states is called: its name, with its system where several systems
    have one of that name in any state."""
    systems: dict[str, set[str]] = {}
    for model in models:
        for place in model.places():
            systems.setdefault(place.name, set()).add(place.system)
    return {
        (system, name): name if len(own) == 1 else f"{system}:{name}"
        for name, own in systems.items()
        for system in own
    }


def _places(
    last: Model, names: Mapping[Name, str], estates: Sequence[EstateDrawn]
) -> Mapping[str, Spot]:
    """A place for each server of all states: of those of the last state that of its pictures."""
    there = places_of(last)
    start = {
        names[place.system, place.name]: there[last.label(place.server)] for place in last.places()
    }
    everybody = sorted({server.name for estate in estates for server in estate.servers})
    links = {(link.ends, link.zone): None for estate in estates for link in estate.links}
    return {**place_from(start, everybody, list(links), least=0.0), **start}


def _conditions(model: Model, names: Mapping[Name, str]) -> Mapping[Pair, tuple[str, ...]]:
    found: dict[Pair, tuple[str, ...]] = {}
    for part in model.parts:
        called = [names[server.system, server.name] for server in part.graph.servers]
        found.update(link_conditions(part.graph, part.graph, called))
    return found


def link_ids(
    estates: Sequence[EstateDrawn], compared: Sequence[LinksCompared]
) -> list[dict[int, str]]:
    """The ids of the links of each state, by the identity of their records, from the last state
    back: a link that a later state has keeps its id, also where it is gone in between. ``compared``
    are the links of each state and the next. Linear in the links, sorting aside.
    """
    found: list[dict[int, str]] = [{} for _ in estates]
    taken: set[str] = set()
    known: dict[LinkShown, list[str]] = {}
    for at in reversed(range(len(estates))):
        own = found[at]
        if at < len(compared):
            later = found[at + 1]
            kept = compared[at].kept
            own |= {id(before): later[id(after)] for before, after in kept}
            own |= {id(one.before): later[id(one.after)] for one in compared[at].altered}
        used = set(own.values())
        for link in sorted(
            estates[at].links,
            key=lambda one: (min(one.ends), max(one.ends), *link_order(one)),
        ):
            same = known.setdefault(dataclasses.replace(link, source=Source("")), [])
            if id(link) not in own:
                free = next((one for one in same if one not in used), "")
                own[id(link)] = free or link_id(link.ends, taken)
                used.add(own[id(link)])
            if own[id(link)] not in same:
                same.append(own[id(link)])
    return found


def _colours(estates: Sequence[EstateDrawn]) -> Mapping[Key, int]:
    """The colours of the zones and groups of all states: the last state's choose first."""
    known: dict[Key, int] = {}
    for estate in reversed(estates):
        servers = frozenset(server.name for server in estate.servers)
        known = group_colours(drawn_links(estate), estate.groups, servers, known)
    return known


def _attached_alike(
    scenes: Sequence[Scene], estates: Sequence[EstateDrawn], places: Mapping[str, Spot]
) -> list[Scene]:
    """The scenes with what servers connect to in the same place in all states."""
    servers: dict[tuple[str, str], dict[str, None]] = {}
    for estate in reversed(estates):
        for one in estate.attached:
            own = servers.setdefault((one.kind, clean(one.name)), {})
            own.update(dict.fromkeys(one.servers))
    links = {link.id: link for scene in scenes for link in scene.links}
    together = attached_drawn(
        [Attached(name, kind, tuple(own), Source("")) for (kind, name), own in servers.items()],
        places,
        list(links.values()),
        {},
    )
    at = {(one.kind, one.name): _middle(one, places) for one in together}

    def placed(one: AttachedDrawn) -> AttachedDrawn:
        (x, y), here = at[one.kind, one.name], places[one.servers[0]]
        return dataclasses.replace(one, x=round(x - here[0], 1), y=round(y - here[1], 1))

    return [
        dataclasses.replace(scene, attached=tuple(map(placed, scene.attached))) for scene in scenes
    ]


def _middle(one: AttachedDrawn, places: Mapping[str, Spot]) -> Spot:
    here = places[one.servers[0]]
    return here[0] + one.x, here[1] + one.y


def _moved(
    before: NetworkState,
    after: NetworkState,
    estates: Sequence[EstateDrawn],
    compared: LinksCompared,
    ids: Sequence[Mapping[int, str]],
) -> Moved:
    was, now = ({server.name for server in estate.servers} for estate in estates)
    comes = Mark.COMES, clean(f"comes with this state: not there in {before.label}")
    goes = Mark.GOES, clean(f"goes after this state: not there in {after.label}")
    servers = {**dict.fromkeys(was - now, goes), **dict.fromkeys(now - was, comes)}
    links = {
        ids[1][id(one.after)]: (Mark.ALTERED, _altered(one, before.label))
        for one in compared.altered
    }
    links |= {ids[0][id(link)]: goes for link in compared.removed}
    links |= {ids[1][id(link)]: comes for link in compared.added}
    return Moved(dict(sorted(servers.items())), dict(sorted(links.items())))


def _altered(one: LinkAltered, since: str) -> str:
    was, is_now = one.was, one.is_now
    if not (was or is_now):
        was, is_now = (_carries(one.before),), (_carries(one.after),)
    words = "; ".join(
        (*(f"before: {text}" for text in was), *(f"after: {text}" for text in is_now))
    )
    return clean(f"altered since {since}: {words}")


def _carries(link: LinkShown) -> str:
    """What a link does, where that is all that differs."""
    if link.idle:
        return "idle"
    if link.standby:
        return "on standby"
    return link.because or link.down or "carries messages"


def _marked(scene: Scene, before: Moved | None, after: Moved | None) -> Scene:
    """The scene of a state with what comes with it, is altered by it, or goes after it. Of several
    marks the one that is here stays, then that it goes is drawn first; the note says all.
    """

    nothing = Moved({}, {})
    next_, this = after or nothing, before or nothing
    servers = [
        dataclasses.replace(one, mark=one.mark or mark, note=_joined(one.note, note))
        for one in scene.servers
        for mark, note in [_first(next_.servers.get(one.name), this.servers.get(one.name))]
    ]
    links = [
        dataclasses.replace(one, mark=one.mark or mark, note=_joined(one.note, note))
        for one in scene.links
        for mark, note in [_first(next_.links.get(one.id), this.links.get(one.id))]
    ]
    return dataclasses.replace(scene, servers=tuple(servers), links=tuple(links))


def _first(after: Said | None, before: Said | None) -> Said:
    """What is marked of something in a state, by what the next state and this one do to it."""
    said = []
    if after and after[0] is Mark.GOES:
        said.append(after)
    if before and before[0] is not Mark.GOES:
        said.append(before)
    return (said[0][0], _joined(*(note for _, note in said))) if said else (Mark.NONE, "")


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))
