"""The guards of one message, worked out before a Cypher statement follows it."""

from __future__ import annotations

from collections.abc import Sequence

from topograph.errors import NotApplicable
from topograph.forwarding.descriptions import MessageGuards
from topograph.message import Message
from topograph.questions.following import subscriber_option
from topograph.questions.model import Model
from topograph.store.graph_rows import described
from topograph.words.several import several


def message_guards(
    model: Model, from_: str, message: Message, *, subscribers: str | Sequence[str] = ()
) -> MessageGuards:
    """Evaluate each distinct guard once for a message published at ``from_``. Linear in the guards.

    Raises UnknownServer, UsageError for a name that no message goes to, NotApplicable where the
    system does not follow its messages by guards.
    """
    start = model.locate(from_, message.destination.type)
    part, named = start.part, message.destination
    rows = described(part.graph.system)
    clients = [
        *model.side_inputs.clients,
        *(subscriber_option(model, text, named) for text in several(subscribers)),
    ]
    found = None
    if rows is not None and part.follows(named.type):
        found = rows.message_guards(
            part.graph, part.facts_of(part.graph.system).facts, start.name, message, clients
        )
    if found is None:
        raise NotApplicable(
            f"What becomes of a message to {named} at {from_}, which runs "
            f"{part.system.name}, is not a walk over guards; ask "
            f"`topograph propagate {from_} --destination {named}`."
        )
    return found
