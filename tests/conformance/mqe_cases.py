"""Runs the vectors of WebSphere MQ Everyplace: writes ``given`` as YAML files, reads them,
follows the message.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from conformance import ibm_mq_cases
from conformance.comparison import UnknownKey, UnknownOp, Vector, fits, known
from conformance.reasons import hold

import topograph
from topograph.forwarding.budget import Budget
from topograph.message import Message
from topograph.network import Network
from topograph.outcomes import Outcome
from topograph.questions.following import followed
from topograph.tracing.trace import Branch, Kind, Trace

RULE = re.compile(r"\b(?:[EMB]-\d{1,2}|NR\d{1,2}|B\d)\b")


ASK = {
    "put": {"op", "at", "queue", "queueManager", "homeServers"},
    "mq_put": {"op", "at", "objectName", "objectQMgrName", "homeServers"},
    "static": {"op"},
}

BASIS = {
    "EL-01": ["E-14", "E-15"], "EL-02": ["B1", "E-14", "E-15"], "EL-03": ["B-2"], "EL-04": ["E-20"],
    "EL-05": ["B-6"],
    "EL-06": ["E-02", "E-03"], "EL-07": ["B-5", "E-08"], "EL-08": ["E-40"],
}  # fmt: skip
"""The rules that findings rest on (outcomes.md 4.2)."""


def write(given: Mapping[str, Any], root: Path) -> None:
    """The first queue manager in a file of its own, all others in one of several documents."""
    documents = [
        {"kind": "mqe", "queueManager": own["name"], **_but(own, "name")}
        for own in given["queueManagers"]
    ]
    for name, part in (("first.yaml", documents[:1]), ("others.yml", documents[1:])):
        if part:
            (root / name).write_text(yaml.safe_dump_all(part, sort_keys=False), encoding="utf-8")
    if given.get("ibm_mq"):
        (root / "ibm_mq").mkdir()
        ibm_mq_cases.write({"queueManagers": given["ibm_mq"]}, root / "ibm_mq")


def _but(values: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != key}


def not_built_yet(vector: Vector) -> bool:
    """Nothing is left for later."""
    return False


def run(vector: Vector) -> dict[str, Any]:
    """What topograph says to a vector: for each key of ``expect`` its value if it holds, else
    what is said instead. Raises UnknownOp.
    """
    ask = vector["ask"]
    if ask["op"] not in ASK:
        raise UnknownOp(f"no MQe vector op {ask['op']!r}")
    known(ask, ASK[ask["op"]], "ask")
    known(vector["given"], {"system", "queueManagers", "ibm_mq"}, "given")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "estate"
        root.mkdir()
        write(vector["given"], root)
        network = topograph.read(root)
    findings = network.check().findings
    if unread := [str(finding["message"]) for finding in findings if finding["rule"] == "B4"]:
        raise UnknownKey("; ".join(unread))
    lint = sorted({str(finding["rule"]) for finding in findings} - {""})
    said = Said(_followed(network, ask), lint)
    hold(vector.get("rules", []), said.rules)
    answer = {key: said.of(key) for key in vector["expect"]}
    return {
        key: want if fits(want, answer[key], key) else answer[key]
        for key, want in vector["expect"].items()
    }


def _followed(network: Network, ask: Mapping[str, Any]) -> Trace | None:
    """The trace of the message of a vector; None where it asks about the configuration alone."""
    if ask["op"] == "static":
        return None
    if ask["op"] == "put":
        system, queue, manager = "mqe", ask["queue"], ask.get("queueManager") or ask["at"]
    else:
        system, queue, manager = "ibm_mq", ask["objectName"], ask.get("objectQMgrName", "").strip()
    message = Message.to(
        f"queue:{queue}", queue_manager=manager, home_servers=ask.get("homeServers", "")
    )
    model = network._model
    return followed(model, Budget(), model.locate(f"{system}:{ask['at']}"), message, (), ())


@cache
def _data(state: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(state) if state.startswith("{") else {}
    return found


class Said:
    """What a trace says, in the words of the vectors."""

    def __init__(self, trace: Trace | None, lint: Sequence[str]) -> None:
        self.lint = lint
        self.rules = {rule for one in lint for rule in BASIS.get(one, ())}
        self.now: list[Branch] = []
        self.later: list[Branch] = []
        if trace is None:
            return
        self.trace = trace
        later = set()
        for branch in trace.branches:
            if branch.kind is Kind.LATER or branch.of in later:
                later.add(branch.id)
        ended = list(trace.endings())
        self.now = [branch for branch in ended if branch.id not in later]
        self.later = [branch for branch in ended if branch.id in later]
        texts = [text for step in trace.steps for text in (step.rule, step.text)]
        texts += [text for one in trace.assumptions for text in (one.rule, one.text)]
        self.rules |= {rule for text in texts for rule in RULE.findall(text)}

    def of(self, key: str) -> Any:
        """The value of a key of ``expect``. Raises UnknownOp."""
        made = {
            "result": self.result,
            "hops": self.hops,
            "hopsAt": self.servers,
            "discovered": self.discovered,
            "discoveryFailed": self.discovery_failed,
            "alternatives": lambda: [self.outcome(branch) for branch in self.later],
            "xmit": self.xmit,
            "visited": self.visited,
            "notVisited": self.visited,
            "loop": lambda: any(
                one.ending and one.ending.outcome is Outcome.LOOP for one in self.now
            ),
            "lint": lambda: list(self.lint),
            "warnings": lambda: [*self.lint, *sorted(self.rules)],
            "notes": lambda: [*self.lint, *sorted(self.rules)],
        }
        if key not in made:
            raise UnknownKey(f"nothing is said of {key}")
        return made[key]()

    def result(self) -> dict[str, Any]:
        picks = [branch for branch in self.now if self._picked(branch)]
        if picks:
            return {
                "outcome": "ONE_OF",
                "options": [self.outcome(branch) for branch in picks],
                "traced": 0,
            }
        (branch,) = self.now
        return self.outcome(branch)

    def _picked(self, branch: Branch) -> bool:
        at = branch
        while at.of >= 0:
            if at.kind is Kind.ONE_OF:
                return True
            at = self.trace.branches[at.of]
        return False

    def outcome(self, branch: Branch) -> dict[str, Any]:
        """How a branch ends."""
        ending = branch.ending
        assert ending is not None
        at = ending.text("server")
        found: dict[str, Any] = {"outcome": str(ending.outcome), "at": at}
        name, _, manager = ending.text("destination").rpartition("@")
        match ending.outcome:
            case Outcome.DELIVERED:
                found |= {"queue": name, "queueManager": manager}
            case Outcome.HELD:
                destination = {"queue": name, "queueManager": manager}
                found |= {
                    "queue": ending.text("queue"),
                    "reason": ending.text("reason"),
                    "destination": destination,
                }
            case Outcome.REJECTED:
                code = ending.text("reason")
                found["code"] = int(code) if code.isdigit() else code
            case Outcome.DLQ:
                found |= {"reason": ending.text("reason"), "queue": ending.text("queue")}
            case Outcome.EXTERNAL:
                found |= {"node": at, "queue": ending.text("destination")}
            case Outcome.LOOP:
                found |= {"kind": "static", "cycle": self.cycle(branch)}
        return found

    def hops(self) -> list[dict[str, Any]]:
        return [
            {
                "at": step.at,
                "destination": {
                    "queue": step.object,
                    "queueManager": _data(step.state).get("queue_manager", ""),
                },
                "rule": step.rule,
            }
            for step in self.trace.steps
        ]

    def visited(self) -> list[str]:
        """The addresses ``queue@queue manager`` at which the message arrives, in order."""
        found: list[str] = []
        for step in self.trace.steps:
            address = f"{step.object}@{step.at}"
            found += [address] if found[-1:] != [address] else []
        return found

    def servers(self) -> list[str]:
        """The queue managers in order, of the branch that is taken."""
        return self._servers_of(self.now[0])

    def _servers_of(self, branch: Branch) -> list[str]:
        found: list[str] = []
        for step in self.trace.steps_to(branch.last):
            found += [name for name in (step.at, step.to) if name and found[-1:] != [name]]
        return found

    def cycle(self, branch: Branch) -> list[str]:
        servers = self._servers_of(branch)
        last = len(servers) - 1
        first = servers.index(servers[last])
        return servers[first:last] or servers[:1]

    def discovered(self) -> list[dict[str, str]]:
        """Queues on which discovery succeeded."""
        return [
            {
                "at": step.at,
                "queue": step.object,
                "qmgr": _data(step.state)["queue_manager"],
                "mode": "sync",
            }
            for step in self.trace.steps
            if _data(step.state).get("phase") == "discovered"
        ]

    def discovery_failed(self) -> str:
        """The letter of the condition that failed."""
        return next(
            (text for one in self.now if one.ending and (text := one.ending.text("discovery"))), ""
        )

    def xmit(self) -> str:
        """The transmission queue of IBM MQ that the message was on."""
        held = re.compile(r"[^\s@]+@[^\s@,;:]+")
        steps = [step for step in self.trace.steps if step.rule == "E-31"]
        return next((found[0] for step in steps if (found := held.search(step.text))), "")
