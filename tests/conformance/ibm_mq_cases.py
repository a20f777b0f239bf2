"""Runs the vectors of IBM MQ: writes ``given`` as MQSC files, reads them, puts the message (or
lets it arrive), checks.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from conformance import comparison
from conformance.comparison import UnknownKey, UnknownOp, Vector, known
from conformance.reasons import hold

import topograph
from topograph.forwarding.budget import Budget
from topograph.message import Message
from topograph.network import Network
from topograph.outcomes import Outcome
from topograph.questions.following import followed
from topograph.tracing.trace import Branch, Kind, Trace, TracedStep

RULE = re.compile(r"\b(?:NR\d+|M-\d+|ML-\d+|C-?\d+)\b")


GIVEN = {"system", "queueManagers"}
MANAGER = {"name", "attributes", "objects", "channels", "listeners"}
OBJECT = {"type", "name", "attributes"}
CHANNEL = {"name", "chltype", "attributes", "status", "state", "running", "stopped"}
ASKED = {
    "put": {"op", "at", "objectQMgrName", "objectName", "message", "replyToQ", "replyToQMgr"},
    "arrive": {"op", "at", "channel", "header", "message"},
}
MESSAGE = {"persistent", "properties"}
HEADER = {"remoteQName", "remoteQMgrName"}
"""The keys of the form (vectors_ibm.md)."""


def write(given: Mapping[str, Any], root: Path) -> None:
    """One MQSC file a queue manager; the channels that do not run in DISPLAY output beside it.
    Raises UnknownOp.
    """
    known(given, GIVEN, "given")
    for number, own in enumerate(given["queueManagers"]):
        known(own, MANAGER, "queueManagers")
        for one in own.get("objects", ()):
            known(one, OBJECT, "objects")
        for one in own.get("channels", ()):
            known(one, CHANNEL, "channels")
        lines = [f"* Queue manager name: {own['name']}", f"ALTER QMGR DESCR('{own['name']}')"]
        lines += [
            f"ALTER QMGR {_attributes({name: value})}"
            for name, value in own.get("attributes", {}).items()
        ]
        for one in own.get("objects", ()):
            lines.append(
                f"DEFINE {one['type']}('{one['name']}') {_attributes(one.get('attributes', {}))}"
            )
        for one in own.get("channels", ()):
            attributes = {
                name: value for name, value in one.get("attributes", {}).items() if name != "STATUS"
            }
            lines.append(
                f"DEFINE CHANNEL('{one['name']}') CHLTYPE({one['chltype']}) "
                f"{_attributes(attributes)}"
            )
        for one in own.get("listeners", ()):
            attributes = one.get("attributes") or {
                name: value for name, value in one.items() if name != "name"
            }
            lines.append(
                f"DEFINE LISTENER('{one['name']}') {_attributes({'TRPTYPE': 'TCP', **attributes})}"
            )
        folder = root / f"{number}"
        folder.mkdir()
        (folder / "objects.mqsc").write_text("\n".join(lines) + "\n", encoding="utf-8")
        stopped = [one for one in own.get("channels", ()) if _status(one) not in ("", "RUNNING")]
        if stopped:
            (folder / "status.txt").write_text(
                "\n".join(_status_lines(own["name"], stopped)) + "\n", encoding="utf-8"
            )


def _attributes(attributes: Mapping[str, Any]) -> str:
    return " ".join(
        _attribute(name, value) for name, value in attributes.items() if value is not None
    )


def _attribute(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name if value else f"NO{name}"
    items = value if isinstance(value, (list, tuple)) else [value]
    return f"{name}({','.join(map(_value, items))})"


def _value(value: Any) -> str:
    if isinstance(value, int) or re.fullmatch(r"[A-Z0-9]+", str(value)):
        return str(value)
    quoted = str(value).replace("'", "''")
    return f"'{quoted or ' '}'"


def _status(channel: Mapping[str, Any]) -> str:
    """What a vector says of the state of a channel; channels run unless it says otherwise."""
    said = (
        channel.get("status")
        or channel.get("state")
        or channel.get("attributes", {}).get("STATUS")
        or ""
    )
    if channel.get("running") is False or channel.get("stopped"):
        return "STOPPED"
    return str(said).upper()


def _status_lines(name: str, channels: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield f"Starting MQSC for queue manager {name}."
    yield "     1 : DISPLAY CHSTATUS(*)"
    for one in channels:
        yield "AMQ8417I: Display Channel Status details."
        yield f"   {'CHANNEL(' + one['name'] + ')':<40}CHLTYPE({one['chltype']})"
        yield f"   STATUS({_status(one)})"
    yield "One MQSC command read."


def not_built_yet(vector: Vector) -> bool:
    """Nothing is left for later."""
    return False


def run(vector: Vector) -> dict[str, Any]:
    """What topograph says to a vector: for each key of ``expect`` its value if it holds, else
    what is said instead. Raises UnknownOp.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "estate"
        root.mkdir()
        write(vector["given"], root)
        network = topograph.read(root)
    said = Said(
        trace_of(network, vector["ask"]),
        sorted({str(one["rule"]) for one in network.check().findings} - {""}),
    )
    hold(vector.get("rules", []), {*said.rules, *said.lint})
    answer = {key: said.of(key) for key in vector["expect"]}
    return {
        key: want if fits(want, answer[key], key) else answer[key]
        for key, want in vector["expect"].items()
    }


def trace_of(network: Network, ask: Mapping[str, Any]) -> Trace:
    """The trace of what a vector asks. Raises UnknownOp."""
    if ask["op"] not in ASKED:
        raise UnknownOp(f"no IBM MQ vector op {ask['op']!r}")
    known(ask, ASKED[ask["op"]], "ask")
    known(ask.get("message", {}), MESSAGE, "message")
    persistent, properties = (
        ask.get("message", {}).get("persistent"),
        ask.get("message", {}).get("properties"),
    )
    if ask["op"] == "put":
        message = Message.to(
            f"queue:{ask['objectName'].rstrip(' ')}",
            properties,
            queue_manager=ask.get("objectQMgrName", "").strip(),
            persistent=persistent,
            reply_to=ask.get("replyToQ", "").strip(),
            reply_to_queue_manager=ask.get("replyToQMgr", "").strip(),
        )
    else:
        header = ask["header"]
        known(header, HEADER, "header")
        text = f"{header['remoteQName']}@{header['remoteQMgrName']}"
        message = Message.to(
            text, properties, persistent=persistent, arrives_over=ask["channel"], header=text
        )
    model = network._model
    return followed(model, Budget(), model.locate(f"ibm_mq:{ask['at']}"), message, (), ())


@cache
def _data(state: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(state) if state.startswith("{") else {}
    return found


class Said:
    """What a trace says, in the words of the vectors."""

    def __init__(self, trace: Trace, lint: Sequence[str]) -> None:
        self.trace, self.lint = trace, lint
        self.ended = list(trace.endings())
        copies = {branch.id for branch in self.ended if self._is_copy(branch)}
        self.copied = [branch for branch in self.ended if branch.id in copies]
        self.original = [
            branch for branch in self.ended if branch.id not in copies and not self._stopped(branch)
        ]
        told = [step.rule for step in trace.steps] + [one.rule for one in trace.assumptions]
        self.rules = {rule for text in told for rule in RULE.findall(text)}

    def _steps(self, branch: Branch) -> list[TracedStep]:
        return self.trace.steps_to(branch.last)

    def _is_copy(self, branch: Branch) -> bool:
        """Whether the steps of a branch begin a copy: from a streaming queue or for a
        subscription.
        """
        return any(_data(step.state).get("copy") for step in self._steps(branch)) or any(
            step.text.startswith("subscription ") for step in self._steps(branch)
        )

    def _stopped(self, branch: Branch) -> bool:
        return branch.ending is not None and branch.ending.outcome is Outcome.NOT_FORWARDED

    def of(self, key: str) -> Any:
        """The value of a key of ``expect``. Raises UnknownOp."""
        made = {
            "result": self.result,
            "copies": self.copies,
            "xmit": self.xmit,
            "channels": self.channels,
            "channelCount": lambda: len(self.channels()),
            "loop": lambda: any(
                one.ending and one.ending.outcome is Outcome.LOOP for one in self.ended
            ),
            "eliminated": self.eliminated,
            "choiceFixedAt": self.choice_fixed_at,
            "replyTo": self.reply_to,
            "retriesBefore": self.retries,
            "hopsAt": lambda: self._servers(self.original[0]),
            "hops": self.hops,
            "visited": self.visited,
            "notVisited": lambda: [f"{step.object}@{step.at}" for step in self.trace.steps],
            "alternatives": lambda: [self.outcome(branch) for branch in self.ended],
            "notes": lambda: [*self.lint, *sorted(self.rules)],
            "lint": lambda: list(self.lint),
            "warnings": lambda: [*self.lint, *sorted(self.rules)],
        }
        if key not in made:
            raise UnknownKey(f"nothing is said of {key}")
        return made[key]()

    def result(self) -> dict[str, Any]:
        picks = [branch for branch in self.original if self._picked(branch)]
        if picks:
            return {
                "outcome": "ONE_OF",
                "options": [self.outcome(branch) for branch in picks],
                "traced": 0,
            }
        (branch,) = self.original
        return self.outcome(branch)

    def copies(self) -> list[dict[str, Any]]:
        """How each copy ends; one for which a choice is made at run time as ONE_OF."""
        found: dict[tuple[str, int], list[dict[str, Any]]] = {}
        for branch in self.copied:
            found.setdefault(self._choice_of(branch), []).append(self.outcome(branch))
        return [
            {"outcome": "ONE_OF", "options": all_, "traced": 0} if kind == "choice" else all_[0]
            for (kind, _), all_ in found.items()
        ]

    def _choice_of(self, branch: Branch) -> tuple[str, int]:
        """The branch out of which the first choice on the way to one leads; the branch itself
        where nothing is chosen.
        """
        at, chosen = branch, ("", branch.id)
        while at.of >= 0:
            if at.kind is Kind.ONE_OF:
                chosen = ("choice", at.of)
            at = self.trace.branches[at.of]
        return chosen

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
        server = ending.text("server")
        found: dict[str, Any] = {"outcome": str(ending.outcome), "at": server}
        match ending.outcome:
            case Outcome.DELIVERED:
                name, _, manager = ending.text("destination").rpartition("@")
                found |= {
                    "queue": name,
                    "queueManager": manager,
                    "dynamic": ending.text("dynamic") == "yes",
                }
            case Outcome.PUBLISHED:
                found |= {
                    "topicObject": ending.text("topic_object"),
                    "topic": ending.text("destination"),
                }
                found["queueManager"] = server
            case Outcome.HELD:
                found |= {
                    "queue": ending.text("queue"),
                    "reason": ending.text("reason"),
                    "queueManager": server,
                }
            case Outcome.REJECTED:
                found |= {"code": ending.count("reason"), "queueManager": server}
            case Outcome.DLQ:
                found |= {
                    "queue": ending.text("queue"),
                    "queueManager": server,
                    "reason": ending.count("reason"),
                }
                found["original"] = ending.text("original")
            case Outcome.DISCARDED:
                found["reason"] = ending.text("reason")
            case Outcome.EXTERNAL:
                found |= {"node": self._node(branch), "queueManager": server}
            case Outcome.LOOP:
                found |= {"kind": "static", "cycle": self._cycle(branch)}
        return found

    def _node(self, branch: Branch) -> str:
        """The address of the last hop, else the name of the queue manager."""
        ending = branch.ending
        assert ending is not None
        return _data(self._steps(branch)[-1].state).get("queue") or ending.text("server")

    def _opened(self, branch: Branch) -> list[TracedStep]:
        return [step for step in self._steps(branch) if _data(step.state).get("phase") == "open"]

    def _cycle(self, branch: Branch) -> list[str]:
        """The names that come again, from the first time on; aliases of the same queue manager
        are passed, too.
        """
        names = [f"{step.object}@{step.at}" for step in self._opened(branch)]
        return names[names.index(names[-1]) : -1]

    def hops(self) -> list[dict[str, Any]]:
        return [
            {
                "at": step.at,
                "queueManager": step.at,
                "queue": step.object,
                "objectName": step.object,
                "rule": step.rule,
                "header": {
                    "remoteQName": data.get("name"),
                    "remoteQMgrName": data.get("queue_manager"),
                },
            }
            for step in self.trace.steps
            for data in [_data(step.state)]
        ]

    def visited(self) -> list[str]:
        return [f"{step.object}@{step.at}" for step in self._opened(self.original[0])]

    def _servers(self, branch: Branch) -> list[str]:
        found: list[str] = []
        for step in self._steps(branch):
            found += [name for name in (step.at, step.to) if name and found[-1:] != [name]]
        return found

    def xmit(self) -> list[dict[str, Any]]:
        """The transmission queues in order; of a run-time choice each once, with the header that
        all ways share.
        """
        found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        order: list[tuple[tuple[str, str], tuple[str, str]]] = []
        for branch in self.original:
            for step in self._steps(branch):
                data = _data(step.state)
                if data.get("phase") == "transmission queue":
                    place, header = (step.object, step.at), (data["name"], data["queue_manager"])
                    if header not in found.setdefault(place, []):
                        found[place].append(header)
                        order.append((place, header))
        choice = any(self._picked(branch) for branch in self.original)
        told: list[dict[str, Any]] = []
        for (queue, at), (name, manager) in order:
            entry: dict[str, Any] = {"outcome": "XMIT", "queue": queue, "at": at}
            if not choice or len(found[queue, at]) == 1:
                entry["header"] = {"remoteQName": name, "remoteQMgrName": manager}
            if entry not in told:
                told.append(entry)
        return told

    def channels(self) -> list[str]:
        """The channels that are used, in order."""
        used: dict[tuple[str, str], str] = {}
        for branch in self.original:
            for step in self._steps(branch):
                found = re.search(r"over (?:cluster )?channel (\S+)", step.text)
                if step.to and found:
                    used[step.at, found[1]] = found[1]
        return list(used.values())

    def eliminated(self) -> list[dict[str, str]]:
        found = []
        for branch in self.trace.branches:
            for part in branch.eliminated.split("; ") if branch.eliminated else ():
                candidate, _, step = part.partition(": ")
                entry = {
                    "queueManager": candidate.rpartition("@")[2],
                    "queue": candidate.rpartition("@")[0],
                    "step": step,
                }
                if entry not in found:
                    found.append(entry)
        return found

    def choice_fixed_at(self) -> str:
        """``open``, ``message`` or ``group``."""
        conditions = " ".join(
            branch.condition for branch in self.trace.branches if branch.kind is Kind.ONE_OF
        )
        words = {
            "queue is opened": "open",
            "for each message": "message",
            "for each group": "group",
        }
        return next((word for text, word in words.items() if text in conditions), "")

    def reply_to(self) -> dict[str, str]:
        """The reply-to fields of the message on its way."""
        for step in reversed(self.trace.steps):
            data = _data(step.state)
            if data.get("reply") and data["phase"] != "put":
                queue, manager = data["reply"]
                return {
                    "replyToQ": queue,
                    "replyToQMgr": manager,
                    "queue": queue,
                    "queueManager": manager,
                }
        return {}

    def retries(self) -> dict[str, int]:
        for branch in self.ended:
            if branch.ending is not None and branch.ending.text("retries"):
                return {
                    "count": branch.ending.count("retries"),
                    "intervalMs": branch.ending.count("interval"),
                }
        return {}


STEPS = {
    "local": "local instance",
    "put": "put disabled",
    "rank": "rank",
    "state": "channel state",
    "prty": "priority",
    "priorit": "priority",
    "cluster": "no shared cluster",
}
"""Words that name a step of M-22, in whatever form."""


def step_of(text: str) -> str:
    """The step of M-22 that a text names, else the text itself."""
    return next((step for word, step in STEPS.items() if word in text.lower()), text)


def fits(want: Any, said: Any, key: str) -> bool:
    """Whether an expectation holds (``comparison.fits``); a step of M-22 may be named in any
    words, a copy that is not put may be left out, and retries may be their number alone."""
    if key == "eliminated":
        want, said = (
            [{**one, "step": step_of(one.get("step", ""))} for one in part] for part in (want, said)
        )
        want = [{name: value for name, value in one.items() if value} for one in want]
    elif key == "copies" and len(want) != len(said):
        said = [one for one in said if one["outcome"] != "DISCARDED"]
    elif key == "retriesBefore" and isinstance(want, int):
        want, said = {"count": want}, {"count": said.get("count", 0)}
    return comparison.fits(want, said, key)
