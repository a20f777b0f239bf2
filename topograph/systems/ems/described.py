"""What a main file with its sub-files describes a server as (ems.md 3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from topograph.facts.ems import EmsServer
from topograph.facts.fact import Fact
from topograph.systems.contract.described import Described, contents, one_of

_CONFIGURED = frozenset({"server", "route", "destination", "bridge", "durable", "grant", "factory"})
"""Kinds of facts that the files of a server state."""


def describe(facts: Sequence[Fact]) -> Described | None:
    """See ``contract.described.Describe``. With ``ft_active`` it may be one of a pair (R7)."""
    server = one_of(facts, EmsServer)
    if server is None:
        return None
    said = contents(fact for fact in facts if fact.kind in _CONFIGURED)
    return Described(server.source, said, standby=bool(server.ft_active))
