"""The answer of ``impact``. See ``answers``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, overload

from topograph.findings import Source
from topograph.questions.answers.base import Answer
from topograph.records import record
from topograph.sequences import WritesEntries
from topograph.systems.contract.separated import SeparatedPairs


@record
class Lost:
    """A pair of servers that no longer reach each other."""

    from_: str
    """The first server."""
    to: str
    """The last."""
    outcome: str
    """What happens to messages meanwhile and afterwards."""
    system: str = ""
    """The system that both run."""


class LostPairs(WritesEntries[Lost]):
    """The pairs that a failure separates, by name: made each time they are gone through, since they
    may be tens of millions."""

    def __init__(self, pairs: SeparatedPairs, system: str) -> None:
        self.pairs, self.system = pairs, system

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Lost]:
        return (Lost(*one, self.system) for one in self.pairs)

    @overload
    def __getitem__(self, index: int) -> Lost: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Lost]: ...
    def __getitem__(self, index: int | slice) -> Lost | Sequence[Lost]:
        if isinstance(index, slice):
            return [Lost(*one, self.system) for one in self.pairs[index]]
        return Lost(*self.pairs[index], self.system)

    def written(self, quoted: Callable[[str], str]) -> Iterator[str]:
        """See ``WritesEntries``. Linear in the pairs: servers that lose the same others share all
        but the beginning of their texts."""
        system = quoted(self.system)
        made: dict[int, list[str]] = {}
        for start, ends in self.pairs.by_start():
            if id(ends) not in made:
                made[id(ends)] = [
                    f'{quoted(end)}, "outcome": {quoted(outcome)}, "system": {system}}}'
                    for end, outcome in sorted(
                        (end, outcome) for outcome, own in ends.items() for end in own
                    )
                ]
            first = f'{{"from": {quoted(start)}, "to": '
            yield from [first + behind for behind in made[id(ends)]]


def separated(lost: Sequence[Lost]) -> SeparatedPairs:
    """Lost pairs in the groups that they were found in, or by their first servers."""
    if isinstance(lost, LostPairs):
        return lost.pairs
    return SeparatedPairs.of({(one.from_, one.to): one.outcome for one in lost})


@record
class Rerouted:
    """A pair of servers that reach each other by another path."""

    from_: str
    """The first server."""
    to: str
    """The last."""
    before: tuple[str, ...]
    """The path before."""
    after: tuple[str, ...]
    """The path afterwards."""
    cost_before: int
    """The cost of the path before."""
    cost_after: int
    """The cost of the path afterwards."""
    system: str = ""
    """The system that they run."""


@record
class ContainerLost:
    """A container that servers no longer reach."""

    container: str
    """The container: a broker, by host and port where it has no other name."""
    servers: tuple[str, ...]
    """The servers that reached it before and do not afterwards."""
    addresses: tuple[str, ...]
    """The addresses that are stored there, and the prefixes and patterns of link routes to it."""
    outcome: str
    """What happens to messages to them."""
    source: Source
    """Where the connection to it is configured."""
    system: str = ""
    """The system that the servers run."""


@record
class OutcomeChanged:
    """Messages to a destination of a living server that end in another way."""

    server: str
    """The server they are put at."""
    destination: str
    """The destination there."""
    before: tuple[str, ...]
    """The outcomes that are no longer there, or no longer certain, each with its server."""
    after: tuple[str, ...]
    """The outcomes in their place."""
    rule: str
    """The rule of the first new one."""
    source: Source
    """Its evidence."""
    system: str = ""
    """The system of the server."""
    no_longer_passed: tuple[str, ...] = ()
    """Where messages end as before: what they no longer pass on their way, such as a mediation."""
    now_passed: tuple[str, ...] = ()
    """What they pass in its place."""
    cause: Source = Source("")
    """The line of the change that it comes from, in the state before where the change takes it
    away; empty in `impact`."""
    service: bool = False
    """Whether it is a listener whose clients are served before and nowhere afterwards; `server` is
    that of the listener, `source` its line."""
    waits_at: tuple[str, ...] = ()
    """The servers at which the messages wait in the new outcomes, where that is certain."""

    @property
    def goes_otherwise(self) -> bool:
        """Whether the messages end as before and only their way is another one."""
        return bool(self.no_longer_passed or self.now_passed)


@record
class CopyAlong:
    """A copy that is made of messages farther on, and shares their fate."""

    server: str
    """The server that makes it."""
    destination: str
    """Where it is put."""
    taken_at: tuple[str, ...]
    """The servers where it is taken, as far as is known."""
    source: Source
    """Where that is configured."""


@record
class Interruption:
    """Messages of publishers that do not get to subscribers while a failure lasts, at one place
    and on one destination.
    """

    at: str
    """The server that has the messages last."""
    neighbour: str
    """The server that they would go to next; empty where a client of `at` is away."""
    destination: str
    """What they are published to; empty: whatever goes that way, where nobody is known to
    subscribe.
    """
    publishers: tuple[str, ...]
    """The servers with a known publisher; empty where none is declared: then it may be any
    server that reaches `at`.
    """
    subscribers: tuple[str, ...]
    """The servers with a subscriber that does not get them meanwhile."""
    pairs: int
    """How many pairs of a publisher and a subscriber, known or supposed, have no other path."""
    assumed: str
    """What of these is only supposed to be at every server: `publishers`, `publishers and
    subscribers`, or nothing.
    """
    rule: str
    """The row of the failure table that says so."""
    confidence: str
    """How sure that is."""
    reason: str
    """Why: which side configured the route, or what the client is."""
    source: Source
    """The route, or the client."""
    system: str = ""
    """The system of the servers."""
    copies: tuple[CopyAlong, ...] = ()
    """Copies that bridges make of the messages farther on: missed, stored or doubled with them."""


@record
class Gap(Interruption):
    """Messages that are published meanwhile and not kept for these subscribers."""

    removed: tuple[tuple[str, str], ...] = ()
    """The internal subscriptions that are deleted because of it, where a client is away: server,
    and the neighbour it was for.
    """


@record
class Retained(Interruption):
    """Messages that are stored meanwhile and passed on afterwards, as long as the storage holds
    them.
    """

    duplicates: bool = False
    """Whether consumers may get some of them twice."""
    max_bytes: int | None = None
    """The bytes that `at` stores of this destination for this neighbour or client at most; null:
    no limit, or not known.
    """
    max_messages: int | None = None
    """The messages, likewise."""
    when_full: str = ""
    """What happens at the limit; empty where the destination, or the file with its limits, is
    not known.
    """
    limit_source: Source | None = None
    """Where the limit stands, or the entry that has none."""
    hours: float | None = None
    """With `--rate`: the hours until the limit is reached; null: never, or not known."""


@record
class FailureCounted:
    """One failure of a sweep."""

    failed: str
    """What fails: `server:X`, `route:A-B` or `broker:C`."""
    lost: int
    """Ordered pairs of living servers that no longer reach each other."""
    rerouted: int
    """Ordered pairs that reach each other by another path."""
    source: Source
    """Where it is configured."""
    system: str = ""
    """The system that what fails is of."""
    containers: int = 0
    """Pairs of a living server and a container that it no longer reaches."""
    changed: int = 0
    """Destinations of living servers whose messages end in another way."""
    gaps: int = 0
    """Pairs of a publisher and a subscriber, known or supposed, of which messages are missed
    meanwhile.
    """
    retained: int = 0
    """Such pairs of which messages are stored meanwhile."""
    duplicates: int = 0
    """Those of them whose consumers may get messages twice."""
    queues: int = 0
    """Queues whose messages wait meanwhile, one for each server that keeps them."""
    own: int = 0
    """Ordered pairs that reached each other before, and that the failed server is itself an end
    of. They count for the order."""
    own_containers: int = 0
    """Containers that the failed server reached itself. They count for the order."""
    services: int = 0
    """Listeners of living servers whose clients are served nowhere any more. They are among
    `changed`, too."""
    own_services: int = 0
    """Listeners of the failed server itself whose clients were served. They count for the
    order."""


@record(kw_only=True)
class ImpactAnswer(Answer):
    """``impact``: what a failure does. With a sweep ``failures`` has one row a failure, worst
    first, and the lists of pairs are empty.
    """

    question: ClassVar[str] = "impact"
    rows_field: ClassVar[str] = "lost"

    failed: tuple[str, ...]
    """What fails."""
    lost: Sequence[Lost] = ()
    """Ordered pairs of living servers that no longer reach each other."""
    held: tuple[dict[str, object], ...] = ()
    """What is stored until the failure is over."""
    gaps: tuple[Gap, ...] = ()
    """What is not kept for whom meanwhile."""
    retained: tuple[Retained, ...] = ()
    """What is kept for whom, where, and up to which limit."""
    changed: tuple[OutcomeChanged, ...] = ()
    """Destinations of living servers whose messages end in another way, where the system tells
    them one by one.
    """
    rerouted: tuple[Rerouted, ...] = ()
    """Ordered pairs that reach each other by another path, or at another cost."""
    taken_over: tuple[dict[str, str], ...] = ()
    """What takes over: edge routers whose uplink moves, servers of which another member runs on:
    edge, before, after.
    """
    containers: tuple[ContainerLost, ...] = ()
    """Containers that servers no longer reach."""
    transient: dict[str, object] | None = None
    """What holds until the failure is noticed everywhere: `max_seconds` and `outcome`; null
    where nothing moves and nothing gets out of reach.
    """
    failures: tuple[FailureCounted, ...] = ()
    """One a failure of a sweep, worst first."""
    left_out: tuple[str, ...] = ()
    """What the budget left out: servers whose pairs with others were not compared, or failures
    of a sweep that were not counted.
    """
    systems: tuple[str, ...] = ()
    """The systems whose servers were compared, by name."""
    pairs: int | None = None
    """How many ordered pairs of living servers there are; null with a sweep, or where the budget
    ended before they were looked at.
    """
    reached_before: int | None = None
    """In how many of them the first server reached the second before the failure, certainly or by
    a choice at run time. Only these can be lost.
    """
    own: int | None = None
    """How many ordered pairs that reached each other before have a failed server as an end. They
    are not in `lost`.
    """
