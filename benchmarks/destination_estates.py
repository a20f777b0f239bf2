"""Estates of EMS servers with many topics and queues, written as configuration folders; the same
seed gives the same files.

The servers and routes are those of ``estates.company``. Each server has 200 lines in its
topics.conf and 50 in its queues.conf: global topics (some as wildcards, each missing ``global`` at
one server of 97), topics of its own, ten global queues of its own, up to ten queues routed to a
neighbour, and queues that stay there. Every third server has bridges, every fifth durable
subscribers (and durables for a neighbour, where it opens a route), and routes have selectors on
``orders`` and on ``shared.1``.

::

    python benchmarks/destination_estates.py 100 /tmp/estate
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from estates import Estate, Link, company, section

TOPICS = 200
QUEUES = 50
SHARED = 100
"""Topics that most servers have as global ones."""
GAP = 97
"""Server N does not have ``shared.K`` as a global topic if N modulo this is K."""
HOMES = 10
"""Global queues that each server is the home of, and at most as many that it routes to
neighbours.
"""


@dataclass(frozen=True)
class DestinationEstate:
    """Servers, their links, and what each server has."""

    base: Estate

    @cached_property
    def number(self) -> dict[str, int]:
        return {server: number for number, server in enumerate(self.base.servers)}

    @cached_property
    def neighbours(self) -> dict[str, list[str]]:
        """Per server those that a route joins to it, by name."""
        found = defaultdict(list)
        for link in self.base.links:
            found[link.a].append(link.b)
            found[link.b].append(link.a)
        return {server: sorted(found[server]) for server in self.base.servers}

    @cached_property
    def opened(self) -> dict[str, list[Link]]:
        """Per server the routes in its own routes.conf."""
        found: dict[str, list[Link]] = {server: [] for server in self.base.servers}
        for link in self.base.links:
            found[link.a].append(link)
        return found

    def has(self, server: str, topic: int) -> bool:
        """Whether ``shared.<topic>`` is global at the server."""
        return self.number[server] % GAP != topic

    def carries(self, topic: int) -> Estate:
        """The links that a message to ``shared.<topic>`` may take, both ends having it as a
        global topic; without selectors.
        """
        links = [
            Link(link.a, link.b, link.zone, link.zone_type)
            for link in self.base.links
            if self.has(link.a, topic) and self.has(link.b, topic)
        ]
        return Estate(self.base.servers, tuple(links))

    def routed(self, server: str) -> list[tuple[str, str]]:
        """The queues that the server routes to a neighbour: (queue, home)."""
        return [
            (home_queue(home, place), home)
            for place, home in enumerate(self.neighbours[server][:HOMES])
        ]

    def bridges(self, server: str) -> bool:
        return self.number[server] % 3 == 0

    def durable(self, server: str) -> int | None:
        """The shared topic that the server has a durable subscriber on."""
        number = self.number[server]
        return number // 5 % SHARED if number % 5 == 0 else None

    def keeps(self, server: str) -> str | None:
        """The neighbour that the server stores ``orders`` for: the first that it opens a route
        to, where it has durable subscribers.
        """
        links = self.opened[server]
        return links[0].b if links and self.durable(server) is not None else None


BRIDGED = 7
"""The shared topic that bridges copy into queues."""
COPIED_TO = "queue:done.1"
"""Where they copy it to."""


def pattern(topic: int) -> str:
    """A line of topics.conf: every fifth one is a wildcard."""
    return f"shared.{topic}.>" if topic % 5 == 0 else f"shared.{topic}"


def name(topic: int) -> str:
    """A topic that ``pattern`` gives its properties to."""
    return pattern(topic).replace(">", "news")


def home_queue(server: str, place: int) -> str:
    return f"work.{place}.{server}"


def destination_estate(hubs: int, seed: int = 1) -> DestinationEstate:
    """Ten servers a hub."""
    return DestinationEstate(company(hubs, seed))


def write_destinations(estate: DestinationEstate, folder: Path) -> int:
    """One folder a server, with six files. Returns how many topics and queues were written."""
    written = 0
    for server in estate.base.servers:
        home = folder / server
        home.mkdir(parents=True)
        files = {
            "topics": list(_topics(estate, server)),
            "queues": list(_queues(estate, server)),
            "routes": [
                section(link).rstrip("\n") + _extra(estate, n, link)
                for n, link in enumerate(estate.opened[server])
            ],
            "bridges": list(_bridges(estate, server)),
            "durables": list(_durables(estate, server)),
        }
        written += len(files["topics"]) + len(files["queues"])
        main = [f"server = {server}", "listen = tcp://7222", "routing = enabled"]
        (home / "tibemsd.conf").write_text(
            "\n".join([*main, *(f"{name} = {name}.conf" for name in files), ""])
        )
        for file, lines in files.items():
            (home / f"{file}.conf").write_text("\n".join([*lines, ""]))
    return written


def _extra(estate: DestinationEstate, number: int, link: Link) -> str:
    """One more selector on every fourth route, if both ends have its topic as a global one."""
    both = estate.has(link.a, 1) and estate.has(link.b, 1)
    return (
        '\n  incoming_topic=shared.1 selector="amount < 1000000"\n'
        if both and number % 4 == 0
        else "\n"
    )


def _topics(estate: DestinationEstate, server: str) -> Iterator[str]:
    number = estate.number[server]
    yield "orders  global, maxbytes=64MB"
    for topic in range(SHARED):
        flag = "global, " if estate.has(server, topic) else ""
        yield f"{pattern(topic)}  {flag}maxbytes={number % 32 + 1}MB"
    for topic in range(TOPICS - SHARED - 1):
        yield f"local.{topic}.{server}  maxmsgs={topic + 1}"


def _queues(estate: DestinationEstate, server: str) -> Iterator[str]:
    routed = estate.routed(server)
    yield from (f"{home_queue(server, place)}  global, maxmsgs=10000" for place in range(HOMES))
    yield from (f"{queue}@{home}" for queue, home in routed)
    yield from (f"done.{place}  prefetch=5" for place in range(QUEUES - HOMES - len(routed)))


def _bridges(estate: DestinationEstate, server: str) -> Iterator[str]:
    if not estate.bridges(server):
        return
    yield (
        f'[topic:orders]\n  queue={home_queue(server, 0)} selector="amount > '
        f'{estate.number[server]}"'
    )
    yield f"[topic:{name(BRIDGED)}]\n  {COPIED_TO.replace(':', '=')}"
    for queue, home in estate.routed(server)[:1]:
        yield f"[queue:{home_queue(server, 1)}]\n  queue={queue}@{home}"


def _durables(estate: DestinationEstate, server: str) -> Iterator[str]:
    topic = estate.durable(server)
    if topic is None:
        return
    yield f"{name(topic)}  ledger-{server} clientid=ledger"
    yield f"orders  archive-{server} clientid=archive selector=\"region = 'north'\""
    if neighbour := estate.keeps(server):
        yield f"orders  {neighbour} route"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("hubs", type=int, help="ten servers each")
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    print(
        f"{write_destinations(destination_estate(given.hubs), given.folder):,} topics "
        f"and queues in {given.folder}"
    )
