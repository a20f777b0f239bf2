"""Requests to the management API (``/api/...``) as commands: what ``curl`` sends, and both versions
of ``rabbitmqadmin`` (rabbitmq.md 8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from topograph.facts.rabbitmq import RabbitBinding
from topograph.importers.rabbitmq.commands.calls import (
    Fields,
    Given,
    NotKnown,
    NotMeant,
    is_true,
)
from topograph.importers.rabbitmq.entries import NOT_READ, Object

KINDS = {
    "shovel": "shovel",
    "federation-upstream": "upstream",
    "federation-upstream-set": "upstream-set",
}
"""The kinds of facts of the components of parameters that say where messages go."""

NOTHING: Fields = {"verb": "none"}
"""A command that changes nothing which decides about messages."""

Definitions = Callable[[str], Sequence[Fields]]


class Request(NamedTuple):
    """A request: ``path`` is what stands behind ``/api/``, in its parts; ``body`` the JSON object
    that it sends; ``user`` who sends it."""

    method: str
    path: tuple[str, ...]
    query: str = ""
    body: Mapping[str, Any] = MappingProxyType({})
    user: str = ""


def fields_of(given: Given, one: Request) -> Fields | None:
    """What a request says; None for one that only shows something. Raises NotMeant, NotKnown."""
    if one.method in ("GET", "HEAD", "OPTIONS"):
        return None
    first, *rest = one.path
    make = _REQUESTS.get((one.method, first, len(rest)))
    if make is not None:
        return {"user": one.user, **make(given, one, *rest)}
    if first in _WITHOUT_EFFECT or (first, *rest[2:3]) in _ON_MESSAGES:
        return NOTHING
    raise NotKnown(f"what the broker does with {one.method} /api/{first} is not known here")


_WITHOUT_EFFECT = frozenset(
    {
        "aliveness-test", "auth", "channels", "connections", "consumers", "extensions",
        "feature-flags", "federation-links", "health", "nodes", "overview", "rebalance", "reset",
        "user-limits", "vhost-limits", "whoami", "login",
    }
)  # fmt: skip
_ON_MESSAGES = frozenset(
    {("exchanges", "publish"), ("queues", "get"), ("queues", "contents"), ("queues", "actions")}
)
"""Requests about messages, by the first part of their path and the fourth."""


def _exchange(given: Given, one: Request, vhost: str, name: str) -> Fields:
    entry = {"type": "direct", **_object(one.body, vhost, name, ("internal",))}
    return {"verb": "declare", "fact": given.fact("exchanges", entry)}


def _queue(given: Given, one: Request, vhost: str, name: str) -> Fields:
    return {"verb": "declare", "fact": given.fact("queues", _object(one.body, vhost, name, ()))}


def _object(body: Mapping[str, Any], vhost: str, name: str, more: Sequence[str]) -> Object:
    """An exchange or queue as an entry of definitions."""
    flags = {
        key: is_true(body[key], key)
        for key in ("durable", "auto_delete", *more)
        if body.get(key) is not None
    }
    return {"durable": False, **body, **flags, "vhost": vhost, "name": name}


def _bind(given: Given, one: Request, vhost: str, source: str, to_type: str, to: str) -> Fields:
    entry = {
        "vhost": vhost,
        "source": _exchange_name(source),
        "destination_type": _END.get(to_type, to_type),
        "destination": _exchange_name(to) if to_type == "e" else to,
        "routing_key": one.body.get("routing_key", ""),
        "arguments": one.body.get("arguments") or {},
    }
    return {"verb": "declare", "fact": given.fact("bindings", entry)}


_END = {"q": "queue", "e": "exchange"}


def _unbind(
    given: Given, one: Request, vhost: str, source: str, to_type: str, to: str, key: str
) -> Fields:
    """The last part of the path is the routing key, ``~`` for an empty one; a digest of arguments
    may follow behind a ``~``."""
    routing_key, tilde, _digest = key.partition("~")
    request = one._replace(body={"routing_key": routing_key.replace("%7E", "~")})
    fact = _bind(given, request, vhost, source, to_type, to)["fact"]
    assert isinstance(fact, RabbitBinding)
    return {
        "verb": "delete",
        "fact": fact,
        "any_arguments": bool(tilde) and key != "~",
    }


def _exchange_name(name: str) -> str:
    return "" if name == "amq.default" else name


def _delete(kind: str) -> Callable[..., Fields]:
    def made(_given: Given, one: Request, vhost: str, name: str) -> Fields:
        options = tuple(word for word in ("if-unused", "if-empty") if f"{word}=true" in one.query)
        return {
            "verb": "delete",
            "kind": kind,
            "vhost": vhost,
            "name": _exchange_name(name) if kind == "exchange" else name,
            "options": options,
        }

    return made


def policy(
    given: Given, entry: Mapping[str, Any], vhost: str, name: str, *, operator: bool
) -> Fields:
    """A policy that is set. Raises NotMeant."""
    entry = {"apply-to": "all", "priority": 0, **entry}
    definition = entry.get("definition")
    if not isinstance(definition, dict):
        raise NotMeant("definition is not a JSON object")
    if not definition:
        raise NotMeant("its definition is empty")
    if not isinstance(entry.get("pattern"), str):
        raise NotMeant("pattern is missing")
    section = "parameters" if operator else "policies"
    whole: Object = {**entry, "vhost": vhost, "name": name}
    if operator:
        whole = {"component": "operator_policy", "vhost": vhost, "name": name, "value": entry}
    return {"verb": "set", "fact": given.fact(section, whole)}


def _policy(given: Given, one: Request, vhost: str, name: str) -> Fields:
    return policy(given, one.body, vhost, name, operator=False)


def _operator_policy(given: Given, one: Request, vhost: str, name: str) -> Fields:
    return policy(given, one.body, vhost, name, operator=True)


def no_policy(vhost: str, name: str, *, operator: bool) -> Fields:
    """A policy that is cleared."""
    return {"verb": "delete", "kind": "policy", "vhost": vhost, "name": name, "operator": operator}


def parameter(given: Given, component: str, vhost: str, name: str, value: object) -> Fields:
    """A parameter that is set. Raises NotMeant."""
    if component in ("policy", "operator_policy"):
        raise NotMeant("policies are not set as parameters")
    if component in NOT_READ:
        return NOTHING
    if component not in KINDS:
        raise NotKnown(f"whether the broker has parameters of {component} is not known")
    entry = {"component": component, "vhost": vhost, "name": name, "value": value}
    return {"verb": "set", "fact": given.fact("parameters", entry)}


def no_parameter(component: str, vhost: str, name: str) -> Fields:
    """A parameter that is cleared."""
    kind = KINDS.get(component)
    if kind is None:
        return NOTHING  # it says nothing of where messages go
    return {"verb": "delete", "kind": kind, "vhost": vhost, "name": name}


def _parameter(given: Given, one: Request, component: str, vhost: str, name: str) -> Fields:
    if "value" not in one.body:
        raise NotMeant("value is missing")
    return parameter(given, component, vhost, name, one.body["value"])


def _global_parameter(_given: Given, one: Request, name: str) -> Fields:
    if name != "cluster_name":
        return NOTHING
    return renamed(str(one.body.get("value", "")))


def renamed(name: str) -> Fields:
    """A cluster that is called otherwise."""
    return {"verb": "rename", "name": name}


def vhost_made(given: Given, name: str, default_queue_type: object, **more: object) -> Fields:
    """A virtual host."""
    entry = {"name": name, "default_queue_type": default_queue_type or ""}
    return {"verb": "add", "fact": given.fact("vhosts", entry), "name": name, **more}


def _vhost(given: Given, one: Request, name: str) -> Fields:
    stated = one.body.get("default_queue_type")
    verb = "set" if stated else "add"
    return vhost_made(given, name, stated, verb=verb, spares=not stated)


def _user(given: Given, one: Request, name: str) -> Fields:
    if "password" not in one.body and "password_hash" not in one.body:
        raise NotMeant("neither password nor password_hash is stated")
    return {"verb": "set", "fact": given.fact("users", {**one.body, "name": name})}


def _permission(given: Given, one: Request, vhost: str, user: str) -> Fields:
    for name in ("configure", "write", "read"):
        if name not in one.body:
            raise NotMeant(f"{name} is missing")
    return {"verb": "set", "fact": given.fact("permissions", {**one.body, "user": user}, vhost)}


def _topic_permission(given: Given, one: Request, vhost: str, user: str) -> Fields:
    entry = {**one.body, "user": user}
    return {"verb": "set", "fact": given.fact("topic_permissions", entry, vhost)}


def _deleted(kind: str) -> Callable[..., Fields]:
    """What is deleted that stands in no virtual host, or is called like a user."""

    def made(_given: Given, _one: Request, *path: str) -> Fields:
        return {"verb": "delete", "kind": kind, "vhost": path[0], "name": path[-1]}

    return made


_REQUESTS: Mapping[tuple[str, str, int], Callable[..., Fields]] = {
    ("PUT", "exchanges", 2): _exchange,
    ("DELETE", "exchanges", 2): _delete("exchange"),
    ("PUT", "queues", 2): _queue,
    ("DELETE", "queues", 2): _delete("queue"),
    ("POST", "bindings", 5): lambda given, one, vhost, _e, *ends: _bind(given, one, vhost, *ends),
    ("DELETE", "bindings", 6): lambda given, one, vhost, _e, *ends: _unbind(
        given, one, vhost, *ends
    ),
    ("PUT", "policies", 2): _policy,
    ("DELETE", "policies", 2): lambda _given, _one, vhost, name: no_policy(
        vhost, name, operator=False
    ),
    ("PUT", "operator-policies", 2): _operator_policy,
    ("DELETE", "operator-policies", 2): lambda _given, _one, vhost, name: no_policy(
        vhost, name, operator=True
    ),
    ("PUT", "parameters", 3): _parameter,
    ("DELETE", "parameters", 3): lambda _given, _one, *path: no_parameter(*path),
    ("PUT", "global-parameters", 1): _global_parameter,
    ("DELETE", "global-parameters", 1): lambda _given, _one, name: (
        renamed("") if name == "cluster_name" else NOTHING
    ),
    ("PUT", "cluster-name", 0): lambda _given, one: renamed(str(one.body.get("name", ""))),
    ("DELETE", "shovels", 3): lambda _given, _one, _word, vhost, name: no_parameter(
        "shovel", vhost, name
    ),
    ("DELETE", "shovels", 4): lambda _given, _one, *_path: NOTHING,
    ("PUT", "vhosts", 1): _vhost,
    ("POST", "vhosts", 3): lambda _given, _one, *_path: NOTHING,
    ("DELETE", "vhosts", 1): _deleted("vhost"),
    ("PUT", "users", 1): _user,
    ("DELETE", "users", 1): _deleted("user"),
    ("PUT", "permissions", 2): _permission,
    ("DELETE", "permissions", 2): _deleted("permission"),
    ("PUT", "topic-permissions", 2): _topic_permission,
    ("DELETE", "topic-permissions", 2): _deleted("topic-permission"),
}
"""What requests do, by method, the first part of the path and how many parts follow."""
