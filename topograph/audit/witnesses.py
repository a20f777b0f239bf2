"""What a change does to deliveries: messages that show it, each followed before and after.

The system finds the messages (``Changes.probes``): of each link whose conditions changed, for each
destination and direction, one that passed before and does not now, or the other way round. Each is
followed here from servers whose deliveries differ, on both networks, and only what those two
answers say is told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from topograph.audit.distributions import distributed_otherwise
from topograph.audit.following import Key, Ways, traced_in_both
from topograph.engines.memory import MemoryEngine
from topograph.errors import NotApplicable, UsageError
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.inexact import Cause, LeftOut
from topograph.message import Message
from topograph.questions.answers import Caution, Delivery
from topograph.questions.answers.audit import DeliveriesChanged, DeliveryMoved
from topograph.questions.answers.impact import OutcomeChanged
from topograph.questions.answers.propagate import PropagateAnswer
from topograph.questions.judgements import ASSUMED
from topograph.questions.model import Model, Part
from topograph.questions.propagate import propagate
from topograph.records import record
from topograph.side_inputs import SideInputs
from topograph.systems.contract.changes import AtMost, ClosedChanges, Known, Probe
from topograph.systems.contract.system import Change, FactSource
from topograph.tracing.trace import Trace

MOST_FURTHER = 40
"""Messages that are followed once more from another server, because from there one more line
decides about them.
"""

Deliveries = Mapping[tuple[str, str, str], Delivery]
"""By server, destination and receiver."""

Rows = dict[tuple[object, ...], DeliveryMoved]
"""What is told, by server, destination, receiver and line."""


@record(slots=False)
class Moved:
    """What known subscribers and supposed ones gain and lose; ``complete`` is False where
    something was not looked at, ``left_out`` what of that is too much to look at.
    """

    known: DeliveriesChanged
    would_gain: tuple[DeliveryMoved, ...]
    would_lose: tuple[DeliveryMoved, ...]
    left_out: tuple[LeftOut, ...]
    cautions: tuple[Caution, ...] = ()
    complete: bool = True
    otherwise: tuple[OutcomeChanged, ...] = ()
    """Messages that servers distribute otherwise."""
    would_duplicate: tuple[DeliveryMoved, ...] = ()
    ways: Ways = field(default_factory=dict)
    """How those messages are traced before and after."""


def deliveries_compared(
    model: Model,
    part: Part,
    changes: ClosedChanges,
    after: ForwardingGraph,
    facts: FactSource,
    change: Change,
    budget: Budget,
    apart: Collection[tuple[str, str]] = (),
    side_inputs: SideInputs | None = None,
) -> Moved:
    """The deliveries that differ between a part of the model and the same part with the graph
    and the facts after a change. ``apart`` are pairs of servers that the change separates for
    certain: nothing gets from one to the other, whatever no file shows. ``side_inputs`` are those
    of the state after; who subscribes is taken from before for both, so that a difference is one
    of the configuration.
    """
    about = Known(part.facts_of(part.system.name), facts, part.side_inputs.clients)
    found = changes.probes(part.graph, after, change, about, budget)
    following = _Following(
        model,
        model_after(model, part, after, facts, side_inputs),
        {fact.source for fact in (*change.added, *change.removed)},
        apart,
        dict(found.undecided),
    )
    complete = not (found.left_out or budget.spent)
    for probe in found.found:
        complete &= probe.covered
        for start in probe.starts or (probe.at,):
            complete = budget.goes_on() and following.follow(probe, start) and complete
    further, left = _further(found.found)
    for probe, start in further:
        complete = budget.goes_on() and following.follow(probe, start) and complete
    return following.moved(found.left_out, complete=complete, further=left)


def model_after(
    model: Model,
    part: Part,
    graph: ForwardingGraph,
    facts: FactSource,
    side_inputs: SideInputs | None = None,
) -> Model:
    """The model with one part as it is after a change."""
    system = part.system.name
    clients = part.side_inputs.clients
    changed = Part(
        graph,
        MemoryEngine(graph),
        lambda name: facts if name == system else part.facts_of(name),
        part.side_inputs if side_inputs is None else replace(side_inputs, clients=clients),
    )
    return replace(model, parts=[changed if one is part else one for one in model.parts])


def _further(probes: Sequence[Probe]) -> tuple[list[tuple[Probe, str]], int]:
    """At which servers messages are published once more, those first that show a line of a
    destination which no other shows; and how many are left out."""
    shown: set[tuple[str, Source]] = set()
    first: dict[tuple[int, str], Probe] = {}
    then: dict[tuple[int, str], Probe] = {}
    for number, probe in enumerate(probes):
        for line, start in probe.further:
            mark = probe.destination, line
            (then if mark in shown else first)[number, start] = probe
            shown.add(mark)
    found = [(probe, start) for (_, start), probe in {**first, **then}.items()]
    return found[:MOST_FURTHER], len(found[MOST_FURTHER:])


@dataclass
class _Following:
    """Messages followed on both networks, and what of that is told; ``changed`` are the lines of
    all entries that the change brings or takes away, ``apart`` the pairs that it certainly
    separates.
    """

    before: Model
    after: Model
    changed: Collection[Source]
    apart: Collection[tuple[str, str]]
    undecided: dict[str, Source]
    gained: Rows = field(default_factory=dict)
    lost: Rows = field(default_factory=dict)
    doubled: Rows = field(default_factory=dict)
    otherwise: dict[tuple[str, str], OutcomeChanged] = field(default_factory=dict)
    ways: dict[Key, Callable[[], tuple[Trace, Trace] | None]] = field(default_factory=dict)

    def follow(self, probe: Probe, start: str) -> bool:
        """Publish a message at a server and note whose deliveries differ, unless all that it can
        show is noted; False where the budget ended before that was known."""
        if self._is_noted(probe.at_most(start)):
            return True
        answers = _answer(self.before, start, probe), _answer(self.after, start, probe)
        if any(map(_ended_early, answers)):
            return False
        was, now = map(_deliveries, answers)
        if any(map(_supposes_nobody, answers)):
            was, now = map(_to_known, (was, now))
        row = distributed_otherwise(*answers, probe.destination, probe.source)
        if row is not None and (start, probe.destination) not in self.otherwise:
            self.otherwise[start, probe.destination] = row
            message = Message.to(probe.destination, probe.properties)
            self.ways[row.system, row.server, row.destination] = partial(
                traced_in_both, (self.before, self.after), start, message
            )
        left_open = (
            {}
            if answers[1] is None
            else {one.server: one.because for one in answers[1].undetermined}
        )
        for key in sorted({*was, *now}):
            before, behind = was.get(key), now.get(key)
            if behind is not None and (before is None or _is_new(before, behind)):
                self._tell(self.gained, key, probe, start, behind)
            elif (
                before is not None
                and behind is None
                and key[0] in left_open
                and (start, key[0]) not in self.apart
            ):
                text = (
                    f"whether a subscriber at {key[0]} still gets {probe.destination} "
                    f"from {start}: {left_open[key[0]]}"
                )
                self.undecided.setdefault(text, probe.source)
            elif before is not None and (behind is None or _is_new(behind, before)):
                self._tell(self.lost, key, probe, start, replace(before, copies=0))
            elif before is not None and behind is not None and behind.copies > before.copies:
                self._tell(self.doubled, key, probe, start, behind)
        return True

    def _is_noted(self, most: AtMost | None) -> bool:
        """Whether all that following a message shows at most is noted. Linear in that."""
        return most is not None and all(
            (*key, line) in rows
            for rows, keys in ((self.lost, most.lost), (self.gained, most.gained))
            for key in keys
            for line in most.lines
        )

    def moved(self, left_out: tuple[LeftOut, ...], *, complete: bool, further: int) -> Moved:
        """All that is told, what was not, and that ``further`` messages were not followed once
        more."""
        ordered = [
            sorted(rows.values(), key=_order) for rows in (self.gained, self.lost, self.doubled)
        ]
        known = DeliveriesChanged(
            *(tuple(row for row in rows if row.subscriber != "assumed") for rows in ordered)
        )
        supposed = [tuple(row for row in rows if row.subscriber == "assumed") for rows in ordered]
        cautions = [
            Caution("undecided", f"undecided: {text}", source)
            for text, source in self.undecided.items()
        ]
        if further:
            text = (
                f"more lines may decide about the same deliveries: {further:,} messages of other "
                "senders were not followed"
            )
            cautions.append(Caution("not-listed", text, Source("")))
        return Moved(
            known,
            supposed[0],
            supposed[1],
            left_out,
            tuple(cautions),
            complete,
            (*self.otherwise.values(),),
            supposed[2],
            self.ways,
        )

    def _tell(
        self, rows: Rows, key: tuple[str, str, str], probe: Probe, start: str, delivery: Delivery
    ) -> None:
        """Tell of a delivery once for each line that decides it: that of what delivers it, where
        it changes, and those on its path; else that of what the message was tried for."""
        lines = dict.fromkeys(
            line
            for path in delivery.paths or (delivery.path,)
            for line in probe.decided_by(delivery.destination, path)
        )
        if delivery.source in self.changed:
            lines = {delivery.source: None, **lines}
        for line in lines or (probe.source,):
            if (*key, line) not in rows:
                rows[*key, line] = DeliveryMoved(
                    delivery.server,
                    delivery.destination,
                    dict(probe.properties),
                    line,
                    start,
                    (probe.loses if rows is self.lost else probe.gains).get(delivery.server, 1),
                    delivery.subscriber,
                    delivery.copies,
                    "" if _one_name(probe.destination, delivery.destination) else probe.destination,
                )


def _one_name(sent: str, delivered: str) -> bool:
    """Whether a message was delivered under the name that it was sent to, the owner of a queue
    aside."""
    return sent.partition("@")[0] == delivered.partition("@")[0]


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


def _supposes_nobody(answer: PropagateAnswer | None) -> bool:
    """Whether receivers are supposed only where none is known, and one is: supposed ones of the
    other state are then not compared with anything."""
    known = answer is not None and any(one.subscriber != ASSUMED for one in answer.deliveries)
    return known and answer is not None and answer.sender is not None


def _to_known(deliveries: Deliveries) -> Deliveries:
    """Those to receivers that are known."""
    return {key: one for key, one in deliveries.items() if one.subscriber != ASSUMED}


def _is_new(before: Delivery, behind: Delivery) -> bool:
    """Whether a subscriber is known of which it was only supposed before that there is one."""
    return before.subscriber == "assumed" != behind.subscriber


def _order(row: DeliveryMoved) -> tuple[str, str, str, Source]:
    return row.server, row.destination, repr(sorted(row.witness.items())), row.source
