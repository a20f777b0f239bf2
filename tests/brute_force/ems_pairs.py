"""Fault-tolerant pairs, users of routes and grants on random EMS estates, and a second reading of
their rules (R6, R45, R49, R50, R107, R110): which links come up, before and after a member fails,
what may cross them, and where the copies of bridges end. Nothing here uses topograph's own code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from brute_force.ems_bridges import QUEUES, Bridge, Bridged
from brute_force.ems_estate import SELECTORS, TOPICS, Estate, Link, estates, simple_paths
from hypothesis import strategies as st

SENDS = "subscribe,durable"
TAKES = "publish"


@dataclass(frozen=True)
class Paired:
    """An estate whose servers may be pairs (``members``: 1 or 2), name one or all members in the
    urls of their routes (``named``: by server and neighbour the members), ask who connects
    (``asking``), know ``users``, and grant (``grants``: by server, topic and user the permissions)
    on ``secure`` topics. ``lacking`` are the topics that no entry of a server allows."""

    estate: Estate
    members: Mapping[str, int]
    named: Mapping[tuple[str, str], tuple[int, ...]]
    asking: frozenset[str]
    users: Mapping[str, frozenset[str]]
    secure: frozenset[tuple[str, str]]
    grants: Mapping[tuple[str, str, str], str]
    lacking: frozenset[tuple[str, str]] = frozenset()

    def folders(self, root: Path) -> Iterator[tuple[str, int, Path]]:
        """Each member of each server, with its number and its folder."""
        for server in self.estate.servers:
            for member in range(1, self.members[server] + 1):
                yield server, member, root / (server if member == 1 else f"{server}2")

    def write(self, root: Path) -> None:
        self.estate.write(root)
        for server, member, own in self.folders(root):
            own.mkdir(exist_ok=True)
            for name, text in self._files(server, member).items():
                (own / name).write_text(text, encoding="utf-8")

    def _files(self, server: str, member: int) -> dict[str, str]:
        other = 3 - member
        pair = f"ft_active = {self._listen(server, other)}\n" if self.members[server] == 2 else ""
        asks = "enabled" if server in self.asking else "disabled"
        return {
            "tibemsd.conf": (
                f"server = {server}\nlisten = {self._listen(server, member)}\nrouting = enabled\n"
                f"{pair}authorization = {asks}\nroutes = routes.conf\ntopics = topics.conf\n"
                "users = users.conf\nacl = acl.conf\n"
            ),
            "topics.conf": "".join(
                f"{topic} global{',secure' if (server, topic) in self.secure else ''}\n"
                for topic in TOPICS
                if (server, topic) not in self.lacking
            ),
            "users.conf": "admin:\n" + "".join(f"{user}:\n" for user in sorted(self.users[server])),
            "acl.conf": "".join(
                f"TOPIC={topic} USER={user} PERM={permissions}\n"
                for (at, topic, user), permissions in sorted(self.grants.items())
                if at == server
            ),
            "routes.conf": "".join(self._routes(server)),
        }

    def _routes(self, server: str) -> list[str]:
        return [
            f"[{peer}]\n"
            f"  url = {','.join(self._listen(peer, one) for one in self.named[server, peer])}\n"
            f"  zone_name = {link.zone}\n  zone_type = {self.estate.zones[link.zone]}\n"
            + "".join(
                f'  {direction}_topic={pattern} selector="{selector}"\n'
                for owner, direction, pattern, selector in link.selectors
                if owner == server
            )
            for link in self.estate.links
            if server in link.configured_on
            for peer in link.ends
            if peer != server
        ]

    @staticmethod
    def _listen(server: str, member: int) -> str:
        return f"tcp://{server.lower()}{member}.example:7222"

    def comes_up(self, link: Link, active: Mapping[str, int]) -> bool:
        """Whether one of the sides that configure a link gets in at the other one, of which the
        member ``active`` works (any where it is not said): it names that member, and is a user
        there where the other side asks (R6, R50)."""
        for side in link.configured_on:
            (peer,) = (end for end in link.ends if end != side)
            named = peer not in active or active[peer] in self.named[side, peer]
            if named and (peer not in self.asking or side in self.users[peer]):
                return True
        return False

    def up(self, active: Mapping[str, int]) -> Estate:
        """The estate of the links that come up, with what grants stop (R49)."""
        links = tuple(link for link in self.estate.links if self.comes_up(link, active))
        denied = frozenset(
            (start, end, topic)
            for link in links
            for start, end in (link.ends, link.ends[::-1])
            for topic in TOPICS
            if not (
                self._grants(start, topic, end, SENDS) and self._grants(end, topic, start, TAKES)
            )
            or {(start, topic), (end, topic)} & self.lacking
        )
        every = dict.fromkeys(self.estate.servers, (">",))
        return replace(self.estate, links=links, denied=denied, global_topics=every)

    def _grants(self, server: str, topic: str, user: str, wanted: str) -> bool:
        if server not in self.asking or (server, topic) not in self.secure:
            return True
        held = self.grants.get((server, topic, user), "").split(",")
        return set(wanted.split(",")) <= set(held)


@st.composite
def paired_estates(draw: st.DrawFn, most_servers: int = 5, selecting: bool = False) -> Paired:
    estate = draw(estates(most_servers=most_servers))
    if not selecting:
        links = tuple(replace(link, selectors=()) for link in estate.links)
        estate = replace(estate, links=links)
    servers = estate.servers
    members = {server: draw(st.sampled_from([1, 1, 2])) for server in servers}
    named = {
        (side, peer): draw(st.sampled_from([(1,), (2,), (1, 2)] if members[peer] == 2 else [(1,)]))
        for link in estate.links
        for side in link.ends
        for peer in link.ends
        if side != peer
    }
    asking = frozenset(draw(st.sets(st.sampled_from(servers))))
    few = st.frozensets(st.sampled_from(servers), max_size=len(servers))
    users = {server: draw(few) - {server} for server in servers}
    secure = frozenset(
        (server, topic) for server in servers for topic in TOPICS if draw(st.booleans())
    )
    permissions = st.sampled_from(
        ["", "publish", "subscribe,durable", "subscribe", "publish,subscribe,durable"]
    )
    grants = {
        (server, topic, user): given
        for server in servers
        for topic in TOPICS
        for user in sorted(users[server])
        if (given := draw(permissions))
    }
    return Paired(estate, members, named, asking, users, secure, grants)


@dataclass(frozen=True)
class PairedBridges:
    """Pairs, users and grants, with bridges between topics and queues, to some that their server
    cannot have among them. ``sends``: by server, queue and user what is granted."""

    paired: Paired
    bridged: Bridged
    sends: Mapping[tuple[str, str, str], str]

    def write(self, root: Path) -> None:
        self.paired.write(root)
        for server, _, own in self.paired.folders(root):
            (own / "queues.conf").write_text(self.bridged.queues_file(server), encoding="utf-8")
            (own / "bridges.conf").write_text(self.bridged.bridges_file(server), encoding="utf-8")
            with (own / "tibemsd.conf").open("a", encoding="utf-8") as main:
                main.write("queues = queues.conf\nbridges = bridges.conf\n")
            with (own / "acl.conf").open("a", encoding="utf-8") as acl:
                acl.writelines(
                    f"QUEUE={queue} USER={user} PERM={permissions}\n"
                    for (at, queue, user), permissions in sorted(self.sends.items())
                    if at == server
                )

    def up(self, active: Mapping[str, int]) -> Bridged:
        """The estate of the links that come up, with what grants stop on topics and queues."""
        barred = frozenset(
            (start, end, queue)
            for start in self.paired.estate.servers
            for end in self.paired.asking
            for queue in QUEUES
            if (end, queue) in self.bridged.secure_queues
            and "send" not in self.sends.get((end, queue, start), "").split(",")
        )
        links = self.paired.estate.links
        return replace(
            self.bridged,
            estate=self.paired.up(active),
            lacking=self.paired.lacking,
            barred=barred,
            down=tuple(link for link in links if not self.paired.comes_up(link, active)),
        )


@st.composite
def paired_bridges(draw: st.DrawFn) -> PairedBridges:
    """Small estates of pairs: each message is followed from each server."""
    paired = draw(paired_estates(most_servers=4, selecting=True))
    servers = paired.estate.servers
    some = st.sampled_from([True, True, True, False])
    lacking = frozenset((at, topic) for at in servers for topic in TOPICS if not draw(some))
    names = [*(f"topic:{name}" for name in TOPICS[::2]), *(f"queue:{name}" for name in QUEUES)]
    homes = {queue: draw(st.sampled_from(servers)) for queue in QUEUES}
    entries = {
        server: {queue: homes[queue] for queue in QUEUES if draw(some) or (homes[queue] == server)}
        for server in servers
    }
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names)).filter(
        lambda pair: pair[0] != pair[1]
    )
    bridges = {
        server: tuple(
            Bridge(source, target, draw(st.sampled_from(["", "", *sorted(SELECTORS)])))
            for source, target in draw(st.lists(pairs, unique=True, max_size=3))
        )
        for server in servers
    }
    consumers = {
        queue: draw(st.sampled_from(servers)) for queue in draw(st.sets(st.sampled_from(QUEUES)))
    }
    secure = {(at, queue) for at in servers for queue in entries[at] if draw(st.booleans())}
    sends = {
        (at, queue, user): draw(st.sampled_from(["send", "receive", "send,receive"]))
        for at, queue in sorted(secure)
        for user in sorted(paired.users[at])
        if draw(st.booleans())
    }
    at = st.tuples(st.sampled_from(servers), st.sampled_from(TOPICS[::2]))
    subscribers = {one for one in draw(st.sets(at, max_size=5)) if one not in lacking}
    bridged = Bridged(
        paired.estate,
        entries,
        bridges,
        consumers,
        tuple(sorted(subscribers)),
        secure_queues=frozenset(secure),
    )
    return PairedBridges(replace(paired, lacking=lacking), bridged, sends)


def hops_from(estate: Estate, start: str) -> dict[str, int]:
    """The servers reached, with the hops of the shortest permitted path."""
    found: dict[str, int] = {}
    for path in simple_paths(estate, start):
        found[path[-1]] = min(len(path) - 1, found.get(path[-1], 99))
    return found
