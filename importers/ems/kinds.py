"""Which reader reads which kind of sub-file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from topograph.importers.ems.access import read_grants, read_groups, read_users
from topograph.importers.ems.bridges import read_bridges
from topograph.importers.ems.destinations import read_destinations
from topograph.importers.ems.durables import read_durables
from topograph.importers.ems.entries import read_entries, read_factories, read_tibrvcm
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.ems.routes import read_routes
from topograph.importers.ems.show import read_show

READERS: Mapping[str, Callable[[EmsFileReading, str], None]] = {
    "routes": read_routes,
    "topics": partial(read_destinations, kind="topic"),
    "queues": partial(read_destinations, kind="queue"),
    "bridges": read_bridges,
    "durables": read_durables,
    "factories": read_factories,
    "acl_list": read_grants,
    "users": read_users,
    "groups": read_groups,
    "stores": partial(read_entries, kind="stores"),
    "channels": partial(read_entries, kind="channels"),
    "transports": partial(read_entries, kind="transports"),
    "tibrvcm": read_tibrvcm,
    "show-routes": read_show,
    "show": read_show,
}
"""By the parameter of tibemsd.conf that names the file, and ``show-routes`` and ``show`` for
what the administration tool prints.
"""

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
