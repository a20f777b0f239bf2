"""Which next hops an exchange sends a message to (X-1, 1.6)."""

from __future__ import annotations

from collections.abc import Iterator

from topograph.facts.amqp_addresses import PatternTree
from topograph.systems.amq_interconnect.messages.model import Binding, Exchange
from topograph.tracing.choices import Choices


def next_hops(exchange: Exchange, subject: str | None, choices: Choices) -> Iterator[Binding]:
    """The first matching binding of each next hop: two bindings to one address give one message.
    A subject that is not known (None) may match any key; a message without a subject ("") is
    compared with none, not even with one that matches every subject. Linear in the bindings."""
    seen: set[tuple[str, str]] = set()
    for place, binding in enumerate(exchange.bindings if subject != "" else ()):
        if binding.key and subject is None:
            taken = bool(choices.pick(("subject", exchange.name, place), 2))
        else:
            taken = not binding.key or subject_matches(binding.key, subject or "", exchange.method)
        if taken and (binding.phase, binding.next_hop) not in seen:
            seen.add((binding.phase, binding.next_hop))
            yield binding


def subject_matches(key: str, subject: str, method: str) -> bool:
    """Whether a subject matches a binding key: tokens of ``.`` (amqp) or ``/`` (mqtt); ``*`` or
    ``+`` is one token, ``#`` any number (1.6).

    >>> (subject_matches("a.*", "a.b", "amqp"), subject_matches("a/*", "a/b", "mqtt"),
    ...  subject_matches("a/+/#", "a/b", "mqtt"))
    (True, False, True)
    """
    separator, one = (".", "*") if method == "amqp" else ("/", "+")
    tree: PatternTree[bool] = PatternTree()
    tree.add([_token(token, one) for token in key.split(separator)], True)
    # an asterisk in a subject is an ordinary token; the same mark keeps it from being taken for the
    # wildcard
    tokens = [_literal(token) for token in subject.split(separator)]
    return any(tree.matches(tokens))


def _token(token: str, one: str) -> str:
    if token == one:
        return "*"
    return token if token == "#" else _literal(token)  # noqa: S105


def _literal(token: str) -> str:
    return f"\0{token}" if token in ("*", "#") else token
