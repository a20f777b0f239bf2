"""What two configurations make of the states that many messages share (``endings.SharedEndings``):
through which states endings are come to that step otherwise, which steps stand on lines that are
looked for, and what lies behind states. Each is one walk over the states, the last first.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)

from topograph.records import record
from topograph.tracing.ending_nodes import Content, Line, Node, Told
from topograph.tracing.endings import SharedEndings
from topograph.tracing.exploration import CERTAIN
from topograph.tracing.trace import Kind


@record
class Behind:
    """By state: whether a message may go anywhere from there or behind it (``doubt``), whether a
    trace tells more of it (``Node.more``), and the servers that it gets to for certain, as bits;
    these only where there is any doubt."""

    doubt: Sequence[bool]
    more: Sequence[bool]
    visited: Sequence[int]


Touched = Mapping[str, Collection[str]]
"""By system the servers at which states may step otherwise."""


def behind(endings: SharedEndings, servers: Mapping[tuple[str, str], int]) -> Behind:
    """What lies behind each state; ``servers`` have the numbers of their bits. Linear in the
    ways."""
    size = len(endings.states)
    if not any(node is None or node.doubt or node.more for node in endings.nodes):
        nothing = [False] * size
        return Behind(nothing, nothing, [0] * size)
    doubt, more, visited = [False] * size, [False] * size, [0] * size
    for number in endings.last_first():
        node = endings.nodes[number]
        system, state = endings.states[number]
        at = servers.get((system, state.server), -1)
        here = 1 << at if at >= 0 else 0
        if node is None:
            more[number] = True
            continue
        doubt[number], more[number] = node.doubt, node.more
        for one in node.onward:
            if one.to >= 0:
                doubt[number] = doubt[number] or doubt[one.to]
                more[number] = more[number] or more[one.to]
                if one.kind in CERTAIN:
                    here |= visited[one.to]
        visited[number] = here
    return Behind(doubt, more, visited)


@record
class Through:
    """By state the endings, as bits, that it comes to over a way which the other configuration does
    not have: there (``own``), and there or behind it (``all``)."""

    own: Mapping[int, int]
    all: Mapping[int, int]


def through_differing(
    endings: SharedEndings, others: SharedEndings, touched: Touched | None
) -> Through:
    """By state the endings, as bits, that it comes to over a way which the other configuration does
    not have, there or behind it; states step alike at servers that are not ``touched``. Linear in
    the states, and in the ways of those that lead to one which differs."""
    waits = has_later(endings) or has_later(others)
    own = {
        number: bits
        for number in _may_differ(endings, others, touched)
        if (bits := _over_own_ways(endings, others, number, waits=waits))
    }
    return Through(own, behind_too(endings, own))


def _may_differ(
    endings: SharedEndings, others: SharedEndings, touched: Touched | None
) -> Iterable[int]:
    """The states that may have other ways than in the other configuration."""
    every = range(len(endings.states))
    if touched is None:
        return every
    places = {(system, server) for system, servers in touched.items() for server in servers}
    return (
        number
        for number, at in enumerate(endings.states)
        if (at[0], at[1].server) in places
        or endings.nodes[number] is None
        or (other := others.number.get(at)) is None
        or others.nodes[other] is None
    )


def has_later(endings: SharedEndings) -> bool:
    """Whether any way is taken later, which may depend on where others lead."""
    ways = (one for node in endings.nodes if node is not None for one in node.onward)
    return any(one.kind is Kind.LATER for one in ways)


def _over_own_ways(
    endings: SharedEndings, others: SharedEndings, number: int, *, waits: bool
) -> int:
    """The endings that a state comes to over ways that it has in this configuration alone: those
    between the first ways and the last ones that both have, in this order. All of them where the
    other does not know the state, or where the ways depend on each other (``waits``)."""
    ends, other = endings.ends(endings.states[number]), others.number.get(endings.states[number])
    every = 0 if ends is None else ends.possible
    mine = endings.nodes[number]
    theirs = None if other is None else others.nodes[other]
    if mine is None or theirs is None:
        return every
    ways, their_ways = _ways(endings, mine), _ways(others, theirs)
    if waits or mine.branches != theirs.branches:
        return 0 if (mine.branches, ways) == (theirs.branches, their_ways) else every
    first = _alike(ways, their_ways)
    last = _alike(ways[first:][::-1], their_ways[first:][::-1])
    return _together(
        one.ends.possible if one.to < 0 else _possible(endings, one.to)
        for one in mine.onward[first : len(ways) - last]
    )


def _ways(endings: SharedEndings, node: Node) -> list[Hashable]:
    """What is the same of a way in two configurations, whatever numbers states have."""
    return [(one.kind, one.ends if one.to < 0 else endings.states[one.to]) for one in node.onward]


def _alike(ways: Sequence[Hashable], others: Sequence[Hashable]) -> int:
    """How many ways are alike from the first one on."""
    number = 0
    while number < min(len(ways), len(others)) and ways[number] == others[number]:
        number += 1
    return number


def _possible(endings: SharedEndings, number: int) -> int:
    ends = endings.ends(endings.states[number])
    return 0 if ends is None else ends.possible


MOST_SAID = 4_096
"""Things said at the servers of a change that are told apart, of all messages together."""


@record
class Marked:
    """A step that may be the cause of what a message does otherwise: the bit of what it says, and
    whether it stands on a line that is looked for, and at a server that is."""

    bit: int
    on_line: bool
    at_server: bool
    told: Told


@record
class Marks:
    """The steps of one configuration that stand on lines, or at servers, which are looked for:
    those of a state, in the order of a trace; by state what those there and behind it say, on lines
    and at servers; and what of that, of either configuration, any step there or behind it says
    (``has``)."""

    steps: Mapping[int, Sequence[Marked]]
    on_lines: Mapping[int, int]
    at_servers: Mapping[int, int]
    has: Mapping[int, int]


def marks(
    sides: Sequence[SharedEndings],
    lines: Sequence[Collection[Line]],
    servers: Collection[tuple[str, str]],
) -> Sequence[Marks]:
    """The steps of each configuration on its own lines, and of both at servers; none of the latter
    where they say more than ``MOST_SAID``. Linear in the states that lead to one."""
    bits: dict[Content, int] = {}
    found = [
        _marked(endings, own, servers, bits) for endings, own in zip(sides, lines, strict=True)
    ]
    if len(bits) > MOST_SAID:
        bits = {}
        found = [_marked(endings, own, (), bits) for endings, own in zip(sides, lines, strict=True)]
    return [
        Marks(
            steps,
            behind_too(endings, _bits(steps, lambda one: one.on_line)),
            behind_too(endings, _bits(steps, lambda one: one.at_server)),
            behind_too(endings, _has(endings, bits)),
        )
        for endings, steps in zip(sides, found, strict=True)
    ]


def _marked(
    endings: SharedEndings,
    lines: Collection[Line],
    servers: Collection[tuple[str, str]],
    bits: dict[Content, int],
) -> dict[int, list[Marked]]:
    found: dict[int, list[Marked]] = {}
    for number in _concerned(endings, servers):
        for one in _in_order(endings, number):
            on_line = bool(one.source.line) and (one.source.file, one.source.line) in lines
            at_server = one.content[:2] in servers
            if on_line or at_server:
                bit = bits.setdefault(one.content, 1 << len(bits))
                found.setdefault(number, []).append(Marked(bit, on_line, at_server, one))
    return found


def _bits(
    steps: Mapping[int, Sequence[Marked]], chosen: Callable[[Marked], bool]
) -> dict[int, int]:
    bits = {
        number: _together(one.bit for one in own if chosen(one)) for number, own in steps.items()
    }
    return {number: own for number, own in bits.items() if own}


def _concerned(endings: SharedEndings, servers: Collection[tuple[str, str]]) -> list[int]:
    """The states that may tell of a step on a line or at one of the servers. What is told at a
    server which is not loaded, the states before it tell."""
    found = {
        number: None
        for number, node in enumerate(endings.nodes)
        if (node is not None and node.on_lines)
        or (endings.states[number][0], endings.states[number][1].server) in servers
    }
    for number in list(found):
        if not endings.reading.is_loaded(endings.states[number]):
            del found[number]
            found |= dict.fromkeys(endings.before(number))
    return [number for number in found if _can_tell(endings.nodes[number])]


def _can_tell(node: Node | None) -> bool:
    return node is not None and not node.more


def _in_order(endings: SharedEndings, number: int) -> Iterator[Told]:
    """The steps of a state, and of servers that are not loaded after those that lead there."""
    for one in endings.reading.told(endings.states[number]):
        yield one
        if one.to is not None and not endings.reading.is_loaded(one.to):
            yield from endings.reading.told(one.to)


def _has(endings: SharedEndings, bits: Mapping[Content, int]) -> dict[int, int]:
    """By state, which of some steps it tells."""
    places: dict[str, set[tuple[str, str]]] = {}
    for system, server, name, _ in bits:
        places.setdefault(server, set()).add((system, name))
    found: dict[int, int] = {}
    for server, names in places.items():
        for number in endings.at_server(server):
            system, state = endings.states[number]
            if (system, state.object) in names and _can_tell(endings.nodes[number]):
                steps = endings.reading.told((system, state))
                found[number] = _together(bits.get(one.content, 0) for one in steps)
    return found


def behind_too(endings: SharedEndings, own: Mapping[int, int]) -> dict[int, int]:
    """Bits of states, with those of all states behind them."""
    found = dict(own)
    for number in endings.last_first(endings.leading_to(own)):
        bits = found.get(number, 0)
        for to in endings.onward(number):
            bits |= found.get(to, 0)
        found[number] = bits
    return found


def _together(bits: Iterator[int]) -> int:
    found = 0
    for one in bits:
        found |= one
    return found
