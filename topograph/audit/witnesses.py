"""What a change does to deliveries: messages that show it, each followed before and after.

The system finds the messages (``Changes.probes``): of each link whose conditions changed, for each
destination and direction, one that passed before and does not now, or the other way round. Each is
followed here from servers whose deliveries differ, on both networks, and only what those two
answers say is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from topograph.audit.distributions import distributed_otherwise
from topograph.engines.memory import MemoryEngine
from topograph.errors import NotApplicable, UsageError
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.inexact import Cause
from topograph.message import Message
from topograph.questions.answers import Caution, Delivery
from topograph.questions.answers.audit import DeliveriesChanged, DeliveryMoved
from topograph.questions.answers.impact import OutcomeChanged
from topograph.questions.answers.propagate import PropagateAnswer
from topograph.questions.model import Model, Part
from topograph.questions.propagate import propagate
from topograph.systems.contract.changes import ClosedChanges, Known, Probe
from topograph.systems.contract.system import Change, FactSource

MOST_PUBLISHERS = 20
"""Servers at which one message is published; with those the servers whose deliveries differ are
covered nearly always.
"""

Deliveries = Mapping[tuple[str, str, str], Delivery]
"""By server, destination and receiver."""


@dataclass(frozen=True)
class Moved:
    """What known subscribers and supposed ones gain and lose; ``complete`` is False where
    something was not looked at.
    """

    known: DeliveriesChanged
    would_gain: tuple[DeliveryMoved, ...]
    would_lose: tuple[DeliveryMoved, ...]
    cautions: tuple[Caution, ...] = ()
    complete: bool = True
    otherwise: tuple[OutcomeChanged, ...] = ()
    """Messages that servers distribute otherwise."""
    would_duplicate: tuple[DeliveryMoved, ...] = ()


def deliveries_compared(
    model: Model,
    part: Part,
    changes: ClosedChanges,
    after: ForwardingGraph,
    facts: FactSource,
    change: Change,
    budget: Budget,
    apart: Collection[tuple[str, str]] = (),
) -> Moved:
    """The deliveries that differ between a part of the model and the same part with the graph
    and the facts after a change. ``apart`` are pairs of servers that the change separates for
    certain: nothing gets from one to the other, whatever no file shows.
    """
    about = Known(part.facts_of(part.system.name), facts, part.side_inputs.clients)
    found = changes.probes(part.graph, after, change, about, budget)
    later = model_after(model, part, after, facts)
    gained: dict[tuple[object, ...], DeliveryMoved] = {}
    lost: dict[tuple[object, ...], DeliveryMoved] = {}
    doubled: dict[tuple[object, ...], DeliveryMoved] = {}
    otherwise: dict[tuple[str, str], OutcomeChanged] = {}
    undecided = dict(found.undecided)
    complete = found.complete
    changed = {fact.source for fact in (*change.added, *change.removed)}
    for probe in found.found:
        starts, all_covered = _starts(probe)
        complete &= all_covered
        for start in starts:
            if not budget.goes_on():
                complete = False
                break
            answers = _answer(model, start, probe), _answer(later, start, probe)
            if any(map(_ended_early, answers)):
                complete = False
                continue
            was, now = map(_deliveries, answers)
            row = distributed_otherwise(*answers, probe.destination, probe.source)
            if row is not None:
                otherwise.setdefault((start, probe.destination), row)
            left_open = (
                {}
                if answers[1] is None
                else {one.server: one.because for one in answers[1].undetermined}
            )
            for key in sorted({*was, *now}):
                before, behind = was.get(key), now.get(key)
                if behind is not None and (before is None or _is_new(before, behind)):
                    _tell(gained, key, probe, _moved(probe, start, behind, changed))
                elif (
                    before is not None
                    and behind is None
                    and key[0] in left_open
                    and (start, key[0]) not in apart
                ):
                    text = (
                        f"whether a subscriber at {key[0]} still gets {probe.destination} "
                        f"from {start}: {left_open[key[0]]}"
                    )
                    undecided.setdefault(text, probe.source)
                elif before is not None and (behind is None or _is_new(behind, before)):
                    _tell(
                        lost, key, probe, replace(_moved(probe, start, before, changed), copies=0)
                    )
                elif before is not None and behind is not None and behind.copies > before.copies:
                    _tell(doubled, key, probe, _moved(probe, start, behind, changed))
    ordered = [sorted(rows.values(), key=_order) for rows in (gained, lost, doubled)]
    known = DeliveriesChanged(
        *(tuple(row for row in rows if row.subscriber != "assumed") for rows in ordered)
    )
    supposed = [tuple(row for row in rows if row.subscriber == "assumed") for rows in ordered]
    cautions = tuple(
        Caution("undecided", f"undecided: {text}", source) for text, source in undecided.items()
    )
    changed_otherwise = tuple(otherwise.values())
    return Moved(
        known, supposed[0], supposed[1], cautions, complete, changed_otherwise, supposed[2]
    )


def model_after(model: Model, part: Part, graph: ForwardingGraph, facts: FactSource) -> Model:
    """The model with one part as it is after a change."""
    system = part.system.name
    changed = Part(
        graph,
        MemoryEngine(graph),
        lambda name: facts if name == system else part.facts_of(name),
        part.side_inputs,
    )
    return replace(model, parts=[changed if one is part else one for one in model.parts])


def _starts(probe: Probe) -> tuple[list[str], bool]:
    """Servers to publish at, so that each server whose deliveries differ is among those that
    would get it from one of them; and whether all are.
    """
    if not probe.publishers:
        return [probe.at], True
    # Many ends have the same starts, and most of those are one object.
    ends = Counter(map(id, probe.publishers.values()))
    left = [
        (frozenset(starts), ends[key])
        for key, starts in {id(one): one for one in probe.publishers.values()}.items()
    ]
    chosen: list[str] = []
    while left and len(chosen) < MOST_PUBLISHERS:
        counts: Counter[str] = Counter()
        for starts, weight in left:
            for start in starts:
                counts[start] += weight
        best = min(counts, key=lambda name: (-counts[name], name))
        chosen.append(best)
        left = [one for one in left if best not in one[0]]
    return chosen, not left


def _answer(model: Model, start: str, probe: Probe) -> PropagateAnswer | None:
    """What becomes of the message; None where the server knows no such destination."""
    try:
        return propagate(model, start, Message.to(probe.destination, probe.properties))
    except (NotApplicable, UsageError):
        return None


def _ended_early(answer: PropagateAnswer | None) -> bool:
    """Whether the budget ended before it was known who gets the message."""
    return answer is not None and any(one.cause is Cause.BUDGET for one in answer.inexact_because)


def _deliveries(answer: PropagateAnswer | None) -> Deliveries:
    """Who gets the message."""
    found = () if answer is None else answer.deliveries
    return {(one.server, one.destination, one.receiver): one for one in found}


def _is_new(before: Delivery, behind: Delivery) -> bool:
    """Whether a subscriber is known of which it was only supposed before that there is one."""
    return before.subscriber == "assumed" != behind.subscriber


def _tell(
    rows: dict[tuple[object, ...], DeliveryMoved],
    key: tuple[str, str, str],
    probe: Probe,
    row: DeliveryMoved,
) -> None:
    """Keep what is told once: a delivery, by the line that decides it; of an entry's line only
    where nothing else is told of the delivery.
    """
    if probe.publishers or row.source != probe.source or not any(mark[:3] == key for mark in rows):
        rows.setdefault((*key, row.source), row)


def _moved(
    probe: Probe, start: str, delivery: Delivery, changed: Collection[Source]
) -> DeliveryMoved:
    """A delivery that differs, with the line that decides it: of what delivers it, where that
    changes, else of what the message was tried for.
    """
    return DeliveryMoved(
        delivery.server,
        delivery.destination,
        dict(probe.properties),
        delivery.source if delivery.source in changed else probe.source,
        start,
        len(probe.publishers.get(delivery.server, ())) or 1,
        delivery.subscriber,
        delivery.copies,
    )


def _order(row: DeliveryMoved) -> tuple[str, str, str]:
    return row.server, row.destination, repr(sorted(row.witness.items()))
