"""Queues and bridges on random EMS estates, and a second reading of their rules (R100-R114) by
plain recursion: nothing here uses topograph's own code.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from brute_force.ems_estate import SELECTORS, TOPICS, Estate, Link, estates, passes, simple_paths
from hypothesis import strategies as st

QUEUES = ("q1", "q2")

MOST = 60
"""Copies up to which a message is followed here."""


class TooMany(Exception):
    """A message of more copies than this reading follows."""


@dataclass(frozen=True)
class Bridge:
    source: str
    target: str
    selector: str = ""


@dataclass(frozen=True)
class Bridged:
    """An estate with queues and bridges. ``entries``: server to queue to its owner;
    ``consumers``: queue to the one server with a consumer of it; ``subscribers``: (server,
    topic)."""

    estate: Estate
    entries: Mapping[str, Mapping[str, str]]
    bridges: Mapping[str, tuple[Bridge, ...]]
    consumers: Mapping[str, str]
    subscribers: tuple[tuple[str, str], ...]
    durables: tuple[tuple[str, str, str], ...] = ()
    """(server, topic, selector): each a static durable of its own client."""
    lacking: frozenset[tuple[str, str]] = frozenset()
    """(server, topic): no entry allows the topic there."""
    secure_queues: frozenset[tuple[str, str]] = frozenset()
    """(server, queue)."""
    barred: frozenset[tuple[str, str, str]] = frozenset()
    """(from, to, queue): the second server does not let the first one send to the queue."""
    down: tuple[Link, ...] = ()
    """The links that are configured and do not come up."""

    def write(self, root: Path) -> None:
        self.estate.write(root)
        for server in self.estate.servers:
            folder = root / server
            (folder / "queues.conf").write_text(self.queues_file(server), encoding="utf-8")
            (folder / "bridges.conf").write_text(self.bridges_file(server), encoding="utf-8")
            with (folder / "tibemsd.conf").open("a", encoding="utf-8") as main:
                main.write("queues = queues.conf\nbridges = bridges.conf\n")
            own = [(topic, selector) for at, topic, selector in self.durables if at == server]
            if own:
                kept = [durable_line(topic, selector) for topic, selector in own]
                (folder / "durables.conf").write_text(
                    "".join(f"{line}\n" for line in kept), encoding="utf-8"
                )
                with (folder / "tibemsd.conf").open("a", encoding="utf-8") as main:
                    main.write("durables = durables.conf\n")

    def queues_file(self, server: str) -> str:
        lines = []
        for queue, owner in self.entries[server].items():
            secure = ["secure"] if (server, queue) in self.secure_queues else []
            name, flags = (queue, ["global"]) if owner == server else (f"{queue}@{owner}", [])
            lines.append(" ".join([name, ",".join([*flags, *secure])]).rstrip() + "\n")
        return "".join(lines)

    def bridges_file(self, server: str) -> str:
        lines = []
        for bridge in self.bridges[server]:
            selector = f' selector="{bridge.selector}"' if bridge.selector else ""
            target = bridge.target.replace(":", "=", 1)
            lines.append(f"[{bridge.source}]\n  {target}{selector}\n")
        return "".join(lines)


def durable_line(topic: str, selector: str) -> str:
    """A durable of durables.conf, with a name of its own."""
    name = f"d{hash_of(topic + selector)}"
    return f"{topic} {name}" + (f' selector="{selector}"' if selector else "")


def hash_of(text: str) -> int:
    """The same number for the same text in every process."""
    return zlib.crc32(text.encode())


@st.composite
def bridged_estates(draw: st.DrawFn) -> Bridged:
    estate = draw(estates(most_servers=4))
    homes = {queue: draw(st.sampled_from(estate.servers)) for queue in QUEUES}
    entries: dict[str, dict[str, str]] = {}
    bridges: dict[str, tuple[Bridge, ...]] = {}
    names = [*(f"topic:{name}" for name in TOPICS[::2]), *(f"queue:{name}" for name in QUEUES)]
    for server in estate.servers:
        having = draw(st.sets(st.sampled_from(QUEUES)))
        entries[server] = {
            queue: homes[queue] for queue in QUEUES if homes[queue] == server or queue in having
        }
        drawn = draw(
            st.lists(
                st.tuples(st.sampled_from(names), st.sampled_from(names)), unique=True, max_size=2
            )
        )
        own = [
            name
            for name in names
            if name.startswith("topic:") or name.removeprefix("queue:") in entries[server]
        ]
        bridges[server] = tuple(
            Bridge(source, target, draw(st.sampled_from(["", "", *sorted(SELECTORS)])))
            for source, target in drawn
            if source != target and target in own
        )
    consumers = {
        queue: draw(st.sampled_from(estate.servers))
        for queue in draw(st.sets(st.sampled_from(QUEUES)))
    }
    at = st.tuples(st.sampled_from(estate.servers), st.sampled_from(TOPICS[::2]))
    return Bridged(
        estate, entries, bridges, consumers, tuple(draw(st.lists(at, unique=True, max_size=5)))
    )


@dataclass
class Ends:
    """What comes of a message: copies by (server, destination), queues where it is stuck or held
    until a link is up, destinations that it goes round to.
    """

    delivered: Counter[tuple[str, str]] = field(default_factory=Counter)
    stuck: set[tuple[str, str]] = field(default_factory=set)
    held: set[tuple[str, str]] = field(default_factory=set)
    refused: set[tuple[str, str]] = field(default_factory=set)
    round: set[tuple[str, str]] = field(default_factory=set)
    copies: int = 0


@dataclass(frozen=True)
class Reading:
    """The second reading of what an estate does with one message."""

    given: Bridged
    values: Mapping[str, object]

    def send(self, server: str, destination: str) -> Ends:
        ends = Ends()
        self._send(server, destination, ends, 1, None)
        return ends

    def _send(
        self,
        server: str,
        destination: str,
        ends: Ends,
        times: int,
        before: tuple[tuple[str, str], ...] | None,
    ) -> None:
        """``before`` are the places of the copies it comes from; None for the message itself."""
        arrive = self._topic if destination.startswith("topic:") else self._queue
        for at, had in arrive(server, destination, ends, times).items():
            if before is not None and at == server:
                continue
            for bridge in self.given.bridges[at]:
                if bridge.source != destination or (
                    bridge.selector and not SELECTORS[bridge.selector](self.values)
                ):
                    continue
                onward = () if before is None else (*before, (server, destination))
                if (at, bridge.target) in onward:
                    ends.round.add((at, bridge.target))
                    continue
                ends.copies += 1
                if ends.copies > MOST:
                    raise TooMany
                self._send(at, bridge.target, ends, had, onward)

    def _topic(self, server: str, destination: str, ends: Ends, times: int) -> dict[str, int]:
        """The servers that get a publication, and how often: over how many links it comes in
        there.
        """
        topic = destination.removeprefix("topic:")
        if (server, topic) in self.given.lacking:
            ends.refused.add((server, topic))
            return {}
        over: dict[str, set[str]] = {}
        estate = self.given.estate
        for path in simple_paths(estate, server):
            hops = pairwise(path)
            if all(
                passes(estate, here, there, topic, self.values) for here, there in hops
            ) and self._wants(path[-1], topic):
                for place, at in enumerate(path[1:], 1):
                    over.setdefault(at, set()).add(path[place - 1])
        had = {server: times, **{at: times * len(links) for at, links in over.items()}}
        for at, number in had.items():
            if (at, topic) in self.given.subscribers:
                ends.delivered[at, destination] += number
            for server_, topic_, selector in self.given.durables:
                if (server_, topic_) == (at, topic) and (
                    not selector or SELECTORS[selector](self.values)
                ):
                    ends.delivered[at, destination] += number
        return had

    def _wants(self, server: str, topic: str) -> bool:
        sources = [bridge.source for bridge in self.given.bridges[server]]
        held = any((at, of) == (server, topic) for at, of, _ in self.given.durables)
        return held or (server, topic) in self.given.subscribers or f"topic:{topic}" in sources

    def _queue(self, server: str, destination: str, ends: Ends, times: int) -> dict[str, int]:
        """The servers where a message is put on the queue: where it is sent, and its home."""
        queue = destination.removeprefix("queue:")
        owner = self.given.entries[server].get(queue)
        if owner is None:
            ends.refused.add((server, queue))
            return {}
        if owner != server and any({*link.ends} == {server, owner} for link in self.given.down):
            ends.held.add((server, queue))
            return {server: times}
        if owner != server and not self._carries(server, owner, queue):
            ends.stuck.add((server, queue))
            return {server: times}
        ends.delivered[self._consumer(queue, owner), destination] += times
        return {server: times, owner: times}

    def _consumer(self, queue: str, home: str) -> str:
        """The server at which a message on its home queue is taken; where nobody takes it, it is
        the home that keeps it.
        """
        at = self.given.consumers.get(queue, home)
        served = at == home or (
            self.given.entries[at].get(queue) == home and self._carries(home, at, queue)
        )
        return at if served else home

    def _carries(self, one: str, other: str, queue: str) -> bool:
        """Whether a message on a queue gets from one server to another (R103, R107)."""
        linked = any(set(link.ends) == {one, other} for link in self.given.estate.links)
        return linked and (one, other, queue) not in self.given.barred


def starts(given: Bridged) -> Iterator[tuple[str, str]]:
    """Each server with each destination that a message may be sent to."""
    for server in given.estate.servers:
        for name in (
            *(f"topic:{topic}" for topic in TOPICS[::2]),
            *(f"queue:{queue}" for queue in QUEUES),
        ):
            yield server, name
