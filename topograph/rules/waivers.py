"""The sentence by which a comment in a configuration file that waives a rule travels as a finding
from the reader to ``check``.
"""

from __future__ import annotations

from typing import NamedTuple

from topograph.findings import Finding, Source
from topograph.rules.unnumbered import WAIVER, WAIVER_WITHOUT_REASON

_BEGINS, _BETWEEN = "Waives ", " in this file: "


class WaivedHere(NamedTuple):
    """What a comment waives in its file, and why."""

    rule: str
    reason: str


def waived_here(source: Source, rule: str, reason: str) -> Finding:
    """The finding for a comment that waives ``rule`` (a number, a name or a kind of finding, one
    word) in its file. Without a reason it waives nothing.
    """
    if not reason:
        what = f"of {rule} gives no reason" if rule else "names no rule and gives no reason"
        message = f"This waiver {what}: it does not count."
        return WAIVER_WITHOUT_REASON.at(source, message)
    return WAIVER.at(source, f"{_BEGINS}{rule}{_BETWEEN}{reason}")


def read_waived(finding: Finding) -> WaivedHere | None:
    """What a finding waives; None for one that is no waiver."""
    if finding.kind != WAIVER.kind:
        return None
    rule, _, reason = finding.message.removeprefix(_BEGINS).partition(_BETWEEN)
    return WaivedHere(rule, reason)
