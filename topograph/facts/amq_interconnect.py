"""What configurations and dumps of AMQ Interconnect routers say (amq_interconnect.md section 1)."""

from __future__ import annotations

from typing import ClassVar

from topograph.facts import shown
from topograph.facts.fact import Fact, Pairs
from topograph.records import record

ADDRESS = "address"
"""The type of the entities that configure addresses: by far the most of a large network."""


def type_of(label: str) -> str:
    """The type of the entity with a label (``Entity.label``)."""
    return label.partition(" ")[0]


def address_of(label: str) -> tuple[str, str]:
    """``prefix`` or ``pattern`` and its text, of the label of an address entry; two empty texts for
    an entry that has neither.

    >>> address_of("address pattern a/*/b"), address_of("address without address/3")
    (('pattern', 'a/*/b'), ('', ''))
    """
    _, key, text = label.split(" ", 2)
    return ("", "") if key == "without" else (key, text)


@record(kw_only=True)
class Entity(Fact):
    """One entity of a router configuration or dump: ``type`` is the short name (``router``,
    ``listener``, ``connector``, ``address``, ``linkRoute``, ``autoLink``, ...; run-time entities
    as ``router.node``, ``router.link``, ``connection``), ``name`` its given or generated name
    (section 1), ``attributes`` the attributes in effect in the schema's spelling, defaults
    included; lists and maps are compact JSON. ``stated`` are those that the file wrote.
    ``server`` is the router id. ``origin`` is ``file`` for a configuration that a router would
    start from, ``dump`` for what a router said of itself while it ran (management query or
    qdstat)."""

    system: ClassVar[str] = "amq_interconnect"
    kind: ClassVar[str] = "entity"
    type: str
    name: str
    attributes: Pairs = ()
    stated: tuple[str, ...] = ()
    origin: str = "file"

    @property
    def label(self) -> str:
        """The type, and for an address entry ``prefix`` or ``pattern`` with its text, for others
        the name: so that a table of facts can be searched for the entries of an address
        (``address_of``) without any of them being decoded.

        >>> from topograph.findings import Source
        >>> Entity(bundle="", server="A", source=Source(""), type="address", name="a", attributes=(("prefix", "orders"),)).label
        'address prefix orders'
        """  # noqa: E501
        if self.type != ADDRESS:
            return f"{self.type} {self.name}"
        for key in ("prefix", "pattern"):
            if text := self.get(key):
                return f"{ADDRESS} {key} {text}"
        return f"{ADDRESS} without {self.name}"

    def get(self, attribute: str, default: str = "") -> str:
        """The value in effect, or ``default``. Linear in the number of attributes (a dozen)."""
        return next((value for key, value in self.attributes if key == attribute), default)


@record(kw_only=True)
class Shown(shown.Shown):
    """How much output of tools shows of a running router (D-1, 3.5). ``classes`` are short types of
    entities, as in ``Entity.type``.
    """

    system: ClassVar[str] = "amq_interconnect"


FACTS: tuple[type[Fact], ...] = (Entity, Shown)
"""Every kind of fact of this system."""
