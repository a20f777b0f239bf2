"""What files are to TIBCO EMS."""

from __future__ import annotations

from topograph.importers.reading import Role, Use

EMS_MAIN = Role("ems-main", Use.MAIN, "ems")
"""tibemsd.conf: names its sub-files."""

EMS_JSON = Role("ems-json", Use.MAIN, "ems")
"""tibemsd.json: complete in itself."""

EMS_SUB_FILE = Role("ems-sub-file", Use.SUB_FILE, "ems", guessed=True)
"""Looks like routes.conf, topics.conf, ...: lines of words do, whatever they are."""

EMS_SHOW_ROUTES = Role(
    "ems-show-routes", Use.OUTPUT, "ems", part="show-routes", text="output of show routes"
)
"""Output of ``show routes``."""

EMS_SHOW = Role("ems-show", Use.OUTPUT, "ems", part="show", text="output of show commands")
"""Output of ``show topics``, ``show consumers`` and the like, ``show routes`` among it."""
