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
    "checked.py", "checks.py", "estate.py", "show.py",
    "lint/alias_target_unusable.py", "lint/channel_authentication_blocks.py",
    "lint/channel_without_partner.py",
    "objects/channels.py", "objects/clusters.py", "objects/queue_managers.py",
    "objects/starting.py",
    "routing/entries.py", "routing/links.py", "routing/lookup.py", "routing/publication.py",
    "routing/resolution.py", "routing/transmission.py", "routing/transport.py",
}  # fmt: skip
"""Modules that list objects. Whoever lists them asks ``missing`` or ``absent`` before it says that
one is not there; a module is added here once it does."""

LENIENT = {
    "changes/__init__.py", "changes/running.py", "checked.py", "checks.py", "show.py",
    "lint/channel_without_partner.py", "lint/largest_message_shrinks.py",
    "lint/messages_circulate.py",
    "described.py", "objects/attributes.py", "objects/channels.py", "objects/clusters.py",
    "objects/queue_managers.py", "objects/starting.py", "objects/united.py",
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
