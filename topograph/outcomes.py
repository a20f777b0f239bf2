"""Outcomes: the words in which answers end (outcomes.md section 1), and why a link was not taken."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """The result vocabulary of the five systems; precise meanings in outcomes.md section 1."""

    DELIVERED = "DELIVERED"
    PUBLISHED = "PUBLISHED"
    XMIT = "XMIT"
    HELD = "HELD"
    EXCEPTIONED = "EXCEPTIONED"
    DLQ = "DLQ"
    DISCARDED = "DISCARDED"
    BLOCKED = "BLOCKED"
    REJECTED = "REJECTED"
    LOOP = "LOOP"
    EXTERNAL = "EXTERNAL"
    OPAQUE = "OPAQUE"
    ONE_OF = "ONE_OF"
    FORWARDED = "FORWARDED"
    NOT_FORWARDED = "NOT_FORWARDED"
    STUCK = "STUCK"
    GAP = "GAP"
    DUPLICATE = "DUPLICATE"
    NO_CREDIT = "NO_CREDIT"
    RELEASED = "RELEASED"
    REFUSED = "REFUSED"
    DEPOSITED = "DEPOSITED"
    UNDETERMINED = "UNDETERMINED"
    """The loaded files do not decide it: a server's files are missing. Not an outcome of any product."""


class NotForwarded(StrEnum):
    """Conditions of NOT_FORWARDED: a link exists but this message may not take it."""

    ZONE = "zone"
    SELECTOR = "selector"
    NOT_GLOBAL = "not-global"
    NO_INTEREST = "no-interest"
    ACL = "acl"
    ROUTE_DOWN = "route-down"
    ALREADY_VISITED = "already-visited"


class Truth(StrEnum):
    """Three-valued truth of selectors and guards. Only TRUE lets a message pass (R69)."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    UNKNOWN = "UNKNOWN"


class Confidence(StrEnum):
    """How far a rule rests on its source: EMS marks H, M, L; AMQ Interconnect marks A, B, C, I (the specs define each)."""

    H = "H"
    M = "M"
    L = "L"
    A = "A"
    B = "B"
    C = "C"
    I = "I"  # noqa: E741  (the specification's own mark for "inference")

    @property
    def weak(self) -> bool:
        """True where an answer that rests on the rule has to say so (L and I)."""
        return self in (Confidence.L, Confidence.I)
