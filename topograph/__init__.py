"""topograph: "Batfish for messaging". Ask, offline and before a change, what messaging configurations will do.

Start reading at ``topograph.network`` (files to answers in one process) and ``docs/architecture.md`` (the map).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from topograph.network import Network as Network
    from topograph.network import open as open
    from topograph.network import read as read

__all__ = ["Network", "__version__", "open", "read"]


def __getattr__(name: str) -> Any:
    """Load the public names on first use, so that ``import topograph`` stays cheap for the command line."""
    if name in ("Network", "open", "read"):
        import topograph.network

        return getattr(topograph.network, name)
    raise AttributeError(f"module 'topograph' has no attribute {name!r}")
