"""The answer of ``propagate``. See ``answers``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import ClassVar

from topograph.findings import Source
from topograph.questions.answers.base import ASIDE, Answer, Step, Stopped, Undetermined
from topograph.questions.answers.trace import MessageFollowed, Sender
from topograph.records import record


@record
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


@record
class DeliveredTo:
    """A subscriber that gets the message."""

    name: str
    """The durable or client, in words; empty where it has no name."""
    subscriber: str
    """How it is known: configured, observed, declared or assumed."""
    source: Source
    """The line that names it; empty where it is only assumed."""


@record
class Delivery:
    """A server where subscribers get the message. ``subscriber``: configured, observed, declared
    or assumed.
    """

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
    """`always`; `one_of`: chosen at run time (of routers `alternatives` lists what they can
    choose); `opaque`: code that no file shows decides; `later`: what holds the message now has
    to go away first, or another event has to come."""
    paths: tuple[tuple[str, ...], ...] = ()
    """The path of each copy, where there are several."""
    decisions: tuple[Decision, ...] = ()
    """What each router on the path decided, in order."""
    source: Source = Source("")
    """Where the subscriber, receiver or container is stated; empty where it is only assumed."""
    system: str = ""
    """The system that the server runs."""
    delivered_to: tuple[DeliveredTo, ...] = ()
    """Every subscriber that gets it there, the best known first, where subscribers get copies of
    their own.
    """
    judgement: str = "yes"
    """How certain it is: `yes`; `if` a subscriber is there, which is assumed; `one_of` several,
    chosen at run time; `later`; `unknown`: code that no file shows decides. Of several that it
    depends on the first of `one_of`, `later`, `if`.
    """
    conditions: tuple[str, ...] = ()
    """All that the judgement depends on: `one_of`, `later`, `if`."""


@record
class End:
    """What becomes of the message, or of a copy of it, other than that somebody gets it or that a
    link does not take it.
    """

    outcome: str
    """The outcome in one word: `DLQ`, `EXTERNAL`, `REJECTED`, `HELD`, ..."""
    server: str
    """The server where it ends."""
    destination: str
    """The queue or destination concerned; empty where there is none."""
    ending: str
    """The outcome with its arguments, as `trace` has it: `DLQ(DEAD.LETTERS, HQ, 2085)`."""
    because: str
    """What happens, in words."""
    rule: str
    """The rule."""
    source: Source
    """The line behind it."""
    choice: str = "always"
    """`always`, `one_of`, `opaque` or `later`, as of deliveries."""
    system: str = ""
    """The system that the server runs."""
    path: tuple[str, ...] = ()
    """Server names, from the one asked from; empty where the message enters anew on its way."""
    goes_on: bool = False
    """Whether the message goes on from there: an exception destination that sends it on."""
    judgement: str = "yes"
    """How certain it is, as of deliveries; of `UNDETERMINED` `unknown`."""
    conditions: tuple[str, ...] = ()
    """All that the judgement depends on."""
    when: str = ""
    """When that is so, in words, where something decides it that is named."""


@record
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


@record(kw_only=True)
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
    """Every other server that the message, or a copy that a bridge makes of it, is forwarded to;
    transit servers included.
    """
    undetermined: tuple[Undetermined, ...] = ()
    """Servers of which the loaded files do not say."""
    sender: Sender | None = None
    """What the sender sees, where the system tells it."""
    alternatives: tuple[Alternative, ...] = ()
    """The possible courses of events, where there is more than one."""
    system: str = ""
    """The system of the server it is published at."""
    ends: tuple[End, ...] = ()
    """What else becomes of it: every ending that is not a delivery and not a link or subscriber
    that stops it, in the order of `trace`. Copies of what a server had before are left out.
    """
    follow: Callable[[], MessageFollowed] | None = field(
        default=None, compare=False, repr=False, metadata=ASIDE
    )
    """What happens to it step by step, for pictures; None where its system does not go so."""
