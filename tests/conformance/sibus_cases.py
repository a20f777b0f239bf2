"""Runs the vectors of service integration buses (vectors_ibm.md): makes the buses of ``given``,
sends, replies, checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from conformance.comparison import UnknownKey, UnknownOp, Vector, fits, known
from conformance.reasons import hold
from conformance.sibus_files import facts_of

from topograph.message import ALWAYS, Address, DestinationName, Message
from topograph.outcomes import Outcome
from topograph.side_inputs import SideInputs
from topograph.systems.sibus.buses.carried import Carried, SibusPhase
from topograph.systems.sibus.buses.configuration import buses_of
from topograph.systems.sibus.buses.estate import BusEstate
from topograph.systems.sibus.buses.terms import LIMIT
from topograph.systems.sibus.checked import default_cycles
from topograph.systems.sibus.checks import findings
from topograph.systems.sibus.routing.rules import stepping
from topograph.tracing.exploration import explore
from topograph.tracing.states import State
from topograph.tracing.trace import Branch, Kind, Trace, TracedStep

Path = list[dict[str, Any]]

RULE = re.compile(r"\b(?:S|A)-\d{1,2}\b")

BASIS = {
    "SL-01": ["S-08"], "SL-02": ["S-15", "A-2"], "SL-03": ["S-09", "A-7"], "SL-04": ["S-43"],
    "SL-05": ["S-45"], "SL-06": ["S-45"],
    "SL-07": ["S-46", "A-6"], "SL-08": ["S-14"], "SL-09": ["S-24"], "SL-10": ["S-24"],
    "SL-11": ["S-12", "A-8"], "SL-12": ["S-10"],
    "SL-14": ["S-45"], "SL-15": ["S-30", "S-31", "S-32", "S-33"],
}  # fmt: skip
"""The rules that findings rest on (outcomes.md 4.1)."""

ASK = {
    "send": {"op", "mode", "bus", "destination", "messagingEngine", "message", "consumer"},
    "reply": {"op", "mode", "bus", "messagingEngine", "request"},
    "static": {"op"},
}
MESSAGE = {"forwardRoutingPath", "reverseRoutingPath", "reliability", "topic"}


def not_built_yet(vector: Vector) -> bool:
    """Whether a vector asks for something that is not answered yet."""
    return False


def run(vector: Vector) -> dict[str, Any]:
    """What topograph says to a vector: for each key of ``expect`` its value if it holds, else
    what is said instead. Raises UnknownOp and UnknownKey.
    """
    ask, expected = vector["ask"], vector["expect"]
    if ask["op"] not in ASK:
        raise UnknownOp(f"no bus vector op {ask['op']!r}")
    known(ask, ASK[ask["op"]], "ask")
    known(ask.get("message", {}), MESSAGE, "message")
    known(ask.get("consumer", {}), {"rollbacks"}, "consumer")
    known(ask.get("request", {}), {"reverseRoutingPath"}, "request")
    given = _Given(vector["given"])
    answer = given.static() if ask["op"] == "static" else given.follow(ask)
    answer["lint"] = sorted(given.lint)
    answer["rules"] |= {rule for one in given.lint for rule in BASIS.get(one, ())}
    answer["notes"] = sorted(answer["rules"] | given.lint)
    hold(vector.get("rules", []), answer["rules"])
    if unknown := sorted(set(expected) - set(answer)):
        raise UnknownKey(f"nothing is said of {', '.join(unknown)}")
    return {
        key: want if fits(want, answer[key], key) else answer[key] for key, want in expected.items()
    }


class _Given:
    """The buses of a vector."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.estate = BusEstate(buses_of(facts_of(given)), SideInputs())
        self.stepping = stepping(self.estate)
        self.lint = {finding.rule for finding in findings(self.estate)}

    def static(self) -> dict[str, Any]:
        """The cycle of default paths, the first where there are several."""
        found = default_cycles(self.estate)
        answer: dict[str, Any] = {"result": {}, "rules": set(), "loop": bool(found)}
        if found:
            cycle = [f"{one.name}@{bus.name}" for bus, one in found[0]]
            answer["result"] = {"outcome": "LOOP", "kind": "limit", "cycle": cycle, "limit": LIMIT}
        return answer

    def follow(self, ask: Mapping[str, Any]) -> dict[str, Any]:
        """What happens to a message, or to the reply to one."""
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
            taken = self.stepping.enter(
                ask["bus"], Message(message.destination, reverse_path=asked, mode=message.mode)
            )
            assert self.stepping.reply is not None
            start = self.stepping.reply(taken, message)
            assert start is not None
        else:
            start = self.stepping.enter(ask["bus"], message)
        trace = explore({"sibus": self.stepping}, "sibus", start, message)
        return _Answer(self.estate, trace).to_dict()


class _Answer:
    """A trace in the words of the vectors."""

    def __init__(self, estate: BusEstate, trace: Trace) -> None:
        self.estate, self.trace = estate, trace
        self.readings: set[int] = set()
        for branch in trace.branches:
            if branch.kind is Kind.READING or branch.of in self.readings:
                self.readings.add(branch.id)

    def to_dict(self) -> dict[str, Any]:
        steps = self._main()
        texts = [one.text for one in self.trace.steps]
        notes = {one.rule for one in self.trace.assumptions}
        told = [text for one in self.trace.steps for text in (one.rule, one.text)]
        visited = self.visited(steps)
        return {
            "result": self._result(steps),
            "visited": visited,
            "notVisited": visited,
            "hops": list(self._hops(steps)),
            "hopsAt": self._buses(steps),
            "warnings": [word for text in texts for word in re.findall(r"CWSI[A-Z]\d+", text)],
            "rules": {rule for text in told for rule in RULE.findall(text)} | notes,
            "alternatives": self._alternatives(),
            "bypassed": self._bypassed(steps),
            "final": self._final(steps),
            "start": self._start(steps),
            "continuation": self._continuation(steps),
            "copies": self._copies(),
            "loop": any(
                one.ending and one.ending.outcome is Outcome.LOOP for one in self.trace.branches
            )
            or any("comes back" in note.text for note in self.trace.notes),
            **self._counts(steps),
        }

    def _start(self, steps: list[TracedStep]) -> dict[str, Any]:
        """Where a reply begins, and with which path."""
        for step, following in pairwise(steps):
            if step.rule == "S-50":
                at = self._carried(following)
                bus = at.target_bus or self._bus(following.at)
                return {
                    "destination": following.object,
                    "bus": bus,
                    "forwardRoutingPath": _written(at.forward),
                }
        return {}

    def _bus(self, server: str) -> str:
        """The name of the bus that a server is, also of one that is not loaded."""
        found = self.estate.buses.get(server)
        return found.name if found else server

    def _buses(self, steps: list[TracedStep]) -> list[str]:
        """The buses in order."""
        found: list[str] = []
        for step in steps:
            found += [
                self._bus(name)
                for name in (step.at, step.to)
                if name and found[-1:] != [self._bus(name)]
            ]
        return found

    def _copies(self) -> list[dict[str, Any]]:
        """How publications on other buses end."""
        return [
            self._ending(one)
            for one in self.trace.branches
            if one.kind is Kind.LATER and one.id not in self.readings and one.ending is not None
        ]

    def _carried(self, step: TracedStep) -> Carried:
        return Carried.of(State(step.at, step.object, step.state), self.estate.paths)

    def _main(self) -> list[TracedStep]:
        """The steps up to where a choice or a mediation branches (the first one there included),
        other readings aside; all where nothing does.
        """
        open_ = [one for one in self.trace.branches if one.id not in self.readings]
        forks = [one for one in open_ if one.kind in (Kind.OPAQUE, Kind.ONE_OF)]
        later = {one.id for one in open_ if one.kind is Kind.LATER}
        for one in open_:
            if one.of in later:
                later.add(one.id)
        ends = [one for one in open_ if one.ending is not None and one.id not in later]
        if not forks:
            return self.trace.steps_to(ends[0].last)
        first = next(one for one in self.trace.steps if one.branch == forks[0].id)
        return self.trace.steps_to(first.id)

    def _result(self, steps: list[TracedStep]) -> dict[str, Any]:
        """How the message ends, EXCEPTIONED where it first was; a choice or a mediation with its
        branches.
        """
        open_ = [one for one in self.trace.branches if one.id not in self.readings]
        forks = [one for one in open_ if one.kind in (Kind.OPAQUE, Kind.ONE_OF)]
        if forks and self._moved(steps) is None:
            return self._fork([one for one in forks if one.of == forks[0].of])
        found = self._outcome(next(one for one in open_ if one.ending is not None), steps)
        return {**found, "continuation": self._continuation(steps)}

    def _fork(self, siblings: list[Branch]) -> dict[str, Any]:
        if siblings[0].kind is Kind.ONE_OF:
            return {
                "outcome": "ONE_OF",
                "options": [self._behind(one) for one in siblings],
                "traced": 0,
            }
        found = re.match(r"mediation (.*) at (\S+)", siblings[0].choice)
        assert found is not None
        branches = []
        for one in siblings:
            word = one.condition.removeprefix(f"mediation {found[1]} ")
            kind = {"passes": "pass", "deletes": "delete", "rejects": "exception"}.get(
                word, "rewrite"
            )
            entry: dict[str, Any] = {"mediation": kind, "result": self._behind(one)}
            if word == "empties the path":
                entry["pathAfter"] = []
            branches.append(entry)
        return {
            "outcome": "OPAQUE",
            "kind": "mediation",
            "mediation": found[1],
            "at": found[2],
            "branches": branches,
        }

    def _behind(self, branch: Branch) -> dict[str, Any]:
        inside = {branch.id}
        for one in self.trace.branches:
            if one.of in inside and one.id not in self.readings:
                inside.add(one.id)
        nested = [
            one
            for one in self.trace.branches
            if one.of in inside and one.kind in (Kind.OPAQUE, Kind.ONE_OF)
        ]
        if nested:
            return self._fork([one for one in nested if one.of == nested[0].of])
        end = next(
            one for one in self.trace.branches if one.id in inside and one.ending is not None
        )
        steps = self.trace.steps_to(end.last)
        before = self.trace.steps_to(self.trace.branches[branch.of].last) if branch.of >= 0 else []
        return self._outcome(end, steps[len(before) :])

    def _outcome(self, end: Branch, steps: list[TracedStep]) -> dict[str, Any]:
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
                "continuation": self._ending(end),
            }
        return self._ending(end)

    def _moved(self, steps: list[TracedStep]) -> TracedStep | None:
        """The first step at an exception destination."""
        return next((one for one in steps if self._carried(one).phase is SibusPhase.MOVED), None)

    def _ending(self, branch: Branch) -> dict[str, Any]:
        ending = branch.ending
        assert ending is not None
        found: dict[str, Any] = {"outcome": str(ending.outcome), **ending.arguments}
        name, _, bus = ending.text("destination").rpartition("@")
        if name:
            found |= {"destination": name, "bus": bus}
        if engine := ending.text("engine"):
            found["messagingEngine"] = engine
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

    def visited(self, steps: list[TracedStep]) -> list[str]:
        """Where the message arrives, in order; not exception destinations, and nothing behind
        them.
        """
        found: list[str] = []
        for step in steps:
            carried = self._carried(step)
            if carried.phase is SibusPhase.MOVED:
                break
            if step.at not in self.estate.buses:
                continue
            address = f"{step.object}@{carried.target_bus or self._bus(step.at)}"
            arrives = carried.phase is SibusPhase.ARRIVED and not _nothing_there(step, steps)
            first = arrives or (carried.by == "alias" and address not in found)
            if first and not carried.target_bus and (not found or found[-1] != address):
                found.append(address)
        return found

    def _hops(self, steps: list[TracedStep]) -> Iterator[dict[str, Any]]:
        for step in steps:
            carried = self._carried(step)
            yield {
                "at": f"{step.object}@{step.at}",
                "rule": step.rule,
                "pathAfter": _written(carried.forward),
                "forwardRoutingPath": _written(carried.forward),
                "reverseRoutingPath": _written(carried.reverse),
            }

    def _bypassed(self, steps: list[TracedStep]) -> list[str]:
        found: list[str] = []
        for step, following in pairwise(steps):
            if "S-16" in step.rule.split(", "):
                taken = list(self._carried(step).forward or ())
                left = len(list(self._carried(following).forward or ()))
                broken = self._carried(following).phase is SibusPhase.UNRESOLVED
                passed = taken[: len(taken) - left - (not broken)]
                found += [f"{one.destination}@{one.bus or self._bus(step.at)}" for one in passed]
        return found

    def _final(self, steps: list[TracedStep]) -> dict[str, Any]:
        moved = self._moved(steps)
        last = self._carried(steps[-1])
        forward = [] if moved is not None else _written(last.forward)
        return {"forwardRoutingPath": forward, "reverseRoutingPath": _written(last.reverse)}

    def _continuation(self, steps: list[TracedStep]) -> dict[str, Any] | None:
        if self._moved(steps) is None:
            return None
        forks = [one for one in self.trace.branches if one.kind in (Kind.OPAQUE, Kind.ONE_OF)]
        if forks:
            return self._fork([one for one in forks if one.of == forks[0].of])
        end = next(
            one
            for one in self.trace.branches
            if one.last == steps[-1].id and one.ending is not None
        )
        return self._ending(end)

    def _counts(self, steps: list[TracedStep]) -> dict[str, Any]:
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
                end = next(
                    (
                        one
                        for one in self.trace.branches
                        if one.id in after and one.ending is not None
                    ),
                    None,
                )
                if end is not None:
                    outcome = self._outcome(
                        end, [one for one in self.trace.steps if one.branch in after]
                    )
                    found.append(outcome)
        return found


def _nothing_there(step: TracedStep, steps: list[TracedStep]) -> bool:
    """Whether a message does not arrive, because nothing stands at the address."""
    return step.rule == "S-47" or (step.rule in ("S-21", "S-24") and step is steps[-1])


def _path(elements: Path | None) -> tuple[Address, ...]:
    return tuple(Address(one.get("bus") or "", one["destination"]) for one in elements or ())


def _written(path: Any) -> Path:
    return [{"bus": one.bus or None, "destination": one.destination} for one in path or ()]
