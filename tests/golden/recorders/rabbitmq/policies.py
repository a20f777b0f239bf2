"""Drawn policies and operator policies: patterns, priorities, to what they apply, and their sum."""

from __future__ import annotations

import re

from golden.recorders.rabbitmq.estate import LONG, SHORT, WAITING, Draft
from golden.recorders.rabbitmq.routing import headers, key

_APPLY = ("queues", "queues", "all", "all", "exchanges")


def policies(draft: Draft, vhost: str) -> None:
    """Queues and exchanges of which several policies match the names. Needs a virtual host of its
    own: what has a digit at the end of its name may be matched."""
    random = draft.random
    dead = [draft.exchange(vhost, "fanout") for _ in range(2)]
    sinks = [draft.queue(vhost, name=f"sink{letter}") for letter in "ab"]
    for exchange, sink in zip(dead, sinks, strict=True):
        draft.bind(vhost, exchange, sink)
    start = draft.exchange(vhost, random.choice(("direct", "topic")))
    own = [_arguments(draft, dead) for _ in range(3)]
    queues = [draft.queue(vhost, **arguments) for arguments in own]
    draft.bind(vhost, start, queues[0], "eu")
    draft.bind(vhost, start, queues[1], "us")
    names = [*queues, start]
    for number in range(random.randint(3, 5)):
        operator = random.random() < 0.35
        row = {
            "vhost": vhost, "name": f"policy {number}", "pattern": _pattern(draft, names),
            "apply-to": random.choice(_APPLY[:3] if operator else _APPLY), "priority": number * 5,
            "definition": _operator(draft) if operator else _definition(draft, dead),
        }  # fmt: skip
        _add(draft, row, operator)
    random.shuffle(draft.definitions["policies"])
    for name, arguments in zip(queues, own, strict=True):
        _tag(draft, vhost, name, "queue", arguments)
    _tag(draft, vhost, start, "exchange", {})
    where = draft.round("timed")
    for name in queues * 4:
        path = f"{WAITING} {vhost}"
        draft.send(where, vhost, "", name, headers(random, 1), path=path)
    for text in ("eu", "us", "old", "eu", "us", key(random), "new", "eu", "old"):
        draft.send(where, vhost, start, text, path=f"{WAITING} {vhost} {start}")


def equals(draft: Draft, vhost: str) -> None:
    """Queues and an exchange to each of which two policies of one priority apply, or two operator
    policies: of which only the broker knows which one holds."""
    random = draft.random
    dead = [draft.exchange(vhost, "fanout") for _ in range(2)]
    for exchange, letter in zip(dead, "ab", strict=True):
        draft.bind(vhost, exchange, draft.queue(vhost, name=f"sink{letter}"))
    start = draft.exchange(vhost, random.choice(("direct", "topic")))
    queues = [draft.queue(vhost) for _ in range(3)]
    draft.bind(vhost, start, queues[0], "eu")
    priority = random.choice((0, 5))
    pairs = [*_pairs(draft, dead), *_pairs(draft, dead)]
    for name, pair in zip((*queues, start), (*random.sample(pairs, 3), None), strict=True):
        operator = pair is None or "dead-letter-exchange" not in pair[0]
        definitions = pair or [{"alternate-exchange": one} for one in dead]
        for number, definition in enumerate(random.sample(definitions, 2)):
            row = {
                "vhost": vhost, "name": f"{random.choice('abc')} {name} {number}",
                "pattern": random.choice((f"^{name}$", f"^{name[:-1]}{name[-1]}")),
                "apply-to": random.choice(("exchanges" if name == start else "queues", "all")),
                "priority": priority, "definition": definition,
            }  # fmt: skip
            _add(draft, row, operator and name != start)
        draft.equal.append(("exchange" if name == start else "queue", vhost, name))
    for name in queues[1:]:
        if random.random() < 0.5:
            continue
        row = {"vhost": vhost, "name": f"below {name}", "pattern": f"^{name}$"}
        row |= {"apply-to": "queues", "priority": priority - 1}
        _add(draft, row | {"definition": {"dead-letter-exchange": dead[0]}}, operator=False)
    random.shuffle(draft.definitions["policies"])
    where = draft.round("timed")
    for name in queues * 4:
        path = f"{WAITING} {vhost}"
        draft.send(where, vhost, "", name, headers(random, 1), ("policy-equal",), path=path)
    for text in ("us", "old", "us.new", "old", "us"):
        path = f"{WAITING} {vhost} {start}"
        draft.send(where, vhost, start, text, {}, ("policy-equal",), path=path)
    draft.send(where, vhost, start, "eu", path=f"{WAITING} {vhost} {start}")


def _pairs(draft: Draft, dead: list[str]) -> list[list[dict[str, object]]]:
    """Pairs of definitions that differ in what becomes of a message."""
    first, second = draft.random.sample(dead, 2)
    return [
        [{"message-ttl": SHORT, "dead-letter-exchange": first},
         {"message-ttl": SHORT, "dead-letter-exchange": second}],
        [{"max-length": 0, "dead-letter-exchange": first},
         {"message-ttl": LONG, "dead-letter-exchange": second}],
        [{"message-ttl": SHORT}, {"message-ttl": LONG}],
        [{"max-length": 0}, {"max-length": 50}],
    ]  # fmt: skip


def _pattern(draft: Draft, names: list[str]) -> str:
    """A pattern that matches some of the names."""
    random = draft.random
    name = random.choice(names)
    stem, digits = name.rstrip("0123456789"), name[-1]
    return random.choice(
        (
            f"^{name}$", f"^{stem}", stem[:3], f"{digits}$", "[0-9]$", r"\d$",
            "[1-9]", "^[a-z]+[0-9]$",
            f"^({name}|{random.choice(names)})$", f"^{stem}$", "^[a-z]+[1-5]$", "^[a-m].*[0-9]$",
            f"{stem.upper()}", f"(?i){stem.upper()}\\d", f"^{stem}.+0",
        )
    )  # fmt: skip


def _arguments(draft: Draft, dead: list[str]) -> dict[str, object]:
    random = draft.random
    given: dict[str, object] = {}
    if random.random() < 0.3:
        given["message_ttl"] = random.choice((SHORT, LONG))
    if random.random() < 0.3:
        given["dead_letter_exchange"] = random.choice(dead)
    if random.random() < 0.2:
        given["max_length"] = random.choice((0, 50))
    return given


def _definition(draft: Draft, dead: list[str]) -> dict[str, object]:
    random = draft.random
    choices: dict[str, tuple[object, ...]] = {
        "message-ttl": (SHORT, SHORT, LONG),
        "dead-letter-exchange": tuple(dead),
        "alternate-exchange": tuple(dead),
        "max-length": (0, 50),
    }
    names = random.sample(sorted(choices), random.randint(1, 3))
    return {name: random.choice(choices[name]) for name in names}


def _operator(draft: Draft) -> dict[str, object]:
    random = draft.random
    choices = {"message-ttl": (SHORT, LONG), "max-length": (0, 50)}
    names = random.sample(sorted(choices), random.randint(1, 2))
    return {name: random.choice(choices[name]) for name in names}


def _add(draft: Draft, row: dict[str, object], operator: bool) -> None:
    """An operator policy is a parameter in definitions."""
    if not operator:
        draft.definitions["policies"].append(row)
        return
    value = {name: row[name] for name in ("pattern", "apply-to", "priority", "definition")}
    draft.definitions["parameters"].append(
        {
            "vhost": row["vhost"], "component": "operator_policy", "name": row["name"],
            "value": value,
        }
    )  # fmt: skip


def _tag(draft: Draft, vhost: str, name: str, kind: str, arguments: dict[str, object]) -> None:
    """Which features an exchange or queue has by the policies that match its name."""
    rows = [one for one in draft.definitions["policies"] if one["vhost"] == vhost]
    operators = [
        one["value"]
        for one in draft.definitions["parameters"]
        if (one["vhost"], one["component"]) == (vhost, "operator_policy")
    ]
    named = [one for one in rows if re.search(one["pattern"], name)]
    by_operators = [one for one in operators if re.search(one["pattern"], name)]
    tags = {"policy"}
    wanted = ("all", "queues" if kind == "queue" else "exchanges")
    applied = [one for one in named if one["apply-to"] in wanted]
    if len(applied) < len(named):
        tags.add("policy-apply-to")
    if len(applied) > 1:
        tags.add("policy-priority")
    if applied and arguments:
        tags.add("policy-argument")
    if not named:
        tags.add("policy-no-match")
    if by_operators and kind == "queue":
        tags.add("operator-policy")
        if applied or arguments:
            tags.add("operator-merge")
    draft.tag(vhost, name, *tags, kind=kind)
    for one in applied:
        for setting in ("dead-letter-exchange", "alternate-exchange"):
            if setting in one["definition"]:
                draft.leads(vhost, name, one["definition"][setting], kind=kind)
