"""Clusters: who is a member, what is advertised, and which instances of a queue there are (M-20,
M-21, M-28); ``workload`` chooses among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from topograph.assumptions import Assumption
from topograph.facts.ibm_mq import Channel, ClusterQueue, Queue, Topic
from topograph.systems.coverage import Default, NotShown, NotShownHere, Stated
from topograph.systems.ibm_mq.objects.attributes import (
    definition,
    labels,
    place,
    value,
    valued,
)
from topograph.systems.ibm_mq.objects.cluster_instances import Choice, Instance
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork, refusals
from topograph.systems.ibm_mq.objects.repositories import Repositories
from topograph.systems.ibm_mq.objects.workload import Workload
from topograph.tracing.states import Joined

ADVERTISED = ("QLOCAL", "QALIAS", "QREMOTE")
"""The types of queue objects that CLUSTER advertises."""


class Clusters:
    """The clusters of a network."""

    def __init__(self, network: MqNetwork) -> None:
        self.network = network
        self.repositories = Repositories(network, self)
        self._workload = Workload(network, self.receivers)
        self._receivers: dict[str, dict[str, list[Channel]]] = {}
        self._unsure: dict[str, NotShown | None] = {}
        self._aliases: dict[str, set[str]] | None = None
        self._topics: dict[str, list[Topic]] | None = None
        self._members: dict[str, list[str]] | None = None
        self._offered: dict[str, dict[str, list[Queue]]] = {}
        self._related: dict[str, list[tuple[str, str]]] | None = None
        self._advertised: dict[str, tuple[Queue, ...]] = {}
        self._advertised_in: dict[int, tuple[Queue, tuple[str, ...]]] = {}
        self._absent_from: dict[str, tuple[list[str], tuple[Assumption, ...]]] = {}
        self._refused: dict[str, list[Channel]] | None = None

    def receivers(self, server: str) -> dict[str, list[Channel]]:
        """The clusters that a queue manager is a member of, each with its cluster-receiver
        channels (M-20), as far as the loaded files show them: ``membership`` says whether they do.
        """
        if server not in self._receivers:
            found: dict[str, list[Channel]] = {}
            unsure: NotShown | None = None
            for channel in self.network.channels.of(server):
                if channel.channel_type != "CLUSRCVR":
                    continue
                try:
                    clusters = self.network.clusters(channel)
                except NotShownHere as unknown:
                    unsure, clusters = unknown.not_shown, ()
                for cluster in clusters:
                    found.setdefault(cluster, []).append(channel)
            others = self.network.missing(server, ("CLUSRCVR",), "", "cluster-receiver channels")
            if unsure is None and isinstance(others, NotShown):
                unsure = others
            self._receivers[server], self._unsure[server] = found, unsure
        return self._receivers[server]

    def membership(self, server: str) -> NotShown | None:
        """Why a queue manager may be a member of more clusters than ``receivers`` gives; None where
        it is not."""
        self.receivers(server)
        return self._unsure[server]

    def shared(self, server: str, other: str) -> dict[str, list[Channel]]:
        """The clusters that both are members of, with the channels that lead to the other."""
        mine = self.receivers(server)
        return {
            cluster: channels
            for cluster, channels in self.receivers(other).items()
            if cluster in mine
        }

    def advertised_in(self, queue: Queue) -> tuple[str, ...]:
        """The clusters that a queue is advertised in: those that it names and its queue manager
        is a member of, worked out once for each. Raises NotShownHere.
        """
        known = self._advertised_in.get(id(queue))
        if known is None or known[0] is not queue:
            known = self._advertised_in[id(queue)] = queue, self._in_clusters(queue)
        return known[1]

    def _in_clusters(self, queue: Queue) -> tuple[str, ...]:
        member, unsure = self.receivers(queue.server), self.membership(queue.server)
        if not member and unsure is None:
            return ()
        named = self.network.clusters(queue)
        if unsure is not None and any(cluster not in member for cluster in named):
            raise NotShownHere(unsure)
        return tuple(cluster for cluster in named if cluster in member)

    def advertised(self, name: str) -> Sequence[Queue]:
        """The objects of a name that any cluster is known to advertise, kept by name: each
        queue manager
        that has such a queue asks, and most queues of one name are in no cluster."""
        if name not in self._advertised:
            facts = self.network.queues.named(labels(name, ADVERTISED))
            self._advertised[name] = tuple(one for one in facts if self.known_in(one))
        return self._advertised[name]

    def known_in(self, queue: Queue) -> tuple[str, ...]:
        """The clusters that a queue is known to be advertised in."""
        try:
            return self.advertised_in(queue)
        except NotShownHere:
            return ()

    def queues(self, server: str, name: str) -> list[Instance]:
        """The instances of a cluster queue at other queue managers that one may use (M-21), by
        queue manager and channel. Raises NotShownHere where a loaded member may have more.
        """
        self._all_shown(server, name)
        found = self._instances(server, name, of_queue_managers=False)
        return found + self._observed(server, name, {one.server for one in found})

    def queue_managers(self, server: str, name: str) -> list[Instance]:
        """What a cluster knows of a queue manager's name: the member itself, and aliases of the
        name that members advertise (NR12, M-28).
        """
        if (unsure := self.membership(server)) is not None:
            raise NotShownHere(unsure)
        found: list[Instance] = []
        if name in self.network.managers and name != server:
            unsure = self.membership(name) if self.receivers(server) else None
            if unsure is not None and not self.shared(server, name):
                raise NotShownHere(unsure)
            channels = {
                one.name: one for all_ in self.shared(server, name).values() for one in all_
            }
            found = [
                Instance(name, None, one, source=one.source) for _, one in sorted(channels.items())
            ]
        found += self._instances(server, name, of_queue_managers=True)
        if not found:
            found = [
                Instance(
                    name, observed=one.get("CHANNEL"), address=one.get("CONNAME"), source=one.source
                )
                for one in self.network.cluster_managers.of(server)
                if one.name == name and name not in self.network.managers
            ][:1]
        return found

    def _all_shown(self, server: str, name: str) -> None:
        """Raises NotShownHere where it is not known which clusters a queue manager is in, or what
        one of their members advertises by a name. Linear in the queue managers of which output is
        loaded."""
        if unsure := self.membership(server):
            raise NotShownHere(unsure)
        mine = self.receivers(server)
        for other in self.network.partly_shown if mine else ():
            if other == server:
                continue
            known, unsure = self.receivers(other), self.membership(other)
            if unsure is None and not mine.keys() & known.keys():
                continue
            here = [
                one for one in self.network.objects_named(other, name) if one.noun in ADVERTISED
            ]
            for one in here:
                self.advertised_in(one)
            none = self.network.missing(other, ADVERTISED, name, f"queue {name}")
            if not here and isinstance(none, NotShown) and mine.keys() & known.keys():
                raise NotShownHere(none)

    def known_queues(self, server: str, name: str) -> list[Instance]:
        """The same as far as the loaded files show them."""
        try:
            return self.queues(server, name)
        except NotShownHere:
            return self._instances(server, name, of_queue_managers=False)

    def aliases(self, server: str) -> list[str]:
        """The aliases of queue managers that the clusters of a queue manager advertise, by name.
        Reads all queues.
        """
        if self._aliases is None:
            found: dict[str, set[str]] = {}
            for queue in self.network.queues.all():
                if is_known_alias(queue):
                    for cluster in self.known_in(queue):
                        found.setdefault(cluster, set()).add(queue.name)
            self._aliases = found
        return sorted(
            {name for cluster in self.receivers(server) for name in self._aliases.get(cluster, ())}
        )

    def members(self, server: str) -> list[str]:
        """The other loaded members of the clusters of a queue manager, by name."""
        found = {name for cluster in self.receivers(server) for name in self.members_of(cluster)}
        return sorted(found - {server})

    def members_of(self, cluster: str) -> list[str]:
        """The loaded members of a cluster, by name."""
        if self._members is None:
            self._members = {}
            for name in self.network.managers:
                for one in self.receivers(name):
                    self._members.setdefault(one, []).append(name)
        return self._members.get(cluster, [])

    def all_members(self) -> list[tuple[str, list[str]]]:
        """The clusters that loaded queue managers are members of, each with these, by name."""
        self.members_of("")
        return sorted((self._members or {}).items())

    def offered(self, cluster: str) -> Sequence[str]:
        """The names of queues that a cluster offers, in order. Linear in the objects of its
        members, once."""
        return sorted(self._hosts(cluster))

    def offered_alike(self, cluster: str) -> Sequence[str]:
        """The same, of those that the same queue managers define alike one."""
        found = {
            tuple(definition(one) for one in hosts): name
            for name, hosts in sorted(self._hosts(cluster).items())
        }
        return list(found.values())

    def _hosts(self, cluster: str) -> Mapping[str, Sequence[Queue]]:
        if cluster not in self._offered:
            found: dict[str, list[Queue]] = {}
            for server in self.members_of(cluster):
                for queue in self.network.queues.of(server):
                    if cluster in self.known_in(queue) and not is_known_alias(queue):
                        found.setdefault(queue.name, []).append(queue)
            self._offered[cluster] = found
        return self._offered[cluster]

    def topics(self, cluster: str) -> list[Topic]:
        """The topic objects that members advertise in a cluster, by queue manager. Reads all
        topics.
        """
        if self._topics is None:
            self._topics = {}
            for topic in self.network.topics.all():
                member = self.receivers(topic.server) if self.network.clusters(topic) else {}
                for one in self.network.clusters(topic):
                    if one in member:
                        self._topics.setdefault(one, []).append(topic)
        return self._topics.get(cluster, [])

    def related(self, server: str) -> list[tuple[str, str]]:
        """The queue managers next to one in a hierarchy of publish/subscribe, each with why."""
        if self._related is None:
            self._related = {}
            for name, manager in self.network.managers.items():
                parent = manager.stated("PARENT")
                if parent in self.network.managers:
                    why = f"{name} has PARENT({parent})"
                    self._related.setdefault(name, []).append((parent, why))
                    self._related.setdefault(parent, []).append((name, why))
        return self._related.get(server, [])

    def _instances(self, server: str, name: str, *, of_queue_managers: bool) -> list[Instance]:
        """What clusters that a queue manager is in advertise by a name: aliases of queue
        managers, or queues.
        """
        mine = self.receivers(server)
        found: list[Instance] = []
        for queue in self.advertised(name) if mine else ():
            if queue.server == server or queue.server not in self.network.managers:
                continue
            if is_alias_of_queue_manager(queue) != of_queue_managers:
                continue
            clusters = [cluster for cluster in self.advertised_in(queue) if cluster in mine]
            theirs = self.receivers(queue.server)
            channels = {one.name: one for cluster in clusters for one in theirs[cluster]}
            found += [
                Instance(queue.server, queue, one, source=queue.source)
                for _, one in sorted(channels.items())
            ]
        return sorted(found, key=lambda one: (one.server, one.channel_name))

    def _observed(self, server: str, name: str, known: set[str]) -> list[Instance]:
        """Instances at queue managers that are not loaded, as the repository of this one shows
        them.
        """
        shown = {
            one.get("CLUSQMGR"): one
            for one in self.network.cluster_queues.of(server)
            if one.name == name and one.get("CLUSQMGR") not in (*self.network.managers, *known, "")
        }
        channels = {one.name: one for one in self.network.cluster_managers.of(server)}
        found = []
        for manager, fact in sorted(shown.items()):
            there = channels.get(manager)
            channel, address = (there.get("CHANNEL"), there.get("CONNAME")) if there else ("", "")
            queue = _as_queue(fact)
            found.append(Instance(manager, queue, None, channel, address, fact.source))
        return found

    def reduce(
        self,
        server: str,
        local: Queue | None,
        others: Sequence[Instance],
        *,
        over_cluster: bool = False,
    ) -> Choice:
        """The workload algorithm as far as a configuration decides it (M-22, M-23), of a message
        that came ``over_cluster`` or was put otherwise. Linear in the instances.
        """
        return self._workload.reduce(server, local, others, over_cluster=over_cluster)

    def assumptions(self, server: str, instances: Sequence[Instance]) -> tuple[Assumption, ...]:
        """What a choice among instances rests on (C-6, C-9, C-10, M-29)."""
        used = (
            found for one in instances for found in (*self.network.doubts(one.queue, one.channel),)
        )
        names = dict.fromkeys(one.queue.name for one in instances if one.queue is not None)
        gone = (found for name in names for found in self._not_advertised(server, name))
        told = self.repositories.unlearned(server, instances)
        return (*used, *self.missing(server), *gone, *self._partly_shown(server), *told)

    def _partly_shown(self, server: str) -> Iterator[Assumption]:
        """That members whose queues are shown in part advertise no more."""
        mine = self.receivers(server)
        for other in self.network.partly_shown if mine else ():
            found = self.network.missing(other, ADVERTISED, "", "queues")
            member = other != server and mine.keys() & self.receivers(other).keys()
            unknown = found if isinstance(found, NotShown) else None
            if member and (unknown := unknown or self.network.coverages(other).unended):
                text = f"{other} advertises no more in the clusters of {server} than is shown"
                yield Assumption("C-6", "M", text, unknown.text)

    def missing(self, server: str, name: str = "") -> tuple[Assumption, ...]:
        """C-6: members of the clusters of a queue manager that are not loaded: those that a
        cluster-sender channel leads to, and those that the repository shows. They may advertise
        more (such as ``name``)."""
        if server not in self._absent_from:
            members = (
                *self.network.no_channels(server, ("CLUSSDR", "CLUSRCVR")),
                *refusals(self._no_members(server)),
            )
            self._absent_from[server] = list(self._absent(server)), members
        absent, members = self._absent_from[server]
        refused = (*members, *self._not_advertised(server, name))
        if not absent:
            return refused
        text = (
            f"of the clusters of {server} no more is known than from the loaded "
            f"configurations; {', '.join(absent[:5])}"
        )
        text += f" and {len(absent) - 5} more" if len(absent) > 5 else ""
        other = f"a member that is not loaded advertises {name or 'more instances'}"
        return (*refused, Assumption("C-6", "M", f"{text} not loaded", other))

    def joined(self) -> list[Joined]:
        """C-6: the clusters with their loaded members: queue managers that are not loaded may join
        each, and its members send to them over channels that no file defines. Reads all channels.
        """
        self.members_of("")
        return [
            Joined(tuple(members), self._closed(cluster, members))
            for cluster, members in sorted((self._members or {}).items())
        ]

    def closed(self, server: str) -> tuple[Assumption, ...]:
        """C-6: that each cluster of a queue manager has no members but the loaded ones."""
        mine = sorted(self.receivers(server))
        return tuple(self._closed(cluster, self.members_of(cluster)) for cluster in mine)

    @staticmethod
    def _closed(cluster: str, members: Sequence[str]) -> Assumption:
        named = ", ".join(members[:5]) + (f" and {len(members) - 5:,} more" if members[5:] else "")
        text = f"cluster {cluster} has no members but {named}"
        return Assumption("C-6", "M", text, "queue managers that are not loaded are members, too")

    def _no_members(self, server: str) -> list[Channel]:
        """The cluster-receiver channels that other queue managers refuse, and by which they would
        be members of the clusters of one. Reads all channels where it is in a cluster.
        """
        mine = self.receivers(server)
        if self._refused is None and mine:
            self._refused = {}
            for channel in self.network.channels.all_refused():
                for cluster in self._would_join(channel):
                    self._refused.setdefault(cluster, []).append(channel)
        found = {
            f"{one.server} {one.source}": one
            for cluster in mine
            for one in (self._refused or {}).get(cluster, ())
            if one.server != server
        }
        return [found[key] for key in sorted(found)]

    def _not_advertised(self, server: str, name: str) -> Iterator[Assumption]:
        """That other members of its clusters do not advertise a queue which they refuse."""
        mine = self.receivers(server)
        found = self.network.queues.refused_named(labels(name, ADVERTISED)) if name and mine else ()
        yield from refusals(
            one
            for one in found
            if one.server != server
            and any(cluster in mine for cluster in self.network.clusters(one))
        )

    def _would_join(self, channel: Channel) -> Sequence[str]:
        if channel.channel_type != "CLUSRCVR":
            return ()
        return self.network.clusters(channel)

    def absent_at_channels(self, server: str) -> Iterator[str]:
        """The members of its clusters that a queue manager has a cluster-sender channel to, and
        that are not loaded: what they lead to is not known."""
        mine = self.receivers(server)
        for channel in self.network.channels.of(server):
            if channel.channel_type != "CLUSSDR" or not any(
                one in mine for one in self.network.clusters(channel)
            ):
                continue
            partners = self.network.channels.named(labels(channel.name, ("CLUSRCVR",)))
            if not any(one.server != server for one in partners):
                address = value(channel, "CONNAME")
                yield f"the queue manager at the end of {channel.name}" + (
                    f" ({address})" if address else ""
                )

    def _absent(self, server: str) -> Iterator[str]:
        yield from self.absent_at_channels(server)
        for shown in self.network.cluster_managers.of(server):
            if shown.name not in self.network.managers:
                yield shown.name

    def unshared(self, server: str, name: str) -> list[str]:
        """The other queue managers that advertise a queue of that name in clusters of which this
        one is not a member (M-20).
        """
        mine = self.receivers(server)
        hosts = {
            one.server: self.advertised_in(one)
            for one in self.advertised(name)
            if one.server != server
        }
        return sorted(
            host for host, clusters in hosts.items() if not any(one in mine for one in clusters)
        )

    def hidden_from(self, server: str, name: str) -> Queue | None:
        """A queue of that name that a cluster advertises of which the queue manager is not a
        member (M-20).
        """
        return next((one for one in self.advertised(name) if one.server != server), None)


def is_alias_of_queue_manager(queue: Queue) -> bool:
    """Whether a remote queue has no RNAME: it is then a queue-manager alias (M-08)."""
    return queue.noun == "QREMOTE" and not value(queue, "RNAME")


def is_known_alias(queue: Queue) -> bool:
    """The same as far as the loaded files show it."""
    return queue.noun == "QREMOTE" and valued(queue, "RNAME") in (Stated(""), Default(""))


def _as_queue(shown: ClusterQueue) -> Queue:
    """What a repository shows of a queue, with the attributes that decide about workload."""
    return Queue(
        bundle=shown.bundle,
        server=shown.get("CLUSQMGR"),
        source=place(shown),
        name=shown.name,
        noun="QLOCAL",
        attributes=tuple(one for one in shown.attributes if one.name != "CLUSTER"),
    )
