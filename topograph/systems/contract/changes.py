"""What commands do to the configuration of a system: the contract of change scripts.

A system that takes them has a module ``changes`` beside its rules, which is a ``Changes`` (a
``ClosedChanges`` where it has a graph of its own), and a module ``commands`` beside its
importer, which is a ``Scripts``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, runtime_checkable

from topograph.facts.fact import Fact
from topograph.findings import Finding, Severity, Source
from topograph.inexact import LeftOut
from topograph.records import record
from topograph.rules import FindingKind, Rule
from topograph.systems.contract.cycles import DoubledName
from topograph.systems.contract.system import Change, FactSource

if TYPE_CHECKING:
    from topograph.facts.command import Command, Script
    from topograph.forwarding.budget import Budget
    from topograph.forwarding.graph import ForwardingGraph
    from topograph.message import Properties
    from topograph.side_inputs import Client, SideInputs


@record
class Doubled:
    """Names held twice in a graph."""

    graph: ForwardingGraph
    names: tuple[DoubledName, ...] = ()


@record
class Refusal:
    """Why a command given to ``server`` is refused, by rule and in words; with ``undetermined`` why
    nobody can say whether it is.

    ``at`` are the servers that notice it, by name: the ends of a new link (``detected`` is
    ``endpoint``) or others (``downstream``); ``doubled`` is what they would hold twice."""

    rule: str
    message: str
    server: str
    at: tuple[str, ...] = ()
    detected: str = ""
    doubled: Doubled | None = None
    undetermined: bool = False


@record
class Edit:
    """What a command does to the facts of a server, or why it is refused; where that is
    undetermined, what it does if it is not. ``notes`` are what people have to know of it.
    """

    change: Change = Change()
    refused: Refusal | None = None
    notes: tuple[Finding, ...] = ()


class Refused(Exception):
    """Why a server refuses a command, by rule; with ``undetermined`` why nobody can say whether it
    does. Raised while the command is worked out.
    """

    def __init__(self, rule: str, message: str, *, undetermined: bool = False) -> None:
        super().__init__(message)
        self.rule, self.undetermined = rule, undetermined

    def by(self, server: str) -> Refusal:
        """The same as a record of the server that refuses."""
        return Refusal(self.rule, str(self), server, undetermined=self.undetermined)


C = TypeVar("C", bound="Command")


@dataclass
class Editing(Generic[C]):
    """What one command does to what ``server`` names, while it is worked out: the facts that go
    and come, and what people have to know of it.
    """

    server: str
    command: C
    removed: list[Fact] = field(default_factory=list)
    added: list[Fact] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)

    @property
    def change(self) -> Change:
        """What the command has done so far."""
        return Change(tuple(self.removed), tuple(self.added))

    def swap(self, before: Fact, after: Fact) -> None:
        """Put a fact in the place of another."""
        self.removed.append(before)
        self.added.append(after)

    def note(self, kind: FindingKind, message: str, rule: Rule) -> None:
        """Say what else the command does, or needs."""
        source = self.command.source
        self.notes.append(
            kind.at(source, message, rule=rule, severity=Severity.WARNING, server=self.server)
        )


class Scripts(Protocol):
    """How scripts of a system's commands are read."""

    def recognises(self, data: bytes, /) -> bool:
        """Whether a script has commands of this system: certain, and for no script true of two
        systems. Linear in the script.
        """
        ...

    def read_script(self, data: bytes, name: str, /) -> Script:
        """The commands of a script, whose lines are cited by ``name``. Raises nothing, whatever
        the bytes; runs nothing; linear in the script.
        """
        ...


class Changes(Protocol):
    """What commands do to the configuration of a system.

    A module whose scripts connect to a server by its own name says so with ``CONNECTS_BY_NAME =
    True``: where that server is not loaded, its commands are then undetermined. Elsewhere nobody
    knows which server is meant (an error)."""

    def servers_at(self, facts: FactSource, place: str, /) -> frozenset[str]:
        """The servers that a script means by what it connects to."""
        ...

    def edit(self, facts: FactSource, server: str, command: Command, /) -> Edit:
        """What a command does to the facts of a server (to what ``Command.scope`` names, where
        that is not one server). Linear in these facts.
        """
        ...


class ClosedChanges(Changes, Protocol):
    """The same of a system that has a graph of its own: what its servers notice of each other,
    and which messages a change concerns.
    """

    def without_link(self, facts: FactSource, one: str, other: str, /) -> Change:
        """The configuration of the link between two servers, as a change that takes it away; an
        empty one where there is none.
        """
        ...

    def judge(
        self, graph: ForwardingGraph, server: str, command: Command, budget: Budget, /
    ) -> Refusal | None:
        """Whether the servers of a network accept what a command would do, beyond what ``edit``
        sees in the configuration of one of them.
        """
        ...

    def passing(self, graph: ForwardingGraph, /) -> ForwardingGraph:
        """The graph without what lets nothing pass at the moment, though it is configured and
        counts for what is legal.
        """
        ...

    def probes(
        self,
        before: ForwardingGraph,
        after: ForwardingGraph,
        change: Change,
        known: Known,
        budget: Budget,
        /,
    ) -> Probes:
        """Messages whose deliveries a change may alter, one for each link, direction and
        destination that it opens or closes to some.
        """
        ...


@runtime_checkable
class LeavesBehind(Protocol):
    """What else a ``Changes`` may offer, where servers keep more than their files show."""

    def left_behind(self, change: Change, /) -> tuple[Finding, ...]:
        """What a change leaves behind at servers that no file shows. Linear in the change."""
        ...


@runtime_checkable
class ServersOfHosts(Protocol):
    """What else a ``Changes`` may offer, where ``topograph.yaml`` says which host is which
    server."""

    def servers_of(
        self, facts: FactSource, place: str, side_inputs: SideInputs, /
    ) -> frozenset[str]:
        """``Changes.servers_at`` with the hosts of side inputs."""
        ...


def after_both(first: Change, second: Change) -> Change:
    """One change that does what two do, one after the other. Linear in both."""
    if not second.removed:
        return Change(first.removed, (*first.added, *second.added))
    brought, gone = set(first.added), set(second.removed)
    return Change(
        (*first.removed, *(fact for fact in second.removed if fact not in brought)),
        (*(fact for fact in first.added if fact not in gone), *second.added),
    )


@record
class Known:
    """What is known of the servers of a network before and after a change, and of the clients
    that people declare.
    """

    before: FactSource
    after: FactSource
    clients: Sequence[Client] = ()


DecidedBy = Callable[[str, Sequence[str]], tuple[Source, ...]]
"""The lines that decide about a message to a destination on its path."""


def nothing_decides(_destination: str, _path: Sequence[str], /) -> tuple[Source, ...]:
    """No line is known that decides."""
    return ()


@record
class AtMost:
    """All that following a message can show: the deliveries (server, destination, receiver) that
    are ``lost`` or ``gained`` at most, and the ``lines`` that may decide about them."""

    lost: frozenset[tuple[str, str, str]]
    gained: frozenset[tuple[str, str, str]]
    lines: frozenset[Source]


AtMostOf = Callable[[str], AtMost | None]
"""What following a message can show at most, by the server that it is published at; None where
that is not known."""


def nothing_known(_start: str, /) -> AtMost | None:
    """It is not known what following a message shows."""
    return None


@record
class Probe:
    """A message that shows what a change does: ``destination`` as people write it and
    ``properties``, with the line that decides about it.

    It is to be published at ``at``, or at all of ``starts``: then each server that gets it on one
    side only is among those that get it from one of them, if these are enough (``covered``).
    ``further`` are servers at which it shows that one more line decides. ``loses`` and ``gains``:
    by server the number of those at which it has to be published for that. ``decided_by`` gives
    the lines that decide about a message to a destination on its path. ``at_most`` gives what it
    can show: where that was shown before, it need not be followed."""

    destination: str
    properties: Properties
    source: Source
    at: str = ""
    starts: tuple[str, ...] = ()
    covered: bool = True
    further: tuple[tuple[Source, str], ...] = ()
    loses: Mapping[str, int] = field(default_factory=dict)
    gains: Mapping[str, int] = field(default_factory=dict)
    decided_by: DecidedBy = nothing_decides
    at_most: AtMostOf = nothing_known


@record
class Probes:
    """The messages that show what a change does, those that are too many to be followed, and what
    was not decided. What the budget left out, the budget says.
    """

    found: tuple[Probe, ...]
    left_out: tuple[LeftOut, ...]
    undecided: tuple[tuple[str, Source], ...] = ()
