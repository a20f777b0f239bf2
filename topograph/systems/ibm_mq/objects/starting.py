"""Whether a channel starts between its two ends: what stops it, and what leaves that open.

Lint rules find what stands here, and walks follow it: both ask ``hindrances``, so that a channel of
which one says that it cannot start carries nothing in the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from topograph.digits import digits
from topograph.facts.ibm_mq import Channel, ChannelRule, Described
from topograph.findings import Source
from topograph.records import record
from topograph.systems.coverage import NotShownHere
from topograph.systems.ibm_mq.objects.attributes import as_shown, place, value
from topograph.systems.ibm_mq.objects.names import matches
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork


@record(slots=False)
class Hindrance:
    """Why a channel does not start (``stops``), or may not (``opens``): by which lint rule, and at
    which attribute of what."""

    effect: Literal["stops", "opens"]
    rule: str
    text: str
    at: Described
    attribute: str = ""

    @property
    def source(self) -> Source:
        """The evidence."""
        return place(self.at, self.attribute)


def hindrances(network: MqNetwork, one: Channel, other: Channel) -> Iterator[Hindrance]:
    """What hinders a channel that sends from ``one`` to ``other``, the end that receives. Linear
    in the channel authentication records of the receiving queue manager."""
    try:
        if (found := ciphers(one, other)) is not None:
            yield found
    except NotShownHere as unknown:
        yield Hindrance("opens", "ML-12", unknown.not_shown.text, one, "SSLCIPH")
    if (found := authentication(network, one, other)) is not None:
        yield found


def ciphers(one: Channel, other: Channel) -> Hindrance | None:
    """ML-12: both ends have to name the same cipher, or one of them a group of ciphers. Two names
    that z/OS and others have for one cipher leave it open. Raises NotShownHere."""
    mine, theirs = value(one, "SSLCIPH"), value(other, "SSLCIPH")
    general = mine.startswith("ANY") or theirs.startswith("ANY")
    if mine == theirs or (general and mine and theirs):
        return None
    text = (
        f"Channel {one.name} has SSLCIPH({mine}) at {one.server} and "
        f"SSLCIPH({theirs}) at {other.server}: it cannot start."
    )
    coded = mine and theirs and (_is_code(mine) or _is_code(theirs))
    return Hindrance("opens" if coded else "stops", "ML-12", text, one, "SSLCIPH")


def _is_code(cipher: str) -> bool:
    """Whether a cipher is given by its number, as on z/OS: 4 hexadecimal digits."""
    return len(cipher) == 4 and all(sign in "0123456789ABCDEF" for sign in cipher.upper())


def authentication(network: MqNetwork, one: Channel, other: Channel) -> Hindrance | None:
    """ML-14: the record of the receiving side that decides for the partner says USERSRC(NOACCESS).
    A record for addresses counts where it is for all of them and no other one might let the
    partner in."""
    manager = network.managers.get(other.server)
    if manager is None or (manager.stated("CHLAUTH") or "ENABLED").upper() == "DISABLED":
        return None
    rules = [
        rule for rule in network.channel_rules.of(other.server) if matches(rule.name, one.name)
    ]
    decides = _deciding(rules, one.server)
    if decides is None or as_shown(decides, "USERSRC").upper() != "NOACCESS":
        return None
    if as_shown(decides, "WARN").upper() == "YES":
        return None
    text = (
        f"The channel authentication record {decides.name} of {other.server} blocks "
        f"channel {one.name} from {one.server}."
    )
    return Hindrance("opens", "ML-14", text, decides)


def _deciding(rules: Sequence[ChannelRule], partner: str) -> ChannelRule | None:
    def rank(rule: ChannelRule) -> tuple[int, int]:
        return len(rule.name.rstrip("*")), len(as_shown(rule, "QMNAME").rstrip("*"))

    by_manager = [
        rule
        for rule in rules
        if rule.rule_type == "QMGRMAP" and matches(as_shown(rule, "QMNAME") or "*", partner)
    ]
    if by_manager:
        return max(by_manager, key=rank)
    by_address = [rule for rule in rules if rule.rule_type == "ADDRESSMAP"]
    if any(as_shown(rule, "ADDRESS") != "*" for rule in by_address) or any(
        one.rule_type == "SSLPEERMAP" for one in rules
    ):
        return None
    return max(by_address, key=rank, default=None)


def listens(network: MqNetwork, server: str, ports: Collection[int]) -> bool:
    """Whether no listener of a queue manager with one of some ports is out of order, or was
    stopped. Linear in its listeners."""
    down = network.stopped_by_outage(server) | network.stopped_listeners(server)
    return not any(
        one.name in down and digits(one.get("PORT")) in ports
        for one in (network.listeners.of(server) if down else ())
    )
