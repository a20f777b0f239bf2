"""Batfish for messaging: ask, offline and before a change, what messaging configurations will do.

``read`` makes a ``Network`` of a folder of configuration files, ``open`` one of a snapshot that
``topograph import`` wrote. A network is asked by its methods (``reach``, ``hops``, ``paths``,
``cycles``, ``interests``, ``propagate``, ``check``, ``show``); every answer is a frozen record with
``to_dict()`` and ``to_frame()``:

    >>> import topograph                                                     # doctest: +SKIP
    >>> network = topograph.read("examples/orders")                          # doctest: +SKIP
    >>> network.propagate("HUB", "topic:orders", {"country": "Canada"}).deliveries[0].server   # doctest: +SKIP
    'Canada'

``survey`` says what a folder holds before it is asked, ``history`` what each commit of its
repository changed, ``bisect`` which commit broke what was expected. ``to_networkx()`` and ``view()`` give the network to networkx and as a picture. Errors are those of
``topograph.errors``. To read the code begin with ``topograph.network`` and
``docs/architecture.md``.
"""  # noqa: E501

# Nothing else is imported here, not even __future__ or typing, which could come from the working
# directory.
from topograph.search_paths import leave_out_place_of_module

leave_out_place_of_module()

from topograph.version import __version__  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:  # as type checkers read it, without an import of typing
    from typing import Any

    from topograph.histories.bisecting import bisect as bisect
    from topograph.histories.following import history as history
    from topograph.network import Network as Network
    from topograph.network import compare as compare
    from topograph.network import open as open
    from topograph.network import read as read
    from topograph.surveying.found import survey as survey

__all__ = ["Network", "__version__", "bisect", "compare", "history", "open", "read", "survey"]


def __getattr__(name: str) -> "Any":
    """Load the public names on first use, so that ``import topograph`` stays cheap for the
    command line.
    """
    if name in ("Network", "compare", "open", "read"):
        import topograph.network

        return getattr(topograph.network, name)
    if name == "survey":
        from topograph.surveying.found import survey

        return survey
    if name == "history":
        from topograph.histories.following import history

        return history
    if name == "bisect":
        from topograph.histories.bisecting import bisect

        return bisect
    raise AttributeError(f"module 'topograph' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names too, so that a notebook completes them before they are used."""
    return sorted({*globals(), *__all__})
