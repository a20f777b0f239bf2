"""SL-16: every message ends aside."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.message import Address
from topograph.outcomes import Outcome
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.sibus.buses.configuration import TOPIC_SPACE
from topograph.systems.sibus.buses.lookup import target_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.sibus.buses.configuration import Bus, BusDestination
    from topograph.systems.sibus.buses.estate import BusEstate
    from topograph.tracing.trace import Ending

EVERY_MESSAGE_ASIDE = FindingKind(
    "every-message-aside",
    Severity.WARNING,
    Remedy(
        "Name a destination that is there, or define the missing one.",
        "No message to this destination arrives.",
    ),
    "destination",
    Bearing("walked"),
)
SL_16 = Rule(
    "SL-16",
    "Every message ends aside",
    (
        "No message to an alias, a foreign destination or one with a path arrives: each is "
        "refused, goes to an exception destination, is discarded, or waits for ever."
    ),
    (EVERY_MESSAGE_ASIDE,),
    check=True,
)

_ASIDE = frozenset({Outcome.REJECTED, Outcome.EXCEPTIONED, Outcome.DISCARDED, Outcome.BLOCKED})
_TOLD = {
    Outcome.REJECTED: "is refused",
    Outcome.EXCEPTIONED: "goes to an exception destination",
    Outcome.DISCARDED: "is discarded",
    Outcome.BLOCKED: "waits for ever",
}


@lint(SL_16)
def every_message_aside(estate: BusEstate) -> Iterator[Finding]:
    """Destinations that lead on, of which no message arrives, as the walk of one without a path of
    its own has it (S-21, S-40). An alias of one that is found is not named again. Linear in the
    definitions and the states behind each.
    """
    from topograph.systems.sibus.ambiguities import A1
    from topograph.systems.sibus.buses.carried import Carried
    from topograph.systems.sibus.routing.rules import BusRules
    from topograph.tracing.dead_ends import ends_of
    from topograph.tracing.trace import Ending

    rules, mode = BusRules(estate), estate.readings.chosen(A1)
    for server, bus in estate.buses.items():
        found: set[str] = set()
        for other, one in sorted(bus.all_by_bus, key=lambda each: each[1].target is not None):
            target = one.target
            known = target is not None and bus.is_own(target.bus) and target.destination in found
            if known:
                found.add(one.name)
            if known or not _leads_on(one) or _is_named(bus, other, one):
                continue
            carried = replace(Carried(mode=mode, path_bus=bus.name), target_bus=other)
            begin = carried.at(server, one.name, estate.paths)
            ends = ends_of(rules.step, rules.loop_key, estate.buses.keys(), begin) or ()
            told = [(str(way.text), way.to) for _, way in ends if isinstance(way.to, Ending)]
            endings = [ending for _, ending in told]
            if endings and all(each.outcome in _ASIDE for each in endings):
                if not one.no_target and _only_closed(endings):
                    continue
                found.add(one.name)
                why = list(dict.fromkeys(text.rstrip(".") for text, _ in told))
                yield SL_16.at(one.source, _message(one, why, endings), server=server)


def _only_closed(endings: list[Ending]) -> bool:
    """Whether senders are told that sending is not allowed, and nothing else becomes of a message:
    that is what the configuration asks for, and messages that a path brings arrive (A-11)."""
    return all(
        (one.outcome, one.arguments.get("reason")) == (Outcome.REJECTED, 17) for one in endings
    )


def _is_named(bus: Bus, other: str, one: BusDestination) -> bool:
    """Whether another rule names why: SL-01 an element of its path that is not there, SL-02 a topic
    space there, SL-09 aliases that lead back, SL-10 an alias of a service.
    """
    behind = target_of(bus, Address(other, one.name)).found
    if behind.rule == "S-24" and behind.code in (_LEADS_BACK, _OF_A_SERVICE):
        return True
    elements = [
        target_of(bus, Address("", each.destination)).found
        for each in one.path
        if bus.is_own(each.bus)
    ]
    return any(
        not each.leads_on or (each.destination is not None and each.destination.type == TOPIC_SPACE)
        for each in elements
    )


_LEADS_BACK, _OF_A_SERVICE = 0, 29
"""What ``lookup`` says of an alias that S-24 does not allow."""


def _leads_on(one: BusDestination) -> bool:
    """Whether messages go on from a destination to another one, as far as files show."""
    return not one.doubt and (one.target is not None or bool(one.path) or one.no_target)


_WAYS = 3
"""How many of the ways in which messages end are quoted."""


def _message(one: BusDestination, why: list[str], endings: list[Ending]) -> str:
    told = " or ".join(dict.fromkeys(_TOLD[each.outcome] for each in endings))
    more = f"; or in {len(why) - _WAYS} more ways" if len(why) > _WAYS else ""
    return f"No message to {one.name} arrives: {'; or '.join(why[:_WAYS])}{more}. Each {told}."
