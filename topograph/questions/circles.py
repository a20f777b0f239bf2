"""The messages that come back to where they were, as ``cycles`` lists them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.inexact import Cause, Inexact, not_loaded
from topograph.questions.answers import (
    Caution,
    CircleOfMessages,
    CircleWay,
    CyclesAnswer,
    TwoWays,
)
from topograph.questions.cautions import inexact_where, not_shown
from topograph.questions.model import Model, Part, cut, ended
from topograph.systems.contract.cycles import Circulating
from topograph.systems.registry import system
from topograph.tracing.circling import ArrivingTwice, CircleStep, Circling, MessageCircle

CIRCLES_LIMIT = 2_000
"""Circles, and pairs of ways, before the list is cut."""


@dataclass
class Circles:
    """What of the messages of all parts comes back, and what arrives twice. ``of`` are the systems
    that tell that; ``unjudged`` the titles of those beside them that do not."""

    found: list[CircleOfMessages] = field(default_factory=list)
    twice: list[TwoWays] = field(default_factory=list)
    of: list[str] = field(default_factory=list)
    unjudged: list[str] = field(default_factory=list)
    complete: bool = True
    left_out: int = 0
    undecided: list[tuple[str, Source]] = field(default_factory=list)
    assumptions: list[Assumption] = field(default_factory=list)

    @property
    def legal(self) -> bool | None:
        """Whether none goes round for ever by itself; None where the search ended before that was
        known."""
        if any(one.certain for one in self.found):
            return False
        return True if self.complete else None

    def look(self, part: Part, budget: Budget) -> None:
        """Add those of one part."""
        estate = part.estate
        assert isinstance(estate, Circulating)
        told: set[str] = set()
        for name, circling in estate.circling(budget):
            told.add(name)
            self._add(name, circling)
        self.of += sorted(told)
        self.unjudged += [system(name).title for name in sorted(part.systems - told)]

    def _add(self, name: str, circling: Circling) -> None:
        self.complete &= circling.complete
        self.undecided += circling.undecided
        self.assumptions += circling.assumptions
        for one in circling.circles:
            if len(self.found) < CIRCLES_LIMIT:
                self.found.append(_circle(one, name))
            else:
                self.left_out += 1
        for row in circling.twice:
            if len(self.twice) < CIRCLES_LIMIT:
                self.twice.append(_twice(row, name))
            else:
                self.left_out += 1


def with_circles(
    answer: CyclesAnswer, model: Model, parts: Sequence[Part], budget: Budget
) -> CyclesAnswer:
    """An answer about the routes of a network, with the messages of some parts that come back."""
    circles = Circles()
    for part in parts:
        circles.look(part, budget)
    legal = _both(answer.legal, circles.legal)
    open_ended = tuple(_not_shown(model, circles.of))
    cut_off = circles.left_out or (not circles.complete and not budget.spent)
    more = [
        *inexact_where((part.graph for part in parts), circles.undecided),
        *(not_loaded([one.text.partition(";")[0]]) for one in open_ended),
        *([Inexact(Cause.LIMIT, "not all circles are listed")] if cut_off else ()),
        *(ended(budget) if not answer.inexact_because else ()),
    ]
    return replace(
        answer,
        exact=answer.exact and circles.complete and not (more or circles.undecided),
        inexact_because=(*answer.inexact_because, *more),
        assumptions=(*answer.assumptions, *open_ended, *circles.assumptions),
        warnings=(
            *answer.warnings,
            *map(not_judged, circles.unjudged),
            *not_shown(circles.undecided),
            *(cut(budget, "not all circles are listed") if not answer.inexact_because else ()),
        ),
        legal="unknown" if legal is None else legal,
        judged=answer.judged or bool(circles.of),
        circles=tuple(circles.found),
        twice=tuple(circles.twice),
        circles_of=tuple(circles.of),
    )


def _both(routes: bool | str, circles: bool | None) -> bool | None:
    """Whether routes and circles are legal; None where that is not known of one of them."""
    known = {None if isinstance(routes, str) else routes, circles}
    return False if False in known else None if None in known else True


def not_judged(title: str) -> Caution:
    """That a system has no rule against more than one path."""
    return Caution(
        "not-judged", f"{title} is not judged: none of its rules forbids more than one path"
    )


def _not_shown(model: Model, names: Sequence[str]) -> Iterator[Assumption]:
    """The circles are those that the loaded files show (A17)."""
    servers = [
        server.name
        for part in model.parts
        for server in part.graph.servers
        if server.system in names and server.open_ended
    ]
    if servers:
        shown = ", ".join(servers[:3])
        more = f" and {len(servers) - 3} more" if len(servers) > 3 else ""
        text = f"{shown}{more} may send messages on where the loaded files do not show it; "
        yield Assumption(
            "A17", "L", f"{text}that is taken as absent", "a message may come back over it"
        )


def _circle(one: MessageCircle, name: str) -> CircleOfMessages:
    servers = dict.fromkeys(step.from_ for step in one.steps)
    return CircleOfMessages(
        one.kind,
        one.certain,
        tuple(servers),
        tuple(map(_way, one.steps)),
        one.text,
        one.rule,
        one.confidence,
        one.server,
        one.destination,
        dict(one.message),
        name,
    )


def _twice(one: ArrivingTwice, name: str) -> TwoWays:
    return TwoWays(
        one.server,
        one.destination,
        dict(one.message),
        one.at,
        one.receivers,
        tuple(tuple(map(_way, way)) for way in one.ways),
        name,
    )


def _way(step: CircleStep) -> CircleWay:
    return CircleWay(
        step.from_,
        step.from_at,
        step.to,
        step.to_at,
        step.text,
        step.role,
        step.condition,
        step.chosen,
        step.rule,
        step.confidence,
        step.source,
    )
