"""Who gets a publication in a cluster, by the words of ibm_mq.md M-30 to M-33 alone, with nothing
of topograph: every topic object, member and subscription is gone through for each question.

An estate has the form of the vectors (``given``); subscriptions are objects of type SUB.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

OPEN = "open"
"""What a topic object says where definitions differ, so that nothing is certain."""


@dataclass
class Published:
    """What becomes of a publication: ``rejected``, or the copies by subscription and course, and
    the subscriptions of which it is left open."""

    rejected: bool = False
    copies: dict[str, int] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)


@dataclass
class Estate:
    """The queue managers of ``given``."""

    given: Mapping[str, Any]
    managers: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.managers = {one["name"]: one for one in self.given["queueManagers"]}

    def of(self, manager: str, kind: str) -> list[Any]:
        return [one for one in self.managers[manager]["objects"] if one["type"] == kind]

    def clusters(self, manager: str) -> set[str]:
        own = self.managers[manager]["channels"]
        return {one["attributes"]["CLUSTER"] for one in own if one["chltype"] == "CLUSRCVR"}

    def members(self, cluster: str) -> list[str]:
        return [one for one in self.managers if cluster in self.clusters(one)]

    # Topic objects

    def clustered(self, manager: str, topic: str) -> Iterator[tuple[str, Any, str]]:
        """(host, topic object, cluster) of the cluster topics at a topic or above it that a queue
        manager knows."""
        for cluster in sorted(self.clusters(manager)):
            for host in self.members(cluster):
                for one in self.of(host, "TOPIC"):
                    if get(one, "CLUSTER") == cluster and above(get(one, "TOPICSTR"), topic):
                        yield host, one, cluster

    def known(self, manager: str, string: str) -> list[Any]:
        """What a queue manager goes by at one topic string: its own object, or those of its
        clusters."""
        own = [one for one in self.of(manager, "TOPIC") if get(one, "TOPICSTR") == string]
        shared = [one for _, one, _ in self.clustered(manager, string)]
        return own or [one for one in shared if get(one, "TOPICSTR") == string]

    def said(self, manager: str, topic: str, attribute: str, default: str) -> str:
        """An attribute of a topic: of the nearest topic object that does not leave it to its
        parent; ``OPEN`` where definitions differ. One definition of a cluster topic that lets
        publications pass is enough."""
        if not topic:
            return default
        upward = self.said(manager, topic.rpartition("/")[0], attribute, default)
        values = {get(one, attribute, "ASPARENT") for one in self.known(manager, topic)}
        resolved = {upward if one == "ASPARENT" else one for one in values or {"ASPARENT"}}
        if attribute == "PUB":
            return "ENABLED" if "ENABLED" in resolved else "DISABLED"
        return resolved.pop() if len(resolved) == 1 else OPEN

    def takes_part(self, manager: str, string: str) -> bool:
        """Whether nothing at a queue manager keeps it from the cluster topic of a string."""
        off = get(self.managers[manager], "PSCLUS") == "DISABLED"
        own = [one for one in self.of(manager, "TOPIC") if get(one, "TOPICSTR") == string]
        return not off and all(get(one, "CLUSTER") for one in own)

    # Publications

    def publish(self, at: str, topic: str) -> Published:
        if self.said(at, topic, "PUB", "ENABLED") == "DISABLED":
            return Published(rejected=True)
        found = Published()
        for one in self.subscriptions(at, topic):
            self.tell(found, one, at, topic, 1)
        for other in self.managers:
            if other != at:
                self.carried(found, at, other, topic)
        return found

    def tell(self, found: Published, one: Any, at: str, topic: str, copies: int) -> None:
        match self.blocked(one, at, topic):
            case True:
                return
            case False:
                found.copies[one["name"]] = copies
            case _:
                found.open.add(one["name"])

    def carried(self, found: Published, at: str, other: str, topic: str) -> None:
        """What the subscriptions of another queue manager get."""
        subscribed = list(self.subscriptions(other, topic))
        topics = list(self.clustered(at, topic))
        if not topics or other not in self.within(at, topic):
            return
        scope = self.said(at, topic, "PUBSCOPE", "ALL")
        if scope == "QMGR":
            return
        nearest = max((get(one, "TOPICSTR") for _, one, _ in topics), key=len)
        hosts = {host: one for host, one, _ in topics if get(one, "TOPICSTR") == nearest}
        routes = {get(one, "CLROUTE", "DIRECT") for one in hosts.values()}
        clusters = {cluster for _, _, cluster in topics}
        certain = (
            scope != OPEN
            and len(clusters) == len(routes) == 1
            and self.takes_part(at, nearest)
            and clusters & self.clusters(other)
        )
        certain = certain and self.knows_only(other, topic, clusters)
        over_hosts = hosts if routes == {"TOPICHOST"} and at not in hosts else {}
        for host in over_hosts:
            certain = (
                certain
                and self.takes_part(host, nearest)
                and self.knows_only(host, topic, clusters)
                and self.said(host, topic, "PUBSCOPE", "ALL") == "ALL"
                and self.said(host, topic, "PUB", "ENABLED") == "ENABLED"
            )
        courses = len(over_hosts) or 1
        for one in subscribed:
            if self.blocked(one, other, topic):
                continue
            gets = self.subscribes_in_cluster(one, other, topic, nearest)
            if gets is None or (gets and not certain):
                found.open.add(one["name"])
            elif gets:
                self.tell(found, one, other, topic, courses)

    def knows_only(self, manager: str, topic: str, clusters: set[str]) -> bool:
        """Whether the cluster topics that a queue manager knows are all of one cluster."""
        return {cluster for _, _, cluster in self.clustered(manager, topic)} == clusters

    def subscribes_in_cluster(self, one: Any, at: str, topic: str, nearest: str) -> bool | None:
        """Whether a subscription takes what other members publish; None is left open."""
        scope = self.said(at, topic, "SUBSCOPE", "ALL")
        if get(one, "SUBSCOPE") == "QMGR" or scope == "QMGR":
            return False
        above_topic = len(fixed(get(one, "TOPICSTR"))) < len(nearest.split("/"))
        if scope == OPEN or above_topic or not self.takes_part(at, nearest):
            return None
        return True if self.said(at, topic, "PUB", "ENABLED") == "ENABLED" else None

    def within(self, at: str, topic: str) -> set[str]:
        """The queue managers to which cluster topics lead from one, over any of them."""
        found = {at}
        while True:
            more = {
                member
                for one in found
                for _, _, cluster in self.clustered(one, topic)
                for member in self.members(cluster)
            }
            if more <= found:
                return found
            found |= more

    def subscriptions(self, manager: str, topic: str) -> Iterator[Any]:
        for one in self.of(manager, "SUB"):
            if fits(get(one, "TOPICSTR").split("/"), topic.split("/")):
                yield one

    def blocked(self, one: Any, at: str, topic: str) -> bool | None:
        """M-30: whether WILDCARD(BLOCK) below the fixed part of a wildcard keeps what is published
        from it; None where definitions differ."""
        pattern = get(one, "TOPICSTR").split("/")
        if not {"#", "+"} & set(pattern):
            return False
        levels, begins = topic.split("/"), len(fixed(get(one, "TOPICSTR")))
        found: bool | None = False
        for length in range(begins + 1, len(levels) + 1):
            known = self.known(at, "/".join(levels[:length]))
            values = {get(each, "WILDCARD", "PASSTHRU") for each in known}
            if values == {"BLOCK"}:
                return True
            if "BLOCK" in values:
                found = None
        return found


def above(string: str, topic: str) -> bool:
    return topic == string or topic.startswith(f"{string}/")


def fixed(pattern: str) -> list[str]:
    levels = pattern.split("/")
    signs = [place for place, one in enumerate(levels) if one in ("#", "+")]
    return levels[: signs[0]] if signs else levels


def fits(pattern: list[str], topic: list[str]) -> bool:
    if not pattern:
        return not topic
    if pattern[0] == "#":
        return any(fits(pattern[1:], topic[skipped:]) for skipped in range(len(topic) + 1))
    return bool(topic) and pattern[0] in ("+", topic[0]) and fits(pattern[1:], topic[1:])


def get(one: Any, name: str, default: str = "") -> str:
    return str(one.get("attributes", {}).get(name, default)).strip()
