"""Secrets never leave the importer: values of passwords, keys and tokens become ``(set)``, in
attributes and in excerpts.
"""

from __future__ import annotations

import re
from functools import lru_cache

from topograph.credentials import SET, without_arguments, without_user_info
from topograph.importers import lexical

_WORDS = (
    r"pas+w|passphrase|passcode|pass(?![a-z])|pwd?\b|psk|kennwort|secret|token|credential|"
    r"(?<!binding)(?:(?<=\w)key|key(?=\w))"
)
_SECRET = re.compile(_WORDS, re.IGNORECASE)
_FIRST_WORD = re.compile(r"[\w$\"-]*+[ \t]*+:?")
_NAMES = frozenset(
    {
        "id",
        "name",
        "identity",
        "prefix",
        "pattern",
        "address",
        "externalAddress",
        "bindingKey",
        "connection",
        "container",
        "containerId",
        "key",
    }
)
"""Attributes that others refer to: what stands in them is compared. Another name stands for one
that may be a credential, in the facts of every importer (``topograph.importers.secrets``).
"""
_EXCERPT_LENGTH = 120


@lru_cache(maxsize=4096)  # a dump has the same few dozen names thousands of times
def is_secret(name: str) -> bool:
    """True for the name of an attribute whose value must not be kept."""
    return _SECRET.search(name.replace("-", "")) is not None


def kept_value(name: str, value: object) -> object:
    """What may be kept of an attribute: ``(set)`` for a secret, URLs without user and password,
    maps with the same done inside.

    >>> (kept_value("saslPassword", "tiger"), kept_value("failoverUrls", "amqp://u:p@h:1"),
    ...  kept_value("m", {"token": "x", "a": 1}))
    ('(set)', 'amqp://h:1', {'token': '(set)', 'a': 1})
    >>> kept_value("metadata", "blue, apiKey: tiger"), kept_value("bindingKey", "key.*")
    ('blue, apiKey: (set)', 'key.*')
    """
    if is_secret(name):
        return SET
    if isinstance(value, str):
        if name in _NAMES:
            return value
        before = lexical.before_secret(value, _SECRET)
        shown = without_user_info(value if before is None else before + SET, "")
        return without_arguments(shown)
    if isinstance(value, dict):
        return {
            str(key): SET if str(key).lower() == "key" else kept_value(str(key), item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [kept_value("", item) for item in value]
    return value


def excerpt(line: str) -> str:
    """A line for a finding: cut, and without anything that may be a secret.

    >>> excerpt("  saslPassword: tiger"), excerpt("password tiger"), excerpt(" cost: 3")
    ('saslPassword: (set)', 'password (set)', 'cost: 3')
    """
    line = without_user_info(line.strip(), "")
    found = _SECRET.search(line.replace("-", ""))
    if found:
        word = _FIRST_WORD.match(line)
        return f"{word.group().strip() if word else ''} {SET}".strip()
    return line if len(line) <= _EXCERPT_LENGTH else line[: _EXCERPT_LENGTH - 1] + "…"
