"""Messages by which two configurations of a network of routers can be told apart.

Entries decide about addresses; everything else, such as a link, a policy or an SSL profile, about
all of them. So after a change of entries messages are sent to the addresses that these match, of
which names are known (clients, autolinks, exchanges, other entries) and to an example of each
pattern; after any other change to every known address, and to one that nothing names. Each is sent
at every router that is loaded before and after, because each router applies its own entries to what
passes it (A-9 to A-11).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from topograph.facts.amq_interconnect import ADDRESS, Entity
from topograph.facts.amqp_addresses import PatternTree, address_tokens, stored_tokens
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.systems.amq_interconnect.network.observed import mobile
from topograph.systems.contract.changes import Known, Probe, Probes
from topograph.systems.contract.system import Change

MOST_ADDRESSES = 60
"""Addresses that messages are sent to."""

MOST_MESSAGES = 600
"""Messages that are sent: addresses by routers."""

_OBSERVED = {"router.link": "owningAddr", "router.address": "key"}
"""The attribute of output that holds the key of an address, by type."""

FEW_PATTERNS = 40
"""Patterns of which each two are put together, for an address that both match."""

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
    of_all = next((fact for fact in changed if not _is_of_addresses(fact)), None)
    if of_all is not None:
        every = dict.fromkeys((*names, _EXAMPLE), of_all.source)
        chosen |= {address: line for address, line in every.items() if address not in chosen}
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


def _is_of_addresses(fact: Entity) -> bool:
    """Whether an entity decides about the addresses that it names or matches, and no others."""
    return any(fact.type in types for types in (_MATCHED, _EXACT, _OBSERVED))


def _names(known: Known) -> Mapping[str, None]:
    """Addresses of which something is known, those of declared clients first, and an example of
    each set of patterns that match one. Linear in the entities, and in the pairs of few patterns.
    """
    clients = [client.destination.partition(":") for client in known.clients]
    found = dict.fromkeys(name for kind, _, name in clients if kind == "address" and name)
    matched: dict[tuple[str, ...], Entity] = {}
    for facts in (known.before, known.after):
        for fact in facts.stream((Entity.kind,)):
            if isinstance(fact, Entity):
                found |= dict.fromkeys(_named(fact))
                if tokens := _tokens(fact):
                    matched.setdefault(tokens, fact)
    examples = [one for tokens, fact in matched.items() for one in _examples(tokens, fact)]
    if len(matched) <= FEW_PATTERNS:
        examples += [
            one
            for tokens, fact in matched.items()
            for other in matched
            for one in _examples(_meeting(tokens, other), fact)
        ]
    tree: PatternTree[int] = PatternTree()
    for number, tokens in enumerate(matched):
        tree.add(tokens, number)
    alike: dict[tuple[int, ...], str] = {}
    for one in examples:
        alike.setdefault(tuple(tree.matches(address_tokens(one))), one)
    return found | dict.fromkeys(alike.values())


def _named(fact: Entity) -> Iterator[str]:
    """The addresses that an entity names, also those that output shows in use."""
    for attribute in _EXACT.get(fact.type, ()):
        if name := fact.get(attribute):
            yield name
    if fact.type in _OBSERVED and (shown := mobile(fact.get(_OBSERVED[fact.type]) or fact.name)):
        yield shown[0]


def _examples(tokens: Sequence[str], written: Entity) -> Iterator[str]:
    """Addresses that a pattern matches, one with and one without what a ``#`` stands for, with the
    separators of an entity that has it.
    """
    between = "." if "." in (written.get("prefix") or written.get("pattern")) else "/"
    for rest in ((), (_EXAMPLE,)) if "#" in tokens else ((),):
        words = [
            word
            for one in tokens
            for word in (rest if one == "#" else (_EXAMPLE if one == "*" else one,))
        ]
        if words:
            yield between.join(words)


def _meeting(one: Sequence[str], other: Sequence[str]) -> Sequence[str]:
    """The pattern of the addresses that two patterns match; empty where there are none, or a ``#``
    stands before the end of one.

    >>> _meeting(("orders", "#"), ("*", "eu"))
    ('orders', 'eu')
    """
    if "#" in (*one[:-1], *other[:-1]):
        return ()
    found: list[str] = []
    ends = [pattern[-1] == "#" for pattern in (one, other)]
    fixed = [pattern[: len(pattern) - end] for pattern, end in zip((one, other), ends, strict=True)]
    lengths = [len(pattern) for pattern in fixed]
    if any(not end and length < max(lengths) for end, length in zip(ends, lengths, strict=True)):
        return ()
    for first, second in zip_longest(*fixed, fillvalue="*"):
        if "*" not in (first, second) and first != second:
            return ()
        found.append(second if first == "*" else first)
    return (*found, *(("#",) if all(ends) else ()))


def _tokens(fact: Entity) -> tuple[str, ...]:
    """The stored pattern of an entity that matches addresses; empty for others."""
    if fact.type not in _MATCHED:
        return ()
    prefix = fact.get("prefix")
    return stored_tokens(prefix or fact.get("pattern"), is_prefix=bool(prefix))


def _addresses(fact: Entity, names: Iterable[str]) -> Iterator[str]:
    """The addresses that an entity decides about: those it names, and those of ``names`` that it
    matches.
    """
    yield from _named(fact)
    if tokens := _tokens(fact):
        tree: PatternTree[bool] = PatternTree()
        tree.add(tokens, True)
        yield from (name for name in names if next(tree.matches(address_tokens(name)), False))
