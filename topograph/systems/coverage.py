"""Coverage: whether an object that no loaded file shows is absent, assumed to be absent, or only
not shown; and whether an attribute that an object does not state has its default.

``find`` and ``value`` of a system answer with these records. They are unions: who asks has to match
each of them. Absent and default are concluded nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Generic, TypeVar

from topograph.assumptions import Assumption
from topograph.facts.shown import EVERY, Shown
from topograph.findings import Source
from topograph.records import record

AnyObject = TypeVar("AnyObject")


@record
class Found(Generic[AnyObject]):
    """An object that a loaded file shows or makes."""

    object: AnyObject


@record
class Absent:
    """There is none: the whole of each class in which it would count is shown."""


@record
class AssumedAbsent:
    """There is none, if what the assumptions say is so."""

    assumptions: tuple[Assumption, ...]


@record
class NotShown:
    """Whether there is one, or what it is, no loaded file shows: ``text`` says why, in a sentence
    without its full stop, and ``source`` where."""

    text: str
    source: Source


Sought = Found[AnyObject] | Absent | AssumedAbsent | NotShown
"""What is known of an object that is looked for by its name."""

Missing = Absent | AssumedAbsent | NotShown
"""What is known of an object that no loaded file shows."""


@record
class Stated:
    """An attribute that a loaded file states."""

    value: str


@record
class Default:
    """An attribute that has the product's default, since no file that lists changes states it."""

    value: str


Valued = Stated | Default | NotShown
"""What is known of an attribute of an object."""


class NotShownHere(Exception):
    """What decides is not shown. A walk that meets it goes on as undecided, a lint rule finds
    nothing of the object."""

    def __init__(self, not_shown: NotShown) -> None:
        super().__init__(not_shown.text)
        self.not_shown = not_shown


@record
class Coverage:
    """How much of one class of objects of a server its texts show together."""

    whole: bool = False
    scripted: bool = False
    """Whether a script of definitions makes objects of the class."""
    unended: Shown | None = None
    """A statement of the whole in a text whose end is missing."""
    patterns: tuple[str, ...] = ()
    part: Shown | None = None
    """The first statement of a part."""

    @classmethod
    def union(cls, statements: Iterable[Shown], class_name: str, *, scripted: bool) -> Coverage:
        """What statements of one server say together of a class. ``scripted`` says that some of
        its texts are scripts of definitions, which state nothing. Linear.
        """
        of_class = [one for one in statements if class_name in one.classes or EVERY in one.classes]
        parts = [one for one in of_class if one.extent in ("pattern", "condition", "none")]
        return cls(
            any(one.extent == "whole" for one in of_class),
            scripted or any(one.extent == "script" for one in of_class),
            next((one for one in of_class if one.extent == "unended"), None),
            tuple(dict.fromkeys(one.pattern for one in of_class if one.extent == "pattern")),
            parts[0] if parts else None,
        )

    def over(self, name: str) -> bool:
        """Whether every object of that name is shown."""
        return self.whole or any(fnmatchcase(name, one) for one in self.patterns)


@record(slots=False)
class Coverages:
    """How much of its classes the texts of one server show, worked out once a class.

    ``statements`` are all of them, ``scripted`` says that some of its texts are scripts of
    definitions. ``source`` is the place of the server, ``rule`` what assumptions cite.
    """

    server: str
    statements: tuple[Shown, ...]
    scripted: bool
    source: Source
    rule: str
    _of: dict[str, Coverage] = field(default_factory=dict, compare=False)

    def of(self, class_name: str) -> Coverage:
        """The coverage of a class."""
        if class_name not in self._of:
            self._of[class_name] = Coverage.union(
                self.statements, class_name, scripted=self.scripted
            )
        return self._of[class_name]

    def missing(self, classes: Sequence[str], name: str, what: str) -> Missing:
        """What is known of an object of a name that no text of the server shows, where it would
        count in each of some classes; of an empty name, of all objects that are not shown.
        ``what`` says what it is, as in "queue ORDERS". O(classes).
        """
        if self.scripted and not self.statements:
            return self._absent_of_script
        open_ = [
            one for one in map(self.of, classes) if not (one.over(name) if name else one.whole)
        ]
        if not open_:
            return Absent()
        if all(one.scripted for one in open_):
            return self._absent_of_script
        unended = next((one.unended for one in open_ if one.unended), None)
        if unended is not None and all(one.scripted or one.unended for one in open_):
            text = f"what {unended.said} shows of {self.server} is whole, though its end is missing"
            return AssumedAbsent(
                (Assumption(self.rule, "L", text, f"it was cut off, and there is {what}"),)
            )
        part = next((one.part for one in open_ if one.part), None)
        if part is None:
            return NotShown(
                f"no loaded file shows the {_plural(what, name)} of {self.server}", self.source
            )
        return NotShown(
            f"of the {_plural(what, name)} of {self.server} a part is shown ({part.said})",
            part.source,
        )

    @property
    def unended(self) -> NotShown | None:
        """The first text whose end is missing, so that more may stand there; None without one."""
        for one in self.statements:
            if one.extent == "unended":
                return NotShown(f"the end of {one.said} of {self.server} is missing", one.source)
        return None

    @cached_property
    def _absent_of_script(self) -> AssumedAbsent:
        text = f"the loaded scripts make all objects of {self.server}"
        otherwise = "it has others, which were made before or by scripts that are not loaded"
        return AssumedAbsent((Assumption(self.rule, "M", text, otherwise),))


def _plural(what: str, name: str) -> str:
    return f"{what.removesuffix(f' {name}')}s" if name else what
