"""ML-11: messages can vanish."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.coverage import Default, Stated
from topograph.systems.ibm_mq.checked import channels_of, finding_at
from topograph.systems.ibm_mq.objects.attributes import valued

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.facts.ibm_mq import Channel
    from topograph.systems.ibm_mq.routing.lookup import Lookup

NONPERSISTENT_MESSAGES_CAN_VANISH = FindingKind(
    "nonpersistent-messages-can-vanish",
    Severity.WARNING,
    Remedy(
        "Set DEADQ at the receiving queue manager, or NPMSPEED(NORMAL).",
        "Nonpersistent messages that cannot be put are lost without a trace.",
    ),
    about="server",
    bearing=Bearing("walked"),
)
ML_11 = Rule(
    "ML-11",
    "Messages can vanish",
    "Without a dead-letter queue, a fast channel loses nonpersistent messages that cannot be put.",
    (NONPERSISTENT_MESSAGES_CAN_VANISH,),
    check=True,
)


@lint(ML_11)
def nonpersistent_messages_can_vanish(estate: Lookup) -> Iterator[Finding]:
    """ML-11 (M-13): one finding a queue manager."""
    fast: dict[str, list[Channel]] = {}
    for one in channels_of(estate, "RCVR", "RQSTR", "CLUSRCVR"):
        manager = estate.network.managers.get(one.server)
        if (
            manager
            and manager.valued("DEADQ") in (Stated(""), Default(""))
            and valued(one, "NPMSPEED") in (Stated("FAST"), Default("FAST"))
            and not _default_channel(one)
        ):
            fast.setdefault(one.server, []).append(one)
    for server, channels in fast.items():
        names = ", ".join(one.name for one in channels[:3]) + (
            f" and {len(channels) - 3} more" if len(channels) > 3 else ""
        )
        message = (
            f"{server} has no DEADQ in the loaded files, and {names} NPMSPEED(FAST): "
            "nonpersistent messages can vanish."
        )
        yield finding_at(channels[0], ML_11, message, "NPMSPEED")


def _default_channel(one: Channel) -> bool:
    """Whether a channel is one of those that every queue manager has as patterns for others."""
    return one.name.startswith(("SYSTEM.DEF.", "SYSTEM.AUTO."))
