"""The shovels of an ``advanced.config`` (rabbitmq.md 8) to facts, in the form of today and in that
of 3.6 and before (``sources`` and ``destinations``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from topograph.facts import Pairs
from topograph.facts import rabbitmq as f
from topograph.findings import Source
from topograph.importers.rabbitmq.addresses import address
from topograph.importers.rabbitmq.entries import Unclear
from topograph.importers.rabbitmq.erlang_terms import Term

_SHOVEL = frozenset({"source", "destination", "ack_mode", "reconnect_delay"})
_OLD = frozenset(
    {
        "sources", "destinations", "queue", "prefetch_count", "ack_mode", "publish_properties",
        "publish_fields", "reconnect_delay", "delete_after", "delete_after_duration",
        "add_forward_headers", "add_timestamp_header",
    }
)  # fmt: skip
_ENDS = frozenset(
    {
        "protocol", "uris", "declarations", "queue", "prefetch_count", "delete_after",
        "delete_after_duration", "consumer_args", "consumer_name", "publish_properties",
        "publish_fields", "add_forward_headers", "add_timestamp_header", "source_address",
        "target_address", "properties", "application_properties", "dest_exchange",
        "dest_routing_key",
    }
)  # fmt: skip
_FIELDS = frozenset({"exchange", "routing_key", "mandatory", "immediate", "ticket"})
_PROPERTIES = frozenset(
    {
        "content_type", "content_encoding", "headers", "delivery_mode", "priority",
        "correlation_id", "reply_to", "expiration", "message_id", "timestamp", "type", "user_id",
        "app_id", "cluster_id",
    }
)  # fmt: skip
_METHODS: Mapping[str, tuple[str, frozenset[str]]] = {
    "exchange.declare": (
        "exchange",
        frozenset(
            {
                "exchange", "type", "passive", "durable", "auto_delete", "internal", "nowait",
                "arguments", "ticket",
            }
        ),
    ),
    "queue.declare": (
        "queue",
        frozenset(
            {
                "queue", "passive", "durable", "exclusive", "auto_delete", "nowait", "arguments",
                "ticket",
            }
        ),
    ),
    "queue.bind": (
        "binding",
        frozenset({"queue", "exchange", "routing_key", "nowait", "arguments", "ticket"}),
    ),
    "exchange.bind": (
        "binding",
        frozenset({"destination", "source", "routing_key", "nowait", "arguments", "ticket"}),
    ),
}  # fmt: skip
"""The methods of declarations that are followed, with what they declare and their fields."""

_LOCAL, _AMQP091, _AMQP10 = "local", "amqp091", "amqp10"
Properties = dict[str, Term]


class Static(NamedTuple):
    """One shovel, or why it is not understood, with the place of it."""

    shovel: f.RabbitStaticShovel | None
    why: str
    offset: int


def is_true(term: Term | None) -> bool:
    """Whether a term is the atom true."""
    return term is not None and (term.kind, term.value) == ("atom", "true")


def properties(term: Term | None, known: frozenset[str] | None = None) -> Properties:
    """The entries of a list of pairs, the first of each name; an atom alone stands for true.
    Raises Unclear for another term, and for a name that is not known. Linear."""
    if term is None:
        return {}
    if term.kind != "list":
        raise Unclear("a list of pairs is expected")
    found: Properties = {}
    for one in term.parts:
        pair = one.parts if one.kind == "tuple" else (one, Term("atom", "true", one.offset))
        if len(pair) != 2 or pair[0].kind not in ("atom", "binary"):
            raise Unclear("a list of pairs is expected")
        name = str(pair[0].value)
        if known is not None and name not in known:
            raise Unclear(f"{name[:40]} is not known there")
        found.setdefault(name, pair[1])
    return found


def static_shovels(
    term: Term, common: Mapping[str, Any], at: Callable[[int], Source]
) -> Iterator[Static]:
    """The shovels of the list behind ``shovels``; ``common`` is what all facts have, ``at`` makes
    a source of an offset. Linear."""
    if term.kind != "list":
        yield Static(None, "shovels is not a list", term.offset)
        return
    for one in term.parts:
        name = one.parts[0] if one.kind == "tuple" and len(one.parts) == 2 else None
        if name is None or name.kind != "atom":
            yield Static(None, "it is not a name with a list", one.offset)
            continue
        try:
            fact = _shovel(str(name.value), one.parts[1], {**common, "source": at(one.offset)})
        except Unclear as error:
            yield Static(None, f"{name.value}: {error}", one.offset)
        else:
            yield Static(fact, "", one.offset)


def _shovel(name: str, term: Term, common: Mapping[str, Any]) -> f.RabbitStaticShovel:
    stated = properties(term)
    old = "source" not in stated
    for word in stated:
        if word not in (_OLD if old else _SHOVEL):
            raise Unclear(f"{word[:40]} is not known there")
    if old:
        source, destination = _of_old_form(stated)
    else:
        source = properties(stated["source"], _ENDS)
        destination = properties(stated.get("destination"), _ENDS)
    protocols = [_word(one.get("protocol"), _AMQP091) for one in (source, destination)]
    other = next((one for one in protocols if one not in (_AMQP091, _LOCAL)), "")
    declares, queue = _declarations(name, "source", source, _binary(source, "queue"))
    declares += _declarations(name, "destination", destination, None)[0]
    to, key = _published(destination, protocols[1])
    ten = [one == _AMQP10 for one in protocols]
    if ten[0]:
        queue = _address(source, "source_address")
    if queue is None:
        raise Unclear("queue is missing")
    ends = stated.get("delete_after") if old else source.get("delete_after")
    after = "never" if ends is None else str(ends.value)
    sent = properties(destination.get("publish_properties"), _PROPERTIES)
    if "headers" in sent:
        raise Unclear("publish_properties sets headers, which is not followed")
    if ten[1]:
        to, key = _address(destination, "target_address"), None
    return f.RabbitStaticShovel(
        **common,
        vhost="",
        name=name,
        taken_at=_uris(source),
        from_type="address" if ten[0] else "queue",
        from_=queue,
        put_at=_uris(destination),
        to_type="address" if ten[1] else "exchange",
        to=to,
        key=key,
        ack_mode=_word(stated.get("ack_mode"), "on_confirm").replace("_", "-"),
        other_protocol=other,
        ends_after="" if after == "never" else after,
        sets_expiration="expiration" in sent,
        waits_for=("src", "dest"),
        is_local=protocols[1] == _LOCAL,
        declares=tuple(declares),
    )


def _of_old_form(stated: Properties) -> tuple[Properties, Properties]:
    """Source and destination of the form of 3.6: the same properties in other places."""
    ends = []
    for name in ("sources", "destinations"):
        if name not in stated:
            raise Unclear(f"{name} is missing")
        one = properties(stated[name], frozenset({"broker", "brokers", "declarations"}))
        if "brokers" in one:
            one["uris"] = one.pop("brokers")
        elif "broker" in one:
            broker = one.pop("broker")
            one["uris"] = Term("list", (broker,), broker.offset)
        ends.append(one)
    source, destination = ends
    source |= {key: stated[key] for key in ("queue",) if key in stated}
    destination |= {
        key: stated[key] for key in ("publish_properties", "publish_fields") if key in stated
    }
    return source, destination


def _published(destination: Properties, protocol: str) -> tuple[str | None, str | None]:
    """The exchange and the routing key that a shovel publishes with; None where messages keep
    theirs."""
    if protocol == _LOCAL:
        return _binary(destination, "dest_exchange"), _binary(destination, "dest_routing_key")
    fields = properties(destination.get("publish_fields"), _FIELDS)
    return _binary(fields, "exchange"), _binary(fields, "routing_key")


def _word(term: Term | None, default: str) -> str:
    if term is None:
        return default
    if term.kind != "atom":
        raise Unclear("an atom is expected")
    return str(term.value)


def _binary(stated: Properties, name: str) -> str | None:
    """A property that is a binary; None where it is absent."""
    term = stated.get(name)
    if term is None or (term.kind == "atom" and term.value in ("none", "undefined")):
        return None
    if term.kind != "binary":
        raise Unclear(f"{name} is not a binary")
    return str(term.value)


def _address(stated: Properties, name: str) -> str:
    found = _binary(stated, name)
    if found is None:
        raise Unclear(f"{name} is missing")
    return found


def _uris(stated: Properties) -> tuple[f.RabbitAddress, ...]:
    term = stated.get("uris")
    if term is None or term.kind != "list" or not term.parts:
        raise Unclear("uris is not a list of URIs")
    if any(one.kind not in ("text", "binary") for one in term.parts):
        raise Unclear("uris is not a list of URIs")
    try:
        return tuple(address(str(one.value)) for one in term.parts)
    except ValueError as error:
        raise Unclear(f"uris: {error}") from None


def _declarations(
    shovel: str, end: str, stated: Properties, queue: str | None
) -> tuple[list[f.RabbitDeclared], str | None]:
    """What an end declares, and the queue that messages are taken from. A queue without a name is
    one of the broker's naming; where a name is empty, the queue that was declared last is meant
    (AMQP 0-9-1)."""
    term = stated.get("declarations")
    if term is not None and term.kind != "list":
        raise Unclear("declarations is not a list")
    found: list[f.RabbitDeclared] = []
    last, own = "", 0
    for one in term.parts if term is not None else ():
        declared = _declared(end, one)
        if declared.what == "queue":
            if not declared.name:
                own += 1
                name = f"(of shovel {shovel})" if own == 1 else f"(of shovel {shovel}, {own})"
                declared = replace(declared, name=name)
            last = declared.name
        elif declared.what == "binding" and declared.type == "queue" and not declared.to:
            if not last:
                raise Unclear("a binding names no queue, and none is declared before")
            declared = replace(declared, to=last)
        found.append(declared)
    if queue == "":
        if not last:
            raise Unclear("queue is empty, and none is declared")
        queue = last
    return found, queue


def _declared(end: str, term: Term) -> f.RabbitDeclared:
    """One declaration. Raises Unclear."""
    pair = term.parts if term.kind == "tuple" else (term, Term("list", (), term.offset))
    if len(pair) != 2 or pair[0].kind != "atom":
        raise Unclear("a declaration is not a method with a list")
    method = str(pair[0].value)
    if method not in _METHODS:
        raise Unclear(f"the declaration {method[:40]} is not followed")
    what, fields = _METHODS[method]
    stated = properties(pair[1], fields)
    arguments = _arguments(stated.get("arguments"))
    key = _binary(stated, "routing_key") or ""
    if method == "exchange.bind":
        name, to = _binary(stated, "source") or "", _binary(stated, "destination") or ""
        return f.RabbitDeclared(end, what, name, "exchange", to, key, arguments)
    if method == "queue.bind":
        name, to = _binary(stated, "exchange") or "", _binary(stated, "queue") or ""
        return f.RabbitDeclared(end, what, name, "queue", to, key, arguments)
    name = _binary(stated, what) or ""
    type_ = (_binary(stated, "type") or "direct") if what == "exchange" else ""
    return f.RabbitDeclared(
        end,
        what,
        name,
        type_,
        arguments=arguments,
        passive=is_true(stated.get("passive")),
        internal=is_true(stated.get("internal")),
    )


def _arguments(term: Term | None) -> Pairs:
    """Arguments, each a triple of name, type and value, with values as JSON text."""
    if term is None:
        return ()
    if term.kind != "list":
        raise Unclear("arguments is not a list")
    return tuple(
        (name, json.dumps(value, ensure_ascii=False, sort_keys=True))
        for name, value in sorted(_table(term.parts).items())
    )


def _table(parts: Sequence[Term]) -> dict[str, object]:
    found: dict[str, object] = {}
    for one in parts:
        if one.kind != "tuple" or len(one.parts) != 3 or one.parts[0].kind != "binary":
            raise Unclear("an argument is not a triple of name, type and value")
        found[str(one.parts[0].value)] = _table_value(str(one.parts[1].value), one.parts[2])
    return found


def _table_value(type_: str, term: Term) -> object:
    if type_ == "table":
        return _table(term.parts)
    if type_ == "array":
        pairs = [one.parts for one in term.parts if len(one.parts) == 2]
        return [_table_value(str(one[0].value), one[1]) for one in pairs]
    if type_ in ("bool", "void"):
        return None if type_ == "void" else is_true(term)
    if term.kind in ("binary", "number"):
        return term.value
    raise Unclear("the value of an argument is not understood")
