"""Command lines of ``rabbitmqctl`` and the tools beside it (rabbitmq.md 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from topograph.digits import integer
from topograph.facts.command import not_known
from topograph.facts.rabbit_commands import HERE
from topograph.importers.rabbitmq.commands.calls import Fields, Given, NotKnown, NotMeant
from topograph.importers.rabbitmq.commands.definitions import imported
from topograph.importers.rabbitmq.commands.management import (
    NOTHING,
    no_parameter,
    no_policy,
    parameter,
    policy,
    renamed,
    vhost_made,
)

PROGRAMS = frozenset(
    {
        "rabbitmqctl", "rabbitmqctl.bat", "rabbitmq-plugins", "rabbitmq-streams",
        "rabbitmq-queues", "rabbitmq-diagnostics", "rabbitmq-upgrade",
    }
)  # fmt: skip

_VALUED = frozenset(
    {
        "--node", "--vhost", "--timeout", "--priority", "--apply-to", "--description", "--tags",
        "--default-queue-type", "--formatter", "--format", "--script-name", "--erlang-cookie",
        "--offset", "--limit", "--hashing-algorithm", "--partitions", "--routing-keys",
        "--max-age", "--max-length-bytes", "--leader-locator", "--initial-cluster-size",
        "--stream-max-segment-size-bytes", "--ram-filename",
    }
)  # fmt: skip
_SHORT = {"-n": "--node", "-p": "--vhost", "-t": "--timeout", "-q": "--quiet", "-l": "--longnames",
          "-s": "--silent"}  # fmt: skip

_FLAGS = frozenset(
    {"--if-empty", "--if-unused", "--dry-run", "--pre-hashed-password", "--no-table-headers",
     "--longnames", "--help", "--online", "--offline", "--hard", "--all", "--local", "--global"}
)  # fmt: skip

_SHOWING = ("list_", "report", "status", "cluster_status", "environment", "ping", "version", "help",
            "export_definitions", "encode", "decode", "node_health_check", "hash_password",
            "authenticate_user", "autocomplete", "await_", "wait", "check_", "is_", "memory_",
            "observer", "resolve_", "runtime_", "server_version", "tail", "log_", "os_env",
            "schema_info", "show_", "get_", "cipher_suites", "certificates", "maybe_", "alarms",
            "disable_tracking", "info", "consume_event_stream", "directories", "discover_",
            "erlang_", "listeners", "command_line_", "auth_", "stream_status", "quorum_status",
            "peek", "add_replica", "delete_replica", "add_member", "delete_member", "grow",
            "shrink", "rebalance", "reclaim_", "coordinator_", "transfer_", "force_checkpoint",
            "remote_shell", "metadata_store_")  # fmt: skip
"""How commands begin that show something, wait for something, or move replicas."""

_WITHOUT_EFFECT = frozenset(
    [
        "purge_queue",
        "clear_vhost_limits",
        "set_vhost_limits",
        "set_user_limits",
        "clear_user_limits",
        "clear_global_parameter",
        "set_global_parameter",
        "clear_password",
        "set_vhost_tags",
        "close_connection",
        "close_all_connections",
        "close_all_user_connections",
        "cancel_sync_queue",
        "sync_queue",
        "enable_feature_flag",
        "enable_all_feature_flags",
        "enable",
        "disable_feature_flag",
        "force_gc",
        "start_app",
        "stop_app",
        "stop",
        "shutdown",
        "stop_cluster",
        "force_boot",
        "rotate_logs",
        "set_log_level",
        "restart_vhost",
        "restart_shovel",
        "restart_federation_link",
        "restart_stream",
        "set_disk_free_limit",
        "set_vm_memory_high_watermark",
        "trace_on",
        "trace_off",
        "suspend_listeners",
        "resume_listeners",
        "suspend_all_listeners",
        "resume_all_listeners",
        "activate_free_disk_space_monitoring",
        "deactivate_free_disk_space_monitoring",
        "forget_cluster_node",
        "update_cluster_nodes",
        "rename_cluster_node",
        "change_cluster_node_type",
        "enable_vhost_deletion_protection",
        "disable_vhost_deletion_protection",
        "drain",
        "revive",
        "post_upgrade",
        "rebalance",
        "add_cluster_node",
        "set_cookie",
        "directory_listing",
    ]
)
"""Commands that change nothing which decides where messages go."""


def read(given: Given) -> Sequence[Fields]:
    """What a command line says. Raises NotMeant, NotKnown."""
    given.divide(given.call.words[1:], _VALUED, _SHORT, ("--erlang-cookie",), _FLAGS)
    given.connected = given.options.get("--node") or HERE
    if not given.arguments:
        return ()
    command = given.arguments.pop(0)
    if given.call.program == "rabbitmq-plugins" and command in ("disable", "set"):
        raise NotKnown("what a plugin does that is disabled is not followed here")
    if command in ("add_user", "change_password", "authenticate_user", "hash_password"):
        given.hide(2)
    if "--dry-run" in given.options:
        return ()
    make = _COMMANDS.get(command)
    if make is not None:
        return tuple(make(given))
    if command.startswith(_SHOWING):
        return ()
    if command in _WITHOUT_EFFECT:
        return (NOTHING,)
    given.understood, given.arguments = False, [command]
    raise NotMeant(not_known(command) if command.isidentifier() else "it names no command")


def _add_vhost(given: Given) -> Iterator[Fields]:
    (name,) = given.number("the name")
    yield vhost_made(given, name, given.options.get("--default-queue-type"), spares=True)


def _update_vhost(given: Given) -> Iterator[Fields]:
    (name,) = given.number("the name")
    type_ = given.options.get("--default-queue-type")
    if not type_:
        yield NOTHING
        return
    yield vhost_made(given, name, type_, verb="alter")


def _delete(kind: str) -> Callable[[Given], Iterator[Fields]]:
    def made(given: Given) -> Iterator[Fields]:
        (name,) = given.number("the name")
        options = tuple(word for word in ("if-empty", "if-unused") if f"--{word}" in given.options)
        vhost = given.vhost
        yield {"verb": "delete", "kind": kind, "vhost": vhost, "name": name, "options": options}

    return made


def _delete_vhost(given: Given) -> Iterator[Fields]:
    (name,) = given.number("the name")
    yield {"verb": "delete", "kind": "vhost", "vhost": name, "name": name}


def _add_user(given: Given) -> Iterator[Fields]:
    name = given.number("the name", at_most=2)[0]
    yield {"verb": "add", "fact": given.fact("users", {"name": name, "password": "(set)"})}


def _tags(given: Given) -> Iterator[Fields]:
    name, *tags = given.number("the name", at_most=len(given.arguments))
    fact = given.fact("users", {"name": name, "tags": tags})
    yield {"verb": "alter", "fact": fact, "options": ("tags",)}


def _password(given: Given) -> Iterator[Fields]:
    name = given.number("the name", at_most=2)[0]
    fact = given.fact("users", {"name": name, "password": "(set)"})
    yield {"verb": "alter", "fact": fact, "options": ("password",)}


def _permissions(given: Given) -> Iterator[Fields]:
    user, configure, write, read_ = given.number("the user", "configure", "write", "read")
    entry = {"user": user, "configure": configure, "write": write, "read": read_}
    yield {"verb": "set", "fact": given.fact("permissions", entry)}


def _topic_permissions(given: Given) -> Iterator[Fields]:
    user, exchange, write, read_ = given.number("the user", "the exchange", "write", "read")
    entry = {"user": user, "exchange": exchange, "write": write, "read": read_}
    yield {"verb": "set", "fact": given.fact("topic_permissions", entry)}


def _clear_permissions(given: Given) -> Iterator[Fields]:
    (user,) = given.number("the user")
    yield {
        "verb": "delete", "kind": "permission", "vhost": given.vhost, "name": user,
        "options": ("absent",),
    }  # fmt: skip


def _clear_topic_permissions(given: Given) -> Iterator[Fields]:
    user, *exchange = given.number("the user", at_most=2)
    yield {
        "verb": "delete",
        "kind": "topic-permission",
        "vhost": given.vhost,
        "name": user,
        "exchange": exchange[0] if exchange else None,
        "options": ("absent",),
    }


def _policy(given: Given) -> Iterator[Fields]:
    name, pattern, definition = given.number("the name", "the pattern", "the definition")
    yield _policy_of(given, name, pattern, definition, operator=False)


def _operator_policy(given: Given) -> Iterator[Fields]:
    name, pattern, definition = given.number("the name", "the pattern", "the definition")
    yield _policy_of(given, name, pattern, definition, operator=True)


def _policy_of(given: Given, name: str, pattern: str, definition: str, *, operator: bool) -> Fields:
    priority = integer(given.options.get("--priority", "0"))
    if priority is None:
        raise NotMeant("the priority is not a number")
    entry = {
        "pattern": pattern,
        "definition": given.object(definition, "the definition"),
        "priority": priority,
        "apply-to": given.options.get("--apply-to", "all"),
    }
    return policy(given, entry, given.vhost, name, operator=operator)


def _clear_policy(given: Given) -> Iterator[Fields]:
    (name,) = given.number("the name")
    yield no_policy(given.vhost, name, operator=False)


def _clear_operator_policy(given: Given) -> Iterator[Fields]:
    (name,) = given.number("the name")
    yield no_policy(given.vhost, name, operator=True)


def _parameter(given: Given) -> Iterator[Fields]:
    component, name, value = given.number("the component", "the name", "the value")
    yield parameter(given, component, given.vhost, name, given.json(value, "the value"))


def _clear_parameter(given: Given) -> Iterator[Fields]:
    component, name = given.number("the component", "the name")
    yield no_parameter(component, given.vhost, name)


def _delete_shovel(given: Given) -> Iterator[Fields]:
    (name,) = given.number("the name")
    yield no_parameter("shovel", given.vhost, name)


def _import(given: Given) -> Iterator[Fields]:
    names = given.number(at_most=1)
    lines = given.file(names[0]) if names and names[0] != "-" else given.input()
    yield from imported(given, lines)


def _cluster_name(given: Given) -> Iterator[Fields]:
    (name,) = given.number("the name")
    yield renamed(name)


def _not_followed(_given: Given) -> Iterator[Fields]:
    raise NotKnown("what it does to the broker is not followed here")


_COMMANDS: Mapping[str, Callable[[Given], Iterator[Fields]]] = {
    "add_vhost": _add_vhost,
    "update_vhost_metadata": _update_vhost,
    "delete_vhost": _delete_vhost,
    "delete_queue": _delete("queue"),
    "add_user": _add_user,
    "delete_user": _delete("user"),
    "set_user_tags": _tags,
    "change_password": _password,
    "set_permissions": _permissions,
    "clear_permissions": _clear_permissions,
    "set_topic_permissions": _topic_permissions,
    "clear_topic_permissions": _clear_topic_permissions,
    "set_policy": _policy,
    "clear_policy": _clear_policy,
    "set_operator_policy": _operator_policy,
    "clear_operator_policy": _clear_operator_policy,
    "set_parameter": _parameter,
    "clear_parameter": _clear_parameter,
    "delete_shovel": _delete_shovel,
    "import_definitions": _import,
    "set_cluster_name": _cluster_name,
    **dict.fromkeys(
        (
            "eval", "eval_file", "reset", "force_reset", "join_cluster", "add_super_stream",
            "delete_super_stream", "set_permissions_globally", "delete_queues",
            "delete_member_from_super_stream", "import_vhost_definitions",
        ),
        _not_followed,
    ),
}  # fmt: skip
