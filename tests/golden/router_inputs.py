"""What the scenario of a recorded case may say (``tests/golden/amq_interconnect/README.md``).

A key or value that is not known changes what its step means, so that the step is not replayed, and
the key is named. Nothing is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Check = Callable[[Any], bool]


def text(value: Any) -> bool:
    return isinstance(value, str)


def number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def truth(value: Any) -> bool:
    return isinstance(value, bool)


def texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def subjects(value: Any) -> bool:
    return text(value) or (texts(value) and bool(value))


def nodes(value: Any) -> bool:
    return isinstance(value, dict) and all(
        text(name) and number(rows) for name, rows in value.items()
    )


def one_of(*words: str) -> Check:
    return lambda value: value in words


Keys = Mapping[str, Check]

SCENARIO: Keys = {
    "case": text,
    "title": text,
    "router_version": text,
    "host": text,
    "routers": lambda value: isinstance(value, dict),
    "brokers": lambda value: isinstance(value, list),
    "steps": lambda value: isinstance(value, list),
}
ROUTER: Keys = {
    "config": text,
    "client_port": lambda value: value is None or number(value),
    "mode": text,
}
BROKER: Keys = {"name": text, "container": text, "port": number, "refuse": texts}
STEP: Keys = {"step": number, "op": text, "label": text}
RECEIVER: Keys = {
    "id": text,
    "router": text,
    "address": text,
    "settle": one_of("accept", "reject", "release", "hold"),
}


@dataclass(frozen=True)
class Operation:
    """A kind of step: the inputs it takes and those it needs, the results that are compared and
    those without which nothing can be, and whether the steps after it depend on it."""

    inputs: Keys = field(default_factory=dict)
    needs: frozenset[str] = frozenset()
    results: frozenset[str] = frozenset()
    needs_results: frozenset[str] = frozenset()
    changes: bool = False


def _reads(result: str, *more: str, needs: str = "", **inputs: Check) -> Operation:
    """A step that looks at the network and changes nothing."""
    results = frozenset({result, *more})
    return Operation(inputs, frozenset(needs.split()), results, frozenset({result}))


OPERATIONS: Mapping[str, Operation] = {
    "attach": Operation(
        {"receivers": lambda value: isinstance(value, list)},
        frozenset({"receivers"}),
        frozenset({"receivers"}),
        frozenset({"receivers"}),
        changes=True,
    ),
    "detach": Operation({"receivers": texts}, frozenset({"receivers"}), changes=True),
    "send": Operation(
        {
            "router": text,
            "address": text,
            "count": number,
            "mode": one_of("burst"),
            "presettled": truth,
            "anonymous": truth,
            "subject": subjects,
        },
        frozenset({"router", "address", "count"}),
        frozenset({"credit", "sender_error", "outcomes", "received", "zero", "broker_deposits"}),
        frozenset({"outcomes", "received"}),
        changes=True,
    ),
    "routes": _reads("routes"),
    "addresses": _reads("addresses", only=texts),
    "config": _reads("config", types=texts, routers=texts),
    "probe": _reads("probe", needs="router addresses", router=text, addresses=texts),
    "log_grep": _reads("log", "started", routers=texts),
    "broker_log": _reads("attaches"),
    "kill": Operation(
        {"routers": texts, "expect_nodes": nodes}, frozenset({"routers"}), changes=True
    ),
    "stop_broker": Operation(
        {"brokers": texts, "expect_nodes": nodes}, frozenset({"brokers"}), changes=True
    ),
    "start_router": Operation(
        {"router": text, "routers": texts, "reattach": truth, "expect_nodes": nodes}, changes=True
    ),
    "received_total": _reads("received_total"),
}


def started(step: Mapping[str, Any]) -> list[str]:
    """The routers that a ``start_router`` step starts."""
    return [*([step["router"]] if "router" in step else []), *step.get("routers", ())]


def problems_of_case(scenario: Mapping[str, Any]) -> list[str]:
    """What of a scenario's frame is not known: then no step of it can be replayed."""
    found = list(_unknown(scenario, SCENARIO))
    for name, router in scenario.get("routers", {}).items():
        found += [f"{problem} of router {name}" for problem in _unknown(router, ROUTER)]
    for broker in scenario.get("brokers", ()):
        found += [
            f"{problem} of broker {broker.get('name', '?')}" for problem in _unknown(broker, BROKER)
        ]
    return found


def problems_of_step(step: Mapping[str, Any], scenario: Mapping[str, Any]) -> list[str]:
    """What of a step's inputs is not known, is missing, or names nothing of the scenario."""
    operation = OPERATIONS.get(step["op"])
    if operation is None:
        return [f"operation {step['op']}"]
    found = list(_unknown(step, {**STEP, **operation.inputs}))
    found += [f"no key {name!r}" for name in sorted(operation.needs - step.keys())]
    if found:
        return found
    if step["op"] == "start_router" and not started(step):
        return ["no key 'router'"]
    clients = step["receivers"] if step["op"] == "attach" else ()
    for one in clients:
        found += [
            f"{problem} of receiver {one.get('id', '?')}" for problem in _unknown(one, RECEIVER)
        ]
        found += [
            f"no key {name!r} of a receiver"
            for name in ("id", "router", "address")
            if name not in one
        ]
    if found:
        return found
    named = {
        *([step["router"]] if "router" in step else ()),
        *step.get("routers", ()),
        *step.get("expect_nodes", ()),
    }
    named |= {one["router"] for one in clients}
    found += [
        f"router {name!r} is not among the routers"
        for name in sorted(named - scenario["routers"].keys())
    ]
    brokers = {one["name"] for one in scenario.get("brokers", ())}
    return found + [
        f"broker {name!r} is not among the brokers"
        for name in step.get("brokers", ())
        if name not in brokers
    ]


def _unknown(given: Mapping[str, Any], keys: Keys) -> Iterator[str]:
    for name, value in given.items():
        if name not in keys:
            yield f"key {name!r}"
        elif not keys[name](value):
            yield f"value {value!r} of key {name!r}"
