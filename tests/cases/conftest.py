"""The scripts of cases are configuration, not modules."""

from __future__ import annotations

collect_ignore_glob = ["*/*"]
