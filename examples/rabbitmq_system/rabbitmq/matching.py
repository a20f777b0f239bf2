"""Whether a binding lets a message through (RB-3 to RB-6), by the type of its exchange."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache

from rabbitmq.facts import Binding
from topograph.forwarding.graph import Guard
from topograph.message import Message, Value
from topograph.outcomes import Truth
from topograph.tracing.states import UNDECIDED, Verdict

RULES = {"default": "RB-2", "direct": "RB-3", "fanout": "RB-4", "topic": "RB-5", "headers": "RB-6"}
"""The types of exchanges whose bindings are understood, each with its rule."""

NO_KEY = Verdict(Truth.UNKNOWN, known=False, note="the question sets no routing_key")


def topic_matches(pattern: str, key: str) -> bool:
    """RB-5. An empty text is one empty word. O(words of the pattern times those of the key).

    >>> topic_matches("audit.#", "audit"), topic_matches("*.eu.*", "order.eu")
    (True, False)
    """
    words, parts = pattern.split("."), key.split(".")

    @cache
    def rest(at: int, here: int) -> bool:
        if at == len(words):
            return here == len(parts)
        if words[at] == "#":
            return rest(at + 1, here) or (here < len(parts) and rest(at, here + 1))
        return here < len(parts) and words[at] in ("*", parts[here]) and rest(at + 1, here + 1)

    return rest(0, 0)


def headers_match(arguments: Mapping[str, str], headers: Mapping[str, Value | None]) -> bool:
    """RB-6: ``arguments`` of a binding, values as JSON text."""
    how = json.loads(arguments.get("x-match", '"all"'))
    wanted = {
        name: json.loads(value)
        for name, value in arguments.items()
        if name != "x-match" and (how.endswith("-with-x") or not name.startswith("x-"))
    }
    found = [
        _equal(value, headers[name]) if name in headers else False for name, value in wanted.items()
    ]
    return any(found) if how.startswith("any") else all(found)


def _equal(wanted: object, given: object) -> bool:
    return wanted == given and isinstance(wanted, bool) == isinstance(given, bool)


def guard_of(type_: str, bindings: Sequence[Binding], key: str | None) -> Guard | bool:
    """What bindings ask of a message, any of which is enough; True or False where that is decided
    whatever the message. ``key`` is its routing key where that is not the sender's.
    """
    keys = list(dict.fromkeys(one.key for one in bindings))
    if type_ == "fanout" or (type_ == "topic" and "#" in keys):
        return True
    if type_ == "headers":
        body: list[object] = [dict(one.arguments) for one in bindings]
        text = f"headers match {' or '.join(map(json.dumps, body))}"
    elif type_ not in RULES:
        text = f"how an exchange of type {type_} routes is not known"
        return Guard(f"{UNDECIDED}:{type_}", UNDECIDED, text, source=bindings[0].source)
    elif key is not None:
        return any(_key_matches(type_, one, key) for one in keys)
    else:
        body = [*keys]
        text = f"routing_key {'matches' if type_ == 'topic' else '='} {' or '.join(keys)}"
    payload = json.dumps(body)
    return Guard(f"{type_}:{payload}", type_, text, payload, bindings[0].source)


def _key_matches(type_: str, wanted: str, key: str) -> bool:
    return topic_matches(wanted, key) if type_ == "topic" else wanted == key


def evaluate(guard: Guard, message: Message) -> Verdict:
    """Whether a guard of ``guard_of`` or ``mandatory`` holds for a message."""
    if guard.kind == "mandatory":
        return _verdict(message.further.get("mandatory") == "yes")
    body = json.loads(guard.payload)
    if guard.kind == "headers":
        return _verdict(any(headers_match(one, message.properties) for one in body))
    key = message.further.get("routing_key")
    if key is None:
        return NO_KEY
    return _verdict(any(_key_matches(guard.kind, one, key) for one in body))


def _verdict(holds: bool) -> Verdict:
    return Verdict(Truth.TRUE if holds else Truth.FALSE)
