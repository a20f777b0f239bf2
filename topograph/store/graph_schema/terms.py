"""What labels and types of relationships are described with."""

from __future__ import annotations

from topograph.records import record

OBJECT = "Object"
"""The second label of what servers have beside destinations: by it such nodes are written, found
by key, and deleted."""

KEY = "key"


@record
class Property:
    """A property and what it says."""

    name: str
    says: str


@record
class Label:
    """A label: what its nodes are, their properties, and a statement that shows some of them
    (parameter ``network``). ``unique`` are the properties that tell two nodes apart, ``more`` those
    of a second constraint, ``indexed`` those of an index; ``object`` says that its nodes have the
    label OBJECT too, whose constraint then counts. ``inner`` marks what is for topograph itself."""

    name: str
    is_: str
    properties: tuple[Property, ...]
    example: str
    unique: tuple[str, ...] = ("publish", KEY)
    more: tuple[str, ...] = ()
    indexed: tuple[str, ...] = ()
    object: bool = False
    inner: bool = False


@record
class Relationship:
    """A type of relationship between nodes of some labels. ``unique`` are the properties that tell
    two apart where a constraint keeps them so."""

    name: str
    start: tuple[str, ...]
    end: tuple[str, ...]
    says: str
    properties: tuple[Property, ...] = ()
    unique: tuple[str, ...] = ()
    inner: bool = False


def properties(**said: str) -> tuple[Property, ...]:
    """Properties by name; a name that is a word of Python ends in ``_``."""
    return tuple(Property(name.rstrip("_"), text) for name, text in said.items())


KEYED = properties(
    publish="the publishing run that wrote it; every node and relationship of one has the same",
    key="its own name within the publishing run; the same thing has the same key in every snapshot",
    network="the network",
)

PLACED = properties(
    file="the file that says it, relative to the imported folder",
    line="its line; 0: the whole file",
)
