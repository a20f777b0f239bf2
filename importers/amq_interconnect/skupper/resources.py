"""The resources of Skupper that files hold: of both versions, as YAML or JSON, alone, in lists and
in several documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from topograph.findings import Source
from topograph.importers.positions.yaml_text import (
    Documents,
    YamlLimits,
    documents,
    items,
    member,
    members,
    place,
    scalar,
)
from topograph.records import record

if TYPE_CHECKING:
    from yaml.nodes import Node

LIMITS = YamlLimits(size=32 * 2**20, depth=60, aliases=200, documents=5_000)
_STEPS = 200_000

GROUP = "skupper.io/"
PROXIED = frozenset({"Deployment", "StatefulSet", "DaemonSet", "Service"})
"""Kinds whose annotations make services in Skupper 1."""
TOKENS = frozenset({"connection-token", "token-claim"})
"""Types of Secrets of Skupper 1 that make links."""
_MAPS = frozenset({"skupper-site", "skupper-services", "skupper-network-status"})
ROUTER_MAPS = frozenset({"skupper-internal", "skupper-router", "skupper-router-2"})
"""ConfigMaps with the configuration that a site's routers start from."""


@record
class Resource:
    """One resource. ``kind`` is that of Kubernetes. ``namespace`` is empty where it names none."""

    kind: str
    name: str
    namespace: str
    uid: str
    file: str
    source: Source
    node: Node = field(repr=False, compare=False)

    @property
    def label(self) -> str:
        """What messages call it."""
        return f"{self.kind} {self.name}" + (f" of {self.namespace}" if self.namespace else "")

    def text(self, *path: str) -> str:
        """The scalar at a path of keys; empty where there is none."""
        return scalar(member(self.node, *path)) or ""

    def flag(self, *path: str) -> bool:
        """Whether the scalar at a path is true."""
        return self.text(*path).lower() == "true"

    def at(self, *path: str) -> Source:
        """The place of the value at a path, else of the resource."""
        found = member(self.node, *path)
        return self.source if found is None else Source(self.file, *place(found))

    def list(self, *path: str) -> list[Node]:
        """The items of the list at a path."""
        return items(member(self.node, *path))

    def pairs(self, *path: str) -> Iterator[tuple[str, str, Source]]:
        """Keys and scalars of the mapping at a path, with the places of the keys."""
        for key, value in members(member(self.node, *path)):
            yield scalar(key) or "", scalar(value) or "", Source(self.file, *place(key))

    def state(self, condition: str) -> str:
        """``True`` or ``False``, what the status says of a condition; empty if nothing."""
        for one in self.list("status", "conditions"):
            if scalar(member(one, "type")) == condition:
                return scalar(member(one, "status")) or ""
        return ""


@dataclass
class Found:
    """The resources of one file, and what else is in it: ``others`` counts resources that are none
    of Skupper, ``secrets`` those whose values are not looked at."""

    resources: list[Resource] = field(default_factory=list)
    documents: Documents | None = None
    others: int = 0
    beyond: bool = False


def resources_of(text: str, file: str) -> Found:
    """The resources of Skupper in a text. Never raises; linear but for aliases, which are
    bounded."""
    walker = _Walker(file)
    walker.found.documents = documents(text, LIMITS)
    for root in walker.found.documents.roots:
        walker.resource(root, 0)
    walker.found.beyond = walker.steps > _STEPS
    return walker.found


class _Walker:
    def __init__(self, file: str) -> None:
        self.file = file
        self.found = Found()
        self.steps = 0

    def resource(self, node: Node, depth: int) -> None:
        self.steps += 1
        if depth > 5 or self.steps > _STEPS:
            return
        kind, version = scalar(member(node, "kind")) or "", scalar(member(node, "apiVersion")) or ""
        inner = [*items(member(node, "items")), *items(member(node, "objects"))]
        if inner and (kind.endswith("List") or kind == "Template"):
            for one in inner:
                self.resource(one, depth + 1)
            return
        if not _is_skuppers(node, kind, version):
            self.found.others += 1
            return
        meta = member(node, "metadata")
        self.found.resources.append(
            Resource(
                kind,
                scalar(member(meta, "name")) or "",
                scalar(member(meta, "namespace")) or "",
                scalar(member(meta, "uid")) or "",
                self.file,
                Source(self.file, *place(node)),
                node,
            )
        )


def _is_skuppers(node: Node, kind: str, version: str) -> bool:
    if version.startswith(GROUP):
        return True
    name = scalar(member(node, "metadata", "name")) or ""
    if kind == "ConfigMap":
        return name in _MAPS or name in ROUTER_MAPS
    if kind == "Secret":
        return token_type(node) in TOKENS
    return (
        kind in PROXIED and member(node, "metadata", "annotations", "skupper.io/proxy") is not None
    )


def token_type(node: Node) -> str:
    """What a Secret of Skupper 1 is; empty for any other."""
    return scalar(member(node, "metadata", "labels", "skupper.io/type")) or ""
