"""RabbitMQ: where a message goes that is published to an exchange (rabbitmq.md).

A server is a cluster. ``configuration`` has its objects, ``policies`` what holds for each,
``federation`` and ``shovels`` the links between virtual hosts and clusters; ``publishing``,
``exchanges`` and ``queues`` are the rules in the order in which a message meets them, ``stepping``
puts them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from topograph.systems.contract.system import EVERYWHERE, Capabilities, System
from topograph.systems.contract.wording import Citing, Wording

if TYPE_CHECKING:
    from topograph.facts.fact import Fact
    from topograph.rules import Rule
    from topograph.side_inputs import SideInputs
    from topograph.systems.contract.described import Described
    from topograph.systems.contract.system import FactSource, Row
    from topograph.tracing.states import Stepping

__all__ = ["SYSTEM"]


def _load(source: FactSource, side_inputs: SideInputs) -> Stepping:
    from topograph.systems.rabbitmq.stepping import load

    return load(source, side_inputs)


def _rules() -> Sequence[Rule]:
    from topograph.rules.rabbitmq import RULES

    return RULES


def _describe(facts: Sequence[Fact]) -> Described | None:
    from topograph.systems.rabbitmq.described import describe

    return describe(facts)


def _sent_to(row: Row) -> str:
    return f"{row['type']}:{row['name']}"


SYSTEM = System(
    name="rabbitmq",
    title="RabbitMQ",
    side_inputs=EVERYWHERE,
    stepping=_load,
    destinations={"exchange": "stepping", "queue": "stepping"},
    message_options=frozenset({"routing_key", "expiration"}),
    rules=_rules,
    describes=_describe,
    own_names=_sent_to,
    capabilities=Capabilities(
        judges_circles=True, link_failures=frozenset({"shovel", "federation"})
    ),
    no_reply="Replies go where reply-to says: ask reach from the other end.",
    citing=Citing(
        link_rule="RQ-19",
        kept_elsewhere={
            "factories": "connection factories for RabbitMQ are not read: they are in "
            "applications, not in a broker",
            **dict.fromkeys(
                ("subscribers", "connections", "channels"),
                "who consumes from the queues of RabbitMQ, and who is connected, is not read: "
                "definitions do not hold it",
            ),
        },
    ),
    wording=Wording(
        server_noun="broker",
        link_noun="link",
        shape="box",
        link_roles={"shovel": "short-dashes", "federation": "close-dots"},
    ),
    main_files="definitions of RabbitMQ",
)
