"""What questions ask of EMS, in one place."""

from topograph.systems.ems.doubt import Doubt
from topograph.systems.ems.legality import cyclic_parts, duplicates
from topograph.systems.ems.names import links_down, names_held
from topograph.systems.ems.publishing import publish
from topograph.systems.ems.reach import all_paths, hop_rows, reach_from, turned

__all__ = [
    "Doubt",
    "all_paths",
    "cyclic_parts",
    "duplicates",
    "hop_rows",
    "links_down",
    "names_held",
    "publish",
    "reach_from",
    "turned",
]
