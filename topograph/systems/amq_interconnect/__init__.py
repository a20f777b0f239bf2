"""AMQ Interconnect: routers, links, routes, messages (amq_interconnect.md).

``network/`` turns facts into routers and the connections between them, ``routes/`` makes the graph
and answers on it, ``messages/`` says what becomes of messages, ``checks/`` what is wrong or risky.
``SYSTEM`` is what topograph is told of all that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.facts.amqp_addresses import address_tokens, plain_address
from topograph.systems.amq_interconnect.routes.tables import SYSTEM as _NAME
from topograph.systems.amq_interconnect.routes.tables import graph_of
from topograph.systems.contract.system import EVERYWHERE, Capabilities, ClosedForm, System
from topograph.systems.contract.wording import Citing, Wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topograph.facts.fact import Fact
    from topograph.forwarding.graph import ForwardingGraph
    from topograph.rules import Rule
    from topograph.side_inputs import SideInputs
    from topograph.systems.contract.ambiguities import Ambiguity
    from topograph.systems.contract.cycles import Redundancy
    from topograph.systems.contract.described import Described
    from topograph.systems.contract.groups import ServerGroup
    from topograph.systems.contract.portable import Portable
    from topograph.systems.contract.system import Estate, FactSource, Paths, Row

__all__ = ["SYSTEM"]


def _load(source: FactSource, side_inputs: SideInputs) -> Estate:
    from topograph.systems.amq_interconnect.estate import RouterEstate
    from topograph.systems.amq_interconnect.network.facts import RouterFacts

    return RouterEstate(RouterFacts(source), side_inputs)


def _groups(
    source: FactSource, side_inputs: SideInputs, graph: ForwardingGraph
) -> Sequence[ServerGroup]:
    from topograph.systems.amq_interconnect.groups import groups

    return groups(source, side_inputs, graph)


def _paths() -> Paths:
    from topograph.systems.amq_interconnect.routes import reach

    return reach


def _redundancy() -> Redundancy:
    from topograph.systems.amq_interconnect.routes import reach

    return reach


def _portable() -> Portable:
    from topograph.systems.amq_interconnect import portable

    return portable


def _ambiguities() -> Sequence[Ambiguity]:
    from topograph.systems.amq_interconnect.ambiguities import AMBIGUITIES

    return AMBIGUITIES


def _rules() -> Sequence[Rule]:
    from topograph.rules.amq_interconnect import RULES
    from topograph.systems.contract.lint import with_lints

    return with_lints(RULES, "topograph.systems.amq_interconnect.lint")


def _sent_to(row: Row) -> str:
    """The address that an entity configures or matches, as routers route it; of patterns and
    prefixes only those without a wildcard (A-2).
    """
    name = plain_address(str(row["name"]))
    if row["type"] == "binding" or not name or {"*", "#"}.intersection(address_tokens(name)):
        return ""
    return f"address:{name}"


def _describe(facts: Sequence[Fact]) -> Described | None:
    from topograph.systems.amq_interconnect.described import describe

    return describe(facts)


SYSTEM = System(
    name=_NAME,
    title="AMQ Interconnect",
    side_inputs=EVERYWHERE | {"clients", "versions"},
    closed=ClosedForm(_load, graph_of, _paths),
    destinations={"address": "closed"},
    message_options=frozenset({"anonymous", "count"}),
    ambiguities=_ambiguities,
    rules=_rules,
    describes=_describe,
    own_names=_sent_to,
    heeds=frozenset({"subject"}),
    capabilities=Capabilities(
        redundancy=_redundancy,
        portable=_portable,
        has_costs=True,
        depicts=True,
        groups=_groups,
        serves=True,
        judges_failures=True,
        link_failures=frozenset({"route"}),
    ),
    citing=Citing(
        link_rule="T-1",
        kept_elsewhere={
            "factories": "connection factories of clients of AMQ Interconnect are not read: they "
            "are part of the clients, not of a router"
        },
        confidences={
            "A": "observed in the recorded behaviour of the software, or read in its source",
            "B": "documented, not observed",
            "C": "inferred from documentation",
            "I": "assumed",
        },
    ),
    wording=Wording(
        server_noun="router",
        shape="hexagon",
        opened_by="connector",
    ),
)
