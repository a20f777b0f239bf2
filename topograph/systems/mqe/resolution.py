"""Which queue of a queue manager takes a message for a destination: exact match, queue alias,
store-and-forward queue (E-02 to E-04, E-08, E-16).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topograph.assumptions import Assumption
from topograph.facts.mqe import MqeQueue
from topograph.records import record
from topograph.systems.contract.ambiguities import Readings
from topograph.systems.mqe.ambiguities import B2, B5
from topograph.systems.mqe.configuration import MqeManager


@record
class Match:
    """The queues that take a message: one of an exact match (E-02) or by an alias (E-03), or the
    store-and-forward queues that accept it (E-04). None, with an empty ``rule``, where nothing
    matches. ``text`` says what matched and what was passed over."""

    rule: str = ""
    queues: Sequence[MqeQueue] = ()
    text: str = ""
    assumptions: tuple[Assumption, ...] = ()


def resolve(here: MqeManager, queue: str, manager: str, readings: Readings) -> Match:
    """What of a queue manager takes ``queue@manager``, the aliases of queue managers having been
    substituted. Constant but for the texts.
    """
    address = f"{queue}@{manager}"
    passed = _home_server_passed_over(here, queue, manager)
    exact = here.exact.get((queue, manager), [])
    aliased = here.by_alias.get((queue, manager), [])
    stores = here.accepting.get(manager, [])
    if exact:
        behind = _behind(aliased, stores, exact[0])
        return Match(
            "E-02",
            exact[:1],
            f"{_kind(exact[0])} {address} matches{behind}{passed}",
            _doubled(exact, address),
        )
    if aliased:
        behind = _behind([], stores, aliased[0])
        text = (
            f"{queue} is an alias of {aliased[0].name}@{manager}, whose name takes its "
            f"place{behind}{passed}"
        )
        return Match("E-03", aliased[:1], text, _doubled(aliased, f"alias {address}"))
    passed += _alias_of_another(here, queue)
    itself = (readings.said(B5, _for_itself(manager)),) if stores and manager == here.name else ()
    if itself and readings.takes(B5, "fails"):
        return Match(text=passed, assumptions=itself)
    if stores:
        several = (readings.said(B2, _several(here, stores, manager)),) if len(stores) > 1 else ()
        if readings.takes(B2, "first"):
            stores = stores[:1]
        named = " or ".join(one.name for one in stores)
        text = (
            f"store-and-forward queue {named} accepts messages for {manager}: stored with "
            f"its destination {address}{passed}"
        )
        return Match("E-04", stores, text, (*several, *itself))
    return Match(text=passed)


def _kind(queue: MqeQueue) -> str:
    return {
        "local": "local queue",
        "admin": "administration queue",
        "bridge": "MQ bridge queue",
        "remote": (
            f"{'asynchronous' if queue.mode == 'async' else 'synchronous' if queue.mode else ''} "
            "remote queue"
        ).strip(),
    }[queue.type]


def _behind(aliased: Sequence[MqeQueue], stores: Sequence[MqeQueue], found: MqeQueue) -> str:
    """What an earlier match leaves aside."""
    text = "".join(
        f", before the alias of {one.name} (E-03)" for one in aliased[:1] if one is not found
    )
    return text + "".join(
        f", so that store-and-forward queue {one.name} is not used (E-04)" for one in stores[:1]
    )


def _home_server_passed_over(here: MqeManager, queue: str, manager: str) -> str:
    if any(home.home_server == manager for home in here.homes.get(queue, ())):
        return f"; the home-server queue {queue}@{manager} takes no messages that are put (E-16)"
    return ""


def _alias_of_another(here: MqeManager, queue: str) -> str:
    """B-7: an alias counts only with its queue's queue manager."""
    others = here.aliased.get(queue, ())[:1]
    return "".join(
        f"; {queue} is an alias of {one.name}@{here.manager_of(one)} only (B-7)" for one in others
    )


def _doubled(queues: Sequence[MqeQueue], address: str) -> tuple[Assumption, ...]:
    if len(queues) == 1:
        return ()
    places = " and ".join(str(one.source) for one in queues)
    return (
        Assumption(
            "B1",
            "L",
            f"of several queues {address} the first counts ({places})",
            "another one takes the message",
        ),
    )


def _several(here: MqeManager, stores: Sequence[MqeQueue], manager: str) -> Mapping[str, str]:
    """What follows from each reading of B-2."""
    theirs, first = (
        f"of the store-and-forward queues of {here.name} for {manager}",
        f"the first defined, {stores[0].name},",
    )
    return {
        "any": f"{theirs} any may take the message; {first} is followed first",
        "first": f"{theirs} {first} takes every message",
    }


def _for_itself(manager: str) -> Mapping[str, str]:
    """What follows from each reading of B-5."""
    text = (
        f"a store-and-forward queue of {manager} that lists {manager} itself takes messages "
        "for its missing queues (E-08)"
    )
    return {"stored": text, "fails": "the put fails"}
