"""What is wrong or risky in a configuration: EL-01 to EL-08 (outcomes.md 4.2), and objects that
stand twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from topograph.facts import Fact
from topograph.facts.mqe import MqeAlias, MqeConnection, MqeQueue
from topograph.findings import Finding, Severity, Source
from topograph.rules import FindingKind
from topograph.rules.mqe_findings import (
    COLLECTS_NOTHING,
    DESCRIBED_TWICE,
    EL_01,
    EL_02,
    EL_03,
    EL_04,
    EL_05,
    EL_06,
    EL_07,
    EL_08,
    HOME_SERVER_NOT_LOADED,
    NOT_COLLECTED,
    OBJECT_TWICE,
    PUSH_LEADS_NOWHERE,
    SECTION_B1,
)
from topograph.systems.mqe.collection import collector, home_server
from topograph.systems.mqe.configuration import OBJECTS, MqeConfiguration, MqeManager
from topograph.systems.mqe.connections import next_hop

Rule = Callable[[MqeConfiguration], Iterator[Finding]]


def checks(configuration: MqeConfiguration) -> Sequence[Callable[[], Iterable[Finding]]]:
    """The rules, to be run when a network is compiled."""
    rules: Sequence[Rule] = (
        not_collected,
        collects_nothing,
        listed_twice,
        via_nowhere,
        alias_circles,
        hidden_aliases,
        lists_itself,
        push_circles,
        described_twice,
    )
    return [partial(rule, configuration) for rule in rules]


def not_collected(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-01: nobody collects, and no push leads on."""
    for here in configuration.all():
        for store in here.stores.values():
            if store.forward_to:
                hop = next_hop(configuration, here, store.forward_to)
                if hop.problem:
                    text = (
                        f"{store.name} of {here.name} cannot push to {store.forward_to}: "
                        f"{hop.problem}."
                    )
                    yield EL_01.at(store.source, text, kind=PUSH_LEADS_NOWHERE, server=here.name)
                continue
            for manager in store.qmgrs:
                found = collector(configuration, here, store.name, manager)
                if found.queue is None:
                    text = (
                        f"{store.name} of {here.name} keeps messages for {manager}: {found.text}."
                    )
                    yield EL_01.at(store.source, text, kind=NOT_COLLECTED, server=here.name)


def collects_nothing(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-02: no store-and-forward queue of that name at the home server."""
    for here in configuration.all():
        for home in (one for homes in here.homes.values() for one in homes):
            server = home_server(here, home)
            there = configuration.get(server)
            where = f"{home.name} of {here.name} collects from {home.name} of {server}"
            if there is None:
                text = f"{where}, which is not among the loaded files."
                yield EL_02.at(home.source, text, kind=HOME_SERVER_NOT_LOADED, server=here.name)
            elif home.name not in there.stores:
                text = f"{where}, which has no store-and-forward queue of that name."
                yield EL_02.at(home.source, text, kind=COLLECTS_NOTHING, server=here.name)
            elif here.name not in there.stores[home.name].qmgrs:
                text = (
                    f"{where}, which does not list {here.name}: there is nothing to collect (E-14)."
                )
                yield EL_02.at(home.source, text, kind=COLLECTS_NOTHING, server=here.name)


def listed_twice(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-03: which of several store-and-forward queues is used is not documented."""
    for here in configuration.all():
        for manager, stores in here.accepting.items():
            if len(stores) > 1:
                names = " and ".join(one.name for one in stores)
                text = (
                    f"{names} of {here.name} all list {manager}: which one takes a message "
                    "is not documented."
                )
                yield EL_03.at(stores[1].source, text, server=here.name)


def via_nowhere(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-04: a via connection whose chain of queue managers ends before a direct connection to
    the one that it names.
    """
    chains = _Chains(configuration)
    for here in configuration.all():
        for connection in here.connections.values():
            if connection.type == "via" and (why := chains.broken(here.name, connection.name)):
                text = (
                    f"The connection {connection.name} of {here.name} goes via "
                    f"{connection.via}: {why}."
                )
                yield EL_04.at(connection.source, text, server=here.name)


class _Chains:
    """Where messages for a queue manager go on from one queue manager on their way to the next
    (E-20, E-21). What was found is kept.
    """

    def __init__(self, configuration: MqeConfiguration) -> None:
        self.configuration = configuration
        self.found: dict[tuple[str, str], str] = {}

    def broken(self, server: str, name: str) -> str:
        """Why no direct connection to ``name`` ends the chain from ``server``; empty if one
        does, as far as it is loaded. Linear in the chain.
        """
        gone: dict[tuple[str, str], None] = {}
        at: str | tuple[str, str] = (server, name)
        while not isinstance(at, str):
            if at in gone:
                at = f"messages for {at[1]} come back to {at[0]}"
            elif at in self.found:
                at = self.found[at]
            else:
                gone[at] = None
                at = self._after(*at)
        self.found.update(dict.fromkeys(gone, at))
        return at

    def _after(self, server: str, name: str) -> str | tuple[str, str]:
        """Why the chain ends at a queue manager, empty if it may, or the next queue manager and
        the name that messages are for there.
        """
        here = self.configuration.get(server)
        if here is None or here.unread:
            return ""
        hop = next_hop(self.configuration, here, name)
        if not hop.to:
            return hop.problem
        if here.connections.get(hop.to) is None:
            return f"{server} has no connection definition for {hop.to}"
        there = self.configuration.get(hop.to)
        if not hop.via or there is None:
            return ""
        aliases, circle = there.substitute(name)
        onward = aliases[-1].target if aliases else name
        bridged = any(queue.type == "bridge" and queue.qmgr == onward for queue in there.queues)
        if circle or bridged or onward == there.name or onward in there.accepting:
            return ""
        return there.name, onward


def alias_circles(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-05. Linear: each alias is looked at once."""
    for here in configuration.all():
        done: set[str] = set()
        for first in here.aliases:
            chain: dict[str, None] = {}
            name = first
            while name in here.aliases and name not in done and name not in chain:
                chain[name] = None
                name = here.aliases[name].target
            if name in chain:
                circle = list(chain)[list(chain).index(name) :]
                shown = ", ".join(circle[:5]) + (" and others" if len(circle) > 5 else "")
                text = (
                    f"The queue-manager aliases {shown} of {here.name} refer to each other "
                    "in a circle."
                )
                yield EL_05.at(here.aliases[name].source, text, server=here.name)
            done.update(chain)


def hidden_aliases(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-06: the exact match hides the alias."""
    for here in configuration.all():
        for (alias, manager), queues in here.by_alias.items():
            exact = here.exact.get((alias, manager), [])
            for queue in queues if exact else []:
                if queue not in exact:
                    text = (
                        f"The alias {alias} of {queue.name}@{manager} is never used: a queue "
                        f"of {here.name} has that name ({exact[0].source})."
                    )
                    yield EL_06.at(queue.source, text, server=here.name)


def lists_itself(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-07."""
    for here in configuration.all():
        for store in here.accepting.get(here.name, ()):
            text = (
                f"{store.name} of {here.name} lists {here.name} itself: it takes messages "
                "for queues that do not exist."
            )
            yield EL_07.at(store.source, text, server=here.name)


def push_circles(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-08: pushes for one queue manager that lead back. Linear in the lists of all
    store-and-forward queues.
    """
    pushes: dict[str, dict[str, list[tuple[str, MqeQueue]]]] = {}
    for here in configuration.all():
        for manager, stores in here.accepting.items():
            for store in stores if manager not in here.aliases else ():
                hop = next_hop(configuration, here, store.forward_to) if store.forward_to else None
                if hop is not None and hop.to:
                    pushes.setdefault(manager, {}).setdefault(here.name, []).append((hop.to, store))
    for manager, edges in sorted(pushes.items()):
        for name in _in_circles(edges):
            here_ = configuration.get(name)
            assert here_ is not None  # it has the store-and-forward queue
            store = edges[name][0][1]
            text = (
                f"Messages for {manager} that {store.name} of {name} pushes to "
                f"{store.forward_to} come back: they go round for ever (E-40)."
            )
            yield EL_08.at(store.source, text, server=here_.name)


def _in_circles(edges: dict[str, list[tuple[str, MqeQueue]]]) -> list[str]:
    """The nodes that are left when those without a way in or a way out are taken away again and
    again: all of a circle, or between two.
    """
    left = {start: {end for end, _ in ends if end in edges} for start, ends in edges.items()}
    for backwards in (False, True):
        into: dict[str, set[str]] = {name: set() for name in left}
        for start, ends in left.items():
            for end in ends:
                into[end].add(start)
        out, back = (into, left) if backwards else (left, into)
        count = {name: len(out[name]) for name in left}
        waiting = [name for name, ends in count.items() if not ends]
        gone: set[str] = set()
        while waiting:
            name = waiting.pop()
            gone.add(name)
            for other in back[name]:
                count[other] -= 1
                if not count[other] and other not in gone:
                    waiting.append(other)
        left = {
            start: {end for end in ends if end not in gone}
            for start, ends in left.items()
            if start not in gone
        }
    return sorted(left)


def described_twice(configuration: MqeConfiguration) -> Iterator[Finding]:
    """A queue manager, or an object of one, that stands at several places: the first counts,
    objects are taken together.
    """
    for here in configuration.all():
        for again in here.stated[1:]:
            text = (
                f"{here.name} is described here and at {here.source}: its objects are taken "
                "together, and the first counts for all else."
            )
            yield _twice(DESCRIBED_TWICE, Severity.ERROR, text, again.source, here)
        seen: dict[tuple[str, str], Fact] = {}
        facts = configuration.source.facts(OBJECTS, here.name)
        for fact in sorted(facts, key=lambda one: one.source):
            key = _identity(here, fact)
            first = seen.setdefault(key, fact)
            if first is not fact:
                text = (
                    f"The {key[0]} {key[1]} of {here.name} also stands at {first.source}: "
                    "the first counts."
                )
                yield _twice(OBJECT_TWICE, Severity.ERROR, text, fact.source, here)


def _identity(here: MqeManager, fact: Fact) -> tuple[str, str]:
    if isinstance(fact, MqeQueue):
        manager = fact.home_server if fact.type == "home" else here.manager_of(fact)
        return "queue", f"{fact.name}@{manager}"
    return (
        ("connection", fact.name)
        if isinstance(fact, (MqeAlias, MqeConnection))
        else (fact.kind, fact.label)
    )


def _twice(
    kind: FindingKind, severity: Severity, text: str, source: Source, here: MqeManager
) -> Finding:
    return kind.at(source, text, rule=SECTION_B1, severity=severity, server=here.name)
