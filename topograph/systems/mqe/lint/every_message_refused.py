"""EL-09: every message ends aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.outcomes import Outcome
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.mqe.configuration import MqeConfiguration
    from topograph.tracing.trace import Ending

EVERY_MESSAGE_REFUSED = FindingKind(
    "every-message-refused",
    Severity.WARNING,
    Remedy(
        "Name a queue that is there, or define the missing one.",
        "No message to this queue arrives.",
    ),
    "destination",
    Bearing("walked"),
)
EL_09 = Rule(
    "EL-09",
    "Every message ends aside",
    (
        "No message to a remote queue can be put at the queue manager that it goes to: each is "
        "refused, stays where it was put, or ends on a dead-letter queue."
    ),
    (EVERY_MESSAGE_REFUSED,),
    check=True,
)


@lint(EL_09)
def every_message_refused(configuration: MqeConfiguration) -> Iterator[Finding]:
    """Remote queues of which no message arrives, as the walk of a message has it (E-10, E-15).
    Linear in the definitions and the states behind each.
    """
    from topograph.systems.mqe.entry import put
    from topograph.systems.mqe.positions import loop_key
    from topograph.systems.mqe.steps import MqeSteps
    from topograph.tracing.dead_ends import ends_of
    from topograph.tracing.trace import Ending

    steps = MqeSteps(configuration)
    loaded = {here.name for here in configuration.all()}
    for here in configuration.all():
        for queue in here.queues:
            if queue.type != "remote":
                continue
            begin = put(here.name, queue.name, here.manager_of(queue))
            ends = ends_of(steps.step, loop_key, loaded, begin) or ()
            endings = [way.to for _, way in ends if isinstance(way.to, Ending)]
            if endings and all(map(_is_aside, endings)):
                why = str(ends[0][1].text).rstrip(".")
                text = (
                    f"No message to the remote queue {queue.name}@{here.manager_of(queue)} of "
                    f"{here.name} arrives: {why}. Each "
                    f"{' or '.join(dict.fromkeys(map(_told, endings)))}."
                )
                yield EL_09.at(queue.source, text, server=here.name)


def _is_aside(ending: Ending) -> bool:
    """Whether the queue manager that the message was for takes it to no queue of its own."""
    refused = ending.outcome is Outcome.HELD and ending.text("reason").startswith("rejected by ")
    return refused or ending.outcome in (Outcome.REJECTED, Outcome.DLQ)


def _told(ending: Ending) -> str:
    if ending.outcome is Outcome.DLQ:
        return f"ends on a dead-letter queue of {ending.text('server')}"
    if ending.outcome is Outcome.HELD:
        return f"stays on {ending.text('destination')} of {ending.text('server')}"
    return f"is refused ({ending.text('reason')})"
