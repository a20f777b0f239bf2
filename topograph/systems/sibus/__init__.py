"""WebSphere service integration buses: routing paths, mediations, exception destinations, links
between buses (sibus.md).

A server is a bus. ``buses.configuration`` turns facts into buses with the defaults of their
edition, ``buses.lookup`` says what an address leads to; in ``routing``, ``arrival``, ``mediation``,
``handling``, ``links`` and ``exceptions`` are the rules in the order in which a destination applies
them, ``rules`` puts them together. ``checks`` says what is wrong or risky, ``listing`` gives rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from topograph.header_fields import name_fault
from topograph.systems.contract.system import EVERYWHERE, Capabilities, System
from topograph.systems.contract.wording import Citing, Wording
from topograph.tracing.states import Seam

if TYPE_CHECKING:
    from topograph.facts.fact import Fact
    from topograph.forwarding.graph import ForwardingGraph
    from topograph.rules import Rule
    from topograph.side_inputs import SideInputs
    from topograph.systems.contract.ambiguities import Ambiguity
    from topograph.systems.contract.described import Described
    from topograph.systems.contract.groups import Held, ServerGroup
    from topograph.systems.contract.system import FactSource, Row
    from topograph.tracing.states import State, Stepping

__all__ = ["SYSTEM"]


def _load(source: FactSource, side_inputs: SideInputs) -> Stepping:
    from topograph.systems.sibus.buses.configuration import buses_of
    from topograph.systems.sibus.buses.estate import BusEstate
    from topograph.systems.sibus.routing.rules import stepping

    return stepping(BusEstate(buses_of(source.facts()), side_inputs))


def _ambiguities() -> Sequence[Ambiguity]:
    from topograph.systems.sibus.ambiguities import AMBIGUITIES

    return AMBIGUITIES


def _rules() -> Sequence[Rule]:
    from topograph.rules.sibus import RULES
    from topograph.systems.contract.lint import with_lints

    return with_lints(RULES, "topograph.systems.sibus.lint")


def _as_it_is(state: State) -> State:
    return state


_NOT_SENT_TO = frozenset({"TopicSpace", "Foreign"})
"""Types of destinations that no message of a question is sent to by their name."""


def _sent_to(row: Row) -> str:
    return "" if row["type"] in _NOT_SENT_TO else f"queue:{row['name']}"


def _describe(facts: Sequence[Fact]) -> Described | None:
    from topograph.systems.sibus.described import describe

    return describe(facts)


def _groups(
    source: FactSource, side_inputs: SideInputs, graph: ForwardingGraph
) -> Sequence[ServerGroup]:
    from topograph.systems.sibus.groups import groups

    return groups(source, side_inputs, graph)


def _holds(source: FactSource, side_inputs: SideInputs) -> Iterable[Held]:
    from topograph.systems.sibus.groups import holds

    return holds(source, side_inputs)


SYSTEM = System(
    name="sibus",
    title="SIBus",
    side_inputs=EVERYWHERE | {"mediations"},
    stepping=_load,
    destinations={"queue": "stepping", "topic": "stepping", "": "stepping"},
    property_fault=name_fault,
    message_options=frozenset(
        {"forward_path", "reverse_path", "reliability", "mode", "topic", "rollbacks", "via_engine"}
    ),
    seams=(
        Seam("sibus", "ibm_mq", _as_it_is, "the forward routing path is not followed there (S-63)"),
        Seam("ibm_mq", "sibus", _as_it_is, "the message has no forward routing path there (S-63)"),
    ),
    ambiguities=_ambiguities,
    rules=_rules,
    describes=_describe,
    own_names=_sent_to,
    capabilities=Capabilities(groups=_groups, holds=_holds),
    no_reply="A reply follows the reverse routing path of its message (S-50): use trace --reply.",
    citing=Citing(
        link_rule="S-21",
        kept_elsewhere={
            "factories": "connection factories for SIBus are not read: they are resources of "
            "application servers, not part of a bus"
        },
    ),
    wording=Wording(
        server_noun="bus",
        link_noun="link",
        shape="bar",
        link_roles={"bus link": "long-dashes", "MQ link": "wide-dashes"},
    ),
)
