"""The answer of ``trace``, and what ``propagate`` has in common with it. See ``answers``."""

from __future__ import annotations

from typing import ClassVar

from topograph.findings import Source
from topograph.questions.answers.base import Answer, Undetermined
from topograph.records import record


@record
class Sender:
    """What the sender of a message sees."""

    outcome: str
    """`accepted`, `released`, `rejected`, `modified`, `unsettled`, or of the vocabulary of
    outcomes: `NO_CREDIT`, `REFUSED`.
    """
    condition: str = ""
    """The condition of a refusal, as the product words it."""
    description: str = ""
    """Its description, or in words why there is no credit."""
    rule: str = ""
    """The rule."""
    source: Source = Source("")
    """The line behind it."""


@record
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
    condition: str = ""
    """The condition of the outcome, such as `selector` of `NOT_FORWARDED`; empty where it has
    none.
    """
    value: str = ""
    """What decides that condition: `FALSE`, or `UNKNOWN` where a property that is asked for is
    missing or the files do not say; empty where the outcome has none.
    """
    kind: str = ""
    """The kind of object that has the message, in the words of its system: `alias queue`,
    `transmission queue`; empty where it has no word for it.
    """
    name: str = ""
    """The name of that object; empty where the server itself has the message."""
    link: str = ""
    """The name of the link that the message goes on over, where the step is a hop and the link has
    a name.
    """
    role: str = ""
    """What kind of link that is, where its system has several: `channel`, `cluster channel`."""
    towards: str = ""
    """The server that the message does not go on to, where the link to it does not take it, or may
    not.
    """


@record
class TraceBranch:
    """A part of the message's way that its siblings do not share."""

    id: int
    """Its number, from 0."""
    of: int
    """The branch it leaves; -1 for the first."""
    kind: str
    """`root`, `copy` (each sibling is taken), `one_of` (one is, chosen at run time), `else`,
    `opaque`, `reading` or `later`.
    """
    choice: str
    """The run-time choice that decides between siblings of kind `one_of`: the same key means the
    same pick everywhere.
    """
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
    judgement: str = ""
    """How certain its ending is, as of the deliveries of `propagate`: `yes`, `if`, `one_of`,
    `later` or `unknown`; empty where it does not end, or a link does not take the message, and of
    other readings.
    """
    conditions: tuple[str, ...] = ()
    """All that the judgement depends on: `one_of`, `later`, `if`."""
    server: str = ""
    """The server where it ends; of `EXTERNAL` the one that the message leaves from; empty where
    there is no judgement.
    """
    outcome: str = ""
    """The outcome of its ending in one word; empty where it goes on in other branches."""


@record
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


@record
class MessageFollowed:
    """What happens to the message of an answer that tells only what it comes to, as ``trace`` tells
    it: for pictures."""

    steps: tuple[TraceStep, ...]
    """What happens, in order."""
    branches: tuple[TraceBranch, ...]
    """The parts of its way, in order."""


@record(kw_only=True)
class TraceAnswer(Answer):
    """``trace``: what happens to one message, step by step; each step names the one it comes
    after, so that steps that copies share stand once.
    """

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
