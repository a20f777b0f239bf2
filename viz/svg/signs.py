"""Where the signs, step numbers and names of an SVG drawing are: worked out together, so that none
covers another, before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from topograph.records import record
from topograph.viz.layout.outlines import Point
from topograph.viz.scene.records import (
    HOST,
    BlockDrawn,
    LinkDrawn,
    Mark,
    Scene,
    ServerDrawn,
    StepDrawn,
)
from topograph.viz.svg.boxes import ServerBox, half_of
from topograph.viz.svg.links import Box
from topograph.viz.svg.looks import LINK_SIGNS
from topograph.viz.svg.pieces import CHARACTERS, HOST_CHARACTERS, RADIUS, Curve
from topograph.viz.svg.signplaces import (
    APART,
    Room,
    Surroundings,
    beside,
    free_place,
    square_at,
)
from topograph.words.visible import in_xml, shortened

SIGN = 11.0
"""Half the width of a sign, with a rim."""

LETTER = 7.2
"""The width of a character of a name."""

DRUM = 12.0

IN_A_BOX = 1000
"""Characters of a name in a box, which is as wide as the name."""

Between = Callable[[str, str, str], Curve | None]
"""The curve of a link, or of what joins two servers, from one end to the other."""


@dataclass(slots=True)
class Signs:
    """``on_links`` are blocks with the part of their link before the sign, ``at_servers`` servers
    with a sign that counts blocks, each with its place and their numbers. ``changed`` are the
    places of the signs of links by id, ``counted`` those of links without room, at a server.
    ``numbers`` are steps with the places of their numbers, ``names`` of servers and of what is
    attached how many characters of the name are drawn, and its middle."""

    on_links: dict[int, tuple[float, Point]] = field(default_factory=dict)
    at_servers: dict[str, tuple[Point, list[int]]] = field(default_factory=dict)
    changed: dict[str, Point] = field(default_factory=dict)
    counted: list[tuple[Mark, Point, int]] = field(default_factory=list)
    numbers: list[tuple[StepDrawn, Point]] = field(default_factory=list)
    names: dict[str, tuple[int, Point]] = field(default_factory=dict)
    taken: Room = field(default_factory=Room)


@record
class Drawn:
    """What signs belong to, and what they keep off: the causes of blocks in their order, the steps
    that have numbers, and the lines of links. ``drums`` are what is attached, with its place."""

    scene: Scene
    places: Mapping[str, Point]
    causes: Sequence[BlockDrawn]
    steps: Sequence[StepDrawn]
    lines: Sequence[LinkDrawn]
    curves: Mapping[str, Curve]
    between: Between
    drums: Mapping[str, Point]
    boxes: Mapping[str, ServerBox]


def placed_signs(drawn: Drawn) -> Signs:
    """The places of everything. Linear in signs and what is near to each, names times what is
    taken."""
    around = Surroundings(_lines(drawn), _boxes(drawn))
    found = Signs()
    for name, at in drawn.places.items():
        found.taken.take(_body(drawn, name, at, 2.0))
    for at in drawn.drums.values():
        found.taken.take(square_at(at, DRUM))
    _stops(drawn, around, found)
    _changes(drawn, around, found)
    _numbers(drawn, around, found)
    _names(drawn, around, found)
    return found


def _key(link: str, first: str, second: str) -> object:
    return link or frozenset((first, second))


def _lines(drawn: Drawn) -> Iterator[tuple[object, list[tuple[Point, Point]]]]:
    for link in drawn.lines:
        yield link.id, drawn.curves[link.id].pieces
    known = set(drawn.curves)
    unlinked = {
        frozenset((one.at, one.to))
        for one in drawn.scene.blocks
        if one.link not in known and one.at != one.to
    } | {frozenset((one.from_, one.to)) for one in drawn.steps if one.link not in known}
    for ends in sorted(map(sorted, unlinked)):
        curve = drawn.between("", ends[0], ends[-1])
        if curve is not None and len(ends) > 1:
            yield frozenset(ends), curve.pieces
    for one in drawn.scene.attached:
        for name in one.servers:
            yield one.name, [(drawn.places[name], drawn.drums[one.name])]


def _boxes(drawn: Drawn) -> Iterator[Box]:
    for name, at in drawn.places.items():
        yield _body(drawn, name, at, 0.0)
    for at in drawn.drums.values():
        yield square_at(at, DRUM)


def _body(drawn: Drawn, name: str, at: Point, away: float) -> Box:
    """What a server covers."""
    wide, high = half_of(name, drawn.boxes)
    return at[0] - wide - away, at[1] - high - away, at[0] + wide + away, at[1] + high + away


def _stops(drawn: Drawn, around: Surroundings, found: Signs) -> None:
    wanted = 0.5 if drawn.scene.question == "audit" else 0.56
    counted: dict[str, list[int]] = {}
    for number, block in enumerate(drawn.causes, 1):
        if block.at not in drawn.places:
            continue
        curve = drawn.between(block.link, block.at, block.to) if block.at != block.to else None
        if block.at != block.to and curve is None:
            continue
        place = None
        if curve is not None:
            link = block.link if block.link in drawn.curves else ""
            own = _key(link, block.at, block.to)
            place = free_place(around.places(own, curve, wanted), SIGN, found.taken)
        if place is None:
            counted.setdefault(block.at, []).append(number)
            continue
        found.on_links[number] = place.t, place.at
        found.taken.take(square_at(place.at, SIGN))
    for server, numbers in counted.items():
        half = half_of(server, drawn.boxes)
        at = beside(drawn.places[server], SIGN, around, found.taken, half)
        found.at_servers[server] = at, numbers
        found.taken.take(square_at(at, SIGN))


def _changes(drawn: Drawn, around: Surroundings, found: Signs) -> None:
    counted: dict[tuple[str, Mark], int] = {}
    stopped = {block.link for block in drawn.causes}
    for link in drawn.lines:
        if link.mark not in LINK_SIGNS or (link.mark is Mark.REFUSED and link.id in stopped):
            continue
        curve = drawn.curves[link.id]
        roomy = curve.loop or curve.length >= 2 * (RADIUS + APART)
        places = around.places(link.id, curve, 0.5) if roomy else []
        place = free_place(places, SIGN, found.taken)
        if place is None:
            own = link.ends[0], link.mark
            counted[own] = counted.get(own, 0) + 1
            continue
        found.changed[link.id] = place.at
        found.taken.take(square_at(place.at, SIGN))
    for (server, mark), number in counted.items():
        half = half_of(server, drawn.boxes)
        at = beside(drawn.places[server], SIGN, around, found.taken, half)
        found.counted.append((mark, at, number))
        found.taken.take(square_at(at, SIGN))


def _numbers(drawn: Drawn, around: Surroundings, found: Signs) -> None:
    """A number may come nearer to others than a sign: it is on its line."""
    seen = set()
    for step in drawn.steps:
        link = step.link if step.link in drawn.curves else ""
        own = _key(link, step.from_, step.to)
        curve = drawn.between(step.link, step.from_, step.to) if step.from_ != step.to else None
        if curve is None or (own, step.from_, step.number) in seen:
            continue
        seen.add((own, step.from_, step.number))
        places = around.places(own, curve, 0.5)
        place = next(
            filter(None, (free_place(places, 9.0, found.taken, apart) for apart in (APART, 5, 0))),
            None,
        )
        if place is not None:
            found.numbers.append((step, place.at))
            found.taken.take(square_at(place.at, 10.0))


def _names(drawn: Drawn, around: Surroundings, found: Signs) -> None:
    """Servers that the answer marks first, then those with the most links; then what is
    attached."""
    links: dict[str, int] = {}
    for link in drawn.scene.links:
        for end in link.ends:
            links[end] = links.get(end, 0) + 1

    def weight(server: ServerDrawn) -> tuple[int, int, str]:
        return -len(server.marks), -links.get(server.name, 0), server.name

    for server in sorted(drawn.scene.servers, key=weight):
        most = HOST_CHARACTERS if server.shape == HOST else CHARACTERS
        at = drawn.places[server.name]
        box = drawn.boxes.get(server.name)
        if box:
            found.names[server.name] = IN_A_BOX, (at[0] + box.middle, at[1])
            continue
        found.names[server.name] = _place_of_name(at, server.name, most, around, found.taken)
    for name, at in drawn.drums.items():
        found.names[name] = _place_of_name(at, name, CHARACTERS, around, found.taken)


def _place_of_name(
    at: Point, name: str, most: int, around: Surroundings, taken: Room
) -> tuple[int, Point]:
    """In how many characters a name is drawn, and its middle: where it covers nothing, and no line
    runs through its middle if there is such a place; else where it covers least."""
    found: list[tuple[int, bool, int, Point, Box]] = []
    for characters in dict.fromkeys((most, min(most, 14))):
        wide = LETTER * len(shortened(in_xml(name), characters)) / 2
        for middle in _around(at, wide):
            box = middle[0] - wide, middle[1] - 8, middle[0] + wide, middle[1] + 8
            covered = taken.covered(box)
            crossed = not covered and around.clear(middle, boxes=False) < 8
            found.append((covered, crossed, characters, middle, box))
            if not (covered or crossed):
                break
        if any(not covered for covered, *_ in found):
            break
    _, _, characters, middle, box = min(found, key=lambda one: one[:2])
    taken.take(box)
    return characters, middle


def _around(at: Point, wide: float) -> Iterable[Point]:
    """The middles of names around a server, below first."""
    x, y = at
    aside, off = RADIUS + 5 + wide, RADIUS + 12
    return (
        (x, y + off),
        (x, y - off),
        (x + aside, y),
        (x - aside, y),
        (x + aside, y + off - 6),
        (x - aside, y + off - 6),
        (x + aside, y - off + 6),
        (x - aside, y - off + 6),
    )
