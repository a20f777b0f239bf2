"""A second reading of the rules of WebSphere MQ Everyplace, straight from mqe.md B3, and random
networks to compare with. Imports nothing of topograph.

A network is what ``given.queueManagers`` of the vectors is: a list of queue managers, each a
mapping. An end of a message is a tuple: its outcome and what that is about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

End = tuple[str, ...]
LOADED = ("A", "B", "C")
MANAGERS = (*LOADED, "X")
"""X is named and not loaded."""
NAMES = (*MANAGERS, "V")
"""V is only an alias, or the name of a via connection."""
QUEUES = ("q", "r")


class Kept(NamedTuple):
    """The queue that keeps a message until the next queue manager has it."""

    queue: str
    server: str
    peer: str


class Network:
    """Follows messages by the decision procedure."""

    def __init__(self, managers: Sequence[Mapping[str, Any]], *, triggered: bool) -> None:
        self.managers = {one["name"]: one for one in managers}
        self.triggered = triggered

    def put(self, at: str, queue: str, manager: str) -> set[End]:
        """The ends that are possible; several only where several store-and-forward queues accept
        the message.
        """
        return self.present(at, manager, queue, None, False, frozenset())

    def aliases(self, at: str) -> dict[str, str]:
        found = {
            one["name"]: one["target"]
            for one in self.managers[at]["connections"]
            if one["type"] == "alias"
        }
        return {**found, **self.managers[at]["aliases"]}

    def substituted(self, at: str, manager: str) -> str | None:
        """None for a circle."""
        aliases, seen = self.aliases(at), set()
        while manager in aliases:
            if manager in seen:
                return None
            seen.add(manager)
            manager = aliases[manager]
        return manager

    def match(self, at: str, manager: str, queue: str) -> list[Mapping[str, Any]]:
        own = self.managers[at]["queues"]

        def belongs(one: Mapping[str, Any]) -> bool:
            return one["type"] in ("local", "remote", "bridge") and one.get("qmgr", at) == manager

        exact = [one for one in own if belongs(one) and one["name"] == queue]
        alias = [one for one in own if belongs(one) and queue in one.get("aliases", [])]
        stores = [one for one in own if one["type"] == "saf" and manager in one["qmgrs"]]
        return exact[:1] or alias[:1] or stores

    def next(self, at: str, name: str) -> str | None:
        """The next queue manager; None where no connection leads there."""
        return self.hop(at, name)[0]

    def hop(self, at: str, name: str) -> tuple[str | None, bool]:
        """The next queue manager (None where no connection leads there), and whether it has to go
        on from there.
        """
        found = {
            one["name"]: one for one in self.managers[at]["connections"] if one["type"] != "alias"
        }
        aliases, seen, via = self.aliases(at), set(), False
        while name not in seen:
            seen.add(name)
            if name in found:
                if found[name]["type"] == "direct":
                    return name, via
                name, via = found[name]["via"], True
            elif name in aliases:
                name = aliases[name]
            else:
                return (name if via else None), via
        return None, via

    def unconnected(self, at: str, name: str) -> str:
        """Why a home-server queue of a queue manager cannot connect to its server, over all that
        via connections lead to; empty if it can (E-15, E-20).
        """
        passed = {at}
        while True:
            to, via = self.hop(at, name)
            if to is None:
                return "no connection"
            if not self.up(to):
                return "network"
            if not via or to not in self.managers:
                return ""
            meant = self.substituted(to, name)
            if to in passed or (meant == to and meant != name):
                return "no connection"
            passed.add(to)
            at, name = to, meant if meant is not None else name

    def up(self, name: str) -> bool:
        own = self.managers.get(name)
        return own is None or (own["running"] and bool(own["listeners"]))

    def discovers(self, at: str, manager: str, queue: str, seen: frozenset[Any]) -> str:
        """``yes``, ``unknown``, or the code of the rejection."""
        own = self.managers[at]
        if manager == at or own["codebase"] == "c" or not own["discovery"]:
            return "no_queue"
        to = self.next(at, manager)
        if to is None or not self.up(to):
            return "no_connection"
        return {True: "yes", False: "no_queue", None: "unknown"}[
            self.finds(to, manager, queue, seen)
        ]

    def finds(self, at: str, manager: str, queue: str, seen: frozenset[Any]) -> bool | None:
        if at not in self.managers:
            return None
        if (at, manager, queue) in seen:
            return False
        name = self.substituted(at, manager)
        if name is None:
            return False
        if self.match(at, name, queue):
            return True
        asked = self.discovers(at, name, queue, seen | {(at, manager, queue)})
        return None if asked == "unknown" else asked == "yes"

    def fails(self, code: str, kept: Kept | None, arrived: bool) -> set[End]:
        if kept is not None:
            return {("HELD", kept.queue, kept.server, f"rejected by {kept.peer}")}
        return {("REJECTED", "rejected_remote" if arrived else code)}

    def present(
        self,
        at: str,
        manager: str,
        queue: str,
        kept: Kept | None,
        arrived: bool,
        seen: frozenset[Any],
    ) -> set[End]:
        if at not in self.managers:
            return {("EXTERNAL", at)}
        if (at, manager, queue) in seen:
            return {("LOOP",)}
        seen |= {(at, manager, queue)}
        name = self.substituted(at, manager)
        if name is None:
            return self.fails("no_queue", kept, arrived)
        if name != manager:
            return self.present(at, name, queue, kept, arrived, seen)
        found = self.match(at, manager, queue)
        if not found:
            code = self.discovers(at, manager, queue, frozenset())
            if code == "unknown":
                return {("UNDETERMINED",)}
            if code != "yes":
                return self.fails(code, kept, arrived)
            return self.at_once(at, manager, queue, kept, arrived, seen)
        if found[0]["type"] == "saf":
            return set().union(*(self.stored(at, manager, queue, one, seen) for one in found))
        queue = found[0]["name"]
        match found[0]["type"], found[0].get("mode"):
            case "local", _:
                return {("DELIVERED", f"{queue}@{at}")}
            case "bridge", _:
                return {("EXTERNAL", manager)}
            case _, "sync":
                return self.at_once(at, manager, queue, kept, arrived, seen)
            case _:
                return self.forwarded(at, manager, queue, f"{queue}@{manager}", manager, seen)

    def at_once(
        self,
        at: str,
        manager: str,
        queue: str,
        kept: Kept | None,
        arrived: bool,
        seen: frozenset[Any],
    ) -> set[End]:
        to = self.next(at, manager)
        if to is None or not self.up(to):
            return self.fails("no_connection", kept, arrived)
        return self.present(to, manager, queue, kept, True, seen)

    def forwarded(
        self, at: str, manager: str, queue: str, store: str, toward: str, seen: frozenset[Any]
    ) -> set[End]:
        to = self.next(at, toward)
        if to is None:
            return {("HELD", store, at, "no connection")}
        if not self.up(to):
            return {("HELD", store, at, "network")}
        return self.present(to, manager, queue, Kept(store, at, to), True, seen)

    def stored(
        self, at: str, manager: str, queue: str, store: Mapping[str, Any], seen: frozenset[Any]
    ) -> set[End]:
        name = store["name"]
        if store["forwardTo"]:
            return self.forwarded(at, manager, queue, name, store["forwardTo"], seen)

        def held(reason: str) -> set[End]:
            return {("HELD", name, at, reason)}

        there = self.managers.get(manager)
        homes = (
            [one for one in there["queues"] if one["type"] == "home" and one["name"] == name]
            if there
            else []
        )
        home = next(
            (
                one
                for one in homes
                if (self.substituted(manager, one["homeServer"]) or one["homeServer"]) == at
            ),
            None,
        )
        if there is None or home is None:
            return held("no collector")
        if reason := self.unconnected(manager, home["homeServer"]):
            return held(reason)
        if not there["running"]:
            return held("network")
        if not home["timer"] and not self.triggered:
            return held("not triggered")
        local = [one for one in there["queues"] if one["type"] == "local"]
        found = [one for one in local if one["name"] == queue] or [
            one for one in local if queue in one["aliases"]
        ]
        return {("DELIVERED", f"{found[0]['name']}@{manager}")} if found else {("DLQ", manager)}


def _unique(entries: list[dict[str, Any]], *keys: str) -> list[dict[str, Any]]:
    """Of several entries of one name the first."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for one in entries:
        found.setdefault(tuple(one.get(key, "") for key in keys), one)
    return list(found.values())


@st.composite
def managers(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Three queue managers with few names, so that aliases, queues and lists meet often."""
    name, queue = st.sampled_from(NAMES), st.sampled_from(QUEUES)
    mostly = st.sampled_from([*[True] * 7, False])
    found = []
    for own in LOADED:
        connections = draw(
            st.lists(
                st.one_of(
                    st.builds(dict, name=st.sampled_from(MANAGERS), type=st.just("direct")),
                    st.builds(dict, name=name, type=st.just("direct")),
                    st.builds(dict, name=name, type=st.just("via"), via=name),
                    st.builds(dict, name=name, type=st.just("alias"), target=name),
                ),
                min_size=2,
                max_size=5,
            )
        )
        aliases = st.lists(st.sampled_from(["q", "s"]), max_size=1)
        queues = draw(
            st.lists(
                st.one_of(
                    st.builds(dict, type=st.just("local"), name=queue, aliases=aliases),
                    st.builds(
                        dict,
                        type=st.just("remote"),
                        name=queue,
                        qmgr=name,
                        mode=st.sampled_from(["sync", "async"]),
                        aliases=aliases,
                    ),
                    st.builds(
                        dict,
                        type=st.just("saf"),
                        name=st.sampled_from(["S", "T"]),
                        qmgrs=st.lists(name, min_size=1, max_size=2, unique=True),
                        forwardTo=st.none() | name,
                    ),
                    st.builds(
                        dict,
                        type=st.just("home"),
                        name=st.sampled_from(["S", "T"]),
                        homeServer=name,
                        timer=st.sampled_from([0, 0, 500]),
                    ),
                    st.builds(dict, type=st.just("bridge"), name=queue, qmgr=st.just("X")),
                ),
                min_size=2,
                max_size=6,
            )
        )
        named = [{**one, "of": one.get("qmgr", own)} for one in queues]
        found.append(
            {
                "name": own,
                "codebase": draw(st.sampled_from([*["java"] * 5, "c"])),
                "running": draw(mostly),
                "discovery": draw(mostly),
                "bridgeEnabled": True,
                "listeners": [{"name": "L", "port": 8081}] if draw(mostly) else [],
                "aliases": draw(st.dictionaries(st.sampled_from(["V", "X"]), name, max_size=1)),
                "connections": _unique(connections, "name"),
                "queues": [
                    {key: one[key] for key in one if key != "of"} for one in _distinct(named)
                ],
            }
        )
    return found


def _distinct(queues: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One store-and-forward queue of a name, one home-server queue of a name and server, one
    other queue of a name and queue manager.
    """
    stores = _unique([one for one in queues if one["type"] == "saf"], "name")
    homes = _unique([one for one in queues if one["type"] == "home"], "name", "homeServer")
    others = _unique([one for one in queues if one["type"] not in ("saf", "home")], "name", "of")
    kept = [*stores, *homes, *others]
    return [one for one in queues if any(one is other for other in kept)]
