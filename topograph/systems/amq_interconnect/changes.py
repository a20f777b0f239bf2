"""What management commands do to the configuration of routers, and what a router refuses (C-2, C-3,
C-5 to C-7; section 1).

``edit`` is pure: one command and the entities of a router as they are give the entities that go and
come, or the reason why the router refuses. A router refuses nothing because of the network that it
is in: every topology is legal (T-1 to T-11).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from topograph.digits import digits
from topograph.facts.amq_commands import ADDRESSED, CORE, AmqCommand
from topograph.facts.amq_interconnect import ADDRESS, Entity
from topograph.facts.amqp_addresses import stored_tokens
from topograph.facts.route_containers import why_never_active
from topograph.facts.shown import EVERY
from topograph.findings import Source
from topograph.rules.amq_interconnect_findings import (
    A_9,
    C_2,
    C_7,
    CONNECTIONS_STAY,
    IN_USE_KEEPS,
    L_1,
    LINKS_STAY,
    NAME_OF_ANOTHER_TYPE,
    NEVER_ACTIVE,
    PORT_TAKEN,
    SECTION_1_2,
    SECTION_1_8,
    SKUPPER_ONLY,
)
from topograph.side_inputs import SideInputs
from topograph.systems.amq_interconnect.checks.never_active import named_roles
from topograph.systems.amq_interconnect.network.connectors import is_own_machine
from topograph.systems.amq_interconnect.network.facts import KINDS, RouterFacts
from topograph.systems.amq_interconnect.network.links import connect
from topograph.systems.amq_interconnect.network.routers import (
    CONFIGURED_TYPES,
    endpoint_of,
    routers_of,
)
from topograph.systems.amq_interconnect.probes import probes_of
from topograph.systems.contract.changes import Edit, Editing, Known, Probes, Refusal, Refused
from topograph.systems.contract.system import Change, FactSource
from topograph.systems.coverage import Absent, Coverages
from topograph.words.articles import with_article
from topograph.words.did_you_mean import did_you_mean

if TYPE_CHECKING:
    from topograph.facts.command import Command
    from topograph.forwarding.budget import Budget
    from topograph.forwarding.graph import ForwardingGraph

_STARTUP = "startup"
"""Roles of connections that linkRoutes and autoLinks may name (C-7)."""

_NOT_IN_SKUPPER = frozenset({"linkRoute", "exchange", "binding"})
_NUMBERED = re.compile(r"[0-9]+\Z")


def servers_at(facts: FactSource, place: str) -> frozenset[str]:
    """The routers that a command means: that of an id, or those that listen on ``host:port``. A
    host that no listener names could be any router that listens on all of its addresses: only on
    the machine's own host the one such router is taken (T-13)."""
    routers = [fact for fact in facts.facts(KINDS) if isinstance(fact, Entity)]
    ids = {fact.server for fact in routers}
    if place in ids:
        return frozenset({place})
    host, _, port = place.rpartition(":")
    host = host.strip("[]").lower()
    listening = [endpoint_of(fact) for fact in routers if fact.type == "listener"]
    at_port = [one for one in listening if one.port == port]
    exact = frozenset(one.router for one in at_port if one.host == host)
    if exact or not is_own_machine(host):
        return exact
    return frozenset(one.router for one in at_port if not one.host or is_own_machine(one.host))


def without_link(facts: FactSource, one: str, other: str) -> Change:
    """See ``Changes.without_link``: the connectors of both that lead to the other, as far as
    hosts say it.
    """
    found = RouterFacts(facts)
    routers, _ = routers_of(found.essential, SideInputs(), found.shown)
    joined = connect(routers, SideInputs())
    ends = {one, other}
    pairs = [(link.connector, link.listener) for link in joined.links]
    pairs += [(uplink.connector, uplink.listener) for uplink in (*joined.uplinks, *joined.standby)]
    places = {
        connector.source
        for connector, listener in pairs
        if {connector.router, listener.router} == ends
    }
    return Change(
        tuple(
            fact for fact in found.essential if fact.type == "connector" and fact.source in places
        )
    )


def judge(graph: ForwardingGraph, server: str, command: Command, budget: Budget) -> Refusal | None:  # noqa: ARG001
    """A router takes any command that its own configuration allows."""
    return None


def passing(graph: ForwardingGraph) -> ForwardingGraph:
    """See ``Changes.passing``: nothing is configured that lets nothing pass."""
    return graph


def probes(
    before: ForwardingGraph, after: ForwardingGraph, change: Change, known: Known, budget: Budget
) -> Probes:
    """See ``probes.probes_of``."""
    return probes_of(before, after, change, known, budget)


def edit(facts: FactSource, server: str, command: Command) -> Edit:
    """What a command does to the entities of ``server``: to those of its file, or else of its
    dump. Linear in the entities of the router.
    """
    assert isinstance(command, AmqCommand)
    if command.fault:
        return Edit(refused=Refusal("C-2", command.fault, server))
    if command.verb == "none":
        return Edit()
    editing = _RouterEditing(server, command)
    try:
        editing.own = _entities(facts, server)
        if editing.own[0].origin == "dump":
            _check_shown(facts, server, command.type)
        _EDITS[command.verb](editing)
    except Refused as refused:
        return Edit(refused=refused.by(server))
    change, notes = editing.change, tuple(editing.notes)
    if editing.own[0].origin == "dump" and command.type in ADDRESSED:
        why = (
            f"of {server} only a dump is loaded: its links are those that were up, and what "
            "the command does to them is not known"
        )
        return Edit(change, Refusal("D-3", why, server, undetermined=True), notes)
    return Edit(change, notes=notes)


@dataclass
class _RouterEditing(Editing[AmqCommand]):
    """What one command does to one router, whose entities are ``own``."""

    own: Sequence[Entity] = ()

    def of(self, *types: str) -> list[Entity]:
        """The entities of some types, in order."""
        return [one for one in self.own if one.type in types]


def _entities(facts: FactSource, server: str) -> Sequence[Entity]:
    """The configured entities of a router, those of its file if one is loaded. Raises Refused
    where it is not known what it runs with.
    """
    every = [fact for fact in facts.facts(KINDS, server) if isinstance(fact, Entity)]
    of_files = [fact for fact in every if fact.origin == "file"]
    bundles = sorted({fact.bundle for fact in of_files})
    if len(bundles) > 1:
        message = (
            f"{' and '.join(bundles)} have the router id {server}: which router is meant is "
            "not known"
        )
        raise Refused("T-10", message, undetermined=True)
    known = of_files or [fact for fact in every if fact.type in CONFIGURED_TYPES]
    if not known:
        message = (
            f"no configuration of {server} is loaded: nobody can say what the command would do"
        )
        raise Refused("C-10", message, undetermined=True)
    for startup in of_files or every:
        if startup.type == _STARTUP and startup.get("starts") in ("no", "before-1.0"):
            why = (
                f"{server} does not start with its file ({startup.get('because')}): what it "
                "runs with is not known"
            )
            raise Refused("C-2", why, undetermined=True)
        if startup.type == _STARTUP and startup.get("starts") == "incomplete":
            why = f"what {server} runs with is not known: {startup.get('because')}"
            raise Refused("C-10", why, undetermined=True)
    return known


def _check_shown(facts: FactSource, server: str, type_: str) -> None:
    """D-1: that no entity is in the way of a command, or that the one it means is not there, only
    output that shows all of its type says; of a command without a type, all of all types."""
    shown = RouterFacts(facts).shown_of(server)
    coverages = Coverages(server, shown, False, Source(""), "D-1")
    if not isinstance(coverages.missing((type_ or EVERY,), "", ""), Absent):
        what = f"entities of type {type_}" if type_ else "entities"
        why = f"no loaded output shows all {what} of {server}: what the command does is not known"
        raise Refused("D-1", why, undetermined=True)


def _create(editing: _RouterEditing) -> None:
    given = editing.command.fact
    assert given is not None
    home = _home(editing.own, given.type)
    fact = replace(given, bundle=home.bundle, server=home.server, origin=home.origin)
    if "name" not in given.stated and given.type not in ADDRESSED:
        fact = replace(fact, name=_next_name(editing.of(given.type), given.type))
    _check_skupper(editing, fact)
    _check_name(editing, fact)
    if given.type == ADDRESS:
        _check_address(editing, fact)
    elif given.type in ADDRESSED:
        _check_role(editing, fact)
        _note_port(editing, fact)
    elif given.type in ("linkRoute", "autoLink"):
        _note_connection(editing, fact)
    editing.added.append(fact)
    if home.origin == "file":
        marked = {one.get("starts") for one in editing.of(_STARTUP)}
        marks = [mark for mark in editing.command.marks if mark.get("starts") not in marked]
        editing.added += (replace(mark, bundle=home.bundle, server=home.server) for mark in marks)


def _home(own: Sequence[Entity], type_: str) -> Entity:
    """The entity beside which a new one stands: of several dumps in that from which entities of
    its type are taken, the fullest (D-1).
    """
    alike = [one for one in own if one.type == type_]
    if own[0].origin == "dump" and alike:
        return max(alike, key=lambda one: (len(one.attributes), one.bundle))
    return next((one for one in own if one.type == "router"), own[0])


def _next_name(alike: Sequence[Entity], type_: str) -> str:
    """The name that a file gives to one more entry of a type: the number counts those that the
    router leaves out too, so that it may be higher.
    """
    used = [digits(one.name[len(type_) + 1 :], 0) for one in alike if _has_number(one)]
    return f"{type_}/{max([len(alike), *(number + 1 for number in used)])}"


def _has_number(one: Entity) -> bool:
    kind, _, number = one.name.partition("/")
    return (
        kind == one.type
        and "name" not in one.stated
        and _NUMBERED.match(number) is not None
        and len(number) < 10
    )


def _check_skupper(editing: _RouterEditing, fact: Entity) -> None:
    """S-2: what only one of the two kinds of routers has."""
    skupper = next((one for one in editing.of(_STARTUP) if one.get("starts") == "from-2.0"), None)
    mark = next((one for one in editing.command.marks if one.get("starts") == "from-2.0"), None)
    if skupper is None and mark is not None:
        editing.note(
            SKUPPER_ONLY, f"only Skupper Router takes this: {mark.get('because')}", SECTION_1_8
        )
    elif skupper is not None:
        gone = next(
            (
                one.get("because")
                for one in editing.command.marks
                if one.get("starts") == "until-1.19"
            ),
            "",
        )
        if fact.type in _NOT_IN_SKUPPER or (
            fact.type == "autoLink" and {"phase", "fallback"} & {*fact.stated}
        ):
            gone = fact.type
        if gone:
            where = f"its file says so ({skupper.source})"
            raise Refused(
                "S-2",
                f"{editing.server} is a Skupper Router, which has no {gone} like this; {where}",
            )


def _check_name(editing: _RouterEditing, fact: Entity) -> None:
    """C-2: names are unique. The core of a running router compares only those of one type."""
    same = [
        one for one in editing.own if one.name == fact.name and one.type not in ("router", _STARTUP)
    ]
    for one in same:
        if one.type == fact.type or fact.type not in CORE:
            raise Refused(
                "C-2",
                f"{editing.server} has {_a(one.type)} named {fact.name} already ({one.source})",
            )
    for one in same[:1]:
        message = (
            f"{_a(one.type)} has the name {fact.name} too ({one.source}): the router "
            "takes both while it runs, and does not start with a file that "
            "has both"
        )
        editing.note(NAME_OF_ANOTHER_TYPE, message, C_2)


def _a(type_: str) -> str:
    return f"{'an' if type_[:1].lower() in 'aeiou' else 'a'} {type_}"


def _check_address(editing: _RouterEditing, fact: Entity) -> None:
    """C-6: of two entries for the same addresses the first wins, and the second is refused."""
    tokens = _tokens(fact)
    for one in editing.of(ADDRESS):
        if _tokens(one) == tokens:
            message = (
                f"{one.label} matches the same addresses already ({one.source}): the router "
                "refuses a duplicate pattern"
            )
            raise Refused("C-6", message)
    _note_in_use(editing, fact)


def _tokens(address: Entity) -> tuple[str, ...]:
    prefix = address.get("prefix")
    return stored_tokens(prefix or address.get("pattern"), is_prefix=bool(prefix))


def _note_in_use(editing: _RouterEditing, fact: Entity) -> None:
    text = fact.get("prefix") or fact.get("pattern")
    message = (
        f"addresses under {text} that have links at the moment keep the distribution they "
        "have until the last of these links is gone"
    )
    editing.note(IN_USE_KEEPS, message, A_9)


def _check_role(editing: _RouterEditing, fact: Entity) -> None:
    """C-3: roles allowed by mode."""
    section = next(iter(editing.of("router")), None)
    mode, role = (
        (section.get("mode") if section else "") or "standalone",
        fact.get("role", "normal"),
    )
    if section is not None and section.origin == "dump" and not section.get("mode"):
        return
    standalone = mode == "standalone" and role in ("inter-router", "edge")
    edge = mode == "edge" and (
        role == "inter-router" or (role == "edge" and fact.type == "listener")
    )
    if standalone or edge:
        raise Refused(
            "C-3",
            f"{with_article(fact.type)} of role {role} is not allowed in a router of mode {mode}",
        )


def _note_port(editing: _RouterEditing, fact: Entity) -> None:
    if fact.type != "listener":
        return
    there = endpoint_of(fact)
    for one in editing.of("listener"):
        if (endpoint_of(one).host, endpoint_of(one).port) == (there.host, there.port):
            message = (
                f"{editing.server} listens on {there.address} already ({one.source}): the "
                "new listener cannot open the port"
            )
            editing.note(PORT_TAKEN, message, SECTION_1_2)
            return


def _note_connection(editing: _RouterEditing, fact: Entity) -> None:
    """C-7: what a linkRoute or autoLink refers to."""
    roles = named_roles(list(editing.of("listener", "connector")))
    reason = why_never_active(fact.get("connection"), fact.get("containerId"), roles)
    if reason:
        editing.note(NEVER_ACTIVE, f"{fact.type} {fact.name} does not become active: {reason}", C_7)


def _delete(editing: _RouterEditing) -> None:
    found = _found(editing)
    if not editing.command.type and found.type in CORE:
        message = (
            f"whether {found.type} {found.name} goes is not certain: the router's core is "
            f"asked only with --type {found.type}"
        )
        raise Refused("3.4", message, undetermined=True)
    editing.removed.append(found)
    if found.type == ADDRESS:
        _note_in_use(editing, found)
    elif found.type == "listener":
        message = (
            f"connections that came by {found.name} stay open until one end closes them, and "
            "cannot come back then"
        )
        editing.note(CONNECTIONS_STAY, message, SECTION_1_2)
    elif found.type == "linkRoute":
        editing.note(
            LINKS_STAY,
            f"links that {found.name} has routed stay attached until one end detaches them",
            L_1,
        )
    if found.type in ADDRESSED:
        for one in editing.of("linkRoute", "autoLink"):
            if one.get("connection") == found.name:
                message = (
                    f"{one.type} {one.name} ({one.source}) refers to {found.name} and "
                    "becomes inactive"
                )
                editing.note(NEVER_ACTIVE, message, C_7)


def _update(editing: _RouterEditing) -> None:
    """New values for what decides about no message."""
    known = _found(editing)
    stated = dict(editing.command.values)
    attributes = tuple({**dict(known.attributes), **stated}.items())
    after = replace(
        known, attributes=attributes, stated=tuple(dict.fromkeys((*known.stated, *stated)))
    )
    if after != known:
        editing.removed.append(known)
        editing.added.append(after)


def _found(editing: _RouterEditing) -> Entity:
    """The entity that a command names. Raises Refused where there is none."""
    command = editing.command
    among = [one for one in editing.own if one.type not in ("router", _STARTUP)]
    found = [one for one in among if _is_named(one, command)]
    fitting = [one for one in found if not command.type or one.type == command.type]
    if len(fitting) == 1:
        return fitting[0]
    what = command.type or "entity"
    how = f"named {command.name}" if command.name else f"with the identity {command.identity}"
    if len(fitting) > 1:
        types = " and ".join(one.type for one in fitting)
        raise Refused(
            "C-2",
            f"{editing.server} has {with_article(types)} {how}: say which with --type",
            undetermined=True,
        )
    if found:
        raise Refused(
            "C-2",
            (
                f"{command.name or command.identity} is {_a(found[0].type)}, not {_a(what)} "
                f"({found[0].source})"
            ),
        )
    if (
        command.identity
        and not command.name
        and (command.type in CORE or _NUMBERED.match(command.identity))
    ):
        message = (
            f"which {what} has the identity {command.identity} is not known: the router "
            "gives out such numbers while it runs"
        )
        raise Refused("3.4", message, undetermined=True)
    hint = did_you_mean(
        command.name, (one.name for one in among if not command.type or one.type == command.type)
    )
    raise Refused("C-2", f"{editing.server} has no {what} {how}.{hint}".removesuffix("."))


def _is_named(one: Entity, command: AmqCommand) -> bool:
    if command.identity:
        own = _identity(one)
        return own == command.identity and command.name in ("", one.name)
    return one.name == command.name


def _identity(one: Entity) -> str:
    """The identity that the router gives to an entity, where configuration says it."""
    if known := one.get("identity"):
        return known
    if one.type in ADDRESSED:
        place = f"{one.type}/{one.get('host')}:{one.get('port')}"
        return f"{place}:{one.name}" if "name" in one.stated else place
    return f"{one.type}/{one.name}" if one.type in ("sslProfile", "authServicePlugin") else ""


_EDITS = {"create": _create, "delete": _delete, "update": _update}
