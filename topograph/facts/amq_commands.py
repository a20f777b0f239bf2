"""What a management command to an AMQ Interconnect router says (``qdmanage``, ``skmanage``;
amq_interconnect.md section 1).

What a router that runs lets management do with each type of entity is that of its schema: the
*operations* of ``qdrouter.json`` of apache/qpid-dispatch, and of ``skrouter.json`` of
skupperproject/skupper-router.
"""

from __future__ import annotations

from typing import Literal

from topograph.facts.amq_interconnect import ADDRESS, Entity
from topograph.facts.command import Command
from topograph.facts.fact import Pairs
from topograph.records import record

Verb = Literal["create", "update", "delete", "none"]
"""What is done; ``none`` changes nothing that decides about messages."""

CORE = frozenset({ADDRESS, "linkRoute", "autoLink", "exchange", "binding"})
"""Types that the router's core keeps. It gives their entities numbers as identities, and is
asked only by commands that say the type.
"""

ADDRESSED = frozenset({"listener", "connector"})
"""Types whose identity is made of type, host, port and name."""

CREATED = CORE | ADDRESSED | {
    "sslProfile", "authServicePlugin", "vhost", "tcpListener", "tcpConnector", "httpListener",
    "httpConnector", "network",
    "listenerAddress", "proxyProfile",
}  # fmt: skip
"""Types of which a running router takes new entities, and lets go of old ones."""

UPDATED = frozenset({"log", "vhost", "policy", "sslProfile"})
"""Types of which a running router takes new values. None of them decides where messages go."""


@record(kw_only=True)
class AmqCommand(Command):
    """One command. ``type`` is the short name of the type, empty where the command does not say it;
    ``name`` and ``identity`` name the entity.

    ``fact`` is the entity that a create brings, as the only entry of a file (``bundle`` and
    ``server`` empty); ``marks`` are the entities that the importer adds to a file with such an
    entry, which only some routers read. ``values`` are the attributes that an update states."""

    verb: Verb
    type: str = ""
    name: str = ""
    identity: str = ""
    fact: Entity | None = None
    marks: tuple[Entity, ...] = ()
    values: Pairs = ()
