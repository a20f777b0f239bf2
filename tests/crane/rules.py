"""What cranes do with a message, one step at a time. Targets are ``OBJECT`` here or
``SERVER/OBJECT``.

* ``deliver``; ``copy TARGET...``; ``only NAME=VALUE TARGET``; ``if NAME=VALUE TARGET else TARGET``
* ``one_of KEY TARGET...`` (chosen at run time), ``mediate KEY TARGET...`` and ``maybe TARGET``
  (code that no file shows)
* ``redirect MOST TARGET``: the message is stamped; with ``MOST`` stamps it is dead
* ``missing TARGET``: the file that decides it is not loaded; ``later EVENT TARGET``; ``reading
  TARGET``
* ``hoist NAME TARGET else TARGET``: over a hoist, a component that may fail; the second target
  while it is out of order
* ``hand SYSTEM TARGET`` (stated) and ``perhaps SYSTEM TARGET`` (assumed): over to another system
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from crane.facts import Rule
from topograph.assumptions import Assumption
from topograph.errors import UsageError
from topograph.forwarding.graph import Guard, Server
from topograph.message import Message
from topograph.outcomes import Outcome, Truth
from topograph.side_inputs import SideInputs
from topograph.systems.contract.system import FactSource, System
from topograph.tracing.states import (
    Component,
    Handover,
    How,
    OnLoop,
    Outage,
    State,
    Stepping,
    Transition,
    Verdict,
    Way,
)
from topograph.tracing.trace import Ending, Kind


@dataclass(frozen=True)
class Cranes:
    rules: dict[tuple[str, str], Rule]
    out: Outage = Outage()

    def step(self, state: State) -> Transition:
        rule = self.rules.get((state.server, state.object))
        if rule is not None and rule.does == "hoist":
            name, target, _, instead = rule.words
            broken = any(
                (one.server, one.name) == (rule.server, name) for one in self.out.components
            )
            rule = replace(rule, does="copy", words=(instead if broken else target,))
        return Transition(() if rule is None else tuple(_ways(rule, state)))

    def components(self) -> list[Component]:
        found = [rule for rule in self.rules.values() if rule.does == "hoist"]
        return [
            Component("hoist", rule.words[0], rule.server, "crane", rule.source) for rule in found
        ]

    def enter(self, server: str, message: Message) -> State:
        if (server, message.destination.name) not in self.rules:
            raise UsageError(f"{server} has no object {message.destination.name}.")
        return State(server, message.destination.name)

    def entries(self) -> Iterable[State]:
        return (State(*key) for key in sorted(self.rules))


def _ways(rule: Rule, state: State) -> Iterator[Way]:
    def to(target: str, data: str = state.data) -> State:
        server, slash, name = target.partition("/")
        return State(server, name, data) if slash else State(state.server, target, data)

    def way(target: State | Ending | Handover, **more: Any) -> Way:
        return Way(
            target,
            f"{rule.does} {' '.join(rule.words)}".strip(),
            f"CR-{rule.does}",
            source=rule.source,
            **more,
        )

    match rule.does, rule.words:
        case "deliver", _:
            yield way(Ending(Outcome.DELIVERED, {"destination": f"{state.server}/{state.object}"}))
        case "copy", targets:
            yield from (way(to(target)) for target in targets)
        case "only", (test, target):
            yield way(to(target), guard=_guard(rule, test))
        case "if", (test, yes, "else", no):
            yield way(to(yes), guard=_guard(rule, test))
            yield way(to(no), kind=Kind.ELSE)
        case (("one_of" | "mediate"), (key, *targets)):
            kind = Kind.ONE_OF if rule.does == "one_of" else Kind.OPAQUE
            yield from (way(to(target), kind=kind, choice=key) for target in targets)
        case "maybe", (target,):
            yield way(to(target), kind=Kind.OPAQUE, condition="a mediation")
        case "redirect", (most, target):
            stamps = json.loads(state.data or "0") + 1
            if stamps > int(most):
                yield way(
                    Ending(Outcome.DLQ, {"queue": state.object, "reason": "too many redirects"})
                )
            else:
                yield way(to(target, json.dumps(stamps)))
        case "missing", (target,):
            yield way(
                to(target),
                guard=Guard(f"missing {rule.source}", "missing", "in a file that is not loaded"),
            )
        case "later", (event, target):
            yield way(Ending(Outcome.HELD, {"queue": state.object}))
            yield way(to(target), kind=Kind.LATER, condition=event)
        case "reading", (target,):
            yield way(Ending(Outcome.DELIVERED, {"destination": f"{state.server}/{state.object}"}))
            yield way(
                to(target),
                kind=Kind.READING,
                position=Assumption("CR-reading", "L", "the manual", "the other one"),
            )
        case (("hand" | "perhaps"), (system, target)):
            how = How.STATED if rule.does == "hand" else How.ASSUMED
            yield way(Handover(system, to(target), how, rule.source))


def _guard(rule: Rule, test: str) -> Guard:
    return Guard(test, "property", test.replace("=", " = "), test, rule.source)


def evaluate(guard: Guard, message: Message) -> Verdict:
    if guard.kind == "missing":
        return Verdict(Truth.UNKNOWN, known=False, note="the file that decides it is not loaded")
    name, value = guard.payload.split("=")
    if name not in message.properties:
        return Verdict(Truth.UNKNOWN)
    return Verdict(Truth.TRUE if message.properties[name] == value else Truth.FALSE)


def stepping(
    rules: Sequence[Rule], on_loop: OnLoop | None = None, out: Outage | None = None
) -> Stepping:
    """The cranes of some rules; a target whose server has no rule is one that is not loaded."""
    cranes = Cranes(
        {(rule.server, rule.name): rule for rule in sorted(rules, key=lambda rule: rule.source)},
        out or Outage(),
    )
    own = {rule.server: rule.source for rule in reversed(cranes.rules.values())}
    named = {
        way.to.server: rule.source
        for rule in cranes.rules.values()
        for way in _ways(rule, State(rule.server, rule.name))
        if isinstance(way.to, State)
    }
    servers = [Server(name, "crane", True, source) for name, source in own.items()]
    servers += [
        Server(name, "crane", False, source, "its file is not loaded", open_ended=True)
        for name, source in named.items()
        if name not in own
    ]
    return Stepping(
        sorted(servers, key=lambda server: server.name),
        cranes.entries,
        cranes.enter,
        cranes.step,
        evaluate,
        on_loop=on_loop or OnLoop(),
        components=cranes.components,
        without=lambda outage: stepping(rules, on_loop, outage),
    )


def load(source: FactSource, side_inputs: SideInputs) -> Stepping:
    return stepping([fact for fact in source.facts() if isinstance(fact, Rule)])


SYSTEM = System(name="crane", title="Crane", stepping=load, destinations={"queue": "stepping"})
