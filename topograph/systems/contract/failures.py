"""What a system answers ``impact`` with (``contract.system.Estate.failures``)."""

from __future__ import annotations

from collections.abc import Sequence

from topograph.findings import Source
from topograph.inexact import Doubt
from topograph.records import record
from topograph.systems.contract.separated import SeparatedPairs


@record
class PathMoved:
    """A pair of servers that still reach each other after a failure by another path, or at
    another cost.
    """

    from_: str
    to: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    cost_before: int
    cost_after: int


@record
class OutcomeMoved:
    """A message to a destination of a server that ends in another way after a failure: the
    endings that differ, and the evidence of a new one.
    """

    server: str
    destination: str
    system: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    rule: str = ""
    source: Source = Source("")
    no_longer_passed: tuple[str, ...] = ()
    """What messages that end as before pass no longer on their way, in words."""
    now_passed: tuple[str, ...] = ()
    """What they pass in its place."""
    cause: Source = Source("")
    """The line of a change that it comes from."""
    service: bool = False
    """Whether it is a listener whose clients are served nowhere any more."""
    waits_at: tuple[str, ...] = ()
    """The servers where the message waits afterwards, of those in ``after`` that are certain."""


@record
class StorageBound:
    """How much a server stores for one neighbour or client: bytes and messages, None where there
    is no limit; what happens when it is full; where the limit stands, or the entry that has
    none. ``known`` is False where the entry was not found."""

    max_bytes: int | None
    max_messages: int | None
    when_full: str
    source: Source
    known: bool = True

    def hours(self, messages: float, size: float) -> float | None:
        """Hours until it is reached at so many messages and bytes per second (0: not given);
        None if it never is, as far as known.
        """
        filled = [
            limit / rate
            for limit, rate in ((self.max_messages, messages), (self.max_bytes, size))
            if limit is not None and rate > 0
        ]
        return min(filled) / 3600 if filled else None


@record
class Copied:
    """A copy of a message that a server puts on a destination of its own, as configured at
    ``source``; ``taken_at`` are the servers where it is taken, as far as is known."""

    server: str
    destination: str
    taken_at: tuple[str, ...]
    source: Source


@record
class Interrupted:
    """Messages that cannot be passed on while a failure lasts: at server ``at``, on their way to
    ``neighbour`` (empty: to its own client), on ``destination`` (empty: whatever destination goes
    that way).

    ``kept``: they are stored there and passed on afterwards, within ``bound``; else they are
    missed. ``duplicates``: receivers may get some twice. ``subscribers`` and ``publishers`` are the
    servers concerned, by name; ``assumed`` says which of them are only supposed. ``pairs`` is the
    number of publisher and subscriber pairs whose only path this was. ``removed`` are the (server,
    neighbour) whose internal subscription goes. ``waits_for`` is the reason why what is kept waits,
    in the words of outcomes.md; empty: the neighbour, or the client, is away. ``copies`` are those
    that are made of the messages farther on, and share their fate.
    """

    at: str
    neighbour: str
    destination: str
    kept: bool
    duplicates: bool
    rule: str
    confidence: str
    reason: str
    source: Source
    publishers: tuple[str, ...] = ()
    subscribers: tuple[str, ...] = ()
    pairs: int = 0
    assumed: str = ""
    bound: StorageBound | None = None
    removed: tuple[tuple[str, str], ...] = ()
    waits_for: str = ""
    copies: tuple[Copied, ...] = ()


@record
class Before:
    """What a failure finds: ``servers`` that are loaded and do not fail, ordered pairs of them of
    which the first certainly or by a choice at run time ``reached`` the second before, and such
    pairs that a server which fails is an end of (``own``). Pairs of which that cannot be decided
    are none of these."""

    servers: int
    reached: int
    own: int = 0


@record
class FailureEffect:
    """What a failure does to the servers that live: ordered pairs by name. ``taken_over``: (server,
    attached to before, after).

    ``interrupted`` are the places where messages wait or are missed, where the system says so.

    ``outcomes`` are messages that end in another way, where the system tells them one by one.
    ``containers`` are (container, the servers that reached it before and do not afterwards), by
    name; ``not_compared`` servers whose pairs with others the budget left out, by name. ``before``
    is what was there to be lost; None where the budget ended before it was counted. ``undecided``
    is what the loaded files leave open of this failure, and where: what is found may then not be
    all, nor certain. ``notes`` say by rule, in words and with a place what has to be known beside
    it."""

    lost: SeparatedPairs
    moved: tuple[PathMoved, ...] = ()
    taken_over: tuple[tuple[str, str, str], ...] = ()
    containers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    not_compared: tuple[str, ...] = ()
    outcomes: tuple[OutcomeMoved, ...] = ()
    interrupted: tuple[Interrupted, ...] = ()
    before: Before | None = None
    undecided: Sequence[Doubt] = ()
    notes: tuple[tuple[str, str, Source], ...] = ()


@record
class Transient:
    """What holds for some time after a failure: for how many seconds at most, and what."""

    seconds: int
    meanwhile: str


@record
class ContainerUse:
    """A container that servers store in: the addresses that they store there, where the
    connection to it is configured, and what becomes of messages to these addresses where it is
    out of reach."""

    addresses: tuple[str, ...]
    source: Source
    lost_outcome: str


@record
class FailureCount:
    """One failure of a sweep: ``failed`` is ``server:X``, ``route:A-B``, ``broker:C`` or the
    kind and name of a component; counts of ordered pairs of living servers, of pairs of a server
    and a container that it no longer reaches, and of destinations whose messages end in another
    way; of pairs of a publisher and a subscriber whose messages are missed (``gaps``), stored
    until it is over (``retained``), or may come twice (``duplicates``); of places where messages of
    a queue wait (``queues``). ``own`` are the ordered pairs that reached each other before and that
    a server which fails is itself an end of, ``own_containers`` the containers that it reached
    itself. ``services`` are the listeners of living servers whose clients are served before and
    not afterwards, ``own_services`` those of a server that fails; the first are among the
    ``changed``."""

    failed: str
    lost: int
    rerouted: int
    source: Source
    containers: int = 0
    changed: int = 0
    gaps: int = 0
    retained: int = 0
    duplicates: int = 0
    queues: int = 0
    own: int = 0
    own_containers: int = 0
    services: int = 0
    own_services: int = 0

    @property
    def worst_first(self) -> tuple[int, bool, int, int, str]:
        """Sorts failures, the worst first. What a failed server takes with it is counted with its
        own pairs, so that a server never comes behind one of its links: whoever is lost with a
        link is lost with each of its ends."""
        return (
            -(self.lost + self.containers + self.services + self._own),
            not self.failed.startswith("server:"),
            -self.gaps,
            -(self.rerouted + self.changed + self.retained),
            self.failed,
        )

    @property
    def _own(self) -> int:
        return self.own + self.own_containers + self.own_services


@record
class Sweep:
    """The failures that were counted, worst first, and those that the budget left out, by name."""

    counted: Sequence[FailureCount]
    not_counted: tuple[str, ...] = ()
