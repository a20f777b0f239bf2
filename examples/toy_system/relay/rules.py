"""What relays do with a message, one step at a time (RL-1 to RL-5). Graph, walks, traces and
pictures are made from this.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from relay.facts import Peer, Relay
from topograph.facts import Fact
from topograph.findings import Finding, Severity
from topograph.forwarding.graph import Guard, Server
from topograph.message import Message
from topograph.outcomes import Outcome, Truth
from topograph.rules import FindingKind, Remedy, Rule
from topograph.side_inputs import SideInputs
from topograph.systems.contract.system import FactSource, System
from topograph.tracing.states import ONCE, State, Stepping, Transition, Verdict, Way
from topograph.tracing.trace import Ending

RL_1 = Rule(
    "RL-1",
    "To every peer",
    "A relay passes every message it gets to each peer that its file lists.",
    (
        FindingKind(
            "unknown-peer",
            Severity.WARNING,
            Remedy("Load the file of the peer.", "What lies behind {server} is not known."),
        ),
    ),
)

RULES = (
    RL_1,
    Rule("RL-2", "Only if it matches", "A line with `when` passes only messages that match it."),
    Rule("RL-3", "One way", "A `forward` line says nothing of what the peer sends back."),
    Rule("RL-4", "Never twice", "A copy that comes again is dropped."),
    Rule("RL-5", "Kept for clients", "A relay keeps every message for its clients."),
)


@dataclass(frozen=True)
class Relays:
    """The relays of one network: their files by name, and what each forwards."""

    files: dict[str, Relay]
    peers: dict[str, list[Peer]]

    def entries(self) -> Iterable[State]:
        """Messages begin at any relay; what they are called makes no difference."""
        return map(State, sorted(self.files))

    def enter(self, server: str, message: Message) -> State:
        """A relay takes every message."""
        return State(server)

    def step(self, state: State) -> Transition:
        """A relay keeps what it gets (RL-5) and passes it to its peers (RL-1), if the filter
        lets it (RL-2).
        """
        kept = Ending(Outcome.DELIVERED, {"destination": f"relay:{state.server}"})
        ways = [
            Way(
                kept,
                f"kept for the clients of {state.server}",
                "RL-5",
                source=self.files[state.server].source,
            )
        ]
        for peer in self.peers.get(state.server, ()):
            text, rule = f"forwarded to {peer.name}", "RL-2" if peer.when else "RL-1"
            ways.append(Way(State(peer.name), text, rule, source=peer.source, guard=_guard(peer)))
        return Transition(tuple(ways))

    def servers(self) -> list[Server]:
        """The relays by name. One without a file may forward to anyone: ``open_ended``, so that
        answers behind it are not a plain no.
        """
        named = {peer.name: peer for own in reversed(self.peers.values()) for peer in reversed(own)}
        known = [Server(name, "relay", True, fact.source) for name, fact in self.files.items()]
        others = [
            Server(name, "relay", False, peer.source, "its file is not loaded", open_ended=True)
            for name, peer in named.items()
            if name not in self.files
        ]
        return sorted([*known, *others], key=lambda server: server.name)


def evaluate(guard: Guard, message: Message) -> Verdict:
    """RL-2: a message without the property is not passed."""
    name, value = json.loads(guard.payload)
    if name not in message.properties:
        return Verdict(Truth.UNKNOWN)
    return Verdict(Truth.TRUE if str(message.properties[name]) == value else Truth.FALSE)


def _guard(peer: Peer) -> Guard | None:
    if not peer.when:
        return None
    name, value = peer.when
    return Guard(
        f"when:{name}={value}",
        "property",
        f"{name} = {value}",
        json.dumps([name, value]),
        peer.source,
    )


def _place(fact: Fact) -> tuple[str, int]:
    """Facts come in any order; what is made of them must not depend on it."""
    return fact.source.file, fact.source.line


def _unknown(servers: Sequence[Server], peers: dict[str, list[Peer]]) -> Iterable[Finding]:
    by = {peer.source: peer for own in peers.values() for peer in own}
    for server in servers:
        if not server.loaded:
            message = (
                f"{by[server.source].server} forwards to {server.name}, whose file is not "
                "loaded: what it passes on is not known."
            )
            yield RL_1.at(server.source, message, server=by[server.source].server)


def load(source: FactSource, side_inputs: SideInputs) -> Stepping:
    """The relays that the facts of one network configure."""
    facts = sorted(source.facts(), key=_place)
    relays = Relays({fact.server: fact for fact in facts if isinstance(fact, Relay)}, {})
    for fact in facts:
        if isinstance(fact, Peer):
            relays.peers.setdefault(fact.server, []).append(fact)
    servers = relays.servers()
    return Stepping(
        servers=servers,
        entries=relays.entries,
        enter=relays.enter,
        step=relays.step,
        evaluate=evaluate,
        loop_key=lambda state: state.server,
        on_loop=ONCE,
        findings=tuple(_unknown(servers, relays.peers)),
    )


SYSTEM = System(
    name="relay",
    title="Relay",
    stepping=load,
    destinations={"topic": "stepping"},
    no_reply="Relays forward one way (RL-3): ask reach from the other end.",
    rules=lambda: RULES,
)
"""What topograph is told of relays."""
