"""What link routes and autolinks of a router may refer to: named connections (C-7)."""

from __future__ import annotations

from collections.abc import Mapping

GENERATED = ("listener/", "connector/")
"""Names that a router gives, and that no entry can refer to."""

CONTAINER_ROLES = frozenset({"route-container", "on-demand", "inter-network"})


def why_never_active(connection: str, container: str, roles: Mapping[str, str]) -> str:
    """Why an entry that names a ``connection`` or a ``container`` never becomes active, in words;
    empty if it may. ``roles`` are those of the router's listeners and connectors by given name.
    """
    if container:
        return ""
    if not connection:
        return "it has neither connection nor containerId"
    if connection.startswith(GENERATED):
        return f"{connection} is a generated name, which cannot be referred to"
    if connection not in roles:
        return f"there is no connector or listener named {connection}"
    if roles[connection] not in CONTAINER_ROLES:
        return f"{connection} has the role {roles[connection]}, not route-container"
    return ""
