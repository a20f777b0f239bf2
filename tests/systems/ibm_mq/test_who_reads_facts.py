"""What is absent, or has its default, is concluded through the coverage of the files alone."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import topograph.systems.ibm_mq as system

ROOT = Path(system.__file__).parent
MAPS = (
    "queues|channels|listeners|namelists|topics|subscriptions|channel_status|queue_status"
    "|other_status|channel_rules|cluster_managers|cluster_queues"
)
READERS = {
    "changes/notes.py", "changes/running.py", "changes/__init__.py",
    "checked.py", "checks.py", "configured.py", "estate.py", "show.py",
    "lint/alias_target_unusable.py", "lint/channel_authentication_blocks.py",
    "lint/channel_without_partner.py", "lint/not_advertised.py",
    "objects/channels.py", "objects/clusters.py", "objects/private.py", "objects/queue_managers.py",
    "objects/repositories.py", "objects/starting.py", "objects/workload.py",
    "routing/any_queue.py", "routing/arrival.py", "routing/entries.py", "routing/links.py",
    "routing/cluster_publication.py", "routing/lookup.py", "routing/plain_queues.py",
    "routing/cluster_passing.py", "routing/default_names.py", "routing/passing.py",
    "routing/publication.py",
    "routing/resolution.py", "routing/topics.py", "routing/transmission.py", "routing/transport.py",
}  # fmt: skip
"""Modules that list objects. Whoever lists them asks ``missing`` or ``absent`` before it says that
one is not there; a module is added here once it does."""

LENIENT = {
    "changes/__init__.py", "changes/running.py", "checked.py", "checks.py", "configured.py",
    "show.py", "lint/channel_without_partner.py", "lint/largest_message_shrinks.py",
    "lint/messages_circulate.py",
    "described.py", "objects/attributes.py", "objects/channels.py",
    "objects/queue_managers.py", "objects/starting.py", "objects/united.py", "objects/workload.py",
    "routing/entries.py", "routing/resolution.py", "routing/transport.py",
}  # fmt: skip
"""Modules that show attributes of which they conclude nothing."""


def _modules() -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text() for path in sorted(ROOT.rglob("*.py"))}


def test_only_known_modules_list_objects() -> None:
    pattern = re.compile(rf"\b(?:network|before|after|self)\.(?:{MAPS})\.(?:of|all|named)\(")
    assert {name for name, text in _modules().items() if pattern.search(text)} <= READERS


def test_only_known_modules_read_attributes_of_which_nothing_is_concluded() -> None:
    found = {
        name
        for name, text in _modules().items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "as_shown"
    }
    assert found <= LENIENT


OBSERVED = {
    "objects/clusters.py": {"queue_managers", "absent_at_channels"},
    "objects/queue_managers.py": {"stopped"},
    "objects/starting.py": {"listens"},
    "objects/workload.py": {"_is_suspended"},
    "routing/links.py": {"_others"},
    "routing/transport.py": {"_to_client"},
}
"""Functions that take what is shown, and something else that is known or assumed where nothing is:
what was observed counts where it was, and the other end that no loaded file has is not loaded."""

ASKS = {"absent", "missing"}
LISTS = {"of", "all", "named"}


def _lists(node: ast.AST) -> bool:
    """Whether a map of objects is read anywhere in a node."""
    return any(
        isinstance(one, ast.Call)
        and isinstance(one.func, ast.Attribute)
        and (
            one.func.attr == "objects_named"
            or (
                one.func.attr in LISTS
                and isinstance(one.func.value, ast.Attribute)
                and one.func.value.attr in MAPS.split("|")
            )
        )
        for one in ast.walk(node)
    )


def _concludes(function: ast.FunctionDef) -> bool:
    """Whether a function decides by what a map of objects does not have: ``not``, ``not in``, ``is
    None`` or ``all`` about what it lists."""
    listed = {
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign | ast.NamedExpr) and _lists(node.value)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }

    def is_about(node: ast.AST) -> bool:
        named = (one.id for one in ast.walk(node) if isinstance(one, ast.Name))
        return _lists(node) or not listed.isdisjoint(named)

    return any(
        is_about(node)
        and (
            (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
            or (
                isinstance(node, ast.Compare)
                and any(isinstance(one, ast.NotIn | ast.Is) for one in node.ops)
            )
            or (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "all"
            )
        )
        for node in ast.walk(function)
    )


def _asks(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ASKS
        for node in ast.walk(function)
    )


def test_who_concludes_that_an_object_is_not_there_asks_how_much_is_shown() -> None:
    concluding = {
        (name, node.name): _asks(node)
        for name, text in _modules().items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and _concludes(node)
    }
    assert ("lint/alias_target_unusable.py", "_of_alias") in concluding
    silent = {key for key, asks in concluding.items() if not asks}
    assert silent == {(name, one) for name, all_ in OBSERVED.items() for one in all_}
