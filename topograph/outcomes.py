"""Outcomes: the words in which answers end (outcomes.md section 1), and why a link was not
taken.
"""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """The result vocabulary of the six systems; precise meanings in outcomes.md section 1."""

    DELIVERED = "DELIVERED"
    """Handed to a client's subscription or receiver, or stored where its consumers take it."""
    PUBLISHED = "PUBLISHED"
    """Handed to publish/subscribe: one copy to each matching subscription, with none it is gone."""
    XMIT = "XMIT"
    """Placed on a transmission queue or an equivalent outgoing store that something is defined
    to move on.
    """
    HELD = "HELD"
    """Stored, and sent on when the reason goes away; not lost and not in error."""
    EXCEPTIONED = "EXCEPTIONED"
    """Moved to an exception destination."""
    DLQ = "DLQ"
    """Put on a dead-letter queue by a receiving component."""
    DISCARDED = "DISCARDED"
    """Deleted on purpose."""
    BLOCKED = "BLOCKED"
    """Stays where it is and is tried again after an interval."""
    REJECTED = "REJECTED"
    """The putting application gets an error and the system keeps nothing."""
    LOOP = "LOOP"
    """The same state came back."""
    EXTERNAL = "EXTERNAL"
    """Leaves the loaded configuration; nothing is claimed about what happens there."""
    OPAQUE = "OPAQUE"
    """Code that the configuration does not show decides; the answer branches."""
    ONE_OF = "ONE_OF"
    """Exactly one of the listed outcomes occurs; which one is chosen at run time."""
    FORWARDED = "FORWARDED"
    """Passed over a link to the next server; an intermediate step."""
    NOT_FORWARDED = "NOT_FORWARDED"
    """A link exists but this message may not take it; the condition says why."""
    STUCK = "STUCK"
    """Accepted and stored, and nothing configured can ever move it on."""
    GAP = "GAP"
    """Messages published meanwhile are not kept for these subscribers."""
    DUPLICATE = "DUPLICATE"
    """The same message reaches one receiver more than once."""
    NO_CREDIT = "NO_CREDIT"
    """The sender is attached and gets no credit: nobody can take the message."""
    RELEASED = "RELEASED"
    """Taken from the sender and given back unsettled."""
    REFUSED = "REFUSED"
    """The attach, the put or the command is refused by the server."""
    DEPOSITED = "DEPOSITED"
    """Given to a broker over an autolink or a link route."""
    UNDETERMINED = "UNDETERMINED"
    """The loaded files do not decide it: a server's files are missing. Not an outcome of any
    product.
    """


class NotForwarded(StrEnum):
    """Conditions of NOT_FORWARDED: a link exists but this message may not take it."""

    ZONE = "zone"
    """The zone does not pass it on: a one-hop zone takes a message one hop only."""
    SELECTOR = "selector"
    """A route selector, or the subscriber's own, does not hold for it."""
    NOT_GLOBAL = "not-global"
    """The destination is not global at both ends of the link, or no entry of the server allows
    it.
    """
    NO_INTEREST = "no-interest"
    """Nobody at the other end or behind it is known to want it."""
    ACL = "acl"
    """A permission is missing."""
    ROUTE_DOWN = "route-down"
    """The route is configured and down."""
    NO_ROUTE = "no-route"
    """No direct route joins the two servers, and the message takes one route only; or nothing
    that is configured leads on to the server.
    """
    ALREADY_VISITED = "already-visited"
    """It has been to the server at the other end."""


class Truth(StrEnum):
    """Three-valued truth of selectors and guards. Only TRUE lets a message pass (R69)."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    UNKNOWN = "UNKNOWN"


class Confidence(StrEnum):
    """How far a rule rests on its source: EMS marks H, M, L; AMQ Interconnect marks A, B, C, I
    (the specs define each).
    """

    H = "H"
    M = "M"
    L = "L"
    A = "A"
    B = "B"
    C = "C"
    I = "I"  # noqa: E741

    @property
    def weak(self) -> bool:
        """True where an answer that rests on the rule has to say so (L and I)."""
        return self in (Confidence.L, Confidence.I)
