"""Failures of systems that go step by step, answered by a trace of each message alone: what is
worked out for many messages together is compared with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from topograph.systems.stepping.failures import SteppingFailures


@contextmanager
def by_traces() -> Iterator[None]:
    """Where this holds, no ending is worked out with those of others."""
    with patch.object(SteppingFailures, "_ends_are_shared", False):
        yield
