"""ML-04: channel without the other end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import channels_of, each, finding_at, queues_of
from topograph.systems.ibm_mq.objects.attributes import as_shown, value
from topograph.systems.ibm_mq.objects.channels import PARTNERS, SENDING
from topograph.words.did_you_mean import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from topograph.facts.ibm_mq import Channel
    from topograph.systems.ibm_mq.routing.lookup import Lookup

CHANNEL_WITHOUT_PARTNER = FindingKind(
    "channel-without-partner", Severity.WARNING, about="direction", bearing=Bearing("walked")
)
ML_04 = Rule(
    "ML-04",
    "Channel without the other end",
    "A sender channel has no matching receiver, or its address fits no listener.",
    (CHANNEL_WITHOUT_PARTNER,),
    check=True,
)


@lint(ML_04)
def channel_without_partner(estate: Lookup) -> Iterator[Finding]:
    """ML-04: no other end in the queue manager it is meant for (an error, C-14), or CONNAME is
    not that of the other end.
    """
    meant: dict[tuple[str, str], list[str]] = {}
    for queue in queues_of(estate, "QREMOTE"):
        meant.setdefault((queue.server, as_shown(queue, "XMITQ")), []).append(
            as_shown(queue, "RQMNAME")
        )
    return each(channels_of(estate, *SENDING), lambda one: _of_channel(estate, one, meant))


def _of_channel(
    estate: Lookup, one: Channel, meant: Mapping[tuple[str, str], Sequence[str]]
) -> Iterator[Finding]:
    if one.name.startswith("SYSTEM.DEF."):
        return  # what other channels begin as; nobody starts it
    queue_name = value(one, "XMITQ")
    wanted = [queue_name, *meant.get((one.server, queue_name), ())]
    target = next(
        (name for name in wanted if name in estate.network.managers and name != one.server),
        queue_name,
    )
    lead = estate.channels.leads(one, target)
    if lead.hidden:
        return
    if lead.reason == "no partner":
        at = lead.assumptions[0].text.split(" is meant to lead to ")[1].split(",")[0]
        there = [
            other.name
            for other in estate.network.channels.of(at)
            if other.channel_type in PARTNERS["SDR"]
        ]
        message = (
            f"Channel {one.name} has no other end: {lead.text}.{did_you_mean(one.name, there)}"
        )
        yield ML_04.at(one.source, message, severity=Severity.ERROR, server=one.server)
    elif lead.reason and not lead.partners:
        yield finding_at(one, ML_04, f"Channel {one.name} cannot start: {lead.text}.")
    elif len(lead.partners) == 1 and (other := estate.channels.contradicted(one, lead.partners[0])):
        message = f"Channel {one.name} has its other end at {lead.partners[0].server}, but {other}."
        yield finding_at(one, ML_04, message, "CONNAME")
