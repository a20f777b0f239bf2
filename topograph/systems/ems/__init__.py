"""TIBCO EMS: links and zones, guards, the forwards of topics, legality, names, messages, lint
(ems.md).

Read ``network.links`` (facts to links), ``destinations.guards`` (what a link asks of a message),
``compilation`` and ``network.assemble`` (the graph), ``network.legality``, then
``topics.publication`` and ``topics.trace`` (what happens to a message). ``SYSTEM`` is what
topograph is told of all that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.header_fields import name_fault
from topograph.systems.contract.system import EVERYWHERE, Capabilities, ClosedForm, System
from topograph.systems.contract.wording import Citing
from topograph.systems.ems.network.assemble import assemble

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topograph.facts.fact import Fact
    from topograph.rules import Rule
    from topograph.side_inputs import SideInputs
    from topograph.systems.contract.ambiguities import Ambiguity
    from topograph.systems.contract.cycles import Cycles
    from topograph.systems.contract.described import Described
    from topograph.systems.contract.names import Names
    from topograph.systems.contract.portable import Portable
    from topograph.systems.contract.system import Check, Estate, FactSource, Paths
    from topograph.systems.ems.estate import EmsEstate

__all__ = ["SYSTEM"]

# Each part is imported when it is asked for: reach needs no facts, no selectors, no lint, no
# legality, which take 0.1 s to load.


def _load(source: FactSource, side_inputs: SideInputs) -> Estate:
    from topograph.systems.ems.estate import EmsEstate

    return EmsEstate(source, side_inputs)


def _apart(estate: EmsEstate) -> Sequence[Check]:
    from topograph.systems.ems.compilation import checks_apart

    return checks_apart(estate.configuration)


def _paths() -> Paths:
    from topograph.systems.ems.topics import reach

    return reach


def _cycles() -> Cycles:
    from topograph.systems.ems.network import legality

    return legality


def _names() -> Names:
    from topograph.systems.ems.network import names

    return names


def _portable() -> Portable:
    from topograph.systems.ems import portable

    return portable


def _ambiguities() -> Sequence[Ambiguity]:
    from topograph.systems.ems.ambiguities import AMBIGUITIES

    return AMBIGUITIES


def _rules() -> Sequence[Rule]:
    from topograph.rules.ems import RULES
    from topograph.systems.contract.lint import with_lints

    return with_lints(RULES, "topograph.systems.ems.lint")


def _describe(facts: Sequence[Fact]) -> Described | None:
    from topograph.systems.ems.described import describe

    return describe(facts)


SYSTEM = System(
    name="ems",
    title="TIBCO EMS",
    side_inputs=EVERYWHERE | {"clients", "suspended", "new"},
    closed=ClosedForm(_load, assemble, _paths, _apart),
    destinations={"topic": "closed", "queue": "closed"},
    message_options=frozenset({"reply_to"}),
    property_fault=name_fault,
    ambiguities=_ambiguities,
    rules=_rules,
    describes=_describe,
    capabilities=Capabilities(
        cycles=_cycles,
        names=_names,
        portable=_portable,
        judges_failures=True,
        link_failures=frozenset({"route"}),
        counts_clients=True,
    ),
    citing=Citing(
        incomplete_rule="TL-20",
        long_replies=(
            "R92",
            (
                "these are the paths of replies to temporary topics; a reply to a temporary "
                "queue is routed over a single hop."
            ),
        ),
        link_rule="R1",
        doubled=(
            "R20",
            "the routes are illegal: a server is reached over more than one "
            "path, and one of the routes will be refused. "
            "`topograph cycles` lists them.",
        ),
    ),
)
