"""Paths of this machine, told from URLs of storage elsewhere, which topograph does not read.

Taken for a path, ``s3a://bucket/x`` would be a folder ``s3a:`` in the working directory.
"""

from __future__ import annotations

import os
import re

from topograph.credentials import without_user_info
from topograph.errors import UsageError

_URL = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*)://|"
    # with a single slash those only that are written so: REV:/FOLDER is a revision with a mistake
    r"(?P<short>file|dbfs|hdfs|webhdfs|viewfs|har|s3[an]?|abfss?|wasbs?|adl|gs|oss|cosn?|obs|o3fs|ofs):/",
    re.IGNORECASE,
)


def refused(text: str) -> str | None:
    """Why a text is not a path of this machine, and what to do; None for a path.

    >>> refused("/mnt/estate"), refused("./s3a:/estate"), refused("HEAD~1:conf")
    (None, None, None)
    >>> refused("file:///mnt/estate")
    "'file:///mnt/estate' is a URL, not a path. Use the path alone, such as /mnt/estate."
    """
    found = _URL.match(text)
    if found is None:
        return None
    shown = without_user_info(text, urls_only=True)
    scheme = found["scheme"] or found["short"]
    if scheme.lower() == "file":
        rest = shown[len(scheme) + 1 :]
        return f"{shown!r} is a URL, not a path. Use the path alone, such as /{rest.lstrip('/')}."
    return (
        f"{shown!r} is a URL: topograph does not read or write {scheme}: storage. Use a path of "
        "mounted storage, or copy the files to this machine. For a local file or folder of that "
        "name, write ./ before it."
    )


def check_local(*paths: str | os.PathLike[str] | None) -> None:
    """Raises UsageError for a URL among paths."""
    for path in paths:
        if path is not None and (why := refused(os.fspath(path))):
            raise UsageError(why)
