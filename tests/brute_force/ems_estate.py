"""Random EMS estates and an independent brute force over them: nothing here uses topograph's own
code.

The brute force enumerates every server-simple path by R13 and R16 and answers from those paths
alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import strategies as st

SELECTORS = {
    "country = 'Canada'": lambda p: p.get("country") == "Canada" if "country" in p else None,
    "qty > 5": lambda p: p["qty"] > 5 if "qty" in p else None,
    "country IS NULL": lambda p: "country" not in p,
    "qty BETWEEN 1 AND 9 OR country = 'Canada'": lambda p: _or(
        1 <= p["qty"] <= 9 if "qty" in p else None,
        p["country"] == "Canada" if "country" in p else None,
    ),
    "NOT (country = 'Canada')": lambda p: p["country"] != "Canada" if "country" in p else None,
}
"""Selector text to what it means: a function of the properties to True, False or None (UNKNOWN)."""

PATTERNS = {
    ">": lambda t: True,
    "orders.>": lambda t: t.startswith("orders."),
    "orders.eu": lambda t: t == "orders.eu",
    "orders.*": lambda t: t.startswith("orders.") and t.count(".") == 1,
    "news": lambda t: t == "news",
}
"""Topic patterns to what they mean, for the topics below."""

TOPICS = ("orders.eu", "orders.eu.big", "news")


def _or(left: bool | None, right: bool | None) -> bool | None:
    if left or right:
        return True
    return None if None in (left, right) else False


@dataclass(frozen=True)
class Link:
    ends: tuple[str, str]
    zone: str
    configured_on: tuple[str, ...]
    selectors: tuple[tuple[str, str, str, str], ...] = ()
    """(server whose route it is, incoming or outgoing, topic pattern, selector)"""


@dataclass(frozen=True)
class Estate:
    zones: Mapping[str, str]
    servers: tuple[str, ...]
    links: tuple[Link, ...]
    global_topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    denied: frozenset[tuple[str, str, str]] = frozenset()
    """(from, to, topic) that permissions stop; written by whoever knows the permissions."""

    def write(self, root: Path) -> None:
        for server in self.servers:
            folder = root / server
            folder.mkdir(parents=True)
            (folder / "tibemsd.conf").write_text(
                (
                    f"server = {server}\nrouting = enabled\nroutes = routes.conf\ntopics = "
                    "topics.conf\n"
                ),
                encoding="utf-8",
            )
            lines = [f"{pattern} global" for pattern in self.global_topics.get(server, ())]
            (folder / "topics.conf").write_text("\n".join([*lines, ">"]) + "\n", encoding="utf-8")
            (folder / "routes.conf").write_text("".join(self._routes(server)), encoding="utf-8")

    def _routes(self, server: str) -> Iterator[str]:
        for link in self.links:
            if server in link.configured_on:
                peer = link.ends[1] if link.ends[0] == server else link.ends[0]
                yield f"[{peer}]\n  url = tcp://{peer}.example:7222\n"
                yield f"  zone_name = {link.zone}\n  zone_type = {self.zones[link.zone]}\n"
                for owner, direction, pattern, selector in link.selectors:
                    if owner == server:
                        yield f'  {direction}_topic={pattern} selector="{selector}"\n'


@st.composite
def estates(draw: st.DrawFn, most_servers: int = 6) -> Estate:
    zones = {
        f"Z{n}": draw(st.sampled_from(["1hop", "mhop"])) for n in range(draw(st.integers(1, 4)))
    }
    servers = tuple("ABCDEFGHI"[: draw(st.integers(2, most_servers))])
    pairs = [(a, b) for i, a in enumerate(servers) for b in servers[i + 1 :]]
    chosen = draw(
        st.lists(
            st.sampled_from(pairs),
            unique=True,
            min_size=1,
            max_size=min(len(pairs), len(servers) + 3),
        )
    )
    links = []
    for left, right in sorted(chosen):
        zone = draw(st.sampled_from(sorted(zones)))
        configured = draw(st.sampled_from([(left,), (right,), (left, right)]))
        selectors = tuple(
            (
                owner,
                draw(st.sampled_from(["incoming", "outgoing"])),
                pattern,
                draw(st.sampled_from(sorted(SELECTORS))),
            )
            for owner in configured
            for pattern in draw(
                st.lists(st.sampled_from(sorted(PATTERNS)), unique=True, max_size=2)
            )
        )
        links.append(Link((left, right), zone, configured, selectors))
    globals_ = {
        s: tuple(draw(st.lists(st.sampled_from(sorted(PATTERNS)), unique=True, max_size=3)))
        for s in servers
    }
    return Estate(zones, servers, tuple(links), globals_)


properties = st.fixed_dictionaries(
    {}, optional={"country": st.sampled_from(["Canada", "Mexico"]), "qty": st.integers(0, 12)}
)

Path_ = tuple[str, ...]


def simple_paths(estate: Estate, start: str) -> list[Path_]:
    """Every permitted path from ``start`` (R13, R16), longer than one server."""
    found: list[Path_] = []

    def extend(path: Path_, last: Link | None) -> None:
        for link in estate.links:
            if path[-1] not in link.ends:
                continue
            peer = link.ends[1] if link.ends[0] == path[-1] else link.ends[0]
            if peer in path:
                continue
            if last is not None and (
                link is last or (link.zone == last.zone and estate.zones[link.zone] == "1hop")
            ):
                continue
            found.append((*path, peer))
            extend((*path, peer), link)

    extend((start,), None)
    return found


def link_between(estate: Estate, left: str, right: str) -> Link:
    return next(link for link in estate.links if set(link.ends) == {left, right})


def passes(estate: Estate, start: str, end: str, topic: str, values: Mapping[str, object]) -> bool:
    """May a message to ``topic`` cross from ``start`` to ``end``? (R42, R49, R65, R69)"""
    if (start, end, topic) in estate.denied:
        return False
    for server in (start, end):
        if not any(PATTERNS[pattern](topic) for pattern in estate.global_topics.get(server, ())):
            return False
    for owner, direction, pattern, selector in link_between(estate, start, end).selectors:
        applies = (owner == start and direction == "outgoing") or (
            owner == end and direction == "incoming"
        )
        if applies and PATTERNS[pattern](topic) and SELECTORS[selector](values) is not True:
            return False
    return True
