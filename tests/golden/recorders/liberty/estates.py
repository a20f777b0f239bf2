"""Servers of Liberty drawn from a seed, and what to ask of their messaging engines.

Everything that sibus.md A4.3 says something about is drawn: kinds and flags of destinations, their
policies, limits and exception destinations, aliases of whatever there is or is not, identifiers
that several elements claim, values that the schema of ``server.xml`` does not know.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any
from xml.sax.saxutils import quoteattr

CONTROL = "CONTROL"
"""A queue that takes every message, and the topic space of the same purpose."""
CONTROL_SPACE = "CONTROL.SPACE"
SYSTEM = "_SYSTEM.Exception.Destination"
ALWAYS_THERE = ("Default.Queue", SYSTEM)
_FORCED = (
    "BestEffortNonPersistent", "ExpressNonPersistent", "ReliableNonPersistent",
    "ReliablePersistent", "AssuredPersistent",
)  # fmt: skip
_SENT = (
    "BEST_EFFORT_NONPERSISTENT", "EXPRESS_NONPERSISTENT", "RELIABLE_NONPERSISTENT",
    "RELIABLE_PERSISTENT", "ASSURED_PERSISTENT",
)  # fmt: skip
_WORDS = ("TILL", "STOCK", "ORDER", "PARCEL", "INVOICE", "LEDGER", "FREIGHT", "CLAIM", "TARIFF")
_SELECTORS = (
    "size > 3", "size <= 3", "size BETWEEN 2 AND 4", "town = 'Oslo'", "town <> 'Oslo'",
    "town LIKE 'O%'", "town IN ('Oslo', 'Turku')", "urgent", "NOT urgent", "urgent = FALSE",
    "weight IS NULL", "weight IS NOT NULL", "weight > 1.5 OR urgent",
    "size > 2 AND town LIKE '_slo'", "NOT (size = 3)", "size * 2 = 6", "town = 3",
)  # fmt: skip

Ask = dict[str, Any]


@dataclass(frozen=True)
class Estate:
    """A server.xml, its queues (where to look for messages), its topic spaces, what to ask."""

    server_xml: str
    queues: tuple[str, ...]
    spaces: tuple[str, ...]
    asks: tuple[Ask, ...]


def drawn(random: Random, count: int) -> Estate:
    """An estate with ``count`` questions."""
    draft = _Draft(random)
    draft.draw()
    asks: dict[str, Ask] = {}
    while len(asks) < count:
        ask = draft.ask()
        asks.setdefault(repr(ask), ask)
    queues = tuple(draft.queues) + ALWAYS_THERE
    spaces = (*draft.spaces, "Default.Topic.Space")
    return Estate(draft.text(), queues, spaces, tuple(asks.values()))


@dataclass
class _Draft:
    random: Random
    queues: dict[str, int] = field(default_factory=dict)
    """The names of queues, each with its limit of failed deliveries."""
    depths: dict[str, int] = field(default_factory=dict)
    spaces: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def draw(self) -> None:
        """All elements, in an order of no meaning."""
        self.elements = [("queue", {"id": CONTROL}), ("topicSpace", {"id": CONTROL_SPACE})]
        queues = [self._name(number) for number in range(14)]
        spaces = [f"{self._name(number)}.NEWS" for number in range(4)]
        aliases = [f"{self._name(number)}.ALIAS" for number in range(16)]
        for name in queues:
            self.queues[name] = self._queue(name, [*queues, *spaces, *aliases])
        for name in spaces:
            self._add("topicSpace", name, self._flags())
        self.spaces = [*spaces, CONTROL_SPACE]
        for name in aliases:
            self._alias(name, [*queues, *queues, *spaces, *spaces, *aliases])
        self.aliases = aliases
        self._claim(queues, spaces, aliases)
        self.random.shuffle(self.elements)
        self.queues[CONTROL] = 5

    def _name(self, number: int) -> str:
        return f"{self.random.choice(_WORDS)}.{number}"

    def _one_in(self, many: int) -> bool:
        return self.random.randrange(many) == 0

    def _add(self, kind: str, name: str, attributes: dict[str, str]) -> None:
        self.elements.append((kind, {"id": name, **attributes}))

    def _flags(self) -> dict[str, str]:
        made: dict[str, str] = {}
        for name in ("sendAllowed", "receiveAllowed"):
            if self._one_in(6):
                made[name] = self.random.choice(("false", "FALSE", "true", "no", ""))
        if self._one_in(6):
            made["forceReliability"] = self.random.choice(
                (*_FORCED, _FORCED[1].lower(), "EXPRESS_NONPERSISTENT")
            )
        return made

    def _queue(self, name: str, others: list[str]) -> int:
        """Add a queue. Gives its limit of failed deliveries, as it is written."""
        made = self._flags()
        limit = self.random.choice((1, 1, 2, 2, 3, 5, 0, -1))
        if limit != 5:
            made["maxRedeliveryCount"] = str(limit)
        if self._one_in(12):
            limit = 5
            made["maxRedeliveryCount"] = self.random.choice(("two", " 2", "", "3000000000"))
        if not self._one_in(3):
            targets = [*others, *ALWAYS_THERE, "Default.Topic.Space", "NOWHERE", "", name]
            made["exceptionDestination"] = self.random.choice(targets)
        policy = self.random.choice(("", "", "", "DISCARD", "KEEP_TRYING", "discard", "DROP"))
        if policy:
            made["failedDeliveryPolicy"] = policy
        made["redeliveryInterval"] = "300"
        if self._one_in(4) and "receiveAllowed" not in made:  # else it stays full
            self.depths[name] = self.random.choice((2, 3))
            made["maxMessageDepth"] = str(self.depths[name])
        if self._one_in(10):
            made = {key.lower(): value for key, value in made.items()}
        self._add("queue", name, made)
        return limit

    def _alias(self, name: str, others: list[str]) -> None:
        made: dict[str, str] = {}
        if not self._one_in(10):
            targets = [*others, *ALWAYS_THERE, "Default.Topic.Space", "NOWHERE", name]
            made["targetDestination"] = self.random.choice(targets)
        if self._one_in(16):
            made["targetDestination"] = ""
        flags = self._flags()
        flags.pop("receiveAllowed", None)
        self._add("alias", name, made | flags)

    def _claim(self, queues: list[str], spaces: list[str], aliases: list[str]) -> None:
        """Identifiers that a second element claims."""
        if self._one_in(2):
            self._add("topicSpace", self.random.choice(queues), self._flags())
        if self._one_in(2):
            self._alias(self.random.choice([*queues, *spaces]), queues)
        if self._one_in(2):
            self._alias("Default.Queue", queues)
        if self._one_in(3):
            self._add("alias", self.random.choice(aliases), {"sendAllowed": "false"})

    def text(self) -> str:
        """The server.xml."""
        rows = [
            f"    <{kind} {' '.join(f'{key}={quoteattr(value)}' for key, value in made.items())}/>"
            for kind, made in self.elements
        ]
        features = "<featureManager><feature>wasJmsServer-1.0</feature></featureManager>"
        inside = [f"  {features}", "  <messagingEngine>", *rows, "  </messagingEngine>"]
        return "\n".join(["<server>", *inside, "</server>", ""])

    def ask(self) -> Ask:
        """One question."""
        kind = self.random.choices(
            ("send", "give back", "way", "topic", "temporary", "fill"), (26, 40, 20, 22, 2, 2)
        )[0]
        if kind == "temporary":
            return {"do": "temporary", "times": self.random.randrange(7)}
        if kind == "fill" and self.depths:
            return {"do": "fill", "way": [self.random.choice(list(self.depths))]}
        if kind == "topic":
            return self._publication()
        names = [*self.queues, *self.aliases, *self.aliases, *self.spaces, *ALWAYS_THERE, "NOWHERE"]
        if kind == "way":
            length = self.random.choice((2, 2, 3, 4))
            way = [self.random.choice([*self.queues, *self.aliases])]
            way += [self.random.choice([*self.queues, *names]) for _ in range(length - 1)]
            return {"do": "send", "way": way, "reliability": self.random.choice(_SENT)}
        reliability = self.random.choice(_SENT)
        if kind == "send":
            return {"do": "send", "way": [self.random.choice(names)], "reliability": reliability}
        name = self.random.choice([*self.queues, *self.queues, *self.queues, *self.aliases])
        limit = max(1, self.queues.get(name, 2))
        times = self.random.choice((1, limit, limit, limit + 1))
        return {"do": "send", "way": [name], "reliability": reliability, "times": times}

    def _publication(self) -> Ask:
        """A message to a topic: mostly with subscribers, of which the first gets all."""
        topics = ("prices", "prices/fuel", "stock")
        to = self.random.choice([*self.spaces, *self.spaces, *self.aliases, *self.queues])
        topic = self.random.choice(topics)
        ask: Ask = {"do": "publish", "way": [to], "topic": topic}
        ask["reliability"] = self.random.choice(_SENT)
        ask["properties"] = {
            "size": self.random.randrange(1, 6),
            "town": self.random.choice(("Oslo", "Turku", "Odense")),
            "urgent": self.random.choice((True, False)),
        }
        if self._one_in(2):
            ask["properties"]["weight"] = self.random.choice((0.5, 1.5, 2.25))
        ask["subscribers"] = [
            [self.random.choice((topic, topic, *topics)), self.random.choice(_SELECTORS)]
            for _ in range(3)
        ]
        return ask
