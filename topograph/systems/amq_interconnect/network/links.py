"""Links between routers: inter-router links, uplinks of edge routers, and connectors that lead
outside (rules T-1 to T-3, T-11, E-1).

Between routers with files the links are the configured ones; a dump then only helps to say which
router a connector reaches. A router that is known from its dump alone has the links that are up:
those of which both ends say so (D-3).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from topograph.assumptions import Assumption
from topograph.findings import Finding, Severity
from topograph.outcomes import Confidence
from topograph.rules import FindingKind, Rule
from topograph.rules.amq_interconnect_findings import (
    C_2,
    C_4,
    COST_MISMATCH,
    D_3,
    E_1,
    E_8,
    EDGE_CONNECTOR_NOT_ON_EDGE,
    HOST_ASSUMED,
    LINK_COST_BELOW_ONE,
    LINK_NOT_UP,
    LINK_TO_STOPPED_ROUTER,
    NEIGHBOUR_OF_SAME_ID,
    NEIGHBOURS_DISAGREE,
    PARALLEL_LINKS,
    ROLE_MISMATCH,
    ROLE_NOT_FOLLOWED,
    ROUTER_NOT_LOADED,
    RUNS_OTHERWISE,
    S_6,
    SELF_CONNECTION,
    SEVERAL_UPLINKS,
    T_1,
    T_2,
    T_3,
    T_10,
    T_11,
    T_12,
    T_13,
    T_14,
    UNMATCHED_CONNECTOR,
)
from topograph.side_inputs import MachineEntry, SideInputs, yaml_text
from topograph.systems.amq_interconnect.network.connections import (
    Connections,
    Outside,
    RouterLink,
    Uplink,
)
from topograph.systems.amq_interconnect.network.connectors import (
    ROUTER_ROLES,
    Matcher,
    NotReached,
    Place,
    ReachedListener,
    Settled,
    resembles,
)
from topograph.systems.amq_interconnect.network.observed_links import Pair, Running, endpoint
from topograph.systems.amq_interconnect.network.routers import (
    Router,
    RouterEndpoint,
    undefined_profiles,
)
from topograph.systems.amq_interconnect.network.security import refusal

UNFOLLOWED = {"inter-edge": (E_8, "edges of a mesh"), "inter-network": (S_6, "another network")}
"""Roles of Skupper Router that join routers otherwise than links and uplinks do: the rule, and
what they join.
"""

MAX_ROUTERS = 128
"""T-12."""


def effective_cost(connector_cost: int, listener_cost: int) -> int:
    """The cost of a link: the larger of its two ends (T-3)."""
    return max(connector_cost, listener_cost)


def connect(
    routers: Sequence[Router],
    side_inputs: SideInputs,
    settled: Mapping[Place, Settled] | None = None,
) -> Connections:
    """Match every connector of role inter-router or edge to a listener; ``settled`` are hosts that
    were told by elimination before a change. Linear in endpoints, but for connectors to one
    crowded port.
    """
    return _Discovery(routers, side_inputs, settled).connections()


class _Discovery:
    def __init__(
        self,
        routers: Sequence[Router],
        side_inputs: SideInputs,
        settled: Mapping[Place, Settled] | None = None,
    ) -> None:
        self.routers = {router.name: router for router in routers}
        self.matcher = Matcher(routers, side_inputs, settled)
        self.settled: dict[Place, Settled] = {}
        self.running = Running(routers)
        self.links: list[RouterLink] = []
        self.possible_uplinks: dict[str, list[Uplink]] = {}
        self.outside: list[Outside] = []
        self.unfollowed: list[RouterLink] = []
        self.stopped: list[RouterLink] = []
        self.undefined = frozenset(
            (router.name, one) for router in routers for one in undefined_profiles(router)
        )
        self.sharing: set[str] = set()
        self.findings: list[Finding] = []

    def note(
        self,
        rule: Rule,
        kind: FindingKind,
        message: str,
        at: RouterEndpoint,
        severity: Severity | None = None,
    ) -> None:
        server = self.routers[at.router].id
        self.findings.append(
            rule.at(at.source, message, kind=kind, severity=severity, server=server)
        )

    def connections(self) -> Connections:
        for router in self.routers.values():
            for connector in router.connectors if not router.stopped else ():
                self.follow(connector)
        self.add_running()
        self.mark_edges_of_one_id()
        self.mark_lost()
        uplinks = [self.active(uplinks) for _, uplinks in sorted(self.possible_uplinks.items())]
        self.links.sort(key=lambda link: (link.ends, link.cost, link.connector.source))
        self.mark_parallel()
        contested = self.contested()
        interior = sum(
            1 for router in self.routers.values() if router.linked and router.mode == "interior"
        )
        if interior > MAX_ROUTERS:
            first = next(iter(self.routers.values()))
            message = (
                f"{interior} interior routers are loaded, one network holds at most {MAX_ROUTERS}"
            )
            self.findings.append(T_12.at(first.source, message))
            text = f"all {interior} interior routers are taken in, where at most {MAX_ROUTERS} are"
            position = Assumption("T-12", Confidence.I, text, _LEFT_OUT)
            self.links = [
                replace(link, positions=(*link.positions, position)) for link in self.links
            ]
        standby = tuple(
            uplink
            for active in uplinks
            for uplink in self.possible_uplinks[active.connector.router]
            if uplink.connector is not active.connector
        )
        return Connections(
            tuple(link for link in self.links if link not in contested),
            tuple(uplinks),
            tuple(self.outside),
            tuple(self.findings),
            self.running,
            standby,
            (*contested.values(), *self.unfollowed),
            frozenset(self.sharing | {end for link in self.unfollowed for end in link.ends}),
            tuple(self.stopped),
            self.settled,
        )

    def follow(self, connector: RouterEndpoint) -> None:
        if self.running.not_connected(connector):
            return
        if connector.role in UNFOLLOWED:
            self.not_followed(connector, self.matcher.find(connector))
            return
        found = (
            connector.role in ROUTER_ROLES and self.running.said(connector)
        ) or self.matcher.find(connector)
        if isinstance(found, ReachedListener):
            self.reached(connector, found)
        elif connector.role in ROUTER_ROLES:
            self.unmatched(connector, found)

    def reached(self, connector: RouterEndpoint, found: ReachedListener) -> None:
        listener = found.listener
        here, there = self.routers[connector.router], self.routers[listener.router]
        roles = {connector.role, listener.role}
        if roles.isdisjoint(ROUTER_ROLES):
            return
        joins = here is not there and not there.stopped and not found.observed
        if joins and self.refused(connector, found):
            return
        if here is there:
            message = (
                f"Connector {connector.name} leads to the router's own listener "
                f"{listener.address}: it gives no link"
            )
            self.note(T_1, SELF_CONNECTION, message, connector)
        elif there.stopped:
            message = f"Connector {connector.name} leads to {there.name}, but {there.stopped}"
            self.note(C_2, LINK_TO_STOPPED_ROUTER, message, connector)
            self.stop(connector, listener, "C-2", f"{there.name} does not run: {there.stopped}")
        elif len(roles) > 1:
            message = (
                f"Connector {connector.name} of role {connector.role} reaches the "
                f"listener {listener.address} of {there.name} "
                f"({listener.source}), which has the role {listener.role}: the "
                "connection opens, but the two do not become neighbours"
            )
            self.note(T_2, ROLE_MISMATCH, message, connector)
            roles_are = f"the roles differ, {connector.role} and {listener.role}"
            self.stop(connector, listener, "T-2", roles_are)
        elif connector.role == "edge":
            self.edge(connector, found, here)
        elif here.id == there.id and not here.id_template:
            message = (
                f"Connector {connector.name} leads to {there.name} ({listener.source}), "
                f"which has the same router id {here.id}: "
                "the two do not become neighbours"
            )
            self.note(T_10, NEIGHBOUR_OF_SAME_ID, message, connector)
            self.stop(connector, listener, "T-10", f"both routers have the id {here.id}")
        else:
            self.inter_router(connector, found)

    def refused(self, connector: RouterEndpoint, found: ReachedListener) -> bool:
        """Whether SASL or TLS keeps a connection from opening (T-14), or may do so: it is then no
        link. Where the listener itself is an assumption, the host may be another one."""
        listener = found.listener
        undefined = [
            f"the sslProfile {end.security.profile} of {end.router}"
            for end in (connector, listener)
            if end.security is not None and (end.router, end.security.profile) in self.undefined
        ]
        why = refusal(connector.security, listener.security, undefined)
        if why is None:
            return False
        if found.confidence.weak:
            because = (
                f"of the loaded routers it could only be {listener.router}, which would not take "
                f"the connection ({listener.source}): {why.because}"
            )
            self.unmatched(connector, NotReached(connector.address, because))
            return True
        effect = "does not open" if why.stops else "may not open"
        message = (
            f"The connection of connector {connector.name} to the listener {listener.address} of "
            f"{listener.router} ({listener.source}) {effect}: {why.because}"
        )
        self.note(T_14, why.kind, message, connector)
        if why.stops:
            self.stop(connector, listener, "T-14", why.because)
            return True
        text = (
            f"the connection of {connector.router} to {listener.router} may not open: {why.because}"
        )
        position = Assumption("T-14", Confidence.I, text, "if it opens, the link carries messages")
        cost = effective_cost(connector.cost, listener.cost)
        rule = "E-1" if connector.role == "edge" else "T-14"
        self.unfollowed.append(
            RouterLink(connector, listener, max(cost, 1), rule, Confidence.I, (position,))
        )
        return True

    def stop(
        self, connector: RouterEndpoint, listener: RouterEndpoint, rule: str, because: str
    ) -> None:
        """Keep a connection that gives no link as a row that says why."""
        text = f"{connector.router} and {listener.router} are not joined by it: {because}"
        position = Assumption(rule, Confidence.A, text, "")
        self.stopped.append(RouterLink(connector, listener, 0, rule, Confidence.A, (position,)))

    def inter_router(self, connector: RouterEndpoint, found: ReachedListener) -> None:
        listener = found.listener
        cost = effective_cost(connector.cost, listener.cost)
        if cost < 1:
            message = (
                f"The link to {listener.router} has the cost {cost}, below 1: an error at "
                "run time, so that it is not counted"
            )
            self.note(C_4, LINK_COST_BELOW_ONE, message, connector)
            self.stop(connector, listener, "C-4", f"its cost is {cost}, below 1")
            return
        if connector.cost != listener.cost and connector.cost_stated and listener.cost_stated:
            message = (
                f"The two ends of the link to {listener.router} have different costs, "
                f"{connector.cost} here and {listener.cost} at "
                f"{listener.source}: the larger counts, {cost}"
            )
            self.note(T_3, COST_MISMATCH, message, connector)
        self.links.append(self.link(connector, found, cost))

    def link(self, connector: RouterEndpoint, found: ReachedListener, cost: int) -> RouterLink:
        positions = self.positions(connector, found)
        rule = "T-13" if found.confidence.weak else "T-1"
        return RouterLink(connector, found.listener, cost, rule, found.confidence, positions)

    def positions(
        self, connector: RouterEndpoint, found: ReachedListener
    ) -> tuple[Assumption, ...]:
        """What a link rests on: which listener the connector reaches, and that this one listens
        where another of its router would too (T-13).
        """
        return (*self.matched_by(connector, found), *self.at_one_place(found.listener))

    def at_one_place(self, listener: RouterEndpoint) -> Iterator[Assumption]:
        """Of several listeners of a router with one host and port only one can listen there."""
        others = [
            one
            for one in self.routers[listener.router].listeners
            if one.address == listener.address and one.source != listener.source
        ]
        if others and listener.port not in ("", "0"):
            text = (
                f"of the {len(others) + 1} listeners of {listener.router} at {listener.address} "
                f"the one of role {listener.role} ({listener.source}) listens there"
            )
            yield Assumption("T-13", Confidence.I, text, _OTHER_LISTENER)

    def matched_by(
        self, connector: RouterEndpoint, found: ReachedListener
    ) -> tuple[Assumption, ...]:
        """What the match of a connector rests on; nothing where the listener's own host and port
        say it.
        """
        entry = found.entry
        if found.confidence.weak:
            self.note_assumed(connector, found)
            if found.entry is None:
                self.settled[connector.role, connector.host, connector.port] = Settled(
                    found.listener.router, found.because
                )
            text = f"{connector.address} is taken for {found.listener.router}: {found.because}"
            return (Assumption("T-13", found.confidence, text, _OTHER_HOST),)
        if isinstance(entry, MachineEntry):
            text = (
                f"{connector.router} and {found.listener.router} run on {entry.machine}, as "
                f"{entry.source} says"
            )
            return (Assumption("T-13", found.confidence, text, _OTHER_HOST),)
        if entry is not None:
            text = f"{entry.host} is {entry.server}, as {entry.source} says"
            return (Assumption("T-13", found.confidence, text, _OTHER_HOST),)
        return ()

    def note_assumed(self, connector: RouterEndpoint, found: ReachedListener) -> None:
        there = self.routers[found.listener.router]
        message = f"{connector.address} is taken for {there.id} ({found.because})"
        if found.entry is None and _MAY_BE_A_HOST.fullmatch(connector.address):
            line = hosts_line(connector, self.matcher.key(there))
            message += f". If that is so, add to topograph.yaml under hosts: {line}"
        self.note(T_13, HOST_ASSUMED, message, connector)

    def edge(self, connector: RouterEndpoint, found: ReachedListener, here: Router) -> None:
        if here.mode != "edge":
            message = (
                f"Connector {connector.name} of role edge is in a router of mode "
                f"{here.mode}: it is not an uplink"
            )
            self.note(E_1, EDGE_CONNECTOR_NOT_ON_EDGE, message, connector)
            return
        if not _takes_part(self.routers[found.listener.router], "interior"):
            self.runs_otherwise(connector, self.routers[found.listener.router])
            return
        confidence = found.confidence if found.confidence.weak else Confidence.B
        uplink = Uplink(connector, found.listener, confidence, self.positions(connector, found))
        self.possible_uplinks.setdefault(connector.router, []).append(uplink)

    def active(self, uplinks: list[Uplink]) -> Uplink:
        """The uplink that is taken for the active one: what the dump says, else the first in the
        file (E-1: the first that opened).
        """
        first = uplinks[0]
        observed = self.running.observed.get(first.connector.router)
        for uplink in uplinks if observed else ():
            if observed and self.routers[uplink.listener.router].id == observed.active_uplink:
                return uplink
        names = sorted({uplink.listener.router for uplink in uplinks})
        own = (one for one in self.outside if one.connector.router == first.connector.router)
        unknown = sorted(
            {one.name for one in own if one.connector.role == "edge"}
            | {
                one.listener.router
                for one in self.unfollowed
                if one.connector.router == first.connector.router and one.rule == "E-1"
            }
            - {*names}
        )
        if len(names) + len(unknown) == 1:
            return first
        text = (
            f"{first.connector.router} has several uplinks, to "
            f"{', '.join(names + unknown)}: the one that opens first is active, "
            f"taken here: {first.listener.router}"
        )
        self.note(E_1, SEVERAL_UPLINKS, text, first.connector)
        position = Assumption("E-1", Confidence.I, text, _OTHER_UPLINK)
        return replace(first, confidence=Confidence.I, positions=(*first.positions, position))

    def add_running(self) -> None:
        """Of routers known from dumps alone: only links that both ends say are up, and those of
        which no connector is shown (D-3).
        """
        self.links = [link for link in self.links if self.is_up(link)]
        linked = {link.ends for link in self.links}
        for pair in self.running.pairs():
            ends = self.routers[pair.a], self.routers[pair.b]
            if (pair.a, pair.b) in linked or not any(router.from_dump for router in ends):
                continue
            if (
                self.running.lists(pair.a, pair.b) is not False
                and self.running.lists(pair.b, pair.a) is not False
            ):
                self.links.append(self.observed_link(pair))
            else:
                self.disagree(pair)
        self.links = [link for link in self.links if self.has_place(link)]
        known = {(outside.connector.router, outside.name) for outside in self.outside}
        for name, stranger, source in self.running.strangers():
            if (name, stranger) not in known:
                because = (
                    f"{name} lists it as a neighbour ({source}), and neither file nor dump "
                    "of it is loaded"
                )
                end = endpoint(self.routers[name], stranger, "inter-router", 1, source)
                self.outside.append(Outside(end, stranger, because))
        self.add_uplinks()

    def is_up(self, link: RouterLink) -> bool:
        """False for a link of a router known from its dump alone that one end does not list; the
        disagreement is noted with the pair.
        """
        a, b = link.ends
        sure = [
            self.running.lists(here, there)
            for here, there in ((a, b), (b, a))
            if self.routers[here].from_dump
        ]
        if False not in sure:
            return True
        if all(self.running.lists(here, there) is False for here, there in ((a, b), (b, a))):
            message = (
                f"Connector {link.connector.name} is connected to {link.listener.router}, "
                "but neither router lists the other as a neighbour"
            )
            self.note(D_3, LINK_NOT_UP, message, link.connector)
        return False

    def has_place(self, link: RouterLink) -> bool:
        """False for a link that what runs shows, with an end that has no place in the network as
        its files have it: the other end then connects to a router of which nothing is known."""
        without = [end for end in link.ends if not _takes_part(self.routers[end], "interior")]
        if not without:
            return True
        connectors = {link.connector.router: link.connector, link.listener.router: link.listener}
        for end in without:
            (there,) = (name for name in link.ends if name != end)
            if there not in without:
                self.runs_otherwise(connectors[there], self.routers[end])
        return False

    def runs_otherwise(self, here: RouterEndpoint, there: Router) -> None:
        """A connection that is up to a router that, as it is loaded, could not have it (D-3)."""
        because = (
            f"{there.name}, as it is loaded, "
            f"{there.stopped or f'has the mode {there.mode}'}: it runs with another "
            "configuration"
        )
        because = because.replace("it does not start", "does not start")
        self.outside.append(Outside(here, there.name, because))
        message = (
            f"{here.router} is connected to {there.name}, but {because}. It is unknown "
            "what is behind it"
        )
        self.note(D_3, RUNS_OTHERWISE, message, here)

    def disagree(self, pair: Pair) -> None:
        here, there = (pair.a, pair.b) if self.running.lists(pair.a, pair.b) else (pair.b, pair.a)
        message = (
            f"{here} lists {there} as its neighbour, {there} does not list {here}: the link "
            "is not counted"
        )
        at = endpoint(self.routers[here], there, "inter-router", 1, pair.source)
        self.note(D_3, NEIGHBOURS_DISAGREE, message, at)

    def observed_link(self, pair: Pair) -> RouterLink:
        """A link that both ends list while neither dump shows the connector. Without a cost, the
        least that fits the next hops is taken.
        """
        cost = self.running.link_cost(pair.a, pair.b)
        positions: tuple[Assumption, ...] = ()
        if cost is None:
            text = (
                f"the cost of the link between {pair.a} and {pair.b} is in none of the "
                "dumps: taken as "
            )
            cost, detour = 1, self.running.detour(pair.a, pair.b)
            if detour:
                cost = len(self.routers)
                text += f"{cost}, more than the way by {detour} that is used instead"
            else:
                text += "1"
            positions = (
                Assumption(
                    "D-4", Confidence.I, text, "with another cost, paths and costs may differ"
                ),
            )
        here = endpoint(self.routers[pair.a], pair.b, "inter-router", cost, pair.source)
        there = endpoint(self.routers[pair.b], pair.a, "inter-router", cost, pair.source)
        return RouterLink(
            here, there, cost, "D-3", Confidence.I if positions else Confidence.A, positions
        )

    def add_uplinks(self) -> None:
        """Uplinks of edge routers of whose dumps only the connections are there."""
        for name, observed in self.running.observed.items():
            edge = self.routers[name]
            if edge.mode != "edge" or not edge.from_dump or name in self.possible_uplinks:
                continue
            for id_, source in observed.edges.items():
                interior = self.running.by_id.get(id_)
                here = endpoint(edge, id_, "edge", 1, source)
                if interior is None:
                    self.outside.append(
                        Outside(
                            here, id_, f"{name} is connected to it, and nothing of it is loaded"
                        )
                    )
                elif interior is edge:
                    continue
                elif not _takes_part(interior, "interior"):
                    self.runs_otherwise(here, interior)
                else:
                    there = endpoint(interior, edge.id, "edge", 1, source)
                    self.possible_uplinks.setdefault(name, []).append(
                        Uplink(here, there, Confidence.B)
                    )

    def not_followed(self, connector: RouterEndpoint, found: ReachedListener | NotReached) -> None:
        """A connection of edge routers among themselves, or to another network: what it joins is
        left open.
        """
        rule, what = UNFOLLOWED[connector.role]
        because = f"what passes a connection of role {connector.role} is not followed ({what})"
        message = (
            f"Connector {connector.name} leads to {connector.address}, and {because}: "
            "answers that depend on it are undetermined"
        )
        server = self.routers[connector.router].id
        self.findings.append(
            ROLE_NOT_FOLLOWED.at(connector.source, message, rule=rule, server=server)
        )
        if isinstance(found, NotReached):
            self.outside.append(Outside(connector, found.name, because))
        elif (
            found.listener.router != connector.router and self.routers[found.listener.router].linked
        ):
            text = f"{connector.router} connects to {found.listener.router}, and {because}"
            position = Assumption(rule.number, Confidence.C, text, "messages may pass there")
            self.unfollowed.append(
                RouterLink(connector, found.listener, 0, rule.number, Confidence.C, (position,))
            )

    def unmatched(self, connector: RouterEndpoint, found: NotReached) -> None:
        self.outside.append(Outside(connector, found.name, found.because))
        if found.observed:
            if (
                connector.role == "edge"
            ):  # routers that inter-router connections lead to are named once for the network
                message = f"Connector {connector.name}: {found.because}"
                self.note(D_3, ROUTER_NOT_LOADED, message, connector)
            return
        filled_in = (
            " (which looks like a text to be filled in)"
            if _PLACEHOLDER.search(connector.host)
            else ""
        )
        parts = [
            (
                f"Connector {connector.name} leads to {connector.address}{filled_in}, and "
                f"{found.because}"
            )
        ]
        if found.possible:
            parts.append(
                "Listeners that may be meant: "
                + _some([self.listener_text(one) for one in found.possible], ", ")
            )
            fitting = [one for one in found.possible if one.role == connector.role] or list(
                found.possible
            )
            routers = list(dict.fromkeys(self.routers[one.router] for one in fitting))
            likely = [self.matcher.key(one) for one in routers if resembles(connector.host, one.id)]
            lines = _some(
                [hosts_line(connector, key) for key in likely or map(self.matcher.key, routers)],
                " or ",
            )
            guess = (
                f"By its name it could be {' or '.join(likely)}; if so"
                if likely
                else "If it is one of them"
            )
        elif found.entry is None:
            lines = hosts_line(connector, "ROUTER")
            guess = "If it is a loaded router"
        else:
            lines = hosts_line(connector, found.suggested) if found.suggested else ""
            guess = "If it is reached on another port"
        if lines and _MAY_BE_A_HOST.fullmatch(connector.address):
            parts.append(f"{guess}, add to topograph.yaml under hosts: {lines}")
        self.note(T_13, UNMATCHED_CONNECTOR, ". ".join(parts), connector)

    def listener_text(self, listener: RouterEndpoint) -> str:
        return f"{listener.router} ({listener.address}, role {listener.role})"

    def mark_lost(self) -> None:
        """That routers start of which a part of the configuration is lost (C-2)."""
        lost = {name for name, one in self.routers.items() if one.gaps and not one.from_dump}
        if not lost:
            return
        self.links = [replace(one, positions=_starting(one, lost)) for one in self.links]
        self.possible_uplinks = {
            edge: [replace(one, positions=_starting(one, lost)) for one in uplinks]
            for edge, uplinks in self.possible_uplinks.items()
        }

    def mark_parallel(self) -> None:
        """T-11: of several links between two routers the cost in effect changes; the range is
        noted on all of them. So it is on one beside which another may open (T-14).
        """
        groups: dict[tuple[str, str], list[int]] = {}
        for number, link in enumerate(self.links):
            groups.setdefault(link.ends, []).append(number)
        perhaps = self.perhaps_parallel()
        for ends, numbers in groups.items():
            links = [*(self.links[number] for number in numbers), *perhaps.get(ends, ())]
            if len(links) == 1:
                continue
            note = _parallel(links)
            certain = "" if len(numbers) > 1 else ", if all of them open"
            position = Assumption("T-11", Confidence.I, note + certain, _OTHER_LINK)
            for number in numbers:
                link = self.links[number]
                positions = (*link.positions, position)
                self.links[number] = replace(
                    link, rule="T-11", confidence=Confidence.I, positions=positions
                )
            for before, number in pairwise(numbers):
                other, link = self.links[before], self.links[number]
                message = (
                    f"{note}. Only one connection between two routers is supported; the "
                    f"other is {other.connector.source}"
                )
                self.note(T_11, PARALLEL_LINKS, message, link.connector)

    def perhaps_parallel(self) -> dict[tuple[str, str], list[RouterLink]]:
        """The links of which it is not known whether they open, by their two routers."""
        found: dict[tuple[str, str], list[RouterLink]] = {}
        for link in self.unfollowed:
            if link.rule == "T-14":
                found.setdefault(link.ends, []).append(link)
        return found

    def mark_edges_of_one_id(self) -> None:
        """What the uplinks of edge routers rest on whose id another router of the same network
        has too. Each is a set of local links of its own (E-2), so that it is taken as one; no
        rule says how interior routers tell two of one id apart."""
        uplinks = [uplink for own in self.possible_uplinks.values() for uplink in own]
        attached = [(uplink.connector.router, uplink.listener.router) for uplink in uplinks]
        shared = self.of_one_id([*(link.ends for link in self.links), *attached])
        for edge, own in self.possible_uplinks.items():
            if edge in shared:
                names, id_ = " and ".join(shared[edge]), self.routers[edge].id
                text = f"{names} have one router id, {id_}: {edge} is taken for a separate router"
                position = Assumption("T-10", Confidence.I, text, _TAKEN_FOR_EACH_OTHER)
                self.possible_uplinks[edge] = [
                    replace(
                        uplink, confidence=Confidence.I, positions=(*uplink.positions, position)
                    )
                    for uplink in own
                ]

    def of_one_id(self, joined: Collection[tuple[str, str]]) -> dict[str, list[str]]:
        """The routers at these connections whose id another router of the same network has too,
        each with all that have it.
        """
        part: dict[str, str] = {name: name for name in self.routers}

        def found(name: str) -> str:
            while part[name] != name:
                part[name] = part[part[name]]
                name = part[name]
            return name

        for a, b in joined:
            part[found(a)] = found(b)
        holders: dict[tuple[str, str], list[str]] = {}
        for name in sorted({end for ends in joined for end in ends}):
            if not self.routers[name].id_template:
                holders.setdefault((found(name), self.routers[name].id), []).append(name)
        return {name: names for names in holders.values() if len(names) > 1 for name in names}

    def contested(self) -> dict[RouterLink, RouterLink]:
        """The links of routers whose id another router of the same network has too, each with
        what that means (T-10).
        """
        shared = self.of_one_id([link.ends for link in self.links])
        self.sharing |= shared.keys()
        contested: dict[RouterLink, RouterLink] = {}
        for link in self.links:
            for name in dict.fromkeys(end for end in link.ends if end in shared):
                before = contested.get(link, link)
                names, id_ = " and ".join(shared[name]), self.routers[name].id
                text = (
                    f"{names} have one router id, {id_}: the other routers see one router "
                    "that keeps changing between them"
                )
                position = Assumption("T-10", Confidence.I, text, _IDS_OF_THEIR_OWN)
                positions = (*before.positions, position)
                contested[link] = replace(
                    before, rule="T-10", confidence=Confidence.I, positions=positions
                )
        return contested


def _parallel(links: Sequence[RouterLink]) -> str:
    """How many links there are between two routers, with the range of their costs."""
    a, b = links[0].ends
    costs = [link.cost for link in links]
    return (
        f"{len(links)} parallel links between {a} and {b} with cost {min(costs)} to {max(costs)}: "
        "which one counts changes"
    )


_IDS_OF_THEIR_OWN = "with different ids, the link carries messages"
_TAKEN_FOR_EACH_OTHER = (
    "where the interior routers do not tell them apart, messages for one of them get to the other"
)


def _starting(link: RouterLink | Uplink, lost: Collection[str]) -> tuple[Assumption, ...]:
    """What a link rests on, and that those of its ends start whose configuration is ``lost``."""
    ends = dict.fromkeys((link.connector.router, link.listener.router))
    positions = tuple(
        Assumption(
            "C-2",
            Confidence.I,
            f"{name} starts with the part of its configuration that is not shown",
            "it does not start, and this link is not there",
        )
        for name in ends
        if name in lost
    )
    return (*link.positions, *positions)


def _takes_part(router: Router, mode: str) -> bool:
    return router.linked and router.mode == mode


_LEFT_OUT = "those that join last are left out"
_OTHER_LISTENER = "if another of them does, this link is not there"
_OTHER_HOST = "if the host is another router, this link is not there"
_OTHER_UPLINK = "with another uplink active the path begins or ends at another interior router"
_OTHER_LINK = "with another of the links in effect, costs, next hops and paths may differ"


_PLACEHOLDER = re.compile(r"[<>]|\$\{|\{\{")


_MAY_BE_A_HOST = re.compile(r"[^\s/,]+")
"""What topograph.yaml takes as a host, with or without a port."""


def _some(texts: Sequence[str], between: str) -> str:
    """The first few texts, and how many more there are: one line has to be readable."""
    shown = between.join(texts[:4])
    return shown if len(texts) <= 4 else f"{shown} and {len(texts) - 4} more"


def hosts_line(connector: RouterEndpoint, server: str) -> str:
    """The entry under ``hosts`` of topograph.yaml that says which router a connector's host and
    port is, ready to paste.
    """
    return f"{json.dumps(connector.address, ensure_ascii=False)}: {yaml_text(server)}"
