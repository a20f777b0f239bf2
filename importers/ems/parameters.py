"""The parameters of tibemsd.conf (also the members of ``tibemsd`` in JSON) that are known by
name, and their booleans.
"""

from __future__ import annotations

SUB_FILES = (
    "users", "groups", "topics", "queues", "acl_list", "factories", "routes", "bridges",
    "transports", "tibrvcm",
    "durables", "channels", "stores",
)  # fmt: skip
"""Parameters that name a sub-file (ems.md 1.1); also the kinds of references and of parts of a
bundle.
"""

BOOLEANS = {
    **dict.fromkeys(("enable", "enabled", "true", "yes", "on"), True),
    **dict.fromkeys(("disable", "disabled", "false", "no", "off"), False),
}
"""How a boolean is written (ems.md 3.1), lower case."""

READ = frozenset({*SUB_FILES, "server", "routing", "authorization", "listen", "ft_active"})
"""Parameters with a field or a reference of their own."""

KNOWN = READ | {
    "password", "active_route_connect_time", "server_heartbeat_server",
    "server_timeout_server_connection", "flow_control",
    "compliant_queue_ack", "max_msg_memory", "store", "detailed_statistics",
}  # fmt: skip
"""The parameters of ems.md 1.1."""

TELLING = frozenset({*SUB_FILES, "routing", "authorization", "listen", "ft_active",
    "active_route_connect_time",
    "server_heartbeat_server", "server_timeout_server_connection", "server_heartbeat_client",
    "client_heartbeat_server",
    "server_timeout_client_connection", "client_timeout_server_connection", "flow_control",
    "compliant_queue_ack",
    "max_msg_memory", "max_connections", "max_client_msg_size", "max_stat_memory", "msg_swapping",
    "track_message_ids", "detailed_statistics",
    "statistics", "rate_interval", "ft_heartbeat", "ft_activation", "ft_reconnect_timeout",
    "ft_ssl_password",
    "tibrv_transports", "tibss_transports", "logfile", "logfile_max_size", "log_trace",
    "console_trace", "client_trace",
    "user_auth", "store_minimum", "store_crc", "store_truncate", "multicast", "module_path",
    "reserve_memory",
    "ssl_server_identity", "ssl_server_key", "ssl_password", "ssl_require_client_cert",
    "ssl_server_trusted",
    "ssl_dh_size", "ssl_server_ciphers", "ssl_use_cert_username", "ssl_cert_user_specname",
    "ssl_rand_egd",
    "jre_library", "jre_option", "jaas_config_file", "jaci_class", "always_exit_on_disk_error",
    "destination_backlog_swapout",
    "handshake_timeout", "npsend_check_mode", "routerecover_interval", "monitor_listen",
})  # fmt: skip
"""Parameters by which a main file is recognised, together with ``server``."""


def boolean(text: str) -> bool | None:
    """The boolean that ``text`` writes, or None if it is none.

    >>> boolean("on"), boolean("Disabled"), boolean("maybe")
    (True, False, None)
    """
    return BOOLEANS.get(text.strip().lower())
