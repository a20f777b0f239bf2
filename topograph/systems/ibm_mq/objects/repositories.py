"""Full repositories: how the members of a cluster learn of each other and of each other's queues
(M-29).

A member tells what it has to a full repository, and asks one for what it needs. It refers to one
by a cluster-sender channel, and full repositories tell each other over such channels. Two members
whose repositories hear nothing of each other do not know of each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from topograph.assumptions import Assumption
from topograph.facts.ibm_mq import Channel
from topograph.records import record
from topograph.systems.coverage import NotShown, NotShownHere
from topograph.systems.ibm_mq.objects.attributes import labels
from topograph.systems.ibm_mq.objects.cluster_instances import Instance
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork


class Membership(Protocol):
    """Who is in which cluster (``clusters.Clusters``)."""

    def members_of(self, cluster: str) -> list[str]:
        """The loaded members of a cluster, by name."""

    def shared(self, server: str, other: str) -> dict[str, list[Channel]]:
        """The clusters that both are members of, with the channels that lead to the other."""


@record(slots=False)
class Reference:
    """The full repositories that a member is or refers to: those that are shown, and whether one
    that is not shown or not loaded may be among them."""

    found: frozenset[str]
    perhaps_more: bool = False


class Repositories:
    """The full repositories of the clusters of a network."""

    def __init__(self, network: MqNetwork, clusters: Membership) -> None:
        self.network, self.clusters = network, clusters
        self._groups: dict[str, Mapping[str, frozenset[str] | None]] = {}
        self._heard_by_one: dict[str, bool] = {}

    def is_full(self, server: str, cluster: str) -> bool | None:
        """Whether a queue manager holds a full repository of a cluster; None where that is not
        shown."""
        try:
            return cluster in self.network.repositories(server)
        except NotShownHere:
            return None

    def full(self, cluster: str) -> list[str]:
        """The loaded members that hold a full repository of a cluster, by name."""
        return [one for one in self.clusters.members_of(cluster) if self.is_full(one, cluster)]

    def senders(self, server: str, cluster: str) -> list[Channel]:
        """The cluster-sender channels that a queue manager defines in a cluster. Raises
        NotShownHere."""
        return [
            one
            for one in self.network.channels.of(server)
            if one.channel_type == "CLUSSDR" and cluster in self.network.clusters(one)
        ]

    def ends(self, channel: Channel, cluster: str) -> list[str]:
        """The loaded members that a cluster-sender channel may lead to; none where its other end is
        not loaded."""
        partners = self.network.channels.named(labels(channel.name, ("CLUSRCVR",)))
        members = set(self.clusters.members_of(cluster)) - {channel.server}
        return sorted({one.server for one in partners if one.server in members})

    def refers_to(self, server: str, cluster: str) -> Reference:
        """The full repositories of a cluster that a member is, or refers to."""
        full = self.is_full(server, cluster)
        try:
            senders = self.senders(server, cluster)
        except NotShownHere:
            return Reference(frozenset({server} if full else ()), perhaps_more=True)
        others = self.network.missing(server, ("CLUSSDR",), "", "cluster-sender channels")
        more = full is None or isinstance(others, NotShown)
        found = {server} if full else set()
        for channel in senders:
            ends = self.ends(channel, cluster)
            known = {end: self.is_full(end, cluster) for end in ends}
            more = more or channel.template or not ends or None in known.values()
            found |= {end for end, is_full in known.items() if is_full}
        return Reference(frozenset(found), more)

    def groups(self, cluster: str) -> Mapping[str, frozenset[str] | None]:
        """For each loaded member of a cluster the full repositories that what it tells gets to;
        None where that is not known. Linear in the cluster-sender channels."""
        if cluster not in self._groups:
            members = self.clusters.members_of(cluster)
            direct = {one: self.refers_to(one, cluster) for one in members}
            joined = _joined(self.full(cluster), direct)
            self._groups[cluster] = {
                name: _told(reference, joined, direct) for name, reference in direct.items()
            }
        return self._groups[cluster]

    def learns(self, server: str, other: str, cluster: str) -> bool:
        """Whether a member may know of another one: where one of its repositories hears of it, or
        that is not known."""
        groups = self.groups(cluster)
        mine, theirs = groups.get(server), groups.get(other)
        return mine is None or theirs is None or bool(mine & theirs)

    def _all_learn(self, cluster: str) -> bool:
        """Whether one repository hears of all members, so that each may know of each."""
        if cluster not in self._heard_by_one:
            told = [one for one in self.groups(cluster).values() if one is not None]
            common = bool(frozenset.intersection(*told)) if told else True
            self._heard_by_one[cluster] = common
        return self._heard_by_one[cluster]

    def unlearned(self, server: str, instances: Iterable[Instance]) -> Iterator[Assumption]:
        """That a queue manager knows of instances although no repository tells it of them."""
        for one in instances:
            what = (
                f"{one.queue.name} at {one.server}" if one.queue else f"queue manager {one.server}"
            )
            yield from self.unheard(server, one.server, what)

    def unheard(self, server: str, other: str, what: str) -> Iterator[Assumption]:
        """That a queue manager knows of something at another one although no repository tells it
        (M-29)."""
        if server == other or other not in self.network.managers:
            return
        shared = sorted(self.clusters.shared(server, other))
        if any(map(self._all_learn, shared)):
            return
        if not shared or any(self.learns(server, other, one) for one in shared):
            return
        if any(one.name == other for one in self.network.cluster_managers.of(server)):
            return  # its repository shows it
        text = (
            f"{server} knows of {what}, although no full repository tells it: "
            f"{self.why(server, other, shared[0])}"
        )
        otherwise = "it does not: a put fails with 2085 or 2189, or another instance is chosen"
        yield Assumption("M-29", "L", text, otherwise)

    def why(self, server: str, other: str, cluster: str) -> str:
        """Why a member does not learn of another one, in words."""
        if not self.full(cluster):
            return f"no member of {cluster} has REPOS({cluster})"
        for one in (server, other):
            if not self.groups(cluster).get(one):
                return f"no cluster-sender channel of {one} leads to a full repository"
        return "their full repositories have no channels to each other"


def _joined(full: Sequence[str], direct: Mapping[str, Reference]) -> dict[str, frozenset[str]]:
    """The full repositories that are joined by channels, directly or over others, by each of
    them."""
    groups = {one: {one} for one in full}
    for one in full:
        for other in direct[one].found:
            if groups[one] is not groups[other]:
                groups[one] |= groups[other]
                for member in groups[other]:
                    groups[member] = groups[one]
    return {one: frozenset(group) for one, group in groups.items()}


def _told(
    reference: Reference, joined: Mapping[str, frozenset[str]], direct: Mapping[str, Reference]
) -> frozenset[str] | None:
    """The repositories that hear of a member; None where one of them may be joined to others that
    are not known."""
    told = frozenset().union(*(joined[one] for one in reference.found))
    more = reference.perhaps_more or any(direct[one].perhaps_more for one in told)
    return None if more else told
