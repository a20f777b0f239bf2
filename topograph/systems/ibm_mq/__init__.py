"""IBM MQ: name resolution, channels, clusters and publish/subscribe (ibm_mq.md). ``estate`` is
where to start.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from topograph.facts.fact import Fact
from topograph.forwarding.graph import ForwardingGraph
from topograph.header_fields import name_fault
from topograph.rules import Rule
from topograph.side_inputs import SideInputs
from topograph.systems.contract.ambiguities import Ambiguity
from topograph.systems.contract.described import Described
from topograph.systems.contract.groups import ServerGroup
from topograph.systems.contract.system import EVERYWHERE, Capabilities, FactSource, System
from topograph.systems.contract.wording import Citing, Wording
from topograph.tracing.states import Stepping


def _load(source: FactSource, side_inputs: SideInputs) -> Stepping:
    from topograph.systems.ibm_mq.estate import load

    return load(source, side_inputs)


def _ambiguities() -> Sequence[Ambiguity]:
    from topograph.systems.ibm_mq.ambiguities import AMBIGUITIES

    return AMBIGUITIES


def _rules() -> Sequence[Rule]:
    from topograph.rules.ibm_mq import RULES
    from topograph.systems.contract.lint import with_lints

    return with_lints(RULES, "topograph.systems.ibm_mq.lint")


def _describe(facts: Sequence[Fact]) -> Described | None:
    from topograph.systems.ibm_mq.described import describe

    return describe(facts)


def _groups(
    source: FactSource, side_inputs: SideInputs, graph: ForwardingGraph
) -> Sequence[ServerGroup]:
    from topograph.systems.ibm_mq.groups import groups

    return groups(source, side_inputs, graph)


SYSTEM = System(
    name="ibm_mq",
    title="IBM MQ",
    side_inputs=EVERYWHERE,
    stepping=_load,
    destinations={"queue": "stepping", "topic": "stepping", "": "stepping"},
    property_fault=partial(name_fault, dots=True),
    message_options=frozenset(
        {
            "queue_manager",
            "reply_to",
            "reply_to_queue_manager",
            "persistent",
            "arrives_over",
            "header",
            "home_servers",
        }
    ),
    ambiguities=_ambiguities,
    rules=_rules,
    describes=_describe,
    no_reply="Channels lead one way (M-11): ask reach from the other end.",
    capabilities=Capabilities(groups=_groups, link_failures=frozenset({"channel"})),
    citing=Citing(
        link_rule="M-11",
        observed_stops=frozenset({"channel-stopped"}),
        kept_elsewhere={
            "factories": "connection factories for IBM MQ are not read: they are in a JNDI "
            "namespace or an application server, not in a queue manager"
        },
    ),
    wording=Wording(
        server_noun="queue manager",
        link_noun="channel",
        shape="box",
        link_roles={"channel": "solid", "cluster channel": "dash-dot"},
    ),
)
