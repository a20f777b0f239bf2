"""What a command of the TIBCO EMS administration tool says (ems.md 3.7)."""

from __future__ import annotations

from typing import Literal

from topograph.facts.command import Command
from topograph.facts.ems import RouteSelector
from topograph.facts.fact import Fact
from topograph.records import record

Verb = Literal[
    "create",
    "delete",
    "addprop",
    "setprop",
    "removeprop",
    "suspend",
    "resume",
    "grant",
    "revoke",
    "set",
    "none",
]
"""What is done; ``none`` changes nothing that decides about messages."""


@record(kw_only=True)
class EmsCommand(Command):
    """One command. ``object`` is a kind of fact (``route``, ``destination``, ``bridge``,
    ``durable``, ``grant``, ``group``, ``user``, ``server``), or ``shutdown``.

    ``fact`` is what its properties would say as the only entry of a file (``bundle`` and
    ``server`` empty), and names the object where the verb has no properties. ``stated`` are the
    names of the properties that it states, and for ``removeprop`` those that it removes;
    ``unselected`` are then the selectors to be removed, of which ``selector`` does not count,
    and ``topic`` may be empty for all of a direction. ``every`` is what ``delete all`` names
    (``topics``, ``queues``, ``durables``, ``groups``, ``users``), ``pattern`` the names that it
    is limited to. ``doubtful`` says what of it is not understood, and whether the server takes it
    is not known: it may know properties that are not documented."""

    verb: Verb
    object: str = ""
    fact: Fact | None = None
    stated: frozenset[str] = frozenset()
    unselected: tuple[RouteSelector, ...] = ()
    every: str = ""
    pattern: str = ""
    doubtful: str = ""
