"""ML-14: partner blocked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import channel_pairs, finding_at
from topograph.systems.ibm_mq.objects.starting import authentication

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ibm_mq.routing.lookup import Lookup

CHANNEL_AUTHENTICATION_BLOCKS_PARTNER = FindingKind(
    "channel-authentication-blocks-partner",
    Severity.WARNING,
    about="direction",
    bearing=Bearing("opens"),
)
ML_14 = Rule(
    "ML-14",
    "Partner blocked",
    "A channel authentication record blocks this partner.",
    (CHANNEL_AUTHENTICATION_BLOCKS_PARTNER,),
    check=True,
)


@lint(ML_14)
def channel_authentication_blocks(estate: Lookup) -> Iterator[Finding]:
    """ML-14: the rule of the receiving side that decides for the partner says USERSRC(NOACCESS)."""
    for one, other in channel_pairs(estate):
        found = authentication(estate.network, one, other)
        if found is not None:
            yield finding_at(found.at, ML_14, found.text)
