"""Words and numbers of the system: reliabilities, reason codes, names of its own (sibus.md A1.3,
A2.7).
"""

from __future__ import annotations

from topograph.facts.sibus_faults import RELIABILITIES

BEST_EFFORT, ASSURED = RELIABILITIES[0], RELIABILITIES[-1]

SYSTEM_DEFAULT = "$DEFAULT_EXCEPTION_DESTINATION"
"""The configured name of "the exception destination of the messaging engine"."""

TEMPORARY = ("_Q", "_T", "_P")
"""How names of destinations begin that exist only while a program runs (S-27)."""

LIMIT = 20
"""Redirects of one message before it goes to an exception destination (S-09)."""

LIBERTY = {"A-1": "engine", "A-2": "rejected", "A-5": "last_found", "A-11": "refused"}
"""The readings that hold on a bus of Liberty, whatever is taken elsewhere, by position: its engine
was seen to do this (A4.3, ``tests/golden/sibus``)."""

REASONS = {
    1: "the destination could not be entered",
    2: "the destination is not a topic space",
    11: "the destination is a topic space",
    15: "destination not found",
    17: "sending is not allowed",
    23: "the exception destination cannot be used",
    24: "no queue point allows sending",
    26: "no suitable queue point",
    28: "the alias target does not exist",
    29: "the alias targets a service destination",
    33: "the reliability is higher than the destination allows",
    34: "service destination with an empty path",
    35: "too many failed deliveries",
    37: "invalid routing path",
    38: "foreign bus not found",
    41: "no link to the foreign bus",
    43: "too many redirects",
    101: "decided by a mediation",
}
"""What the reason codes used in answers mean."""


def rank(reliability: str) -> int:
    """The place of a reliability in their order, from 0; that of the highest for a word that is
    none.
    """
    return (
        RELIABILITIES.index(reliability) if reliability in RELIABILITIES else len(RELIABILITIES) - 1
    )
