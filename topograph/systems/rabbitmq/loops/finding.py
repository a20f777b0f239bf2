"""The circles that messages may go round, and what ends each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.records import record
from topograph.systems.rabbitmq.loops.begins import MOST_BEGINS, Group, groups_of
from topograph.systems.rabbitmq.loops.reach import Reach
from topograph.systems.rabbitmq.loops.replay import Replayed, replayed
from topograph.systems.rabbitmq.loops.rounds import (
    Edge,
    Entered,
    Node,
    Rounds,
    by_rejections,
    easiest,
    round_through,
)
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.onward import CYCLE
from topograph.systems.rabbitmq.places import Place

ENDLESS, REJECTED, BOUNDED, DROPPED = "endless", "rejected", "bounded", "dropped"
"""How a circle goes on: for ever, as often as consumers reject the message, until it came over as
many links as are allowed, or until a broker sees that it comes back."""

LEAST_STEPS, STEPS_A_PLACE, MOST_STEPS = 200, 20, 2_000
"""Steps that are taken in a group of places where no budget is given: so many for each place."""

MOST_WITH_PAST = 300
"""States with what lies behind a message that are looked at in one circle of dead letters."""


@record
class Circle:
    """A circle by its ways, in order; ``entry`` leads a message to it that a client publishes.
    ``stopped`` is what ends it."""

    kind: str
    ways: tuple[Edge, ...]
    entry: tuple[Edge, ...] = ()
    stopped: Replayed | None = None

    @property
    def first(self) -> Node:
        """Where a message begins that goes round."""
        return (self.entry or self.ways)[0].start

    @property
    def is_certain(self) -> bool:
        """Whether a message goes round for ever without anything that has to happen."""
        return self.kind == ENDLESS and not any(
            one.is_later or one.is_chosen for one in (*self.entry, *self.ways)
        )


@dataclass
class Circles:
    """The circles of a network; ``complete`` is False where the search ended before all were found.
    ``undecided`` is why more may be there, each with its place. ``past``: it is worked out too what
    goes on only because of what happened to a message before, and what federation links end: no
    other places are on these circles. Without a ``budget`` each group of places has one of its
    own."""

    network: Network
    budget: Budget | None
    past: bool = True
    found: list[Circle] = field(default_factory=list)
    undecided: dict[tuple[str, Source], None] = field(default_factory=dict)
    complete: bool = True
    left_out: set[Place] = field(default_factory=set)
    """The places that messages may come back to of which not all was followed."""

    def __post_init__(self) -> None:
        self._known: set[tuple[object, ...]] = set()
        self._covered: dict[str, set[tuple[Place, Place]]] = {}
        self._entered: list[Entered] = []
        self._spent = Budget()
        self._turns = {
            name: self.network.configuration.version(name).turns_deaths
            for name in self.network.configuration.files
        }

    def look(self) -> Circles:
        """Look for all of them. Linear in the keys and headers that stand for all others, times the
        ways of each; no work where no message can come back."""
        reach = Reach(self.network)
        if not reach.circling:
            return self
        most = MOST_STEPS if self.budget is None else MOST_BEGINS
        for group in groups_of(self.network, reach, most):
            whole, self.complete = self.complete, group.complete
            if not group.complete:
                text = "not all routing keys and headers were tried"
                self.undecided[text, self.network.configuration.source(group.places[0])] = None
            try:
                self._of(group)
            except BudgetSpent:
                self.complete = False
            if not self.complete:
                self.left_out.update(one for one in group.places if one in reach.circling)
            self.complete &= whole
        self.found.sort(key=lambda one: (_KINDS.index(one.kind), _places(one.ways)))
        return self

    def _of(self, group: Group) -> None:
        self._spent = self.budget or Budget(_steps(group))
        rounds = Rounds(self.network, frozenset(group.places), self._spent)
        try:
            rounds.follow(group.begins)
        finally:
            self.undecided |= rounds.undecided
        self._entered = [rounds.entered(group.begins, by) for by in (easiest, by_rejections)]
        self._covered = {}
        self._endless(rounds, lambda one: one.is_dead_letter or one.is_chosen)
        self._endless(rounds, lambda one: one.is_dead_letter)
        alike: set[frozenset[tuple[Place, Place]]] = set()
        for part in rounds.circles(lambda one: not (one.is_federated or one.is_rejection)):
            ends = frozenset(one.ends for one in _all(part))
            if ends not in alike and any(one.is_dead_letter for one in _all(part)):
                alike.add(ends)
                self._of_dead_letters(part)
        if self.past and any(self._turns.get(place.server) for place in group.places):
            self._after_rejections(rounds, group)
        self._rejected(rounds)
        if self.past:
            self._federated(rounds)

    def _endless(self, rounds: Rounds, no: Callable[[Edge], bool]) -> None:
        """Circles of shovels: nothing ends them."""
        for part in rounds.circles(lambda one: not (one.is_federated or no(one))):
            self._cover("shovels", part, lambda one: one.publishes, self._enter)

    def _cover(
        self,
        what: str,
        part: Mapping[Node, Sequence[Edge]],
        wanted: Callable[[Edge], bool],
        add: Callable[[Sequence[Edge]], bool],
    ) -> None:
        """Add circles of a part so that each wanted way is on one, whatever key a message has on
        it. n log n in the ways of the part, for each circle."""
        covered = self._covered.setdefault(what, set())
        for edge in _all(part):
            if wanted(edge) and edge.ends not in covered:
                self._spent.check()
                round_ = round_through(edge, part)
                if add(round_):
                    covered.update(one.ends for one in round_ if wanted(one))

    def _of_dead_letters(self, part: Mapping[Node, Sequence[Edge]]) -> None:
        """Circles of what queues give up by themselves: brokers end most of them."""
        self._cover("dead letters", part, lambda one: one.is_dead_letter, self._enter)
        if not self.past:
            return
        real = self._with_past(frozenset(node.place for node in part))
        real.takes = lambda one: not (one.is_federated or one.is_rejection)
        traced = any(self._turns.get(node.place.server) for node in part)
        starts = [Node(one.place, one.travel._replace(traced=traced)) for one in part]
        self._follow_past(real, starts)
        for within in real.circles(lambda _: True):
            self._cover("endless letters", within, lambda one: one.is_dead_letter, self._enter)

    def _with_past(self, places: frozenset[Place]) -> Rounds:
        budget = Budget(MOST_WITH_PAST)
        return Rounds(self.network, places, budget, node_of=Node.with_past)

    def _follow_past(self, real: Rounds, starts: Iterable[Node]) -> None:
        self._spent.check()
        try:
            real.follow(starts)
        except BudgetSpent:
            start = next(iter(real.out))
            where = start.place.label
            text = f"not all orders were followed in which queues give up what is in {where}"
            self.undecided[text, self.network.configuration.source(start.place)] = None
            self.complete = False
            for node, found in list(real.out.items()):
                real.out[node] = tuple(one for one in found if one.to in real.out)

    def _after_rejections(self, rounds: Rounds, group: Group) -> None:
        """Circles of old versions that go on since a consumer rejected the message before."""
        letters = [
            node
            for part in rounds.circles(lambda one: not (one.is_federated or one.is_rejection))
            if any(one.is_dead_letter for one in _all(part))
            for node in part
        ]
        if not letters:
            return
        leading = rounds.leading_to(letters)
        real = self._with_past(frozenset(rounds.within))
        real.takes = lambda one: Node.of(*one.to) in leading
        starts = [Node(one.place, one.travel._replace(traced=True))
                  for one in group.begins if one in leading]  # fmt: skip
        self._follow_past(real, starts)
        entered = real.entered(starts, easiest)

        def add(round_: Sequence[Edge]) -> bool:
            self._add(Circle(ENDLESS, tuple(round_), tuple(entered.to(round_[0].start))))
            return True

        for part in real.circles(lambda one: not one.is_rejection):
            self._cover("after rejections", part, lambda one: one.is_dead_letter, add)

    def _rejected(self, rounds: Rounds) -> None:
        """Circles that go on as often as consumers reject the message."""
        for part in rounds.circles(lambda one: not one.is_federated):
            self._cover("rejections", part, lambda one: one.is_rejection, self._enter)

    def _enter(self, round_: Sequence[Edge]) -> bool:
        """Add a circle as it goes on for a message that a client publishes; one that a broker ends
        as dropped, unless consumers have to reject the message on it. Whether that is sure."""
        nodes = [Node.of(*one.start) for one in round_]
        rejected = any(one.is_rejection for one in round_)
        for entered in self._entered:
            at = entered.easiest_of(nodes)
            entry, turned = entered.to(at), _beginning_at(round_, at)
            told = replayed(self.network, entry, turned)
            if told.goes_round:
                kind = REJECTED if rejected else ENDLESS
                self._add(Circle(kind, tuple(turned), tuple(entry)))
                return True
        if told.ending == CYCLE:
            if rejected:
                return False
            self._add(Circle(DROPPED, tuple(turned), tuple(entry), told))
        elif told.at is not None:
            where = told.at.start.place
            text = f"whether a message that comes back gets on from {where.label} is not worked out"
            self.undecided[text, told.at.way.source] = None
            return False
        return True

    def _federated(self, rounds: Rounds) -> None:
        """Circles with federation links: each takes note of where a message was."""

        def add(round_: Sequence[Edge]) -> bool:
            self._add(self._ended(round_))
            return True

        for part in rounds.circles(lambda _: True):
            self._cover("links", part, lambda one: one.is_federated, add)

    def _ended(self, round_: Sequence[Edge]) -> Circle:
        """A circle with federation links by what ends it: the first message of it that a link finds
        to come back, else one that came over too many."""
        bounded: Circle | None = None
        for edge in round_:
            if not edge.is_federated:
                continue
            turned = _beginning_at(round_, edge.start)
            told = replayed(self.network, (), turned)
            circle = Circle(BOUNDED, tuple(turned), (), told)
            if told.by is not None and VISITED in told.by.text:
                return Circle(DROPPED, tuple(turned), (), told)
            bounded = bounded or circle
        assert bounded is not None  # it has a link
        return bounded

    def _add(self, circle: Circle) -> None:
        places = [one.ends for one in circle.ways]
        first = places.index(min(places))
        key = (circle.kind, circle.is_certain, *places[first:], *places[:first])
        if key not in self._known:
            self._known.add(key)
            self.found.append(circle)


def _steps(group: Group) -> int:
    return min(LEAST_STEPS + STEPS_A_PLACE * len(group.places), MOST_STEPS)


VISITED = "it has been in"
"""What is said of a message that a federation link finds to come back."""

_KINDS = (ENDLESS, REJECTED, BOUNDED, DROPPED)


def _all(part: Mapping[Node, Sequence[Edge]]) -> Iterator[Edge]:
    return (edge for edges in part.values() for edge in edges)


def _places(ways: Sequence[Edge]) -> tuple[tuple[Place, Place], ...]:
    return tuple(one.ends for one in ways)


def _beginning_at(round_: Sequence[Edge], node: Node) -> list[Edge]:
    """A circle from one of its nodes on."""
    at = next(
        number for number, one in enumerate(round_)
        if one.start == node or Node.of(*one.start) == Node.of(*node)
    )  # fmt: skip
    return [*round_[at:], *round_[:at]]
