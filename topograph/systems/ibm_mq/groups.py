"""The sets of servers that people know by a name of the product's own: clusters."""

from __future__ import annotations

from collections.abc import Mapping

from topograph.side_inputs import SideInputs
from topograph.systems.contract.system import FactSource
from topograph.systems.ibm_mq.objects.clusters import Clusters
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork


def clusters(source: FactSource, side_inputs: SideInputs) -> Mapping[str, frozenset[str]]:
    """The loaded members of each cluster (M-20), by its name. Linear in the channels."""
    network = MqNetwork(source, side_inputs)
    known = Clusters(network)
    found: dict[str, set[str]] = {}
    for name in network.managers:
        for cluster in known.receivers(name):
            found.setdefault(cluster, set()).add(name)
    return {cluster: frozenset(names) for cluster, names in found.items()}
