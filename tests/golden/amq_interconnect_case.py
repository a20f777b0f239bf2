"""Replays a recorded case of AMQ Interconnect: predicts every step from the configuration files and
compares it with what was seen.

What a scenario may say is in ``router_inputs``, the network from step to step in
``router_network``; clients and their messages are in ``router_messages``, tables in
``router_tables``, configuration and logs in ``router_rows``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from golden.fields import Fields, leaves
from golden.router_inputs import OPERATIONS, problems_of_case, problems_of_step, started
from golden.router_messages import Clients
from golden.router_network import Running
from golden.router_rows import Rows, explained_log
from golden.router_tables import Tables

ECHO = ("step", "op", "label", "sender", "note", "varies_between_runs")
"""Fields of a recorded step that repeat its input or speak to the reader."""

Step = Mapping[str, Any]


class Case:
    """One folder of recorded behaviour, replayed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scenario: dict[str, Any] = json.loads(
            (folder / "scenario.json").read_text(encoding="utf-8")
        )
        self.observed: dict[str, Any] = json.loads(
            (folder / "observed.json").read_text(encoding="utf-8")
        )
        self.fields = Fields()

    @cached_property
    def running(self) -> Running:
        stated = (
            self.observed.get("router_version") or self.scenario.get("router_version") or "1.19.0"
        )
        return Running(self.folder, self.scenario, stated.split()[-1])

    @cached_property
    def clients(self) -> Clients:
        return Clients(self.running, self.fields, self.observed["steps"])

    @cached_property
    def operations(self) -> Mapping[str, Callable[[str, Step, Step], None]]:
        """What each kind of step does, given where it stands, its inputs and its results."""
        tables = Tables(self.running, self.fields, self.clients.sent_from)
        rows = Rows(self.running, self.fields)
        return {
            "attach": self.clients.attach,
            "detach": lambda _, step, __: self.clients.detach(step),
            "send": self.clients.send,
            "received_total": self.clients.received_total,
            "broker_log": self.clients.broker_log,
            "routes": tables.routes,
            "addresses": tables.addresses,
            "probe": tables.probe,
            "config": rows.config,
            "log_grep": self._log_grep,
            "kill": self._kill,
            "stop_broker": self._stop_broker,
            "start_router": self._start_router,
        }

    def replay(self) -> Fields:
        """Replay all steps. A step whose inputs are not understood is passed over, and so are
        those after it that build on it.
        """
        recorded = {step["step"]: step for step in self.observed["steps"]}
        unknown = "; ".join(problems_of_case(self.scenario))
        broken = f"the case has an unknown {unknown}" if unknown else ""
        for step in self.scenario["steps"]:
            seen = recorded.pop(step["step"], {})
            results = {name: value for name, value in seen.items() if name not in ECHO}
            number = leaves(results)
            where = f"step {step['step']} ({step['op']})"
            if broken:
                self.fields.pass_over(broken, number)
                continue
            reason = self._not_understood(step, seen)
            if reason:
                self.fields.pass_over(f"{where}: {reason}", number)
            else:
                reason = self._replay_one(where, step, seen)
            if reason and (step["op"] not in OPERATIONS or OPERATIONS[step["op"]].changes):
                broken = f"steps after {where}"
        for left in recorded.values():
            results = {name: value for name, value in left.items() if name not in ECHO}
            self.fields.pass_over(
                f"step {left['step']} ({left['op']}) has no inputs", leaves(results)
            )
        return self.fields

    def _not_understood(self, step: Step, seen: Step) -> str:
        problems = problems_of_step(step, self.scenario)
        if problems:
            return ", ".join(problems)
        missing = sorted(OPERATIONS[step["op"]].needs_results - seen.keys())
        return f"no result {', '.join(missing)}" if missing else ""

    def _replay_one(self, where: str, step: Step, seen: Step) -> str:
        """Replay a step; the reason if that failed, which is a difference."""
        try:
            self.operations[step["op"]](where, step, seen)
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            self.fields.different.append(f"{where} cannot be replayed: {error!r}")
            return repr(error)
        for name in sorted(seen.keys() - set(ECHO) - OPERATIONS[step["op"]].results):
            self.fields.leave_out(f"{step['op']} has an unknown field {name}", leaves(seen[name]))
        return ""

    def _kill(self, where: str, step: Step, seen: Step) -> None:
        self.running.kill(step["routers"])
        self.running.wait(step.get("expect_nodes", {}))
        self.clients.lose()

    def _stop_broker(self, where: str, step: Step, seen: Step) -> None:
        self.running.stop(step["brokers"])
        self.running.wait(step.get("expect_nodes", {}))
        self.clients.lose()

    def _start_router(self, where: str, step: Step, seen: Step) -> None:
        for key in started(step):
            self.clients.start(key, reattach=step.get("reattach", False), step=step["step"])
        self.running.wait(step.get("expect_nodes", {}))

    def _log_grep(self, where: str, step: Step, seen: Step) -> None:
        for key, lines in seen["log"].items():
            config = self.folder / self.scenario["routers"][key]["config"]
            starts, unexplained, unsaid, unknown = explained_log(config, lines)
            if key in seen.get("started", {}):
                self.fields.compare(f"{where} {key} started", seen["started"][key], starts)
            if unknown:
                self.fields.leave_out("log lines of a kind that no finding stands for", unknown)
            self.fields.compare(f"{where} {key} lines without a finding", [], unexplained)
            self.fields.compare(f"{where} {key} findings without a line", [], unsaid)
