"""ML-14: partner blocked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import channel_pairs, finding_at
from topograph.systems.ibm_mq.objects.attributes import keyword, value
from topograph.systems.ibm_mq.routing.transmission import matches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from topograph.facts.ibm_mq import ChannelRule
    from topograph.systems.ibm_mq.routing.lookup import Lookup

CHANNEL_AUTHENTICATION_BLOCKS_PARTNER = FindingKind(
    "channel-authentication-blocks-partner", Severity.WARNING
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
    """ML-14: the rule of the receiving side that decides for the partner says USERSRC(NOACCESS).
    A rule for addresses counts where it is for all of them and no other rule might let the
    partner in."""
    for one, other in channel_pairs(estate):
        manager = estate.network.managers[other.server]
        if manager.get("CHLAUTH", "ENABLED").upper() == "DISABLED":
            continue
        rules = [
            rule
            for rule in estate.network.channel_rules.of(other.server)
            if matches(rule.name, one.name)
        ]
        decides = _deciding(rules, one.server)
        if (
            decides is not None
            and keyword(decides, "USERSRC") == "NOACCESS"
            and keyword(decides, "WARN") != "YES"
        ):
            message = (
                f"The channel authentication record {decides.name} of {other.server} blocks "
                f"channel {one.name} from {one.server}."
            )
            yield finding_at(decides, ML_14, message)


def _deciding(rules: Sequence[ChannelRule], partner: str) -> ChannelRule | None:
    def rank(rule: ChannelRule) -> tuple[int, int]:
        return len(rule.name.rstrip("*")), len(value(rule, "QMNAME").rstrip("*"))

    by_manager = [
        rule
        for rule in rules
        if rule.rule_type == "QMGRMAP" and matches(value(rule, "QMNAME") or "*", partner)
    ]
    if by_manager:
        return max(by_manager, key=rank)
    by_address = [rule for rule in rules if rule.rule_type == "ADDRESSMAP"]
    if any(value(rule, "ADDRESS") != "*" for rule in by_address) or any(
        r.rule_type == "SSLPEERMAP" for r in rules
    ):
        return None
    return max(by_address, key=rank, default=None)
