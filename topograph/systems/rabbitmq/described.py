"""What a file of definitions describes a cluster as."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from topograph.facts.fact import Fact
from topograph.facts.rabbitmq import RabbitBroker, RabbitSetting, RabbitStaticShovel
from topograph.systems.contract.described import Described, contents, one_of


def describe(facts: Sequence[Fact]) -> Described | None:
    """See ``contract.described.Describe``. An export of one virtual host says nothing of the
    others."""
    broker = one_of(facts, RabbitBroker)
    if broker is None:
        return None
    of_nodes = (RabbitBroker, RabbitSetting, RabbitStaticShovel)
    said = contents(fact for fact in facts if not isinstance(fact, of_nodes))
    if broker.vhost is None:
        return Described(broker.source, said)
    of_vhost: dict[Hashable, Hashable] = {(broker.vhost, key): value for key, value in said.items()}
    return Described(broker.source, of_vhost, whole=False)
