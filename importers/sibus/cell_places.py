"""What the folders of a cell's configuration say: ``cells/CELL/buses/BUS``,
``nodes/NODE/servers/SERVER``, ``clusters/CLUSTER``.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import PurePosixPath


def folder_behind(path: str, name: str) -> str:
    """The folder in the last folder called ``name`` of a path; empty where there is none.

    >>> folder_behind("config/cells/c1/buses/B/sib-bus.xml", "buses")
    'B'
    """
    parts = PurePosixPath(path.replace("!/", "/")).parts[:-1]
    found = [after for folder, after in pairwise(parts) if folder == name]
    return found[-1] if found else ""


def bus_of(path: str) -> str:
    """The bus whose folder a document is in: behind ``buses``, else the document's own folder;
    empty for a file in no folder.
    """
    return folder_behind(path, "buses") or PurePosixPath(path.replace("!/", "/")).parent.name


def liberty_server_of(path: str) -> str:
    """The name of the Liberty server whose ``server.xml`` this is, by its folder; empty where the
    folder does not tell.

    >>> (liberty_server_of("wlp/usr/servers/app1/server.xml"),
    ...  liberty_server_of("app2/src/main/liberty/config/server.xml"))
    ('app1', 'app2')
    """
    named = folder_behind(path, "servers")
    if named:
        return named
    folders = list(PurePosixPath(path.replace("!/", "/")).parts[:-1])
    for built in reversed(_PROJECT):
        if folders and folders[-1] == built:
            folders.pop()
    return folders[-1] if folders else ""


_PROJECT = ("src", "main", "liberty", "config")
"""The folders between a project of Maven or Gradle and its ``server.xml``."""
