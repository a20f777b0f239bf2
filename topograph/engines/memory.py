"""The memory engine: the walks of ``topograph.forwarding.rows``, in this process; needs nothing
running.
"""

from __future__ import annotations

from topograph.forwarding.rows import RowWalks


class MemoryEngine(RowWalks):
    """The embedded default engine."""

    name = "memory"

    def ran(self) -> tuple[()]:
        """See ``Engine.ran``: nothing, there is no database."""
        return ()
