"""What becomes of an attach: link-routed to a container, attached at the router, or refused (L-1
to L-9, M-6, M-9).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topograph.facts.amqp_addresses import PatternTree, address_tokens, plain_address
from topograph.records import record
from topograph.systems.amq_interconnect.messages.destinations import AddressState, AttachRefusal
from topograph.systems.amq_interconnect.messages.model import (
    Connection,
    LinkRoute,
    MessageNetwork,
    Receiver,
)

NO_ROUTE = "qd:no-route-to-dest"
PRECONDITION_FAILED = "amqp:precondition-failed"
COORDINATOR = "$coordinator"


@record
class AttachTarget:
    """A container that a link-routed attach may end at: ``router`` holds the connection,
    ``address`` is the one at the container. ``there`` is another loaded router at which it
    attaches instead (W-16).
    """

    broker: str
    router: str
    connection: Connection
    link_route: LinkRoute
    address: str
    there: str = ""


@record
class AttachResult:
    """What becomes of an attach. ``targets`` are the containers of a link-routed one, of which
    rotation picks one; ``path`` is known where all targets are at one router (L-3) and runs from
    the client's router to that one. ``refusal`` is None unless it is refused."""

    refusal: AttachRefusal | None = None
    targets: tuple[AttachTarget, ...] = ()
    path: tuple[str, ...] = ()
    cost_ignored: bool = False

    @property
    def link_routed(self) -> bool:
        return bool(self.targets)


def attach(network: MessageNetwork, router: str, role: str, address: str) -> AttachResult:
    """What a client's attach at a router comes to. ``role`` is ``sender`` or ``receiver``. Linear
    in the link routes.

    A receiver attached to a message-routed address is no part of the result's network:
    ``MessageNetwork.with_receivers`` adds it.
    """
    routed = LinkRouting(network, "in" if role == "sender" else "out").attach(router, address)
    if routed is not None:
        return routed
    if role == "sender" and plain_address(address) == COORDINATOR:
        text = (
            "The router can't coordinate transactions by itself, a linkRoute to a "
            "coordinator must be configured to use transactions."
        )
        return AttachResult(AttachRefusal(PRECONDITION_FAILED, text, "L-9", lifted_by=("L-2",)))
    return AttachResult(AddressState.of(network, address).refusal(router))


def attached_beyond(network: MessageNetwork) -> Sequence[tuple[Receiver, AttachResult]]:
    """The receivers that link routes attach to containers, each with what its attach comes to.
    Worked out once for a network: linear in its receivers times the link routes."""
    found: Sequence[tuple[Receiver, AttachResult]] = network.once(attached_beyond, _attached_beyond)
    return found


def _attached_beyond(network: MessageNetwork) -> Sequence[tuple[Receiver, AttachResult]]:
    if not network.has_link_routes:
        return ()
    routing = LinkRouting(network, "out")
    each = ((one, routing.attach(one.router, one.address)) for one in network.receivers)
    return [(one, found) for one, found in each if found is not None and found.targets]


class LinkRouting:
    """The link routes of a network in one direction (``in`` for senders)."""

    def __init__(self, network: MessageNetwork, direction: str) -> None:
        self.network = network
        self.direction = direction
        self._there = {bridge.connection: bridge.there for bridge in network.bridges}

    def attach(self, router: str, address: str) -> AttachResult | None:
        """Where an attach goes; None if no link route known at the router matches: the address
        is message-routed (L-1, L-4).
        """
        if not self.network.may_be_routed(self.direction, address):
            return None
        if self.network.routers[router].mode != "edge":
            return self._attach(router, address)
        own = self._matching(self._own(router), address)
        if own and self._active(router, own[0].tokens):
            return self._ended(router, own[0].tokens, address, (router,))
        interior = self.network.uplinks.get(router)
        beyond = self._attach(interior, address) if interior else None
        if beyond is not None and beyond.refusal is None:
            path = (router, *beyond.path) if beyond.path else ()
            return AttachResult(beyond.refusal, beyond.targets, path, beyond.cost_ignored)
        if own:
            return AttachResult(_no_route(own[0]))
        return beyond

    def _attach(self, router: str, address: str) -> AttachResult | None:
        own = self._own(router)
        matching = self._matching([*own, *self._announced(router)], address)
        if not matching:
            return None
        tokens = matching[0].tokens
        if self._active(router, tokens):
            return self._ended(router, tokens, address, (router,))
        hosts = self._hosts(router, tokens)
        if not hosts:
            return AttachResult(_no_route(matching[0]))
        return self._far(router, hosts, tokens, address)

    def _far(
        self, router: str, hosts: tuple[str, ...], tokens: tuple[str, ...], address: str
    ) -> AttachResult:
        """Over other routers: each on the way chooses anew among all hosts, whatever the cost
        (L-3).
        """
        if len(hosts) == 1:
            return self._ended(
                hosts[0], tokens, address, self.network.routes.path(router, hosts[0])
            )
        ends: dict[str, None] = {}
        waiting, seen = [router], {router}
        while waiting:
            here = waiting.pop(0)
            if self._active(here, tokens):
                ends[here] = None
                continue
            for host in self._hosts(here, tokens):
                after = self.network.routes.next_hop(here, host)
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        if len(ends) == 1:
            (end,) = ends
            path = self.network.routes.path(router, end)
            return self._ended(end, tokens, address, path)
        found = [
            target
            for end in sorted(ends)
            for target in self._ended(end, tokens, address, (end,)).targets
        ]
        if not found:
            return self._ended(sorted(ends)[0], tokens, address, ())
        return AttachResult(targets=tuple(found), cost_ignored=True)

    def _ended(
        self, router: str, tokens: tuple[str, ...], address: str, path: tuple[str, ...]
    ) -> AttachResult:
        """At the router that holds the active connections: one of them, by rotation (L-3, L-8)."""
        active = self._active(router, tokens)
        targets, refused = [], None
        for connection, link_route in active:
            there = link_route.outward(plain_address(address))
            broker = self.network.brokers.get(connection.broker)
            beyond = self._there.get(connection, "")
            if broker is not None and not beyond and there in broker.refuse:
                refused = AttachRefusal(
                    "amqp:not-found", f"refused by {connection.broker}", "L-11", link_route.source
                )
            else:
                targets.append(
                    AttachTarget(
                        connection.broker, connection.router, connection, link_route, there, beyond
                    )
                )
        if not targets and refused is not None:
            return AttachResult(refused)
        ends = {target.router for target in targets}
        if len(ends) == 1 and targets[0].router != router:
            path = (*path, targets[0].router)
        return AttachResult(targets=tuple(targets), path=path)

    def _active(self, router: str, tokens: tuple[str, ...]) -> list[tuple[Connection, LinkRoute]]:
        """The open connections for a pattern at a router, and at its edges (E-6): each with the
        first entry, whose prefixes apply (L-8); those to other loaded routers among them (W-16).
        """
        found: list[tuple[Connection, LinkRoute]] = []
        for place in (router, *self.network.edges_of.get(router, ())):
            own = [one for one in self._own(place) if one.tokens == tokens]
            for link_route in own:
                for connection in self._connections(place, link_route):
                    if all(connection is not known for known, _ in found):
                        found.append((connection, own[0]))
        return found

    def _connections(self, router: str, one: LinkRoute) -> list[Connection]:
        """The open connections that a link route names."""
        return [
            *self.network.open_connections(router, one.connection, one.container),
            *(bridge.connection for bridge in self.network.bridges_of(router, one)),
        ]

    def _own(self, router: str) -> list[LinkRoute]:
        return [
            one
            for one in self.network.routers[router].link_routes
            if one.direction == self.direction
        ]

    def _announced(self, router: str) -> Iterator[LinkRoute]:
        """The link routes that a router knows of without having them: those active on its edges
        and on routers it reaches (L-2).
        """
        for name in sorted(self.network.routers):
            beyond = name in self.network.edges_of.get(router, ()) or self._reaches(router, name)
            if beyond:
                for link_route in self._own(name):
                    if self._connections(name, link_route):
                        yield link_route

    def _reaches(self, router: str, name: str) -> bool:
        interior = self.network.interior(name)
        return bool(interior) and self.network.routes.reaches(router, interior)

    def _hosts(self, router: str, tokens: tuple[str, ...]) -> tuple[str, ...]:
        """The other routers that announce a pattern, by name (L-2)."""
        return tuple(
            name
            for name in sorted(self.network.routers)
            if self.network.routers[name].mode == "interior"
            and self.network.routes.reaches(router, name)
            and self._active(name, tokens)
        )

    def _matching(self, link_routes: list[LinkRoute], address: str) -> list[LinkRoute]:
        tree: PatternTree[LinkRoute] = PatternTree()
        for link_route in link_routes:
            tree.add(link_route.tokens, link_route)
        return list(tree.matches(address_tokens(address)))


def _no_route(link_route: LinkRoute) -> AttachRefusal:
    return AttachRefusal(
        NO_ROUTE, "No route to the destination node", "L-4", link_route.source, ("L-2",)
    )


def known_link_routes(
    network: MessageNetwork, router: str
) -> dict[str, tuple[int, tuple[str, ...]]]:
    """The link routes in a router's address table: per announced form (``Cb2``, L-10) how many
    containers are connected here, and the other routers that announce it."""
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    for direction, classes in (("in", "CE"), ("out", "DF")):
        routing = LinkRouting(network, direction)
        for link_route in [*routing._own(router), *routing._announced(router)]:
            tokens = link_route.tokens
            plain = tokens[-1:] == ("#",) and not {"*", "#"} & set(tokens[:-1])
            text = link_route.text.strip("./")
            if plain:
                key = f"{classes[0]}{text.removesuffix('/#').removesuffix('.#')}"
            else:  # a prefix that holds a wildcard is announced as the pattern it stands for
                as_prefix = tokens[-1:] == ("#",) and not text.endswith("#")
                key = f"{classes[1]}{text}/#" if as_prefix else f"{classes[1]}{text}"
            found.setdefault(
                key, (len(routing._active(router, tokens)), routing._hosts(router, tokens))
            )
    return dict(sorted(found.items()))
