"""What is wrong or risky in the definitions of a network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial

from topograph.facts import rabbitmq as f
from topograph.findings import Finding, Severity, Source
from topograph.rules.rabbitmq_findings import (
    BINDING_END_MISSING,
    BLACK_HOLE,
    DEAD_LETTERS_UNROUTABLE,
    EQUAL_POLICIES,
    NO_ALTERNATE_EXCHANGE,
    NO_DEAD_LETTER_EXCHANGE,
    PATTERN_NOT_UNDERSTOOD,
    POLICY_WITHOUT_MATCH,
    REJECTED_ROUND,
    RQ_7,
    RQ_8,
    RQ_9,
    RQ_11,
    RQ_13,
    RQ_14,
    RQ_17,
    RQ_19,
    RQ_20,
    RQ_21,
    RQ_24,
    RQ_27,
    RQ_28,
    RQ_30,
    SHOVEL_BETWEEN_VHOSTS,
    SHOVEL_CIRCLE,
    SHOVEL_TARGET_MISSING,
    STATIC_SHOVEL_STOPPED,
    UNKNOWN_UPSTREAM,
    UNKNOWN_WORD,
)
from topograph.systems.rabbitmq.circles import circles as circles_of
from topograph.systems.rabbitmq.configuration import FEDERATION_EXCHANGE
from topograph.systems.rabbitmq.exchanges import DELAYED, RULES
from topograph.systems.rabbitmq.loops.finding import DROPPED, ENDLESS, REJECTED, Circles
from topograph.systems.rabbitmq.loops.rounds import SHOVELLED
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.patterns import fault, matches
from topograph.systems.rabbitmq.places import DEFAULT_EXCHANGE, EXCHANGE, PREDECLARED, QUEUE, Place
from topograph.systems.rabbitmq.policies import QUORUM, fits, unsupported
from topograph.systems.rabbitmq.words import APPLY_TO, ARGUMENTS, POLICY_KEYS

Check = Callable[[Network], Iterable[Finding]]


def checks(network: Network) -> Sequence[Callable[[], Iterable[Finding]]]:
    """The checks, each to be run by itself."""

    @cache
    def circles() -> Circles:
        return Circles(network, None, past=False).look()

    found: tuple[Check, ...] = (
        bindings, exchanges, alternates, dead_letters,
        lambda one: dead_letter_circles(one, circles()), policies, unknown_words,
        equal_policies, shovels, lambda one: shovel_circles(one, circles()), upstreams, brokers,
    )  # fmt: skip
    return [partial(_of_whole_files, network, check) for check in found]


_ABSENT = frozenset(
    kind.kind
    for kind in (
        BINDING_END_MISSING, NO_ALTERNATE_EXCHANGE, BLACK_HOLE, NO_DEAD_LETTER_EXCHANGE,
        DEAD_LETTERS_UNROUTABLE, POLICY_WITHOUT_MATCH, SHOVEL_TARGET_MISSING, UNKNOWN_UPSTREAM,
        STATIC_SHOVEL_STOPPED,
    )
)  # fmt: skip
"""The kinds of findings that say that something is not there."""


def _of_whole_files(network: Network, check: Check) -> Iterator[Finding]:
    """What a check finds, but for what is said not to be there in definitions of which entries are
    not understood or cut off: it may be among those (RQ-28)."""
    files = network.configuration.files
    for finding in check(network):
        left_out = any(one.left_out for one in files.get(finding.server, ()))
        if not (left_out and finding.kind in _ABSENT):
            yield finding


def bindings(network: Network) -> Iterator[Finding]:
    """Bindings from and to what is not declared. Linear."""
    own = network.configuration
    for start in own.bound:
        for one in own.out_of(start).facts:
            end = Place(start.server, start.vhost, one.to_type, one.to)
            for at in (start, end):
                if not own.has(at) and not network.federation.declared(at):
                    text = f"A binding of {start.label} to {end.label}: there is no {at.label}."
                    yield RQ_7.at(one.source, text, server=one.server)


def exchanges(network: Network) -> Iterator[Finding]:
    """Exchanges that lead nowhere, or of types that are not known. Linear."""
    own = network.configuration
    for place, fact in own.exchanges.items():
        if fact.type == FEDERATION_EXCHANGE:
            continue
        if fact.type not in RULES and fact.type != DELAYED:
            text = f"{place.label} is of type {fact.type}: how it routes is not known."
            yield RQ_11.at(fact.source, text, server=place.server)
            continue
        leads = own.out_of(place).facts or place in network.federation.out_of
        if not leads and _alternate(network, place) is None:
            text = (
                f"{place.label} has no bindings and no alternate exchange: nothing leads on, "
                "unless clients bind queues that they declare."
            )
            yield RQ_9.at(fact.source, text, server=place.server)


def _alternate(network: Network, place: Place) -> Place | None:
    """The alternate exchange of an exchange, where one is stated."""
    setting = network.configuration.setting(place, "alternate-exchange", "alternate-exchange")
    return None if setting is None else place.exchange(str(setting.value))


def alternates(network: Network) -> Iterator[Finding]:
    """Alternate exchanges that are not there. Linear in the exchanges and policies."""
    own = network.configuration
    for place in own.exchanges:
        setting = own.setting(place, "alternate-exchange", "alternate-exchange")
        if setting is not None and not own.has(place.exchange(str(setting.value))):
            text = f"{place.label} has the alternate exchange {setting.value}, which is not there."
            yield RQ_8.at(setting.source, text, server=place.server)


def dead_letters(network: Network) -> Iterator[Finding]:
    """Queues whose dead letters get nowhere. Linear in the queues and in the bindings of the
    exchanges of their dead letters."""
    own = network.configuration
    for queue in own.queues:
        letters = network.exchanges.onward.dead_letters(queue)
        setting = own.setting(queue, "dead-letter-exchange")
        if letters is None or setting is None:
            continue
        if not own.has(letters):
            text = f"{queue.label}: there is no {letters.label} for its dead letters."
            yield RQ_13.at(setting.source, text, kind=NO_DEAD_LETTER_EXCHANGE, server=queue.server)
            continue
        key = own.setting(queue, "dead-letter-routing-key")
        if key is not None and not _routes(network, letters, str(key.value)):
            text = (
                f"{queue.label}: its dead letters have the key {key.value!r}, by which "
                f"{letters.label} routes to nothing."
            )
            yield RQ_13.at(key.source, text, kind=DEAD_LETTERS_UNROUTABLE, server=queue.server)


def _routes(network: Network, exchange: Place, key: str) -> bool:
    """Whether an exchange may route a message with a key to anything."""
    own = network.configuration
    if exchange.name == DEFAULT_EXCHANGE:
        return own.has(exchange.queue(key))
    if _alternate(network, exchange) is not None or exchange in network.federation.out_of:
        return True
    out, type_ = own.out_of(exchange), own.type_of(exchange)
    if type_ == "direct":
        return key in out.by_key
    if type_ == "topic":
        return next(out.trie.matching(key), None) is not None
    return bool(out.facts)


def dead_letter_circles(network: Network, circles: Circles) -> Iterator[Finding]:
    """Queues whose messages come back to them as dead letters that nobody rejected: those of
    ``cycles``, and those that may where not all of that was followed. Linear in the circles."""
    own = network.configuration
    queues = {
        edge.start.place
        for circle in circles.found
        if circle.kind in (DROPPED, ENDLESS)
        for edge in circle.ways
        if edge.is_dead_letter
    }
    if circles.left_out:
        queues |= circles.left_out.intersection(_over_dead_letters(network))
    for place in sorted(queues):
        text = f"Dead letters of {place.label} may come back to it without a rejection."
        yield RQ_14.at(own.source(place), text, server=place.server)


def _over_dead_letters(network: Network) -> Iterator[Place]:
    """The queues that dead letters which nobody rejected lead back to, whatever keys bindings ask
    for. Linear."""
    own = network.configuration

    def onward(place: Place) -> Iterator[Place]:
        if place.type == EXCHANGE:
            yield from (
                Place(place.server, place.vhost, one.to_type, one.to)
                for one in own.out_of(place).facts
            )
            other = _alternate(network, place)
            if other is not None:
                yield other
        elif place in own.queues and _gives_up(network, place):
            yield from _letters_of(network, place)

    found = circles_of(sorted(own.queues), onward)
    return (place for place in found if place.type == QUEUE)


def _letters_of(network: Network, queue: Place) -> Iterator[Place]:
    """Where the dead letters of a queue get to at once: of known keys, by them."""
    own = network.configuration
    letters = network.exchanges.onward.dead_letters(queue)
    if letters is None or not own.has(letters):
        return
    key = own.setting(queue, "dead-letter-routing-key")
    if letters.name == DEFAULT_EXCHANGE:
        if key is not None:
            yield letters.queue(str(key.value))
        return
    type_ = network.exchanges.routes_as(letters)
    if key is None or type_ not in ("direct", "topic"):
        yield letters
        return
    stated, out = str(key.value), own.out_of(letters)
    matching: Iterable[f.RabbitBinding] = out.by_key.get(stated, ())
    if type_ == "topic":
        matching = out.trie.matching(stated)
    for one in matching:
        yield Place(letters.server, letters.vhost, one.to_type, one.to)


def _gives_up(network: Network, queue: Place) -> bool:
    """Whether a queue gives messages up by itself."""
    own = network.configuration
    keys = ("message-ttl", "max-length", "max-length-bytes")
    limited = own.queue_type(queue) == QUORUM and own.setting(queue, "delivery-limit")
    return bool(limited) or any(own.setting(queue, key) is not None for key in keys)


def policies(network: Network) -> Iterator[Finding]:
    """Policies that hold for nothing, and patterns that are not understood. Linear in the policies
    times the names of their virtual hosts."""
    own = network.configuration
    for (server, vhost), listed in own.policies.items():
        for one in listed:
            why = fault(one.pattern)
            if why:
                text = f"The pattern of {_called(one)} is not understood: {why}."
                yield RQ_17.at(one.source, text, kind=PATTERN_NOT_UNDERSTOOD, server=server)
            elif not (_is_for_clients(one) or _holds_for_something(network, one, server, vhost)):
                why = _passed_by(network, one, server, vhost) or (
                    f"its pattern is {one.pattern}, it applies to {one.apply_to}"
                )
                severity, text = None, f"{_called(one, upper=True)} holds for nothing: {why}."
                none = _none_stated(network, one, server, vhost)
                if none:
                    severity = Severity.INFO
                    text = (
                        f"{_called(one, upper=True)} holds for nothing of the definitions, which "
                        f"have no {none} in the virtual host {vhost}: only for what clients "
                        "declare."
                    )
                yield RQ_17.at(
                    one.source, text, kind=POLICY_WITHOUT_MATCH, severity=severity, server=server
                )


def _called(one: f.RabbitPolicy, *, upper: bool = False) -> str:
    text = f"{'operator ' if one.operator else ''}policy {one.name}"
    return f"The {text}" if upper else f"the {text}"


def _holds_for_something(network: Network, one: f.RabbitPolicy, server: str, vhost: str) -> bool:
    """Whether the pattern of a policy is found in the name of anything that it applies to."""
    own, version = network.configuration, network.configuration.version(server)
    listed: list[f.RabbitExchange | f.RabbitQueue] = list(own.of_vhost(server, vhost))
    for fact in listed:
        queue = isinstance(fact, f.RabbitQueue)
        type_ = own.queue_type(Place(server, vhost, QUEUE, fact.name)) if queue else ""
        if fits(one, fact, type_, version):
            return True
    if one.apply_to not in ("all", "exchanges"):
        return False
    return any(fits(one, _named(own.files[server][0], vhost, name), "", version)
               for name in PREDECLARED if name and server in own.files)  # fmt: skip


def _passed_by(network: Network, one: f.RabbitPolicy, server: str, vhost: str) -> str:
    """Which key makes a policy pass by all that it matches, in words; empty where it matches
    nothing."""
    own = network.configuration
    for fact in own.of_vhost(server, vhost):
        if isinstance(fact, f.RabbitQueue) and matches(one.pattern, fact.name):
            type_ = own.queue_type(Place(server, vhost, QUEUE, fact.name))
            without = unsupported(type_, own.version(server))
            keys = [key for key, _ in one.definition if key in without]
            if keys and one.apply_to != "exchanges":
                label = Place(server, vhost, QUEUE, fact.name).label
                return f"it matches {label}, but {type_} queues have no {keys[0]}"
    return ""


def _named(broker: f.RabbitBroker, vhost: str, name: str) -> f.RabbitExchange:
    return f.RabbitExchange(
        bundle=broker.bundle,
        server=broker.server,
        source=broker.source,
        vhost=vhost,
        name=name,
        type=PREDECLARED[name],
    )


_NAMED_BY_SERVERS = (
    "amq.gen-0", "mqtt-subscription-0qos0", "mqtt-subscription-0qos1", "stomp-subscription-0",
)  # fmt: skip
"""Queues of clients that left the name to the broker, or that subscribe by MQTT or STOMP:
definitions hold none of these, or not all."""


def _is_for_clients(one: f.RabbitPolicy) -> bool:
    """Whether a policy is for queues that brokers name for clients."""
    for_queues = one.apply_to != "exchanges"
    return for_queues and any(matches(one.pattern, name) for name in _NAMED_BY_SERVERS)


def _none_stated(network: Network, one: f.RabbitPolicy, server: str, vhost: str) -> str:
    """What definitions do not state at all of what a policy applies to, in words: then they do not
    tell that nothing will match it. Linear in the names of the virtual host."""
    stated = {type(fact) for fact in network.configuration.of_vhost(server, vhost)}
    if one.apply_to == "exchanges":
        return "" if f.RabbitExchange in stated else "exchanges"
    return "" if f.RabbitQueue in stated else "queues"


def unknown_words(network: Network) -> Iterator[Finding]:
    """Arguments, keys of policies and values of ``apply-to`` that are not known here, each once a
    cluster: most are misspelt. Linear."""
    own, told = network.configuration, set[tuple[str, str]]()

    def unknown(source: Source, server: str, what: str, word: str) -> Iterator[Finding]:
        if (server, f"{what} {word}") not in told:
            told.add((server, f"{what} {word}"))
            text = f"{what} {word} is not known: nothing is concluded from it."
            yield RQ_28.at(source, text, kind=UNKNOWN_WORD, server=server)

    facts: Iterable[f.RabbitExchange | f.RabbitQueue]
    facts = (*own.exchanges.values(), *own.queues.facts())
    for fact in facts:
        what = "The argument" if isinstance(fact, f.RabbitQueue) else "The exchange's argument"
        for name, _ in fact.arguments:
            if name not in ARGUMENTS:
                yield from unknown(fact.source, fact.server, what, name)
    listed = (one for listed in own.policies.values() for one in listed)
    for policy in sorted(listed, key=lambda one: one.source):
        for name, _ in policy.definition:
            if name not in POLICY_KEYS:
                yield from unknown(policy.source, policy.server, "The policy key", name)
        if policy.apply_to not in APPLY_TO:
            yield from unknown(
                policy.source, policy.server, "What a policy applies to,", policy.apply_to
            )


def equal_policies(network: Network) -> Iterator[Finding]:
    """Exchanges and queues for which several policies of one priority hold. Linear in the names
    times the policies."""
    own = network.configuration
    for place in (*own.exchanges, *own.queues):
        among = own.holds(place).among
        if among:
            names = " and ".join(dict.fromkeys(one.name for one in among))
            text = f"{place.label}: the policies {names} match it with the same priority."
            yield RQ_17.at(among[0].source, text, kind=EQUAL_POLICIES, server=place.server)


def shovels(network: Network) -> Iterator[Finding]:
    """Shovels that lead to what is not there, and those between virtual hosts. Linear."""
    listed = network.exchanges.onward.shovels
    for one in network.configuration.shovels:
        start, to = listed.start(one), listed.target(one)
        named = one.other_protocol or (to.type == EXCHANGE and one.to is None)
        stopped = network.queues.stopped(one)
        if stopped:
            text = f"The static shovel {one.name} does not start: {stopped}."
            yield RQ_30.at(one.source, text, kind=STATIC_SHOVEL_STOPPED, server=one.server)
            continue
        why = "" if named else network.queues.unusable(to)
        if why:
            text = f"The shovel {one.name} moves nothing: {why}."
            yield RQ_19.at(one.source, text, kind=SHOVEL_TARGET_MISSING, server=one.server)
        if (start.server, start.vhost) != (to.server, to.vhost) and start.server == to.server:
            text = f"The shovel {one.name} leads from the virtual host {start.vhost} to {to.vhost}."
            yield RQ_19.at(one.source, text, kind=SHOVEL_BETWEEN_VHOSTS, server=one.server)


def shovel_circles(network: Network, circles: Circles) -> Iterator[Finding]:
    """Shovels over which messages come back to where they were taken: those of ``cycles``, and
    those that may where not all of that was followed. Linear in the circles."""
    out_of = network.exchanges.onward.shovels.out_of
    again: dict[tuple[Place, str], str] = {}
    for circle in circles.found:
        for edge in circle.ways if circle.kind in (ENDLESS, REJECTED) else ():
            if edge.way.role == SHOVELLED:
                again.setdefault((edge.start.place, edge.way.link), circle.kind)
    left_out = set(_over_shovels(network)) & circles.left_out if circles.left_out else ()
    for place in sorted(out_of):
        for one in out_of[place]:
            kind = again.get((place, one.name), ENDLESS if place in left_out else "")
            what = f"What the shovel {one.name} takes from {place.label}"
            if kind == ENDLESS:
                text = f"{what} may come back there."
                yield RQ_20.at(one.source, text, kind=SHOVEL_CIRCLE, server=one.server)
            elif kind == REJECTED:
                text = f"{what} comes back there as often as consumers reject it."
                yield RQ_20.at(one.source, text, kind=REJECTED_ROUND, server=one.server)


def _over_shovels(network: Network) -> list[Place]:
    """The places that shovels and bindings lead back to, whatever keys these ask for. Linear."""
    shovels = network.exchanges.onward.shovels

    def leads(place: Place) -> Iterator[Place]:
        if place.type == QUEUE:
            yield from map(shovels.leads_to, shovels.out_of.get(place, ()))
        elif place.name != DEFAULT_EXCHANGE:
            for one in network.configuration.out_of(place).facts:
                yield Place(place.server, place.vhost, one.to_type, one.to)

    return circles_of(sorted(shovels.out_of), leads)


def upstreams(network: Network) -> Iterator[Finding]:
    """Policies that name upstreams that there are not, and federated exchanges of two types.
    Linear in the links."""
    own = network.configuration
    links = network.federation.links
    for one in network.federation.unknown:
        text = f"{one.place.label} is federated with the upstream {one.named}, which is not there."
        yield RQ_24.at(one.source, text, server=one.place.server)
    for link in links:
        types = {own.type_of(link.upstream), own.type_of(link.downstream)} - {""}
        if len(types) > 1 and link.downstream.type == EXCHANGE:
            text = (
                f"{link.downstream.label} is {own.type_of(link.downstream)}, its upstream "
                f"{link.upstream.label} of {link.upstream.server} {own.type_of(link.upstream)}."
            )
            yield RQ_21.at(link.source, text, server=link.downstream.server)


def brokers(network: Network) -> Iterator[Finding]:
    """Brokers that are only named. Linear."""
    for name, source in sorted(network.named().items()):
        text = f"{name} is not among the loaded definitions."
        yield RQ_27.at(source, text, server=name)
