"""Which files of a folder somebody asked to read, or to leave out; ``opening.patterns`` applies
it."""

from __future__ import annotations

from topograph.records import record


@record
class Selection:
    """Patterns that were given for one reading, beside those of the folder itself: files that match
    ``exclude`` are left out; with ``include`` only those that match it are read."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.include or self.exclude)


EVERYTHING = Selection()
