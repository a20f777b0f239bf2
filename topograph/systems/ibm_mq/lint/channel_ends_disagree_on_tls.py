"""ML-12: TLS does not match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import channel_pairs, each, finding_at
from topograph.systems.ibm_mq.objects.attributes import value
from topograph.systems.ibm_mq.objects.starting import ciphers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.facts.ibm_mq import Channel
    from topograph.systems.ibm_mq.routing.lookup import Lookup

CHANNEL_ENDS_DISAGREE_ON_TLS = FindingKind(
    "channel-ends-disagree-on-tls", Severity.ERROR, about="direction", bearing=Bearing("stops")
)
PEER_NAME_WITHOUT_TLS = FindingKind(
    "peer-name-without-tls",
    Severity.ERROR,
    about="direction",
    bearing=Bearing("nothing", "Without a cipher the product does not look at SSLPEER."),
)
ML_12 = Rule(
    "ML-12",
    "TLS does not match",
    "The ends of a channel name different ciphers, or the certificate name cannot match.",
    (CHANNEL_ENDS_DISAGREE_ON_TLS, PEER_NAME_WITHOUT_TLS),
    check=True,
)


@lint(ML_12)
def channel_ends_disagree_on_tls(estate: Lookup) -> Iterator[Finding]:
    """ML-12 (C1)."""
    return each(channel_pairs(estate), lambda pair: _of_pair(*pair))


def _of_pair(one: Channel, other: Channel) -> Iterator[Finding]:
    found = ciphers(one, other)
    if found is not None:
        yield finding_at(one, ML_12, found.text, "SSLCIPH", kind=CHANNEL_ENDS_DISAGREE_ON_TLS)
    for end in (one, other):
        if value(end, "SSLPEER") and not (value(one, "SSLCIPH") or value(other, "SSLCIPH")):
            message = (
                f"SSLPEER of channel {end.name} at {end.server} can not match: the "
                "channel has no SSLCIPH."
            )
            yield finding_at(end, ML_12, message, "SSLPEER", kind=PEER_NAME_WITHOUT_TLS)
