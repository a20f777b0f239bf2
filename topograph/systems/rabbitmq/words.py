"""The words of definitions that brokers of some version, or the plugins that come with them, know
(GUIDE queues, exchanges, policies, streams, quorum-queues, federation, shovel).
"""

from __future__ import annotations

ARGUMENTS = frozenset(
    {
        "alternate-exchange", "hash-header", "hash-property", "hash-on", "x-cache-size",
        "x-consumer-timeout", "x-dead-letter-exchange", "x-dead-letter-routing-key",
        "x-dead-letter-strategy", "x-delayed-type", "x-delivery-limit", "x-downstream-name",
        "x-downstream-vhost", "x-expires", "x-filter-size-bytes", "x-initial-cluster-size",
        "x-internal-purpose", "x-max-age", "x-max-hops", "x-max-in-memory-bytes",
        "x-max-in-memory-length", "x-max-length", "x-max-length-bytes", "x-max-priority",
        "x-message-deduplication", "x-message-ttl",  "x-overflow",
        "x-queue-leader-locator", "x-queue-master-locator", "x-queue-mode", "x-queue-type",
        "x-queue-version", "x-quorum-initial-group-size", "x-quorum-target-group-size",
        "x-recent-history-length", "x-recent-history-no-store", "x-single-active-consumer",
        "x-stream-filter-size-bytes", "x-stream-max-segment-size-bytes", "x-cache-ttl",
        "x-cache-persistence",
    }
)  # fmt: skip
"""Arguments of queues and exchanges."""

POLICY_KEYS = frozenset(
    {
        "alternate-exchange", "consumer-timeout", "dead-letter-exchange",
        "dead-letter-routing-key", "dead-letter-strategy", "delivery-limit", "expires",
        "federation-upstream", "federation-upstream-pattern", "federation-upstream-set",
        "ha-mode", "ha-params", "ha-promote-on-failure", "ha-promote-on-shutdown",
        "ha-sync-batch-size", "ha-sync-mode", "hash-header", "hash-property",
        "initial-cluster-size", "max-age", "max-in-memory-bytes", "max-in-memory-length",
        "max-length", "max-length-bytes", "max-priority", "message-ttl", "overflow",
        "queue-leader-locator", "queue-master-locator", "queue-mode", "queue-version",
        "quorum-initial-group-size", "selector-fields", "selector-field-max-bytes",
        "routing-key", "shards-per-node", "stream-filter-size-bytes",
        "stream-max-segment-size-bytes", "target-group-size",
    }
)  # fmt: skip
"""Keys of policies and operator policies."""

APPLY_TO = frozenset({"all", "exchanges", "queues", "classic_queues", "quorum_queues", "streams"})
"""What policies apply to."""

OPERATOR_KEYS = frozenset(
    {
        "delivery-limit", "expires", "ha-mode", "ha-params", "ha-sync-mode",
        "max-in-memory-bytes", "max-in-memory-length", "max-length", "max-length-bytes",
        "message-ttl", "target-group-size",
    }
)  # fmt: skip
"""Keys of operator policies."""

NUMBERS = frozenset(
    {
        "delivery-limit", "expires", "max-in-memory-bytes", "max-in-memory-length", "max-length",
        "max-length-bytes", "message-ttl",
    }
)  # fmt: skip
TEXTS = frozenset(
    {
        "alternate-exchange", "dead-letter-exchange", "dead-letter-routing-key",
        "dead-letter-strategy", "federation-upstream", "federation-upstream-pattern",
        "federation-upstream-set", "overflow", "queue-mode",
    }
)  # fmt: skip
"""Keys of policies whose values are numbers and texts."""
