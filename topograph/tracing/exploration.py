"""From a step function to a trace: ``explore`` follows one message from state to state, over all
systems of a network, within a budget.

Breadth-first over branches, without recursion, so that a chain of thousands of servers is as good
as a short one. Each distinct guard is evaluated once. What the budget cuts is said: ``Trace.exact``
is False, and every server that the message might still get to is open.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import UNDECIDED, Guard, Server
from topograph.inexact import Inexact, budget_ended, not_loaded
from topograph.message import Message
from topograph.outcomes import NotForwarded, Outcome, Truth
from topograph.records import record
from topograph.tracing.outcomes import ALREADY_SEEN, TAKEN
from topograph.tracing.states import (
    Handover,
    How,
    Loops,
    Seam,
    State,
    Stepping,
    Systems,
    Transition,
    Verdict,
    Way,
    no_way_out,
)
from topograph.tracing.trace import Ending, Kind, Note, Open, Trace, TraceBuilder

CERTAIN = (Kind.COPY, Kind.ELSE)
"""Kinds of ways that are taken for certain once their guards hold."""

STAYS = "nothing that is configured moves it on"
"""What is told of a message that no way is open to."""

_YES = Verdict(Truth.TRUE)
_NO = Verdict(Truth.FALSE)
_CONDITIONS = frozenset(str(condition) for condition in NotForwarded)

Conditions = frozenset[tuple[str, int]]
"""Picks that a branch depends on: (choice key, pick)."""


@record
class _Refusal:
    """What follows, for a message that was handed over from ``state`` of ``system``, if the
    system that it went to rejects it.
    """

    system: str
    state: State
    way: Way
    to: Ending


@dataclass(slots=True)
class _Head:
    """Where one branch has got to. ``seen`` counts the loop keys on the way here."""

    branch: int
    system: str
    state: State
    seen: dict[Hashable, int]
    conditions: Conditions = frozenset()
    certain: bool = True
    refusal: _Refusal | None = None
    again: bool = False
    """Whether it has been in this state before."""


def explore(
    systems: Systems,
    system: str,
    state: State,
    message: Message,
    *,
    seams: Iterable[Seam] = (),
    budget: Budget | None = None,
    stations: bool = True,
    within: Callable[[str, State], bool] | None = None,
) -> Trace:
    """What happens to a message that begins in ``state`` of ``system``; without ``stations``, its
    steps have none (``Stepping.station``). Ways to states of a system that are not ``within`` are
    left out: the rest is as it is in the whole trace, in the same order. Linear in the states of
    all branches; each is a step of the budget.
    """
    exploration = _Exploration(
        systems, message, seams, budget or Budget(), stations=stations, within=within
    )
    return exploration.run(system, state)


def holds(way: Way, earlier: Sequence[Way], evaluate: Callable[[Guard], Verdict]) -> Verdict:
    """Whether a way is open to a message: its own guard holds, and, of an ``else``, no guard of an
    earlier way (which are ``earlier``).

    A guard whose truth is not known leaves it open whether the way is, unless something else
    closes it."""
    own = _YES if way.guard is None else evaluate(way.guard)
    if own.truth is not Truth.TRUE and own.known:
        return own
    if way.kind is not Kind.ELSE:
        return own
    if any(one.kind is Kind.ELSE and one.guard is None for one in earlier):
        return _NO
    before = [evaluate(one.guard) for one in earlier if one.guard is not None]
    if any(verdict.known and verdict.truth is Truth.TRUE for verdict in before):
        return _NO
    return next((verdict for verdict in (own, *before) if not verdict.known), _YES)


def verdict_of(system: Stepping, guard: Guard, message: Message) -> Verdict:
    """What a guard says of a message; nothing is known of one that the files do not decide."""
    if guard.kind == UNDECIDED:
        return Verdict(Truth.UNKNOWN, known=False, note=guard.payload or guard.text)
    return system.evaluate(guard, message)


class _Exploration:
    """One message on its way."""

    def __init__(
        self,
        systems: Systems,
        message: Message,
        seams: Iterable[Seam],
        budget: Budget,
        *,
        stations: bool,
        within: Callable[[str, State], bool] | None,
    ) -> None:
        self.systems, self.message, self.budget = systems, message, budget
        self.stations, self.within = stations, within
        self.seams = {(seam.start, seam.end): seam for seam in seams}
        self.servers = {
            (name, one.name): one for name, own in systems.items() for one in own.servers
        }
        self.verdicts: dict[tuple[str, str], Verdict] = {}
        self.visited: dict[tuple[str, str], None] = {}
        self.assumptions: dict[Assumption, None] = {}
        self.notes: dict[Note, None] = {}
        self.open: dict[tuple[str, str], Open] = {}
        self.had: dict[Hashable, list[Conditions]] = {}
        self.options: dict[str, int] = {}
        self.unsure: list[tuple[str, State, str, Source]] = []
        self.doubt: tuple[str, Source] | None = None
        self.queue: deque[_Head] = deque()

    def run(self, system: str, state: State) -> Trace:
        self.builder = TraceBuilder(system)
        root = self.builder.branch(-1, Kind.ROOT)
        self._enter(_Head(root, system, state, {}), "")
        exact = True
        while self.queue:
            if not self._go_on():
                exact = False
                break
            self._step(self.queue.popleft())
        exact = self._look_behind() and exact
        inexact: tuple[Inexact, ...] = ()
        if not exact:
            inexact = budget_ended(self.budget.ended)
            self._cut()
        self._doubt_all()
        left_open = tuple(
            entry for key, entry in sorted(self.open.items()) if key not in self.visited
        )
        if self.doubt is not None and not left_open:
            exact = False
            inexact = (*inexact, not_loaded(self.doubt[:1]))
            self.notes[Note("not-loaded", *self.doubt)] = None
        start, *others = self.visited
        return Trace(
            start=state.server,
            system=system,
            steps=tuple(self.builder.steps),
            branches=tuple(self.builder.branches),
            exact=exact,
            inexact=inexact,
            assumptions=tuple(sorted(self.assumptions, key=lambda one: (one.rule, one.text))),
            notes=(*self.notes, *self._standing_notes()),
            open=left_open,
            visited=(start[1], *sorted({name for _, name in others} - {start[1]})),
        )

    def _standing_notes(self) -> Iterator[Note]:
        """What the systems say in every answer that a message in them gets."""
        for system in dict.fromkeys(step.system for step in self.builder.steps):
            yield from self.systems[system].notes if system in self.systems else ()

    def _go_on(self) -> bool:
        """Take one state off the budget; False where it is spent."""
        try:
            self.budget.spend()
        except BudgetSpent:
            return False
        return True

    def _evaluate(self, system: str, guard: Guard) -> Verdict:
        key = system, guard.id
        if key not in self.verdicts:
            self.verdicts[key] = verdict_of(self.systems[system], guard, self.message)
        return self.verdicts[key]

    def _step(self, head: _Head) -> None:
        own = self.systems[head.system]
        transition = own.step(head.state)
        self.assumptions.update(dict.fromkeys(transition.assumptions))
        if transition.is_dead_end:
            self._dead_end(head)
            return
        self._note_open_end(transition)
        ways = transition.ways
        if head.again:
            # What another reading makes of the state was told the first time.
            ways = tuple(way for way in ways if way.kind is not Kind.READING)
        shown: list[tuple[Way, Verdict]] = []
        guarded = any(way.kind is Kind.ELSE for way in ways)
        for number, way in enumerate(ways):
            verdict = holds(way, ways[:number], lambda guard: self._evaluate(head.system, guard))
            # Where an else stands beside it, a way that is not open is no stop: something else
            # happens.
            stops = way.kind is Kind.COPY and not guarded
            if not verdict.known or verdict.truth is Truth.TRUE or stops:
                shown.append((way, verdict))
        taken = {id(way) for way, verdict in shown if verdict.known and verdict.truth is Truth.TRUE}
        unknown = {id(way) for way, verdict in shown if not verdict.known}
        choices = self._choices(ways, taken, unknown)
        if not shown:
            self.builder.step(
                head.branch, head.state.server, STAYS, system=head.system, object=head.state.object
            )
            self._end(head.branch, head, Ending(Outcome.STUCK))
            return
        going_on = sum(id(way) in taken and not isinstance(way.to, Ending) for way, _ in shown)
        for way, verdict in shown:
            if self._is_left_out(head.system, way):
                continue
            kind, choice, pick = choices.get(id(way), (way.kind, "", 0))
            branch = head.branch
            if len(shown) > 1 or kind not in CERTAIN or way.eliminated:
                condition = way.condition or (
                    (way.position.alternative or way.position.text) if way.position else ""
                )
                branch = self.builder.branch(
                    head.branch,
                    kind,
                    choice=choice,
                    pick=pick,
                    condition=condition or (way.guard.text if way.guard else ""),
                    eliminated=way.eliminated,
                )
            if id(way) in taken:
                seen = dict(head.seen) if going_on > 1 else head.seen
                depends = () if kind in CERTAIN else ((choice or f"branch {branch}", pick),)
                conditions = head.conditions | frozenset(depends)
                certain = head.certain and kind in CERTAIN
                self._take(
                    _Head(branch, head.system, head.state, seen, conditions, certain, head.refusal),
                    way,
                )
            elif verdict.known:
                self._stop(branch, head, way, verdict)
            else:
                self._leave_open(branch, head, way, verdict)

    def _is_left_out(self, system: str, way: Way) -> bool:
        """Whether a way leads to a state that is not to be followed."""
        return (
            self.within is not None
            and isinstance(way.to, State)
            and not self.within(system, way.to)
        )

    def _dead_end(self, head: _Head) -> None:
        """Nothing is said of a message in this state: it may go anywhere."""
        because, source = self._nothing_said(head.system, head.state)
        self.doubt = self.doubt or (because, source)
        self.builder.step(
            head.branch,
            head.state.server,
            because,
            system=head.system,
            object=head.state.object,
            state=head.state.data,
            source=source,
        )
        self._end(head.branch, head, Ending(Outcome.UNDETERMINED, {"condition": because}))

    def _note_open_end(self, transition: Transition) -> None:
        """That the message may go anywhere, for a reason that the transition states."""
        if (end := transition.open_end) is not None:
            self.doubt = self.doubt or (end.text, end.source)

    def _nothing_said(self, system: str, state: State) -> tuple[str, Source]:
        """That a state has no way out, and the place of its server."""
        server = self.servers[system, state.server]
        return f"{server.name}: {no_way_out(state.object)}", server.source

    def _choices(
        self, ways: Sequence[Way], taken: Collection[int], unknown: Collection[int]
    ) -> dict[int, tuple[Kind, str, int]]:
        """Per way that is one of several: kind, choice key and pick. Where guards leave only one
        it is no choice, unless it is not known of another whether its guard holds; where they
        leave a part it is a choice of its own, for nothing says that the same one would be
        picked among fewer."""
        groups: dict[str, list[Way]] = {}
        for way in ways:
            if way.kind is Kind.ONE_OF or (way.kind is Kind.OPAQUE and way.choice):
                groups.setdefault(way.choice, []).append(way)
        found: dict[int, tuple[Kind, str, int]] = {}
        for choice, group in groups.items():
            open_ = [number for number, way in enumerate(group) if id(way) in taken]
            undecided = any(id(way) in unknown for way in group)
            key = choice
            if len(open_) < len(group) or self.options.setdefault(choice, len(group)) != len(group):
                key = (
                    f"{choice} among {', '.join(str(number + 1) for number in open_)} of "
                    f"{len(group)}"
                )
            for number, way in enumerate(group):
                single = len(open_) == 1 and way.kind is Kind.ONE_OF and not undecided
                found[id(way)] = (Kind.COPY, "", 0) if single else (way.kind, key, number)
        return found

    def _told(self, branch: int, head: _Head, way: Way, text: str, to: str = "") -> None:
        """The step of a way."""
        self.builder.step(
            branch,
            head.state.server,
            text,
            system=head.system,
            rule=way.rule,
            confidence=str(way.confidence),
            source=way.source,
            object=head.state.object,
            state=head.state.data,
            to=to,
            zone=way.zone,
            cost=way.cost,
            guards=() if way.guard is None else (way.guard.text,),
            passing=way.passing,
            station=self.systems[head.system].station(head.state, way) if self.stations else None,
            link=way.link if to else "",
            role=way.role if to else "",
        )

    def _take(self, head: _Head, way: Way) -> None:
        """Go a way: to its ending, or on to the state it leads to."""
        if way.position is not None:
            self.assumptions[way.position] = None
        if isinstance(way.to, Ending):
            self._told(head.branch, head, way, way.text)
            self._end(head.branch, head, way.to)
            return
        system, state, lost = self._target(head.system, way.to)
        if isinstance(way.to, Handover) and way.to.how is How.ASSUMED:
            text = (
                f"a message goes from {head.state.server} over to {system} at {way.to.state.server}"
            )
            self.assumptions[
                Assumption(way.rule, str(way.confidence), text, "it ends where it is handed over")
            ] = None
        text = f"{way.text}; {lost}" if lost else way.text
        named = way.to.state.server if isinstance(way.to, Handover) else way.to.server
        if state is None or (system, state.server) not in self.servers:
            self._told(head.branch, head, way, text)
            self._end(head.branch, head, Ending(Outcome.EXTERNAL, {"server": named}))
            return
        if isinstance(way.to, Handover):
            state = self.systems[system].handed_over(state, self.message)
            head.refusal = _refusal(head.system, head.state, way.to)
        hop = (system, state.server) != (head.system, head.state.server)
        self._told(head.branch, head, way, text, to=state.server if hop else "")
        head.system, head.state = system, state
        self._enter(head, way.rule)

    def _target(self, system: str, to: State | Handover) -> tuple[str, State | None, str]:
        """(system, state, what is lost) that a way leads to; no state where the system is not
        loaded, or has none for it.
        """
        if isinstance(to, State):
            return system, to, ""
        seam = self.seams.get((system, to.system))
        if to.system not in self.systems:
            return to.system, None, ""
        if seam is None:
            return to.system, to.state, ""
        return to.system, seam.translate(to.state), seam.lost

    def _enter(self, head: _Head, rule: str) -> None:
        """Arrive in a state: note the server, see whether it comes again, and wait for the next
        step.
        """
        server = self.servers.get((head.system, head.state.server))
        if head.certain:
            self.visited[head.system, head.state.server] = None
        if server is None or not server.loaded:
            self._unknown_server(head, server)
            return
        if server.open_ended and self.doubt is None:
            self.doubt = _not_shown(server)
        own = self.systems[head.system]
        key = (head.system, own.loop_key(head.state))
        times = head.seen.get(key, 0)
        on_loop = own.loops_at(head.state)
        where = " ".join(part for part in (head.state.object, "at", head.state.server) if part)
        if on_loop.loops is Loops.ONCE:
            if any(before <= head.conditions for before in self.had.get(key, ())):
                self._end(head.branch, head, Ending(Outcome.DISCARDED, {"reason": ALREADY_SEEN}))
                return
            self.had.setdefault(key, []).append(head.conditions)
        elif times and on_loop.loops is Loops.LIMIT and times < on_loop.times:
            text = f"the message comes back to {where}"
            if not any(note.text == text for note in self.notes):
                self.notes[Note(rule, text)] = None
        elif times:
            if on_loop.position is not None:
                self.assumptions[on_loop.position] = None
            if on_loop.rule:
                text = f"the message comes back to {where}: it would go round for ever"
                self.builder.step(
                    head.branch,
                    head.state.server,
                    text,
                    system=head.system,
                    rule=on_loop.rule,
                    confidence=str(on_loop.confidence),
                    object=head.state.object,
                    state=head.state.data,
                )
            self._end(head.branch, head, Ending(Outcome.LOOP, {"state": where}))
            return
        head.seen[key] = times + 1
        head.again = times > 0
        self.queue.append(head)

    def _unknown_server(self, head: _Head, server: Server | None) -> None:
        name = head.state.server
        because, source = unknown_server(name, server)
        if self.doubt is None:
            self.doubt = because, source
        self.builder.step(
            head.branch,
            name,
            because,
            system=head.system,
            object=head.state.object,
            state=head.state.data,
            source=source,
        )
        beyond = (
            self.systems[head.system].beyond
            if len(self.builder.steps) > 1
            else Outcome.UNDETERMINED
        )
        self._end(head.branch, head, Ending(beyond, {"condition": because}))

    def _end(self, branch: int, head: _Head, ending: Ending) -> None:
        """End a branch where it is; what the ending does not name itself is filled in. A
        rejection is told to the system that handed the message over.
        """
        if ending.outcome is Outcome.REJECTED and head.refusal is not None:
            refused, ending = head.refusal, head.refusal.to
            head = _Head(branch, refused.system, refused.state, head.seen)
            self._told(branch, head, refused.way, refused.way.text)
            if refused.way.position is not None:
                self.assumptions[refused.way.position] = None
        named: dict[str, str | int] = {
            "server": head.state.server,
            "destination": head.state.object,
        }
        if ending.outcome in TAKEN:
            named |= {"copies": 1, "subscriber": "configured"}
        self.builder.end(branch, replace(ending, arguments={**named, **ending.arguments}))

    def _stop(self, branch: int, head: _Head, way: Way, verdict: Verdict) -> None:
        """A way that the message does not take."""
        assert way.guard is not None
        at, to = head.state.server, _server_of(way) or head.state.server
        self._told(branch, head, way, stopped(way, verdict, at))
        condition = way.guard.kind if way.guard.kind in _CONDITIONS else str(NotForwarded.SELECTOR)
        arguments = {
            "at": at,
            "to": to,
            "condition": condition,
            "guard": way.guard.text,
            "value": str(verdict.truth),
        }
        self.builder.end(branch, Ending(Outcome.NOT_FORWARDED, arguments))

    def _leave_open(self, branch: int, head: _Head, way: Way, verdict: Verdict) -> None:
        """A way of which the loaded files do not say whether the message takes it."""
        because, told = undecided(way, verdict)
        self._told(branch, head, way, told)
        self.builder.end(
            branch,
            Ending(Outcome.UNDETERMINED, {"server": head.state.server, "condition": because}),
        )
        if not isinstance(way.to, Ending):
            system, state, _ = self._target(head.system, way.to)
            if state is not None:
                self.unsure.append((system, state, because, way.source))
        else:
            name = head.state.server
            self.open.setdefault((head.system, name), Open(head.system, name, because, way.source))

    def _look_behind(self) -> bool:
        """Whatever may lie behind ways that are left open is open too; False where the budget
        ended first.
        """
        looked: set[Hashable] = set()
        waiting = deque(self.unsure)
        while waiting:
            system, state, because, source = waiting.popleft()
            server = self.servers.get((system, state.server))
            if server is None:
                continue
            self.open.setdefault(
                (system, state.server), Open(system, state.server, because, source)
            )
            if not server.loaded or server.open_ended:
                self.doubt = self.doubt or _not_shown(server)
            state = self.systems[system].plainer(state)
            key = (system, self.systems[system].loop_key(state))
            if key in looked or not server.loaded:
                continue
            looked.add(key)
            if not self._go_on():
                return False
            transition = self.systems[system].step(state)
            if transition.is_dead_end:
                self.doubt = self.doubt or self._nothing_said(system, state)
            self._note_open_end(transition)
            ways = transition.ways
            for number, way in enumerate(ways):
                verdict = holds(way, ways[:number], partial(self._evaluate, system))
                if isinstance(way.to, Ending) or (
                    verdict.known and verdict.truth is not Truth.TRUE
                ):
                    continue
                there, onward, _ = self._target(system, way.to)
                if onward is not None:
                    waiting.append((there, onward, because, source))
        return True

    def _cut(self) -> None:
        """The budget ended: what is still to be looked at ends undecided."""
        because = f"{self.budget.ended}, before everything was looked at"
        source = self.builder.steps[-1].source if self.builder.steps else Source("")
        for head in self.queue:
            self.builder.step(
                head.branch,
                head.state.server,
                because,
                system=head.system,
                object=head.state.object,
            )
            self._end(head.branch, head, Ending(Outcome.UNDETERMINED, {"condition": because}))
        self.doubt = because, source

    def _doubt_all(self) -> None:
        """Something that may lead anywhere is on the way: every other server is open."""
        if self.doubt is None:
            return
        because, source = self.doubt
        for system, name in self.servers:
            self.open.setdefault((system, name), Open(system, name, because, source))


def _refusal(system: str, state: State, handover: Handover) -> _Refusal | None:
    """What follows if a message that is handed over in ``state`` is rejected; None where that is
    the sender's matter.
    """
    way = handover.refused
    if way is None or not isinstance(way.to, Ending):
        return None
    return _Refusal(system, state, way, way.to)


def stopped(way: Way, verdict: Verdict, at: str) -> str:
    """What is told of a way that a message at a server does not take, for its guard."""
    assert way.guard is not None
    to = _server_of(way) or at
    where = "not passed on here" if at == to else f"not sent to {to}"
    selector = way.guard.kind not in _CONDITIONS or way.guard.kind == NotForwarded.SELECTOR
    because = f"{way.guard.text} is {verdict.truth}" if selector else way.guard.text
    return f"{where}: {because}"


def undecided(way: Way, verdict: Verdict) -> tuple[str, str]:
    """Why no file decides whether a message takes a way, and what is told of it."""
    because = (
        verdict.note
        or f"whether it goes that way is not known: {way.guard.text if way.guard else way.text}"
    )
    return because, because if way.text in because else f"possible: {way.text}; {because}"


def unknown_server(name: str, server: Server | None) -> tuple[str, Source]:
    """What is told of a message at a server that is not loaded, and the place that names it."""
    if server is None:
        return f"{name} is not among the loaded files", Source("")
    return _not_shown(server)


def _not_shown(server: Server) -> tuple[str, Source]:
    """Why nothing certain is said of what lies behind a server."""
    return (
        (
            f"{server.name}: {server.incomplete or 'its file is not loaded'}: where it sends "
            "messages is not known"
        ),
        server.source,
    )


def _server_of(way: Way) -> str:
    if isinstance(way.to, Handover):
        return way.to.state.server
    return way.to.server if isinstance(way.to, State) else ""
