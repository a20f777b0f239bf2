"""What supplies walks: the contract between engines and systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from topograph.forwarding.graph import Closed, Walk


class Walker(Protocol):
    """Walks over one forwarding graph; all numbers are its point numbers."""

    def walk(self, starts: Sequence[int], closed: Closed) -> Walk:
        """All points reachable from ``starts`` over open forwards, with the least number of hops
        from any start.

        The starts themselves are part of the walk with 0 hops, even if closed. A closed point is
        not entered.
        """
        ...

    def walk_back(self, targets: Sequence[int], closed: Closed) -> Walk:
        """All points from which a target can be reached, with the least number of hops to any
        target.

        The targets are part of the walk with 0 hops, even if closed. A forward into a closed point
        is not taken, so that a closed point other than a target is not part of the walk.
        """
        ...

    def adjacency(self, points: Sequence[int], closed: Closed) -> Mapping[int, Sequence[int]]:
        """The open forwards between the given points: point to its successors in ascending
        order.
        """
        ...

    def onward(self, points: Sequence[int], closed: Closed) -> Mapping[int, Sequence[int]]:
        """The open forwards out of the given points, all that a walk passes: point to its
        successors in ascending order. May hold more points, and look a row up only when it is
        read."""
        ...

    def ahead(self, starts: Sequence[int], closed: Closed) -> Walker | None:
        """For walks from each of ``starts`` alone, all under ``closed``: a walker that fetches many
        of them at a time.

        None where whoever asks had better use the graph in this process: its walks are made
        there, or they are too many."""
        ...
