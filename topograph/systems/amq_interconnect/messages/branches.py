"""How the courses of a message become the branches and steps of a trace, with the links that they
take.

A course that routers choose at run time is a branch of kind ``one_of``, all of them under one
choice key; a receiver that is only assumed is a branch of kind ``later``: the message gets there
once one attaches.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.graph import ForwardingGraph, Link
from topograph.outcomes import Confidence, Outcome
from topograph.systems.amq_interconnect.messages.trace import End, Followed, MessageCourse
from topograph.systems.amq_interconnect.routes.tables import (
    CHEAPEST,
    OUTSIDE,
    UPLINK,
    kind_mask,
    links_of,
    not_loaded,
)
from topograph.tracing.assumptions import positions_of
from topograph.tracing.trace import Ending, SenderView, TraceBuilder
from topograph.tracing.trace import Kind as BranchKind

_SENDER_OUTCOMES = {"released": Outcome.RELEASED, "rejected": Outcome.REJECTED}
"""What the outcome of a delivery at the sender (M-7) is called among outcomes; a message that
was not sent ends as the sender sees it.
"""


ONE_RECEIVER = ("M-3", "M-5")
"""The rules by which a router gives a message to one of its destinations."""


@dataclass(frozen=True)
class CourseTelling:
    """Makes branches of courses. ``type`` and ``address`` are those of the message's
    destination.
    """

    graph: ForwardingGraph
    type: str
    address: str
    builder: TraceBuilder
    start: str = ""
    receiving: frozenset[str] = frozenset()
    """The routers at which somebody is known to receive messages of that address."""
    left_open: frozenset[str] = frozenset()
    """The routers of which it is not known whether the sender reaches them."""

    def tell(self, start: str, found: Followed, sender: SenderView) -> None:
        """All courses: those that are possible, then those of receivers that are only assumed. A
        course that nobody gets the message in ends in what the sender sees."""
        single = found.ways[0].outcome if len(found.ways) == 1 else ""
        root = self.builder.branch(-1, BranchKind.ROOT, sender=single)
        for pick, way in enumerate(found.ways):
            of = root
            if len(found.ways) > 1:
                of = self.builder.branch(
                    root,
                    BranchKind.ONE_OF,
                    choice="course",
                    pick=pick,
                    condition=way.if_,
                    sender=way.outcome,
                )
            self._course(of, way)
            if not way.ends:
                self._nobody(of, start, way.outcome, sender)
        if not found.ways and not found.assumed:
            self._nobody(root, start, sender.outcome, sender)
        for way in found.assumed:
            self._course(
                self.builder.branch(root, BranchKind.LATER, condition=way.if_, sender=way.outcome),
                way,
            )

    def _nobody(self, branch: int, start: str, seen: str, sender: SenderView) -> None:
        """The ending of a course in which nobody gets the message. Of one that is presettled the
        sender is told nothing.
        """
        told = next((one for one in Outcome if one == sender.outcome), None)
        outcome = told if told is Outcome.UNDETERMINED else _SENDER_OUTCOMES.get(seen) or told
        if outcome is None:
            return
        text = sender.text or f"the sender sees {seen}"
        source = sender.source or Source("")
        self.builder.step(branch, start, text, rule=sender.rule or "M-2", source=source)
        self.builder.end(
            branch, Ending(outcome, {"condition": sender.condition} if sender.condition else {})
        )

    def _course(self, of: int, way: MessageCourse) -> None:
        """A branch an end. Steps that several ends share are told once, in the branch that comes
        first.
        """
        told: dict[tuple[object, ...], int] = {}
        for end in way.ends:
            branch = self.builder.branch(of, BranchKind.COPY)
            after = -1
            for step in self._steps(end):
                key = (after, *step.items())
                if key not in told:
                    told[key] = self.builder.step(branch, after=after, **step)
                after = told[key]
            self._ended(branch, after, end)

    def _steps(self, end: End) -> Iterator[dict[str, Any]]:
        """Decisions and links in the order of the path: a router's decisions come before the
        link that it takes.
        """
        hops = {here: self._hop(here, there) for here, there in itertools.pairwise(end.path)}
        last = {decision.at: place for place, decision in enumerate(end.decisions)}
        taken: set[str] = set()
        for place, one in enumerate(end.decisions):
            yield {"at": one.at, "text": one.text, "rule": one.rule, "source": one.source}
            if one.at in hops and place == last[one.at]:
                taken.add(one.at)
                yield hops[one.at]
        yield from (hop for here, hop in hops.items() if here not in taken)

    def _hop(self, here: str, there: str) -> dict[str, Any]:
        link = self._links[frozenset((here, there))]
        return {
            "at": here,
            "text": f"over the link to {there}",
            "rule": link.rule,
            "confidence": str(link.confidence),
            "source": link.source,
            "to": there,
            "cost": link.cost,
        }

    def link_positions(self, found: Followed) -> tuple[Assumption, ...]:
        """What the ways and links that messages take rest on, each once (T-4, T-13, E-1, D-4)."""
        paths = {end.path for way in (*found.ways, *found.assumed) for end in way.ends}
        taken = {frozenset(pair) for path in paths for pair in itertools.pairwise(path)}
        ends = {(path[0], path[-1]) for path in paths if len(path) > 1}
        # which of several receivers is chosen depends on what the ways to all of them cost
        ends |= {(path[0], there) for path in paths if path for there in self.receiving}
        return positions_of(
            self.graph,
            (
                *(guard for pair in taken for guard in self._links[pair].guards),
                *(guard for pair in ends for guard in self._ways.get(pair, ())),
                *self._other_uplinks(found),
            ),
        )

    def _other_uplinks(self, found: Followed) -> Iterator[int]:
        """What a message rests on that gets to nobody, or not to somebody who is known to receive,
        by the uplink that is taken of an edge router (E-1)."""
        if any(way.ends for way in found.ways) and not self.receiving & self.left_open:
            return
        names = [server.name for server in self.graph.servers]
        edges = {self.start, *self.receiving}
        for link in links_of(self.graph, UPLINK):
            if names[link.a] in edges:
                yield from link.guards

    def receivers_elsewhere(self, found: Followed) -> tuple[Assumption, ...]:
        """M-3, M-5: a message that goes to one receiver at another router may go to one at a
        router that is not loaded instead.
        """
        rules = {
            decision.rule
            for way in found.ways
            for end in way.ends
            if len(end.path) > 1
            for decision in end.decisions
            if decision.rule in ONE_RECEIVER
        }
        names = {
            self.graph.servers[link.b].name
            for link in links_of(self.graph, OUTSIDE)
            if not self.graph.servers[link.b].loaded
        }
        texts = [f"nobody at {not_loaded(names)} receives {self.address}"] if names else []
        perhaps = sorted(self.receiving & self.left_open)
        if perhaps:
            texts.append(f"the receivers of {self.address} at {', '.join(perhaps)} are not reached")
        return tuple(
            Assumption(rule, Confidence.I, text, "the message may go there instead")
            for rule in sorted(rules)
            for text in texts
        )

    def link_routes_elsewhere(self, found: Followed) -> tuple[Assumption, ...]:
        """L-1, L-2: a link route is searched for before receivers are, and each router announces
        its own. One of a router that is not loaded may take the sender, or a receiver, to a
        container.
        """
        names = {
            self.graph.servers[link.b].name
            for link in links_of(self.graph, OUTSIDE)
            if not self.graph.servers[link.b].loaded
        } & self.left_open
        if not names or not any(way.ends for way in (*found.ways, *found.assumed)):
            return ()
        return (
            Assumption(
                "L-1",
                Confidence.I,
                f"no link route at {not_loaded(names)} takes {self.address}",
                "senders or receivers there are linked with a container instead",
            ),
        )

    @cached_property
    def _ways(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        """What the way from one router to another rests on, beside its links."""
        own = self.graph.columns
        names = [server.name for server in self.graph.servers]
        resting = {n for n, one in enumerate(self.graph.guards) if one.id.startswith(CHEAPEST)}
        if not resting:
            return {}
        numbers, sets = self.graph.guard_sets
        kept = [tuple(resting.intersection(guards)) for guards in sets]
        return {
            (names[own.server[point]], names[own.target[point]]): kept[numbers[point]]
            for point in np.flatnonzero(kind_mask(own, "toward")).tolist()
            if kept[numbers[point]]
        }

    @cached_property
    def _links(self) -> Mapping[frozenset[str], Link]:
        names = [server.name for server in self.graph.servers]
        found: dict[frozenset[str], Link] = {}
        for link in (*links_of(self.graph), *links_of(self.graph, UPLINK)):
            found.setdefault(frozenset((names[link.a], names[link.b])), link)
        return found

    def _ended(self, branch: int, after: int, end: End) -> None:
        delivered = end.outcome is Outcome.DELIVERED
        destination = f"{self.type}:{self.address if delivered else end.address}"
        text = f"delivered to {end.name}" if delivered else f"stored by {end.name} as {end.address}"
        over_link_route = bool(end.decisions) and end.decisions[-1].rule.startswith("L-")
        rule = "L-11" if over_link_route else "M-1" if delivered else "W-2"
        at = end.server or (end.decisions[-1].at if end.decisions else "")
        self.builder.step(
            branch, at, text, after=after, rule=rule, source=end.source, object=destination
        )
        arguments: dict[str, str | int] = {
            "server": end.server,
            "destination": destination,
            "receiver": end.name,
            "subscriber": end.known,
            "copies": end.copies,
        }
        if not delivered:
            arguments["address"] = end.address
        self.builder.end(branch, Ending(end.outcome, arguments))
