"""The attributes that facts keep, and the form in which they keep the values (sibus.md A1.3)."""

from __future__ import annotations

from collections.abc import Iterable

from topograph.facts.sibus import SibusAttribute
from topograph.findings import Source
from topograph.importers import lexical

TRUTH = frozenset(
    {
        "overrideOfQOSByProducerAllowed", "sendAllowed", "receiveAllowed", "receiveExclusive",
        "maintainStrictMessageOrder",
        "persistRedeliveryCount", "delegateAuthorizationCheckToTarget", "topicAccessCheckRequired",
        "mqRfh2Allowed", "useRFH2",
        "auditAllowed", "preferLocal", "preferLocalQueuePoints", "allTargetQueuePointsSelected",
        "allTargetMediationPointsSelected",
        "useDefaultExceptionDestination", "externallyMediated", "globalTransaction",
        "securityEnabled", "secure", "busSecurity",
        "discardOnDelete", "discardMsgsAfterQueueDeletion", "configurationReloadEnabled",
        "adoptable", "swapBytes", "enabled",
        "allowSecurity", "reliabilityOverride", "useAllMediationPoints", "maintainStrictOrder",
    }
)  # fmt: skip
"""Attributes with a truth value: kept in small letters."""

WORDS = frozenset(
    {
        "reliability",
        "maxReliability",
        "exceptionDiscardReliability",
        "nonPersistentMessageReliability",
    }
)
"""Attributes with a word in capitals."""

NUMBERS = frozenset(
    {"maxFailedDeliveries", "blockedRetryTimeout", "defaultPriority", "highMessageThreshold"}
)
"""Attributes with a number."""

DESTINATION = (TRUTH | WORDS | NUMBERS) - {
    "secure",
    "securityEnabled",
    "busSecurity",
    "enabled",
    "externallyMediated",
    "preferLocal",
    "preferLocalQueuePoints",
} | {"wmqQueueName", "quiesceMode", "description"}
"""What a destination may state of itself beside what has a field of its own."""

LINK = frozenset(
    {
        "queueManagerName", "senderChannelName", "receiverChannelName", "hostName", "port",
        "connameList", "senderChannelTransportChain",
        "receiverChannelTransportChain", "nonPersistentMessageSpeed", "preferLocal",
        "preferLocalQueuePoints", "adoptable", "initialState",
        "bootstrapEndpoints", "protocolName", "exceptionDiscardReliability",
        "senderChannelInitialState", "receiverChannelInitialState",
        "batchSize", "maxMsgSize", "heartBeat", "sequenceWrap", "discInterval", "shortRetryCount",
        "shortRetryInterval", "longRetryCount",
        "longRetryInterval", "inboundNonPersistentReliability", "inboundPersistentReliability",
        "foreignBusName", "description",
    }
)  # fmt: skip
"""What a link may state of itself, under the names of wsadmin."""

LIBERTY_WORDS = frozenset({"forceReliability", "failedDeliveryPolicy"})
"""Attributes of ``server.xml`` with a word."""

LIBERTY_NUMBERS = frozenset(
    {"redeliveryInterval", "maxRedeliveryCount", "maxMessageDepth", "maxQueueDepth"}
)

NAMES = frozenset({"queueManagerName", "senderChannelName", "receiverChannelName", "wmqQueueName"})
"""Attributes that hold the name of an object of another system."""


def normal(name: str, value: str) -> str:
    """The value in the form in which facts have it, whatever form stated it; secrets are never
    kept.

    >>> (normal("sendAllowed", " FALSE"), normal("reliability", "reliable_persistent"),
    ...  normal("trustPassword", "x"))
    ('false', 'RELIABLE_PERSISTENT', '(set)')
    """
    value = value.strip()
    if name in TRUTH:
        return value.lower()
    if name in WORDS:
        return value.upper()
    return lexical.kept(name, value)


def stated(
    pairs: Iterable[tuple[str, str, Source]], known: Iterable[str]
) -> tuple[SibusAttribute, ...]:
    """The attributes among ``pairs`` (name, value, place) that are ``known`` or cannot be a secret,
    by name; of one name the last.

    A value that nobody knows the meaning of is kept only if it is a number or a truth value
    (``"(set)"`` else)."""
    known = frozenset(known)
    found = {
        name: SibusAttribute(
            name,
            normal(name, value) if name in known else lexical.kept_unknown(name, value),
            source,
        )
        for name, value, source in pairs
    }
    return tuple(found[name] for name in sorted(found))
