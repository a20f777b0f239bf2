"""The rows of ``show WHAT``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topograph.systems.rabbitmq.network import Network


def rows(network: Network, what: str) -> Iterator[dict[str, object]] | None:  # noqa: ARG001
    """The rows of a list; None where there is none of it."""
    return None
