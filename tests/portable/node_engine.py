"""The engine of pages in node: one process for all networks and questions of a test."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from portable.node import ENGINE, NODE

_LOOP = """
import { createInterface } from "node:readline";
let engine = null;
const thrown = (error) => ({answered: true, answer: {thrown: String(error.stack)}});
const attempt = (run) => { try { return run(); } catch (error) { return thrown(error); } };
createInterface({input: process.stdin}).on("line", (line) => {
  const {data, ask} = JSON.parse(line);
  if (data) {
    const made = attempt(() => topographEngine(data));
    engine = made.ask ? made : {ask: () => made};
  }
  const begun = performance.now();
  const answers = ask.map((asked) => attempt(() => engine.ask(asked)));
  const spent = performance.now() - begun;
  const exact = (_, value) => typeof value === "bigint" ? JSON.rawJSON(String(value)) : value;
  process.stdout.write(JSON.stringify({answers, spent}, exact) + "\\n");
});
"""
"""What the engine throws is an answer that equals none."""


class NodeEngine:
    """Asks one network at a time; ``load`` changes it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._data: Mapping[str, Any] | None = None
        self.spent = 0.0
        """Milliseconds that the answers of the last ``ask`` took."""

    def load(self, data: Mapping[str, Any]) -> None:
        """The network to ask from now on."""
        self._data = data

    def ask(self, questions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """What the engine says of each question."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"data": self._data, "ask": questions}
        self._data = None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the engine ended: its error is above"
        reply = json.loads(line)
        self.spent = reply["spent"]
        answers: list[dict[str, Any]] = reply["answers"]
        return answers


@contextmanager
def node_engine(folder: Path) -> Iterator[NodeEngine]:
    """An engine, its script written into ``folder``."""
    script = folder / "engine.mjs"
    address = (ENGINE / "engine.js").resolve().as_uri()
    script.write_text(f'import {{ topographEngine }} from "{address}";\n{_LOOP}', encoding="utf-8")
    with subprocess.Popen(
        [str(NODE), str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield NodeEngine(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(10)
