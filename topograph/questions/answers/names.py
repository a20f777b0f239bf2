"""The answers about names and legality: ``cycles`` and ``interests``. See ``answers``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, overload

from topograph.findings import Source
from topograph.questions.answers.base import Answer, Undetermined
from topograph.records import record
from topograph.sequences import WritesEntries

if TYPE_CHECKING:
    from topograph.forwarding.points import Ints


@record
class Duplicate:
    """``server`` would hold ``name`` over several neighbours ``via``; one path a neighbour, from
    the owner of the name to the server. ``routes`` are the links (``A-B``, by name) any of which
    may be the one refused after a restart."""

    server: str
    """The server that would hold the name."""
    name: str
    """The name."""
    via: tuple[str, ...]
    """The neighbours it would come from, two or more."""
    paths: tuple[tuple[str, ...], ...]
    """One a neighbour, from the owner to the server."""
    routes: tuple[str, ...]
    """Links (`A-B`), any of which may be the one refused after a restart."""
    system: str = ""
    """The system that the servers run."""


@record
class RedundantPaths:
    """Servers joined by more than one path (a biconnected part of the network): wanted where
    nothing speaks against it.
    """

    routers: tuple[str, ...]
    """The routers of the part."""
    links: tuple[str, ...]
    """Its links (`A-B`)."""
    system: str = ""
    """The system that the routers run."""


@record
class RingRoute:
    """A route of a ring."""

    from_: str
    """The server at one end."""
    to: str
    """The server at the other end."""
    zone: str
    """The zone; empty where the system has none."""
    zone_type: str
    """Its type, such as `mhop`."""
    configured_by: str
    """The server whose file has the route, or `active-active`: both have it."""
    cost: int | None
    """The cost; null where the system has none."""
    refusable: bool | None
    """Whether a server may refuse this route after a restart, since a name would arrive over it
    and over another one; null where that is not known.
    """
    source: Source
    """The configuration line of the route."""


@record
class Ring:
    """A ring of routes: every two of its servers are joined by more than one path. Rings that
    share a route are one entry (a biconnected component of the network), since no path tells
    them apart."""

    servers: tuple[str, ...]
    """Around the ring where it is one alone, else by name."""
    routes: tuple[RingRoute, ...]
    """Around the ring where it is one alone; else those that may be refused first, then by name."""
    cycles: int | None
    """How many simple cycles its routes form: 1 for a ring alone; null where there are more than
    1,000.
    """
    legal: bool | str
    """Whether its system accepts it; `"unknown"` if the budget ended before that was known."""
    pairs: int
    """How many of the `duplicates` it brings; there may be more where `exact` is false."""
    system: str
    """The system that the servers run."""


@record
class CircleWay:
    """One thing that moves a message of a circle."""

    from_: str
    """The server that it leads from."""
    from_at: str
    """What the message is on there, such as `queue:orders`."""
    to: str
    """The server that it leads to, which may be the same."""
    to_at: str
    """What the message is on then."""
    text: str
    """What moves it, in words."""
    role: str
    """The kind of link, such as `shovel`; empty within a server."""
    condition: str
    """What has to happen for it; empty where nothing has to."""
    chosen: bool
    """Whether the server takes this way or another one."""
    rule: str
    """The rule that says so."""
    confidence: str
    """How sure the rule is."""
    source: Source
    """The configuration line of it."""


@record
class CircleOfMessages:
    """A way that leads messages back to where they were."""

    kind: str
    """`endless`: they go round for ever; `rejected`: as often as consumers reject them; `bounded`:
    until they came over as many links as are allowed; `dropped`: until a server notices that they
    come back."""
    certain: bool
    """Whether they go round for ever without anything that has to happen first. That is not
    legal."""
    servers: tuple[str, ...]
    """The servers, in the order of the ways."""
    ways: tuple[CircleWay, ...]
    """What moves the message, in order."""
    text: str
    """What ends the circle, or that nothing does."""
    rule: str
    """The rule that says so."""
    confidence: str
    """How sure that is."""
    server: str
    """Where a message is sent that gets there."""
    destination: str
    """Its destination."""
    message: dict[str, str]
    """What else it has, such as its `key`."""
    system: str
    """The system that the servers run."""


@record
class TwoWays:
    """Two ways over which a message arrives twice."""

    server: str
    """Where a message is sent that arrives twice."""
    destination: str
    """Its destination."""
    message: dict[str, str]
    """What else it has, such as its `key`."""
    at: str
    """The server at which it arrives twice."""
    receivers: tuple[str, ...]
    """What it arrives on there, such as `queue:orders`."""
    ways: tuple[tuple[CircleWay, ...], ...]
    """The two ways, by the links on each; none where it stays in its server."""
    system: str
    """The system that the servers run."""


@record(kw_only=True)
class CyclesAnswer(Answer):
    """``cycles``: ``legal`` is False if any server would hold a name over two routes (R20, R23), or
    if messages go round for ever, ``"unknown"`` if the budget ended before that was found or
    excluded."""

    question: ClassVar[str] = "cycles"
    rows_field: ClassVar[str] = "duplicates"

    legal: bool | str
    """`false` if a server would hold a name over more than one route, or if messages go round for
    ever by themselves, `"unknown"` if the budget ended before that was found or excluded.
    """
    duplicates: tuple[Duplicate, ...]
    """One a server and name, by server."""
    redundant: tuple[RedundantPaths, ...] = ()
    """Parts with more than one path, where that is wanted."""
    strict: bool = False
    """Whether cycles over several zones were to be refused too."""
    judged: bool = True
    """Whether any system of the network has a rule against more than one path, or tells which
    messages go round; without one there is nothing to be legal by.
    """
    rings: tuple[Ring, ...] = ()
    """The rings that the network holds: those that are not legal first, then by their servers."""
    circles: tuple[CircleOfMessages, ...] = ()
    """The ways that lead messages back to where they were: the endless first."""
    twice: tuple[TwoWays, ...] = ()
    """The ways over which messages arrive twice where nothing forbids that."""
    circles_of: tuple[str, ...] = ()
    """The systems whose messages were followed for that."""

    @property
    def violation(self) -> bool:
        return self.legal is not True


@record
class InterestEntry:
    """A name a server holds: learned from ``via`` over ``hops`` routes."""

    name: str
    """The name."""
    via: str
    """The neighbour it was learned from."""
    hops: int
    """Routes between owner and holder."""


class NamesListed(WritesEntries[InterestEntry]):
    """The names that one server holds, by name, as columns: the places of ``owners`` among
    ``names``, of ``vias`` among ``servers``, and ``hops``. An entry is made when it is read: all
    servers together hold as many names as there are pairs."""

    def __init__(
        self, texts: tuple[Sequence[str], Sequence[str]], columns: tuple[Ints, Ints, Ints]
    ) -> None:
        self._names, self._servers = texts
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns[0])

    def _rows(self) -> Iterator[tuple[int, int, int]]:
        return zip(*(one.tolist() for one in self._columns), strict=True)

    def __iter__(self) -> Iterator[InterestEntry]:
        names, servers = self._names, self._servers
        return (
            InterestEntry(names[owner], servers[via], hops) for owner, via, hops in self._rows()
        )

    @overload
    def __getitem__(self, index: int) -> InterestEntry: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[InterestEntry]: ...
    def __getitem__(self, index: int | slice) -> InterestEntry | Sequence[InterestEntry]:
        owners, vias, hops = self._columns
        if isinstance(index, slice):
            texts = self._names, self._servers
            return NamesListed(texts, (owners[index], vias[index], hops[index]))
        owner, via = self._names[owners[index]], self._servers[vias[index]]
        return InterestEntry(owner, via, int(hops[index]))

    def written(self, quoted: Callable[[str], str]) -> Iterator[str]:
        """See ``WritesEntries``. Linear in the entries."""
        owners, vias, _ = self._columns
        name = {one: quoted(self._names[one]) for one in set(owners.tolist())}
        via = {one: quoted(self._servers[one]) for one in set(vias.tolist())}
        return (
            f'{{"name": {name[owner]}, "via": {via[by]}, "hops": {hops}}}'
            for owner, by, hops in self._rows()
        )


@record
class InterestDifference:
    """A name that is missing from, or unexpected in, what a server was observed to hold."""

    server: str
    """The server."""
    name: str
    """The name."""
    via: str
    """The neighbour; empty if the observation does not say."""


@record
class InterestListed:
    """Interest in a topic that a running server listed: of a client, or held for another server
    so that messages go there.
    """

    server: str
    """The server that listed it."""
    topic: str
    """The topic or pattern."""
    kind: str
    """`subscriber`, `durable`, or `route`: held for another server."""
    for_: str
    """The server that it is held for; empty for a client."""
    state: str
    """`client`: nothing that is configured implies it or speaks against it; `expected`: implied;
    `unexpected`: not implied; `unknown`.
    """
    because: str
    """Why it is expected, unexpected or unknown."""
    source: Source
    """The line of the list."""


@record
class InterestNotListed:
    """Interest that is implied, and that a list which holds all there was does not show."""

    server: str
    """The server that should hold it."""
    topic: str
    """The topic or pattern."""
    for_: str
    """The server that it should be held for; empty for a durable of a client."""
    because: str
    """What implies it."""
    source: Source
    """Where that stands."""
    listing: Source
    """The list that does not show it."""


@record(kw_only=True)
class InterestsAnswer(Answer):
    """``interests``: per server the names it holds (R22), by name. With observations also the
    differences; ``compared`` are the servers whose observed names were compared."""

    question: ClassVar[str] = "interests"
    rows_field: ClassVar[str] = "servers"

    servers: dict[str, Sequence[InterestEntry]]
    """Per server the names it holds, by name."""
    undetermined: tuple[Undetermined, ...] = ()
    """Servers of which not all is known: their files are not loaded, or the budget ended."""
    missing: tuple[InterestDifference, ...] = ()
    """Held by the rules, not observed."""
    unexpected: tuple[InterestDifference, ...] = ()
    """Observed, not held by the rules."""
    compared: tuple[str, ...] = ()
    """Servers whose observed names were compared."""
    listed: tuple[InterestListed, ...] = ()
    """With `--observed` alone: the interest in topics that servers listed, by server and line."""
    not_listed: tuple[InterestNotListed, ...] = ()
    """Interest in topics that is implied, and that a whole list does not show."""
    not_observed: tuple[Undetermined, ...] = ()
    """Servers of which not all interest was listed: what they hold beside what was listed is not
    known.
    """
    system: str = ""
    """The system that the servers run."""
