"""What a system says whose messages go step by step: states, the ways out of one, and the record of
its functions (``Stepping``).

A step never looks at the message. A condition on it is a guard on the way: it is evaluated once for
a trace (``exploration``), and written on the forwards of a graph (``closure``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from topograph.assumptions import Assumption
from topograph.facts.fact import Fact
from topograph.findings import Finding, Source
from topograph.forwarding import graph as forwarding
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Guard, Server
from topograph.inexact import LeftOut
from topograph.message import Message
from topograph.outcomes import Confidence, Outcome, Truth
from topograph.records import record
from topograph.tracing.circling import Circling
from topograph.tracing.trace import NOWHERE, Ending, Kind, Note, Station, TracedStep


@record
class State:
    """A message at a server: the destination or queue it is on (``object``), and in ``data``
    what the system has to know to go on, as JSON text of its own. Equal states behave alike.
    ``decoded`` may hold what the system made ``data`` of, which spares it reading the text
    again."""

    server: str
    object: str = ""
    data: str = ""
    decoded: Any = field(default=None, compare=False, repr=False)


class Ended(NamedTuple):
    """A state in which messages begin that get no further than where they begin: the fields of
    ``State``. ``Stepping.passing`` says of it that they end, without a step inside the server;
    no other state in which messages begin has its loop key."""

    server: str
    object: str
    data: str


class How(StrEnum):
    """Why a message goes over to another system."""

    STATED = "stated"
    """The loaded files say so."""
    ASSUMED = "assumed"
    """It is the usual setup, and no file says otherwise."""


@record
class Handover:
    """The message goes over to another system, whose entry state this is (in the words of the
    first system where a seam translates them). ``otherwise`` is how it ends where the server it
    goes to is out of order; it is held if nothing is said. ``refused`` leads to how it ends
    where the other system rejects what is handed over, for a sender that does not wait for that;
    without it, the rejection is the sender's."""

    system: str
    state: State
    how: How = How.STATED
    source: Source = NOWHERE
    otherwise: Ending | None = None
    refused: Way | None = None


@record
class Way:
    """One way out of a state, to another one, to an ending or into another system.

    ``text`` says what happens, in words; ``rule``, ``confidence`` and ``source`` are its evidence,
    ``cost`` and ``zone`` those of the link it takes, ``link`` the name that link has where it has
    one, and ``role`` what kind of link it is (one of ``Wording.link_roles``). ``kind`` is how it
    stands to the ways beside it:

    * ``COPY``: each is taken.
    * ``ONE_OF``: of those with the same ``choice`` in one transition, one is taken. The key means
      the same pick wherever it comes again, so that ways of one key have to stand in the same order
      everywhere. ``choice_of`` is what is chosen, where many servers choose from the same: a graph
      has one guard, and with it one point for each pick, for all of them.
    * ``ELSE``: taken if no guard of an earlier way of the transition holds.
    * ``OPAQUE``: code that no file shows decides. With a ``choice``, one of that key is taken;
      without, it is taken or not.
    * ``READING``: another reading of the documents, ``position``.
    * ``LATER``: taken when the event ``condition`` comes.

    ``perhaps_taken``: of one to an ending, in words that something which is not loaded may take the
    message on from there, to anywhere; ``position`` then says that nothing does. ``asked``: of one
    to an ending, or under a guard that no file decides, the servers whose answer decides it,
    although the message does not go there.
    ``passing``: of one that goes on, what becomes of the message all the same (``EXCEPTIONED``,
    where the exception destination may send it on); nothing of its own where the message then ends
    so.
    """

    to: State | Ending | Handover
    text: str
    rule: str = ""
    confidence: Confidence = Confidence.H
    source: Source = NOWHERE
    kind: Kind = Kind.COPY
    guard: Guard | None = None
    choice: str = ""
    condition: str = ""
    position: Assumption | None = None
    eliminated: str = ""
    cost: int | None = None
    zone: str = ""
    link: str = ""
    role: str = ""
    choice_of: str = ""
    perhaps_taken: str = ""
    asked: tuple[str, ...] = ()
    passing: Ending | None = None


@record
class OpenEnd:
    """That a message may go anywhere from a state, beside its ways: why, and the line."""

    text: str
    source: Source


@record
class Transition:
    """All ways out of a state, in the order in which the server looks at them. ``assumptions``
    are what the step rests on.

    One without a way leaves open what happens to the message: its trace ends UNDETERMINED, its
    server may lead anywhere, and ``check`` finds ``no-way-out``. A message that stays where it is
    has a way to an ``Ending``. ``symbolic``: the state stands for many, and no message is in it,
    so that it may be without a way. With an ``open_end`` its server may lead anywhere, for a reason
    that is stated."""

    ways: tuple[Way, ...]
    assumptions: tuple[Assumption, ...] = ()
    symbolic: bool = False
    open_end: OpenEnd | None = None

    @property
    def is_dead_end(self) -> bool:
        """Whether nothing is said of a message in this state."""
        return not self.ways and not self.symbolic


class Passage(Protocol):
    """What becomes of a message from a state on, where each state has one way and all messages take
    it, under no guard, until the message leaves its server for a loaded one, or ends: the same as
    ``Stepping.step`` gives state by state.

    ``inside`` are the ways in the server. Their texts may have marks in place of names: ``named``
    says which, mark and name. ``out`` is the way that leads to ``server``, None where the message
    ends."""

    @property
    def inside(self) -> Sequence[Way]: ...
    @property
    def named(self) -> Sequence[tuple[str, str]]: ...
    @property
    def out(self) -> Way | None: ...
    @property
    def server(self) -> str: ...
    def between(self) -> Sequence[Hashable]:
        """The loop keys of the states that the ways in the server lead to."""
        ...

    def key(self) -> Hashable:
        """The loop key of the state that ``out`` leads to."""
        ...

    def state(self) -> State:
        """That state."""
        ...


@record
class Verdict:
    """Whether a guard holds for a message. Only TRUE lets it pass. ``known`` is False where the
    loaded files do not decide it; ``note`` says why.
    """

    truth: Truth
    known: bool = True
    note: str = ""


def no_way_out(where: str) -> str:
    """What is said of a message in a state whose transition has no way; ``where`` is its object.

    >>> no_way_out("queue:orders"), no_way_out("")
    ('a message in queue:orders has no way out', 'a message has no way out')
    """
    return f"a message{f' in {where}' if where else ''} has no way out"


UNDECIDED = forwarding.UNDECIDED
"""See there; systems from outside take it from here."""


class Loops(StrEnum):
    """What a state means whose loop key the message had before."""

    STATIC = "static"
    """The same comes again for ever: the branch ends there."""
    LIMIT = "limit"
    """The loop is noted and the message goes on until the product's own limit, whose outcome is
    the branch's.
    """
    ONCE = "once"
    """The server drops what it had, also over another branch."""


@record
class OnLoop:
    """How a system treats loops. ``times`` is how often one key may come before ``LIMIT`` ends
    the branch on its own account: more often than any limit of the product allows. ``rule`` says
    that a message which comes back goes round for ever, with ``confidence``; where there is one,
    the trace says so in a step of its own. ``position`` is what an answer rests on that ends in
    a loop, where that is not stated."""

    loops: Loops = Loops.STATIC
    times: int = 1
    rule: str = ""
    confidence: Confidence = Confidence.H
    position: Assumption | None = None


STATIC = OnLoop()
ONCE = OnLoop(Loops.ONCE)


def limit(times: int) -> OnLoop:
    """Step on until the product's own limit, which comes before a key was met ``times`` times."""
    return OnLoop(Loops.LIMIT, times)


def _itself(state: State) -> Hashable:
    return state


def _unknown(state: State) -> State | None:  # noqa: ARG001
    return None


def never(_state: State) -> bool:
    """What is true of no state: ``Stepping.as_before`` where what is out of order may matter to
    any."""
    return False


def _no_rows(what: str) -> None:  # noqa: ARG001
    return None


def _as_it_is(state: State) -> State:
    return state


def _its_object(state: State) -> str:
    return state.object


def its_queue(step: TracedStep) -> Sequence[str]:
    """What a message passes in a step, where that is what it is on."""
    return queue_at(step.object, step.at)


def queue_at(name: str, server: str) -> tuple[str, ...]:
    """What a message passes that is on something at a server, in words (``its_queue``)."""
    return (f"{name} at {server}",) if name else ()


def _station(state: State, way: Way) -> Station:  # noqa: ARG001
    return Station("", state.object)


def _takes_nothing(system: str, state: State, held: Ending) -> Sequence[Way]:  # noqa: ARG001
    return ()


def _as_it_came(state: State, message: Message) -> State:  # noqa: ARG001
    return state


def _explains_nothing(finding: Finding) -> bool:  # noqa: ARG001
    return False


def _all_of_them(facts: Collection[Fact]) -> None:
    """Facts may be looked at by whatever server."""


@record
class Component:
    """Something of a server that may fail while the server runs, by the words that people have
    for it: a ``channel``, a ``listener``.
    """

    kind: str
    name: str
    server: str
    system: str
    source: Source = NOWHERE


@record
class Outage:
    """What is out of order in a system, by name: servers, links between two servers, components."""

    servers: frozenset[str] = frozenset()
    links: frozenset[frozenset[str]] = frozenset()
    components: frozenset[Component] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.servers or self.links or self.components)


@record
class Joined:
    """A group of servers that others may join, of which no file is loaded, without a change of
    its members (``servers``, by name), such as a cluster; and the assumption that none does.
    """

    servers: tuple[str, ...]
    assumption: Assumption


@record
class Asking:
    """What steps of a system asked about while nothing is out of order: a step is as before unless
    some of that is (``Stepping.as_before`` then holds). ``of`` has it by state, None where that is
    not known; ``parts`` is what of that an outage answers otherwise. States of one
    ``waiting_alike`` whose messages stay there while something is out of order stay in the same
    ending; None of states that no others are like."""

    of: Callable[[State], Collection[tuple[str, ...]] | None]
    parts: Callable[[Outage], Collection[tuple[str, ...]]]
    waiting_alike: Callable[[State], Hashable]


def _no_components() -> Sequence[Component]:
    return ()


@record
class Looked:
    """A state that was looked at in two configurations: whether it steps ``alike`` in both, and
    whether what is different may concern messages in it (``concerned``), also to one of the names
    that it stands for. ``apart``: on the way from there it concerns none."""

    state: State
    alike: bool
    concerned: bool
    apart: bool = False


@record
class Narrowed:
    """Which messages of servers and names a change may concern. ``names`` tells to which names, by
    the states that all other messages get to, by the servers that the change touches, and by
    whether it is known that it concerns no message to a name that begins at a server; None where
    that is not sure. ``states`` are those in which the messages to some names begin."""

    names: Callable[
        [Iterable[Looked], Collection[str], Callable[[str], bool]], Collection[str] | None
    ]
    states: Callable[[Collection[str]], Iterable[State]]


@record
class Pairs:
    """Messages of one kind that are as many as servers times names. Whoever follows messages
    decides how many that may be, and says of the others that they were not looked at (``LeftOut``).

    ``kind`` in words that go on from a number. ``states`` are those in which the messages of some
    servers begin, the servers by name; there are ``count`` for all servers, or a few less.
    ``instead`` are followed where that is too many: they stand for the messages, though not
    exactly. ``narrowed`` tells which a change may concern, where the system knows."""

    kind: str
    count: int
    states: Callable[[Collection[str]], Iterable[State]]
    instead: Callable[[], Iterable[State]] = tuple
    narrowed: Narrowed | None = None


@record
class Begins:
    """The states in which messages of senders begin that say nothing more: one for each thing that
    is configured, and those that are of servers and names (``Pairs``). ``leaving`` are those of
    ``each`` without messages of other servers than some that just end where they begin, whatever
    changes elsewhere."""

    pairs: Sequence[Pairs]
    each: Iterable[State]
    leaving: Callable[[Collection[str]], Iterable[State]] | None = None


@record
class Names:
    """The states of a message to each name that is known where names are looked up, one that is
    not there included, and those that ``left_out`` counts, which are too many."""

    states: Sequence[State]
    left_out: LeftOut | None


@record
class Standing:
    """States that stand for many names: those in which messages begin to any queue of another
    server, and where they get to.

    ``names`` gives of one in which the name begins to matter the same with each name; None of
    others. ``leaving`` gives the same without names whose messages just end there, whatever changes
    elsewhere. ``begin`` makes of a beginning that stands for many, and of
    such a state that it leads to, the beginning to that name alone; ``begin_to`` the same of a name
    at a server of another system that it leads to. ``alike``: states with one key step alike in one
    configuration; None where only equal ones do. ``begun``: the state in which a message begins
    that gets to the same other servers as one that came to that server over a link, whatever it
    comes to; None where that is not known."""

    is_one: Callable[[State], bool]
    names: Callable[[State], Names | None]
    leaving: Callable[[State], Names | None]
    begin: Callable[[State, State], State]
    begin_to: Callable[[State, str, str], State]
    alike: Callable[[State], Hashable]
    begun: Callable[[State], State | None] = _unknown


@record(slots=False)
class Stepping:
    """One network of one system whose messages go step by step: all that is asked of such a
    system. The first five are required.
    """

    servers: Sequence[Server]
    """Those of the network by name, also those only named by others (``loaded`` False); a server
    that is not loaded is never stepped."""
    entries: Callable[[], Iterable[State]]
    """The states in which messages begin: each configured destination at its own server."""
    enter: Callable[[str, Message], State]
    """The state of a message sent at a server. Raises UsageError for a name that no message goes
    to."""
    step: Callable[[State], Transition]
    """The ways out of a state. Never looks at the message: a condition on it is a guard."""
    evaluate: Callable[[Guard, Message], Verdict]
    """Whether a guard holds for a message; its ``id`` is what makes a guard distinct."""
    loop_key: Callable[[State], Hashable] = _itself
    """What of a state comes again in a loop."""
    on_loop: OnLoop | Callable[[State], OnLoop] = STATIC
    """What it means that a state comes again, for every state or for each."""
    beyond: Outcome = Outcome.UNDETERMINED
    """How a branch ends at a server that is not loaded."""
    named: Callable[[], Iterable[Server]] = tuple
    """More servers that are only named, where to find them is to read all facts: asked for when
    the graph is made, never for one message."""
    notes: Sequence[Note] = ()
    """What stands in every answer about a message."""
    findings: Sequence[Finding] = ()
    """What was found while the network was loaded."""
    checks: Sequence[Callable[[], Iterable[Finding]]] = ()
    """Run when the graph is made, never for one message."""
    takes: Callable[[str, State, Ending], Sequence[Way]] = _takes_nothing
    """The ways into this system of a message of another one, named first. The ending says what
    happens without: ``HELD`` in a state (a program of this system may read the queue there), or
    ``EXTERNAL``, for a message that goes to a server which the other system has not loaded, or is
    handed over to this system (``handed_over_to``); the state is then the one it goes to. The ways
    replace what they were found for."""
    show: Callable[[str], Iterator[dict[str, object]] | None] = field(default=_no_rows)
    """The rows of ``show WHAT``, each with ``server`` and ``system``; None where it has none."""
    components: Callable[[], Sequence[Component]] = _no_components
    """What may fail beside servers."""
    without: Callable[[Outage], Stepping] | None = None
    """The system while something is out of order: it knows what its servers do when they notice
    (hold, refuse, choose another instance). Without it, whatever would go to a server that is out
    of order is held."""
    as_before: Callable[[State], bool] = never
    """Of a system ``without`` something: whether a state is known to step as it does where nothing
    is out of order."""
    asking: Asking | None = None
    """What steps ask about what may be out of order; None where that is not known."""
    reply: Callable[[State, Message], State | None] | None = None
    """The state in which the reply to a message begins that was taken in a state; None where the
    message asks for none. Without the function replies are not followed."""
    handed_over: Callable[[State, Message], State] = _as_it_came
    """The state of a message that another system handed over, with what the sender says to this
    system alone."""
    address: Callable[[State], str] = _its_object
    """What a message was sent to that begins in a state, in words."""
    asks_on: bool = False
    """Whether what a server answers to another may depend on servers that it asks in turn: then a
    step may differ if any of those does that the message may get to, or that are asked."""
    known_as: Collection[str] = ()
    """Names, beside their own, by which other systems know its servers."""
    entries_at: Callable[[Collection[str]], Iterable[State]] | None = None
    """``entries`` at some servers, where there is a shorter way to them."""
    begins: Callable[[], Begins] | None = None
    """The states in which messages of senders begin that say nothing more, where these are not
    ``entries``, which may stand for many: those of ``enter``, one for each destination."""
    sent: Callable[[], Iterable[State]] | None = None
    """Messages that say what their way depends on, one for each way, where ``entries`` leave that
    open: what failures do is told of these."""
    standing: Standing | None = None
    """What states are that stand for many names, where ``begins`` has such."""
    passes: Callable[[TracedStep], Sequence[str]] = its_queue
    """What a message passes in a step, in words: what somebody may have put on its way."""
    station: Callable[[State, Way], Station] = _station
    """What of its server has a message in a state that goes one of its ways: asked for the steps of
    a trace, never for a graph."""
    joined: Callable[[], Sequence[Joined]] = tuple
    """What servers that are not loaded may join, without a change of those that are."""
    touched_by: Callable[[Collection[Fact]], Collection[str] | None] = _all_of_them
    """The servers at which states may step otherwise where some facts of this system come or go;
    what it makes of the messages of others (``takes``) is then the same, and a graph has all its
    ways: none is of another reading. None where that may be all."""
    explains: Callable[[Finding], bool] = _explains_nothing
    """Whether a finding of another system is shown by this one to be mistaken."""
    passing: Callable[[State], Passage | None] | None = None
    """What becomes of a message that only passes a server, where a system knows it without a step
    for each state; None of other states. Graphs ask it, traces step."""
    beginning: Callable[[], Iterable[State | Ended]] | None = None
    """``entries`` in their order, with ``Ended`` in place of states from which messages get no
    further, where a system knows it together with ``passing``: most of the states of a graph."""
    plainer: Callable[[State], State] = _as_it_is
    """A state without what only counts copies and turns: messages in it may get to whatever those
    in the given state may get to. Asked of what lies behind ways that are left open, so that the
    same is not looked at for each copy."""
    told_where_it_ends: Collection[Outcome] = ()
    """Outcomes that are told of no other server than the one at which the message is."""
    circling: Callable[[Budget], Circling] | None = None
    """Which messages come back to where they were, and which arrive twice, as far as a budget
    goes; None where the system does not tell."""
    alike: Callable[[State], bool] = never
    """Whether the ways out of a state, up to where they leave its server, are those of all others
    that have its loop key and of which this is true."""

    def loops_at(self, state: State) -> OnLoop:
        """What it means that a state comes again."""
        return self.on_loop(state) if callable(self.on_loop) else self.on_loop


@record
class Seam:
    """How a state of one system is one of another; ``translate`` gives None where it has none
    there. ``lost`` says what does not come across.
    """

    start: str
    end: str
    translate: Callable[[State], State | None]
    lost: str = ""


Systems = Mapping[str, Stepping]
"""The stepping systems of a network, by name."""
