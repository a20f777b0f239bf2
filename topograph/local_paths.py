"""Paths of this machine, told from URLs of storage elsewhere. ``topograph import`` reads and writes
such storage through Spark; everything else refuses URLs.

Taken for a path, ``s3a://bucket/x`` would be a folder ``s3a:`` in the working directory.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote

from topograph.credentials import without_user_info
from topograph.errors import UsageError

_STORAGE = (
    "dbfs|hdfs|webhdfs|swebhdfs|viewfs|har|s3[an]?|abfss?|wasbs?|adl|gs|oss|cosn?|obs|o3fs|ofs"
)
"""Schemes of storage that Hadoop has file systems for."""

_URL = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*)://|"
    # with a single slash those only that are written so: REV:/FOLDER is a revision with a mistake
    rf"(?P<short>file|{_STORAGE}):/",
    re.IGNORECASE,
)
_IS_STORAGE = re.compile(_STORAGE, re.IGNORECASE)

_COPIED = {
    "s3a": "aws s3 sync s3://{rest} FOLDER",
    "s3": "aws s3 sync s3://{rest} FOLDER",
    "gs": "gcloud storage cp -r gs://{rest} FOLDER",
    "hdfs": "hdfs dfs -get {url} FOLDER",
}
"""How files of a scheme are copied to this machine."""


def scheme_of(text: str) -> str | None:
    """The scheme of a URL, in lower case; None for a path.

    >>> scheme_of("S3A://bucket/x"), scheme_of("hdfs:/x"), scheme_of("/mnt/x"), scheme_of("HEAD~1:conf")
    ('s3a', 'hdfs', None, None)
    """  # noqa: E501
    found = _URL.match(text)
    return (found["scheme"] or found["short"]).lower() if found is not None else None


def storage_or_path(text: str) -> str:
    """What an import takes: the URL of storage that Spark reads, or a path. A URL of a file of this
    machine is that file's path; so is one of DBFS where that is mounted. Raises UsageError for any
    other URL.

    >>> storage_or_path("s3a://bucket/estate"), storage_or_path("file:///mnt/a%20b"), storage_or_path("conf")
    ('s3a://bucket/estate', '/mnt/a b', 'conf')
    """  # noqa: E501
    scheme = scheme_of(text)
    if scheme is None:
        return text
    rest = text.partition(":")[2]
    if scheme == "file" and (rest.startswith("///") or not rest.startswith("//")):
        return "/" + unquote(rest).lstrip("/")
    if scheme == "dbfs" and Path("/dbfs").is_dir():
        return "/dbfs/" + rest.lstrip("/")
    if _IS_STORAGE.fullmatch(scheme):
        return f"{scheme}:{rest}"
    raise UsageError(
        f"{without_user_info(text, urls_only=True)!r} is a URL of no storage that Spark reads. Use "
        "a path, or a URL such as s3a://BUCKET/FOLDER, abfss://…, gs://… or hdfs://…."
    )


def is_storage(text: str) -> bool:
    """Whether a text is the URL of storage that ``storage_or_path`` leaves as it is."""
    scheme = scheme_of(text)
    return scheme is not None and _IS_STORAGE.fullmatch(scheme) is not None


def copying(url: str) -> str:
    """The command that copies what lies at the URL of storage to this machine.

    >>> copying("s3a://bucket/x")
    'aws s3 sync s3://bucket/x FOLDER'
    """
    shown = without_user_info(url, urls_only=True)
    rest = shown.partition(":")[2].lstrip("/")
    command = _COPIED.get(scheme_of(url) or "", "hadoop fs -get {url} FOLDER")
    return command.format(rest=rest, url=shown)


def refused(text: str) -> str | None:
    """Why a text is not a path of this machine, and what to do; None for a path.

    >>> refused("/mnt/estate"), refused("./s3a:/estate"), refused("HEAD~1:conf")
    (None, None, None)
    >>> refused("file:///mnt/estate")
    "'file:///mnt/estate' is a URL, not a path. Use the path alone, such as /mnt/estate."
    """
    scheme = scheme_of(text)
    if scheme is None:
        return None
    shown = without_user_info(text, urls_only=True)
    rest = shown[len(scheme) + 1 :].lstrip("/")
    if scheme == "file":
        return f"{shown!r} is a URL, not a path. Use the path alone, such as /{rest}."
    if not is_storage(text):
        return (
            f"{shown!r} is a URL: topograph does not read or write {scheme}: storage. Use a path "
            "of mounted storage, or copy the files to this machine. For a local file or folder of "
            "that name, write ./ before it."
        )
    return (
        f"{shown!r} is a URL: only topograph import reads and writes {scheme}: storage. Copy it to "
        f"this machine ({copying(text)}), or use a path of mounted storage. For a local file or "
        "folder of that name, write ./ before it."
    )


def check_local(*paths: str | os.PathLike[str] | None) -> None:
    """Raises UsageError for a URL among paths."""
    for path in paths:
        if path is not None and (why := refused(os.fspath(path))):
            raise UsageError(why)
