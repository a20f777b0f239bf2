"""What one command does to one queue manager while it is worked out: the facts that go and come,
and why it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from topograph.facts.ibm_mq import (
    Attribute,
    Channel,
    Described,
    OtherObject,
    Queue,
    QueueManager,
    fact_of,
)
from topograph.facts.ibm_mq_names import CHANNEL_TYPES, QUEUES, name_space
from topograph.facts.mqsc_commands import MqscCommand
from topograph.side_inputs import SideInputs
from topograph.systems.contract.changes import Editing, Refused
from topograph.systems.contract.system import FactSource
from topograph.systems.coverage import NotShown
from topograph.systems.fact_sources import ChangedFacts
from topograph.systems.ibm_mq.objects.attributes import NOUNS, labels
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork
from topograph.words.did_you_mean import did_you_mean

_KINDS = {
    "CHANNEL": "channel",
    "LISTENER": "listener",
    "NAMELIST": "namelist",
    "TOPIC": "topic",
    "SUB": "subscription",
}
"""The kind of fact of a noun; queues are one kind, all others another."""


_CLASSES = {"CHANNEL": tuple(sorted(CHANNEL_TYPES - {"CLNTCONN"}))}
"""The classes in which the name of an object counts, where they are not its noun."""


@dataclass
class MqscEditing(Editing[MqscCommand]):
    """What one command does to one queue manager."""

    facts: FactSource = field(kw_only=True)
    managers: Sequence[QueueManager] = field(kw_only=True)

    @property
    def shown(self) -> str:
        """The object that the command is about, as MQSC writes it."""
        return f"{self.command.noun}({self.command.name})"

    @cached_property
    def before(self) -> MqNetwork:
        """The queue managers as they are."""
        return MqNetwork(self.facts, SideInputs())

    @property
    def after(self) -> MqNetwork:
        """The queue managers with what the command has done so far."""
        return MqNetwork(ChangedFacts(self.facts, self.change), SideInputs())

    def named(self, noun: str, name: str, channel_type: str = "") -> list[Described]:
        """What the files say of the objects of one name in the name space of a noun: more than
        one where several files do (C-9).
        """
        kind = "queue" if noun in QUEUES else _KINDS.get(noun, "other")
        wanted = [name]
        if noun in QUEUES:
            wanted = labels(name)
        elif noun == "CHANNEL":
            wanted = labels(name, [*sorted(CHANNEL_TYPES), ""])
        elif kind == "other":
            wanted = labels(name, [noun])
        space = name_space(noun, channel_type)
        return [
            fact
            for fact in self._described(kind, wanted)
            if name_space(noun_of(fact), type_of(fact)) == space
        ]

    def _described(self, kind: str, wanted: Sequence[str] | None = None) -> Iterator[Described]:
        """What the files say of the objects of a kind, without those that MQ refused to make."""
        for fact in self.facts.facts((kind,), self.server, wanted):
            if isinstance(fact, Described) and fact.verb != "REFUSED":
                yield fact

    def made(
        self,
        noun: str,
        name: str,
        channel_type: str,
        attributes: Sequence[Attribute],
        **more: object,
    ) -> Described:
        """An object of the queue manager that this command makes."""
        common: dict[str, object] = {
            "bundle": self.managers[0].bundle,
            "server": self.server,
            "source": self.command.source,
            "name": name,
            "attributes": tuple(attributes),
        }
        return fact_of(noun, channel_type, common | more)

    def not_shown(self, noun: str, name: str) -> NotShown | None:
        """Why it is not known whether there is an object of a name that no loaded file shows; None
        where it is."""
        classes = _CLASSES.get(noun, (noun,) if noun in _KINDS else ())
        if noun in QUEUES:
            classes = NOUNS
        what = f"{'queue' if noun in QUEUES else noun.lower()} {name}"
        found = self.before.missing(self.server, classes, name, what)
        return found if isinstance(found, NotShown) else None

    def absent(self, noun: str, name: str) -> Refused:
        """Why a command on an object fails that no loaded file shows, or why nobody can say so."""
        kind = "queue" if noun in QUEUES else _KINDS.get(noun, "other")
        own = list(self._described(kind))
        templates = [one for one in own if one.template and one.name != name]
        if templates:
            message = (
                f"{noun}({name}) may be what text of a template becomes ({templates[0].source})"
            )
            return Refused("C4", message, undetermined=True)
        unread = [text for one in self.managers for text in one.unread]
        if unread:
            return Refused(
                "C4",
                f"{noun}({name}) may be in what was not read: {unread[0]}",
                undetermined=True,
            )
        if (unknown := self.not_shown(noun, name)) is not None:
            return Refused("C-11", unknown.text, undetermined=True)
        gone = next((one for one in own if one.name == name and one.verb == "DELETE"), None)
        if gone is not None:
            return Refused("C-9", f"{self.server} has no {noun}({name}): {gone.source} deletes it")
        near = did_you_mean(
            name, [one.name for one in own if one.verb != "DELETE" and noun_of(one) == noun]
        )
        return Refused("C-9", f"{self.server} has no {noun}({name}){near and f'.{near}'}")


def noun_of(fact: Described) -> str:
    """The noun of a fact in MQSC."""
    if isinstance(fact, (Queue, OtherObject)):
        return fact.noun
    return next((noun for noun, kind in _KINDS.items() if kind == fact.kind), "")


def type_of(fact: Described) -> str:
    """The type of a channel, empty for all others."""
    return fact.channel_type if isinstance(fact, Channel) else ""
