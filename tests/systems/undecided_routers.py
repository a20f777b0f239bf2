"""A network of routers that the files leave undecided in every way they can: one id twice, edges
of a mesh, a connector to nowhere, another network.
"""

from __future__ import annotations

from pathlib import Path

ROUTERS = {
    # two of one id at C, and D beyond one of them
    "x": ("R", "interior", ["connector c:1 inter-router", "listener r:1 inter-router"]),
    "y": ("R", "interior", ["connector c:1 inter-router"]),
    "c": (
        "C",
        "interior",
        ["listener c:1 inter-router", "listener c:3 inter-router", "listener c:2 edge"],
    ),
    "d": ("D", "interior", ["connector r:1 inter-router"]),
    # two ways of one cost from C to Z, of which one is taken
    "m": ("M", "interior", ["connector c:3 inter-router", "listener m:3 inter-router"]),
    "n": ("N", "interior", ["connector c:3 inter-router", "listener n:3 inter-router"]),
    "z": (
        "Z",
        "interior",
        [
            "connector m:3 inter-router",
            "connector n:3 inter-router",
            "connector far:9 inter-network",
        ],
    ),
    # edges of a mesh, one of them attached
    "e": ("E", "edge", ["connector c:2 edge", "connector f:4 inter-edge"]),
    "f": ("F", "edge", ["listener f:4 inter-edge"]),
    # a part of its own that leads to nowhere
    "p": ("P", "interior", ["connector gone:5 inter-router", "listener p:6 inter-router"]),
    "q": ("Q", "interior", ["connector p:6 inter-router"]),
}


def write(folder: Path) -> None:
    """The configurations, one file a router; a TCP connector at Z."""
    for name, (id_, mode, ends) in ROUTERS.items():
        text = f"router {{\n  mode: {mode}\n  id: {id_}\n}}\n"
        for end in ends:
            kind, address, role = end.split()
            host, _, port = address.partition(":")
            text += f"{kind} {{\n  host: {host}\n  port: {port}\n  role: {role}\n}}\n"
        if name == "z":
            text += "tcpConnector {\n  name: t\n  host: 10.0.0.7\n  port: 8080\n  address: web\n}\n"
        (folder / f"{name}.conf").write_text(text)
