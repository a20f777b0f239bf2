"""Which policy holds for an exchange or a queue, and what it and the arguments say together (RQ-17,
RQ-18).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from topograph.facts import Pairs
from topograph.facts.rabbitmq import RabbitExchange, RabbitPolicy, RabbitQueue, value_of
from topograph.findings import Source
from topograph.systems.rabbitmq.patterns import matches
from topograph.systems.rabbitmq.versions import Version

CLASSIC, QUORUM, STREAM = "classic", "quorum", "stream"

LOWER = frozenset(
    {
        "message-ttl", "max-length", "max-length-bytes", "expires", "delivery-limit",
        "max-in-memory-length", "max-in-memory-bytes",
    }
)  # fmt: skip
"""Of these the lower value counts, of an argument, a policy and an operator policy."""

_OF_STREAMS = frozenset({"max-age", "stream-max-segment-size-bytes", "initial-cluster-size"})
_OF_MIRRORS = frozenset(
    {
        "max-priority", "queue-mode", "ha-mode", "ha-params", "ha-sync-mode",
        "ha-promote-on-shutdown", "ha-promote-on-failure", "queue-master-locator",
    }
)  # fmt: skip
_OF_JMS = frozenset({"selector-fields", "selector-field-max-bytes"})
_UNSUPPORTED: Mapping[str, frozenset[str]] = {
    CLASSIC: _OF_STREAMS | {"delivery-limit", "dead-letter-strategy"},
    QUORUM: _OF_STREAMS | _OF_MIRRORS,
    STREAM: _OF_MIRRORS
    | {
        "expires", "message-ttl", "dead-letter-exchange", "dead-letter-routing-key", "max-length",
        "max-in-memory-length", "max-in-memory-bytes", "overflow", "delivery-limit",
        "dead-letter-strategy",
    },
}  # fmt: skip
"""The keys of which one alone makes a policy pass by queues of a type, in every version."""

_SINCE_3_12_7: Mapping[str, frozenset[str]] = {
    CLASSIC: frozenset({"max-in-memory-length", "max-in-memory-bytes", "target-group-size"}),
    STREAM: frozenset({"target-group-size"}),
}


def unsupported(type_: str, at: Version) -> frozenset[str]:
    """The keys of which one alone makes a policy pass by queues of a type.

    >>> keys = unsupported(CLASSIC, Version.of("3.10.8"))
    >>> sorted(keys - unsupported(CLASSIC, Version.of("4.0.1")))
    ['queue-leader-locator']
    """
    found = _UNSUPPORTED.get(type_, frozenset())
    if not at.before(3, 12, 7):
        found |= _SINCE_3_12_7.get(type_, frozenset())
    if type_ == CLASSIC and at.before(4, 0):
        found |= {"queue-leader-locator"}
    return found if at.before(4, 3) else found | _OF_JMS


_APPLIES = {CLASSIC: "classic_queues", QUORUM: "quorum_queues", STREAM: "streams"}


class Setting(NamedTuple):
    """A value, and the line that says it. ``by`` names what says it, in words."""

    value: object
    source: Source
    by: str


class Applied(NamedTuple):
    """What holds for an exchange or a queue: its policy and operator policy, if any, and why it
    is not known which, in words (``doubt``), which is empty otherwise; ``among`` are the policies
    of equal priority of which any may hold."""

    policy: RabbitPolicy | None = None
    operator: RabbitPolicy | None = None
    doubt: str = ""
    among: tuple[RabbitPolicy, ...] = ()


NO_POLICY = Applied()
"""That no policy holds."""


def applied(
    policies: Sequence[RabbitPolicy], fact: RabbitExchange | RabbitQueue, type_: str, at: Version
) -> Applied:
    """What holds for an object; ``type_`` is that of a queue. ``policies`` are those of its virtual
    host. Linear in them."""
    fitting, doubts = [], []
    for one in policies:
        if not _applies(one, fact, type_, at):
            continue
        found = matches(one.pattern, fact.name)
        if found:
            fitting.append(one)
        elif found is None:
            doubts.append(one)
    chosen, among = {}, []
    for operator in (False, True):
        best = [one for one in fitting if one.operator is operator]
        highest = max((one.priority for one in best), default=0)
        best = [one for one in best if one.priority == highest]
        chosen[operator] = best[0] if best else None
        among += best if len({one.definition for one in best}) > 1 else []
        doubts = [
            one
            for one in doubts
            if one.operator is not operator or not best or one.priority >= highest
        ]
    if not fitting and not doubts:
        return NO_POLICY
    doubt = ""
    if doubts:
        doubt = f"whether the pattern of the policy {doubts[0].name} matches is not known"
    elif among:
        names = " and ".join(dict.fromkeys(one.name for one in among))
        doubt = f"the policies {names} match it with the same priority: any of them may hold"
    return Applied(chosen[False], chosen[True], doubt, tuple(among))


def _applies(
    one: RabbitPolicy, fact: RabbitExchange | RabbitQueue, type_: str, at: Version
) -> bool:
    """Whether a policy is for objects of this kind, whatever their names."""
    if isinstance(fact, RabbitExchange):
        return one.apply_to in ("all", "exchanges")
    kinds = {"all", "queues"}
    if at.has_policies_by_queue_type:
        kinds.add(_APPLIES.get(type_, ""))
    if one.apply_to not in kinds:
        return False
    passing = unsupported(type_, at)
    return not any(key in passing for key, _ in one.definition)


def fits(one: RabbitPolicy, fact: RabbitExchange | RabbitQueue, type_: str, at: Version) -> bool:
    """Whether a policy is for an object, or may be."""
    return _applies(one, fact, type_, at) and matches(one.pattern, fact.name) is not False


def stated(pairs: Pairs, key: str) -> object | None:
    """The value of a key; None where it is not there. Linear in the pairs."""
    return next((value_of(value) for name, value in pairs if name == key), None)


def effective(
    fact: RabbitExchange | RabbitQueue, holds: Applied, key: str, argument: str = ""
) -> Setting | None:
    """What holds of a key of policies, with the ``argument`` that says the same (``x-KEY`` of a
    queue, ``KEY`` of an exchange): of numbers the lower one, of others the argument, then what the
    policies say together."""
    argument = argument or f"x-{key}"
    own = stated(fact.arguments, argument)
    found = _together(key, holds)
    if own is None:
        return found
    by = Setting(own, fact.source, argument)
    if found is None or key not in LOWER:
        return by
    return _lower(key, by, found)


def _together(key: str, holds: Applied) -> Setting | None:
    """What a policy and an operator policy say together."""
    if holds is NO_POLICY:
        return None
    said = [
        Setting(value, one.source, f"policy {one.name}" if not one.operator else _operator(one))
        for one in (holds.policy, holds.operator)
        if one is not None and (value := stated(one.definition, key)) is not None
    ]
    if len(said) < 2:
        return next(iter(said), None)
    return _lower(key, *said) if key in LOWER else said[1]


def _lower(key: str, one: Setting, other: Setting) -> Setting:
    """The lower one of two numbers; the higher one of two limits of deliveries, one of which is
    below 0, which is no limit."""
    unlimited = key == "delivery-limit" and min(_number(one), _number(other)) < 0
    return (max if unlimited else min)(one, other, key=_number)


def _operator(one: RabbitPolicy) -> str:
    return f"operator policy {one.name}"


def _number(one: Setting) -> float:
    value = one.value
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0


def by_vhost(policies: Iterable[RabbitPolicy]) -> dict[tuple[str, str], list[RabbitPolicy]]:
    """Policies by server and virtual host, each in the order of their names."""
    found: dict[tuple[str, str], list[RabbitPolicy]] = {}
    for one in sorted(policies, key=lambda one: (one.name, one.operator, one.source)):
        found.setdefault((one.server, one.vhost), []).append(one)
    return found
