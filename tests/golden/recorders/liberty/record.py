"""Record what the messaging engine of Open Liberty does with drawn estates.

Draws estates and questions from a seed, puts the questions to one server an estate, and writes
configurations, questions and outcomes into ``tests/golden/sibus/seed-SEED.json``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from golden.recorders.liberty.estates import CONTROL, CONTROL_SPACE, Ask, Estate, drawn
from golden.recorders.liberty.runtime import Runtime, prepared
from golden.recorders.liberty.server import Engine, started
from golden.recorders.processes import cache

GOLDEN = Path(__file__).resolve().parents[2] / "sibus"
ENGINE = "io.openliberty:openliberty-runtime:24.0.0.12, wasJmsServer-1.0"
PATIENCE = 1_200
"""Milliseconds until what has not come will not come."""
_CODE = re.compile(r"CWSI[A-Z]\d+[EWI]")

Outcome = dict[str, Any]


class ControlLost(Exception):
    """A message that must arrive did not: what else did not arrive proves nothing."""


class Recorder:
    """The questions of an estate, asked of the engine that runs it."""

    def __init__(self, engine: Engine, estate: Estate) -> None:
        self.engine, self.estate = engine, estate
        self._sent = 0

    def outcomes(self) -> Iterator[Outcome]:
        """What came of each question. Raises ControlLost."""
        for ask in self.estate.asks:
            got = getattr(self, f"_{ask['do']}")(ask)
            if ("at" in got and got["at"] is None) or "refused" in got:
                self._control()
            yield got

    def _send(self, ask: Ask) -> Outcome:
        number, way = self._number(), ask["way"]
        # JMS sends to the first of the path, and takes the destination for the last.
        given = self.engine.ask("send", ask["reliability"], to=way[-1], path=way[:-1], id=number)
        if "error" in given:
            return {"refused": _reasons(given["error"]), **self._found(number, 0)}
        got: Outcome = {}
        if times := ask.get("times", 0):
            taken = self.engine.ask(
                "take",
                times=times,
                patience=PATIENCE,
                space=self.estate.spaces,
                **{"from": way[-1]},
            )
            got["counts"] = taken["counts"]
            if taken.get("published"):
                published = taken["published"][0]
                return got | {key: published[key] for key in ("at", "reason", "problem")}
            if "error" in taken:
                got["not_taken"] = _reasons(taken["error"])
        return got | {"at": None, **self._found(number, PATIENCE)}

    def _fill(self, ask: Ask) -> Outcome:
        """Messages that nobody takes, until one is refused."""
        (name,), sent = ask["way"], []
        while True:
            number = self._number()
            given = self.engine.ask("send", "BEST_EFFORT_NONPERSISTENT", to=name, id=number)
            if "error" in given:
                break
            sent.append(number)
        for each in sent:
            self._found(each, PATIENCE)
        return {"taken": len(sent), "refused": _reasons(given["error"])}

    def _publish(self, ask: Ask) -> Outcome:
        subscribers = [(ask["topic"], ""), *ask["subscribers"]]
        given = self.engine.ask(
            "publish", ask["reliability"], to=ask["way"][-1], topic=ask["topic"],
            id=self._number(), patience=150,
            subscriber=[f"{topic}|{selector}" for topic, selector in subscribers],
            property=[_property(name, value) for name, value in ask["properties"].items()],
        )  # fmt: skip
        if "error" not in given:
            return {"copies": given["copies"]}
        # Nobody subscribes to what is not there or closed: what a publisher gets then, by itself.
        alone = self.engine.ask(
            "send", ask["reliability"], to=ask["way"][-1], topic=ask["topic"], id=self._number()
        )
        if "error" in alone:
            return {"refused": _reasons(alone["error"])}
        return {"not_subscribed": _reasons(given["error"])}

    def _temporary(self, ask: Ask) -> Outcome:
        given = self.engine.ask(
            "temporary", times=ask["times"], patience=PATIENCE, id=self._number()
        )
        return {
            "counts": given["counts"],
            "at": None if given["left"] is None else "temporary",
            "late": _reasons(given["late"]),
        }

    def _found(self, number: str, patience: int) -> Outcome:
        found = self.engine.ask("look", name=self.estate.queues, id=number, patience=patience)
        if "error" in found:
            raise RuntimeError(f"Queues cannot be looked at: {found['error']}")
        (one,) = found["found"] or [None]
        if one is None:
            return {}
        return {key: one[key] for key in ("at", "count", "reason", "problem")}

    def _control(self) -> None:
        """Raises ControlLost unless a queue and a topic of the estate work."""
        number = self._number()
        self.engine.ask("send", to=CONTROL, id=number)
        copies = self.engine.ask(
            "publish", to=CONTROL_SPACE, topic="t", id=number, patience=150, subscriber=["t|"]
        )
        if self._found(number, PATIENCE).get("at") != CONTROL or copies.get("copies") != [1]:
            raise ControlLost(f"{CONTROL} does not get message {number}")

    def _number(self) -> str:
        self._sent += 1
        return f"m{self._sent}"


def _property(name: str, value: object) -> str:
    kind = {bool: "bool", int: "int", float: "double"}.get(type(value), "text")
    return f"{name}:{kind}:{str(value).lower() if kind == 'bool' else value}"


def _reasons(causes: Sequence[dict[str, Any]]) -> list[list[object]]:
    """Of each exception of a chain the code of its message and the reason that the engine gives.
    Raises RuntimeError where the engine has no part in it."""
    found = [[code[0], one.get("reason")] for one in causes if (code := _CODE.match(one["text"]))]
    if len(found) < len(causes):
        raise RuntimeError(f"This is no answer of the engine: {causes}")
    return found


def recorded(runtime: Runtime, seed: int, outcomes: int, estates: int) -> dict[str, Any]:
    """Everything that came of a seed."""
    random = Random(seed)
    made = []
    for number in range(estates):
        estate = drawn(random, outcomes // estates)
        with started(runtime, estate.server_xml) as engine:
            got = list(Recorder(engine, estate).outcomes())
        made.append((estate, got))
        print(f"estate {number + 1} of {estates}: {len(got)} outcomes", file=sys.stderr)
    return {"engine": ENGINE, "seed": seed, "estates": made}


def text(found: dict[str, Any]) -> str:
    """The recording as JSON, with a line an outcome."""
    rows = []
    for estate, got in found["estates"]:
        lines = [
            f"   {json.dumps([ask, one], ensure_ascii=False)}"
            for ask, one in zip(estate.asks, got, strict=True)
        ]
        xml = json.dumps(estate.server_xml.splitlines(), indent=1).replace("\n", "\n  ")
        rows.append(f'  {{"server.xml": {xml},\n  "outcomes": [\n' + ",\n".join(lines) + "]}")
    head = f'{{"engine": {json.dumps(found["engine"])}, "seed": {found["seed"]},\n "estates": [\n'
    return head + ",\n".join(rows) + "]}\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Record one seed."""
    parser = argparse.ArgumentParser(prog="./dev record liberty", description=__doc__)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--outcomes", type=int, default=288, help="how many (default: 288)")
    parser.add_argument("--estates", type=int, default=4, help="servers started (default: 4)")
    parser.add_argument("--to", type=Path, default=GOLDEN, help="the folder of the recording")
    given = parser.parse_args(arguments)
    runtime = prepared(cache("liberty"))
    found = recorded(runtime, given.seed, given.outcomes, given.estates)
    given.to.mkdir(parents=True, exist_ok=True)
    file = given.to / f"seed-{given.seed}.json"
    file.write_text(text(found), encoding="utf-8")
    print(file)


if __name__ == "__main__":
    main()
