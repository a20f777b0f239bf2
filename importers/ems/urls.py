"""Connection URLs of EMS: ``tcp://host:port``, ``ssl://host:port``, ``tcp://port`` and comma
lists of them (ems.md 3.1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

MAX_URL = 1000
"""Characters a connection URL may have (ems.md 3.1)."""

SECURE_SCHEMES = frozenset({"ssl", "tls", "https", "wss"})

_URL = re.compile(
    r"""(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://
        (?: \[(?P<six>[0-9A-Fa-f:.%]+)\] | (?P<host>[^:/?\#\s\[\],]*) )
        (?: :(?P<port>[0-9]{1,5}) )?
        (?: [/?\#]\S* )?""",
    re.VERBOSE,
)
_PORT = re.compile("[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a URL leads. ``host`` is None for the default host (``tcp://7022``), ``port`` None
    where none is stated.
    """

    scheme: str
    host: str | None
    port: int | None


def split_urls(value: str) -> tuple[str, ...]:
    """The URLs of a comma-separated list, in order, without blanks and empty entries."""
    return tuple(url for part in value.split(",") if (url := part.strip()))


@lru_cache(maxsize=4096)  # a route's URL is asked about by several checks
def parse_endpoint(url: str) -> Endpoint | None:
    """The endpoint of one URL, or None if it is not one. A bare number after ``//`` is a port (note
    the missing colon).

    >>> parse_endpoint("tcp://7022")
    Endpoint(scheme='tcp', host=None, port=7022)
    >>> (parse_endpoint("ssl://[::1]:7243"), parse_endpoint("http://:8080"),
    ...  parse_endpoint("nonsense"))
    (Endpoint(scheme='ssl', host='::1', port=7243), Endpoint(scheme='http', host=None, port=8080), None)
    """  # noqa: E501
    match = _URL.fullmatch(url.strip())
    if match is None:
        return None
    host = match["six"] or match["host"] or None
    port = int(match["port"]) if match["port"] else None
    if port is None and host is not None and match["six"] is None and _PORT.fullmatch(host):
        port, host = int(host), None
    if (host is None and port is None) or (port is not None and port > 65_535):
        return None
    return Endpoint(match["scheme"].lower(), host, port)
