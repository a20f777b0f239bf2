"""The points of EMS networks (ems.md 6.1): origins of servers, then two arrivals a link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat

import numpy as np

from topograph.findings import Source
from topograph.forwarding.graph import Server
from topograph.forwarding.points import Ints, Labels, PointColumns
from topograph.outcomes import Confidence
from topograph.systems.ems.network.links import EmsLink


def points_of(
    servers: Sequence[Server],
    links: Sequence[EmsLink],
    number: Mapping[str, int],
    guards: Sequence[tuple[int, ...]],
) -> PointColumns:
    """The points, as columns from the start: as records those of 100,000 servers would take half a
    gigabyte. ``number`` numbers the servers by name; ``guards`` are those of both directions of
    each link, towards its second end first. Linear in servers and links."""
    origins, count = len(servers), len(servers) + 2 * len(links)
    first, second = (_numbers(number[link.ends[side]] for link in links) for side in (0, 1))
    nowhere = np.full(origins, -1, np.int32)
    ways = [(link, *ends) for link in links for ends in (link.ends, link.ends[::-1])]
    places = [*(one.source for one in servers), *(_place(link, start) for link, start, _ in ways)]
    sizes = np.concatenate((np.zeros(origins + 1, np.int64), _numbers(map(len, guards))))
    return PointColumns(
        key=[
            *(f"{server.name}|origin" for server in servers),
            *(f"{end}|{start}" for _, start, end in ways),
        ],
        kind=Labels.of(chain(repeat("origin", origins), repeat("arrival", count - origins)), count),
        server=np.concatenate((np.arange(origins, dtype=np.int32), _by_turns(second, first))),
        previous=np.concatenate((nowhere, _by_turns(first, second))),
        target=np.full(count, -1, np.int32),
        link=np.concatenate((nowhere, np.repeat(np.arange(len(links), dtype=np.int32), 2))),
        zone=_of_links(origins, (link.zone for link in links), len(links)),
        zone_type=_of_links(origins, (link.zone_type for link in links), len(links)),
        cost=np.zeros(count, np.int32),
        guard_starts=np.cumsum(sizes),
        guard_values=_numbers(chain.from_iterable(guards)),
        rule=_same("R13", count),
        confidence=_same(Confidence.H.value, count),
        configured_by=_of_links(origins, (link.role for link in links), len(links)),
        file=Labels.of((one.file for one in places), count),
        line=_numbers(one.line for one in places),
        column=_numbers(one.column for one in places),
        state=_same("", count),
    )


def _place(link: EmsLink, start: str) -> Source:
    """The line that permits the step over a link from one of its ends."""
    return link.routes[start].source if start in link.routes else link.source


def _numbers(values: Iterable[int]) -> Ints:
    return np.fromiter(values, np.int32)


def _by_turns(even: Ints, odd: Ints) -> Ints:
    """The values of two columns of equal length by turns."""
    return np.stack((even, odd), axis=1).ravel()


def _same(text: str, count: int) -> Labels:
    """A column with one text in every row."""
    return Labels(np.zeros(count, np.int32), (text,) if count else ())


def _of_links(origins: int, texts: Iterable[str], links: int) -> Labels:
    """A column that is empty at the origins, and has the text of the link at both its arrivals."""
    once = Labels.of(chain(repeat("", origins), texts), origins + links)
    return Labels(
        np.concatenate((once.codes[:origins], np.repeat(once.codes[origins:], 2))), once.values
    )
