"""What `reach` and `propagate` decide of servers left open, if the network is legal, holds in
every legal completion that a brute force finds (R20).

From a random legal network one or two servers are taken out. The brute force gives them further
routes, and puts further servers behind them, and follows messages over what is shown and what it
added, for as long as the whole stays legal: every pair of servers has at most one permitted path.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from brute_force.ems_estate import Estate, Link, simple_paths
from draws import draws
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import topograph
from topograph.questions.answers import NeededRoute, Undetermined

SOME = settings(
    max_examples=draws(36),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

MOST_UNSEEN = 3
"""Links that no file shows on one path of the brute force."""

BEHIND = ("w1", "w2")
"""Servers that no file names."""


@dataclass(frozen=True)
class Cut:
    """A legal network and the servers whose files are not loaded."""

    estate: Estate
    gone: frozenset[str]

    @property
    def shown(self) -> tuple[Link, ...]:
        return tuple(
            link for link in self.estate.links if not self.gone.issuperset(link.configured_on)
        )

    @property
    def named(self) -> frozenset[str]:
        """The servers that are not loaded and that loaded ones name."""
        return frozenset(end for link in self.shown for end in link.ends) & self.gone

    @property
    def servers(self) -> tuple[str, ...]:
        return tuple(
            one for one in self.estate.servers if one not in self.gone or one in self.named
        )

    def write(self, root: Path) -> None:
        self.estate.write(root)
        for server in self.gone:
            shutil.rmtree(root / server)


def legal(zones: dict[str, str], servers: tuple[str, ...], links: tuple[Link, ...]) -> bool:
    """R25, by all permitted paths."""
    estate = Estate(zones, servers, links)
    ends = [[path[-1] for path in simple_paths(estate, start)] for start in servers]
    return all(len(set(reached)) == len(reached) for reached in ends)


@st.composite
def cuts(draw: st.DrawFn, topics: tuple[tuple[str, ...], ...] = ((">",),)) -> Cut:
    servers = tuple("ABCDE"[: draw(st.integers(3, 5))])
    zones = {
        f"Z{n}": draw(st.sampled_from(["1hop", "1hop", "mhop"]))
        for n in range(draw(st.integers(1, 3)))
    }
    pairs = draw(
        st.lists(
            st.sampled_from(list(combinations(servers, 2))), unique=True, min_size=2, max_size=7
        )
    )
    links: tuple[Link, ...] = ()
    for left, right in pairs:
        configured = draw(st.sampled_from([(left,), (right,), (left, right)]))
        wider = (*links, Link((left, right), draw(st.sampled_from(sorted(zones))), configured))
        if legal(zones, servers, wider):
            links = wider
    gone = draw(st.sets(st.sampled_from(servers), min_size=1, max_size=2))
    known = {server: draw(st.sampled_from(topics)) for server in servers}
    return Cut(Estate(zones, servers, links, known), frozenset(gone))


def unseen_links(cut: Cut, zones: dict[str, str]) -> list[Link]:
    """The links that no loaded file need show: one of their ends is not loaded. Two in one zone
    need not be told apart beyond that.
    """
    silent = {*cut.named, *BEHIND}
    joined = {frozenset(link.ends) for link in cut.shown}
    pairs = [
        pair
        for pair in combinations((*cut.servers, *BEHIND), 2)
        if silent & {*pair} and frozenset(pair) not in joined
    ]
    return [
        Link(pair, zone, pair[:1])
        for pair in pairs
        for zone in zones
        if zone == "F" or pair != BEHIND
    ]


Use = tuple[str, str, str]
"""A link that a path takes of a server that is not loaded: the server, to which end of the path
the link leads (from or to), and its zone, where that is one of type 1hop that the server is shown
in.
"""


def over_unseen(
    cut: Cut, without: frozenset[str] = frozenset()
) -> Iterator[tuple[str, str, frozenset[Use]]]:
    """(from, to, unseen links) of every path over such in a legal network that has all that is
    shown, past none of the servers ``without``.

    Each run of unseen links passes a server that the files name: networks in which servers that
    nobody names join others are not thought of."""
    zones = {**cut.estate.zones, "F": "mhop"}
    everyone = (*cut.servers, *BEHIND)
    leaving: dict[str, list[tuple[str, Link, bool]]] = {one: [] for one in everyone}
    for links, unseen in ((cut.shown, False), (unseen_links(cut, zones), True)):
        for link in links:
            leaving[link.ends[0]].append((link.ends[1], link, unseen))
            leaving[link.ends[1]].append((link.ends[0], link, unseen))
    judged: dict[frozenset[Link], bool] = {}

    def is_legal(added: tuple[Link, ...]) -> bool:
        key = frozenset(added)
        if key not in judged:
            judged[key] = legal(zones, everyone, (*cut.shown, *added))
        return judged[key]

    def uses(
        path: tuple[str, ...], flags: tuple[bool, ...], added: tuple[Link, ...]
    ) -> frozenset[Use]:
        steps = [pair for pair, unseen in zip(pairwise(path), flags, strict=True) if unseen]
        return frozenset(
            (server, side, link.zone if link.zone in own[server] else "")
            for ends, link in zip(steps, added, strict=True)
            for server, side in zip(ends, ("to", "from"), strict=True)
            if server in cut.named
        )

    own = {server: shown_one_hop(cut, server) for server in cut.named}

    def follow(
        path: tuple[str, ...], last: Link | None, flags: tuple[bool, ...], added: tuple[Link, ...]
    ) -> Iterator[tuple[str, frozenset[Use]]]:
        for peer, link, unseen in leaving[path[-1]]:
            if peer in path or peer in without or (peer == BEHIND[1] and BEHIND[0] not in path):
                continue
            if last is not None and link.zone == last.zone and zones[link.zone] == "1hop":
                continue
            wider = (*added, link) if unseen else added
            if unseen and (len(wider) > MOST_UNSEEN or not is_legal(wider)):
                continue
            longer, told = (*path, peer), (*flags, unseen)
            if wider and peer not in BEHIND and _runs_pass(longer, told, cut.named):
                yield peer, uses(longer, told, wider)
            yield from follow(longer, link, told, wider)

    for start in set(cut.servers) - without:
        for end, used in follow((start,), None, (), ()):
            yield start, end, used


def shown_one_hop(cut: Cut, server: str) -> set[str]:
    """The 1hop zones that a server is shown in."""
    return {
        link.zone
        for link in cut.shown
        if server in link.ends and cut.estate.zones[link.zone] == "1hop"
    }


def _runs_pass(path: tuple[str, ...], flags: tuple[bool, ...], named: frozenset[str]) -> bool:
    """Whether every run of unseen links on a path passes one of the servers."""
    place = 0
    while place < len(flags):
        end = place
        while end < len(flags) and flags[end]:
            end += 1
        if end > place and named.isdisjoint(path[place : end + 1]):
            return False
        place = max(end, place + 1)
    return True


def answers(cut: Cut) -> dict[tuple[str, str], Undetermined]:
    """The servers that are left open, by (from, server)."""
    with tempfile.TemporaryDirectory() as folder:
        cut.write(Path(folder))
        network = topograph.read(folder)
        return {
            (one, entry.server): entry
            for one in cut.servers
            for entry in network.reach(one).undetermined
        }


@pytest.mark.slow
@SOME
@given(cuts())
def test_what_is_ruled_out_under_legality_is_in_no_legal_completion_and_all_else_is_in_one(
    cut: Cut,
) -> None:
    assume(cut.named and len(cut.servers) > len(cut.named) + 1)
    told = answers(cut)
    shown = Estate(cut.estate.zones, cut.servers, cut.shown)
    over_shown = {(start, path[-1]) for start in cut.servers for path in simple_paths(shown, start)}
    could = {(start, end) for start, end, _ in over_unseen(cut)}
    assert could.isdisjoint(over_shown)
    for pair, entry in told.items():
        decided = entry.decided_if
        if pair in over_shown:
            assert decided is not None, pair
            assert (decided.rule, decided.reached) == ("R6", True)
        elif pair in could:
            assert decided is None, pair
        elif decided is None:
            # Over two servers that are not loaded a path may take more unseen links than the brute
            # force follows.
            assert len(cut.named) > 1, pair
        else:
            assert (decided.rule, decided.reached) == ("R20", False)


def allowed(route: NeededRoute, zone: str) -> bool:
    """Whether a route that is needed may be in a zone (empty: any that the server is not in)."""
    return zone in route.zones if route.zones else zone not in route.except_zones


def named_uses(cut: Cut, pair: tuple[str, str], entry: Undetermined) -> list[list[set[Use]]]:
    """For each alternative that an answer names, and each link of it, the uses that it stands
    for.
    """
    side = {pair[0]: "from", pair[1]: "to"}
    return [
        [
            {
                (one.server, side[route.towards], zone)
                for zone in ("", *shown_one_hop(cut, one.server))
                if allowed(route, zone)
            }
            for route in one.routes
        ]
        for one in entry.would_need
        if one.legal
    ]


@pytest.mark.slow
@SOME
@given(cuts())
def test_each_link_that_is_named_can_change_the_answer_and_nothing_changes_it_without_one(
    cut: Cut,
) -> None:
    assume(cut.named and len(cut.servers) > len(cut.named) + 1)
    told = answers(cut)
    paths: dict[tuple[str, str], set[frozenset[Use]]] = {}
    for start, end, used in over_unseen(cut):
        paths.setdefault((start, end), set()).add(used)
    for pair, entry in told.items():
        named = named_uses(cut, pair, entry)
        if entry.decided_if is None:
            assert named, pair
        elif entry.decided_if.reached:
            assert not entry.would_need, pair
            continue
        else:
            assert not named, pair
            assert entry.would_need, pair
        for used in paths.get(pair, ()):
            assert any(all(link & used for link in links) for links in named), (pair, used)
        if len(cut.named) == 1:
            taken = frozenset().union(*paths.get(pair, ()))
            assert {use for links in named for link in links for use in link} <= taken, pair


@pytest.mark.slow
@SOME
@given(cuts(topics=((">",), (">",), ("news",))))
def test_what_a_message_would_need_is_on_every_path_that_a_legal_network_gives_it(
    cut: Cut,
) -> None:
    """Only servers at which the topic is global pass a message on; of those that are not loaded
    it may be.
    """
    topic = "orders.eu"
    assume(cut.named and len(cut.servers) > len(cut.named) + 1)
    without = frozenset(
        one
        for one in cut.servers
        if one not in cut.gone and cut.estate.global_topics[one] == ("news",)
    )
    paths: dict[tuple[str, str], set[frozenset[Use]]] = {}
    for start, end, used in over_unseen(cut, without):
        paths.setdefault((start, end), set()).add(used)
    with tempfile.TemporaryDirectory() as folder:
        cut.write(Path(folder))
        network = topograph.read(folder)
        doubtful = {(one, e.server) for one in cut.servers for e in network.reach(one).undetermined}
        told = {one: network.propagate(one, f"topic:{topic}") for one in cut.servers}
        traced = {one: network.trace(one, f"topic:{topic}") for one in cut.servers}
    assert all(told[one].undetermined == traced[one].undetermined for one in cut.servers)
    left_open = {(one, e.server): e for one in cut.servers for e in told[one].undetermined}
    for start, end in doubtful & paths.keys():
        if end in shown_to(cut, start):  # there is no second path
            continue
        entry, found = left_open[start, end], paths[start, end]
        assert entry.decided_if is None, (start, end)
        named = named_uses(cut, (start, end), entry)
        for used in found:
            assert any(all(link & used for link in links) for links in named), (start, end, used)


def shown_to(cut: Cut, start: str) -> set[str]:
    """The servers that shown links lead to."""
    shown = Estate(cut.estate.zones, cut.servers, cut.shown)
    return {path[-1] for path in simple_paths(shown, start)}
