"""What files are to the service integration bus."""

from __future__ import annotations

from topograph.importers.reading import Role, Use

SYSTEM = "sibus"

SIB_CELL = Role("sib-cell", Use.MAIN, SYSTEM)
"""A document of a cell's configuration: ``sib-bus.xml``, ``sib-destinations.xml``,
``sib-mediations.xml``, ``sib-engines.xml``.
"""

SIB_CELL_PART = Role(
    "sib-cell-part", Use.OBSERVED, SYSTEM, text="a document of a cell's configuration"
)
"""The same, where neither the document nor its folder says of which bus it is: of the one in its
folder.
"""

SIB_SCRIPT = Role("sib-script", Use.MAIN, SYSTEM)
"""A wsadmin script, in Jython or Jacl, that says what a bus has."""

SIB_OUTPUT = Role("sib-output", Use.OBSERVED, SYSTEM)
"""Output of wsadmin: lists of destinations, and what ``show`` says of one."""

SIB_LIBERTY = Role("sib-liberty", Use.MAIN, SYSTEM, included=True)
"""A ``server.xml`` of Liberty with a messaging engine."""
