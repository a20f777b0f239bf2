"""How much of a class of objects a text shows: what decides whether an object that it does not
show is absent, or only not shown.

Every system whose importer reads output of commands has a kind of fact of its own that derives from
``Shown``, as each kind of fact is of one system. ``systems.coverage`` unites what several texts
show of one server.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from topograph.facts.fact import Fact
from topograph.records import record

Extent = Literal["whole", "pattern", "condition", "none", "unended", "script"]
"""How much of the classes is shown. ``whole``: every object. ``pattern``: every object whose name
fits. ``condition``: those for which something else is true, such as a state at run time: that one
is not among them says nothing. ``none``: single objects. ``unended``: every object, unless the
text, whose end is missing, was cut off. ``script``: a script of definitions makes them, and others
may have been made before."""

EVERY = "*"
"""Stands for all classes, or all attributes."""


@record(kw_only=True)
class Shown(Fact):
    """What one command of a text, or a whole text, shows of some classes of objects of ``server``.

    ``classes`` are those of the system, (``*``,) all of them. ``pattern`` is the generic name of
    the extent ``pattern``, with ``*`` for any characters. ``attributes`` are those asked for of
    each object; (``*``,) all of them. ``said`` is the command as the text repeats it, or what the
    text is: it stands in answers.
    """

    kind: ClassVar[str] = "shown"

    classes: tuple[str, ...]
    extent: Extent
    pattern: str = ""
    attributes: tuple[str, ...] = (EVERY,)
    said: str = ""

    @property
    def label(self) -> str:
        return f"{','.join(self.classes)} {self.pattern}".rstrip()
