"""From the model of a network to what is drawn of it: its servers and links, and the scene of an
answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from topograph.forwarding.graph import Server
from topograph.forwarding.reached import LinkShown
from topograph.questions.answers import AuditAnswer, TraceAnswer
from topograph.questions.cycles import legal_routes
from topograph.systems import system, systems_in
from topograph.systems.contract.groups import ServerGroup
from topograph.systems.contract.system import Attached, Depicting
from topograph.viz.layout.blocks import Spot
from topograph.viz.layout.places import links_shown, places_of, unknown_names
from topograph.viz.scene.audited import links_that_come, servers_that_come
from topograph.viz.scene.held import held
from topograph.viz.scene.neighbourhood import OVERVIEW
from topograph.viz.scene.picture import EstateDrawn, draw

if TYPE_CHECKING:
    from topograph.questions.answers import Answer
    from topograph.questions.model import Model, Part
    from topograph.viz.scene.records import Scene


def scene_of(
    model: Model,
    answer: Answer | None = None,
    *,
    around: str | Sequence[str] = (),
    depth: int | None = None,
    whole: bool = False,
) -> Scene:
    """The picture of an answer, or of the network itself; see ``Network.scene`` for arguments
    and errors.
    """
    centre = (around,) if isinstance(around, str) else tuple(around)
    places = [model.locate(server) for server in centre]
    estate = estate_drawn(model, answer)
    around_names = tuple(estate.label(place.system, place.name) for place in places)
    return draw(
        estate, answer, around=around_names, depth=depth, readable=None if whole else OVERVIEW
    )


def estate_drawn(
    model: Model, answer: Answer | None = None, names: Mapping[tuple[str, str], str] | None = None
) -> EstateDrawn:
    """What there is to draw of a network, for a picture of ``answer`` or of the network itself.
    ``names`` are what servers are called by system and name, instead of their labels: who gives
    them gives the places too. About linear in servers and links.
    """
    # Most answers name servers by their bare names; a trace says the system of each, and a picture
    # without an answer has room for several of a name.
    qualified = answer is None or isinstance(answer, TraceAnswer)
    parts = _drawn(model, answer) if answer is not None and not qualified else model.parts
    called = names or {
        (place.system, place.name): model.label(place.server) for place in model.places()
    }

    def label(system: str, name: str) -> str:
        return called.get((system, name), name) if qualified else name

    servers: list[Server] = []
    links: list[LinkShown] = []
    for part in parts:
        servers += [
            replace(server, name=label(server.system, server.name)) for server in part.graph.servers
        ]
        for link in links_shown(part):
            first, second = map(label, link.systems, link.ends)
            links.append(replace(link, ends=(first, second)))
    engine = model.parts[0].engine.name if model.parts else "memory"
    newcomers = servers_that_come(answer, servers) if isinstance(answer, AuditAnswer) else ()
    coming = links_that_come(answer, links) if isinstance(answer, AuditAnswer) else ()
    systems = {name: system(name) for name in {server.system for server in (*servers, *newcomers)}}
    spots: dict[str, Spot] = {}
    if names is None:
        everywhere = places_of(model)
        for place in model.places():
            own = everywhere[model.label(place.server)]
            spots.setdefault(label(place.system, place.name), own)
    return EstateDrawn(
        model.network,
        model.snapshot,
        engine,
        servers,
        links,
        systems,
        label,
        coming,
        newcomers,
        spots,
        tuple(unknown_names(model)),
        model.records.findings,
        *_depicted(parts, label),
        groups=_groups(parts, label),
        holds=held(parts, label, len(servers)),
        legality=None if answer else legal_routes(model),
    )


def _depicted(
    parts: Sequence[Part], label: Callable[[str, str], str]
) -> tuple[Mapping[str, tuple[str, str]], Sequence[Attached]]:
    """What systems say of their servers for pictures: the kinds of some, and what they connect
    to. Loads the facts of such systems.
    """
    kinds: dict[str, tuple[str, str]] = {}
    attached: list[Attached] = []
    for part in parts:
        own = part.estate if part.system.capabilities.depicts else None
        if isinstance(own, Depicting):
            kinds |= {label(part.system.name, name): kind for name, kind in own.kinds().items()}
            attached += (
                replace(one, servers=tuple(label(part.system.name, name) for name in one.servers))
                for one in own.attached()
            )
    return kinds, attached


def _groups(parts: Sequence[Part], label: Callable[[str, str], str]) -> Sequence[ServerGroup]:
    """The named sets of servers that the systems state, without zones. Loads the facts of such
    systems.
    """
    return [
        replace(one, servers=tuple(label(name, server) for server in one.servers))
        for part in parts
        for name in systems_in(part.graph)
        if (groups := system(name).capabilities.groups) is not None
        for one in groups(part.facts_of(name), part.side_inputs, part.graph)
    ]


def _drawn(model: Model, answer: Answer) -> Sequence[Part]:
    """The parts that are drawn: all, or where systems share names those that the answer is
    about.
    """
    about = getattr(answer, "system", "")
    if not about or len(model.places()) == len({place.name for place in model.places()}):
        return model.parts
    return [part for part in model.parts if about in systems_in(part.graph)]
