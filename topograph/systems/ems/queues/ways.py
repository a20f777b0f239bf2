"""The ways that a message to a queue goes, stops and ends, as steps tell them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.graph import Guard
from topograph.outcomes import NotForwarded, Outcome, Truth
from topograph.systems.ems.queues.model import EmsQueue, Standing
from topograph.tracing.states import Transition, Way
from topograph.tracing.trace import NOWHERE, Ending


def beyond_its_limit(queue: EmsQueue) -> Assumption:
    """A26: the limits of a routed queue whose home is out of reach."""
    text = (
        f"{queue.server} keeps storing beyond the limit of {queue.name}, although its "
        f"overflowPolicy is rejectIncoming ({queue.source})"
    )
    return Assumption("A26", "L", text, "from the limit on its senders get an error")


def stored_text(queue: EmsQueue) -> str:
    """What is said of a message that stays in a queue."""
    return f"stored in {named(queue)}"


def named(queue: EmsQueue) -> str:
    """What texts call a queue, with its home."""
    if queue.standing is Standing.DYNAMIC:
        return f"queue:{queue.name} of {queue.server}, which a pattern in its queues.conf allows"
    return (
        f"{'the exclusive ' if queue.exclusive else ''}queue:{queue.name} at its home "
        f"{queue.server}"
    )


def stops(way: Way) -> bool:
    """Whether the message ends on this way as not forwarded."""
    return isinstance(way.to, Ending) and way.to.outcome is Outcome.NOT_FORWARDED


def may_take(way: Way) -> bool:
    """Whether it is not known if the message ends on this way: it may be taken there instead."""
    return (
        isinstance(way.to, Ending)
        and way.to.outcome is Outcome.NOT_FORWARDED
        and way.guard is None
        and way.to.text("value") == str(Truth.UNKNOWN)
    )


def selector_guard(
    whose: str, text: str, fault: str, source: Source, wanted: Truth = Truth.TRUE
) -> Guard:
    """That a selector is ``wanted``."""
    payload = json.dumps([text, fault, str(wanted)])
    return Guard(
        f"selector of {whose} {payload}",
        "selector",
        f"the selector of {whose}: {text}",
        payload,
        source,
    )


def stopped_text(at: str, to: str, condition: NotForwarded, text: str, truth: Truth) -> str:
    """What a trace says of a message that ``at`` does not send to ``to`` or take itself. What a
    selector does not say is TRUE it certainly does not select.
    """
    what = "taken here" if at == to else f"sent to {to}"
    if condition is NotForwarded.SELECTOR:
        return f"not {what}: {text} is {truth}"
    return f"not known whether {what}: {text}" if truth is Truth.UNKNOWN else f"not {what}: {text}"


def blocked(
    at: str, to: str, condition: NotForwarded, text: str, truth: Truth, source: Source, rule: str
) -> Way:
    """The way of a message that ``at`` does not send to ``to``, or does not take itself."""
    told = stopped_text(at, to, condition, text, truth)
    arguments = {
        "at": at,
        "to": to,
        "condition": str(condition),
        "guard": text,
        "value": str(truth),
        "destination": "",
    }
    return Way(Ending(Outcome.NOT_FORWARDED, arguments), told, rule, source=source)


def ends(
    outcome: Outcome,
    text: str,
    rule: str,
    source: Source = NOWHERE,
    assumptions: Sequence[Assumption] = (),
    **arguments: str,
) -> Transition:
    """The one way of a message that ends here."""
    return Transition(
        (Way(Ending(outcome, arguments), text, rule, source=source),), tuple(assumptions)
    )


def undetermined(server: str, because: str, source: Source) -> Transition:
    """That what becomes of the message cannot be said."""
    return ends(Outcome.UNDETERMINED, because, "", source, server=server, condition=because)
