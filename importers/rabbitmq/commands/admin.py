"""Command lines of ``rabbitmqadmin``: version 1 (Python, ``name=value``) and version 2 (Rust,
``--name value``). Both send requests to the management API (rabbitmq.md 8)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlsplit

from topograph.credentials import SET
from topograph.facts.rabbit_commands import HERE
from topograph.importers.rabbitmq.commands.calls import (
    Fields,
    Given,
    NotKnown,
    NotMeant,
    Quoted,
    is_true,
)
from topograph.importers.rabbitmq.commands.definitions import imported
from topograph.importers.rabbitmq.commands.management import NOTHING, Request, fields_of
from topograph.importers.rabbitmq.entries import Object

PROGRAMS = frozenset({"rabbitmqadmin", "rabbitmqadmin.py", "rabbitmqadmin-ng", "rabbitmqadmin2"})

_VALUED = frozenset(
    {
        "--config", "--node", "--host", "--port", "--path-prefix", "--vhost", "--username",
        "--password", "--base-uri", "--format", "--sort", "--depth", "--request-timeout",
        "--timeout", "--ssl-key-file", "--ssl-cert-file", "--ssl-ca-cert-file", "--table-style",
        "--tls-ca-cert-file", "--tls-cert-file", "--tls-key-file",
    }
)  # fmt: skip
_SHORT = {
    "-c": "--config", "-N": "--node", "-H": "--host", "-P": "--port", "-V": "--vhost",
    "-u": "--username", "-p": "--password", "-U": "--base-uri", "-q": "--quiet", "-s": "--ssl",
    "-k": "--insecure", "-t": "--timeout", "-f": "--format", "-S": "--sort", "-d": "--depth",
    "-R": "--sort-reverse", "-v": "--verbose", "--hostname": "--host",
}  # fmt: skip
_SECRET = ("--password", "--password-hash")
_PASSWORDS = ("password=", "password_hash=")
_FLAGS = frozenset(
    {
        "--idempotently", "--tracing", "--predeclared-source", "--predeclared-destination",
        "--stdin", "--approve", "--dry-run", "--strict", "--fail-fast", "--detailed-exit-codes",
        "--quiet", "--ssl", "--insecure", "--sort-reverse", "--verbose", "--use-tls",
        "--non-interactive", "--version", "--help", "--ssl-insecure", "--stdout",
        "--ssl-disable-hostname-verification", "--bash-completion", "-h",
    }
)  # fmt: skip
_GROUPS = {
    "bindings": "binding", "queues": "queue", "exchanges": "exchange", "policies": "policy",
    "operator_policies": "operator_policy", "vhosts": "vhost", "users": "user",
    "permissions": "permissions", "streams": "stream", "parameters": "parameter",
    "vhost_limits": "vhost_limit", "user_limits": "user_limit",
    "global_parameters": "global_parameter",
}  # fmt: skip
"""The groups of commands of version 2 that are about objects of one kind."""
_VERBS = {"declare": "declare", "set": "declare", "delete": "delete", "clear": "delete",
          "bind": "declare", "unbind": "delete"}  # fmt: skip
_SHOWING = ("list", "show", "get", "export", "help", "health", "memory", "stats", "status", "salt")


_OPTION = re.compile(r"--[a-z][a-z0-9-]*+(?:=|\Z)")


class _Kind(NamedTuple):
    """How version 1 sends a kind of object: the keys that it needs, those whose values are JSON,
    all others that it takes, and the path, whose parts are keys in braces."""

    path: str
    needs: tuple[str, ...]
    json: tuple[str, ...] = ()
    takes: Mapping[str, object] = MappingProxyType({})
    goes_with: tuple[str, ...] = ()


_FLAGS_OF_OBJECTS: Mapping[str, object] = {"auto_delete": "false", "durable": "true"}
_POLICY = _Kind(
    "policies/{vhost}/{name}",
    ("name", "pattern", "definition"),
    ("definition", "priority"),
    {"priority": 0, "apply-to": None},
    ("name",),
)
_KINDS: Mapping[str, _Kind] = {
    "exchange": _Kind(
        "exchanges/{vhost}/{name}",
        ("name", "type"),
        ("arguments",),
        {**_FLAGS_OF_OBJECTS, "internal": "false", "arguments": None},
        ("name",),
    ),
    "queue": _Kind(
        "queues/{vhost}/{name}",
        ("name",),
        ("arguments",),
        {**_FLAGS_OF_OBJECTS, "arguments": None, "node": None, "queue_type": None},
        ("name",),
    ),
    "binding": _Kind(
        "bindings/{vhost}/e/{source}/{end}/{destination}",
        ("source", "destination"),
        ("arguments",),
        {"destination_type": "queue", "routing_key": "", "arguments": None},
        ("source", "destination_type", "destination"),
    ),
    "vhost": _Kind("vhosts/{name}", ("name",), (), {"tracing": None}, ("name",)),
    "user": _Kind(
        "users/{name}",
        ("name", "tags"),
        (),
        {"password": None, "password_hash": None, "hashing_algorithm": None},
        ("name",),
    ),
    "permission": _Kind(
        "permissions/{vhost}/{user}",
        ("vhost", "user", "configure", "write", "read"),
        goes_with=("vhost", "user"),
    ),
    "parameter": _Kind(
        "parameters/{component}/{vhost}/{name}",
        ("component", "name", "value"),
        ("value",),
        goes_with=("component", "name"),
    ),
    "policy": _POLICY,
    "operator_policy": _POLICY._replace(path="operator-policies/{vhost}/{name}"),
    "vhost_limit": _Kind(
        "vhost-limits/{vhost}/{name}",
        ("vhost", "name", "value"),
        ("value",),
        goes_with=("vhost", "name"),
    ),
}


def read(given: Given) -> Sequence[Fields]:
    """What a command line says. Raises NotMeant, NotKnown."""
    words = given.call.words[1:]
    options = {word.partition("=")[0] for word in words if _OPTION.match(word)}
    valued = _VALUED | {one for one in options if one not in _FLAGS}
    given.divide(words, valued, _SHORT, _SECRET, _FLAGS)
    given.shown = [
        Quoted(f"'{one.partition('=')[0]}'='{SET}'") if one.startswith(_PASSWORDS) else one
        for one in given.shown
    ]
    given.connected = _connected(given)
    if not given.arguments:
        return ()
    verb, *rest = given.arguments
    if verb in _GROUPS and rest:
        verb, rest = rest[0], [_GROUPS[verb], *rest[1:]]
        if verb in ("bind", "unbind"):
            rest = ["binding"]
        verb = _VERBS.get(verb, verb)
    if verb.startswith(_SHOWING) or (rest and rest[0].startswith(_SHOWING)):
        return ()
    if verb in ("declare", "delete") and rest:
        by_options = any(one in given.options for one in ("--name", "--source", "--username")) or (
            rest[0] == "permissions"
        )
        if by_options and (rest[0] == "permissions" or not any("=" in one for one in rest[1:])):
            return _second(given, verb, rest[0])
        return _first(given, verb, rest[0], rest[1:])
    if verb in ("import", "definitions"):
        return tuple(_import(given, rest))
    if verb in ("shovels", "federation") and rest:
        return _links(given, rest[0])
    if verb in _NOTHING:
        return (NOTHING,)
    raise NotKnown(f"what {verb} does is not followed here")


_NOTHING = frozenset({"purge", "close", "publish", "rebalance", "feature_flags", "config_file"})


def _connected(given: Given) -> str:
    """The host that the options name."""
    base = given.options.get("--base-uri", "")
    if base:
        try:
            return urlsplit(base if "//" in base else f"//{base}").hostname or HERE
        except ValueError:
            return HERE
    if "--node" in given.options and "--host" not in given.options:
        return f"{given.options['--node']} of {given.options.get('--config') or 'its settings'}"
    return given.options.get("--host") or HERE


def _user(given: Given) -> str:
    return given.options.get("--username", "guest")


def _first(given: Given, verb: str, type_: str, words: Sequence[str]) -> Sequence[Fields]:
    """Version 1: what ``name=value`` say."""
    kind = _KINDS.get(type_)
    if kind is None:
        raise NotMeant(f"rabbitmqadmin has nothing of the type {type_}")
    needs = kind.needs if verb == "declare" else kind.goes_with
    takes = dict(kind.takes) if verb == "declare" else {}
    if verb == "delete" and type_ == "binding":
        takes["properties_key"] = "~"
    said: Object = {key: value for key, value in takes.items() if value is not None}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise NotMeant("an argument is written name=value")
        if key not in needs and key not in takes:
            raise NotMeant(f"{type_} takes no {key}")
        said[key] = given.json(value, key) if key in kind.json else value
    missing = [key for key in needs if key not in said]
    if missing:
        raise NotMeant(f"{missing[0]} is missing")
    if type_ == "user" and verb == "declare" and not {"password", "password_hash"} & said.keys():
        raise NotMeant("password is missing")
    said.setdefault("vhost", given.vhost)
    if said.get("queue_type"):
        said["arguments"] = {**(said.get("arguments") or {}), "x-queue-type": said["queue_type"]}
    return _sent(given, verb, kind, said)


def _sent(given: Given, verb: str, kind: _Kind, said: Object) -> Sequence[Fields]:
    ends = {**said, "end": str(said.get("destination_type", ""))[:1]}
    parts = [
        str(ends.get(one.strip("{}"), "")) if one.startswith("{") else one
        for one in kind.path.split("/")
    ]
    method = {"delete": "DELETE", "declare": "PUT"}[verb]
    if parts[0] == "bindings":
        method = "POST" if verb == "declare" else method
        parts += [str(said.get("properties_key", "~"))] if verb == "delete" else []
    found = fields_of(given, Request(method, tuple(parts), "", said, _user(given)))
    return () if found is None else (found,)


def _second(given: Given, verb: str, type_: str) -> Sequence[Fields]:
    """Version 2: what options say."""
    options = given.options
    said: Object = {
        name.removeprefix("--").replace("-", "_"): value for name, value in options.items()
    }
    said["vhost"] = given.vhost
    said["user"] = options.get("--username") or options.get("--user", "")
    if type_ in ("queue", "stream", "exchange") and verb == "declare":
        said = _declared(given, type_, said)
    for key in ("definition", "value"):
        if key in said and type_ != "vhost_limit":
            said[key] = given.json(said[key], key)
    if "priority" in said:
        said["priority"] = given.json(said["priority"], "priority")
    if "apply_to" in said or "applies_to" in said:
        said["apply-to"] = said.get("apply_to") or said.get("applies_to")
    if type_ in ("vhost_limit", "user_limit", "global_parameter"):
        if type_ == "global_parameter" and said.get("name") == "cluster_name":
            raise NotKnown("the cluster gets another name")
        return (NOTHING,)
    if type_ == "shovel":
        type_, said["component"] = "parameter", "shovel"
    kind = _KINDS.get({"stream": "queue", "permissions": "permission"}.get(type_, type_))
    if kind is None:
        raise NotKnown(f"what rabbitmqadmin does with {type_} is not followed here")
    needs = kind.needs if verb == "declare" else kind.goes_with
    if missing := [one for one in needs if one not in said and one not in ("type", "tags")]:
        raise NotMeant(f"--{missing[0].replace('_', '-')} is missing")
    if type_ == "binding":
        return _bound(given, verb, kind, said)
    if type_ == "user" and verb == "declare":
        said.setdefault("tags", "")
        said.setdefault("password", "")
    found = _sent(given, verb, kind, said)
    return [_forgiving(one, given) for one in found]


def _forgiving(one: Fields, given: Given) -> Fields:
    """Version 2 passes over what is not there with ``--idempotently``."""
    if "--idempotently" in given.options and one["verb"] == "delete":
        return {**one, "options": (*one.get("options", ()), "absent")}
    return one


def _declared(given: Given, type_: str, said: Object) -> Object:
    arguments = given.object(said.get("arguments", "{}"), "the arguments")
    flags = {
        key: is_true(said.get(key, otherwise), key)
        for key, otherwise in (("durable", True), ("auto_delete", False))
    }
    if type_ == "queue":
        arguments = {**arguments, "x-queue-type": said.get("type") or "classic"}
    elif type_ == "stream":
        more = {
            "x-max-age": said.get("expiration"),
            "x-max-length-bytes": said.get("max_length_bytes"),
            "x-stream-max-segment-size-bytes": said.get("stream_max_segment_size_bytes"),
        }
        numbers = {
            key: given.json(value, key) if key != "x-max-age" else value
            for key, value in more.items()
            if value
        }
        arguments = {**arguments, **numbers, "x-queue-type": "stream"}
    else:
        said = {"type": "direct", **said}
    return {**said, **flags, "arguments": arguments}


def _bound(given: Given, verb: str, kind: _Kind, said: Object) -> Sequence[Fields]:
    said["arguments"] = given.object(said.get("arguments", "{}"), "the arguments")
    (found,) = _sent(given, "declare", kind, said)
    if verb == "declare":
        return (found,)
    return (_forgiving({"verb": "delete", "fact": found["fact"]}, given),)


_SHOVEL = {
    "source_uri": "src-uri", "destination_uri": "dest-uri", "ack_mode": "ack-mode",
    "source_queue": "src-queue", "source_exchange": "src-exchange",
    "source_exchange_routing_key": "src-exchange-key", "destination_queue": "dest-queue",
    "destination_exchange": "dest-exchange",
    "destination_exchange_routing_key": "dest-exchange-key",
    "source_address": "src-address", "destination_address": "dest-address",
}  # fmt: skip
_UPSTREAM = {"uri": "uri", "ack_mode": "ack-mode", "queue_name": "queue",
             "exchange_name": "exchange"}  # fmt: skip


def _links(given: Given, command: str) -> Sequence[Fields]:
    """Shovels and upstreams of version 2."""
    said = {
        name.removeprefix("--").replace("-", "_"): value for name, value in given.options.items()
    }
    said["name"] = said.get("name") or said.get("_n", "")
    component = "federation-upstream" if "upstream" in command else "shovel"
    if command in ("delete", "delete_upstream"):
        path = ("parameters", component, given.vhost, said["name"])
        found = fields_of(given, Request("DELETE", path))
        return () if found is None else (_forgiving(found, given),)
    if command.startswith("declare_upstream"):
        value: Object = {key: said[name] for name, key in _UPSTREAM.items() if name in said}
        if command != "declare_upstream_for_queues":
            value["max-hops"] = given.json(said.get("max_hops", "1"), "max-hops")
    elif command in ("declare_amqp091", "declare_amqp10"):
        value = {key: said[name] for name, key in _SHOVEL.items() if name in said}
        protocol = command.removeprefix("declare_")
        value |= {"src-protocol": protocol, "dest-protocol": protocol}
        for name, key in (("source", "src"), ("destination", "dest")):
            if f"predeclared_{name}" in said:
                value[f"{key}-predeclared"] = True
        if "publish_properties" in said:
            value["dest-publish-properties"] = given.object(said["publish_properties"], "it")
    else:
        raise NotKnown(f"what {command} does is not followed here")
    path = ("parameters", component, given.vhost, said["name"])
    found = fields_of(given, Request("PUT", path, "", {"value": value}))
    return () if found is None else (found,)


def _import(given: Given, rest: Sequence[str]) -> Sequence[Fields]:
    into = given.options.get("--vhost")
    name = given.options.get("--file") or next(iter(rest[-1:]), "")
    if rest and rest[0] == "import_into_vhost":
        into = given.vhost
    elif "--file" in given.options or "--stdin" in given.options:
        into = None
    reads = "--stdin" in given.options or name == "-"
    lines = given.input() if reads else given.file(name)
    return tuple(imported(given, lines, into))
