"""What the fields of RabbitMQ facts hold, for redaction (see ``topograph.importers.holds``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from topograph.facts import rabbitmq as f
from topograph.importers.holds import FACT, Fields, Holds, by_its_name, public

WELL_KNOWN_USERS: frozenset[str] = frozenset({"guest"})
"""The user that every new broker has."""

WORDS: frozenset[str] = frozenset()
"""No messages of brokers are kept."""

_OBJECT: Fields = FACT | public("vhost", "name")

_SHOVEL: Fields = (
    _OBJECT
    | public(
        "from_type", "from_", "from_key", "to_type", "to", "key", "ack_mode", "other_protocol",
        "ends_after", "sets_expiration", "waits_for", "is_local",
    )
    | {"taken_at": Holds.NESTED, "put_at": Holds.NESTED}
)  # fmt: skip

FIELDS: Mapping[type, Fields] = {
    f.RabbitBroker: FACT
    | public("vhost", "version", "left_out", "left_out_of", "users_listed", "unlisted"),
    f.RabbitVhost: FACT | public("name", "default_queue_type"),
    f.RabbitExchange: _OBJECT
    | public("type", "internal", "durable", "auto_delete")
    | {"arguments": Holds.SETTINGS},
    f.RabbitQueue: _OBJECT
    | public("type", "durable", "auto_delete")
    | {"arguments": Holds.SETTINGS},
    f.RabbitBinding: _OBJECT | public("to_type", "to", "key") | {"arguments": Holds.SETTINGS},
    f.RabbitPolicy: _OBJECT
    | public("operator", "pattern", "apply_to", "priority")
    | {"definition": Holds.SETTINGS},
    f.RabbitAddress: {"host": Holds.HOSTS} | public("port", "vhost"),
    f.RabbitUpstream: _OBJECT | public("exchange", "queue", "max_hops") | {"at": Holds.NESTED},
    f.RabbitSetMember: public("upstream", "exchange", "queue", "max_hops")
    | {"at": Holds.NESTED},
    f.RabbitUpstreamSet: _OBJECT | {"members": Holds.NESTED},
    f.RabbitShovel: _SHOVEL,
    f.RabbitStaticShovel: _SHOVEL | {"declares": Holds.NESTED},
    f.RabbitDeclared: public("end", "what", "name", "type", "to", "key", "passive", "internal")
    | {"arguments": Holds.SETTINGS},
    f.RabbitSetting: FACT | public("name", "value"),
    f.RabbitUser: FACT | {"name": Holds.USER, "tags": Holds.PUBLIC, "password": Holds.SECRET},
    f.RabbitPermission: FACT
    | public("vhost", "configure", "write", "read")
    | {"user": Holds.USER},
    f.RabbitTopicPermission: FACT
    | public("vhost", "exchange", "write", "read")
    | {"user": Holds.USER},
}  # fmt: skip
"""Every kind of fact (and of record inside one), with every field."""

KNOWN = frozenset(
    {
        "alternate-exchange", "dead-letter-exchange", "dead-letter-routing-key",
        "dead-letter-strategy", "delivery-limit", "expires", "federation-upstream",
        "federation-upstream-pattern", "federation-upstream-set", "hash-header", "hash-on",
        "hash-property", "max-age", "max-length", "max-length-bytes", "message-ttl", "overflow",
        "queue-mode", "queue-version", "x-dead-letter-exchange", "x-dead-letter-routing-key",
        "x-dead-letter-strategy", "x-delayed-type", "x-delivery-limit", "x-downstream-name",
        "x-downstream-vhost", "x-expires", "x-internal-purpose", "x-max-age", "x-max-hops",
        "x-max-length", "x-max-length-bytes", "x-max-priority", "x-message-ttl", "x-overflow",
        "x-queue-mode", "x-queue-type", "x-queue-version", "x-single-active-consumer",
    }
)  # fmt: skip
"""The arguments, and keys of policies, whose values are words, numbers and names of objects."""


def setting(fact: Any, key: str) -> Holds | None:
    """What the value of an argument holds. Bindings compare theirs with headers: they stay."""
    binds = isinstance(fact, f.RabbitBinding) or getattr(fact, "what", "") == "binding"
    if binds or key in KNOWN:
        return Holds.PUBLIC
    return by_its_name(key)
