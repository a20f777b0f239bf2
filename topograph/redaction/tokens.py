"""Values to tokens: one host, user or client id, and URLs and lists of them.

A token follows from the key and the value alone. Hosts count without regard to case, and ``hub``
and ``hub.example.com`` share the first part of their tokens, because T-13 takes them for one host:
``host-1f0c…`` and ``host-1f0c….77ab…``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import ip_address
from uuid import UUID

from topograph.redaction.key import Key

SET = "(set)"

_OPEN_HOSTS = frozenset({"", "*", "$default", "localhost", "localhost.localdomain"})
_URL = re.compile(
    r"""\s*(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*://)(?P<credentials>\(set\)@)?
        (?P<host>\[[^\]]*\]|[^:/?\#\s\[\],;@()]*)(?P<port>:[0-9]{1,5})?(?P<rest>[/?\#].*)?\s*\Z""",
    re.VERBOSE | re.DOTALL,
)
_WITH_PORT = re.compile(
    r"(?P<scheme>(?:tcp|ssl|amqps?):)?(?P<host>\[[^\]]*\]|[^:\s\[\]/"
    r"@()]*)(?P<port>:(?:[0-9]{1,5}|amqps?)|\([0-9]{1,5}\))?\Z"
)
_PORT = re.compile(r"[0-9]{1,5}\Z|\([0-9]{1,5}\)\Z")
_BETWEEN = re.compile(r"(\s*[,|;]\s*|\s+)")
_BETWEEN_URLS = re.compile(r"((?:(?<!\s)\s++)?[,|]\s*+)")
_RANGE = re.compile(r"(?P<first>[0-9a-fA-F.:]+)-(?P<last>[0-9a-fA-F.:]+)\Z")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")


def canonical_host(text: str) -> str:
    """A host in lower case without brackets; an address in its shortest form.

    >>> canonical_host("[FE80:0::1]"), canonical_host("Hub.Example.com")
    ('fe80::1', 'hub.example.com')
    """
    plain = text.strip().strip("[]").lower()
    try:
        return str(ip_address(plain))
    except ValueError:
        return plain


def is_open(host: str) -> bool:
    """Whether a host says nothing of any machine: loopback, all addresses, none."""
    try:
        address = ip_address(host)
    except ValueError:
        return host in _OPEN_HOSTS
    return address.is_loopback or address.is_unspecified


def is_address(host: str) -> bool:
    """Whether a host is written as an address."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _nobody(_kind: str, _value: str) -> None:
    """Who is told where nobody asks."""


class Tokens:
    """Makes tokens with one key. ``seen`` is told of every host, user and client id that passes,
    with its kind.
    """

    def __init__(self, key: Key, seen: Callable[[str, str], object] = _nobody) -> None:
        self._key = key
        self._seen = seen

    def host(self, text: str) -> str:
        """The token of one host; what names no machine stays."""
        host = canonical_host(text)
        if is_open(host):
            return text.strip()
        self._seen("host", host)
        if is_address(host) or "." not in host:
            return f"host-{self._key.digest('host', host)}"
        label = host.partition(".")[0]
        return f"host-{self._key.digest('host', label)}.{self._key.digest('host', host)}"

    def user(self, text: str) -> str:
        """The token of a user. Linear."""
        self._seen("user", text)
        return f"user-{self._key.digest('user', text)}" if text else text

    def client(self, text: str) -> str:
        """The token of a client id. A random UUID becomes another UUID, for that is how a query
        tool is known (D-7).
        """
        self._seen("client", text)
        digest = self._key.digest("client", text)
        if _UUID.match(text):
            return str(UUID(hex=self._key.digest("uuid", text) + digest + "00000000"))
        return f"client-{digest}" if text else text

    def opaque(self, text: str) -> str:
        """The token of a text that is hidden as a whole."""
        return f"value-{self._key.digest('value', text)}" if text and text != SET else text

    def hosts(self, text: str) -> str:
        """Hosts with or without ports, separated by commas, semicolons or blanks; with URLs
        among them.
        """
        if is_address(text.strip()):
            return self.host(text)
        return "".join(
            part if place % 2 else self._one_of_hosts(part)
            for place, part in enumerate(_BETWEEN.split(text))
        )

    def _one_of_hosts(self, text: str) -> str:
        if text in ("", SET) or _PORT.match(text):
            return text
        if text.startswith(f"{SET}@"):
            return f"{SET}@{self._one_of_hosts(text.removeprefix(f'{SET}@'))}"
        if "://" in text:
            return self.url(text)
        if is_address(canonical_host(text)):
            return self.host(text)
        if text.startswith("*."):
            return f"*.{self.host(text[2:])}"
        found = _RANGE.match(text)
        if found and is_address(found["first"]) and is_address(found["last"]):
            return f"{self.host(found['first'])}-{self.host(found['last'])}"
        return self._with_port(text)

    def _with_port(self, text: str) -> str:
        found = _WITH_PORT.match(text)
        if found is None:
            return self.host(text)
        host = (
            found["host"]
            if _PORT.match(found["host"]) and found["scheme"]
            else self.host(found["host"])
        )
        return f"{found['scheme'] or ''}{host}{found['port'] or ''}"

    def urls(self, text: str) -> str:
        """URLs, separated by commas; what is none is taken for a host."""
        if "://" not in text:
            return self.hosts(text)
        return "".join(
            part if place % 2 else self.url(part)
            for place, part in enumerate(_BETWEEN_URLS.split(text))
        )

    def url(self, text: str) -> str:
        """One URL: scheme and port stay, the host becomes its token, parameters and path are
        hidden.

        A bare number after ``//`` is a port. What does not read as a URL is hidden behind its
        scheme.
        """
        if "://" not in text:
            return self._one_of_hosts(text)
        found = _URL.match(text)
        if found is None:
            scheme, _, rest = text.partition("://")
            known = re.fullmatch(r"\s*[A-Za-z]{1,8}", scheme)
            return f"{scheme if known else self.opaque(scheme)}://{self.opaque(rest)}"
        written = found["host"]
        host = written if _PORT.match(written) and not found["port"] else self.host(written)
        rest = "" if (found["rest"] or "/") == "/" else f"/{self.opaque(found['rest'])}"
        return f"{found['scheme']}{found['credentials'] or ''}{host}{found['port'] or ''}{rest}"
