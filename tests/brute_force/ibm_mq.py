"""Where a message ends that is put on a queue manager, by the decision procedure of ibm_mq.md C3
alone, with nothing of topograph.

An estate has the form of the vectors (``given``). Everything is looked for by going through
everything, and each course of events is followed by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

End = tuple[Any, ...]
"""How a course ends: outcome and what it is about."""


@dataclass(frozen=True)
class Ends:
    """All courses of a message: how the message itself may end, and its copies."""

    original: frozenset[End]
    copies: frozenset[End] = frozenset()

    def __or__(self, other: Ends) -> Ends:
        return Ends(self.original | other.original, self.copies | other.copies)


def only(*end: Any) -> Ends:
    return Ends(frozenset({end}))


class Rejected(Exception):
    """A put that the queue manager refuses, with the reason code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Came:
    """How a message came to a queue manager: over which channel, from where, with which header, and
    whether that is a channel of a cluster.
    """

    channel: str
    sender: str
    queue: str
    header: str
    clustered: bool = False


@dataclass
class Estate:
    """The queue managers of ``given``."""

    given: Mapping[str, Any]
    persistent: bool = True
    managers: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.managers = {one["name"]: one for one in self.given["queueManagers"]}

    # Objects

    def object(self, manager: str, name: str) -> Any:
        return next((one for one in self.managers[manager]["objects"] if one["name"] == name), None)

    def receivers(self, manager: str) -> list[tuple[str, Any]]:
        """(cluster, cluster-receiver channel)"""
        return [
            (one["attributes"]["CLUSTER"], one)
            for one in self.managers[manager]["channels"]
            if one["chltype"] == "CLUSRCVR"
        ]

    def clusters(self, manager: str) -> set[str]:
        return {cluster for cluster, _ in self.receivers(manager)}

    def advertised(self, manager: str, one: Any) -> set[str]:
        named = {get(one, "CLUSTER")}
        if listed := self.object(manager, get(one, "CLUSNL")):
            named |= set(listed["attributes"]["NAMES"])
        return named & self.clusters(manager) - {""}

    def advertisers(self, here: str, name: str, *, alias: bool) -> list[tuple[str, Any, Any]]:
        """(queue manager, object, channel to it) of what other members of the clusters advertise
        under a name.
        """
        found = []
        for manager in sorted(self.managers):
            one = self.object(manager, name)
            if manager == here or one is None or one["type"] == "QMODEL":
                continue
            if (one["type"] == "QREMOTE" and not get(one, "RNAME")) != alias:
                continue
            for cluster, channel in self.receivers(manager):
                if cluster in self.advertised(manager, one) & self.clusters(here):
                    found.append((manager, one, channel))
        return found

    # C3: resolve

    def put(self, manager: str, oqm: str, name: str) -> Ends:
        """An application puts a message."""
        try:
            return self.resolve(manager, oqm, name, frozenset(), None)
        except Rejected as rejected:
            return only("REJECTED", rejected.code)

    def arrive(self, manager: str, oqm: str, name: str, seen: frozenset[Any], came: Came) -> Ends:
        """M-12, and M-13 where it cannot be put."""
        try:
            return self.resolve(manager, oqm, name, seen, came)
        except Rejected as rejected:
            return self.not_put(manager, rejected.code, came)

    def not_put(self, manager: str, code: int, came: Came) -> Ends:
        receiver = self.channel(manager, came.channel, ("RCVR", "RQSTR", "CLUSRCVR"))
        sender = self.channel(came.sender, came.channel, ("SDR", "SVR"))
        dead = get(self.managers[manager], "DEADQ")
        queue = self.object(manager, dead) if dead else None
        usable = (
            queue is not None
            and queue["type"] == "QLOCAL"
            and get(queue, "USAGE", "NORMAL") == "NORMAL"
            and get(queue, "PUT", "ENABLED") == "ENABLED"
        )
        if usable and get(receiver, "USEDLQ", "YES") == "YES":
            return only("DLQ", dead, manager, code, came.header)
        fast = all(get(one, "NPMSPEED", "FAST") == "FAST" for one in (receiver, sender) if one)
        if fast and not self.persistent:
            return only("DISCARDED", "nonpersistent")
        return only("HELD", came.queue, came.sender, "channel stopped")

    def channel(self, manager: str, name: str, types: tuple[str, ...]) -> Any:
        found = self.managers[manager]["channels"]
        return next((one for one in found if one["name"] == name and one["chltype"] in types), None)

    def resolve(
        self,
        here: str,
        oqm: str,
        name: str,
        seen: frozenset[Any],
        came: Came | None,
        bind: str = "",
    ) -> Ends:
        """``bind`` is DEFBIND of an alias that was opened first."""
        one = self.object(here, name) if oqm in ("", here) else None
        # A put that leaves a choice to the cluster, at once or behind an alias, is another state
        # than one that names the queue manager: it may come back with the name of the local one,
        # and then goes on elsewhere.
        key = (here, oqm or here, name, oqm == "" and self.differs(here, name))
        if key in seen:
            return only("LOOP")
        seen = seen | {key}
        if oqm in ("", here):
            return self.local(here, oqm, name, one, seen, came, bind)
        return self.remote(here, oqm, name, seen, came)

    def differs(self, here: str, name: str) -> bool:
        """Whether it makes a difference that a put names no queue manager."""
        one = self.object(here, name)
        if one is not None and one["type"] == "QALIAS" and not self.advertised(here, one):
            name = get(one, "TARGET")
            one = self.object(here, name)
        if one is None:
            return bool(self.advertisers(here, name, alias=False))
        return bool(self.advertised(here, one))

    def local(
        self,
        here: str,
        oqm: str,
        name: str,
        one: Any,
        seen: frozenset[Any],
        came: Came | None,
        bind: str,
        *,
        picked: bool = False,
    ) -> Ends:
        """``picked``: the object here was chosen among those of the cluster."""
        others = self.advertisers(here, name, alias=False)
        if one is None:
            if oqm or not others:
                raise Rejected(2085)
            return self.cluster(here, name, None, others, seen, came, bind)
        chooses = oqm == "" and not picked and bool(self.advertised(here, one))
        if not chooses and get(one, "PUT", "ENABLED") == "DISABLED":
            raise Rejected(2051)
        kind = one["type"]
        if kind == "QREMOTE":
            if not get(one, "RNAME"):
                raise Rejected(2184)
            if get(one, "RQMNAME") in ("", here):
                raise Rejected(2087)
        if chooses and kind != "QMODEL":
            return self.cluster(here, name, one, others, seen, came, bind)
        if kind == "QALIAS":
            target = get(one, "TARGET")
            found = self.object(here, target)
            if found is not None and found["type"] in ("QALIAS", "QMODEL"):
                raise Rejected(2001)
            if found is None and (oqm or not self.advertisers(here, target, alias=False)):
                raise Rejected(2082)
            bind = bind or get(one, "DEFBIND", "OPEN")
            return self.resolve(here, oqm, target, seen, came, bind)
        if kind == "QREMOTE":
            return self.towards(here, get(one, "RNAME"), one, seen)
        if kind == "QMODEL":
            if came is not None:
                raise Rejected(2057)
            return only("DELIVERED", name, here, "dynamic")
        return self.stored(here, one, seen)

    def stored(self, here: str, one: Any, seen: frozenset[Any]) -> Ends:
        transmits = get(one, "USAGE", "NORMAL") == "XMITQ"
        is_read = get(one, "GET", "ENABLED") == "ENABLED" and self.readers(here, one["name"])
        if transmits and is_read:
            return self.without_header(here, one["name"])
        found = only("DELIVERED", one["name"], here, "")
        stream = get(one, "STREAMQ")
        if not stream:
            return found
        must = get(one, "STRMQOS", "BESTEF") == "MUSTDUP"
        try:
            copy = self.resolve(here, "", stream, seen, None)
        except Rejected as rejected:
            if must:
                raise
            copy = only("DISCARDED", str(rejected.code))
        ends = {
            ("DISCARDED", str(end[1])) if end[0] == "REJECTED" else end for end in copy.original
        }
        return Ends(found.original, found.copies | ends | copy.copies)

    def readers(self, here: str, queue: str) -> list[Any]:
        """The channels that read a transmission queue."""
        return [
            channel
            for channel in self.managers[here]["channels"]
            if channel["chltype"] in ("SDR", "SVR") and get(channel, "XMITQ") == queue
        ]

    def without_header(self, here: str, queue: str) -> Ends:
        """C-13: what a channel does that finds no transmission header on a message."""
        dead = get(self.managers[here], "DEADQ")
        found = self.object(here, dead) if dead else None
        usable = found is not None and found["type"] == "QLOCAL"
        if usable and get(found, "PUT", "ENABLED") == "ENABLED":
            return only("DLQ", dead, here, 271, "")
        return only("HELD", queue, here, "channel stopped")

    def remote(
        self, here: str, oqm: str, name: str, seen: frozenset[Any], came: Came | None
    ) -> Ends:
        one = self.object(here, oqm)
        if one is None:
            found = self.known_in_cluster(here, oqm)
            if found:
                return self.by_cluster(here, name, oqm, found, seen)
            return self.transport(here, self.default(here), name, oqm, seen)
        if one["type"] == "QLOCAL":
            if get(one, "USAGE", "NORMAL") != "XMITQ":
                raise Rejected(2092)
            return self.transport(here, self.enabled(one), name, oqm, seen)
        if one["type"] != "QREMOTE" or get(one, "RNAME"):
            raise Rejected(2087)
        if get(one, "PUT", "ENABLED") == "DISABLED":
            raise Rejected(2051)
        real = get(one, "RQMNAME")
        if real == here:
            return self.resolve(here, here, name, seen, came)
        if not real:
            return self.resolve(here, "", name, seen, came)
        return self.towards(here, name, one, seen)

    # xmit and transport

    def enabled(self, one: Any) -> str:
        if get(one, "PUT", "ENABLED") == "DISABLED":
            raise Rejected(2051)
        return str(one["name"])

    def checked(self, here: str, name: str, codes: tuple[int, int, int]) -> str:
        one = self.object(here, name)
        if one is None:
            raise Rejected(codes[0])
        if one["type"] != "QLOCAL":
            raise Rejected(codes[1])
        if get(one, "USAGE", "NORMAL") != "XMITQ":
            raise Rejected(codes[2])
        return self.enabled(one)

    def default(self, here: str) -> str:
        name = get(self.managers[here], "DEFXMITQ")
        if not name:
            raise Rejected(2087)
        return self.checked(here, name, (2197, 2198, 2199))

    def towards(self, here: str, name: str, definition: Any, seen: frozenset[Any]) -> Ends:
        """To RQMNAME of a definition."""
        manager, explicit = get(definition, "RQMNAME"), get(definition, "XMITQ")
        known = self.known_in_cluster(here, manager)
        if explicit:
            queue = self.checked(here, explicit, (2196, 2091, 2092))
        elif known and definition["name"] == manager:
            return self.by_cluster(here, name, manager, known, seen)
        elif self.object(here, manager) is not None:
            queue = self.checked(here, manager, (2196, 2091, 2092))
        elif known:
            return self.by_cluster(here, name, manager, known, seen)
        else:
            queue = self.default(here)
        return self.transport(here, queue, name, manager, seen)

    def known_in_cluster(self, here: str, manager: str) -> list[tuple[str, Any, Any]]:
        found: list[tuple[str, Any, Any]] = []
        if manager in self.managers and manager != here:
            for cluster, channel in self.receivers(manager):
                if cluster in self.clusters(here):
                    found.append((manager, None, channel))
        return found + self.advertisers(here, manager, alias=True)

    def transport(
        self, here: str, queue: str, name: str, manager: str, seen: frozenset[Any]
    ) -> Ends:
        one = self.object(here, queue)
        if one is not None and get(one, "GET", "ENABLED") == "DISABLED":
            return only("HELD", queue, here, "no channel")
        readers = self.readers(here, queue)
        if not readers:
            return only("HELD", queue, here, "no channel")
        ends = []
        nowhere = []
        for channel in readers:
            there = [
                other
                for other in sorted(self.managers)
                if other != here and self.channel(other, channel["name"], ("RCVR", "RQSTR"))
            ]
            if there:
                came = Came(channel["name"], here, queue, f"{name}@{manager}")
                ends.append(self.arrive(there[0], manager, name, seen, came))
            elif manager in self.managers:
                nowhere.append(only("HELD", queue, here, "no partner"))
            else:
                ends.append(only("EXTERNAL", manager))
        found = ends or nowhere[:1]
        together = found[0]
        for more in found[1:]:
            together |= more
        return together

    # M-22

    def cluster(
        self,
        here: str,
        name: str,
        local: Any,
        others: list[tuple[str, Any, Any]],
        seen: frozenset[Any],
        came: Came | None,
        bind: str,
    ) -> Ends:
        candidates = list(others)
        if local is not None:
            own = self.receivers(here)
            candidates.append((here, local, own[0][1] if own else None))
        left = list(self.reduced(here, local, candidates, bool(came and came.clustered)))
        if all(get(one, "PUT", "ENABLED") == "DISABLED" for _, one, _ in left):
            raise Rejected(2268)
        bind = bind or get(left[0][1] if local is None else local, "DEFBIND", "OPEN")
        found = None
        for manager, _, channel in left:
            if manager != here:
                header = manager if bind == "OPEN" else ""
                ends = self.over_cluster(here, manager, channel, name, header, seen)
            elif len(left) == 1:
                return self.picked(here, local, seen, came, bind)
            else:
                try:
                    ends = self.picked(here, local, seen, came, bind)
                except Rejected as rejected:
                    ends = (
                        only("REJECTED", rejected.code)
                        if came is None
                        else self.not_put(here, rejected.code, came)
                    )
            found = ends if found is None else found | ends
        assert found is not None
        return found

    def picked(
        self, here: str, one: Any, seen: frozenset[Any], came: Came | None, bind: str
    ) -> Ends:
        """The object here was chosen; behind an alias no queue manager is named still."""
        if one["type"] == "QALIAS":
            return self.local(here, "", one["name"], one, seen, came, bind, picked=True)
        return self.resolve(here, here, one["name"], seen, came, bind)

    def by_cluster(
        self,
        here: str,
        name: str,
        manager: str,
        found: list[tuple[str, Any, Any]],
        seen: frozenset[Any],
    ) -> Ends:
        ends = None
        for target, _, channel in self.reduced(here, None, found):
            more = self.over_cluster(here, target, channel, name, manager, seen)
            ends = more if ends is None else ends | more
        assert ends is not None
        return ends

    def over_cluster(
        self, here: str, to: str, channel: Any, name: str, manager: str, seen: frozenset[Any]
    ) -> Ends:
        header = f"{name}@{manager}" if manager else name
        came = Came(channel["name"], here, "SYSTEM.CLUSTER.TRANSMIT.QUEUE", header, True)
        return self.arrive(to, manager, name, seen, came)

    def reduced(
        self, here: str, local: Any, found: list[tuple[str, Any, Any]], came: bool = False
    ) -> Iterator[tuple[str, Any, Any]]:
        for part in (2, 1):
            best = max(number(one[part], "CLWLRANK") for one in found)
            found = [one for one in found if number(one[part], "CLWLRANK") == best]
        enabled = [
            one for one in found if one[1] is None or get(one[1], "PUT", "ENABLED") == "ENABLED"
        ]
        found = enabled or found
        if local is not None and any(one[0] == here for one in found):
            use = get(local, "CLWLUSEQ", "QMGR")
            if use == "QMGR":
                use = get(self.managers[here], "CLWLUSEQ", "LOCAL")
            if came or (use == "LOCAL" and local["type"] == "QLOCAL"):
                found = [one for one in found if one[0] == here]
        for part in (2, 1):
            best = max(number(one[part], "CLWLPRTY") for one in found)
            found = [one for one in found if number(one[part], "CLWLPRTY") == best]
        yield from found


def get(one: Any, name: str, default: str = "") -> str:
    """An attribute; blank where it is blank."""
    return str(one.get("attributes", {}).get(name, default)).strip() if one else default


def number(one: Any, name: str) -> int:
    return int(get(one, name, "0") or 0)
