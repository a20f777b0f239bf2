"""What a system lets others walk without it: the contract behind the engine of pages
(``topograph.portable``).

A page has neither facts nor rules. A system that says here what its walks come to can be asked in a
page; of one that does not, the page says which command answers. Everything is plain data without a
word of the system in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.records import record

if TYPE_CHECKING:
    from topograph.facts.fact import Fact, Servers
    from topograph.forwarding.graph import ForwardingGraph
    from topograph.forwarding.walker import Walker
    from topograph.side_inputs import SideInputs
    from topograph.systems.contract.portable_messages import PortableMessages

Facts = Callable[["Sequence[str]", "Servers"], "Sequence[Fact]"]
"""Facts by (kinds, server); an empty server stands for all."""

Form = Literal["once", "chains", "shortest"]
"""How walks are read.

``once``: a walk from an origin that enters no server twice holds the one path to each server;
where it enters one twice the network is one that only the command decides. ``chains``: the
points of a server lead on to one target each, over one chain of points. ``shortest``: the
shortest path to each server counts, and what lies behind a guard that stands for a choice at run
time is not certain."""

Described = Literal["end", "start", "forward"]
"""What says with its rule and place why a forward is permitted: the point entered, the point
left, or the forward itself.
"""


@record
class Halt:
    """Why a message ends at a link: a condition of NOT_FORWARDED, in words, the rule, and the
    place (None: that of the link).
    """

    reason: str
    text: str
    rule: str
    source: Source | None = None


@record
class LeftOpen:
    """A server of which the loaded files do not say whether it is reached: why, where, and the
    server (number) up to which a message gets for certain on the way to what is not known, None
    where it gets nowhere."""

    server: int
    because: str
    source: Source
    near: int | None = None


@record
class LeastCost:
    """The links (ends and cost) over which ways of equal cost are looked for, and the servers
    that stand beside that network: each is joined with it by one link, and begins or ends a
    path."""

    links: tuple[tuple[int, int, int], ...]
    beside: frozenset[int] = frozenset()


@record
class UnseenLink:
    """A link of ``server`` (number) that no file shows, in one of its zones, which has a ``name``
    (-1: any other).
    ``here`` are the servers whose messages may go out over it, ``beyond`` those that they may
    get to, by number: of others the assumption of ``Unseen`` rules out that an unseen link leads
    to them."""

    server: int
    zone: int
    here: Sequence[int]
    beyond: Sequence[int]
    name: str = ""


@record
class Unseen:
    """What links that no file shows may lead to under an assumption; where that is not
    ``judged`` the assumption rules nothing out, and ``links`` is None, as where they are too
    many for a page. ``as_shown`` is the assumption under which a server is reached that a shown
    path leads to over servers that are not loaded."""

    assumption: Assumption
    as_shown: Assumption
    links: Sequence[UnseenLink] | None
    judged: bool = True


@record
class PerhapsTaken:
    """A server from which something that is not loaded may take messages on to anywhere: why that
    is not known, with its place, and the assumption that nothing does."""

    server: int
    because: str
    source: Source
    assumption: Assumption


@record
class PortableWalks:
    """The walks of one graph, as far as they follow from points and forwards alone.

    ``shut`` are the guards that let nothing pass, whatever a message is, with what is said where
    one stands; ``open`` those of which it is not known whether they let anything pass. ``halts``
    say, by zone, why a message that came over a link of the zone takes no further link of it;
    ``visited`` what is said of a link to a server that the message has been to. ``possibly`` says,
    where servers may have links that no file shows, what is said of a server that such a link may
    lead to; ``unseen`` where such links may lead under an assumption. ``chosen`` are the guards
    that stand for a choice at run time, ``undecided`` those of them that the loaded files do not
    decide, with what is said of a way behind one. ``left_open`` are, by the server asked from,
    those of which it is not known whether they are reached; None where the page works that out
    (``once``, ``shortest``) or where nobody did, as they are too many. ``apart`` are the pairs of
    systems that no link joins. ``least_cost`` is where a system takes one way only of several that
    cost the same. ``perhaps_taken`` are servers from which something that is not loaded may take
    messages on, ``perhaps_joined`` groups of servers that others may join, each with the assumption
    that none does."""

    form: Form
    described: Described = "end"
    shut: Mapping[int, Halt] = field(default_factory=dict)
    halts: Mapping[tuple[str, str], Halt] = field(default_factory=dict)
    visited: Halt | None = None
    possibly: tuple[str, Source] | None = None
    unseen: Unseen | None = None
    chosen: frozenset[int] = frozenset()
    undecided: Mapping[int, str] = field(default_factory=dict)
    left_open: Mapping[int, tuple[LeftOpen, ...]] | None = None
    apart: tuple[tuple[str, str], ...] = ()
    least_cost: LeastCost | None = None
    perhaps_taken: tuple[PerhapsTaken, ...] = ()
    perhaps_joined: tuple[tuple[frozenset[int], Assumption], ...] = ()
    open: Mapping[int, Halt] = field(default_factory=dict)


@record
class DestinationClasses:
    """Which destinations of ``type`` differ in nothing but their name, so that one answer holds for
    all of a class with the name replaced in it.

    A name is split into tokens at ``separators``. ``patterns`` are tuples of tokens, of which ``*``
    stands for one of any kind and a ``#`` at the end for any number. Two names that match the
    regular expression ``plain`` as a whole, that are not in ``apart``, and that the same patterns
    match are of one class, unless one of these patterns (by number) is in ``unlike``. ``examples``
    are names of classes, each with ``token`` in it, which nothing else has: where such a name
    stands in an answer, it can be replaced by another of its class.
    """

    type: str
    plain: str
    separators: str
    apart: tuple[str, ...]
    patterns: tuple[tuple[str, ...], ...]
    unlike: tuple[int, ...]
    examples: tuple[str, ...]
    token: str


@runtime_checkable
class Classifying(Protocol):
    """An estate that tells which of its destinations are alike."""

    def classes(self, graph: ForwardingGraph, walker: Walker, /) -> DestinationClasses | None:
        """None where that cannot be told. Reads the facts of the network."""
        ...


class Portable(Protocol):
    """What a system offers pages."""

    def walks(self, graph: ForwardingGraph, /) -> PortableWalks | None:
        """How the walks of a graph are read; None where the page had better not hold it, because
        it is too large.
        """
        ...


@runtime_checkable
class PortableMessaging(Protocol):
    """A system that also hands over how messages are followed."""

    def messages(
        self, facts: Facts, side_inputs: SideInputs, graph: ForwardingGraph, /
    ) -> PortableMessages:
        """Reads the facts of the network."""
        ...
