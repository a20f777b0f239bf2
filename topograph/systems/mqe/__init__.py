"""WebSphere MQ Everyplace: where a message goes that is put on a queue manager (rules E-01 to E-40
and positions B-1 to B-9 of mqe.md).

Messages go step by step. ``configuration`` has the objects of each queue manager, loaded when a
message gets there; ``resolution`` finds the queue of a destination, ``connections`` the next queue
manager, ``discovery`` whether queue discovery works, ``collection`` who collects from a
store-and-forward queue; ``steps`` puts them together. ``lint`` has EL-01 to EL-09.
"""

from collections.abc import Sequence

from topograph.facts.fact import Fact
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.reached import LinkShown
from topograph.rules import Rule
from topograph.side_inputs import SideInputs
from topograph.systems.contract.ambiguities import Ambiguity
from topograph.systems.contract.described import Described
from topograph.systems.contract.groups import ServerGroup
from topograph.systems.contract.system import EVERYWHERE, Capabilities, FactSource, Row, System
from topograph.systems.contract.wording import Citing, Wording
from topograph.systems.mqe.bridges import TO_IBM_MQ
from topograph.systems.mqe.stepping import load


def _ambiguities() -> Sequence[Ambiguity]:
    from topograph.systems.mqe.ambiguities import AMBIGUITIES

    return AMBIGUITIES


def _rules() -> Sequence[Rule]:
    from topograph.rules.mqe import RULES
    from topograph.systems.contract.lint import with_lints

    return with_lints(RULES, "topograph.systems.mqe.lint")


def _describe(facts: Sequence[Fact]) -> Described | None:
    from topograph.systems.mqe.described import describe

    return describe(facts)


def _groups(
    source: FactSource, side_inputs: SideInputs, graph: ForwardingGraph
) -> Sequence[ServerGroup]:
    from topograph.systems.mqe.groups import groups

    return groups(source, side_inputs, graph)


def _idle_links(
    source: FactSource, side_inputs: SideInputs, graph: ForwardingGraph
) -> Sequence[LinkShown]:
    from topograph.systems.mqe.groups import idle_links

    return idle_links(source, side_inputs, graph)


def _put_at(row: Row) -> str:
    from topograph.systems.mqe.show import put_at

    return put_at(row)


SYSTEM = System(
    name="mqe",
    title="WebSphere MQ Everyplace",
    side_inputs=EVERYWHERE,
    stepping=load,
    destinations={"queue": "stepping", "": "stepping"},
    own_places=_put_at,
    message_options=frozenset(
        {"queue_manager", "home_servers", "reply_to", "reply_to_queue_manager"}
    ),
    seams=(TO_IBM_MQ,),
    ambiguities=_ambiguities,
    rules=_rules,
    describes=_describe,
    no_reply="Messages of MQe have no way back along a path: a reply is a separate put at the "
    "other queue manager. Ask reach from there.",
    capabilities=Capabilities(
        groups=_groups, idle_links=_idle_links, link_failures=frozenset({"connection"})
    ),
    citing=Citing(
        link_rule="E-20",
        kept_elsewhere={
            "factories": "connection factories for MQe are not read: they are in applications, "
            "not in a queue manager"
        },
    ),
    wording=Wording(
        server_noun="queue manager",
        link_noun="connection",
        shape="device",
        link_roles={
            "connection": "dashes",
            "collection": "dots",
            "bridge": "dash-dot-dot",
            "listener": "wide-dots",
        },
    ),
)
