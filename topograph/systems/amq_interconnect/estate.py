"""One network of routers with its facts (``contract.system.Estate``): routers, connections and
graph are made once, for all that is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

from topograph.assumptions import Assumption
from topograph.digits import digits
from topograph.errors import NotApplicable, UsageError
from topograph.facts.amqp_addresses import address_tokens, plain_address
from topograph.findings import Finding, Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.simple import Path
from topograph.forwarding.walker import Walker
from topograph.inexact import Cause, Inexact, budget_ended
from topograph.judgement import Polarity
from topograph.message import Message
from topograph.outcomes import Confidence, Outcome
from topograph.records import record
from topograph.side_inputs import Client, SideInputs
from topograph.systems.amq_interconnect.checked import Checked
from topograph.systems.amq_interconnect.checks.addresses import lint
from topograph.systems.amq_interconnect.checks.observed import compare
from topograph.systems.amq_interconnect.failures import (
    RouterFailures,
    Topology,
    needed_by_services,
)
from topograph.systems.amq_interconnect.messages.address_tables import AddressTables
from topograph.systems.amq_interconnect.messages.admission import ClientPolicies, refused_by_policy
from topograph.systems.amq_interconnect.messages.backlog import spilled_on
from topograph.systems.amq_interconnect.messages.branches import CourseTelling
from topograph.systems.amq_interconnect.messages.bridged import (
    LedOn,
    led_on,
    undecided_at,
    with_led_on,
)
from topograph.systems.amq_interconnect.messages.classes import classes_of
from topograph.systems.amq_interconnect.messages.configuration import message_network
from topograph.systems.amq_interconnect.messages.destinations import AddressState
from topograph.systems.amq_interconnect.messages.model import ContainerUsed, MessageNetwork
from topograph.systems.amq_interconnect.messages.policies import PolicySaid, evaluates_policies
from topograph.systems.amq_interconnect.messages.services import service_ends, services_of
from topograph.systems.amq_interconnect.messages.simulation import without_routed
from topograph.systems.amq_interconnect.messages.trace import (
    Followed,
    MessageQuestion,
    follow,
    led_by,
    receivers_of,
)
from topograph.systems.amq_interconnect.network.connections import Connections
from topograph.systems.amq_interconnect.network.connectors import Place, Settled
from topograph.systems.amq_interconnect.network.facts import RouterFacts
from topograph.systems.amq_interconnect.network.links import connect
from topograph.systems.amq_interconnect.network.routers import Router, routers_of
from topograph.systems.amq_interconnect.network.versions import (
    HELLO_MAX_AGE,
    HOLD_OFF,
    is_skupper,
    remembered_seconds,
)
from topograph.systems.amq_interconnect.routes.reach import does_not_run, reach_from, undecided
from topograph.systems.amq_interconnect.routes.tables import graph_of, tables_of
from topograph.systems.amq_interconnect.routes.walked import WalkedRoutes
from topograph.systems.amq_interconnect.show import rows
from topograph.systems.contract.failures import ContainerUse
from topograph.systems.contract.lint import lints
from topograph.systems.contract.portable import DestinationClasses
from topograph.systems.contract.services import ServiceEnd, Spill
from topograph.systems.contract.system import (
    Attached,
    Change,
    Compiled,
    Failure,
    Row,
    Sending,
)
from topograph.systems.contract.wording import Shape
from topograph.systems.fact_sources import ChangedFacts
from topograph.tracing.trace import Note, Open, SenderView, Trace, TraceBuilder

WAITING = ("M-1", "nobody can take the message: the sender waits")
"""Rule and words of a sender without credit."""


@record(slots=False)
class RouterEstate:
    """The routers that the facts of one network configure, without those that have ``failed``."""

    facts: RouterFacts
    side_inputs: SideInputs
    failed: Failure = field(default_factory=Failure)
    settled: Mapping[Place, Settled] = field(default_factory=dict)
    """The hosts that were told by elimination before a change (T-13)."""
    _walked: dict[int, tuple[Walker, MessageNetwork]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @cached_property
    def _routers(self) -> tuple[Sequence[Router], Sequence[Finding]]:
        return routers_of(self.facts.essential, self.side_inputs, self.facts.shown)

    @cached_property
    def _judging(self) -> Mapping[str, Router]:
        """The routers that ask policies about their clients, by name."""
        return {one.name: one for one in self._routers[0] if evaluates_policies(one)}

    @staticmethod
    def _taking(network: MessageNetwork, clients: tuple[Client, ...]) -> MessageNetwork:
        """A network with the receivers among some clients; the same one for the same clients,
        with all that was worked out of it."""
        made: list[tuple[tuple[Client, ...], MessageNetwork]] = network.once(
            RouterEstate, lambda _: []
        )
        if not made or made[0][0] != clients:
            made[:] = [(clients, network.with_receivers(receivers_of(clients)))]
        return made[0][1]

    @cached_property
    def _tables(self) -> AddressTables:
        return AddressTables(self.facts)

    @cached_property
    def connections(self) -> Connections:
        """How the routers are connected."""
        return connect(self._routers[0], self.side_inputs, self.settled)

    @cached_property
    def graph(self) -> ForwardingGraph:
        """The graph as the facts have it, before any failure."""
        return graph_of(tables_of(self._routers[0], self.connections))

    @cached_property
    def topology(self) -> Topology:
        """Routers, links and uplinks, without those that failed."""
        clients = receivers_of(self.side_inputs.clients)
        return Topology.of(
            self.graph,
            {name: routers for name, (routers, _) in self._containers.items()},
            services_of(self._routers[0], self._unwalked.with_receivers(clients)),
            {one.source: one.name for router in self._routers[0] for one in router.connectors},
        ).after(self.failed)

    @cached_property
    def _unwalked(self) -> MessageNetwork:
        """The network as messages see it, before any failure and without its routes."""
        return self._messages(self.graph)

    def _messages(self, graph: ForwardingGraph) -> MessageNetwork:
        facts = self.facts
        return message_network(
            graph, facts.essential, self.side_inputs, self._tables.at, facts.shown
        )

    @cached_property
    def _containers(self) -> Mapping[str, tuple[tuple[str, ...], ContainerUse]]:
        """The containers that autolinks and link routes use, before any failure: the routers
        that are connected to each, and how it is used.
        """
        used = sorted(self._unwalked.containers.items())
        return {name: (use.routers, _use(use)) for name, use in used}

    def compile(self) -> Compiled:
        """The tables of the network, and findings. Reads all facts. O(routers * links log
        links).
        """
        routers, shared_ids = routers_of(self.facts.all, self.side_inputs, self.facts.shown)
        connections = connect(routers, self.side_inputs, self.settled)
        tables = tables_of(routers, connections)

        def linted() -> Iterator[Finding]:
            network = message_network(
                graph_of(tables), self.facts.all, self.side_inputs, shown=self.facts.shown
            )
            outside = len(connections.outside) + len(connections.undecided)
            outside += sum(router.gaps for router in routers)
            for noticed in lint(network, routers, outside):
                yield noticed.finding
            loaded = {router.name: router for router in routers if router.name in network.routers}
            for rule in lints("topograph.systems.amq_interconnect.lint"):
                yield from rule.find(Checked(network, loaded, outside))

        checks = (lambda: compare(routers, connections), linted)
        return Compiled(tables, (*shared_ids, *connections.findings), checks)

    def without(self, failure: Failure, graph: ForwardingGraph) -> RouterEstate:  # noqa: ARG002
        """The network once the failure has been noticed by all routers (T-9): routes and uplinks
        are other ones.
        """
        gone = Failure(
            self.failed.servers | failure.servers,
            self.failed.links | failure.links,
            self.failed.containers | failure.containers,
            self.failed.components | failure.components,
        )
        return RouterEstate(self.facts, self.side_inputs, gone, self.settled)

    def apply(self, change: Change) -> RouterEstate:
        """The network with other configuration. Where a host leads that other connectors told by
        elimination stays as it was."""
        return RouterEstate(
            RouterFacts(ChangedFacts(self.facts.source, change)),
            self.side_inputs,
            self.failed,
            self.connections.settled,
        )

    def failures(
        self,
        graph: ForwardingGraph,  # noqa: ARG002
        walker: Walker,  # noqa: ARG002
        clients: Sequence[Client] = (),  # noqa: ARG002
    ) -> RouterFailures:
        """See ``failures``."""
        running = [router for router in self._routers[0] if router.linked]
        versions = dict(self.side_inputs.versions)
        return RouterFailures(
            self.topology,
            lambda failure: self.without(failure, self.graph).topology,
            {
                name: use
                for name, (_, use) in self._containers.items()
                if name not in self.failed.containers
            },
            undecided(self.graph),
            {router.name: _remembered(router, versions) for router in running},
            max(
                (_seconds(router, "helloMaxAgeSeconds", HELLO_MAX_AGE) for router in running),
                default=0,
            ),
        )

    def kinds(self) -> Mapping[str, tuple[str, Shape]]:
        """The edge routers (E-1)."""
        return {
            router.name: ("edge router", "house")
            for router in self._routers[0]
            if router.mode == "edge"
        }

    def attached(self) -> Sequence[Attached]:
        """The containers that autolinks and link routes use (L-5, W-3)."""
        return [
            Attached(name, "broker or container", at, use.source)
            for name, (at, use) in self._containers.items()
        ]

    def service_ends(self) -> Sequence[ServiceEnd]:
        """The listeners and connectors of TCP and HTTP services (S-3)."""
        return [
            one
            for router in sorted(self._routers[0], key=lambda router: router.name)
            if not router.stopped
            for one in service_ends(router.name, router.configuration, router.observed)
        ]

    def spills(
        self, graph: ForwardingGraph, walker: Walker, path: Sequence[str], destination: str
    ) -> Mapping[str, Spill]:
        """Where connections go as well while others are open, from any router of a path (M-5)."""
        network = self.network(graph, walker).with_receivers(receivers_of(self.side_inputs.clients))
        address = destination.removeprefix("address:")
        state = AddressState.of(without_routed(network, address), address)
        return {
            server: Spill(
                f"when more than {more} connections to the preferred ones are open",
                "M-5",
                network.routers[at].source,
            )
            for server, (at, more) in spilled_on(state, path).items()
        }

    def needed(self, budget: Budget) -> Mapping[Source, Sequence[str]]:
        """What each listener needs to be served (S-5); nothing where links are not known."""
        return {} if undecided(self.graph) else needed_by_services(self.topology, budget)

    def show(self, what: str) -> Iterable[Row] | None:
        """See ``show.rows``."""
        return rows(self.facts, what)

    def network(self, graph: ForwardingGraph, walker: Walker) -> MessageNetwork:
        """The network as messages see it, its routes supplied by the walker; after a failure
        routes are computed. Kept for the next message.
        """
        kept = self._walked.get(id(graph))
        if kept is not None and kept[0] is walker:
            return kept[1]
        network = self._messages(graph)
        if self.failed != Failure():
            network = network.without_routers(self.failed.servers).without_links(self.failed.links)
            network = network.without_brokers(self.failed.containers)
            network = network.without_each(self.topology.gone)
        else:
            interior = frozenset(
                name for name, router in network.routers.items() if router.mode == "interior"
            )
            network = replace(network, supplied=WalkedRoutes(graph, walker, interior))
        self._walked[id(graph)] = (walker, network)
        return network

    def _unseen(
        self, graph: ForwardingGraph, start: int, met: Collection[int]
    ) -> dict[int, tuple[str, Source]]:
        """The routers that a message may come to and of which a part of the files is lost: why
        it is not known who gets it there. Linear in the routers."""
        return {
            number: (
                f"{router.name} may have receivers, addresses and links that the loaded files do "
                f"not show ({router.unseen})",
                router.source,
            )
            for router in self._routers[0]
            if router.unseen and (number := graph.server_number[router.name]) in {start, *met}
        }

    def _router(self, name: str) -> Router:
        return next(router for router in self._routers[0] if router.name == name)

    def classes(self, graph: ForwardingGraph, walker: Walker) -> DestinationClasses | None:
        """See ``messages.classes``; None where policies tell addresses apart that entries do
        not.
        """
        if any(evaluates_policies(router) for router in self._routers[0]):
            return None
        named = (
            entity.get("address") for router in self._routers[0] for entity in router.configuration
        )
        return classes_of(self.network(graph, walker), self.side_inputs.clients, named)

    def _led_on(
        self, network: MessageNetwork, sending: Sending
    ) -> tuple[MessageNetwork, LedOn, Mapping[str, tuple[str, Source]]]:
        """Where link routes into other loaded routers lead the receivers and the sender of a
        message, and at which of them that is not decided (W-16)."""
        closed = frozenset(one.name for one in self._routers[0] if evaluates_policies(one))
        network, elsewhere = with_led_on(network, closed)
        led = LedOn(sending.start, sending.message.destination.name)
        if not sending.message.anonymous:
            led = led_on(network, led.router, "sender", led.address, closed)
        return network, led, undecided_at((led, *elsewhere), led.address)

    def follow(self, graph: ForwardingGraph, walker: Walker, sending: Sending) -> Trace:
        """Follow one message; see ``messages.trace``. The property ``subject`` is the message's
        subject (X-1); an anonymous sender is attached to no address (M-2). Of several messages the
        copies of all are counted together.

        Raises UsageError for an address with wildcards (A-2), NotApplicable where the router sends
        nothing, BudgetSpent if the budget ends before anything is known.
        """
        message, address = sending.message, sending.message.destination.name
        start = graph.server_number[sending.start]
        _check(graph, start, address)
        clients, left_out = _attached(graph, sending, (*self.side_inputs.clients, *sending.clients))
        policies = ClientPolicies(self._judging, address)
        clients, refused = policies.admitted(clients)
        network = self._taking(self.network(graph, walker), tuple(clients))
        network, led, undecided_attaches = self._led_on(network, sending)
        question = MessageQuestion(
            led.router,
            led.address,
            (),
            subject=_subject(message),
            anonymous=message.anonymous,
            assume=sending.assume,
            count=message.count,
            barred=policies.barred(),
        )
        sender_said = _said_of_sender(policies, sending)
        if sender_said is not None and sender_said.allowed is Polarity.NO:
            found = refused_by_policy(sender_said)
        else:
            found = led_by(led, follow(network, question, sending.budget))
        reached = reach_from(graph, walker, start, sending.budget)
        left_open = _cut(graph, found, sending.budget) | reached.undetermined
        met = {*reached.paths}
        if led.decisions:
            beyond = reach_from(graph, walker, graph.server_number[led.router], sending.budget)
            left_open |= beyond.undetermined
            met |= {graph.server_number[led.router], *beyond.paths}
        left_open |= {graph.server_number[name]: why for name, why in undecided_attaches.items()}
        unseen = self._unseen(graph, start, {*met, *left_open})
        left_open |= {one: why for one, why in unseen.items() if one not in left_open}
        seen = _sender(found, left_open, anonymous=message.anonymous)
        sender = refused_at_port(self._router(sending.start), address, seen)
        builder = TraceBuilder(graph.system)
        telling = CourseTelling(
            graph,
            message.destination.type,
            led.address,
            builder,
            sending.start,
            network.receiving(led.address),
            frozenset(graph.servers[number].name for number in left_open),
        )
        telling.tell(sending.start, found, sender)
        return Trace(
            start=sending.start,
            system=graph.system,
            steps=builder.steps,
            branches=builder.branches,
            exact=found.complete and sender.outcome != Outcome.UNDETERMINED,
            inexact=() if found.complete else _not_complete(sending.budget),
            assumptions=(
                *_positions(found),
                *telling.link_positions(found),
                *telling.receivers_elsewhere(found),
                *telling.treatments_elsewhere(found),
                *telling.link_routes_elsewhere(found),
                *_as_shown(graph, unseen, address, found),
                *policies.assumptions(sender_said, clients, found),
            ),
            notes=(
                *left_out,
                *refused,
                *(Note(one.rule, one.text, one.source, one.about, one.why) for one in found.notes),
            ),
            open=_left_open(graph, left_open, reached.towards),
            sender=sender,
            visited=(sending.start, *sorted(_passed(found) - {sending.start})),
        )


def _said_of_sender(policies: ClientPolicies, sending: Sending) -> PolicySaid | None:
    """What a policy says of the sender; nothing of what the router itself sends."""
    message = sending.message
    if sending.inside:
        return None
    return policies.sender(sending.start, message.user, anonymous=message.anonymous)


def _subject(message: Message) -> str | None:
    """A message's subject; None where it is not stated (X-1)."""
    subject = message.properties.get("subject")
    return None if subject is None else str(subject)


def _positions(found: Followed) -> Iterator[Assumption]:
    for one in found.positions:
        yield Assumption(one.rule, str(one.confidence), one.text, one.alternative)


def _passed(found: Followed) -> set[str]:
    """The routers on the ways of all courses."""
    ways = (*found.ways, *found.assumed)
    return {router for way in ways for end in way.ends for router in end.path}


def _as_shown(
    graph: ForwardingGraph,
    unseen: Mapping[int, tuple[str, Source]],
    address: str,
    found: Followed,
) -> Iterator[Assumption]:
    """What deliveries rest on where a part of a router's files is lost: entries for the address,
    and receivers among which the message is distributed, may stand there."""
    if unseen and any(way.ends for way in found.ways):
        names = ", ".join(sorted(graph.servers[number].name for number in unseen))
        why = "; ".join(because for because, _ in unseen.values())
        text = f"nothing that is not shown of {names} receives {address}, or says where it goes"
        text += f": {why}"
        yield Assumption("C-1", Confidence.I, text, "the message may go there instead")


def _left_open(
    graph: ForwardingGraph,
    left_open: Mapping[int, tuple[str, Source]],
    towards: Mapping[int, Path],
) -> tuple[Open, ...]:
    """The routers that are left open, by name."""
    by_name = sorted(left_open.items(), key=lambda entry: graph.servers[entry[0]].name)
    return tuple(
        Open(graph.system, graph.servers[number].name, because, source, towards.get(number, ()))
        for number, (because, source) in by_name
    )


def refused_at_port(router: Router, address: str, sender: SenderView) -> SenderView:
    """What the clients of a TCP listener see where nobody takes what they send: its port is closed
    (S-5)."""
    listener = next(
        (
            one
            for one in router.configuration
            if one.type == "tcpListener" and plain_address(one.get("address")) == address
        ),
        None,
    )
    if listener is None or sender.outcome != Outcome.NO_CREDIT:
        return sender
    text = (
        f"nobody can take the message: the port of tcpListener {listener.name} is closed, so that "
        "its clients are refused; other senders wait"
    )
    return SenderView(sender.outcome, text=text, rule="S-5", source=listener.source)


OUT_OF_REACH = (
    f"{Outcome.NO_CREDIT} unless another container takes the address; linked clients are detached"
)
"""What a container out of reach means to clients (W-14, L-5)."""


def _use(use: ContainerUsed) -> ContainerUse:
    return ContainerUse(use.addresses, use.source, OUT_OF_REACH)


def _remembered(router: Router, versions: Mapping[str, str]) -> int:
    """How long a router keeps the addresses of routers out of reach (T-9, S-5)."""
    version = versions.get(router.id) or versions.get("*", "") or _version_shown(router)
    only_skupper = not version and any(
        one.type == "startup" and one.get("starts") == "from-2.0" for one in router.configuration
    )
    if is_skupper(version) or only_skupper or _setting(router, "unreachableHoldoffSeconds"):
        return _seconds(router, "unreachableHoldoffSeconds", HOLD_OFF)
    return _seconds(router, "remoteLsMaxAgeSeconds", remembered_seconds(version))


def _version_shown(router: Router) -> str:
    """The version that the dump of a router shows; empty without one."""
    sections = (one for one in router.observed if one.type == "router")
    return next((one.get("version") for one in sections), "")


def _seconds(router: Router, attribute: str, default: int) -> int:
    return digits(_setting(router, attribute), default)


def _setting(router: Router, attribute: str) -> str:
    return next(
        (entity.get(attribute) for entity in router.configuration if entity.type == "router"), ""
    )


def _cut(graph: ForwardingGraph, found: Followed, budget: Budget) -> dict[int, tuple[str, Source]]:
    """The routers of which it is not known whether the message gets to a receiver there, because
    the budget ended: those that were not asked about, or, where not all courses were run, all at
    which none was seen to get it."""
    if not budget.spent:
        return {}
    because = f"{budget.ended}, before every course of events was looked at"
    names = found.left_out
    if found.ways:
        got = {end.server for way in found.ways for end in way.ends}
        names = tuple(server.name for server in graph.servers if server.name not in got)
    return {
        graph.server_number[name]: (because, graph.servers[graph.server_number[name]].source)
        for name in names
    }


def _not_complete(budget: Budget) -> tuple[Inexact, ...]:
    """Why not every course of events was looked at."""
    if budget.spent:
        return budget_ended(budget.ended)
    return (Inexact(Cause.LIMIT, "not every order of events was looked at"),)


def _check(graph: ForwardingGraph, start: int, address: str) -> None:
    """Raises UsageError for an address with wildcards (A-2), NotApplicable for a router that sends
    nothing."""
    if {"*", "#"} & set(address_tokens(address)):
        raise UsageError(f"{address} holds a wildcard; a message goes to one address (A-2).")
    server = graph.servers[start]
    if not server.loaded:
        raise NotApplicable(
            f"No file of {server.name} is loaded: it is unknown what becomes of what is sent there."
        )
    if does_not_run(graph, start):
        raise NotApplicable(
            f"{server.name} takes no messages: {server.incomplete or 'it does not run'} "
            f"({server.source})."
        )


def _attached(
    graph: ForwardingGraph, sending: Sending, clients: Sequence[Client]
) -> tuple[list[Client], list[Note]]:
    """The clients that are attached to routers which run; a note for each other one of the
    message's destination.
    """
    destination = str(sending.message.destination)
    known, left_out = [], []
    for client in clients:
        number = graph.server_number.get(client.server)
        if number is not None and graph.servers[number].loaded and not does_not_run(graph, number):
            known.append(client)
        elif client.destination == destination:
            why = "takes no clients"
            if number is None:
                why = "is not a server here"
            elif not graph.servers[number].loaded:
                why = "has no file that is loaded"
            text = f"a client of {destination} is left out: {client.server} {why}"
            left_out.append(Note("client-not-counted", text, client.source))
    return known, left_out


def _sender(
    found: Followed, left_open: Mapping[int, tuple[str, Source]], *, anonymous: bool
) -> SenderView:
    """What the sender sees. Where nobody is known to take the message, or its sender is refused,
    and parts of the network are not known that could take it or let the sender in, that is not
    known either."""
    barred = found.refusal or found.rejected
    known = any(way.ends for way in found.ways) if anonymous else found.credit
    if left_open and not known and (barred is None or barred.lifted_by):
        because, source = next(iter(left_open.values()))
        if barred is None:
            text = (
                "nobody is known to take the message here; whether somebody does beyond what "
                "is loaded is not known"
            )
            return SenderView(Outcome.UNDETERMINED, text=text, rule=WAITING[0], source=source)
        what = (
            "an announcement of the address or a link route"
            if barred.lifted_by[0] == "M-6"
            else "a link route"
        )
        text = (
            f"refused ({barred.condition}, {barred.rule}) as far as the loaded files "
            f"show; {what} from beyond them would let the sender in "
            f"({' and '.join(barred.lifted_by)}): {because}"
        )
        return SenderView(Outcome.UNDETERMINED, text=text, rule=barred.lifted_by[0], source=source)
    if found.refusal is not None:
        refusal = found.refusal
        return SenderView(
            Outcome.REFUSED, refusal.condition, refusal.description, refusal.rule, refusal.source
        )
    if found.credit:
        outcomes, why = " or ".join(sorted({way.outcome for way in found.ways})), found.nobody
        return (
            SenderView(outcomes)
            if why is None
            else SenderView(outcomes, "", why.text, why.rule, why.source)
        )
    rule, waiting = WAITING
    return SenderView(Outcome.NO_CREDIT, text=waiting, rule=rule)
