"""The settings of a ``rabbitmq.conf`` (GUIDE configure; SOURCE priv/schema of the broker and of the
plugins that come with it, 3.10.8 to 4.3): which decide where messages go, and which exist.
"""

from __future__ import annotations

LOADED = ("load_definitions", "definitions.local.path", "management.load_definitions")
"""What names the definitions that a node loads when it starts."""

NAMES = ("cluster_name", "nodename")
"""What names the cluster, the first one before the other."""

KEPT = frozenset({"default_queue_type", "shovel.topology.predeclared"})
"""What decides where messages go, whatever is loaded."""

OF_NEW_VHOSTS = ("default_policies", "default_limits", "default_permissions", "default_users")
"""What begins the keys that hold for virtual hosts that are made later, or on a new node."""

LARGEST_MESSAGE = "max_message_size"

_ALONE = frozenset(
    {
        "anonymous_login_pass", "anonymous_login_user", "background_gc_enabled",
        "background_gc_target_interval", "channel_max", "channel_max_per_node",
        "cluster_exchange_limit", "cluster_keepalive_interval", "cluster_queue_limit",
        "collect_statistics", "collect_statistics_interval", "connection_max",
        "consumer_disconnected_timeout", "consumer_max_per_channel", "consumer_timeout",
        "default_pass", "default_user", "default_vhost", "default_worker_pool_size",
        "delegate_count", "distributed_cookie", "frame_max", "handshake_timeout", "heartbeat",
        "hipe_compile", "initial_frame_max", "link_max_per_session", "max_channels_per_connection",
        "max_connections", "memory_monitor_interval", "message_store_shutdown_timeout",
        "mirroring_sync_batch_size", "mirroring_sync_max_throughput",
        "mnesia_table_loading_retry_limit", "mnesia_table_loading_retry_timeout", "motd_file",
        "net_ticktime", "password_hashing_module", "prevent_startup_if_node_was_reset",
        "proxy_protocol", "queue_index_embed_msgs_below", "queue_leader_locator",
        "queue_master_locator", "ranch_connection_max", "reverse_dns_lookups",
        "session_max_per_connection", "shovel.delete_after_duration_floor",
        "shovel.local.max_credit", "shovel.operating_mode", "ssl_allow_poodle_attack",
        "ssl_cert_login_from",
        "ssl_cert_login_san_index", "ssl_cert_login_san_type", "ssl_handshake_timeout",
        "total_memory_available_override_value", "vhost_max", "vhost_restart_strategy",
        "vm_memory_calculation_strategy", "vm_memory_high_watermark_paging_ratio",
    }
)  # fmt: skip
"""Settings that decide nothing, and are in no group of them."""

_GROUPS = frozenset(
    {
        "amqp10_client", "amqp1_0", "amqp_client", "auth_backends", "auth_cache", "auth_http",
        "auth_ldap", "auth_mechanisms", "auth_oauth2", "aws", "channel_interceptor",
        "classic_queue", "cluster_formation", "cluster_partition_handling", "cluster_tags",
        "credential_validator", "default_user_tags", "definitions", "deprecated_features",
        "disk_free_limit", "distribution", "erlang", "event_exchange", "exchange_types",
        "federation", "http_dispatch", "listeners", "log", "loopback_users", "management",
        "management_agent", "message_interceptors", "metadata_store", "mqtt", "node_tags",
        "num_acceptors", "product", "prometheus", "queue_types", "quorum_queue", "raft",
        "runtime_parameters", "socket_writer", "ssl_options", "stomp", "stream",
        "sysmon_handler", "tcp_listen_options", "tracing", "trust_store",
        "vm_memory_high_watermark", "web_mqtt", "web_stomp",
    }
)  # fmt: skip
"""What settings with parts begin with."""

_ELSEWHERE = frozenset(
    {"log", "heartbeat", "management", "product", "erlang", "tracing", "stream", "raft", "aws",
     "nodename", "cluster_name", "distribution", "prometheus", "federation", "definitions"}
)  # fmt: skip
"""Beginnings of settings that files of other programs may have too."""


def is_known(key: str) -> bool:
    """Whether a broker of some version, or a plugin that comes with it, has such a setting.

    >>> [is_known(key) for key in ("log.file.level", "default_user", "loopback_user.guest")]
    [True, True, False]
    """
    first = key.partition(".")[0]
    known = key in _ALONE or key in KEPT or key in NAMES or key in LOADED or key == LARGEST_MESSAGE
    return known or first in _GROUPS or first in OF_NEW_VHOSTS


def is_telling(key: str) -> bool:
    """Whether a file with such a setting is likely to be a ``rabbitmq.conf``."""
    return (is_known(key) and key.partition(".")[0] not in _ELSEWHERE) or key in LOADED
