"""Which policy holds, and what it says together with an operator policy and an argument, against
all policies of drawn virtual hosts gone through by hand: with the names that each pattern is for
written out, and for each key the queues that know it (GUIDE policies, quorum-queues, streams;
SOURCE rabbit_policy, rabbit_policies).
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from rabbitmq_replay import SERVER, configured

from topograph.systems.rabbitmq.places import Place

Entry = dict[str, Any]

NAMES = ("a.in", "a.out", "b1")
PATTERNS = {
    "": NAMES,
    "^a": ("a.in", "a.out"),
    r"\.out$": ("a.out",),
    "[0-9]": ("b1",),
    "(?i)^A[.]I": ("a.in",),
    "^(b1|a.in)$": ("a.in", "b1"),
    "^.$": (),
}
TYPES = ("classic", "quorum", "stream")
ALL, NO_STREAM, QUORUM_ONLY, STREAM_ONLY = {*TYPES}, {*TYPES[:2]}, {"quorum"}, {"stream"}
KNOWN = {
    "message-ttl": NO_STREAM,
    "max-length": NO_STREAM,
    "max-length-bytes": ALL,
    "dead-letter-exchange": NO_STREAM,
    "overflow": NO_STREAM,
    "delivery-limit": QUORUM_ONLY,
    "dead-letter-strategy": QUORUM_ONLY,
    "max-priority": {"classic"},
    "max-age": STREAM_ONLY,
    "alternate-exchange": ALL,
    "federation-upstream-set": ALL,
}
TEXTS = {
    "overflow": ["drop-head", "reject-publish"],
    "max-age": ["1D", "2D"],
    "dead-letter-strategy": ["at-most-once", "at-least-once"],
}
OF_OPERATORS = ("message-ttl", "max-length", "max-length-bytes", "delivery-limit")
VERSIONS = ("3.10.8", "3.11.28", "3.12.14", "4.0.1", "4.3.5")
BY_TYPE = {"classic": "classic_queues", "quorum": "quorum_queues", "stream": "streams"}


def definition(random: Random, keys: Any, most: int) -> Entry:
    found: Entry = {}
    for key in random.sample(sorted(keys), random.randint(1, most)):
        found[key] = random.choice(TEXTS.get(key, ["x", "y"]))
        if key in (*OF_OPERATORS, "max-priority"):
            found[key] = random.choice([0, 1, 2, 3] if key != "delivery-limit" else [-1, -1, 2, 3])
    return found


def policies(random: Random, keys: Any, kinds: tuple[str, ...], most: int) -> list[Entry]:
    return [
        {
            "pattern": random.choice(sorted(PATTERNS)),
            "apply-to": random.choice(kinds),
            "priority": random.randint(-1, 2),
            "definition": definition(random, keys, 2),
        }
        for _ in range(random.randint(0, most))
    ]


def drawn(random: Random) -> Entry:
    both = ("all", "queues", *BY_TYPE.values())
    own = {*OF_OPERATORS, "overflow"}
    return {
        "version": random.choice(VERSIONS),
        "types": random.choices(TYPES, (1, 2, 1), k=3),
        "arguments": [definition(random, own, 3) for _ in NAMES],
        "policies": policies(random, KNOWN, (*both, "exchanges"), 5),
        "operators": policies(random, OF_OPERATORS, both, 3),
    }


def definitions(estate: Entry) -> Entry:
    common = {"vhost": "/"}
    queues, exchanges = [], []
    for name, type_, own in zip(NAMES, estate["types"], estate["arguments"], strict=True):
        arguments = {f"x-{key}": value for key, value in own.items()}
        queues.append({**common, "name": name, "arguments": {**arguments, "x-queue-type": type_}})
        exchanges.append({**common, "name": name, "type": "direct", "arguments": {}})
    policies = [{**common, "name": f"p{n}", **one} for n, one in enumerate(estate["policies"])]
    operators = [
        {**common, "component": "operator_policy", "name": f"o{n}", "value": one}
        for n, one in enumerate(estate["operators"])
    ]
    return {
        "rabbit_version": estate["version"], "vhosts": [{"name": "/"}], "queues": queues,
        "exchanges": exchanges, "policies": policies, "parameters": operators,
    }  # fmt: skip


def holding(policies: list[Entry], name: str, type_: str, version: str) -> list[Entry]:
    """The definitions any of which may hold; ``type_`` is empty for an exchange."""
    fitting = []
    for one in policies:
        words = ["all", "queues" if type_ else "exchanges"]
        if type_ and version >= "3.12":
            words.append(BY_TYPE[type_])
        known = not type_ or all(type_ in KNOWN[key] for key in one["definition"])
        if one["apply-to"] in words and known and name in PATTERNS[one["pattern"]]:
            fitting.append(one)
    highest = max((one["priority"] for one in fitting), default=0)
    return [one["definition"] for one in fitting if one["priority"] == highest]


def together(key: str, said: list[Any]) -> Any:
    """What a policy, an operator policy and an argument say, in this order, None where one says
    nothing."""
    by_policy, by_operator, own = said
    stated = [one for one in said if one is not None]
    if not stated:
        return None
    if key in OF_OPERATORS:
        result = stated[0]
        for one in stated[1:]:
            below = key == "delivery-limit" and min(result, one) < 0
            result = max(result, one) if below else min(result, one)
        return result
    return own if own is not None else by_policy if by_operator is None else by_operator


def test_what_holds_is_what_a_look_at_every_policy_finds() -> None:
    told = 0
    for seed in range(300):
        estate = drawn(Random(seed))
        told += compared(estate, seed)
    assert told > 1_000


def compared(estate: Entry, seed: int) -> int:
    """How many settings of policies were compared."""
    told = 0
    configuration = configured(definitions(estate))
    arguments = dict(zip(NAMES, estate["arguments"], strict=True))
    types = dict(zip(NAMES, estate["types"], strict=True))
    for kind, name in product(("queue", "exchange"), NAMES):
        type_ = types[name] if kind == "queue" else ""
        found = holding(estate["policies"], name, type_, estate["version"]) or [{}]
        operators = holding(estate["operators"], name, type_, estate["version"]) or [{}]
        place = Place(SERVER, "/", kind, name)
        several = any(one != group[0] for group in (found, operators) for one in group)
        assert (configuration.doubt(place) is not None) is several, (seed, place)
        for key in () if several else KNOWN:
            own = arguments[name].get(key) if type_ else None
            expected = together(key, [found[0].get(key), operators[0].get(key), own])
            setting = configuration.setting(place, key)
            assert (setting.value if setting else None) == expected, (seed, place, key)
            told += expected is not None
    return told
