"""What questions ask of EMS, in one place. Each name is loaded when it is first used: reach needs no selectors, no lint, no legality."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from topograph.systems.ems.doubt import Doubt
    from topograph.systems.ems.legality import cyclic_parts, duplicates
    from topograph.systems.ems.names import links_down, names_held
    from topograph.systems.ems.publishing import Published, judge, other_readings, publish, stops
    from topograph.systems.ems.reach import all_paths, hop_rows, links, reach_from, turned
    from topograph.systems.ems.subscribers import refusal, subscribers
    from topograph.systems.ems.topics import is_wildcard

DOUBLED = (
    "R20",
    "the routes are illegal as they stand: a server is reached over more than one path, and one of the routes will be refused. "
    "`topograph cycles` lists them.",
)
"""The rule against more than one path, and what an answer says where there is one."""

PROPAGATES = ("topic",)
"""The types of destination that ``propagate`` follows a message to."""

_OFFERED = {
    "doubt": ("Doubt",),
    "legality": ("cyclic_parts", "duplicates"),
    "names": ("links_down", "names_held"),
    "publishing": ("Published", "judge", "other_readings", "publish", "stops"),
    "reach": ("all_paths", "hop_rows", "links", "reach_from", "turned"),
    "subscribers": ("refusal", "subscribers"),
    "topics": ("is_wildcard",),
}
"""The modules of this folder, and what each of them offers here."""

_MODULE_OF = {name: module for module, names in _OFFERED.items() for name in names}


def __getattr__(name: str) -> Any:
    """The name out of its module, which is loaded now."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"topograph.systems.ems.{_MODULE_OF[name]}"), name)
    return found


__all__ = [
    "DOUBLED",
    "PROPAGATES",
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
