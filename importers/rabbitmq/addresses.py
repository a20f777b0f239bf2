"""URIs of AMQP brokers (rabbitmq.md 1.4): where they lead, without users and passwords."""

from __future__ import annotations

import re
from urllib.parse import unquote

from topograph.facts.rabbitmq import RabbitAddress

_URI = re.compile(
    r"(?P<scheme>amqps?)://(?:(?P<user>[^@/?#]*+)@)?"
    r"(?P<host>\[[^\]]*+\]|[^:/?#]*+)(?::(?P<port>\d*+))?(?:/(?P<vhost>[^?#]*+))?(?:[?#].*+)?\Z",
    re.IGNORECASE | re.DOTALL,
)


def address(uri: str) -> RabbitAddress:
    """Where a URI leads. Raises ValueError for one that is not of this form; its text is never
    part of the message.

    >>> address("amqp://u:secret@Mq1:5673/%2fprod")
    RabbitAddress(host='mq1', port='5673', vhost='/prod')
    >>> address("amqp://"), address("amqp:///b")
    (RabbitAddress(host='', port='', vhost=None), RabbitAddress(host='', port='', vhost='b'))
    """
    found = _URI.match(_with_its_secret_quoted(uri.strip()))
    if found is None:
        raise ValueError("a URI that is not of the form amqp://HOST:PORT/VHOST")
    vhost = found["vhost"]
    return RabbitAddress(
        unquote(found["host"]).strip("[]").lower(),
        found["port"] or "",
        None if vhost is None else unquote(vhost),
    )


def _with_its_secret_quoted(uri: str) -> str:
    """A URI whose password may have an ``@``: only the last one is before the host."""
    scheme, separator, rest = uri.partition("://")
    place, slash, behind = rest.partition("/")
    user, at, host = place.rpartition("@")
    return f"{scheme}{separator}{user.replace('@', '%40')}{at}{host}{slash}{behind}"


def addresses(value: object) -> tuple[RabbitAddress, ...]:
    """Those of a URI or a list of URIs. Raises ValueError or TypeError."""
    uris = value if isinstance(value, list) else [value]
    texts = [one for one in uris if isinstance(one, str)]
    if not texts or len(texts) < len(uris):
        raise TypeError("a URI that is not text")
    return tuple(map(address, texts))
