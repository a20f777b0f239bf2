"""The objects of each queue manager, indexed, and loaded when they are first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from topograph.assumptions import Assumption
from topograph.facts import Fact
from topograph.facts.mqe import MqeAlias, MqeConnection, MqeQueue, MqeQueueManager, MqeXmitqListener
from topograph.findings import Source
from topograph.records import record
from topograph.systems.contract.ambiguities import Readings
from topograph.systems.contract.system import FactSource
from topograph.systems.fact_sources import of_class
from topograph.tracing.states import Outage

OBJECTS = ("alias", "connection", "queue")
"""Kinds of facts that decide where messages go from a queue manager."""

HAS_ALIASES = ("local", "admin", "remote", "bridge")
"""Types of queues that match by name (E-02) and by alias (E-03)."""


INBOUND = "xmitqListeners"
"""The section that brings messages in from IBM MQ, and says nothing of where they go from here."""


def unread_onward(stated: Iterable[MqeQueueManager]) -> list[str]:
    """The sections of a queue manager of which something was not understood and which what it does
    with a message may depend on, by name.
    """
    return sorted({section for one in stated for section in one.unread} - {INBOUND})


def unended(stated: Iterable[MqeQueueManager]) -> Assumption | None:
    """That the file of a queue manager is whole, though its last line has no line end; None where
    it has one.
    """
    for one in stated:
        if one.unended:
            text = (
                f"what {one.source.file} shows of {one.server} is whole, though its last line has "
                "no line end"
            )
            return Assumption("B4", "L", text, "it was cut off, and more follows")
    return None


ALIASES_TOLD = 5
"""Aliases of a chain that a step names."""


@record
class Substituted:
    """What aliases make of the name of a queue manager (E-01, B-6): the name ``target``, over the
    aliases of which ``first`` are the first (one more than are told, where there are more). In a
    circle, ``target`` is the name at which it is entered."""

    target: str
    first: tuple[MqeAlias, ...] = ()
    in_circle: bool = False


@dataclass
class MqeManager:
    """One queue manager. ``stated`` has the facts of the places that describe it: the first
    counts.
    """

    name: str
    stated: Sequence[MqeQueueManager]
    aliases: Mapping[str, MqeAlias]
    """Queue-manager aliases, those that are alias connections included (E-01), by name."""
    connections: Mapping[str, MqeConnection]
    queues: Sequence[MqeQueue]
    exact: dict[tuple[str, str], list[MqeQueue]] = field(default_factory=dict)
    """By name and the queue's queue manager; home-server queues stand in ``homes``."""
    by_alias: dict[tuple[str, str], list[MqeQueue]] = field(default_factory=dict)
    aliased: dict[str, list[MqeQueue]] = field(default_factory=dict)
    """By alias alone, whatever the queue's queue manager."""
    accepting: dict[str, list[MqeQueue]] = field(default_factory=dict)
    """Store-and-forward queues by each queue manager on their lists, in the order in which they
    are defined.
    """
    stores: dict[str, MqeQueue] = field(default_factory=dict)
    homes: dict[str, list[MqeQueue]] = field(default_factory=dict)
    """Home-server queues by name."""
    _substituted: dict[str, Substituted] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, name: str, stated: Sequence[MqeQueueManager], facts: Iterable[Fact]) -> MqeManager:
        """Of the facts of one queue manager. Of objects of one name the first counts. Linear."""
        aliases: dict[str, MqeAlias] = {}
        connections: dict[str, MqeConnection] = {}
        queues: list[MqeQueue] = []
        for fact in facts:
            if isinstance(fact, MqeAlias):
                aliases.setdefault(fact.name, fact)
            elif isinstance(fact, MqeConnection):
                connections.setdefault(fact.name, fact)
            elif isinstance(fact, MqeQueue):
                queues.append(fact)
        found = cls(name, stated, aliases, connections, queues)
        for queue in queues:
            if queue.type == "saf":
                found.stores.setdefault(queue.name, queue)
                for manager in queue.qmgrs:
                    found.accepting.setdefault(manager, []).append(queue)
            elif queue.type == "home":
                found.homes.setdefault(queue.name, []).append(queue)
            else:
                manager = found.manager_of(queue)
                found.exact.setdefault((queue.name, manager), []).append(queue)
                for alias in queue.aliases:
                    found.by_alias.setdefault((alias, manager), []).append(queue)
                    found.aliased.setdefault(alias, []).append(queue)
        return found

    @property
    def own(self) -> MqeQueueManager:
        """What is stated of the queue manager itself."""
        return self.stated[0]

    @property
    def source(self) -> Source:
        """Where it is described."""
        return self.own.source

    def manager_of(self, queue: MqeQueue) -> str:
        """The queue's queue manager: of a local queue the one that it resides on."""
        return queue.qmgr if queue.type in ("remote", "bridge") else self.name

    @property
    def unread(self) -> list[str]:
        """See ``unread_onward``."""
        return unread_onward(self.stated)

    @property
    def incomplete(self) -> str:
        """Why answers about it are incomplete; empty where they are not."""
        if self.unread:
            return f"something of its {', '.join(self.unread)} is not understood"
        return "it is described at two places" if len(self.stated) > 1 else ""

    @property
    def unended(self) -> Assumption | None:
        """See ``unended``."""
        return unended(self.stated)

    def substitute(self, manager: str) -> Substituted:
        """What the aliases of a queue manager's name make of it. All names on the way are worked
        out with it, so that a chain of aliases is followed once, not from each of its names."""
        way: dict[str, MqeAlias] = {}
        name = manager
        while name not in self._substituted and name not in way:
            alias = self.aliases.get(name)
            if alias is None:
                self._substituted[name] = Substituted(name)
                break
            way[name] = alias
            name = alias.target
        if name in way:  # whoever follows a circle comes back to where it went in
            circle = list(way)[list(way).index(name) :]
            for one in circle:
                self._substituted[one] = Substituted(one, (way.pop(one),), in_circle=True)
        for one, alias in reversed(way.items()):
            after = self._substituted[alias.target]
            self._substituted[one] = Substituted(
                after.target, (alias, *after.first)[: ALIASES_TOLD + 1], in_circle=after.in_circle
            )
        return self._substituted[manager]


class MqeConfiguration:
    """The queue managers of one network."""

    def __init__(
        self,
        source: FactSource,
        out: Outage = Outage(),  # noqa: B008
        readings: Readings = Readings(),  # noqa: B008
    ) -> None:
        self.source, self.out, self.readings = source, out, readings
        self.stated: dict[str, list[MqeQueueManager]] = {}
        for fact in of_class(source, MqeQueueManager):
            self.stated.setdefault(fact.server, []).append(fact)
        for own in self.stated.values():
            own.sort(key=lambda fact: fact.source)
        self._loaded: dict[str, MqeManager] = {}

    def without(self, out: Outage) -> MqeConfiguration:
        """The same while something is out of order."""
        return MqeConfiguration(self.source, out, self.readings)

    def runs(self, name: str) -> bool:
        """Whether a queue manager can be contacted, as far as that is known."""
        return name not in self.out.servers and all(
            one.running is not False for one in self.stated.get(name, ())
        )

    def get(self, name: str) -> MqeManager | None:
        """A queue manager, its objects loaded now if they were not; None if its configuration is
        not among the loaded files.
        """
        found = self._loaded.get(name)
        if found is None and name in self.stated:
            facts = sorted(self.source.facts(OBJECTS, name), key=lambda fact: fact.source)
            found = self._loaded[name] = MqeManager.of(name, self.stated[name], facts)
        return found

    def all(self) -> list[MqeManager]:
        """All queue managers that are loaded, by name, with their objects."""
        return [found for name in sorted(self.stated) if (found := self.get(name)) is not None]

    @cached_property
    def lost_listeners(self) -> Sequence[MqeQueueManager]:
        """The queue managers of which something that may be a transmission-queue listener is not
        understood, by name.
        """
        return [
            stated[0]
            for name, stated in sorted(self.stated.items())
            if any(INBOUND in one.unread for one in stated) and self.runs(name)
        ]

    @cached_property
    def listeners(self) -> Mapping[tuple[str, str], Sequence[MqeXmitqListener]]:
        """Transmission-queue listeners, by IBM MQ queue manager and transmission queue."""
        found: dict[tuple[str, str], list[MqeXmitqListener]] = {}
        listeners = of_class(self.source, MqeXmitqListener)
        for one in sorted(listeners, key=lambda one: (one.server, one.source)):
            found.setdefault((one.mq_queue_manager, one.xmitq), []).append(one)
        return found

    @cached_property
    def named(self) -> Mapping[str, Source]:
        """The queue managers that connections lead to, or go over (E-20), and that are not loaded,
        with the place of one such connection. Reads all connections.
        """
        strangers: dict[str, Source] = {}
        over: dict[tuple[str, str], Source] = {}
        stands_for_another = {(one.server, one.name) for one in of_class(self.source, MqeAlias)}
        for one in of_class(self.source, MqeConnection):
            if one.type == "direct":
                strangers.setdefault(one.name, one.source)
            else:
                stands_for_another.add((one.server, one.name))
                over.setdefault((one.server, one.via), one.source)
        for (server, name), source in over.items():
            if name and (server, name) not in stands_for_another:
                strangers.setdefault(name, source)
        return {name: source for name, source in strangers.items() if name not in self.stated}
