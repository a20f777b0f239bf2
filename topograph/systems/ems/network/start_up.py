"""Servers that do not start with their files (TL-17)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from topograph.facts.ems import EmsBridge
from topograph.rules.ems_findings import DUPLICATE_BRIDGE, TL_17
from topograph.systems.contract.bearing import Concerned

if TYPE_CHECKING:
    from topograph.systems.ems.network.configured import Configured


def not_starting(servers: Mapping[str, Configured]) -> Iterator[Concerned]:
    """The servers that have a bridge twice, by name; the importer has the findings. Linear in the
    bridges."""
    for name in sorted(servers):
        for bridge in servers[name].of(EmsBridge):
            for again in bridge.again:
                text = f"{name} does not start with its files: {again.why}"
                finding = TL_17.at(again.source, text, kind=DUPLICATE_BRIDGE, server=name)
                yield Concerned(DUPLICATE_BRIDGE, finding, name)
                break
