"""Which site a resource is of: that of its namespace; where several clusters have a namespace of
one name, or files name none, the place of the files decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from topograph.importers.amq_interconnect.skupper.resources import Resource


class Owners:
    """The sites of an import. A look-up is linear in the sites of one namespace."""

    def __init__(self, sites: Sequence[Resource]) -> None:
        self.sites = sites
        self.by_namespace: dict[str, list[Resource]] = {}
        for site in sites:
            self.by_namespace.setdefault(site.namespace, []).append(site)

    def owner(self, resource: Resource, namespace: str | None = None) -> Resource | str:
        """The site, or why none is it. ``namespace`` counts instead of the resource's own."""
        wanted = resource.namespace if namespace is None else namespace
        if not wanted:
            return self._one(_nearest(resource, self.sites), "no namespace")
        own = self.by_namespace.get(wanted, ())
        if own:
            return self._one(_nearest(resource, own, anywhere=True), f"the namespace {wanted}")
        unnamed = _nearest(resource, self.by_namespace.get("", ()))
        if len(unnamed) == 1:
            return unnamed[0]
        return f"no Site of the namespace {wanted} is loaded"

    def _one(self, found: Sequence[Resource], what: str) -> Resource | str:
        if len(found) == 1:
            return found[0]
        if not found:
            return f"it has {what}, and no Site lies in its file or folder"
        names = " and ".join(sorted({one.name for one in found})[:3])
        return f"it has {what}, and several Sites may be meant: {names}"


def _nearest(
    resource: Resource, sites: Iterable[Resource], *, anywhere: bool = False
) -> list[Resource]:
    """The sites in the same file, else in the same folder, else in the nearest folder above or
    below, else (``anywhere``) in the nearest of all."""
    own = PurePosixPath(resource.file).parent.parts
    ranked: dict[tuple[int, int], list[Resource]] = {}
    for site in sites:
        other = PurePosixPath(site.file).parent.parts
        shared = _shared(own, other)
        if site.file == resource.file:
            rank = (0, 0)
        elif shared in (len(own), len(other)):
            rank = (1, len(own) + len(other) - 2 * shared)
        elif anywhere:
            rank = (2, len(own) + len(other) - 2 * shared)
        else:
            continue
        ranked.setdefault(rank, []).append(site)
    return ranked[min(ranked)] if ranked else []


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    while count < min(len(one), len(other)) and one[count] == other[count]:
        count += 1
    return count
