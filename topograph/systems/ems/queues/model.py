"""The queues of a server: what a name stands for in its queues.conf, and who may send to it or
receive from it (ems.md 1.5, R45, R83, R100, R107).

All of it from the facts of one server, of the configuration in use (``subscribers.in_use``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from topograph.errors import UsageError
from topograph.facts import Fact
from topograph.facts.ems import EmsDestination, EmsGrant, EmsGroup, EmsServer
from topograph.facts.ems_names import TEMPORARY, destination_name_fault
from topograph.findings import Source
from topograph.outcomes import Truth
from topograph.records import record
from topograph.systems.ems.destinations.topics import (
    is_temporary,
    is_wildcard,
    matches,
    properties_in_effect,
)
from topograph.words.did_you_mean import did_you_mean

QUEUE_FACTS = ("server", "destination", "grant", "group")
"""The kinds of facts that decide what a server does with a message to a queue."""


class Standing(StrEnum):
    """What a queue's name is at one server."""

    HOME = "home"
    """The server owns the queue: ``Q``, or ``Q@`` its own name."""
    ROUTED = "routed"
    """Another server owns it: ``Q@OWNER`` (R100)."""
    DYNAMIC = "dynamic"
    """Only a pattern allows it, so that a client creates it at this server (R45); a routed queue
    is never created so (1.5).
    """
    ABSENT = "absent"
    """No entry allows it."""
    UNCLEAR = "unclear"
    """The loaded files do not decide it."""


@record
class EmsQueue:
    """A queue as one server has it. ``because`` says why it is absent or unclear, or what is
    illegal about it and left aside; ``rejects`` whether a routed queue has a limit beyond which
    it rejects messages."""

    name: str
    server: str
    standing: Standing
    source: Source
    owner: str = ""
    is_global: bool = False
    exclusive: bool = False
    because: str = ""
    rejects: bool = False


def split_owner(text: str) -> tuple[str, str]:
    """(queue, owner) of ``Q@OWNER``; no owner without one.

    >>> split_owner("orders.in@CENTRAL"), split_owner("orders.in")
    (('orders.in', 'CENTRAL'), ('orders.in', ''))
    """
    name, _, owner = text.partition("@")
    return name, owner


def check_queue(text: str) -> None:
    """Raises UsageError for a name that no message can be sent to: a wildcard (R85), or one that
    the naming rule excludes (ems.md 1.4).
    """
    name, _ = split_owner(text)
    if is_wildcard(name):
        raise UsageError(f"{text} is a wildcard; a message is sent to one queue (R85).")
    if fault := destination_name_fault(name):
        raise UsageError(f"No message can be sent to queue:{text}: {fault}.")
    if name.startswith(TEMPORARY) and not name.removeprefix(TEMPORARY).partition(".")[0]:
        raise UsageError(
            f"No message can be sent to queue:{text}: a temporary queue is $TMP$.SERVER.NAME (R90)."
        )


def main_file(own: Iterable[Fact]) -> EmsServer | None:
    """The main file among the facts of a server."""
    return next((fact for fact in own if isinstance(fact, EmsServer)), None)


def entries_of(own: Iterable[Fact]) -> list[EmsDestination]:
    """The entries of queues.conf, in file order."""
    return [fact for fact in own if isinstance(fact, EmsDestination) and fact.type == "queue"]


def queue_at(server: str, own: Sequence[Fact], name: str) -> EmsQueue:
    """What the queue ``name`` is at a server with the facts ``own``. Linear in them."""
    main = main_file(own)
    if main is None:
        return EmsQueue(
            name,
            server,
            Standing.UNCLEAR,
            Source(""),
            because=f"{server}: its configuration is not loaded",
        )
    entries = entries_of(own)
    exact = [entry for entry in entries if entry.name == name]
    effect = _in_effect(entries, name)
    homes = [entry for entry in exact if entry.owner in ("", server)]
    routed = [entry for entry in exact if entry not in homes]
    if len({entry.owner for entry in routed}) + bool(homes) > 1:
        places = " and ".join(f"{_label(entry)} ({entry.source})" for entry in exact)
        because = f"{server} has the queue as {places}; which entry counts is not documented"
        return EmsQueue(name, server, Standing.UNCLEAR, exact[0].source, because=because)
    if homes:
        return EmsQueue(
            name,
            server,
            Standing.HOME,
            homes[0].source,
            server,
            bool(effect.get("global")),
            bool(effect.get("exclusive")),
        )
    if routed:
        illegal = bool(effect.get("exclusive"))
        because = (
            f"exclusive is illegal on the routed queue {_label(routed[0])} and left aside"
            if illegal
            else ""
        )
        limited = any(effect.get(key) for key in ("maxbytes", "maxmsgs"))
        rejects = limited and effect.get("overflowPolicy") == "rejectIncoming"
        return EmsQueue(
            name,
            server,
            Standing.ROUTED,
            routed[0].source,
            routed[0].owner,
            because=because,
            rejects=rejects,
        )
    return _without_entry(
        server,
        main,
        entries,
        name,
        is_global=bool(effect.get("global")),
        exclusive=bool(effect.get("exclusive")),
    )


def _without_entry(
    server: str,
    main: EmsServer,
    entries: Sequence[EmsDestination],
    name: str,
    *,
    is_global: bool,
    exclusive: bool,
) -> EmsQueue:
    patterns = [entry for entry in entries if matches(entry.name, name)]
    remote = [entry for entry in patterns if entry.owner not in ("", server)]
    if remote:
        because = (
            f"{server} has it only by {_label(remote[0])}, and a wildcard routed queue is "
            "not supported (1.5)"
        )
        return EmsQueue(name, server, Standing.UNCLEAR, remote[0].source, because=because)
    if "queues" in main.missing:
        unread = (
            "not all of its queues.conf could be read"
            if "queues" in main.unread
            else "its queues.conf was not found"
        )
        because = f"what the queue {name} is at {server} is not known: {unread}"
        return EmsQueue(name, server, Standing.UNCLEAR, main.source, because=because)
    if patterns:
        return EmsQueue(
            name, server, Standing.DYNAMIC, patterns[0].source, server, is_global, exclusive
        )
    near = did_you_mean(name, [entry.name for entry in entries if not is_wildcard(entry.name)])
    because = (
        f"no entry of {server}'s queues.conf allows a queue {name}{f'.{near}' if near else ''}"
    )
    return EmsQueue(name, server, Standing.ABSENT, main.place("queues"), because=because)


def _label(entry: EmsDestination) -> str:
    return f"{entry.name}@{entry.owner}" if entry.owner else entry.name


def _in_effect(entries: Iterable[EmsDestination], name: str) -> dict[str, object]:
    """The properties in effect; patterns of other servers' queues say nothing here."""
    return properties_in_effect(
        [entry for entry in entries if not (entry.owner and is_wildcard(entry.name))], name
    )


@record
class Permission:
    """Whether a server lets a user do something with a queue: TRUE, FALSE, or UNKNOWN where the
    loaded files do not decide it. ``asked`` is False where nobody asks: authorization is off, or
    the queue is not secure there. ``source`` is the line that decides it, or where one would
    count."""

    truth: Truth
    text: str
    source: Source
    asked: bool = True


def permission(server: str, own: Sequence[Fact], user: str, name: str, wanted: str) -> Permission:
    """Whether ``server`` lets ``user`` ``send`` to the queue ``name``, or ``receive`` from it
    (R107, R49). Linear in its facts.
    """
    main = main_file(own)
    place = main.source if main is not None else Source("")
    if main is None or not main.authorization:
        return Permission(Truth.TRUE, "", place, asked=False)
    entries = entries_of(own)
    secure = [
        entry
        for entry in entries
        if "secure" in dict(entry.properties)
        and matches(entry.name, name)
        and (is_temporary(entry.name) or not is_temporary(name))
    ]
    if not secure:
        if "queues" not in main.missing or any(entry.name == name for entry in entries):
            return Permission(Truth.TRUE, "", place, asked=False)
        text = f"whether {name} is secure at {server} is not known: its queues.conf is not complete"
        return Permission(Truth.UNKNOWN, text, main.place("queues"))
    closest = max(secure, key=lambda entry: (not is_wildcard(entry.name), len(entry.name)))
    given = [fact for fact in grants_on(own, user) if matches(fact.name, name)]
    granted = next(
        (fact for fact in given if not {wanted, "all"}.isdisjoint(fact.permissions)), None
    )
    text = f"{name} is secure at {server}, which asks for the permission {wanted} of user {user}"
    if granted is not None:
        return Permission(Truth.TRUE, text, granted.source)
    if {"acl_list", "groups"} & set(main.missing):
        return Permission(
            Truth.UNKNOWN, f"{text}: not all files with grants are loaded", closest.source
        )
    return Permission(Truth.FALSE, text, given[0].source if given else closest.source)


def grants_on(own: Iterable[Fact], user: str) -> list[EmsGrant]:
    """The grants on queues that hold for a user, those of its groups included."""
    facts = list(own)
    groups = {fact.name for fact in facts if isinstance(fact, EmsGroup) and user in fact.members}
    principals = {("user", user), *(("group", group) for group in groups)}
    return [
        fact
        for fact in facts
        if isinstance(fact, EmsGrant)
        and fact.type == "queue"
        and (fact.principal_type, fact.principal) in principals
    ]
