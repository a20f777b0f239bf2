"""What commands do to the definitions of a cluster, and what its brokers refuse (rabbitmq.md 8).

``edit`` is pure: one command and the facts as they are give the facts that go and come, or the
reason why the broker refuses. ``changing`` looks up what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from topograph.credentials import SET
from topograph.digits import integer
from topograph.facts import rabbitmq as f
from topograph.facts.command import Command
from topograph.facts.rabbit_commands import HERE, RabbitCommand
from topograph.rules.rabbitmq_findings import (
    GOES_ALONG,
    LEFT_AS_IT_IS,
    MAY_BE_RUN,
    MESSAGES_GO,
    RQ_41,
    RQ_42,
    RQ_47,
)
from topograph.side_inputs import SideInputs
from topograph.systems.contract.changes import Edit, Refusal, Refused
from topograph.systems.contract.system import Change, FactSource
from topograph.systems.fact_sources import of_class
from topograph.systems.rabbitmq.brokers import Brokers
from topograph.systems.rabbitmq.changing import DefinitionsEditing, equivalence_fault, identity
from topograph.systems.rabbitmq.patterns import fault
from topograph.systems.rabbitmq.places import DEFAULT_EXCHANGE, PREDECLARED
from topograph.systems.rabbitmq.words import (
    APPLY_TO,
    NUMBERS,
    OPERATOR_KEYS,
    POLICY_KEYS,
    TEXTS,
)


def servers_at(facts: FactSource, place: str) -> frozenset[str]:
    """The clusters that a script means by a node or host (RQ-40)."""
    return servers_of(facts, place, SideInputs())


def servers_of(facts: FactSource, place: str, side_inputs: SideInputs) -> frozenset[str]:
    """The same, with what topograph.yaml says of hosts. The machine's own host is any cluster."""
    files: dict[str, list[f.RabbitBroker]] = {}
    for one in of_class(facts, f.RabbitBroker):
        files.setdefault(one.server, []).append(one)
    brokers = Brokers(files, side_inputs)
    named = place.lower()
    host = named.rpartition("@")[2]
    for key in (named, host):
        found = brokers.stated.get(key) or brokers.called.get(key)
        if found is not None:
            return frozenset({found})
    own = host in (HERE, "::1") or host.startswith("127.")
    return frozenset(files) if own else frozenset()


def edit(facts: FactSource, server: str, command: Command) -> Edit:
    """What a command does to the definitions of ``server``. Linear in its facts."""
    assert isinstance(command, RabbitCommand)
    if command.fault:
        return Edit(refused=Refusal("RQ-47", command.fault, server))
    if command.doubt:
        return Edit(refused=Refusal("RQ-47", command.doubt, server, undetermined=True))
    if command.verb == "none":
        return Edit()
    editing = DefinitionsEditing(server, command, facts=facts)
    try:
        editing.check_loaded()
        _EDITS[command.verb](editing)
    except Refused as refused:
        if command.conditional and not refused.undetermined:
            text = f"it would be refused, if the script runs it: {refused}"
            editing.note(MAY_BE_RUN, text, RQ_47)
            return Edit(notes=tuple(editing.notes))
        return Edit(editing.change, refused.by(server), tuple(editing.notes))
    change, notes = editing.change, tuple(dict.fromkeys(editing.notes))
    if command.conditional and change != Change():
        why = "whether the script runs it, and how often, is known only when it runs"
        return Edit(change, Refusal("RQ-47", why, server, undetermined=True), notes)
    return Edit(change, notes=notes)


def _declare(editing: DefinitionsEditing) -> None:
    fact = editing.given()
    editing.check_vhost(fact.vhost)
    editing.check_access(fact.vhost)
    if isinstance(fact, f.RabbitBinding):
        _bind(editing, fact)
    elif isinstance(fact, f.RabbitQueue):
        _declare_queue(editing, fact)
    else:
        assert isinstance(fact, f.RabbitExchange)
        _declare_exchange(editing, fact)


def _declare_queue(editing: DefinitionsEditing, fact: f.RabbitQueue) -> None:
    default = editing.default_queue_type(fact.vhost)
    if default and not any(name == "x-queue-type" for name, _ in fact.arguments):
        if fact.durable and not fact.auto_delete:
            arguments = tuple(sorted((*fact.arguments, ("x-queue-type", f'"{default}"'))))
            fact = replace(fact, arguments=arguments, type=default)
        elif default != "classic":
            fact = replace(fact, type="classic")
    if fact.type in ("quorum", "stream") and not (fact.durable and not fact.auto_delete):
        raise Refused("RQ-41", f"a {fact.type} queue is durable, and is not deleted by itself")
    _make(editing, fact, "queue")


def _declare_exchange(editing: DefinitionsEditing, fact: f.RabbitExchange) -> None:
    if fact.name == DEFAULT_EXCHANGE:
        raise Refused("RQ-41", "the default exchange is not declared")
    if fact.name in PREDECLARED:
        if fact.type == PREDECLARED[fact.name] and fact.durable and not fact.auto_delete:
            return
        raise Refused("RQ-41", f"every virtual host has {fact.name}, with other properties")
    own = fact.type
    if own not in _TYPES and all(one.type != own for one in editing.every(f.RabbitExchange)):
        why = f"exchanges of the type {fact.type} need a plugin, which nothing loaded shows"
        editing.doubts.append(why)
    _make(editing, fact, "exchange")


_TYPES = frozenset(PREDECLARED.values())
"""The types of exchanges that every broker has."""


def _make(editing: DefinitionsEditing, fact: f.RabbitExchange | f.RabbitQueue, what: str) -> None:
    """RQ-41: an exchange or a queue."""
    there = editing.named(type(fact), fact.vhost, fact.name)
    if not there:
        if fact.name.startswith("amq."):
            raise Refused("RQ-41", f"names that begin with amq. are the broker's own: {fact.name}")
        editing.added.append(editing.placed(fact, fact.vhost))
        unknown = editing.may_be_there(fact)
        if unknown:
            editing.doubts.append(unknown)
        editing.raise_doubts("RQ-41")
        return
    differs = equivalence_fault(there[-1], fact)
    if not differs:
        return
    text = f"{what} {fact.name} exists with another {differs} ({there[-1].source})"
    if not editing.command.spares:
        raise Refused("RQ-41", f"{text} (PRECONDITION_FAILED)")
    editing.note(LEFT_AS_IT_IS, f"{text}: an import leaves it as it is", RQ_41)


def _bind(editing: DefinitionsEditing, fact: f.RabbitBinding) -> None:
    if DEFAULT_EXCHANGE in (fact.name, fact.to if fact.to_type == "exchange" else "-"):
        if editing.command.spares:
            return
        raise Refused("RQ-41", "no binding to or from the default exchange can be made")
    editing.check_end(fact.vhost, "exchange", fact.name)
    editing.check_end(fact.vhost, fact.to_type, fact.to)
    there = editing.bindings_from(fact.vhost, fact.name)
    if not any(identity(one) == identity(fact) for one in there):
        editing.added.append(editing.placed(fact, fact.vhost))


def _set(editing: DefinitionsEditing) -> None:
    """RQ-43 to RQ-45: what has the name is replaced."""
    fact = editing.given()
    if isinstance(fact, f.RabbitVhost):
        _set_vhost(editing, fact)
        return
    if isinstance(fact, f.RabbitUser):
        editing.replaced(fact)
        return
    editing.check_vhost(fact.vhost)
    if isinstance(fact, (f.RabbitPermission, f.RabbitTopicPermission)):
        editing.check_user(fact.user)
        _check_patterns(editing, fact)
    else:
        editing.check_access(fact.vhost)
    if isinstance(fact, f.RabbitPolicy):
        _check_policy(editing, fact)
    editing.replaced(fact)
    editing.raise_doubts("RQ-43")


def _check_patterns(
    editing: DefinitionsEditing, fact: f.RabbitPermission | f.RabbitTopicPermission
) -> None:
    for pattern in (getattr(fact, "configure", ""), fact.write, fact.read):
        if wrong := fault(pattern):
            editing.doubts.append(f"whether a broker takes the pattern is not known: {wrong}")


def _check_policy(editing: DefinitionsEditing, fact: f.RabbitPolicy) -> None:
    """RQ-43: what brokers check of a policy."""
    if fact.apply_to not in APPLY_TO:
        raise Refused("RQ-43", f"there is nothing that policies apply to called {fact.apply_to}")
    wrong = fault(fact.pattern)
    if wrong:
        editing.doubts.append(f"whether a broker takes the pattern is not known: {wrong}")
    for key, text in fact.definition:
        if key not in (OPERATOR_KEYS if fact.operator else POLICY_KEYS):
            of = "operator policies" if fact.operator else "policies"
            editing.doubts.append(f"whether a broker takes {of} with {key} is not known")
        # JSON text; of a secret, what stands in its place: its quotes may be hidden too
        is_text = text.startswith('"') or SET in text
        if (key in NUMBERS and integer(text) is None) or (key in TEXTS and not is_text):
            raise Refused("RQ-43", f"{key} of policy {fact.name} has no value of its type")


def _set_vhost(editing: DefinitionsEditing, fact: f.RabbitVhost) -> None:
    if editing.vhosts_named(fact.name):
        editing.replaced(fact)
    else:
        _new_vhost(editing, fact)


def _new_vhost(editing: DefinitionsEditing, fact: f.RabbitVhost) -> None:
    editing.added.append(editing.placed(fact, fact.name))
    owner = editing.command.user
    if owner and editing.users_named(owner):
        every = ".*"
        right = f.RabbitPermission(
            bundle="", server="", source=fact.source, user=owner, vhost=fact.name,
            configure=every, write=every, read=every,
        )  # fmt: skip
        editing.added.append(editing.placed(right, fact.name))
    editing.check_vhosts_listed(fact.name)


def _add(editing: DefinitionsEditing) -> None:
    """RQ-44, RQ-45: a user or a virtual host that is new."""
    fact = editing.given()
    if isinstance(fact, f.RabbitVhost):
        if not editing.vhosts_named(fact.name):
            _new_vhost(editing, fact)
        elif not editing.command.spares:
            raise Refused("RQ-45", f"there is a virtual host {fact.name} already")
        return
    assert isinstance(fact, f.RabbitUser)
    there = editing.users_named(fact.name)
    if there:
        raise Refused("RQ-44", f"there is a user {fact.name} already ({there[0].source})")
    editing.added.append(editing.placed(fact, ""))
    editing.check_users_listed(fact.name)


def _alter(editing: DefinitionsEditing) -> None:
    """What has to be there: tags of a user, the type of queues of a virtual host."""
    fact = editing.given()
    if isinstance(fact, f.RabbitVhost):
        editing.check_vhost(fact.name)
        editing.replaced(fact)
        return
    assert isinstance(fact, f.RabbitUser)
    editing.check_user(fact.name)
    for one in editing.users_named(fact.name):
        for name in editing.command.options:
            if getattr(one, name) != getattr(fact, name):
                editing.swap(one, replace(fact, **_user_but(one, name)))


def _user_but(user: f.RabbitUser, name: str) -> dict[str, Any]:
    """What of a user stays where one field of it changes."""
    stays = ("bundle", "server", *({"tags", "password"} - {name}))
    return {one: getattr(user, one) for one in stays}


def _rename(editing: DefinitionsEditing) -> None:
    if editing.command.name != editing.server:
        why = "what belongs to a cluster that gets another name is not followed here"
        raise Refused("RQ-40", why, undetermined=True)


def _delete(editing: DefinitionsEditing) -> None:
    command = editing.command
    if isinstance(command.fact, f.RabbitBinding):
        _unbind(editing, command.fact)
        return
    if command.kind == "vhost":
        editing.check_vhost(command.name)
        _delete_vhost(editing)
        return
    if command.kind == "user":
        editing.check_user(command.name)
        editing.removed += [
            *editing.users_named(command.name),
            *(one for one in editing.every(f.RabbitPermission) if one.user == command.name),
            *(one for one in editing.every(f.RabbitTopicPermission) if one.user == command.name),
        ]
        return
    editing.check_vhost(command.vhost)
    if command.kind in ("permission", "topic-permission"):
        _delete_rights(editing)
        return
    editing.check_access(command.vhost)
    if command.kind in ("exchange", "queue"):
        _delete_object(editing)
    else:
        _delete_entry(editing)


def _delete_vhost(editing: DefinitionsEditing) -> None:
    name = editing.command.name
    own = [one for cls in f.FACTS for one in editing.of_vhost(cls, name)]
    editing.removed += own
    for broker in editing.brokers:
        if name in broker.unlisted:
            left = tuple(one for one in broker.unlisted if one != name)
            editing.swap(broker, replace(broker, unlisted=left))
    if len(own) > 1:
        text = f"all that is in the virtual host {name} goes with it, messages too"
        editing.note(GOES_ALONG, text, RQ_42)


def _delete_rights(editing: DefinitionsEditing) -> None:
    command = editing.command
    editing.check_user(command.name)
    kinds: dict[str, type[Any]] = {
        "permission": f.RabbitPermission,
        "topic-permission": f.RabbitTopicPermission,
    }
    found = [
        one
        for one in editing.every(kinds[command.kind])
        if (one.user, one.vhost) == (command.name, command.vhost)
        and command.exchange in (None, getattr(one, "exchange", None))
    ]
    if not found and "absent" not in command.options:
        raise Refused("RQ-44", f"{command.name} has no such permission in {command.vhost}")
    editing.removed += found


def _delete_object(editing: DefinitionsEditing) -> None:
    """RQ-42: an exchange or a queue, with its bindings."""
    command = editing.command
    kind, name, vhost = command.kind, command.name, command.vhost
    if kind == "exchange" and (name in PREDECLARED or name.startswith("amq.")):
        raise Refused("RQ-42", f"the broker keeps its own exchange {name or 'amq.default'}")
    cls: type[Any] = f.RabbitExchange if kind == "exchange" else f.RabbitQueue
    there = editing.named(cls, vhost, name)
    if not there:
        editing.absent(kind, vhost, name)
        return
    ends = [one for one in editing.bindings(vhost) if (one.to_type, one.to) == (kind, name)]
    out = editing.bindings_from(vhost, name) if kind == "exchange" else []
    if "if-unused" in command.options and kind == "exchange" and out:
        raise Refused("RQ-42", f"exchange {name} is in use ({out[0].source})")
    editing.removed += there
    _take_along(editing, [*out, *ends])
    if kind == "queue":
        editing.note(MESSAGES_GO, f"the messages in queue {name} go with it", RQ_42)
    if command.options and kind == "queue" and {"if-empty", "if-unused"} & set(command.options):
        why = "whether the queue is empty and without consumers is not in definitions"
        raise Refused("RQ-42", why, undetermined=True)


def _take_along(editing: DefinitionsEditing, bindings: list[f.RabbitBinding]) -> None:
    """Bindings, and the exchanges that go with the last binding out of them. Linear in the bindings
    of the virtual host, once for each such exchange."""
    waiting = bindings
    while waiting:
        known = set(editing.removed)
        gone = [one for one in dict.fromkeys(waiting) if one not in known]
        editing.removed += gone
        waiting = []
        for vhost, name in dict.fromkeys((one.vhost, one.name) for one in gone):
            there = editing.named(f.RabbitExchange, vhost, name)
            leaving = [one for one in there if one.auto_delete]
            if not leaving or editing.bindings_from(vhost, name):
                continue
            editing.removed += leaving
            text = f"exchange {name} goes with the last binding out of it"
            editing.note(GOES_ALONG, text, RQ_42)
            waiting += [
                one
                for one in editing.bindings(vhost)
                if (one.to_type, one.to) == ("exchange", name)
            ]


def _unbind(editing: DefinitionsEditing, fact: f.RabbitBinding) -> None:
    editing.check_vhost(fact.vhost)
    editing.check_access(fact.vhost)
    ends = [
        one
        for one in editing.bindings_from(fact.vhost, fact.name)
        if (one.to_type, one.to, one.key) == (fact.to_type, fact.to, fact.key)
    ]
    if editing.command.any_arguments:
        found = [one for one in ends if one.arguments]
        if found:
            _take_along(editing, found[:1])
            why = "which arguments are meant is told by a digest, which is not worked out here"
            raise Refused("RQ-42", why, undetermined=True)
    else:
        found = [one for one in ends if one.arguments == fact.arguments]
    if not found:
        editing.absent("binding", fact.vhost, f"from {fact.name} to {fact.to}")
    _take_along(editing, found)


def _delete_entry(editing: DefinitionsEditing) -> None:
    """RQ-43: a policy or a parameter."""
    command = editing.command
    cls: type[Any] = next(one for one in f.FACTS if one.kind == command.kind)
    found = [
        one
        for one in editing.named(cls, command.vhost, command.name)
        if getattr(one, "operator", False) == command.operator
    ]
    if not found:
        editing.absent(command.kind, command.vhost, command.name)
    editing.removed += found


def _unknown(_editing: DefinitionsEditing) -> None:
    raise Refused("RQ-47", "what it does is not known", undetermined=True)


_EDITS: Mapping[str, Callable[[DefinitionsEditing], None]] = {
    "declare": _declare,
    "set": _set,
    "add": _add,
    "alter": _alter,
    "rename": _rename,
    "delete": _delete,
    "unknown": _unknown,
}
"""What a command does, by its verb."""
