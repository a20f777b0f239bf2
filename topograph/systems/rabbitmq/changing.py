"""What one command does to one cluster of RabbitMQ while it is worked out: what is there, the facts
that go and come, and why it is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from topograph.facts import Fact
from topograph.facts import rabbitmq as f
from topograph.facts.rabbit_commands import RabbitCommand
from topograph.systems.contract.changes import Editing, Refused
from topograph.systems.contract.system import FactSource
from topograph.systems.fact_sources import of_class
from topograph.systems.rabbitmq.places import PREDECLARED

F = TypeVar("F", bound=Fact)

_SECTIONS = {
    "exchange": "exchanges", "queue": "queues", "binding": "bindings", "policy": "policies",
    "vhost": "vhosts", "user": "users", "permission": "permissions",
    "topic-permission": "topic_permissions",
}  # fmt: skip
"""The lists of definitions that kinds of facts are entries of; those left are parameters."""

_COMPARED = frozenset(
    {
        "x-expires", "x-message-ttl", "x-dead-letter-exchange", "x-dead-letter-routing-key",
        "x-dead-letter-strategy", "x-max-length", "x-max-length-bytes", "x-max-in-memory-length",
        "x-max-in-memory-bytes", "x-max-priority", "x-overflow", "x-queue-mode", "x-queue-version",
        "x-single-active-consumer", "x-queue-type", "x-quorum-initial-group-size", "x-max-age",
        "x-stream-max-segment-size-bytes", "x-initial-cluster-size", "x-queue-leader-locator",
        "x-delivery-limit",
    }
)  # fmt: skip
"""The arguments of queues in which a declaration may not differ."""


@dataclass
class DefinitionsEditing(Editing[RabbitCommand]):
    """What one command does to the definitions of one cluster."""

    facts: FactSource = field(kw_only=True)
    doubts: list[str] = field(default_factory=list)

    @cached_property
    def brokers(self) -> Sequence[f.RabbitBroker]:
        """The files of the cluster."""
        return of_class(self.facts, f.RabbitBroker, self.server)

    def check_loaded(self) -> None:
        """Raises Refused where nothing is known of the cluster."""
        if not self.brokers:
            why = (
                f"the definitions of {self.server} are not loaded: nobody can say what the "
                "command would do"
            )
            raise Refused("RQ-40", why, undetermined=True)

    def given(self) -> Any:
        """The entry that the command brings."""
        assert self.command.fact is not None
        return self.command.fact

    def every(self, cls: type[F]) -> list[F]:
        """The facts of a class."""
        return of_class(self.facts, cls, self.server)

    def of_vhost(self, cls: type[F], vhost: str) -> list[F]:
        """The facts of a class that are in a virtual host, or are it."""
        if cls is f.RabbitBroker:
            return []
        name = "name" if cls is f.RabbitVhost else "vhost"
        return [one for one in self.every(cls) if getattr(one, name, None) == vhost]

    def named(self, cls: type[F], vhost: str, name: str) -> list[F]:
        """The facts of a class with a name in a virtual host."""
        found, gone = of_class(self.facts, cls, self.server, {name}), set(self.removed)
        return [one for one in found if getattr(one, "vhost", "") == vhost and one not in gone]

    def bindings(self, vhost: str) -> list[f.RabbitBinding]:
        """The bindings of a virtual host that are left."""
        gone = set(self.removed)
        return [one for one in self._bindings if one.vhost == vhost and one not in gone]

    def bindings_from(self, vhost: str, exchange: str) -> list[f.RabbitBinding]:
        """The bindings out of an exchange that are left."""
        found = of_class(self.facts, f.RabbitBinding, self.server, {exchange})
        gone = set(self.removed)
        return [one for one in found if one.vhost == vhost and one not in gone]

    @cached_property
    def _bindings(self) -> Sequence[f.RabbitBinding]:
        return self.every(f.RabbitBinding)

    def users_named(self, name: str) -> list[f.RabbitUser]:
        """The user of a name."""
        return [one for one in self.every(f.RabbitUser) if one.name == name]

    def vhosts_named(self, name: str) -> bool:
        """Whether a virtual host is there, by its entry or by what is in it."""
        listed = any(one.name == name for one in self.every(f.RabbitVhost))
        return listed or any(name in one.unlisted or one.vhost == name for one in self.brokers)

    def default_queue_type(self, vhost: str) -> str:
        """The type of queues of a virtual host that state none."""
        found = self.of_vhost(f.RabbitVhost, vhost)
        return found[-1].default_queue_type if found else ""

    def placed(self, fact: F, vhost: str) -> F:
        """A fact of the command as one of the file that its virtual host is in."""
        home = next((one for one in self.brokers if one.vhost == vhost), self.brokers[0])
        return replace(fact, bundle=home.bundle, server=self.server)

    def replaced(self, fact: Any) -> None:
        """Put a fact in the place of what has its name, if it says anything else."""
        there = [one for one in self.every(type(fact)) if identity(one) == identity(fact)]
        home = there[-1] if there else None
        new = (
            self.placed(fact, getattr(fact, "vhost", ""))
            if home is None
            else replace(fact, bundle=home.bundle, server=self.server)
        )
        if home is not None and replace(new, source=home.source) == home and len(there) == 1:
            return
        self.removed += there
        self.added.append(new)

    # What is not there

    def _left_out(self, kind: str) -> str:
        """Why something of a kind may be there that no fact shows; empty if it may not."""
        section = _SECTIONS.get(kind, "parameters")
        for one in self.brokers:
            if {"", section} & set(one.left_out_of):
                return f"something of the {section} of {self.server} is not understood"
        return ""

    def absent(self, kind: str, vhost: str, name: str) -> None:
        """That a command on what is not there fails, unless its options say that it may not be
        there. Raises Refused."""
        why = self._left_out(kind) or self._made_by_links(kind, name)
        if why:
            text = f"whether there is a {kind} {name} is not known: {why}"
            raise Refused("RQ-42", text, undetermined=True)
        if "absent" in self.command.options:
            return
        raise Refused("RQ-42", f"there is no {kind} {name} in {vhost}")

    def _made_by_links(self, kind: str, name: str) -> str:
        """Why a link may have declared an object."""
        if kind not in ("exchange", "queue"):
            return ""
        for one in of_class(self.facts, f.RabbitShovel):
            if (kind, name) in ((one.from_type, one.from_), (one.to_type, one.to)):
                return f"the shovel {one.name} may have declared it ({one.source})"
        for upstream in of_class(self.facts, f.RabbitUpstream):
            if name in (upstream.exchange, upstream.queue):
                return f"a link may have declared it ({upstream.source})"
        return ""

    def may_be_there(self, fact: f.RabbitExchange | f.RabbitQueue) -> str:
        """Why an object may be there otherwise than a command declares it, though no fact shows
        it; empty if it may not."""
        why = self._left_out(fact.kind)
        if why:
            return f"whether {fact.name} is there with other properties is not known: {why}"
        plain = fact.durable and not fact.auto_delete and not fact.arguments
        why = "" if plain and fact.kind == "queue" else self._made_by_links(fact.kind, fact.name)
        if not why and fact.kind == "exchange" and self._is_bound(fact.vhost, fact.name):
            why = "bindings name it, and exports leave out internal exchanges"
        return f"whether {fact.name} is there with other properties is not known: {why}" * bool(why)

    def _is_bound(self, vhost: str, exchange: str) -> bool:
        return any(
            exchange in (one.name, one.to if one.to_type == "exchange" else None)
            for one in self.bindings(vhost)
        )

    def check_end(self, vhost: str, kind: str, name: str) -> None:
        """That there is an end of a binding. Raises Refused."""
        cls: type[Any] = f.RabbitQueue if kind == "queue" else f.RabbitExchange
        if self.named(cls, vhost, name) or (kind == "exchange" and name in PREDECLARED):
            return
        if kind == "exchange" and self._is_bound(vhost, name):
            return
        why = self._left_out(kind) or self._made_by_links(kind, name)
        if why:
            text = f"whether there is a {kind} {name} is not known: {why}"
            self.doubts.append(text)
            raise Refused("RQ-41", text, undetermined=True)
        raise Refused("RQ-41", f"there is no {kind} {name} in {vhost} (NOT_FOUND)")

    def check_vhost(self, vhost: str) -> None:
        """That there is a virtual host. Raises Refused."""
        if self.vhosts_named(vhost):
            return
        self.check_vhosts_listed(vhost)
        raise Refused("RQ-45", f"there is no virtual host {vhost}")

    def check_access(self, vhost: str) -> None:
        """That who sends a command over the management API has permissions in a virtual host.
        Raises Refused."""
        user = self.command.user
        if not user or not self.users_named(user):
            return
        rights = self.of_vhost(f.RabbitPermission, vhost)
        if not any(one.user == user for one in rights):
            raise Refused("RQ-44", f"{user} has no permissions in {vhost} (401)")

    def check_vhosts_listed(self, vhost: str) -> None:
        """That a virtual host that no file names is not there. Raises Refused where that is not
        known."""
        if not any(one.vhost is None for one in self.brokers):
            why = f"whether there is a virtual host {vhost} is not known: no file lists them all"
            raise Refused("RQ-45", why, undetermined=True)
        if why := self._left_out("vhost"):
            text = f"whether there is a virtual host {vhost} is not known: {why}"
            raise Refused("RQ-45", text, undetermined=True)

    def check_user(self, name: str) -> None:
        """That there is a user. Raises Refused."""
        if self.users_named(name):
            return
        self.check_users_listed(name)
        raise Refused("RQ-44", f"there is no user {name}")

    def check_users_listed(self, name: str) -> None:
        """That a user that no file names is not there. Raises Refused where that is not known."""
        listed = any(one.users_listed for one in self.brokers)
        why = self._left_out("user") if listed else "no loaded file lists the users"
        if why:
            text = f"whether there is a user {name} is not known: {why}"
            raise Refused("RQ-44", text, undetermined=True)

    def raise_doubts(self, rule: str) -> None:
        """Raise Refused with the first doubt, if there is one."""
        if self.doubts:
            raise Refused(rule, self.doubts[0], undetermined=True)


def identity(fact: Any) -> tuple[object, ...]:
    """What tells a fact from others of its kind."""
    match fact:
        case f.RabbitBinding():
            return fact.vhost, fact.name, fact.to_type, fact.to, fact.key, fact.arguments
        case f.RabbitPolicy():
            return fact.vhost, fact.operator, fact.name
        case f.RabbitPermission():
            return fact.vhost, fact.user
        case f.RabbitTopicPermission():
            return fact.vhost, fact.user, fact.exchange
    return getattr(fact, "vhost", ""), fact.name


def equivalence_fault(
    there: f.RabbitExchange | f.RabbitQueue, new: f.RabbitExchange | f.RabbitQueue
) -> str:
    """The first property in which a declaration differs from what is there; empty if it is the
    same (RQ-41)."""
    names = ["durable", "auto_delete"]
    if isinstance(there, f.RabbitExchange):
        names = ["type", *names, "internal"]
    for name in names:
        if getattr(there, name) != getattr(new, name):
            return name
    compared = _COMPARED if there.kind == "queue" else {"alternate-exchange"}
    before, after = dict(there.arguments), dict(new.arguments)
    for name in sorted(compared):
        values = before.get(name), after.get(name)
        if name == "x-queue-type":
            values = _type_of(there), _type_of(new)
        if values[0] != values[1]:
            return name
    return ""


def _type_of(queue: Any) -> str:
    return queue.type or "classic"
