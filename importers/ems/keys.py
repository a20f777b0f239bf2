"""The keys that EMS files are known to have, and what is kept and shown of the values of others.

An unknown key may be a misspelt password: of its value only what cannot be one is kept
(``lexical.kept_unknown``).
"""

from __future__ import annotations

from functools import lru_cache

from topograph.credentials import SET
from topograph.importers import lexical
from topograph.importers.ems.parameters import KNOWN, TELLING
from topograph.importers.lexical import Line

_TLS = (
    "identity", "issuer", "private_key", "trusted", "verify_host", "verify_hostname",
    "expected_hostname", "ciphers", "vendor", "trace",
    "debug_trace", "pkcs_type", "use_cert_username", "cert_user_specname", "server_identity",
    "server_issuer", "server_trusted",
)  # fmt: skip
TLS_KEYS = frozenset(f"{start}_{name}" for start in ("ssl", "tls") for name in _TLS)
"""TLS properties of routes, factories and servers whose values are no secrets."""

_ROUTES = {
    "url",
    "zone_name",
    "zone_type",
    "topic_prefetch",
    "selector",
    "incoming_topic",
    "outgoing_topic",
}
_DESTINATIONS = {
    "global", "secure", "exclusive", "sender_name", "sender_name_enforced", "failsafe", "maxbytes",
    "maxmsgs", "overflowpolicy", "prefetch",
    "flowcontrol", "store", "expiration", "import", "export", "trace", "channel", "maxredelivery",
    "redeliverydelay",
}  # fmt: skip
_DURABLES = {"clientid", "nolocal", "route"}
_BRIDGES = {"source", "target"}
_ACCESS = {"topic", "queue", "admin", "user", "group", "perm"}
_FACTORIES = {
    "type", "clientid", "connect_attempt_count", "connect_attempt_delay", "connect_attempt_timeout",
    "reconnect_attempt_count",
    "reconnect_attempt_delay", "reconnect_attempt_timeout", "multicast_enabled", "multicast_daemon",
    "metric", "username", "user_name",
}  # fmt: skip
_STORES = {
    "file", "mode", "file_crc", "file_minimum", "file_truncate", "file_destination_defrag",
    "processor_id", "scan_iter_interval",
    "scan_target_interval", "dbstore_driver_name", "dbstore_driver_dialect",
    "dbstore_driver_username", "dbstore_driver_url",
}  # fmt: skip
_CHANNELS = {"address", "interface", "ttl", "priority", "maxrate", "maxtime"}
_TRANSPORTS = {
    "topic_import_dm", "queue_import_dm", "export_headers", "export_properties", "rv_tport",
    "service", "network", "daemon", "cm_name",
    "ledger_file", "sync_ledger", "request_old", "default_ttl", "server_names", "listener",
    "subject", "explicit_config_only",
}  # fmt: skip
KEYS = frozenset(
    {*KNOWN, *TELLING, *TLS_KEYS, *_ROUTES, *_DESTINATIONS, *_DURABLES, *_BRIDGES, *_ACCESS,
        *_FACTORIES, *_STORES, *_CHANNELS, *_TRANSPORTS}
)  # fmt: skip
"""Every known key in lower case."""


def is_known(key: str) -> bool:
    """Whether some EMS file has this key; in JSON ``ssl.identity`` is ``ssl_identity``."""
    lower = key.lower()
    return lower in KEYS or lower.replace(".", "_") in KEYS or lower.rpartition(".")[2] in KEYS


def kept(key: str, value: str) -> str:
    """The value of a key as it may be kept.

    >>> kept("url", "tcp://u:p@a:1"), kept("zone", "tiger"), kept("zone", "7"), kept("ssl_password", "7")
    ('tcp://(set)@a:1', '(set)', '7', '(set)')
    """  # noqa: E501
    return _kept_of_many(key, value) if len(value) <= _SHORT else _kept(key, value)


_NAMING = frozenset({"clientid", "route", "store", "zone_name"})
"""Keys of names, which are compared. Another stands for one that may be a credential, in the facts
of every importer (``topograph.importers.secrets``)."""


def _kept(key: str, value: str) -> str:
    if key.lower() in _NAMING:
        return value
    return lexical.kept(key, value) if is_known(key) else lexical.kept_unknown(key, value)


_SHORT = 200
_kept_of_many = lru_cache(maxsize=1 << 13)(_kept)
"""Of short values it is remembered: a network has the same few names and addresses many times."""


def excerpt(text: str) -> str:
    """The text of a line for a finding, without secrets and without the values of unknown keys."""
    return lexical.excerpt(text, KEYS)


def selector_excerpt(text: str) -> str:
    """A selector that is not understood, from its opening quote on: it names properties of
    messages, which are no keys. What follows its last quote is another key's.

    >>> selector_excerpt('"a = "b"" zome=tiger'), selector_excerpt("a=1 zome=tiger")
    ('"a = "b""', 'a=1 zome=(set)')
    """
    close = text.rfind('"')
    return lexical.excerpt(text[: close + 1]) if text.startswith('"') and close else excerpt(text)


def first_word(line: Line) -> Line:
    """A line that is no ``key = value``, for a finding: its first word may be a key, the rest
    may be the value of it.
    """
    word, _, rest = line.text.strip(lexical.BLANK).partition(" ")
    return Line(line.number, f"{word} {SET}" if rest else word)


def shown_word(text: str, offset: int, word: str) -> str:
    """A word of a line for a message; ``(set)`` where it may be part of the value of a secret or
    of an unknown key.
    """
    return lexical.shown_word(text, offset, word, KEYS)
