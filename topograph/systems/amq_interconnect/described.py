"""What a configuration file describes a router as."""

from __future__ import annotations

from collections.abc import Sequence

from topograph.facts.amq_interconnect import Entity
from topograph.facts.fact import Fact
from topograph.systems.contract.described import Described, contents


def describe(facts: Sequence[Fact]) -> Described | None:
    """See ``contract.described.Describe``. A dump describes what ran, and an id that is filled in
    when a router starts is of several (3.3).
    """
    own = [fact for fact in facts if isinstance(fact, Entity) and fact.origin == "file"]
    if not own or "${" in own[0].server:
        return None
    router = next((one for one in own if one.type == "router"), own[0])
    return Described(router.source, contents(own))
