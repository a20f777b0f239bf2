"""Messages by which two configurations of a network of routers can be told apart.

Entries decide about addresses, links about all of them. So after a change of entries messages are
sent to the addresses that these match, of which names are known (clients, autolinks, exchanges,
other entries) and to an example of each pattern; after a change of links to every known address.
Each is sent at every router that is loaded before and after, because each router applies its own
entries to what passes it (A-9 to A-11).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from topograph.facts.amq_interconnect import ADDRESS, Entity
from topograph.facts.amqp_addresses import PatternTree, address_tokens, stored_tokens
from topograph.facts.fact import Fact
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.systems.contract.changes import Known, Probe, Probes
from topograph.systems.contract.system import Change

MOST_ADDRESSES = 60
"""Addresses that messages are sent to."""

MOST_MESSAGES = 600
"""Messages that are sent: addresses by routers."""

_EXAMPLE = "example"
_MATCHED = frozenset({ADDRESS, "linkRoute"})
_EXACT = {
    "autoLink": ("address",),
    "exchange": ("address", "alternateAddress"),
    "binding": ("nextHopAddress",),
    "tcpConnector": ("address",),
    "tcpListener": ("address",),
    "httpConnector": ("address",),
    "httpListener": ("address",),
    "listenerAddress": ("address",),
}
"""The attributes that name an address, by type."""

_OF_LINKS = frozenset({"router", "listener", "connector"})
"""Types of entities that decide about links, about containers, or about every address."""


def probes_of(
    before: ForwardingGraph, after: ForwardingGraph, change: Change, known: Known, budget: Budget
) -> Probes:
    """See ``Changes.probes``. Linear in the entities before and after, and in the messages."""
    changed = [fact for fact in (*change.added, *change.removed) if isinstance(fact, Entity)]
    if not changed:
        return Probes(())
    names = _names(known)
    chosen: dict[str, Source] = {}
    complete = True
    for fact in changed:
        complete = complete and budget.goes_on()
        for address in _addresses(fact, names) if complete else ():
            chosen.setdefault(address, fact.source)
    of_links = next((fact for fact in changed if fact.type in _OF_LINKS), None)
    if of_links is not None:
        chosen = {
            **chosen,
            **{address: of_links.source for address in names if address not in chosen},
        }
    running = [
        {server.name for server in graph.servers if server.loaded} for graph in (before, after)
    ]
    routers = sorted(running[0] & running[1])
    sent = [
        Probe(f"address:{address}", {}, source, router)
        for address, source in list(chosen.items())[:MOST_ADDRESSES]
        for router in routers
    ]
    complete = complete and len(chosen) <= MOST_ADDRESSES and len(sent) <= MOST_MESSAGES
    return Probes(tuple(sent[:MOST_MESSAGES]), complete=complete)


def _names(known: Known) -> Mapping[str, None]:
    """Addresses of which something is known, those of declared clients first, and an example of
    each pattern.
    """
    clients = [client.destination.partition(":") for client in known.clients]
    found = dict.fromkeys(name for kind, _, name in clients if kind == "address" and name)
    for facts in (known.before, known.after):
        found |= dict.fromkeys(
            name for fact in facts.stream((Entity.kind,)) for name in _named(fact)
        )
    return found


def _named(fact: Fact) -> Iterator[str]:
    """The addresses that an entity names, and an example of those that it matches."""
    if not isinstance(fact, Entity):
        return
    for attribute in _EXACT.get(fact.type, ()):
        if name := fact.get(attribute):
            yield name
    if fact.type in _MATCHED:
        yield from _example(fact)


def _example(fact: Entity) -> Iterator[str]:
    """An address that a prefix or pattern matches."""
    tokens = _tokens(fact)
    words = [_EXAMPLE if one == "*" else one for one in tokens if one != "#"]
    if tokens:
        yield "/".join(words) or _EXAMPLE


def _tokens(fact: Entity) -> tuple[str, ...]:
    prefix = fact.get("prefix")
    return stored_tokens(prefix or fact.get("pattern"), is_prefix=bool(prefix))


def _addresses(fact: Entity, names: Iterable[str]) -> Iterator[str]:
    """The addresses that an entity decides about: those it names, and those of ``names`` that it
    matches.
    """
    yield from _named(fact)
    tokens = _tokens(fact) if fact.type in _MATCHED else ()
    if tokens:
        tree: PatternTree[bool] = PatternTree()
        tree.add(tokens, True)
        yield from (name for name in names if next(tree.matches(address_tokens(name)), False))
