"""Where what questions work out of a network is kept for later ones, if its facts come from where
that can be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from topograph.tracing.kept_endings import Columns, Written


class Keeping(Protocol):
    """Where tables of one network are kept, by name."""

    def find(self, what: str, /) -> Mapping[str, Columns] | None:
        """The tables that were kept; None where there are none."""
        ...

    def keep(self, what: str, tables: Mapping[str, Mapping[str, Written]], /) -> None:
        """Keep tables, if that is possible."""
        ...


@runtime_checkable
class KeptSource(Protocol):
    """Facts that are read from where tables can be kept beside them."""

    @property
    def keeping(self) -> Keeping | None:
        """Where that is; None where nothing is kept."""
        ...
