"""Random networks against a second, naive reading of the rules (T-4, T-8, M-1, M-3 to M-5, A-11,
E-2 to E-4), which imports nothing of ours.
"""

from __future__ import annotations

import itertools
from collections import Counter

from draws import draws
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from systems.amq_interconnect.networks_of_messages import net, sent

TREATMENTS = ("closest", "balanced", "multicast")


class Naive:
    """One message in a small network. A result is a frozenset of (receiver, path) with numbers;
    ``results`` are all that can happen.
    """

    def __init__(self, case):
        self.interior, self.links, self.homes = case["interior"], case["links"], case["homes"]
        self.treatment, self.one_copy = case["treatment"], case["version"] in ("1.12", "3.1.0")
        self.receivers = {}
        for number, router in enumerate(case["receivers"]):
            self.receivers.setdefault(router, []).append(f"r{number}")
        self.trees = {router: self.dijkstra(router) for router in self.interior}

    def dijkstra(self, root):
        """T-4: per reachable router (cost, path); candidates in order (cost, id), a predecessor
        gives way to a smaller cost only.
        """
        found, candidates = {}, {root: (0, (root,))}
        while candidates:
            here = min(candidates, key=lambda router: (candidates[router][0], router))
            cost, path = found[here] = candidates.pop(here)
            for a, b, step in self.links:
                for one, other in ((a, b), (b, a)):
                    known = candidates[other][0] if other in candidates else None
                    if (
                        one == here
                        and other not in found
                        and (known is None or cost + step < known)
                    ):
                        candidates[other] = (cost + step, (*path, other))
        return found

    def edges(self, router):
        return [
            edge
            for edge, home in sorted(self.homes.items())
            if home == router and edge in self.receivers
        ]

    def hosts(self, router):
        """The other routers that have a destination and are reached."""
        return [
            other
            for other in self.interior
            if other != router
            and other in self.trees[router]
            and (other in self.receivers or self.edges(other))
        ]

    def hop(self, router, host):
        return self.trees[router][host][1][1]

    def is_valid_origin(self, origin, router, host):
        """T-8: the router is on the origin's path to the host."""
        path = self.trees[origin].get(host, (0, ()))[1]
        return origin not in (router, host) and router in path[:-1]

    def results(self, router):
        """All that can become of a message sent at a router; and whether any router chose twice
        in one of them.
        """
        if router in self.homes:
            home = self.homes[router]
            others = [
                one for one in [home, *self.edges(home)] if one != router and one in self.receivers
            ]
            up = [("up", home)] if home and (others or self.hosts(home)) else []
            return self.choose(router, [*self.own(router), *up], [], (), ())
        return self.at(router, (), (), "")

    def own(self, router):
        return [("receiver", name) for name in self.receivers.get(router, ())]

    def at(self, router, trace, path, came):
        if (
            len(trace)
            > max((len(way) - 1 for _, way in self.trees[router].values()), default=0) + 1
        ):
            return [([], [])]
        local = [
            *self.own(router),
            *(("edge", edge) for edge in self.edges(router) if edge != came),
        ]
        return self.choose(router, local, self.hosts(router), trace, path)

    def choose(self, router, local, hosts, trace, path):
        treatment = self.treatment[router]
        if treatment == "multicast":
            hops = {
                self.hop(router, host)
                for host in hosts
                if not (self.one_copy and trace) or self.is_valid_origin(trace[0], router, host)
            }
            ways = [*local, *(("hop", hop) for hop in sorted(hops - set(trace)))]
            each = [self.take(router, way, trace, path) for way in ways]
            return [
                (
                    [copy for copies, _ in picked for copy in copies],
                    [one for _, chosen in picked for one in chosen],
                )
                for picked in itertools.product(*each)
            ]
        ways = list(local)
        if not ways:
            if treatment == "balanced" and trace:
                hosts = [host for host in hosts if self.is_valid_origin(trace[0], router, host)]
            costs = {host: self.trees[router][host][0] for host in hosts}
            ways = [
                ("hop", self.hop(router, host))
                for host in hosts
                if costs[host] == min(costs.values())
            ]
        found = [
            (copies, [router, *chosen])
            for way in ways
            for copies, chosen in self.take(router, way, trace, path)
        ]
        return found or [([], [])]

    def take(self, router, way, trace, path):
        kind, name = way
        path = (*path, router)
        if kind == "receiver":
            return [([(name, path)], [])]
        if kind == "edge":
            own = self.own(name)
            if self.treatment[name] == "multicast":
                return [([(one, (*path, name)) for _, one in own], [])]
            return [([(one, (*path, name))], [name]) for _, one in own]
        passed = trace if router in self.homes else (*trace, router)
        return self.at(name, passed, path, router if kind == "up" else "")


@st.composite
def networks(draw, treatments):
    count = draw(st.integers(1, 6))
    interior = list("ABCDEF"[:count])
    pairs = list(itertools.combinations(interior, 2))
    drawn = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    links = [(*pair, draw(st.integers(1, 3))) for pair in drawn]
    homes = {edge: draw(st.sampled_from(interior)) for edge in "XY"[: draw(st.integers(0, 2))]}
    everybody = [*interior, *homes]
    return {
        "interior": interior,
        "links": links,
        "homes": homes,
        "treatment": draw(treatments(everybody)),
        "version": draw(st.sampled_from(["1.12", "1.19.0", "3.0.0", "3.1.0"])),
        "receivers": draw(st.lists(st.sampled_from(everybody), max_size=6)),
        "sender": draw(st.sampled_from(everybody)),
    }


def alike(routers):
    return st.sampled_from(TREATMENTS).map(lambda one: dict.fromkeys(routers, one))


def mixed(routers):
    return st.fixed_dictionaries({router: st.sampled_from(TREATMENTS) for router in routers})


def made(case):
    return net(
        {
            name: [("address", {"prefix": "q", "distribution": one})]
            for name, one in case["treatment"].items()
        },
        case["links"],
        [f"r{number} {router} q" for number, router in enumerate(case["receivers"])],
        edges=case["homes"],
        version=case["version"],
        fresh=False,
    )


def compare(case):
    naive = Naive(case).results(case["sender"])
    # which of its destinations a router takes the second time depends on the first, which the naive
    # reading does not remember
    assume(all(len(set(chosen)) == len(chosen) for _, chosen in naive))
    result = sent(made(case), case["sender"], "q")
    expected = {frozenset(Counter(copies).items()) for copies, _ in naive}
    if not result.credit:
        assert expected == {frozenset()}
        return
    found = {
        frozenset(
            ((name, path), number)
            for name, paths in course.received.items()
            for path, number in paths.items()
        )
        for course in result.courses
    }
    assert result.complete
    assert found == expected


@given(networks(alike))
@settings(max_examples=draws(75), deadline=None)
def test_networks_with_one_treatment_everywhere(case):
    compare(case)


@given(networks(mixed))
@settings(max_examples=draws(75), deadline=None)
def test_networks_in_which_every_router_has_its_own_treatment(case):
    compare(case)


@given(networks(alike), st.integers(1, 4))
@settings(max_examples=draws(36), deadline=None)
def test_promptly_settled_balanced_traffic_never_changes_its_router(case, count):
    """M-5: it takes turns among the own destinations of one router."""
    case = {**case, "treatment": dict.fromkeys(case["treatment"], "balanced")}
    assume(case["sender"] not in case["homes"])
    one = sent(made(case), case["sender"], "q")
    ends = {
        path[: len([router for router in path if router not in case["homes"]])]
        for path in all_paths(one)
    }
    many = sent(made(case), case["sender"], "q", count)
    for course in many.courses:
        used = {
            tuple(r for r in path if r not in case["homes"])
            for ways in course.received.values()
            for path in ways
        }
        assert len(used) <= 1
        assert used <= ends


def all_paths(result):
    return [path for course in result.courses for ways in course.received.values() for path in ways]
