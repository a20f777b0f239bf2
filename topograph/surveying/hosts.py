"""Which host may be which server: where a connection leads to a host that nothing shows to be one
of the servers, and one server alone has a word of the host in its name or folder.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from topograph.surveying.records import HostGuess, SurveyedServer

_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?", re.IGNORECASE)
_PORT = re.compile(r":\d{1,5}\Z")
_OTHERS = re.compile(r"[^a-z0-9]+")


def guessed_hosts(
    rows: Sequence[Mapping[str, object]], servers: Sequence[SurveyedServer]
) -> tuple[HostGuess, ...]:
    """The hosts among the servers that are only named, each with the one server whose name or
    folder has the first label of the host. Linear in the hosts times the servers."""
    found = []
    for row in rows:
        name = str(row["server"])
        host = _PORT.sub("", name)
        if row.get("loaded") or not _HOST.fullmatch(host) or "." not in host:
            continue
        label = _OTHERS.sub("", host.split(".", maxsplit=1)[0].lower())
        fitting = [one for one in servers if label and label in _words(one)]
        if len(fitting) == 1:
            server = fitting[0].server
            found.append(HostGuess(host, server, f"{label} is in the name or folder of {server}"))
    return tuple(dict.fromkeys(found))


def _words(server: SurveyedServer) -> set[str]:
    """The name of a server and of its folders, without what separates their words."""
    folders = [part for one in server.files for part in one.file.split("/")[:-1]]
    return {_OTHERS.sub("", text.lower()) for text in (server.server, *folders)}
