"""What a command of MQSC says (ibm_mq.md C4)."""

from __future__ import annotations

from topograph.facts.command import Command
from topograph.facts.fact import Pairs
from topograph.facts.ibm_mq import Attribute
from topograph.records import record


@record(kw_only=True)
class MqscCommand(Command):
    """One command, its words in full: ``verb`` (DEFINE, ALTER, DELETE, START, ...), ``noun``
    (QLOCAL, CHANNEL, QMGR, ...) and the ``name`` in parentheses.

    ``channel_type`` is CHLTYPE. ``attributes`` are those that it sets, as a definition has them,
    without passwords; ``line`` of each is a line of the script. ``options`` are the words that say
    how it is done, with their values: REPLACE, LIKE, FORCE, PURGE, MODE, ... ``doubt`` says in a
    sentence why nobody can know what the command will say when it is run: it holds text of a
    template, or stands in another script.
    """

    verb: str
    noun: str = ""
    name: str = ""
    channel_type: str = ""
    attributes: tuple[Attribute, ...] = ()
    options: Pairs = ()
    doubt: str = ""

    def option(self, name: str) -> str | None:
        """The value of an option, empty for one without parentheses; None where the command does
        not have it.
        """
        return dict(self.options).get(name)

    def sets(self, name: str) -> bool:
        """Whether the command sets an attribute."""
        return any(one.name == name for one in self.attributes)
