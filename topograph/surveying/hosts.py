"""Which host may be which server: the entries of ``hosts`` that findings suggest, and where they
leave the server open, the one server that has the host's first label in its name or folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from topograph.surveying.records import HostGuess, SurveyedServer

_UNDER_HOSTS = "under hosts: "
"""What stands before an entry that a finding suggests."""
_ENTRY = re.compile(r'"?([A-Za-z0-9][A-Za-z0-9.:_-]{0,250})"?: (\S.*)')
_PORT = re.compile(r":\d{1,5}\Z")
_OTHERS = re.compile(r"[^a-z0-9]+")


def guessed_hosts(
    findings: Iterable[Mapping[str, object]], servers: Sequence[SurveyedServer]
) -> tuple[HostGuess, ...]:
    """The hosts that findings suggest an entry for, each with one server, in the order of the
    findings. Linear in the hosts times the servers."""
    known = {one.server for one in servers}
    found: dict[str, HostGuess] = {}
    for finding in findings:
        _, said, entries = str(finding.get("message", "")).partition(_UNDER_HOSTS)
        suggested = [match for one in entries.split(" or ") if (match := _ENTRY.match(one))]
        if not said or not suggested:
            continue
        host = suggested[0][1]
        meant = [match[2].strip('"') for match in suggested]
        likely = [name for name in meant if name in known]
        because = "the only one that it may be, by its port and role"
        if len(likely) != 1 or len(meant) > 1:
            label = _OTHERS.sub("", _PORT.sub("", host).split(".", maxsplit=1)[0].lower())
            likely = [one.server for one in servers if label and label in _words(one)]
            because = f"{label} is its name or that of its folder"
        if len(likely) == 1:
            found.setdefault(host, HostGuess(host, likely[0], because))
    return tuple(found.values())


def _words(server: SurveyedServer) -> set[str]:
    """The name of a server and of its folders, without what separates their words."""
    folders = [part for one in server.files for part in one.file.split("/")[:-1]]
    return {_OTHERS.sub("", text.lower()) for text in (server.server, *folders)}
