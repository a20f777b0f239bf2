"""What a document describes a queue manager as (mqe.md B1)."""

from __future__ import annotations

from collections.abc import Sequence

from topograph.facts.fact import Fact
from topograph.facts.mqe import MqeQueueManager
from topograph.systems.contract.described import Described, contents, one_of


def describe(facts: Sequence[Fact]) -> Described | None:
    """See ``contract.described.Describe``."""
    manager = one_of(facts, MqeQueueManager)
    return None if manager is None else Described(manager.source, contents(facts))
