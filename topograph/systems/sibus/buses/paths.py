"""Routing paths. A path is shared: what is left of it after an element is popped is the same
object for whoever pops it, so that a path of n elements costs n cells however far a message has
got."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from topograph.message import Address
from topograph.records import record

WRITTEN = 40
"""Elements that a state writes out; of a longer path it has the number of elements and a digest
of them.
"""

SHOWN = 8
"""Elements that a text names."""


@record(eq=False, repr=False)
class Path:
    """A routing path that is not empty: its first element and what comes after it. ``digest``
    names its content.
    """

    head: Address
    rest: Path | None
    length: int
    digest: str

    def __iter__(self) -> Iterator[Address]:
        left: Path | None = self
        while left is not None:
            yield left.head
            left = left.rest


class PathTable:
    """All paths of one network: equal paths are one object. ``written`` and ``read_back`` are
    texts of states and what they say, for who makes them.
    """

    def __init__(self) -> None:
        self._cells: dict[tuple[Address, str], Path] = {}
        self._named: dict[str, Path] = {}
        self.written: dict[object, str] = {}
        self.read_back: dict[str, object] = {}

    def before(self, head: Address, rest: Path | None) -> Path:
        """The path that begins with ``head``. O(1)."""
        key = head, rest.digest if rest else ""
        found = self._cells.get(key)
        if found is None:
            text = f"{len(head.bus)}:{head.bus}{len(head.destination)}:{head.destination}{key[1]}"
            digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
            found = self._cells[key] = Path(head, rest, 1 + (rest.length if rest else 0), digest)
            self._named[digest] = found
        return found

    def of(self, elements: Iterable[Address], rest: Path | None = None) -> Path | None:
        """The path of some elements, followed by ``rest``; None for the empty one. Linear in the
        elements.
        """
        for one in reversed(tuple(elements)):
            rest = self.before(one, rest)
        return rest

    def write(self, path: Path | None) -> object:
        """A path as JSON: its elements, or length and digest of a long one. At most ``WRITTEN``
        elements are looked at.
        """
        if path is not None and path.length > WRITTEN:
            return {"elements": path.length, "next": str(path.head), "digest": path.digest}
        return [[one.bus, one.destination] for one in path or ()]

    def read(self, written: object) -> Path | None:
        """The path of what ``write`` gave for it."""
        if isinstance(written, dict):
            return self._named[str(written["digest"])]
        assert isinstance(written, list)
        return self.of(Address(bus, name) for bus, name in written)


def shown(path: Path | None, bus: str) -> str:
    """A path for people, elements of ``bus`` without its name."""
    if path is None:
        return "empty"
    names = []
    for number, one in enumerate(path):
        if number == SHOWN:
            names.append(f"and {path.length - SHOWN:,} more")
            break
        names.append(shown_address(one, bus))
    return ", ".join(names)


def shown_address(address: Address, bus: str) -> str:
    """``NAME``, or ``NAME@BUS`` of another bus than ``bus``."""
    return (
        address.destination if address.bus in ("", bus) else f"{address.destination}@{address.bus}"
    )
