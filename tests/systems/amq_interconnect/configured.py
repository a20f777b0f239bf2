"""Routers as their files configure them."""

from __future__ import annotations


def router(id_, *endpoints, mode="interior"):
    """A router with endpoints ``listener host:port role cost`` and ``connector ...``."""
    text = f"router {{\n  mode: {mode}\n  id: {id_}\n}}\n"
    for endpoint in endpoints:
        kind, address, role, *cost = endpoint.split()
        host, _, port = address.rpartition(":")
        text += f"{kind} {{\n  host: {host}\n  port: {port}\n  role: {role}\n"
        text += f"  cost: {cost[0]}\n" if cost else ""
        text += "}\n"
    return text
