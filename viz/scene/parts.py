"""The parts into which a failure or a change separates servers: groups that lose each other, each
with a letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from topograph.questions.texts.layout import count, listed
from topograph.records import record
from topograph.viz.scene.judged import Claim
from topograph.viz.scene.pairs import PairsDrawn
from topograph.viz.scene.records import GroupDrawn, Mark, PartDrawn, RowDrawn
from topograph.words.visible import clean

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""More parts than these have no letters."""

NAMED = 12
"""Members of a part that the list names; the rest is counted."""


@record
class Separation:
    """What pairs of servers that are lost come to. ``splits`` are sets of parts, the largest part
    of each first: every server of a part loses every server of the other parts of its split, and
    none of its own. ``claims`` says of each server of the pairs how it is marked.
    """

    splits: tuple[tuple[tuple[str, ...], ...], ...] = ()
    claims: Mapping[str, Claim] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[PartDrawn, ...]:
        """The parts with their letters; none where there are more parts than letters."""
        parts = [part for split in self.splits for part in split]
        if len(parts) > len(LETTERS):
            return ()
        return tuple(PartDrawn(*one) for one in zip(LETTERS, parts, strict=False))


def separation(pairs: PairsDrawn) -> Separation:
    """The parts that ordered pairs which are lost make of their servers.

    Servers that lose the same others, both ways, are a part if the parts that they lose are whole
    as well. Of such parts all are cut off, unless one has more than half of the servers of its
    split: then it is the rest of the network, and only no longer joined to them. A server of any
    other pair only no longer reaches some. Linear in the distinct lists of the pairs, sorting
    aside.
    """
    found = pairs.others()
    others = {server: lost for server, (lost, _) in found.items()}
    one_way = {server for server, (_, apart) in found.items() if apart}
    claims: dict[str, Claim] = dict.fromkeys(others, Claim.APART)
    splits = []
    for members in _joined(others):
        split = None if one_way.intersection(members) else _split(members, others)
        if split is None:
            continue
        splits.append(split)
        rest = 2 * len(split[0]) > len(members)
        for number, part in enumerate(split):
            if number or not rest:
                claims.update(dict.fromkeys(part, Claim.CUT_OFF))
    splits.sort(key=lambda one: (-sum(map(len, one)), one[0]))
    return Separation(tuple(splits), claims)


def _joined(others: Mapping[str, frozenset[str]]) -> Iterator[list[str]]:
    """The servers in groups that no lost pair leads out of."""
    due = set(others)
    looked_at: set[int] = set()
    for name in sorted(others):
        if name not in due:
            continue
        due.discard(name)
        found = [name]
        for one in found:
            if id(others[one]) in looked_at:
                continue
            looked_at.add(id(others[one]))
            new = others[one] & due
            due -= new
            found += new
        yield found


def _split(
    members: Sequence[str], others: Mapping[str, frozenset[str]]
) -> tuple[tuple[str, ...], ...] | None:
    """The parts of servers, the largest first, if each loses all of the others; else None."""
    alike: dict[frozenset[str], list[str]] = {}
    for name in members:
        alike.setdefault(others[name], []).append(name)
    if any(len(lost) != len(members) - len(part) for lost, part in alike.items()):
        return None
    return tuple(sorted((tuple(sorted(part)) for part in alike.values()), key=_largest_first))


def _largest_first(part: Sequence[str]) -> tuple[int, Sequence[str]]:
    return -len(part), part


def parts_group(found: Separation) -> GroupDrawn:
    """The parts as a list next to the picture; empty where they have no letters."""
    letters = {part.servers: part.letter for part in found.parts}
    names = ", ".join(
        " | ".join(letters[part] for part in split) for split in found.splits if letters
    )
    rows = tuple(
        RowDrawn(
            (),
            clean(f"{part.letter}: {listed(part.servers, NAMED)}"),
            (count(len(part.servers), "server"),) if len(part.servers) > 1 else (),
        )
        for part in found.parts
    )
    title = f"Parts that lose each other: {names}"
    return GroupDrawn(title, Mark.CUT_OFF, rows, len(rows), count(len(rows), "part"))
