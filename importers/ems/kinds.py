"""Which reader reads which kind of sub-file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from topograph.importers.ems.destinations import read_destinations
from topograph.importers.ems.file_reading import FileReading
from topograph.importers.ems.routes import read_routes

READERS: Mapping[str, Callable[[FileReading, str], None]] = {
    "routes": read_routes,
    "topics": partial(read_destinations, kind="topic"),
    "queues": partial(read_destinations, kind="queue"),
}
"""By the parameter of tibemsd.conf that names the file."""

PARTS: Mapping[str, str] = {
    "tibemsd.conf": "main",
    "tibemsd.json": "main",
    "users.conf": "users",
    "groups.conf": "groups",
    "topics.conf": "topics",
    "queues.conf": "queues",
    "acl.conf": "acl_list",
    "factories.conf": "factories",
    "routes.conf": "routes",
    "bridges.conf": "bridges",
    "transports.conf": "transports",
    "tibrvcm.conf": "tibrvcm",
    "durables.conf": "durables",
    "channels.conf": "channels",
    "stores.conf": "stores",
}
"""The part of a bundle that a file of the usual name is."""
