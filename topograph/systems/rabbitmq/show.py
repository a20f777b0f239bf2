"""Rows of ``show``: exchanges and queues, bindings, policies, and who may do what."""

from __future__ import annotations

from collections.abc import Iterator

from topograph.facts import Pairs
from topograph.facts import rabbitmq as f
from topograph.facts.fact import Fact
from topograph.findings import Source
from topograph.systems.contract.system import Row
from topograph.systems.rabbitmq.configuration import FEDERATION_EXCHANGE, Configuration
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.places import EXCHANGE, QUEUE, Place, shown
from topograph.systems.rabbitmq.policies import NO_POLICY


def rows(network: Network, what: str) -> Iterator[Row] | None:
    """The rows of one kind of thing, None where there are none of it here. Linear in what is
    listed, times the policies of its virtual host."""
    own = network.configuration
    match what:
        case "destinations":
            return _destinations(own)
        case "queues":
            return _queues(own)
        case "bindings":
            return _bindings(own)
        case "policies":
            return (_policy(one) for one in sorted(own.all_policies, key=_line))
        case "access":
            return _access(own)
        case _:
            return None


def _line(fact: Fact) -> Source:
    return fact.source


def _row(fact: Fact, **more: object) -> Row:
    return {
        "server": fact.server,
        "system": "rabbitmq",
        **more,
        "configuration": fact.bundle,
        "source": fact.source.to_dict(),
    }


def _destinations(own: Configuration) -> Iterator[Row]:
    """Exchanges, with those that every virtual host has where something is bound to them, and
    queues."""
    for place in sorted(set(own.exchanges) | set(own.bound)):
        fact = own.exchanges.get(place)
        type_ = own.type_of(place)
        if not type_:
            continue  # bindings of an exchange that there is not: check says so
        stated = fact or own.out_of(place).facts[0]
        words = [type_, "internal" if fact is not None and fact.internal else ""]
        if type_ == FEDERATION_EXCHANGE:
            words.append("declared by a federation link")
        words += _settings(fact.arguments if fact else ())
        details = ", ".join(filter(None, [*words, *_held(own, place)]))
        other = own.setting(place, "alternate-exchange", "alternate-exchange")
        leads_to = [place.exchange(str(other.value)).label] if other else []
        yield _row(stated, type=EXCHANGE, name=place.short, leads_to=leads_to, details=details)
    for row in _queues(own):
        leads_to = [str(row["leads_to"])] if row["leads_to"] else []
        details = ", ".join(filter(None, (str(row["type"]), str(row["details"]))))
        yield {**row, "type": QUEUE, "leads_to": leads_to, "details": details}


def _queues(own: Configuration) -> Iterator[Row]:
    """Queues: ``leads_to`` is where dead letters are published to."""
    for fact in sorted(own.queues.facts(), key=_line):
        place = Place(fact.server, fact.vhost, QUEUE, fact.name)
        dead = own.setting(place, "dead-letter-exchange")
        yield _row(
            fact,
            type=own.queue_type(place),
            name=place.short,
            leads_to=place.exchange(str(dead.value)).label if dead else "",
            details=", ".join([*_settings(fact.arguments), *_held(own, place)]),
        )


def _settings(pairs: Pairs) -> list[str]:
    """Arguments, or keys of a policy, with their values; the type of a queue has a column."""
    return [f"{key}={_plain(value)}" for key, value in pairs if key != "x-queue-type"]


def _plain(value: str) -> str:
    read = f.value_of(value)
    return read if isinstance(read, str) else value


def _held(own: Configuration, place: Place) -> list[str]:
    """The policies that hold for an exchange or a queue."""
    holds = own.holds(place)
    if holds is NO_POLICY:
        return []
    if holds.doubt:
        return [holds.doubt]
    return [f"{_type(one)} {one.name}" for one in (holds.policy, holds.operator) if one]


def _type(one: f.RabbitPolicy) -> str:
    return "operator policy" if one.operator else "policy"


def _bindings(own: Configuration) -> Iterator[Row]:
    found = [one for place in own.bound for one in own.out_of(place).facts]
    for one in sorted(found, key=_line):
        yield _row(
            one,
            **{"from": Place(one.server, one.vhost, EXCHANGE, one.name).label},
            to=Place(one.server, one.vhost, one.to_type, one.to).label,
            key=one.key,
            details=", ".join(_settings(one.arguments)),
        )


def _policy(one: f.RabbitPolicy) -> Row:
    return _row(
        one,
        type=_type(one),
        name=shown(one.vhost, one.name),
        pattern=one.pattern,
        applies_to=one.apply_to,
        priority=one.priority,
        details=", ".join(_settings(one.definition)),
    )


def _access(own: Configuration) -> Iterator[Row]:
    """Permissions on names of a virtual host, and on routing keys of its topic exchanges."""
    for one in sorted(own.permissions.values(), key=_line):
        said = f"configure({one.configure}) write({one.write}) read({one.read})"
        yield _row(one, what=f"virtual host {one.vhost}", who=one.user, permissions=said)
    for topic in sorted(own.topic_permissions.values(), key=_line):
        exchange = Place(topic.server, topic.vhost, EXCHANGE, topic.exchange)
        said = f"write({topic.write}) read({topic.read})"
        yield _row(topic, what=f"keys of {exchange.label}", who=topic.user, permissions=said)
