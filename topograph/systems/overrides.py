"""Whether ``overrides`` of topograph.yaml names positions and readings that systems have
(``ambiguities``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topograph import extensions
from topograph.findings import Finding
from topograph.rules.unnumbered import SIDE_INPUTS_INVALID
from topograph.side_inputs import LeftOut, OverrideEntry, SideInputs
from topograph.systems.contract.ambiguities import MOST, Ambiguity
from topograph.systems.registry import system
from topograph.words.did_you_mean import did_you_mean


def checked(side_inputs: SideInputs) -> tuple[SideInputs, tuple[Finding, ...]]:
    """The side inputs without overrides that no system knows or that have no such reading, and
    an error finding for each of those, which names the readings. Linear in the overrides and in
    the positions of the systems that they name."""
    found: dict[OverrideEntry, str] = {entry: _fault(entry) for entry in side_inputs.overrides}
    kept = tuple(entry for entry, fault in found.items() if not fault)
    faults = tuple(
        SIDE_INPUTS_INVALID.at(entry.source, fault) for entry, fault in found.items() if fault
    )
    if not faults:
        return side_inputs, ()
    left_out = (*side_inputs.left_out, *(LeftOut("overrides", one.source) for one in faults))
    return replace(side_inputs, overrides=kept, left_out=left_out), faults


def _fault(entry: OverrideEntry) -> str:
    """What is wrong with an override; empty if nothing is."""
    known = sorted(
        {*extensions.OWN, *(() if entry.system in extensions.OWN else extensions.packages())}
    )
    if entry.system not in known:
        meant = did_you_mean(entry.system, known)
        return (
            f"There is no system {entry.system[:80]!r}.{meant} Known: {', '.join(known)}. "
            "This entry is not used."
        )
    record = system(entry.system)
    own: Sequence[Ambiguity] = record.ambiguities()
    ambiguity = next((one for one in own if one.position == entry.position), None)
    if ambiguity is None:
        names = [one.position for one in own if not one.is_fixed]
        meant = did_you_mean(entry.position, names)
        has = (
            f"Those with a choice: {', '.join(names)}."
            if names
            else "None of its positions has a choice."
        )
        return (
            f"{record.title} has no position {entry.position[:80]!r}.{meant} {has} This "
            "entry is not used."
        )
    if ambiguity.takes(entry.choice):
        return ""
    if ambiguity.is_fixed:
        return (
            f"{entry.position} of {record.title} has no other reading to choose: "
            f"{ambiguity.choices[ambiguity.default]}. This entry is not used."
        )
    if ambiguity.number is not None:
        wanted = f"a whole number from 0 to {MOST:,} ({ambiguity.number} by default)"
        return f"{entry.position} of {record.title} has to be {wanted}. This entry is not used."
    meant = did_you_mean(entry.choice, ambiguity.choices)
    return (
        f"{entry.position} of {record.title} has to be one of {_told(ambiguity)}.{meant} "
        "This entry is not used."
    )


def _told(ambiguity: Ambiguity) -> str:
    return ", ".join(f"{name} ({text})" for name, text in ambiguity.choices.items())
