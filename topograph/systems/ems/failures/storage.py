"""How much a server stores for one subscriber of a topic, a neighbour or a client: maxbytes,
maxmsgs and overflowPolicy of the topic there (F9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from topograph.facts import Fact
from topograph.facts.ems import EmsDestination, EmsServer
from topograph.findings import Source
from topograph.records import record
from topograph.systems.contract.failures import StorageBound
from topograph.systems.ems.destinations.subscribers import Facts
from topograph.systems.ems.destinations.topics import contained, is_wildcard, properties_in_effect

WHEN_FULL = {
    "default": "the newest messages are not stored for it, without an error",
    "discardOld": "the oldest messages stored for it are dropped",
    "rejectIncoming": "publishers get an error",
}
"""What happens at a limit, by overflowPolicy of a topic (ems.md 1.4)."""

UNLIMITED = "there is no limit: storage grows until the server's own store is full"


@record
class StorageLimits:
    """What limits a destination: bytes, messages, overflowPolicy, and the closest entry that
    says so; None where nothing does.
    """

    max_bytes: int | None
    max_messages: int | None
    policy: str
    source: Source | None

    @property
    def bounded(self) -> bool:
        """Whether there is a limit at all."""
        return self.max_bytes is not None or self.max_messages is not None


def limits_of(holding: Sequence[EmsDestination], name: str) -> StorageLimits:
    """The limits of a destination, of all entries that hold for it (R83). Linear in them."""
    limits = {key.lower(): value for key, value in properties_in_effect(holding, name).items()}
    size, number = (_limit(limits.get(key)) for key in ("maxbytes", "maxmsgs"))
    stating = [
        entry
        for entry in holding
        if any(key.lower() in ("maxbytes", "maxmsgs") for key, _ in entry.properties)
    ]
    cited = max(stating or holding, key=_specific, default=None)
    return StorageLimits(
        size,
        number,
        str(limits.get("overflowpolicy", "default")),
        None if cited is None else cited.source,
    )


@dataclass
class Storage:
    """The bounds at the servers of one network. Reads the topics of a server when they are first
    asked for.
    """

    facts: Facts
    _topics: dict[str, tuple[Source, bool, list[EmsDestination]]] = field(default_factory=dict)

    def bound(self, server: str, topic: str) -> StorageBound:
        """The bound of what ``server`` stores of ``topic``, a name or a pattern, for one
        subscriber. For a pattern that of each topic that has no entry closer than the pattern."""
        place, complete, entries = self._at(server)
        holding = [entry for entry in entries if contained(topic, entry.name)]
        limits = limits_of(holding, topic)
        when_full = (
            WHEN_FULL.get(limits.policy, WHEN_FULL["default"]) if limits.bounded else UNLIMITED
        )
        return StorageBound(
            limits.max_bytes, limits.max_messages, when_full, limits.source or place, complete
        )

    def _at(self, server: str) -> tuple[Source, bool, list[EmsDestination]]:
        if server not in self._topics:
            self._topics[server] = _topics_of(self.facts(("server", "destination"), server))
        return self._topics[server]


def _topics_of(facts: Sequence[Fact]) -> tuple[Source, bool, list[EmsDestination]]:
    """Where the main file is, whether all topics are known, and the topics of the configuration
    in use.
    """
    main = min(
        (fact for fact in facts if isinstance(fact, EmsServer)),
        key=lambda fact: fact.bundle,
        default=None,
    )
    if main is None:
        return Source(""), False, []
    entries = [
        fact
        for fact in facts
        if isinstance(fact, EmsDestination) and fact.type == "topic" and fact.bundle == main.bundle
    ]
    return main.place("topics"), "topics" not in main.missing, entries


def _limit(value: object) -> int | None:
    """A limit, None where there is none: it is not set, is 0, or does not read as a number."""
    return value if isinstance(value, int) and value > 0 else None


def _specific(entry: EmsDestination) -> tuple[bool, int]:
    return not is_wildcard(entry.name), len(entry.name.split("."))
