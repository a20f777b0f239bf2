"""Runs the vectors of service integration buses (vectors_ibm.md): makes the buses of ``given``, sends, replies, checks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from conformance.comparison import UnknownOp, Vector
from conformance.sibus_files import facts_of

from topograph.message import ALWAYS, Address, DestinationName, Message
from topograph.outcomes import Outcome
from topograph.side_inputs import SideInputs
from topograph.systems.sibus.buses import buses_of
from topograph.systems.sibus.carried import Carried, Phase
from topograph.systems.sibus.estate import Estate
from topograph.systems.sibus.lint import default_cycles, findings
from topograph.systems.sibus.rules import stepping
from topograph.systems.sibus.terms import LIMIT
from topograph.tracing.exploration import explore
from topograph.tracing.states import State
from topograph.tracing.trace import Branch, Kind, Step, Trace

Path = list[dict[str, Any]]


def not_built_yet(vector: Vector) -> bool:
    """Whether a vector asks for something that is not answered yet."""
    return False


def run(vector: Vector) -> dict[str, Any]:
    """The answer to a vector, under the keys of its ``expect``. Raises UnknownOp for an op that nobody knows."""
    ask = vector["ask"]
    given = _Given(vector["given"])
    if ask["op"] == "static":
        actual = given.static()
    elif ask["op"] in ("send", "reply"):
        actual = given.follow(ask, vector["expect"])
    else:
        raise UnknownOp(ask["op"])
    actual["lint"] = [rule for rule in vector["expect"].get("lint", []) if rule in given.lint]
    actual["rules"] = actual.get("rules", set()) | {"S-09" for rule in given.lint if rule == "SL-03"}
    return actual


class _Given:
    """The buses of a vector."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.estate = Estate(buses_of(facts_of(given)), SideInputs())
        self.stepping = stepping(self.estate)
        self.lint = {finding.rule for finding in findings(self.estate)}

    def static(self) -> dict[str, Any]:
        found = default_cycles(self.estate)
        if not found:
            return {"result": {}}
        cycle = [f"{name}@{self.estate.buses[server].name}" for server, name in found[0]]
        return {"result": {"outcome": "LOOP", "kind": "limit", "cycle": cycle, "limit": LIMIT}}

    def follow(self, ask: Mapping[str, Any], expected: Mapping[str, Any]) -> dict[str, Any]:
        sent = ask.get("message", {})
        rollbacks = ask.get("consumer", {}).get("rollbacks")
        message = Message(
            DestinationName("queue", ask.get("destination", "")),
            forward_path=_path(sent.get("forwardRoutingPath")),
            reverse_path=_path(sent.get("reverseRoutingPath")),
            reliability=sent.get("reliability", ""),
            mode=ask.get("mode", ""),
            topic=sent.get("topic", ""),
            rollbacks=ALWAYS if rollbacks == "always" else rollbacks,
            via_engine=ask.get("messagingEngine", ""),
        )
        if ask["op"] == "reply":
            asked = _path(ask["request"]["reverseRoutingPath"])
            taken = self.stepping.enter(ask["bus"], Message(message.destination, reverse_path=asked, mode=message.mode))
            assert self.stepping.reply is not None
            start = self.stepping.reply(taken, message)
            assert start is not None
        else:
            start = self.stepping.enter(ask["bus"], message)
        trace = explore({"sibus": self.stepping}, "sibus", start, message)
        return _Answer(self.estate, trace, expected).to_dict()


class _Answer:
    """A trace in the words of the vectors."""

    def __init__(self, estate: Estate, trace: Trace, expected: Mapping[str, Any]) -> None:
        self.estate, self.trace, self.expected = estate, trace, expected
        self.readings: set[int] = set()
        for branch in trace.branches:
            if branch.kind is Kind.READING or branch.of in self.readings:
                self.readings.add(branch.id)

    def to_dict(self) -> dict[str, Any]:
        expected, steps = self.expected, self._main()
        texts = [one.text for one in self.trace.steps]
        notes = {one.rule for one in self.trace.assumptions}
        actual: dict[str, Any] = {
            "result": self._result(steps),
            "visited": self.visited(steps),
            "notVisited": [one for one in expected.get("notVisited", []) if one not in self.visited(steps)],
            "hops": [one for one in expected.get("hops", []) if any(_matches(one, hop) for hop in self._hops(steps))],
            "notes": [one for one in expected.get("notes", []) if one in notes],
            "warnings": [one for one in expected.get("warnings", []) if any(one in text for text in texts)],
            "rules": {rule for one in self.trace.steps for rule in one.rule.split(", ")}
            | notes
            | {"S-62" for text in texts if "S-62" in text},
            "alternatives": self._alternatives(),
            "bypassed": self._bypassed(steps),
            "final": self._final(steps),
            "continuation": self._continuation(steps),
            **self._counts(steps),
        }
        start = [one for one in steps if one.rule == "S-50"]
        if start:
            at = self._carried(steps[steps.index(start[0]) + 1])
            following = steps[steps.index(start[0]) + 1]
            bus = at.target_bus or following.at
            actual["start"] = {
                "destination": following.object,
                "bus": bus,
                "forwardRoutingPath": _written(at.forward),
            }
        actual["result"] = _only(actual["result"], expected.get("result", {}))
        for key in ("final", "start", "continuation"):
            if key in expected and isinstance(actual.get(key), dict):
                actual[key] = _only(actual[key], expected[key])
        return actual

    def _carried(self, step: Step) -> Carried:
        return Carried.of(State(step.at, step.object, step.state), self.estate.paths)

    def _main(self) -> list[Step]:
        """The steps up to where a choice or a mediation branches (the first one there included), other readings aside; all where nothing does."""
        open_ = [one for one in self.trace.branches if one.id not in self.readings]
        forks = [one for one in open_ if one.kind in (Kind.OPAQUE, Kind.ONE_OF)]
        ends = [one for one in open_ if one.ending is not None and one.kind is not Kind.LATER]
        if not forks:
            return self.trace.steps_to(ends[0].last)
        first = next(one for one in self.trace.steps if one.branch == forks[0].id)
        return self.trace.steps_to(first.id)

    def _result(self, steps: list[Step]) -> dict[str, Any]:
        """How the message ends, EXCEPTIONED where it first was; a choice or a mediation with its branches."""
        open_ = [one for one in self.trace.branches if one.id not in self.readings]
        forks = [one for one in open_ if one.kind in (Kind.OPAQUE, Kind.ONE_OF)]
        if forks:
            siblings = [one for one in forks if one.of == forks[0].of]
            return self._fork(siblings)
        return self._outcome(next(one for one in open_ if one.ending is not None), steps)

    def _fork(self, siblings: list[Branch]) -> dict[str, Any]:
        if siblings[0].kind is Kind.ONE_OF:
            return {"outcome": "ONE_OF", "options": [self._behind(one) for one in siblings]}
        found = re.match(r"mediation (.*) at (\S+)", siblings[0].choice)
        assert found is not None
        branches = []
        for one in siblings:
            word = one.condition.removeprefix(f"mediation {found[1]} ")
            kind = {"passes": "pass", "deletes": "delete", "rejects": "exception"}.get(word, "rewrite")
            entry: dict[str, Any] = {"mediation": kind, "result": self._behind(one)}
            if word == "empties the path":
                entry["pathAfter"] = []
            branches.append(entry)
        wanted = self.expected.get("result", {}).get("branches", [])
        kept = [next((one for one in branches if _matches(each, one)), {}) for each in wanted]
        shown = [_only(mine, each) for mine, each in zip(kept, wanted, strict=True)]
        return {"outcome": "OPAQUE", "kind": "mediation", "mediation": found[1], "at": found[2], "branches": shown}

    def _behind(self, branch: Branch) -> dict[str, Any]:
        inside = {branch.id}
        for one in self.trace.branches:
            if one.of in inside and one.id not in self.readings:
                inside.add(one.id)
        nested = [one for one in self.trace.branches if one.of in inside and one.kind in (Kind.OPAQUE, Kind.ONE_OF)]
        if nested:
            return self._fork([one for one in nested if one.of == nested[0].of])
        end = next(one for one in self.trace.branches if one.id in inside and one.ending is not None)
        steps = self.trace.steps_to(end.last)
        before = self.trace.steps_to(self.trace.branches[branch.of].last) if branch.of >= 0 else []
        return self._outcome(end, steps[len(before) :])

    def _outcome(self, end: Branch, steps: list[Step]) -> dict[str, Any]:
        moved = self._moved(steps)
        if moved is not None:
            carried = self._carried(moved)
            name, _, bus = carried.exception.rpartition("@")
            return {
                "outcome": "EXCEPTIONED",
                "destination": name,
                "bus": bus,
                "reason": carried.reason,
                "problemDestination": carried.problem,
            }
        return self._ending(end)

    def _moved(self, steps: list[Step]) -> Step | None:
        """The first step at an exception destination."""
        return next((one for one in steps if self._carried(one).phase is Phase.MOVED), None)

    def _ending(self, branch: Branch) -> dict[str, Any]:
        ending = branch.ending
        assert ending is not None
        found: dict[str, Any] = {"outcome": str(ending.outcome), **ending.arguments}
        name, _, bus = ending.text("destination").rpartition("@")
        if name:
            found |= {"destination": name, "bus": bus}
        if ending.outcome is Outcome.PUBLISHED:
            space, _, topic = name.partition("/")
            found |= {"topicSpace": space, "topic": topic}
        elif ending.outcome is Outcome.REJECTED:
            found["code"] = ending.arguments["reason"]
        elif ending.outcome is Outcome.BLOCKED:
            found["retryIntervalMs"] = ending.arguments.get("retry_ms")
        elif ending.outcome is Outcome.EXTERNAL:
            found["node"] = ending.text("server")
        elif ending.outcome is Outcome.LOOP:
            found["kind"] = "static"
        return found

    def visited(self, steps: list[Step]) -> list[str]:
        """Where the message arrives, in order; not exception destinations, and nothing behind them."""
        found: list[str] = []
        for step in steps:
            carried = self._carried(step)
            if carried.phase is Phase.MOVED:
                break
            address = f"{step.object}@{carried.target_bus or self.estate.buses[step.at].name}"
            arrives = carried.phase is Phase.ARRIVED and not _nothing_there(step, steps)
            first = arrives or (carried.by == "alias" and address not in found)
            if first and not carried.target_bus and (not found or found[-1] != address):
                found.append(address)
        return found

    def _hops(self, steps: list[Step]) -> Iterator[dict[str, Any]]:
        for step in steps:
            carried = self._carried(step)
            yield {
                "at": f"{step.object}@{step.at}",
                "rule": step.rule,
                "pathAfter": _written(carried.forward),
                "forwardRoutingPath": _written(carried.forward),
                "reverseRoutingPath": _written(carried.reverse),
            }

    def _bypassed(self, steps: list[Step]) -> list[str]:
        found: list[str] = []
        for step, following in pairwise(steps):
            if step.rule == "S-16":
                taken = list(self._carried(step).forward or ())
                left = len(list(self._carried(following).forward or ()))
                found += [f"{one.destination}@{one.bus or step.at}" for one in taken[: len(taken) - left - 1]]
        return found

    def _final(self, steps: list[Step]) -> dict[str, Any]:
        moved = self._moved(steps)
        last = self._carried(steps[-1])
        forward = [] if moved is not None else _written(last.forward)
        return {"forwardRoutingPath": forward, "reverseRoutingPath": _written(last.reverse)}

    def _continuation(self, steps: list[Step]) -> dict[str, Any] | None:
        if self._moved(steps) is None:
            return None
        end = next(one for one in self.trace.branches if one.last == steps[-1].id and one.ending is not None)
        return self._ending(end)

    def _counts(self, steps: list[Step]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        cut = next((one for one in steps if one.rule == "S-09"), None)
        if cut is not None:
            found["redirectsCompleted"] = self._carried(cut).redirects
        for step in steps:
            given = re.search(r"gives it back (\d+) times? \((\d+) redeliver", step.text)
            if given:
                found |= {
                    "failuresBefore": int(given[1]),
                    "redeliveries": int(given[2]),
                    "retriesBefore": int(given[2]),
                }
                break
        return found

    def _alternatives(self) -> list[dict[str, Any]]:
        found = []
        for branch in self.trace.branches:
            if branch.kind is Kind.READING:
                after = {branch.id}
                for one in self.trace.branches:
                    if one.of in after:
                        after.add(one.id)
                end = next((one for one in self.trace.branches if one.id in after and one.ending is not None), None)
                if end is not None:
                    outcome = self._outcome(end, [one for one in self.trace.steps if one.branch in after])
                    found.append(outcome)
        wanted = self.expected.get("alternatives", [])
        return [_only(one, each) for each in wanted for one in found if _matches(each, one)]


def _nothing_there(step: Step, steps: list[Step]) -> bool:
    """Whether a message does not arrive, because nothing stands at the address."""
    return step.rule == "S-47" or (step.rule in ("S-21", "S-24") and step is steps[-1])


def _path(elements: Path | None) -> tuple[Address, ...]:
    return tuple(Address(one.get("bus") or "", one["destination"]) for one in elements or ())


def _written(path: Any) -> Path:
    return [{"bus": one.bus or None, "destination": one.destination} for one in path or ()]


def _matches(expected: Any, actual: Any) -> bool:
    """Whether everything expected is there; a list of codes means any of them."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return all(key in actual and _matches(value, actual[key]) for key, value in expected.items())
    if isinstance(expected, list) and not isinstance(actual, list):
        return actual in expected
    return bool(json.loads(json.dumps(expected)) == actual)


def _only(actual: Mapping[str, Any], expected: Mapping[str, Any]) -> dict[str, Any]:
    """``actual`` under the keys that are expected; a code that is one of the expected ones is those."""
    return {
        key: expected[key]
        if key in expected and key not in ("result", "branches", "options") and _matches(expected[key], value)
        else _only(value, expected[key])
        if isinstance(value, Mapping) and isinstance(expected.get(key), Mapping)
        else value
        for key, value in actual.items()
        if key in expected
    }
