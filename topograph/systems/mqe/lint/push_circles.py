"""EL-08: pushes form a circle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.mqe.connections import next_hop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.facts.mqe import MqeQueue
    from topograph.systems.mqe.configuration import MqeConfiguration

PUSH_CIRCLE = FindingKind(
    "push-circle",
    Severity.ERROR,
    Remedy(
        "Remove one of the pushes.",
        "Messages go round for ever and never reach a receiver.",
    ),
    about="direction",
    bearing=Bearing("walked"),
)
EL_08 = Rule(
    "EL-08",
    "Pushes form a circle",
    "Store-and-forward queues push the messages for one target in a circle.",
    (PUSH_CIRCLE,),
    check=True,
)


@lint(EL_08)
def push_circles(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-08: pushes for one queue manager that lead back. Linear in the lists of all
    store-and-forward queues.
    """
    pushes: dict[str, dict[str, list[tuple[str, MqeQueue]]]] = {}
    for here in configuration.all():
        for manager, stores in here.accepting.items():
            for store in stores if manager not in here.aliases else ():
                hop = next_hop(configuration, here, store.forward_to) if store.forward_to else None
                if hop is not None and hop.to:
                    pushes.setdefault(manager, {}).setdefault(here.name, []).append((hop.to, store))
    for manager, edges in sorted(pushes.items()):
        for name in _in_circles(edges):
            here_ = configuration.get(name)
            assert here_ is not None  # it has the store-and-forward queue
            store = edges[name][0][1]
            text = (
                f"Messages for {manager} that {store.name} of {name} pushes to "
                f"{store.forward_to} come back: they go round for ever (E-40)."
            )
            yield EL_08.at(store.source, text, server=here_.name)


def _in_circles(edges: dict[str, list[tuple[str, MqeQueue]]]) -> list[str]:
    """The nodes that are left when those without a way in or a way out are taken away again and
    again: all of a circle, or between two.
    """
    left = {start: {end for end, _ in ends if end in edges} for start, ends in edges.items()}
    for backwards in (False, True):
        into: dict[str, set[str]] = {name: set() for name in left}
        for start, ends in left.items():
            for end in ends:
                into[end].add(start)
        out, back = (into, left) if backwards else (left, into)
        count = {name: len(out[name]) for name in left}
        waiting = [name for name, ends in count.items() if not ends]
        gone: set[str] = set()
        while waiting:
            name = waiting.pop()
            gone.add(name)
            for other in back[name]:
                count[other] -= 1
                if not count[other] and other not in gone:
                    waiting.append(other)
        left = {
            start: {end for end in ends if end not in gone}
            for start, ends in left.items()
            if start not in gone
        }
    return sorted(left)
