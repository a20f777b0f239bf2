"""Whether the files of one import are of one estate: two descriptions of one server that differ,
from different folders, are two environments or two times, and never one server. So are two folders
that describe several servers alike, file for file: one is then a copy of the other, or is still as
the other was.

This is decided here for all systems. What a bundle describes a server as, its system says
(``System.describes``); two members of a fault-tolerant pair, of which one names the other as
``ft_active``, are one server (ems.md R7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import PurePosixPath

from topograph.facts.fact import Fact
from topograph.findings import Finding
from topograph.rules.unnumbered import SEVERAL_ESTATES
from topograph.side_inputs import Contradiction
from topograph.systems.contract.described import Described
from topograph.systems.registry import system


def contradictions(facts: Iterable[Fact]) -> Iterator[Contradiction]:
    """Each server that folders describe differently, by system and name; then those that two
    folders describe alike. Linear in the facts."""
    by_server: dict[tuple[str, str], dict[str, list[Fact]]] = {}
    for fact in facts:
        by_server.setdefault((fact.system, fact.server), {}).setdefault(fact.bundle, []).append(
            fact
        )
    for (name, server), bundles in sorted(by_server.items()):
        if len(bundles) > 1 and server:
            yield from _of_server(name, server, bundles)
    yield from _mirrored(by_server)


_MIRRORED = 2
"""Servers that two folders have to describe under the same names of files: one alone may be the
second member of a pair, or a second machine."""


def _mirrored(
    by_server: Mapping[tuple[str, str], Mapping[str, Sequence[Fact]]],
) -> Iterator[Contradiction]:
    """The servers that two folders describe alike, in files of the same names below them."""
    found: dict[tuple[str, str], list[Contradiction]] = {}
    for (name, server), bundles in by_server.items():
        describe = system(name).describes
        if len(bundles) < 2 or not server or describe is None:
            continue
        made = [one for one in map(describe, bundles.values()) if one is not None]
        if any(one.standby for one in made) or len(made) < 2:
            continue
        for first, second in combinations(sorted(made, key=lambda one: one.source), 2):
            folders = apart(first.source.file, second.source.file)
            if folders is None or first.said != second.said:
                continue
            if _below(first.source.file, folders[0]) == _below(second.source.file, folders[1]):
                both = (first.source, second.source)
                found.setdefault(folders, []).append(Contradiction(server, folders, both, True))
    for own in found.values():
        if len({one.server for one in own}) >= _MIRRORED:
            yield from own


def _below(file: str, folder: str) -> str:
    return file if folder == "." else file[len(folder) :].lstrip("/!")


def told(found: Iterable[Contradiction]) -> Iterator[Finding]:
    """A finding for each server that is described differently; of folders that are alike, one."""
    alike: set[tuple[str, ...]] = set()
    for one in found:
        if one.alike and one.folders in alike:
            continue
        alike.add(one.folders)
        first, second = one.folders[:2]
        how = "in files of the same names" if one.alike else "and differently"
        message = (
            f"{first} and {second} both describe {one.server}, {how} "
            f"({one.sources[0]}): the files are of two estates, or of one at two times. Read one "
            "folder alone (-s), or leave the other out."
        )
        yield SEVERAL_ESTATES.at(one.sources[1], message, server=one.server)


def _of_server(
    name: str, server: str, bundles: Mapping[str, Sequence[Fact]]
) -> Iterator[Contradiction]:
    """The first two descriptions of a server, by their places, that differ and lie in different
    folders; none where there are no such. Quadratic in the texts that describe it.
    """
    describe = system(name).describes
    if describe is None:
        return
    made = (describe(facts) for _, facts in sorted(bundles.items()))
    found = sorted((one for one in made if one is not None), key=lambda one: one.source)
    if len(found) == 2 and any(one.standby for one in found):
        return
    for first, second in combinations(found, 2):
        folders = apart(first.source.file, second.source.file)
        if folders is not None and first.differs(second):
            both = (first.source, second.source)
            more = _further(found, first, second)
            yield Contradiction(server, tuple(dict.fromkeys((*folders, *more))), both)
            return


def _further(found: Sequence[Described], first: Described, second: Described) -> Iterator[str]:
    """The folders of further descriptions that differ from two which differ."""
    for other in found:
        if first.differs(other) and second.differs(other):
            pairs = (apart(one.source.file, other.source.file) for one in (first, second))
            folders = [pair[1] if pair else None for pair in pairs]
            if None not in folders and folders[0] == folders[1]:
                yield str(folders[0])


def apart(first: str, second: str) -> tuple[str, str] | None:
    """The folders that tell two files apart, as short as they may be; None for files of one folder.

    >>> apart("DEV/hub/tibemsd.conf", "PROD/hub/tibemsd.conf")
    ('DEV', 'PROD')
    >>> apart("conf/hub/a.conf", "conf/old/hub/a.conf"), apart("hub.conf", "hub.bak")
    (('conf', 'conf/old'), None)
    >>> apart("DEV/a/x.conf", "PROD/b/y.conf"), apart("a.conf", "old/b.conf")
    (('DEV', 'PROD'), ('.', 'old'))
    """
    one, other = (PurePosixPath(path).parts for path in (first, second))
    if one[:-1] == other[:-1]:
        return None
    # The same folders below, as in DEV/hub/x and PROD/hub/x, tell nothing apart.
    below = 0
    while below < min(len(one), len(other)) and one[-1 - below] == other[-1 - below]:
        below += 1
    tops = [path[: len(path) - max(below, 1)] for path in (one, other)]
    shared = 0
    while tops[0][shared : shared + 1] == tops[1][shared : shared + 1] != ():
        shared += 1
    if shared < min(map(len, tops)):
        tops = [top[: shared + 1] for top in tops]
    return str(PurePosixPath(*tops[0])), str(PurePosixPath(*tops[1]))
