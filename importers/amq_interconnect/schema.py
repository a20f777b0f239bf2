"""The management schema of the router, as far as configuration files need it (amq_interconnect.md
section 1).

Attribute names, values and defaults of qpid-dispatch 1.0 to 1.19 and of Skupper Router 2.0 to 3.4,
and what its development branch adds (1.8). They are those of the published schemas:
``python/qpid_dispatch/management/qdrouter.json`` of apache/qpid-dispatch, and
``python/skupper_router/management/skrouter.json`` of skupperproject/skupper-router. A type whose
attributes differ from version to version and carry no routing meaning is *unchecked*: its
attributes are kept as written and never refused. What only Skupper Router reads is marked
``skupper``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum

from topograph.digits import as_python_reads
from topograph.importers.amq_interconnect.secrets import kept_value
from topograph.records import record


class ValueType(StrEnum):
    """The value types of the schema."""

    TEXT = "text"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    MAP = "map"


@record
class SchemaAttribute:
    """One attribute of an entity type. ``default`` is None where the schema has none;
    ``skupper`` if only Skupper Router has it, or, of a required one, if only Skupper Router does
    without it."""

    name: str
    kind: ValueType = ValueType.TEXT
    default: str | None = None
    choices: tuple[str, ...] = ()
    required: bool = False
    skupper: bool = False


@record
class EntityType:
    """A section type. ``attributes`` is None for an unchecked type; ``deprecated`` maps old
    spellings that 1.x still accepts with a warning to the new ones; ``old`` maps spellings that
    only routers before 1.0 accept. ``skupper`` if only Skupper Router has the type."""

    name: str
    attributes: Mapping[str, SchemaAttribute] | None
    singleton: bool = False
    deprecated: Mapping[str, str] = field(default_factory=dict)
    old: Mapping[str, str] = field(default_factory=dict)
    skupper: bool = False


def _text(*names: str, default: str | None = None, required: bool = False) -> list[SchemaAttribute]:
    return [SchemaAttribute(name, ValueType.TEXT, default, required=required) for name in names]


def _integer(*names: str, default: int | None = None) -> list[SchemaAttribute]:
    return [
        SchemaAttribute(name, ValueType.INTEGER, None if default is None else str(default))
        for name in names
    ]


def _flag(*names: str, default: bool | None = None) -> list[SchemaAttribute]:
    return [
        SchemaAttribute(name, ValueType.BOOLEAN, None if default is None else str(default).lower())
        for name in names
    ]


def _choice(
    name: str, *choices: str, default: str | None = None, required: bool = False
) -> list[SchemaAttribute]:
    return [SchemaAttribute(name, ValueType.CHOICE, default, choices, required)]


def _skupper(attributes: list[SchemaAttribute]) -> list[SchemaAttribute]:
    """Attributes that only Skupper Router has, or does without."""
    return [replace(attribute, skupper=True) for attribute in attributes]


def _map(*names: str) -> list[SchemaAttribute]:
    return [SchemaAttribute(name, ValueType.MAP) for name in names]


_DISTRIBUTIONS = ("multicast", "closest", "balanced", "unavailable")
_ROLES = ("normal", "inter-router", "route-container", "edge", "inter-edge", "inter-network")
SKUPPER_ROLES = frozenset({"inter-edge", "inter-network"})

_CONNECTION = [
    *_text("port", default="amqp"),
    *_choice("role", *_ROLES, default="normal"),
    *_integer("cost", default=1),
    *_choice("socketAddressFamily", "IPv4", "IPv6"),
    *_text("sslProfile", "saslMechanisms", "policyVhost", "failoverUrls"),
    *_integer("maxFrameSize", default=16384),
    *_integer("maxSessions", default=32768),
    *_integer("maxSessionFrames"),
    *_integer("idleTimeoutSeconds", default=16),
    *_choice("stripAnnotations", "in", "out", "both", "no", default="both"),
    *_integer("linkCapacity", default=250),
    *_text("messageLoggingComponents", default="none"),
    *_map("openProperties"),
]

_PREFIX_OR_PATTERN = _text("prefix", "pattern")
_TARGET = _text("connection", "containerId")


def _type(
    name: str,
    *groups: list[SchemaAttribute],
    singleton: bool = False,
    deprecated: Mapping[str, str] | None = None,
    old: Mapping[str, str] | None = None,
) -> EntityType:
    every = [*_text("name", "identity"), *(attribute for group in groups for attribute in group)]
    return EntityType(name, {a.name: a for a in every}, singleton, deprecated or {}, old or {})


_OLD_SECURITY = {"allowNoSasl": "", "requirePeerAuth": "", "allowUnsecured": ""}

_CHECKED = (
    _type(
        "router",
        _text(
            "id",
            "metadata",
            "debugDumpFile",
            "saslConfigDir",
            "timestampFormat",
            "version",
            "hostName",
            "vanId",
        ),
        _text("dataConnectionCount", "saslConfigName"),
        _choice("mode", "standalone", "interior", "edge", default="standalone"),
        _choice("defaultDistribution", *_DISTRIBUTIONS, default="balanced"),
        _text("area", default="0"),
        _integer("helloIntervalSeconds", default=1),
        _integer("helloMaxAgeSeconds", default=3),
        _integer("raIntervalSeconds", default=30),
        _integer("raIntervalFluxSeconds", default=4),
        _integer("remoteLsMaxAgeSeconds", default=60),
        _integer("mobileAddrMaxAge"),
        _integer("workerThreads", default=4),
        _flag("allowResumableLinkRoute", default=True),
        _flag("allowUnsettledMulticast", default=False),
        _flag("timestampsInUTC", "dropTcpConnections"),
        _skupper(_integer("unreachableHoldoffSeconds")),
        singleton=True,
        deprecated={
            "helloInterval": "helloIntervalSeconds",
            "helloMaxAge": "helloMaxAgeSeconds",
            "raInterval": "raIntervalSeconds",
            "raIntervalFlux": "raIntervalFluxSeconds",
            "remoteLsMaxAge": "remoteLsMaxAgeSeconds",
            "debugDump": "debugDumpFile",
            "saslConfigPath": "saslConfigDir",
        },
        old={"routerId": "id"},
    ),
    _type(
        "listener",
        _text("host", default=""),
        _CONNECTION,
        _flag("authenticatePeer", default=False),
        _flag("requireEncryption", default=False),
        _flag("requireSsl", default=False),
        _flag("multiTenant", default=False),
        _flag("http", default=False),
        _flag("healthz", default=True),
        _flag("metrics", default=True),
        _flag("websockets", default=True),
        _integer("initialHandshakeTimeoutSeconds", default=0),
        _text("httpRootDir", "trustedCerts", "trustedCertsFile", "saslPlugin"),
        deprecated={
            "protocolFamily": "socketAddressFamily",
            "failoverList": "failoverUrls",
            "httpRoot": "httpRootDir",
            "logMessage": "messageLoggingComponents",
        },
        old={"addr": "host", **_OLD_SECURITY},
    ),
    _type(
        "connector",
        _text("host", default="127.0.0.1"),
        _CONNECTION,
        _flag("allowRedirect", default=True),
        _flag("verifyHostname", default=True),
        _text("saslUsername", "saslPassword", "connectionStatus", "connectionMsg"),
        _skupper(_text("proxyProfile")),
        deprecated={
            "protocolFamily": "socketAddressFamily",
            "verifyHostName": "verifyHostname",
            "logMessage": "messageLoggingComponents",
        },
        old={"addr": "host", **_OLD_SECURITY},
    ),
    _type(
        "address",
        _PREFIX_OR_PATTERN,
        _choice("distribution", *_DISTRIBUTIONS, default="balanced"),
        _flag("waypoint", default=False),
        _integer("ingressPhase", "egressPhase", "priority"),
        _flag("enableFallback", default=False),
    ),
    _type(
        "linkRoute",
        _PREFIX_OR_PATTERN,
        _choice("direction", "in", "out", required=True),
        _TARGET,
        _choice("distribution", "linkBalanced", default="linkBalanced"),
        _text("addExternalPrefix", "delExternalPrefix", "operStatus"),
        deprecated={"dir": "direction"},
        old={"containerID": "containerId"},
    ),
    _type(
        "autoLink",
        _skupper(_text("address", required=True)),
        _choice("direction", "in", "out", required=True),
        _TARGET,
        _integer("phase"),
        _text("externalAddress", "operStatus", "linkRef", "lastError"),
        _flag("fallback", default=False),
        deprecated={"dir": "direction", "addr": "address", "externalAddr": "externalAddress"},
        old={"containerID": "containerId"},
    ),
    _type(
        "exchange",
        _text("address", required=True),
        _integer("phase", default=0),
        _text("alternateAddress"),
        _integer("alternatePhase", default=0),
        _choice("matchMethod", "amqp", "mqtt", default="amqp"),
    ),
    _type(
        "binding",
        _text("exchangeName", "nextHopAddress", required=True),
        _text("bindingKey"),
        _integer("nextHopPhase", default=0),
    ),
    _type(
        "sslProfile",
        _text(
            "caCertFile",
            "certFile",
            "privateKeyFile",
            "password",
            "passwordFile",
            "uidFormat",
            "ciphers",
            "protocols",
        ),
        _text("uidNameMappingFile", "version", "oldestValidVersion"),
        _skupper(_integer("ordinal", "oldestValidOrdinal")),
        deprecated={
            "certDb": "caCertFile",
            "keyFile": "privateKeyFile",
            "displayNameFile": "uidNameMappingFile",
        },
    ),
)

_UNCHECKED = (
    "log",
    "policy",
    "vhost",
    "vhostUserGroupSettings",
    "authServicePlugin",
    "console",
    "tcpListener",
    "tcpConnector",
    "httpListener",
    "httpConnector",
    "allocator",
    "management",
)

_SKUPPER = ("site", "network", "managedRouter", "proxyProfile", "listenerAddress")
"""Unchecked types that only Skupper Router has."""

OLD_TYPES = frozenset({"container", "fixedAddress", "linkRoutePattern", "waypoint"})
"""Sections that only routers before 1.0 read (section 3.3)."""

TYPES: Mapping[str, EntityType] = {
    **{entity.name: entity for entity in _CHECKED},
    **{
        name: EntityType(name, None, singleton=name in ("policy", "console")) for name in _UNCHECKED
    },
    **{
        name: EntityType(name, None, singleton=name == "managedRouter", skupper=True)
        for name in _SKUPPER
    },
    **{name: EntityType(name, None, singleton=name == "container") for name in OLD_TYPES},
}
"""Every section type by its short name."""

_PREFIXES = ("org.apache.qpid.dispatch.", "io.skupper.router.")


def short_name(type_name: str) -> str:
    """The short name of a type: ``org.apache.qpid.dispatch.router.config.address`` and
    ``router.config.address`` are ``address``.
    """
    for prefix in _PREFIXES:
        type_name = type_name.removeprefix(prefix)
    return type_name.removeprefix("router.config.")


def camel_case(name: str) -> str:
    """Dashed names are camelCase names (C-9): ``link-route`` is ``linkRoute``."""
    first, *rest = name.split("-")
    return first + "".join(word.capitalize() for word in rest)


_BOOLEANS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def checked_value(attribute: SchemaAttribute, value: object) -> str:
    """``value`` as the text that is in effect (C-8). Raises ValueError with what is wrong.

    Booleans become ``true`` or ``false``, integers decimal text, choices their name (also if given
    by index), maps compact JSON.
    """
    match attribute.kind:
        case ValueType.BOOLEAN:
            if not isinstance(value, str):
                return str(bool(value)).lower()
            if value.lower() not in _BOOLEANS:
                raise ValueError("is not a boolean (yes, true, on, no, false, off)")
            return str(_BOOLEANS[value.lower()]).lower()
        case ValueType.INTEGER:
            return _checked_integer(value)
        case ValueType.CHOICE:
            if value in attribute.choices:
                return str(value)
            return _choice_by_index(attribute, value)
        case _:
            return plain_text(attribute.name, value)


def _checked_integer(value: object) -> str:
    found = as_python_reads(value)
    return _not_an_integer() if found is None else str(found)


def _not_an_integer() -> str:
    raise ValueError("is not an integer")


def _choice_by_index(attribute: SchemaAttribute, value: object) -> str:
    """A choice by its place in the schema's list. Raises ValueError naming the choices."""
    found = None if isinstance(value, float) else as_python_reads(value)
    index = -1 if found is None else found
    if 0 <= index < len(attribute.choices):
        return attribute.choices[index]
    raise ValueError(f"is none of {', '.join(attribute.choices)}")


def plain_text(name: str, value: object) -> str:
    """Any value as text, with the values of secrets left out."""
    kept = kept_value(name, value)
    if isinstance(kept, str):
        return sound(kept)
    if isinstance(kept, bool):
        return str(kept).lower()
    return sound(json.dumps(kept, separators=(",", ":"), ensure_ascii=False))


def sound(text: str) -> str:
    """The text with halves of surrogate pairs replaced: an escape can make them, and they cannot
    be written as UTF-8 later on.
    """
    return (
        text
        if text.isascii()
        else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )
