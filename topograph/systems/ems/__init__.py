"""TIBCO EMS: links and zones, guards, the forwards of topics, legality, names, lint (ems.md).

Read ``links`` (facts to links), ``guards`` (what a link asks of a message), ``compiling`` and ``assemble`` (the graph), ``legality``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from topograph.systems.ems.assemble import assemble
from topograph.systems.ems.names import known_names, names_are_unique

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.findings import Finding
    from topograph.forwarding.graph import GraphTables
    from topograph.side_inputs import SideInputs

__all__ = ["assemble", "compile", "known_names", "names_are_unique"]


def compile(facts: Sequence[Fact], side_inputs: SideInputs) -> tuple[GraphTables, tuple[Finding, ...]]:  # noqa: A001
    """Compile one network's EMS facts: its tables, and what was noticed. See ``compiling.compile_facts``."""
    # Loaded when it is needed: a question about a snapshot needs neither facts nor selectors nor lint rules, which take 0.1 s to load.
    from topograph.systems.ems.compiling import compile_facts

    return compile_facts(facts, side_inputs)
