"""What a script or a cell's documents describe a bus as."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from topograph.facts.fact import Fact
from topograph.facts.sibus import SECTIONS, SibusBus
from topograph.systems.contract.described import Described, contents, one_of


def describe(facts: Sequence[Fact]) -> Described | None:
    """See ``contract.described.Describe``. A script that makes the bus says all of it: another one
    that makes it, too, fails on that bus, so that it is of another cell or another time. Of the
    documents of a cell each says a part; buses of one name with two uuids, or in two cells, are
    two.
    """
    bus = one_of(facts, SibusBus)
    if bus is None:
        return None
    if set(bus.complete) >= set(SECTIONS):
        return Described(bus.source, contents(facts))
    parts: dict[Hashable, Hashable] = {"uuid": bus.uuid, "cell": bus.cell}
    return Described(bus.source, {key: value for key, value in parts.items() if value}, whole=False)
