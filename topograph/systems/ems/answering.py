"""What questions ask of EMS, in one place."""

from topograph.systems.ems.doubt import Doubt
from topograph.systems.ems.legality import cyclic_parts, duplicates
from topograph.systems.ems.names import links_down, names_held
from topograph.systems.ems.publishing import Published, judge, other_readings, publish, stops
from topograph.systems.ems.reach import all_paths, hop_rows, links, reach_from, turned
from topograph.systems.ems.subscribers import refusal, subscribers
from topograph.systems.ems.topics import is_wildcard

__all__ = [
    "Doubt",
    "Published",
    "all_paths",
    "cyclic_parts",
    "duplicates",
    "hop_rows",
    "is_wildcard",
    "judge",
    "links",
    "links_down",
    "names_held",
    "other_readings",
    "publish",
    "reach_from",
    "refusal",
    "stops",
    "subscribers",
    "turned",
]
