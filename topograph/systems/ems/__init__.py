"""TIBCO EMS: links and zones, guards, the forwards of topics, legality, names, lint (ems.md).

Read ``links`` (facts to links), ``guards`` (what a link asks of a message), ``compile`` and ``assemble`` (the graph), ``legality``.
"""

from topograph.systems.ems.assemble import assemble
from topograph.systems.ems.compile import compile
from topograph.systems.ems.names import known_names, names_are_unique

__all__ = ["assemble", "compile", "known_names", "names_are_unique"]
