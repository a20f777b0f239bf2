"""What a question works on: one network of one snapshot, its graphs, and an engine for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from topograph.did_you_mean import did_you_mean
from topograph.engines import Engine
from topograph.errors import NotApplicable, UnknownServer
from topograph.forwarding.graph import ForwardingGraph
from topograph.questions.answers import Caution
from topograph.systems import answering

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.files import FileReport
    from topograph.findings import Finding
    from topograph.questions.question import Question
    from topograph.side_inputs import SideInputs


@dataclass
class Part:
    """The part of a network that one system runs: its graph and the engine that walks it."""

    graph: ForwardingGraph
    engine: Engine
    kept: dict[str, object] = field(default_factory=dict)
    """What its system has worked out of the facts for one question and needs again for the next."""

    @property
    def system(self) -> str:
        return self.graph.system


class FactSource:
    """Where facts, findings and files of the network come from; loaded only when a question needs them."""

    def __init__(
        self,
        facts: Callable[[Sequence[str], str], Sequence[Fact]],
        findings: Callable[[], Sequence[Finding]],
        files: Callable[[], Sequence[FileReport]],
    ) -> None:
        self.facts = facts
        self._findings, self._files = findings, files

    @cached_property
    def findings(self) -> Sequence[Finding]:
        return self._findings()

    @cached_property
    def files(self) -> Sequence[FileReport]:
        return self._files()


@dataclass
class Model:
    """One network of one snapshot. ``warnings`` are about how it was opened and go into every answer; ``redaction`` is that of the answers."""

    snapshot: str
    network: str
    parts: Sequence[Part]
    source: FactSource
    side_inputs: SideInputs
    warnings: tuple[Caution, ...] = ()
    redaction: str = ""

    @cached_property
    def _part_of(self) -> dict[str, Part]:
        return {server.name: part for part in reversed(self.parts) for server in part.graph.servers}

    def server_names(self) -> tuple[str, ...]:
        """All servers and routers, by name, those included that are only named by others."""
        return tuple(sorted(self._part_of))

    def part_of(self, server: str) -> Part:
        """The part a server belongs to. Raises UnknownServer with the nearest names."""
        part = self._part_of.get(server)
        if part is None:
            hint = did_you_mean(server, self._part_of) or " `topograph show servers` lists them."
            raise UnknownServer(f"No server is called {server!r} in network {self.network}.{hint}")
        return part

    def pair(self, first: str, second: str) -> Part | None:
        """The part both servers belong to, None if they belong to different systems. Raises UnknownServer."""
        left, right = self.part_of(first), self.part_of(second)
        return left if left is right else None

    def part_with(self, offer: str, question: Question, server: str | None = None) -> Part:
        """The part (of ``server``, if one is named) whose system offers what a question asks of it. Raises NotApplicable, UnknownServer."""
        for part in self.parts if server is None else [self.part_of(server)]:
            if hasattr(answering(part.system), offer):
                return part
        present = ", ".join(part.system for part in self.parts) or "nothing"
        where = f"network {self.network} holds {present}"
        if server is not None:
            where = f"{server} runs {self.part_of(server).system}"
        systems = " and ".join(question.systems)
        raise NotApplicable(f"{question.name} is a question about {systems}; {where}.")

    def common(self, part: Part | None = None) -> dict[str, object]:
        """The fields every answer carries."""
        engine = part.engine.name if part else (self.parts[0].engine.name if self.parts else "memory")
        return {"snapshot": self.snapshot, "network": self.network, "engine": engine, "redaction": self.redaction}
