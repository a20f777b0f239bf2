"""ML-28: remote queue without a transmission queue."""

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

NO_TRANSMISSION_QUEUE = FindingKind(
    "no-transmission-queue",
    Severity.WARNING,
    Remedy(
        "Set XMITQ, or define a transmission queue of the queue manager's name.",
        "No program can open this queue.",
    ),
    "destination",
    Bearing("walked"),
)
ML_28 = Rule(
    "ML-28",
    "Remote queue without a transmission queue",
    (
        "Nothing leads to the queue manager of a remote queue: it names no transmission queue, "
        "none has the queue manager's name, and there is no default."
    ),
    (NO_TRANSMISSION_QUEUE,),
    check=True,
)


@lint(ML_28)
def no_transmission_queue(estate: Lookup) -> Iterator[Finding]:
    """Remote queues that nobody can open (M-04): only where a file shows that DEFXMITQ is blank, as
    whole dumps do; ML-01 and ML-02 name those of the local queue manager and with a wrong XMITQ.
    Linear in the definitions.
    """
    return each(queues_of(estate, "QREMOTE"), lambda one: _of_queue(estate, one))


def _of_queue(estate: Lookup, one: Queue) -> Iterator[Finding]:
    from topograph.systems.ibm_mq.estate import MqRules
    from topograph.systems.ibm_mq.routing.positions import OPEN, MqPosition, position
    from topograph.tracing.dead_ends import ends_of
    from topograph.tracing.trace import Ending

    manager = value(one, "RQMNAME")
    named = value(one, "RNAME") and manager not in ("", one.server) and not value(one, "XMITQ")
    if not named or not estate.network.managers[one.server].is_shown("DEFXMITQ"):
        return
    begin = MqPosition(one.server, OPEN, one.name, one.server).state()
    loaded = estate.network.managers.keys()
    ends = ends_of(MqRules(estate).step, lambda state: position(state).key, loaded, begin) or ()
    endings = [way.to for _, way in ends if isinstance(way.to, Ending)]
    refused = [
        (each.outcome, str(each.arguments.get("reason"))) == (Outcome.REJECTED, "2087")
        for each in endings
    ]
    if refused and all(refused):
        message = (
            f"No program can open remote queue {one.name}: {one.server} has no transmission queue "
            f"for {manager}, and DEFXMITQ is blank (2087 MQRC_UNKNOWN_REMOTE_Q_MGR)."
        )
        yield finding_at(one, ML_28, message, "RQMNAME")
