"""ML-12: TLS does not match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import channel_pairs, finding_at
from topograph.systems.ibm_mq.objects.attributes import value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ibm_mq.routing.lookup import Lookup

CHANNEL_ENDS_DISAGREE_ON_TLS = FindingKind("channel-ends-disagree-on-tls", Severity.ERROR)
ML_12 = Rule(
    "ML-12",
    "TLS does not match",
    "The ends of a channel name different ciphers, or the certificate name cannot match.",
    (CHANNEL_ENDS_DISAGREE_ON_TLS,),
    check=True,
)


@lint(ML_12)
def channel_ends_disagree_on_tls(estate: Lookup) -> Iterator[Finding]:
    """ML-12 (C1)."""
    for one, other in channel_pairs(estate):
        mine, theirs = value(one, "SSLCIPH"), value(other, "SSLCIPH")
        general = mine.startswith("ANY") or theirs.startswith("ANY")
        if mine != theirs and not (general and mine and theirs):
            message = (
                f"Channel {one.name} has SSLCIPH({mine}) at {one.server} and "
                f"SSLCIPH({theirs}) at {other.server}: it cannot start."
            )
            yield finding_at(one, ML_12, message, "SSLCIPH")
        for end in (one, other):
            if value(end, "SSLPEER") and not mine and not theirs:
                message = (
                    f"SSLPEER of channel {end.name} at {end.server} can not match: the "
                    "channel has no SSLCIPH."
                )
                yield finding_at(end, ML_12, message, "SSLPEER")
