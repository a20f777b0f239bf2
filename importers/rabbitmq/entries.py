"""One entry of definitions to a fact (rabbitmq.md 1.3)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from topograph.credentials import SET
from topograph.facts import Fact, Pairs
from topograph.facts import rabbitmq as f
from topograph.importers.rabbitmq.addresses import addresses

Object = dict[str, Any]

NOT_READ = frozenset({"vhost-limits", "limits", "global_parameters", "user-limits"})
"""Lists, and components of parameters, that say nothing of where messages go."""


class Unclear(Exception):
    """What of an entry is not understood, in words that quote no secret."""


class Common(NamedTuple):
    """What all facts of an entry have, and the virtual host of a file that states none with its
    entries."""

    fact: Object
    vhost: str


def fact_of(section: str, entry: object, common: Common) -> Fact | None:
    """The fact of an entry of a list; None of one that says nothing of where messages go. Raises
    Unclear."""
    if not isinstance(entry, dict):
        raise Unclear("it is not an object")
    kind = _text(entry, "component") if section == "parameters" else section
    if kind in NOT_READ:
        return None
    make = _MAKERS.get(kind)
    if make is None:
        return None
    try:
        return make(entry, common)
    except ValueError as error:
        raise Unclear(str(error)) from None


def _text(entry: Object, name: str, default: str | None = None) -> str:
    """A member that is a text. Raises Unclear."""
    value = entry.get(name, default)
    if not isinstance(value, str):
        raise Unclear(f"{name} is not a text" if name in entry else f"{name} is missing")
    return value


def _optional(entry: Object, name: str) -> str | None:
    """A member that is a text or absent. Raises Unclear."""
    return None if entry.get(name) is None else _text(entry, name)


def _object(entry: Object, name: str) -> Object:
    """A member that is an object; an empty list, as which some versions write one without members,
    counts as such. Raises Unclear."""
    value = entry.get(name)
    if value is None or value == []:
        return {}
    if not isinstance(value, dict):
        raise Unclear(f"{name} is not an object")
    return value


def _number(entry: Object, name: str, default: int | None) -> int | None:
    """A member that is a whole number or absent. Raises Unclear."""
    value = entry.get(name, default)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise Unclear(f"{name} is not a whole number")


def _pairs(entry: Object, name: str) -> Pairs:
    """A member that is an object: its members by name, values as JSON text."""
    given = entry.get(name)
    if not given:
        return ()
    return tuple(
        (key, json.dumps(value, ensure_ascii=False, sort_keys=True))
        for key, value in sorted(_object(entry, name).items())
    )


def _named(entry: Object, common: Common) -> Object:
    """What an entry of a virtual host begins with."""
    vhost = entry.get("vhost", common.vhost)
    if not isinstance(vhost, str):
        raise Unclear("vhost is not a text")
    return {**common.fact, "vhost": vhost, "name": _text(entry, "name")}


def _vhost(entry: Object, common: Common) -> Fact:
    metadata = _object(entry, "metadata")
    type_ = entry.get("default_queue_type") or metadata.get("default_queue_type") or ""
    type_ = type_ if isinstance(type_, str) and type_ != "undefined" else ""
    return f.RabbitVhost(
        **common.fact,
        name=_text(entry, "name"),
        default_queue_type=type_,
    )


def _exchange(entry: Object, common: Common) -> Fact:
    return f.RabbitExchange(
        **_named(entry, common),
        type=_text(entry, "type"),
        internal=entry.get("internal") is True,
        arguments=_pairs(entry, "arguments"),
        durable=entry.get("durable") is not False,
        auto_delete=entry.get("auto_delete") is True,
    )


def _queue(entry: Object, common: Common) -> Fact:
    arguments = _pairs(entry, "arguments")
    type_ = _object(entry, "arguments").get("x-queue-type") or entry.get("type") or ""
    return f.RabbitQueue(
        **_named(entry, common),
        type=type_ if isinstance(type_, str) else "",
        arguments=arguments,
        durable=entry.get("durable") is not False,
        auto_delete=entry.get("auto_delete") is True,
    )


def _binding(entry: Object, common: Common) -> Fact:
    to_type = _text(entry, "destination_type")
    if to_type not in ("queue", "exchange"):
        raise Unclear("destination_type is neither queue nor exchange")
    vhost = entry.get("vhost", common.vhost)
    if not isinstance(vhost, str):
        raise Unclear("vhost is not a text")
    return f.RabbitBinding(
        **common.fact,
        vhost=vhost,
        name=_text(entry, "source"),
        to_type=to_type,
        to=_text(entry, "destination"),
        key=_text(entry, "routing_key", ""),
        arguments=_pairs(entry, "arguments"),
    )


def _policy(entry: Object, common: Common) -> Fact:
    priority = _number(entry, "priority", 0)
    return f.RabbitPolicy(
        **_named(entry, common),
        pattern=_text(entry, "pattern"),
        apply_to=_text(entry, "apply-to", "all") or "all",
        priority=priority or 0,
        definition=_pairs(entry, "definition"),
    )


def _operator_policy(entry: Object, common: Common) -> Fact:
    value = _object(entry, "value")
    return f.RabbitPolicy(
        **_named(entry, common),
        operator=True,
        pattern=_text(value, "pattern"),
        apply_to=_text(value, "apply-to", "all") or "all",
        priority=_number(value, "priority", 0) or 0,
        definition=_pairs(value, "definition"),
    )


def _leading(value: Object, *, needed: bool) -> Object:
    """What an upstream and a member of a set have in common."""
    if value.get("uri") is None and not needed:
        at: tuple[f.RabbitAddress, ...] = ()
    else:
        at = _uris(value, "uri")
    return {
        "at": at,
        "exchange": _optional(value, "exchange"),
        "queue": _optional(value, "queue"),
        "max_hops": _number(value, "max-hops", None),
    }


def _uris(value: Object, name: str) -> tuple[f.RabbitAddress, ...]:
    try:
        return addresses(value.get(name))
    except (TypeError, ValueError) as error:
        raise Unclear(f"{name}: {error}") from None


def _upstream(entry: Object, common: Common) -> Fact:
    return f.RabbitUpstream(
        **_named(entry, common), **_leading(_object(entry, "value"), needed=True)
    )


def _upstream_set(entry: Object, common: Common) -> Fact:
    value = entry.get("value")
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise Unclear("value is not a list of objects")
    members = tuple(
        f.RabbitSetMember(upstream=_text(one, "upstream"), **_leading(one, needed=False))
        for one in value
    )
    return f.RabbitUpstreamSet(**_named(entry, common), members=members)


_ENDS = {"never": ""}


def _shovel(entry: Object, common: Common) -> Fact:
    value = _object(entry, "value")
    protocols = [_text(value, f"{end}-protocol", "amqp091") for end in ("src", "dest")]
    other = next((one for one in protocols if one not in ("amqp091", "local")), "")
    from_type = "queue" if value.get("src-queue") is not None else "exchange"
    to_type = "queue" if value.get("dest-queue") is not None else "exchange"
    ends = value.get("src-delete-after", value.get("delete-after", "never"))
    properties = value.get("dest-publish-properties", value.get("publish-properties"))
    amqp10_from, amqp10_to = protocols[0] == "amqp10", protocols[1] == "amqp10"
    return f.RabbitShovel(
        **_named(entry, common),
        taken_at=_uris(value, "src-uri"),
        from_type="address" if amqp10_from else from_type,
        from_=_text(value, "src-address" if amqp10_from else f"src-{from_type}"),
        from_key=_text(value, "src-exchange-key", ""),
        put_at=_uris(value, "dest-uri"),
        to_type="address" if amqp10_to else to_type,
        to=_optional(value, "dest-address" if amqp10_to else f"dest-{to_type}"),
        key=_optional(value, "dest-exchange-key"),
        ack_mode=_text(value, "ack-mode", "on-confirm"),
        other_protocol=other,
        ends_after=_ENDS.get(str(ends), str(ends)),
        sets_expiration=isinstance(properties, dict) and "expiration" in properties,
        waits_for=tuple(_waits_for(value)),
        is_local=protocols[1] == "local",
    )


def _waits_for(value: Object) -> Iterator[str]:
    """The ends whose queue a shovel waits for; one that it says to declare is ``declares END``."""
    for end in ("src", "dest"):
        said = value.get(f"{end}-predeclared")
        if isinstance(said, bool):
            yield end if said else f"declares {end}"


def _user(entry: Object, common: Common) -> Fact:
    tags = entry.get("tags", "")
    words = tags.split(",") if isinstance(tags, str) else tags
    if not isinstance(words, list) or not all(isinstance(one, str) for one in words):
        raise Unclear("tags is neither a text nor a list of texts")
    return f.RabbitUser(
        **common.fact,
        name=_text(entry, "name"),
        tags=tuple(word.strip() for word in words if word.strip()),
        password=SET if entry.get("password_hash") or entry.get("password") else "",
    )


def _rights(entry: Object, common: Common, name: str) -> Object:
    vhost = entry.get("vhost", common.vhost)
    if not isinstance(vhost, str):
        raise Unclear("vhost is not a text")
    patterns = {one: _text(entry, one, "") for one in ("write", "read")}
    return {**common.fact, "user": _text(entry, name), "vhost": vhost, **patterns}


def _permission(entry: Object, common: Common) -> Fact:
    configure = _text(entry, "configure", "")
    return f.RabbitPermission(**_rights(entry, common, "user"), configure=configure)


def _topic_permission(entry: Object, common: Common) -> Fact:
    exchange = _text(entry, "exchange")
    return f.RabbitTopicPermission(**_rights(entry, common, "user"), exchange=exchange)


_MAKERS: Mapping[str, Callable[[Object, Common], Fact]] = {
    "vhosts": _vhost,
    "exchanges": _exchange,
    "queues": _queue,
    "bindings": _binding,
    "policies": _policy,
    "operator_policy": _operator_policy,
    "policy": lambda entry, common: _policy({**entry, **_object(entry, "value")}, common),
    "federation-upstream": _upstream,
    "federation-upstream-set": _upstream_set,
    "shovel": _shovel,
    "users": _user,
    "permissions": _permission,
    "topic_permissions": _topic_permission,
}
