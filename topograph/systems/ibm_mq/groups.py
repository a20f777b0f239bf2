"""The sets of servers that people know by a name of the product's own: clusters."""

from __future__ import annotations

from collections.abc import Sequence

from topograph.forwarding.graph import ForwardingGraph
from topograph.side_inputs import SideInputs
from topograph.systems.contract.groups import ServerGroup
from topograph.systems.contract.system import FactSource
from topograph.systems.ibm_mq.objects.clusters import Clusters
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork


def groups(
    source: FactSource,
    side_inputs: SideInputs,
    graph: ForwardingGraph,  # noqa: ARG001
) -> Sequence[ServerGroup]:
    """The loaded members of each cluster (M-20), by its name. Linear in the channels."""
    network = MqNetwork(source, side_inputs)
    known = Clusters(network)
    found: dict[str, list[str]] = {}
    for name in sorted(network.managers):
        for cluster in known.receivers(name):
            found.setdefault(cluster, []).append(name)
    return [
        ServerGroup(cluster, "cluster", tuple(names), "cluster channel")
        for cluster, names in sorted(found.items())
    ]
