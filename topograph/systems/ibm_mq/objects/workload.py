"""The workload algorithm: which instances of a cluster queue, or ways to a queue manager, are left
to choose from (M-22, M-23).

Up to the local instance the order of its steps is that of the documentation. Of the steps after it
(suspended queue managers, states of channels, NETPRTY, CLWLPRTY) three places in the order are left
open (C-17 to C-19): what any of the orders leaves is left, unless topograph.yaml says which holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from topograph.facts.ibm_mq import Channel, ClusterQueueManager, Queue
from topograph.records import record
from topograph.systems.contract.ambiguities import Ambiguity
from topograph.systems.ibm_mq.ambiguities import C17, C18, C19
from topograph.systems.ibm_mq.objects.attributes import as_shown, value
from topograph.systems.ibm_mq.objects.channels import addresses
from topograph.systems.ibm_mq.objects.cluster_instances import Choice, Instance
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork
from topograph.systems.ibm_mq.objects.starting import hindrances, listens

_RUNNING, _STARTING, _RETRYING, _STOPPED = range(4)
"""The classes of states of channels, the best first (M-22)."""

_CLASSES = {
    **dict.fromkeys(("RUNNING", "INACTIVE"), _RUNNING),
    **dict.fromkeys(("BINDING", "INITIALIZING", "STARTING"), _STARTING),
    "RETRYING": _RETRYING,
    **dict.fromkeys(("REQUESTING", "PAUSED", "STOPPED"), _STOPPED),
}
"""The class of each state but STOPPING (C-18)."""


@record(slots=False)
class _Order:
    """One reading of what is open: whether NETPRTY is looked at before CLWLPRTY, the class of
    STOPPING, and whether suspended queue managers are left out before states are looked at."""

    network_first: bool
    stopping: int
    suspended_first: bool


class Workload:
    """The workload algorithm in a network; ``receivers`` are the cluster-receiver channels of a
    queue manager by cluster."""

    def __init__(
        self, network: MqNetwork, receivers: Callable[[str], Mapping[str, list[Channel]]]
    ) -> None:
        self.network = network
        self.receivers = receivers

    def reduce(
        self, server: str, local: Queue | None, others: Sequence[Instance], *, over_cluster: bool
    ) -> Choice:
        """The instances that are left of ``others`` and a ``local`` one, of a message that came
        ``over_cluster`` or was put otherwise. Linear in the instances.
        """
        own = next((one for all_ in self.receivers(server).values() for one in all_), None)
        candidates = [*others]
        if local is not None:
            candidates.append(Instance(server, local, own, source=local.source, local=True))
        choice = Choice(candidates)
        if len(candidates) == 1 and local is None:
            return choice
        _highest(choice, "rank", lambda one: one.number("CLWLRANK"))
        _highest(choice, "rank", lambda one: one.queue_number("CLWLRANK"))
        if any(one.takes_puts for one in choice.instances):
            _keep(choice, "put disabled", [one.takes_puts for one in choice.instances])
        if (
            local is not None
            and any(one.local for one in choice.instances)
            and (over_cluster or self._prefers_local(server, local))
        ):
            choice.preferred = True
            _keep(choice, "local instance", [one.local for one in choice.instances])
        return self._by_each_order(server, choice)

    def _by_each_order(self, server: str, choice: Choice) -> Choice:
        """What is left by the orders that may hold, and the positions that make a difference."""
        open_ = list(self._open(server, choice.instances))
        found = {
            tuple(firsts): self._last_steps(server, choice, _order(open_, firsts))
            for firsts in product((True, False), repeat=len(open_))
        }
        readings = self.network.readings
        allowed = [
            firsts
            for firsts in found
            if all(
                readings.chosen(of) in (of.default, _reading(of, first=first))
                for of, first in zip(open_, firsts, strict=True)
            )
        ]
        left = [found[firsts] for firsts in allowed]
        together = left[0]
        for more in left[1:]:
            known = {(one.server, one.channel_name) for one in together.instances}
            together.instances += [
                one for one in more.instances if (one.server, one.channel_name) not in known
            ]
        together.open = tuple(of for at, of in enumerate(open_) if _matters(found, at))
        return together

    def _open(self, server: str, instances: Sequence[Instance]) -> Iterator[Ambiguity]:
        """The positions that may make a difference to a choice."""
        if len(instances) < 2:
            return
        networks: dict[str, set[int]] = {}
        for one in instances:
            networks.setdefault(one.server, set()).add(one.number("NETPRTY"))
        if any(len(numbers) > 1 for numbers in networks.values()):
            yield C17
        if any("STOPPING" in self._seen(server, one) for one in instances):
            yield C18
        if any(self._is_suspended(server, one) for one in instances):
            yield C19

    def _last_steps(self, server: str, choice: Choice, order: _Order) -> Choice:
        """The steps after the local instance; of several channels to one queue manager that are
        left one is taken."""
        left = Choice([*choice.instances], [*choice.eliminated], choice.preferred)
        if order.suspended_first:
            self._not_suspended(server, left)
        _highest(left, "channel state", lambda one: -self._state(server, one, order.stopping))
        if not order.suspended_first:
            self._not_suspended(server, left)
        if order.network_first:
            _of_best_network(left)
        _highest(left, "priority", lambda one: one.number("CLWLPRTY"))
        _highest(left, "priority", lambda one: one.queue_number("CLWLPRTY"))
        _of_best_network(left)
        left.instances = [all_[0] for _, all_ in sorted(_by_server(left.instances).items())]
        return left

    def _not_suspended(self, server: str, choice: Choice) -> None:
        _highest(choice, "suspended", lambda one: -self._is_suspended(server, one))

    def _prefers_local(self, server: str, local: Queue) -> bool:
        """M-23: whether CLWLUSEQ of a local queue, or of its queue manager, says LOCAL."""
        if local.noun != "QLOCAL":
            return False
        wanted = value(local, "CLWLUSEQ").upper() or "QMGR"
        if wanted == "QMGR":
            wanted = self.network.managers[server].get("CLWLUSEQ", "LOCAL").upper()
        return wanted == "LOCAL"

    def _state(self, server: str, one: Instance, stopping: int) -> int:
        """The class of the state of the channel to an instance; without an observed state it
        counts as running.
        """
        if one.local:
            return _RUNNING
        if self.network.stopped(one.server, one.channel_name) or self.network.stopped(
            server, one.channel_name
        ):
            return _STOPPED
        if self.network.cut_off(server, one.server) or not self._can_start(server, one):
            return _RETRYING
        classes = {**_CLASSES, "STOPPING": stopping}
        seen = [classes[state] for state in self._seen(server, one) if state in classes]
        return min(seen, default=_RUNNING)

    def _seen(self, server: str, one: Instance) -> list[str]:
        """The states of the channel to an instance that output shows."""
        return [
            status.get("STATUS").upper()
            for status in self.network.channel_status.of(server)
            if status.name == one.channel_name
        ]

    def _can_start(self, server: str, one: Instance) -> bool:
        """Whether nothing is known to keep the channel to an instance from starting."""
        if one.channel is None:
            return True
        ports = {each.port for each in addresses(as_shown(one.channel, "CONNAME"))}
        if not listens(self.network, one.server, ports):
            return False
        manual = self.network.channel(server, one.channel_name, ("CLUSSDR",))
        found = hindrances(self.network, manual, one.channel) if manual else ()
        return all(each.effect != "stops" for each in found)

    def _is_suspended(self, server: str, one: Instance) -> bool:
        """Whether an instance is at a queue manager that is suspended from each cluster that both
        are in: by what the repository of either shows. Of a choice each of whose instances is, one
        is taken all the same.
        """
        shown = {
            entry.get("CLUSTER")
            for at in (server, one.server)
            for entry in self.network.cluster_managers.of(at)
            if entry.name == one.server and is_suspended(entry)
        }
        if not shown:
            return False
        mine = self.receivers(server)
        both = {name for name in self.receivers(one.server) if name in mine} or shown
        return both <= shown


def is_suspended(shown: ClusterQueueManager) -> bool:
    """Whether an entry of DISPLAY CLUSQMGR shows a queue manager as suspended from the cluster."""
    return shown.get("SUSPEND").upper() == "YES"


def _order(open_: Sequence[Ambiguity], firsts: Sequence[bool]) -> _Order:
    """The order of readings, by position; the first reading of a position that makes no
    difference."""
    holds = {of.position: first for of, first in zip(open_, firsts, strict=True)}
    return _Order(
        holds.get(C17.position, True),
        _STARTING if holds.get(C18.position, True) else _STOPPED,
        holds.get(C19.position, True),
    )


def _reading(of: Ambiguity, *, first: bool) -> str:
    """The name of one of the two orders of a position."""
    named = _NAMES[of.position]
    return named[0] if first else named[1]


_NAMES = {
    C17.position: ("network_first", "priority_first"),
    C18.position: ("starting", "stopped"),
    C19.position: ("before_states", "after_states"),
}
"""The readings of each position besides the one of the rules, that of ``True`` first."""


def _matters(found: Mapping[tuple[bool, ...], Choice], at: int) -> bool:
    """Whether the reading of one position changes what is left."""

    def left(firsts: tuple[bool, ...]) -> set[tuple[str, str]]:
        return {(one.server, one.channel_name) for one in found[firsts].instances}

    return any(
        left(firsts) != left((*firsts[:at], not firsts[at], *firsts[at + 1 :])) for firsts in found
    )


def _by_server(instances: Sequence[Instance]) -> dict[str, list[Instance]]:
    found: dict[str, list[Instance]] = {}
    for one in instances:
        found.setdefault(one.server, []).append(one)
    return found


def _of_best_network(choice: Choice) -> None:
    """Leaves of the channels to each queue manager those of the highest NETPRTY."""
    best = {
        server: max(one.number("NETPRTY") for one in all_)
        for server, all_ in _by_server(choice.instances).items()
    }
    kept = [one.number("NETPRTY") == best[one.server] for one in choice.instances]
    _keep(choice, "network priority", kept)


def _highest(choice: Choice, step: str, measure: Callable[[Instance], int]) -> None:
    if choice.instances:
        measured = [measure(one) for one in choice.instances]
        best = max(measured)
        _keep(choice, step, [each == best for each in measured])


def _keep(choice: Choice, step: str, kept: Sequence[bool]) -> None:
    """Keeps some of the instances: one answer for each of them."""
    if not all(kept):
        found = list(zip(choice.instances, kept, strict=True))
        choice.eliminated += [(one.server, step) for one, stays in found if not stays]
        choice.instances = [one for one, stays in found if stays]
