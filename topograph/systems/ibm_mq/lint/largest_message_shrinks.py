"""ML-13: maximum length shrinks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.digits import digits
from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import channel_pairs, each, finding_at, queues_of
from topograph.systems.ibm_mq.objects.attributes import as_shown, value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from topograph.facts.ibm_mq import Channel, Described, Queue
    from topograph.systems.ibm_mq.routing.lookup import Lookup

LARGEST_MESSAGE_SHRINKS = FindingKind(
    "largest-message-shrinks",
    Severity.WARNING,
    about="destination",
    bearing=Bearing("nothing", "The length of messages is not evaluated."),
)
ML_13 = Rule(
    "ML-13",
    "Maximum length shrinks",
    "A later step takes only shorter messages than an earlier one.",
    (LARGEST_MESSAGE_SHRINKS,),
    check=True,
)


_MAXIMUM = 4_194_304
"""Default of MAXMSGL of queues and channels, in bytes."""


def _largest(one: Described) -> int:
    return digits(value(one, "MAXMSGL"), _MAXIMUM)


@lint(ML_13)
def largest_message_shrinks(estate: Lookup) -> Iterator[Finding]:
    """ML-13 (C1): from the transmission queue over both ends of the channel to the queue that a
    remote queue names. 0 is the queue manager's.
    """
    ends = {
        (one.server, as_shown(one, "XMITQ")): (one, other) for one, other in channel_pairs(estate)
    }
    yield from each(ends.items(), lambda one: _of_channel(estate, *one))
    yield from each(queues_of(estate, "QREMOTE"), lambda one: _of_queue(estate, one, ends))


def _of_channel(
    estate: Lookup, queue_of: tuple[str, str], pair: tuple[Channel, Channel]
) -> Iterator[Finding]:
    server, name = queue_of
    queue = estate.network.queue(server, name)
    before = _largest(queue) if queue else 0
    for end in pair:
        if 0 < _largest(end) < before:
            message = (
                f"Channel {end.name} at {end.server} takes messages up to "
                f"{_largest(end)} bytes, transmission queue {name} up to {before}."
            )
            yield finding_at(end, ML_13, message, "MAXMSGL")


def _of_queue(
    estate: Lookup, one: Queue, ends: Mapping[tuple[str, str], tuple[Channel, Channel]]
) -> Iterator[Finding]:
    pair_ = ends.get((one.server, value(one, "XMITQ") or value(one, "RQMNAME")))
    queue = estate.network.queue(one.server, value(one, "XMITQ") or value(one, "RQMNAME"))
    if pair_ is None or queue is None or pair_[1].server != value(one, "RQMNAME"):
        return
    target = estate.network.queue(pair_[1].server, value(one, "RNAME"))
    way = min(size for size in (_largest(queue), *map(_largest, pair_)) if size > 0)
    if target is not None and target.noun == "QLOCAL" and _largest(target) < way:
        message = (
            f"{target.name} of {target.server} takes messages up to "
            f"{_largest(target)} bytes, the way from {one.name} of {one.server} "
            f"up to {way}."
        )
        yield finding_at(target, ML_13, message, "MAXMSGL")
