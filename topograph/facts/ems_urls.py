"""Connection URLs of EMS: ``tcp://host:port``, ``ssl://host:port``, ``tcp://port`` and comma
lists of them (ems.md 3.1). Importers check them and systems follow them by this one reading.
"""

from __future__ import annotations

import re
from functools import lru_cache

from topograph.digits import digits
from topograph.records import record

MAX_URL = 1000
"""Characters a connection URL may have (ems.md 3.1)."""

SECURE_SCHEMES = frozenset({"ssl", "tls", "https", "wss"})

LOOPBACK = frozenset({"", "localhost", "127.0.0.1", "::1", "0.0.0.0", "::"})  # noqa: S104
"""Hosts that mean another machine on each machine."""

DEFAULT_PORT = 7222
"""The port of a URL that names none."""

SECONDARY = "secondary_listens"
"""The parameter of tibemsd.json with the URLs of the second member of a fault-tolerant pair."""

MAX_PORT = 65_535
_DIGITS = 5

_URL = re.compile(
    r"""(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://
        (?: \[(?P<six>[0-9A-Fa-f:.%]+)\] | (?P<host>[^:/?\#\s\[\],]*) )
        (?: :(?P<port>[0-9]{1,5}) )?
        (?: [/?\#]\S* )?""",
    re.VERBOSE,
)
_PORT = re.compile("[0-9]+")


@record
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


@lru_cache(maxsize=1 << 14)  # all neighbours of a server name the same URL, and several rules ask
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
    written = match["port"]
    if written is None and match["host"] and _PORT.fullmatch(match["host"]):
        written, host = match["host"], None
    if host is None and written is None:
        return None
    port = None if written is None else digits(written, most=_DIGITS)
    if written is not None and (port is None or port > MAX_PORT):
        return None
    return Endpoint(match["scheme"].lower(), host, port)


@lru_cache(maxsize=1 << 14)
def endpoints(value: str) -> tuple[Endpoint, ...]:
    """The endpoints of a URL or of a comma-separated list of them, in order; none of what is not
    a URL.

    >>> [(end.host, end.port) for end in endpoints("tcp://a:7222,tcp://7223,ssl://[::1],tcp://b")]
    [('a', 7222), (None, 7223), ('::1', None), ('b', None)]
    """
    ends = map(parse_endpoint, split_urls(value))
    return tuple(end for end in ends if end is not None)
