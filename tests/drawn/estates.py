"""Drawing from a number: what the estates of all systems share."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

Choice = TypeVar("Choice")
Question = tuple[str, tuple[Any, ...], dict[str, Any]]
"""A method of a network with its words and further parameters."""


SHOWN = (
    *("access", "bridges", "channels", "connections", "destinations", "durables", "factories"),
    *("files", "findings", "interests", "links", "queues", "routes", "routing-paths"),
    *("selectors", "servers", "subscribers", "zones"),
)


def asked_besides(at: random.Random, servers: Sequence[str]) -> Iterator[Question]:
    """Questions about any estate with the options that narrow their answers."""
    first, last = servers[0], servers[-1]
    yield "check", (), {"server": at.choice(servers)}
    yield "check", (), {"severity": at.choice(("error", "warning", "info"))}
    yield "cycles", (), {"strict": True}
    yield "hops", (last, first), {}
    yield "reach", (first, last), {"reply": at.random() < 0.5}
    yield "reach", (last, first), {}
    yield "paths", (last, first, at.choice((1, 2, 3))), {}
    for what in SHOWN:
        yield "show", (what,), {"server": at.choice(servers)} if at.random() < 0.5 else {}
    gone = sorted({at.choice(servers) for _ in range(2)})
    yield "impact", ([f"server:{one}" for one in gone],), {}


class DrawnEstate(ABC):
    """``files`` by path, ``servers`` by name."""

    system = ""
    shown: tuple[str, ...] = ()

    def __init__(self, number: int) -> None:
        self._at = random.Random(f"{self.system} {number}")
        self.servers = list("ABCD"[: self._at.choice((2, 3, 3, 4))])
        self.files: dict[str, str] = {}

    def commands(self) -> list[tuple[str, str]]:
        """Commands with the server that each is given to."""
        return []

    def questions(self) -> Iterator[Question]:
        """What is asked about every estate, then about messages and changes of this one."""
        first, last = self.servers[0], self.servers[-1]
        yield from ((method, (), {}) for method in ("check", "cycles", "hops_matrix"))
        yield from (("show", (what,), {}) for what in self.shown)
        yield "paths", (first, last), {}
        for server in self.servers:
            yield "reach", (server,), {}
        yield "impact", (), {"sweep": True}
        yield "impact", ([f"server:{self._one(self.servers)}"],), {}
        yield from self._messages()
        yield from self._changes()

    @abstractmethod
    def _messages(self) -> Iterator[Question]:
        """What is asked about messages of this estate."""

    def _changes(self) -> Iterator[Question]:
        yield from ()

    def _policy(self, destination: str) -> str:
        first, last = self.servers[0], self.servers[-1]
        rules = (
            f"reaches: {{from: {first}, to: {last}}}",
            f"never_reaches: {{from: {last}, to: '*'}}",
            f"delivers: {{from: {first}, destination: '{destination}', to: {last}}}",
            f"never_delivers: {{from: {first}, destination: '{destination}', to: '{last}'}}",
            "max_hops: {hops: 1}",
            "no_loss: true",
        )
        lines = ["policies:"]
        for number, one in enumerate(self._at.sample(rules, 2)):
            lines += [f"  - id: p{number}", f"    {one}"]
        return "\n".join(lines) + "\n"

    def _one(self, of: Sequence[Choice]) -> Choice:
        return self._at.choice(of)

    def _often(self, share: float) -> bool:
        return self._at.random() < share

    def _some(self, of: Sequence[Choice], most: int) -> list[Choice]:
        return self._at.sample(list(of), self._at.randint(0, min(most, len(of))))

    def _if(self, share: float, *texts: str) -> str:
        """One of some texts with a blank before it, or nothing."""
        return f" {self._one(texts)}" if self._often(share) else ""
