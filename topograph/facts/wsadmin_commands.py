"""What a call of ``AdminTask`` in a change script says about a bus (sibus.md A4.2)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Literal, TypeVar

from topograph.facts.command import Command
from topograph.facts.fact import Fact
from topograph.facts.sibus import (
    ForeignBus,
    Mediation,
    SibusAttribute,
    SibusBus,
    SibusDestination,
    SibusLink,
)
from topograph.findings import Finding
from topograph.records import record

Verb = Literal["create", "modify", "delete", "none"]
"""What is done; ``none`` changes nothing that decides about messages."""

ANY_BUS = "(any bus)"
"""The scope of a command of which nobody can say what bus it is about."""

EXTERNAL = "(external)"
"""The name of a mediation outside of the bus."""

SECURITY = ("secure", "securityEnabled", "busSecurity")
"""Names, of different versions, of the attribute that says whether a bus has security."""

D = TypeVar("D", SibusBus, SibusDestination, ForeignBus, SibusLink, Mediation)


@record(kw_only=True)
class WsadminCommand(Command):
    """One call of ``AdminTask``; ``scope`` is the bus, ``ANY_BUS`` where the script computes it.

    ``facts`` is what its options say, one fact for each object that it is about (``bundle``
    empty). A ``Mediation`` with a destination is one that is attached or taken away; an
    ``Incomplete`` says what of the call is not known. ``stated`` are the fields that a
    modification states (see ``restated``). ``unknown`` is why nobody can say what the call does,
    or whether it is reached. ``notes`` are what people have to know of it."""

    verb: Verb
    facts: tuple[Fact, ...] = ()
    stated: frozenset[str] = frozenset()
    unknown: str = ""
    notes: tuple[Finding, ...] = ()


def restated(known: D, said: D, stated: Collection[str]) -> D:
    """What is known of an object with what a command states of it; what it does not state stays.

    ``stated`` are names of fields, and ``target.bus``, ``target.destination``, ``reply.bus`` for
    parts of them; attributes are stated by being there. Where an alias leads to is stated of
    aliases only, the bus of a foreign destination of those only."""
    kept: dict[str, SibusAttribute] = {one.name: one for one in known.attributes}
    if isinstance(known, SibusBus) and any(one.name in SECURITY for one in said.attributes):
        kept = {name: one for name, one in kept.items() if name not in SECURITY}
    kept |= {one.name: one for one in said.attributes}
    changes: dict[str, Any] = {name: getattr(said, name) for name in stated if "." not in name}
    if isinstance(known, SibusDestination) and isinstance(said, SibusDestination):
        changes |= _parts(known, said, stated)
        if known.destination_type != "Alias":
            changes = {name: value for name, value in changes.items() if name not in _OF_ALIASES}
        if known.destination_type != "Foreign":
            changes.pop("foreign_bus", None)
    changes["attributes"] = tuple(kept[name] for name in sorted(kept))
    return replace(known, **changes)


_OF_ALIASES = ("target", "alias_bus", "queue_points")


def _parts(
    known: SibusDestination, said: SibusDestination, stated: Collection[str]
) -> dict[str, Any]:
    """Fields of which a command states a part."""
    found: dict[str, Any] = {}
    if said.target is not None and ("target.bus" in stated or "target.destination" in stated):
        before = known.target or replace(said.target, bus="", destination="")
        after = replace(
            said.target,
            bus=said.target.bus if "target.bus" in stated else before.bus,
            destination=said.target.destination
            if "target.destination" in stated
            else before.destination,
        )
        found["target"] = after if after.destination else None
    if (
        "reply" in stated
        and said.reply is not None
        and known.reply is not None
        and "reply.bus" not in stated
    ):
        found["reply"] = replace(said.reply, bus=known.reply.bus)
    elif (
        "reply.bus" in stated
        and "reply" not in stated
        and known.reply is not None
        and said.reply is not None
    ):
        found["reply"] = replace(known.reply, bus=said.reply.bus)
    return found
