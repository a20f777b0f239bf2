"""What a system answers ``interests`` with (``System.names``)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, overload, runtime_checkable

import numpy as np

from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.simple import Path
from topograph.records import record
from topograph.sequences import EqualByEntries

if TYPE_CHECKING:
    from topograph.forwarding.graph import Bools, Closed, ForwardingGraph
    from topograph.forwarding.points import Ints
    from topograph.forwarding.walker import Walker


@record
class HeldName:
    """Server ``holder`` holds the name of ``owner``, learned from ``via``; ``path`` (points) is
    the shortest from holder to owner.
    """

    holder: int
    owner: int
    via: int
    path: Path

    @property
    def hops(self) -> int:
        """Routes between owner and holder."""
        return len(self.path) - 1


class HeldOnce(EqualByEntries[HeldName]):
    """The names that ``holder`` holds where each comes over one path: a column each of ``owners``,
    in order, of ``vias`` and of ``hops``. An entry is made when it is read; ``paths`` gives the
    path of each owner then."""

    def __init__(
        self,
        holder: int,
        columns: tuple[Ints, Ints, Ints],
        paths: Callable[[], Mapping[int, Path]],
    ) -> None:
        self.holder = holder
        self.owners, self.vias, self.hops = columns
        self._made = paths

    @cached_property
    def _paths(self) -> Mapping[int, Path]:
        return self._made()

    def __len__(self) -> int:
        return len(self.owners)

    def __iter__(self) -> Iterator[HeldName]:
        for owner, via in zip(self.owners.tolist(), self.vias.tolist(), strict=True):
            yield HeldName(self.holder, owner, via, self._paths[owner])

    @overload
    def __getitem__(self, index: int) -> HeldName: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[HeldName]: ...
    def __getitem__(self, index: int | slice) -> HeldName | Sequence[HeldName]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        owner = int(self.owners[index])
        return HeldName(self.holder, owner, int(self.vias[index]), self._paths[owner])


@dataclass
class Held:
    """The names one server holds, by (owner, via), as far as they were ``found``; ``undecided``
    owners are those the budget left open.
    """

    found: Sequence[HeldName]
    undecided: set[int] = field(default_factory=set)

    def columns(self) -> tuple[Ints, Ints, Ints]:
        """The owners, vias and hops of what was found, without the paths."""
        found = self.found
        if isinstance(found, HeldOnce):
            return found.owners, found.vias, found.hops
        rows = [(one.owner, one.via, one.hops) for one in found]
        owners, vias, hops = np.array(rows, np.int32).reshape(-1, 3).T
        return owners, vias, hops

    def rows(self) -> Iterator[tuple[int, int, int]]:
        """(owner, via, hops) of what was found, without the paths."""
        return zip(*(one.tolist() for one in self.columns()), strict=True)


class Unknowns(Protocol):
    """What the loaded files leave open of a network under the given closed guards; made when
    needed.
    """

    @property
    def open_ended(self) -> list[int]:
        """The servers that may have links which no file shows."""
        ...

    @property
    def paths_certain(self) -> bool:
        """Whether no path is left open (``leaves_open``)."""
        ...

    def leaves_open(self, path: Path) -> tuple[str, Source] | None:
        """Why it is not certain that messages take a path: a link on it that may not come up, or a
        server whose configuration is not loaded; text and place, None if it is certain."""
        ...

    def unreached(self, start: int, end: int) -> tuple[str, Source] | None:
        """Why "``end`` is not reached from ``start``" is not certain: text and place; None if it
        is certain.
        """
        ...

    def unreached_from(self, start: int) -> Bools:
        """By server whether it is left open that it is not reached from ``start``: by
        ``unreached``, or because one of the two is not loaded."""
        ...

    def not_loaded(self, server: int) -> tuple[str, Source]:
        """Why nothing certain can be said of a server."""
        ...


@record
class SeenInterest:
    """Interest in a topic that a running server listed: ``kind`` is ``subscriber``, ``durable``,
    or ``route``: held for the server ``for_``. ``state`` is ``client`` (nothing that is
    configured implies it or speaks against it), ``expected`` (implied), ``unexpected`` or
    ``unknown``; ``because`` says why."""

    server: str
    topic: str
    kind: str
    for_: str
    state: str
    because: str
    source: Source


@record
class MissedInterest:
    """Interest that is implied, held for the server ``for_`` (empty: for a client), and that a
    list which holds all there was (``listing``) does not show. ``because`` says what implies it,
    and ``source`` where that stands."""

    server: str
    topic: str
    for_: str
    because: str
    source: Source
    listing: Source


@record
class ListedInterest:
    """What running servers listed, beside what is implied. ``names`` are the names (with the
    neighbour) that servers listed all of, by server; ``open`` says of which servers not all was
    listed: server, why, where. ``servers`` are those that listed anything."""

    seen: tuple[SeenInterest, ...] = ()
    missed: tuple[MissedInterest, ...] = ()
    open: tuple[tuple[str, str, Source], ...] = ()
    names: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    servers: tuple[str, ...] = ()


@runtime_checkable
class Observing(Protocol):
    """An estate that knows what running servers listed (``interests --observed``)."""

    def listed_interest(
        self, graph: ForwardingGraph, walker: Walker, servers: Collection[str], budget: Budget, /
    ) -> ListedInterest:
        """The interest in topics that some servers listed, and what is implied and was not
        listed. Raises BudgetSpent.
        """
        ...


class Names(Protocol):
    """The names that servers hold because a rule implies it (``interests``)."""

    def names_held(
        self, graph: ForwardingGraph, walker: Walker, holder: int, closed: Closed, budget: Budget, /
    ) -> Held:
        """What one server holds. Raises BudgetSpent where the budget ends before anything is
        known.
        """
        ...

    def links_down(self, graph: ForwardingGraph, /) -> Closed:
        """The links that are configured and down whatever the message is."""
        ...

    def unknowns(self, graph: ForwardingGraph, walker: Walker, closed: Closed, /) -> Unknowns:
        """What the loaded files leave open."""
        ...

    def name_of(self, server: str, /) -> str:
        """The name that a server brings into the network."""
        ...

    def names_are_unique(self, graph: ForwardingGraph, /) -> bool:
        """Whether no server can hold a name twice: ``known_names`` is then complete, one walk a
        server.
        """
        ...

    def known_names(
        self, graph: ForwardingGraph, servers: Sequence[int], /
    ) -> Iterator[tuple[str, str, str, int]]:
        """(holder, name, via, hops) of what some servers hold; an import writes them down."""
        ...
