"""What a system offers: the contract between the systems and everything that uses them, for
topograph's own and for those from outside.

A ``System`` is one record of typed capabilities; one that is None is not offered, and a question
then says so. What needs nothing but a graph (``Paths``, ``Cycles``, ``Redundancy``, ``Names``) is a
module or an object, loaded when it is first asked for: a question about a snapshot pays for no more
than it asks. What needs the facts of a network is an *estate*, loaded once a network and kept. A
system whose messages go step by step gives a ``tracing.states.Stepping`` instead, and everything
else is done for it (``systems.stepping.estate``).

What only one question asks for stands in a module of its own, which that question loads:
``cycles``, ``names``, ``failures``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from topograph.findings import Finding, Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.simple import Path
from topograph.message import DESTINATION_TYPES
from topograph.records import record
from topograph.systems.contract.wording import Citing, Shape, Wording

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from topograph.facts.fact import Fact, Servers
    from topograph.facts.names import FactNames
    from topograph.forwarding.graph import Closed, ForwardingGraph, GraphTables, Guard
    from topograph.forwarding.reached import LinkShown, PathList, Reached, Stop
    from topograph.forwarding.row_differences import Difference
    from topograph.forwarding.walker import Walker
    from topograph.inexact import Doubt
    from topograph.message import DestinationName, Message, MessageOption
    from topograph.rules import Rule
    from topograph.side_inputs import Client, SideInputs
    from topograph.systems.contract.ambiguities import Ambiguity
    from topograph.systems.contract.cycles import Cycles, Redundancy
    from topograph.systems.contract.described import Describe
    from topograph.systems.contract.failures import ContainerUse, FailureEffect, Sweep, Transient
    from topograph.systems.contract.groups import Held, ServerGroup
    from topograph.systems.contract.names import Names
    from topograph.systems.contract.portable import Portable
    from topograph.tracing.states import Component, Seam, Stepping
    from topograph.tracing.trace import Trace, TracedStep

Row = dict[str, object]
"""A row of ``show``."""


class FactSource(Protocol):
    """The facts of one network, on demand: only what is asked for is decoded."""

    def facts(
        self, kinds: Sequence[str] = (), server: Servers = "", names: Container[str] | None = None
    ) -> Sequence[Fact]:
        """The facts of some kinds (all without any named) of one server, or of a set of servers
        (of all without one) with one of the ``names`` (all if None; ``Fact.label``), by bundle,
        file and line."""
        ...

    def stream(self, kinds: Sequence[str] = ()) -> Iterator[Fact]:
        """The same facts of some kinds one by one, in the same order: no more than a block of
        them is in memory.
        """
        ...

    def names(self, kinds: Sequence[str] = ()) -> FactNames:
        """The names and bundles of the facts of some kinds. Decodes no fact."""
        ...


@record
class Failure:
    """What fails together, by name: servers (of ``system``, where that is said), links by their
    two ends (all parallel links between them), containers that servers store in, and components
    of servers."""

    servers: frozenset[str] = frozenset()
    links: frozenset[frozenset[str]] = frozenset()
    containers: frozenset[str] = frozenset()
    components: frozenset[Component] = frozenset()
    system: str = ""


@record
class Change:
    """A change of configuration: facts that go and facts that come, in this order."""

    removed: tuple[Fact, ...] = ()
    added: tuple[Fact, ...] = ()


@record
class Sending:
    """A message that is sent at server ``start`` of ``system``, and who is known to want it.
    ``clients`` are those of topograph.yaml and of the question; with ``assume`` somebody is
    taken to want it everywhere if nobody is known at all. ``inside``: the server sends it for a
    client of another protocol, so that it does not matter who may send there. ``budget`` is what
    may be spent on following it."""

    start: str
    message: Message
    clients: tuple[Client, ...] = ()
    assume: bool = True
    system: str = ""
    inside: bool = False
    budget: Budget = field(default_factory=Budget, compare=False)


_WILDCARDS = frozenset("*>#")


Check = Callable[[], Iterable[Finding]]
"""A rule, or several, that find what is wrong or risky in a network."""


@record(slots=False)
class Compiled:
    """The tables of one system in one network, what was found while compiling, and the checks
    whose findings are to be added: each is run by itself, so that one that fails costs its own
    findings only. Those of ``apart`` need no tables (``ClosedForm.apart``)."""

    tables: GraphTables
    findings: tuple[Finding, ...] = ()
    checks: tuple[Check, ...] = ()
    graph: Callable[[], ForwardingGraph] | None = None
    """The graph of the tables where the checks assemble it: once, for them and who asks later."""
    apart: tuple[Check, ...] = field(default=(), repr=False)

    def all_findings(self) -> Iterator[Finding]:
        """The findings, and those of all checks."""
        yield from self.findings
        for check in (*self.checks, *self.apart):
            yield from check()


class Estate(Protocol):
    """One network of one system with its facts: what is asked of it beyond walks over its graph.
    Loads facts when they are needed.
    """

    def compile(self) -> Compiled:
        """Servers (by name), links, points and guards of the network, and findings. Equal facts
        in any order give equal tables.
        """
        ...

    def follow(self, graph: ForwardingGraph, walker: Walker, sending: Sending) -> Trace:
        """What happens to one message, as far as the budget goes. Raises UsageError for a name
        that no message goes to, NotApplicable where the server sends nothing, BudgetSpent where
        the budget ends before anything is known."""
        ...

    def without(self, failure: Failure, graph: ForwardingGraph) -> Closed | Estate:
        """The network after a failure: what is closed, where the failure only closes; another
        estate, where it re-routes.
        """
        ...

    def apply(self, change: Change) -> Estate:
        """The network after a change of its configuration."""
        ...

    def failures(
        self, graph: ForwardingGraph, walker: Walker, clients: Sequence[Client] = (), /
    ) -> Failures | None:
        """How failures are judged, with ``clients`` added to those that are known where the
        system ``counts_clients``; None where the system does not say."""
        ...

    def show(self, what: str) -> Iterable[Row] | None:
        """The system's own rows of ``show WHAT`` (destinations, selectors, access), each with
        ``server``; None where it has none. A collection is gone through once for each use of the
        answer, so that its rows need not all be in memory."""
        ...


@runtime_checkable
class Replying(Protocol):
    """An estate that follows replies (``trace --reply``)."""

    def reply(
        self, graph: ForwardingGraph, walker: Walker, taken: TracedStep, sending: Sending
    ) -> Trace | None:
        """What happens to the reply to a message that was taken in a step of its trace; None
        where it asks for none. Raises NotApplicable where the system of that step does not
        follow replies, and what ``Estate.follow`` raises."""
        ...


@record
class Attached:
    """What servers connect to and store in without its being a server of the network: its name,
    what it is in words, the servers, and where the first connection to it is configured."""

    name: str
    kind: str
    servers: tuple[str, ...]
    source: Source


@runtime_checkable
class Depicting(Protocol):
    """An estate that says more of its servers than their system does, for pictures
    (``System.depicts``).
    """

    def kinds(self) -> Mapping[str, tuple[str, Shape]]:
        """Of the servers, by name, that are of another kind than most of their system: what they
        are in words, and how they are drawn.
        """
        ...

    def attached(self) -> Sequence[Attached]:
        """What the servers connect to that is no server, by name."""
        ...


@runtime_checkable
class Permitting(Protocol):
    """An estate that says who may use one destination (``show access DESTINATION``)."""

    def access(self, named: DestinationName, user: str, /) -> Iterable[Row]:
        """A row for each permission that somebody has or needs there, each with ``server``; with
        ``user`` those of one user.
        """
        ...


class Paths(Protocol):
    """What ``reach``, ``hops`` and ``paths`` ask.

    ``start``, ``end`` are server numbers; paths are point numbers, start included. The walker is
    either engine: a function that only walks, and decides on what the walk gives, answers alike
    on both. Where the budget ends before anything is known, each raises BudgetSpent."""

    def reach_from(
        self, graph: ForwardingGraph, walker: Walker, start: int, budget: Budget, /
    ) -> Reached:
        """One path to every server that is certainly reached from ``start``, and what the loaded
        files leave open.
        """
        ...

    def all_paths(
        self,
        graph: ForwardingGraph,
        walker: Walker,
        start: int,
        end: int,
        maximum: int,
        budget: Budget,
        /,
    ) -> PathList:
        """The permitted paths from one server to another, shortest first, then by server names;
        at most ``maximum``.
        """
        ...

    def hop_rows(
        self, graph: ForwardingGraph, walker: Walker, budget: Budget, /
    ) -> Iterator[NDArray[Any]]:
        """For every server in order an integer array: hops to each server, -1 where not
        certainly reached, 0 to itself, NOT_DECIDED where the budget ended first."""
        ...

    def turned(self, graph: ForwardingGraph, path: Path, /) -> Path:
        """The way back along a path. Raises NotApplicable where the system has none."""
        ...

    def passes_replies(self, guard: Guard, /) -> bool:
        """Whether a guard of the graph asks nothing of a reply."""
        ...

    def condition(self, guard: Guard, /) -> str:
        """What a guard asks of messages of which nothing is said, as a step names it."""
        ...

    def stops(
        self, graph: ForwardingGraph, walker: Walker, reached: Reached, ends: Collection[int], /
    ) -> Sequence[Stop]:
        """The links at which messages from the server asked about end, by rule, and why: those
        that lead on towards one of ``ends``, servers that are not reached. A link to a server
        that the message gets to anyway, or from which nothing leads on to any of ``ends``, is
        none of them."""
        ...

    def cut_off(self, graph: ForwardingGraph, /) -> Mapping[int, tuple[str, Source]]:
        """The servers that no message enters or leaves over a link, whatever the files say that
        are not loaded: why, and where that stands.
        """
        ...


@runtime_checkable
class Altering(Protocol):
    """``Paths`` that tell what is different in the rows of two graphs of a network, and make no
    others.
    """

    def differing_rows(
        self, before: ForwardingGraph, after: ForwardingGraph, budget: Budget, /
    ) -> Iterator[Difference]:
        """The rows of ``hop_rows`` that differ, servers set beside each other by name and
        numbered in the order of all names; those that only one graph has reach nobody in the
        other, and nobody reaches them. Raises BudgetSpent."""
        ...


@runtime_checkable
class Holding(Protocol):
    """``Paths`` of a system that stores messages before a link until something happens. Asked of
    graphs that have such links only.
    """

    def rows_with_later(
        self, graph: ForwardingGraph, walker: Walker, budget: Budget, /
    ) -> Iterator[tuple[NDArray[Any], NDArray[np.bool_]]]:
        """The rows of ``hop_rows``, those servers counted too that messages get to later, each
        with which of its servers these are. Raises BudgetSpent."""
        ...


class Failures(Protocol):
    """What failures do to a network."""

    @property
    def containers(self) -> Mapping[str, ContainerUse]:
        """The containers that may fail, by name."""
        ...

    @property
    def components(self) -> Mapping[str, Sequence[Component]]:
        """What may fail beside servers, links and containers, by ``KIND:NAME``."""
        ...

    @property
    def undecided(self) -> Sequence[Doubt] | Sequence[tuple[str, Source]]:
        """Why the loaded files do not show the whole network, and where: effects that are found
        may then not be all, nor certain.
        """
        ...

    def runs(self, server: str, /) -> bool:
        """Whether a server runs, so that its failure can change anything."""
        ...

    def transient(self, failure: Failure, effect: FailureEffect, /) -> Transient | None:
        """What holds until all have noticed; None where nothing moves and nothing gets out of
        reach.
        """
        ...

    def effect(self, failure: Failure, budget: Budget, /) -> FailureEffect:
        """Compare all ordered pairs of servers that live before and after."""
        ...

    def sweep(self, budget: Budget, /) -> Sweep:
        """Every single failure of a server, link or container, worst first."""
        ...


@record
class ClosedForm:
    """How a system makes one graph that holds for every message.

    ``load`` makes the estate of one network out of this system's facts, and ``assemble`` the graph
    of its tables (also of those that come back out of a snapshot, where ``points`` are columns).
    ``paths`` is what reach, hops and paths ask of that graph. ``apart`` gives the checks of
    ``Compiled.apart`` of an estate that ``load`` made before it is compiled, so that they can run
    beside that; None where a system has none.
    """

    load: Callable[[FactSource, SideInputs], Estate]
    assemble: Callable[[GraphTables], ForwardingGraph]
    paths: Callable[[], Paths]
    apart: Callable[[Any], Sequence[Check]] | None = None


Groups = Callable[[FactSource, "SideInputs", "ForwardingGraph"], "Sequence[ServerGroup]"]
"""The groups of one network that its files state, by name. Reads no more facts than say them."""

IdleLinks = Callable[[FactSource, "SideInputs", "ForwardingGraph"], "Sequence[LinkShown]"]
"""The links of one network that its files configure between two servers of the graph and that none
of its messages take: ``LinkShown.idle``, with the reason in ``because``."""

Holds = Callable[[FactSource, "SideInputs"], "Iterable[Held]"]
"""What the servers of one network hold beside the destinations of ``show destinations``."""


@record(slots=False)
class Capabilities:
    """What single questions ask of a system. One that is None or False is not offered."""

    cycles: Callable[[], Cycles] | None = None
    """More than one path between servers, where a rule forbids it (``cycles``)."""
    redundancy: Callable[[], Redundancy] | None = None
    """More than one path between servers, where that is allowed (``cycles``)."""
    names: Callable[[], Names] | None = None
    """The names that servers learn from each other (``interests``)."""
    portable: Callable[[], Portable] | None = None
    """Lets pages walk its graph without it."""
    has_costs: bool = False
    """Links have costs, and answers show them beside hops."""
    judges_failures: bool = False
    """Its estates say what failures do (``impact``)."""
    counts_clients: bool = False
    """What a failure does depends on who subscribes."""
    link_failures: frozenset[str] = frozenset()
    """The kinds of what fails where one link does, as ``impact --fail`` takes them; none where
    failures of single links are not followed."""
    judges_circles: bool = False
    """Its ``Stepping`` tells which messages come back to where they were (``cycles``)."""
    depicts: bool = False
    """Its estates are ``Depicting``."""
    groups: Groups | None = None
    """The sets of servers that its people know by a name (``groups.ServerGroup``)."""
    idle_links: IdleLinks | None = None
    """Links that are configured and carry nothing, for pictures."""
    holds: Holds | None = None
    """What its servers hold beside destinations, for pictures."""
    serves: bool = False
    """Its estates are ``Serving`` (``services``)."""


EVERYWHERE = frozenset({"hosts", "paths", "servers", "machines", "overrides"})
"""The sections of topograph.yaml that may say something of the servers of any system."""


@record(slots=False)
class System:
    """One system: what it is called, how its messages are followed, and what else it offers."""

    name: str
    """The name in ids, rows and options: ``ems``."""
    title: str
    """What people call it: ``TIBCO EMS``."""

    closed: ClosedForm | None = None
    """There if its graph is compiled."""
    stepping: Callable[[FactSource, SideInputs], Stepping] | None = None
    """There if its messages go step by step. A system may have both, for different types of
    destination."""
    destinations: Mapping[str, Literal["closed", "stepping"]] = field(default_factory=dict)
    """Each type of destination that messages go to here, and how they are followed; an empty type
    stands for ``NAME@PLACE``."""
    message_options: frozenset[str] = frozenset()
    """Those of ``topograph.message.OPTIONS`` that it reads; a question refuses the others."""
    property_fault: Callable[[str], str] = lambda _: ""
    """Why no message has a property of a name; empty if one can."""
    heeds: frozenset[str] | None = None
    """The properties on which depends what becomes of a message; None: on any of them, and on who
    sends it."""
    instead: Callable[[DestinationName], str] = lambda _: ""
    """What to ask about a destination to which messages are not followed; empty: nothing."""
    further_options: tuple[MessageOption, ...] = ()
    """What senders may say here that no system of topograph's own knows."""
    own_names: Callable[[Row], str] | None = None
    """What ``sent_to`` says where rows do not have the type of a destination as questions write it,
    or have other wildcards."""
    own_places: Callable[[Row], str] | None = None
    """What ``put_at`` says where a row may name a queue of another server than that of the row."""
    seams: tuple[Seam, ...] = ()
    """How its states are states of other systems."""
    no_reply: str = ""
    """Why there is no way back along a path of a stepping system."""

    rules: Callable[[], Sequence[Rule]] = tuple
    """The rules that its answers and findings cite, loaded when one is first asked for."""
    ambiguities: Callable[[], Sequence[Ambiguity]] = tuple
    """The positions that its rules take on what its documents leave open: those that ``overrides``
    of topograph.yaml may decide otherwise, and those without another reading."""
    capabilities: Capabilities = field(default_factory=Capabilities)
    """What single questions ask of it."""
    citing: Citing = field(default_factory=Citing)
    """What answers cite of it where no step names a rule."""
    wording: Wording = field(default_factory=Wording)
    """What its servers and links are called and drawn as."""
    side_inputs: frozenset[str] | None = None
    """The sections of topograph.yaml that say something about its servers and messages; None: any
    of them may."""
    describes: Describe | None = None
    """What a bundle describes a server as; None: two bundles of one server are never two
    descriptions of it."""
    main_files: str = ""
    """Its main files, for people in whose folder none was found: ``relay files``."""

    def sent_to(self, row: Row) -> str:
        """What a row of ``show destinations`` names as questions write it (``topic:orders``);
        empty where messages are sent to nothing of that name, as to one with wildcards.

        >>> relays = System("relay", "Relay", destinations={"topic": "stepping"})
        >>> [relays.sent_to({"type": type_, "name": name})
        ...  for type_, name in (("topic", "orders"), ("topic", "orders.>"), ("bridge", "b"))]
        ['topic:orders', '', '']
        """
        if self.own_names is not None:
            return self.own_names(row)
        type_, name = str(row.get("type", "")), str(row.get("name", ""))
        sent = type_ and name and type_ in (*DESTINATION_TYPES, *self.destinations)
        return f"{type_}:{name}" if sent and not _WILDCARDS.intersection(name) else ""

    def put_at(self, row: Row) -> str:
        """The queue that a row of ``show destinations`` names, with its server, as questions write
        it (``ORDERS@HQ``); empty where messages are not sent so, or to nothing of that name.

        >>> relays = System("relay", "Relay", destinations={"queue": "stepping", "": "stepping"})
        >>> [relays.put_at({"type": type_, "name": name, "server": "R"})
        ...  for type_, name in (("queue", "orders"), ("bridge", "b"))]
        ['orders@R', '']
        """
        if "" not in self.destinations:
            return ""
        if self.own_places is not None:
            return self.own_places(row)
        type_, _, name = self.sent_to(row).partition(":")
        return f"{name}@{row['server']}" if type_ == "queue" else ""
