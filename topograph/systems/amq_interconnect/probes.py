"""Messages by which two configurations of a network of routers can be told apart.

Entries decide about addresses; everything else, such as a link, a policy or an SSL profile, about
all of them. So after a change of entries messages are sent to the addresses that these match, of
which names are known (clients, autolinks, exchanges, other entries) and to an example of each
pattern; after any other change to every known address, and to one that nothing names. Each is sent
at every router that is loaded before and after, because each router applies its own entries to what
passes it (A-9 to A-11).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from topograph.facts.amq_interconnect import ADDRESS, Entity
from topograph.facts.amqp_addresses import PatternTree, address_tokens, stored_tokens
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.inexact import LeftOut
from topograph.systems.amq_interconnect.network.observed import mobile
from topograph.systems.contract.changes import Known, Probe, Probes
from topograph.systems.contract.system import Change

MOST_MESSAGES = 600
"""Messages that are sent: addresses by routers."""

_OBSERVED = {"router.link": "owningAddr", "router.address": "key"}
"""The attribute of output that holds the key of an address, by type."""

MOST_PAIRS = 20_000
"""Pairs of patterns that are put together, for an address that both match."""

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
        return Probes((), ())
    of_all = next((fact for fact in changed if not _is_of_addresses(fact)), None)
    names = _Names(known, None if of_all is not None else changed)
    chosen: dict[str, Source] = {}
    for fact in changed:
        for address in _addresses(fact, names.found) if budget.goes_on() else ():
            chosen.setdefault(address, fact.source)
    if of_all is not None:
        every = dict.fromkeys((*names.found, _EXAMPLE), of_all.source)
        chosen |= {address: line for address, line in every.items() if address not in chosen}
    running = [
        {server.name for server in graph.servers if server.loaded} for graph in (before, after)
    ]
    routers = sorted(running[0] & running[1])
    asked = (
        Probe(f"address:{address}", {}, source, router)
        for address, source in chosen.items()
        for router in routers
    )
    sent = tuple(islice(asked, MOST_MESSAGES))
    more = LeftOut("messages to known addresses", len(chosen) * len(routers) - len(sent))
    return Probes(sent, tuple(one for one in (more, *names.left_out) if one.count))


def _is_of_addresses(fact: Entity) -> bool:
    """Whether an entity decides about the addresses that it names or matches, and no others."""
    return any(fact.type in types for types in (_MATCHED, _EXACT, _OBSERVED))


class _Names:
    """Addresses of which something is known (``found``), those of declared clients first, and an
    example of each set of patterns that match one: of all patterns, or of those that one of the
    ``changed`` entities has a part in. Linear in the entities, and in the pairs of patterns."""

    def __init__(self, known: Known, changed: Sequence[Entity] | None) -> None:
        clients = [client.destination.partition(":") for client in known.clients]
        self.found = dict.fromkeys(name for kind, _, name in clients if kind == "address" and name)
        matched: dict[tuple[str, ...], Entity] = {}
        for facts in (known.before, known.after):
            for fact in facts.stream((Entity.kind,)):
                if isinstance(fact, Entity):
                    self.found |= dict.fromkeys(_named(fact))
                    if tokens := _tokens(fact):
                        matched.setdefault(tokens, fact)
        concerned = {*matched} if changed is None else {*map(_tokens, changed)} - {()}
        pairs = len(concerned) * len(matched)
        self.left_out: tuple[LeftOut, ...] = ()
        if pairs > MOST_PAIRS:
            self.left_out = (LeftOut("messages to addresses that two patterns match", pairs),)
            concerned.clear()
        examples = [one for tokens, fact in matched.items() for one in _examples(tokens, fact)]
        examples += [
            one
            for tokens in sorted(concerned)
            for other, fact in matched.items()
            for one in _meeting(tokens, other, fact)
        ]
        tree: PatternTree[int] = PatternTree()
        for number, tokens in enumerate(matched):
            tree.add(tokens, number)
        alike: dict[tuple[int, ...], str] = {}
        for one in examples:
            alike.setdefault(tuple(tree.matches(address_tokens(one))), one)
        self.found |= dict.fromkeys(alike.values())


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


def _meeting(one: Sequence[str], other: Sequence[str], written: Entity) -> Iterator[str]:
    """Addresses that two patterns match, if any: a shortest one, and one where each ``#`` stands
    for something."""
    for pair in ((one, other), (_with_words(one), _with_words(other))):
        if found := common(*pair):
            yield from _examples(found, written)


def _with_words(pattern: Sequence[str]) -> Sequence[str]:
    """The pattern of the addresses in which each ``#`` stands for a word or more."""
    return [one for part in pattern for one in (("*", "#") if part == "#" else (part,))]


def common(one: Sequence[str], other: Sequence[str]) -> Sequence[str]:
    """The shortest pattern without ``#`` of addresses that two patterns match; empty where there
    are none. Linear in the pairs of their tokens.

    >>> common(("orders", "#"), ("*", "eu"))
    ('orders', 'eu')
    >>> common(("orders", "#", "late"), ("#", "eu", "#"))
    ('orders', 'eu', 'late')
    """
    found: dict[tuple[int, int], tuple[str, ...] | None] = {(len(one), len(other)): ()}
    for left in range(len(one), -1, -1):
        for right in range(len(other), -1, -1):
            if (left, right) in found:
                continue
            a, b = (*one, "")[left], (*other, "")[right]
            onward: list[tuple[str, ...]] = []
            for steps, word in _steps(a, b):
                rest = found.get((left + steps[0], right + steps[1]))
                if rest is not None:
                    onward.append((*word, *rest))
            found[left, right] = min(onward, key=len, default=None)
    return found[0, 0] or ()


def _steps(a: str, b: str) -> Iterator[tuple[tuple[int, int], tuple[str, ...]]]:
    """How many tokens of two patterns one word uses up, or none where a ``#`` ends; each with the
    word. A pattern is empty at its end."""
    if a == "#":
        yield (1, 0), ()
    if b == "#":
        yield (0, 1), ()
    if a == "#" and b not in ("#", ""):
        yield (0, 1), (b,)
    elif b == "#" and a not in ("#", ""):
        yield (1, 0), (a,)
    elif "#" not in (a, b) and a and b and (a == b or "*" in (a, b)):
        yield (1, 1), (b if a == "*" else a,)


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
