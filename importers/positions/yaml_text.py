"""YAML as nodes that know their places: nothing is constructed, so that tags have no effect, and
hostile files end in a fault.

An alias is the node it names, not a copy; whoever walks the nodes counts its steps, because a few
aliases of aliases can be walked for ever ("billion laughs").
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from topograph.records import record

if TYPE_CHECKING:
    from yaml.nodes import Node


@record
class YamlLimits:
    """How much of a text is read: characters (or bytes), levels of nesting, aliases, documents."""

    size: int
    depth: int
    aliases: int
    documents: int = 1

    def beyond(self, limit: str) -> str:
        """What is said of a text that is beyond one of them; empty for another word."""
        return {
            "size": f"It has more than {self.size:,} characters",
            "depth": f"Nested more than {self.depth} deep",
            "aliases": f"More than {self.aliases} aliases",
            "documents": f"More than {self.documents} documents",
        }.get(limit, "")


@record
class YamlFault:
    """What ended the reading. ``limit`` names the field of ``YamlLimits`` that the text is beyond,
    empty if it is not YAML, and ``reason`` says why not. ``line`` and ``column`` are 0 where
    there is no place."""

    limit: str = ""
    reason: str = ""
    line: int = 0
    column: int = 0


@dataclass
class Documents:
    """The documents of a text, up to the first mistake. A text beyond the limits has none."""

    roots: list[Node] = field(default_factory=list)
    fault: YamlFault | None = None


def documents(text: str | bytes, limits: YamlLimits) -> Documents:
    """The documents of a text (JSON is YAML too). Never raises; linear."""
    import yaml

    found = Documents()
    if len(text) > limits.size:
        found.fault = YamlFault("size")
        return found
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    # a mistake is reported below, where the documents before it are kept
    with suppress(yaml.YAMLError, UnicodeError, ValueError):
        found.fault = _beyond(text, limits, loader)
    if found.fault is not None:
        return found
    try:
        for root in yaml.compose_all(text, Loader=loader):
            if root is not None:
                found.roots.append(root)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        found.fault = _fault("", str(error.problem or error.context), mark)
    except (yaml.YAMLError, UnicodeError, ValueError, RecursionError) as error:
        found.fault = YamlFault("", str(error).partition("\n")[0][:200])
    return found


def _beyond(text: str | bytes, limits: YamlLimits, loader: Any) -> YamlFault | None:
    """The first place beyond a limit."""
    import yaml

    depth = aliases = roots = 0
    for event in yaml.parse(text, Loader=loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(
            event, yaml.CollectionEndEvent
        )
        aliases += isinstance(event, yaml.AliasEvent)
        roots += isinstance(event, yaml.DocumentStartEvent)
        if depth > limits.depth:
            return _fault("depth", "", event.start_mark)
        if aliases > limits.aliases:
            return _fault("aliases", "", event.start_mark)
        if roots > limits.documents:
            return _fault("documents", "", event.start_mark)
    return None


def _fault(limit: str, reason: str, mark: Any) -> YamlFault:
    return (
        YamlFault(limit, reason, mark.line + 1, mark.column + 1)
        if mark
        else YamlFault(limit, reason)
    )


def place(node: Node) -> tuple[int, int]:
    """Line and column of a node, from 1."""
    return node.start_mark.line + 1, node.start_mark.column + 1


def written(node: Node | None) -> str | None:
    """The text of a scalar as it is written; None for anything else."""
    import yaml

    return str(node.value) if isinstance(node, yaml.ScalarNode) else None


def scalar(node: Node | None) -> str | None:
    """The text of a scalar as it is written; None for anything else, and for an empty value."""
    return None if node is None or node.tag == "tag:yaml.org,2002:null" else written(node)


def is_quoted(node: Node | None) -> bool:
    """Whether a node is a text in single or double quotes."""
    import yaml

    return isinstance(node, yaml.ScalarNode) and node.style in ("'", '"')


def is_list(node: Node | None) -> bool:
    """Whether a node is a list."""
    import yaml

    return isinstance(node, yaml.SequenceNode)


def is_mapping(node: Node | None) -> bool:
    """Whether a node is a mapping."""
    import yaml

    return isinstance(node, yaml.MappingNode)


def is_in_brackets(node: Node) -> bool:
    """Whether a list or mapping stands in brackets, as in JSON, so that it shows its own end."""
    import yaml

    return isinstance(node, yaml.CollectionNode) and node.flow_style is True


def items(node: Node | None) -> list[Node]:
    """The items of a list; empty for anything else."""
    return list(node.value) if node is not None and is_list(node) else []


def members(node: Node | None) -> Iterator[tuple[Node, Node]]:
    """Keys and values of a mapping, in order; nothing for anything else."""
    if node is not None and is_mapping(node):
        yield from node.value


def member(node: Node | None, *path: str) -> Node | None:
    """The value below a mapping at a path of keys; None where there is none."""
    for key in path:
        node = next((value for name, value in members(node) if scalar(name) == key), None)
    return node
