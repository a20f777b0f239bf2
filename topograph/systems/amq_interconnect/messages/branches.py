"""How the courses of a message become the branches and steps of a trace, with the links that they
take.

A course that routers choose at run time is a branch of kind ``one_of``, all of them under one
choice key; a receiver that is only assumed is a branch of kind ``later``: the message gets there
once one attaches.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.graph import STANDBY, ForwardingGraph, Link
from topograph.outcomes import Confidence, Outcome
from topograph.records import record
from topograph.systems.amq_interconnect.messages.trace import End, Followed, MessageCourse
from topograph.systems.amq_interconnect.routes.chains import Chains, starts_of
from topograph.systems.amq_interconnect.routes.tables import (
    CHEAPEST,
    OUTSIDE,
    UNDECIDED,
    UPLINK,
    kind_mask,
    links_of,
    not_loaded,
)
from topograph.tracing.assumptions import positions_of
from topograph.tracing.trace import Ending, SenderView, Station, TraceBuilder
from topograph.tracing.trace import Kind as BranchKind

_SENDER_OUTCOMES = {"released": Outcome.RELEASED, "rejected": Outcome.REJECTED}
"""What the outcome of a delivery at the sender (M-7) is called among outcomes; a message that
was not sent ends as the sender sees it.
"""


_TREATED_OTHERWISE = "others get the message, or more copies of it"

ONE_RECEIVER = ("M-3", "M-5")
"""The rules by which a router gives a message to one of its destinations."""


@record(slots=False)
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
        self.builder.step(
            branch,
            start,
            text,
            rule=sender.rule or "M-2",
            source=source,
            station=Station("address", self.address),
        )
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
        """Decisions and links in the order of the path, which may pass a router twice: a router's
        decisions come before the link that it takes.
        """
        left = list(end.path)
        for one in end.decisions:
            while one.at in left[1:] and one.at != left[0]:
                yield self._hop(left.pop(0), left[0])
            yield {
                "at": one.at,
                "text": one.text,
                "rule": one.rule,
                "source": one.source,
                "station": Station(one.kind or "address", one.name or self.address),
            }
        yield from itertools.starmap(self._hop, itertools.pairwise(left))

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
            "station": Station("address", self.address),
        }

    def link_positions(self, found: Followed) -> tuple[Assumption, ...]:
        """What the ways and links that messages take rest on, each once (T-4, T-13, E-1, D-4)."""
        paths = {end.path for way in (*found.ways, *found.assumed) for end in way.ends}
        taken = {frozenset(pair) for path in paths for pair in itertools.pairwise(path)}
        ends = {(path[0], path[-1]) for path in paths if len(path) > 1}
        # which of several receivers is chosen, and on which way a copy comes, depends on what the
        # ways to all of them cost, from each router that decides
        ways = (*found.ways, *found.assumed)
        deciders = {one.at for way in ways for end in way.ends for one in end.decisions}
        ends |= {(at, there) for at in deciders for there in self.receiving}
        return positions_of(
            self.graph,
            (
                *(guard for pair in taken for guard in self._links[pair].guards),
                *(guard for pair in ends for guard in self._ways.get(pair, ())),
                *self._other_uplinks(),
                *self._on_the_way_to_nobody(found),
            ),
        )

    def _other_uplinks(self) -> Iterator[int]:
        """What a message rests on by the uplinks that are taken of edge routers (E-1): at which
        interior router its sender is, and those that are known to receive, among whom one is
        chosen by what the ways to them cost."""
        names = [server.name for server in self.graph.servers]
        edges = {self.start, *self.receiving}
        for link in links_of(self.graph, UPLINK):
            if names[link.a] in edges:
                yield from link.guards

    def _on_the_way_to_nobody(self, found: Followed) -> Iterator[int]:
        """What the ways rest on from the sender to those who are known to receive, of a message
        that is sent and gets to none of them: a router on one of these drops it (A-10)."""
        if not found.credit or any(way.ends for way in found.ways):
            return
        number, chains = self.graph.server_number, Chains(self.graph)
        starts = starts_of(self.graph, number[self.start]) if self.start in number else {}
        every = set(range(len(self.graph.columns.server)))
        numbers, sets = self.graph.guard_sets
        for there in sorted(self.receiving):
            if number.get(there) in starts:
                for point in chains.chain(starts[number[there]], every):
                    yield from sets[numbers[point]]

    def receivers_elsewhere(self, found: Followed) -> tuple[Assumption, ...]:
        """M-3, M-5: a message that goes to one receiver at another router may go to one at a
        router that is not loaded instead, and one that goes to a receiver at its own router over
        an uplink there that may open.
        """
        decided = [
            (decision.rule, len(end.path) > 1)
            for way in found.ways
            for end in way.ends
            for decision in end.decisions
            if decision.rule in ONE_RECEIVER
        ]
        names = {
            self.graph.servers[link.b].name
            for link in links_of(self.graph, OUTSIDE)
            if not self.graph.servers[link.b].loaded
        }
        nobody = [f"nobody at {not_loaded(names)} receives {self.address}"] if names else []
        return tuple(
            Assumption(rule, Confidence.I, text, "the message may go there instead")
            for rule, far in sorted(set(decided), reverse=True)
            for text in (
                *(nobody if far else []),
                *self._not_reached(self.left_open if far else self._may_be_local()),
            )
            if far or (rule, True) not in decided
        )

    def treatments_elsewhere(self, found: Followed) -> tuple[Assumption, ...]:
        """A-10: a router without an entry treats an address as the first says that it hears of,
        which may be one of which it is not known whether it is reached. A-11: one that hands it
        to one receiver may send a copy back."""
        perhaps = self.receiving & self.left_open & {one.name for one in self.graph.servers}
        homes = self._homes(perhaps)
        names = ", ".join(sorted(homes))
        texts = {}
        if deciders := found.treated_otherwise(homes):
            at = ", ".join(deciders)
            texts["A-10"] = f"{names} did not announce {self.address} first at {at}"
        if found.may_come_back(homes):
            texts["A-11"] = f"no copy for {names} comes back to a router that it has passed"
        return tuple(
            Assumption(rule, Confidence.I, text, _TREATED_OTHERWISE) for rule, text in texts.items()
        )

    def _homes(self, servers: Collection[str]) -> frozenset[str]:
        """The interior routers among these, and those at which edge routers among them may be."""
        names = [server.name for server in self.graph.servers]
        links = (*links_of(self.graph, UPLINK), *links_of(self.graph, STANDBY))
        homes = {names[one.a]: {names[one.b]} for one in links if names[one.a] in servers}
        for one in links_of(self.graph, UNDECIDED):
            if one.rule == "E-1" and one.configured_by in servers:
                homes.setdefault(one.configured_by, set()).update(
                    {names[one.a], names[one.b]} - {one.configured_by}
                )
        return frozenset(set(servers) - homes.keys()).union(*homes.values())

    def _not_reached(self, servers: Collection[str]) -> Iterator[str]:
        perhaps = sorted(self.receiving & self.left_open & set(servers))
        if perhaps:
            yield f"the receivers of {self.address} at {', '.join(perhaps)} are not reached"

    def _may_be_local(self) -> frozenset[str]:
        """The routers whose receivers are local destinations of the sender's router if an uplink
        opens of which that is not known: edge routers (E-2), or all that are beyond it (E-3)."""
        names = [server.name for server in self.graph.servers]
        edges = set()
        for link in links_of(self.graph, UNDECIDED):
            ends = names[link.a], names[link.b]
            if link.rule == "E-1" and self.start in ends:
                if link.configured_by == self.start:
                    return self.left_open
                edges.add(link.configured_by)
        return frozenset(edges)

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
            branch,
            at,
            text,
            after=after,
            rule=rule,
            source=end.source,
            object=destination,
            station=Station("address", self.address),
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
