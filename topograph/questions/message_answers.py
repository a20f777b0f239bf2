"""The answers about messages: ``propagate``, ``trace`` and ``impact``. See ``answers``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topograph.findings import Source
from topograph.questions.answer import Answer, Step, Stopped, Undetermined


@dataclass(frozen=True, slots=True)
class Decision:
    """What one router decided about a message."""

    at: str
    """The router."""
    text: str
    """What it decided, in words."""
    rule: str
    """The rule it decided by."""
    source: Source
    """The configuration line behind it."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A server where subscribers get the message. ``subscriber``: configured, observed, declared or assumed."""

    server: str
    """The server where the subscriber is."""
    destination: str
    """The destination it is delivered to."""
    outcome: str
    """The outcome in one word."""
    hops: int
    """Routes traversed."""
    path: tuple[str, ...]
    """Server names, first to last."""
    copies: int
    """How many times the message arrives there."""
    subscriber: str
    """How the subscriber is known: configured, observed, declared or assumed."""
    steps: tuple[Step, ...] = ()
    """One a link of the path."""
    receiver: str = ""
    """The receiver or container, where it has a name of its own."""
    choice: str = "always"
    """`always`; `one_of`: chosen at run time (of routers `alternatives` lists what they can choose); `opaque`: code that no file shows decides; `later`: what
    holds the message now has to go away first."""
    paths: tuple[tuple[str, ...], ...] = ()
    """The path of each copy, where there are several."""
    decisions: tuple[Decision, ...] = ()
    """What each router on the path decided, in order."""
    source: Source = Source("")
    """Where the subscriber, receiver or container is stated; empty where it is only assumed."""
    system: str = ""
    """The system that the server runs."""


@dataclass(frozen=True, slots=True)
class Sender:
    """What the sender of a message sees."""

    outcome: str
    """`accepted`, `released`, `rejected`, `modified`, `unsettled`, or of the vocabulary of outcomes: `NO_CREDIT`, `REFUSED`."""
    condition: str = ""
    """The condition of a refusal, as the product words it."""
    description: str = ""
    """Its description, or in words why there is no credit."""
    rule: str = ""
    """The rule."""
    source: Source = Source("")
    """The line behind it."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One course of events of which exactly one is taken (ONE_OF)."""

    if_: str
    """Under which condition; empty where nothing that is configured decides."""
    outcome: str
    """What the sender sees."""
    received: dict[str, int]
    """Copies by receiver."""
    deposited: dict[str, dict[str, int]]
    """Messages by container and address there."""
    paths: dict[str, tuple[tuple[str, ...], ...]]
    """The path of each copy, by receiver or container."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PropagateAnswer(Answer):
    """``propagate``: who gets the message, by hops then name; where it stops and why."""

    question: ClassVar[str] = "propagate"
    rows_field: ClassVar[str] = "deliveries"

    from_: str
    """The server the message is published at."""
    message: dict[str, object]
    """The message as it was understood: destination, properties with their types, user."""
    deliveries: tuple[Delivery, ...]
    """Who gets it, by hops then server."""
    stopped: tuple[Stopped, ...]
    """Where it stops, and why."""
    received: tuple[str, ...] = ()
    """Every other server that the message, or a copy that a bridge makes of it, is forwarded to; transit servers included."""
    undetermined: tuple[Undetermined, ...] = ()
    """Servers of which the loaded files do not say."""
    sender: Sender | None = None
    """What the sender sees, where the system tells it."""
    alternatives: tuple[Alternative, ...] = ()
    """The possible courses of events, where there is more than one."""
    system: str = ""
    """The system of the server it is published at."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One thing that happens to the message."""

    id: int
    """Its number, from 0."""
    after: int
    """The step it comes after; -1 for a first one."""
    branch: int
    """The branch it belongs to."""
    at: str
    """The server it happens at."""
    system: str
    """The system that the server runs."""
    state: str
    """What the system has to know to go on from here; empty where nothing."""
    text: str
    """What happens, or what is decided, in words."""
    rule: str
    """The rule."""
    confidence: str
    """How sure the rule is."""
    outcome: str
    """The outcome of the step, with its arguments: `FORWARDED(B)`, `DELIVERED(topic:orders)`."""
    source: Source
    """The line behind it."""
    object: str = ""
    """The destination or queue concerned."""
    to: str = ""
    """The server that the message goes on to, where the step is a hop."""


@dataclass(frozen=True, slots=True)
class TraceBranch:
    """A part of the message's way that its siblings do not share."""

    id: int
    """Its number, from 0."""
    of: int
    """The branch it leaves; -1 for the first."""
    kind: str
    """`root`, `copy` (each sibling is taken), `one_of` (one is, chosen at run time), `else`, `opaque`, `reading` or `later`."""
    choice: str
    """The run-time choice that decides between siblings of kind `one_of`: the same key means the same pick everywhere."""
    condition: str
    """When it is taken, in words; empty where nothing that is configured decides."""
    ending: str
    """How it ends, with arguments; empty where it goes on in other branches."""
    eliminated: str
    """What a rule excluded, in words."""
    last: int
    """Its last step; -1 where it has none. The steps that lead there are its way."""
    sender: str = ""
    """What the sender sees of it, where the system tells that."""


@dataclass(frozen=True, slots=True)
class TraceReply:
    """What happens to the reply to a message, from where it was taken."""

    branch: int
    """The branch of the message's trace that ends there."""
    server: str
    """The server at which the message is taken."""
    destination: str
    """Where it is taken."""
    outcome: str
    """How the reply ends, in one word; empty where the message asks for none."""
    outcomes: tuple[str, ...] = ()
    """How each copy of it ends, with arguments."""
    steps: tuple[TraceStep, ...] = ()
    """What happens to it, in order."""
    branches: tuple[TraceBranch, ...] = ()
    """The parts of its way, in order."""
    undetermined: tuple[Undetermined, ...] = ()
    """Servers of which the loaded files do not say whether it gets there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceAnswer(Answer):
    """``trace``: what happens to one message, step by step; each step names the one it comes after, so that steps that copies share stand once."""

    question: ClassVar[str] = "trace"
    rows_field: ClassVar[str] = "steps"

    from_: str
    """The server the message is sent at."""
    message: dict[str, object]
    """The message as it was understood."""
    steps: tuple[TraceStep, ...]
    """What happens, in order."""
    branches: tuple[TraceBranch, ...]
    """The parts of its way, in order."""
    outcome: str
    """How it ends, in one word; `ONE_OF` where courses differ."""
    outcomes: tuple[str, ...]
    """How each copy ends, with arguments."""
    alternatives: tuple[int, ...] = ()
    """The branches that are possible courses, by number, where there is more than one."""
    undetermined: tuple[Undetermined, ...] = ()
    """Servers of which the loaded files do not say."""
    sender: Sender | None = None
    """What the sender sees, where the system tells it."""
    system: str = ""
    """The system of the server it is sent at."""
    replies: tuple[TraceReply, ...] = ()
    """With `--reply`: what happens to the reply, for each place where the message is taken."""


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Interruption:
    """Messages of publishers that do not get to subscribers while a failure lasts, at one place and on one destination."""

    at: str
    """The server that has the messages last."""
    neighbour: str
    """The server that they would go to next; empty where a client of `at` is away."""
    destination: str
    """What they are published to; empty: whatever goes that way, where nobody is known to subscribe."""
    publishers: tuple[str, ...]
    """The servers with a known publisher; empty where none is declared: then it may be any server that reaches `at`."""
    subscribers: tuple[str, ...]
    """The servers with a subscriber that does not get them meanwhile."""
    pairs: int
    """How many pairs of a publisher and a subscriber, known or supposed, have no other path."""
    assumed: str
    """What of these is only supposed to be at every server: `publishers`, `publishers and subscribers`, or nothing."""
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


@dataclass(frozen=True, slots=True)
class Gap(Interruption):
    """Messages that are published meanwhile and not kept for these subscribers."""

    removed: tuple[tuple[str, str], ...] = ()
    """The internal subscriptions that are deleted because of it, where a client is away: server, and the neighbour it was for."""


@dataclass(frozen=True, slots=True)
class Retained(Interruption):
    """Messages that are stored meanwhile and passed on afterwards, as long as the storage holds them."""

    duplicates: bool = False
    """Whether consumers may get some of them twice."""
    max_bytes: int | None = None
    """The bytes that `at` stores of this destination for this neighbour or client at most; null: no limit, or not known."""
    max_messages: int | None = None
    """The messages, likewise."""
    when_full: str = ""
    """What happens at the limit; empty where the destination, or the file with its limits, is not known."""
    limit_source: Source | None = None
    """Where the limit stands, or the entry that has none."""
    hours: float | None = None
    """With `--rate`: the hours until the limit is reached; null: never, or not known."""


@dataclass(frozen=True, slots=True)
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
    """Pairs of a publisher and a subscriber, known or supposed, of which messages are missed meanwhile."""
    retained: int = 0
    """Such pairs of which messages are stored meanwhile."""
    duplicates: int = 0
    """Those of them whose consumers may get messages twice."""
    queues: int = 0
    """Queues whose messages wait meanwhile, one for each server that keeps them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactAnswer(Answer):
    """``impact``: what a failure does. With a sweep ``failures`` has one row a failure, worst first, and the lists of pairs are empty."""

    question: ClassVar[str] = "impact"
    rows_field: ClassVar[str] = "lost"

    failed: tuple[str, ...]
    """What fails."""
    lost: tuple[Lost, ...] = ()
    """Ordered pairs of living servers that no longer reach each other."""
    held: tuple[dict[str, object], ...] = ()
    """What is stored until the failure is over."""
    gaps: tuple[Gap, ...] = ()
    """What is not kept for whom meanwhile."""
    retained: tuple[Retained, ...] = ()
    """What is kept for whom, where, and up to which limit."""
    changed: tuple[OutcomeChanged, ...] = ()
    """Destinations of living servers whose messages end in another way, where the system tells them one by one."""
    rerouted: tuple[Rerouted, ...] = ()
    """Ordered pairs that reach each other by another path, or at another cost."""
    taken_over: tuple[dict[str, str], ...] = ()
    """What takes over: edge routers whose uplink moves, servers of which another member runs on: edge, before, after."""
    containers: tuple[ContainerLost, ...] = ()
    """Containers that servers no longer reach."""
    transient: dict[str, object] | None = None
    """What holds until the failure is noticed everywhere: `max_seconds` and `outcome`; null where nothing moves and nothing gets out of reach."""
    failures: tuple[FailureCounted, ...] = ()
    """One a failure of a sweep, worst first."""
    left_out: tuple[str, ...] = ()
    """What the budget left out: servers whose pairs with others were not compared, or failures of a sweep that were not counted."""
