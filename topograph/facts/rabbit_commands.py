"""What a command to a broker of RabbitMQ says (``rabbitmqctl``, ``rabbitmqadmin``, the management
API; rabbitmq.md 8).
"""

from __future__ import annotations

from typing import Literal

from topograph.facts.command import Command
from topograph.facts.fact import Fact
from topograph.records import record

Verb = Literal["declare", "set", "add", "delete", "alter", "rename", "none", "unknown"]
"""What is done: ``declare`` refuses where there is another of the name, ``add`` where there is one
at all, ``set`` replaces it, ``alter`` needs it. ``none`` changes nothing that decides about
messages; ``unknown`` is what nobody can say (``RabbitCommand.doubt``)."""

HERE = "localhost"
"""What commands connect to that name no host."""


@record(kw_only=True)
class RabbitCommand(Command):
    """One command, about an entry of definitions of a ``kind`` (that of its facts), which ``vhost``
    and ``name`` tell, of a policy ``operator`` too, of a topic permission ``exchange``.

    ``fact`` is the entry that it brings (``bundle`` and ``server`` empty), of a binding that goes
    the same one; with ``any_arguments`` it may have arguments that are not known. ``options`` are
    the words that say how it is done. ``user`` is who sends it over the management API.
    ``spares``: what is there stays as it is. ``doubt`` says in a sentence why nobody can know what
    the command does when it is run; with ``conditional`` only a run tells whether it is."""

    verb: Verb
    kind: str = ""
    vhost: str = ""
    name: str = ""
    operator: bool = False
    exchange: str | None = None
    fact: Fact | None = None
    any_arguments: bool = False
    options: tuple[str, ...] = ()
    user: str = ""
    spares: bool = False
    doubt: str = ""
    conditional: bool = False
