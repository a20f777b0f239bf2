"""What commands of MQSC do to the configuration of a queue manager, and what it refuses (ibm_mq.md
C1, C4, C-9 to C-11).

``edit`` is pure: one command and the facts as they are give the facts that go and come, or the
reason why the queue manager refuses. A definition that replaces another keeps nothing of it, ALTER
keeps what it does not name. ``change_notes`` says what people have to know of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from topograph.digits import digits
from topograph.facts.command import Command
from topograph.facts.ibm_mq import Attribute, Channel, Described, QueueManager, Topic
from topograph.facts.ibm_mq_faults import manager_fault, object_fault
from topograph.facts.ibm_mq_names import DEFAULT_OBJECTS, OF_THE_PRODUCT, OPPOSITES, QUEUES
from topograph.facts.mqsc_commands import MqscCommand
from topograph.systems.contract.changes import Edit, Refusal, Refused
from topograph.systems.contract.system import FactSource
from topograph.systems.coverage import NotShownHere
from topograph.systems.fact_sources import of_class
from topograph.systems.ibm_mq.changes import running
from topograph.systems.ibm_mq.changes.editing import MqscEditing, noun_of, type_of
from topograph.systems.ibm_mq.changes.notes import add_notes
from topograph.systems.ibm_mq.objects.attributes import as_shown
from topograph.systems.ibm_mq.objects.queue_managers import DEFAULT_OBJECTS as SHOWN_BY_NO_FILE
from topograph.words.articles import with_article

CONNECTS_BY_NAME = True
"""What a script connects to is the name of a queue manager: one that is not loaded is known by
it, too.
"""

_OF_EVERY_QUEUE_MANAGER = frozenset({*SHOWN_BY_NO_FILE, *DEFAULT_OBJECTS.values()})

_NOT_COPIED = frozenset(
    {
        "ALTDATE", "ALTTIME", "CRDATE", "CRTIME", "CLUSDATE", "CLUSTIME", "CURDEPTH", "CURFSIZE",
        "CURMAXFS", "DEFTYPE", "IPPROCS",
        "OPPROCS", "QTYPE", "TYPE", "MONIT",
    }
)  # fmt: skip
"""What output shows of an object that is none of its settings: an object made like it does not
have it.
"""


def servers_at(facts: FactSource, place: str) -> frozenset[str]:
    """The queue manager that a script means by the name that it gives to runmqsc, if it is
    loaded.
    """
    if not place:
        return frozenset()
    return frozenset(fact.server for fact in of_class(facts, QueueManager, place))


def edit(facts: FactSource, server: str, command: Command) -> Edit:
    """What a command does to the facts of ``server``. Linear in the facts of that queue manager,
    and of those that it names.
    """
    assert isinstance(command, MqscCommand)
    if command.fault:
        return Edit(refused=Refusal("C4", command.fault, server))
    managers = of_class(facts, QueueManager, server)
    if not managers:
        message = (
            f"the configuration of {server} is not loaded: nobody can say what the command would do"
        )
        return Edit(refused=Refusal("C4", message, server, undetermined=True))
    if command.doubt:
        return Edit(refused=Refusal("C4", command.doubt, server, undetermined=True))
    editing = MqscEditing(server, command, facts=facts, managers=managers)
    try:
        _EDITS.get(command.verb, _nothing)(editing)
    except Refused as refused:
        return Edit(refused=refused.by(server))
    with suppress(NotShownHere):  # no note is made of what is not shown
        add_notes(editing)
    return Edit(editing.change, notes=tuple(dict.fromkeys(editing.notes)))


def _nothing(_editing: MqscEditing) -> None:
    """The command changes nothing that decides about messages."""


def _define(editing: MqscEditing) -> None:
    command = editing.command
    noun, name = command.noun, command.name
    known = editing.named(noun, name, command.channel_type)
    held = [one for one in known if one.verb != "DELETE"]
    _same_type(editing, held)
    if command.option("REPLACE") is None:
        _must_be_new(editing, known, held)
    attributes, more = _base(editing)
    made = editing.made(
        noun, name, command.channel_type, _with(attributes, command.attributes), **more
    )
    _check(editing, made)
    editing.removed += known
    editing.added.append(made)


def _must_be_new(
    editing: MqscEditing, known: Sequence[Described], held: Sequence[Described]
) -> None:
    """C-9: a definition that is no REPLACE is refused where there is such an object."""
    name = editing.command.name
    defined = [one for one in held if one.verb == "DEFINE" or name.startswith(OF_THE_PRODUCT)]
    if defined:
        what = f"{editing.server} has {editing.shown} already ({defined[0].source})"
        raise Refused("C-9", f"{what}, and the command does not say REPLACE")
    if held:
        message = (
            f"{held[0].source} alters {editing.shown} without defining it: whether it exists "
            "is not known"
        )
        raise Refused("C-9", message, undetermined=True)
    unknown = None if known else editing.not_shown(editing.command.noun, name)
    if unknown is not None:
        message = (
            f"whether {editing.server} has {editing.shown} already is not known: {unknown.text}"
        )
        raise Refused("C-11", message, undetermined=True)
    if name in _OF_EVERY_QUEUE_MANAGER and not known:
        message = (
            f"every new queue manager has {name}, and no loaded file shows whether "
            f"{editing.server} still does; the command does not say REPLACE"
        )
        raise Refused("C-11", message, undetermined=True)


def _same_type(editing: MqscEditing, held: Sequence[Described]) -> None:
    """An object keeps its type: all queues share one name space, and so do all channels that are
    not for clients (C1, C-12).
    """
    command = editing.command
    fits = [one for one in held if _is_of_type(one, command)]
    others = [one for one in held if not _is_of_type(one, command)]
    if others and fits:
        message = (
            f"{editing.shown} is of another type in {others[0].source} than in {fits[0].source}"
        )
        raise Refused("C-9", message, undetermined=True)
    if others:
        found = others[0]
        type_ = f" of type {type_of(found)}" if isinstance(found, Channel) else ""
        space = (
            "all queues share one name space"
            if command.noun in QUEUES
            else "a channel keeps its type"
        )
        message = (
            f"{editing.server} has {with_article(noun_of(found))} {found.name}{type_} "
            f"({found.source}), and {space}"
        )
        raise Refused("C-9", message)


def _is_of_type(one: Described, command: MqscCommand) -> bool:
    if command.noun == "CHANNEL" and command.channel_type:
        return type_of(one) in ("", command.channel_type)
    return noun_of(one) == command.noun


def _base(editing: MqscEditing) -> tuple[Sequence[Attribute], Mapping[str, object]]:
    """What a new object begins with: the attributes of the object after LIKE, else of the
    default object of the queue manager.
    """
    command = editing.command
    default = DEFAULT_OBJECTS.get(command.channel_type or command.noun, "")
    like = command.option("LIKE") or ("" if command.name == default else default)
    if not like:
        return (), {}
    known = editing.named(command.noun, like, command.channel_type)
    held = [one for one in known if one.verb != "DELETE"]
    of_type = [one for one in held if _is_of_type(one, command)]
    if not of_type:
        if command.option("LIKE") is None or (not known and like.startswith(OF_THE_PRODUCT)):
            return (), {}
        if held:
            what = f"{with_article(noun_of(held[0]))} {type_of(held[0])}".rstrip()
            message = f"LIKE names {like}, which is {what}"
            raise Refused("C4", f"{message} ({held[0].source})")
        absent = editing.absent(command.noun, like)
        raise Refused("C4", f"LIKE: {absent}", undetermined=absent.undetermined)
    base = of_type[0]
    more: dict[str, object] = {}
    if base.doubt:
        more["doubt"] = f"It is made like {base.name}: {base.doubt}"
    if base.like or (base.verb == "ALTER" and like != default):
        more["like"] = base.like or like
    return [replace(one, line=0) for one in base.attributes if one.name not in _NOT_COPIED], more


def _with(before: Sequence[Attribute], given: Sequence[Attribute]) -> tuple[Attribute, ...]:
    """Attributes with others set: a flag takes the place of its opposite."""
    found = {one.name: one for one in before}
    for one in given:
        found.pop(OPPOSITES.get(one.name, ""), None)
        found[one.name] = one
    return tuple(found.values())


def _check(editing: MqscEditing, made: Described) -> None:
    """What a queue manager refuses of the object as it would be."""
    values = {one.name: one.value for one in made.attributes}
    partial = bool(made.like) or made.verb == "ALTER"
    fault = object_fault(noun_of(made), type_of(made), made.name, values, partial=partial)
    if fault is not None:
        raise Refused(fault[0].number, fault[1])
    if isinstance(made, Topic):
        text = as_shown(made, "TOPICSTR")
        for other in editing.before.topics.of(editing.server):
            if other.name != made.name and as_shown(other, "TOPICSTR") == text:
                raise Refused(
                    "M-30",
                    f"topic object {other.name} stands for {text!r} already ({other.source})",
                )


def _alter(editing: MqscEditing) -> None:
    command = editing.command
    if command.noun == "QMGR":
        _alter_manager(editing)
        return
    known = editing.named(command.noun, command.name, command.channel_type)
    held = [one for one in known if one.verb != "DELETE"]
    _same_type(editing, held)
    if not held:
        if known or not command.name.startswith(OF_THE_PRODUCT):
            raise editing.absent(command.noun, command.name)
        made = editing.made(
            command.noun, command.name, command.channel_type, command.attributes, verb="ALTER"
        )
        editing.added.append(made)
        return
    for one in held:
        after = _altered(editing, one)
        if after is None:
            continue
        _check(editing, after)
        editing.swap(one, after)


def _altered(editing: MqscEditing, known: Described) -> Described | None:
    """An object as the command leaves it, said to stand where the command does; None where it is
    so already.
    """
    before = {one.name: one.value for one in known.attributes}
    attributes = _with(known.attributes, editing.command.attributes)
    if {one.name: one.value for one in attributes} == before:
        return None
    given = {id(one) for one in editing.command.attributes}
    placed = tuple(one if id(one) in given else replace(one, line=0) for one in attributes)
    return replace(known, attributes=placed, source=editing.command.source)


def _alter_manager(editing: MqscEditing) -> None:
    """The first file that sets an attribute counts: what the command sets comes to the first."""
    after = _altered(editing, editing.managers[0])
    if after is None:
        return
    values = {one.name: one.value for one in after.attributes}
    if (fault := manager_fault(values)) is not None:
        raise Refused(fault[0].number, fault[1])
    editing.swap(editing.managers[0], after)


def _delete(editing: MqscEditing) -> None:
    command = editing.command
    if command.noun in ("AUTHREC", "POLICY"):
        return
    known = editing.named(command.noun, command.name, command.channel_type)
    held = [one for one in known if one.verb != "DELETE"]
    if command.noun in QUEUES or command.channel_type not in ("", "CLNTCONN"):
        _same_type(editing, held)
    if not held:
        if known or not command.name.startswith(OF_THE_PRODUCT):
            raise editing.absent(command.noun, command.name)
        made = editing.made(command.noun, command.name, command.channel_type, (), verb="DELETE")
        editing.added.append(made)
        return
    if command.noun == "QLOCAL" and command.option("PURGE") is None:
        _must_be_empty(editing)
    editing.removed += held
    unknown = editing.not_shown(command.noun, command.name)
    if command.name in _OF_EVERY_QUEUE_MANAGER or unknown is not None:
        editing.added.append(
            editing.made(command.noun, command.name, command.channel_type, (), verb="DELETE")
        )


def _must_be_empty(editing: MqscEditing) -> None:
    """A queue with messages is deleted only with PURGE: whether it has some is known only where
    it was observed.
    """
    name = editing.command.name
    for one in editing.before.queue_status.of(editing.server):
        if one.name == name and digits(one.get("CURDEPTH"), 0):
            message = (
                f"{name} held {one.get('CURDEPTH')} messages when it was observed "
                f"({one.source}), and the command does not say PURGE"
            )
            raise Refused("C4", message, undetermined=True)


_EDITS: Mapping[str, Callable[[MqscEditing], None]] = {
    "DEFINE": _define,
    "ALTER": _alter,
    "DELETE": _delete,
    **running.EDITS,
}
"""What a command does, by its verb."""
