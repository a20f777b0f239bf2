"""Which addresses routers tell apart by nothing but their name: an answer about one of them is one
about all (``systems.contract.portable.DestinationClasses``).

What becomes of a message follows from the address entries and link routes that match its address
(A-6, A-7, L-1), from what is attached to exactly that address (receivers, autolinks, exchanges:
``MessageNetwork`` looks them up by the plain address), from listeners and connectors that name it,
and from nothing else of it. So addresses to
which nothing is attached, and which the same patterns match, are treated alike. Two things would
break that, and are left out: the order among several patterns with a ``#`` before their end depends
on the address (A-7), and a link route with a prefix makes an address at a container out of the
address, to which something may be attached (L-7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from topograph.facts.amqp_addresses import address_tokens, plain_address
from topograph.side_inputs import Client
from topograph.systems.amq_interconnect.messages.model import MessageNetwork
from topograph.systems.contract.portable import DestinationClasses

PLAIN = r"[A-Za-z0-9][A-Za-z0-9_-]*(?:[./][A-Za-z0-9][A-Za-z0-9_-]*)*"
"""Names that stand in texts as they are, that routers take as they are (A-6), and that are no
address of a router's own (A-8).
"""


def classes_of(
    network: MessageNetwork, clients: Iterable[Client], named: Iterable[str]
) -> DestinationClasses | None:
    """The classes of a network; None where a pattern holds a ``#`` before its end. ``named`` are
    the addresses that any entity of its configuration names, such as a listener of TCP: each is a
    class of its own. Linear in entries, link routes and what is attached.
    """
    patterns: dict[tuple[str, ...], None] = {}
    routed: dict[tuple[str, ...], None] = {}
    for router in network.routers.values():
        patterns.update((entry.tokens, None) for entry in router.table.entries)
        routed.update((one.tokens, None) for one in router.link_routes)
    stored = sorted({*patterns, *routed})
    if any("#" in tokens[:-1] for tokens in stored):
        return None
    renamed = any(
        one.add_prefix or one.del_prefix
        for router in network.routers.values()
        for one in router.link_routes
    )
    apart = {
        plain_address(name) for name in (*_attached(network), *_of_clients(clients), *named)
    } - {""}
    token = _unheard_of(stored, apart)
    return DestinationClasses(
        type="address",
        plain=PLAIN,
        separators="./",
        apart=tuple(sorted(apart)),
        patterns=tuple(stored),
        unlike=tuple(
            number for number, tokens in enumerate(stored) if renamed and tokens in routed
        ),
        examples=tuple(_examples(stored, token)),
        token=token,
    )


def _attached(network: MessageNetwork) -> Iterator[str]:
    """The addresses to which something is attached, and those that messages go on to from there."""
    yield from network.by_address
    for router in network.routers.values():
        for auto_link in router.auto_links:
            yield from (auto_link.address, auto_link.at_container)
        for exchange in router.exchanges:
            yield from (
                exchange.address,
                exchange.alternate,
                *(binding.next_hop for binding in exchange.bindings),
            )


def _of_clients(clients: Iterable[Client]) -> Iterator[str]:
    """Of every client, whether it receives or not: answers name those that are left out."""
    for client in clients:
        type_, _, name = client.destination.partition(":")
        if type_ == "address":
            yield name


def _unheard_of(patterns: Sequence[Sequence[str]], apart: Iterable[str]) -> str:
    """A token that nothing configured has."""
    taken = {token for tokens in patterns for token in tokens} | {
        token for one in apart for token in address_tokens(one)
    }
    return next(name for number in count() if (name := f"unnamed{number}") not in taken)


def _examples(patterns: Sequence[Sequence[str]], token: str) -> Iterator[str]:
    """An address that no pattern need match, and one that each pattern with a wildcard matches,
    all with ``token`` in them.
    """
    yield token
    for tokens in patterns:
        if {"*", "#"}.intersection(tokens):
            yield "/".join(token if one in ("*", "#") else one for one in tokens)
