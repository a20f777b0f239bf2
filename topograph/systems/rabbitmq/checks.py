"""What is wrong or risky in the definitions of a network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from topograph.findings import Finding

if TYPE_CHECKING:
    from topograph.systems.rabbitmq.network import Network


def checks(network: Network) -> Sequence[Callable[[], Iterable[Finding]]]:  # noqa: ARG001
    """The checks, each to be run by itself."""
    return ()
