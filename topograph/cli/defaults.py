"""What a command line means where it does not say: which snapshot is written and asked about."""

from __future__ import annotations

DEFAULT_SNAPSHOT = "./topograph.snapshot"

SNAPSHOT_VARIABLE = "TOPOGRAPH_SNAPSHOT"
"""The environment variable that names another one."""
