"""Which sign stands for which claim: one table of the kind of claim and of its judgement.

Whatever marks a server or a link for an answer takes the mark from here, so that no sign says more
than the answer's JSON. A judgement that a kind of claim has no sign for is drawn as a question
mark, which claims nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from topograph.judgement import Condition, Judgement, Polarity, Told
from topograph.outcomes import NotForwarded, Outcome, Truth
from topograph.questions.answers import (
    Delivery,
    DeliveryMoved,
    End,
    Interruption,
    MessageFollowed,
    PathFound,
    ReachedServer,
    Stopped,
    TraceAnswer,
    TraceBranch,
    TraceReply,
)
from topograph.questions.texts.walks import is_open
from topograph.viz.scene.records import Mark

Branched = TraceAnswer | TraceReply | MessageFollowed
"""What is followed step by step: steps, and the branches that they are in."""


class Claim(StrEnum):
    """What an answer says of a server, a link or what servers connect to."""

    REACHED = "reached"
    """Messages from the server asked from get there."""
    TARGET = "target"
    """The same of the one server that was asked about."""
    TAKEN = "taken"
    """Somebody gets the message there."""
    STORED = "stored"
    """A container keeps the message."""
    WAITS = "waits"
    """The message stays there for the time being."""
    ASIDE = "aside"
    """The message is put on a dead-letter queue or an exception destination."""
    ENDS = "ends"
    """The message ends there, and nobody gets it."""
    CIRCULATES = "circulates"
    """The message goes round for ever."""
    PASSES = "passes"
    """The message gets there and goes on, or leaves the network."""
    ON_WAY = "on-way"
    """A path leads over the server to another one."""
    SENT_ON = "sent-on"
    """The message is sent on to this server, or gets there in another way."""
    STOPPED = "stopped"
    """A link does not take the message, or nobody at the server does."""
    CUT_OFF = "cut-off"
    """No message passes any longer between the part of this server and other parts."""
    APART = "apart"
    """Messages between this server and some others get there no longer."""
    OUT_OF_REACH = "out-of-reach"
    """Servers no longer reach this broker or container."""
    LOSES = "loses"
    """Subscribers miss messages."""
    GAINS = "gains"
    """More servers are reached, or subscribers get more messages."""
    ELSEWHERE = "elsewhere"
    """Messages end in another way than before."""
    BETTER = "better"
    """Messages end better than before."""
    DOWN = "down"
    """It fails."""
    CRITICAL = "critical"
    """If it fails alone, something is lost."""
    AFFECTS = "affects"
    """If it fails alone, nothing is lost, but messages end in another way."""
    HARMLESS = "harmless"
    """If it fails alone, others lose nothing."""
    COMES = "comes"
    """A change brings the link."""
    REFUSED = "refused"
    """A server refuses the link."""
    ILLEGAL = "illegal"
    """A name would be held over two routes."""


MARKS: Mapping[Claim, Mapping[Told, Mark]] = {
    Claim.REACHED: {
        Told.YES: Mark.REACHED,
        Told.NO: Mark.UNREACHABLE,
        Told.ONE_OF: Mark.ONE_OF,
        Told.LATER: Mark.LATER,
    },
    Claim.TARGET: {
        Told.YES: Mark.TARGET,
        Told.NO: Mark.UNREACHABLE,
        Told.ONE_OF: Mark.ONE_OF,
        Told.LATER: Mark.LATER,
    },
    Claim.TAKEN: {
        Told.YES: Mark.DELIVERED,
        Told.NO: Mark.TRANSIT,
        Told.IF: Mark.WOULD_DELIVER,
        Told.ONE_OF: Mark.ONE_OF,
        Told.LATER: Mark.LATER,
    },
    Claim.STORED: {
        Told.YES: Mark.STORED,
        Told.NO: Mark.TRANSIT,
        Told.ONE_OF: Mark.ONE_OF,
        Told.LATER: Mark.LATER,
    },
    Claim.WAITS: {Told.YES: Mark.HELD, Told.ONE_OF: Mark.MAY_END, Told.LATER: Mark.LATER},
    Claim.ASIDE: {Told.YES: Mark.ASIDE, Told.ONE_OF: Mark.MAY_END, Told.LATER: Mark.LATER},
    Claim.ENDS: {Told.YES: Mark.REJECTED, Told.ONE_OF: Mark.MAY_END, Told.LATER: Mark.LATER},
    Claim.CIRCULATES: {
        Told.YES: Mark.CIRCULATES,
        Told.ONE_OF: Mark.MAY_END,
        Told.LATER: Mark.LATER,
    },
    Claim.PASSES: {Told.YES: Mark.TRANSIT, Told.ONE_OF: Mark.TRANSIT, Told.LATER: Mark.TRANSIT},
    Claim.ON_WAY: {
        Told.YES: Mark.TRANSIT,
        Told.ONE_OF: Mark.TRANSIT,
        Told.LATER: Mark.TRANSIT,
        Told.UNKNOWN: Mark.MAYBE_TRANSIT,
    },
    Claim.SENT_ON: {Told.NO: Mark.NOTHING},
    Claim.STOPPED: {Told.YES: Mark.BLOCKED},
    Claim.CUT_OFF: {Told.YES: Mark.CUT_OFF},
    Claim.APART: {Told.YES: Mark.APART},
    Claim.OUT_OF_REACH: {Told.YES: Mark.LOST},
    Claim.LOSES: {Told.YES: Mark.LOSES, Told.IF: Mark.WOULD_LOSE},
    Claim.GAINS: {Told.YES: Mark.GAINS, Told.IF: Mark.WOULD_GAIN},
    Claim.ELSEWHERE: {Told.YES: Mark.ELSEWHERE},
    Claim.BETTER: {Told.YES: Mark.BETTER},
    Claim.DOWN: {Told.YES: Mark.DOWN},
    Claim.CRITICAL: {Told.YES: Mark.CRITICAL},
    Claim.AFFECTS: {Told.YES: Mark.AFFECTS},
    Claim.HARMLESS: {Told.YES: Mark.HARMLESS},
    Claim.COMES: {Told.YES: Mark.COMES},
    Claim.REFUSED: {Told.YES: Mark.REFUSED},
    Claim.ILLEGAL: {Told.YES: Mark.DUPLICATE},
}
"""The sign of each claim by what is told of it. That the message passes is no claim about where it
gets, so that one sign does; it stands where nothing else is said."""

MARK_WORDS: Mapping[Mark, str] = {
    Mark.ASKED: "asked from",
    Mark.TARGET: "asked about, reached",
    Mark.REACHED: "reached",
    Mark.DELIVERED: "gets the message",
    Mark.STORED: "stored here",
    Mark.TRANSIT: "passed on the way",
    Mark.MAYBE_TRANSIT: "may be passed: the way there is not certain",
    Mark.NOTHING: "gets nothing",
    Mark.HELD: "waits here",
    Mark.ASIDE: "put aside here",
    Mark.REJECTED: "ends here",
    Mark.CIRCULATES: "goes round for ever",
    Mark.UNREACHABLE: "not reached",
    Mark.UNDETERMINED: "not certain",
    Mark.DUPLICATE: "multi-path cycle",
    Mark.REDUNDANT: "redundant part",
    Mark.WOULD_DELIVER: "would be delivered here, if anybody subscribes",
    Mark.ONE_OF: "one of these, chosen at run time",
    Mark.LATER: "later, after something else has happened",
    Mark.MAY_END: "may end here undelivered: chosen at run time",
    Mark.CUT_OFF: "cut off from others",
    Mark.APART: "no longer joined to some servers",
    Mark.LOST: "out of reach",
    Mark.LOSES: "subscribers lose messages",
    Mark.WOULD_LOSE: "subscribers would lose messages, if there are any",
    Mark.ELSEWHERE: "messages put here end elsewhere",
    Mark.BETTER: "messages put here end better",
    Mark.GAINS: "joined to more, or subscribers get more",
    Mark.WOULD_GAIN: "subscribers would get more, if there are any",
    Mark.COMES: "comes with the change",
    Mark.GOES: "goes with the change",
    Mark.ALTERED: "altered by the change",
    Mark.REFUSED: "will not be",
    Mark.DOWN: "fails",
    Mark.CRITICAL: "if it fails, something is lost",
    Mark.AFFECTS: "if it fails, messages end elsewhere or wait",
    Mark.HARMLESS: "if it fails, others lose nothing",
}
"""What each mark means, in the order of the legend."""


PART_WORDS = "parts that no longer reach each other, a letter for each"
"""What the letter of a server says (``Scene.parts``)."""


def mark_of(claim: Claim, told: Told = Told.YES) -> Mark:
    """The sign of a claim; a question mark where it has none for what is told."""
    return MARKS[claim].get(told, Mark.UNDETERMINED)


def claim_of(outcome: str) -> Claim:
    """What an outcome makes of the server where it comes about; every one that is not listed ends
    the message there."""
    return _OUTCOMES.get(outcome, Claim.ENDS)


_OUTCOMES: Mapping[str, Claim] = {
    Outcome.DELIVERED: Claim.TAKEN,
    Outcome.PUBLISHED: Claim.TAKEN,
    Outcome.DEPOSITED: Claim.STORED,
    Outcome.HELD: Claim.WAITS,
    Outcome.XMIT: Claim.WAITS,
    Outcome.BLOCKED: Claim.WAITS,
    Outcome.STUCK: Claim.WAITS,
    Outcome.DLQ: Claim.ASIDE,
    Outcome.EXCEPTIONED: Claim.ASIDE,
    Outcome.LOOP: Claim.CIRCULATES,
    Outcome.EXTERNAL: Claim.PASSES,
    Outcome.NOT_FORWARDED: Claim.STOPPED,
}

SOMEBODY_HAS_IT = (Claim.TAKEN, Claim.STORED)
"""What an answer says of servers where somebody takes the message, or can take it."""

FIRST = (
    Mark.DELIVERED,
    Mark.STORED,
    Mark.ONE_OF,
    Mark.WOULD_DELIVER,
    Mark.ASIDE,
    Mark.HELD,
    Mark.CIRCULATES,
    Mark.REJECTED,
    Mark.LATER,
    Mark.MAY_END,
    Mark.UNDETERMINED,
    Mark.TRANSIT,
)
"""Of several marks of a server that a message gets to the first of these: where somebody has it
before where nobody has, what is certain before what is not. The notes say all of them."""


def of_fate(one: Delivery | End) -> tuple[Claim, Told]:
    """What is claimed of a server where somebody takes the message, or where it ends, and how
    certain it is."""
    return claim_of(one.outcome), Told(one.judgement)


def of_branch(answer: Branched, branch: TraceBranch) -> tuple[Claim, Told]:
    """What is claimed of the server where a branch ends, and how certain it is. That a link does
    not take the message depends on what the branch depends on."""
    claim = claim_of(branch.outcome)
    if claim is not Claim.STOPPED:
        return claim, Told(branch.judgement)
    last = answer.steps[branch.last]
    if last.value == Truth.UNKNOWN and last.condition != NotForwarded.SELECTOR:
        return claim, Told.UNKNOWN
    return claim, told_on(answer, branch)


def told_on(answer: Branched, branch: TraceBranch) -> Told:
    """How certain it is that a branch is taken, with all that it comes out of."""
    on = set()
    number = branch.id
    while number >= 0:
        on.add(answer.branches[number].kind)
        number = answer.branches[number].of
    if "opaque" in on or "reading" in on:
        return Told.UNKNOWN
    return Judgement(Polarity.YES, frozenset(one for one in Condition if one in on)).told


def of_reached(server: ReachedServer | PathFound) -> Told:
    """How certain it is that a server is reached, or reached over a path."""
    if server.later:
        return Told.LATER
    return Told.YES if server.certain else Told.ONE_OF


def of_stop(stop: Stopped) -> Told:
    """How certain it is that the message stops there."""
    return Told.UNKNOWN if is_open(stop) else Told.YES


def of_interruption(one: Interruption) -> Told:
    """How certain it is that messages are missed: subscribers may only be supposed."""
    return Told.IF if "subscribers" in one.assumed else Told.YES


def of_moved(one: DeliveryMoved) -> Told:
    """How certain it is that a subscriber loses or gets a message: it may only be supposed."""
    return Told.IF if one.subscriber == "assumed" else Told.YES
