"""The messages of a network whose servers go step by step, as things are: where they begin, how
each ends, and who takes them. What that comes to is kept with the reading of the network, where
that can be, so that only the first question works it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Protocol

from topograph.forwarding.budget import Budget
from topograph.message import DestinationName, Message
from topograph.systems.contract.system import Failure
from topograph.systems.stepping.asked import Concerned, what_is_asked
from topograph.systems.stepping.keeping import Keeping
from topograph.tracing.ending_table import EndingTable
from topograph.tracing.endings import SharedEndings
from topograph.tracing.exploration import explore
from topograph.tracing.kept_endings import Asked, KeptEndings, tables_of
from topograph.tracing.outcomes import TAKEN
from topograph.tracing.states import Seam, State, Systems
from topograph.tracing.trace import Ending, Trace

Begin = tuple[str, State]
"""Where a message begins: its system, and the state."""

KEPT = "endings"
"""What is kept of a network, by name: how its messages end."""


class FollowedEstate(Protocol):
    """What is needed of the estate of these systems."""

    @property
    def systems(self) -> Systems:
        """What each system says of its servers."""
        ...

    @property
    def seams(self) -> Sequence[Seam]:
        """How states of one system are states of another."""
        ...

    def failed_by(self, failure: Failure, /) -> FollowedEstate:
        """The same while something is out of order."""
        ...


@dataclass
class Messages:
    """Those of one network, each put to a configured destination at its own server, without a way
    of its own: by place in the order of servers and objects. ``known`` is how they end, once that
    was asked for."""

    estate: FollowedEstate
    keeping: Keeping | None = None
    known: SharedEndings | None = None
    table: EndingTable = field(default_factory=EndingTable)
    _before: dict[Begin, Trace] = field(default_factory=dict)
    _taking: dict[Begin, frozenset[str]] = field(default_factory=dict)
    _reaching: Mapping[str, frozenset[str]] | None = None

    @cached_property
    def begins(self) -> Sequence[Begin]:
        """Where messages begin, by server and object."""
        if isinstance(self.known, KeptEndings):
            return [self.begin(place) for place in range(len(self.known.begins))]
        found = [
            (name, state)
            for name, own in self.estate.systems.items()
            for state in (own.sent or own.entries)()
        ]
        return sorted(found, key=lambda one: (one[1].server, one[1].object, one[0], one[1].data))

    @cached_property
    def numbers(self) -> Sequence[int]:
        """The numbers of the states in which messages begin."""
        assert self.known is not None
        if isinstance(self.known, KeptEndings):
            return self.known.begins
        return [self.known.number[begin] for begin in self.begins]

    def begin(self, place: int) -> Begin:
        """Where a message begins, by its place among all."""
        if isinstance(self.known, KeptEndings):
            return self.known.states[self.known.begins[place]]
        return self.begins[place]

    @cached_property
    def place_of(self) -> Mapping[int, int]:
        """The place of the message that begins in a state, by its number."""
        return {number: place for place, number in enumerate(self.numbers)}

    @cached_property
    def numbers_of(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the states in which the messages of a server begin."""
        return {
            server: list(dict.fromkeys(self.numbers[place] for place in places))
            for server, places in self.places_of.items()
        }

    @cached_property
    def left_to_traces(self) -> frozenset[int]:
        """The messages, by place, whose endings are not worked out with those of others."""
        if self.known is None or isinstance(self.known, KeptEndings):
            return frozenset()
        ends = self.known.ends
        return frozenset(place for place, begin in enumerate(self.begins) if ends(begin) is None)

    @cached_property
    def places_of(self) -> Mapping[str, Sequence[int]]:
        """The messages that begin at a server, by place."""
        found: dict[str, list[int]] = {}
        if isinstance(self.known, KeptEndings):
            servers = [self.known.place_of(number)[1] for number in self.known.begins]
        else:
            servers = [state.server for _, state in self.begins]
        for place, server in enumerate(servers):
            found.setdefault(server, []).append(place)
        return found

    @cached_property
    def reached_from(self) -> Counter[str]:
        """How many others each server takes a message of."""
        assert self._reaching is not None
        return Counter(chain.from_iterable(self._reaching.values()))

    def reaches(self, budget: Budget) -> Mapping[str, frozenset[str]]:
        """By server the others that take one of the messages that begin there. Raises
        BudgetSpent.
        """
        if self._reaching is None:
            endings = self.endings(budget)
            found: dict[str, set[str]] = {}
            taken: dict[str, int] = {}
            for place, number in enumerate(self.numbers):
                server = endings.place_of(number)[1]
                if place in self.left_to_traces:
                    found.setdefault(server, set()).update(self.takers(self.begin(place), budget))
                else:
                    taken[server] = taken.get(server, 0) | endings.taking_of(number)
            for server, taking in taken.items():
                found.setdefault(server, set()).update(endings.table.taken_by(taking))
            self._reaching = {server: frozenset(ends - {server}) for server, ends in found.items()}
        return self._reaching

    def takers(self, begin: Begin, budget: Budget) -> frozenset[str]:
        """The servers that take a message as things are; by its trace where its ending is not
        worked out with those of others. Raises BudgetSpent."""
        if begin not in self._taking:
            budget.check()
            endings = self.endings(budget)
            ends = endings.ends(begin)
            taking = (
                servers_taking(self.traced(begin, budget))
                if ends is None
                else frozenset(endings.table.taken_by(ends.taking))
            )
            budget.check()
            self._taking[begin] = taking
        return self._taking[begin]

    def endings(self, budget: Budget) -> SharedEndings:
        """The endings of all messages as things are, kept where that can be. Raises
        BudgetSpent."""
        if self.known is None:
            message = Message(DestinationName("queue", ""))
            systems = self.estate.systems
            tables = None if self.keeping is None else self.keeping.find(KEPT)
            if tables is not None:
                self.known = KeptEndings(systems, message, tables)
                self.table = self.known.table
                return self.known
            endings = SharedEndings(systems, message, self.table)
            endings.follow(self.begins, budget)
            self.known = endings
            asked = None if self.keeping is None else self._what_is_asked
            if self.keeping is not None and asked is not None:
                kept = tables_of(endings, self.begins, asked)
                if kept is not None:
                    self.keeping.keep(KEPT, kept)
        return self.known

    @cached_property
    def _what_is_asked(self) -> Asked | None:
        assert self.known is not None
        return what_is_asked(self.known)

    @property
    def concerned(self) -> Concerned | None:
        """The states that failures may concern, where that is known."""
        assert self.known is not None
        asked = self._what_is_asked
        return None if asked is None else Concerned(self.known, asked)

    def traced(self, begin: Begin, budget: Budget) -> Trace:
        """The trace of a message as things are; kept if it is whole."""
        if begin in self._before:
            return self._before[begin]
        found = explored(self.estate, begin, budget)
        if not budget.spent:
            self._before[begin] = found
        return found

    def bits(self, servers: Iterable[str]) -> int:
        """Servers that take messages, as bits."""
        found = 0
        for server in servers:
            found |= self.table.take(server)
        return found


def explored(
    estate: FollowedEstate,
    begin: Begin,
    budget: Budget,
    *,
    stations: bool = False,
    within: Callable[[str, State], bool] | None = None,
) -> Trace:
    """The trace of a message that begins in a state and says nothing more; its steps have stations
    where they are asked for, and states that are not ``within`` are left out."""
    system, state = begin
    return explore(
        estate.systems,
        system,
        state,
        Message(DestinationName("queue", state.object)),
        seams=estate.seams,
        budget=budget,
        stations=stations,
        within=within,
    )


def _endings(trace: Trace) -> Iterator[Ending]:
    return (branch.ending for branch in trace.endings() if branch.ending is not None)


def servers_taking(trace: Trace) -> frozenset[str]:
    """The servers that take the message of a trace."""
    return frozenset(ending.text("server") for ending in _endings(trace) if ending.outcome in TAKEN)
