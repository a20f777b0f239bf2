"""Where topograph keeps what it fetches and what it runs: the jars of Neo4j, the managed database,
its password and logs.

``TOPOGRAPH_HOME`` names one folder for all of it; without it the XDG data and cache folders are
used.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from topograph.errors import UsageError
from topograph.records import record


@record
class Home:
    """``data`` holds what must not be lost (database, password), ``cache`` what can be fetched
    again (jars).
    """

    data: Path
    cache: Path

    @property
    def neo4j(self) -> Path:
        """The folder of the managed Neo4j server: data, conf, logs, password, state."""
        return self.data / "neo4j"


def home(environment: Mapping[str, str] = os.environ) -> Home:
    """The folders in effect. Raises UsageError if one is named by a user without a home folder
    (``~nosuchuser``).

    >>> home({"TOPOGRAPH_HOME": "/srv/topograph"}).cache.as_posix()
    '/srv/topograph/cache'
    >>> home({"HOME": "/home/ann", "XDG_DATA_HOME": "/data"}).data.as_posix()
    '/data/topograph'
    """
    if own := environment.get("TOPOGRAPH_HOME"):
        try:
            root = Path(own).expanduser().absolute()
        except RuntimeError:
            raise UsageError(
                f"TOPOGRAPH_HOME is {own!r}, and that user has no home folder. Name a folder."
            ) from None
        return Home(root, root / "cache")
    user = Path(environment.get("HOME") or _home_of_user())
    data = _absolute(environment.get("XDG_DATA_HOME")) or user / ".local" / "share"
    cache = _absolute(environment.get("XDG_CACHE_HOME")) or user / ".cache"
    return Home(data / "topograph", cache / "topograph")


def _home_of_user() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise UsageError(
            "This user has no home folder. Name a folder with TOPOGRAPH_HOME."
        ) from None


def _absolute(folder: str | None) -> Path | None:
    """The XDG specification has relative paths ignored."""
    return Path(folder) if folder and Path(folder).is_absolute() else None
