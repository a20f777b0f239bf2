"""The buses of a network as their files describe them, with the defaults of the edition
(sibus.md A1, A4.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from topograph.digits import integer
from topograph.facts import sibus as facts
from topograph.facts.fact import Fact
from topograph.facts.sibus_faults import (
    RELIABILITIES,
    SYSTEM_EXCEPTION,
    reliability_fault,
    reliability_of,
)
from topograph.findings import Source
from topograph.message import Address
from topograph.records import record
from topograph.systems.sibus.buses.terms import ASSURED, BEST_EFFORT, SYSTEM_DEFAULT

QUEUE, TOPIC_SPACE, PORT, SERVICE, ALIAS, FOREIGN = facts.DESTINATION_TYPES


@record(kw_only=True)
class BusDestination:
    """A destination with its defaults. ``exception`` is a name, ``SYSTEM_DEFAULT``, or empty for
    none. Truth values and reliabilities of an alias are None or empty where it takes those of
    its target (S-23). ``points`` are the messaging engines with a queue point, as far as they
    are known, and ``closed`` those of them that take no messages; of an alias those that it
    selects (None: all). ``mediation`` is what its messages pass, empty for none; its
    ``selector`` leaves some of them out, and ``selects_otherwise`` names what else may do so;
    ``mediation_shown`` says whether a file defines the mediation, selector and all.
    ``doubt`` says why the files do not show what it is."""

    name: str
    type: str
    source: Source
    path: tuple[Address, ...] = ()
    reply: Address | None = None
    exception: str = SYSTEM_DEFAULT
    exception_source: Source | None = None
    discard: str = BEST_EFFORT
    limit: int = 5
    retry_ms: int = 5000
    reliability: str = ""
    highest: str = ""
    override: bool | None = None
    send_allowed: bool | None = None
    receive_allowed: bool | None = None
    points: tuple[str, ...] | None = None
    closed: tuple[str, ...] = ()
    mq_server: str = ""
    mediation: str = ""
    mediation_source: Source = Source("")
    selector: str = ""
    selector_source: Source = Source("")
    selects_otherwise: str = ""
    mediation_shown: bool = True
    target: Address | None = None
    limit_stated: bool = False
    implied: bool = False
    doubt: str = ""
    no_target: bool = False

    @property
    def is_queue(self) -> bool:
        """Whether consumers take messages from it."""
        return self.type in (QUEUE, PORT)


@record
class ForeignRoute:
    """How messages get to a foreign bus (S-62): ``direct``, ``mq`` or ``indirect`` over
    ``next_hop``; empty where it is not known, ``none`` where no link is defined. ``exception``
    is the link's exception destination, ``host`` where an MQ link connects to over the channel
    ``sends_over``; ``receives_over`` is the channel by which queue managers reach the bus, as
    which they know it as ``queue_manager``; ``link`` is its name."""

    bus: str
    kind: str
    source: Source
    next_hop: str
    exception: str
    topic_spaces: tuple[tuple[str, str], ...]
    host: str
    queue_manager: str
    sends_over: str
    receives_over: str
    link: str
    closed: bool
    """Whether nobody may send to the foreign bus (S-23)."""
    exception_shown: bool
    """Whether a file shows the link, whose exception destination counts, or states that of the
    foreign bus. Else ``exception`` is a guess."""


@record(slots=False)
class Bus:
    """A bus. ``destinations`` are those under its own name, ``elsewhere`` the aliases and
    foreign destinations that stand for an address on another bus. ``unsure`` says of a section
    why the files may not have all of it."""

    server: str
    name: str
    liberty: bool
    source: Source
    version: str = ""
    engines: tuple[str, ...] = ()
    destinations: Mapping[str, BusDestination] = field(default_factory=dict)
    elsewhere: Mapping[tuple[str, str], BusDestination] = field(default_factory=dict)
    routes: Mapping[str, ForeignRoute] = field(default_factory=dict)
    unsure: Mapping[str, tuple[str, Source]] = field(default_factory=dict)
    doubled: tuple[tuple[BusDestination, BusDestination], ...] = ()
    security: bool | None = None
    """Whether security is on; None where no file says it."""
    not_made: Source | None = None
    """What changes the bus where no file makes it; None where a file makes or shows it."""
    refused: Mapping[str, tuple[str, Source]] = field(default_factory=dict)
    """By name why it is not known whether there is such a destination."""
    not_started: Source | None = None
    """Where no feature starts the messaging engine of Liberty; None where one does."""
    ambiguous: str = ""
    """Why the files may be of several buses of this name; empty if they are of one."""
    listed_engines: frozenset[str] = frozenset()
    """The messaging engines of which no loaded file shows more than the name."""

    def system_exception(self, engine: str) -> str:
        """The name of the system exception destination of a messaging engine (S-42)."""
        return SYSTEM_EXCEPTION if self.liberty else f"{SYSTEM_EXCEPTION}.{engine or '?'}"

    @property
    def all_destinations(self) -> Iterable[BusDestination]:
        """Everything configured, by name."""
        return [one for _, one in self.all_by_bus]

    @property
    def all_by_bus(self) -> list[tuple[str, BusDestination]]:
        """Everything configured, by name, each with the other bus whose addresses it stands for;
        empty: those of this one.
        """
        own = [("", one) for one in self.destinations.values() if not one.implied]
        elsewhere = ((other, one) for (other, _), one in self.elsewhere.items())
        return sorted((*own, *elsewhere), key=lambda each: (each[1].name, each[1].source))

    def is_own(self, name: str) -> bool:
        """Whether an address that names this bus, or none, is on this bus."""
        return name in ("", self.name, self.server)


def buses_of(found: Iterable[Fact]) -> dict[str, Bus]:
    """The buses of some facts, by server. Linear in the facts; equal facts in any order give
    equal buses.
    """
    of: dict[str, list[Fact]] = {}
    for fact in sorted(found, key=lambda one: (one.server, one.source, one.kind, one.label)):
        of.setdefault(fact.server, []).append(fact)
    # What a script says of a bus that it computes may be said of any.
    anywhere = [one for one in of.pop("", ()) if isinstance(one, facts.Incomplete)]
    return {
        server: _bus(server, own if _is_liberty(own) else [*own, *anywhere])
        for server, own in sorted(of.items())
    }


def _is_liberty(own: Sequence[Fact]) -> bool:
    """Whether a bus is the one of a Liberty server, which no script of wsadmin changes."""
    return any(isinstance(one, facts.SibusBus) and one.edition == facts.LIBERTY for one in own)


def _bus(server: str, own: Sequence[Fact]) -> Bus:
    said = [one for one in own if isinstance(one, facts.SibusBus)]
    liberty = _is_liberty(own)
    ambiguous = several_of_one_name(server, said)
    unsure = (
        dict.fromkeys(facts.SECTIONS, (ambiguous, said[-1].source))
        if ambiguous
        else unsure_sections(own, said)
    )
    engines = tuple(
        dict.fromkeys(one.name for one in own if isinstance(one, facts.MessagingEngine))
    )
    if liberty and not engines:
        engines = ("defaultME",)
    mediations = _mediations(own)
    doubts = {one.object: one for one in own if isinstance(one, facts.Incomplete) and one.object}
    points = _points(own)
    closed: dict[str, list[str]] = {}
    for one in own:
        if isinstance(one, facts.MessagingEngine):
            for point in one.closed_points:
                closed.setdefault(point, []).append(one.name)
    destinations: dict[str, BusDestination] = {}
    elsewhere: dict[tuple[str, str], BusDestination] = {}
    doubled: list[tuple[BusDestination, BusDestination]] = []
    name = next((one.name for one in said), server)
    for fact in _in_order(own, liberty):
        made = _liberty(fact) if liberty else _was(fact, points)
        if ambiguous or fact.name in doubts:
            made = replace(made, doubt=ambiguous or doubts[fact.name].reason)
        if fact.name in closed and made.type != ALIAS:
            made = replace(made, closed=tuple(closed[fact.name]))
        if fact.name in mediations:
            made = replace(made, **mediations[fact.name])
        other = (
            fact.alias_bus
            if made.type == ALIAS
            else fact.foreign_bus
            if made.type == FOREIGN
            else ""
        )
        here = other in ("", name, server)
        table: dict[object, BusDestination] = destinations if here else elsewhere  # type: ignore[assignment]
        key: object = made.name if table is destinations else (other, made.name)
        before = table.get(key)
        if before is None or (before.doubt and not made.doubt):
            table[key] = made
        elif not made.doubt and replace(made, source=before.source) != before:
            doubled.append((before, made))
    if liberty:
        _liberty_aliases(destinations)
    _implied(liberty, engines, destinations, said[0].source if said else own[0].source)
    return Bus(
        server,
        name,
        liberty,
        said[0].source if said else own[0].source,
        next((one.version for one in said if one.version), ""),
        engines,
        destinations,
        elsewhere,
        _routes(own),
        unsure,
        tuple(doubled),
        _security(said),
        _not_made(own, said),
        {
            object_: (one.reason, one.source)
            for object_, one in doubts.items()
            if "destinations" in one.sections and object_ not in destinations
        },
        next((one.source for one in _saying(said, facts.MESSAGING_FEATURE, "false")), None),
        ambiguous,
        _only_listed(own),
    )


_OF_LIBERTY = (QUEUE, TOPIC_SPACE, ALIAS)
"""The order in which Liberty makes destinations: what comes later does not get a name that is
taken (A4.3)."""

_ALWAYS_THERE = {
    SYSTEM_EXCEPTION: QUEUE,
    "Default.Queue": QUEUE,
    "Default.Topic.Space": TOPIC_SPACE,
}
"""What every server of Liberty has, whether its files say so or not."""


def _in_order(own: Sequence[Fact], liberty: bool) -> list[facts.SibusDestination]:
    """The destinations, each before those that do not get its name."""
    found = [one for one in own if isinstance(one, facts.SibusDestination)]
    if not liberty:
        return found
    return [
        one
        for type_ in _OF_LIBERTY
        for one in found
        if one.name
        and one.destination_type == type_
        and _ALWAYS_THERE.get(one.name, type_) == type_
    ]


def _only_listed(own: Sequence[Fact]) -> frozenset[str]:
    """The messaging engines whose own file is not loaded."""
    engines = [one for one in own if isinstance(one, facts.MessagingEngine)]
    shown = {one.name for one in engines if not one.listed_only}
    return frozenset(one.name for one in engines) - shown


def _not_made(own: Sequence[Fact], said: Sequence[facts.SibusBus]) -> Source | None:
    """What changes a bus that no file makes; None where one makes or shows it."""
    changing = {one.bundle: one.source for one in own if isinstance(one, facts.ChangedBus)}
    if any(one.bundle not in changing for one in said):
        return None
    return min(changing.values(), default=None)


def _saying(
    said: Sequence[facts.SibusBus], name: str, value: str
) -> Iterator[facts.SibusAttribute]:
    """The attributes of a bus that say this."""
    for one in said:
        yield from (each for each in one.attributes if (each.name, each.value) == (name, value))


_SECURITY = ("secure", "securityEnabled", "busSecurity")


def _security(said: Sequence[facts.SibusBus]) -> bool | None:
    """Whether security is on, as far as an attribute says it."""
    stated = [
        _truth(text.value) for one in said for text in one.attributes if text.name in _SECURITY
    ]
    return True if True in stated else False if False in stated else None


def several_of_one_name(server: str, said: Sequence[facts.SibusBus]) -> str:
    """Why the files may be of several buses: two cells, two servers of Liberty, or one of each
    may have a bus of one name.
    """
    cells = sorted({one.cell for one in said if one.cell})
    servers = sorted({one.bundle for one in said if one.edition == facts.LIBERTY})
    several = ""
    if len(cells) > 1:
        several = f"one in each of the cells {', '.join(cells)}"
    elif len({one.edition for one in said}) > 1:
        several = f"one of a cell, and the server of {servers[0]}"
    elif len(servers) > 1:
        several = f"the servers of {' and '.join(servers)}"
    return f"several buses are called {server}: {several}" if several else ""


def unsure_sections(
    own: Sequence[Fact], said: Sequence[facts.SibusBus]
) -> dict[str, tuple[str, Source]]:
    """Per section why it may not be all there."""
    found: dict[str, tuple[str, Source]] = {}
    for one in own:
        if isinstance(one, facts.Incomplete):
            for section in one.sections:
                found.setdefault(section, (one.reason, one.source))
    complete = {section for one in said for section in one.complete}
    for section in facts.SECTIONS:
        if section not in complete:
            words = section.replace("_", " ")
            found.setdefault(
                section, (f"the loaded files do not list all its {words}", own[0].source)
            )
    return found


def _mediations(own: Sequence[Fact]) -> dict[str, dict[str, Any]]:
    """Per destination the mediation that its messages pass, as fields of ``BusDestination``; one
    that is not enabled is none.
    """
    mediations = [one for one in own if isinstance(one, facts.Mediation)]
    names = {one.uuid: one.name for one in mediations if one.uuid and one.name}
    defined = {one.name: one for one in mediations if one.name and not one.destination}
    found: dict[str, dict[str, Any]] = {}
    for one in mediations:
        if not one.destination or one.enabled is False:
            continue
        name = one.name or names.get(one.uuid) or one.uuid
        said = [each for each in (one, defined.get(name)) if each is not None]
        selector = next(filter(None, (_stated(each, "selector") for each in said)), None)
        domain = next(filter(None, (_stated(each, "selectorDomain") for each in said)), None)
        discriminator = next(filter(None, (_stated(each, "discriminator") for each in said)), None)
        otherwise = f"its discriminator {discriminator.value}" if discriminator else ""
        if selector and domain and domain.value.upper() not in ("JMS", "SIMESSAGE"):
            otherwise = f"its selector of domain {domain.value}"
        fields = {
            "mediation": name,
            "mediation_source": one.source,
            "selector": selector.value if selector else "",
            "selector_source": (selector or discriminator or one).source,
            "selects_otherwise": otherwise,
            "mediation_shown": name in defined or bool(selector or discriminator),
        }
        found.setdefault(one.destination, fields)
    return found


def _stated(fact: facts.Mediation, name: str) -> facts.SibusAttribute | None:
    found = fact.attribute(name)
    return found if found is not None and found.value.strip() else None


def _points(own: Sequence[Fact]) -> dict[object, tuple[str, ...]]:
    """Per destination name and per member the messaging engines that are theirs."""
    found: dict[object, dict[str, None]] = {}
    for one in own:
        if not isinstance(one, facts.MessagingEngine):
            continue
        for name in one.queue_points:
            found.setdefault(name, {})[one.name] = None
        if one.cluster:
            found.setdefault(facts.SibusMember(cluster=one.cluster), {})[one.name] = None
        elif one.node or one.server_name:
            found.setdefault(facts.SibusMember(node=one.node, server=one.server_name), {})[
                one.name
            ] = None
    return {key: tuple(sorted(engines)) for key, engines in found.items()}


def _texts(fact: facts.SibusDestination) -> dict[str, str]:
    return {one.name: one.value for one in fact.attributes}


_TRUTH = {"true": True, "false": False}


def _truth(text: str | None) -> bool | None:
    return _TRUTH.get((text or "").strip().lower())


def _number(text: str | None, otherwise: int) -> int:
    return integer((text or "").strip(), otherwise)


def _address(element: facts.PathElement | None) -> Address | None:
    return (
        None
        if element is None or not element.destination
        else Address(element.bus, element.destination)
    )


def _was(fact: facts.SibusDestination, known: Mapping[object, tuple[str, ...]]) -> BusDestination:
    texts = _texts(fact)
    inherits = fact.destination_type == ALIAS
    doubt = "only its name is in the loaded files" if fact.listed_only else ""
    if fact.destination_type not in facts.DESTINATION_TYPES:
        doubt = "the loaded files do not say what type of destination it is"
    if not doubt and (wrong := reliability_fault(fact.attributes)):
        doubt = f"{fact.name} is not as any document knows it: {wrong}"
    points: tuple[str, ...] | None = fact.queue_points if inherits else None
    if not inherits:
        engines = dict.fromkeys((*fact.localizations, *known.get(fact.name, ())))
        for member in fact.members:
            engines.update(dict.fromkeys(known.get(member, ())))
        points = tuple(sorted(engines)) or None
    exception = SYSTEM_DEFAULT if fact.exception_destination is None else fact.exception_destination
    return BusDestination(
        name=fact.name,
        type=fact.destination_type,
        source=fact.source,
        path=tuple(Address(one.bus, one.destination) for one in fact.forward_path),
        reply=_address(fact.reply),
        exception=exception,
        exception_source=fact.exception_source,
        discard=reliability_of(texts.get("exceptionDiscardReliability", "")) or BEST_EFFORT,
        limit=_number(texts.get("maxFailedDeliveries"), 5),
        limit_stated="maxFailedDeliveries" in texts,
        retry_ms=_number(texts.get("blockedRetryTimeout"), 5000),
        reliability=reliability_of(texts.get("reliability", "")) or ("" if inherits else ASSURED),
        highest=reliability_of(texts.get("maxReliability", "")) or ("" if inherits else ASSURED),
        override=_truth(texts.get("overrideOfQOSByProducerAllowed")),
        send_allowed=_truth(texts.get("sendAllowed")),
        receive_allowed=_truth(texts.get("receiveAllowed")),
        points=points,
        mq_server=next((one.mq_server for one in fact.members if one.mq_server), ""),
        target=_address(fact.target),
        doubt=doubt,
    )


def _liberty(fact: facts.SibusDestination) -> BusDestination:
    """A destination of server.xml (A4.3). A value that its attribute does not know counts as the
    default; blanks around it make it such a value.
    """
    texts = _texts(fact)
    own = _forced(texts.get("forceReliability", ""))
    policy = texts.get("failedDeliveryPolicy", "").upper()
    exception = fact.exception_destination
    if exception is None or exception.strip() in ("", SYSTEM_EXCEPTION):
        exception = SYSTEM_DEFAULT
    if policy in ("KEEP_TRYING", "DISCARD"):
        exception = ""
    interval = _integer(texts.get("redeliveryInterval"), 5000, 64)
    target = _address(fact.target)
    if fact.destination_type == ALIAS and fact.target is None:
        target = Address("", "Default.Queue")
    return BusDestination(
        name=fact.name,
        type=fact.destination_type,
        source=fact.source,
        exception=exception,
        exception_source=fact.exception_source,
        discard=ASSURED if policy == "DISCARD" else BEST_EFFORT,
        limit=max(0, _integer(texts.get("maxRedeliveryCount"), 5, 32)),
        retry_ms=interval if interval >= 1 else 5000,
        reliability=own,
        highest=own,
        send_allowed=_TRUTH.get(texts.get("sendAllowed", "").lower()),
        receive_allowed=_TRUTH.get(texts.get("receiveAllowed", "").lower()),
        target=target,
        doubt="" if fact.destination_type in facts.DESTINATION_TYPES else "its type is not known",
    )


def _forced(text: str) -> str:
    """The reliability that ``forceReliability`` sets; an alias has the default of its own too."""
    words = {one.replace("_", "").lower(): one for one in RELIABILITIES}
    return words.get(text.lower(), ASSURED)


def _integer(text: str | None, otherwise: int, bits: int) -> int:
    """A number as Java reads it: without blanks, of so many bits."""
    found = integer(text or "", most=bits)
    fits = found is not None and -(2 ** (bits - 1)) <= found < 2 ** (bits - 1)
    return otherwise if found is None or not fits else found


def _liberty_aliases(destinations: dict[str, BusDestination]) -> None:
    """Leave out the aliases that the loader skips, close those of a target that does not allow
    sending, and those whose target it does not find among queues and topic spaces (A4.3).
    """
    targets = {name: one for name, one in destinations.items() if one.type != ALIAS}
    for name, one in list(destinations.items()):
        if one.type != ALIAS:
            continue
        if one.target is None or not one.target.destination.strip():
            del destinations[name]
            continue
        found = targets.get(one.target.destination)
        if found is not None:
            closed = False if found.send_allowed is False else one.send_allowed
            destinations[name] = replace(
                one, send_allowed=closed, receive_allowed=found.receive_allowed
            )
        elif one.target.destination not in _ALWAYS_THERE:
            destinations[name] = replace(
                one, send_allowed=False, receive_allowed=False, no_target=True
            )


def _implied(
    liberty: bool, engines: Sequence[str], destinations: dict[str, BusDestination], source: Source
) -> None:
    """The destinations that a bus has without being told to; its system exception destinations
    have none themselves (S-49).
    """
    exceptions = (
        [SYSTEM_EXCEPTION]
        if liberty
        else [f"{SYSTEM_EXCEPTION}.{engine}" for engine in engines or ("?",)]
    )
    for name in exceptions:
        destinations.setdefault(
            name,
            BusDestination(
                name=name,
                type=QUEUE,
                source=source,
                exception="",
                reliability=ASSURED,
                highest=ASSURED,
                implied=True,
            ),
        )
    if liberty:
        for name, type_ in _ALWAYS_THERE.items():
            destinations.setdefault(
                name,
                BusDestination(
                    name=name,
                    type=type_,
                    source=source,
                    reliability=ASSURED,
                    highest=ASSURED,
                    implied=True,
                ),
            )


def _routes(own: Sequence[Fact]) -> dict[str, ForeignRoute]:
    """Per foreign bus how messages get there. A link says it where the foreign bus does not."""
    links: dict[str, facts.SibusLink] = {}
    by_uuid: dict[str, facts.SibusLink] = {}
    # Of several links to one foreign bus no rule says which counts: the first by name, wherever
    # they are configured.
    configured = [one for one in own if isinstance(one, facts.SibusLink)]
    for link in sorted(configured, key=lambda one: (one.name, one.source)):
        if link.foreign_bus:
            links.setdefault(link.foreign_bus, link)
        elif link.target_uuid:
            by_uuid.setdefault(link.target_uuid, link)
    found: dict[str, ForeignRoute] = {}
    for one in own:
        if isinstance(one, facts.ForeignBus) and one.name and one.name not in found:
            known = links.get(one.name) or (by_uuid.get(one.link_uuid) if one.link_uuid else None)
            found[one.name] = _route(one.name, _kind(one, known), one.source, known, one)
    for name, link in links.items():
        if name not in found:
            found[name] = _route(name, _kind(None, link), link.source, link, None)
    return found


def _kind(foreign: facts.ForeignBus | None, link: facts.SibusLink | None) -> str:
    """``direct``, ``mq`` or ``indirect``; empty where nothing says it."""
    if foreign is not None and (foreign.route or foreign.next_hop):
        return foreign.route or "indirect"
    if link is None:
        return ""
    return "mq" if link.type == "mq" else "direct"


def _route(
    name: str,
    kind: str,
    source: Source,
    link: facts.SibusLink | None,
    foreign: facts.ForeignBus | None,
) -> ForeignRoute:
    texts = {one.name: one.value for one in link.attributes} if link else {}
    exception = link.exception_destination if link else None
    if exception is None and foreign is not None:
        exception = foreign.exception_destination
    host = texts.get("hostName", "")
    spaces, attributes = (foreign.topic_spaces, foreign.attributes) if foreign else ((), ())
    return ForeignRoute(
        name,
        kind,
        source,
        next_hop=foreign.next_hop if foreign else "",
        exception=SYSTEM_DEFAULT if exception is None else exception,
        topic_spaces=tuple((one.local, one.remote) for one in spaces),
        host=f"{host}:{texts['port']}" if host and texts.get("port") else host,
        queue_manager=texts.get("queueManagerName", ""),
        sends_over=texts.get("senderChannelName", ""),
        receives_over=texts.get("receiverChannelName", ""),
        link=link.name if link else "",
        exception_shown=link is not None or exception is not None,
        closed=any(one.name == "sendAllowed" and _truth(one.value) is False for one in attributes),
    )
