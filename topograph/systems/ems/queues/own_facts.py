"""What the files of each server say of queues, read when it is asked for: of a server with many
queues only the entries that say something about the one in question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cache

from topograph.facts import Fact
from topograph.facts.ems import EmsBridge, EmsServer
from topograph.systems.ems.destinations.subscribers import Facts, facts_about, in_use
from topograph.systems.ems.queues.model import (
    QUEUE_FACTS,
    EmsQueue,
    Standing,
    main_file,
    queue_at,
)

ONE_BY_ONE = 3
"""Queues of one server that are asked about one at a time; with the next one all that its files
say is read.
"""


class QueueFacts:
    """The facts of the configurations in use, by server and queue. ``facts`` are those of the
    network.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._about: dict[tuple[str, str], list[Fact]] = {}
        self._whole: dict[str, list[Fact]] = {}
        self._asked: Counter[str] = Counter()
        self.main = cache(self._main)
        self.bridges = cache(self._bridges)

    def expect(self, places: Collection[tuple[str, str]]) -> None:
        """Say which queues of which servers will be asked about: the facts of several are read
        together.
        """
        new = {(server, name) for server, name in places if not self._is_known(server, name)}
        if len(new) < 2:
            return
        servers = frozenset(server for server, _ in new)
        used = _by_server(facts_about(self._facts, servers, {name for _, name in new}), servers)
        self._about.update({place: used[place[0]] for place in new})
        self._read_whole(
            server
            for server, name in new
            if queue_at(server, used[server], name).standing is Standing.ABSENT
        )

    def about(self, server: str, name: str) -> Sequence[Fact]:
        """The main file of a server, its groups, and at least the entries and grants whose
        pattern matches the queue.
        """
        if not self._is_known(server, name):
            self._asked[server] += 1
            if self._asked[server] > ONE_BY_ONE:
                self._read_whole([server])
            else:
                self._about[server, name] = in_use(facts_about(self._facts, server, [name]))
        return self._whole[server] if server in self._whole else self._about[server, name]

    def queue(self, server: str, name: str) -> EmsQueue:
        """What a queue is at a server; that no entry allows it names those that are alike."""
        found = queue_at(server, self.about(server, name), name)
        if found.standing is not Standing.ABSENT:
            return found
        self._read_whole([server])
        return queue_at(server, self._whole[server], name)

    def _is_known(self, server: str, name: str) -> bool:
        return server in self._whole or (server, name) in self._about

    def _read_whole(self, servers: Iterable[str]) -> None:
        """All that the files of some servers say, where that was not read yet."""
        if new := frozenset(servers) - self._whole.keys():
            self._whole.update(_by_server(self._facts(QUEUE_FACTS, new), new))

    def _main(self, server: str) -> EmsServer | None:
        """The main file of a server in use."""
        return main_file(in_use(self._facts(("server",), server)))

    def _bridges(self, server: str) -> list[EmsBridge]:
        """The bridges of a server in use."""
        own = in_use(self._facts(("server", "bridge"), server))
        return [fact for fact in own if isinstance(fact, EmsBridge)]


def _by_server(facts: Iterable[Fact], servers: Iterable[str]) -> dict[str, list[Fact]]:
    """The facts in use of each of some servers."""
    found: dict[str, list[Fact]] = {server: [] for server in servers}
    for fact in facts:
        found[fact.server].append(fact)
    return {server: in_use(own) for server, own in found.items()}
