"""YAML as nodes with their places: nothing is constructed, so that tags have no effect, and hostile files end in a finding.

An alias is the node it names, not a copy; whoever walks the nodes counts its steps, because a few aliases of aliases can be walked
for ever ("billion laughs").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from topograph.findings import Finding, Severity, Source

if TYPE_CHECKING:
    from yaml.nodes import Node

MAX_BYTES = 32 * 2**20
MAX_DEPTH = 60
MAX_ALIASES = 200
MAX_DOCUMENTS = 5_000


@dataclass
class Documents:
    """The documents of a YAML text, up to the first mistake; ``finding`` says what ended them early."""

    roots: list[Node] = field(default_factory=list)
    finding: Finding | None = None


def documents(text: str, file: str) -> Documents:
    """The documents of a text (JSON is YAML too). Never raises; linear."""
    import yaml

    found = Documents()
    if len(text) > MAX_BYTES:
        found.finding = _error(
            "yaml-too-large", f"This file has {len(text):,} characters; at most {MAX_BYTES:,} are read", file
        )
        return found
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        limit = _first_beyond_limits(text, loader)
        if limit is not None:
            message, mark = limit
            found.finding = _error("yaml-limit", f"{message}: nothing of this file is used", file, mark)
            return found
    except (yaml.YAMLError, UnicodeError, ValueError):
        pass  # said below, where the documents before the mistake are kept
    try:
        for root in yaml.compose_all(text, Loader=loader):
            if root is not None:
                found.roots.append(root)
    except yaml.MarkedYAMLError as error:
        reason = error.problem or error.context
        found.finding = _invalid(found, str(reason), file, error.problem_mark or error.context_mark)
    except (yaml.YAMLError, UnicodeError, ValueError, RecursionError) as error:
        found.finding = _invalid(found, str(error).partition("\n")[0][:200], file)
    return found


def _first_beyond_limits(text: str, loader: Any) -> tuple[str, Any] | None:
    import yaml

    depth = aliases = roots = 0
    for event in yaml.parse(text, Loader=loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        aliases += isinstance(event, yaml.AliasEvent)
        roots += isinstance(event, yaml.DocumentStartEvent)
        if depth > MAX_DEPTH:
            return f"Nested more than {MAX_DEPTH} deep", event.start_mark
        if aliases > MAX_ALIASES:
            return f"More than {MAX_ALIASES} aliases", event.start_mark
        if roots > MAX_DOCUMENTS:
            return f"More than {MAX_DOCUMENTS} documents", event.start_mark
    return None


def _invalid(found: Documents, reason: str, file: str, mark: Any = None) -> Finding:
    read = (
        f"only the {len(found.roots)} documents before it are read" if found.roots else "nothing of this file is used"
    )
    return _error("invalid-yaml", f"This is no YAML: {reason}; {read}", file, mark)


def _error(kind: str, message: str, file: str, mark: Any = None) -> Finding:
    line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
    return Finding(kind, Severity.ERROR, message, Source(file, line, column))


def place(node: Node) -> tuple[int, int]:
    """Line and column of a node, from 1."""
    return node.start_mark.line + 1, node.start_mark.column + 1


def scalar(node: Node | None) -> str | None:
    """The text of a scalar as it is written; None for anything else, and for an empty value."""
    import yaml

    if not isinstance(node, yaml.ScalarNode) or node.tag == "tag:yaml.org,2002:null":
        return None
    return str(node.value)


def items(node: Node | None) -> list[Node]:
    """The items of a list; empty for anything else."""
    import yaml

    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def members(node: Node | None) -> Iterator[tuple[Node, Node]]:
    """Keys and values of a mapping, in order; nothing for anything else."""
    import yaml

    if isinstance(node, yaml.MappingNode):
        yield from node.value


def member(node: Node | None, *path: str) -> Node | None:
    """The value below a mapping at a path of keys; None where there is none."""
    for key in path:
        node = next((value for name, value in members(node) if scalar(name) == key), None)
    return node
