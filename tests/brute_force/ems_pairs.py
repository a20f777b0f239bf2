"""Fault-tolerant pairs, users of routes and grants on random EMS estates, and a second reading of
their rules (R6, R49, R50): which links come up, before and after a member fails, and what may cross
them. Nothing here uses topograph's own code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from brute_force.ems_estate import TOPICS, Estate, Link, estates, simple_paths
from hypothesis import strategies as st

SENDS = "subscribe,durable"
TAKES = "publish"


@dataclass(frozen=True)
class Paired:
    """An estate whose servers may be pairs (``members``: 1 or 2), name one or all members in the
    urls of their routes (``named``: by server and neighbour the members), ask who connects
    (``asking``), know ``users``, and grant (``grants``: by server, topic and user the permissions)
    on ``secure`` topics."""

    estate: Estate
    members: Mapping[str, int]
    named: Mapping[tuple[str, str], tuple[int, ...]]
    asking: frozenset[str]
    users: Mapping[str, frozenset[str]]
    secure: frozenset[tuple[str, str]]
    grants: Mapping[tuple[str, str, str], str]

    def write(self, root: Path) -> None:
        self.estate.write(root)
        for server in self.estate.servers:
            folder = root / server
            for member in range(1, self.members[server] + 1):
                own = folder if member == 1 else root / f"{server}2"
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
        )
        every = dict.fromkeys(self.estate.servers, (">",))
        return replace(self.estate, links=links, denied=denied, global_topics=every)

    def _grants(self, server: str, topic: str, user: str, wanted: str) -> bool:
        if server not in self.asking or (server, topic) not in self.secure:
            return True
        held = self.grants.get((server, topic, user), "").split(",")
        return set(wanted.split(",")) <= set(held)


@st.composite
def paired_estates(draw: st.DrawFn) -> Paired:
    drawn = draw(estates(most_servers=5))
    estate = replace(drawn, links=tuple(replace(link, selectors=()) for link in drawn.links))
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


def hops_from(estate: Estate, start: str) -> dict[str, int]:
    """The servers reached, with the hops of the shortest permitted path."""
    found: dict[str, int] = {}
    for path in simple_paths(estate, start):
        found[path[-1]] = min(len(path) - 1, found.get(path[-1], 99))
    return found
