"""Where messages are in a cluster: an exchange or a queue of a virtual host, and how it is named
(rabbitmq.md 1.2).
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote

DEFAULT_VHOST = "/"

DEFAULT_EXCHANGE = ""
"""The name of the exchange that has none."""

EXCHANGE, QUEUE = "exchange", "queue"

PREDECLARED = {
    DEFAULT_EXCHANGE: "direct",
    "amq.direct": "direct",
    "amq.fanout": "fanout",
    "amq.topic": "topic",
    "amq.headers": "headers",
    "amq.match": "headers",
    "amq.rabbitmq.trace": "topic",
}
"""The exchanges that every virtual host has, with their types; definitions leave them out."""

INTERNAL = frozenset({"amq.rabbitmq.trace"})
"""Those of them that no client publishes to."""

_SHOWN_DEFAULT = "amq.default"
"""What the default exchange is called in permissions, and here."""


class Place(NamedTuple):
    """An exchange or a queue of a cluster."""

    server: str
    vhost: str
    type: str
    name: str

    @property
    def label(self) -> str:
        """As questions name it: ``exchange:NAME``, or ``exchange:VHOST/NAME``."""
        return f"{self.type}:{self.short}"

    @property
    def short(self) -> str:
        """The same without its type."""
        name = self.name
        if self.type == EXCHANGE and name == DEFAULT_EXCHANGE:
            name = _SHOWN_DEFAULT
        return shown(self.vhost, name)

    def exchange(self, name: str) -> Place:
        """An exchange of the same virtual host."""
        return Place(self.server, self.vhost, EXCHANGE, name)

    def queue(self, name: str) -> Place:
        """A queue of the same virtual host."""
        return Place(self.server, self.vhost, QUEUE, name)


def shown(vhost: str, name: str) -> str:
    """A name with its virtual host; that of ``/`` is left out where nothing else could be meant.

    >>> shown("/", "orders"), shown("prod", "orders"), shown("/", "a/b"), shown("x/y", "q")
    ('orders', 'prod/orders', '%2F/a/b', 'x%2Fy/q')
    """
    if vhost == DEFAULT_VHOST and "/" not in name:
        return name
    return f"{vhost.replace('%', '%25').replace('/', '%2F')}/{name}"


def parsed(text: str) -> tuple[str, str]:
    """(virtual host, name) of what ``shown`` gives.

    >>> [parsed(text) for text in ("orders", "prod/orders", "%2F/a/b", "x%2Fy/q")]
    [('/', 'orders'), ('prod', 'orders'), ('/', 'a/b'), ('x/y', 'q')]
    """
    vhost, slash, name = text.partition("/")
    return (unquote(vhost), name) if slash else (DEFAULT_VHOST, text)


def place_of(server: str, type_: str, text: str) -> Place:
    """The place that a question names."""
    vhost, name = parsed(text)
    if type_ == EXCHANGE and name == _SHOWN_DEFAULT:
        name = DEFAULT_EXCHANGE
    return Place(server, vhost, type_, name)
