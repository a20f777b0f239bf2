"""ML-27: every message ends on a dead-letter queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.outcomes import Outcome
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import each, finding_at, queues_of
from topograph.systems.ibm_mq.objects.attributes import value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.facts.ibm_mq import Queue
    from topograph.systems.ibm_mq.routing.lookup import Lookup
    from topograph.tracing.trace import Ending

EVERY_MESSAGE_DEAD_LETTERED = FindingKind(
    "every-message-dead-lettered",
    Severity.WARNING,
    Remedy(
        "Name a queue that is there, or define the missing one.",
        "No message to this queue arrives.",
    ),
    "destination",
    Bearing("walked"),
)
ML_27 = Rule(
    "ML-27",
    "Every message ends on a dead-letter queue",
    (
        "No message to a remote or alias queue can be put at the queue manager that it goes to: "
        "each ends on a dead-letter queue, is dropped, or stops the channel."
    ),
    (EVERY_MESSAGE_DEAD_LETTERED,),
    check=True,
)


@lint(ML_27)
def every_message_dead_lettered(estate: Lookup) -> Iterator[Finding]:
    """Remote queues, and aliases of what is not one of them, of which every message is refused
    where it arrives (M-13), as the walk of a message has it. An alias of a remote queue that is
    found is not named again. Linear in the definitions and the states behind each.
    """
    from topograph.systems.ibm_mq.estate import MqRules
    from topograph.systems.ibm_mq.routing.lookup import needs_blank
    from topograph.systems.ibm_mq.routing.passing import is_delivered
    from topograph.systems.ibm_mq.routing.positions import OPEN, MqPosition, position
    from topograph.tracing.dead_ends import ends_of
    from topograph.tracing.trace import Ending

    rules, loaded = MqRules(estate), estate.network.managers.keys()
    named: set[tuple[str, str]] = set()

    def found(one: Queue) -> Iterator[Finding]:
        names_nothing = one.noun == "QREMOTE" and not value(one, "RNAME")
        names_one_found = one.noun == "QALIAS" and (one.server, value(one, "TARGET")) in named
        if names_nothing or names_one_found or one.verb == "ALTER":
            return
        blank = needs_blank(estate, one.server, one.name)
        at = MqPosition(one.server, OPEN, one.name, one.server, blank=blank)
        if is_delivered(estate, at):
            return
        begin = at.state()
        ends = ends_of(rules.step, lambda state: position(state).key, loaded, begin)
        endings = [way.to for _, way in ends or () if isinstance(way.to, Ending)]
        if endings and all(map(_is_refused, endings)):
            named.add((one.server, one.name))
            yield _finding(one, [str(way.text) for _, way in ends or ()], endings)

    yield from each((*queues_of(estate, "QREMOTE"), *queues_of(estate, "QALIAS")), found)


def _is_refused(ending: Ending) -> bool:
    """Whether a message is refused where a channel brings it, whatever becomes of it then."""
    refused = ending.outcome in (Outcome.DLQ, Outcome.DISCARDED, Outcome.HELD)
    return refused and "original" in ending.arguments


def _finding(one: Queue, texts: list[str], endings: list[Ending]) -> Finding:
    kind = "alias" if one.noun == "QALIAS" else "remote queue"
    ends = " or ".join(dict.fromkeys(map(_told, endings)))
    original = endings[0].text("original")
    message = (
        f"No message to {kind} {one.name} arrives: {texts[0].partition(';')[0]}. Each is for "
        f"{original} and {ends}."
    )
    return finding_at(one, ML_27, message, "RNAME", "TARGET")


def _told(ending: Ending) -> str:
    if ending.outcome is Outcome.DLQ:
        return f"ends on dead-letter queue {ending.text('queue')} of {ending.text('server')}"
    if ending.outcome is Outcome.DISCARDED:
        return "is dropped if it is not persistent"
    return f"stops the channel, and waits on {ending.text('queue')}"
